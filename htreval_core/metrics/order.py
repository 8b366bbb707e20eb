"""How far words stand from their place: NSFD and Kendall's tau, for any alignment."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from htreval_core.metrics.pairs import Paired
from htreval_core.model import Alignment, IntArray


def footrule(alignment: Paired) -> tuple[int, int]:
    """Numerator and denominator of the normalised Spearman footrule distance.

    Positions are renumbered 1, 2, … on each side without the unmatched words; then |j − k| is
    summed over the pairs, and every unmatched word of either side adds 1. The denominator is
    ⌊M²/2⌋ with M = max(|X|, |Y|), and 1 where M ≤ 1 (Vidal et al. 2023, Sec. 5).
    """
    ref, hyp = alignment.pairs
    lost, added = map(len, alignment.unmatched)
    longer = len(ref) + max(lost, added)
    # The places of one side in the order of the other: |j − k| in another order of pairs.
    places = hyp[ref.argsort(kind="stable")].argsort(kind="stable")
    far = int(np.abs(places - np.arange(len(places))).sum())
    return far + lost + added, max(longer * longer // 2, 1)


def line_footrule(
    matching: Paired, ref_lines: Sequence[int], hyp_lines: Sequence[int]
) -> tuple[int, int] | None:
    """``footrule`` of lines in place of words; None where a side has fewer than two with words.

    Two lines are mates if they share the most matched words of all that are still without one:
    those with the most come first, among equals those nearest in place, then the first in the
    reference. Kraken validates learned reading orders by this footrule over given lines
    (https://github.com/mittagessen/kraken, lib/ro); here both sides have lines of their own.

    Args:
        ref_lines: shape (|X|,), the line of each reference word, upward.
        hyp_lines: shape (|Y|,), that of each hypothesis word.
    """
    if not ref_lines or not hyp_lines:
        return None
    if ref_lines[0] == ref_lines[-1] or hyp_lines[0] == hyp_lines[-1]:
        return None
    (ref_line, n_ref), (hyp_line, n_hyp) = map(_numbered, (ref_lines, hyp_lines))
    ref, hyp = matching.pairs
    both = ref_line[ref] * n_hyp + hyp_line[hyp]
    both.sort()
    # ``np.unique`` takes longer over it than a short page may.
    is_first = np.ones(len(both), dtype=bool)
    np.not_equal(both[1:], both[:-1], out=is_first[1:])
    starts = is_first.nonzero()[0]
    ends = np.concatenate((starts, [len(both)]))
    times = ends[1:] - ends[:-1]
    of_ref, of_hyp = np.divmod(both[starts], n_hyp)
    # These go upward already, the first in the reference first.
    best = (np.abs(of_ref - of_hyp) - (n_ref + n_hyp) * times).argsort(kind="stable")
    mate: dict[int, int] = {}
    taken: set[int] = set()
    for s, t in zip(of_ref[best].tolist(), of_hyp[best].tolist(), strict=True):
        if s not in mate and t not in taken:
            mate[s] = t
            taken.add(t)
    n_pairs, longer = len(mate), max(n_ref, n_hyp)
    rank = {t: number for number, t in enumerate(sorted(taken))}
    far = sum(abs(number - rank[mate[s]]) for number, s in enumerate(sorted(mate)))
    return far + n_ref + n_hyp - 2 * n_pairs, longer * longer // 2


def _numbered(lines: Sequence[int]) -> tuple[IntArray, int]:
    """The lines of words numbered without gaps, from 0; and how many there are."""
    of_words = np.array(lines, dtype=np.int64)
    numbers = np.zeros(len(of_words), dtype=np.int64)
    np.cumsum(of_words[1:] != of_words[:-1], out=numbers[1:])
    return numbers, int(numbers[-1]) + 1


def course(alignment: Alignment, n_steps: int = 24) -> tuple[float, ...]:
    """How far ahead of its place the output reads, step by step down the reference.

    Each step is the median over its matched words of the place in the hypothesis less the place
    in the reference, both as fractions of the matched words: 0 in order, 0.5 half a page late,
    −0.5 half a page early. A step without matched words goes on as the one before.
    """
    ref, hyp = alignment.pairs
    if not len(ref):
        return (0.0,) * n_steps
    shifts = (_ranks(hyp) - _ranks(ref)) / len(ref)
    step = ref * n_steps // len(alignment.ref_words)
    found: list[float] = []
    for number in range(n_steps):
        of_step = shifts[step == number]
        found.append(float(np.median(of_step)) if len(of_step) else (found or [0.0])[-1])
    return tuple(found)


def _ranks(positions: IntArray) -> IntArray:
    ranks = np.empty(len(positions), dtype=np.int64)
    ranks[positions.argsort(kind="stable")] = np.arange(len(positions))
    return ranks


def discordant_pairs(alignment: Paired) -> int:
    """Pairs of matched words that stand in opposite order on the two sides.

    With m matched words, Kendall's tau is 1 − 4·discordant / (m(m−1)). Positions are distinct,
    so there are no ties.
    """
    ref, hyp = alignment.pairs
    in_order = hyp[ref.argsort(kind="stable")]
    if (in_order[1:] > in_order[:-1]).all():
        return 0
    # One bit a word: quicker at every size than a sorted list, or than looking at all pairs.
    seen = crossings = 0
    for position in in_order.tolist():
        crossings += (seen >> position).bit_count()
        seen |= 1 << position
    return crossings
