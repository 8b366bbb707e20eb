"""Errors by layer of the page, and the lines with most errors."""

from __future__ import annotations

from dataclasses import asdict, replace

import pytest

import htreval_core as hv
from htreval_core.model import Parts
from htreval_core.scoring.diagnoses import score_and_diagnose
from htreval_core.show.tables import lines_text
from htreval_core.sources.readers.pagexml import read_pagexml
from htreval_core.words.layers import Layer, LayerRow, layer_of, layer_rows
from htreval_core.words.lines import worst_lines
from tests.conftest import SAMPLES, shared
from tests.tools import Threads

HEAD, NOTE = "CHAPTER ONE", "written later by another old hand"
BODY = (
    "alpha beta gamma delta epsilon zeta", "eta theta iota kappa lambda mu",
    "nu xi omicron pi rho sigma", "tau upsilon phi chi psi omega",
)  # fmt: skip
REFERENCE = (HEAD, *BODY, NOTE)
KINDS = ("header", *("paragraph" for _ in BODY), "marginalia")


def boxed(texts: tuple[str, ...], tops: tuple[int, ...] | None = None) -> hv.Transcript:
    """Lines one below the other, each word 100 wide; typed where they are those of the page."""
    lines = []
    for number, text in enumerate(texts):
        top = 100 * (number if tops is None else tops[number])
        places = [(100 * at, top, 100 * at + 90, top + 50) for at in range(len(text.split()))]
        lines.append(
            hv.Line(
                text, polygon=hv.Polygon.from_box(0, top, places[-1][2], top + 50),
                region_kind=KINDS[number] if texts == REFERENCE else None,
                word_boxes=hv.Polygon.of_boxes(places),
            )
        )  # fmt: skip
    return hv.Transcript(tuple(lines), page_size=(1000, 1000))


def rows_of(*pages: hv.Page, workers: Threads | None = None) -> list[LayerRow]:
    study, found = score_and_diagnose(hv.Dataset.of(pages), conventions=False)
    return layer_rows(study, found, workers=workers)


def charged(output: tuple[str, ...]) -> dict[Layer, tuple[Parts, dict[Layer, int]]]:
    """What one output without boxes costs, by layer; layers without errors are left out."""
    page = hv.Page("p", boxed(REFERENCE), {"a": hv.Transcript.from_text("\n".join(output))})
    return {row.layer: (row.parts, dict(row.into)) for row in rows_of(page) if row.parts.errors}


FAULTS = {
    "a head misread": (
        ("CHAPTER OMF", *BODY, NOTE), Layer.HEADS, Parts(misread=1), {}),
    "a note left out": (
        (HEAD, *BODY), Layer.NOTES, Parts(misread=6, left_out=6), {}),
    "a word of the note divided": (
        (HEAD, *BODY, NOTE.replace("another", "an other")), Layer.NOTES, Parts(spaces=2), {}),
    "words added in the body": (
        (HEAD, *BODY[:2], "uno due tre", *BODY[2:], NOTE), Layer.BODY,
        Parts(misread=3, added=3), {}),
    "words added below the note": (
        (*REFERENCE, "uno due tre"), Layer.NOTES, Parts(misread=3, added=3), {}),
    "the note read in the body": (
        (HEAD, *BODY[:2], NOTE, *BODY[2:]), Layer.NOTES, Parts(order=12), {Layer.BODY: 6}),
    "the note read at the top": (
        (NOTE, HEAD, *BODY), Layer.NOTES, Parts(order=12), {Layer.HEADS: 6}),
}  # fmt: skip


@pytest.mark.parametrize("fault", list(FAULTS))
def test_a_fault_is_charged_to_the_layer_of_its_words(fault: str) -> None:
    output, layer, parts, into = FAULTS[fault]
    assert charged(output) == {layer: (parts, into)}


def test_an_added_word_counts_for_the_line_on_which_it_lies() -> None:
    """It is read at the top, where its neighbours are those of the head, and lies on the note."""
    output = boxed(("extra", *REFERENCE), (5, *range(6)))
    page = hv.Page("p", boxed(REFERENCE), {"a": output})
    assert {row.layer: row.parts.added for row in rows_of(page) if row.parts.errors} == {
        Layer.NOTES: 1
    }
    without = hv.Page("p", boxed(REFERENCE), {"a": hv.Transcript.from_text(output.text)})
    assert {row.layer: row.parts.added for row in rows_of(without) if row.parts.errors} == {
        Layer.HEADS: 1
    }


def test_a_word_lost_in_one_layer_and_one_added_in_another_stay_apart() -> None:
    """bWER takes them for one word misread; WER has two errors, each where it is."""
    found = charged((HEAD, BODY[0], "uno", *BODY[1:], NOTE.replace(" old", "")))
    assert {layer: parts.errors for layer, (parts, _) in found.items()} == {
        Layer.BODY: 1, Layer.NOTES: 1,
    }  # fmt: skip
    assert sum((parts for parts, _ in found.values()), Parts()) == Parts(misread=1, coincidence=1)


def test_nearly_blank_pages_have_a_row_of_their_own() -> None:
    full = hv.Page("full", boxed(REFERENCE), {"a": boxed(REFERENCE)})
    number = hv.Page.from_text("number", "No 12 of 1799 .", {"a": "12 of 1799 and much talk"})
    blank = hv.Page.from_text("blank", "", {"a": "This page is blank"})
    silent = hv.Page.from_text("silent", "", {"a": ""})
    six = hv.Page.from_text("six", "one two three four five six", {"a": "one"})
    rows = {row.layer: row for row in rows_of(full, number, blank, silent, six)}
    assert (rows[Layer.BLANK].pages, rows[Layer.BLANK].words) == (3, 5)
    assert rows[Layer.BLANK].parts.errors == 4 + 4
    assert not any(rows[layer].parts.errors for layer in (Layer.HEADS, Layer.BODY, Layer.NOTES))
    assert (rows[Layer.UNTYPED].words, rows[Layer.UNTYPED].parts.left_out) == (6, 5)


@pytest.mark.parametrize(
    ("layer", "kinds"),
    {
        Layer.BODY: "paragraph heading MainZone drop-capital title",
        Layer.NOTES: "marginalia footnote footnote-continued endnote margin MarginTextZone:gloss",
        Layer.HEADS: "header footer page-number catch-word signature-mark RunningTitleZone "
        "running_head NumberingZone QuireMarksZone",
        Layer.TABLES: "TableRegion table TableCell TableZone",
        Layer.OTHER: "caption credit other TOC-entry StampZone",
        Layer.UNTYPED: "TextRegion TextBlock",
    }.items(),
)
def test_types_of_regions_tell_layers(layer: Layer, kinds: str) -> None:
    assert {layer_of(kind) for kind in kinds.split()} == {layer}
    assert layer_of(None) is layer_of("") is Layer.UNTYPED


def test_a_region_s_own_type_is_read_from_custom() -> None:
    region = (
        '<TextRegion id="r" {}><TextLine id="l"><TextEquiv><Unicode>x</Unicode></TextEquiv>'
        "</TextLine></TextRegion>"
    )
    for attributes, kind in {
        'custom="readingOrder {index:0;} structure {type:MarginTextZone;}"': "MarginTextZone",
        'type="header" custom="structure {type:MarginTextZone;}"': "header",
        'custom="structure {}"': "TextRegion",
    }.items():
        page = f"<PcGts><Page>{region.format(attributes)}</Page></PcGts>"
        transcript = read_pagexml("x.xml", page.encode())
        assert [line.region_kind for line in transcript.lines] == [kind]


# --- the rows add up


def assert_adds_up(data: hv.Dataset) -> None:
    """The rows of a system add up to its WER, part by part, and to all its words, page by page."""
    study, found = score_and_diagnose(data, conventions=False)
    told = {(one.page_id, system): one for system, of in found.items() for one in of}
    for page_id in study.page_ids:
        page = study.only(pages=[page_id])
        for system in page.systems:
            rows = [row for row in layer_rows(page, found) if row.system == system]
            whole = replace(told[page_id, system].parts, convention=0)
            assert sum((row.parts for row in rows), Parts()) == whole, (page_id, system)
            scores = study.scores_of(page_id, system)
            assert sum(row.parts.errors for row in rows) == scores.wer.errors
            assert sum(row.words for row in rows) == scores.n_ref_words
            assert all(min(asdict(row.parts).values()) >= 0 for row in rows)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["letterbook", "models", "seite0418", "examples"])
def test_rows_add_up_on_the_samples(name: str) -> None:
    assert_adds_up(hv.pair_path(SAMPLES / name))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["berlin", "layout/nzz", "layout/hip21", "layout/bentham"])
def test_rows_add_up_on_real_pages(name: str) -> None:
    assert_adds_up(hv.pair_path(shared(name)))


@pytest.mark.slow
def test_rows_add_up_on_files_of_many_kinds() -> None:
    """The output reads the lines of each file from the last to the first, without each fifth."""
    pages = []
    for file in sorted(shared("formats").rglob("*.xml")):
        try:
            reference = hv.read_transcript(file)
        except hv.ReadError:
            continue
        lines = [line.text for number, line in enumerate(reference.lines) if number % 5]
        output = hv.Transcript.from_text("\n".join(reversed(lines)))
        pages.append(hv.Page(str(file), reference, {"a": output}))
    assert len(pages) > 15
    assert_adds_up(hv.Dataset.of(pages))


def test_rows_add_up_with_another_trace_and_other_words() -> None:
    pages = [hv.pair_path(SAMPLES / "letterbook").page(f"LB0{n}") for n in (7, 8)]
    for settings in (hv.Settings(trace="sclite"), hv.Settings(policy=hv.TextPolicy(words="space"))):
        study, found = score_and_diagnose(hv.Dataset.of(pages), settings)
        rows = layer_rows(study, found)
        for system in study.systems:
            errors = sum(row.parts.errors for row in rows if row.system == system)
            assert errors == study.table(system).edit_sums("wer").errors


def test_rows_do_not_depend_on_the_workers() -> None:
    pages = hv.pair_path(SAMPLES / "letterbook").pages[6:9]
    with Threads() as workers:
        assert rows_of(*pages, workers=workers) == rows_of(*pages)


# --- the lines with most errors


def test_the_lines_with_most_errors_are_those_that_were_made_wrong() -> None:
    """Of A's a line is misread and one has words added; of B's the note stands elsewhere."""
    reads = {
        "A": (HEAD, BODY[0], "eta thata iota cappa lambda", "uno due", *BODY[2:], NOTE),
        "B": (HEAD, NOTE, *BODY[:3], "tau psi omega"),
    }
    outputs = {name: hv.Transcript.from_text("\n".join(lines)) for name, lines in reads.items()}
    study = hv.score([hv.Page("p", boxed(REFERENCE), outputs)])
    found = worst_lines(study)
    assert [(one.line, one.layer, [read.errors for read in one.reads]) for one in found] == [
        (3, Layer.BODY, [4, 0]),
        (5, Layer.BODY, [0, 3]),
    ]
    assert found[0].text == BODY[1]
    assert found[0].word_index == len(" ".join((HEAD, BODY[0])).split())
    assert found[0].reads[0].text == "eta thata iota cappa lambda uno due"
    assert [(one.line, one.errors) for one in worst_lines(study, ["B"])] == [(5, 3)]
    assert worst_lines(study, at_most=1) == found[:1]
    with Threads() as workers:
        assert worst_lines(study, workers=workers) == found
    assert "p, line 3 (body): 4 errors\n" in lines_text(found)
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
