"""A small picture for each kind of fault: pale is what kept its place, strong what did not."""

import base64
from collections.abc import Mapping
from types import MappingProxyType

from htreval_core.diagnosis import EventKind
from htreval_core.markup import Html, tag

K = EventKind
_ROWS = "M2 3H22M2 7H22M2 11H22M2 15H22"
_GUTTER = "M12 2V16"

PICTOGRAMS: Mapping[EventKind, tuple[str, str]] = MappingProxyType(
    {
        K.MARGINALIA: (
            "M2 3H15M2 7H15M2 11H12M2 15H15", "M18 3H22M18 7H22M20 9V12H15m2-2l-2 2l2 2",
        ),
        K.COLUMNS_ACROSS: (_GUTTER, "M2 5H22M2 9H22M2 13H22"),
        K.COLUMNS_BY_LINE: (_GUTTER, "M2 4H10M14 4H22L2 9H10M14 9H22L2 14H10M14 14H22"),
        K.COLUMN_ORDER: ("M3 2H9V16H3z", "M15 2H21V16H15zM14 9H10m2-2l-2 2l2 2"),
        K.BELOW_RULE: ("M2 10H22M12 2V8M18 2V8", "M6 2V16m-2.5-3l2.5 3l2.5-3"),
        K.ARTICLES: ("M2 2H10V9H2zM14 2H22V6H14z", "M2 12H10V16H2zM14 9H22V16H14zM6 9V12"),
        K.COLUMNS_IN_ZONES: (
            "M2 2H10V7H2zM14 11H22V16H14z", "M14 2H22V7H14zM2 11H10V16H2zM14 7L10 11",
        ),
        K.INTERLEAVED: (_GUTTER, "M2 4H10M14 7H22M2 10H10M14 13H22"),
        K.TABLE: ("M2 2H22V16H2zM2 9H22M9 2V16M15.5 2V16", "M4 5.5H20m-3-2l3 2l-3 2"),
        K.DOUBLE_PAGE: ("M2 3H11V16H2zM13 3H22V16H13z", "M4 7H20M4 12H20"),
        K.RUNNING_HEAD: ("M2 8H16M2 12H16M2 16H16", "M6 3H14M20 3V14m-2-2l2 2l2-2"),
        K.PAGE_NUMBER: ("M2 8H16M2 12H16M2 16H16", "M12 3H16M20 3V14m-2-2l2 2l2-2"),
        K.CATCH_WORD: ("M2 3H16M2 7H16M2 11H16", "M12 15H16M20 15V4m-2 2l2-2l2 2"),
        K.FOOTNOTE: ("M2 3H16M2 7H16M2 10.5H7", "M2 13H16M2 16H12M20 16V4m-2 2l2-2l2 2"),
        K.DROP_CAPITAL: ("M10 3H22M10 7H22M2 11H22M2 15H22", "M2 8L5 2L8 8M3 6H7"),
        K.SIGNS: ("M8 3H22M8 7H22M8 11H22M8 15H22", "M2 3H4M2 7H4M2 11H4M2 15H4"),
        K.LINES_SWAPPED: ("M2 3H22M2 15H22", "M2 7H14M2 11H14M18 7V12m-2-2l2 2l2-2"),
        K.LOCAL_SWAP: ("M2 3H22M2 15H22", "M4 6L20 12M20 6L4 12"),
        K.SUFFIX_FIRST: ("M2 11H12M2 15H22", "M14 11H22M18 8C16 2 8 2 6 8m-2-3l2 3l3-2"),
        K.PREFIX_LATE: ("M11 4H22M2 9H22", "M2 4H8M5 6V15m-2-2l2 2l2-2"),
        K.SUFFIX_LATE: ("M2 4H13M2 9H22", "M16 4H22M19 6V15m-2-2l2 2l2-2"),
        K.MOVED: ("M2 3H14M2 7H14", "M2 12H14M2 15H14M18 15H20V4m-2 2l2-2l2 2"),
        K.SCRAMBLED: (_ROWS, "M4 5H7M15 9H18M6 13H9M18 3H20M11 7H13"),
        K.REFERENCE: ("M2 3H6M2 7H6M2 11H6M2 15H6M18 3H22M18 7H22M18 11H22M18 15H22",
                      "M9 6c0-5 6-5 6 0c0 3-3 2-3 5M12 14.5v.5"),
        K.MISSING: ("M2 3H22M2 15H22", "M2 7H5M8 7H11M14 7H17M20 7H22M2 11H5M8 11H11M14 11H17"),
        K.REPEATED: ("M2 3H22M2 15H22", "M2 7H15M2 11H15M18 7l4 4m0-4l-4 4"),
        K.INVENTED: ("M2 3H22M2 15H22", "M2 9H13M16 9H22M19 6V12"),
        K.UNTRANSCRIBED: ("M2 2H22V16H2z", "M6 6H18M6 9H18M6 12H13"),
        K.REPLACED: ("M2 3H22M2 15H22", "M2 9c1.5-4 2.5 4 4 0s2.5 4 4 0s2.5 4 4 0s2.5 4 4 0"),
        K.READ_BADLY: ("M2 3H22M2 15H22", "M2 9l2 2l2-4l2 3l2-3l2 4l2-3l2 2l2-3l2 3"),
        K.LOOP: ("M2 3H7M2 15H7", "M17 4A6 6 0 1 0 19 9M19 2V6H15"),
        K.OTHER_PAGE: ("M3 2H13V14H3z", "M9 5H20V16H9zM12 9H17M12 12H17"),
        K.PHRASE: ("M7 6H17M7 9H14", "M3 3H21V12H12L8 16V12H3z"),
        K.HEAD: ("M2 8H22M2 12H22M2 16H22", "M7 3H14M18 1V5M16 3H20"),
        K.TALK: ("M2 11H22M2 15H22", "M3 1H15V7H9L6 10V7H3zM6 4H12"),
        K.REFUSAL: ("M4 2H20V16H4z", "M7 9a5 5 0 1 0 10 0a5 5 0 1 0-10 0M8.5 5.5L15.5 12.5"),
        K.EMPTY: ("M2 4H8M2 8H8M2 12H8", "M12 2H22V16H12z"),
        K.BLANK: ("M4 2H20V16H4z", "M7 9H14M16 6L9 13"),
        K.TRUNCATED: ("M2 3H22M2 7H22", "M2 11H9M12 9V16m-2.5-3l2.5 3l2.5-3"),
        K.TRANSLATED: ("M2 3H22M2 15H22", "M2 9H9M15 9H22M10 7l3 2l-3 2"),
        K.SPELLING: ("M2 3H22M2 15H22", "M3 12L6 6L9 12M4 10H8M12 9H15M20 6V12M18 9H22"),
        K.ABBREVIATIONS: ("M2 3H22M2 15H22", "M2 9H5M7 9v.5M9 9h4m-2-2l2 2l-2 2M15 9H22"),
        K.HYPHENS: ("M2 3H11M2 7H8", "M14 3H18M4 13H20M21 5l-4 5m0-3v3h3"),
        K.DATES: ("M4 3H20V16H4zM4 7H20", "M8 1V4M16 1V4M8 12H10M14 12H16"),
        K.MARKUP: ("M5 5H9M15 5H19M5 13H9M15 13H19", "M2 2V16M12 2V16M22 2V16M2 9H22"),
    }
)  # fmt: skip
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
