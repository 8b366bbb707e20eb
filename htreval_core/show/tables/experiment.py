"""An experiment's points as CSV, JSON and text."""

from __future__ import annotations

from collections.abc import Sequence

from htreval_core.lab.experiments import (
    COLUMNS,
    Experiment,
    Point,
    Spread,
    check_findings,
    fit_line,
    point_rows,
    spread_points,
)
from htreval_core.metrics.catalog import METRICS
from htreval_core.show.tables.values import JsonValue, as_json, csv_text, fraction, number
from htreval_core.show.telling.counting import shown_value


def experiment_csv(points: Sequence[Point]) -> str:
    """The tidy table: a row per point and metric."""
    return csv_text([COLUMNS, *point_rows(points)])


def experiment_json(experiment: Experiment, points: Sequence[Point], signature: str) -> str:
    """Means with their spread by part and metric, what theory expects, and what was found."""
    parts: dict[str, JsonValue] = {}
    for part in experiment.parts or (experiment,):
        of_part = [point for point in points if point.experiment == part.name]
        parts[part.name] = {
            "title": part.title,
            "varies": part.x_label,
            "metrics": _by_metric(of_part, "values"),
            "theory": _by_metric(of_part, "theory"),
            "seconds": _by_metric(of_part, "seconds"),
        }
    fit = fit_line([p.values["nsfd"] for p in points], [p.values["delta_wer"] for p in points])
    content: dict[str, JsonValue] = {
        "signature": signature,
        "experiment": experiment.name,
        "question": experiment.question,
        "n_pages": max((point.n_pages for point in points), default=0),
        "parts": parts,
        "delta_wer_by_nsfd": None
        if fit is None
        else {"slope": fit.slope, "intercept": fit.intercept, "r": fit.r},
        "findings": [
            {"claim": one.claim, "measured": one.measured, "holds": "yes" if one.holds else "no"}
            for one in check_findings(experiment.name, points)
        ],
    }
    return as_json(content)


def _by_metric(points: Sequence[Point], of: str) -> dict[str, JsonValue]:
    found = {name: spread_points(points, name, of) for name in METRICS}
    return {name: _spreads(spreads) for name, spreads in found.items() if spreads}


def _spreads(spreads: Sequence[Spread]) -> list[JsonValue]:
    return [
        {
            "x": number(one.x),
            "mean": fraction(one.mean),
            "low": fraction(one.low),
            "high": fraction(one.high),
            "repeats": one.n,
        }
        for one in spreads
    ]


def experiment_text(experiment: Experiment, points: Sequence[Point]) -> str:
    """For a terminal: the means in percent by what is varied, and what was found."""
    lines = [experiment.title, experiment.question, ""]
    for part in experiment.parts or (experiment,):
        of_part = [point for point in points if point.experiment == part.name]
        lines += [
            f"{part.title}: {part.x_label}",
            "  " + f"{'':>8}" + _row([METRICS[m].label for m in part.metrics]),
        ]
        timed = part.varies == "words"
        columns = [spread_points(of_part, m, "seconds" if timed else "values")
                   for m in part.metrics]  # fmt: skip
        for row in zip(*columns, strict=True):
            x = f"{100 * row[0].x:g} %" if part.percent else f"{row[0].x:g}"
            cells = [
                f"{1000 * one.mean:.2f} ms" if timed else shown_value(m, one.mean)
                for m, one in zip(part.metrics, row, strict=True)
            ]
            lines.append(f"  {x:>8}{_row(cells)}")
        lines.append("")
    for one in check_findings(experiment.name, points):
        lines += [f"{'Holds' if one.holds else 'Does not hold'}: {one.claim}", f"  {one.measured}"]
    return "\n".join(lines) + "\n"


def _row(cells: Sequence[str]) -> str:
    return "".join(f"{one:>12}" for one in cells)
