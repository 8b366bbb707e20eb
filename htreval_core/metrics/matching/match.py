"""The regularised Hungarian matching of a page's words (Vidal et al. 2023, Sec. 5)."""

from fractions import Fraction

import numpy as np
from scipy.optimize import linear_sum_assignment

from htreval_core.metrics.matching.certificate import (
    CertificateError,
    Duals,
    Level,
    Prices,
    Terms,
    objective_terms,
    verify,
)
from htreval_core.metrics.matching.dense import solve_dense, weights
from htreval_core.metrics.matching.edges import Edges, Kernel, scipy_kernel
from htreval_core.metrics.matching.pricing import Offers, Positions, Pricing
from htreval_core.metrics.matching.savings import Matching, Savings
from htreval_core.metrics.matching.settle import first_of_equals
from htreval_core.metrics.matching.start import likely_pairs
from htreval_core.metrics.words import WordPair
from htreval_core.model import Alignment, BoolArray, IntArray
from htreval_core.settings import exact_gamma


def match_words(
    words: WordPair, gamma: float | str | Fraction = 1, *, check: bool = False
) -> Matching:
    """The matching of least cost Σ lev + γ·|j−k|/M, leaving a word w out at |w|/2 + γ/M.

    Ties go to the most equal pairs, then to the least Σ (k−j)(k−j−1), then to the matching that
    leaves out the first reference word that is not in all, or else gives it the earliest mate.

    Args:
        words: the words of both sides.
        gamma: weight of the distance between positions.
        check: always find the matching with its proof of optimality, and check that proof over
            all pairs of words. Slow; for hunting faults.

    Raises:
        ConfigError: γ has too many digits for so long a page.
        CertificateError: the check failed.
    """
    savings = Savings(words, exact_gamma(gamma))
    weighed = None if check else weights(savings)
    if weighed:
        # Up to about 600 words, and there it is the faster of the two at every size.
        return pair_leftovers(savings, solve_dense(savings, weighed))
    matching, duals = solve_sparse(savings)
    if check:
        verify(savings, matching, duals)
    return pair_leftovers(savings, matching)


def pair_leftovers(savings: Savings, matching: Matching) -> Matching:
    """Also pair left-over words that stand in the same or the next place and save exactly 0.

    Neither the cost, nor the equal pairs, nor Σ d(d−1) changes. Such pairs occur at γ = 0 and on
    pages of up to 4γ words; unpaired, one misread word would count as two unmatched ones.
    """
    words = savings.words
    # In whole numbers: fractions are slow, and this is asked of every page.
    if savings.gamma and words.longer * savings.gamma.denominator > 4 * savings.gamma.numerator:
        return matching
    free_ref = np.setdiff1d(np.arange(len(words.ref)), matching.ref_index)
    free_hyp = set(np.setdiff1d(np.arange(len(words.hyp)), matching.hyp_index).tolist())
    added = []
    for j in free_ref.tolist():
        for k in (j, j + 1):
            if k in free_hyp and not savings.of(np.array([j]), np.array([k]))[0]:
                free_hyp.remove(k)
                added.append((j, k))
                break
    ref, hyp = np.array(added, dtype=np.int64).reshape(-1, 2).T
    ref, hyp = np.append(matching.ref_index, ref), np.append(matching.hyp_index, hyp)
    order = np.argsort(ref)
    return Matching(ref[order], hyp[order])


def as_alignment(
    words: WordPair, matching: Matching, left_over: IntArray | None = None
) -> Alignment:
    """The matching over all words: reference words in order, then hypothesis words left over.

    Args:
        left_over: the unmatched hypothesis positions in an order of the caller's; their own by
            default.
    """
    n_ref, n_hyp = len(words.ref), len(words.hyp)
    n_rows = n_ref + n_hyp - len(matching)
    if left_over is None:
        free = np.ones(n_hyp, dtype=bool)
        free[matching.hyp_index] = False
        left_over = free.nonzero()[0]
    ref, hyp = np.arange(n_rows), np.empty(n_rows, dtype=np.int64)
    ref[n_ref:] = -1
    hyp[:n_ref] = -1
    hyp[matching.ref_index] = matching.hyp_index
    hyp[n_ref:] = left_over
    return Alignment(ref, hyp, words.ref_words, words.hyp_words)


def match_like_authors(words: WordPair, gamma: float) -> tuple[Matching, IntArray]:
    """The matching that scipy returns for the authors' float matrix.

    Returns:
        The matching, and the unmatched hypothesis positions in the order in which the solver
        gave them dummies: the authors' hCER appends them in that order.
    """
    n_ref, n_hyp, longer = len(words.ref), len(words.hyp), words.longer
    cost = np.zeros((2 * longer, 2 * longer))
    apart = np.abs(np.arange(n_ref)[:, None] - np.arange(n_hyp))
    letters = words.distances[words.ref[:, None], words.hyp].astype(float)
    cost[:n_ref, :n_hyp] = letters + apart / longer * gamma
    # A dummy against a dummy is free; against a word it costs half the word's letters.
    alone = 1 / max(longer, 1) * gamma
    cost[:n_ref, n_hyp:] = (words.ref_lengths[words.ref] * 0.5 + alone)[:, None]
    cost[n_ref:, :n_hyp] = words.hyp_lengths[words.hyp] * 0.5 + alone
    rows, columns = linear_sum_assignment(cost)
    real = (rows < n_ref) & (columns < n_hyp)
    left_over = columns[(rows >= n_ref) & (columns < n_hyp)]
    return Matching(rows[real], columns[real]), left_over


_ROUGHLY = (8, 16)
"""Into how many parts of what a letter saves weights are rounded at first, round by round. The
kernel is quick where few pairs differ by little; prices so found are good enough to find most of
the pairs that are missing."""
_NEARLY = 4
"""By how many such parts a pair may weigh less than its rough prices and be taken all the same."""


def solve_sparse(savings: Savings, kernel: Kernel = scipy_kernel) -> tuple[Matching, Duals]:
    """The optimal matching under the tie rule, and the proof of it.

    Raises:
        ConfigError: γ has too many digits for so long a page.
    """
    words = savings.words
    n_ref, n_hyp = len(words.ref), len(words.hyp)
    terms, *tie_terms = objective_terms(savings)
    nothing_ref, nothing_hyp = np.zeros(n_ref, dtype=bool), np.zeros(n_hyp, dtype=bool)
    if not n_ref or not n_hyp:
        free = Prices(np.zeros(n_ref, dtype=np.int64), np.zeros(n_hyp, dtype=np.int64))
        empty = np.zeros(0, dtype=np.int64)
        return Matching(empty, empty), tuple(
            Level(level, 0, nothing_ref, nothing_hyp, free) for level in (terms, *tie_terms)
        )

    pricing = Pricing(savings, terms)
    ref, hyp = likely_pairs(words, pricing.ref, pricing.hyp)
    edges = Edges.of(n_ref, n_hyp, ref, hyp, terms.weigh(savings, ref, hyp))
    for parts in _ROUGHLY:
        unit = max(1, terms.saving * savings.per_letter // parts)
        _, rough = edges.rounded(unit).solve(kernel, None)
        prices = Prices(unit * rough.ref, unit * rough.hyp)
        known = len(edges)
        edges = edges.plus(*pricing.outweighing(prices, at_least=-_NEARLY * unit))
        if len(edges) < known + n_ref:  # hardly any were missing
            break
    matching, prices = edges.solve(kernel, prices)
    while True:
        offers = pricing.offers(prices, at_least=0)
        ref, hyp, weight = pricing.chosen(offers, prices)
        if not len(ref):
            break
        known = len(edges)
        edges = edges.plus(ref, hyp, weight)
        if len(edges) == known:
            raise CertificateError("prices do not hold for the pairs that they were made from")
        matching, prices = edges.solve(kernel, prices, edges.that_matter(prices))

    first = Level(terms, 0, nothing_ref, nothing_hyp, prices)
    ties = TieBreaker(savings, pricing, kernel, first, edges, offers)
    for level in tie_terms:
        matching = ties.add(level)
    return ties.first_of_equals(matching), ties.duals


_NONE = np.zeros(0, dtype=np.int64)
_NO_PAIRS = _NONE, _NONE


class TieBreaker:
    """Adds levels to a proof, one term of the tie rule at a time."""

    def __init__(
        self, savings: Savings, pricing: Pricing, kernel: Kernel, first: Level, edges: Edges,
        tight: Offers,
    ) -> None:  # fmt: skip
        self._savings = savings
        self._pricing = pricing
        self._kernel = kernel
        self._tight = tight
        self._ref, self._hyp = edges.ref, edges.hyp
        self._keep_tight(first)
        self._all_tight: Positions = _NO_PAIRS
        self.duals: Duals = (first,)

    def add(self, terms: Terms) -> Matching:
        """Settle the next term; the proof in ``duals`` grows by a level."""
        needed_ref = np.any([level.prices.ref > 0 for level in self.duals], axis=0)
        needed_hyp = np.any([level.prices.hyp > 0 for level in self.duals], axis=0)
        bonus = 0
        hint = Prices(np.zeros(len(needed_ref), np.int64), np.zeros(len(needed_hyp), np.int64))
        while True:
            weight = terms.weigh(self._savings, self._ref, self._hyp)
            more = 1 + _spread(weight, self._ref) - bonus
            bonus += more
            hint = Prices(hint.ref + 2 * more * needed_ref, hint.hyp + 2 * more * needed_hyp)
            weight += bonus * needed_ref[self._ref] + bonus * needed_hyp[self._hyp]
            n_ref, n_hyp = len(needed_ref), len(needed_hyp)
            edges = Edges.of(n_ref, n_hyp, self._ref, self._hyp, weight)
            matching, hint = edges.solve(self._kernel, hint)
            level = Level(terms, bonus, needed_ref, needed_hyp, hint)
            ref, hyp, outweighs = self._at_least_tight(level)
            if not outweighs.any():
                break
            ref, hyp = ref[outweighs], hyp[outweighs]
            self._ref, self._hyp = np.append(self._ref, ref), np.append(self._hyp, hyp)
        covered = needed_ref[matching.ref_index].sum() + needed_hyp[matching.hyp_index].sum()
        if covered != needed_ref.sum() + needed_hyp.sum():
            raise CertificateError("breaking ties left out a word that no optimum leaves out")
        self._keep_tight(level)
        self.duals = (*self.duals, level)
        self._all_tight = ref, hyp
        return matching

    def first_of_equals(self, matching: Matching) -> Matching:
        """The one that the last rule takes of those that are equal under all terms."""
        ref, hyp = self._all_tight
        words, savings = self._savings.words.common, self._savings
        useful = (savings.of(ref, hyp) > 0) | (words[0][ref] == words[1][hyp])
        needed_ref = np.any([level.prices.ref > 0 for level in self.duals], axis=0)
        needed_hyp = np.any([level.prices.hyp > 0 for level in self.duals], axis=0)
        return first_of_equals(matching, (ref[useful], hyp[useful]), needed_ref, needed_hyp)

    def _keep_tight(self, level: Level) -> None:
        tight = level.slack(self._savings, self._ref, self._hyp) == 0
        self._ref, self._hyp = self._ref[tight], self._hyp[tight]

    def _at_least_tight(self, level: Level) -> tuple[IntArray, IntArray, BoolArray]:
        """Tight pairs that weigh as much as their prices at the new level, or more: which do."""
        first = self.duals[0].prices
        found_ref, found_hyp, outweighs = [_NONE], [_NONE], [_NONE > 0]
        reach = self._reach(level)
        for ref, hyp in self._pricing.tight(self._tight, first, reach):
            for earlier in self.duals[1:]:
                tight = earlier.slack(self._savings, ref, hyp) == 0
                ref, hyp = ref[tight], hyp[tight]
            slack = level.slack(self._savings, ref, hyp)
            found = slack <= 0
            found_ref.append(ref[found])
            found_hyp.append(hyp[found])
            outweighs.append(slack[found] < 0)
        return np.concatenate(found_ref), np.concatenate(found_hyp), np.concatenate(outweighs)

    def _reach(self, level: Level) -> IntArray:
        """How far apart the words of each offer can be and still weigh as much as their prices."""
        offers = self._tight
        prices = level.prices
        if not level.terms.near:
            return np.full(len(offers.ref), len(prices.ref) + len(prices.hyp))
        spare_ref = 2 * level.bonus * level.needed_ref - prices.ref
        spare_hyp = 2 * level.bonus * level.needed_hyp - prices.hyp
        most = -self._pricing.hyp.least(-spare_hyp)
        spare = spare_ref[offers.ref] + most[offers.hyp_type]
        # 2·d(d−1) < spare and (|d|−1)² ≤ d(d−1)
        reach = 1 + np.sqrt(np.maximum(spare, 0) / 2).astype(np.int64)
        return np.where(spare >= 0, reach + 1, -1)


def _spread(weight: IntArray, ref: IntArray) -> int:
    """No two matchings over these pairs differ by more; ``ref`` need not be sorted."""
    if not len(ref):
        return 0
    most = np.zeros(int(ref.max()) + 1, dtype=np.int64)
    least = np.zeros_like(most)
    np.maximum.at(most, ref, weight)
    np.minimum.at(least, ref, weight)
    return int(most.sum() - least.sum())
