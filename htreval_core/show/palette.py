"""The colours: Okabe and Ito's, which colour-blind readers tell apart, and neutral greys.

Source: Okabe and Ito 2008, "Color Universal Design", https://jfly.uni-koeln.de/color/
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from htreval_core.metrics.kinds import WordKind

NEUTRAL = "#8b95a1"
RECOGNITION = "#E69F00"
ORDER = "#CC79A7"
COINCIDENCE = "#B8C0C8"
DOUBT = "#56B4E9"

KIND_COLOURS: Mapping[WordKind, str] = MappingProxyType(
    {
        WordKind.CORRECT: NEUTRAL,
        WordKind.SUBSTITUTED: RECOGNITION,
        WordKind.DELETED: "#D55E00",
        WordKind.INSERTED: "#56B4E9",
        WordKind.MOVED: ORDER,
    }
)
KIND_NAMES: Mapping[WordKind, str] = MappingProxyType(
    {
        WordKind.CORRECT: "right",
        WordKind.SUBSTITUTED: "misread",
        WordKind.DELETED: "left out",
        WordKind.INSERTED: "added",
        WordKind.MOVED: "right word, wrong place",
    }
)
KIND_SYMBOLS: Mapping[WordKind, str] = MappingProxyType(
    {
        WordKind.CORRECT: "circle",
        WordKind.SUBSTITUTED: "square",
        WordKind.DELETED: "line-ns",
        WordKind.INSERTED: "line-ew",
        WordKind.MOVED: "diamond",
    }
)


@dataclass(frozen=True, slots=True)
class PartStyle:
    """How a part of WER is called and drawn, in the verdict, the bars and the waterfall.

    Args:
        name: as people read it.
        formula: the metric whose errors it is, or is part of.
        colour: its own; each but the first is hatched, too.
        pattern: Plotly's name of the hatching.
    """

    name: str
    formula: str
    colour: str
    pattern: str = ""


PARTS: Mapping[str, PartStyle] = MappingProxyType(
    {
        "misread": PartStyle("misread", "bWER", RECOGNITION),
        "order": PartStyle("out of order", "order cost", ORDER, "/"),
        "coincidence": PartStyle("coincidence", "of ΔWER", COINCIDENCE, "."),
        "doubt": PartStyle("in doubt", "of ΔWER", DOUBT, "x"),
        "delta": PartStyle("order or coincidence", "ΔWER", ORDER, "/"),
    }
)
"""Of a page or a system that was not diagnosed only "misread" and "delta" are known."""

SYSTEM_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#56B4E9", "#CC79A7", "#E69F00", "#8b95a1")
SYSTEM_SYMBOLS = ("circle", "diamond", "square", "triangle-up", "cross", "x", "star")

EVENT_COLOURS = ("#0072B2", "#009E73", "#CC79A7", "#D55E00", "#56B4E9", "#E69F00")
"""The first two, which most pages need, are no kind of word's."""


def event_colour(number: int) -> str:
    """The colour of an event by its number on the page, from 0; the seventh shares the first's."""
    return EVENT_COLOURS[number % len(EVENT_COLOURS)]


@dataclass(frozen=True, slots=True)
class MetricStyle:
    """How a metric is drawn wherever it is a line: told apart without its colour too."""

    colour: str
    dash: str
    symbol: str


METRIC_STYLES: Mapping[str, MetricStyle] = MappingProxyType(
    {
        "wer": MetricStyle("#0072B2", "solid", "circle"),
        "bwer": MetricStyle(RECOGNITION, "solid", "square"),
        "hwer": MetricStyle("#009E73", "dot", "diamond"),
        "nsfd": MetricStyle("#D55E00", "dashdot", "triangle-up"),
        "cer": MetricStyle("#56B4E9", "longdashdot", "cross"),
        "hcer": MetricStyle(NEUTRAL, "dot", "x"),
        "delta_wer": MetricStyle(ORDER, "solid", "star"),
    }
)
"""Dashes ("dash") are kept for what theory expects."""
