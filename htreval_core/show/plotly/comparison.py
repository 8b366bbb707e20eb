"""Figures of two systems side by side."""

import math
from collections.abc import Sequence

import plotly.graph_objects as go

from htreval_core.compare import PageDifference, favours_b
from htreval_core.metrics.catalog import METRICS
from htreval_core.show.palette import NEUTRAL, SystemStyle, system_style
from htreval_core.show.plotly.base import SVG_POINTS, Show, axis, layout

Styles = Sequence[SystemStyle]
_FIRST_TWO = (system_style(0), system_style(1))


def figure_versus(
    pages: Sequence[PageDifference], metric: str, systems: tuple[str, str], flips: Sequence[str],
    show: Show, *, selected: str | None = None, styles: Styles = _FIRST_TWO,
) -> go.Figure:  # fmt: skip
    """A dot for each page: the metric under A against the metric under B, and the diagonal.

    Below the diagonal B is better. Ringed pages are those on which WER and bWER disagree about
    which system is better. ``customdata`` is (page id,) as it is, never shown.
    """
    a, b = map(show, systems)
    unit = 1 if METRICS[metric].scale == "correlation" else 100
    known = [one for one in pages if not math.isnan(one.difference)]
    values = [unit * value for one in known for value in (one.a, one.b)]
    low, high = min([*values, 0.0]), max([*values, 1.0])
    figure = go.Figure()
    figure.add_shape(
        type="line", x0=low, y0=low, x1=high, y1=high, line={"color": NEUTRAL, "dash": "dot"},
        layer="below",
    )  # fmt: skip
    for of_b, name, colour, symbol in (
        (True, f"{b} better", styles[1].colour, styles[1].symbol),
        (False, f"{a} better", styles[0].colour, styles[0].symbol),
        (None, "equal", NEUTRAL, "x-thin"),
    ):
        own = [one for one in known if favours_b(metric, one.difference) is of_b]
        trace = go.Scattergl if len(own) > SVG_POINTS else go.Scatter
        figure.add_trace(
            trace(
                x=[unit * one.a for one in own],
                y=[unit * one.b for one in own],
                mode="markers",
                name=f"{name} ({len(own)})",
                marker={
                    "color": colour, "symbol": symbol, "size": 9, "opacity": 0.8,
                    "line": {"width": [2.5 if one.page_id == selected else 0.5 for one in own],
                             "color": NEUTRAL},
                },
                customdata=[[one.page_id] for one in own],
                text=[show(one.page_id) for one in own],
                hovertemplate=f"%{{text}}<br>{a} %{{x:.1f}}<br>{b} %{{y:.1f}}<extra></extra>",
            )
        )  # fmt: skip
    ringed = [one for one in known if one.page_id in set(flips)]
    if ringed:
        figure.add_scatter(
            x=[unit * one.a for one in ringed], y=[unit * one.b for one in ringed],
            mode="markers", name=f"WER and bWER disagree ({len(ringed)})",
            marker={"symbol": "circle-open", "size": 18, "color": NEUTRAL,
                    "line": {"width": 2}},
            customdata=[[one.page_id] for one in ringed], hoverinfo="skip",
        )  # fmt: skip
    label = METRICS[metric].label + (", %" if unit == 100 else "")
    figure.update_layout(
        **layout(420, xaxis=axis(f"{label} of {a}"), yaxis=axis(f"{label} of {b}"))
    )
    return figure
