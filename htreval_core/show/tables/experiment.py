"""An experiment's points as CSV and text."""

from __future__ import annotations

from collections.abc import Sequence

from htreval_core.lab.experiments import COLUMNS, Experiment, Point, point_rows, spread_points
from htreval_core.metrics.catalog import METRICS
from htreval_core.show.tables.values import csv_text
from htreval_core.show.telling.counting import shown_value


def experiment_csv(points: Sequence[Point]) -> str:
    """The tidy table: a row per point and metric."""
    return csv_text([COLUMNS, *point_rows(points)])


def experiment_text(experiment: Experiment, points: Sequence[Point]) -> str:
    """For a terminal: the means in percent by what is varied."""
    lines = [experiment.title, experiment.question, ""]
    for part in experiment.runs:
        of_part = [point for point in points if point.experiment == part.name]
        lines += [
            f"{part.title}: {part.x_label}",
            "  " + f"{'':>8}" + _row([METRICS[m].label for m in part.metrics]),
        ]
        columns = [spread_points(of_part, metric) for metric in part.metrics]
        for row in zip(*columns, strict=True):
            x = f"{100 * row[0].x:g} %" if part.percent else f"{row[0].x:g}"
            cells = [shown_value(m, one.mean) for m, one in zip(part.metrics, row, strict=True)]
            lines.append(f"  {x:>8}{_row(cells)}")
        lines.append("")
    return "\n".join(lines)


def _row(cells: Sequence[str]) -> str:
    return "".join(f"{one:>12}" for one in cells)
