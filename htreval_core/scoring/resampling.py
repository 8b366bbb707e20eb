"""Pages resampled: drawn again with replacement, or handed from one system to the other.

Sums of all systems and metrics come from one set of draws, in chunks that bound the memory. The
intervals of a corpus and the comparison of systems draw by different generators, which both stand
behind published signatures.
"""

import math
from collections.abc import Iterator

import numpy as np
from scipy.special import ndtr, stdtrit

from htreval_core.metrics.catalog import METRICS, Metric
from htreval_core.metrics.columns import Names
from htreval_core.model import FloatArray

_CELLS_AT_ONCE = 2_000_000
"""Resampled page counts held in memory at a time."""


MANY = 20_000
"""The most pages that are resampled one by one; more of them in groups."""


_GROUPS = 2048
_FEW, _TIMES = 100, 5
"""Of no more pages, more resamples: the percentiles lie far out, where few of them come to lie."""


def n_drawn(n_pages: int, resamples: int) -> int:
    """How many resamples an interval is taken from."""
    return resamples * (_TIMES if n_pages <= _FEW else 1)


def in_groups(columns: FloatArray, seed: int) -> FloatArray:
    """What resampling works on: the rows, or sums of random groups where rows are very many.

    A mean over n pages varies as one over groups of them drawn at random, so the interval stays
    what it is; with 2,048 groups its width is off by about 1/√(2·2048), 1.6 %, less than what
    2,000 resamples leave to chance. Handing whole groups to the other system is one of the
    exchanges that the permutation test may draw, so the test keeps its level.

    Args:
        columns: shape (pages, columns), what each page adds.
    """
    if len(columns) <= MANY:
        return columns
    group = np.empty(len(columns), dtype=np.int64)
    group[np.random.default_rng([seed, 2]).permutation(len(columns))] = (
        np.arange(len(columns)) * _GROUPS // len(columns)
    )
    return np.stack([np.bincount(group, column, _GROUPS) for column in columns.T], axis=1)


def by_cluster(columns: FloatArray, clusters: Names | None) -> FloatArray:
    """Sums over the pages of each cluster; the pages themselves where there are no clusters.

    Args:
        columns: shape (pages, columns), what each page adds.
        clusters: shape (pages,).

    Returns:
        Shape (clusters, columns).
    """
    if clusters is None:
        return columns
    names, place = np.unique(clusters.astype(str), return_inverse=True)
    return np.stack([np.bincount(place, column, len(names)) for column in columns.T], axis=1)


def cluster_intervals(
    errors: FloatArray, lengths: FloatArray, clusters: Names
) -> tuple[FloatArray, FloatArray]:
    """95 % intervals of values whose pages come in clusters, shape (metrics,) each.

    The value is taken anew without each cluster in turn (jackknife), which holds where clusters
    are few and of unequal size. An error rate is a sum of amounts that are never negative, and its
    cube root is nearly normal (Wilson and Hilferty 1931): on that scale it is as uncertain on
    either side. Of a share or a correlation that is said of what it lacks of 1. Student's t has as
    many degrees of freedom as there would be clusters of equal size, (Σn)²/Σn², less one.
    docs/statistics.md has the coverage. A single cluster says nothing about others: nan.

    Args:
        errors: shape (pages, metrics), as lengths.
        clusters: shape (pages,).
    """
    errors, lengths = by_cluster(errors, clusters), by_cluster(lengths, clusters)
    ends = [
        _jackknifed(metric, errors[:, column], lengths[:, column])
        for column, metric in enumerate(METRICS.values())
    ]
    return np.array([low for low, _ in ends]), np.array([high for _, high in ends])


def _jackknifed(metric: Metric, errors: FloatArray, lengths: FloatArray) -> tuple[float, float]:
    n, total = len(errors), float(lengths.sum())
    value = metric.value(float(errors.sum()), total)
    if n < 2 or math.isnan(value):
        return math.nan, math.nan
    # A share is 1 less an error rate, a correlation 1 less twice one, and both end at 1.
    steep = {"error rate": -1, "share": 1, "correlation": 2}[metric.scale]
    top = 0 if steep < 0 else 1
    rate = (top - value) / steep
    without = (top - metric.values(errors.sum() - errors, total - lengths)) / steep
    error = math.sqrt((n - 1) / n * float(((without - rate) ** 2).sum()))
    freedom = max(total**2 / float((lengths**2).sum()) - 1, 1.0) if total else 1.0
    reach = float(stdtrit(freedom, 0.975)) * error
    low, high = rate - reach, rate + reach
    if rate > 0:
        root = float(np.cbrt(rate))
        reach /= 3 * root**2
        low, high = max(root - reach, 0.0) ** 3, (root + reach) ** 3
    return (low, high) if steep < 0 else (1 - steep * min(high, 1.0), 1 - steep * low)


def bootstrap_intervals(
    errors: FloatArray, lengths: FloatArray, *, resamples: int, seed: int
) -> tuple[FloatArray, FloatArray]:
    """95 % intervals from resampling pages with replacement, shape (metrics,) each.

    Expanded percentiles, see ``tails``. Pages, not words, are what was drawn from the archive
    (Efron and Tibshirani 1993; for error rates Bisani and Ney 2004). A single page says nothing
    about other pages: nan.
    """
    n_metrics = errors.shape[1]
    if len(errors) < 2:
        return np.full(n_metrics, math.nan), np.full(n_metrics, math.nan)
    # The same seed puts the same pages into the same groups.
    errors, lengths = in_groups(errors, seed), in_groups(lengths, seed)
    n_pages = len(errors)
    resamples = n_drawn(n_pages, resamples)
    rng = np.random.default_rng(seed)
    values = np.empty((resamples, n_metrics))
    for start, stop in _chunks(resamples, n_pages):
        drawn = rng.multinomial(n_pages, np.full(n_pages, 1 / n_pages), size=stop - start)
        times = drawn.astype(np.float64)
        sums, totals = times @ errors, times @ lengths
        for column, metric in enumerate(METRICS.values()):
            values[start:stop, column] = metric.values(sums[:, column], totals[:, column])
    # Resamples of nothing but pages without a reference have no rate; the others do.
    ends = [interval(column, n_pages) for column in values.T]
    return np.array([low for low, _ in ends]), np.array([high for _, high in ends])


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

    Returns:
        Shape (flips, columns), and whether the flips are all 2^pages that there are: they are
        where there are no more of them than ``resamples``.
    """
    columns = in_groups(columns, seed)
    n_pages = len(columns)
    exact = 2**n_pages <= resamples
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


def tails(n_pages: int) -> tuple[float, float]:
    """The quantiles of resampled values between which a 95 % interval lies.

    Plain percentiles are too narrow when pages are few, as a standard deviation with n instead
    of n − 1 under it is. Expanded percentiles make up for it: Φ(−√(n/(n − 1))·t) on either side,
    t the 97.5 % point of Student's distribution with n − 1 degrees of freedom (Hesterberg 2015,
    The American Statistician 69, 371–386, Sec. 3.3). They approach 2.5 % and 97.5 % as n grows.
    """
    tail = float(ndtr(-math.sqrt(n_pages / (n_pages - 1)) * stdtrit(n_pages - 1, 0.975)))
    return tail, 1 - tail
