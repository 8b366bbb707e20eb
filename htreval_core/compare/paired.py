"""Paired differences of systems that have read the same pages."""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from scipy.special import stdtrit

from htreval_core.compare.model import LEVEL, PairedDifference
from htreval_core.metrics.catalog import METRICS
from htreval_core.metrics.columns import Names, ScoreTable
from htreval_core.metrics.values import count_tables
from htreval_core.model import FloatArray, PageScores
from htreval_core.scoring.resampling import by_cluster, flipped_sums

_ROUNDING = 1e-11
"""Statistics that differ by less than this part of the values are equal: the order in which
sums are taken moves their last digits, and a tie counts against the difference."""


def detectable(n: float) -> float:
    """Standard errors from 0 at which a difference over n pages is found at 5 %, 4 times in 5."""
    return float(stdtrit(n - 1, 0.975) + stdtrit(n - 1, 0.80))


def times_as_many(one: PairedDifference, n: int) -> float:
    """How many times n pages, or clusters, would show a difference of the observed size."""
    times = 1.0
    for _ in range(20):
        expected = one.smallest * detectable(max(n * times, 2)) / detectable(n)
        times = (expected / one.difference) ** 2
    return times


class PairedTests:
    """All pairs of some systems on the pages that all of them have read, from one resampling.

    Args:
        scores: of each system, the same pages in the same order. The order does not matter for
            the values where their caller sorts the pages.
        metrics: names from the catalogue.
        clusters: shape (pages,), what the pages belong to: whole clusters are then exchanged, not
            pages. By default those of the scores.

    Attributes:
        tables: the scores of each system as columns.
    """

    def __init__(
        self, scores: Sequence[Sequence[PageScores]], metrics: Sequence[str], *, resamples: int,
        seed: int, clusters: Names | None = None,
    ) -> None:  # fmt: skip
        self.tables = [ScoreTable.of(of_system) for of_system in scores]
        self._metrics = tuple(metrics)
        clusters = self.tables[0].clusters if clusters is None else clusters
        chosen = [list(METRICS).index(name) for name in metrics]
        # Of each system errors and lengths, shape (pages, metrics) each.
        self._pages = [[part[:, chosen] for part in count_tables(table)] for table in self.tables]
        # The same of what is exchanged, pages or clusters of them.
        self._counts = [[by_cluster(part, clusters) for part in of] for of in self._pages]
        columns = np.hstack([part for of_system in self._counts for part in of_system])
        self._flipped, self._exact = flipped_sums(columns, resamples=resamples, seed=seed)

    def differences(self, a: int, b: int) -> dict[str, PairedDifference]:
        """Every metric of the a-th and the b-th system, Holm's correction over the metrics."""
        found = [self._difference(a, b, at) for at in range(len(self._metrics))]
        corrected = holm([one.p for one in found])
        return {one.metric: replace(one, p_holm=p) for one, p in zip(found, corrected, strict=True)}

    def rank_flips(self, a: int, b: int) -> frozenset[str]:
        """Pages on which WER and bWER prefer different systems."""
        one, other = self.tables[a], self.tables[b]
        wer, bwer = (one.errors(name) - other.errors(name) for name in ("wer", "bwer"))
        return frozenset(one.page_ids[np.flatnonzero(wer * bwer < 0)])

    def _difference(self, a: int, b: int, at: int) -> PairedDifference:
        name = self._metrics[at]
        metric = METRICS[name]
        (errors_a, lengths_a), (errors_b, lengths_b) = (
            [part[:, at] for part in self._counts[system]] for system in (a, b)
        )
        value_a, value_b = (self._value(system, at) for system in (a, b))
        difference = value_b - value_a
        if math.isnan(difference):
            low = high = error = p = math.nan
        else:
            rounding = _ROUNDING * max(abs(value_a), abs(value_b))
            low, high, p = self._test(a, b, at, difference, rounding)
            # Of one page, or one book, there is nothing to exchange.
            p = p if len(errors_a) > 1 else math.nan
            error = _standard_error(errors_a, lengths_a, errors_b, lengths_b)
            error *= 2 if metric.scale == "correlation" else 1
        pages = [part[:, at] for system in (a, b) for part in self._pages[system]]
        better, worse = _better(*pages)
        return PairedDifference(
            name, value_a, value_b, difference, low, high, p, p, wins=better,
            ties=len(pages[0]) - better - worse, losses=worse, smallest=self._detectable * error,
        )  # fmt: skip

    @property
    def _detectable(self) -> float:
        """Standard errors that a difference has to be away from 0 to be found 4 times in 5."""
        n = len(self._counts[0][0])
        if 2.0 ** (1 - n) >= LEVEL:
            # If all pages spoke for one system, p would be no smaller than this.
            return math.nan
        return detectable(n)

    def _value(self, system: int, at: int) -> float:
        """The pooled value; nan where there are words read but none to relate the errors to."""
        metric = METRICS[self._metrics[at]]
        errors, lengths = (float(part[:, at].sum()) for part in self._counts[system])
        words = self.tables[system].counts
        if not words["n_ref_words"].any() and words["n_hyp_words"].any():
            return math.nan
        return metric.value(errors, lengths)

    def _test(
        self, a: int, b: int, at: int, difference: float, rounding: float
    ) -> tuple[float, float, float]:
        """The differences that the sign-flip test does not reject at 5 %, and p of none.

        Under the hypothesis that the systems do not differ, each page's two results could as well
        have come the other way round (Noreen 1989, ch. 2; for word errors Gillick and Cox 1989).
        Both errors and lengths change hands, and the pooled difference is taken anew; p is how
        often it is as large as the one observed.

        The hypothesis that they differ by d is tested as well, with half of d · length taken from
        the errors of B on each page and given to those of A. A flip is as large as what is
        observed then for d between two values and for no other, because both are linear in d: the
        interval is made of these values and costs no search. With equal lengths they are the
        pooled differences of the pages that are flipped and of those that are not (typical values,
        Hartigan 1969).

        Returns:
            Lower and upper end as fractions, nan where a test of so few pages rejects nothing; p.
        """
        metric = METRICS[self._metrics[at]]
        halves, lengths = [], []
        for column in (0, 1):
            places = ((2 * system + column) * len(self._metrics) + at for system in (a, b))
            flip_a, flip_b = (self._flipped[:, place] for place in places)
            sum_a, sum_b = (self._counts[s][column][:, at].sum() for s in (a, b))
            middle = (sum_a + sum_b) / 2
            half = (flip_b - flip_a) / 2
            halves.append((middle - half, middle + half))
            lengths = [((total + flip) / 2, (total - flip) / 2)
                       for total, flip in ((sum_a, flip_a), (sum_b, flip_b))]  # fmt: skip
        (errors_a, errors_b), (lengths_a, lengths_b) = halves
        (stays_a, moves_a), (stays_b, moves_b) = lengths
        flipped = metric.values(errors_b, lengths_b) - metric.values(errors_a, lengths_a)
        with np.errstate(divide="ignore", invalid="ignore"):
            ends = np.stack(
                [
                    _rounded(difference - flipped, rounding)
                    / (moves_a / lengths_b + moves_b / lengths_a),
                    _rounded(difference + flipped, rounding)
                    / (stays_a / lengths_a + stays_b / lengths_b),
                ]
            )
        # A flip without a value cannot speak against anything, nor can one that changes nothing.
        unknown = np.isnan(ends).any(axis=0)
        low = np.where(unknown, -math.inf, ends.min(axis=0))
        high = np.where(unknown, math.inf, ends.max(axis=0))
        as_large = int(((low <= 0) & (high >= 0)).sum())
        p_of = np.arange(len(flipped) + 1) + (not self._exact)
        p_of = p_of / p_of[-1]
        # The fewest flips that have to be as large for p to reach the level.
        fewest = int(np.argmax(p_of >= LEVEL))
        reach = (-math.inf, math.inf)
        if fewest:
            reach = (
                float(np.partition(low, fewest - 1)[fewest - 1]),
                -float(np.partition(-high, fewest - 1)[fewest - 1]),
            )
        if not all(map(math.isfinite, reach)):
            reach = (math.nan, math.nan)
        return *reach, float(p_of[as_large])


def _rounded(values: FloatArray, rounding: float) -> FloatArray:
    """The values, 0 where they are no further from it than rounding goes."""
    return np.where(np.abs(values) <= rounding, 0.0, values)


def _standard_error(
    errors_a: FloatArray, lengths_a: FloatArray, errors_b: FloatArray, lengths_b: FloatArray
) -> float:
    """The standard error over pages of the difference of two pooled rates; nan for a single page.

    That of a ratio estimate (Cochran 1977, Sampling Techniques, ch. 6), here of two that share
    their pages: each page adds what it deviates from the pooled rates."""
    n_pages = len(errors_a)
    if n_pages < 2:
        return math.nan
    deviations = [
        (errors - errors.sum() / max(lengths.sum(), 1) * lengths) / max(lengths.sum(), 1)
        for errors, lengths in ((errors_a, lengths_a), (errors_b, lengths_b))
    ]
    squares = float(((deviations[1] - deviations[0]) ** 2).sum())
    return math.sqrt(n_pages / (n_pages - 1) * squares)


def _better(
    errors_a: FloatArray, lengths_a: FloatArray, errors_b: FloatArray, lengths_b: FloatArray
) -> tuple[int, int]:
    """Pages on which B is better and pages on which it is worse.

    Errors over length are compared, of which less is better on every scale; where a page has no
    length, the errors themselves."""
    share_a, share_b = (
        np.where((lengths_a > 0) & (lengths_b > 0), errors / np.maximum(lengths, 1), errors)
        for errors, lengths in ((errors_a, lengths_a), (errors_b, lengths_b))
    )
    return int((share_b < share_a).sum()), int((share_b > share_a).sum())


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
