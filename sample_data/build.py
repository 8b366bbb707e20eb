"""Builds the letter-book, and ten of its pages as language models write them.

    python sample_data/build.py                 rebuilds letterbook and models in place
    python sample_data/build.py --output DIR    builds the same files into DIR

The same sources always give the same files, byte for byte.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable
from pathlib import Path

import faults
from layout import PlacedPage, place_page
from manuscript import pages_csv, read_pages
from models import model_files
from pagexml import page_xml
from render import page_png

HERE = Path(__file__).resolve().parent

# Lines that the third system writes although the page does not have them: page, after which of
# its lines, and what it writes (None: the line before once more).
EXTRA_LINES: dict[str, tuple[int, str | None]] = {
    "LB05": (6, None),
    "LB12": (9, "and the said the said the said and of the"),
    "LB19": (14, None),
}


def reads_across(page: PlacedPage, rng: random.Random) -> list[str]:
    """Good words, bad layout: reads straight across columns, margins and leaves."""
    lines = faults.read_across(page)
    if not faults.is_plain(page):
        lines = faults.shuffle_a_little(lines, rng)
    return faults.misread(lines, rng.uniform(0.04, 0.06), rng)


def misreads(page: PlacedPage, rng: random.Random) -> list[str]:
    """Bad words, good layout: every line in its place and every fourth word wrong."""
    return faults.misread(faults.reading_lines(page.regions), rng.uniform(0.25, 0.30), rng)


def skips_margins(page: PlacedPage, rng: random.Random) -> list[str]:
    """Middling words, good layout, but never a marginal note; three times a line too many."""
    lines = faults.reading_lines(faults.without_margins(page, rng))
    lines = faults.misread(lines, rng.uniform(0.08, 0.12), rng)
    if page.source.name in EXTRA_LINES:
        row, extra = EXTRA_LINES[page.source.name]
        lines.insert(row, extra or lines[row - 1])
    return lines


SYSTEMS: dict[str, Callable[[PlacedPage, random.Random], list[str]]] = {
    "reads-across": reads_across,
    "misreads": misreads,
    "skips-margins": skips_margins,
}


def book_files(pages: list[PlacedPage]) -> dict[str, bytes]:
    """Return every file of the letter-book, by its path inside the letter-book folder."""
    files = {"pages.csv": pages_csv(page.source for page in pages)}
    for page in pages:
        name = page.source.name
        files[f"reference/{name}.xml"] = page_xml(page)
        files[f"images/{name}.png"] = page_png(page)
        for system, read in SYSTEMS.items():
            lines = read(page, random.Random(f"{name}:{system}"))
            files[f"{system}/{name}.txt"] = ("\n".join(lines) + "\n").encode()
    return files


def main() -> None:
    """Write both data sets."""
    parser = argparse.ArgumentParser(description="Build the sample letter-book.")
    parser.add_argument("--output", type=Path, default=HERE)
    folder: Path = parser.parse_args().output
    pages = [place_page(written) for written in read_pages(HERE / "source")]
    for data_set, files in (("letterbook", book_files(pages)), ("models", model_files(pages))):
        for name, content in files.items():
            path = folder / data_set / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)


if __name__ == "__main__":
    main()
