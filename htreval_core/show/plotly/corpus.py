"""Figures of a whole corpus."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
import plotly.graph_objects as go

from htreval_core.metrics.catalog import METRICS
from htreval_core.metrics.values import page_value, page_values
from htreval_core.model import PageScores
from htreval_core.scoring.facets import FacetRow
from htreval_core.scoring.ladder import Rung, ladder_crossings
from htreval_core.scoring.resampling import MANY
from htreval_core.show.palette import NEUTRAL, ORDER, system_style
from htreval_core.show.pictures.corpus import picture_pages
from htreval_core.show.plotly.base import SVG_POINTS, Show, axis, layout

_FIELDS = (50, 70)
"""How finely a density is drawn, upward and across."""


def figure_pages(
    scores: Mapping[str, Sequence[PageScores]], show: Show, *, selected: str | None = None
) -> go.Figure:
    """A dot for each page: how far words moved (NSFD) against what that costs (ΔWER).

    ``customdata`` is (page id, system) as they are, never shown. Where pages are more than
    ``MANY``, a field is shaded by how many pages fall into it.
    """
    if sum(map(len, scores.values())) > MANY:
        return _density(scores)
    figure = go.Figure()
    found = picture_pages(scores)
    longest = max((dot.n_words for dots in found.values() for dot in dots), default=1) or 1
    for number, (system, dots) in enumerate(found.items()):
        trace = go.Scattergl if len(dots) > SVG_POINTS else go.Scatter
        figure.add_trace(
            trace(
                x=[100 * dot.nsfd for dot in dots],
                y=[100 * dot.delta_wer for dot in dots],
                mode="markers",
                name=show(system),
                marker={
                    "color": system_style(number).colour,
                    "symbol": system_style(number).symbol,
                    "size": [6 + 8 * math.sqrt(dot.n_words / longest) for dot in dots],
                    "opacity": 0.75,
                    "line": {
                        "width": [2.5 if dot.page_id == selected else 0.5 for dot in dots],
                        "color": NEUTRAL,
                    },
                },
                customdata=[[dot.page_id, dot.system] for dot in dots],
                text=[show(dot.page_id) for dot in dots],
                hovertemplate="%{text}<br>ΔWER %{y:.1f} %, NSFD %{x:.1f} %"
                "<extra>%{fullData.name}</extra>",
            )
        )
    figure.update_layout(
        **layout(
            380,
            clickmode="event+select",
            xaxis=axis("NSFD: how far words stand from their place, %"),
            yaxis=axis("ΔWER: errors for every 100 words", rangemode="tozero"),
        )
    )
    return figure


def _density(scores: Mapping[str, Sequence[PageScores]]) -> go.Figure:
    """The pages of all systems, counted in a grid of ΔWER against NSFD."""
    nsfd, delta = (
        np.concatenate([100 * page_values(pages, name) for pages in scores.values()])
        for name in ("nsfd", "delta_wer")
    )
    known = ~np.isnan(nsfd + delta)
    nsfd, delta = nsfd[known], delta[known]
    # A few pages far out would squeeze all others into one field.
    top = float(np.quantile(delta, 0.999)) if len(delta) else 1.0
    counts, at_delta, at_nsfd = np.histogram2d(
        np.minimum(delta, top), nsfd, bins=_FIELDS, range=((0, max(top, 1)), (0, 100))
    )
    figure = go.Figure(
        go.Heatmap(
            x=(at_nsfd[1:] + at_nsfd[:-1]) / 2,
            y=(at_delta[1:] + at_delta[:-1]) / 2,
            z=np.where(counts > 0, np.log10(np.maximum(counts, 1)), np.nan),
            customdata=counts,
            colorscale=[[0, "rgba(86, 180, 233, 0.25)"], [1, ORDER]],
            showscale=False,
            hovertemplate="%{customdata:,} pages<br>ΔWER about %{y:.0f} %, NSFD %{x:.0f} %"
            "<extra></extra>",
        )
    )
    figure.update_layout(
        **layout(
            380,
            xaxis=axis("NSFD: how far words stand from their place, %"),
            yaxis=axis("ΔWER: errors for every 100 words", rangemode="tozero"),
        )
    )
    return figure


def figure_distribution(
    scores: Mapping[str, Sequence[PageScores]], metric: str, show: Show
) -> go.Figure:
    """How one metric spreads over the pages of each system: a box and every page as a dot.

    Where pages are more than ``MANY``, the box alone, with whiskers to the 2.5th and the 97.5th
    percentile.
    """
    figure = go.Figure()
    many_in_all = sum(map(len, scores.values())) > MANY
    for number, (system, pages) in enumerate(scores.items()):
        if many_in_all:
            values = 100 * page_values(pages, metric)
            known = values[~np.isnan(values)]
            low, q1, median, q3, high = (
                np.quantile(known, (0.025, 0.25, 0.5, 0.75, 0.975)) if len(known) else [0.0] * 5
            )
            figure.add_trace(
                go.Box(
                    q1=[q1], median=[median], q3=[q3], lowerfence=[low], upperfence=[high],
                    y=[show(system)], name=show(system), orientation="h",
                    marker={"color": system_style(number).colour},
                    line={"width": 1.5},
                )
            )  # fmt: skip
            continue
        named = [(page, page_value(page, metric)) for page in pages]
        shown = [(page, value) for page, value in named if not math.isnan(value)]
        many = len(shown) > 2000
        figure.add_trace(
            go.Box(
                x=[100 * value for _, value in shown],
                name=show(system),
                marker={
                    "color": system_style(number).colour,
                    "symbol": system_style(number).symbol,
                    "size": 5,
                    "opacity": 0.65,
                },
                line={"width": 1.5},
                boxpoints="outliers" if many else "all",
                jitter=0.6,
                pointpos=0,
                customdata=[[page.page_id, page.system] for page, _ in shown],
                text=[show(page.page_id) for page, _ in shown],
                hovertemplate="%{text}<br>%{x:.1f}<extra>%{fullData.name}</extra>",
                orientation="h",
            )
        )
    figure.update_layout(
        **layout(
            max(380, 70 * len(scores)),
            showlegend=False,
            clickmode="event+select",
            xaxis=axis(f"{METRICS[metric].label} of a page, %"),
            yaxis={"autorange": "reversed", "automargin": True},
        )
    )
    return figure


def figure_ladder(rungs: Sequence[Rung], metric: str, show: Show) -> go.Figure:
    """What each switch changes in one metric, in points, on top of the switches before it.

    A row for each switch and a bar for each system; a ring where two systems change places.
    """
    figure = go.Figure()
    labels = [rung.label for rung in rungs[1:]]

    def values(system: str) -> list[float]:
        return [100 * rung.corpora[system].estimates[metric].value for rung in rungs]

    for number, system in enumerate(rungs[0].corpora):
        own = values(system)
        style = system_style(number)
        figure.add_bar(
            x=[now - before for before, now in pairwise(own)],
            y=labels,
            orientation="h",
            name=show(system),
            marker={"color": style.colour},
            customdata=own[1:],
            hovertemplate="%{y}<br>%{x:+.2f} points, then %{customdata:.2f} %"
            "<extra>%{fullData.name}</extra>",
        )
    flips = ladder_crossings(rungs, metric)
    figure.add_scatter(
        x=[0.0 for _ in flips],
        y=[rungs[flip.rung].label for flip in flips],
        mode="markers",
        name="change of places",
        showlegend=bool(flips),
        hoverinfo="skip",
        marker={"symbol": "circle-open", "size": 20, "color": NEUTRAL, "line": {"width": 2}},
    )
    rows = len(labels) * (8 + 9 * len(rungs[0].corpora))
    figure.update_layout(
        **layout(
            90 + rows,
            barmode="group",
            bargap=0.3,
            xaxis=axis(f"change of {METRICS[metric].label}, points", zeroline=True,
                       zerolinecolor=NEUTRAL),
            yaxis={"automargin": True, "autorange": "reversed"},
        )
    )  # fmt: skip
    return figure


def figure_facets(rows: Sequence[FacetRow], metric: str, show: Show) -> go.Figure:
    """One metric by the values of a facet: a dot for each system with its 95 % interval."""
    figure = go.Figure()
    systems = list(dict.fromkeys(row.system for row in rows))
    values = list(dict.fromkeys(row.value for row in rows))
    step = 0.7 / max(len(systems), 1)
    for number, system in enumerate(systems):
        own = [row for row in rows if row.system == system]
        found = [row.corpus.estimates[metric] for row in own]
        style = system_style(number)
        figure.add_trace(
            go.Scatter(
                x=[100 * one.value for one in found],
                y=[
                    values.index(row.value) + step * (number - (len(systems) - 1) / 2)
                    for row in own
                ],
                mode="markers",
                name=show(system),
                marker={"color": style.colour, "symbol": style.symbol, "size": 9},
                error_x={
                    "type": "data",
                    "symmetric": False,
                    "array": [_beyond(one.high, one.value) for one in found],
                    "arrayminus": [_beyond(one.value, one.low) for one in found],
                    "thickness": 1.5,
                    "width": 3,
                },
                customdata=[[show(row.value), row.corpus.n_pages] for row in own],
                hovertemplate="%{customdata[0]}, %{customdata[1]} pages<br>%{x:.2f} %"
                "<extra>%{fullData.name}</extra>",
            )
        )
    figure.update_layout(
        **layout(
            110 + len(values) * (18 + 16 * len(systems)),
            xaxis=axis(f"{METRICS[metric].label}, %", rangemode="tozero"),
            yaxis={
                "autorange": "reversed",
                "automargin": True,
                "tickmode": "array",
                "tickvals": list(range(len(values))),
                "ticktext": [show(one) for one in values],
            },
        )
    )
    return figure


def _beyond(high: float, low: float) -> float:
    """How far a whisker reaches, in percent; nowhere where there is no interval."""
    return 0.0 if math.isnan(high - low) else 100 * max(high - low, 0.0)
