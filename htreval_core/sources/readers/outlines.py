"""The outlines of a page, whose numbers are read all at once: a newspaper has tens of thousands."""

import re
from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from htreval_core.model import Box, IntArray, Line, Polygon
from htreval_core.sources.readers.xml import boxes_of_words, polygon
from htreval_core.text import space_between

_SIGNS_OF_NUMBERS = b"0123456789, "
_LARGEST = 999_999_999
"""What fits into 32 bits by its digits alone."""
_CORNERS = 3


_FARTHEST = 1e9
"""Beyond this no page has corners."""


def usable_box(left: float, top: float, right: float, bottom: float) -> Box | None:
    """The box of these sides; None where they make none, or none that a page may have."""
    is_box = left < right and top < bottom
    is_near = max(right, bottom) < _FARTHEST and min(left, top) > -_FARTHEST
    return (left, top, right, bottom) if is_box and is_near else None


def box_around(boxes: Sequence[Box | None]) -> Box | None:
    """The box around some; None unless there is one and all are known."""
    known = [box for box in boxes if box is not None]
    if not known or len(known) < len(boxes):
        return None
    left, top, right, bottom = zip(*known, strict=True)
    return min(left), min(top), max(right), max(bottom)


def line_of_words(
    words: Iterable[tuple[str, Box | None]], region: str | None = None, page: int = 0
) -> Line:
    """A line of words with their boxes, which are its outline together.

    The file tells no spaces: none stands between two signs of scripts that write none.
    """
    text, spans = "", list[Span]()
    for word, box in words:
        text += space_between(text, word) if text and word else ""
        spans.append((len(text), len(text) + len(word), box))
        text += word
    around = box_around([box for _, _, box in spans])
    outline = Polygon.from_box(*around) if around else None
    return Line(text, region, outline, None, boxes_of_spans(text, spans), page)


Span: TypeAlias = tuple[int, int, Box | None]
"""Where in the text of its line a word begins and ends, and its box."""


def boxes_of_spans(text: str, spans: Sequence[Span]) -> Polygon | None:
    """For each word between white space the box around all parts that it is made of."""
    known = [  # A box around several words is that of none of them.
        (begin, end, None if len(text[begin:end].split()) > 1 else box)
        for begin, end, box in spans
        if text[begin:end].strip()
    ]
    boxes: list[Box | None] = []
    at = 0
    for word in re.finditer(r"\S+", text):
        own: list[Box | None] = []
        while at < len(known) and known[at][0] < word.end():
            own.append(known[at][2])
            if known[at][1] > word.end() and text[word.end() : known[at][1]].strip():
                break
            at += 1
        boxes.append(box_around(own))
    return boxes_of_words(text, boxes) if spans else None


class Outlines:
    """Polygons from attributes such as "x,y x,y x,y".

    Args:
        points: the attributes, in the order by which the polygons are asked for.
    """

    def __init__(self, points: Sequence[str]) -> None:
        self._polygons: list[Polygon | None] = []
        self._starts: list[int] = []
        n_corners = np.array([one.count(",") for one in points], dtype=np.int64)
        numbers = _whole_numbers(points, n_corners)
        if numbers is None:
            self._polygons = [polygon(one) for one in points]
            return
        ends = 2 * n_corners.cumsum()
        small = numbers.astype(np.short)
        if not (small == numbers).all():
            # Polygons of one page may differ in what they are packed as.
            self._polygons = [
                Polygon(numbers[end - 2 * n : end]) if n >= _CORNERS else None
                for end, n in zip(ends.tolist(), n_corners.tolist(), strict=True)
            ]
            return
        self._starts = [0, *ends.tolist()]
        self._packed = small.tobytes()
        firsts = ends // 2 - n_corners
        corners = small.reshape(-1, 2)
        self._boxes = np.hstack(
            (np.minimum.reduceat(corners, firsts), np.maximum.reduceat(corners, firsts))
        )
        self._is_polygon = n_corners >= _CORNERS

    def polygon(self, place: int) -> Polygon | None:
        """The polygon at a place; None where the attribute makes none."""
        if self._polygons:
            return self._polygons[place]
        first, end = self._starts[place], self._starts[place + 1]
        is_polygon = self._is_polygon[place]
        return Polygon.packed(self._packed[2 * first : 2 * end]) if is_polygon else None

    def boxes(self, first: int, last: int) -> Polygon | None:
        """The boxes of the polygons from a place up to another; None unless each is one."""
        if self._polygons:
            found = [one.box for one in self._polygons[first:last] if one]
            return Polygon.of_boxes(found) if found and len(found) == last - first else None
        if first == last or not self._is_polygon[first:last].all():
            return None
        return Polygon.packed(self._boxes[first:last].tobytes())


def _whole_numbers(points: Sequence[str], n_corners: IntArray) -> npt.NDArray[Any] | None:
    """The numbers of all, where they are whole and stand in pairs; else None."""
    joined = " ".join(points)
    if not joined or joined.encode().translate(None, _SIGNS_OF_NUMBERS):
        return None
    if [one.count(" ") + 1 for one in points] != n_corners.tolist():
        return None
    numbers = np.fromstring(joined.replace(",", " "), dtype=np.int64, sep=" ")
    if len(numbers) != 2 * n_corners.sum() or numbers.max() > _LARGEST:
        return None
    return numbers.astype(np.intc)
