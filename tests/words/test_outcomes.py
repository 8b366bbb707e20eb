"""What became of every word: outcomes and confusions."""

import pickle
from collections import Counter
from collections.abc import Mapping

import numpy as np
import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

import htreval_core as hv
from htreval_core.metrics.texts import SCRIPTS, script_of
from htreval_core.text import TextPolicy
from htreval_core.words.confusions import (
    char_confusions,
    confusion_matrix,
    confusions_of,
    find_errors,
    letter_rows,
    spelled,
)
from htreval_core.words.outcomes import Agreement, Outcome, WordOutcomes, word_outcomes
from htreval_core.words.search import search_texts
from tests.conftest import SAMPLES
from tests.tools import Threads, cases


def outcomes_of(
    *pages: tuple[str, Mapping[str, str]], settings: hv.Settings | None = None
) -> WordOutcomes:
    made = [hv.Page.from_text(f"p{n}", ref, outputs) for n, (ref, outputs) in enumerate(pages)]
    return word_outcomes(hv.score(made, settings))


def test_no_more_words_are_wrong_than_the_matching_has() -> None:
    study = hv.score(hv.pair_path(SAMPLES / "letterbook"))
    for system in study.systems:
        pages = [study.look(page_id, system).page for page_id in study.page_ids]
        least = sum(len(one.reference.words) - int(one.matching.equal.sum()) for one in pages)
        assert int(word_outcomes(study, (system,)).wrong(system).sum()) == least


@pytest.fixture(scope="module")
def letterbook() -> WordOutcomes:
    study = hv.score(hv.pair_path(SAMPLES / "letterbook").pages[:8])
    return word_outcomes(study, ("misreads", "skips-margins"))


# --- outcomes


def test_each_reference_word_is_right_misread_or_missing() -> None:
    found = outcomes_of(
        ("alpha beta\ngamma delta epsilon", {"A": "alpha beto gamma", "B": "delta alpha beta"})
    )
    assert found.words == ("alpha", "beta", "gamma", "delta", "epsilon")
    r, m, x = Outcome.RIGHT, Outcome.MISREAD, Outcome.MISSING
    assert found.outcome.tolist() == [[r, m, r, x, x], [r, r, x, r, x]]
    assert found.read_as.tolist() == [[0, 1, 2, -1, -1], [1, 2, -1, 0, -1]]
    assert found.read_words[0] == ("alpha", "beto", "gamma", None, None)
    assert found.line_of.tolist() == [0, 0, 1, 1, 1]
    assert found.word_index.tolist() == list(range(5))
    assert np.argwhere(found.moved).tolist() == [[1, 3]]
    assert found.counts("A", "B") == {
        Agreement.BOTH_RIGHT: 1, Agreement.ONLY_A: 1, Agreement.ONLY_B: 2, Agreement.BOTH_WRONG: 1,
    }  # fmt: skip
    assert found.agreement("B", "A").tolist() == [0, 1, 2, 1, 3]


def test_right_words_are_those_that_hwer_counts_right(letterbook: WordOutcomes) -> None:
    """hWER is the longer side less the exact pairs, page by page.

    A piece of a divided word may be such a pair's other half: then the word is not right."""
    study = hv.score(letterbook.dataset, letterbook.settings)
    for at, system in enumerate(letterbook.systems):
        for scores in study.scores[system]:
            here = letterbook.page_of == letterbook.page_ids.index(scores.page_id)
            right = int((letterbook.outcome[at][here] == Outcome.RIGHT).sum())
            assert here.sum() == scores.n_ref_words
            exact = max(scores.n_ref_words, scores.n_hyp_words) - scores.hwer_errors
            divided = int((letterbook.outcome[at][here] == Outcome.DIVIDED).sum())
            assert 0 <= exact - right <= divided
            matched = np.isin(letterbook.outcome[at][here], (Outcome.RIGHT, Outcome.MISREAD)).sum()
            assert matched <= scores.matched_words


def test_readings_are_the_words_at_the_positions_told(letterbook: WordOutcomes) -> None:
    for example in letterbook.examples(range(0, len(letterbook), 7)):
        line = letterbook.dataset.page(example.page_id).reference.lines[example.line - 1].text
        assert " ".join(f"{example.before} {example.word} {example.after}".split()) == line
        assert example.word == letterbook.words[example.number]
        for at, reading in enumerate(example.read_words):
            assert reading.word == letterbook.read_words[at][example.number]
            assert (reading.word is None) == (reading.outcome is Outcome.MISSING)
            if reading.word is not None:
                output = letterbook.dataset.page(example.page_id).hypotheses[reading.system]
                shown = " ".join(f"{reading.before} {reading.word} {reading.after}".split())
                assert shown == output.lines[reading.line - 1].text


def test_words_and_hits_are_counted_without_what_is_left_out() -> None:
    kinds = {"header": "the head", "text": "one two"}
    reference = hv.Transcript(tuple(hv.Line(kinds[one], one, None, one) for one in kinds))
    settings = hv.Settings(orders=hv.OrderRules(left_out=hv.RegionRule(kinds=("header",))))
    study = hv.score([hv.Page("p", reference, {"A": reference})], settings)
    outcomes = word_outcomes(study)
    example = next(outcomes.examples([1]))
    assert (example.word, example.before, example.line) == (outcomes.words[1], "one", 2)
    assert [hit.word for hit in search_texts(study, "two").hits] == [1, 1]


def test_long_lines_are_cut_around_the_word() -> None:
    text = " ".join(f"w{n}" for n in range(100)) + "\nlast"
    found = outcomes_of((text, {"A": text}))
    near = list(found.examples([20, 21, 78, 79]))
    assert [one.before[0] == "…" for one in near] == [False, True, True, True]
    assert [one.after[-1] == "…" for one in near] == [True, True, True, False]
    first, middle = found.examples([0, 50])
    assert first.before == ""
    assert middle.before.startswith("… w30 ")
    assert middle.after.endswith(" w70 …")


def test_only_pages_that_all_systems_have_read_are_looked_at() -> None:
    pages = [
        hv.Page.from_text("1", "a b", {"A": "a b", "B": "a"}),
        hv.Page.from_text("2", "c d", {"A": "c d"}),
        hv.Page.from_text("3", "", {"A": "", "B": "x"}),
    ]
    study = hv.score(pages)
    told: list[tuple[int, int]] = []
    both = word_outcomes(study, progress=lambda *done: told.append(done))
    assert both.page_ids == ("1", "3")
    assert len(both) == 2
    assert told == [(1, 2), (2, 2)]
    assert word_outcomes(study, ("A",)).page_ids == ("1", "2", "3")
    assert word_outcomes(study.only(pages=["2"]), ("A",)).words == ("c", "d")
    apart = hv.score([hv.Page.from_text(name, "a", {name: "a"}) for name in "AB"])
    for of, systems in ((study, ("nobody",)), (study, ()), (apart, None)):
        with pytest.raises(hv.ConfigError):
            word_outcomes(of, systems)
    with pytest.raises(hv.ConfigError, match="nobody"):
        both.wrong("nobody")


def test_workers_change_no_figure(letterbook: WordOutcomes) -> None:
    study = hv.score(letterbook.dataset, letterbook.settings)
    with Threads() as workers:
        again = word_outcomes(study, letterbook.systems, workers=workers)
    assert again.read_words == letterbook.read_words
    assert (again.outcome == letterbook.outcome).all()
    assert pickle.loads(pickle.dumps(again)).words == again.words  # noqa: S301


# --- confusions


@pytest.mark.parametrize(("word", "read", "found"), cases("confused"))
def test_a_pair_of_words_shows_its_confusions(word: str, read: str, found: list[list[str]]) -> None:
    assert confusions_of(word, read, TextPolicy()) == dict.fromkeys(map(tuple, found), 1)


@given(st.text("abcdmnr", max_size=9), st.text("abcdmnr", max_size=9))
def test_confusions_spell_the_difference(word: str, read: str) -> None:
    """Taking the confused characters out of either word leaves the same characters."""
    found = confusions_of(word, read, TextPolicy())
    left, right = Counter(word), Counter(read)
    for (ref, hyp), count in found.items():
        assert ref != hyp
        for _ in range(count):
            left.subtract(ref)
            right.subtract(hyp)
    assert {k: n for k, n in left.items() if n} == {k: n for k, n in right.items() if n}
    assert min(left.values(), default=0) >= 0
    assert bool(found) == (word != read)


def test_order_confuses_no_characters() -> None:
    """Lines read in the wrong order change nothing about which characters are confused."""
    ref = "the corner of the street\nwhere nobody waited then\nat half past seven today"
    read = "the comer of the street\nwhere nobody waited then\nat half past sewen today"
    lines = read.split("\n")
    found = outcomes_of((ref, {"A": read, "B": "\n".join([lines[2], lines[0], lines[1]])}))
    assert char_confusions(found, "A") == char_confusions(found, "B")
    assert {(c.reference, c.read_as) for c in char_confusions(found, "A")} == {
        ("rn", "m"),
        ("v", "w"),
    }


def test_confusions_letters_and_words_agree_and_open_their_examples() -> None:
    found = outcomes_of(
        ("corner house burn", {"A": "comer house bum"}),
        ("corner 7even ſo", {"A": "comer Zeven so"}),
        ("gone", {"A": ""}),
    )
    first, *others = char_confusions(found, "A")
    assert (first.reference, first.read_as, first.count) == ("rn", "m", 3)
    assert {(c.reference, c.read_as) for c in others} == {("7", "Z"), ("ſ", "s")}
    shown = [e.word for e in found.examples(find_errors(found, "A", "rn→m").tolist())]
    assert shown == ["corner", "burn", "corner"]
    assert confusion_matrix(char_confusions(found, "A"), at_most=2) == (
        ("rn", "7"), ("m", "Z"), pytest.approx(np.array([[3, 0], [0, 1]]))
    )  # fmt: skip
    letters = {row.letter: row for row in letter_rows(found, "A")}
    assert (letters["ſ"].total, letters["ſ"].right, letters["ſ"].read_as) == (1, 0, {"s": 1})
    assert (letters["r"].total, letters["n"].total) == (5, 4)
    assert letters["r"].right == 5 - sum(letters["r"].read_as.values())
    assert "g" not in letters
    for wanted, numbers in {
        "": [0, 2, 3, 4, 5, 6], "corner -> comer": [0, 3], "gone→": [6], "r→": [], "ev": [4],
        "COMER": [0, 3], "→": [],
    }.items():  # fmt: skip
        assert find_errors(found, "A", wanted).tolist() == numbers, wanted


@given(st.text("abc", max_size=8), st.text("abc", max_size=8))
def test_words_are_spelled_whole_and_differ_where_they_differ(word: str, read: str) -> None:
    sides = spelled(word, read, TextPolicy())
    assert ["".join(text for text, _ in side) for side in sides] == [word, read]
    same = ["".join(text for text, differs in side if not differs) for side in sides]
    assert same[0] == same[1]
    assert all(text for side in sides for text, _ in side)


def test_letters_agree_with_edit_distances(letterbook: WordOutcomes) -> None:
    from rapidfuzz.distance import Levenshtein

    wrong = sum(row.total - row.right for row in letter_rows(letterbook, "misreads"))
    misread = [
        Levenshtein.editops(word, read)
        for word, read in zip(letterbook.words, letterbook.read_words[0], strict=True)
        if read is not None
    ]
    assert wrong == sum(op.tag != "insert" for ops in misread for op in ops)
    assert wrong > 0


def test_graphemes_are_confused_whole() -> None:
    policy = TextPolicy(form="NFD", characters="grapheme")
    assert confusions_of("cafe\u0301", "cafe", policy) == {("e\u0301", "e"): 1}


def test_scripts_and_blocks_are_known_to_the_regex_package() -> None:
    for name in SCRIPTS:
        assert regex.compile(rf"\p{{Script={name}}}")
    assert [script_of(sign) for sign in "aя7,"] == ["Latin", "Cyrillic", "digit", "punctuation"]
