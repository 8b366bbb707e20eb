"""How much a match of words says against chance, in bits."""

from collections import Counter
from collections.abc import Collection, Sequence

import numpy as np
from rapidfuzz import process
from rapidfuzz.distance import Levenshtein

from htreval_core.diagnosis.limits import EVIDENCE
from htreval_core.model import FloatArray

Pair = tuple[int, int]


class Evidence:
    """What each pair of words of a page is worth, and how much a displaced stretch needs.

    A match of a rare word says much, one of "the" says little: log2(n / frequency) bits, and for a
    word that was not read letter by letter no more than its letters allow.
    """

    def __init__(self, ref_words: Sequence[str], hyp_words: Sequence[str]) -> None:
        self._ref, self._hyp = ref_words, hyp_words
        counts = Counter(ref_words)
        n = max(len(ref_words), 2)
        rare = {word: float(np.log2(n / count)) for word, count in counts.items()}
        self._rare = np.array([rare[word] for word in ref_words])
        agree = sum(count * (count - 1) for count in counts.values()) / (n * (n - 1))
        # Where two words are so often the same, it counts how many stretches might agree.
        self._anywhere = EVIDENCE.SURER + float(np.log2(n)) if agree > EVIDENCE.AGREE else 0.0

    @property
    def of_words(self) -> FloatArray:
        """The bits of each reference word read right, shape (words,)."""
        return self._rare

    def of_pairs(self, pairs: Sequence[Pair]) -> FloatArray:
        """The bits of each pair (reference, hypothesis), shape (pairs,); 0 at least."""
        if not pairs:
            return np.zeros(0)
        at = [j for j, _ in pairs]
        ref = [self._ref[j] for j in at]
        hyp = [self._hyp[k] for _, k in pairs]
        wrong = process.cpdist(ref, hyp, scorer=Levenshtein.distance, dtype=np.int32)
        longer = np.maximum(
            np.fromiter(map(len, ref), np.int64, len(ref)),
            np.fromiter(map(len, hyp), np.int64, len(hyp)),
        )
        letters = EVIDENCE.PER_LETTER * (longer - (1 + EVIDENCE.PER_ERROR) * wrong)
        bits: FloatArray = np.clip(np.minimum(self._rare[at], letters), 0.0, None)
        return bits

    def needed(self, distance: float) -> float:
        """The bits that rule out chance for a stretch this many words from its place."""
        places = EVIDENCE.PER_PLACE * float(np.log2(max(distance, 2.0)))
        return max(EVIDENCE.LEAST, EVIDENCE.SURE + places + self._anywhere)

    def of_chunks(self, chunks: Collection[Sequence[Pair]]) -> list[float]:
        """For each chunk, pairs that rise on both sides, its bits, shape (chunks,).

        What skipping words leaves to choose is taken off.
        """
        pairs = [pair for chunk in chunks for pair in chunk]
        bits = self.of_pairs(pairs)
        free = np.log2(np.maximum(np.diff(np.array(pairs).reshape(-1, 2), axis=0), 1))
        said: list[float] = []
        start = 0
        for chunk in chunks:
            end = start + len(chunk)
            said.append(float(bits[start:end].sum() - free[start : end - 1].sum()))
            start = end
        return said
