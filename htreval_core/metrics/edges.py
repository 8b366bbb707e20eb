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

from htreval_core.metrics.certificate import CertificateError, Prices, complementary
from htreval_core.metrics.savings import Matching
from htreval_core.model import IntArray


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
        return matching, self._prices(matching)

    def _prices(self, matching: Matching) -> Prices:
        """The midpoint of the two extreme price systems, which leaves few other pairs tight."""
        own = np.zeros(self.n_ref, dtype=np.int64)
        mate = np.full(self.n_ref, -1, dtype=np.int64)
        mate[matching.ref_index] = matching.hyp_index
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
    """The kernel that comes with scipy. It wants full matchings, so it gets dummies.

    Without a hint every row gets one dummy of its own, at the cost of a pair that saves nothing.
    With a hint both sides get dummies, and these mirror the pairs among themselves: now every
    row and column is matched, prices can be subtracted without changing the optimum, and nearly
    all of the matching is found at cost 0.
    """
    n_rows = len(indptr) - 1
    if not len(indices):
        return np.full(n_rows, -1, dtype=np.int64)
    rows = np.repeat(np.arange(n_rows), np.diff(indptr))
    own_dummy = n_columns + np.arange(n_rows)
    if prices is None:
        most = int(saving.max()) + 1
        at_row = np.concatenate([rows, np.arange(n_rows)])
        at_column = np.concatenate([indices, own_dummy])
        cost = np.concatenate([most - saving, np.full(n_rows, most)])
        shape = (n_rows, n_columns + n_rows)
    else:
        column_dummy = n_rows + np.arange(n_columns)
        at_row = np.concatenate([rows, np.arange(n_rows), column_dummy, n_rows + indices])
        at_column = np.concatenate([indices, own_dummy, np.arange(n_columns), n_columns + rows])
        reduced = prices.ref[rows] + prices.hyp[indices] - 2 * saving
        cost = np.concatenate([reduced, prices.ref, prices.hyp, np.zeros_like(reduced)])
        cost -= cost.min() - 1  # weight 0 would count as no pair
        shape = (n_rows + n_columns, n_rows + n_columns)
    graph = csr_array((cost.astype(np.float64), (at_row, at_column)), shape=shape)
    _, columns = min_weight_full_bipartite_matching(graph)
    mate = columns[:n_rows].astype(np.int64)
    return np.where(mate < n_columns, mate, -1)
