"""What files of language models hold: blocks of marked-up text, some with boxes and kinds."""

import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from htreval_core.model import Box, DataWarning, Line, Polygon, Transcript, with_line_feeds
from htreval_core.settings import ReadPolicy
from htreval_core.sources.readers.formulas import read_formula
from htreval_core.sources.readers.pieces import Piece, html_pieces, kept_lines, markdown_pieces

HEADS = ("header", "footer", "page-number")
"""Kinds of blocks and regions that the rule of running heads leaves out."""
_KINDS = tomllib.loads(Path(__file__).with_name("kinds.toml").read_text("utf-8"))
_RUNNING = ("text", "paragraph", "plain-text", "list-item", "list", "code", "unspecified")
"""Kinds that say no more than that there is text."""


_CAPITAL = re.compile(r"(?<=[a-z])(?=[A-Z])")


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch of a page that its file holds as one.

    Args:
        pieces: its text, taken apart.
        kind: as PAGE XML calls it, where it is more than running text.
        box: left, top, right and bottom in pixels, where the file has them.
        page: the place of its page in the file.
        words: the boxes of its words, where it is one line.
    """

    pieces: Sequence[Piece]
    kind: str | None = None
    box: Box | None = None
    page: int = 0
    words: Polygon | None = None


@dataclass(frozen=True, slots=True)
class Marked:
    """A page as its file writes it, before anything is taken off.

    Args:
        form: what the file is written in, for people.
        page_size: width and height in pixels, where the file tells them.
        pages: what the file calls each of its pages, as ``Transcript.pages``.
        warnings: as ``Transcript.warnings``.
    """

    form: str
    blocks: tuple[Block, ...]
    page_size: tuple[int, int] | None = None
    pages: tuple[str, ...] = ()
    warnings: tuple[DataWarning, ...] = ()

    @property
    def has_text(self) -> bool:
        """Whether anything stands in it."""
        return any(piece.source.strip() for block in self.blocks for piece in block.pieces)

    def transcript(self, policy: ReadPolicy) -> Transcript:
        """The text of the page after the policy's rules."""
        lines = tuple(self._lines(policy.markup))
        return Transcript(lines, "file", self.page_size, warnings=self.warnings, pages=self.pages)

    def told(self, rules: Sequence[str]) -> Iterator[Piece]:
        """Every piece with what becomes of it: text where it is kept, a rule where it is not."""
        for number, block in enumerate(self.blocks):
            if number:
                yield Piece("\n", "\n")
            for piece in filter(lambda piece: piece.source, block.pieces):
                if _left_out(block, rules):
                    yield replace(piece, text="", rule="heads")
                elif piece.rule in rules:
                    yield piece
                else:
                    yield replace(piece, text=piece.source, rule=None)

    def _lines(self, rules: Sequence[str]) -> Iterator[Line]:
        for number, block in enumerate(self.blocks, start=1):
            if _left_out(block, rules):
                continue
            region = f"block-{number}" if block.box or block.kind else None
            lines = kept_lines(block.pieces, rules)
            for place, line in enumerate(lines):
                kind = block.kind or line.region_kind
                outline = _slice(block.box, place, len(lines)) if block.box else None
                words = block.words if len(lines) == 1 else None
                yield Line(line.text, region, outline, kind, words, block.page)


def _slice(box: Box, place: int, n_lines: int) -> Polygon:
    """The share of a block's box that one of its lines is likely to have."""
    left, top, right, bottom = box
    height = (bottom - top) / n_lines
    return Polygon.from_box(left, top + place * height, right, top + (place + 1) * height)


def without_heads(transcript: Transcript) -> Transcript:
    """The text without the regions that its file marks as running heads, feet or page numbers."""
    lines = tuple(line for line in transcript.lines if kind_of(line.region_kind) not in HEADS)
    return replace(transcript, lines=lines)


def _left_out(block: Block, rules: Sequence[str]) -> bool:
    return "heads" in rules and block.kind in HEADS


def kind_of(name: object) -> str | None:
    """The kind of a block under one name; None for running text."""
    plain = _CAPITAL.sub("-", str(name or "").strip()).lower().replace("_", "-").replace(" ", "-")
    kind = _KINDS.get(plain, plain)[:60]
    return None if not kind or kind in _RUNNING else kind


def block_of(
    text: str, kind: str | None = None, box: Box | None = None, *, html: bool | None = None
) -> Block:
    """A block of Markdown or, where all its paragraphs begin with tags, of HTML."""
    as_html = _is_html(text.strip()) if html is None else html
    return Block(html_pieces(text) if as_html else markdown_pieces(text), kind, box)


def _is_html(text: str) -> bool:
    if not text.endswith(">") or text.startswith("<think"):
        return False
    return all(one.lstrip()[:1] in ("<", "") for one in re.split(r"\n[^\S\n]*+\n", text))


def block_of_formula(latex: str, kind: str | None = None, box: Box | None = None) -> Block:
    """A block that is one formula, without signs around it."""
    return Block([Piece(latex, read_formula(latex), "formulas")], kind, box)


def as_written(text: str, kind: str | None = None, box: Box | None = None) -> Block:
    """A block of text that holds no markup."""
    text = with_line_feeds(text)
    return Block([Piece(text, text)], kind, box)
