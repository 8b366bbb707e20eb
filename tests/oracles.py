"""Slow, obvious solvers of the regularised matching. Nothing here is shared with the engine."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache

import numpy as np
from scipy.optimize import linear_sum_assignment

from tests.oracles_edit import edit_distance

Pairs = tuple[tuple[int, int], ...]


@cache
def partial_matchings(n_ref: int, n_hyp: int) -> tuple[Pairs, ...]:
    """All ways to match some of 0..n_ref-1 with some of 0..n_hyp-1, one to one."""

    def extend(j: int, free: tuple[int, ...], chosen: Pairs) -> Iterator[Pairs]:
        if j == n_ref:
            yield chosen
            return
        yield from extend(j + 1, free, chosen)
        for k in free:
            yield from extend(j + 1, tuple(f for f in free if f != k), (*chosen, (j, k)))

    return tuple(extend(0, tuple(range(n_hyp)), ()))


def cost_of(ref: Sequence[str], hyp: Sequence[str], gamma: Fraction, pairs: Pairs) -> Fraction:
    """Σ lev + γ·|j−k|/M over the pairs, and |w|/2 + γ/M for every word left out."""
    longer = max(len(ref), len(hyp), 1)
    out_ref = set(range(len(ref))) - {j for j, _ in pairs}
    out_hyp = set(range(len(hyp))) - {k for _, k in pairs}
    alone = [ref[j] for j in out_ref] + [hyp[k] for k in out_hyp]
    return sum(
        (edit_distance(ref[j], hyp[k]) + gamma * abs(j - k) / longer for j, k in pairs),
        sum((Fraction(len(word), 2) + gamma / longer for word in alone), Fraction(0)),
    )


def best_matching(
    ref: Sequence[str], hyp: Sequence[str], gamma: Fraction
) -> tuple[Fraction, int, int]:
    """Least cost, then most equal pairs, then least Σ d(d−1), over all partial matchings.

    Costs are added up in whole units of 1/(2Mq), which makes it bearable."""
    longer = max(len(ref), len(hyp), 1)
    unit = 2 * longer * gamma.denominator
    alone = [[int(unit * (Fraction(len(w), 2) + gamma / longer)) for w in s] for s in (ref, hyp)]
    pair = [
        [int(unit * (edit_distance(x, y) + gamma * abs(j - k) / longer)) for k, y in enumerate(hyp)]
        for j, x in enumerate(ref)
    ]
    all_alone = sum(alone[0]) + sum(alone[1])

    def rank(pairs: Pairs) -> tuple[int, int, int]:
        return (
            all_alone + sum(pair[j][k] - alone[0][j] - alone[1][k] for j, k in pairs),
            -sum(ref[j] == hyp[k] for j, k in pairs),
            sum((k - j) * (k - j - 1) for j, k in pairs),
        )

    cost, negative, near = min(map(rank, partial_matchings(len(ref), len(hyp))))
    return Fraction(cost, unit), -negative, near


def float_cost(ref: Sequence[str], hyp: Sequence[str], gamma: float) -> float:
    """The least cost as a float, from the (|X|+|Y|)² matrix in which every word has a dummy."""
    n_ref, n_hyp = len(ref), len(hyp)
    longer = max(n_ref, n_hyp, 1)
    known: dict[tuple[str, str], int] = {}
    matrix = np.zeros((n_ref + n_hyp, n_ref + n_hyp))
    for j, x in enumerate(ref):
        matrix[j, n_hyp:] = len(x) / 2 + gamma / longer
        for k, y in enumerate(hyp):
            if (x, y) not in known:
                known[x, y] = edit_distance(x, y)
            matrix[j, k] = known[x, y] + gamma * abs(j - k) / longer
    for k, y in enumerate(hyp):
        matrix[n_ref:, k] = len(y) / 2 + gamma / longer
    rows, columns = linear_sum_assignment(matrix)
    return float(matrix[rows, columns].sum())
