"""The faults of the made systems: misread words and misread layout.

All functions are pure but for the random generator that they are given.
"""

from __future__ import annotations

import random
from collections.abc import Iterable

from layout import PlacedLine, PlacedPage, PlacedRegion

# What a reader of an 18th century hand takes for what. Keys of two letters are strokes that run
# together.
LOOKALIKES = {
    "rn": ("m",),
    "cl": ("d",),
    "in": ("m",),
    "ll": ("tt",),
    "ss": ("fs",),
    "a": ("o", "u"),
    "b": ("h", "l"),
    "c": ("e",),
    "d": ("cl",),
    "e": ("c", "o"),
    "f": ("s", "t"),
    "g": ("y", "q"),
    "h": ("b", "k"),
    "i": ("e", "r"),
    "k": ("h",),
    "l": ("t", "b"),
    "m": ("rn", "w"),
    "n": ("u", "r"),
    "o": ("a", "e"),
    "p": ("f",),
    "r": ("v", "n"),
    "s": ("f", "r"),
    "t": ("l", "f"),
    "u": ("n", "ii"),
    "v": ("r", "o"),
    "w": ("iv", "m"),
    "x": ("r",),
    "y": ("g", "j"),
    "B": ("R",),
    "C": ("G", "E"),
    "E": ("C",),
    "F": ("T",),
    "G": ("C",),
    "H": ("K", "A"),
    "I": ("J",),
    "J": ("I",),
    "K": ("H",),
    "L": ("S",),
    "M": ("W",),
    "N": ("W",),
    "P": ("R", "D"),
    "R": ("P", "K"),
    "S": ("L",),
    "T": ("F",),
    "V": ("U",),
    "W": ("M",),
    "0": ("6",),
    "1": ("7",),
    "2": ("7", "z"),
    "3": ("5", "8"),
    "4": ("9",),
    "5": ("3",),
    "6": ("0",),
    "7": ("1",),
    "8": ("3",),
    "9": ("4",),
    "½": ("1",),
    "£": ("L",),
    "&": ("et",),
}
JOINED_OR_SPLIT = 0.06
SECOND_SLIP = 0.25


def misread(lines: list[str], rate: float, rng: random.Random) -> list[str]:
    """Misread about `rate` (0 to 1) of the words of a page."""
    words = [line.split() for line in lines]
    places = [(row, column) for row, line in enumerate(words) for column in range(len(line))]
    for row, column in sorted(rng.sample(places, round(rate * len(places))), reverse=True):
        line = words[row]
        if rng.random() < JOINED_OR_SPLIT:
            line[column : column + 2] = respaced(line[column : column + 2], rng)
        else:
            line[column] = misread_word(line[column], rng)
    return [" ".join(line) for line in words]


def respaced(pair: list[str], rng: random.Random) -> list[str]:
    """Split the first of two words, or join it to the second when it is short or by chance."""
    first = pair[0]
    if len(first) >= 6 and rng.random() < 0.5:
        cut = rng.randrange(2, len(first) - 2)
        return [first[:cut], first[cut:], *pair[1:]]
    return ["".join(pair)]


def misread_word(word: str, rng: random.Random) -> str:
    """Put one lookalike, sometimes two, into a word; a word without any loses its last mark."""
    changed = slip(word, rng)
    if len(word) > 4 and rng.random() < SECOND_SLIP:
        changed = slip(changed, rng)
    return changed if changed != word else word[:-1] or "-"


def slip(word: str, rng: random.Random) -> str:
    """Replace one stroke group of a word by a lookalike, where it has one."""
    spots = [
        (start, group)
        for start in range(len(word))
        for group in (word[start : start + 2], word[start])
        if group in LOOKALIKES
    ]
    if not spots:
        return word
    start, group = rng.choice(spots)
    return word[:start] + rng.choice(LOOKALIKES[group]) + word[start + len(group) :]


def reading_lines(regions: Iterable[PlacedRegion]) -> list[str]:
    """Return the lines of the regions one after the other."""
    return [line.text for region in regions for line in region.lines]


def read_across(page: PlacedPage) -> list[str]:
    """Read every row of the page from its left edge to its right edge.

    A marginal note falls into the lines beside it, two columns become one, and so do two leaves.
    """
    main = [line for line, is_main in lines_with_role(page) if is_main]
    rows: list[list[PlacedLine]] = [[line] for line in main]
    for line, is_main in lines_with_role(page):
        if is_main:
            continue
        nearest = min(range(len(main)), key=lambda row: abs(main[row].y - line.y))
        if abs(main[nearest].y - line.y) <= 0.7 * page.pitch:
            rows[nearest].append(line)
        else:
            rows.append([line])
    rows.sort(key=lambda row: row[0].y)
    # A narrow note may bring two lines to one row: the upper one comes first.
    return [
        " ".join(line.text for line in sorted(row, key=lambda line: (round(line.x / 60), line.y)))
        for row in rows
    ]


def lines_with_role(page: PlacedPage) -> list[tuple[PlacedLine, bool]]:
    """Return all lines, each with whether it opens a row of its own when read across."""
    return [
        (line, region.leaf == 0 and region.place not in ("margin", "right"))
        for region in page.regions
        for line in region.lines
    ]


def is_plain(page: PlacedPage) -> bool:
    """Say whether the page has one column and no marginal note."""
    return page.source.leaves == 1 and not any(
        region.place in ("margin", "left", "right") for region in page.regions
    )


def shuffle_a_little(lines: list[str], rng: random.Random) -> list[str]:
    """Swap two neighbouring lines, or break a line in two, or do neither."""
    row = rng.randrange(2, len(lines) - 2)
    fault = rng.choice(("swap", "split", "none"))
    if fault == "swap":
        return [*lines[:row], lines[row + 1], lines[row], *lines[row + 2 :]]
    words = lines[row].split()
    if fault == "split" and len(words) > 3:
        cut = len(words) // 2
        return [*lines[:row], " ".join(words[:cut]), " ".join(words[cut:]), *lines[row + 1 :]]
    return lines


def without_margins(page: PlacedPage, rng: random.Random) -> list[PlacedRegion]:
    """Leave out all marginal notes and, now and then, a number, a signature or a heading."""
    missed = {"marginalia": 1.0, "page-number": 0.3, "signature-mark": 0.2, "heading": 0.08}
    return [region for region in page.regions if rng.random() >= missed.get(region.kind, 0.0)]
