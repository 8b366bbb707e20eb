"""What the linked views of texts share: how a text is sent to the browser."""

import hashlib
import json
from collections.abc import Sequence
from typing import Any

from htreval_core.diagnosis.look import Look
from htreval_core.markup import visible
from htreval_core.model import IntArray
from htreval_core.show.palette import event_colour
from htreval_core.show.pictures.bands import Links
from htreval_core.text import PageWords


def side_payload(words: PageWords, kinds: IntArray, mates: IntArray) -> dict[str, Any]:
    """One text: lines as [line number, first word, words], and of every word its kind and mate."""
    lines: list[list[Any]] = []
    for index, (word, line) in enumerate(zip(words.words, words.line_of, strict=True)):
        if not lines or lines[-1][0] != line + 1:
            lines.append([line + 1, index, []])
        # What turns the direction of text would turn the words that follow it.
        lines[-1][2].append(visible(word))
    return {"lines": lines, "kinds": kinds.tolist(), "mates": mates.tolist()}


def links_payload(links: Links, colours: Sequence[str]) -> dict[str, Any]:
    """Bands and anchors as ``Links`` has them, and the colour of each event."""
    return {
        "bands": [list(band) for band in links.bands],
        "anchors": [list(place) for place in links.anchors], "colours": list(colours),
    }  # fmt: skip


def event_colours(look: Look) -> list[str]:
    """The colour of each event of a page."""
    return [event_colour(event.kind, n) for n, event in enumerate(look.diagnosis.events)]


def digest(payload: dict[str, Any]) -> str:
    """By this the browser knows what it has drawn already."""
    text = json.dumps(payload, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
