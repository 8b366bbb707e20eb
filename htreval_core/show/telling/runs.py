"""Systems that were run several times, in plain sentences."""

from __future__ import annotations

import math

from htreval_core.compare import Runs, RunsComparison, RunsDifference, RunSpread
from htreval_core.metrics.catalog import METRICS
from htreval_core.show.telling.counting import p_text
from htreval_core.show.telling.verdicts import Show


def tell_runs(runs: Runs, metric: str = "wer", show: Show = str) -> str:
    """What the runs of a system come to beside what its pages do, and how far they agree.

    Args:
        show: how names of systems and pages are shown.
    """
    spread, label = runs.metrics[metric], METRICS[metric].label
    name, n_runs = show(runs.base), len(runs.systems)
    if math.isnan(spread.mean):
        return f"{name}: {label} has no value in some of {n_runs} runs."
    digits = _digits(spread.mean)
    mean = _number(metric, spread.mean, digits) + (" %" if _is_share(metric) else "")
    pages = f"pages by ±{_number(metric, spread.of_pages, digits)}"
    if math.isnan(spread.low):
        pages = "a single page says nothing about others"
    if spread.deviation == 0 and spread.same == 1:
        return f"{name}: {label} {mean}, the same on every page in all {n_runs} runs; {pages}."
    lowest, highest, deviation = (
        _number(metric, one, digits)
        for one in (min(spread.values), max(spread.values), spread.deviation)
    )
    return (
        f"{name}: {label} {mean} over {n_runs} runs ({lowest} to {highest}); runs differ by "
        f"{deviation}{_unit(metric)}, {pages}. {_agreement(spread, show)}"
    )


def _agreement(spread: RunSpread, show: Show) -> str:
    same = f"{100 * spread.same:.0f} % of pages have one value in all runs"
    if not spread.page:
        return f"{same}."
    low, high = (_number(spread.metric, one, 1) for one in spread.page_values)
    return f"{same}; {show(spread.page)} differs most ({low} to {high})."


def tell_runs_difference(comparison: RunsComparison, metric: str = "wer", show: Show = str) -> str:
    """Which of two systems is better over runs and pages, and how sure that is.

    Args:
        show: how names of systems are shown.
    """
    one, label = comparison.metrics[metric], METRICS[metric].label
    a, b = map(show, comparison.systems)
    n_a, n_b = map(len, comparison.runs)
    over = (
        f"over {_counted(n_a, 'run')} of {a} and {n_b} of {b} on "
        f"{_counted(comparison.n_pages, 'page')}"
    )
    if math.isnan(one.difference):
        return f"{label} of {a} and {b} cannot be compared {over}."
    difference = f"{_signed(one, one.difference)}{_unit(metric)}"
    told = f"{label} of {b} is {difference} against {a} ({_sure(one)}) {over}"
    if not one.shown or one.b_is_better is None:
        return f"No difference is shown: {told}."
    return f"{b if one.b_is_better else a} is better: {told}."


def tell_single(comparison: RunsComparison, show: Show = str) -> str:
    """That the scatter of a single run is unknown; empty where both have several."""
    names = " and ".join(map(show, comparison.single))
    if not names:
        return ""
    return (
        f"Only one run of {names}: how far other runs would differ is unknown and counts as "
        "nothing, so the interval is too short by that."
    )


def _sure(one: RunsDifference) -> str:
    if math.isnan(one.low):
        return p_text(one.p)
    return f"{_signed(one, one.low)} to {_signed(one, one.high)}, {p_text(one.p)}"


def _is_share(metric: str) -> bool:
    return METRICS[metric].scale != "correlation"


def _digits(value: float) -> int:
    """Of small rates a digit more, or their scatter would be rounded to nothing."""
    return 1 if value >= 0.05 else 2


def _number(metric: str, value: float, digits: int) -> str:
    return f"{100 * value:.{digits}f}" if _is_share(metric) else f"{value:.3f}"


def _unit(metric: str) -> str:
    return " points" if _is_share(metric) else ""


def _signed(one: RunsDifference, value: float) -> str:
    text = _number(one.metric, abs(value), _digits(min(one.a, one.b)))
    if not float(text):
        return text
    return ("\N{MINUS SIGN}" if value < 0 else "+") + text


def _counted(n: int, what: str) -> str:
    return f"{n:,} {what}" + ("" if n == 1 else "s")
