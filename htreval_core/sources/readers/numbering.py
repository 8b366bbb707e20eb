"""The numbers that a word processor puts before paragraphs: they stand nowhere in the text.

Format: ECMA-376, part 1, 17.9 (https://ecma-international.org/publications-and-standards/standards/ecma-376/).
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from lxml import etree

_ROMAN = {1000: "m", 900: "cm", 500: "d", 400: "cd", 100: "c", 90: "xc", 50: "l", 40: "xl",
          10: "x", 9: "ix", 5: "v", 4: "iv", 1: "i"}  # fmt: skip
_HIGHEST, _DEEPEST, _LONGEST = 4000, 10, 255
"""The last number that anybody writes in letters, styles that are based on each other, and the
signs of a number, which each of many paragraphs has again."""


def value_of(element: etree._Element | None, name: str = "val") -> str:
    """An attribute in whatever namespace; empty if it is missing."""
    found = {} if element is None else element.attrib
    return next((value for key, value in found.items() if key.rpartition("}")[2] == name), "")


@dataclass(frozen=True, slots=True)
class _Level:
    start: int = 1
    form: str = "decimal"
    text: str = ""

    @classmethod
    def of(cls, element: etree._Element) -> "_Level":
        start, form, text = (value_of(element.find(f"{{*}}{one}"))
                             for one in ("start", "numFmt", "lvlText"))  # fmt: skip
        return cls(_whole(start, 1), form, text[:_LONGEST])


class Numbering:
    """Counts the paragraphs of lists, which have to come in the order of the document.

    Args:
        parts: those of the document by name, such as numbering and styles.
    """

    def __init__(self, parts: Mapping[str, etree._Element]) -> None:
        def by(part: str, tag: str, key: str) -> dict[str, etree._Element]:
            found = parts[part].iterfind(f"{{*}}{tag}") if part in parts else ()
            return {value_of(one, key): one for one in found}

        self._lists = by("numbering", "num", "numId")
        self._kinds = by("numbering", "abstractNum", "abstractNumId")
        self._styles = by("styles", "style", "styleId")
        self._levels: dict[str, dict[int, _Level]] = {}
        self._counts: dict[str, dict[int, int]] = {}
        self._begun: set[str] = set()

    def before(self, paragraph: etree._Element) -> str:
        """The number of a paragraph with a space behind it; empty where it has none."""
        number, level = self._place(paragraph)
        own = self._lists.get(number)
        kind = value_of(own.find("{*}abstractNumId")) if own is not None else ""
        if own is None or kind not in self._kinds:
            return ""
        if kind not in self._levels:
            found = self._kinds[kind].iter("{*}lvl")
            self._levels[kind] = {_whole(value_of(one, "ilvl")): _Level.of(one) for one in found}
        levels = self._levels[kind]
        counts = self._counts.setdefault(kind, {})
        if number not in self._begun:
            self._begun.add(number)
            for one in own.iterfind("{*}lvlOverride"):
                if (start := one.find("{*}startOverride")) is not None:
                    counts[_whole(value_of(one, "ilvl"))] = _whole(value_of(start), 1) - 1
        own_level = levels.get(level, _Level())
        counts[level] = counts.get(level, own_level.start - 1) + 1
        for deeper in [of for of in counts if of > level]:
            del counts[deeper]
        if own_level.form in ("bullet", "none"):
            return ""

        def written(match: re.Match[str]) -> str:
            of = levels.get(int(match[1]) - 1, _Level())
            return _written(counts.get(int(match[1]) - 1, of.start), of.form)

        said = re.sub(r"%([1-9])", written, own_level.text)
        return f"{said} " if said.strip() else ""

    def _place(self, paragraph: etree._Element) -> tuple[str, int]:
        """The list of a paragraph and the level in it, its own or those of its style."""
        number, level = "", ""
        for one in self._with_styles(paragraph):
            number = number or value_of(one.find("{*}pPr/{*}numPr/{*}numId"))
            level = level or value_of(one.find("{*}pPr/{*}numPr/{*}ilvl"))
        return number, _whole(level)

    def _with_styles(self, paragraph: etree._Element) -> Iterator[etree._Element]:
        yield paragraph
        style = self._styles.get(value_of(paragraph.find("{*}pPr/{*}pStyle")))
        for _ in range(_DEEPEST):
            if style is None:
                return
            yield style
            style = self._styles.get(value_of(style.find("{*}basedOn")))


def _whole(text: str, otherwise: int = 0) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 9 else otherwise


def _written(number: int, form: str) -> str:
    """A number as a list writes it; in figures where its form is another than Roman or letters."""
    written = str(number)
    if form.endswith("Roman") and 0 < number < _HIGHEST:
        written, left = "", number
        for worth, sign in _ROMAN.items():
            written += sign * (left // worth)
            left %= worth
    elif form.endswith("Letter") and 0 < number < _HIGHEST:
        written = chr(ord("a") + (number - 1) % 26) * ((number + 25) // 26)
    elif form == "decimalZero":
        written = written.zfill(2)
    return written.upper() if form.startswith("upper") else written
