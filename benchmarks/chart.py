"""A line chart on two logarithmic axes, written as SVG by hand."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape

Points = Sequence[tuple[float, float]]

WIDTH, HEIGHT = 860, 520
LEFT, RIGHT, TOP, BOTTOM = 70, 190, 56, 56
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#a3508a")
"""After Okabe and Ito: told apart by people who do not see red and green alike."""
_GREY = "#767676"


def seconds_text(seconds: float) -> str:
    """0.4 as "400 ms", 0.0004 as "400 µs"."""
    units = ((1.0, "s"), (1e3, "ms"), (1e6, "µs"))
    factor, unit = next((pair for pair in units if seconds * pair[0] >= 1), units[-1])
    value = seconds * factor
    return f"{value:.1f} {unit}" if value < 10 else f"{value:.0f} {unit}"


class _Scale:
    """Where on the sheet a value stands."""

    def __init__(self, least: float, most: float, start: float, end: float) -> None:
        self._least, self._most = math.log10(least), math.log10(most)
        self._start, self._end = start, end

    def __call__(self, value: float) -> float:
        share = (math.log10(value) - self._least) / (self._most - self._least)
        return self._start + share * (self._end - self._start)


def log_chart(
    title: str, description: str, lines: Mapping[str, Points], sizes: Sequence[int]
) -> str:
    """Seconds against words, one line per name, beside the slopes of n, n² and n³.

    The guides start where the first line starts.
    """
    values = [value for points in lines.values() for _, value in points]
    least, most = (
        10 ** math.floor(math.log10(min(values))),
        10 ** math.ceil(math.log10(max(values))),
    )
    x = _Scale(sizes[0], sizes[-1], LEFT, WIDTH - RIGHT)
    y = _Scale(least, most, HEIGHT - BOTTOM, TOP)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-labelledby="title desc" font-family="system-ui, sans-serif" font-size="13">',
        f'<title id="title">{escape(title)}</title><desc id="desc">{escape(description)}</desc>',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
        f'<text x="{LEFT}" y="26" font-size="16" fill="#1a1a1a">{escape(title)}</text>',
        *_axes(x, y, sizes, least, most),
        *_guides(x, y, next(iter(lines.values()))[0], sizes[-1], most),
    ]
    for colour, points in zip(COLOURS, lines.values(), strict=False):
        path = " ".join(f"{x(n):.1f},{y(value):.1f}" for n, value in points)
        parts.append(
            f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2.5"/>'
        )
        parts += [
            f'<circle cx="{x(n):.1f}" cy="{y(value):.1f}" r="3.5" fill="{colour}"/>'
            for n, value in points
        ]
    ends = [(y(points[-1][1]), x(points[-1][0])) for points in lines.values()]
    parts += _names(list(lines), ends)
    return "\n".join([*parts, "</svg>", ""])


def _names(names: Sequence[str], ends: Sequence[tuple[float, float]]) -> list[str]:
    """The name of each line beside the sheet, none upon another, with a thin line to its end."""
    parts = []
    lowest = 0.0
    for (height, end), name, colour in sorted(zip(ends, names, COLOURS, strict=False)):
        lowest = max(height, lowest + 20)
        left = WIDTH - RIGHT + 16
        parts.append(
            f'<line x1="{end + 5:.1f}" y1="{height:.1f}" x2="{left - 4}" y2="{lowest:.1f}" '
            f'stroke="{colour}" stroke-width="0.8"/>'
        )
        parts.append(
            f'<text x="{left}" y="{lowest + 4:.1f}" fill="{colour}" font-weight="600">'
            f"{escape(name)}</text>"
        )
    return parts


def _axes(x: _Scale, y: _Scale, sizes: Sequence[int], least: float, most: float) -> list[str]:
    parts = []
    for exponent in range(round(math.log10(least)), round(math.log10(most)) + 1):
        height = y(10**exponent)
        parts.append(
            f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{height:.1f}" y2="{height:.1f}" '
            'stroke="#e3e3e3"/>'
        )
        parts.append(
            f'<text x="{LEFT - 8}" y="{height + 4:.1f}" text-anchor="end" fill="#444">'
            f"{seconds_text(10.0**exponent).replace('.0', '')}</text>"
        )
    for n in sizes:
        parts.append(
            f'<text x="{x(n):.1f}" y="{HEIGHT - BOTTOM + 20}" text-anchor="middle" fill="#444">'
            f"{n:,}</text>"
        )
    middle = (LEFT + WIDTH - RIGHT) / 2
    parts.append(
        f'<text x="{middle}" y="{HEIGHT - 12}" text-anchor="middle" fill="#444">'
        "words per page</text>"
    )
    return parts


def _guides(
    x: _Scale, y: _Scale, start: tuple[float, float], last: float, most: float
) -> list[str]:
    parts = []
    first, seconds = start
    for power, name in ((1, "n"), (2, "n²"), (3, "n³")):
        end = min(last, first * (most / seconds) ** (1 / power))
        x_end, y_end = x(end), y(seconds * (end / first) ** power)
        parts.append(
            f'<line x1="{x(first):.1f}" y1="{y(seconds):.1f}" x2="{x_end:.1f}" y2="{y_end:.1f}" '
            f'stroke="{_GREY}" stroke-dasharray="5 5"/>'
        )
        parts.append(
            f'<text x="{x_end:.1f}" y="{y_end - 6:.1f}" fill="{_GREY}" '
            f'text-anchor="middle">{name}</text>'
        )
    return parts
