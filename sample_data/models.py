"""Ten pages of the letter-book as made language models write them.

One writes Markdown, one the blocks of a layout as JSON, one plain text after a preface. Each
misreads two words of every page that it reads. Besides, each goes wrong on a page or two in the
ways of language models: see `LOOP`, `EMPTY`, `SKIPS`, `MODERNISES` and `REFUSES`.
"""

from __future__ import annotations

import html
import json
import random
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from faults import misread_word
from layout import PlacedPage, PlacedRegion
from manuscript import pages_csv
from pagexml import page_xml

PAGES = ("LB01", "LB04", "LB06", "LB07", "LB08", "LB12", "LB13", "LB19", "LB20", "LB22")
MISREAD_WORDS = 2
"""Words of every page that each model reads otherwise."""
LONG_S = "LB06"
"""The page whose reference keeps the long s, which one of the models writes as a round one."""

LOOP = ("LB12", "parted by three minutes", 40)
"""Page, the beginning of the line that is written over and over, and how often."""
EMPTY = "LB07"
SKIPS = ("LB20", "You say next")
"""Page, and how the paragraph begins that is not there."""
INVENTED = (
    "Should any gentleman of your office doubt these facts he is",
    "welcome to a bed beneath my roof, where he may count every",
    "plank himself with a candle. Breakfast is laid at seven and",
    "no lawyer has ever complained of the marmalade or the bacon.",
)
MODERNISES = LONG_S
REFUSES = "LB22"
REFUSAL = (
    "I'm sorry, but I can't transcribe this page. The handwriting in the image is too faint for me "
    "to read reliably."
)
UNREADABLE = {"LB01": "counted", "LB13": "reported"}
"""Pages and words of which the model of Markdown says that they cannot be read."""
PREFACES = (
    "Here is the transcription of the page:",
    "Sure! Here is the transcription of the handwritten text:",
    "Below is the text of the image, transcribed line by line:",
)

# olmOCR begins every page so: https://github.com/allenai/olmocr
YAML_HEAD = """\
---
primary_language: en
is_rotation_valid: True
rotation_correction: 0
is_table: {table}
is_diagram: False
---
"""
# The categories are those of dots.ocr, which knows no marginal notes:
# https://github.com/rednote-hilab/dots.ocr
CATEGORIES = {
    "corner": "Page-header",
    "top": "Section-header",
    "left": "Table",
    "right": "Table",
    "close": "Page-footer",
}
IMAGE_SCALE = 0.5
"""Pixels of the image for one of the reference."""


@dataclass(frozen=True)
class Read:
    """A region as a model reads it: where it takes it to stand, and its lines."""

    place: str
    box: tuple[int, int, int, int]
    lines: tuple[str, ...]


def model_files(pages: Iterable[PlacedPage]) -> dict[str, bytes]:
    """Return every file of the data set, by its path inside its folder."""
    chosen = [as_referred_to(page) for page in pages if page.source.name in PAGES]
    files = {"pages.csv": pages_csv(page.source for page in chosen)}
    for page in chosen:
        files[f"reference/{page.source.name}.xml"] = page_xml(page, brief=True)
        for model, (ending, write) in MODELS.items():
            rng = random.Random(f"{page.source.name}:{model}")
            text = write(page.source.name, read_page(page, rng))
            files[f"{model}/{page.source.name}.{ending}"] = text.encode()
    return files


def as_referred_to(page: PlacedPage) -> PlacedPage:
    """The page with the spelling of its reference."""
    if page.source.name != LONG_S:
        return page
    return replace(page, regions=tuple(with_long_s(region) for region in page.regions))


def with_long_s(region: PlacedRegion) -> PlacedRegion:
    """Write every small s that does not end its word long."""
    lines = (replace(line, text=re.sub("s(?=[a-z])", "ſ", line.text)) for line in region.lines)
    return replace(region, lines=tuple(lines))


def read_page(page: PlacedPage, rng: random.Random) -> list[Read]:
    """Read a page in its order, and a few words of it wrongly."""
    words = [[line.text.split() for line in region.lines] for region in page.regions]
    places = [
        (region, line, word)
        for region, lines in enumerate(words)
        for line, of_line in enumerate(lines)
        for word, written in enumerate(of_line)
        if len(written) > 3
    ]
    for region, line, word in rng.sample(places, MISREAD_WORDS):
        words[region][line][word] = misread_word(words[region][line][word], rng)
    return [
        Read(region.place, box_of(region), tuple(" ".join(line) for line in lines))
        for region, lines in zip(page.regions, words, strict=True)
    ]


def box_of(region: PlacedRegion) -> tuple[int, int, int, int]:
    """Left, top, right and bottom in pixels of the image."""
    xs, ys = zip(*region.polygon(), strict=True)
    left, top, right, bottom = (
        round(IMAGE_SCALE * side) for side in (min(xs), min(ys), max(xs), max(ys))
    )
    return left, top, right, bottom


def writes_markdown(name: str, regions: list[Read]) -> str:
    """Headings, tables, quotes and bold print; loops on a page and writes nothing on another."""
    if name == EMPTY:
        return YAML_HEAD.format(table=False)
    table = any(region.place in ("left", "right") for region in regions)
    text = "\n\n".join(as_markdown(region) for region in regions) + "\n"
    if name in UNREADABLE:
        text = text.replace(f" {UNREADABLE[name]} ", " [illegible] ")
    if name == LOOP[0]:
        text = looping(text)
    return YAML_HEAD.format(table=table) + "\n" + text


def as_markdown(region: Read) -> str:
    """The lines of a region under the signs of Markdown that suit its place."""
    if region.place == "top":
        return "\n".join(f"## {line}" for line in region.lines)
    if region.place == "margin":
        return "> " + "<br>".join(region.lines)
    if region.place == "date":
        return "<br>".join(f"*{line}*" for line in region.lines)
    if region.place in ("close", "centre"):
        return "<br>".join(f"**{line}**" for line in region.lines)
    if region.place in ("left", "right"):
        rows = [" | ".join(cells(line)) for line in region.lines]
        return "\n".join(["| | |", "|---|---|", *(f"| {row} |" for row in rows)])
    return "\n".join(region.lines)


def cells(line: str) -> tuple[str, str]:
    """An entry of a list in two cells: what it is, and the sum or the number that goes with it."""
    entry = re.fullmatch(r"(\d+) (.+)", line) or re.fullmatch(
        r"(.+?) ((?:£\d|\d+[sd]\.|nil).*)", line
    )
    return (entry[1], entry[2]) if entry else (line, "")


def looping(text: str) -> str:
    """The text as far as the line on which the model gets stuck, and that line over and over."""
    _, begins, times = LOOP
    lines = text.split("\n")
    stuck = next(number for number, line in enumerate(lines) if line.startswith(begins))
    return "\n".join([*lines[:stuck], *[lines[stuck]] * times]) + "\n"


def writes_layout_json(name: str, regions: list[Read]) -> str:
    """A list of blocks; on one page it leaves a paragraph out and makes another up."""
    if name == SKIPS[0]:
        regions = [one for one in regions if not one.lines[0].startswith(SKIPS[1])]
        left, _, right, bottom = regions[-2].box
        regions.append(Read("body", (left, bottom + 40, right, bottom + 120), INVENTED))
    blocks = [
        {
            "bbox": list(region.box),
            "category": CATEGORIES.get(region.place, "Text"),
            "text": as_block(region),
        }
        for region in regions
    ]
    return json.dumps(blocks, ensure_ascii=False, separators=(",", ":")) + "\n"


def as_block(region: Read) -> str:
    """The text of a block: tables in HTML, headings in Markdown, all else as it stands."""
    if region.place in ("left", "right"):
        rows = [
            "".join(f"<td>{html.escape(cell, quote=False)}</td>" for cell in cells(line))
            for line in region.lines
        ]
        return "<table>" + "".join(f"<tr>{row}</tr>" for row in rows) + "</table>"
    text = "\n".join(region.lines)
    return f"## {text}" if region.place == "top" else text


def talks_first(name: str, regions: list[Read]) -> str:
    """Plain text after a preface; modernises the spelling of a page and refuses another."""
    if name == REFUSES:
        return REFUSAL + "\n"
    text = "\n\n".join("\n".join(region.lines) for region in regions)
    if name == MODERNISES:
        text = text.replace("ſ", "s")
    preface = PREFACES[PAGES.index(name) % len(PREFACES)]
    return f"{preface}\n\n{text}\n"


MODELS: dict[str, tuple[str, Callable[[str, list[Read]], str]]] = {
    "writes-markdown": ("md", writes_markdown),
    "writes-layout-json": ("json", writes_layout_json),
    "talks-first": ("txt", talks_first),
}
"""Ending of its files, and how it writes a page that it has read."""
