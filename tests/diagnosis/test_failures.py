"""Layout failures: found where they were made, named, costed, and adding up."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import htreval_core as hv
from htreval_core.diagnosis import ORDER_FREE, Confidence, EventKind
from htreval_core.model import Line, Parts, Transcript
from htreval_core.show.telling.events import tell_event
from tests.conftest import SAMPLES
from tests.sheets import FAILURES, Sheet, as_transcript, in_order, make_sheet
from tests.tools import invoke, look_at

ROWS = (
    "the harbour master came down at noon",
    "and found the quay deserted but for",
    "one old seaman mending nets beside",
    "a boat that nobody would ever claim",
    "he asked what ship had sailed since",
    "Tuesday and was told that none had",
    "because wind stood wrong all week",
    "which everybody in town knew well",
    "except perhaps gentlemen whose work",
    "kept them indoors among their ledgers",
    "until supper was called and candles",
    "lit along every window facing west",
)


def sheet(*, columns: bool = False, margin: bool = False) -> Sheet:
    """A page of twelve lines with geometry, in one column or two, with or without a note."""
    lines = []
    for number, text in enumerate(ROWS):
        right = columns and number >= 6
        x, y = (520.0 if right else 60.0), 40.0 * (number - 6 * right)
        box = hv.Polygon.from_box(x, y, x + 400, y + 30)
        lines.append(Line(text, "right" if right else "left", box, "paragraph"))
    if margin:
        for number, text in enumerate(("Gannet bell", "lost 29", "September")):
            y = 40 * number
            box = hv.Polygon(((5, y), (50, y), (50, y + 30)))
            lines.append(Line(text, "note", box, "marginalia"))
    return make_sheet(Transcript(tuple(lines), "ReadingOrder", (1000, 1400)))


def diagnose(page: Sheet, hypothesis: Transcript) -> hv.Diagnosis:
    return look_at(page.transcript, hypothesis).diagnosis


def test_seite0418_has_one_event_in_two_pieces_for_which_wer_charges_seven_errors() -> None:
    (page,) = hv.pair_path(SAMPLES / "seite0418").pages
    look = look_at(page.reference, page.hypotheses["RPN+CRNN"])
    (event,) = look.diagnosis.events
    assert event.kind is EventKind.MARGINALIA
    assert event.reference_lines == (21, 22, 23)
    assert len(event.hypothesis) == 2
    assert (event.words, event.errors) == (5, 7)
    assert look.diagnosis.parts == Parts(misread=22, order=7)
    repaired = look.put_right([0])
    assert repaired.page.scores.wer.errors == repaired.page.scores.bwer.errors == 22
    assert repaired.diagnosis.parts == Parts(misread=22)


def test_span_left_the_note_out_and_kept_its_order() -> None:
    (page,) = hv.pair_path(SAMPLES / "seite0418").pages
    found = look_at(page.reference, page.hypotheses["SPAN"]).diagnosis
    (event,) = found.events
    assert event.kind is EventKind.MISSING
    assert event.reference == (65, 70)
    assert (event.words, found.parts.order) == (5, 0)


SHAPES = {
    EventKind.COLUMNS_BY_LINE: {"columns": True},
    EventKind.COLUMNS_ACROSS: {"columns": True},
    EventKind.MARGINALIA: {"margin": True},
}
MADE = [
    EventKind.LINES_SWAPPED, EventKind.SUFFIX_FIRST, EventKind.SUFFIX_LATE, EventKind.PREFIX_LATE,
    EventKind.MOVED, EventKind.MARGINALIA, EventKind.COLUMNS_BY_LINE, EventKind.COLUMNS_ACROSS,
    EventKind.MISSING, EventKind.REPEATED, EventKind.INVENTED,
]  # fmt: skip


@pytest.mark.parametrize("kind", MADE)
@pytest.mark.parametrize("seed", range(3))
def test_a_failure_is_named_after_what_was_done(kind: EventKind, seed: int) -> None:
    page = sheet(**SHAPES.get(kind, {}))
    rng = np.random.default_rng(seed)
    made = FAILURES[kind](page, rng)
    assert made is not None
    output, truth = made
    found = diagnose(page, as_transcript(page, output, 0.0, rng))
    kinds = [
        event.kind for event in found.events if (event.kind in ORDER_FREE) == (kind in ORDER_FREE)
    ]
    assert kinds[:1] == [kind]
    event = next(event for event in found.events if event.kind is kind)
    if kind not in (EventKind.INVENTED, EventKind.REPEATED):
        start = min(span[0] for span in (*truth.spans, truth.touched))
        end = max(span[1] for span in (*truth.spans, truth.touched))
        assert start <= event.reference[0] < event.reference[1] <= end


@pytest.mark.parametrize("noise", [0.0, 0.3, 0.6])
def test_words_misread_in_order_raise_no_alarm(noise: float) -> None:
    page = sheet()
    for seed in range(20):
        rng = np.random.default_rng(seed)
        found = diagnose(page, as_transcript(page, in_order(page), noise, rng))
        assert found.events == ()


def test_without_lines_only_coarse_names_are_given() -> None:
    page = sheet(columns=True)
    rng = np.random.default_rng(0)
    output, _ = FAILURES[EventKind.COLUMNS_BY_LINE](page, rng) or ([], None)
    flat = as_transcript(page, output, 0.0, rng, lines=False)
    one_line = Transcript((Line(" ".join(page.words)),))
    found = look_at(one_line, flat).diagnosis
    assert found.events[0].kind is EventKind.INTERLEAVED
    assert found.events[0].confidence is Confidence.COARSE


def check_sum(found: hv.Diagnosis) -> None:
    parts = found.parts
    assert min(parts.misread, parts.order, parts.coincidence, parts.doubt) >= 0
    assert parts.order + parts.doubt == sum(e.errors for e in found.events if e.of_order)
    of_blocks = sum(event.errors for event in found.events if not event.of_order)
    assert of_blocks <= parts.misread + parts.coincidence
    for event in found.events:
        assert 0 <= event.reference[0] <= event.reference[1] <= found.n_ref_words
        assert tell_event(event)


def test_it_adds_up_on_every_sample_page() -> None:
    for name in ("letterbook", "examples", "seite0418"):
        study = hv.score(hv.pair_path(SAMPLES / name).pages)
        for pages in hv.diagnose(study).values():
            for found in pages:
                check_sum(found)
                assert found.wer == study.scores_of(found.page_id, found.system).wer.errors


@pytest.mark.slow
def test_it_adds_up_on_iam(iamdb: Path) -> None:
    study = hv.score(hv.pair_path(iamdb).pages)
    (pages,) = hv.diagnose(study).values()
    for found in pages:
        check_sum(found)
    # These paragraphs were read in order: hardly a word may be laid to the layout.
    assert sum(found.parts.order for found in pages) < 0.1 * sum(f.delta_wer for f in pages)


@pytest.mark.parametrize(
    ("reference", "hypothesis"),
    [("", ""), ("", "a b c d e"), ("a b c d e", ""), ("a", "b"), ("x " * 50, "x " * 70),
     ("a b c d e f", "f e d c b a"), ("one two three", "four five six")],
)  # fmt: skip
def test_odd_pages_are_diagnosed_too(reference: str, hypothesis: str) -> None:
    look = look_at(reference, hypothesis)
    check_sum(look.diagnosis)
    for band in look.bands:
        assert band.event < len(look.diagnosis.events)


def test_most_of_the_letter_books_order_errors_are_explained() -> None:
    study = hv.score(hv.pair_path(SAMPLES / "letterbook").pages)
    found = hv.diagnose(study, systems=["reads-across"])["reads-across"]
    assert sum(f.parts.order for f in found) >= 0.95 * sum(f.delta_wer for f in found)
    census = {row.kind: row for row in hv.take_census({"reads-across": found})}
    assert census[EventKind.DOUBLE_PAGE].pages == 2
    for row in census.values():
        assert row.wer_without < row.wer


def test_the_shell_says_the_same() -> None:
    arguments = ["diagnose", str(SAMPLES / "seite0418"), "--format", "json"]
    result = invoke(*arguments, "--systems", "RPN+CRNN")
    assert result.exit_code == 0, result.output
    content = json.loads(result.stdout)
    (page,) = content["pages"]
    assert page["parts"] == {
        "misread": 22, "order": 7, "coincidence": 0, "doubt": 0, "convention": 0
    }  # fmt: skip
    assert sum(page["parts"].values()) == page["wer"] == 29
    (event,) = page["events"]
    assert event["hypothesis"] == [[54, 57], [66, 68]]
    assert event["reference"] == [65, 70]
    assert (event["words"], event["errors"], event["confidence"]) == (5, 7, "likely")
    assert content["census"][0]["errors"] == 7
    text = invoke("diagnose", str(SAMPLES / "seite0418"))
    assert "The marginal note in lines 21–23" in text.stdout
    missing = invoke("diagnose", str(SAMPLES / "seite0418"), "--page", "x")
    assert missing.exit_code == 2
