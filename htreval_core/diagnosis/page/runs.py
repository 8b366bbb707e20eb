"""Matching by runs of words, where single words say too little: lists, registers, long pages.

The regularised matching pairs each word with an equal one nearby. If a whole half of a register
stands elsewhere, there is one nearby for nearly every word.
"""

import numpy as np

from htreval_core.diagnosis.limits import RUNS
from htreval_core.model import Alignment, IntArray

_BASE = np.int64(6364136223846793005)


def match_runs(matching: Alignment) -> Alignment:
    """The matching, but runs of words that stand just once on each side go with each other.

    Args:
        matching: it stays as it is where neither word is part of such a run.
    """
    numbers: dict[str, int] = {}
    ref, hyp = (
        np.array([numbers.setdefault(word, len(numbers)) for word in words], dtype=np.int64)
        for words in (matching.ref_words, matching.hyp_words)
    )
    length = _length(ref)
    own, theirs = _once(_keys(ref, length)), _once(_keys(hyp, length))
    _, of_ref, of_hyp = np.intersect1d(own[0], theirs[0], True, return_indices=True)
    at_ref, at_hyp = own[1][of_ref], theirs[1][of_hyp]
    rising = np.argsort(at_ref)
    at_ref, at_hyp = at_ref[rising], at_hyp[rising]
    # Between two runs that are as far apart on both sides stand the same words, misread.
    reach = np.full(len(at_ref), length)
    ahead = np.diff(at_ref)
    goes_on = (ahead == np.diff(at_hyp)) & (ahead <= RUNS.GAP)
    reach[:-1] = np.where(goes_on, np.maximum(ahead, length), length)
    steps = np.concatenate([np.arange(n) for n in reach]) if len(reach) else reach
    mate = np.full(len(ref), -1)
    mate[np.repeat(at_ref, reach) + steps] = np.repeat(at_hyp, reach) + steps
    taken = np.zeros(len(hyp), dtype=bool)
    paired = np.flatnonzero(mate >= 0)
    _, first = np.unique(mate[paired], return_index=True)
    mate[np.setdiff1d(paired, paired[first])] = -1
    taken[mate[mate >= 0]] = True
    for j, k in zip(*(side.tolist() for side in matching.pairs), strict=True):
        if mate[j] < 0 and not taken[k]:
            mate[j], taken[k] = k, True
    left = np.flatnonzero(~taken)
    ref_index = np.concatenate([np.arange(len(ref)), np.full(len(left), -1)])
    return Alignment(
        ref_index, np.concatenate([mate, left]), matching.ref_words, matching.hyp_words
    )


def _length(words: IntArray) -> int:
    """The fewest words of a run that hardly ever stands twice."""
    for length in range(RUNS.LEAST, RUNS.LONGEST):
        keys = _keys(words, length)
        if len(np.unique(keys)) >= RUNS.MOSTLY_ONCE * len(keys):
            return length
    return RUNS.LONGEST


def _keys(words: IntArray, length: int) -> IntArray:
    """A number for each run of this length, shape (runs,); equal runs have equal numbers."""
    n = max(len(words) - length + 1, 0)
    keys = np.zeros(n, dtype=np.int64)
    for step in range(length):
        keys = keys * _BASE + words[step : step + n]
    return keys


def _once(keys: IntArray) -> tuple[IntArray, IntArray]:
    """The keys that stand there once, rising, and where."""
    found, first, times = np.unique(keys, return_index=True, return_counts=True)
    return found[times == 1], first[times == 1]
