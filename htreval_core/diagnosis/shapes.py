"""Where lines and words stand on the page, from the boxes of both sides."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

import numpy as np

from htreval_core.model import FloatArray, IntArray, Line, Transcript
from htreval_core.text import PageWords

LEFT, TOP, RIGHT, BOTTOM = range(4)
_BOX = 4
_SAME_SIZE = 0.02
"""Pages whose sizes differ by less have the same pixels."""


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
    def of(cls, transcript: Transcript) -> LineShapes:
        """The shapes of all lines; lines that share the outline of a region have a slice each."""
        boxes = np.full((len(transcript.lines), 4), np.nan)
        slope, height = np.zeros(len(boxes)), np.zeros(len(boxes))
        start = 0
        for outline, of_outline in groupby(transcript.lines, _outline):
            lines = list(of_outline)
            end = start + len(lines)
            if outline is not None and lines[0].polygon:
                polygon = lines[0].polygon
                left, top, right, bottom = polygon.box
                edges = np.linspace(top, bottom, len(lines) + 1)
                boxes[start:end, LEFT], boxes[start:end, RIGHT] = left, right
                boxes[start:end, TOP], boxes[start:end, BOTTOM] = edges[:-1], edges[1:]
                if len(lines) == 1:
                    slope[start] = _slope(polygon.points)
                height[start:end] = (bottom - top) / len(lines)
            start = end
        slant = abs(slope) * (boxes[:, RIGHT] - boxes[:, LEFT])
        height = np.maximum(height - np.nan_to_num(slant), height * 0.4)
        return cls(boxes, slope, height)

    def middle_at(self, lines: IntArray, x: FloatArray) -> FloatArray:
        """How far down the page the middles of lines are at places across it: (places, lines)."""
        left, top, right, bottom = self.boxes[lines].T
        across = np.clip(x[:, None], left, right) - (left + right) / 2
        middles: FloatArray = (top + bottom) / 2 + self.slope[lines] * across
        return middles


def _outline(line: Line) -> object:
    """What lines share that are not told apart; a line with its own outline shares nothing."""
    return (line.region, line.polygon) if line.polygon else None


def _slope(points: FloatArray) -> float:
    x, y = points.T
    left, right = x.min(), x.max()
    # A tall outline is no line that slants, and a box does not slant at all.
    is_box = len(points) <= _BOX and len(set(x.tolist())) <= _BOX // 2
    if is_box or right - left < 3 * (y.max() - y.min()):
        return 0.0
    x = x - x.sum() / len(x)
    spread = float((x * x).sum())
    return float((x * y).sum() / spread) if spread else 0.0


def word_boxes(transcript: Transcript, words: PageWords) -> FloatArray:
    """Left, top, right and bottom of each word, shape (words, 4); nan where not known.

    Where the words of a line have no boxes of their own, each has its share of the line's.
    """
    boxes = np.full((len(words.words), 4), np.nan)
    for number, of_line in groupby(range(len(words.words)), words.line_of.__getitem__):
        places = list(of_line)
        line = transcript.lines[number]
        if line.word_boxes is not None and len(line.word_boxes) == 2 * len(places):
            boxes[places] = line.word_boxes.points.reshape(-1, 4)
        elif line.polygon:
            left, top, right, bottom = line.polygon.box
            ends = np.cumsum([len(words.words[place]) + 1 for place in places])
            starts = np.concatenate([[0], ends[:-1]])
            boxes[places, LEFT] = left + (right - left) * starts / ends[-1]
            boxes[places, RIGHT] = left + (right - left) * (ends - 0.5) / ends[-1]
            slope = _slope(line.polygon.points)
            middle = boxes[places, LEFT] / 2 + boxes[places, RIGHT] / 2 - (left + right) / 2
            sunk = slope * middle
            lost = abs(slope) * (right - left) / 2
            boxes[places, TOP], boxes[places, BOTTOM] = top + lost + sunk, bottom - lost + sunk
    return boxes


def scale(reference: Transcript, hypothesis: Transcript) -> tuple[float, float]:
    """What the hypothesis' coordinates are to be multiplied by, across and down."""
    width, height = reference.page_size or (0, 0)
    own_width, own_height = hypothesis.page_size or (0, 0)
    if min(width, height, own_width, own_height) <= 0:
        return 1.0, 1.0
    across, down = width / own_width, height / own_height
    if max(abs(across - 1), abs(down - 1)) < _SAME_SIZE:
        return 1.0, 1.0
    return across, down
