"""Figures of two systems, or several, side by side."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from htreval_core.compare import PageDifference, Pairwise, favours_b
from htreval_core.metrics.catalog import METRICS
from htreval_core.show.palette import NEUTRAL, RECOGNITION, SystemStyle, system_style
from htreval_core.show.plotly.base import GRID, SVG_POINTS, Show, axis, layout
from htreval_core.show.telling.verdicts import points
from htreval_core.words.buckets import BucketRow, Rate
from htreval_core.words.outcomes import Agreement

Styles = Sequence[SystemStyle]
_FIRST_TWO = (system_style(0), system_style(1))
_BETTER, _WORSE = "#1F6F78", "#7A5C2E"
"""No system's colour and no word's: a matrix is of all systems."""
_AGREEMENT = {
    Agreement.BOTH_RIGHT: ("both right", GRID, ""),
    Agreement.ONLY_A: ("only {a} right", None, "/"),
    Agreement.ONLY_B: ("only {b} right", None, "\\"),
    Agreement.BOTH_WRONG: ("both wrong", RECOGNITION, "x"),
}


def figure_versus(
    pages: Sequence[PageDifference],
    metric: str,
    systems: tuple[str, str],
    flips: Sequence[str],
    show: Show,
    *,
    selected: str | None = None,
    styles: Styles = _FIRST_TWO,
) -> go.Figure:
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
            x=[unit * one.a for one in ringed],
            y=[unit * one.b for one in ringed],
            mode="markers",
            name=f"WER and bWER disagree ({len(ringed)})",
            marker={"symbol": "circle-open", "size": 18, "color": NEUTRAL,
                    "line": {"width": 2}},
            customdata=[[one.page_id] for one in ringed],
            hoverinfo="skip",
        )  # fmt: skip
    label = METRICS[metric].label + (", %" if unit == 100 else "")
    figure.update_layout(
        **layout(
            420,
            xaxis=axis(f"{label} of {a}"),
            yaxis=axis(f"{label} of {b}"),
        )
    )
    return figure


def figure_agreement(
    counts: Mapping[Agreement, int],
    systems: tuple[str, str],
    show: Show,
    *,
    styles: Styles = _FIRST_TWO,
) -> go.Figure:
    """All reference words as one bar: both right, only A, only B, both wrong."""
    a, b = map(show, systems)
    total = sum(counts.values()) or 1
    figure = go.Figure()
    own = {Agreement.ONLY_A: styles[0].colour, Agreement.ONLY_B: styles[1].colour}
    for kind, (name, colour, pattern) in _AGREEMENT.items():
        n = counts[kind]
        figure.add_bar(
            x=[n],
            y=[""],
            orientation="h",
            name=f"{name.format(a=a, b=b)}: {n:,} ({100 * n / total:.1f} %)",
            marker={
                "color": own.get(kind, colour),
                "pattern": {"shape": pattern, "size": 6, "solidity": 0.25, "fillmode": "overlay",
                            "fgcolor": "#ffffff"},
            },
            hovertemplate=f"{n:,} words<extra></extra>",
        )  # fmt: skip
    figure.update_layout(
        **layout(
            110,
            barmode="stack",
            bargap=0.1,
            legend_traceorder="normal",
            xaxis={"visible": False, "range": [0, total]},
            yaxis={"visible": False},
        )
    )
    return figure


def figure_buckets(
    rows: Sequence[BucketRow],
    systems: Sequence[str],
    show: Show,
    *,
    styles: Styles = _FIRST_TWO,
) -> go.Figure:
    """Words wrong by bucket of one dimension, a row for each bucket, with intervals over pages."""
    figure = go.Figure()
    labels = [f"{show(row.bucket)} <span style='font-size:10px'>({row.words:,})</span>"
              for row in rows]  # fmt: skip
    for system, style in zip(systems, styles, strict=True):
        rates = [row.rates[system] for row in rows]
        figure.add_scatter(
            x=[100 * rate.value for rate in rates],
            y=labels,
            mode="markers",
            name=show(system),
            marker={
                "color": style.colour,
                "symbol": style.symbol,
                "size": 10,
            },
            error_x={
                "type": "data",
                "symmetric": False,
                "array": [_arm(rate, rate.high) for rate in rates],
                "arrayminus": [_arm(rate, rate.low) for rate in rates],
                "thickness": 1.5,
                "width": 4,
            },
            text=[
                f"{rate.wrong:,} of {row.words:,}" for row, rate in zip(rows, rates, strict=True)
            ],
            hovertemplate="%{text} words misread or missing, %{x:.1f} %"
            "<extra>%{fullData.name}</extra>",
        )
    figure.update_layout(
        **layout(
            70 + 34 * len(rows),
            xaxis=axis("words misread or missing, %", rangemode="tozero"),
            yaxis={"autorange": "reversed", "automargin": True},
        )
    )
    return figure


def _arm(rate: Rate, end: float) -> float:
    return 0.0 if math.isnan(end) else 100 * abs(end - rate.value)


def figure_pairwise(pairwise: Pairwise, metric: str, show: Show) -> go.Figure:
    """Every system against every other: column less row in points, a star where it is real."""
    systems = pairwise.systems
    z: list[list[float | None]] = []
    text: list[list[str]] = []
    for row in systems:
        differences = [pairwise.difference(metric, row, column) for column in systems]
        z.append([100 * d.difference if d and not math.isnan(d.difference) else None
                  for d in differences])  # fmt: skip
        text.append(
            [
                ""
                if d is None or math.isnan(d.difference)
                else points(d.difference) + ("*" if pairwise.p(metric, row, column) < 0.05 else "")
                for d, column in zip(differences, systems, strict=True)
            ]
        )
    reach = max([abs(value) for line in z for value in line if value is not None] + [0.1])
    names = [show(system) for system in systems]
    figure = go.Figure(
        go.Heatmap(
            z=z, x=names, y=names, text=text, texttemplate="%{text}", showscale=False,
            colorscale=[[0, _BETTER], [0.5, "rgba(139,149,161,0.12)"], [1, _WORSE]],
            zmin=-reach, zmax=reach, xgap=2, ygap=2, hoverongaps=False,
            hovertemplate="%{x} less %{y}: %{text} points<extra></extra>",
        )
    )  # fmt: skip
    figure.update_layout(
        **layout(
            90 + 46 * len(systems),
            xaxis={"side": "top", "automargin": True, "showgrid": False},
            yaxis={"autorange": "reversed", "automargin": True, "showgrid": False},
        )
    )
    return figure
