"""What happened to each word of a page, and which words moved together."""

from __future__ import annotations

from bisect import bisect_right
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
    matching pairs with an equal word are MOVED. Of what is left, the view's own pairs are
    SUBSTITUTED and all other words DELETED or INSERTED. Each word is used once: the mate of a
    word's mate is the word itself.
    """
    shown = page.trace if view == "trace" else page.matching
    n_ref, n_hyp = len(shown.ref_words), len(shown.hyp_words)
    ref, hyp = np.full(n_ref, Kind.DELETED), np.full(n_hyp, Kind.INSERTED)
    ref_mate, hyp_mate = np.full(n_ref, -1), np.full(n_hyp, -1)
    for kind, (of_ref, of_hyp) in (
        (Kind.CORRECT, _exact(page.trace)),
        (Kind.MOVED, _exact(page.matching)),
        (Kind.SUBSTITUTED, shown.pairs),
    ):
        free = (ref_mate[of_ref] < 0) & (hyp_mate[of_hyp] < 0)
        j, k = of_ref[free], of_hyp[free]
        ref[j] = hyp[k] = kind
        ref_mate[j], hyp_mate[k] = k, j
    return WordKinds(ref, hyp, ref_mate, hyp_mate)


def pair_kinds(page: ScoredPage) -> IntArray:
    """The kind of each pair of the matching, shape as ``page.matching.pairs``.

    Equal words are CORRECT where the trace pairs the same two, else MOVED; others SUBSTITUTED.
    """
    ref, hyp = page.matching.pairs
    in_trace = np.full(len(page.matching.ref_words), -1)
    trace_ref, trace_hyp = page.trace.pairs
    in_trace[trace_ref] = trace_hyp
    words = page.matching
    equal = np.array(
        [
            words.ref_words[j] == words.hyp_words[k]
            for j, k in zip(ref.tolist(), hyp.tolist(), strict=True)
        ],
        dtype=bool,
    )
    as_read = np.where(in_trace[ref] == hyp, Kind.CORRECT, Kind.MOVED)
    return np.where(equal, as_read, Kind.SUBSTITUTED)


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
    kept = _heaviest_increasing([(p[0][0], p[-1][0] + 1, len(p)) for p in pieces])
    return [
        Run(p[0][0], p[-1][0] + 1, p[0][1], p[-1][1] + 1, len(p), number not in kept)
        for number, p in enumerate(pieces)
    ]


def _heaviest_increasing(pieces: list[tuple[int, int, int]]) -> set[int]:
    """Numbers of the pieces (start, end, weight) of the heaviest subsequence without overlap.

    A front of ends with ever larger total weight is kept sorted: each piece extends the heaviest
    chain that ends before it starts, and drops the chains that it overtakes.
    """
    reached: list[int] = []
    totals: list[int] = []
    ends: list[int] = []
    before: list[int] = []
    for number, (start, end, weight) in enumerate(pieces):
        at = bisect_right(reached, start)
        total = weight + (totals[at - 1] if at else 0)
        before.append(ends[at - 1] if at else -1)
        at = bisect_right(reached, end)
        if at and totals[at - 1] >= total:
            continue
        at = stop = at - 1 if at and reached[at - 1] == end else at
        while stop < len(reached) and totals[stop] <= total:
            stop += 1
        reached[at:stop], totals[at:stop], ends[at:stop] = [end], [total], [number]
    kept: set[int] = set()
    number = ends[-1] if ends else -1
    while number >= 0:
        kept.add(number)
        number = before[number]
    return kept
