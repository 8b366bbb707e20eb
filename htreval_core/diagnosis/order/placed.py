"""Chunks from places: what was read where, wherever the boxes of both sides tell."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from htreval_core.diagnosis.limits import PLACED
from htreval_core.diagnosis.model import Span
from htreval_core.diagnosis.order.groups import Segment
from htreval_core.diagnosis.page.chains import likeness
from htreval_core.diagnosis.page.chunks import Chunk
from htreval_core.diagnosis.page.evidence import Pair
from htreval_core.diagnosis.page.ground import Ground
from htreval_core.diagnosis.page.places import Places
from htreval_core.diagnosis.page.shapes import LEFT, RIGHT
from htreval_core.model import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class Placed:
    """A page cut into stretches that stand together on both sides.

    Args:
        chunks: in hypothesis order, one for each segment.
        segments: in hypothesis order; ``chunk`` numbers the chunks in reference order.
    """

    chunks: tuple[Chunk, ...]
    segments: tuple[Segment, ...]


def place_chunks(ground: Ground, places: Places) -> Placed:
    """The output cut where the place on the page jumps, and what each piece says of the reference.

    A jump that neither the boxes nor the words vouch for is no jump.
    """
    order, runs = _page_order(places.line, places.boxes)
    pairs = _pairs(ground, order)
    bits = np.zeros(len(ground.hypothesis.words))
    bits[[k for _, k in pairs]] = ground.evidence.of_pairs(pairs)
    line = places.line.copy()
    while True:
        doubtful = _doubtful(runs, line, bits, places)
        if not doubtful:
            break
        for start, end in doubtful:
            line[start:end] = -1
        order, runs = _page_order(line, places.boxes)
    runs = list(_by_tags(runs, _filled(line), ground))
    return _as_placed(runs, _pairs(ground, order), ground, places.line)


def _filled(line: IntArray) -> IntArray:
    """Words that stand on no line go with the word before, at the top with the first that does."""
    known = np.flatnonzero(line >= 0)
    if not len(known):
        return np.zeros_like(line)
    last = np.maximum.accumulate(np.where(line >= 0, np.arange(len(line)), known[0]))
    return line[last]


def _page_order(line: IntArray, boxes: FloatArray) -> tuple[IntArray, list[Span]]:
    """The words as they stand on the page, and the runs of the output in that order.

    Lines follow each other; within one, pieces that were read apart go from left to right."""
    filled = _filled(line)
    cuts = np.flatnonzero(filled[1:] != filled[:-1]) + 1
    starts = np.concatenate([[0], cuts]).tolist()
    ends = np.append(cuts, len(filled)).tolist()
    by_line: dict[int, list[Span]] = {}
    for start, end in zip(starts, ends, strict=True):
        by_line.setdefault(int(filled[start]), []).append((start, end))
    runs: list[Span] = []
    for number in sorted(by_line):
        for start, end in _across(by_line[number], line, boxes):
            if runs and runs[-1][1] == start:
                runs[-1] = (runs[-1][0], end)
            else:
                runs.append((start, end))
    order = np.concatenate([np.arange(start, end) for start, end in runs])
    return order, runs


def _across(pieces: list[Span], line: IntArray, boxes: FloatArray) -> list[Span]:
    """Pieces of one line from left to right, where they stand apart; else as they were read."""
    if len(pieces) < 2:
        return pieces
    placed = []
    for start, end in pieces:
        known = boxes[start:end][line[start:end] >= 0]
        if not len(known):
            return pieces
        placed.append((known[:, LEFT].min(), known[:, RIGHT].max(), start, end))
    placed.sort()
    slack = PLACED.SLACK * min(right - left for left, right, *_ in placed)
    if any(before[1] - slack > after[0] for before, after in pairwise(placed)):
        return pieces
    return [(start, end) for *_, start, end in placed]


def _by_tags(runs: list[Span], line: IntArray, ground: Ground) -> Iterator[Span]:
    """Runs cut where the file calls the text something else: a running head before a note."""
    tags = np.array([ground.tag(number) or "" for number in range(len(ground.n_words))])
    of_word = tags[line]
    for start, end in runs:
        cuts = start + 1 + np.flatnonzero(of_word[start + 1 : end] != of_word[start : end - 1])
        yield from pairwise([start, *cuts.tolist(), end])


def _pairs(ground: Ground, order: IntArray) -> list[Pair]:
    """The pairs of the sequential trace once the output stands in the order of the page.

    Pairs of words that are not alike count, too: garbled text stands where it stands."""
    ref, hyp = ground.aligned(order.tolist())
    both = (ref >= 0) & (hyp >= 0)
    return list(zip(ref[both].tolist(), hyp[both].tolist(), strict=True))


def _doubtful(runs: list[Span], line: IntArray, bits: FloatArray, places: Places) -> list[Span]:
    """Runs that nothing vouches for; of two neighbours only the weaker one."""
    if len(runs) < 2:
        return []
    by_hyp = sorted(runs)
    worth = np.concatenate([[0.0], np.cumsum(bits)])
    scores = []
    for at, (start, end) in enumerate(by_hyp):
        score = float(worth[end] - worth[start]) - PLACED.LEAST
        n_clear = _n_clear(by_hyp, at, line, places) if score < 0 else 0
        is_clear = n_clear > 0 and n_clear == (line[start:end] >= 0).sum()
        scores.append(
            score + PLACED.ELSEWHERE * n_clear + (PLACED.LEAST - PLACED.LEAST_CLEAR) * is_clear
        )
    for first, after in _falling(by_hyp, line):
        scores[first:after] = [0.0] * (after - first)
    found = []
    for at, score in enumerate(scores):
        beside = scores[max(at - 1, 0) : at] + scores[at + 1 : at + 2]
        if score < 0 and score <= min(beside) and (line[slice(*by_hyp[at])] >= 0).any():
            found.append(by_hyp[at])
    return found


def _falling(by_hyp: list[Span], line: IntArray) -> Iterator[tuple[int, int]]:
    """Runs one after the other that go down the page line by line: a column of signs, say."""
    first = 0
    for at in range(1, len(by_hyp) + 1):
        if at < len(by_hyp) and int(line[by_hyp[at][0]]) > int(line[by_hyp[at - 1][0]]) >= 0:
            continue
        if at - first >= PLACED.COLUMN:
            yield first, at
        first = at


def _n_clear(by_hyp: list[Span], at: int, line: IntArray, places: Places) -> int:
    """Words of a run that cannot stand on the line of the run before it, or of that after it."""
    start, end = by_hyp[at]
    clear = line[start:end] >= 0
    if at:
        clear &= _off(places, start, end, line[by_hyp[at - 1][0] : start][::-1])
    if at + 1 < len(by_hyp):
        clear &= _off(places, start, end, line[end : by_hyp[at + 1][1]])
    return int(clear.sum())


def _off(places: Places, start: int, end: int, beside: IntArray) -> BoolArray:
    known = beside[beside >= 0]
    if not len(known):
        return np.ones(end - start, dtype=bool)
    off: BoolArray = places.fits(slice(start, end), int(known[0])) < PLACED.FITS
    return off


def _as_placed(runs: list[Span], pairs: list[Pair], ground: Ground, line: IntArray) -> Placed:
    """A chunk for each run that has pairs; what has none goes with the run that it follows.

    Words that are not alike are a pair only on the same line."""
    ref, hyp = ground.reference, ground.hypothesis
    n_hyp = len(hyp.words)
    run_of = np.zeros(n_hyp, dtype=np.int64)
    for number, (start, end) in enumerate(runs):
        run_of[start:end] = number
    alike = likeness([ref.words[j] for j, _ in pairs], [hyp.words[k] for _, k in pairs]) > 0
    of_run: list[list[Pair]] = [[] for _ in runs]
    for (j, k), same in zip(pairs, alike.tolist(), strict=True):
        if same or ref.line_of[j] == line[k]:
            of_run[run_of[k]].append((j, k))
    read = [bool(its) for its in of_run]
    _stand_in(of_run, runs, ground, line)
    ranks = {number: rank for rank, number in
             enumerate(number for number, its in enumerate(of_run) if its)}  # fmt: skip
    by_hyp = sorted(ranks, key=lambda number: runs[number])
    segments: list[Segment] = []
    start = 0
    for place, number in enumerate(by_hyp):
        end = runs[by_hyp[place + 1]][0] if place + 1 < len(by_hyp) else n_hyp
        segments.append(Segment(start, end, ranks[number]))
        start = end
    chunks = []
    for number in by_hyp:
        its = of_run[number]
        n_placed = int((line[slice(*runs[number])] >= 0).sum())
        size = n_placed * (1.0 if read[number] else PLACED.GARBLED)
        chunks.append(Chunk(tuple(its), float(len(its)), max(size, PLACED.GARBLED)))
    return Placed(tuple(chunks), tuple(segments))


def _stand_in(of_run: list[list[Pair]], runs: list[Span], ground: Ground, line: IntArray) -> None:
    """Pairs for runs that have none, by where they stand: garbled text stands where it stands.

    Of the words of its lines those between the pairs of the runs before and after, from the left.
    """
    after = len(ground.reference.words)
    uppers = []
    for its in reversed(of_run):
        uppers.append(after)
        after = its[0][0] if its else after
    uppers.reverse()
    last = -1
    for its, (start, end), upper in zip(of_run, runs, uppers, strict=True):
        if not its:
            for k in range(start, end):
                if line[k] >= 0:
                    first, stop = ground.span_of(int(line[k]))
                    j = max(first, last + 1)
                    if j < min(stop, upper):
                        its.append((j, k))
                        last = j
        if its:
            last = its[-1][0]
