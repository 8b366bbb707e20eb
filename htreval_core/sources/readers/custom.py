"""Tags that Transkribus writes into ``custom`` attributes: abbreviations, doubts, corrections.

Format: https://help.transkribus.org/tags
"""

import re
from collections.abc import Collection

_TAG = re.compile(r"([A-Za-z][\w-]{0,40})\s*\{([^{}]{0,2000})\}")
_ESCAPE = re.compile(r"\\u([0-9A-Fa-f]{4})")
_CHANGED = {"abbrev": ("expansion", "expanded"), "sic": ("correction", "normalised")}
"""Tags that carry another reading, under which name, and the level that takes it."""


def read_custom(text: str, custom: str, edition: Collection[str]) -> str:
    """The text of a line as the levels of an edition have it.

    What stands on the page is the line itself; "expanded" and "normalised" put in what the tags
    say, and "sure" leaves out what they mark as unclear.
    """
    if not edition or "{" not in custom:
        return text
    changes: list[tuple[int, int, str]] = []
    for tag in _TAG.finditer(custom):
        values = {
            key.strip(): value.strip()
            for key, _, value in (part.partition(":") for part in tag[2].split(";"))
        }
        start, length = _whole(values.get("offset")), _whole(values.get("length"))
        if start is None or length is None or start + length > len(text):
            continue
        key, level = _CHANGED.get(tag[1], ("", ""))
        if level in edition and values.get(key):
            changes.append((start, start + length, _ESCAPE.sub(_sign, values[key])))
        elif tag[1] == "unclear" and "sure" in edition:
            changes.append((start, start + length, ""))
    # From the end, so that what stands before keeps its place; of two on one word the longer.
    last = len(text) + 1
    for start, end, instead in sorted(changes, key=lambda one: (-one[0], -one[1])):
        if end <= last:
            text = text[:start] + instead + text[end:]
            last = start
    return text


def _whole(number: str | None) -> int | None:
    if number and number.isascii() and number.isdecimal() and len(number) < 8:
        return int(number)
    return None


def _sign(match: re.Match[str]) -> str:
    code = int(match[1], 16)
    return "" if 0xD800 <= code < 0xE000 else chr(code)
