"""On which line of the reference each word of the output stands, by the boxes of both sides.

This is where the words lie on the page, whatever was read there: it holds for garbled words too,
and it tells text that was read elsewhere from equal words that only happen to stand there.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from htreval_core.diagnosis.ground import Ground
from htreval_core.diagnosis.shapes import BOTTOM, LEFT, RIGHT, TOP, LineShapes, scale, word_boxes
from htreval_core.model import FloatArray, IntArray
from htreval_core.text import PageWords

_ON_LINE = 0.25
"""The least overlap, of 1, with which a word stands on a line at all."""
_KNOWN_WORD = 0.5
"""What an equal word on the line adds: of two lines that touch, it stands on that one."""
_STEP = 0.45
"""What it costs to change, within a line of the output, to a line above or below."""
_UNKNOWN = 0.1
"""The most words that may be without a box."""
_LEAST_KNOWN = 8
_AGREES = 0.6
"""The boxes of both sides speak of the same pixels if so many rare words lie where they should."""


@dataclass(frozen=True, eq=False)
class Places:
    """Where the words of the output stand.

    Args:
        line: the reference line of each word, from 0, shape (hypothesis words,); -1 for none.
        boxes: of each word, in pixels of the reference, shape (hypothesis words, 4).
        shapes: the lines of the reference.
    """

    line: IntArray
    boxes: FloatArray
    shapes: LineShapes

    def fits(self, words: slice, line: int) -> FloatArray:
        """How far words stand on a line, 0 to 1, shape (words,)."""
        boxes = np.nan_to_num(self.boxes[words])
        return _overlaps(boxes, np.array([line]), self.shapes)[:, 0]


def find_places(
    ground: Ground,
) -> Places | None:
    """The place of each word of the output; None where boxes are missing or do not agree."""
    ref, hyp, shapes = ground.reference, ground.hypothesis, ground.shapes
    if shapes is None or not hyp.words:
        return None
    boxes = word_boxes(ground.hyp_transcript, hyp)
    if np.isnan(boxes[:, 0]).mean() > _UNKNOWN:
        return None
    across, down = scale(ground.ref_transcript, ground.hyp_transcript)
    boxes = boxes * np.array([across, down, across, down])
    line = _lines_of_words(ref, hyp, shapes, boxes, np.unique(ref.line_of))
    return Places(line, boxes, shapes) if _agree(ref, hyp, line) else None


def _lines_of_words(
    ref: PageWords, hyp: PageWords, shapes: LineShapes, boxes: FloatArray, with_words: IntArray
) -> IntArray:
    line_words: dict[int, set[str]] = {}
    for word, number in zip(ref.words, ref.line_of, strict=True):
        line_words.setdefault(number, set()).add(word)
    known = with_words[~np.isnan(shapes.boxes[with_words, 0])]
    found = np.full(len(boxes), -1)
    left, top, right, bottom = shapes.boxes[known].T
    for _, of_line in groupby(range(len(boxes)), hyp.line_of.__getitem__):
        places = np.array(list(of_line))
        places = places[~np.isnan(boxes[places, 0])]
        if not len(places):
            continue
        own = boxes[places]
        near = known[
            (left < own[:, RIGHT].max()) & (right > own[:, LEFT].min())
            & (top < own[:, BOTTOM].max()) & (bottom > own[:, TOP].min())
        ]  # fmt: skip
        if len(near):
            words = [hyp.words[place] for place in places.tolist()]
            found[places] = _along_line(words, own, near, shapes, line_words)
    return found


def _along_line(
    words: list[str], boxes: FloatArray, near: IntArray, shapes: LineShapes,
    line_words: dict[int, set[str]],
) -> IntArray:  # fmt: skip
    """The line of each word of one line of the output: best in all, with few changes."""
    overlaps = _overlaps(boxes, near, shapes)
    same = np.array([[word in line_words[line] for line in near.tolist()] for word in words])
    scores = overlaps + _KNOWN_WORD * (same & (overlaps > 0))
    scores = np.concatenate([scores, np.full((len(words), 1), _ON_LINE)], axis=1)
    # From one column into another it goes without cost, from line to line within one it does not.
    left, right = shapes.boxes[near, LEFT], shapes.boxes[near, RIGHT]
    shared = np.minimum(right[:, None], right) - np.maximum(left[:, None], left)
    cost = np.full((len(near) + 1, len(near) + 1), 0.1)
    cost[:-1, :-1] = np.where(shared > 0.2 * np.minimum(right - left, (right - left)[:, None]),
                              _STEP, 0.05)  # fmt: skip
    np.fill_diagonal(cost, 0.0)
    best = scores[0]
    came = np.zeros(scores.shape, dtype=np.int64)
    for at in range(1, len(words)):
        ways = best[:, None] - cost
        came[at] = ways.argmax(axis=0)
        best = ways.max(axis=0) + scores[at]
    path = np.empty(len(words), dtype=np.int64)
    path[-1] = int(best.argmax())
    for at in range(len(words) - 1, 0, -1):
        path[at - 1] = came[at, path[at]]
    lines: IntArray = np.append(near, -1)[path]
    return lines


def _overlaps(boxes: FloatArray, near: IntArray, shapes: LineShapes) -> FloatArray:
    """How far each word stands on each line, 0 to 1, shape (words, lines)."""
    left, right = shapes.boxes[near, LEFT], shapes.boxes[near, RIGHT]
    width = np.maximum(boxes[:, RIGHT] - boxes[:, LEFT], 1.0)[:, None]
    slack = 0.3 * shapes.height[near]
    across = np.minimum(boxes[:, RIGHT, None], right + slack) - np.maximum(
        boxes[:, LEFT, None], left - slack
    )
    middle = shapes.middle_at(near, (boxes[:, LEFT] + boxes[:, RIGHT]) / 2)
    height = np.maximum(shapes.height[near], 1.0)
    off = abs((boxes[:, TOP] + boxes[:, BOTTOM])[:, None] / 2 - middle) / height
    overlaps: FloatArray = np.clip(across / width, 0, 1) * np.clip(1.2 - off, 0, 1)
    return overlaps


def _agree(ref: PageWords, hyp: PageWords, line: IntArray) -> bool:
    """Whether words that occur once on both sides lie on the line that they belong to."""
    once_ref = {word for word, count in Counter(ref.words).items() if count == 1}
    once = {word for word, count in Counter(hyp.words).items() if count == 1} & once_ref
    where = dict(zip(ref.words, ref.line_of, strict=True))
    asked = [
        (int(line[place]), where[word]) for place, word in enumerate(hyp.words) if word in once
    ]
    if len(asked) < _LEAST_KNOWN:
        return False
    right = sum(abs(found - wanted) <= 1 for found, wanted in asked if found >= 0)
    return right >= _AGREES * len(asked)
