"""Figures of the paper's experiments: from points, as many as there are yet.

No text of the user's comes in here: names are those of metrics and experiments.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import plotly.graph_objects as go

from htreval_core.lab.experiments import (
    Experiment,
    Fit,
    Point,
    Spread,
    fit_growth,
    fit_line,
    spread_points,
)
from htreval_core.metrics.catalog import METRICS
from htreval_core.show.palette import (
    METRIC_STYLES,
    NEUTRAL,
    MetricStyle,
    system_style,
)
from htreval_core.show.plotly.base import axis, layout

_HEIGHT = 420
_RATE_AXIS = "error rate, and distance from place (NSFD), %"
_THEORY_NAMES = {
    "cer": "tCER, as misread",
    "wer": "tWER, an edit a word",
    "bwer": "expected bWER",
    "nsfd": "expected NSFD",
}


@dataclass(frozen=True, slots=True)
class _Curve:
    """One line of a figure: where it is, how it looks, what it is called."""

    name: str
    xs: list[float | str]
    spread: tuple[Spread, ...]
    style: MetricStyle
    size: float = 8
    unit: str = "%"
    factor: float = 100.0
    digits: int = 2


def figure_experiment(experiment: Experiment, points: Sequence[Point]) -> go.Figure:
    """The figure of an experiment, whichever it is."""
    if experiment.varies == "all":
        return figure_correlation(experiment, points)
    if experiment.varies == "words":
        return figure_time(experiment, points)
    if experiment.varies == "gamma":
        return figure_gamma(experiment, points)
    return figure_faults(experiment, points)


def figure_faults(experiment: Experiment, points: Sequence[Point]) -> go.Figure:
    """Metrics against what was done: means over the repeats, their range as a band.

    What theory expects is dashed; for swaps and splits it counts those that found room.
    """
    figure = go.Figure()
    scale = 100 if experiment.percent else 1
    for metric in experiment.metrics:
        spread = spread_points(points, metric)
        _add_curve(figure, _curve(metric, spread, [scale * one.x for one in spread]))
    for metric in experiment.metrics:
        expected = spread_points(points, metric, "theory")
        if metric not in _THEORY_NAMES or not any(one.mean for one in expected):
            continue
        figure.add_scatter(
            x=[scale * one.x for one in expected],
            y=[100 * one.mean for one in expected],
            mode="lines",
            name=_THEORY_NAMES[metric],
            line={"color": METRIC_STYLES[metric].colour, "dash": "dash", "width": 1.5},
            hovertemplate="%{y:.2f} %<extra>%{fullData.name}</extra>",
        )
    label = f"{experiment.x_label}, % of characters" if experiment.percent else experiment.x_label
    figure.update_layout(
        **layout(
            _HEIGHT,
            hovermode="x unified",
            xaxis=axis(label, rangemode="tozero"),
            yaxis=axis(_RATE_AXIS if "nsfd" in experiment.metrics else "error rate, %",
                       rangemode="tozero"),
        )
    )  # fmt: skip
    return figure


def figure_gamma(experiment: Experiment, points: Sequence[Point]) -> go.Figure:
    """Metrics against γ, each value at an equal step, because 0 has no place on a log axis."""
    figure = go.Figure()
    for metric in experiment.metrics:
        spread = spread_points(points, metric)
        _add_curve(figure, _curve(metric, spread, [f"{one.x:g}" for one in spread]))
    figure.update_layout(
        **layout(
            _HEIGHT,
            hovermode="x unified",
            xaxis=axis(experiment.x_label, type="category"),
            yaxis=axis(_RATE_AXIS, rangemode="tozero"),
        )
    )
    return figure


def figure_correlation(experiment: Experiment, points: Sequence[Point]) -> go.Figure:
    """ΔWER against NSFD, a dot a point, with the straight line that fits them all and its r."""
    figure = go.Figure()
    names = {part.name: part.title for part in experiment.parts}
    for number, name in enumerate(dict.fromkeys(point.experiment for point in points)):
        of_part = [point for point in points if point.experiment == name]
        figure.add_scatter(
            x=[100 * point.values["nsfd"] for point in of_part],
            y=[100 * point.values["delta_wer"] for point in of_part],
            mode="markers",
            name=names.get(name, name),
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
        _add_fit(figure, fit, [min(xs), max(xs)])
    figure.update_layout(
        **layout(
            _HEIGHT,
            xaxis=axis(f"{experiment.x_label}, %", rangemode="tozero"),
            yaxis=axis("ΔWER: errors for every 100 words", rangemode="tozero"),
        )
    )
    return figure


def _add_fit(figure: go.Figure, fit: Fit, xs: list[float]) -> None:
    sign = "+" if fit.intercept >= 0 else "−"
    figure.add_scatter(
        x=xs,
        y=[fit.intercept + fit.slope * x for x in xs],
        mode="lines",
        name=f"ΔWER = {fit.slope:.2f}·NSFD {sign} {abs(fit.intercept):.2f}, r = {fit.r:.3f}",
        line={"color": NEUTRAL, "dash": "dash", "width": 2},
        hoverinfo="skip",
    )


def figure_time(experiment: Experiment, points: Sequence[Point]) -> go.Figure:
    """Milliseconds against words on logarithmic axes, with the growth of the longer pages.

    Grey guides start at the first metric's first mean: what n and n² look like.
    """
    figure = go.Figure()
    first: Spread | None = None
    for metric in experiment.metrics:
        spread = spread_points(points, metric, "seconds")
        if not spread:
            continue
        first = first or spread[0]
        fit = fit_growth(points, metric)
        growth = f" ~ n^{fit.slope:.2f}" if fit else ""
        curve = _curve(metric, spread, [one.x for one in spread])
        _add_curve(
            figure,
            replace(curve, name=f"{curve.name}{growth}", unit="ms", factor=1000.0, digits=3),
        )
    xs = sorted({point.x for point in points})
    for power, name, dash in ((1, "n", "dash"), (2, "n²", "longdash")):
        if first is None or len(xs) < 2:
            break
        figure.add_scatter(
            x=xs,
            y=[1000 * first.mean * (x / first.x) ** power for x in xs],
            mode="lines",
            name=f"growth with {name}",
            line={"color": NEUTRAL, "dash": dash, "width": 1},
            hoverinfo="skip",
        )
    figure.update_layout(
        **layout(
            _HEIGHT,
            xaxis=axis(experiment.x_label, type="log", tickvals=xs, tickformat=",d"),
            yaxis=axis("time a page, milliseconds", type="log", dtick=1, exponentformat="none"),
        )
    )
    return figure


def _curve(metric: str, spread: tuple[Spread, ...], xs: Sequence[float | str]) -> _Curve:
    # hWER often lies upon bWER, and both upon WER: the marks below look out from under it.
    size = {"wer": 11, "bwer": 9, "hwer": 6}.get(metric, 8)
    return _Curve(METRICS[metric].label, list(xs), spread, METRIC_STYLES[metric], size)


def _add_curve(figure: go.Figure, curve: _Curve) -> None:
    """The mean with its marks, and behind it the range over the repeats."""
    low = [curve.factor * one.low for one in curve.spread]
    high = [curve.factor * one.high for one in curve.spread]
    figure.add_scatter(
        x=[*curve.xs, *reversed(curve.xs)],
        y=[*high, *reversed(low)],
        mode="lines",
        fill="toself",
        fillcolor=_pale(curve.style.colour),
        line={"width": 0},
        legendgroup=curve.name,
        showlegend=False,
        hoverinfo="skip",
    )
    figure.add_scatter(
        x=curve.xs,
        y=[curve.factor * one.mean for one in curve.spread],
        mode="lines+markers",
        name=curve.name,
        legendgroup=curve.name,
        line={"color": curve.style.colour, "dash": curve.style.dash, "width": 2},
        marker={"symbol": curve.style.symbol, "size": curve.size, "color": curve.style.colour},
        hovertemplate=f"%{{y:.{curve.digits}f}} {curve.unit}<extra>%{{fullData.name}}</extra>",
    )


def _pale(colour: str) -> str:
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return f"rgba({red}, {green}, {blue}, 0.18)"
