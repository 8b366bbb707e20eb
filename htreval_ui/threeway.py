"""Two systems beside the reference between them, as one component."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import streamlit as st

from htreval_core import ScoredPage
from htreval_core.diagnosis.bands import Band
from htreval_core.markup import shorten, visible
from htreval_core.show.pictures.bands import picture_links
from htreval_core.show.pictures.texts import picture_threeway
from htreval_core.words.outcomes import Agreement
from htreval_ui.linked import assets, digest, links_payload, side_payload

_assets = assets("threeway")
_render = st.components.v2.component("htreval.threeway", js=_assets.js, css=_assets.css)
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
    picture = picture_threeway(a, b)
    classes = np.array([_CLASS[Agreement(n)] for n in range(len(Agreement))])[picture.agreement]
    left, right = picture.a.hypothesis, picture.b.hypothesis
    links = [
        links_payload(picture_links(own, mirrored=number == 0)) for number, own in enumerate(bands)
    ]
    payload: dict[str, Any] = {
        "names": [visible(shorten(one.scores.system)) for one in (a, b)],
        "sides": [
            side_payload(left.words, left.kinds, left.mates),
            side_payload(a.reference, classes, np.full(len(classes), -1)),
            side_payload(right.words, right.kinds, right.mates),
        ],
        "readAs": [texts.reference.mates.tolist() for texts in (picture.a, picture.b)],
        "pairs": [{"bands": one["bands"], "anchors": one["anchors"]} for one in links],
        "colours": [one["colours"] for one in links],
    }
    return payload | {"id": digest(payload)}


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
