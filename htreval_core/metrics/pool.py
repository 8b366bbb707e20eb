"""From pages to a corpus: micro- and macro-average, and intervals."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr, stdtrit

from htreval_core.columns import ScoreTable
from htreval_core.metrics.catalog import METRICS, Metric
from htreval_core.model import EditCounts, FloatArray, PageScores

_Z95 = 1.96
_CELLS_AT_ONCE = 4_000_000
"""Resampled page counts held in memory at a time."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A metric over many pages.

    Args:
        errors: the numerator, summed over pages.
        length: the denominator, summed over pages.
        value: the micro-average; nan where it is undefined.
        low: lower end of the 95 % interval of a bootstrap over pages; nan for a single page.
        high: upper end of it.
        macro: the plain mean over the pages on which the metric is defined.
        binomial: half the width of the 95 % interval that assumes independent words, as the
            authors' program prints it. Words of a page are not independent: it is too narrow.
    """

    errors: float
    length: float
    value: float
    low: float
    high: float
    macro: float
    binomial: float


@dataclass(frozen=True, slots=True)
class Corpus:
    """All figures of one system over its pages."""

    n_pages: int
    n_ref_words: int
    estimates: Mapping[str, Estimate]
    wer: EditCounts
    bwer: EditCounts
    delta_l: float
    delta_r: float


def pool_pages(pages: Sequence[PageScores], *, resamples: int = 2000, seed: int = 0) -> Corpus:
    """Every metric over the given pages of one system.

    A metric that does not apply to every page (line WER) has no corpus value. The intervals
    come from resampling whole pages, which keeps the words of a page together.
    """
    table = ScoreTable.of(pages)
    errors, lengths = count_tables(table)
    low, high = bootstrap_intervals(errors, lengths, resamples=resamples, seed=seed)
    estimates = {}
    for column, (name, metric) in enumerate(METRICS.items()):
        e, n = float(errors[:, column].sum()), float(lengths[:, column].sum())
        value = math.nan if math.isnan(e) or _undefined(metric, table) else metric.value(e, n)
        of_pages = page_values(table, name)
        defined = of_pages[~np.isnan(of_pages)]
        estimates[name] = Estimate(
            e,
            n,
            value,
            float(low[column]),
            float(high[column]),
            float(defined.mean()) if len(defined) and not math.isnan(e) else math.nan,
            binomial_half_width(value, n) if not metric.higher_is_better else math.nan,
        )
    delta_l, delta_r = reliability(table)
    return Corpus(
        len(table),
        int(table.counts["n_ref_words"].sum()),
        estimates,
        table.edit_sums("wer"),
        table.edit_sums("bwer"),
        delta_l,
        delta_r,
    )


def page_value(page: PageScores, name: str) -> float:
    """One metric of one page as a fraction; nan where undefined or not applicable."""
    metric = METRICS[name]
    counts = metric.counts(page)
    if counts is None or (
        not metric.higher_is_better and not page.n_ref_words and page.n_hyp_words
    ):
        return math.nan
    return metric.value(*counts)


def page_values(pages: Sequence[PageScores], name: str) -> FloatArray:
    """``page_value`` of many pages at once, shape (pages,)."""
    table, metric = ScoreTable.of(pages), METRICS[name]
    values = metric.values(*metric.columns(table))
    if not metric.higher_is_better:
        values = np.where(_without_reference(table), math.nan, values)
    return values


def _without_reference(table: ScoreTable) -> npt.NDArray[np.bool_]:
    """Pages with hypothesis text but no reference word to relate the errors to.

    The counts alone do not say so for ΔWER: all insertions, less all insertions, is 0 of 0.
    """
    return (table.counts["n_ref_words"] == 0) & (table.counts["n_hyp_words"] > 0)


def _undefined(metric: Metric, table: ScoreTable) -> bool:
    """Whether there is hypothesis text but no reference word on any page."""
    return (
        not metric.higher_is_better
        and not table.counts["n_ref_words"].any()
        and bool(table.counts["n_hyp_words"].any())
    )


def count_tables(pages: Sequence[PageScores]) -> tuple[FloatArray, FloatArray]:
    """Errors and lengths to be summed, shape (pages, metrics) each; nan where not applicable."""
    table = ScoreTable.of(pages)
    cells = np.empty((len(table), len(METRICS), 2))
    for column, metric in enumerate(METRICS.values()):
        cells[:, column, 0], cells[:, column, 1] = metric.pooled_columns(table)
    return cells[..., 0], cells[..., 1]


MANY = 20_000
"""So many pages are resampled one by one; more of them in groups."""
_GROUPS = 2048


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
    sums = [np.bincount(group, column, _GROUPS) for column in columns.T]
    return np.stack(sums, axis=1)


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
    rng = np.random.default_rng(seed)
    values = np.empty((resamples, n_metrics))
    step = max(1, _CELLS_AT_ONCE // n_pages)
    for start in range(0, resamples, step):
        stop = min(start + step, resamples)
        drawn = rng.multinomial(n_pages, np.full(n_pages, 1 / n_pages), size=stop - start)
        times = drawn.astype(np.float64)
        sums, totals = times @ errors, times @ lengths
        for column, metric in enumerate(METRICS.values()):
            values[start:stop, column] = metric.values(sums[:, column], totals[:, column])
    low, high = np.full(n_metrics, math.nan), np.full(n_metrics, math.nan)
    for column in range(n_metrics):
        # Resamples of nothing but pages without a reference have no rate; the others do.
        defined = values[~np.isnan(values[:, column]), column]
        if len(defined):
            low[column], high[column] = np.quantile(defined, tails(n_pages))
    return low, high


def tails(n_pages: int) -> tuple[float, float]:
    """The quantiles of resampled values between which a 95 % interval lies.

    Plain percentiles are too narrow when pages are few, as a standard deviation with n instead
    of n − 1 under it is. Expanded percentiles make up for it: Φ(−√(n/(n − 1))·t) on either side,
    t the 97.5 % point of Student's distribution with n − 1 degrees of freedom (Hesterberg 2015,
    The American Statistician 69, 371–386, Sec. 3.3). They approach 2.5 % and 97.5 % as n grows.
    """
    tail = float(ndtr(-math.sqrt(n_pages / (n_pages - 1)) * stdtrit(n_pages - 1, 0.975)))
    return tail, 1 - tail


def binomial_half_width(value: float, length: float) -> float:
    """1.96·√(p(1−p)/n), the authors' interval; it assumes independent words, 0 for p > 1."""
    if not length or math.isnan(value):
        return math.nan
    return _Z95 * math.sqrt(max(value * (1 - value), 0.0) / length)


def reliability(pages: Sequence[PageScores]) -> tuple[float, float]:
    """ΔL and ΔR of the authors' program (its option -D), in percent; nan without words.

    bWER cannot see repeated words change places, so it grows optimistic on long pages. ΔL
    compares the mean page length L with the length L0 = exp((b − bWER%)/a) up to which the
    authors found bWER reliable; ΔR compares the expected repetition R of misread words with R0.
    Positive figures: reliable. The constants a = 3.77441, b = 45.5037, R0 = 0.264942 are theirs
    (https://github.com/PRHLT/E2EHTREval, function Deltas).
    """
    counts = ScoreTable.of(pages).counts
    words, bwer_errors = counts["n_ref_words"], ScoreTable.of(pages).together.bwer.errors
    n_words = int(words.sum())
    if not n_words:
        return math.nan, math.nan
    bwer = int(bwer_errors.sum()) / n_words
    longest = math.exp(min((45.5037 - 100 * bwer) / 3.77441, 700.0))
    mean = n_words / len(words)
    some = words > 0
    per_type = (words + counts["n_hyp_words"])[some] / (2 * counts["n_word_types"][some])
    repetition = float((per_type * bwer_errors[some]).sum()) / n_words
    return (
        100 * (longest - mean) / (longest + mean),
        100 * (0.264942 - repetition) / (0.264942 + repetition),
    )
