"""A sequential trace of the same word errors that pairs the words that are alike.

Many traces have the least number of word edits. The one that falls out of the edit distance
often pairs a word with its neighbour's misreading. Here each stretch of edits is aligned anew,
for the fewest word edits first, which cannot change their number, and then for the fewest
character edits.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from htreval_core.metrics.words import WordPair
from htreval_core.model import IntArray

Steps: TypeAlias = list[tuple[int, int]]
"""Positions on both sides, -1 on the side where a word has no counterpart."""

_MOST_CELLS = 2_500
"""Larger stretches stay as they are: they cost more time than they are worth."""


def refine(ref_index: IntArray, hyp_index: IntArray, words: WordPair) -> tuple[IntArray, IntArray]:
    """A trace with as many word edits and, stretch by stretch, the fewest character edits.

    A word without a counterpart counts as many character edits as it has letters.

    Args:
        ref_index: shape (n,), reference positions of a trace of least word edit distance, -1
            where a hypothesis word has no counterpart.
        hyp_index: shape (n,), hypothesis positions likewise.
        words: the words that are aligned.

    Returns:
        The positions of the refined trace, both sides still in order.
    """
    ref_ids, hyp_ids = words.common
    equal = (ref_index >= 0) & (hyp_index >= 0)
    equal[equal] = ref_ids[ref_index[equal]] == hyp_ids[hyp_index[equal]]
    trace = list(zip(ref_index.tolist(), hyp_index.tolist(), strict=True))
    blocks = [block for run in _stretches(equal) if (block := _Block.of(trace, *run)).has_choice]
    if not blocks:
        return ref_index, hyp_index
    pairs = np.array([(j, k) for block in blocks for j in block.ref for k in block.hyp])
    letters = words.distances_of(words.ref[pairs[:, 0]], words.hyp[pairs[:, 1]]).tolist()
    refined: Steps = []
    done = used = 0
    for block in blocks:
        cells = len(block.ref) * len(block.hyp)
        refined += trace[done : block.start]
        refined += _aligned(block, letters[used : used + cells], words)
        done, used = block.stop, used + cells
    positions = np.array(refined + trace[done:], dtype=np.int64)
    return positions[:, 0], positions[:, 1]


@dataclass(frozen=True, slots=True)
class _Block:
    """A stretch of a trace and the positions of the words in it."""

    start: int
    stop: int
    ref: list[int]
    hyp: list[int]

    @classmethod
    def of(cls, trace: Steps, start: int, stop: int) -> _Block:
        steps = trace[start:stop]
        return cls(start, stop, [j for j, _ in steps if j >= 0], [k for _, k in steps if k >= 0])

    @property
    def has_choice(self) -> bool:
        """Whether there is more than one way to align it, and not too much to look at."""
        return 1 < len(self.ref) * len(self.hyp) <= _MOST_CELLS


def char_edits(ref_index: IntArray, hyp_index: IntArray, words: WordPair) -> int:
    """Characters edited inside the steps of a trace; a word on its own counts all its letters."""
    paired = (ref_index >= 0) & (hyp_index >= 0)
    ref_type, hyp_type = words.ref[ref_index[paired]], words.hyp[hyp_index[paired]]
    alone_ref = words.ref[ref_index[~paired & (ref_index >= 0)]]
    alone_hyp = words.hyp[hyp_index[~paired & (hyp_index >= 0)]]
    alone = words.ref_lengths[alone_ref].sum() + words.hyp_lengths[alone_hyp].sum()
    return int(words.distances_of(ref_type, hyp_type).sum() + alone)


def _stretches(equal: np.ndarray) -> Iterator[tuple[int, int]]:
    """Runs of edits, joined over single equal words between them where that is not too long."""
    edges = np.flatnonzero(np.diff(equal, prepend=True, append=True)).tolist()
    runs = list(zip(edges[::2], edges[1::2], strict=True))
    i = 0
    while i < len(runs):
        start, stop = runs[i]
        i += 1
        while i < len(runs) and runs[i][0] == stop + 1 and _fits(runs[i][1] - start):
            stop = runs[i][1]
            i += 1
        yield start, stop


def _fits(n_steps: int) -> bool:
    return n_steps * n_steps <= _MOST_CELLS


def _aligned(block: _Block, letters: list[int], words: WordPair) -> Steps:
    """One stretch aligned anew; ``letters`` are the distances of its pairs, row by row."""
    ref, hyp = block.ref, block.hyp
    alone_ref = [len(words.ref_words[j]) for j in ref]
    alone_hyp = [len(words.hyp_words[k]) for k in hyp]
    # One number for both: a word edit weighs more than all letters of the stretch.
    word = sum(alone_ref) + sum(alone_hyp) + 1
    costs = [letter and letter + word for letter in letters]
    moves = _moves(
        [costs[i : i + len(hyp)] for i in range(0, len(costs), len(hyp))],
        [letter + word for letter in alone_ref],
        [letter + word for letter in alone_hyp],
    )
    steps: Steps = []
    i, j = len(ref), len(hyp)
    while i or j:
        move = moves[i][j]
        i, j = i - (move != _RIGHT), j - (move != _DOWN)
        steps.append((ref[i] if move != _RIGHT else -1, hyp[j] if move != _DOWN else -1))
    return steps[::-1]


_BOTH, _DOWN, _RIGHT = 0, 1, 2


def _moves(pair: list[list[int]], down: list[int], right: list[int]) -> list[list[int]]:
    """The last move of a cheapest way to each cell; a pair rather than two words on their own."""
    above = [0]
    for cost in right:
        above.append(above[-1] + cost)
    moves = [[_RIGHT] * len(above)]
    for costs, alone in zip(pair, down, strict=True):
        row, row_moves = [above[0] + alone], [_DOWN]
        for j, cost in enumerate(costs):
            best, move = above[j] + cost, _BOTH
            if above[j + 1] + alone < best:
                best, move = above[j + 1] + alone, _DOWN
            if row[j] + right[j] < best:
                best, move = row[j] + right[j], _RIGHT
            row.append(best)
            row_moves.append(move)
        above = row
        moves.append(row_moves)
    return moves
