"""Pages in signs of their own: DocTags of docling's models, and DeepSeek-OCR's grounding.

Formats: https://github.com/docling-project/docling/discussions/354 and
https://github.com/deepseek-ai/DeepSeek-OCR.
"""

import re
from dataclasses import replace

from htreval_core.model import with_line_feeds
from htreval_core.settings import ReadPolicy
from htreval_core.sources.names import named
from htreval_core.sources.readers.blocks import Block, Marked, kind_of
from htreval_core.sources.readers.formulas import read_formula
from htreval_core.sources.readers.outlines import usable_box
from htreval_core.sources.readers.pieces import Piece, markdown_pieces
from htreval_core.sources.readers.plain import decode

_SIGN = re.compile(
    r"</?([a-z]+(?:_[a-z]+)*)(?:_(\d{1,4}))?(?:\s[^<>]{0,200})?/?>|<(_)[\w+#.-]{1,30}_>"
    r"|<(\|)[^|<>\n]{1,40}\|>"
)
"""A tag, the language of a code, or what ends and begins a turn."""
_CELLS, _BLOCKS, _OTHER = (named(f"doctags_{what}") for what in ("cells", "blocks", "others"))
_NUMBERED = ("key", "value", "link")
_KINDS = {"section_header_level": "heading", "otsl": "table", "document_index": "table"}
_FIVE_HUNDREDTHS, _THOUSANDTHS = 500, 999
"""What the two count places on a page in."""


def read_doctags(name: str, content: bytes, policy: ReadPolicy | None = None) -> Marked:
    """The elements of a page; a row of a table is a line, and pictures have no text.

    Raises:
        ReadError: the bytes are no text.
    """
    text = with_line_feeds(decode(name, content, policy.encoding if policy else None))
    found: list[Block] = []
    # What is open: its name, its pieces, and the sides of its box so far; first what is in nothing.
    opened: list[tuple[str, list[Piece], list[float]]] = [("text", [], [])]
    last, page = 0, 0
    inline: list[str] = []
    # Whatever stands around the document is the talk of the model with its user.
    first, final = text.find("<doctag"), text.rfind("</doctag")
    span = range(max(first, 0), final if final > first else len(text))

    def add(source: str, at: int) -> None:
        is_formula = bool(inline) and inline[-1] == "formula"
        read = "" if at not in span else read_formula(source) if is_formula else source
        opened[-1][1].append(Piece(source, read, None if read == source else "tags"))

    def close() -> None:
        element, pieces, sides = opened.pop()
        kind = _KINDS.get(element) or kind_of(element)
        if kind == "image":
            pieces = [replace(piece, text="", rule="images") for piece in pieces]
        elif kind == "formula":
            pieces = [
                piece
                if piece.rule
                else replace(piece, text=read_formula(piece.text), rule="formulas")
                for piece in pieces
            ]
        found.append(Block(pieces, kind, usable_box(*sides) if len(sides) == 4 else None, page))

    for sign in _SIGN.finditer(text):
        tag, is_end = sign[1] or sign[3] or sign[4], sign[0][1] == "/"
        if tag not in (*_CELLS, *_BLOCKS, *_OTHER, *(_NUMBERED if sign[2] else ())):
            continue
        add(text[last : sign.start()], last)
        last = sign.end()
        around, pieces, sides = opened[-1]
        is_nested = len(opened) > 1 and around not in ("picture", "chart")
        is_inner = is_nested and (tag == "formula" or (around == "otsl" and tag != "caption"))
        if tag in _BLOCKS and not is_end and is_inner:
            inline.append(tag)
        elif tag in _BLOCKS and not is_end:
            # What was read so far stands before what begins here, but for captions of tables.
            if len(opened) == 1 or (around != "otsl" and any(one.text.strip() for one in pieces)):
                close()
                opened.append((around, [], sides))
            opened.append((tag, [], []))
        spaced = (*_CELLS, "value", *inline[-1:]) if tag != "formula" else ()
        shown = "\n" if tag == "nl" else " " if tag in spaced and not is_end else ""
        opened[-1][1].append(Piece(sign[0], shown, "tags"))
        if tag == "loc" and sign[2] and len(opened[-1][2]) < 4:
            opened[-1][2].append(float(sign[2]))
        if tag in _BLOCKS and is_end and inline[-1:] == [tag]:
            inline.pop()
        elif tag in _BLOCKS and is_end and len(opened) > 1:
            close()
        page += tag == "page_break"
    add(text[last:], last)
    while opened:
        close()
    size = (_FIVE_HUNDREDTHS, _FIVE_HUNDREDTHS)
    return Marked("DocTags", tuple(found), size, ("",) * (page + 1))


_GROUNDED = re.compile(
    r"<\|ref\|>((?:[^<]|<(?!\|))*+)<\|/ref\|>\s*+<\|det\|>([-\d.,\s\[\]]*+)<\|/det\|>[ \t]*+\n?"
)


def read_grounded(text: str) -> Marked | None:
    """Markdown whose blocks follow their kind and box, or lines before theirs; None if neither."""
    text = with_line_feeds(text)
    signs = list(_GROUNDED.finditer(text))
    if not signs:
        return None
    found = [Block(markdown_pieces(text[: signs[0].start()]))]
    ends = [*(sign.start() for sign in signs[1:]), len(text)]
    for sign, end in zip(signs, ends, strict=True):
        after = text[sign.end() : end]
        sides = [float(side) for side in re.findall(r"\d{1,6}", sign[2])]
        box = usable_box(*sides[:4]) if len(sides) >= 4 else None
        # With nothing after it, it is no kind but the text that was looked for.
        kind = kind_of(sign[1]) if after.strip() or kind_of(sign[1]) == "image" else None
        is_text = not after.strip() and kind is None
        own = [Piece(sign[0], f"{sign[1]}\n" if is_text else "", "tags")]
        found.append(Block([*own, *markdown_pieces(after)], kind, box))
    size = (_THOUSANDTHS, _THOUSANDTHS)
    return Marked("DeepSeek-OCR", tuple(found), size)
