"""Small pictures as SVG by hand: sheets, scales, axes, marks. Colours are the style sheet's."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from htreval_core.markup import Child, Html, tag
from htreval_core.show.palette import MARKS


@dataclass(frozen=True, slots=True)
class Scale:
    """A line from values to coordinates."""

    least: float
    most: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        share = (value - self.least) / ((self.most - self.least) or 1.0)
        return self.start + share * (self.end - self.start)


def sheet(width: float, height: float, label: str, *children: Child) -> Html:
    """A picture of the given size that shrinks with its column; ``label`` says what it shows."""
    return tag(
        "svg", *children, viewBox=f"0 0 {width:g} {height:g}", style=f"max-width:{width:g}px",
        role="img", aria_label=label,
    )  # fmt: skip


def text(x: float, y: float, words: Child, *, anchor: str | None = None, class_: str = "") -> Html:
    """Text at a place; ``anchor`` is "middle" or "end"."""
    return tag("text", words, x=x, y=y, text_anchor=anchor, class_=class_ or None)


def line(x1: float, y1: float, x2: float, y2: float, class_: str) -> Html:
    """A straight line in the style of a class."""
    return tag("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=class_)


def box(
    x: float, y: float, width: float, height: float, class_: str, *children: Child,
    fill: str | None = None,
) -> Html:  # fmt: skip
    """A rectangle; never of negative size."""
    return tag(
        "rect", *children, x=x, y=y, width=max(width, 0.0), height=max(height, 0.0),
        class_=class_, fill=fill,
    )  # fmt: skip


def mark(symbol: str, size: float) -> str:
    """The path of a symbol of the palette around 0, about as large as a circle of radius size."""
    r = size
    wide, long = 0.4 * r, 1.25 * r
    sizes = {
        "r": r, "d": 2 * r, "s": 0.9 * r, "t": 1.8 * r, "l": long, "w": wide, "v": 2 * wide,
        "m": long - wide,
    }  # fmt: skip
    return MARKS[symbol].format(**{name: f"{value:.2f}" for name, value in sizes.items()})


def ticks(least: float, most: float, about: int = 5) -> list[float]:
    """Round values from least to most, about as many as asked for."""
    span = most - least
    if not span > 0:
        return [least]
    step = 10 ** math.floor(math.log10(span / about))
    step = next(s for s in (step, 2 * step, 5 * step, 10 * step) if span / s <= about + 0.5)
    first = math.ceil(least / step - 1e-9)
    return [n * step for n in range(first, math.floor(most / step + 1e-9) + 1)]


def x_axis(x: Scale, y: float, top: float, values: Sequence[float], label: str) -> list[Html]:
    """Grid lines from ``top`` down to the axis at ``y``, with their values and what they are."""
    found = [line(x(value), top, x(value), y, "grid") for value in values]
    found += [text(x(value), y + 14, f"{value:g}", anchor="middle", class_="tick")
              for value in values]  # fmt: skip
    return [*found, text((x.start + x.end) / 2, y + 31, label, anchor="middle", class_="label")]
