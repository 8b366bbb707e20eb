"""One system run several times: which systems are runs of one, and how far its runs differ."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from htreval_core.metrics.catalog import METRICS, TABLE_METRICS
from htreval_core.metrics.columns import ScoreTable
from htreval_core.metrics.values import page_values
from htreval_core.model import FloatArray
from htreval_core.scoring.resampling import by_cluster, drawn_sums, interval
from htreval_core.scoring.study import Study

_RUN = re.compile(
    r"(.*?[^\s#_.-])(?:\s*#\s*|[\s_.-]+(?:run|repeat)[\s_.-]*)(\d{1,4})", re.IGNORECASE
)


def base_of(system: str) -> tuple[str, int] | None:
    """The name without its run, and the number of the run; None where it names no run.

    A run is called ``A#1``, ``A_run1``, ``A-repeat2`` or ``A run 3``.

    >>> base_of("A#1"), base_of("bnf_run12"), base_of("gpt-4"), base_of("rerun2")
    (('A', 1), ('bnf', 12), None, None)
    """
    match = _RUN.fullmatch(system)
    return (match[1], int(match[2])) if match else None


def runs_of(systems: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """The systems that are runs of one, by the name that they share, in the order of their runs.

    A single run has nothing to compare with, so a name has two or more. A system that merely ends
    in a digit is no run. Nor is a name that a system itself has: it would stand for two things.

    >>> runs_of(["A#2", "A#1", "gpt-4", "gpt-5", "B_run1"])
    {'A': ('A#1', 'A#2')}
    """
    systems = tuple(systems)
    found: dict[str, list[tuple[int, str]]] = {}
    for system in systems:
        if (run := base_of(system)) is not None and run[0] not in systems:
            found.setdefault(run[0], []).append((run[1], system))
    return {
        base: tuple(system for _, system in sorted(runs))
        for base, runs in found.items()
        if len(runs) > 1
    }


@dataclass(frozen=True, slots=True)
class RunSpread:
    """One metric of one system over its runs, all on the same pages.

    All values are fractions, nan where undefined.

    Args:
        metric: its name in the catalogue.
        values: the corpus value of each run, in the order of the runs.
        mean: of these values.
        deviation: the standard deviation between runs, with K − 1 under it.
        low: lower end of the 95 % interval of the mean from pages alone, the runs as they are;
            nan for a single page.
        high: upper end of it.
        same: the share of pages whose value is the same in all runs; 1 where a system always says
            the same.
        page: the page whose values lie furthest apart, worth looking at; empty where all agree.
        page_values: the lowest and the highest value of that page; nan if no page does.
    """

    metric: str
    values: tuple[float, ...]
    mean: float
    deviation: float
    low: float
    high: float
    same: float
    page: str
    page_values: tuple[float, float]

    @property
    def of_pages(self) -> float:
        """Half the width of the interval from pages, which the runs' deviation stands beside."""
        return (self.high - self.low) / 2


@dataclass(frozen=True, slots=True)
class Runs:
    """The runs of one system on the pages that all of them have read.

    Args:
        base: the name that they share.
        systems: the runs.
        page_ids: in the order of the study.
        metrics: the spread of each metric.
    """

    base: str
    systems: tuple[str, ...]
    page_ids: tuple[str, ...]
    metrics: Mapping[str, RunSpread]


def run_spreads(study: Study, metrics: Sequence[str] = TABLE_METRICS) -> dict[str, Runs]:
    """How far the runs of each system differ, beside what pages leave to chance.

    Systems of which there is one run, or whose runs share no page, are left out.

    Args:
        metrics: names from the catalogue.

    >>> import htreval_core as hv
    >>> outputs = {"A#1": "one two", "A#2": "one too"}
    >>> pages = [hv.Page.from_text(str(n), "one two", outputs) for n in range(3)]
    >>> spread = run_spreads(hv.score(pages))["A"].metrics["wer"]
    >>> spread.values, spread.mean, spread.same
    ((0.0, 0.5), 0.25, 0.0)
    """
    found = {}
    for base, systems in runs_of(study.systems).items():
        page_ids, tables = tables_on_common(study, systems)
        if page_ids:
            spreads = _spreads(
                tables, tuple(metrics), study.settings.resamples, study.settings.seed
            )
            found[base] = Runs(base, systems, page_ids, spreads)
    return found


def tables_on_common(
    study: Study, systems: Sequence[str]
) -> tuple[tuple[str, ...], list[ScoreTable]]:
    """The pages that all of these systems have read, in the order of the study, and their scores.

    The scores are sorted by page id, so that the order of pages moves no value.
    """
    common = frozenset.intersection(*(study.pages_of(system) for system in systems))
    tables = [study.table(system).on(common).sorted_by_page() for system in systems]
    return tuple(page_id for page_id in study.page_ids if page_id in common), tables


def pooled_runs(tables: Sequence[ScoreTable], metric: str) -> tuple[FloatArray, FloatArray]:
    """Errors and lengths that each page adds to the corpus value of each run.

    Returns:
        Shape (runs, pages) each; nan where the metric does not apply to a page.
    """
    columns = [METRICS[metric].pooled_columns(table) for table in tables]
    return np.array([errors for errors, _ in columns]), np.array([n for _, n in columns])


def run_values(tables: Sequence[ScoreTable], metric: str) -> FloatArray:
    """The corpus value of each run, shape (runs,); nan where it is undefined."""
    one = METRICS[metric]
    errors, lengths = pooled_runs(tables, metric)
    values = one.values(errors.sum(axis=1), lengths.sum(axis=1))
    if one.undefined_without_reference:
        nothing = [
            not table.counts["n_ref_words"].any() and bool(table.counts["n_hyp_words"].any())
            for table in tables
        ]
        values = np.where(nothing, math.nan, values)
    return values


def _spreads(
    tables: Sequence[ScoreTable], metrics: Sequence[str], resamples: int, seed: int
) -> dict[str, RunSpread]:
    n_runs = len(tables)
    columns = np.hstack([part.T for name in metrics for part in pooled_runs(tables, name)])
    # One set of draws for all runs and metrics: a page is drawn with all of its runs.
    columns = by_cluster(columns, tables[0].clusters)
    n_drawn = len(columns)
    drawn = drawn_sums(columns, resamples=resamples, seed=seed) if n_drawn > 1 else None
    found = {}
    for at, name in enumerate(metrics):
        values = run_values(tables, name)
        low = high = math.nan
        if drawn is not None and not np.isnan(values).any():
            first = 2 * n_runs * at
            errors, lengths = drawn[:, first : first + n_runs], drawn[:, first + n_runs :]
            resampled = METRICS[name].values(errors, lengths[:, :n_runs])
            low, high = interval(resampled.mean(axis=1), n_drawn)
        same, page, ends = _agreement(tables, name)
        found[name] = RunSpread(
            name,
            tuple(values.tolist()),
            float(values.mean()),
            float(values.std(ddof=1)),
            low,
            high,
            same,
            page,
            ends,
        )
    return found


def _agreement(tables: Sequence[ScoreTable], metric: str) -> tuple[float, str, tuple[float, float]]:
    """The share of pages with one value in all runs, and the page that differs most."""
    values = np.array([page_values(table, metric) for table in tables])
    undefined = np.isnan(values)
    same = (values == values[0]).all(axis=0) | undefined.all(axis=0)
    share = float(same.mean())
    # A page that has a value in some runs only differs, but by how much nobody can say.
    known = ~undefined.any(axis=0)
    width = np.where(known, values.max(axis=0) - values.min(axis=0), 0.0)
    at = int(width.argmax())
    if not width[at] > 0:
        return share, "", (math.nan, math.nan)
    ends = float(values[:, at].min()), float(values[:, at].max())
    return share, str(tables[0].page_ids[at]), ends
