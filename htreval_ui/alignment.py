"""The linked view of a page: reference, gutter and hypothesis as one component.

Python sends the words with their kinds and mates once; hovering, links, the minimap and the keys
live in the browser. Python hears only of a word that was picked and of keys that ask for more
than the browser holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from htreval_core import ScoredPage
from htreval_core.diagnosis.bands import Band
from htreval_core.metrics.kinds import View, WordKind
from htreval_core.show.palette import KIND_COLOURS, KIND_NAMES
from htreval_core.show.pictures.bands import picture_links
from htreval_core.show.pictures.texts import picture_texts
from htreval_ui.linked import assets, digest, links_payload, side_payload

_assets = assets("alignment")
_render = st.components.v2.component("htreval.alignment", js=_assets.js, css=_assets.css)


@dataclass(frozen=True, slots=True)
class Answer:
    """What the view reports.

    Args:
        picked: the word that was clicked, as ("ref" or "hyp", position).
        asked: what a key asked for: "view" (the other alignment), "repair" (put right what is
            shown).
        steps: how many pages further in the ranking, or back; a browser may ask for
            more before it has drawn the page that it asked for first.
    """

    picked: tuple[str, int] | None
    asked: str | None
    steps: tuple[int, str] | None = None


def alignment_payload(page: ScoredPage, view: View, bands: Sequence[Band]) -> dict[str, Any]:
    """Everything the component draws, as JSON.

    ``sides`` are the reference and the hypothesis: lines as [line number, first word, words], and
    of every word its kind and its mate. ``bands`` are stretches of words that kept together, as
    [reference start, end, hypothesis start, end, event], ends exclusive, -1 for no event.
    ``anchors`` are places that correspond, [reference word, hypothesis word], rising in both: by
    them the panes scroll together. The words and their layout are signed each for themselves: words
    that are drawn already are not drawn again when the layout is found.
    """
    texts = picture_texts(page, view)
    words = {
        "page": page.scores.page_id,
        "sides": [
            side_payload(side.words, side.kinds, side.mates)
            for side in (texts.reference, texts.hypothesis)
        ],
        "kinds": [[KIND_NAMES[kind], KIND_COLOURS[kind]] for kind in WordKind],
    }
    layout = links_payload(picture_links(bands))
    return words | layout | {"id": digest(words), "layout": digest(layout)}


def show_alignment(
    page: ScoredPage,
    view: View,
    bands: Sequence[Band],
    *,
    picked: tuple[str, int] | None,
    event: int | None,
    height: int,
    key: str,
) -> Answer:
    """Draw the page, and return what the user just asked for.

    Args:
        event: the number of the event to bring out, from 0.
    """
    payload = alignment_payload(page, view, bands)
    payload["event"] = event
    payload["picked"] = list(picked) if picked else None
    payload["height"] = height
    result = _render(
        data=payload, key=key, on_picked_change=lambda: None, on_asked_change=lambda: None
    )
    chosen, asked = result.get("picked"), result.get("asked")
    steps = asked if isinstance(asked, list | tuple) and len(asked) == 3 else None
    return Answer(
        (str(chosen[0]), int(chosen[1])) if chosen else None,
        str(asked) if asked and steps is None else None,
        None if steps is None else (int(steps[1]), str(steps[2])),
    )
