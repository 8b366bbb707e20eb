"""Two systems compared by runs and pages together."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from scipy.special import stdtr, stdtrit

from htreval_core.compare.correction import holm
from htreval_core.compare.model import LEVEL, Tested
from htreval_core.compare.runs import base_of, pooled_runs, run_values, runs_of, tables_on_common
from htreval_core.compare.systems import COMPARED, check_names
from htreval_core.errors import ConfigError
from htreval_core.metrics.catalog import METRICS
from htreval_core.metrics.columns import ScoreTable
from htreval_core.model import FloatArray
from htreval_core.scoring.resampling import by_cluster
from htreval_core.scoring.study import Study

_ROUNDING = 1e-11
"""A standard error below this part of the values is rounding, and no scatter."""


@dataclass(frozen=True, slots=True)
class RunsDifference(Tested):
    """One metric of two systems A and B, each the mean over its runs, on the same pages.

    All values are fractions; ``difference`` is B − A, so of an error rate a negative one says
    that B is better.

    Args:
        metric: its name in the catalogue.
        a: the mean over A's runs of the corpus value; nan where it is undefined.
        b: the same of B.
        difference: b − a.
        low: lower end of the 95 % interval, over other pages and other runs; nan where nothing
            scatters or there is a single page.
        high: upper end of it.
        p: two-sided, of Student's t; below 0.05 where, and only where, the interval leaves out 0.
        p_holm: p after Holm's correction over the metrics of the comparison.
        error: the standard error behind both.
        from_pages: the part of it that pages make, as a standard error by itself.
        from_runs: the part that runs add as a whole, of A and of B; nan for a single run, which
            adds nothing because nothing is known of it.
        freedom: the degrees of freedom of Student's t.
    """

    metric: str
    a: float
    b: float
    difference: float
    low: float = math.nan
    high: float = math.nan
    p: float = math.nan
    p_holm: float = math.nan
    error: float = math.nan
    from_pages: float = math.nan
    from_runs: tuple[float, float] = (math.nan, math.nan)
    freedom: float = math.nan


@dataclass(frozen=True, slots=True)
class RunsComparison:
    """Two systems with their runs, on the pages that all of these have read.

    Args:
        systems: A and B, each the name that its runs share, or that of a single run.
        runs: the runs of A and of B.
        page_ids: the pages compared, in the order of the study.
        n_left_out: pages that some of the runs have read and some have not.
        metrics: the difference of each metric.
        signature: pins the settings of the study. Nothing is drawn at random.
    """

    systems: tuple[str, str]
    runs: tuple[tuple[str, ...], tuple[str, ...]]
    page_ids: tuple[str, ...]
    n_left_out: int
    metrics: dict[str, RunsDifference]
    signature: str

    @property
    def n_pages(self) -> int:
        """How many pages were compared."""
        return len(self.page_ids)

    @property
    def single(self) -> tuple[str, ...]:
        """Those of the two of which there is one run, so that its scatter is unknown."""
        return tuple(
            name for name, runs in zip(self.systems, self.runs, strict=True) if len(runs) == 1
        )


def runs_named(name: str, systems: Sequence[str]) -> tuple[str, ...]:
    """The systems that a name stands for: itself, its runs, or the one run that is so called.

    Raises:
        ConfigError: no system is called so.

    >>> runs_named("A", ["A#1", "A#2", "B_run1"]), runs_named("B", ["A#1", "A#2", "B_run1"])
    (('A#1', 'A#2'), ('B_run1',))
    """
    if name in systems:
        return (name,)
    runs = runs_of(systems)
    if name in runs:
        return runs[name]
    for system in systems:
        if (run := base_of(system)) is not None and run[0] == name:
            return (system,)
    known = ", ".join(map(repr, [*runs, *systems])) or "none"
    raise ConfigError(f"{name!r}: not among the systems and the names of their runs, {known}")


def compare_runs(
    study: Study, a: str, b: str, *, metrics: Sequence[str] = COMPARED
) -> RunsComparison:
    """How B differs from A where systems were run several times, over runs and pages together.

    Both pages and runs are drawn from more that could have been taken, and each run meets every
    page. So the variance of the difference has a part from pages, with the runs as they are, and
    for each system a part from runs, with the pages as they are, less what both parts hold: what a
    run does on a single page (Cameron, Gelbach and Miller 2011, Journal of Business & Economic
    Statistics 29, 238–249; the design is Owen's 2007, Annals of Applied Statistics 1, 386–411).
    Interval and p are of Student's t with Satterthwaite's degrees of freedom, of which few runs
    leave few. See docs/statistics.md.

    Args:
        study: pages scored under all of these runs.
        a: the name that runs share, or a system, which is then a single run.
        b: the same; differences are B − A.
        metrics: names from the catalogue; Holm's correction runs over them.

    Raises:
        ConfigError: no such system or metric, the same runs twice, or no page that all have read.

    >>> import htreval_core as hv
    >>> texts = ["one two three", "four five six", "seven eight nine"]
    >>> pages = [
    ...     hv.Page.from_text(t, t, {"A#1": t, "A#2": t[1:], "B#1": t[1:], "B#2": t[1:]})
    ...     for t in texts
    ... ]
    >>> found = hv.compare_runs(hv.score(pages), "A", "B").metrics["wer"]
    >>> round(found.a, 3), round(found.b, 3), round(found.difference, 3)
    (0.167, 0.333, 0.167)
    """
    metrics = tuple(dict.fromkeys(metrics))
    check_names(study, (), metrics)
    runs = runs_named(a, study.systems), runs_named(b, study.systems)
    if twice := set(runs[0]) & set(runs[1]):
        raise ConfigError(f"{a!r} and {b!r} both have the run {min(twice)!r}: name two systems")
    together = (*runs[0], *runs[1])
    page_ids, tables = tables_on_common(study, together)
    if not page_ids:
        raise ConfigError(
            f"the runs of {a!r} and {b!r} have not read a single page in common: give the output "
            "of all of them for the same pages"
        )
    every = frozenset[str]().union(*(study.pages_of(system) for system in together))
    of_a, of_b = tables[: len(runs[0])], tables[len(runs[0]) :]
    found = [difference_by_runs(name, _counts(of_a, name), _counts(of_b, name)) for name in metrics]
    corrected = holm([one.p for one in found])
    return RunsComparison(
        (a, b),
        runs,
        page_ids,
        len(every) - len(page_ids),
        {one.metric: replace(one, p_holm=p) for one, p in zip(found, corrected, strict=True)},
        study.signature,
    )


def compare_all_runs(
    study: Study, *, metrics: Sequence[str] = COMPARED
) -> tuple[RunsComparison, ...]:
    """Every two systems of which one at least was run several times; none where none was.

    Pairs whose runs share no page are left out.

    Raises:
        ConfigError: no such metric.
    """
    runs = runs_of(study.systems)
    base = {system: name for name, systems in runs.items() for system in systems}
    names = dict.fromkeys(base.get(system, system) for system in study.systems)
    found = []
    for a, b in combinations(names, 2):
        together = [*runs.get(a, (a,)), *runs.get(b, (b,))]
        if len(together) > 2 and frozenset.intersection(*map(study.pages_of, together)):
            found.append(compare_runs(study, a, b, metrics=metrics))
    return tuple(found)


@dataclass(frozen=True, slots=True, eq=False)
class RunCounts:
    """One metric of one system: what each page adds to the corpus value of each run.

    Args:
        values: shape (runs,), the corpus values; nan where undefined.
        errors: shape (runs, pages), or (runs, clusters) where pages come in clusters.
        lengths: the same.
    """

    values: FloatArray
    errors: FloatArray
    lengths: FloatArray


def difference_by_runs(metric: str, a: RunCounts, b: RunCounts) -> RunsDifference:
    """One metric of two systems over runs and pages, uncorrected; see ``compare_runs``."""
    slope = {"error rate": 1.0, "share": -1.0, "correlation": -2.0}[METRICS[metric].scale]
    of_a, of_b = _side(a, slope), _side(b, slope)
    difference = of_b.value - of_a.value
    n_pages = len(of_a.influence)
    unknown = RunsDifference(metric, of_a.value, of_b.value, difference)
    if math.isnan(difference) or n_pages < 2:
        return unknown
    from_pages = float(((of_b.influence - of_a.influence) ** 2).sum()) * n_pages / (n_pages - 1)
    parts = [(from_pages, n_pages - 1)]
    parts += [(one.from_runs, one.n_runs - 1) for one in (of_a, of_b) if one.n_runs > 1]
    variance = sum(part for part, _ in parts)
    error = math.sqrt(variance)
    known = replace(
        unknown,
        error=error,
        from_pages=math.sqrt(from_pages),
        from_runs=(of_a.scatter, of_b.scatter),
    )
    rounding = _ROUNDING * max(abs(of_a.value), abs(of_b.value))
    if error <= rounding:
        # Nothing scatters: equal everywhere is no difference, anything else no test can judge.
        return replace(known, p=1.0, p_holm=1.0) if abs(difference) <= rounding else known
    freedom = variance**2 / sum(part**2 / n for part, n in parts)
    reach = float(stdtrit(freedom, 1 - LEVEL / 2)) * error
    p = 2 * float(stdtr(freedom, -abs(difference) / error))
    return replace(
        known, low=difference - reach, high=difference + reach, p=p, p_holm=p, freedom=freedom
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Side:
    """What one system adds to the variance of the difference.

    Args:
        value: the mean over its runs.
        influence: shape (pages,), what each page moves that mean by.
        from_runs: of the mean's variance, what runs add to that from pages; 0 for a single run.
        n_runs: how many runs.
    """

    value: float
    influence: FloatArray
    from_runs: float
    n_runs: int

    @property
    def scatter(self) -> float:
        """The standard error that runs add; nan for a single run, of which nothing is known."""
        return math.sqrt(self.from_runs) if self.n_runs > 1 else math.nan


def _side(counts: RunCounts, slope: float) -> _Side:
    errors, lengths = counts.errors, counts.lengths
    n_runs, n_pages = errors.shape
    total = np.maximum(lengths.sum(axis=1, keepdims=True), 1e-300)
    # What a page adds to a ratio of sums, to first order (Cochran 1977, ch. 6).
    each = slope * (errors - errors.sum(axis=1, keepdims=True) / total * lengths) / total
    influence = each.mean(axis=0)
    value = float(counts.values.mean())
    if n_runs == 1:
        return _Side(value, influence, 0.0, 1)
    # What runs do on single pages scatters with the pages already and must not count twice.
    on_pages = float(((each - influence) ** 2).sum()) * n_pages / max(n_pages - 1, 1)
    beyond = (float(((counts.values - value) ** 2).sum()) - on_pages) / (n_runs - 1) / n_runs
    return _Side(value, influence, max(beyond, 0.0), n_runs)


def _counts(tables: Sequence[ScoreTable], metric: str) -> RunCounts:
    errors, lengths = pooled_runs(tables, metric)
    clusters = tables[0].clusters
    return RunCounts(
        run_values(tables, metric),
        by_cluster(errors.T, clusters).T,
        by_cluster(lengths.T, clusters).T,
    )
