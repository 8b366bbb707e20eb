"""How far words stand from their place: NSFD and Kendall's tau, for any alignment."""

from __future__ import annotations

from bisect import bisect_right, insort

import numpy as np

from htreval_core.model import Alignment, IntArray

_AT_ONCE = 400
"""Up to so many matched words all pairs are looked at together, which is faster."""


def nsfd(alignment: Alignment) -> tuple[int, int]:
    """Numerator and denominator of the normalised Spearman footrule distance.

    Positions are renumbered 1, 2, … on each side without the unmatched words; then |j − k| is
    summed over the pairs, and every unmatched word of either side adds 1. The denominator is
    ⌊M²/2⌋ with M = max(|X|, |Y|), and 1 where M ≤ 1 (Vidal et al. 2023, Sec. 5).
    """
    ref, hyp = alignment.pairs
    n_ref, n_hyp = len(alignment.ref_words), len(alignment.hyp_words)
    unmatched = n_ref + n_hyp - 2 * len(ref)
    longer = max(n_ref, n_hyp)
    return int(displacement(ref, hyp).sum()) + unmatched, max(longer * longer // 2, 1)


def displacement(ref: IntArray, hyp: IntArray) -> IntArray:
    """|j − k| of each pair after renumbering, shape as given."""
    return np.abs(_ranks(hyp) - _ranks(ref))


def _ranks(positions: IntArray) -> IntArray:
    ranks = np.empty(len(positions), dtype=np.int64)
    ranks[np.argsort(positions, kind="stable")] = np.arange(len(positions))
    return ranks


def discordant_pairs(alignment: Alignment) -> int:
    """Pairs of matched words that stand in opposite order on the two sides.

    With m matched words, Kendall's tau is 1 − 4·discordant / (m(m−1)). Positions are distinct,
    so there are no ties.
    """
    ref, hyp = alignment.pairs
    in_order = hyp[np.argsort(ref, kind="stable")]
    if (in_order[1:] > in_order[:-1]).all():
        return 0
    if len(in_order) <= _AT_ONCE:
        return int(np.triu(in_order[:, None] > in_order, 1).sum())
    seen: list[int] = []
    crossings = 0
    for position in in_order.tolist():
        crossings += len(seen) - bisect_right(seen, position)
        insort(seen, position)
    return crossings
