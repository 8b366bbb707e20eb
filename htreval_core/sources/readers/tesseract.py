"""Tesseract's table of words: lines, with the boxes of their words.

Format: https://tesseract-ocr.github.io/tessdoc/Command-Line-Usage.html (TSV).
"""

from collections.abc import Iterator
from itertools import groupby

from htreval_core.errors import ReadError
from htreval_core.model import Box, Transcript
from htreval_core.settings import ReadPolicy
from htreval_core.sources.readers.bounds import check
from htreval_core.sources.readers.outlines import line_of_words, usable_box
from htreval_core.sources.readers.plain import decode

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
    head, *lines = decode(name, content, policy.encoding).replace("\r\n", "\n").split("\n")
    check(name, len(lines), "rows", "words", policy.limits.words, "split it into pages")
    if tuple(head.split("\t")) != _COLUMNS:
        raise ReadError(f"{name}: a table of Tesseract with other columns; export it again")
    pages: dict[str, int] = {}

    def words() -> Iterator[list[str]]:
        for number, line in enumerate(lines, start=2):
            row = line.split("\t")
            if line and len(row) != len(_COLUMNS):
                raise ReadError(
                    f"{name}: line {number} lacks the twelve cells of a word; export it again"
                )
            if line:
                pages.setdefault(row[1], len(pages))
            if row[0] == _WORD and row[-1].strip():
                yield row

    found = tuple(
        line_of_words(
            ((row[-1].strip(), _box(row[6:10])) for row in of_line), f"block-{block}", pages[page]
        )
        for (page, block, _, _), of_line in groupby(words(), lambda row: tuple(row[1:5]))
    )
    return Transcript(found, "document", pages=tuple(pages))


def _box(sides: list[str]) -> Box | None:
    try:
        left, top, width, height = map(float, sides)
    except ValueError:
        return None
    return usable_box(left, top, left + width, top + height)
