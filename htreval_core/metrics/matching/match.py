"""The regularised Hungarian matching of a page's words (Vidal et al. 2023, Sec. 5)."""

from fractions import Fraction

import numpy as np
from scipy.optimize import linear_sum_assignment

from htreval_core.metrics.matching.certificate import verify
from htreval_core.metrics.matching.dense import solve_dense, weights
from htreval_core.metrics.matching.savings import Matching, Savings
from htreval_core.metrics.matching.sparse import solve_sparse
from htreval_core.metrics.words import WordPair
from htreval_core.model import Alignment, IntArray
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
