"""What the paper found in each experiment, held against the points of our own run."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from types import MappingProxyType

import numpy as np

from benchmarks.lab.run import Point, spread_points

_APART = 0.015
"""WER, bWER and hWER agree within 1.5 points."""
_UP_TO = 0.195
_FLAT = 0.001
_NEAR_THEORY = 0.35
_GAMMA_SAFE = 2
_NEAR_BWER = 0.005
_R = 0.97
_ROOM = 0.5
"""Share of pages with room for every fault from which on theory says something: the few that
have room for many are those whose faults happened to be small."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One statement of the paper and whether it holds here.

    Args:
        claim: the statement in our words, with the bound that it is held to.
        measured: what was found, in words and values.
        holds: whether that is within the bound.
    """

    claim: str
    measured: str
    holds: bool


def check_findings(experiment: str, points: Sequence[Point]) -> tuple[Finding, ...]:
    """The paper's statements on an experiment, by its name, held against all of its points."""
    return tuple(check(points) for check in _CHECKS.get(experiment, ())) if points else ()


def _means(points: Sequence[Point], metric: str) -> dict[float, float]:
    return {spread.x: spread.mean for spread in spread_points(points, metric)}


def _points(value: float) -> str:
    return f"{100 * value:.2f} points"


def _apart(points: Sequence[Point]) -> Finding:
    gaps = [
        max(p.values[m] for m in _WORD_METRICS) - min(p.values[m] for m in _WORD_METRICS)
        for p in points
        if p.x <= _UP_TO
    ]
    return Finding(
        "WER, bWER and hWER agree as long as the order is kept: within 1.5 points up to tCER "
        "19.5 %.",
        f"At most {_points(max(gaps))} apart." if gaps else "Nothing so small was tried.",
        bool(gaps) and max(gaps) <= _APART,
    )


def _bag_and_matching(points: Sequence[Point]) -> Finding:
    gap = max(abs(p.values["hwer"] - p.values["bwer"]) for p in points)
    above = max(p.values["wer"] - p.values["bwer"] for p in points)
    return Finding(
        "With words broken and run together bWER and hWER still agree: within 0.5 point.",
        f"At most {_points(gap)} apart. WER lies up to {_points(above)} above them: words that "
        "come and go move those behind them.",
        gap <= _NEAR_BWER,
    )


_WORD_METRICS = ("wer", "bwer", "hwer")


def _flat(points: Sequence[Point]) -> Finding:
    moved = {m: max(p.values[m] for p in points) - min(p.values[m] for p in points)
             for m in ("bwer", "hwer")}  # fmt: skip
    return Finding(
        "Swapped lines leave bWER and hWER where they are: they move by less than 0.1 point.",
        f"bWER moves by {_points(moved['bwer'])}, hWER by {_points(moved['hwer'])}.",
        max(moved.values()) < _FLAT,
    )


def _rises(points: Sequence[Point]) -> Finding:
    wer = _means(points, "wer")
    made = {x: sum(p.truth["made"] for p in points if p.x == x) for x in wer}
    steps = [
        wer[after] > wer[before] if made[after] > made[before] else wer[after] == wer[before]
        for before, after in pairwise(sorted(wer))
    ]
    (low, least), *_, (high, most) = sorted(wer.items())
    return Finding(
        "WER rises with every further swap that finds room.",
        f"From {100 * least:.2f} % at {low:g} to {100 * most:.2f} % at {high:g} swaps a page; "
        f"{sum(steps)} of {len(steps)} steps as stated.",
        all(steps),
    )


def _near_theory(points: Sequence[Point]) -> Finding:
    ratios = []
    for x in sorted({point.x for point in points}):
        rooms = [p.room for p in points if p.x == x and p.room]
        pages = sum(room.n_pages for room in rooms)
        if pages and pages >= _ROOM * sum(p.n_pages for p in points if p.x == x):
            expected = sum(room.theory * room.n_pages for room in rooms)
            ratios.append(sum(room.nsfd * room.n_pages for room in rooms) / expected)
    low, high = (min(ratios), max(ratios)) if ratios else (math.nan, math.nan)
    return Finding(
        "NSFD lies within 35 % of what theory expects, on the pages with room for all faults, as "
        "long as half of the pages have it.",
        f"{100 * low:.0f} to {100 * high:.0f} % of the expected value."
        if ratios
        else "No page has room.",
        bool(ratios) and 1 - _NEAR_THEORY <= low <= high <= 1 + _NEAR_THEORY,
    )


def _bwer_rise(points: Sequence[Point]) -> Finding:
    expected = sum(p.theory["bwer"] for p in points)
    ratio = sum(p.values["bwer"] for p in points) / expected if expected else math.nan
    return Finding(
        "bWER rises only by the words that a split breaks: within 35 % of what theory expects.",
        f"{100 * ratio:.0f} % of the expected rise." if expected else "No line was split.",
        abs(ratio - 1) <= _NEAR_THEORY,
    )


def _gamma_falls(points: Sequence[Point]) -> Finding:
    values = sorted(_means(points, "nsfd").items())
    falls = [after <= before for (_, before), (_, after) in pairwise(values)]
    (low, first), *_, (high, last) = values
    return Finding(
        "NSFD falls as γ grows.",
        f"From {100 * first:.2f} % at γ = {low:g} to {100 * last:.2f} % at γ = {high:g}; "
        f"{sum(falls)} of {len(falls)} steps as stated.",
        all(falls),
    )


def _gamma_safe(points: Sequence[Point]) -> Finding:
    gaps = [abs(p.values["hwer"] - p.values["bwer"]) for p in points if p.x <= _GAMMA_SAFE]
    worst = max(gaps, default=math.nan)
    return Finding(
        "Up to γ = 2 hWER stays at bWER: within 0.5 point.",
        f"At most {_points(worst)} apart.",
        worst <= _NEAR_BWER,
    )


def _gamma_reaches_wer(points: Sequence[Point]) -> Finding:
    last = max(p.x for p in points)
    hwer, bwer, wer = (_means(points, m)[last] for m in ("hwer", "bwer", "wer"))
    share = (hwer - bwer) / (wer - bwer) if wer > bwer else math.nan
    return Finding(
        "At γ ≈ 100 hWER has come up to WER: at least nine tenths of the way from bWER.",
        f"At γ = {last:g} hWER is {100 * hwer:.2f} %, between bWER {100 * bwer:.2f} % and WER "
        f"{100 * wer:.2f} %.",
        share >= 0.9,
    )


def _correlated(points: Sequence[Point]) -> Finding:
    fit = _fit(points)
    parts = []
    for name in dict.fromkeys(point.experiment for point in points):
        of_part = _fit([point for point in points if point.experiment == name])
        parts.append(f"{name} {of_part.r:.3f}" if of_part else f"{name} –")
    return Finding(
        "ΔWER and NSFD go together: r ≥ 0.97 over all points.",
        (f"r = {fit.r:.4f}" if fit else "No r") + f" over {len(points)} points; by experiment: "
        f"{', '.join(parts)}.",
        fit is not None and fit.r >= _R,
    )


def _fit(points: Sequence[Point]) -> Fit | None:
    return fit_line([p.values["nsfd"] for p in points], [p.values["delta_wer"] for p in points])


_CHECKS: Mapping[str, tuple[Callable[[Sequence[Point]], Finding], ...]] = MappingProxyType(
    {
        "noise-words": (_apart,),
        "noise-lines": (_bag_and_matching,),
        "swaps": (_flat, _rises, _near_theory),
        "splits": (_bwer_rise, _near_theory),
        "gamma": (_gamma_falls, _gamma_safe, _gamma_reaches_wer),
        "correlation": (_correlated,),
    }
)


@dataclass(frozen=True, slots=True)
class Fit:
    """A straight line of least squares through points, and how well it fits (Pearson's r)."""

    slope: float
    intercept: float
    r: float


def fit_line(xs: Sequence[float], ys: Sequence[float]) -> Fit | None:
    """The line through points; None where there are fewer than three or they do not vary."""
    x, y = np.asarray(xs, dtype=float), np.asarray(ys, dtype=float)
    if len(x) < 3 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return None
    slope, intercept = np.polyfit(x, y, 1)
    return Fit(float(slope), float(intercept), float(np.corrcoef(x, y)[0, 1]))
