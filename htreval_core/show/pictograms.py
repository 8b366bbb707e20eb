"""A small picture for each kind of fault: pale is what kept its place, strong what did not."""

import base64
import tomllib
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from htreval_core.diagnosis import EventKind
from htreval_core.markup import Html, tag

_FILE = Path(__file__).with_suffix(".toml")
PICTOGRAMS: Mapping[EventKind, tuple[str, str]] = MappingProxyType({
    EventKind[name]: (pale, strong)
    for name, (pale, strong) in tomllib.loads(_FILE.read_text("utf-8")).items()
})  # fmt: skip
"""Paths in a box of 24 by 18: pale and strong."""


def pictogram(kind: EventKind) -> Html:
    """The picture of a kind in the colour of the text around it."""
    return _svg(kind, "currentColor", class_="pictogram", aria_hidden="true")


def pictogram_address(kind: EventKind) -> str:
    """The same as a ``data:`` address, in a grey that shows on light and on dark."""
    content = base64.b64encode(pictogram_file(kind).encode("utf-8")).decode("ascii")
    return f"data:image/svg+xml;base64,{content}"


def pictogram_file(kind: EventKind) -> str:
    """The same as a file, as the documents show it."""
    return str(_svg(kind, "#8b95a1", xmlns="http://www.w3.org/2000/svg", width=32, height=24))


def _svg(kind: EventKind, colour: str, **attributes: str | float) -> Html:
    pale, strong = PICTOGRAMS[kind]
    return tag(
        "svg",
        tag("path", d=pale, stroke_opacity="0.4"),
        tag("path", d=strong, stroke_width="2"),
        viewBox="0 0 24 18", fill="none", stroke=colour, stroke_width="1.5",
        stroke_linecap="round", stroke_linejoin="round", **attributes,
    )  # fmt: skip
