"""Sums over resampled pages: drawn again with replacement, or handed from one system to the other.

Both give one table of sums for all systems and metrics at once, from one set of draws, in chunks
that bound the memory. Every statistic of every pair of systems is taken from these sums.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from htreval_core.metrics.pool import in_groups, tails
from htreval_core.model import FloatArray

_CELLS_AT_ONCE = 2_000_000
"""Resampled page counts held in memory at a time."""


def drawn_sums(columns: FloatArray, *, resamples: int, seed: int) -> FloatArray:
    """Sums over pages drawn with replacement, as many as there are; see ``in_groups`` for many.

    Args:
        columns: shape (pages, columns), what each page adds.

    Returns:
        Shape (resamples, columns).
    """
    columns = in_groups(columns, seed)
    n_pages = len(columns)
    rng = np.random.default_rng([seed, 0])
    sums = np.empty((resamples, columns.shape[1]))
    for start, stop in _chunks(resamples, n_pages):
        rows = stop - start
        drawn = rng.integers(0, n_pages, size=(rows, n_pages))
        drawn += n_pages * np.arange(rows)[:, None]
        times = np.bincount(drawn.ravel(), minlength=rows * n_pages).reshape(rows, n_pages)
        sums[start:stop] = times.astype(np.float64) @ columns
    return sums


def flipped_sums(columns: FloatArray, *, resamples: int, seed: int) -> tuple[FloatArray, bool]:
    """Sums over the pages, each counted once with a sign of + or −.

    Args:
        columns: shape (pages, columns).

    Returns:
        Shape (flips, columns), and whether the flips are all 2^pages that there are: they are
        where there are no more of them than ``resamples``.
    """
    columns = in_groups(columns, seed)
    n_pages = len(columns)
    exact = n_pages < 63 and 2**n_pages <= resamples
    flips = 2**n_pages if exact else resamples
    rng = np.random.default_rng([seed, 1])
    sums = np.empty((flips, columns.shape[1]))
    for start, stop in _chunks(flips, n_pages):
        if exact:
            minus = np.arange(start, stop)[:, None] >> np.arange(n_pages) & 1
        else:
            packed = rng.integers(0, 256, (stop - start, (n_pages + 7) // 8), dtype=np.uint8)
            minus = np.unpackbits(packed, axis=1, count=n_pages).astype(np.int64)
        sums[start:stop] = (1.0 - 2.0 * minus) @ columns
    return sums, exact


def _chunks(rows: int, n_pages: int) -> Iterator[tuple[int, int]]:
    step = max(1, _CELLS_AT_ONCE // max(n_pages, 1))
    for start in range(0, rows, step):
        yield start, min(start + step, rows)


def interval(values: FloatArray, n_pages: int) -> tuple[float, float]:
    """The 95 % interval of values from resampling two pages or more; nan where none is defined."""
    defined = values[~np.isnan(values)]
    if not len(defined):
        return math.nan, math.nan
    low, high = np.quantile(defined, tails(n_pages))
    return float(low), float(high)


def holm(p: Sequence[float]) -> list[float]:
    """p-values after Holm's step-down correction (Holm 1979, Scand. J. Statist. 6).

    Undefined ones stay nan and are no part of the family.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    family = sorted((value, at) for at, value in enumerate(p) if not math.isnan(value))
    corrected = list(p)
    largest = 0.0
    for passed, (value, at) in enumerate(family):
        largest = max(largest, min(1.0, value * (len(family) - passed)))
        corrected[at] = largest
    return corrected
