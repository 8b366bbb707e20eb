"""Points as a tidy table, as means with their spread."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from htreval_core.lab.experiments.run import TRUTH, Point

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = (
    "experiment",
    "x",
    "repeat",
    "metric",
    "value",
    "errors",
    "length",
    "theory",
    "n_pages",
    *TRUTH,
)
"""Of the tidy table: a row per point and metric; fractions, counts, and nan where undefined."""


def point_rows(points: Iterable[Point]) -> list[tuple[str | float, ...]]:
    """The rows of the tidy table by experiment, value and repeat, cells as ``COLUMNS`` has them."""
    points = list(points)
    names = list(dict.fromkeys(point.experiment for point in points))
    points.sort(key=lambda one: (names.index(one.experiment), one.x, one.repeat))
    return [
        (
            point.experiment,
            point.x,
            point.repeat,
            metric,
            value,
            *point.counts[metric],
            point.theory.get(metric, math.nan),
            point.n_pages,
            *(point.truth[name] for name in TRUTH),
        )
        for point in points
        for metric, value in point.values.items()
    ]


def points_frame(points: Iterable[Point]) -> pd.DataFrame:
    """The tidy table: a row per point and metric, ordered."""
    import pandas as pd

    return pd.DataFrame(point_rows(points), columns=list(COLUMNS))


@dataclass(frozen=True, slots=True)
class Spread:
    """One quantity at one value of what is varied, over the repeats: mean, least, most."""

    x: float
    mean: float
    low: float
    high: float
    n: int


def spread_points(points: Iterable[Point], metric: str, of: str = "values") -> tuple[Spread, ...]:
    """A metric's mean and range over the repeats, by value of what is varied.

    Args:
        of: "values" or "theory"; points without it are passed over.
    """
    by_x: dict[float, list[float]] = defaultdict(list)
    for point in points:
        value = getattr(point, of).get(metric, math.nan)
        if not math.isnan(value):
            by_x[point.x].append(value)
    return tuple(
        Spread(x, sum(found) / len(found), min(found), max(found), len(found))
        for x, found in sorted(by_x.items())
    )
