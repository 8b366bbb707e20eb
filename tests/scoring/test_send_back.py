"""Pages that are sent back, and the letter about them."""

import csv
import io
import math
import re
from dataclasses import replace

import pytest
from docx import Document

import htreval_core as hv
from htreval_core.scoring.diagnoses import diagnose
from htreval_core.scoring.send_back import Reason, Returned, pages_to_send_back
from htreval_core.show.tables.marks import letter_csv, letter_docx, letter_text
from htreval_core.show.telling.letter import letter
from htreval_core.sources.dataset import Unpaired
from tests.show.test_decision import in_doubt

GOOD = "the quick brown fox jumps over the lazy dog"


@pytest.fixture(scope="module")
def study() -> hv.Study:
    texts = {"good": GOOD, "bad": "tha quyck brewn fex jemps", "=cmd()": "x", "late": GOOD}
    pages = [hv.Page.from_text(name, GOOD, {"A": text}) for name, text in texts.items()]
    pages.append(hv.Page.from_text("lost", GOOD, {"B": GOOD}))
    return hv.score(hv.Dataset.of(pages))


def test_missing_pages_come_first_then_the_worst(study: hv.Study) -> None:
    never = replace(study.dataset, unpaired=Unpaired(("never",), {}))
    found = pages_to_send_back(replace(study, dataset=never), "A", diagnose(study))
    assert [(one.page_id, one.reason) for one in found] == [
        ("lost", Reason.MISSING), ("never", Reason.MISSING), ("=cmd()", Reason.OVER),
        ("bad", Reason.OVER),
    ]  # fmt: skip
    assert math.isnan(found[0].cer)
    assert found[2].cer > found[3].cer > 0.10
    # The limit is the reader's.
    (lost,) = pages_to_send_back(study, "A", {}, above=1.0)
    assert lost.reason is Reason.MISSING
    seal = {"good": ["the seal is missing"]}
    marked = pages_to_send_back(study, "A", {}, above=1.0, marked=seal)
    assert [(one.page_id, one.reason, one.said) for one in marked[1:]] == [
        ("good", Reason.MARKED, ("the seal is missing",))
    ]
    (wrong,) = pages_to_send_back(study, "A", {}, above=1.0, marked=seal, wrong=["good", "bad"])[1:]
    assert (wrong.reason, wrong.is_theirs) == (Reason.WRONG, False)
    blank = hv.score(hv.Dataset.of([hv.Page.from_text("blank", "", {"A": "some words"})]))
    for of, reason in (([], Reason.OVER), (["blank"], Reason.WRONG)):
        assert [one.reason for one in pages_to_send_back(blank, "A", {}, wrong=of)] == [reason]


def test_a_doubtful_reference_comes_last_and_is_nobodys_fault_yet() -> None:
    *theirs, first = pages_to_send_back(in_doubt(12, 1, wrong=0.6), "A", {})
    assert all(one.is_theirs for one in theirs)
    assert (first.page_id, first.reason, first.is_theirs) == ("0", Reason.DOUBT, False)


def test_a_letter_names_each_page_and_why(study: hv.Study) -> None:
    found = pages_to_send_back(study, "A", diagnose(study))
    told = letter("letters", "A", found, 4, 5, 0.10)
    assert told[0] == "Pages of letters to be redone (A)"
    assert told[1].startswith("We have compared 4 of 5 pages with")
    assert "to redo 3 of 5 pages" in told[1]
    assert "1 page has no output." in told[1]
    assert told[2] == "1. lost: There is no output for this page."
    assert re.match(r"3\. bad: [\d.]+ errors per 100 characters\. \w", told[4])
    text = letter_text(told)
    assert [one.text for one in Document(io.BytesIO(letter_docx(told))).paragraphs] == (
        text.strip().split("\n\n")
    )
    rows = list(csv.reader(io.StringIO(letter_csv(found))))
    assert rows[0] == ["page", "reason", "cer", "why"]
    # No spreadsheet takes a page's name for a formula.
    assert rows[2][0] == "'=cmd()"
    assert len(rows) == 1 + len(found)


def test_nothing_to_send_back_is_said(study: hv.Study) -> None:
    (said,) = letter("letters", "A", [], 5, 5, 0.10)
    assert said.endswith("Nothing has to be redone.")
    assert letter_docx([said])


def test_hostile_names_stay_names(study: hv.Study) -> None:
    one = Returned("<b>\u202ex\x00", Reason.MISSING)
    for told in (letter("d", "A\x07", [one], 0, 1, 0.1),):
        assert "\u202e" not in letter_text(told)
        assert letter_docx(told)
