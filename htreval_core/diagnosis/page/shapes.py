"""Where lines and words stand on the page, from the boxes of both sides."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

import numpy as np

from htreval_core.diagnosis.limits import SHAPES
from htreval_core.model import FloatArray, IntArray, Polygon, Transcript
from htreval_core.text import PageWords

LEFT, TOP, RIGHT, BOTTOM = range(4)
_BOX = 4


@dataclass(frozen=True, eq=False)
class LineShapes:
    """The lines of a transcript as boxes that may slant.

    Args:
        boxes: left, top, right and bottom, shape (lines, 4); nan where a line has no outline.
        slope: how far a line sinks from left to right, in pixels a pixel, shape (lines,).
        height: of each line without its slant, shape (lines,).
    """

    boxes: FloatArray
    slope: FloatArray
    height: FloatArray

    @classmethod
    def of(cls, transcript: Transcript) -> "LineShapes":
        """The shapes of all lines; lines that share the outline of a region have a slice each."""
        rows: list[tuple[float, float, float, float]] = []
        slopes: list[float] = []
        heights: list[float] = []
        # Lines that are not told apart share an outline; one with its own shares nothing.
        for _, of_outline in groupby(
            transcript.lines, lambda one: (one.region, one.polygon) if one.polygon else None
        ):
            lines = list(of_outline)
            n, polygon = len(lines), lines[0].polygon
            if not polygon:
                rows += [(np.nan,) * 4] * n
                slopes += [0.0] * n
                heights += [0.0] * n
                continue
            left, top, right, bottom, sinks = _shape(polygon)
            slopes += [sinks if n == 1 else 0.0] * n
            edges = [top, bottom] if n == 1 else np.linspace(top, bottom, n + 1).tolist()
            rows += [(left, upper, right, lower) for upper, lower in pairwise(edges)]
            heights += [(bottom - top) / n] * n
        boxes = np.array(rows, dtype=np.float64).reshape(-1, 4)
        slope, height = np.array(slopes, dtype=np.float64), np.array(heights, dtype=np.float64)
        slant = abs(slope) * (boxes[:, RIGHT] - boxes[:, LEFT])
        height = np.maximum(height - np.nan_to_num(slant), height * SHAPES.LEAST_HEIGHT)
        return cls(boxes, slope, height)

    def middle_at(self, lines: IntArray, x: FloatArray) -> FloatArray:
        """How far down the page the middle of each line is at its place across, shape (lines,)."""
        left, top, right, bottom = self.boxes[lines].T
        across = np.clip(x, left, right) - (left + right) / 2
        middles: FloatArray = (top + bottom) / 2 + self.slope[lines] * across
        return middles


def _shape(polygon: Polygon) -> tuple[float, float, float, float, float]:
    """Left, top, right, bottom and slope of an outline."""
    x, y = polygon.points.T
    across, down = x.tolist(), y.tolist()
    left, top, right, bottom = min(across), min(down), max(across), max(down)
    # A tall outline is no line that slants, and a box does not slant at all.
    is_box = len(across) <= _BOX and len(set(across)) <= _BOX // 2
    if is_box or right - left < 3 * (bottom - top):
        return left, top, right, bottom, 0.0
    x = x - x.sum() / len(x)
    spread = float((x * x).sum())
    slope = float((x * y).sum() / spread) if spread else 0.0
    return left, top, right, bottom, slope


def word_boxes(transcript: Transcript, words: PageWords) -> FloatArray:
    """Left, top, right and bottom of each word, shape (words, 4); nan where not known.

    Where the words of a line have no boxes of their own, each has its share of the line's.
    """
    boxes = np.full((len(words.words), 4), np.nan)
    shared: list[tuple[int, int]] = []
    lines: list[tuple[float, float, float, float, float]] = []
    end = 0
    for number, of_line in groupby(words.line_of):
        start, end = end, end + sum(1 for _ in of_line)
        line = transcript.lines[number]
        if line.word_boxes is not None and len(line.word_boxes) == 2 * (end - start):
            boxes[start:end] = line.word_boxes.points.reshape(-1, 4)
        elif line.polygon:
            shared.append((start, end))
            lines.append(_shape(line.polygon))
    if lines:
        places = np.concatenate([np.arange(*span) for span in shared])
        boxes[places] = _shares(words, shared, np.array(lines, dtype=np.float64))
    return boxes


def _shares(words: PageWords, spans: Sequence[tuple[int, int]], lines: FloatArray) -> FloatArray:
    """The share that each word has of its line, as a box, shape (words of the spans, 4).

    Args:
        spans: the words of each line.
        lines: left, top, right, bottom and slope of each, shape (spans, 5).
    """
    n_words = [end - start for start, end in spans]
    letters = [len(word) + 1 for start, end in spans for word in words.words[start:end]]
    sums = np.concatenate([[0], np.cumsum(letters)])
    last = np.cumsum(n_words)
    before = np.repeat(sums[last - n_words], n_words)
    starts, ends = sums[:-1] - before, sums[1:] - before
    total = np.repeat(sums[last], n_words) - before
    left, top, right, bottom, slope = np.repeat(lines, n_words, axis=0).T
    from_left = left + (right - left) * starts / total
    to_right = left + (right - left) * (ends - 0.5) / total
    sunk = slope * (from_left / 2 + to_right / 2 - (left + right) / 2)
    lost = abs(slope) * (right - left) / 2
    return np.stack([from_left, top + lost + sunk, to_right, bottom - lost + sunk], axis=1)


def scale(reference: Transcript, hypothesis: Transcript) -> tuple[float, float]:
    """What the hypothesis' coordinates are to be multiplied by, across and down."""
    width, height = reference.page_size or (0, 0)
    own_width, own_height = hypothesis.page_size or (0, 0)
    if min(width, height, own_width, own_height) <= 0:
        return 1.0, 1.0
    across, down = width / own_width, height / own_height
    if max(abs(across - 1), abs(down - 1)) < SHAPES.SAME_SIZE:
        return 1.0, 1.0
    return across, down
