"""Figures of the paper's experiments: from points, as many as there are yet.

No text of the user's comes in here: names are those of metrics and experiments.
"""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from htreval_core.lab.experiments import Experiment, Point, Spread, fit_line, spread_points
from htreval_core.metrics.catalog import METRICS
from htreval_core.show.palette import METRIC_STYLES, NEUTRAL, system_style
from htreval_core.show.plotly.base import axis, layout

_HEIGHT = 420
_THEORY_NAMES = {
    "cer": "tCER, as misread",
    "wer": "tWER, an edit a word",
    "bwer": "expected bWER",
    "nsfd": "expected NSFD",
}


def figure_experiment(experiment: Experiment, points: Sequence[Point]) -> go.Figure:
    """The figure of an experiment: its parts' ΔWER against NSFD, or its metrics as curves."""
    return _correlation(experiment, points) if experiment.parts else _curves(experiment, points)


def _curves(experiment: Experiment, points: Sequence[Point]) -> go.Figure:
    """Metrics against what was varied: means over the repeats, their range as a band.

    What theory expects is dashed; for swaps and splits it counts those that found room. Values
    of γ stand at equal steps, because 0 has no place on a logarithmic axis.
    """
    figure = go.Figure()
    steps = experiment.varies == "gamma"
    scale = 100 if experiment.percent else 1

    def places(spread: Sequence[Spread]) -> list[float | str]:
        return [f"{one.x:g}" if steps else scale * one.x for one in spread]

    for metric in experiment.metrics:
        spread = spread_points(points, metric)
        _add_curve(figure, metric, spread, places(spread))
    for metric in experiment.metrics:
        expected = spread_points(points, metric, "theory")
        if metric not in _THEORY_NAMES or not any(one.mean for one in expected):
            continue
        figure.add_scatter(
            x=places(expected),
            y=[100 * one.mean for one in expected],
            mode="lines",
            name=_THEORY_NAMES[metric],
            line={"color": METRIC_STYLES[metric].colour, "dash": "dash", "width": 1.5},
            hovertemplate="%{y:.2f} %<extra>%{fullData.name}</extra>",
        )
    label = f"{experiment.x_label}, % of characters" if experiment.percent else experiment.x_label
    place = ", and distance from place (NSFD)" if "nsfd" in experiment.metrics else ""
    figure.update_layout(
        **layout(
            _HEIGHT,
            hovermode="x unified",
            xaxis=axis(label, **({"type": "category"} if steps else {"rangemode": "tozero"})),
            yaxis=axis(f"error rate{place}, %", rangemode="tozero"),
        )
    )
    return figure


def _correlation(experiment: Experiment, points: Sequence[Point]) -> go.Figure:
    """ΔWER against NSFD, a dot a point, with the straight line that fits them all and its r."""
    figure = go.Figure()
    for number, part in enumerate(experiment.parts):
        of_part = [point for point in points if point.experiment == part.name]
        figure.add_scatter(
            x=[100 * point.values["nsfd"] for point in of_part],
            y=[100 * point.values["delta_wer"] for point in of_part],
            mode="markers",
            name=part.title,
            marker={
                "color": system_style(number).colour,
                "symbol": system_style(number).symbol,
                "size": 8,
                "opacity": 0.7,
            },
            hovertemplate="ΔWER %{y:.2f} %, NSFD %{x:.2f} %<extra>%{fullData.name}</extra>",
        )
    xs = [100 * point.values["nsfd"] for point in points]
    fit = fit_line(xs, [100 * point.values["delta_wer"] for point in points])
    if fit:
        sign = "+" if fit.intercept >= 0 else "−"
        ends = [min(xs), max(xs)]
        figure.add_scatter(
            x=ends, y=[fit.intercept + fit.slope * x for x in ends], mode="lines",
            name=f"ΔWER = {fit.slope:.2f}·NSFD {sign} {abs(fit.intercept):.2f}, r = {fit.r:.3f}",
            line={"color": NEUTRAL, "dash": "dash", "width": 2}, hoverinfo="skip",
        )  # fmt: skip
    figure.update_layout(
        **layout(
            _HEIGHT,
            xaxis=axis(f"{experiment.x_label}, %", rangemode="tozero"),
            yaxis=axis("ΔWER: errors for every 100 words", rangemode="tozero"),
        )
    )
    return figure


def _add_curve(
    figure: go.Figure, metric: str, spread: Sequence[Spread], xs: list[float | str]
) -> None:
    """The mean with its marks, and behind it the range over the repeats."""
    name, style = METRICS[metric].label, METRIC_STYLES[metric]
    red, green, blue = (int(style.colour[at : at + 2], 16) for at in (1, 3, 5))
    figure.add_scatter(
        x=[*xs, *reversed(xs)],
        y=[100 * one.high for one in spread] + [100 * one.low for one in reversed(spread)],
        mode="lines", fill="toself", fillcolor=f"rgba({red}, {green}, {blue}, 0.18)",
        line={"width": 0}, legendgroup=name, showlegend=False, hoverinfo="skip",
    )  # fmt: skip
    # hWER often lies upon bWER, and both upon WER: the marks below look out from under it.
    size = {"wer": 11, "bwer": 9, "hwer": 6}.get(metric, 8)
    figure.add_scatter(
        x=xs, y=[100 * one.mean for one in spread], mode="lines+markers", name=name,
        legendgroup=name, line={"color": style.colour, "dash": style.dash, "width": 2},
        marker={"symbol": style.symbol, "size": size, "color": style.colour},
        hovertemplate="%{y:.2f} %<extra>%{fullData.name}</extra>",
    )  # fmt: skip
