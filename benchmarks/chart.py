"""A small chart, written as SVG by hand: lines, dashed lines, clouds of dots; plain axes or both
logarithmic."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape

Points = Sequence[tuple[float, float]]

WIDTH, HEIGHT = 720, 400
LEFT, RIGHT, TOP, BOTTOM = 60, 180, 52, 48
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#a3508a")
"""After Okabe and Ito: told apart by people who do not see red and green alike."""
_INK, _GRID, _GREY = "#444444", "#e3e3e3", "#767676"


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


def seconds_text(seconds: float) -> str:
    """0.4 as "400 ms", 0.0004 as "400 µs"."""
    units = ((1.0, "s"), (1e3, "ms"), (1e6, "µs"))
    factor, unit = next((pair for pair in units if seconds * pair[0] >= 1), units[-1])
    value = seconds * factor
    return f"{value:.1f} {unit}" if value < 10 else f"{value:.0f} {unit}"


def line_chart(
    title: str, x_label: str, series: Sequence[Series], ticks: Sequence[tuple[float, str]], *,
    y_label: str = "%",
) -> str:  # fmt: skip
    """A chart whose y axis starts at 0.

    Args:
        ticks: places on the x axis and what is written there.
    """
    top, step = _rounded(max(y for one in series for _, y in one.points))
    heights = [(n * step, f"{n * step:g}") for n in range(round(top / step) + 1)]
    return _drawn((title, x_label, y_label), series, ticks, heights, float)


def log_chart(title: str, lines: Mapping[str, Points], sizes: Sequence[int]) -> str:
    """Seconds against words, one line per name, beside the slopes of n, n² and n³.

    These start where the first line starts.
    """
    values = [value for points in lines.values() for _, value in points]
    powers = range(math.floor(math.log10(min(values))), math.ceil(math.log10(max(values))) + 1)
    heights = [(10.0**n, seconds_text(10.0**n).replace(".0", "")) for n in powers]
    first, seconds = next(iter(lines.values()))[0]
    series = [Series(*one, colour) for one, colour in zip(lines.items(), COLOURS, strict=False)]
    for power, name in ((1, "n"), (2, "n²"), (3, "n³")):
        end = min(float(sizes[-1]), first * (heights[-1][0] / seconds) ** (1 / power))
        slope = [(first, seconds), (end, seconds * (end / first) ** power)]
        series.append(Series(name, slope, _GREY, "dashed"))
    ticks = [(float(n), f"{n:,}") for n in sizes]
    return _drawn((title, "words per page", ""), series, ticks, heights, math.log10)


def _drawn(
    texts: tuple[str, str, str], series: Sequence[Series], ticks: Sequence[tuple[float, str]],
    heights: Sequence[tuple[float, str]], scale: Callable[[float], float],
) -> str:  # fmt: skip
    title, x_label, y_label = map(escape, texts)
    xs = [scale(x) for one in series for x, _ in one.points] + [scale(x) for x, _ in ticks]
    least, most = min(xs), max(xs)
    bottom, top = scale(heights[0][0]), scale(heights[-1][0])

    def x_at(x: float) -> float:
        return LEFT + (scale(x) - least) / (most - least or 1) * (WIDTH - LEFT - RIGHT)

    def y_at(y: float) -> float:
        return HEIGHT - BOTTOM - (scale(y) - bottom) / (top - bottom) * (HEIGHT - TOP - BOTTOM)

    middle = f'text-anchor="middle" fill="{_INK}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-label="{title}" font-family="system-ui, sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
        f'<text x="{LEFT}" y="22" font-size="14" fill="#1a1a1a">{title}</text>',
        *(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y_at(y):.1f}" y2="{y_at(y):.1f}" '
          f'stroke="{_GRID}"/><text x="{LEFT - 6}" y="{y_at(y) + 4:.1f}" text-anchor="end" '
          f'fill="{_INK}">{text}</text>' for y, text in heights),
        *(f'<text x="{x_at(x):.1f}" y="{HEIGHT - BOTTOM + 16}" {middle}>{escape(text)}</text>'
          for x, text in ticks),
        f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 10}" {middle}>{x_label}</text>'
        f'<text x="8" y="{TOP - 14}" fill="{_INK}">{y_label}</text>',
    ]  # fmt: skip
    for number, one in enumerate(series):
        left, height = WIDTH - RIGHT + 14, TOP + 10 + 18 * number
        parts += _marks(one, [(x_at(x), y_at(y)) for x, y in one.points])
        parts += _marks(one, [(left, height), (left + 18, height)])
        parts.append(f'<text x="{left + 26}" y="{height + 4}" fill="#1a1a1a">'
                     f"{escape(one.name)}</text>")  # fmt: skip
    return "\n".join([*parts, "</svg>", ""])


def _marks(one: Series, places: Points) -> list[str]:
    parts = []
    if one.style != "dots":
        dashes = ' stroke-dasharray="6 4"' if one.style == "dashed" else ""
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{one.colour}" '
                     f'stroke-width="2"{dashes}/>')  # fmt: skip
    if one.style != "dashed":
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{one.colour}"/>'
                  for x, y in places]  # fmt: skip
    return parts


def _rounded(most: float) -> tuple[float, float]:
    """A round number at or above the largest value, and the step of its grid."""
    if most <= 0:
        return 1.0, 0.5
    step = 10 ** math.floor(math.log10(most))
    step = next(s for s in (step / 5, step / 2, step, step * 2) if most / s <= 6)
    return step * math.ceil(most / step), step
