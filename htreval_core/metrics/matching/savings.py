"""The regularised matching as a problem in whole numbers.

With γ = p/q and M = max(|X|, |Y|), and in units of 1/(2Mq), matching reference word j with
hypothesis word k instead of leaving both out saves

    S(j, k) = M·q·(|x_j| + |y_k| − 2·lev(x_j, y_k)) + 4p − 2p·|j − k|.

The matching of least cost is the partial matching of greatest total saving. Whole numbers
have no rounding, so an optimum is an optimum and a tie is a tie.

Ties are broken the same way everywhere: among the optimal matchings the one with the most
pairs of equal words, and among those the one with the least Σ (k−j)(k−j−1). That sum is
strictly convex in k − j, so equal words never cross. A pair that saves exactly nothing is
matched only if its words are equal. Of matchings that are equal in all of that, the one counts
that leaves out the first reference word in which they differ, or else gives it the earliest mate
(``settle``): so there is one matching, and not only one cost.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from htreval_core.metrics.words import WordPair
from htreval_core.model import IntArray


@dataclass(frozen=True, eq=False)
class Savings:
    """What every pair of words of a page would save, in whole units of 1/(2Mq)."""

    words: WordPair
    gamma: Fraction

    @property
    def per_letter(self) -> int:
        """What a pair saves for each letter that it spares: Mq."""
        return self.words.longer * self.gamma.denominator

    @property
    def per_step(self) -> int:
        """What a pair loses for each position that its words stand apart: 2p."""
        return 2 * self.gamma.numerator

    def of_types(self, ref_type: IntArray, hyp_type: IntArray) -> IntArray:
        """The part that depends on the words alone, for given pairs of word types."""
        words = self.words
        letters = words.ref_lengths[ref_type] + words.hyp_lengths[hyp_type]
        letters -= 2 * words.distances_of(ref_type, hyp_type)
        letters *= self.per_letter
        letters += 4 * self.gamma.numerator
        return letters

    def of(self, ref_index: IntArray, hyp_index: IntArray) -> IntArray:
        """S(j, k) of the given pairs, shape (n,)."""
        words = self.words
        by_type = self.of_types(words.ref[ref_index], words.hyp[hyp_index])
        return by_type - self.per_step * np.abs(ref_index - hyp_index)

    @cached_property
    def largest(self) -> int:
        """No saving is larger than this, nor any loss: a bound that itself cannot overflow."""
        words = self.words
        letters = words.longest_ref + words.longest_hyp
        return self.per_letter * letters + self.per_step * (words.longer + 2)

    def unmatched_cost(self) -> int:
        """The cost of leaving every word of both sides out."""
        words = self.words
        n_words = len(words.ref) + len(words.hyp)
        letters = int(words.ref_lengths[words.ref].sum() + words.hyp_lengths[words.hyp].sum())
        return self.per_letter * letters + 2 * self.gamma.numerator * n_words


@dataclass(frozen=True, slots=True, eq=False)
class Matching:
    """Matched positions, sorted by reference position.

    ``ref_index[i]`` is matched with ``hyp_index[i]``; words that occur in neither are left out.
    """

    ref_index: IntArray
    hyp_index: IntArray

    def __len__(self) -> int:
        return len(self.ref_index)


def objective(savings: Savings, matching: Matching) -> tuple[int, int, int]:
    """(total saving, pairs of equal words, Σ d(d−1)) of a matching, what the solvers optimise."""
    words = savings.words
    ref, hyp = words.common
    ref_index, hyp_index = matching.ref_index, matching.hyp_index
    apart = hyp_index - ref_index
    ref_type, hyp_type = words.ref[ref_index], words.hyp[hyp_index]
    letters = words.ref_lengths[ref_type] + words.hyp_lengths[hyp_type]
    letters -= 2 * words.distances_of(ref_type, hyp_type)
    # Python's own whole numbers from here: γ may have any number of digits.
    total = savings.per_letter * int(letters.sum())
    total += savings.per_step * (2 * len(matching) - int(np.abs(apart).sum()))
    exact = int((ref[ref_index] == hyp[hyp_index]).sum())
    return total, exact, int((apart * (apart - 1)).sum())


def distance(savings: Savings, matching: Matching) -> Fraction:
    """d_h, the cost of a matching in characters (Vidal et al. 2023, Sec. 5)."""
    total, _, _ = objective(savings, matching)
    if not savings.words.longer:
        return Fraction(0)
    units = 2 * savings.words.longer * savings.gamma.denominator
    return Fraction(savings.unmatched_cost() - total, units)
