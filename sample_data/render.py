"""Draws a placed page as a small picture of a manuscript.

Unit: image pixels unless said otherwise; the image is half the size of the page coordinates.
The strokes are drawn as dots on a finer grid and averaged down, without any drawing library, so
that the same page gives the same pixels everywhere. Pillow only writes the file.
"""

from __future__ import annotations

import io
import math
import random

import numpy as np
from hand import Stroke, strokes_of
from layout import LEAF_WIDTH, PlacedLine, PlacedPage
from PIL import Image

SCALE = 0.5
FINE = 3
# Shares of ink, 0 to 1, of the palette: fine steps for the paper, coarser ones for the writing.
SHADES = np.array([n * 0.028 for n in range(7)] + [0.168 + n * 0.1386 for n in range(1, 7)])
PAPER = (246, 236, 212)
INK = (52, 34, 22)
HAIRLINE = 0.42
SWELL = 0.50

Grid = np.ndarray


def page_png(page: PlacedPage) -> bytes:
    """Return the page's image as a PNG file with a palette of few shades."""
    rng = random.Random(f"{page.source.name}:image")
    width, height = round(page.width * SCALE), round(page.height * SCALE)
    ink = draw_ink(page, width, height, rng)
    paper = draw_paper(page, width, height, rng)
    share = paper + ink * (1 - paper)
    nearest = np.searchsorted((SHADES[1:] + SHADES[:-1]) / 2, share)
    image = Image.fromarray(nearest.astype(np.uint8))
    image.putpalette([channel for shade in SHADES.tolist() for channel in mixed(shade)])
    out = io.BytesIO()
    image.save(out, "PNG", bits=4, compress_level=9)
    return out.getvalue()


def mixed(share: float) -> tuple[int, ...]:
    """Return one palette colour between paper (0) and ink (1)."""
    return tuple(round(a + (b - a) * share) for a, b in zip(PAPER, INK, strict=True))


def draw_ink(page: PlacedPage, width: int, height: int, rng: random.Random) -> Grid:
    """Return how much ink covers each pixel, 0 to 1."""
    fine = np.zeros((height * FINE, width * FINE), dtype=np.float32)
    for region in page.regions:
        for line in region.lines:
            stamp(fine, *pen_path(line, rng))
    return fine.reshape(height, FINE, width, FINE).mean(axis=(1, 3))


def pen_path(line: PlacedLine, rng: random.Random) -> tuple[Grid, Grid, Grid, Grid]:
    """Return x, y, pen radius and darkness along a line, in fine pixels.

    The pen swells on the way down and runs dry until the clerk dips it again.
    """
    unit = line.x_height / 10 * SCALE * FINE
    slope = line.rise / line.width
    drift, sway = rng.uniform(0, 6.28), rng.uniform(0.2, 0.7)
    filled = rng.uniform(0.80, 1.0)
    xs, ys, radii, shades = [], [], [], []
    for stroke in strokes_of(line.text):
        filled = filled - 0.0006 * len(stroke) if filled > 0.72 else rng.uniform(0.94, 1.0)
        shaken = [(x + rng.gauss(0, 0.28), y + rng.gauss(0, 0.33)) for x, y in stroke]
        for (x, y), (dx, dy) in smooth(shaken):
            wave = sway * math.sin(drift + x / 90)
            xs.append(line.x * SCALE * FINE + x * unit)
            ys.append((line.y * FINE * SCALE) + slope * x * unit - (y + wave) * unit)
            down = max(0.0, -dy / (math.hypot(dx, dy) + 1e-9))
            radii.append((HAIRLINE + SWELL * down) * FINE * min(1.35, line.x_height / 11))
            shades.append(filled)
    return np.array(xs), np.array(ys), np.array(radii), np.array(shades)


def smooth(stroke: Stroke) -> list[tuple[tuple[float, float], tuple[float, float]]]:
    """Return points and directions along a Catmull-Rom curve through the stroke's points."""
    ends = [stroke[0], *stroke, stroke[-1]]
    path = []
    for p0, p1, p2, p3 in zip(ends, ends[1:], ends[2:], ends[3:], strict=False):
        steps = max(3, round(math.dist(p1, p2) * 2.2))
        for step in range(steps):
            t = step / steps
            path.append((curve(p0, p1, p2, p3, t), (p2[0] - p1[0], p2[1] - p1[1])))
    return path


def curve(
    p0: tuple[float, float], p1: tuple[float, float], p2: tuple[float, float],
    p3: tuple[float, float], t: float,
) -> tuple[float, float]:  # fmt: skip
    """Return the Catmull-Rom point between p1 (t = 0) and p2 (t = 1)."""
    x, y = (
        b
        + t * (c - a) / 2
        + t * t * (a - 2.5 * b + 2 * c - d / 2)
        + t * t * t * (1.5 * (b - c) + (d - a) / 2)
        for a, b, c, d in zip(p0, p1, p2, p3, strict=True)
    )
    return x, y


def stamp(fine: Grid, xs: Grid, ys: Grid, radii: Grid, shades: Grid) -> None:
    """Press a round nib onto the fine grid at every point; overlapping ink does not add up."""
    height, width = fine.shape
    reach = math.ceil(float(radii.max()))
    columns, rows = np.rint(xs).astype(int), np.rint(ys).astype(int)
    for dy in range(-reach, reach + 1):
        for dx in range(-reach, reach + 1):
            y, x = rows + dy, columns + dx
            hit = np.hypot(x - xs, y - ys) <= radii
            hit &= (y >= 0) & (y < height) & (x >= 0) & (x < width)
            np.maximum.at(fine, (y[hit], x[hit]), shades[hit])


def draw_paper(page: PlacedPage, width: int, height: int, rng: random.Random) -> Grid:
    """Return the shade of the bare sheet, 0 (clean paper) to 1 (ink)."""
    paper = 0.01 + 0.032 * clouds(width, height, rng)
    down = np.abs(np.linspace(-1, 1, height))[:, None]
    leaf = np.linspace(0, page.source.leaves, width) % 1.0
    across = np.abs(leaf * 2 - 1)[None, :]
    paper = paper + 0.07 * down**7 + 0.07 * across**7
    if page.source.leaves == 2:
        paper = paper + 0.2 * np.exp(-np.abs(np.arange(width) - width / 2) / 9)[None, :]
    for region in page.regions:
        if region.place in ("body", "left", "right"):
            for line in region.lines:
                rule(paper, page, line, region.leaf)
    return paper


def rule(paper: Grid, page: PlacedPage, line: PlacedLine, leaf: int) -> None:
    """Draw the faint pencil rule below a line."""
    y = round((line.y + line.rise / 2) * SCALE) + 1
    left = min(r.lines[0].x for r in page.regions if r.leaf == leaf and r.place in ("body", "left"))
    start, end = round((left - 20) * SCALE), round((leaf * LEAF_WIDTH + 955) * SCALE)
    paper[y, start:end] = np.minimum(paper[y, start:end] + 0.045, 0.168)


def clouds(width: int, height: int, rng: random.Random) -> Grid:
    """Return soft stains between 0 and 1."""
    rows, columns = 9, 7 * width // 500
    knots = np.array([[rng.random() for _ in range(columns)] for _ in range(rows)])
    return spread(spread(knots, height).T, width).T


def spread(knots: Grid, length: int) -> Grid:
    """Stretch the first axis to a length, softly from knot to knot."""
    place = np.linspace(0, len(knots) - 1.001, length)
    before = place.astype(int)
    share = (place - before)[:, None]
    share = share * share * (3 - 2 * share)
    return knots[before] * (1 - share) + knots[before + 1] * share
