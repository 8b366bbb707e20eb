"""On which line of the reference each word of the output stands, by the boxes of both sides.

This is where the words lie on the page, whatever was read there: it holds for garbled words too,
and it tells text that was read elsewhere from equal words that only happen to stand there.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

import numpy as np
from rapidfuzz.distance import Levenshtein

from htreval_core.diagnosis.limits import PLACES
from htreval_core.diagnosis.model import Span
from htreval_core.diagnosis.page.ground import Ground
from htreval_core.diagnosis.page.shapes import (
    BOTTOM,
    LEFT,
    RIGHT,
    TOP,
    LineShapes,
    scale,
    word_boxes,
)
from htreval_core.metrics.words import WordPair
from htreval_core.model import BoolArray, FloatArray, IntArray
from htreval_core.text import PageWords


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
        return _overlaps(boxes, np.full(len(boxes), line), self.shapes)


def find_places(ground: Ground) -> Places | None:
    """The place of each word of the output; None where boxes are missing or do not agree."""
    ref, hyp, shapes = ground.reference, ground.hypothesis, ground.shapes
    if shapes is None or not hyp.words:
        return None
    boxes = word_boxes(ground.hyp_transcript, hyp)
    if np.isnan(boxes[:, 0]).mean() > PLACES.UNKNOWN:
        return None
    across, down = scale(ground.ref_transcript, ground.hyp_transcript)
    boxes = boxes * np.array([across, down, across, down])
    line = _lines_of_words(ground.words, ref, hyp, shapes, boxes)
    if not _agree(ref, hyp, line):
        return None
    for start, end in _copies(line, boxes, hyp.words):
        line[start:end] = -1
    return Places(line, boxes, shapes)


def _copies(line: IntArray, boxes: FloatArray, words: Sequence[str]) -> list[Span]:
    """Text of several lines that stands a second time where it stood before.

    Of both copies the one that is not read between its neighbours, or else the second."""
    cuts = [0, *(np.flatnonzero(line[1:] != line[:-1]) + 1).tolist(), len(line)]
    visits = [(start, end) for start, end in pairwise(cuts) if line[start] >= 0]
    seen: dict[int, list[int]] = {}
    twins: list[tuple[int, int]] = []
    for number, visit in enumerate(visits):
        before = seen.setdefault(int(line[visit[0]]), [])
        twin = next((one for one in before if _are_twins(visits[one], visit, boxes, words)), None)
        if twin is None:
            before.append(number)
        else:
            twins.append((twin, number))
    found: list[Span] = []
    for _, of in groupby(enumerate(twins), lambda one: one[1][1] - one[0]):
        pairs = [pair for _, pair in of]
        blocks = [[visits[pair[side]] for pair in pairs] for side in (0, 1)]
        if sum(end - start for start, end in blocks[1]) < PLACES.LEAST_COPY:
            continue
        fits = [_fits_in(block, line) for block in blocks]
        found += blocks[0 if fits[1] > fits[0] else 1]
    return found


def _are_twins(one: Span, other: Span, boxes: FloatArray, words: Sequence[str]) -> bool:
    """Whether two stretches of one line lie on each other and say the same."""
    left, right = (
        [edge(boxes[slice(*span), side]) for span in (one, other)]
        for edge, side in ((np.nanmin, LEFT), (np.nanmax, RIGHT))
    )
    shared = min(right) - max(left)
    narrower = min(b - a for a, b in zip(left, right, strict=True))
    a, b = (" ".join(words[slice(*span)]) for span in (one, other))
    on_each_other = bool(shared >= PLACES.ON_COPY * narrower)
    return on_each_other and Levenshtein.normalized_similarity(a, b) >= PLACES.SAME_COPY


def _fits_in(block: Sequence[Span], line: IntArray) -> int:
    """At how many ends a block of lines is read next to its neighbours."""
    first, last = block[0][0], block[-1][1] - 1
    before, after = line[first - 1] if first else -1, line[last + 1] if last + 1 < len(line) else -1
    return int(before == line[first] - 1) + int(after == line[last] + 1)


def _lines_of_words(words: WordPair, ref: PageWords, hyp: PageWords, shapes: LineShapes,
                    boxes: FloatArray) -> IntArray:  # fmt: skip
    """The reference line of each word of the output, shape (words,); -1 for none."""
    found = np.full(len(boxes), -1)
    with_words = np.unique(ref.line_of)
    known = with_words[~np.isnan(shapes.boxes[with_words, 0])]
    placed = np.flatnonzero(~np.isnan(boxes[:, 0]))
    if not len(placed):
        return found
    of_line = np.array(hyp.line_of, dtype=np.int64)[placed]
    starts = np.concatenate([[0], np.flatnonzero(of_line[1:] != of_line[:-1]) + 1])
    ends = np.append(starts[1:], len(placed))
    in_ref, in_hyp = words.common
    n_lines = len(shapes.boxes)
    on_lines = np.unique(in_ref * n_lines + np.array(ref.line_of, dtype=np.int64))
    # Not all lines at once: on a page of thousands each is held against all of the reference.
    for first in range(0, len(starts), PLACES.AT_ONCE):
        start, end = (starts[first : first + PLACES.AT_ONCE], ends[first : first + PLACES.AT_ONCE])
        own = placed[start[0] : end[-1]]
        at = _lines_of_some(
            boxes[own], start - start[0], known, shapes, on_lines, in_hyp[own] * n_lines
        )
        found[own] = at
    return found


def _lines_of_some(
    boxes: FloatArray, starts: IntArray, known: IntArray, shapes: LineShapes,
    on_lines: IntArray, keys: IntArray,
) -> IntArray:  # fmt: skip
    """The reference line of each word of some lines of the output, shape (words,).

    Args:
        starts: the first word of each line.
        known: the reference lines that have words and an outline.
        on_lines: which words are on which line of the reference, rising.
        keys: what is to be added to the number of a line to look a word up there.
    """
    near_row, near_at = np.nonzero(_touches(boxes, starts, shapes.boxes[known]))
    n_near = np.bincount(near_row, minlength=len(starts))
    n_words = np.diff(np.append(starts, len(boxes)))
    # Of each word, one after the other, all reference lines that its own line touches.
    of_word = np.repeat(n_near, n_words)
    cells = np.concatenate([[0], np.cumsum(of_word)])
    word = np.repeat(np.arange(len(boxes)), of_word)
    first_near = np.concatenate([[0], np.cumsum(n_near)])
    shift = np.repeat(np.repeat(first_near[:-1], n_words) - cells[:-1], of_word)
    line = known[near_at[np.arange(len(word)) + shift]]
    scores = _overlaps(boxes[word], line, shapes)
    key = keys[word] + line
    same = on_lines[np.minimum(np.searchsorted(on_lines, key), len(on_lines) - 1)] == key
    scores = scores + PLACES.KNOWN_WORD * (same & (scores > 0))
    found, is_clear = _best_of_each(scores, line, cells, starts, shapes)
    for row in np.flatnonzero((n_near > 0) & ~np.logical_and.reduceat(is_clear, starts)).tolist():
        start, end = starts[row], starts[row] + n_words[row]
        near = known[near_at[first_near[row] : first_near[row + 1]]]
        own = scores[cells[start] : cells[end]].reshape(-1, len(near))
        found[start:end] = _along_line(own, near, shapes)
    return found


def _touches(boxes: FloatArray, starts: IntArray, lines: FloatArray) -> BoolArray:
    """Which reference lines the box of each line of the output meets, shape (output, reference)."""
    left, top = (np.minimum.reduceat(boxes[:, side], starts)[:, None] for side in (LEFT, TOP))
    right, bottom = (
        np.maximum.reduceat(boxes[:, side], starts)[:, None] for side in (RIGHT, BOTTOM)
    )
    meets: BoolArray = (
        (lines[:, LEFT] < right) & (lines[:, RIGHT] > left)
        & (lines[:, TOP] < bottom) & (lines[:, BOTTOM] > top)
    )  # fmt: skip
    return meets


def _best_of_each(
    scores: FloatArray, line: IntArray, cells: IntArray, starts: IntArray, shapes: LineShapes
) -> tuple[IntArray, BoolArray]:
    """The line that fits each word best, and whether it does so whatever the others' lines are.

    It does if it fits better than any other by more than the changes of line before and after the
    word cost: then no other way along the line of the output can be better.

    Args:
        scores: of each word with each line that it may stand on.
        line: those lines.
        cells: where in both those of each word begin, and where the last ends.
        starts: the first word of each line of the output.
    """
    n_words = len(cells) - 1
    some = np.flatnonzero(cells[1:] > cells[:-1])
    found = np.full(n_words, -1)
    best, second = np.full(n_words, PLACES.ON_LINE), np.full(n_words, -np.inf)
    if len(some):
        top = np.maximum.reduceat(scores, cells[some])
        word = np.repeat(np.arange(len(some)), np.diff(np.append(cells[some], cells[-1])))
        is_top = np.flatnonzero(scores == top[word])
        _, first = np.unique(word[is_top], return_index=True)
        others = scores.copy()
        others[is_top[first]] = -np.inf
        best[some] = np.maximum(top, PLACES.ON_LINE)
        found[some] = np.where(top >= PLACES.ON_LINE, line[is_top[first]], -1)
        of_others = np.maximum.reduceat(others, cells[some])
        second[some] = np.where(top >= PLACES.ON_LINE, np.maximum(of_others, PLACES.ON_LINE), top)
    cost = _cost_of_change(found[:-1], found[1:], shapes)
    cost[starts[1:] - 1] = 0.0
    around = np.append(cost, 0.0) + np.concatenate([[0.0], cost])
    return found, best - second > around + PLACES.ROUNDED


def _cost_of_change(one: IntArray, other: IntArray, shapes: LineShapes) -> FloatArray:
    """What it costs to change from lines to others, -1 for none, shape as given.

    From one column into another it goes without much cost, from line to line within one it does
    not."""
    left, right = shapes.boxes[:, LEFT], shapes.boxes[:, RIGHT]
    width = right - left
    shared = np.minimum(right[one], right[other]) - np.maximum(left[one], left[other])
    in_column = shared > PLACES.IN_COLUMN * np.minimum(width[one], width[other])
    cost: FloatArray = np.where(in_column, PLACES.STEP, PLACES.ACROSS)
    cost = np.where((one < 0) | (other < 0), PLACES.OFF, cost)
    return np.where(one == other, 0.0, cost)


def _along_line(scores: FloatArray, near: IntArray, shapes: LineShapes) -> IntArray:
    """The line of each word of one line of the output: best in all, with few changes.

    The scores say how well each word fits each line that is near, shape (words, lines)."""
    n_words = len(scores)
    scores = np.concatenate([scores, np.full((n_words, 1), PLACES.ON_LINE)], axis=1)
    lines = np.append(near, -1)
    cost = _cost_of_change(lines[:, None], lines[None], shapes)
    best = scores[0]
    came = np.zeros(scores.shape, dtype=np.int64)
    for at in range(1, n_words):
        ways = best[:, None] - cost
        came[at] = ways.argmax(axis=0)
        best = ways.max(axis=0) + scores[at]
    path = np.empty(n_words, dtype=np.int64)
    path[-1] = int(best.argmax())
    for at in range(n_words - 1, 0, -1):
        path[at - 1] = came[at, path[at]]
    found: IntArray = lines[path]
    return found


def _overlaps(boxes: FloatArray, lines: IntArray, shapes: LineShapes) -> FloatArray:
    """How far each word stands on the line given with it, 0 to 1, shape (words,)."""
    left, right = shapes.boxes[lines, LEFT], shapes.boxes[lines, RIGHT]
    width = np.maximum(boxes[:, RIGHT] - boxes[:, LEFT], 1.0)
    slack = PLACES.SLACK * shapes.height[lines]
    across = np.minimum(boxes[:, RIGHT], right + slack) - np.maximum(boxes[:, LEFT], left - slack)
    middle = shapes.middle_at(lines, (boxes[:, LEFT] + boxes[:, RIGHT]) / 2)
    height = np.maximum(shapes.height[lines], 1.0)
    off = abs((boxes[:, TOP] + boxes[:, BOTTOM]) / 2 - middle) / height
    overlaps: FloatArray = np.clip(across / width, 0, 1) * np.clip(PLACES.MOST_OFF - off, 0, 1)
    return overlaps


def _agree(ref: PageWords, hyp: PageWords, line: IntArray) -> bool:
    """Whether words that occur once on both sides lie on the line that they belong to."""
    once_ref = {word for word, count in Counter(ref.words).items() if count == 1}
    once = {word for word, count in Counter(hyp.words).items() if count == 1} & once_ref
    where = dict(zip(ref.words, ref.line_of, strict=True))
    asked = [
        (int(line[place]), where[word]) for place, word in enumerate(hyp.words) if word in once
    ]
    if len(asked) < PLACES.LEAST_KNOWN:
        return False
    right = sum(abs(found - wanted) <= 1 for found, wanted in asked if found >= 0)
    return right >= PLACES.AGREES * len(asked)
