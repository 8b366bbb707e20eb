"""What the readers of JSON share: values that may be anything, boxes in all spellings, lines."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from htreval_core.model import Box
from htreval_core.sources.readers.blocks import Block, Marked, as_written
from htreval_core.sources.readers.outlines import Span, boxes_of_spans, usable_box

_CORNERS = ("vertices", "normalizedVertices", "Polygon", "polygon")
_SIDES = [names.split() for names in (
    "l t r b", "x0 y0 x1 y1", "top_left_x top_left_y bottom_right_x bottom_right_y"
)]  # fmt: skip
RELATIVE = 10_000
"""Parts of a page that says no more of its boxes than which share of it they are."""


def listed(value: Any) -> Sequence[Any]:
    """The list itself, or one of the only value; nothing for nothing."""
    return value if isinstance(value, list) else [] if value is None else [value]


def objects(value: Any) -> list[Mapping[str, Any]]:
    """The objects of a list, or the only one."""
    return [one for one in listed(value) if isinstance(one, dict)]


def inner(value: Any, *keys: str) -> Any:
    """What stands under keys within one another; None where nothing does."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def first(value: Mapping[str, Any], keys: Iterable[str], kind: type = object) -> Any:
    """What stands under the first of these keys that has something of a kind; None without any."""
    return next((value[key] for key in keys if key in value and isinstance(value[key], kind)), None)


def without_twins(fields: list[tuple[str, Any]]) -> dict[str, Any]:
    """A record as ``json.loads`` has read it, unless two of its fields have one name.

    Raises:
        ValueError: they do.
    """
    found = dict(fields)
    if len(found) < len(fields):
        twice = next(key for key, n in Counter(key for key, _ in fields).items() if n > 1)
        raise ValueError(f"two fields of a record are called {twice!r}")
    return found


def number(value: Any) -> float | None:
    """A finite number that a page may have; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if abs(value) < 1e9 else None


def box_of(value: Any, scale: float = 1.0) -> Box | None:
    """Left, top, right and bottom, from sides or from corners; None where they are no box."""
    if isinstance(value, dict):
        sides = next((names for names in _SIDES if names[0] in value), None)
        value = [value.get(side) for side in sides] if sides else first(value, _CORNERS, list)
    flat: list[Any] = []
    for one in listed(value):
        if isinstance(one, dict):
            flat += [one.get(axis, one.get(axis.upper(), 0)) for axis in "xy"]
        else:
            flat += listed(one)
    found = [side * scale for side in map(number, flat) if side is not None]
    if len(found) < 4 or len(found) < len(flat) or len(found) % 2:
        return None
    if len(found) == 4:
        return usable_box(*found)
    return usable_box(min(found[::2]), min(found[1::2]), max(found[::2]), max(found[1::2]))


def size_of(value: Any, scale: float = 1.0) -> tuple[int, int] | None:
    """Width and height, where both are usable."""
    width, height = number(inner(value, "width")), number(inner(value, "height"))
    usable = width and height and min(width, height) * scale >= 1
    return (int(width * scale), int(height * scale)) if usable else None  # type: ignore[operator]


def lines_by_spans(text: str, box: Box | None, spans: Iterable[Span]) -> Iterator[Block]:
    """A line with its box and those of its words, by where they stand in it."""
    if text.strip():
        words = boxes_of_spans(text, list(spans))
        yield replace(as_written(" ".join(text.split()), None, box), words=words)


def paged(
    form: str, pages: Sequence[tuple[Any, Iterable[Block]]], size: tuple[int, int] | None = None
) -> Marked:
    """Pages, each with its name or number, where the file tells one, and its blocks."""
    return Marked(
        form, tuple(replace(b, page=place) for place, (_, of) in enumerate(pages) for b in of),
        size, tuple("" if name is None else str(name) for name, _ in pages),
    )  # fmt: skip
