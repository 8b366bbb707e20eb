"""The colours: Okabe and Ito's, which colour-blind readers tell apart, and neutral greys.

One colour a thing, in every view and in the report: misread orange, left out vermilion, added
sky blue, moved purple, divided or joined pale yellow. A layout fault has the colour of what its
words are. Systems have the blue, the green and the yellow that are left, and a slate; their yellow
is darkened to show on white.

Source: Okabe and Ito 2008, "Color Universal Design", https://jfly.uni-koeln.de/color/
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from htreval_core.diagnosis.model import EventKind
from htreval_core.metrics.kinds import WordKind

_TABLE = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
KIND_COLOURS, KIND_NAMES, KIND_SYMBOLS = (
    MappingProxyType({WordKind[name]: str(look) for name, look in _TABLE[of].items()})
    for of in ("colours", "names", "symbols")
)
NEUTRAL, RECOGNITION = KIND_COLOURS[WordKind.CORRECT], KIND_COLOURS[WordKind.SUBSTITUTED]
ORDER, SPACES = KIND_COLOURS[WordKind.MOVED], KIND_COLOURS[WordKind.DIVIDED]
COINCIDENCE = str(_TABLE["parts"]["coincidence"]["colour"])
EVENT_COLOURS: Mapping[str, str] = MappingProxyType(_TABLE["events"])
DOUBT = EVENT_COLOURS["in-doubt"]
_ALIKE = {EventKind[name]: str(look) for name, look in _TABLE["alike"].items()}


@dataclass(frozen=True, slots=True)
class PartStyle:
    """How a part of WER is called and drawn, in the verdict, the bars and the waterfall.

    Args:
        name: as people read it.
        formula: the metric whose errors it is, or is part of.
        colour: its own; each but the first is hatched, too.
        pattern: of its hatching.
    """

    name: str
    formula: str
    colour: str
    pattern: str = ""


PARTS: Mapping[str, PartStyle] = MappingProxyType(
    {name: PartStyle(**style) for name, style in _TABLE["parts"].items()}
)
"""For a page or a system that was not diagnosed only "misread" and "delta" are known."""

_BLUE, _GREEN, _YELLOW, _SLATE = "#0072B2", "#009E73", "#9C8A00", "#5D6B78"
SYSTEM_COLOURS = (_BLUE, _GREEN, _SLATE, _YELLOW)
"""By the system's place in the study. The fifth system has the first's colour, another mark."""
MARKS: Mapping[str, str] = MappingProxyType(_TABLE["marks"])
"""Paths of symbols, with sizes to be filled in."""
SYSTEM_SYMBOLS = ("circle", "diamond", "square", "triangle-up", "cross", "x", "star")


def event_look(kind: EventKind, number: int) -> str:
    """What the words of an event are, a key of ``EVENT_COLOURS``.

    Two shades take turns on text out of order, so that neighbours can be told apart."""
    return _ALIKE.get(kind, "moved-too" if number % 2 else "moved")


def event_colour(kind: EventKind, number: int) -> str:
    """The colour of an event by its kind and its number on the page, from 0."""
    return EVENT_COLOURS[event_look(kind, number)]


@dataclass(frozen=True, slots=True)
class SystemStyle:
    """How a system is drawn in every view: a colour, and a mark of its own."""

    colour: str
    symbol: str


def system_style(number: int) -> SystemStyle:
    """The style of a system by its place in the study, from 0."""
    return SystemStyle(
        SYSTEM_COLOURS[number % len(SYSTEM_COLOURS)], SYSTEM_SYMBOLS[number % len(SYSTEM_SYMBOLS)]
    )
