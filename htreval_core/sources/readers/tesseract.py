"""Tesseract's table of words: lines, with the boxes of their words.

Format: https://tesseract-ocr.github.io/tessdoc/Command-Line-Usage.html (TSV).
"""

from __future__ import annotations

import csv
from itertools import groupby

from htreval_core.errors import ReadError
from htreval_core.model import Box, Line, Polygon, Transcript
from htreval_core.settings import ReadPolicy
from htreval_core.sources.readers.bounds import check_lines
from htreval_core.sources.readers.outlines import box_around, usable_box
from htreval_core.sources.readers.plain import decode
from htreval_core.sources.readers.xml import boxes_of_words

_COLUMNS = ("level", "page_num", "block_num", "par_num", "line_num", "word_num", "left", "top",
            "width", "height", "conf", "text")  # fmt: skip
TSV_HEAD = "\t".join(_COLUMNS[:3]).encode()
"""How such a table begins."""
_WORD = "5"
"""The level of words; those of pages, blocks, paragraphs and lines say nothing more."""


def read_tsv(name: str, content: bytes, policy: ReadPolicy | None = None) -> Transcript:
    """A transcript of the words of a table, line by line.

    Raises:
        ReadError: the bytes are no text, or a row has not as many cells as the heading.
    """
    policy = policy or ReadPolicy()
    text = decode(name, content, policy.encoding)
    check_lines(name, text.count(f"\n{_WORD}\t") // 50, policy.limits)
    head, *rows = csv.reader(text.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE)
    if tuple(head) != _COLUMNS:
        raise ReadError(f"{name}: a table of Tesseract with other columns; export it again")
    short = next((n for n, row in enumerate(rows, 2) if row and len(row) != len(head)), None)
    if short:
        raise ReadError(f"{name}: line {short} has not the twelve cells of a word; export it again")
    pages = {row[1]: place for place, row in enumerate(r for r in rows if r and r[0] == "1")}
    lines = []
    words = (row for row in rows if row and row[0] == _WORD and row[-1].strip())
    for (page, block, _, _), of_line in groupby(words, lambda row: tuple(row[1:5])):
        found = [(row[-1].strip(), _box(row[6:10])) for row in of_line]
        said, boxes = " ".join(word for word, _ in found), [box for _, box in found]
        around = box_around(boxes)
        outline = Polygon.from_box(*around) if around else None
        lines.append(
            Line(said, f"block-{block}", outline, None, boxes_of_words(said, boxes),
                 pages.get(page, 0))
        )  # fmt: skip
    return Transcript(tuple(lines), "document", pages=tuple(pages))


def _box(sides: list[str]) -> Box | None:
    try:
        left, top, width, height = map(float, sides)
    except ValueError:
        return None
    return usable_box(left, top, left + width, top + height)
