"""Values in sentences: what they count, and that nothing is told twice."""

from __future__ import annotations

import re
from dataclasses import replace

import htreval_core as hv
from htreval_core.compare import compare_systems
from htreval_core.diagnosis import ORDER_FREE, telling
from htreval_core.diagnosis.displaced import Displaced
from htreval_core.diagnosis.gaps import Gap
from htreval_core.show.warnings import tell_warning, tell_warnings
from htreval_core.show.wording import besides, comparison_verdict, page_verdict, points, verdict
from tests.tools import look_at

LINES = [f"{a} {b} {c}" for a, b, c in zip("abcdefghij", "klmnopqrst", "uvwxyzABCD", strict=True)]
REFERENCE = "\n".join(LINES)


def told(hypothesis: str, reference: str = REFERENCE) -> tuple[str, str]:
    """The verdict of a page, and what is told besides its events."""
    look = look_at(reference, hypothesis)
    return page_verdict(look.page.scores, look.diagnosis.parts), besides(look.diagnosis)


def test_what_was_left_out_is_not_called_misread() -> None:
    said, left = told("\n".join(LINES[:5]))
    assert "WER is 50.0 % (0.0 misread + 50.0 left out + 0.0 out of order)" in said
    assert "nearly all errors are words left out; the reading order is fine" in said
    # The missing lines are an event; nothing more is wrong.
    assert left == ""


def test_misread_and_left_out_are_named_where_both_count() -> None:
    wrong = ["? ? ?", *LINES[1:7]]
    said, left = told("\n".join(wrong))
    assert "(10.0 misread + 30.0 left out + 0.0 out of order)" in said
    assert "misread or left out" in said
    assert left == "3 errors for words misread, left out or added here and there"


def test_coincidence_is_not_told_to_be_out_of_order() -> None:
    """WER counts a word split here and one left out there twice, and no word has moved."""
    said, left = told("to gether b c d e f", "together b c d e f g")
    assert "0.0 out of order" in said
    assert "coincidence" in said
    assert "and no order mends it" in left


def test_without_a_diagnosis_order_is_not_claimed() -> None:
    page = hv.score_page("a b c d", "c d a b")
    assert "100.0 ΔWER" in page_verdict(page.scores)
    assert "may be reading order" in page_verdict(page.scores)


def test_a_comparison_begins_with_all_words_and_claims_nothing_that_is_chance() -> None:
    pages = [
        hv.Page.from_text(
            f"{n}", "a b c d", {"A": "a b c x", "B": "a b c x" if n % 2 else "a b y d"}
        )
        for n in range(12)
    ]
    study = hv.score(pages, hv.Settings(resamples=100))
    assert comparison_verdict(compare_systems(study, "A", "B"), "A", "B")[0].startswith(
        "Both make the same number of word errors (25.0 % against 25.0 %)"
    )
    worse = [hv.Page.from_text("last", "a b c d", {"A": "a b c d", "B": "a b c"}), *pages]
    compared = compare_systems(hv.score(worse, hv.Settings(resamples=100)), "A", "B")
    assert comparison_verdict(compared, "A", "B")[0].startswith(
        "No difference between B and A is shown in word errors: 25.0 % against 23.1 %"
    )
    assert verdict(study.corpora["A"]).startswith("WER is 25.0 %")


def test_differences_have_a_true_sign() -> None:
    assert (points(-0.066), points(0.05)) == ("\N{MINUS SIGN}6.6", "+5.0")


def test_every_kind_of_warning_and_of_failure_has_its_sentence() -> None:
    for kind in hv.WarningKind:
        one = hv.DataWarning("p1", kind, ("first", "second"), 2)
        for told in (tell_warning(one), *tell_warnings([replace(one, file=f"p{n}")
                                                         for n in range(9)])):  # fmt: skip
            assert not re.search(r"[{}]", told), told
            assert told
    assert set(telling._ORDER) | set(telling._GAPS) == set(hv.EventKind)
    assert set(telling._GAPS) == ORDER_FREE
    look = look_at("a b c\nd e f", "d e f\na b c")
    ground = look.ground
    found = Displaced(look.layout, look.layout.groups[0], ground)
    for kind in hv.EventKind:
        if kind in ORDER_FREE:
            told = telling.tell_gap(Gap(kind, (0, 3), ((3, 6),), 3, 3, (0, 3), 2.0), ground)
        else:
            told = telling.tell_order(kind, found, 3)
        assert re.fullmatch(r"[A-Z][^{}]+\.", told), told
