"""Systems that were run several times: how far runs differ, and comparisons over them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from htreval_core.compare import (
    FEWEST,
    PRIMARY,
    PairedDifference,
    Runs,
    RunsComparison,
    RunsDifference,
    RunSpread,
)
from htreval_core.metrics.catalog import METRICS
from htreval_core.model import DataWarning
from htreval_core.show.tables.values import JsonValue, aligned, as_json, fraction, number, plain
from htreval_core.show.tables.warnings import warnings_json
from htreval_core.show.telling.counting import interval_text, p_value, shown_value, signed_value
from htreval_core.show.telling.runs import tell_runs_difference, tell_single


def run_spreads_json(spreads: Mapping[str, Runs]) -> dict[str, JsonValue]:
    """The runs of each system by the name that they share; fractions, undefined ones null."""
    return {
        base: {
            "systems": list(runs.systems),
            "n_pages": len(runs.page_ids),
            "metrics": {
                name: _spread_json(runs.systems, one) for name, one in runs.metrics.items()
            },
        }
        for base, runs in spreads.items()
    }


def _spread_json(systems: Sequence[str], one: RunSpread) -> dict[str, JsonValue]:
    values = {system: fraction(value) for system, value in zip(systems, one.values, strict=True)}
    return {
        "values": dict(values),
        "mean": fraction(one.mean),
        "deviation": fraction(one.deviation),
        "lowest": fraction(min(one.values) if not math.isnan(one.mean) else math.nan),
        "highest": fraction(max(one.values) if not math.isnan(one.mean) else math.nan),
        "low": fraction(one.low),
        "high": fraction(one.high),
        "pages_same": fraction(one.same),
        "page": one.page or None,
        "page_lowest": fraction(one.page_values[0]),
        "page_highest": fraction(one.page_values[1]),
    }


_HEAD = ("mean", "lowest – highest", "runs differ", "pages ±", "same pages", "differs most")
_NOTE = (
    "In %. Runs differ: their standard deviation; pages ±: half the 95 % interval of the mean from "
    "pages; same pages: those with one value in all runs"
)


def run_spreads_lines(spreads: Mapping[str, Runs]) -> Iterator[str]:
    """A block a system for a terminal, in percent, with an empty line behind it."""
    for base, runs in spreads.items():
        pages = f"{len(runs.page_ids):,} page" + ("" if len(runs.page_ids) == 1 else "s")
        yield f"{plain(base)}: {len(runs.systems)} runs on {pages}"
        cells = {METRICS[name].label: map(plain, _cells(one)) for name, one in runs.metrics.items()}
        yield from aligned([["", *_HEAD], *([label, *row] for label, row in cells.items())])
        yield f"  {_NOTE}"
        yield ""


def _cells(one: RunSpread) -> list[str]:
    """What stands below each of ``_HEAD``."""
    lowest, highest, low, high = (
        shown_value(one.metric, value)
        for value in (min(one.values), max(one.values), *one.page_values)
    )
    page = f"{one.page} ({low} – {high})" if one.page else "–"
    return [
        shown_value(one.metric, one.mean),
        "–" if math.isnan(one.mean) else f"{lowest} – {highest}",
        shown_value(one.metric, one.deviation),
        shown_value(one.metric, one.of_pages),
        f"{100 * one.same:.0f}",
        page,
    ]


_VALUES = ("a", "b", "difference", "low", "high", "p", "p_holm", "error", "from_pages")


def runs_comparison_json(
    comparison: RunsComparison, *, warnings: Sequence[DataWarning] = ()
) -> str:
    """Two systems over their runs and pages as JSON: fractions, undefined ones null."""
    content = {"signature": comparison.signature} | runs_pair_json(comparison)
    return as_json(content | {"warnings": warnings_json(warnings)})


def runs_pair_json(comparison: RunsComparison) -> dict[str, JsonValue]:
    """One pair, to stand among others."""
    return {
        "systems": list(comparison.systems),
        "runs": {
            name: list(runs) for name, runs in zip(comparison.systems, comparison.runs, strict=True)
        },
        "single_runs": list(comparison.single),
        "n_pages": comparison.n_pages,
        "n_left_out": comparison.n_left_out,
        "metrics": {name: _metric_json(one) for name, one in comparison.metrics.items()},
    }


def _metric_json(one: RunsDifference) -> dict[str, JsonValue]:
    values: dict[str, JsonValue] = {name: fraction(getattr(one, name)) for name in _VALUES}
    return values | {
        "from_runs_a": fraction(one.from_runs[0]),
        "from_runs_b": fraction(one.from_runs[1]),
        "freedom": number(one.freedom),
    }


def value_cells(name: str, one: PairedDifference | RunsDifference) -> list[str]:
    """A metric, its two values, their difference with its interval, and both p."""
    return [
        METRICS[name].label,
        shown_value(name, one.a),
        shown_value(name, one.b),
        signed_value(name, one.difference),
        interval_text(name, one.low, one.high, signed=True),
        p_value(one.p),
        p_value(one.p_holm),
    ]


def told_better(one: PairedDifference | RunsDifference) -> str:
    """Which of two is better, of a difference that is significant."""
    return f"{'B' if one.b_is_better else 'A'} is better{'' if one.shown else ' if asked alone'}"


def runs_comparison_table(comparison: RunsComparison) -> str:
    """Two systems over their runs and pages for a terminal, in percent and points."""
    return "\n".join([*runs_pair_lines(comparison), "", comparison.signature]) + "\n"


def runs_pair_lines(comparison: RunsComparison) -> Iterator[str]:
    """One pair, to stand among others."""
    a, b = map(plain, comparison.systems)
    counts = [f"{len(runs)} run" + ("s" if len(runs) > 1 else "") for runs in comparison.runs]
    left_out = f", {comparison.n_left_out:,} left out" if comparison.n_left_out else ""
    yield (
        f"A = {a}, {counts[0]}; B = {b}, {counts[1]}: {comparison.n_pages:,} pages that all runs "
        f"have read{left_out}"
    )
    rows = [["", "A", "B", "B − A", "95 % interval", "p", "p (Holm)", "SE", "of pages", "runs of A",
             "runs of B", ""]]  # fmt: skip
    for name, one in comparison.metrics.items():
        errors = (one.error, one.from_pages, *one.from_runs)
        shown = (shown_value(name, error) for error in errors)
        is_better = one.significant and one.b_is_better is not None
        rows.append([*value_cells(name, one), *shown, told_better(one) if is_better else ""])
    yield from aligned(rows)
    yield (
        "  A and B are means over runs; interval and p are over pages and runs together; SE and "
        "its parts are in points"
    )
    if PRIMARY in comparison.metrics:
        yield f"  {tell_runs_difference(comparison, PRIMARY, plain)}"
    if comparison.n_pages < FEWEST:
        yield f"  Fewer than {FEWEST} pages: take the interval for a rough guess."
    if single := tell_single(comparison, plain):
        yield f"  {single}"
