"""Tags that Transkribus writes into ``custom`` attributes: abbreviations, doubts, corrections.

Format: https://help.transkribus.org/tags
"""

import re
from collections.abc import Collection, Iterable, Iterator

_TAG = re.compile(r"([A-Za-z][\w-]{0,40})\s*\{([^{}]{0,2000})\}")
_ESCAPE = re.compile(r"\\u([0-9A-Fa-f]{4})")
_CHANGED = {"abbrev": ("expansion", "expanded"), "sic": ("correction", "normalised")}
"""Tags that carry another reading, under which name, and the level that takes it."""


def read_custom(lines: Iterable[tuple[str, str]], edition: Collection[str]) -> Iterator[str]:
    """The text of the lines of a region as the levels of an edition have it.

    What stands on the page is the line itself; "expanded" and "normalised" put in what the tags
    say, and "sure" leaves out what they mark as unclear. Of a tag that goes on in the next line,
    the other reading stands where it begins.
    """
    open_tags: set[str] = set()
    for text, custom in lines:
        # Transkribus counts in units of UTF-16.
        units = text.encode("utf-16-le", "surrogatepass")
        changes: list[tuple[int, int, str]] = []
        still_open: set[str] = set()
        for tag in _TAG.finditer(custom):
            values = {
                key.strip(): value.strip()
                for key, _, value in (part.partition(":") for part in tag[2].split(";"))
            }
            start, length = _whole(values.get("offset")), _whole(values.get("length"))
            if start is None or length is None or 2 * (start + length) > len(units):
                continue
            key, level = _CHANGED.get(tag[1], ("", ""))
            instead = _ESCAPE.sub(_sign, values.get(key, ""))
            if values.get("continued") == "true":
                instead = "" if tag[1] in open_tags and not start else instead
                if 2 * (start + length) == len(units):
                    still_open.add(tag[1])
            if (level in edition and values.get(key)) or (
                tag[1] == "unclear" and "sure" in edition
            ):
                changes.append((start, start + length, instead))
        open_tags = still_open
        yield _changed(units, changes)


def _changed(units: bytes, changes: Iterable[tuple[int, int, str]]) -> str:
    """The text with other readings; of two that overlap the longer, of two as long an omission."""
    taken: list[tuple[int, int, str]] = []
    for start, end, instead in sorted(changes, key=lambda one: (one[0] - one[1], one[0], one[2])):
        if all(end <= other_start or other_end <= start for other_start, other_end, _ in taken):
            taken.append((start, end, instead))
    for start, end, instead in sorted(taken, reverse=True):
        in_units = instead.encode("utf-16-le", "surrogatepass")
        units = units[: 2 * start] + in_units + units[2 * end :]
    return units.decode("utf-16-le", "surrogatepass")


def _whole(number: str | None) -> int | None:
    if number and number.isascii() and number.isdecimal() and len(number) < 8:
        return int(number)
    return None


def _sign(match: re.Match[str]) -> str:
    code = int(match[1], 16)
    return "" if 0xD800 <= code < 0xE000 else chr(code)
