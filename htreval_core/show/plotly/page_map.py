"""Both reading orders drawn on the page itself."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from htreval_core.diagnosis import Diagnosis
from htreval_core.diagnosis.bands import LineVisit
from htreval_core.model import Polygon, Transcript
from htreval_core.show.palette import NEUTRAL, event_colour
from htreval_core.show.pictures.page import picture_page_map
from htreval_core.show.plotly.base import GRID, layout

_COLUMN = 430
"""Pixels."""
_NUMBERED = 16
"""The most jumps whose numbers can still be read."""


def figure_page_map(
    transcript: Transcript,
    visits: Sequence[LineVisit],
    diagnosis: Diagnosis,
    *,
    image: str | None = None,
    chosen: int | None = None,
    picked: int | None = None,
) -> go.Figure | None:
    """The page with both reading orders drawn on it, and the lines of events shaded.

    The pale path runs through the lines as the reference reads them, the strong one as the output
    does, with a number at every place where it jumps.

    Args:
        visits: the reference lines in the output's order.
        image: the page image as a ``data:`` address; a blank page without.
        chosen: the number of the event to bring out, from 0; all others turn pale.
        picked: the position of a line to frame, from 0.

    Returns:
        None where the reference has no geometry.
    """
    page = picture_page_map(transcript, visits, diagnosis, picked)
    if page is None:
        return None
    width, height = page.size
    figure = go.Figure()
    if image:
        figure.add_layout_image(
            source=image, xref="x", yref="y", x=0, y=0, sizex=width, sizey=height,
            sizing="stretch", layer="below", opacity=0.55,
        )  # fmt: skip
    else:
        figure.add_shape(type="rect", x0=0, y0=0, x1=width, y1=height, line={"color": GRID})
    for shade in page.shades:
        x, y = _closed(shade.outline)
        figure.add_scatter(
            x=x, y=y, mode="lines", fill="toself", line={"width": 0},
            fillcolor=event_colour(shade.event), hoveron="fills",
            opacity=0.4 if chosen in (None, shade.event) else 0.1,
            text=shade.sentence, hoverinfo="text", showlegend=False,
        )  # fmt: skip
    if page.framed:
        x, y = _closed(page.framed)
        figure.add_scatter(
            x=x, y=y, mode="lines", line={"width": 3, "color": NEUTRAL}, hoverinfo="skip",
            showlegend=False,
        )  # fmt: skip
    for name, path, style, opacity in (
        ("as the reference reads", page.in_order, {"color": NEUTRAL, "width": 5}, 0.55),
        ("as the output reads", page.as_read, {"color": "#D55E00", "width": 1.8}, 0.95),
    ):
        figure.add_scatter(
            x=[x for x, _ in path], y=[y for _, y in path], mode="lines", name=name, line=style,
            opacity=opacity, hoverinfo="skip",
        )  # fmt: skip
    few = len(page.jumps) <= _NUMBERED
    figure.add_scatter(
        x=[jump.at[0] for jump in page.jumps],
        y=[jump.at[1] for jump in page.jumps],
        mode="markers+text" if few else "markers",
        text=[str(number) for number in range(1, len(page.jumps) + 1)],
        textfont={"color": "#ffffff", "size": 10},
        marker={
            "size": 17 if few else 7,
            "color": "#D55E00",
            "line": {"width": 1, "color": "#ffffff"},
        },
        hovertext=[f"line {jump.line + 1}" for jump in page.jumps],
        hoverinfo="text",
        showlegend=False,
    )
    # As high as the page is in a column of the usual width.
    as_high = min(max(_COLUMN * height / width, 160), 640)
    figure.update_layout(
        **layout(
            round(as_high) + 50,
            xaxis={"visible": False, "range": [0, width], "constrain": "domain"},
            yaxis={"visible": False, "range": [height, 0], "scaleanchor": "x"},
        )
    )
    return figure


def _closed(outline: Polygon) -> tuple[list[float], list[float]]:
    """x and y of the corners, and of the first once more."""
    x, y = outline.points.T.tolist()
    return [*x, x[0]], [*y, y[0]]
