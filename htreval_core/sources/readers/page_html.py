"""HTML that is no hOCR: pages as language models write them, with boxes where they give some."""

import re

from htreval_core.errors import ReadError
from htreval_core.model import Box
from htreval_core.settings import ReadPolicy
from htreval_core.sources.readers.blocks import Block, Marked, kind_of
from htreval_core.sources.readers.outlines import usable_box
from htreval_core.sources.readers.pieces import Piece, html_pieces
from htreval_core.sources.readers.plain import FENCED, decode

_THOUSANDTHS = 1000
_BOX = re.compile(r"""\bdata-bbox\s*=\s*["']?\[?([-\d.,\s]{3,80})\]?["']?""", re.IGNORECASE)
_LABEL = re.compile(r"""\bdata-label\s*=\s*["']([^"'<>]{1,60})["']""", re.IGNORECASE)


def read_page_html(name: str, content: bytes, policy: ReadPolicy | None = None) -> Marked:
    """The blocks of a page that is written as HTML; a tag with ``data-bbox`` begins a block.

    Raises:
        ReadError: the bytes are no text.
    """
    text = decode(name, content, policy.encoding if policy else None)
    if text.count("<") < 2:
        raise ReadError(f"{name}: HTML without elements; export it again")
    blocks: list[Block] = []
    pieces: list[Piece] = []
    kind: str | None = None
    box: Box | None = None
    fence = FENCED.match(text)
    first, last = fence.span(1) if fence else (0, len(text))
    fences = [Piece(one, "", "fences") for one in (text[:first], text[last:])]
    for piece in [fences[0], *html_pieces(text[first:last]), fences[1]]:
        is_tag = piece.rule is not None and piece.source.startswith("<")
        if is_tag and ("data-bbox" in piece.source or "data-label" in piece.source):
            if pieces:
                blocks.append(Block(tuple(pieces), kind, box))
                pieces = []
            label = _LABEL.search(piece.source)
            kind, box = kind_of(label[1] if label else None), _box(piece.source)
        pieces.append(piece)
    blocks.append(Block(tuple(pieces), kind, box))
    boxes = [block.box for block in blocks if block.box]
    # Chandra and its kin count in thousandths of the page.
    is_scaled = bool(boxes) and max(max(box) for box in boxes) <= _THOUSANDTHS
    return Marked("HTML", tuple(blocks), (_THOUSANDTHS, _THOUSANDTHS) if is_scaled else None)


def _box(tag: str) -> Box | None:
    match = _BOX.search(tag)
    if match is None:
        return None
    try:
        sides = [float(side) for side in re.split(r"[\s,]+", match[1].strip(" ,"))]
    except ValueError:
        return None
    return usable_box(*sides) if len(sides) == 4 else None
