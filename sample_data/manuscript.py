"""Reads the written-out pages of the letter-book from `source/`.

A source file begins with `name: value` lines (page, kind, title, and where known or wanted
writer and document-order). Then come the regions, in the order in which they were written:

    [paragraph body]
    the first line as it stands on the page,
    the second line

The first word in the brackets is the PAGE region type, the second the place on the page:

    corner  the leaf's number, in its outer top corner
    top     a heading, centred
    date    a short line set to the right
    body    running text in the main column
    centre  a line set in the middle of the main column
    margin  a note to the left of the body paragraph above it in the source
    left, right  the two columns of a list
    close   a signature, set to the right

`leaf=right` after the place turns to the right leaf of a double page, for that region and all
that follow.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

KINDS = ("letter", "minutes", "list", "double")
PLACES = ("corner", "top", "date", "body", "centre", "margin", "left", "right", "close")


@dataclass(frozen=True)
class SourceRegion:
    """One region as the clerk wrote it: leaf is 0 (left or only) or 1 (right)."""

    kind: str
    place: str
    leaf: int
    lines: tuple[str, ...]


@dataclass(frozen=True)
class SourcePage:
    """One page as the clerk wrote it."""

    name: str
    kind: str
    title: str
    writer: str
    document_order: str
    regions: tuple[SourceRegion, ...]

    @property
    def leaves(self) -> int:
        """How many leaves the image shows."""
        return 2 if self.kind == "double" else 1

    @property
    def layout(self) -> str:
        """How the text stands on the page, in a word or two."""
        places = {region.place for region in self.regions}
        if self.leaves > 1:
            return "double page"
        if "right" in places:
            return "two columns"
        return "notes in the margin" if "margin" in places else "one column"

    @property
    def year(self) -> str:
        """The first year that the page gives; empty where it gives none."""
        text = " ".join(line for region in self.regions for line in region.lines)
        found = re.search(r"\b1[78]\d\d\b", text)
        return found[0] if found else ""


def parse_page(text: str) -> SourcePage:
    """Parse one source file."""
    header: dict[str, str] = {}
    regions: list[SourceRegion] = []
    leaf = 0
    for block in split_blocks(text):
        first, *lines = block
        if not first.startswith("["):
            header |= dict(line.split(": ", 1) for line in block)
            continue
        kind, place, *options = first.strip("[]").split()
        if place not in PLACES:
            raise ValueError(f"unknown place {place!r} in {header.get('page', '?')}")
        leaf = 1 if "leaf=right" in options else leaf
        regions.append(SourceRegion(kind, place, leaf, tuple(lines)))
    if header["kind"] not in KINDS:
        raise ValueError(f"unknown kind {header['kind']!r} in {header['page']}")
    return SourcePage(
        header["page"], header["kind"], header["title"], header.get("writer", ""),
        header.get("document-order", "reading"), tuple(regions),
    )  # fmt: skip


def split_blocks(text: str) -> list[list[str]]:
    """Cut a source file before every `[...]` line; empty lines are dropped."""
    blocks: list[list[str]] = [[]]
    for line in text.splitlines():
        if line.startswith("["):
            blocks.append([])
        if line.strip():
            blocks[-1].append(line.strip())
    return [block for block in blocks if block]


def read_pages(folder: Path) -> list[SourcePage]:
    """Read every source file of a folder, by name."""
    return [parse_page(path.read_text("utf-8")) for path in sorted(folder.glob("LB*.txt"))]


def pages_csv(pages: Iterable[SourcePage]) -> bytes:
    """What is known of pages besides their text, one row for each page."""
    out = io.StringIO(newline="")
    table = csv.writer(out, lineterminator="\n")
    table.writerow(("page_id", "kind", "layout", "writer", "year"))
    for page in pages:
        table.writerow((page.name, page.kind, page.layout, page.writer, page.year))
    return out.getvalue().encode()
