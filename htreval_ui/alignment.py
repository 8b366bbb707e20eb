"""The linked view of a page: reference, gutter and hypothesis as one component.

Python sends the words with their kinds and mates once; hovering, links, the minimap and the keys
live in the browser. Python hears only of a word that was picked.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any

import streamlit as st

from htreval_core import ScoredPage
from htreval_core.bands import Band
from htreval_core.kinds import Kind, View, word_kinds
from htreval_core.model import IntArray
from htreval_core.palette import KIND_COLOURS, KIND_NAMES, event_colour
from htreval_core.text import PageWords
from htreval_ui.places import ASSETS

_render = st.components.v2.component(
    "htreval.alignment",
    js=(ASSETS / "alignment.js").read_text("utf-8"),
    css=(ASSETS / "alignment.css").read_text("utf-8"),
)


def alignment_payload(page: ScoredPage, view: View, bands: Sequence[Band]) -> dict[str, Any]:
    """Everything the component draws, as JSON.

    ``sides`` are the reference and the hypothesis: lines as [line number, first word, words], and
    of every word its kind and its mate. ``bands`` are stretches of words that kept together, as
    [reference start, end, hypothesis start, end, event], ends exclusive, -1 for no event.
    """
    kinds = word_kinds(page, view)
    n_events = max((band.event for band in bands), default=-1) + 1
    payload: dict[str, Any] = {
        "sides": [
            _side(page.reference, kinds.ref, kinds.ref_mate),
            _side(page.hypothesis, kinds.hyp, kinds.hyp_mate),
        ],
        "bands": [[*band.reference, *band.hypothesis, band.event] for band in bands],
        "colours": [event_colour(number) for number in range(n_events)],
        "kinds": [[KIND_NAMES[kind], KIND_COLOURS[kind]] for kind in Kind],
    }
    text = json.dumps(payload, ensure_ascii=True)
    payload["id"] = hashlib.sha256(text.encode()).hexdigest()[:16]
    return payload


def _side(words: PageWords, kinds: IntArray, mates: IntArray) -> dict[str, Any]:
    lines: list[list[Any]] = []
    for index, (word, line) in enumerate(zip(words.words, words.line_of, strict=True)):
        if not lines or lines[-1][0] != line + 1:
            lines.append([line + 1, index, []])
        lines[-1][2].append(word)
    return {"lines": lines, "kinds": kinds.tolist(), "mates": mates.tolist()}


def show_alignment(
    page: ScoredPage,
    view: View,
    bands: Sequence[Band],
    *,
    picked: tuple[str, int] | None,
    event: int | None,
    height: int,
    key: str,
) -> tuple[str, int] | None:
    """Draw the page, and return the word that was just picked, if any.

    Args:
        event: the number of the event to bring out, from 0.
    """
    payload = alignment_payload(page, view, bands)
    payload["event"] = event
    payload["picked"] = list(picked) if picked else None
    payload["height"] = height
    result = _render(data=payload, key=key, on_picked_change=lambda: None)
    chosen = result.get("picked")
    if not chosen:
        return None
    side, index = chosen
    return str(side), int(index)
