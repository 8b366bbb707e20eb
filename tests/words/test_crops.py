"""The ink beside words and lines: pieces of page images that hold what they are said to hold."""

import io
from dataclasses import replace
from itertools import groupby
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

import htreval_core as hv
from htreval_core.diagnosis.page.shapes import word_boxes
from htreval_core.model import Box, Line, Polygon, SourceFile
from htreval_core.sources.images import cut_out
from htreval_core.text import page_words
from htreval_core.words.crops import line_crops, places_of_lines, places_of_words, word_crops
from tests.conftest import ROOT, SAMPLES

OUTSIDE = ROOT.parent / "shared" / "data" / "layout"


def image_of(width: int, height: int, kind: str = "PNG") -> SourceFile:
    """Each pixel tells its place: red from left to right, green from top to bottom."""
    x, y = np.meshgrid(np.linspace(0, 255, width), np.linspace(0, 255, height))
    pixels = np.stack([x, y, np.zeros_like(x)], axis=2).astype(np.uint8)
    out = io.BytesIO()
    Image.fromarray(pixels).save(out, kind)
    return SourceFile("page.png", out.getvalue)


def opened(piece: bytes | None) -> Image.Image:
    assert piece is not None
    return Image.open(io.BytesIO(piece))


def test_a_piece_is_where_its_box_says_and_no_higher_than_wanted() -> None:
    whole, part = cut_out(image_of(1000, 800), [(0, 0, 1, 1), (0.5, 0.25, 0.75, 0.3)], 40)
    assert opened(whole).size == (50, 40)
    assert opened(part).size == (250, 40)
    red, green, _ = opened(part).getpixel((125, 20))
    assert (red, green) == pytest.approx((0.625 * 255, 0.275 * 255), abs=6)


@given(
    st.lists(st.tuples(*[st.floats(-3, 3) | st.sampled_from([np.nan, np.inf, -np.inf, 1e300])] * 4),
             max_size=4),
    st.sampled_from([(1, 1), (2, 300), (90, 60)]),
)  # fmt: skip
def test_no_box_leaves_the_page(boxes: list[Box], size: tuple[int, int]) -> None:
    pieces = cut_out(image_of(*size, kind="JPEG"), boxes, 40)
    assert len(pieces) == len(boxes)
    for piece in filter(None, pieces):
        width, height = opened(piece).size
        assert 0 < width <= size[0]
        assert 0 < height <= min(size[1], 40)


def test_an_image_that_cannot_be_shown_has_no_pieces() -> None:
    damaged = image_of(300, 200).read()[:200]
    huge = (
        b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x01\x00\x00\x00\x01\x00\x00\x08\x02\x00\x00\x00"
    )
    for content in (b"", b"no image", damaged, huge):
        assert cut_out(SourceFile("1.png", lambda: content), [(0, 0, 1, 1)], 40) == [None]  # noqa: B023


def test_words_stand_in_their_boxes_else_in_their_share_of_the_line() -> None:
    whole = Polygon.from_box(100, 100, 500, 140)
    boxes = Polygon.of_boxes([(110, 105, 200, 135), (300, 105, 480, 135)])
    of_region = Polygon.from_box(100, 200, 500, 280)
    page = hv.Transcript(
        (Line("one two", polygon=whole, word_boxes=boxes), Line("one two", "x", whole),
         Line("above", "r", of_region), Line("below", "r", of_region), Line("nowhere")),
        page_size=(1000, 400),
    )  # fmt: skip
    words = page_words(page, hv.TextPolicy())
    found = places_of_words(page, words) * [1000, 400, 1000, 400]
    assert found[1] == pytest.approx([294, 99, 486, 141])
    left, top, right, bottom = found[3]
    assert left < 300 < 480 < right < 620
    assert (top, bottom) == pytest.approx((92, 148))
    above, below = found[4], found[5]
    assert above[3] - below[1] == pytest.approx(16)
    assert np.isnan(found[6]).all()
    assert places_of_lines(page)[2:4, 3] * 400 == pytest.approx([248, 288])
    margins = np.abs(places_of_lines(page)[0] * [1000, 400, 1000, 400] - [100, 100, 500, 140])
    assert margins == pytest.approx(8)
    assert np.isnan(places_of_words(replace(page, page_size=None), words)).all()


def held(transcript: hv.Transcript) -> list[bool]:
    """Of words with boxes, whether their place as it is guessed without them holds the box."""
    words = page_words(transcript, hv.TextPolicy())
    bare = replace(
        transcript, lines=tuple(replace(line, word_boxes=None) for line in transcript.lines)
    )
    guessed, true = places_of_words(bare, words), word_boxes(transcript, words)
    width, height = transcript.page_size or (1, 1)
    true /= (width, height, width, height)
    found: list[bool] = []
    at = 0
    for number, of_line in groupby(words.line_of):
        n = len(list(of_line))
        line = transcript.lines[number]
        if line.word_boxes is not None and len(line.word_boxes) == 2 * n and line.polygon:
            for own, place in zip(true[at : at + n], guessed[at : at + n], strict=True):
                across = min(own[2], place[2]) - max(own[0], place[0])
                down = min(own[3], place[3]) - max(own[1], place[1])
                area = (own[2] - own[0]) * (own[3] - own[1])
                found.append(bool(max(across, 0) * max(down, 0) >= 0.9 * area))
        at += n
    return found


@pytest.mark.parametrize(
    ("folder", "pattern"),
    [(SAMPLES / "berlin", "tesseract-[ad]*/*.xml"), (OUTSIDE, "*/*/*.*")],
    ids=["berlin", "layout"],
)
@pytest.mark.thorough
def test_nineteen_of_twenty_words_are_in_their_pieces(folder: Path, pattern: str) -> None:
    if not folder.exists():
        pytest.skip("no data from outside the project")
    found = [one for file in sorted(folder.glob(pattern)) for one in held(hv.read_transcript(file))]
    assert len(found) > 3000
    assert np.mean(found) >= 0.95


def test_words_and_lines_of_the_sample_have_ink() -> None:
    study = hv.score(hv.pair_path(SAMPLES / "berlin"), hv.Settings(resamples=1))
    outcomes = hv.word_outcomes(study, study.systems[:1])
    numbers = list(range(0, len(outcomes), 97))
    assert set(word_crops(outcomes, numbers)) == set(numbers)
    page_id = study.page_ids[0]
    pieces = line_crops(study, [(page_id, 1), (page_id, 2)])
    assert len(pieces) == 2
    assert all(opened(piece).width > 3 * opened(piece).height for piece in pieces.values())
    # Words that run across lines have no place.
    spaced = hv.score(study.dataset, hv.Settings(policy=hv.TextPolicy(words="space"), resamples=1))
    assert line_crops(spaced, [(page_id, 1)]) == {}
    assert word_crops(hv.word_outcomes(spaced, study.systems[:1]), [0]) == {}
