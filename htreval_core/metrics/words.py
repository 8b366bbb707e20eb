"""Words become integers once; every alignment below works on those."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
from rapidfuzz import process
from rapidfuzz.distance import Levenshtein

from htreval_core.model import IntArray

TABLE_LIMIT = 2**26
"""The most pairs of word types whose distances are kept as a table, one byte or two each."""

_GIGANTIC = 5000
"""The length in characters that nobody's word has; a file with one is refused."""


def _far(ref: str, hyp: str) -> int:
    return int(Levenshtein.distance(ref, hyp, score_hint=64))


def _number(words: Sequence[str]) -> tuple[list[str], IntArray]:
    """The different words in order of appearance, and each word's number among them."""
    numbers: dict[str, int] = {}
    ids = [numbers.setdefault(word, len(numbers)) for word in words]
    return list(numbers), np.array(ids, dtype=np.int64)


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

    @classmethod
    def of(cls, ref_words: Sequence[str], hyp_words: Sequence[str]) -> WordPair:
        ref_types, ref = _number(ref_words)
        hyp_types, hyp = _number(hyp_words)
        return cls(tuple(ref_words), tuple(hyp_words), ref_types, hyp_types, ref, hyp)

    @cached_property
    def longer(self) -> int:
        """M = max(|X|, |Y|)."""
        return max(len(self.ref_words), len(self.hyp_words))

    @cached_property
    def shared(self) -> tuple[IntArray, IntArray]:
        """Numbers of the word types on both sides: in ``ref_types`` and in ``hyp_types``."""
        numbers = {word: number for number, word in enumerate(self.hyp_types)}
        both = [(i, numbers[w]) for i, w in enumerate(self.ref_types) if w in numbers]
        pairs = np.array(both, dtype=np.int64).reshape(-1, 2)
        return pairs[:, 0], pairs[:, 1]

    @cached_property
    def common(self) -> tuple[IntArray, IntArray]:
        """Both sides over one numbering: equal numbers if and only if equal words."""
        translate = np.arange(len(self.hyp_types), dtype=np.int64) + len(self.ref_types)
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
        longest = int(max(self.ref_lengths.max(initial=0), self.hyp_lengths.max(initial=0)))
        dtype = np.uint8 if longest < 2**8 else np.uint16 if longest < 2**16 else np.uint32
        if not rows or not columns:
            return np.zeros((len(rows), len(columns)), dtype)
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
