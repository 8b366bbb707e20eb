"""The colours: Okabe and Ito's, which colour-blind readers tell apart, and neutral greys.

Source: Okabe and Ito 2008, "Color Universal Design", https://jfly.uni-koeln.de/color/
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from htreval_core.kinds import Kind

NEUTRAL = "#8b95a1"
RECOGNITION = "#E69F00"
ORDER = "#CC79A7"

KIND_COLOURS: Mapping[Kind, str] = MappingProxyType(
    {
        Kind.CORRECT: NEUTRAL,
        Kind.SUBSTITUTED: RECOGNITION,
        Kind.DELETED: "#D55E00",
        Kind.INSERTED: "#56B4E9",
        Kind.MOVED: ORDER,
    }
)
KIND_NAMES: Mapping[Kind, str] = MappingProxyType(
    {
        Kind.CORRECT: "right",
        Kind.SUBSTITUTED: "misread",
        Kind.DELETED: "left out",
        Kind.INSERTED: "added",
        Kind.MOVED: "right word, wrong place",
    }
)
KIND_SYMBOLS: Mapping[Kind, str] = MappingProxyType(
    {
        Kind.CORRECT: "circle",
        Kind.SUBSTITUTED: "square",
        Kind.DELETED: "line-ns",
        Kind.INSERTED: "line-ew",
        Kind.MOVED: "diamond",
    }
)

SYSTEM_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#56B4E9", "#CC79A7", "#E69F00", "#8b95a1")
SYSTEM_SYMBOLS = ("circle", "diamond", "square", "triangle-up", "cross", "x", "star")

EVENT_COLOURS = ("#0072B2", "#009E73", "#CC79A7", "#D55E00", "#56B4E9", "#E69F00")
"""The first two, which most pages need, are no kind of word's."""


def event_colour(number: int) -> str:
    """The colour of an event by its number on the page, from 0; the seventh shares the first's."""
    return EVENT_COLOURS[number % len(EVENT_COLOURS)]
