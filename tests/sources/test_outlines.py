"""Outlines read all at once are those that are read one by one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import htreval_core as hv
from htreval_core.model import Polygon, SourceFile
from htreval_core.sources.readers.outlines import Outlines
from htreval_core.sources.readers.xml import polygon

NUMBER = st.one_of(
    st.integers(0, 9_000), st.integers(0, 10**6), st.integers(-9, 10**20), st.just("1.5")
)
POINT = st.tuples(NUMBER, NUMBER).map(lambda point: f"{point[0]},{point[1]}")
USUAL = st.tuples(st.integers(0, 9_000), st.integers(0, 9_000)).map(lambda p: f"{p[0]},{p[1]}")
POINTS = st.one_of(
    st.lists(USUAL, max_size=6).map(" ".join),
    st.lists(POINT, max_size=6).map(" ".join),
    st.text("0123456789, .-x²١", max_size=20),
)


@given(st.lists(POINTS, max_size=8), st.booleans())
def test_many_outlines_are_those_of_each(points: list[str], only_usual: bool) -> None:
    if only_usual:
        points = [one for one in points if one.replace(",", "").replace(" ", "").isdigit()]
    outlines = Outlines(points)
    single = [polygon(one) for one in points]
    assert [outlines.polygon(place) for place in range(len(points))] == single
    for last in range(1, len(points) + 1):
        of_each = [one.box for one in single[:last] if one]
        expected = Polygon.of_boxes(of_each) if len(of_each) == last else None
        assert outlines.boxes(0, last) == expected


def read(text: str) -> hv.Transcript:
    return hv.read_transcript(SourceFile("p.xml", text.encode))


@pytest.mark.parametrize(
    ("points", "has_outline"),
    [
        ('<Point x="1" y="2"/><Point x="5" y="2"/><Point x="5" y="6"/>', True),
        ('<Point x="1.0" y="2"/><Point x="5" y="2e0"/><Point x="5" y="6"/>', True),
        ('<Point x="1" y="2"/><Point x="5"/><Point x="5" y="6"/>', False),
        *(
            (f'<Point x="{x}" y="2"/><Point x="5" y="2"/><Point x="5" y="6"/>', False)
            for x in ("", "nan", "inf", "-inf", "1e999", "²", "one")
        ),
        ('<Point x="1" y="2"/><Point x="5" y="2"/>', False),
    ],
)
def test_outlines_of_old_page_files(points: str, has_outline: bool) -> None:
    transcript = read(
        f'<PcGts><Page><TextRegion id="r"><TextLine><Coords>{points}</Coords><TextEquiv><Unicode>a'
        "</Unicode></TextEquiv></TextLine></TextRegion></Page></PcGts>"
    )
    (line,) = transcript.lines
    assert (line.polygon is not None) == has_outline
    if line.polygon:
        assert line.polygon.box == (1, 2, 5, 6)


@pytest.mark.parametrize(
    ("width", "box"),
    [
        ("30", (10, 20, 40, 60)), ("30.5", (10, 20, 40.5, 60)), ("100000", (10, 20, 100010, 60)),
        ("0", None), ("", None), ("9" * 5000, None), ("nan", None),
    ],
)  # fmt: skip
def test_boxes_of_alto(width: str, box: tuple[float, ...] | None) -> None:
    sides = f'HPOS="10" VPOS="20" WIDTH="{width}" HEIGHT="40"'
    transcript = read(
        f'<alto><Layout><Page><TextLine {sides}><String {sides} CONTENT="a"/></TextLine></Page>'
        "</Layout></alto>"
    )
    (line,) = transcript.lines
    assert (line.polygon and line.polygon.box) == box
    assert (line.word_boxes and line.word_boxes.box) == box
