"""Where each word of a page was read."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from htreval_core.diagnosis import Diagnosis
from htreval_core.diagnosis.bands import Band, events_of_pairs, mate_of
from htreval_core.metrics.kinds import Kind, pair_kinds
from htreval_core.metrics.page import ScoredPage
from htreval_core.model import IntArray
from htreval_core.show.palette import KIND_COLOURS, KIND_NAMES, KIND_SYMBOLS, NEUTRAL, event_colour
from htreval_core.show.plotly.base import GRID, SVG_POINTS, Show, axis, layout

_FEW = 3000


def figure_displacement(
    page: ScoredPage,
    bands: Sequence[Band],
    diagnosis: Diagnosis,
    show: Show,
    *,
    chosen: int | None = None,
    picked: tuple[str, int] | None = None,
) -> go.Figure:
    """Where each reference word was read: its position there against its position in the output.

    A page read in order is one falling diagonal. A moved block leaves it as a whole; columns
    read across make two staircases. Words of an event have its colour, their form says whether
    they were read right. Words without a mate stand on the edges. ``customdata`` is
    (reference position, hypothesis position), -1 for none.

    Args:
        page: the page as it is matched now.
        bands: which words belong to which event.
        chosen: the number of the event to bring out, from 0; all others turn pale.
        picked: ("ref" or "hyp", position) of a word to ring.
    """
    ref_words, hyp_words = page.matching.ref_words, page.matching.hyp_words
    n_ref, n_hyp = len(ref_words), len(hyp_words)
    # Many dots are told apart only if they are small.
    small, large = (6, 8) if n_ref + n_hyp <= _FEW else (3, 5)
    trace = go.Scattergl if n_ref + n_hyp > SVG_POINTS else go.Scatter
    figure = go.Figure()
    figure.add_shape(
        type="line", x0=1, y0=1, x1=n_ref, y1=n_hyp, line={"color": GRID, "width": 2},
        layer="below",
    )  # fmt: skip

    def dots(name: str, colour: str, kinds: IntArray, j: IntArray, k: IntArray, pale: bool) -> None:
        """Words at (j, k); -1 on either side puts them on its edge."""
        # A trace for each form: a form for each dot takes Plotly long to check.
        for number, kind in enumerate(np.unique(kinds)):
            own = kinds == kind
            at_ref, at_hyp = j[own], k[own]
            figure.add_trace(
                trace(
                    x=np.where(at_ref >= 0, at_ref + 1, 1 - _edge(n_ref)),
                    y=np.where(at_hyp >= 0, at_hyp + 1, n_hyp + _edge(n_hyp)),
                    mode="markers",
                    name=name,
                    legendgroup=name,
                    showlegend=number == 0,
                    customdata=np.stack([at_ref, at_hyp], axis=1),
                    text=[
                        _hover(ref_words, hyp_words, a, b, show) for a, b in _pairs(at_ref, at_hyp)
                    ],
                    hovertemplate="%{text}<extra></extra>",
                    opacity=0.2 if pale else 1,
                    marker={
                        "color": colour,
                        "symbol": KIND_SYMBOLS[Kind(kind)],
                        "size": small if kind == Kind.CORRECT else large,
                        # Strokes have no area: without a line they would not be seen.
                        "line": {"width": 1.5 if (at_ref < 0).any() or (at_hyp < 0).any() else 0,
                                 "color": colour},
                    },
                )
            )  # fmt: skip

    ref, hyp = page.matching.pairs
    kinds = pair_kinds(page)
    event_of = events_of_pairs(page, bands)
    for kind, colour in (
        (Kind.CORRECT, NEUTRAL),
        (Kind.SUBSTITUTED, KIND_COLOURS[Kind.SUBSTITUTED]),
        (Kind.MOVED, KIND_COLOURS[Kind.MOVED]),
    ):
        own = (event_of < 0) & (kinds == kind)
        name = "out of place, in no numbered fault" if kind is Kind.MOVED else KIND_NAMES[kind]
        dots(name, colour, kinds[own], ref[own], hyp[own], chosen is not None)
    for number, event in enumerate(diagnosis.events):
        own = event_of == number
        pale = chosen not in (None, number)
        name = f"{number + 1} {event.kind.value}"
        dots(name, event_colour(number), kinds[own], ref[own], hyp[own], pale)
    lost, added = page.matching.unmatched
    for kind, j, k in (
        (Kind.DELETED, lost, np.full(len(lost), -1)),
        (Kind.INSERTED, np.full(len(added), -1), added),
    ):
        dots(KIND_NAMES[kind], KIND_COLOURS[kind], np.full(len(j), kind), j, k, chosen is not None)
    place = mate_of(page, picked)
    if place:
        at_ref, at_hyp = place
        figure.add_trace(
            go.Scatter(
                x=[at_ref + 1 if at_ref >= 0 else 1 - _edge(n_ref)],
                y=[at_hyp + 1 if at_hyp >= 0 else n_hyp + _edge(n_hyp)],
                mode="markers", showlegend=False, hoverinfo="skip",
                marker={"symbol": "circle-open", "size": 18, "color": NEUTRAL,
                        "line": {"width": 2.5}},
            )
        )  # fmt: skip
    figure.update_layout(
        **layout(
            430,
            dragmode="zoom",
            xaxis=axis("word of the reference", range=[1 - 2 * _edge(n_ref), n_ref + _edge(n_ref)]),
            yaxis=axis("word of the output", range=[n_hyp + 2 * _edge(n_hyp), 1 - _edge(n_hyp)]),
        )
    )
    return figure


def _pairs(j: IntArray, k: IntArray) -> list[tuple[int, int]]:
    return list(zip(j.tolist(), k.tolist(), strict=True))


def _hover(ref: Sequence[str], hyp: Sequence[str], j: int, k: int, show: Show) -> str:
    if k < 0:
        return f"{show(ref[j])} (word {j + 1})<br>has no mate"
    if j < 0:
        return f"{show(hyp[k])} (word {k + 1})<br>has no mate"
    return f"{show(ref[j])} (word {j + 1})<br>read as {show(hyp[k])} (word {k + 1})"


def _edge(n_words: int) -> float:
    """How far outside the plot's words their edge lies."""
    return max(1.0, 0.03 * n_words)
