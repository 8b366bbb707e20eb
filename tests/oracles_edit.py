"""Slow, obvious twins of the fast metrics. Nothing here is shared with the engine."""

from collections.abc import Iterable, Sequence
from itertools import combinations


def edit_distance(left: Sequence[object], right: Sequence[object]) -> int:
    """Least number of replaced, left-out and added items, by the textbook's table."""
    above = list(range(len(right) + 1))
    for i, one in enumerate(left, start=1):
        row = [i]
        for j, other in enumerate(right, start=1):
            row.append(min(above[j] + 1, row[-1] + 1, above[j - 1] + (one != other)))
        above = row
    return above[-1]


def crossings(pairs: Iterable[tuple[int, int]]) -> int:
    """Pairs of pairs that stand in opposite order on the two sides."""
    return sum((j - m) * (k - n) < 0 for (j, k), (m, n) in combinations(list(pairs), 2))


def footrule(pairs: Sequence[tuple[int, int]], n_ref: int, n_hyp: int) -> tuple[int, int]:
    """Numerator and denominator of NSFD, renumbering by counting the matched words before."""
    refs, hyps = [j for j, _ in pairs], [k for _, k in pairs]
    moves = sum(abs(sum(m < j for m in refs) - sum(n < k for n in hyps)) for j, k in pairs)
    alone = n_ref + n_hyp - 2 * len(pairs)
    longer = max(n_ref, n_hyp)
    return moves + alone, longer**2 // 2 if longer > 1 else 1
