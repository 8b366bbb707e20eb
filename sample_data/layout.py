"""Places the clerk's regions and lines on a page and decides their reading order.

Unit: page pixels, origin at the top left, y grows downwards. A leaf is 1000 x 1400.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from hand import SLANT, text_width
from manuscript import SourcePage, SourceRegion

LEAF_WIDTH = 1000
PAGE_HEIGHT = 1400
TOP = 120
BOTTOM = 1335
MARGIN_LEFT = 42
MARGIN_WIDTH = 190
LARGEST_PITCH = 48.0
MARGIN_SCALE = 0.82
X_HEIGHT_OF_PITCH = 0.28
ASCENT = 2.05
DESCENT = 1.1

# Height of one line of each place, in line pitches.
LINE_ROWS = {"top": 1.35, "centre": 1.3, "close": 1.25}
GAP_ROWS = {"top": 0.5, "date": 0.2, "body": 0.4, "centre": 0.3, "close": 0.2, "columns": 0.6}
# Size of the letters of each place, against those of the body.
SCALES = {"top": 1.3, "centre": 1.25, "close": 1.15, "margin": MARGIN_SCALE, "corner": 0.95}

Box = tuple[float, float, float, float]
Polygon = list[tuple[int, int]]


@dataclass(frozen=True)
class PlacedLine:
    """One written line: where its baseline runs, and how high a small letter is."""

    text: str
    x: float
    y: float
    rise: float
    x_height: float

    @property
    def width(self) -> float:
        """Length of the line along x, with room for the last letter's lean."""
        return (text_width(self.text) / 10 + SLANT * 2) * self.x_height

    def baseline(self) -> Polygon:
        """The baseline's two ends."""
        return [
            (round(self.x), round(self.y)),
            (round(self.x + self.width), round(self.y + self.rise)),
        ]

    def polygon(self) -> Polygon:
        """The four corners around ascenders and descenders, clockwise from the top left."""
        (left, start), (right, end) = self.baseline()
        left, right = left - round(self.x_height / 2), right + round(self.x_height / 4)
        up, down = round(ASCENT * self.x_height), round(DESCENT * self.x_height)
        return [(left, start - up), (right, end - up), (right, end + down), (left, start + down)]


@dataclass(frozen=True)
class PlacedRegion:
    """One region with its lines from top to bottom."""

    identifier: str
    kind: str
    place: str
    leaf: int
    lines: tuple[PlacedLine, ...]

    def polygon(self) -> Polygon:
        """The rectangle around the region's lines."""
        points = [point for line in self.lines for point in line.polygon()]
        xs, ys = [x for x, _ in points], [y for _, y in points]
        left, top, right, bottom = min(xs) - 4, min(ys) - 2, max(xs) + 4, max(ys) + 2
        return [(left, top), (right, top), (right, bottom), (left, bottom)]


@dataclass(frozen=True)
class PlacedPage:
    """A whole page. The regions stand in reading order."""

    source: SourcePage
    width: int
    height: int
    pitch: float
    regions: tuple[PlacedRegion, ...]

    def in_document_order(self) -> list[PlacedRegion]:
        """The regions in the order of the file, which on some pages is not the reading order."""
        order = self.source.document_order
        if order == "reversed":
            return list(reversed(self.regions))
        if order == "margins-first":
            return sorted(self.regions, key=lambda region: region.place != "margin")
        if order == "right-leaf-first":
            return sorted(self.regions, key=lambda region: -region.leaf)
        return list(self.regions)


def place_page(source: SourcePage) -> PlacedPage:
    """Lay out a page and put its regions into reading order.

    The reading order is that of an edition: each leaf from top to bottom, the left column before
    the right one, and the marginal notes of a leaf after everything else on that leaf.
    """
    leaves = [
        [region for region in source.regions if region.leaf == leaf]
        for leaf in range(source.leaves)
    ]
    pitch = min(LARGEST_PITCH, *((BOTTOM - TOP) / rows_of(regions) for regions in leaves))
    rng = random.Random(f"{source.name}:layout")
    placed = [
        region
        for leaf, regions in enumerate(leaves)
        for region in place_leaf(regions, leaf, pitch, rng, outer_left=source.leaves > leaf + 1)
    ]
    ordered = sorted(placed, key=lambda region: (region.leaf, region.place == "margin"))
    named = tuple(
        PlacedRegion(f"r{number}", region.kind, region.place, region.leaf, region.lines)
        for number, region in enumerate(ordered, start=1)
    )
    return PlacedPage(source, LEAF_WIDTH * source.leaves, PAGE_HEIGHT, pitch, named)


def rows_of(regions: list[SourceRegion]) -> float:
    """Return the height of a leaf in line pitches."""
    rows = sum(
        region_rows(region) + GAP_ROWS[region.place]
        for region in regions
        if region.place in GAP_ROWS
    )
    columns = [len(region.lines) for region in regions if region.place in ("left", "right")]
    return rows + (max(columns) + GAP_ROWS["columns"] if columns else 0)


def region_rows(region: SourceRegion) -> float:
    """Return the height of a region's lines in line pitches."""
    return len(region.lines) * LINE_ROWS.get(region.place, 1.0)


def place_leaf(
    regions: list[SourceRegion], leaf: int, pitch: float, rng: random.Random, outer_left: bool
) -> list[PlacedRegion]:
    """Place the regions of one leaf, in the order of the source.

    `outer_left` says that the leaf's outer edge, where its number stands, is the left one.
    """
    offset = LEAF_WIDTH * leaf
    noted = any(region.place == "margin" for region in regions)
    listed = any(region.place in ("left", "right") for region in regions)
    body_left = offset + (MARGIN_LEFT + MARGIN_WIDTH + 28 if noted else 85 if listed else 125)
    body_right = offset + (950 if noted else 925 if listed else 905)
    middle = (body_left + body_right) / 2
    spans = {
        "corner": (offset + 45, offset + 110) if outer_left else (offset + 600, offset + 945),
        "margin": (offset + MARGIN_LEFT, offset + MARGIN_LEFT + MARGIN_WIDTH),
        "left": (body_left, middle - 20),
        "right": (middle + 20, body_right),
    }
    letter = letter_size(regions, spans, (body_left, body_right), pitch)

    placed: list[PlacedRegion] = []
    y = float(TOP)
    anchor = margin_end = columns_top = columns_end = y
    for region in regions:
        place = region.place
        step = pitch * LINE_ROWS.get(place, 1.0)
        left, right = spans.get(place, (body_left, body_right))
        if place == "corner":
            start = 74.0
        elif place == "margin":
            start, step = max(anchor, margin_end), pitch * MARGIN_SCALE
            margin_end = start + len(region.lines) * step + pitch * 0.4
        elif place in ("left", "right"):
            columns_top = y if place == "left" else columns_top
            start = columns_top
            columns_end = max(columns_end, start + len(region.lines) * step)
            y = columns_end + pitch * GAP_ROWS["columns"]
            if place == "left":
                y = columns_top
        else:
            start = anchor = y
            y = start + len(region.lines) * step + pitch * GAP_ROWS[place]
        size = letter * SCALES.get(place, 1.0)
        lines = tuple(
            place_line(text, place, number, (left, start + number * step, right), size, rng)
            for number, text in enumerate(region.lines)
        )
        placed.append(PlacedRegion("", region.kind, place, leaf, lines))
    return placed


def letter_size(
    regions: list[SourceRegion], spans: dict[str, tuple[float, float]], body: tuple[float, float],
    pitch: float,
) -> float:  # fmt: skip
    """Return the x-height of the body at which every line of the leaf fits its span."""
    fitting = [
        (right - left - 30) / (text_width(text) / 10 + 1) / SCALES.get(region.place, 1.0)
        for region in regions
        for left, right in [spans.get(region.place, body)]
        for text in region.lines
        if region.place != "margin"
    ]
    return min(pitch * X_HEIGHT_OF_PITCH, *fitting)


def place_line(
    text: str, place: str, number: int, start: tuple[float, float, float], size: float,
    rng: random.Random,
) -> PlacedLine:  # fmt: skip
    """Place one line between left and right, with a clerk's small unevenness.

    `start` is left, baseline of the row, right. `number` is the line's place in its region.
    """
    left, y, right = start
    if place == "margin":
        size = min(size, (right - left) / (text_width(text) / 10 + 1))
    length = (text_width(text) / 10 + 1) * size
    if place in ("top", "centre"):
        x = (left + right - length) / 2
    elif place in ("date", "close", "corner"):
        x = right - length - rng.uniform(0, 10)
    else:
        x = left + rng.uniform(0, 7) + (26 if place == "body" and number == 0 else 0)
        x = min(x, right - length)
    rise = -length * rng.uniform(-0.002, 0.009)
    return PlacedLine(text, x, y + rng.uniform(-1.5, 1.5) - rise / 2, rise, size)
