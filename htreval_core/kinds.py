"""What happened to each word of a page, and which words moved together."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from enum import IntEnum
from typing import Literal, TypeAlias

import numpy as np

from htreval_core.metrics.page import ScoredPage
from htreval_core.model import Alignment, IntArray

View: TypeAlias = Literal["trace", "matching"]
_GAP = 3
"""How many words a run may skip on either side and still be one run."""


class Kind(IntEnum):
    """What happened to a word."""

    CORRECT = 0
    SUBSTITUTED = 1
    DELETED = 2
    INSERTED = 3
    MOVED = 4
    """The right word in the wrong place: WER counts it as wrong, the matching pairs it exactly."""


@dataclass(frozen=True, slots=True, eq=False)
class WordKinds:
    """The kind and the mate of every word.

    Args:
        ref: shape (|X|,), a ``Kind`` each.
        hyp: shape (|Y|,), a ``Kind`` each.
        ref_mate: shape (|X|,), positions in the hypothesis, -1 for none.
        hyp_mate: shape (|Y|,), positions in the reference, -1 for none.
    """

    ref: IntArray
    hyp: IntArray
    ref_mate: IntArray
    hyp_mate: IntArray


def word_kinds(page: ScoredPage, view: View) -> WordKinds:
    """Every word's kind and mate, as the trace or as the matching sees them.

    A word that the trace reads as right is CORRECT in both views. Of the others, those that the
    matching pairs with an equal word are MOVED, and their mate is that word.
    """
    right_ref, right_hyp = _exact(page.trace)
    moved_ref, moved_hyp = _exact(page.matching)
    shown = page.trace if view == "trace" else page.matching
    n_ref, n_hyp = len(shown.ref_words), len(shown.hyp_words)
    ref_mate, hyp_mate = _mates(shown, n_ref, n_hyp)
    by_matching, by_matching_hyp = _mates(page.matching, n_ref, n_hyp)

    def kinds(right: IntArray, moved: IntArray, mate: IntArray, alone: Kind) -> IntArray:
        kind = np.where(mate >= 0, Kind.SUBSTITUTED, alone)
        kind[moved] = Kind.MOVED
        kind[right] = Kind.CORRECT
        return kind

    ref = kinds(right_ref, moved_ref, ref_mate, Kind.DELETED)
    hyp = kinds(right_hyp, moved_hyp, hyp_mate, Kind.INSERTED)
    ref_mate = np.where(ref == Kind.MOVED, by_matching, ref_mate)
    hyp_mate = np.where(hyp == Kind.MOVED, by_matching_hyp, hyp_mate)
    return WordKinds(ref, hyp, ref_mate, hyp_mate)


def _exact(alignment: Alignment) -> tuple[IntArray, IntArray]:
    """Positions of the words paired with an equal word."""
    ref, hyp = alignment.pairs
    equal = np.array(
        [
            alignment.ref_words[j] == alignment.hyp_words[k]
            for j, k in zip(ref.tolist(), hyp.tolist(), strict=True)
        ],
        dtype=bool,
    )
    return ref[equal], hyp[equal]


def _mates(alignment: Alignment, n_ref: int, n_hyp: int) -> tuple[IntArray, IntArray]:
    ref, hyp = alignment.pairs
    ref_mate, hyp_mate = np.full(n_ref, -1), np.full(n_hyp, -1)
    ref_mate[ref], hyp_mate[hyp] = hyp, ref
    return ref_mate, hyp_mate


@dataclass(frozen=True, slots=True)
class Run:
    """Words that follow each other on both sides; ends are exclusive.

    Args:
        moved: the run stands outside the order that most of the page keeps.
    """

    ref_start: int
    ref_end: int
    hyp_start: int
    hyp_end: int
    n_words: int
    moved: bool


def runs(matching: Alignment) -> list[Run]:
    """The matched words in runs, in hypothesis order, and which of the runs moved.

    What stays is the heaviest set of runs that keep the reference's order; the rest moved.
    """
    ref, hyp = matching.pairs
    order = np.argsort(hyp, kind="stable")
    pieces: list[list[tuple[int, int]]] = []
    for j, k in zip(ref[order].tolist(), hyp[order].tolist(), strict=True):
        if pieces:
            last_j, last_k = pieces[-1][-1]
            if 0 < j - last_j <= _GAP and k - last_k <= _GAP:
                pieces[-1].append((j, k))
                continue
        pieces.append([(j, k)])
    kept = _heaviest_increasing([(piece[0][0], len(piece)) for piece in pieces])
    return [
        Run(p[0][0], p[-1][0] + 1, p[0][1], p[-1][1] + 1, len(p), number not in kept)
        for number, p in enumerate(pieces)
    ]


def _heaviest_increasing(pieces: list[tuple[int, int]]) -> set[int]:
    """Numbers of the pieces (position, weight) of the heaviest increasing subsequence.

    A front of positions with ever larger total weight is kept sorted: each piece extends the
    heaviest chain that ends before it, and drops what it overtakes.
    """
    positions: list[int] = []
    totals: list[int] = []
    ends: list[int] = []
    before: list[int] = []
    for number, (position, weight) in enumerate(pieces):
        at = bisect_left(positions, position)
        total = weight + (totals[at - 1] if at else 0)
        before.append(ends[at - 1] if at else -1)
        stop = at
        while stop < len(positions) and totals[stop] <= total:
            stop += 1
        if stop > at or at == len(positions) or totals[at] > total:
            positions[at:stop], totals[at:stop], ends[at:stop] = [position], [total], [number]
    kept: set[int] = set()
    number = ends[-1] if ends else -1
    while number >= 0:
        kept.add(number)
        number = before[number]
    return kept
