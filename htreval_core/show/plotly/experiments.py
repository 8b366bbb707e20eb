"""Figures of the paper's experiments: from points, as many as there are yet.

No text of the user's comes in here: names are those of metrics and experiments.
"""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from htreval_core.lab.experiments import Experiment, Point, Spread, spread_points
from htreval_core.metrics.catalog import METRICS
from htreval_core.show.palette import METRIC_STYLES
from htreval_core.show.plotly.base import axis, layout

_HEIGHT = 420
_THEORY_NAMES = {
    "cer": "tCER, as misread",
    "wer": "tWER, an edit a word",
    "bwer": "expected bWER",
    "nsfd": "expected NSFD",
}


def figure_experiment(experiment: Experiment, points: Sequence[Point]) -> go.Figure:
    """Metrics against what was varied: means over the repeats, their range as a band.

    What theory expects is dashed; for swaps it counts those that found room.
    """
    figure = go.Figure()
    scale = 100 if experiment.percent else 1

    def places(spread: Sequence[Spread]) -> list[float]:
        return [scale * one.x for one in spread]

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
            xaxis=axis(label, rangemode="tozero"),
            yaxis=axis(f"error rate{place}, %", rangemode="tozero"),
        )
    )
    return figure


def _add_curve(figure: go.Figure, metric: str, spread: Sequence[Spread], xs: list[float]) -> None:
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
