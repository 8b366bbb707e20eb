"""Where each word of a page was read, as a Plotly figure.

Plotly renders pseudo-HTML in every text, so ``show`` makes the user's text safe to put there.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from htreval_core.diagnosis import Diagnosis
from htreval_core.diagnosis.order.bands import Band, events_of_pairs, mate_of
from htreval_core.metrics.kinds import WordKind, pair_kinds
from htreval_core.metrics.page import ScoredPage
from htreval_core.model import BoolArray, IntArray
from htreval_core.show.palette import KIND_COLOURS, KIND_NAMES, KIND_SYMBOLS, NEUTRAL, event_colour

_GRID = "rgba(139, 149, 161, 0.22)"
_SVG_POINTS = 25_000
"""Beyond this many points SVG is too slow; below it, WebGL would shut out browsers without it."""
_FEW = 3000
_ALONE = (WordKind.DELETED, WordKind.INSERTED)
"""The kinds of words without a mate, which stand on the edges."""


def figure_displacement(
    page: ScoredPage, bands: Sequence[Band], diagnosis: Diagnosis, show: Callable[[str], str], *,
    chosen: int | None = None, picked: tuple[str, int] | None = None,
) -> go.Figure:  # fmt: skip
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
    picture = picture_displacement(page, bands)
    n_ref, n_hyp = len(picture.ref_words), len(picture.hyp_words)
    # Many dots are told apart only if they are small.
    small, large = (6, 8) if n_ref + n_hyp <= _FEW else (3, 5)
    trace = go.Scattergl if n_ref + n_hyp > _SVG_POINTS else go.Scatter
    figure = go.Figure()
    (x0, y0), (x1, y1) = picture.diagonal
    figure.add_shape(
        type="line", x0=x0, y0=y0, x1=x1, y1=y1, line={"color": _GRID, "width": 2}, layer="below",
    )  # fmt: skip

    def dots(name: str, colour: str, of_name: BoolArray, pale: bool) -> None:
        # A trace for each form: a form for each dot takes Plotly long to check.
        for number, kind in enumerate(np.unique(picture.kinds[of_name])):
            own = of_name & (picture.kinds == kind)
            at_ref, at_hyp = picture.ref[own], picture.hyp[own]
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
                        _hover(picture, j, k, show)
                        for j, k in zip(at_ref.tolist(), at_hyp.tolist(), strict=True)
                    ],
                    hovertemplate="%{text}<extra></extra>",
                    opacity=0.2 if pale else 1,
                    marker={
                        "color": colour,
                        "symbol": KIND_SYMBOLS[WordKind(kind)],
                        "size": small if kind == WordKind.CORRECT else large,
                        # Strokes have no area: without a line they would not be seen.
                        "line": {"width": 1.5 if kind in _ALONE else 0, "color": colour},
                    },
                )
            )  # fmt: skip

    def of_no_event(kind: WordKind) -> None:
        name = "out of place, in no numbered fault" if kind is WordKind.MOVED else KIND_NAMES[kind]
        own = (picture.events < 0) & (picture.kinds == kind)
        dots(name, KIND_COLOURS[kind], own, chosen is not None)

    for kind in (WordKind.CORRECT, WordKind.SUBSTITUTED, WordKind.MOVED):
        of_no_event(kind)
    for number, event in enumerate(diagnosis.events):
        name = f"{number + 1} {event.kind.value}"
        pale = chosen not in (None, number)
        dots(name, event_colour(event.kind, number), picture.events == number, pale)
    for kind in _ALONE:
        of_no_event(kind)
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
        height=430, dragmode="zoom", hoverlabel={"align": "left"},
        margin={"l": 8, "r": 16, "t": 8, "b": 8},
        # The app's own background shows through.
        paper_bgcolor="rgba(0,0,0,0)", plot_bgcolor="rgba(0,0,0,0)",
        legend={"orientation": "h", "yanchor": "bottom", "y": 1.0, "x": 0, "title": None},
        xaxis=_axis("word of the reference", [1 - 2 * _edge(n_ref), n_ref + _edge(n_ref)]),
        yaxis=_axis("word of the output", [n_hyp + 2 * _edge(n_hyp), 1 - _edge(n_hyp)]),
    )  # fmt: skip
    return figure


def _hover(picture: "Displacement", j: int, k: int, show: Callable[[str], str]) -> str:
    ref, hyp = picture.ref_words, picture.hyp_words
    if k < 0:
        return f"{show(ref[j])} (word {j + 1})<br>has no mate"
    if j < 0:
        return f"{show(hyp[k])} (word {k + 1})<br>has no mate"
    return f"{show(ref[j])} (word {j + 1})<br>read as {show(hyp[k])} (word {k + 1})"


def _edge(n_words: int) -> float:
    """How far outside the plot's words their edge lies."""
    return max(1.0, 0.03 * n_words)


def _axis(title: str, ends: list[float]) -> dict[str, object]:
    return {
        "title": {"text": title, "standoff": 6}, "range": ends, "gridcolor": _GRID,
        "zeroline": False, "automargin": True,
    }  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Displacement:
    """A dot a pair of the matching, then those left out, then those added; arrays are (dots,).

    Args:
        ref_words: the words of the reference.
        hyp_words: the words of the output.
        ref: positions in the reference, -1 for a word that was added: it stands on the edge.
        hyp: positions in the output, -1 for a word that was left out.
        kinds: a ``WordKind`` each.
        events: the number of the event that each belongs to, from 0; -1 for none.
    """

    ref_words: Sequence[str]
    hyp_words: Sequence[str]
    ref: IntArray
    hyp: IntArray
    kinds: IntArray
    events: IntArray

    @property
    def diagonal(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """Its ends, where a page read in order begins and stops: numbers of words, from 1."""
        return (1, 1), (max(len(self.ref_words), 1), max(len(self.hyp_words), 1))


def picture_displacement(page: ScoredPage, bands: Sequence[Band]) -> Displacement:
    """Every word of both sides once, a pair as one dot."""
    matching = page.matching
    ref, hyp = matching.pairs
    lost, added = matching.unmatched
    n_lost, n_added = len(lost), len(added)
    return Displacement(
        matching.ref_words,
        matching.hyp_words,
        np.concatenate([ref, lost, np.full(n_added, -1)]),
        np.concatenate([hyp, np.full(n_lost, -1), added]),
        np.concatenate([pair_kinds(page), np.full(n_lost, WordKind.DELETED),
                        np.full(n_added, WordKind.INSERTED)]),
        np.concatenate([events_of_pairs(page, bands), np.full(n_lost + n_added, -1)]),
    )  # fmt: skip
