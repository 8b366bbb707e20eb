"""Words divided or joined: the rule, against every way to align tiny pages."""

import random
from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import get_args

import numpy as np
import pytest

import htreval_core as hv
from htreval_core.metrics.kinds import View, WordKind, word_kinds
from htreval_core.metrics.spaces import Regrouping, find_regroupings, put_right
from htreval_core.model import Parts
from htreval_core.show.plotly import picture_displacement
from htreval_core.show.tables.aligned import aligned_words
from htreval_core.show.views.page import page_payload
from htreval_core.words.outcomes import Outcome
from tests.conftest import ROOT, shared

ANNOUNCED = (
    "it was announced that additional men came",
    "it was an nounced that addi tional men came",
)


def _parts(reference: str, output: str) -> Parts:
    study = hv.score([hv.Page.from_text("1", reference, {"A": output})])
    parts = hv.diagnose(study)["A"][0].parts
    assert parts.errors == study.scores["A"][0].wer.errors
    assert parts.bag_errors == study.scores["A"][0].bwer.errors
    return parts


@pytest.mark.parametrize(
    ("reference", "output", "spaces", "misread"),
    [
        (*ANNOUNCED, 4, 0), (*ANNOUNCED[::-1], 4, 0),
        ("announced", "an nounced", 2, 0), ("an announced", "an an nounced", 2, 0),
        # The lost "an" and the piece "an" make up for each other in the bag of words.
        ("announced an", "an nounced", 0, 1),
        ("to day and to morrow", "today and tomorrow", 4, 0),
        ("a b c", "ab c", 2, 0), ("ab cd", "a bcd", 2, 0), ("announced", "an nouned", 0, 2),
        ("the\nan\nnounced", "the announced", 2, 0), ("", "a b", 0, 2), ("a b", "", 0, 2),
    ],
)  # fmt: skip
def test_worked_examples(reference: str, output: str, spaces: int, misread: int) -> None:
    parts = _parts(reference, output)
    assert (parts.spaces, parts.misread) == (spaces, misread)


def test_they_are_found_in_text_that_was_read_elsewhere() -> None:
    note = "a marginal note that was announced yesterday by the town clerk in person"
    page = " ".join(f"word{n}" for n in range(40))
    parts = _parts(f"{note}\n{page}", f"{page}\n{note.replace('announced', 'an nounced')}")
    assert (parts.spaces, parts.misread) == (2, 0)
    assert parts.order > 0


def _brute(ref: Sequence[str], hyp: Sequence[str]) -> tuple[int, int, int]:
    """The least cost of any alignment: edits, regroupings, their places."""

    def is_shortest(a: int, b: int, c: int, d: int) -> bool:
        if b - a + d - c < 3 or "".join(ref[a:b]) != "".join(hyp[c:d]):
            return False
        return not any(
            "".join(ref[a:i]) == "".join(hyp[c:j]) for i in range(a + 1, b) for j in range(c + 1, d)
        )

    @cache
    def best(a: int, c: int) -> tuple[int, int, int]:
        if (a, c) == (len(ref), len(hyp)):
            return 0, 0, 0
        ways = []
        for to in ((a + 1, c), (a, c + 1), (a + 1, c + 1)):
            if to[0] <= len(ref) and to[1] <= len(hyp):
                edits, groups, places = best(*to)
                alike = to == (a + 1, c + 1) and ref[a] == hyp[c]
                ways.append((edits + (not alike), groups, places))
        for b in range(a + 1, len(ref) + 1):
            for d in range(c + 1, len(hyp) + 1):
                if is_shortest(a, b, c, d):
                    edits, groups, places = best(b, d)
                    ways.append((edits, groups + 1, places + a + c))
        return min(ways)

    return best(0, 0)


def _tiny(random_: random.Random) -> tuple[list[str], list[str]]:
    def words() -> list[str]:
        lengths = [random_.randint(1, 3) for _ in range(random_.randint(0, 6))]
        return ["".join(random_.choice("ab") for _ in range(n)) for n in lengths]

    ref = words()
    if random_.random() < 0.5:
        return ref, words()
    letters = "".join(ref)
    cuts = sorted(random_.sample(range(1, max(len(letters), 1)), min(3, max(len(letters) - 1, 0))))
    return ref, [letters[a:b] for a, b in pairwise([0, *cuts, len(letters)]) if a < b]


def test_brute_force_over_all_alignments_agrees() -> None:
    random_ = random.Random(7)
    for _ in range(3000):
        ref, hyp = _tiny(random_)
        found = find_regroupings(ref, hyp)
        places = sum(one.ref[0] + one.hyp[0] for one in found)
        assert (len(found), places) == _brute(ref, hyp)[1:], (ref, hyp)
        for one in found:
            letters = ["".join(of[at] for at in places) for of, places in
                       ((ref, one.ref), (hyp, one.hyp))]  # fmt: skip
            assert letters[0] == letters[1]
        before, _ = put_right(ref, hyp, [])
        after, taken = put_right(ref, hyp, found)
        assert set(taken) <= set(found)
        assert after.errors <= before.errors - len(taken)


def _divided(random_: random.Random, n_words: int, misread: float) -> tuple[str, str, int]:
    """A made text, its output with words divided and joined, and how many of them there are."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    words = ["".join(random_.choices(letters, k=random_.randint(4, 9))) for _ in range(n_words)]
    output, n, at = [], 0, 0
    while at < len(words):
        word = words[at]
        chance = random_.random()
        if chance < 0.05:
            cut = random_.randint(1, len(word) - 1)
            output += [word[:cut], word[cut:]]
            n += 1
        elif chance < 0.1 and at + 1 < len(words):
            at += 1
            output.append(word + words[at])
            n += 1
        elif random_.random() < misread:
            output.append(random_.choice(letters).upper() + word[1:])
        else:
            output.append(word)
        at += 1
    return " ".join(words), " ".join(output), n


@pytest.mark.parametrize(("misread", "least"), [(0.0, 1.0), (0.2, 0.95)])
def test_known_ones_are_found(misread: float, least: float) -> None:
    random_ = random.Random(11)
    n_made = n_found = n_words = 0
    for _ in range(20):
        reference, output, n = _divided(random_, 300, misread)
        found = find_regroupings(reference.split(), output.split())
        _, taken = put_right(reference.split(), output.split(), found)
        n_made, n_found, n_words = n_made + n, n_found + len(taken), n_words + 300
    assert n_found >= least * n_made
    assert n_found - n_made <= 0.002 * n_words


def test_long_runs_of_equal_words_divide_a_page() -> None:
    words = [f"w{n}" for n in range(200)]
    output = [*words[:90], "w9", "0", *words[91:]]
    assert find_regroupings(words, output) == [Regrouping((90,), (90, 91))]


def test_long_pages_and_loops() -> None:
    words = [f"w{n}" for n in range(6000)]
    output = [word if n % 10 else "misread" for n, word in enumerate(words)]
    output[3001:3002] = ["w30", "01"]
    assert find_regroupings(words, output) == [Regrouping((3001,), (3001, 3002))]
    found = find_regroupings(["a"] * 400, ["aa"] * 200)
    assert found == [Regrouping((2 * n, 2 * n + 1), (n,)) for n in range(200)]


# --- what people see


@pytest.fixture(scope="module")
def announced() -> hv.Study:
    return hv.score([hv.Page.from_text("1", ANNOUNCED[0], {"A": ANNOUNCED[1], "B": ANNOUNCED[0]})])


def test_the_page_view_marks_and_links_them(announced: hv.Study) -> None:
    look = announced.look("1", "A")
    for view in get_args(View):
        sent = page_payload(look.page, view, look)
        ref, hyp = sent["sides"]
        assert ref["kinds"] == [0, 0, 5, 0, 5, 0, 0]
        assert hyp["kinds"] == [0, 0, 5, 5, 0, 5, 5, 0, 0]
        assert (ref["mates"][2], ref["mates"][4]) == (2, 5)
        assert hyp["mates"] == [0, 1, 2, 2, 3, 4, 4, 5, 6]
        assert sent["kinds"][5][0] == "divided or joined"
        assert 5 in sent["present"]
    words = picture_displacement(look.page, look.bands)
    assert np.count_nonzero(words.kinds == WordKind.INSERTED) == 2


def test_a_piece_is_no_other_words_mate() -> None:
    """The bag pairs the lost "an" with the piece; the texts do not."""
    study = hv.score([hv.Page.from_text("1", "x an x announced y", {"A": "x x an nounced y"})])
    given = (Regrouping((3,), (2, 3)),)
    kinds = word_kinds(study.look("1", "A").page, "matching", given)
    assert kinds.ref[[1, 3]].tolist() == [WordKind.DELETED, WordKind.DIVIDED]
    assert kinds.hyp_mate[[2, 3]].tolist() == [3, 3]


def test_aligned_words_and_outcomes_name_them(announced: hv.Study) -> None:
    for one in (announced, hv.score([hv.Page.from_text("1", ANNOUNCED[1], {"A": ANNOUNCED[0]})])):
        for view in get_args(View):
            kinds = Counter(row.kind for row in aligned_words(one.look("1", "A"), [view]))
            assert kinds == {"right": 5, "divided or joined": 4}
    for diagnoses in (None, hv.diagnose(announced)):
        found = hv.word_outcomes(announced, diagnoses=diagnoses)
        wrong = np.flatnonzero(found.wrong("A"))
        assert [(found.words[n], found.read_words[0][n]) for n in wrong] == [
            ("announced", "an nounced"), ("additional", "addi tional"),
        ]  # fmt: skip
        assert set(found.outcome[0][wrong]) == {Outcome.DIVIDED}
        (example,) = found.examples([2])
        read = example.read_words[0]
        assert (read.word, read.outcome) == ("an nounced", Outcome.DIVIDED)
        assert (read.before, read.after) == ("it was", "that addi tional men came")


def test_the_ladder_ends_without_their_errors(announced: hv.Study) -> None:
    *_, before, last = hv.score_ladder(announced.dataset, announced.settings)
    assert last.label == "spaces put right"
    for name in ("wer", "bwer"):
        assert before.corpora["A"].estimates[name].errors == 4
        assert last.corpora["A"].estimates[name].errors == 0
    assert last.corpora["A"].estimates["cer"] == before.corpora["A"].estimates["cer"]


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["iamdb", "layout/nzz", "layout/hip21", "vlm/bentham"])
def test_parts_add_up_on_real_pages(name: str) -> None:
    _check_parts(shared(name))


@pytest.mark.parametrize("name", ["letterbook", "models", "seite0418"])
def test_parts_add_up_on_every_sample_page(name: str) -> None:
    _check_parts(ROOT / "sample_data" / name)


def _check_parts(path: Path) -> None:
    study = hv.score(hv.pair_path(path))
    for system, pages in hv.diagnose(study, conventions=False).items():
        for one in pages:
            scores, parts = study.scores_of(one.page_id, system), one.parts
            assert parts.errors == scores.wer.errors
            assert parts.bag_errors == scores.bwer.errors
            assert min(parts.misread, parts.spaces, parts.substituted) >= 0
            assert bool(parts.spaces) == bool(one.regroupings)
