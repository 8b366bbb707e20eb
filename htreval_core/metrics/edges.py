"""Matchings of greatest weight over a list of pairs, and the prices that prove them.

The kernel is an argument. The one given here is scipy's sparse Jonker–Volgenant solver
(R. Jonker and A. Volgenant, Computing 38:325–340, 1987).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import min_weight_full_bipartite_matching

from htreval_core.metrics.certificate import (
    BoolArray,
    CertificateError,
    Prices,
    complementary,
)
from htreval_core.metrics.savings import Matching
from htreval_core.model import IntArray


_PRICED_FIRST = 2
"""So many pairs per word are looked at first when prices are worked out."""


class Kernel(Protocol):
    """Solves for the matching of greatest weight over listed pairs; any pair may be left out.

    Row j's pairs are ``indices[indptr[j]:indptr[j + 1]]`` with the weights ``saving[…]``, all of
    them positive whole numbers. ``prices`` are good prices from a similar problem, where there
    was one: a hint that a kernel may use or not.

    Returns the column that each row is matched with, -1 for none.
    """

    def __call__(
        self,
        indptr: IntArray,
        indices: IntArray,
        saving: IntArray,
        n_columns: int,
        prices: Prices | None,
    ) -> IntArray: ...


@dataclass(frozen=True, eq=False)
class Edges:
    """Pairs of positive weight, sorted by reference and hypothesis position, each once."""

    n_ref: int
    n_hyp: int
    ref: IntArray
    hyp: IntArray
    weight: IntArray

    @classmethod
    def of(cls, n_ref: int, n_hyp: int, ref: IntArray, hyp: IntArray, weight: IntArray) -> Edges:
        """The pairs that weigh anything, in any order and with repetitions."""
        useful = np.flatnonzero(weight > 0)
        code = ref[useful] * n_hyp + hyp[useful]
        _, first = np.unique(code, return_index=True)
        kept = useful[first]
        return cls(n_ref, n_hyp, ref[kept], hyp[kept], weight[kept])

    def plus(self, ref: IntArray, hyp: IntArray, weight: IntArray) -> Edges:
        """These pairs and some more."""
        return Edges.of(
            self.n_ref,
            self.n_hyp,
            np.concatenate([self.ref, ref]),
            np.concatenate([self.hyp, hyp]),
            np.concatenate([self.weight, weight]),
        )

    @cached_property
    def indptr(self) -> IntArray:
        counts = np.bincount(self.ref, minlength=self.n_ref)
        return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)

    def solve(self, kernel: Kernel, hint: Prices | None) -> tuple[Matching, Prices]:
        """The matching of greatest weight over these pairs, with prices that prove it."""
        mate = kernel(self.indptr, self.hyp, self.weight, self.n_hyp, hint)
        ref = np.flatnonzero(mate >= 0)
        matching = Matching(ref, mate[ref])
        return matching, self._prices(matching, mate, hint)

    def _prices(self, matching: Matching, mate: IntArray, hint: Prices | None) -> Prices:
        """Prices that prove a matching, from the pairs that count: few of them set a price."""
        some = mate[self.ref] == self.hyp
        few = _PRICED_FIRST * (self.n_ref + self.n_hyp)
        if hint is None or len(self.ref) <= 2 * few:
            some[:] = True
        else:
            slack = hint.ref[self.ref] + hint.hyp[self.hyp] - 2 * self.weight
            some |= slack <= np.partition(slack, few)[few]
        while True:
            prices = self._some(some)._midpoint(matching, mate)
            short = prices.ref[self.ref] + prices.hyp[self.hyp] < 2 * self.weight
            if not short.any():
                return prices
            some |= short

    def _some(self, which: BoolArray) -> Edges:
        return Edges(self.n_ref, self.n_hyp, self.ref[which], self.hyp[which], self.weight[which])

    def _midpoint(self, matching: Matching, mate: IntArray) -> Prices:
        """The midpoint of the two extreme price systems, which leaves few other pairs tight."""
        own = np.zeros(self.n_ref, dtype=np.int64)
        chosen = mate[self.ref] == self.hyp
        own[self.ref[chosen]] = self.weight[chosen]
        own_hyp = np.zeros(self.n_hyp, dtype=np.int64)
        mate_hyp = np.full(self.n_hyp, -1, dtype=np.int64)
        mate_hyp[matching.hyp_index] = matching.ref_index
        own_hyp[matching.hyp_index] = own[matching.ref_index]

        by_hyp = np.argsort(self.hyp, kind="stable")
        least_hyp = _least_prices(
            self.hyp[by_hyp], self.ref[by_hyp], self.weight[by_hyp], mate, own, self.n_hyp
        )
        least_ref = _least_prices(self.ref, self.hyp, self.weight, mate_hyp, own_hyp, self.n_ref)
        # Matched words share their pair's weight; -1 picks a price that is not used.
        ref = least_ref + np.where(mate >= 0, own - np.append(least_hyp, 0)[mate], 0)
        hyp = least_hyp + np.where(mate_hyp >= 0, own_hyp - np.append(least_ref, 0)[mate_hyp], 0)
        prices = Prices(ref, hyp)
        if not complementary(prices, matching):
            raise CertificateError("the kernel's matching is not optimal")
        return prices


def _least_prices(
    seller: IntArray, buyer: IntArray, weight: IntArray, mate: IntArray, own: IntArray, n: int
) -> IntArray:
    """The least prices of the sellers' side that no buyer would change partners at.

    A buyer gains its pair's weight less its mate's price, so a seller costs at least what each
    buyer would gain with it more than now. This is the Bellman–Ford iteration, all pairs at a
    time; ``seller`` is sorted. The matching is optimal if and only if it settles.
    """
    if not len(seller):
        return np.zeros(n, dtype=np.int64)
    starts = np.flatnonzero(np.append(True, seller[1:] != seller[:-1]))
    sellers = seller[starts]
    more = weight - own[buyer]
    now = np.where(mate[buyer] >= 0, mate[buyer], n)  # the last price is nobody's: always 0
    prices = np.zeros(n + 1, dtype=np.int64)
    for _ in range(n + 2):
        raised = np.maximum(np.maximum.reduceat(more + prices[now], starts), 0)
        if np.array_equal(raised, prices[sellers]):
            return prices[:n]
        prices[sellers] = raised
    raise CertificateError("the kernel's matching is not optimal")


def scipy_kernel(
    indptr: IntArray, indices: IntArray, saving: IntArray, n_columns: int, prices: Prices | None
) -> IntArray:
    """The kernel that comes with scipy. It wants full matchings, so it gets dummies."""
    n_rows = len(indptr) - 1
    if not len(indices):
        return np.full(n_rows, -1, dtype=np.int64)
    rows = np.repeat(np.arange(n_rows), np.diff(indptr))
    if prices is not None:
        reduced = prices.ref[rows] + prices.hyp[indices] - 2 * saving
        if np.count_nonzero(reduced < 0) < n_rows / 2:
            return _solve_reduced(rows, indices, reduced, prices)
    if n_rows <= n_columns:
        return _solve_afresh(rows, indices, saving, n_rows, n_columns)
    mate = _solve_afresh(indices, rows, saving, n_columns, n_rows)
    matched = np.flatnonzero(mate >= 0)
    mate_of_row = np.full(n_rows, -1, dtype=np.int64)
    mate_of_row[mate[matched]] = matched
    return mate_of_row


def _solve_afresh(
    rows: IntArray, columns: IntArray, saving: IntArray, n_rows: int, n_columns: int
) -> IntArray:
    """Every row gets a dummy of its own, at the cost of a pair that saves nothing.

    The shorter side has to be the rows: it leaves out fewer words, and time goes into those.
    """
    most = int(saving.max()) + 1  # weight 0 would count as no pair
    own_dummy = n_columns + np.arange(n_rows)
    return _assign(
        [(rows, columns, most - saving), (np.arange(n_rows), own_dummy, np.full(n_rows, most))],
        n_rows,
        n_columns,
        (n_rows, n_columns + n_rows),
    )


def _solve_reduced(
    rows: IntArray, columns: IntArray, reduced: IntArray, prices: Prices
) -> IntArray:
    """With prices that hold for nearly all pairs, nearly all of the matching costs nothing.

    Both sides get dummies, and these mirror the pairs among themselves: so every row and column
    is matched always, and subtracting prices does not change the optimum.
    """
    n_rows, n_columns = len(prices.ref), len(prices.hyp)
    of_row, of_column = n_columns + np.arange(n_rows), n_rows + np.arange(n_columns)
    lift = 1 - min(int(reduced.min()), 0)
    return _assign(
        [
            (rows, columns, reduced + lift),
            (np.arange(n_rows), of_row, prices.ref + lift),
            (of_column, np.arange(n_columns), prices.hyp + lift),
            (n_rows + columns, n_columns + rows, np.full(len(rows), lift)),
        ],
        n_rows,
        n_columns,
        (n_rows + n_columns, n_rows + n_columns),
    )


def _assign(
    parts: list[tuple[IntArray, IntArray, IntArray]],
    n_rows: int,
    n_columns: int,
    shape: tuple[int, int],
) -> IntArray:
    """The full matching of least cost, its dummies taken away."""
    row, column, cost = (np.concatenate(each) for each in zip(*parts, strict=True))
    graph = csr_array((cost.astype(np.float64), (row, column)), shape=shape)
    _, mate = min_weight_full_bipartite_matching(graph)
    return np.where(mate[:n_rows] < n_columns, mate[:n_rows], -1).astype(np.int64)
