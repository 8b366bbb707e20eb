"""The lines with most errors."""

import pytest

import htreval_core as hv
from htreval_core.words.lines import worst_lines
from tests.conftest import SAMPLES

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
