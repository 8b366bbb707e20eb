"""Tables with rows of different lengths, as flat arrays."""

from collections.abc import Iterator

import numpy as np

from htreval_core.model import IntArray


def ragged(counts: IntArray) -> tuple[IntArray, IntArray]:
    """Row and place within the row of every element of a table with rows of these lengths.

    >>> row, place = ragged(np.array([2, 0, 1]))
    >>> row.tolist(), place.tolist()
    ([0, 0, 2], [0, 1, 0])
    """
    row = np.repeat(np.arange(len(counts)), counts)
    first = np.cumsum(counts) - counts
    return row, np.arange(len(row)) - first[row]


def portions(counts: IntArray, at_once: int) -> Iterator[slice]:
    """Cut rows of these lengths into runs of up to ``at_once`` elements, one row at least.

    >>> list(portions(np.array([2, 2, 9, 1]), 4))
    [slice(0, 2, None), slice(2, 3, None), slice(3, 4, None)]
    """
    begins = np.append(0, np.cumsum(counts))
    start = 0
    while start < len(counts):
        fit = np.searchsorted(begins, begins[start] + at_once, side="right") - 1
        stop = max(start + 1, int(fit))
        yield slice(start, stop)
        start = stop
