"""Texts found in references and outputs."""

import pytest

import htreval_core as hv
from htreval_core.words.lines import worst_lines
from htreval_core.words.search import search_texts
from tests.conftest import SAMPLES
from tests.tools import cases

PAGES = [
    hv.Page.from_text("p1", "die Waaren\nder Jndustrie, Waaren", {"A": "die Waren\nder Industrie"}),
    hv.Page.from_text("p2", "eine Straße", {"A": "eine STRASSE", "B": "x"}),
]


@pytest.fixture(scope="module")
def study() -> hv.Study:
    return hv.score(hv.Dataset.of(PAGES))


@pytest.mark.parametrize(("wanted", "found"), cases("searched"))
def test_a_text_is_found_with_its_line_and_word(
    study: hv.Study, wanted: str, found: list[list[str | int]]
) -> None:
    hits = search_texts(study, wanted).hits
    assert [[one.page_id, one.system, one.line, one.word] for one in hits] == found
    for one in hits:
        page = study.page(one.page_id)
        side = page.hypotheses[one.system] if one.system else page.reference
        words = side.text.split()
        assert one.parts[1].split()[0].casefold() in words[one.word].casefold()
        assert "".join(one.parts) == side.lines[one.line - 1].text


def test_a_hit_names_the_word_as_it_is_compared() -> None:
    policy = hv.TextPolicy(join_hyphens=("hyphen-minus",), ignore_punctuation=True)
    page = hv.Page.from_text("p", "na-\ntion gave — (money) away", {"A": ""})
    study = hv.score([page], hv.Settings(policy=policy))
    words = hv.score_page(page.reference, "", study.settings).reference.words
    for wanted in ("gave", "mone", "oney", "away"):
        (hit,) = search_texts(study, wanted).hits
        assert wanted in words[hit.word]


def test_a_search_stops_when_there_is_enough(study: hv.Study) -> None:
    assert len(search_texts(study, "e", at_most=2).hits) == 2
    stopped = search_texts(study, "e", seconds=-1.0)
    assert (stopped.hits, stopped.n_pages) == ((), 0)


@pytest.mark.parametrize(
    ("wanted", "told"),
    [
        ("", "look for 1 to 200"),
        ("x" * 300, "look for 1 to 200"),
        ("/(/", "not a regular expression"),
    ],
)
def test_what_cannot_be_looked_for_is_refused(study: hv.Study, wanted: str, told: str) -> None:
    with pytest.raises(hv.ConfigError, match=told):
        search_texts(study, wanted)


def test_an_expression_that_takes_years_is_stopped() -> None:
    study = hv.score([hv.Page.from_text("1", "a" * 60 + "b", {"A": "a"})])
    with pytest.raises(hv.ConfigError, match="takes too long on page 1, line 1"):
        search_texts(study, "/(?:a|aa|aaa)+x?[c-z]/")


HEAD, NOTE = "CHAPTER ONE", "written later by another old hand"
BODY = (
    "alpha beta gamma delta epsilon zeta", "eta theta iota kappa lambda mu",
    "nu xi omicron pi rho sigma", "tau upsilon phi chi psi omega",
)  # fmt: skip


def test_the_lines_with_most_errors_are_those_that_were_made_wrong() -> None:
    """Of A's a line is misread and one has words added; of B's the note stands elsewhere."""
    reads = {
        "A": (HEAD, BODY[0], "eta thata iota cappa lambda", "uno due", *BODY[2:], NOTE),
        "B": (HEAD, NOTE, *BODY[:3], "tau psi omega"),
    }
    outputs = {name: hv.Transcript.from_text("\n".join(lines)) for name, lines in reads.items()}
    study = hv.score(
        [hv.Page("p", hv.Transcript.from_text("\n".join((HEAD, *BODY, NOTE))), outputs)]
    )
    found = worst_lines(study)
    assert [(one.line, [read.errors for read in one.reads]) for one in found] == [
        (3, [4, 0]),
        (5, [0, 3]),
    ]
    assert found[0].text == BODY[1]
    assert found[0].word_index == len(" ".join((HEAD, BODY[0])).split())
    assert found[0].reads[0].text == "eta thata iota cappa lambda uno due"
    assert [(one.line, one.errors) for one in worst_lines(study, ["B"])] == [(5, 3)]
    assert worst_lines(study, at_most=1) == found[:1]
    with pytest.raises(hv.ConfigError, match="'C'"):
        worst_lines(study, ["C"])


def test_words_added_at_the_top_count_for_the_first_line_and_blank_pages_have_no_lines() -> None:
    pages = [
        hv.Page.from_text("p", "\none two\nthree", {"a": "zero one two three"}),
        hv.Page.from_text("blank", "", {"a": "zero"}),
        hv.Page.from_text("empty", "one two", {"a": ""}),
    ]
    found = worst_lines(hv.score(pages))
    assert [(one.page_id, one.line, one.errors) for one in found] == [("empty", 1, 2), ("p", 2, 1)]
    assert found[1].reads[0].text == "zero one two"


def test_lines_have_the_errors_of_wer_but_for_order() -> None:
    """On pages whose words all stand in their place, lines add up to WER."""
    study = hv.score(hv.pair_path(SAMPLES / "letterbook")).only(["misreads"])
    lines = worst_lines(study, at_most=10_000)
    for scores in study.scores["misreads"]:
        moved = scores.wer.errors - scores.bwer.errors
        own = sum(one.errors for one in lines if one.page_id == scores.page_id)
        assert scores.bwer.errors - moved <= own <= scores.wer.errors
