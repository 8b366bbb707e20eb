"""The regularised Hungarian matching of a page's words (Vidal et al. 2023, Sec. 5)."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from htreval_core.metrics.dense import fits, solve_dense
from htreval_core.metrics.savings import Matching, Savings, exact_gamma
from htreval_core.metrics.words import WordPair
from htreval_core.model import Alignment


def match_words(words: WordPair, gamma: float | str | Fraction = 1) -> Matching:
    """The matching of least cost Σ lev + γ·|j−k|/M, leaving a word w out at |w|/2 + γ/M.

    Ties go to the most equal pairs, then to the least Σ (k−j)(k−j−1).
    """
    return solve_dense(Savings(words, exact_gamma(gamma)))


def as_alignment(words: WordPair, matching: Matching) -> Alignment:
    """The matching over all words: reference words in order, then hypothesis words left over."""
    n_ref, n_hyp = len(words.ref), len(words.hyp)
    mate = np.full(n_ref, -1, dtype=np.int64)
    mate[matching.ref_index] = matching.hyp_index
    left_over = np.ones(n_hyp, dtype=bool)
    left_over[matching.hyp_index] = False
    extra = np.flatnonzero(left_over)
    return Alignment(
        np.concatenate([np.arange(n_ref), np.full(len(extra), -1)]),
        np.concatenate([mate, extra]),
        words.ref_words,
        words.hyp_words,
    )
