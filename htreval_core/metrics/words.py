"""Words become integers once; every alignment, and the bags of bWER, work on those."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
from rapidfuzz import process
from rapidfuzz.distance import Levenshtein

from htreval_core.model import EditCounts, IntArray

TABLE_LIMIT = 2**26
"""The most pairs of word types whose distances are kept as a table, one byte or two each."""

_GIGANTIC = 5000
"""The length in characters that nobody's word has; a file with one is refused."""


def _far(ref: str, hyp: str) -> int:
    return int(Levenshtein.distance(ref, hyp, score_hint=64))


def _number(words: Sequence[str]) -> tuple[dict[str, int], IntArray]:
    """The different words in order of appearance with their numbers, and each word's number."""
    numbers: dict[str, int] = {}
    ids = [numbers.setdefault(word, len(numbers)) for word in words]
    return numbers, np.array(ids, dtype=np.int64)


def as_text(ids: IntArray) -> str:
    """Words as a text of one sign each, which is compared sooner than a list of numbers."""
    return ids.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")


def distance(ref: IntArray, hyp: IntArray, *, at_most: int | None = None) -> int:
    """The word edit distance of numbered words.

    Args:
        at_most: nobody asks how many more there are; ``at_most + 1`` stands for any of these.
    """
    return int(Levenshtein.distance(as_text(ref), as_text(hyp), score_cutoff=at_most))


@dataclass(frozen=True, eq=False)
class WordPair:
    """The reference and hypothesis words of a page, with what all metrics need of them.

    ``ref`` and ``hyp`` number each side's own different words: ``ref_types[ref[j]]`` is the
    j-th reference word. Built once per page, read by every metric.
    """

    ref_words: tuple[str, ...]
    hyp_words: tuple[str, ...]
    ref_types: list[str]
    hyp_types: list[str]
    ref: IntArray
    hyp: IntArray
    shared: tuple[IntArray, IntArray]
    """Numbers of the word types on both sides: in ``ref_types`` and in ``hyp_types``."""

    @classmethod
    def of(cls, ref_words: Sequence[str], hyp_words: Sequence[str]) -> "WordPair":
        ref_numbers, ref = _number(ref_words)
        hyp_numbers, hyp = _number(hyp_words)
        ref_types, hyp_types = list(ref_numbers), list(hyp_numbers)
        twins = np.array([hyp_numbers.get(word, -1) for word in ref_types], dtype=np.int64)
        in_ref = (twins >= 0).nonzero()[0]
        shared = in_ref, twins[in_ref]
        return cls(tuple(ref_words), tuple(hyp_words), ref_types, hyp_types, ref, hyp, shared)

    @property
    def longer(self) -> int:
        """M = max(|X|, |Y|)."""
        return max(len(self.ref_words), len(self.hyp_words))

    @cached_property
    def common(self) -> tuple[IntArray, IntArray]:
        """Both sides over one numbering: equal numbers if and only if equal words."""
        n_ref = len(self.ref_types)
        translate = np.arange(n_ref, n_ref + len(self.hyp_types))
        in_ref, in_hyp = self.shared
        translate[in_hyp] = in_ref
        return self.ref, translate[self.hyp]

    @cached_property
    def ref_lengths(self) -> IntArray:
        """Characters of each reference word type."""
        return np.fromiter(map(len, self.ref_types), np.int64, len(self.ref_types))

    @cached_property
    def hyp_lengths(self) -> IntArray:
        """Characters of each hypothesis word type."""
        return np.fromiter(map(len, self.hyp_types), np.int64, len(self.hyp_types))

    @cached_property
    def longest_ref(self) -> int:
        """Characters of the longest reference word."""
        return int(self.ref_lengths.max(initial=0))

    @cached_property
    def longest_hyp(self) -> int:
        """Characters of the longest hypothesis word."""
        return int(self.hyp_lengths.max(initial=0))

    @cached_property
    def distances(self) -> npt.NDArray[np.integer]:
        """Character edit distance of every reference word type to every hypothesis word type.

        Shape (reference types, hypothesis types), in the smallest dtype that holds the longest
        word: cast before you do sums with it.
        """
        return self._table(self.ref_types, self.hyp_types)

    def distances_from(self, ref_type: IntArray) -> npt.NDArray[np.integer]:
        """Rows of ``distances``, without the whole table where that would be too large to keep."""
        if self._keeps_table:
            return self.distances[ref_type]
        return self._table([self.ref_types[i] for i in ref_type.tolist()], self.hyp_types)

    def distances_to(self, hyp_type: IntArray) -> npt.NDArray[np.integer]:
        """Columns of ``distances`` as rows: shape (given hypothesis types, reference types)."""
        if self._keeps_table:
            return np.ascontiguousarray(self.distances[:, hyp_type].T)
        return self._table([self.hyp_types[i] for i in hyp_type.tolist()], self.ref_types)

    def distances_between(self, ref_type: IntArray, hyp_type: IntArray) -> npt.NDArray[np.integer]:
        """Rows and columns of ``distances``, shape (reference types, hypothesis types) as given."""
        if self._keeps_table:
            return self.distances[ref_type[:, None], hyp_type]
        rows = [self.ref_types[i] for i in ref_type.tolist()]
        return self._table(rows, [self.hyp_types[i] for i in hyp_type.tolist()])

    def distances_of(self, ref_type: IntArray, hyp_type: IntArray) -> IntArray:
        """The distance of each given pair of word types, shape as given."""
        if self._keeps_table:
            return self.distances[ref_type, hyp_type].astype(np.int64)
        ref = [self.ref_types[i] for i in ref_type.tolist()]
        hyp = [self.hyp_types[i] for i in hyp_type.tolist()]
        pairs = process.cpdist(ref, hyp, scorer=Levenshtein.distance, dtype=np.int64)
        return np.asarray(pairs, dtype=np.int64)

    @property
    def _keeps_table(self) -> bool:
        return len(self.ref_types) * len(self.hyp_types) <= TABLE_LIMIT

    def _table(self, rows: list[str], columns: list[str]) -> npt.NDArray[np.integer]:
        longest = max(self.longest_ref, self.longest_hyp)
        dtype = np.uint8 if longest < 2**8 else np.uint16 if longest < 2**16 else np.uint32
        shorter = [rows, columns]
        if longest > _GIGANTIC:
            shorter = [
                [word if len(word) <= _GIGANTIC else "" for word in side] for side in shorter
            ]
        table: npt.NDArray[np.integer] = process.cdist(
            *shorter, scorer=Levenshtein.distance, dtype=dtype
        )
        if longest <= _GIGANTIC:
            return table
        # One by one, gigantic words that are equal or nearly so, or differ in length, cost little.
        for at, word in enumerate(rows):
            if len(word) > _GIGANTIC:
                table[at] = [_far(word, other) for other in columns]
        for at, word in enumerate(columns):
            if len(word) > _GIGANTIC:
                table[:, at] = [_far(other, word) for other in rows]
        return table


@dataclass(frozen=True, slots=True)
class BagCounts:
    """How often words occur on both sides, only in the reference, only in the hypothesis."""

    hits: int
    missing: int
    extra: int

    @property
    def beta_wer_errors(self) -> int:
        """B, the numerator of βWER: no missing word is paired with a surplus one."""
        return self.missing + self.extra

    def edit_counts(self) -> EditCounts:
        """As few edits as turn one bag into the other; their sum is bWER's numerator."""
        substitutions = min(self.missing, self.extra)
        return EditCounts(
            self.hits, substitutions, self.missing - substitutions, self.extra - substitutions
        )


def bag_of_words(words: WordPair) -> BagCounts:
    """Order-free word counts of one page."""
    in_ref, in_hyp = words.shared
    ref_counts = np.bincount(words.ref, minlength=len(words.ref_types))
    hyp_counts = np.bincount(words.hyp, minlength=len(words.hyp_types))
    hits = int(np.minimum(ref_counts[in_ref], hyp_counts[in_hyp]).sum())
    return BagCounts(hits, len(words.ref) - hits, len(words.hyp) - hits)
