"""Layout faults: found where they were made, named, costed, and adding up."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import htreval_core as hv
from htreval_core.diagnosis import Confidence, EventKind
from htreval_core.model import BareRegion, Box, Line, Parts, Polygon
from htreval_core.show.telling.events import tell_event
from tests.conftest import SAMPLES
from tests.made import FAULTS, Fault, Made, letterbook, make, read_by_line, sides
from tests.tools import cases, invoke, look_at

ROWS: Sequence[str] = cases("rows")


def test_seite0418_has_one_event_in_two_pieces_for_which_wer_charges_seven_errors() -> None:
    (page,) = hv.pair_path(SAMPLES / "seite0418").pages
    look = look_at(page.reference, page.hypotheses["RPN+CRNN"])
    (event,) = look.diagnosis.events
    assert event.kind is EventKind.MARGINALIA
    assert event.reference_lines == (21, 22, 23)
    assert len(event.hypothesis) == 2
    assert (event.words, event.errors) == (5, 7)
    assert look.diagnosis.parts == Parts(misread=22, order=7, added=2)
    repaired = look.put_right([0])
    assert repaired.page.scores.wer.errors == repaired.page.scores.bwer.errors == 22
    assert repaired.diagnosis.parts == Parts(misread=22, added=2)


@pytest.mark.parametrize(("page", "text", "missing"), cases("read_beside"))
def test_notes_that_were_read_with_the_lines_beside_them_are_not_missing(
    page: str, text: str, missing: list[list[int]]
) -> None:
    reference = hv.read_transcript(SAMPLES / f"berlin/reference/{page}.xml")
    found = look_at(reference, hv.Transcript.from_text(text)).diagnosis
    lines = [list(one.reference_lines) for one in found.events if one.kind is EventKind.MISSING]
    assert sorted(lines) == sorted(missing)


@pytest.mark.parametrize("few", [range(4, 8), range(12)])
def test_letters_that_are_spaced_are_no_loop_and_not_read_badly(few: range) -> None:
    output = [" ".join(row.replace(" ", "")) if at in few else row for at, row in enumerate(ROWS)]
    diagnosis = look_at("\n".join(ROWS), "\n".join(output)).diagnosis
    assert diagnosis.events == ()
    assert diagnosis.parts.spaces >= 0.9 * diagnosis.wer


@pytest.mark.parametrize(("page", "output", "told"), cases("told"))
def test_what_is_said_of_a_page(page: str, output: str, told: list[str]) -> None:
    found = [tell_event(event) for event in look_at(page, output).diagnosis.events]
    assert [one.split(":")[0] for one in found] == told


def prefix_late(made: Made) -> bool:
    """The beginning of a line is read after the next line: the end of it, the next line, it."""
    prefix, suffix = made.line(5)[:3], made.line(5)[3:]
    made.output[5:7] = [suffix, made.line(6), prefix]
    spans = ((int(prefix[0]), int(prefix[-1]) + 1), (int(suffix[0]), made.span([6])[1]))
    made.faults.append(Fault(EventKind.PREFIX_LATE, spans))
    return True


@pytest.mark.parametrize(
    ("layout", "fail"),
    [(layout, fail) for layout in FAULTS for fail in dict.fromkeys(FAULTS[layout])]
    + [("single", prefix_late)],
    ids=lambda value: getattr(value, "__name__", value),
)
@pytest.mark.parametrize("seed", range(3))
def test_a_fault_is_named_after_what_was_done(
    layout: str, fail: Callable[[Made], bool], seed: int
) -> None:
    rng = np.random.default_rng([seed, 601])
    made = make(layout, letterbook(), rng)
    while not fail(made):
        made = make(layout, letterbook(), rng)
    found = look_at(*sides(made, 0.0, "tags")).diagnosis
    (fault,) = made.faults
    event, *others = found.events
    assert (event.kind in fault.names, others) == (True, [])
    if fault.spans:
        start = min(span[0] for span in fault.spans)
        end = max(span[1] for span in fault.spans)
        assert start <= event.reference[0] < event.reference[1] <= end


@pytest.mark.parametrize("noise", [0.0, 0.3, 0.6])
def test_words_misread_in_order_raise_no_alarm(noise: float) -> None:
    for seed in range(20):
        made = make("single", letterbook(), np.random.default_rng(seed))
        assert look_at(*sides(made, noise, "tags")).diagnosis.events == ()


def test_few_words_that_are_read_as_one_another_in_order_raise_no_alarm() -> None:
    """Where words repeat, many stretches of a page agree by chance."""
    rng, n_alarms = np.random.default_rng(0), 0
    for n_types in (3, 6, 12, 20) * 50:
        ref = rng.integers(n_types, size=80)
        hyp = np.where(rng.random(80) < 0.5, ref, rng.integers(n_types, size=80))
        sides_of = ("\n".join(map(" ".join, one.astype(str).reshape(-1, 8))) for one in (ref, hyp))
        n_alarms += any(event.of_order for event in look_at(*sides_of).diagnosis.events)
    assert n_alarms == 0


def test_without_lines_only_coarse_names_are_given() -> None:
    made = make("columns", letterbook(), np.random.default_rng(0))
    assert read_by_line(made)
    found = look_at(*sides(made, 0.0, "nothing")).diagnosis
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


def test_print_that_is_read_as_signs_is_no_other_text() -> None:
    signs = [
        "»l«n»! ,»tim» lü!!gt «lnl«»i«", "Fl»nl!»l», V»tllin, H»»b>;lll", "«u«»u »Xl ««»«««!«»",
    ]  # fmt: skip
    look = look_at("\n".join(ROWS), "\n".join([*ROWS[:4], *signs, *ROWS[7:]]))
    assert [event.kind for event in look.diagnosis.events] == [EventKind.READ_BADLY]


def lined(rows: Sequence[str], top: int = 0) -> tuple[Line, ...]:
    """Lines below each other, with boxes."""
    return tuple(
        Line(row, "r", Polygon.from_box(0, top + 20 * n, 400, top + 20 * n + 15))
        for n, row in enumerate(rows)
    )


@pytest.mark.parametrize("by_words", [False, True])
def test_cells_with_outlines_that_are_read_by_columns_are_neither_notes_nor_signs(
    by_words: bool,
) -> None:
    edges = (0, 60, 400, 500)
    cells = [
        Line(text, f"{n}", Polygon.from_box(edges[at], 20 * n, edges[at + 1] - 9, 20 * n + 15))
        for n, row in enumerate(ROWS)
        for at, text in enumerate((str(n + 1), row, f"{n} Oct"))
    ]
    output = [cells[n + at] for at in range(3) for n in range(0, len(cells), 3)]
    output = [replace(line, polygon=None) if by_words else line for line in output]
    look = look_at(*(hv.Transcript(tuple(side), page_size=(500, 400)) for side in (cells, output)))
    (event,) = look.diagnosis.events
    assert event.kind is EventKind.ROWS


@pytest.mark.parametrize(
    ("kind", "box", "named", "says"),
    [
        ("TableRegion", (0, 195, 410, 300), EventKind.UNTRANSCRIBED,
         "In its lines 9–12, the output reads a table that the reference does not transcribe: 23"),
        ("Illustration", (0, 195, 410, 300), EventKind.UNTRANSCRIBED, "reads text in a picture "),
        ("TextRegion", (0, 195, 410, 300), EventKind.UNTRANSCRIBED, "reads text in a region "),
        # Around the whole page, beside the text, and around half of it.
        ("ImageRegion", (0, 0, 410, 300), EventKind.INVENTED, "adds text in its lines 9–12"),
        ("TableRegion", (500, 195, 900, 300), EventKind.INVENTED, "adds text in its lines 9–12"),
        ("TableRegion", (0, 195, 410, 235), EventKind.INVENTED, "adds text in its lines 9–12"),
    ],
)  # fmt: skip
def test_text_of_a_region_that_the_reference_leaves_untranscribed_is_not_invented(
    kind: str, box: Box, named: EventKind, says: str
) -> None:
    bare = (BareRegion(kind, box),)
    reference = hv.Transcript(lined(ROWS[:8]), page_size=(1000, 400), bare=bare)
    output = hv.Transcript((*lined(ROWS[:8]), *lined(ROWS[8:], 200)), page_size=(1000, 400))
    (event,) = look_at(reference, output).diagnosis.events
    assert (event.kind, event.words, event.errors) == (named, 23, 23)
    assert says in tell_event(event)


@pytest.mark.parametrize(
    ("instead", "kind"),
    [
        (["of the ship and", "of the ship and of", "the ship and of the", "ship and of the ship"],
         EventKind.LOOP),
        (ROWS[8:12], EventKind.REPLACED),
        (["»l«n»! ,»tim» lü!!gt «lnl«»", "Fl»nl!»l», V»tllin, 8", "«»u »Xl «»!l«! M1", "— lXr"],
         EventKind.READ_BADLY),
    ],
)  # fmt: skip
def test_what_stands_on_lines_of_other_text_is_named(instead: list[str], kind: EventKind) -> None:
    output = lined([*ROWS[:2], *instead, *ROWS[6:8]])
    look = look_at(
        *(hv.Transcript(side, page_size=(1000, 400)) for side in (lined(ROWS[:8]), output))
    )
    (event,) = look.diagnosis.events
    assert (event.kind, event.reference_lines[-3:]) == (kind, (4, 5, 6))


def test_an_error_is_charged_to_what_is_missing_or_to_what_is_added() -> None:
    # Words of a picture are aligned with the last lines, which are missing.
    bare = (BareRegion("ImageRegion", (0, 195, 410, 300)), BareRegion("X", (0, 260, 410, 300)))
    reference = hv.Transcript(lined(ROWS[:8]), page_size=(1000, 400), bare=bare)
    output = hv.Transcript((*lined(ROWS[:4]), *lined(ROWS[8:], 200)), page_size=(1000, 400))
    look = look_at(reference, output)
    kinds = {event.kind: event.errors for event in look.diagnosis.events}
    assert kinds.keys() == {EventKind.MISSING, EventKind.UNTRANSCRIBED}
    assert sum(kinds.values()) <= look.page.scores.wer.errors
    # What the reference has elsewhere is no text that it leaves out.
    again = hv.Transcript((*lined(ROWS[:8]), *lined(ROWS[:4], 200)), page_size=(1000, 400))
    (event,) = look_at(reference, again).diagnosis.events
    assert event.kind is EventKind.REPEATED


def test_a_head_that_the_reference_lists_last_was_read_where_it_stands() -> None:
    lines = [
        hv.Line(text, f"r{n == 0}", hv.Polygon.from_box(10, 40 * n, 200 if n else 90, 40 * n + 30))
        for n, text in enumerate(("The Harbour Times", *ROWS))
    ]
    look = look_at(hv.Transcript((*lines[1:], lines[0])), hv.Transcript(tuple(lines)))
    (event,) = look.diagnosis.events
    assert "at the top, where it stands on the page; the reference has it later" in tell_event(
        event
    )
    back = look_at(hv.Transcript(tuple(lines)), hv.Transcript((*lines[1:], lines[0])))
    assert "stands on the page" not in tell_event(back.diagnosis.events[0])


def test_putting_text_back_saves_what_its_events_cost() -> None:
    words = " ".join(ROWS).split()
    for seed in (*range(60), 837, 2026):
        rng = np.random.default_rng(seed)
        lines = [words[k : k + 5] for k in range(0, len(words), 5)]
        read = list(lines)
        for _ in range(rng.integers(1, 5)):
            at, size = rng.integers(len(read)), rng.integers(1, 5)
            block, read = read[at : at + size], read[:at] + read[at + size :]
            to = rng.integers(len(read) + 1)
            read = [*read[:to], *(block if rng.random() < 0.6 else block[::-1]), *read[to:]]
        read = [[w if rng.random() > 0.1 else f"x{w}" for w in line] for line in read]
        look = look_at(*("\n".join(map(" ".join, side)) for side in (lines, read)))
        ordered = [n for n, event in enumerate(look.diagnosis.events) if event.of_order]
        cost = sum(look.diagnosis.events[n].errors for n in ordered)
        if ordered:
            back = look.put_right(ordered).page.scores.wer.errors
            assert look.page.scores.wer.errors - back == cost, seed


def test_it_adds_up_on_every_sample_page() -> None:
    for name in ("letterbook", "examples", "seite0418"):
        study = hv.score(hv.pair_path(SAMPLES / name).pages)
        for pages in hv.diagnose(study).values():
            for found in pages:
                check_sum(found)
                assert found.wer == study.scores_of(found.page_id, found.system).wer.errors


@pytest.mark.slow
def test_it_adds_up_on_iam(iamdb: Path) -> None:
    (pages,) = hv.diagnose(hv.score(hv.pair_path(iamdb).pages)).values()
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
    found = hv.diagnose(study.only(["reads-across"]))["reads-across"]
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
        "misread": 22, "spaces": 0, "order": 7, "coincidence": 0, "doubt": 0, "convention": 0
    }  # fmt: skip
    assert sum(page["parts"].values()) == page["wer"] == 29
    (event,) = page["events"]
    assert event["hypothesis"] == [[54, 57], [66, 68]]
    assert event["reference"] == [65, 70]
    assert (event["words"], event["errors"], event["confidence"]) == (5, 7, "likely")
    assert content["census"][0]["errors"] == 7
    text = invoke("diagnose", str(SAMPLES / "seite0418"))
    assert "The marginal note in lines 21–23" in text.stdout
    assert invoke("diagnose", str(SAMPLES / "seite0418"), "--page", "x").exit_code == 2
