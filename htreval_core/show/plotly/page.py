"""Figures of one page: its errors and its bands."""

from __future__ import annotations

import math
from collections.abc import Sequence
from textwrap import wrap

import numpy as np
import plotly.graph_objects as go

from htreval_core.diagnosis import Diagnosis, Event
from htreval_core.diagnosis.bands import Band
from htreval_core.diagnosis.model import Span
from htreval_core.model import PageScores
from htreval_core.show.palette import NEUTRAL, ORDER, RECOGNITION, event_colour
from htreval_core.show.plotly.base import layout


def figure_waterfall(scores: PageScores, before: PageScores | None = None) -> go.Figure:
    """Recognition (bWER) plus order (ΔWER) gives WER, in words of the page.

    Args:
        before: of the page as it was read, where the scores are those of a repaired one: its bars
            stand behind as outlines, on the same scale.
    """
    bwer, wer = scores.bwer.errors, scores.wer.errors
    steps = [
        ("recognition<br>bWER", 0, bwer, RECOGNITION),
        ("order<br>ΔWER", bwer, wer - bwer, ORDER),
        ("together<br>WER", 0, wer, NEUTRAL),
    ]
    length = scores.n_ref_words
    figure = go.Figure()
    was = before or scores
    if before is not None:
        old = [(0, was.bwer.errors), (was.bwer.errors, was.wer.errors - was.bwer.errors),
               (0, was.wer.errors)]  # fmt: skip
        figure.add_bar(
            x=[width for _, width in old],
            y=[label for label, *_ in steps],
            base=[base for base, _ in old],
            orientation="h",
            marker={"color": "rgba(0,0,0,0)", "line": {"color": NEUTRAL, "width": 1}},
            hoverinfo="skip",
        )
    for label, base, height, colour in steps:
        share = f"{100 * height / length:.1f} %" if length else "–"
        figure.add_bar(
            x=[height],
            y=[label],
            base=[base],
            orientation="h",
            marker={"color": colour},
            hoverinfo="skip",
        )
        old_end = {"order<br>ΔWER": was.wer.errors, "together<br>WER": was.wer.errors}
        figure.add_annotation(
            x=max(base + height, old_end.get(label, was.bwer.errors)),
            y=label,
            text=f"<b>{share}</b>  {height} of {length} words",
            xanchor="left",
            xshift=4,
            showarrow=False,
        )
    figure.add_shape(
        type="line", x0=bwer, x1=bwer, y0=-0.4, y1=1.4, line={"color": NEUTRAL, "dash": "dot"}
    )
    figure.update_layout(
        **layout(
            150,
            showlegend=False,
            bargap=0.3,
            barmode="overlay",
            xaxis={"visible": False, "range": [0, max(wer, was.wer.errors, 1) * 2.3]},
            yaxis={"autorange": "reversed", "automargin": True},
        )
    )
    return figure


def figure_bands(
    bands: Sequence[Band],
    diagnosis: Diagnosis,
    n_hyp_words: int,
    *,
    title: str = "",
    labels: bool = True,
    chosen: int | None = None,
    picked: tuple[int, int] | None = None,
) -> go.Figure:
    """Two upright bars, the reference and the output, and a ribbon for each stretch between them.

    What kept its order is pale; each event has a colour and its number. Missing and added text is
    hatched on the bar that has it alone.

    Args:
        title: over the picture, safe to show as it is.
        labels: whether events are named beside the bars.
        chosen: the number of the event to bring out, from 0; all others turn pale.
        picked: position of a word in the reference and in the output, -1 for none, to mark.
    """
    n_ref = diagnosis.n_ref_words
    figure = go.Figure()
    for left, right, n_words in ((0.0, 0.06, n_ref), (0.94, 1.0, n_hyp_words)):
        figure.add_shape(
            type="rect", x0=left, x1=right, y0=0, y1=n_words, layer="below",
            fillcolor="rgba(139, 149, 161, 0.35)", line={"width": 0},
        )  # fmt: skip
    # One trace an event, however many pieces it has: a page may hold thousands.
    for number in sorted({band.event for band in bands}):
        pale = chosen is not None and number not in (-1, chosen)
        _draw_event(figure, [band for band in bands if band.event == number], diagnosis, pale)
    if picked is not None:
        _mark_word(figure, *picked)
    longest = max(n_ref, n_hyp_words, 1)
    if labels:
        _name_events(figure, diagnosis.events, longest)
    has_left = any(event.reference[1] > event.reference[0] for event in diagnosis.events) and labels
    has_right = (
        any(event.reference[1] == event.reference[0] for event in diagnosis.events) and labels
    )
    figure.update_layout(
        **layout(
            430,
            margin={"l": 8, "r": 8, "t": 34, "b": 8},
            title={"text": title, "font": {"size": 13}, "x": 0.5, "xanchor": "center"},
            showlegend=False,
            xaxis={
                "range": [-0.75 if has_left else -0.05, 1.75 if has_right else 1.05],
                "tickvals": [0.03, 0.97] if labels else [],
                "ticktext": ["reference", "output"], "side": "top",
                "showgrid": False, "zeroline": False, "fixedrange": True,
            },
            yaxis={
                "range": [longest * 1.01, -longest * 0.01], "visible": False, "fixedrange": True,
            },
        )
    )  # fmt: skip
    return figure


def _name_events(figure: go.Figure, events: Sequence[Event], longest: int) -> None:
    """The costliest events named beside the bars, none over another."""
    for left in (True, False):
        named = [
            (sum(span) / 2, number)
            for number, event in enumerate(events[:_NAMED])
            for span in [_span_beside(event, left=left)]
            if span
        ]
        lowest = float(-longest)
        for middle, number in sorted(named):
            event = events[number]
            name = "<br>".join(wrap(f"{number + 1} {event.kind.value}", 16))
            y = max(middle, lowest)
            lowest = y + longest * (0.05 * (name.count("<br>") + 2) + 0.02)
            figure.add_annotation(
                x=-0.01 if left else 1.01,
                y=y,
                xanchor="right" if left else "left",
                text=f'<span style="color:{event_colour(number)}">■</span> <b>{name}</b><br>'
                f"{event.words} words",
                align="right" if left else "left",
                font={"size": 11},
                showarrow=False,
            )


def _span_beside(event: Event, *, left: bool) -> Span | None:
    """Where an event stands on the reference's bar, or, if it has no words there, on the other."""
    if event.reference[1] > event.reference[0]:
        return event.reference if left else None
    return None if left else event.hypothesis[0]


Outline = list[tuple[float, float]]
_GAP = (math.nan, math.nan)
_NAMED = 7
"""So many events, the costliest, are named beside the bars."""
_BAR = 0.06
"""How wide the two bars are, of a width of 1 from one's outer edge to the other's."""


def _mark_word(figure: go.Figure, j: int, k: int) -> None:
    """A line from a word to its mate, or a mark on the side that has it alone."""
    ends = [(x, y + 0.5) for x, y in ((0.0, j), (_BAR, j), (1 - _BAR, k), (1.0, k)) if y >= 0]
    figure.add_scatter(
        x=[x for x, _ in ends],
        y=[y for _, y in ends],
        mode="lines",
        line={"width": 2.5, "color": NEUTRAL},
        hoverinfo="skip",
        showlegend=False,
    )


def _draw_event(figure: go.Figure, bands: Sequence[Band], diagnosis: Diagnosis, pale: bool) -> None:
    """The ribbons of one event, or of what kept its place, and its stretches on both bars."""
    number = bands[0].event
    in_place = number < 0
    colour = NEUTRAL if in_place else event_colour(number)
    ribbons: list[Outline] = []
    on_bars: list[Outline] = []
    alone: list[Outline] = []
    for band in bands:
        (r0, r1), (h0, h1) = band.reference, band.hypothesis
        left: Outline = [(0.0, r0), (_BAR, r0), (_BAR, r1), (0.0, r1), (0.0, r0)]
        right: Outline = [(1 - _BAR, h0), (1.0, h0), (1.0, h1), (1 - _BAR, h1), (1 - _BAR, h0)]
        if r1 > r0 and h1 > h0:
            ribbons.append([(_BAR, r0), (1 - _BAR, h0), (1 - _BAR, h1), (_BAR, r1), (_BAR, r0)])
            if not in_place:
                on_bars += [left, right]
        elif not in_place:
            alone.append(left if r1 > r0 else right)
    hover = "in its place" if in_place else diagnosis.events[number].sentence
    strength = 0.12 if pale else 0.62
    for polygons, style in (
        (ribbons, {"fillcolor": colour, "opacity": 0.22 if in_place else strength}),
        (on_bars, {"fillcolor": colour, "opacity": 0.3 if pale else 1}),
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
                text=hover,
                hoverinfo="text",
                showlegend=False,
                **style,
            )
