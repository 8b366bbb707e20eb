"""What each picture shows is true of the data, and all who draw it show the same."""

import re
from functools import cache
from math import isnan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

import htreval_core as hv
from htreval_core.diagnosis import EventKind
from htreval_core.diagnosis.order.bands import Band, line_visits
from htreval_core.metrics.kinds import WordKind
from htreval_core.show.html import report_html
from htreval_core.show.html.corpus_pictures import draw_systems, forest_scale
from htreval_core.show.palette import KIND_COLOURS, KIND_NAMES
from htreval_core.show.pictograms import PICTOGRAMS, pictogram, pictogram_address, pictogram_file
from htreval_core.show.pictures.bands import picture_links
from htreval_core.show.pictures.corpus import picture_systems
from htreval_core.show.pictures.page import picture_page_map
from htreval_core.show.pictures.texts import picture_texts, picture_threeway
from htreval_core.show.plotly import picture_displacement
from htreval_core.show.views.compare import compare_payload
from htreval_core.show.views.page import page_payload
from htreval_core.show.views.threeway import threeway_payload
from htreval_core.words.outcomes import Agreement
from tests.conftest import ROOT, SAMPLES
from tests.tools import look_at

TEXTS = st.lists(st.lists(st.sampled_from("abcde"), max_size=6), max_size=5).map(
    lambda lines: "\n".join(map(" ".join, lines))
)
STYLES = [{"colour": "#000000", "symbol": "circle"}] * 2
READINGS = [("LB01", "reads-across"), ("LB05", "skips-margins"), ("LB09", "misreads")]


@cache
def letterbook() -> hv.Study:
    return hv.score(hv.pair_path(SAMPLES / "letterbook").pages, hv.Settings(resamples=50))


# --- a corpus


def test_the_parts_of_a_bar_add_up_to_wer_within_its_interval() -> None:
    study = letterbook()
    bars = picture_systems(study.corpora)
    assert [bar.system for bar in bars] == list(study.systems)
    for bar in bars:
        assert sum(bar.parts.values()) == pytest.approx(bar.end)
        wer = sum(page.wer.errors for page in study.scores[bar.system])
        assert bar.end == wer / sum(page.n_ref_words for page in study.scores[bar.system])
        low, high = bar.interval or (1, 0)
        assert low <= bar.end <= high


def test_a_single_page_has_a_bar_without_an_interval() -> None:
    study = hv.score([hv.Page.from_text("p", "a b c d", {"S": "a c b x"})])
    (bar,) = picture_systems(study.corpora)
    edits = {"misread": 0.25, "left out": 0.0, "added": 0.0}
    assert (bar.parts, bar.interval) == ({**edits, "delta": 0.5}, None)
    (bar,) = picture_systems(study.with_parts(hv.diagnose(study)).corpora)
    assert list(bar.parts) == [*edits, "spaces", "order", "coincidence", "doubt"]
    assert sum(bar.parts.values()) == bar.end == 0.75


def test_the_report_draws_words_left_out_and_added_apart_from_those_misread() -> None:
    """With the numbers of the verdict and the colours that words of the kind have everywhere."""
    study = hv.score(
        [
            hv.Page.from_text("1", "a b c d e f g h", {"S": "a b c d e x"}),
            hv.Page.from_text("2", "a b c d e", {"S": "a b c d e y z"}),
        ]
    )
    (bar,) = picture_systems(study.with_parts(hv.diagnose(study)).corpora)
    found = {name: share * 13 for name, share in bar.parts.items() if share}
    assert found == pytest.approx({"misread": 1, "left out": 2, "added": 2})
    content = report_html(study)
    drawn = draw_systems(study.with_parts(hv.diagnose(study)).corpora)
    for kind in (WordKind.SUBSTITUTED, WordKind.DELETED, WordKind.INSERTED):
        assert f'class="k{int(kind)}"' in drawn
        assert f'<span class="swatch k{int(kind)}"></span>{KIND_NAMES[kind]}</span>' in content
        assert f"--k{int(kind)}:{KIND_COLOURS[kind]};" in content
    told = re.search(r"WER is ([\d.]+) % \(([^)]*)\)", content)
    assert told
    total, parts = told.groups()
    title = re.search(rf"WER {total} % = ([^<]*)<", drawn)
    assert title
    assert set(parts.split(" + ")) <= set(title[1].split(" + "))
    shown = [float(part.split()[0]) for part in title[1].split(" + ")]
    assert sum(shown) == pytest.approx(float(total))


def test_without_reference_words_there_is_no_bar_to_draw() -> None:
    study = hv.score([hv.Page.from_text("p", "", {"S": "a b"})])
    (bar,) = picture_systems(study.corpora)
    assert isnan(bar.end)
    assert bar.interval is None
    assert "no reference words" in draw_systems(study.corpora)


# --- two systems


def test_forest_rows_are_the_differences_and_fit_their_scale() -> None:
    study = letterbook()
    comparison = hv.compare_systems(study, "misreads", "reads-across", resamples=200)
    scale, kinds = forest_scale(comparison), set()
    rows = compare_payload(study, comparison, [], [], "", [], looked=False)["forest"]
    for row, one in zip(rows, comparison.metrics.values(), strict=True):
        assert row["interval"] == [100 * one.low, 100 * one.high]
        assert (
            scale.least <= min(row["interval"]) <= row["at"] <= max(row["interval"]) <= scale.most
        )
        assert (row["better"] is not None) == one.significant == (one.low > 0 or one.high < 0)
        if row["better"] is not None:
            assert (one.a, one.b)[row["better"]] == min(one.a, one.b)
        kinds.add(row["better"])
    assert {0, 1} <= kinds


def test_nothing_is_certain_of_a_single_page() -> None:
    study = hv.score([hv.Page.from_text("p", "a b c", {"A": "a b c", "B": "a b"})])
    comparison = hv.compare_systems(study, "A", "B")
    rows = compare_payload(study, comparison, [], [], "", [], looked=False)["forest"]
    assert all(row["interval"] == [] and row["better"] is None for row in rows)


# --- one page: its ribbons


@pytest.mark.parametrize("reading", READINGS)
def test_links_are_the_bands_from_either_side(reading: tuple[str, str]) -> None:
    look = letterbook().look(*reading)
    bands = look.bands
    links, mirrored = picture_links(bands), picture_links(bands, mirrored=True)
    assert [Band((a, b), (c, d), event) for a, b, c, d, event in links.bands] == bands
    assert [(*b[2:4], *b[:2], b[4]) for b in mirrored.bands] == list(links.bands)
    assert [place[::-1] for place in mirrored.anchors] == list(links.anchors)
    sent = page_payload(look.page, "trace", look)
    assert sent["bands"] == list(map(list, links.bands))
    assert len(sent["colours"]) == len(sent["cards"]) == len(look.diagnosis.events)
    pairs = threeway_payload(look, look, STYLES, [], 400)["pairs"]
    assert [pair["anchors"] for pair in pairs] == [
        list(map(list, mirrored.anchors)), list(map(list, links.anchors)),
    ]  # fmt: skip


# --- one page: its words


@given(TEXTS, TEXTS)
def test_every_word_is_in_one_dot_and_a_pair_shares_one(reference: str, hypothesis: str) -> None:
    look = look_at(reference, hypothesis)
    page = look.page
    shown = picture_displacement(page, look.bands)
    for places, words in ((shown.ref, page.reference.words), (shown.hyp, page.hypothesis.words)):
        assert sorted(places[places >= 0].tolist()) == list(range(len(words)))
    assert set(zip(shown.ref.tolist(), shown.hyp.tolist(), strict=True)) == set(
        zip(page.matching.ref_index.tolist(), page.matching.hyp_index.tolist(), strict=True)
    )
    assert ((shown.hyp < 0) == (shown.kinds == WordKind.DELETED)).all()
    assert ((shown.ref < 0) == (shown.kinds == WordKind.INSERTED)).all()


def test_the_diagonal_of_an_empty_side_is_a_line_along_the_edge() -> None:
    for texts, end in ((("", "a b c"), (1, 3)), (("a b", ""), (2, 1)), (("", ""), (1, 1))):
        assert picture_displacement(hv.score_page(*texts), ()).diagonal == ((1, 1), end)


@given(TEXTS, TEXTS)
def test_texts_agree_with_each_other_and_with_the_dots(reference: str, hypothesis: str) -> None:
    look = look_at(reference, hypothesis)
    page = look.page
    shown = picture_texts(page, "matching")
    for side, other in ((shown.reference, shown.hypothesis), (shown.hypothesis, shown.reference)):
        paired = np.flatnonzero(side.mates >= 0)
        assert (other.mates[side.mates[paired]] == paired).all()
    dots = picture_displacement(page, look.bands)
    for kind in WordKind:
        assert shown.count(kind) == np.count_nonzero(dots.kinds == kind)


def test_three_texts_say_of_each_word_who_reads_it() -> None:
    study = letterbook()
    systems = ("misreads", "reads-across")
    a, b = (study.look("LB01", system) for system in systems)
    shown = picture_threeway(a, b)
    outcomes = hv.word_outcomes(study.only(pages=["LB01"]), systems)
    assert (shown.agreement == outcomes.agreement(*systems)).all()
    for texts, read_as in zip((shown.a, shown.b), outcomes.read_as, strict=True):
        assert (texts.reference.mates == read_as).all()
    sent = threeway_payload(a, b, STYLES, [], 400)
    only_a = np.count_nonzero(shown.agreement == Agreement.ONLY_A)
    assert only_a
    assert sent["sides"][1]["kinds"].count(6) == only_a


# --- both orders on the page


def in_boxes(*columns: str) -> hv.Transcript:
    """Lines below each other, a column beside another."""
    lines = [
        hv.Line(text, None, hv.Polygon.from_box(x, y, x + 80, y + 10))
        for x, column in zip(range(0, 1000, 100), columns, strict=False)
        for y, text in zip(range(0, 1000, 20), column.split("\n"), strict=False)
    ]
    return hv.Transcript(tuple(lines), page_size=(300, 200))


LEFT = "the harbour master came down\nand found the quay deserted\none old seaman mending nets"
RIGHT = "because wind stood wrong week\nwhich everybody knew too well\nleft them among the ledgers"


@pytest.mark.parametrize(
    ("output", "jumps"), [(f"{LEFT}\n{RIGHT}", [0]), (f"{RIGHT}\n{LEFT}", [3, 0])]
)
def test_the_output_jumps_where_it_leaves_the_order(output: str, jumps: list[int]) -> None:
    reference = in_boxes(LEFT, RIGHT)
    look = look_at(reference, output)
    diagnosis = look.diagnosis
    visits = line_visits(look.bands, look.page.reference.line_of)
    shown = picture_page_map(reference, visits, diagnosis)
    assert shown is not None
    assert [jump.line for jump in shown.jumps] == jumps
    assert shown.in_order[0] == (40, 5)
    assert len(shown.in_order) == len(set(shown.as_read)) == 6
    assert [jump.at for jump in shown.jumps] == [shown.in_order[line] for line in jumps]
    assert {shade.event for shade in shown.shades} == set(range(len(diagnosis.events)))


def test_there_is_no_map_of_a_page_without_places() -> None:
    reference = hv.Transcript.from_text(LEFT)
    look = look_at(LEFT, LEFT)
    visits = line_visits(look.bands, look.page.reference.line_of)
    assert picture_page_map(reference, visits, look.diagnosis) is None


def pictogram_name(kind: EventKind) -> str:
    """The name of its file in the documents."""
    return f"{kind.name.lower().replace('_', '-')}.svg"


def test_every_kind_has_its_own() -> None:
    assert set(PICTOGRAMS) == set(EventKind)
    assert len(set(PICTOGRAMS.values())) == len(EventKind)


@pytest.mark.parametrize("kind", EventKind)
def test_each_is_drawn_inside_its_box(kind: EventKind) -> None:
    svg = etree.fromstring(str(pictogram(kind)))
    assert [child.tag for child in svg] == ["path", "path"]
    assert svg.get("viewBox") == "0 0 24 18"
    assert pictogram_address(kind).startswith("data:image/svg+xml;base64,")


def test_the_documents_show_them_as_they_are() -> None:
    shown = ROOT / "docs" / "images" / "kinds"
    assert {file.name for file in shown.iterdir()} == {pictogram_name(kind) for kind in EventKind}
    for kind in EventKind:
        drawn = (shown / pictogram_name(kind)).read_text("utf-8")
        assert drawn == f"{pictogram_file(kind)}\n"
    document = (ROOT / "docs" / "diagnosis.md").read_text("utf-8")
    for kind in EventKind:
        assert pictogram_name(kind) in document
