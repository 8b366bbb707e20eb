"""Figures of one page: its errors and its bands."""

from __future__ import annotations

import math
from collections.abc import Sequence
from textwrap import wrap

import numpy as np
import plotly.graph_objects as go

from htreval_core.diagnosis import Diagnosis
from htreval_core.diagnosis.order.bands import Band
from htreval_core.model import PageScores, Parts
from htreval_core.show.palette import NEUTRAL, PARTS, event_colour
from htreval_core.show.pictures.bands import Name, Strand, picture_ribbons
from htreval_core.show.pictures.page import picture_waterfall
from htreval_core.show.plotly.base import hatching, layout
from htreval_core.show.telling.counting import counted


def figure_waterfall(scores: PageScores, parts: Parts | None = None) -> go.Figure:
    """What the errors of WER come from, a bar each, and all of them together.

    Args:
        parts: the errors by what they come from, where the page was diagnosed.
    """
    waterfall = picture_waterfall(scores, parts)
    figure = go.Figure()
    for step in (*waterfall.steps, waterfall.together):
        style = PARTS.get(step.part)
        n_words = waterfall.n_ref_words
        share = f"{100 * step.errors / n_words:.1f} %" if n_words else "–"
        figure.add_bar(
            x=[step.errors],
            y=[_step_label(step.part)],
            base=[step.start],
            orientation="h",
            marker={"color": style.colour, "pattern": hatching(style)}
            if style
            else {"color": NEUTRAL},
            hoverinfo="skip",
        )
        figure.add_annotation(
            x=step.end,
            y=_step_label(step.part),
            text=f"<b>{share}</b>  {counted(step.errors, 'error')}",
            xanchor="left",
            xshift=4,
            showarrow=False,
        )
    figure.update_layout(
        **layout(
            62 + 30 * (len(waterfall.steps) + 1),
            showlegend=False,
            bargap=0.3,
            barmode="overlay",
            xaxis={"visible": False, "range": [0, max(waterfall.together.end, 1) * 1.9]},
            yaxis={"autorange": "reversed", "automargin": True},
        )
    )
    return figure


def _step_label(part: str) -> str:
    style = PARTS.get(part)
    return f"{style.name} ({style.formula})" if style else "together (WER)"


def figure_bands(bands: Sequence[Band], diagnosis: Diagnosis, n_hyp_words: int) -> go.Figure:
    """Two upright bars, the reference and the output, and a ribbon for each stretch between them.

    What kept its order is pale; each event has a colour and its number. Missing and added text is
    hatched on the bar that has it alone.
    """
    ribbons = picture_ribbons(bands, diagnosis, n_hyp_words)
    n_ref, n_hyp = ribbons.n_ref_words, ribbons.n_hyp_words
    figure = go.Figure()
    for left, right, n_words in ((0.0, _BAR, n_ref), (1 - _BAR, 1.0, n_hyp)):
        figure.add_shape(
            type="rect", x0=left, x1=right, y0=0, y1=n_words, layer="below",
            fillcolor="rgba(139, 149, 161, 0.35)", line={"width": 0},
        )  # fmt: skip
    # One trace an event, however many pieces it has: a page may hold thousands.
    for strand in ribbons.strands:
        _draw_strand(figure, strand)
    longest = max(n_ref, n_hyp, 1)
    names = ribbons.names
    _name_events(figure, names[:_NAMED], longest)
    has_left = any(name.on_reference for name in names)
    has_right = any(not name.on_reference for name in names)
    figure.update_layout(
        **layout(
            430,
            margin={"l": 8, "r": 8, "t": 34, "b": 8},
            showlegend=False,
            xaxis={
                "range": [-0.75 if has_left else -0.05, 1.75 if has_right else 1.05],
                "tickvals": [0.03, 0.97],
                "ticktext": ["reference", "output"], "side": "top",
                "showgrid": False, "zeroline": False, "fixedrange": True,
            },
            yaxis={
                "range": [longest * 1.01, -longest * 0.01], "visible": False, "fixedrange": True,
            },
        )
    )  # fmt: skip
    return figure


def _name_events(figure: go.Figure, names: Sequence[Name], longest: int) -> None:
    """Events named beside the bars, none over another."""
    for left in (True, False):
        lowest = float(-longest)
        beside = [name for name in names if name.on_reference is left]
        for name in sorted(beside, key=lambda name: (sum(name.span), name.event)):
            shown = "<br>".join(wrap(f"{name.event + 1} {name.kind.value}", 16))
            colour = event_colour(name.kind, name.event)
            y = max(sum(name.span) / 2, lowest)
            lowest = y + longest * (0.05 * (shown.count("<br>") + 2) + 0.02)
            figure.add_annotation(
                x=-0.01 if left else 1.01,
                y=y,
                xanchor="right" if left else "left",
                text=f'<span style="color:{colour}">■</span> <b>{shown}</b><br>'
                f"{counted(name.words, 'word')}",
                align="right" if left else "left",
                font={"size": 11},
                showarrow=False,
            )


Outline = list[tuple[float, float]]
_GAP = (math.nan, math.nan)
_NAMED = 7
"""The costliest events, up to this many, are named beside the bars."""
_BAR = 0.06
"""How wide the two bars are, of a width of 1 from one's outer edge to the other's."""


def _draw_strand(figure: go.Figure, strand: Strand) -> None:
    """The ribbons of one event, or of what kept its place, and its stretches on both bars."""
    in_place = strand.kind is None
    colour = NEUTRAL if strand.kind is None else event_colour(strand.kind, strand.event)
    ribbons: list[Outline] = []
    on_bars: list[Outline] = []
    alone: list[Outline] = []
    for band in strand.bands:
        (r0, r1), (h0, h1) = band.reference, band.hypothesis
        left: Outline = [(0.0, r0), (_BAR, r0), (_BAR, r1), (0.0, r1), (0.0, r0)]
        right: Outline = [(1 - _BAR, h0), (1.0, h0), (1.0, h1), (1 - _BAR, h1), (1 - _BAR, h0)]
        if band.on_both:
            ribbons.append([(_BAR, r0), (1 - _BAR, h0), (1 - _BAR, h1), (_BAR, r1), (_BAR, r0)])
            if not in_place:
                on_bars += [left, right]
        elif not in_place:
            alone.append(left if r1 > r0 else right)
    for polygons, style in (
        (ribbons, {"fillcolor": colour, "opacity": 0.22 if in_place else 0.62}),
        (on_bars, {"fillcolor": colour, "opacity": 1}),
        (
            alone,
            {
                "fillpattern": {
                    "shape": "/",
                    "fgcolor": colour,
                    "bgcolor": "rgba(0,0,0,0)",
                    "size": 6,
                }
            },
        ),
    ):
        if polygons:
            # A gap between polygons ends one and begins the next within the same trace.
            # As an array: Plotly looks at every entry of a list.
            corners = np.array([corner for one in polygons for corner in (*one, _GAP)])
            figure.add_scatter(
                x=corners[:, 0],
                y=corners[:, 1],
                fill="toself",
                mode="lines",
                line={"width": 0.5, "color": colour},
                hoveron="fills",
                text=strand.sentence,
                hoverinfo="text",
                showlegend=False,
                **style,
            )
