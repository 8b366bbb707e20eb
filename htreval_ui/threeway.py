"""Two systems beside the reference between them, as one component."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import streamlit as st

from htreval_core import ScoredPage
from htreval_core.diagnosis.bands import Band, anchors
from htreval_core.markup import shorten, visible
from htreval_core.metrics.kinds import word_kinds
from htreval_core.show.palette import event_colour
from htreval_core.words.outcomes import Agreement, Outcome, page_outcomes
from htreval_ui.linked import assets, digest, one_side

_render = st.components.v2.component("htreval.threeway", **assets("threeway"))
_CLASS = {Agreement.BOTH_RIGHT: 0, Agreement.ONLY_A: 5, Agreement.ONLY_B: 6,
          Agreement.BOTH_WRONG: 7}  # fmt: skip
"""The numbers of the classes that mark reference words; 1 to 4 are kinds of one system's words."""


def threeway_payload(
    a: ScoredPage, b: ScoredPage, bands: tuple[Sequence[Band], Sequence[Band]]
) -> dict[str, Any]:
    """Everything the component draws, as JSON.

    ``sides`` are A, the reference and B; words of the reference carry what became of them in
    both systems. ``pairs`` are A with the reference, and the reference with B: bands as [left
    start, left end, right start, right end, event], and anchors. ``readAs`` are positions in A
    and in B of every reference word, -1 for none.
    """
    outcomes = [page_outcomes(page) for page in (a, b)]
    wrong = [one.outcome != Outcome.RIGHT for one in outcomes]
    agreement = wrong[1] * int(Agreement.ONLY_A) + wrong[0] * int(Agreement.ONLY_B)
    classes = np.array([_CLASS[Agreement(n)] for n in range(len(Agreement))])[agreement]
    kinds = [word_kinds(page, "matching") for page in (a, b)]
    left, right = bands
    payload: dict[str, Any] = {
        "names": [visible(shorten(one.scores.system)) for one in (a, b)],
        "sides": [
            one_side(a.hypothesis, kinds[0].hyp, _mates(a)),
            one_side(a.reference, classes, np.full(len(classes), -1)),
            one_side(b.hypothesis, kinds[1].hyp, _mates(b)),
        ],
        "readAs": [one.read_as.tolist() for one in outcomes],
        "pairs": [
            {
                "bands": [[*band.hypothesis, *band.reference, band.event] for band in left],
                "anchors": [[hyp, ref] for ref, hyp in anchors(left)],
            },
            {
                "bands": [[*band.reference, *band.hypothesis, band.event] for band in right],
                "anchors": anchors(right),
            },
        ],
        "colours": [_colours(left), _colours(right)],
    }
    return payload | {"id": digest(payload)}


def _mates(page: ScoredPage) -> Any:
    mates = np.full(len(page.hypothesis.words), -1)
    ref, hyp = page.matching.pairs
    mates[hyp] = ref
    return mates


def _colours(bands: Sequence[Band]) -> list[str]:
    return [event_colour(n) for n in range(max((band.event for band in bands), default=-1) + 1)]


def show_threeway(
    a: ScoredPage,
    b: ScoredPage,
    bands: tuple[Sequence[Band], Sequence[Band]],
    *,
    height: int,
    key: str,
) -> None:
    """Draw a page under two systems."""
    _render(data=threeway_payload(a, b, bands) | {"height": height}, key=key)
