"""Values of pages without a reference, predicted from pages that have one, with intervals.

What systems say of each other on a page (how far they differ, how long they are) is known without
a reference. Where some pages have one, a small model learns what it means for the value of one
system, and says of every other page what that value will be and between which bounds.

**The model.** Values and features are taken as square roots, which spread like counts do about
as far on bad pages as on good ones; a feature then stands in units of its deviation over all pages.
A ridge regression with weights of 0 or more gives the value: features are such that more of one
means worse. Where pages are few and features say much the same it does not fall for chance, as
weights of either sign do. ``benchmarks/calibration.py`` holds its intervals against those of one
feature alone and of none; the figures stand in ``docs/audit.md``.

**The interval** is that of the jackknife+ (Barber, Candès, Ramdas and Tibshirani 2021, Predictive
inference with the jackknife+, Annals of Statistics 49, 486–507). Every page with a reference is
left out once; R is what the model without it misses it by. Of n such pages and a page x, with
α = 1 − level and μ₋ᵢ the model without page i, the interval reaches from the ⌊α(n + 1)⌋-th
smallest of μ₋ᵢ(x) − Rᵢ to the ⌈(1 − α)(n + 1)⌉-th smallest of μ₋ᵢ(x) + Rᵢ. It wastes no page, as
splitting them into two halves would, and pages are few. What is proved, for any n and whatever the
values look like, is a coverage of at least 1 − 2α; what is found is about 1 − α. It holds on
average over pages, not for each kind of page. The proof asks that pages with and without a
reference are exchangeable: those with one are a random sample. Pages chosen because they were
easy, or came first, promise nothing. Deviations of features are taken over all pages, so they
break no symmetry.

**The mean** of the pages without a reference is that of their predictions, put right by what the
models without a page miss that page by, on average (the difference estimator of survey sampling:
Särndal, Swensson and Wretman 1992, ch. 6; Angelopoulos et al. 2023, Prediction-powered inference,
Science 382, 669–674). With s the deviation of these misses, its interval is that of Student's t
with n − 1 degrees of freedom and the standard error s·√(1/n + 1/N), N pages being without a
reference. This is an approximation: no interval of a mean is exact where single pages may be bad
without limit. It holds for values that every page has some of, such as bWER. Where most pages have
none and few have much, as of ΔWER, it is far too short: a fault that stands on none of the n pages
is not in s. Skewness of the misses does not give it away, because just the samples without such a
page look well. There, ask ``claims`` for the share of bad pages instead.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from scipy.optimize import nnls
from scipy.special import stdtrit

from htreval_core.errors import ConfigError
from htreval_core.model import BoolArray, FloatArray

LEVEL = 0.9
"""The level of intervals where none is given."""

_RIDGE = 1.0
"""How much a weight costs, in pages; features are in deviations."""

_CELLS_AT_ONCE = 2_000_000
"""Predictions of the models without a page that are held in memory at a time."""


@dataclass(frozen=True, eq=False)
class Features:
    """What is known of pages without any reference.

    Args:
        page_ids: of all pages, with a reference and without.
        names: of the columns.
        values: shape (pages, names), of 0 or more, the more the worse; nan where not known.
    """

    page_ids: tuple[str, ...]
    names: tuple[str, ...]
    values: FloatArray

    def __post_init__(self) -> None:
        shape = len(self.page_ids), len(self.names)
        if self.values.shape != shape:
            raise ConfigError(
                f"features of {shape[0]} pages with {shape[1]} names have the shape "
                f"{self.values.shape}; give a row a page and a column a name"
            )
        twice = _twice(self.page_ids)
        if twice is not None:
            raise ConfigError(f"page {twice} has two rows of features; give one")
        for row, column in np.argwhere((self.values < 0) | np.isinf(self.values)).tolist():
            raise ConfigError(
                f"page {self.page_ids[row]}: feature {self.names[column]!r} is "
                f"{self.values[row, column]}; give a finite number of 0 or more, or nan"
            )


@dataclass(frozen=True, slots=True)
class Predicted:
    """The value of a page without a reference; the ends are nan where no interval can be given."""

    page_id: str
    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Mean:
    """The mean of the pages without a reference, each counting the same.

    Of values that few pages have much of, such as ΔWER, the interval is too short; see above.
    """

    value: float
    low: float
    high: float
    n_pages: int


@dataclass(frozen=True, slots=True)
class Calibration:
    """What pages with a reference say of those without.

    Args:
        level: of the intervals.
        n_calibration: how many pages have a reference.
        weights: of the features that were used, by name; those that say nothing are 0.
        dropped: the features that are constant or not known.
        pages: those without a reference, in the order given.
        mean: over them.
        told: what is to be known of the intervals, in plain words; empty where all is well.
    """

    level: float
    n_calibration: int
    weights: Mapping[str, float]
    dropped: tuple[str, ...]
    pages: tuple[Predicted, ...]
    mean: Mean
    told: str = ""


@dataclass(frozen=True, slots=True)
class Coverage:
    """How predictions fare on pages whose values are known.

    Args:
        n_calibration: pages with a reference that are learnt from, each time.
        n_held_out: pages with a reference that are predicted, each time.
        splits: how many times.
        held: predicted values inside their interval, of all ``splits * n_held_out``.
        means_held: splits in which the mean of the held-out pages lies inside its interval.
        spearman: the rank correlation of predicted and true values, the mean over splits; nan
            where the true values are all the same.
        width: of the intervals, the mean.
        told: why there is nothing above; empty otherwise.
    """

    level: float
    n_calibration: int
    n_held_out: int
    splits: int
    held: int = 0
    means_held: int = 0
    spearman: float = math.nan
    width: float = math.nan
    told: str = ""

    @property
    def share(self) -> float:
        """The share of true values inside their interval; nan where none was tried."""
        tried = 0 if self.told else self.splits * self.n_held_out
        return self.held / tried if tried else math.nan


def fewest_pages(level: float = LEVEL) -> int:
    """How many pages have to have a reference for an interval of this level: ⌈1/α⌉ − 1, and 2.

    With fewer, even the largest miss says nothing about the miss that one page in 1/α exceeds, and
    without the only page there is nothing to learn from.

    >>> fewest_pages(0.9)
    9
    """
    return max(2, math.ceil(1 / _alpha(level)) - 1)


def calibrate(
    features: Features, true: Mapping[str, float], *, level: float = LEVEL
) -> Calibration:
    """The values of all pages that have none, with intervals.

    Args:
        true: of pages with a reference the value of one system, a fraction of 0 or more. Pages
            with nan count as without.
    """
    alpha = _alpha(level)
    _check(features, true)
    known = np.array([_is_known(true, one) for one in features.page_ids], dtype=np.bool_)
    if not known.any():
        raise ConfigError(
            "no page has a reference, so nothing can be learnt from; transcribe "
            f"{fewest_pages(level)} pages or more, drawn at random"
        )
    inputs, used = _inputs(features)
    values = np.array([true[one] for one in features.page_ids if _is_known(true, one)])
    learnt = _Learnt.of(inputs[known], values)
    rest = inputs[~known]
    ends = learnt.ends(rest, alpha)
    predicted = learnt.predict(rest)
    ids = [one for one in features.page_ids if not _is_known(true, one)]
    names = [name for name, is_in in zip(features.names, used, strict=True) if is_in]
    return Calibration(
        level,
        len(values),
        dict(zip(names, learnt.weights.tolist(), strict=True)),
        tuple(name for name, is_in in zip(features.names, used, strict=True) if not is_in),
        tuple(map(Predicted, ids, predicted.tolist(), *(end.tolist() for end in ends))),
        learnt.mean(predicted, level),
        _told(len(values), level, bool(names)),
    )


def check_coverage(
    features: Features,
    true: Mapping[str, float],
    *,
    level: float = LEVEL,
    splits: int = 50,
    seed: int = 0,
    share: float = 2 / 3,
) -> Coverage:
    """Whether intervals hold on this data: references are hidden at random and predicted.

    Fewer pages are learnt from than in use, so intervals are a little wider here.

    Args:
        share: of the pages with a reference that are learnt from.
    """
    alpha = _alpha(level)
    _check(features, true)
    if splits < 1 or not 0 < share < 1:
        raise ConfigError(
            f"{splits} splits with a share of {share}; give 1 split or more, and a share between "
            "0 and 1"
        )
    known = np.array([_is_known(true, one) for one in features.page_ids], dtype=bool)
    inputs, _ = _inputs(features)
    inputs, ids = inputs[known], [one for one in features.page_ids if _is_known(true, one)]
    values = np.array([true[one] for one in ids])
    n = math.floor(len(ids) * share)
    needed = fewest_pages(level)
    if n < needed:
        told = (
            f"{len(ids)} pages have a reference, of which {n} are learnt from: too few to check "
            f"intervals at {_percent(level)} %. This takes {math.ceil(needed / share)} pages."
        )
        return Coverage(level, n, len(ids) - n, splits, told=told)
    rng = np.random.default_rng(seed)
    held, means_held, widths, ranks = 0, 0, 0.0, []
    for _ in range(splits):
        order = rng.permutation(len(ids))
        shown, hidden = order[:n], order[n:]
        learnt = _Learnt.of(inputs[shown], values[shown])
        predicted = learnt.predict(inputs[hidden])
        low, high = learnt.ends(inputs[hidden], alpha)
        held += int(_inside(values[hidden], low, high).sum())
        widths += float((high - low).sum())
        ranks.append(rank_correlation(predicted, values[hidden]))
        mean = learnt.mean(predicted, level)
        means_held += bool(_inside(values[hidden].mean(), mean.low, mean.high))
    defined = [one for one in ranks if not math.isnan(one)]
    return Coverage(
        level,
        n,
        len(ids) - n,
        splits,
        held,
        means_held,
        float(np.mean(defined)) if defined else math.nan,
        widths / (splits * (len(ids) - n)),
    )


@dataclass(frozen=True)
class _Learnt:
    """A model of all pages with a reference, and one without each of them.

    Args:
        weights: of the features; ``start`` and ``starts`` are the values where all features are 0.
        without: shape (pages, features), the weights without each page.
        misses: by how much these miss the page, as roots, without sign.
        errors: by how much they miss it as values: true minus predicted.
    """

    start: float
    weights: FloatArray
    starts: FloatArray
    without: FloatArray
    misses: FloatArray
    errors: FloatArray

    @classmethod
    def of(cls, inputs: FloatArray, values: FloatArray) -> _Learnt:
        roots = np.sqrt(values)
        start, weights = _fit(inputs, roots)
        n = len(roots)
        # A single page leaves nothing to learn from without it; it has no interval anyway.
        rows = np.arange(n)
        fits = [_fit(inputs[rows != at], roots[rows != at]) for at in range(n)] if n > 1 else []
        starts = np.array([one for one, _ in fits])
        without = np.array([one for _, one in fits]).reshape(len(fits), inputs.shape[1])
        left_out = starts + (without * inputs[: len(fits)]).sum(axis=1)
        misses = np.abs(roots[: len(fits)] - left_out)
        errors = values[: len(fits)] - _squared(left_out)
        return cls(start, weights, starts, without, misses, errors)

    def predict(self, inputs: FloatArray) -> FloatArray:
        return _squared(self.start + inputs @ self.weights)

    def ends(self, inputs: FloatArray, alpha: Fraction) -> tuple[FloatArray, FloatArray]:
        """The jackknife+ interval of each page; nan where pages are too few for it."""
        n = len(self.misses)
        rank = math.floor(alpha * (n + 1))
        low, high = np.full(len(inputs), math.nan), np.full(len(inputs), math.nan)
        if not rank:
            return low, high
        step = max(1, _CELLS_AT_ONCE // n)
        for at in range(0, len(inputs), step):
            rows = slice(at, at + step)
            roots = inputs[rows] @ self.without.T + self.starts
            lows, highs = roots - self.misses, roots + self.misses
            # ⌈(1 − α)(n + 1)⌉ = n + 1 − ⌊α(n + 1)⌋, counted from the other end.
            low[rows] = np.partition(lows, rank - 1, axis=1)[:, rank - 1]
            high[rows] = np.partition(highs, n - rank, axis=1)[:, n - rank]
        return _squared(low), _squared(high)

    def mean(self, predicted: FloatArray, level: float) -> Mean:
        """The mean of pages that are predicted so; without an interval where those have none."""
        n, n_rest = len(self.errors), len(predicted)
        if not n_rest:
            return Mean(math.nan, math.nan, math.nan, 0)
        value = float(predicted.mean()) + (float(self.errors.mean()) if n else 0.0)
        if n < fewest_pages(level):
            return Mean(max(value, 0.0), math.nan, math.nan, n_rest)
        error = float(self.errors.std(ddof=1)) * math.sqrt(1 / n + 1 / n_rest)
        reach = float(stdtrit(n - 1, (1 + level) / 2)) * error
        return Mean(max(value, 0.0), max(value - reach, 0.0), max(value + reach, 0.0), n_rest)


def _fit(inputs: FloatArray, roots: FloatArray) -> tuple[float, FloatArray]:
    """Start and weights of a ridge regression, no weight below 0."""
    centre, mean = inputs.mean(axis=0), float(roots.mean())
    n_features = inputs.shape[1]
    if not n_features:
        return mean, np.zeros(0)
    rows = np.vstack([inputs - centre, math.sqrt(_RIDGE) * np.eye(n_features)])
    weights = nnls(rows, np.append(roots - mean, np.zeros(n_features)))[0]
    return mean - float(centre @ weights), weights


def _squared(roots: FloatArray) -> FloatArray:
    """Values of roots; no value is below 0."""
    return np.maximum(roots, 0.0) ** 2


def _inputs(features: Features) -> tuple[FloatArray, BoolArray]:
    """Features as the model takes them, and which of them: roots in deviations over all pages.

    What is not known of a page is taken to be as on half of the pages.
    """
    roots = np.sqrt(features.values)
    is_known = ~np.isnan(roots)
    used: BoolArray = np.asarray(is_known.any(axis=0))
    roots = roots[:, used]
    roots = np.where(is_known[:, used], roots, np.nanmedian(roots, axis=0))
    deviations = roots.std(axis=0)
    # Rounding leaves the deviation of equal numbers a little above 0.
    varies = deviations > 1e-9
    used[used] = varies
    return roots[:, varies] / deviations[varies], used


def _inside(values: FloatArray, low: FloatArray | float, high: FloatArray | float) -> BoolArray:
    """Whether values lie in their intervals; the root and square of a value may differ from it."""
    return (values >= low - 1e-9) & (values <= high + 1e-9)


def rank_correlation(predicted: FloatArray, true: FloatArray) -> float:
    """Spearman's correlation: 0 where all pages are predicted alike, which ranks none of them.

    nan where all true values are the same.
    """
    x, y = (one - one.mean() for one in (_ranks(predicted), _ranks(true)))
    if not y.any():
        return math.nan
    return float(x @ y / math.sqrt((x @ x) * (y @ y))) if x.any() else 0.0


def _ranks(values: FloatArray) -> FloatArray:
    """Ranks from 0, those of equal values their mean."""
    _, at, times = np.unique(values, return_inverse=True, return_counts=True)
    middle: FloatArray = np.cumsum(times) - (times + 1) / 2
    return middle[at]


def _told(n: int, level: float, has_features: bool) -> str:
    needed = fewest_pages(level)
    told = []
    if n < needed:
        told.append(
            f"{n} {'page has' if n == 1 else 'pages have'} a reference: too few for intervals at "
            f"{_percent(level)} %. They take {needed} pages."
        )
    if not has_features:
        told.append(
            "No feature differs between pages, so the same value is predicted for each of them."
        )
    return " ".join(told)


def _percent(level: float) -> str:
    return f"{100 * level:.6g}"


def _alpha(level: float) -> Fraction:
    """1 − level, exactly as it was written: 1 − 0.9 is a little less than 1/10 in floats."""
    if not 0.5 <= level < 1:
        raise ConfigError(f"level {level}: give a share from 0.5 to below 1, such as 0.9")
    return 1 - Fraction(str(level))


def _check(features: Features, true: Mapping[str, float]) -> None:
    ids = set(features.page_ids)
    for page_id, value in true.items():
        if page_id not in ids:
            raise ConfigError(
                f"page {page_id} has a true value but no features; give both, or leave it out"
            )
        if value < 0 or math.isinf(value):
            raise ConfigError(
                f"page {page_id}: the true value is {value}; give a finite fraction of 0 or more"
            )


def _is_known(true: Mapping[str, float], page_id: str) -> bool:
    return not math.isnan(true.get(page_id, math.nan))


def _twice(page_ids: Sequence[str]) -> str | None:
    """The first page that is named a second time."""
    seen: set[str] = set()
    for one in page_ids:
        if one in seen:
            return one
        seen.add(one)
    return None
