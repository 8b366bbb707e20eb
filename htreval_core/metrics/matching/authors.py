"""The matching as the authors' program finds it, to repeat its values to the digit.

It fills a float matrix of twice the longer text squared (both texts padded to equal length, then
as many dummies again on both sides) and takes whichever optimal matching the dense solver
returns (https://github.com/PRHLT/E2EHTREval). NSFD and hCER depend on that choice. Kept as a
preset and as a test oracle; the whole-number solver is exact, faster, and has a tie rule.
"""

import numpy as np
from scipy.optimize import linear_sum_assignment

from htreval_core.metrics.matching.savings import Matching
from htreval_core.metrics.words import WordPair
from htreval_core.model import IntArray


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
