"""Pictures of a whole corpus: what kind of bad, and which system."""

import math
from collections.abc import Mapping

from htreval_core.compare import Comparison, PairedDifference
from htreval_core.markup import Html, shorten, tag
from htreval_core.scoring.pool import Corpus
from htreval_core.show.html.draw import Scale, box, line, mark, sheet, text, ticks, x_axis
from htreval_core.show.palette import PARTS, SYSTEM_COLOURS, system_style
from htreval_core.show.pictures.corpus import EDIT_PARTS, Bar, picture_systems
from htreval_core.show.telling.counting import percent
from htreval_core.show.telling.verdicts import rounded_parts


def hatch() -> Html:
    """The pattern of order on top of its colour, so that it is known without colour too."""
    lines = tag("path", d="M0 6L6 0M-1 1L1 -1M5 7L7 5", class_="hatch")
    size = {"width": 6, "height": 6}
    return tag("defs", tag("pattern", lines, id="hatch", **size, patternUnits="userSpaceOnUse"))


def draw_systems(corpora: Mapping[str, Corpus]) -> Html:
    """A bar for each system: WER by what its errors come from, its interval as a whisker."""
    row, left, width = 44, 12, 520
    height = row * len(corpora) + 48
    bars = picture_systems(corpora)
    ends = [100 * end for bar in bars for end in (bar.end, *(bar.interval or ()))]
    reach = max([1.0, *(end for end in ends if not math.isnan(end))])
    x = Scale(0, reach * 1.04, left, width - 16)
    parts = x_axis(x, height - 38, 4, ticks(0, reach), "errors for every 100 reference words")
    for number, bar in enumerate(bars):
        parts += _bar(bar, x, number * row + 16)
    return sheet(width, height, "WER of each system by what its errors come from", *parts)


def _bar(bar: Bar, x: Scale, top: float) -> list[Html]:
    parts = [text(x.start, top - 2, shorten(bar.system, 48), class_="name")]
    if any(map(math.isnan, bar.parts.values())):
        return [*parts, text(x.start + 2, top + 15, "no reference words", class_="tick")]
    shown = dict(zip(bar.parts, rounded_parts(list(bar.parts.values()), 1), strict=True))
    said = " + ".join(f"{share} {part_name(name)}" for name, share in shown.items())
    title = tag("title", f"{shorten(bar.system)}: WER {percent(bar.end)} % = {said}")
    start = 0.0
    for name, share in bar.parts.items():
        left, right = x(100 * start), x(100 * (start + share))
        start += share
        if right <= left:
            continue
        parts.append(box(left, top + 4, right - left, 18, part_class(name), title))
        if name not in EDIT_PARTS:
            parts.append(box(left, top + 4, right - left, 18, "over", fill="url(#hatch)"))
        if right - left > 28:
            parts.append(
                text((left + right) / 2, top + 17, shown[name], anchor="middle", class_="inside")
            )
    if bar.interval:
        a, b, y = x(100 * bar.interval[0]), x(100 * bar.interval[1]), top + 13
        parts.append(tag("path", d=f"M{a:.1f} {y - 5}v10m0 -5H{b:.1f}m0 -5v10", class_="whisker"))
    return parts


def part_name(part: str) -> str:
    """A part of WER as people read it."""
    return part if part in EDIT_PARTS else PARTS[part].name


def part_class(part: str) -> str:
    """The class that gives a part of WER its colour: what words are, and the rest its own."""
    return f"k{int(EDIT_PARTS[part])}" if part in EDIT_PARTS else part


def system_mark(number: int) -> Html:
    """The mark of a system as a sign in text."""
    symbol = system_style(number).symbol
    return tag(
        "svg",
        tag("path", d=mark(symbol, 5), class_=f"dot s{number % len(SYSTEM_COLOURS)}"),
        viewBox="-7 -7 14 14", class_="sign", aria_hidden="true",
    )  # fmt: skip


def draw_share(parts: Mapping[str, float], most: float) -> Html:
    """A small bar of a row: errors by what they come from, of the most that there are."""
    x = Scale(0, most or 1, 0, 120)
    start, boxes = 0.0, []
    for name, share in parts.items():
        left, right = x(start), x(start + share)
        start += share
        boxes.append(box(left, 0, right - left, 10, part_class(name)))
        if name not in EDIT_PARTS:
            boxes.append(box(left, 0, right - left, 10, "over", fill="url(#hatch)"))
    return tag("svg", *boxes, viewBox="0 0 120 10", class_="share", aria_hidden="true")


def draw_cost(errors: int, most: int) -> Html:
    """A small bar of a row: errors, of the most that there are."""
    x = Scale(0, most or 1, 0, 120)
    return tag(
        "svg",
        box(0, 0, x(errors), 10, "order"),
        box(0, 0, x(errors), 10, "over", fill="url(#hatch)"),
        viewBox="0 0 120 10", class_="share", aria_hidden="true",
    )  # fmt: skip


FOREST = (300, 26)
"""Width and height of a row of the forest plot."""


_LEAST_REACH = 0.005
"""Half a point: what is smaller looks as small as it is."""


def forest_scale(comparison: Comparison) -> Scale:
    """One scale for all rows of a forest plot, 0 in its middle, in points."""
    found = comparison.metrics.values()
    ends = [abs(end) for one in found for end in (one.difference, one.low, one.high)]
    reach = 106 * max([_LEAST_REACH, *(end for end in ends if not math.isnan(end))])
    return Scale(-reach, reach, 8, FOREST[0] - 8)


def draw_difference(one: PairedDifference, x: Scale, systems: tuple[int, int]) -> Html:
    """A row of the forest plot: the difference with its interval; filled where it is shown."""
    width, height = FOREST
    middle = height / 2
    parts = [line(x(0), 0, x(0), height, "zero")]
    if not math.isnan(one.difference):
        better = systems[bool(one.b_is_better)] % len(SYSTEM_COLOURS)
        side = f" s{better}" if one.significant else " chance"
        if not math.isnan(one.low):
            low, high = x(100 * one.low), x(100 * one.high)
            parts.append(line(low, middle, high, middle, "interval" + side))
        parts.append(
            tag(
                "path", d=mark("square", 5),
                class_="difference" + side + ("" if one.shown else " hollow"),
                transform=f"translate({x(100 * one.difference):.1f} {middle:g})",
            )
        )  # fmt: skip
    return tag("svg", *parts, viewBox=f"0 0 {width} {height}", class_="forest", aria_hidden="true")


def draw_forest_axis(x: Scale) -> Html:
    """The axis over the rows of a forest plot, in points."""
    width, _ = FOREST
    parts = [text(x(value), 11, f"{value:+g}" if value else "0", anchor="middle", class_="tick")
             for value in ticks(x.least, x.most, 6)]  # fmt: skip
    return tag("svg", *parts, viewBox=f"0 0 {width} 14", class_="forest", aria_hidden="true")
