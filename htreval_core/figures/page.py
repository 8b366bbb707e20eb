"""Figures of one page: its errors, its bands, and where each word was read."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from htreval_core.bands import Band
from htreval_core.diagnosis import Diagnosis
from htreval_core.figures.base import GRID, SVG_POINTS, Show, axis, layout
from htreval_core.kinds import Kind, pair_kinds
from htreval_core.metrics.page import ScoredPage
from htreval_core.model import PageScores
from htreval_core.palette import (
    KIND_COLOURS,
    KIND_NAMES,
    KIND_SYMBOLS,
    NEUTRAL,
    ORDER,
    RECOGNITION,
    event_colour,
)


def figure_waterfall(scores: PageScores) -> go.Figure:
    """Recognition (bWER) plus order (ΔWER) gives WER, in words of the page."""
    bwer, wer = scores.bwer.errors, scores.wer.errors
    steps = [
        ("recognition<br>bWER", 0, bwer, RECOGNITION),
        ("order<br>ΔWER", bwer, wer - bwer, ORDER),
        ("together<br>WER", 0, wer, NEUTRAL),
    ]
    length = scores.n_ref_words
    figure = go.Figure()
    for label, base, height, colour in steps:
        share = f"{100 * height / length:.1f} %" if length else "–"
        figure.add_bar(
            x=[height],
            y=[label],
            base=[base],
            orientation="h",
            marker={"color": colour},
            text=[f"<b>{share}</b>  {height} of {length} words"],
            textposition="outside",
            cliponaxis=False,
            hoverinfo="skip",
        )
    figure.add_shape(
        type="line", x0=bwer, x1=bwer, y0=-0.4, y1=1.4, line={"color": NEUTRAL, "dash": "dot"}
    )
    figure.update_layout(
        **layout(
            170,
            showlegend=False,
            bargap=0.3,
            xaxis={"visible": False, "range": [0, max(wer, 1) * 1.75]},
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
) -> go.Figure:
    """Two upright bars, the reference and the output, and a ribbon for each stretch between them.

    What kept its order is pale; each event has a colour and its number. Missing and added text is
    hatched on the bar that has it alone.

    Args:
        title: over the picture, safe to show as it is.
        labels: whether events are named beside the bars.
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
        _draw_event(figure, [band for band in bands if band.event == number], diagnosis)
    for number, event in enumerate(diagnosis.events if labels else ()):
        on_reference = event.reference[1] > event.reference[0]
        start, end = event.reference if on_reference else event.hypothesis[0]
        figure.add_annotation(
            x=-0.01 if on_reference else 1.01,
            y=(start + end) / 2,
            xanchor="right" if on_reference else "left",
            text=f'<span style="color:{event_colour(number)}">■</span> <b>{number + 1}</b> '
            f"{event.kind.value}<br>{event.words} words",
            align="right" if on_reference else "left",
            font={"size": 11},
            showarrow=False,
        )
    longest = max(n_ref, n_hyp_words, 1)
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


Outline = list[tuple[float | None, float | None]]
_BAR = 0.06
"""How wide the two bars are, of a width of 1 from one's outer edge to the other's."""


def _draw_event(figure: go.Figure, bands: Sequence[Band], diagnosis: Diagnosis) -> None:
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
    for polygons, style in (
        (ribbons, {"fillcolor": colour, "opacity": 0.22 if in_place else 0.62}),
        (on_bars, {"fillcolor": colour}),
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
            x = [x for polygon in polygons for x, _ in [*polygon, (None, None)]]
            y = [y for polygon in polygons for _, y in [*polygon, (None, None)]]
            figure.add_scatter(
                x=x,
                y=y,
                fill="toself",
                mode="lines",
                line={"width": 0.5, "color": colour},
                hoveron="fills",
                text=hover,
                hoverinfo="text",
                showlegend=False,
                **style,
            )


def figure_displacement(
    page: ScoredPage, show: Show, *, picked: tuple[str, int] | None = None
) -> go.Figure:
    """Where each reference word was read: its position there against its position in the output.

    A page read in order is one falling diagonal. A moved block leaves it as a whole; columns
    read across make two staircases. Words without a mate stand on the edges. ``customdata`` is
    (reference position, hypothesis position), -1 for none.

    Args:
        picked: ("ref" or "hyp", position) of a word to ring.
    """
    ref_words, hyp_words = page.matching.ref_words, page.matching.hyp_words
    n_ref, n_hyp = len(ref_words), len(hyp_words)
    ref, hyp = page.matching.pairs
    kind_of_pair = pair_kinds(page)
    trace = go.Scattergl if n_ref + n_hyp > SVG_POINTS else go.Scatter
    figure = go.Figure()
    figure.add_shape(
        type="line",
        x0=1,
        y0=1,
        x1=n_ref,
        y1=n_hyp,
        line={"color": GRID, "width": 2},
        layer="below",
    )

    def dots(kind: Kind, x: np.ndarray, y: np.ndarray, data: np.ndarray, hover: list[str]) -> None:
        figure.add_trace(
            trace(
                x=x,
                y=y,
                mode="markers",
                name=f"{KIND_NAMES[kind]} ({len(x)})",
                customdata=data,
                text=hover,
                hovertemplate="%{text}<extra></extra>",
                marker={
                    "color": KIND_COLOURS[kind],
                    "symbol": KIND_SYMBOLS[kind],
                    "size": 8 if kind is Kind.MOVED else 6,
                    "line": {
                        "width": 1.5 if kind in (Kind.DELETED, Kind.INSERTED) else 0,
                        "color": KIND_COLOURS[kind],
                    },
                },
            )
        )

    for kind in (Kind.CORRECT, Kind.SUBSTITUTED, Kind.MOVED):
        of_kind = kind_of_pair == kind
        j, k = ref[of_kind], hyp[of_kind]
        hover = [
            f"{show(ref_words[a])} (word {a + 1})<br>read as {show(hyp_words[b])} (word {b + 1})"
            for a, b in zip(j.tolist(), k.tolist(), strict=True)
        ]
        dots(kind, j + 1, k + 1, np.stack([j, k], axis=1), hover)
    lost, added = page.matching.unmatched
    none = np.full(len(lost), -1)
    dots(
        Kind.DELETED, lost + 1, np.full(len(lost), n_hyp + _edge(n_hyp)),
        np.stack([lost, none], axis=1),
        [f"{show(ref_words[j])} (word {j + 1})<br>has no mate" for j in lost.tolist()],
    )  # fmt: skip
    none = np.full(len(added), -1)
    dots(
        Kind.INSERTED, np.full(len(added), 1 - _edge(n_ref)), added + 1,
        np.stack([none, added], axis=1),
        [f"{show(hyp_words[k])} (word {k + 1})<br>has no mate" for k in added.tolist()],
    )  # fmt: skip
    ring = _position(page, picked)
    if ring:
        figure.add_trace(
            go.Scatter(
                x=[ring[0]], y=[ring[1]], mode="markers", showlegend=False, hoverinfo="skip",
                marker={"symbol": "circle-open", "size": 18, "color": NEUTRAL,
                        "line": {"width": 2.5}},
            )
        )  # fmt: skip
    figure.update_layout(
        **layout(
            430,
            dragmode="zoom",
            xaxis=axis("word of the reference", range=[1 - 2 * _edge(n_ref), n_ref + _edge(n_ref)]),
            yaxis=axis(
                "word of the hypothesis", range=[n_hyp + 2 * _edge(n_hyp), 1 - _edge(n_hyp)]
            ),
        )
    )
    return figure


def _edge(n_words: int) -> float:
    """How far outside the plot's words their edge lies."""
    return max(1.0, 0.03 * n_words)


def _position(page: ScoredPage, picked: tuple[str, int] | None) -> tuple[float, float] | None:
    if picked is None:
        return None
    side, index = picked
    positions = page.matching.ref_index if side == "ref" else page.matching.hyp_index
    at = np.flatnonzero(positions == index)
    if index < 0 or not len(at):
        return None
    j, k = int(page.matching.ref_index[at[0]]), int(page.matching.hyp_index[at[0]])
    n_ref, n_hyp = len(page.matching.ref_words), len(page.matching.hyp_words)
    return (j + 1 if j >= 0 else 1 - _edge(n_ref), k + 1 if k >= 0 else n_hyp + _edge(n_hyp))
