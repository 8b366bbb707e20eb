"""Points as means with their spread."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from htreval_core.lab.experiments.run import Point


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
