"""A small chart on plain axes, written as SVG by hand: lines, dashed lines, clouds of dots."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from benchmarks.chart import Points

WIDTH, HEIGHT = 640, 360
LEFT, RIGHT, TOP, BOTTOM = 56, 168, 52, 48
_INK, _GRID = "#444444", "#e3e3e3"


@dataclass(frozen=True)
class Series:
    """What is drawn under one name.

    Args:
        style: "line" with dots, "dashed" without, or "dots" alone.
    """

    name: str
    points: Points
    colour: str
    style: str = "line"


def line_chart(
    title: str,
    x_label: str,
    series: Sequence[Series],
    ticks: Sequence[tuple[float, str]],
    *,
    y_label: str = "%",
) -> str:
    """A chart whose y axis starts at 0.

    Args:
        ticks: places on the x axis and what is written there.
    """
    xs = [x for one in series for x, _ in one.points] + [x for x, _ in ticks]
    top, step = _rounded(max(y for one in series for _, y in one.points))
    least, most = min(xs), max(xs)

    def x_at(x: float) -> float:
        return LEFT + (x - least) / (most - least or 1) * (WIDTH - LEFT - RIGHT)

    def y_at(y: float) -> float:
        return HEIGHT - BOTTOM - y / top * (HEIGHT - TOP - BOTTOM)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-label="{escape(title)}" font-family="system-ui, sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
        f'<text x="{LEFT}" y="22" font-size="14" fill="#1a1a1a">{escape(title)}</text>',
    ]
    for n in range(round(top / step) + 1):
        y = y_at(n * step)
        parts.append(
            f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}" stroke="{_GRID}"/>'
            f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end" fill="{_INK}">'
            f"{n * step:g}</text>"
        )
    parts += [
        f'<text x="{x_at(x):.1f}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle" '
        f'fill="{_INK}">{escape(text)}</text>'
        for x, text in ticks
    ]
    middle = (LEFT + WIDTH - RIGHT) / 2
    parts.append(
        f'<text x="{middle}" y="{HEIGHT - 10}" text-anchor="middle" fill="{_INK}">'
        f"{escape(x_label)}</text>"
        f'<text x="8" y="{TOP - 14}" fill="{_INK}">{escape(y_label)}'
        "</text>"
    )
    for number, one in enumerate(series):
        places = [(x_at(x), y_at(y)) for x, y in one.points]
        parts += _drawn(one, places)
        parts += _key(one, TOP + 10 + 18 * number)
    return "\n".join([*parts, "</svg>", ""])


def _drawn(one: Series, places: Points) -> list[str]:
    parts = []
    if one.style != "dots":
        look = 'stroke-width="1.5" stroke-dasharray="6 4"'
        if one.style == "line":
            look = 'stroke-width="2"'
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{one.colour}" {look}/>')
    if one.style != "dashed":
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{one.colour}"/>'
                  for x, y in places]  # fmt: skip
    return parts


def _key(one: Series, y: float) -> list[str]:
    left = WIDTH - RIGHT + 14
    return [
        *_drawn(one, [(left, y), (left + 18, y)]),
        f'<text x="{left + 26}" y="{y + 4}" fill="#1a1a1a">{escape(one.name)}</text>',
    ]


def _rounded(most: float) -> tuple[float, float]:
    """A round number at or above the largest value, and the step of its grid."""
    if most <= 0:
        return 1.0, 0.5
    step = 10 ** math.floor(math.log10(most))
    step = next(s for s in (step / 5, step / 2, step, step * 2) if most / s <= 6)
    return step * math.ceil(most / step), step
