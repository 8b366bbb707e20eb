"""From pages to a corpus: every metric of one system, with its interval."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields

import numpy as np

from htreval_core.metrics.catalog import METRICS, Metric
from htreval_core.metrics.columns import ScoreTable
from htreval_core.metrics.values import count_tables, page_values
from htreval_core.model import EditCounts, FloatArray, PageScores, Parts
from htreval_core.scoring.reliability import reliability
from htreval_core.scoring.resampling import bootstrap_intervals, cluster_intervals

_Z95 = 1.96


class _Alike:
    """Equal where all values are, and ``math.nan`` to itself: from Python 3.13 on, the equality of
    data classes takes a value that is nan for another.
    """

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self._values() == other._values()

    __hash__ = None  # type: ignore[assignment]

    def _values(self) -> tuple[object, ...]:
        return tuple(getattr(self, entry.name) for entry in fields(self))  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True, eq=False)
class Tail(_Alike):
    """The pages that pull a corpus value, which an average hides.

    Args:
        over: pages above 100 %; 0 for metrics that cannot be.
        worst: the value of the worst page, as a fraction; nan where no page has one.
        worst_page: its id; empty likewise.
        share: what part of all errors the page with the most of them has; nan without errors.
        heaviest_page: its id; empty likewise.
        without: the corpus value without that page; nan where it is the only one.
    """

    over: int = 0
    worst: float = math.nan
    worst_page: str = ""
    share: float = math.nan
    heaviest_page: str = ""
    without: float = math.nan


@dataclass(frozen=True, slots=True, eq=False)
class Estimate(_Alike):
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
        median: of the pages on which the metric is defined.
        tail: the pages that pull the value.
    """

    errors: float
    length: float
    value: float
    low: float
    high: float
    macro: float
    binomial: float
    median: float = math.nan
    tail: Tail = field(default_factory=Tail)


@dataclass(frozen=True, slots=True, eq=False)
class Corpus(_Alike):
    """All values of one system over its pages."""

    n_pages: int
    n_ref_words: int
    estimates: Mapping[str, Estimate]
    wer: EditCounts
    bwer: EditCounts
    delta_l: float
    delta_r: float
    parts: Parts | None = None
    """The errors of WER by what they come from; None where pages were not diagnosed."""
    pages_in_doubt: int = 0
    """Pages whose reference may itself be out of order, as far as that is known."""
    n_clusters: int = 0
    """The clusters that the pages are of (``ScoreTable.clusters``); 0 where that is not known."""

    @property
    def n_drawn(self) -> int:
        """How many observations intervals rest on: clusters, or pages where these are unknown."""
        return self.n_clusters or self.n_pages

    def __repr__(self) -> str:
        return (
            f"<Corpus of {self.n_pages:,} pages and {self.n_ref_words:,} words: "
            f"{self.wer.errors:,} errors of WER, {self.bwer.errors:,} of bWER>"
        )


def pool_pages(pages: Sequence[PageScores], *, resamples: int = 2000, seed: int = 0) -> Corpus:
    """Every metric over the given pages of one system.

    A metric that does not apply to every page (line WER) has no corpus value. The intervals
    come from resampling whole pages, which keeps the words of a page together; of pages in
    clusters from these.
    """
    table = ScoreTable.of(pages)
    errors, lengths = count_tables(table)
    if table.clusters is None:
        low, high = bootstrap_intervals(errors, lengths, resamples=resamples, seed=seed)
    else:
        low, high = cluster_intervals(errors, lengths, table.clusters)
    estimates = {}
    # Words of the output, and no reference word on any page.
    alone = not table.counts["n_ref_words"].any() and bool(table.counts["n_hyp_words"].any())
    for column, (name, metric) in enumerate(METRICS.items()):
        e, n = float(errors[:, column].sum()), float(lengths[:, column].sum())
        unknown = math.isnan(e) or (alone and metric.undefined_without_reference)
        value = math.nan if unknown else metric.value(e, n)
        of_pages = page_values(table, name)
        defined = of_pages[~np.isnan(of_pages)]
        if e == 0 and n and not math.isnan(low[column]):
            # Where nothing varies, what has no error may have 3.7/n (Clopper and Pearson 1934).
            most = metric.value(n * (1 - 0.025 ** (1 / n)), n)
            low[column], high[column] = sorted((value, most))
        applies = not math.isnan(e)
        numbers = {
            "errors": e, "length": n, "value": value, "low": float(low[column]),
            "high": float(high[column]),
            "macro": float(defined.mean()) if len(defined) and applies else math.nan,
            "binomial": binomial_half_width(value, n) if not metric.higher_is_better else math.nan,
            "median": float(np.median(defined)) if len(defined) and applies else math.nan,
        }  # fmt: skip
        tail = _tail(metric, table, of_pages, errors[:, column], lengths[:, column])
        # One nan for all, so that equal values are equal.
        told = {key: math.nan if math.isnan(one) else one for key, one in numbers.items()}
        estimates[name] = Estimate(**told, tail=tail if applies else Tail())
    delta_l, delta_r = reliability(table)
    return Corpus(
        len(table), int(table.counts["n_ref_words"].sum()), estimates, table.edit_sums("wer"),
        table.edit_sums("bwer"), delta_l, delta_r, table.parts,
        int(table.doubted.sum()), table.n_clusters,
    )  # fmt: skip


def _tail(
    metric: Metric, table: ScoreTable, of_pages: FloatArray, errors: FloatArray, lengths: FloatArray
) -> Tail:
    """The pages that pull a value.

    Args:
        of_pages: shape (n,), nan where a page has no value.
        errors: shape (n,), what each page adds to the numerator.
        lengths: shape (n,), what it adds to the denominator.
    """
    if not len(table):
        return Tail()
    worst, page = math.nan, ""
    if not np.isnan(of_pages).all():
        at = int(np.nanargmin(of_pages) if metric.higher_is_better else np.nanargmax(of_pages))
        worst, page = float(of_pages[at]), str(table.page_ids[at])
    over = 0 if metric.higher_is_better else int((of_pages > 1).sum())
    total = float(errors.sum())
    if not total > 0:
        return Tail(over, worst, page)
    at = int(errors.argmax())
    rest = total - float(errors[at]), float(lengths.sum() - lengths[at])
    left = metric.value(*rest) if len(table) > 1 else math.nan
    without = math.nan if math.isnan(left) else left
    return Tail(over, worst, page, float(errors[at]) / total, str(table.page_ids[at]), without)


def binomial_half_width(value: float, length: float) -> float:
    """1.96·√(p(1−p)/n), the authors' interval; it assumes independent words, 0 for p > 1."""
    if not length or math.isnan(value):
        return math.nan
    return _Z95 * math.sqrt(max(value * (1 - value), 0.0) / length)


def edit_counts(score: PageScores | Corpus) -> dict[str, EditCounts]:
    """The metrics that know which kind of error each was."""
    return {"wer": score.wer, "bwer": score.bwer}
