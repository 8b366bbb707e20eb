"""Figures that show how each number comes about, for short texts on a wall."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from htreval_core.lab.teach import BagRow, EditGrid, MatchedWord, Op
from htreval_core.metrics.kinds import WordKind
from htreval_core.show.palette import KIND_COLOURS, NEUTRAL
from htreval_core.show.plotly.base import GRID, Show, layout

_FONT = {"size": 15}
_NUMBERED = 900
"""Cells up to which each shows its number."""
_OPS: dict[Op, tuple[str, WordKind, str]] = {
    "hit": ("right", WordKind.CORRECT, "circle-open"),
    "substitution": ("substituted", WordKind.SUBSTITUTED, "square-open"),
    "deletion": ("deleted", WordKind.DELETED, "triangle-down-open"),
    "insertion": ("inserted", WordKind.INSERTED, "triangle-right-open"),
}
"""Name, colour and form of each step; open forms leave the number in the cell legible."""


def figure_grid(grid: EditGrid, show: Show) -> go.Figure:
    """The table of the word edit distance with the trace that WER counts along.

    Reference words run downward, output words to the right. A step down and right keeps or
    replaces a word, a step down leaves one out, a step to the right adds one.
    """
    n, m = len(grid.ref_words), len(grid.hyp_words)
    figure = go.Figure(
        go.Heatmap(
            z=grid.distances, text=grid.distances,
            texttemplate="%{text}" if (n + 1) * (m + 1) <= _NUMBERED else "",
            textfont={"size": 12},
            colorscale=[[0, "rgba(139,149,161,0.05)"], [1, "rgba(139,149,161,0.55)"]],
            showscale=False, xgap=2, ygap=2,
            hovertemplate="%{z} word errors up to here<extra></extra>",
        )
    )  # fmt: skip
    cells = [(0, 0), *((step.row, step.column) for step in grid.path)]
    figure.add_scatter(
        x=[column for _, column in cells], y=[row for row, _ in cells], mode="lines",
        line={"color": NEUTRAL, "width": 8}, opacity=0.3, hoverinfo="skip", showlegend=False,
    )  # fmt: skip
    for op, (name, kind, symbol) in _OPS.items():
        own = [step for step in grid.path if step.op == op]
        figure.add_scatter(
            x=[step.column for step in own],
            y=[step.row for step in own],
            mode="markers",
            name=f"{name} ({len(own)})",
            marker={
                "color": KIND_COLOURS[kind],
                "symbol": symbol,
                "size": 26,
                "line": {"width": 3, "color": KIND_COLOURS[kind]},
            },
            hoverinfo="skip",
        )
    figure.update_layout(
        **layout(
            150 + 34 * (n + 1),
            font=_FONT,
            xaxis={
                "tickvals": list(range(m + 1)),
                "ticktext": ["", *(show(word) for word in grid.hyp_words)],
                "side": "top", "tickangle": -45, "showgrid": False, "zeroline": False,
            },
            yaxis={
                "tickvals": list(range(n + 1)),
                "ticktext": ["", *(show(word) for word in grid.ref_words)],
                "autorange": "reversed", "showgrid": False, "zeroline": False,
                "automargin": True,
            },
            legend={"orientation": "h", "y": -0.02, "yanchor": "top"},
        )
    )  # fmt: skip
    return figure


def figure_bags(rows: Sequence[BagRow], show: Show) -> go.Figure:
    """How often each word stands in the reference (up) and in the output (down).

    What both have is grey; what one has alone is coloured and hatched.
    """
    words = [show(row.word) for row in rows]
    figure = go.Figure()
    for name, heights, kind in (
        ("in both", [row.both for row in rows], WordKind.CORRECT),
        ("missing from the output", [row.missing for row in rows], WordKind.DELETED),
    ):
        figure.add_bar(x=words, y=heights, name=name, marker=_bar(kind), hoverinfo="skip")
    for name, heights, kind in (
        ("in both", [row.both for row in rows], WordKind.CORRECT),
        ("too many in the output", [row.extra for row in rows], WordKind.INSERTED),
    ):
        figure.add_bar(
            x=words, y=[-height for height in heights], name=name, marker=_bar(kind),
            showlegend=kind is not WordKind.CORRECT, hoverinfo="skip",
        )  # fmt: skip
    tallest = max((max(row.reference, row.hypothesis) for row in rows), default=1)
    ticks = list(range(-tallest, tallest + 1))
    figure.update_layout(
        **layout(
            340, font=_FONT, barmode="relative", bargap=0.25,
            xaxis={"tickangle": -45, "type": "category", "automargin": True},
            yaxis={
                "tickvals": ticks, "ticktext": [str(abs(tick)) for tick in ticks],
                "title": {"text": "output  |  reference"}, "zerolinecolor": NEUTRAL,
                "gridcolor": GRID,
            },
        )
    )  # fmt: skip
    return figure


def _bar(kind: WordKind) -> dict[str, object]:
    shape = "" if kind is WordKind.CORRECT else "/"
    return {
        "color": KIND_COLOURS[kind],
        "opacity": 0.45 if kind is WordKind.CORRECT else 1,
        "pattern": {"shape": shape, "fillmode": "overlay", "fgcolor": "#ffffff", "size": 6,
                    "solidity": 0.25},
    }  # fmt: skip


def figure_matching(rows: Sequence[MatchedWord], show: Show) -> go.Figure:
    """The reference above, the output below, a line from every word to its mate.

    Equal words that keep their order are grey; where two lines cross, words changed places.
    Unequal words are dashed. Words without a mate hang on a dummy.
    """
    n = max((row.ref_position or 0 for row in rows), default=0)
    m = max((row.hyp_position or 0 for row in rows), default=0)
    longer = max(n, m, 1)
    x_ref, x_hyp = (longer - n) / 2, (longer - m) / 2
    figure = go.Figure()
    equal = [row for row in rows if row.ref_word is not None and row.ref_word == row.hyp_word]
    unequal = [
        row for row in rows if row.ref_word and row.hyp_word and row.ref_word != row.hyp_word
    ]
    crossing = [row for row in equal if _crosses(row, rows)]
    in_order = [row for row in equal if not _crosses(row, rows)]
    for name, kind, dash, own in (
        ("equal, in order", WordKind.CORRECT, "solid", in_order),
        ("equal, out of order", WordKind.MOVED, "solid", crossing),
        ("unequal", WordKind.SUBSTITUTED, "dash", unequal),
    ):
        xs: list[float | None] = []
        ys: list[float | None] = []
        for row in own:
            xs += [x_ref + (row.ref_position or 0), x_hyp + (row.hyp_position or 0), None]
            ys += [1.0, 0.0, None]
        figure.add_scatter(
            x=xs, y=ys, mode="lines", name=f"{name} ({len(own)})",
            line={"color": KIND_COLOURS[kind], "width": 3, "dash": dash}, hoverinfo="skip",
        )  # fmt: skip
    for name, kind, own in (
        ("left out", WordKind.DELETED, [r for r in rows if r.hyp_position is None]),
        ("added", WordKind.INSERTED, [r for r in rows if r.ref_position is None]),
    ):
        xs, ys = [], []
        for row in own:
            on_top = row.hyp_position is None
            x = x_ref + (row.ref_position or 0) if on_top else x_hyp + (row.hyp_position or 0)
            xs += [x, x, None]
            ys += [1.0, 0.78, None] if on_top else [0.0, 0.22, None]
        figure.add_scatter(
            x=xs, y=ys, mode="lines+markers", name=f"{name}: a dummy ({len(own)})",
            line={"color": KIND_COLOURS[kind], "width": 3, "dash": "dot"},
            marker={"symbol": "square-open", "size": [0, 13, 0] * len(own),
                    "line": {"width": 2}},
            hoverinfo="skip",
        )  # fmt: skip
    _add_words(figure, [(x_ref + r.ref_position, r.ref_word) for r in rows
                        if r.ref_position and r.ref_word], 1.0, show)  # fmt: skip
    _add_words(figure, [(x_hyp + r.hyp_position, r.hyp_word) for r in rows
                        if r.hyp_position and r.hyp_word], 0.0, show)  # fmt: skip
    figure.update_layout(
        **layout(
            400,
            font=_FONT,
            # The last word is written upward to the right of its place.
            xaxis={"visible": False, "range": [0, longer + 1 + 0.12 * longer]},
            yaxis={"visible": False, "range": [-0.5, 1.5]},
            legend={"orientation": "h", "y": -0.02, "yanchor": "top"},
        )
    )
    return figure


def _crosses(row: MatchedWord, rows: Sequence[MatchedWord]) -> bool:
    """Whether another pair stands in the opposite order."""
    j, k = row.ref_position, row.hyp_position
    return any(
        j is not None
        and k is not None
        and other.ref_position is not None
        and other.hyp_position is not None
        and (other.ref_position - j) * (other.hyp_position - k) < 0
        for other in rows
    )


def _add_words(figure: go.Figure, words: Sequence[tuple[float, str]], y: float, show: Show) -> None:
    """The words at their places, slanted so that long ones do not run into each other."""
    for number, (x, word) in enumerate(sorted(words), start=1):
        figure.add_annotation(
            x=x, y=y, text=f"{show(word)} <span style='font-size:10px'>{number}</span>",
            textangle=-40 if y else 40, xanchor="left", yanchor="bottom" if y else "top",
            showarrow=False, font={"size": 14},
        )  # fmt: skip
