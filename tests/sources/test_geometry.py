"""Outlines of lines: small in memory, and to the bit what the file says."""

import gc
import math
import pickle
import random
import re
import tracemalloc
from pathlib import Path

import numpy as np
import pytest

import htreval_core as hv
from htreval_core.run.read import open_run
from htreval_core.run.write import score_run
from htreval_core.sources.readers.pagexml import read_pagexml
from tests.tools import dataset_of

SETTINGS = hv.Settings(resamples=20)
WHOLE = "0,0 32767,12 32767,80 5,80"
WIDE = "0,0 32768,12 70000,80 5,999999999"
DECIMAL = "0.1,0.2 1234.5678,3 7,33333333.333333332"
NEGATIVE = "-0,-5 10,-0.0 7,7"


def written(*points: str) -> bytes:
    """A PAGE file of lines with these outlines."""
    lines = "".join(
        f'<TextLine><Coords points="{one}"/><TextEquiv><Unicode>word {n}</Unicode></TextEquiv>'
        "</TextLine>"
        for n, one in enumerate(points)
    )
    return f'<PcGts><Page><TextRegion id="r">{lines}</TextRegion></Page></PcGts>'.encode()


def outline(points: str) -> hv.Polygon | None:
    """The outline of a line that a PAGE file gives these points."""
    (line,) = read_pagexml("p.xml", written(points)).lines
    return line.polygon


def plainly(points: str) -> list[float] | None:
    """The numbers as Python reads them one by one."""
    numbers = [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?", points)]
    sound = len(numbers) >= 6 and len(numbers) % 2 == 0 and all(map(math.isfinite, numbers))
    return numbers if sound else None


def bits(polygon: hv.Polygon | None) -> bytes | None:
    return None if polygon is None else polygon.points.tobytes()


# --- memory


def held(file: bytes) -> int:
    """Bytes that the page of a file takes."""
    read_pagexml("p.xml", file)
    gc.collect()
    tracemalloc.start()
    try:
        page = read_pagexml("p.xml", file)
        gc.collect()
        return tracemalloc.get_traced_memory()[0] if page else 0
    finally:
        tracemalloc.stop()


def test_outlines_are_small_in_memory_and_when_sent_to_another_process() -> None:
    # A page of 25 000 corners takes less than 400 kb.
    rng = random.Random(1)
    lines = [
        " ".join(f"{rng.randint(0, 9640)},{rng.randint(0, 6584)}" for _ in range(25))
        for _ in range(1000)
    ]
    assert held(written(*lines)) < 400_000
    # The outlines of a page of boxes take 100 bytes each.
    boxes = ["1000,2000 3000,2000 3000,2100 1000,2100"] * 1000
    without = [""] * 1000
    assert held(written(*boxes)) - held(written(*without)) < 100 * 1000
    # An outline is small when sent to another process.
    lines = read_pagexml("p.xml", written(*[WHOLE] * 100)).lines
    bare = tuple(hv.Line(line.text, line.region, None, line.region_kind) for line in lines)
    assert (len(pickle.dumps(lines)) - len(pickle.dumps(bare))) / 100 < 60


# --- exactness


@pytest.mark.parametrize(
    "points", [WHOLE, WIDE, DECIMAL, NEGATIVE, "9999999999,2 3,4 5,6", f"{2**53 + 1},2 3,4 5,6",
               f"{'9' * 300},2 3,4 5,6"],
)  # fmt: skip
def test_corners_are_to_the_bit_what_the_file_says_also_after_a_pickle(points: str) -> None:
    polygon = outline(points)
    assert bits(polygon) == np.array(plainly(points)).tobytes()
    assert pickle.loads(pickle.dumps(polygon)) == polygon  # noqa: S301


def test_a_bundle_gives_back_the_same_corners(tmp_path: Path) -> None:
    reference = read_pagexml("p.xml", written(WHOLE, WIDE, DECIMAL, NEGATIVE, ""))
    empty = hv.Transcript((hv.Line("word", None, hv.Polygon(())),))
    page = hv.Page("p", reference, {"A": reference, "B": empty})
    score_run(dataset_of([page]), tmp_path / "x.htreval", SETTINGS)
    (again,) = open_run(tmp_path / "x.htreval").dataset.pages
    assert again.reference.lines == reference.lines
    assert [bits(line.polygon) for line in again.reference.lines] == [
        bits(line.polygon) for line in reference.lines
    ]
    assert again.hypotheses["B"].lines == empty.lines


def test_points_written_in_any_way_are_read_as_numbers_one_by_one() -> None:
    rng = random.Random(2)
    pieces = ["1", "22", "333", "32768", "1234567890", "-4", "5.25", ".5", "6.", "x", "-", ",", " ",
              "  ", ", ", "\u0663", "1e3", "+7", "nan", "inf"]  # fmt: skip
    for _ in range(3000):
        clean = rng.random() < 0.5
        drawn = rng.choices(pieces[: 5 if clean else None], k=rng.randint(0, 12))
        points = rng.choice((",", " ", ", ", "")).join(drawn)
        expected = plainly(points)
        assert bits(outline(points)) == (expected and np.array(expected).tobytes()), points


# --- what an outline tells


def test_what_an_outline_tells() -> None:
    # Equal corners make equal outlines however they were given.
    pairs = hv.Polygon([(1, 2), (3, 4), (5, 6)])
    numbers = (1, 2, 3, 4, 5, 6)
    for corners in (
        numbers, pairs.points, *(np.array(numbers, kind) for kind in ("f8", ">i4", "u1")),
    ):  # fmt: skip
        assert hv.Polygon(corners) == pairs
        assert hash(hv.Polygon(corners)) == hash(pairs)
    assert pairs != hv.Polygon([(1, 2), (3, 4), (5, 6.5)])
    assert pairs != hv.Polygon([(1, 2), (3, 4)])
    assert hv.Line("x", None, pairs) == hv.Line("x", None, hv.Polygon(pairs.points))
    # What is taken from an outline does not change it.
    polygon = hv.Polygon([(1, 2), (3, 4)])
    polygon.points[:] = 0
    assert polygon == hv.Polygon([(1, 2), (3, 4)])
    with pytest.raises(AttributeError):
        polygon._packed = b""  # type: ignore[misc]
    # Box and middle.
    polygon = hv.Polygon([(10, 40), (30, 20), (50.5, 30)])
    assert len(polygon) == 3
    assert polygon.box == (10, 20, 50.5, 40)
    assert polygon.middle == ((10 + 30 + 50.5) / 3, 30)
    assert repr(polygon) == "<Polygon: 3 corners within (10.0, 20.0, 50.5, 40.0)>"
    assert hv.Polygon.from_box(1, 2, 3, 4) == hv.Polygon([(1, 2), (3, 2), (3, 4), (1, 4)])
    # An outline without corners is false.
    empty = hv.Polygon(())
    assert not empty
    assert (len(empty), empty.points.shape) == (0, (0, 2))
    assert repr(empty) == "<Polygon: 0 corners>"
    # Corners come in pairs.
    with pytest.raises(ValueError, match="reshape"):
        hv.Polygon((1, 2, 3))
