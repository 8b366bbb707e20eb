"""The proof that a matching is optimal under the tie rule: a price for every word.

For weights w and prices u_j, v_k ≥ 0 with u_j + v_k ≥ w(j, k) for every pair, no matching can
weigh more than Σu + Σv. A matching that reaches this bound is optimal: its pairs meet their
prices exactly, and the words that it leaves out cost nothing (linear programming duality).

The tie rule is a second proof of the same kind. The matchings that reach the bound are those
that take only tight pairs (u_j + v_k = w) and leave out no word of a positive price. Among these
the next level of the objective has weights, prices and a proof of its own, which has to hold
for the tight pairs only.

Prices are kept doubled, so that the midpoint of two whole prices is whole.
"""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from htreval_core.errors import ConfigError
from htreval_core.metrics.matching.savings import Matching, Savings
from htreval_core.model import BoolArray, IntArray

EXACT = 2**53
"""Doubles hold every whole number up to here."""
_PAIRS_AT_ONCE = 1_000_000


class CertificateError(Exception):
    """A matching or its prices do not prove what they claim: a fault of the program."""


@dataclass(frozen=True, slots=True)
class Terms:
    """How one level of the objective weighs a pair: S·saving + equal·equals − near·d(d−1)."""

    saving: int = 0
    equal: int = 0
    near: int = 0

    def weigh(self, savings: Savings, ref_index: IntArray, hyp_index: IntArray) -> IntArray:
        """The weights of the given pairs, shape (n,)."""
        weights = np.zeros(len(ref_index), dtype=np.int64)
        if self.saving:
            weights += self.saving * savings.of(ref_index, hyp_index)
        if self.equal:
            ref, hyp = savings.words.common
            weights += self.equal * (ref[ref_index] == hyp[hyp_index])
        if self.near:
            apart = hyp_index - ref_index
            weights -= self.near * (apart * (apart - 1))
        return weights


def objective_terms(savings: Savings) -> tuple[Terms, ...]:
    """The levels of the objective, with saving and equal pairs in one where doubles hold that.

    Raises:
        ConfigError: γ has more digits than doubles can hold for the savings of a page this long.
    """
    n_pairs = min(len(savings.words.ref), len(savings.words.hyp))
    # The solver adds up and subtracts a few weights on its way: leave it room.
    if 16 * (n_pairs + 1) * (savings.largest + 1) < EXACT:
        return Terms(saving=n_pairs + 1, equal=1), Terms(near=1)
    if 16 * savings.largest < EXACT:
        return Terms(saving=1), Terms(equal=1), Terms(near=1)
    raise ConfigError(
        f"gamma={float(savings.gamma):g}: has too many digits for a page of {savings.words.longer} "
        "words; give fewer decimals"
    )


@dataclass(frozen=True, slots=True, eq=False)
class Prices:
    """A price for every word of both sides, doubled."""

    ref: IntArray
    hyp: IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Level:
    """One level of the objective with the prices that prove it.

    Args:
        terms: the weight of a pair.
        bonus: what a pair weighs in addition for each of its words that no matching may leave
            out, because the word has a positive price at an earlier level. Any size is valid.
        needed_ref: which reference words carry that bonus, shape (reference words,).
        needed_hyp: which hypothesis words carry it.
        prices: the doubled prices.
    """

    terms: Terms
    bonus: int
    needed_ref: BoolArray
    needed_hyp: BoolArray
    prices: Prices

    def weigh(self, savings: Savings, ref_index: IntArray, hyp_index: IntArray) -> IntArray:
        """The weights of the given pairs with their bonus, shape (n,)."""
        weights = self.terms.weigh(savings, ref_index, hyp_index)
        if self.bonus:
            weights += self.bonus * self.needed_ref[ref_index]
            weights += self.bonus * self.needed_hyp[hyp_index]
        return weights

    def slack(self, savings: Savings, ref_index: IntArray, hyp_index: IntArray) -> IntArray:
        """By how much the prices of the given pairs exceed their doubled weights."""
        weights = self.weigh(savings, ref_index, hyp_index)
        return self.prices.ref[ref_index] + self.prices.hyp[hyp_index] - 2 * weights


Duals: TypeAlias = tuple[Level, ...]
"""The levels of the objective, the weightiest first."""


def complementary(prices: Prices, matching: Matching) -> bool:
    """Whether no price is negative and every word that is left out costs nothing."""
    left_ref = np.ones(len(prices.ref), dtype=bool)
    left_hyp = np.ones(len(prices.hyp), dtype=bool)
    left_ref[matching.ref_index] = False
    left_hyp[matching.hyp_index] = False
    negative = (prices.ref < 0).any() or (prices.hyp < 0).any()
    return not (negative or prices.ref[left_ref].any() or prices.hyp[left_hyp].any())


def verify(savings: Savings, matching: Matching, duals: Duals) -> None:
    """Check the proof pair by pair, over all pairs of words of the page.

    Needs time for every pair, but memory for a million of them only.

    Raises:
        CertificateError: this is no matching, or the prices do not prove it optimal.
    """
    n_ref, n_hyp = len(savings.words.ref), len(savings.words.hyp)
    for index, size in ((matching.ref_index, n_ref), (matching.hyp_index, n_hyp)):
        if len(np.unique(index)) != len(index) or ((index < 0) | (index >= size)).any():
            raise CertificateError("a word is matched twice, or does not exist")
    if tuple(level.terms for level in duals) != objective_terms(savings):
        raise CertificateError("the levels do not make up saving, then equal pairs, then nearness")
    needed_ref = np.zeros(n_ref, dtype=bool)
    needed_hyp = np.zeros(n_hyp, dtype=bool)
    for level in duals:
        if level.bonus and not (
            np.array_equal(level.needed_ref, needed_ref)
            and np.array_equal(level.needed_hyp, needed_hyp)
        ):
            raise CertificateError("words carry a bonus that earlier prices do not give them")
        if not complementary(level.prices, matching):
            raise CertificateError("a price is negative, or a word of a positive price is left out")
        if level.slack(savings, matching.ref_index, matching.hyp_index).any():
            raise CertificateError("a matched pair does not meet its prices")
        needed_ref = needed_ref | (level.prices.ref > 0)
        needed_hyp = needed_hyp | (level.prices.hyp > 0)

    rows = max(1, _PAIRS_AT_ONCE // max(n_hyp, 1))
    for start in range(0, n_ref, rows):
        ref = np.arange(start, min(start + rows, n_ref)).repeat(n_hyp)
        hyp = np.tile(np.arange(n_hyp), len(ref) // max(n_hyp, 1))
        for level in duals:
            slack = level.slack(savings, ref, hyp)
            if (slack < 0).any():
                raise CertificateError("a pair outweighs its prices: the matching is not optimal")
            tight = slack == 0
            ref, hyp = ref[tight], hyp[tight]
