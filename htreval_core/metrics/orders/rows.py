"""Rows of the word edit distance, and the stretch of an output that fits some words best."""

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Row: TypeAlias = npt.NDArray[Any]
"""Whole numbers of 32 bits or fewer, one for each place in the output."""

_MOST = 40
"""Stretches that fit equally well among which the letters choose."""


class Rows:
    """The words of an output, of which a row is made in a few operations on whole numbers.

    Neighbours in a row differ by one at most, so that two bits a place tell it (Myers 1999, Journal
    of the ACM 46, 395–415; in the form of Hyyrö 2003). Python's integers hold any number of bits.
    """

    def __init__(self, hyp: Row) -> None:
        self._n = len(hyp)
        self._places: dict[int, int] = {}
        for place, word in enumerate(hyp.tolist()):
            self._places[word] = self._places.get(word, 0) | 1 << place

    def through(self, errors: Row, words: Row, skip: int = 0) -> Row:
        """The row of the edit distance after more words of the reference.

        Args:
            errors: shape (|Y| − skip + 1,), the errors before them.
            skip: words of the output that are passed over at its beginning.
        """
        n = self._n - skip
        full = (1 << n) - 1
        steps = np.diff(errors)
        more, less = _as_bits(steps > 0), _as_bits(steps < 0)
        for word in words.tolist():
            equal = self._places.get(word, 0) >> skip
            free = (((equal & more) + more) ^ more) | equal | less
            # Where a row is one above the row before, and where one below; at its head it is above.
            above = ((less | full ^ (free | more) & full) << 1 | 1) & full
            below = (free & more) << 1 & full
            more, less = below | full ^ (free | above) & full, above & free
        row = np.empty_like(errors)
        row[0] = errors[0] + len(words)
        row[1:] = _as_steps(more, n)
        row[1:] -= _as_steps(less, n)
        return row.cumsum(dtype=errors.dtype)


def _as_bits(where: npt.NDArray[np.bool_]) -> int:
    return int.from_bytes(np.packbits(where, bitorder="little").tobytes(), "little")


def _as_steps(bits: int, n: int) -> Row:
    held = np.frombuffer(bits.to_bytes((n + 7) // 8, "little"), dtype=np.uint8)
    return np.unpackbits(held, count=n, bitorder="little")


def best_stretches(words: Row, hyp: Row, near: int = 0) -> list[tuple[int, int]]:
    """The stretches of the output that fit some words of the reference best, each the shortest.

    Returns:
        The first word of each and the one after the last; none where nothing fits better than
        nothing does, and no more than ``_MOST``.
    """
    nothing = np.zeros(len(hyp) + 1, dtype=np.int32)
    starts = Rows(hyp[::-1]).through(nothing, words[::-1])[::-1]
    least = int(starts.min())
    if least == len(words):
        return []
    best = np.flatnonzero(starts == least)
    best = best[np.argsort(np.abs(best - near), kind="stable")][:_MOST]
    found = []
    for start in best.tolist():
        rest = np.arange(len(hyp) - start + 1, dtype=np.int32)
        found.append((start, start + int(Rows(hyp).through(rest, words, start).argmin())))
    return found
