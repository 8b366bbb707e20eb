"""Rows of the word edit distance, and the stretch of an output that fits some words best."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Row: TypeAlias = npt.NDArray[Any]
"""Whole numbers of 32 bits or fewer, one for each place in the output."""


def through(errors: Row, words: Row, hyp: Row) -> Row:
    """Rows of the edit distance after more words of the reference.

    Args:
        errors: shape (s, |Y| + 1), the errors before them.
    """
    # Less j, so that a word of the output too many costs nothing more than the one before.
    ramp = np.arange(len(hyp) + 1, dtype=errors.dtype)
    rows = errors - ramp
    new, diagonal = np.empty_like(rows), np.empty_like(rows[:, 1:])
    equal: dict[int, Row] = {}
    for word in words.tolist():
        if word not in equal:
            equal[word] = (hyp == word).astype(errors.dtype)
        np.subtract(rows[:, :-1], equal[word], out=diagonal)
        np.add(rows, 1, out=new)
        np.minimum(new[:, 1:], diagonal, out=new[:, 1:])
        np.minimum.accumulate(new, axis=1, out=new)
        rows, new = new, rows
    rows += ramp
    return rows


def best_stretch(words: Row, hyp: Row, near: int = 0) -> tuple[int, int] | None:
    """The words of the output that fit some words of the reference best, the fewest of them.

    Args:
        near: of several stretches that fit as well the one that begins nearest to here.

    Returns:
        The first and the one after the last; None where none fits better than nothing does.
    """
    nothing = np.zeros((1, len(hyp) + 1), dtype=np.int32)
    starts = through(nothing, words[::-1], hyp[::-1])[0, ::-1]
    least = int(starts.min())
    if least == len(words):
        return None
    best = np.flatnonzero(starts == least)
    # Of places in a row the last: what stands before it is no part of it.
    best = best[np.r_[np.diff(best) > 1, True]]
    start = int(best[np.abs(best - near).argmin()])
    rest = hyp[start:]
    ends = through(np.arange(len(rest) + 1, dtype=np.int32)[None], words, rest)[0]
    return start, start + int(ends.argmin())
