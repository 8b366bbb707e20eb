"""Matchings of greatest weight over a list of pairs, and the prices that prove them.

The kernel is an argument. The one given here is scipy's sparse Jonker–Volgenant solver
(R. Jonker and A. Volgenant, Computing 38:325–340, 1987).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import min_weight_full_bipartite_matching

from htreval_core.metrics.matching.certificate import CertificateError, Prices, complementary
from htreval_core.metrics.matching.ragged import ragged
from htreval_core.metrics.matching.savings import Matching
from htreval_core.model import BoolArray, IntArray

_SWEEP = 8
"""How many times more it costs to look a pair up than to meet it in a sweep over all pairs."""


Kernel: TypeAlias = Callable[[IntArray, IntArray, IntArray, int, Prices | None], IntArray]
"""Solves for the matching of greatest weight over listed pairs; any pair may be left out.

Given are ``indptr``, ``indices``, ``saving``, the number of columns, and ``prices``. Row j's pairs
are ``indices[indptr[j]:indptr[j + 1]]`` with the weights ``saving[…]``, all of them positive whole
numbers. ``prices`` are good prices from a similar problem, where there was one: a hint that a
kernel may use or not. What comes back is the column that each row is matched with, -1 for none.
"""


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
        _, first = np.unique(ref[useful] * n_hyp + hyp[useful], return_index=True)
        kept = useful[first]
        return cls(n_ref, n_hyp, ref[kept], hyp[kept], weight[kept])

    def __len__(self) -> int:
        return len(self.ref)

    def __getitem__(self, which: BoolArray) -> Edges:
        return Edges(self.n_ref, self.n_hyp, self.ref[which], self.hyp[which], self.weight[which])

    def plus(self, ref: IntArray, hyp: IntArray, weight: IntArray) -> Edges:
        """These pairs and some more."""
        more = Edges.of(self.n_ref, self.n_hyp, ref, hyp, weight)
        place = np.searchsorted(self._code, more._code)
        is_new = np.append(self._code, -1)[place] != more._code
        more, place = more[is_new], place[is_new]
        return Edges(
            self.n_ref, self.n_hyp, np.insert(self.ref, place, more.ref),
            np.insert(self.hyp, place, more.hyp), np.insert(self.weight, place, more.weight),
        )  # fmt: skip

    @property
    def _code(self) -> IntArray:
        return self.ref * self.n_hyp + self.hyp

    @cached_property
    def indptr(self) -> IntArray:
        counts = np.bincount(self.ref, minlength=self.n_ref)
        return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)

    @cached_property
    def transposed(self) -> Edges:
        """The same pairs with the sides exchanged."""
        numbered = csr_array(
            (np.arange(len(self)), self.hyp, self.indptr), (self.n_ref, self.n_hyp)
        )
        order = numbered.tocsc().data
        return Edges(self.n_hyp, self.n_ref, self.hyp[order], self.ref[order], self.weight[order])

    def rounded(self, unit: int) -> Edges:
        """The pairs with their weights in this unit, to the nearest whole number."""
        weight = (self.weight + unit // 2) // unit
        rest = self[weight > 0]
        return Edges(self.n_ref, self.n_hyp, rest.ref, rest.hyp, weight[weight > 0])

    def that_matter(self, proof: Prices) -> Edges:
        """The pairs that an optimum can contain, by prices that prove that of some of them.

        With every reference word's price raised by what it lacks, the prices hold for all pairs.
        An optimum falls short of their sum by no more than was raised, and so does each pair.
        """
        slack = proof.ref[self.ref] + proof.hyp[self.hyp] - 2 * self.weight
        lack = np.zeros(self.n_ref, dtype=np.int64)
        np.maximum.at(lack, self.ref, -slack)
        return self[slack + lack[self.ref] <= lack.sum()]

    def solve(
        self, kernel: Kernel, hint: Prices | None, among: Edges | None = None
    ) -> tuple[Matching, Prices]:
        """The matching of greatest weight over these pairs, with prices that prove it.

        Of all such prices these are the midpoint of the two extremes, which leaves few of the
        other pairs of the page outweighing their prices, and few tight.

        Args:
            kernel: what finds the matching.
            hint: prices of a similar problem.
            among: those of the pairs that an optimum can contain, where that is known.
        """
        asked = self if among is None else among
        mate = kernel(asked.indptr, asked.hyp, asked.weight, self.n_hyp, hint)
        matched = np.flatnonzero(mate >= 0)
        matching = Matching(matched, mate[matched])
        mate_hyp = np.full(self.n_hyp, -1, dtype=np.int64)
        mate_hyp[matching.hyp_index] = matched
        own = np.zeros(self.n_ref, dtype=np.int64)
        chosen = mate[self.ref] == self.hyp
        own[self.ref[chosen]] = self.weight[chosen]
        own_hyp = np.zeros(self.n_hyp, dtype=np.int64)
        own_hyp[matching.hyp_index] = own[matched]

        least_ref = _least_prices(self, self.transposed, mate, mate_hyp, own_hyp)
        least_hyp = _least_prices(self.transposed, self, mate_hyp, mate, own)
        # Matched words share their pair's weight: where one costs least, the other costs most.
        most_ref, most_hyp = np.zeros_like(least_ref), np.zeros_like(least_hyp)
        most_ref[matched] = own[matched] - least_hyp[mate[matched]]
        most_hyp[matching.hyp_index] = own[matched] - least_ref[matched]
        prices = Prices(least_ref + most_ref, least_hyp + most_hyp)
        if not complementary(prices, matching):
            raise CertificateError("the kernel's matching is not optimal")
        return matching, prices


def _least_prices(
    by_seller: Edges, by_buyer: Edges, mate_of_seller: IntArray, mate: IntArray, own: IntArray
) -> IntArray:
    """The least prices of one side, the sellers, at which no buyer would change partners.

    A buyer gains its pair's weight less its mate's price, so a seller costs at least what each
    buyer would gain with it more than now. This is the Bellman–Ford iteration. It settles if and
    only if the matching is optimal.

    Args:
        by_seller: the pairs, sellers first.
        by_buyer: the same pairs, buyers first.
        mate_of_seller: each seller's buyer, -1 for none.
        mate: each buyer's seller, -1 for none.
        own: what each buyer's pair weighs, 0 for none.
    """
    n_sellers = by_seller.n_ref
    prices = np.zeros(n_sellers + 1, dtype=np.int64)
    if not len(by_seller.ref):
        return prices[:-1]
    starts = np.flatnonzero(np.append(True, by_seller.ref[1:] != by_seller.ref[:-1]))
    sellers = by_seller.ref[starts]
    more = by_seller.weight - own[by_seller.hyp]
    now_of_pair = mate[by_seller.hyp]  # -1 is the last price, which is nobody's: always 0
    n_choices = np.diff(by_buyer.indptr)
    has_changed = np.zeros(n_sellers, dtype=bool)
    changed = sellers
    for step in range(n_sellers + 1):
        buyers = mate_of_seller[changed]
        buyers = buyers[buyers >= 0]
        counts = n_choices[buyers]
        if not step or _SWEEP * counts.sum() > len(more):  # all pairs at a time
            raised = np.maximum.reduceat(more + prices[now_of_pair], starts)
            rises = raised > prices[sellers]
            changed = sellers[rises]
            prices[changed] = raised[rises]
        else:  # only those whose buyer's present price has changed
            row, place = ragged(counts)
            pair = by_buyer.indptr[buyers][row] + place
            offer = by_buyer.weight[pair] + (prices[mate[buyers]] - own[buyers])[row]
            seller = by_buyer.hyp[pair]
            rises = offer > prices[seller]
            seller = seller[rises]
            np.maximum.at(prices, seller, offer[rises])
            has_changed[seller] = True
            changed = np.flatnonzero(has_changed)
            has_changed[changed] = False
        if not len(changed):
            return prices[:-1]
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
        return _solve_reduced(rows, indices, reduced, prices)
    if n_rows <= n_columns:
        return _solve_afresh(rows, indices, saving, n_rows, n_columns)
    return _turned(_solve_afresh(indices, rows, saving, n_columns, n_rows), n_rows)


def _turned(mate: IntArray, n_mates: int) -> IntArray:
    """The mates of the other side."""
    matched = np.flatnonzero(mate >= 0)
    turned = np.full(n_mates, -1, dtype=np.int64)
    turned[mate[matched]] = matched
    return turned


def _solve_afresh(
    rows: IntArray, columns: IntArray, saving: IntArray, n_rows: int, n_columns: int
) -> IntArray:
    """Every row gets a dummy of its own, at the cost of a pair that saves nothing.

    The shorter side has to be the rows: it leaves out fewer words, and time goes into those."""
    most = int(saving.max()) + 1  # weight 0 would count as no pair
    own_dummy = n_columns + np.arange(n_rows)
    return _assign(
        [(rows, columns, most - saving), (np.arange(n_rows), own_dummy, np.full(n_rows, most))],
        n_rows, n_columns, (n_rows, n_columns + n_rows),
    )  # fmt: skip


def _solve_reduced(
    rows: IntArray, columns: IntArray, reduced: IntArray, prices: Prices
) -> IntArray:
    """With prices that hold for nearly all pairs, nearly all of the matching costs nothing.

    Both sides get dummies, and these mirror the pairs among themselves: so every row and column
    is matched always, and subtracting prices does not change the optimum. Prices of columns are
    raised until they hold for all pairs, and the search goes from columns to rows: the solver
    then has far less to look through."""
    n_rows, n_columns = len(prices.ref), len(prices.hyp)
    lack = np.zeros(n_columns, dtype=np.int64)
    np.maximum.at(lack, columns, -reduced)
    of_row, of_column = n_columns + np.arange(n_rows), n_rows + np.arange(n_columns)
    mate = _assign(
        [
            (columns, rows, 1 + reduced + lack[columns]),
            (np.arange(n_columns), of_column, 1 + prices.hyp + lack),
            (of_row, np.arange(n_rows), 1 + prices.ref),
            (n_columns + rows, n_rows + columns, np.ones(len(rows), dtype=np.int64)),
        ],
        n_columns,
        n_rows,
        (n_rows + n_columns, n_rows + n_columns),
    )
    return _turned(mate, n_rows)


def _assign(
    parts: list[tuple[IntArray, IntArray, IntArray]], n_rows: int, n_columns: int,
    shape: tuple[int, int],
) -> IntArray:  # fmt: skip
    """The full matching of least cost, its dummies taken away."""
    row, column, cost = (np.concatenate(each) for each in zip(*parts, strict=True))
    graph = csr_array((cost.astype(np.float64), (row, column)), shape=shape)
    _, mate = min_weight_full_bipartite_matching(graph)
    return np.where(mate[:n_rows] < n_columns, mate[:n_rows], -1).astype(np.int64)
