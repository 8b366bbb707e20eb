"""Markdown: how most language models write a page.

Format: https://spec.commonmark.org/ with tables, footnotes and formulas as GitHub and Pandoc write
them.
"""

import re

from htreval_core.model import Transcript
from htreval_core.settings import ReadPolicy
from htreval_core.sources.readers.blocks import Block, Marked
from htreval_core.sources.readers.bounds import check_lines
from htreval_core.sources.readers.doctags import read_grounded
from htreval_core.sources.readers.pieces import markdown_pieces
from htreval_core.sources.readers.plain import decode

_SURE = re.compile(
    r"#{1,6} \S|```|~~~|\|?[ ]?:?-{3,99}:?[ ]?\|[\s:|-]*$|!\[[^\]]{0,200}\]\("
    r"|<(?:table|tr|td|br|p|div|sup|u)\b[^<>]{0,200}/?>"
)
"""What begins a line of Markdown, and hardly ever one of a manuscript."""
_LOOKED_AT = 2000
_BOLD = re.compile(r"\*\*[^*\s][^*\n]{0,200}\*\*")


def read_markdown(name: str, content: bytes, policy: ReadPolicy | None = None) -> Marked:
    """A page that is written as Markdown.

    Raises:
        ReadError: the bytes are no text, or have too many lines.
    """
    policy = policy or ReadPolicy()
    text = decode(name, content, policy.encoding)
    check_lines(name, max(text.count("\n"), text.count("\r")), policy.limits)
    return read_grounded(text) or Marked("Markdown", (Block(tuple(markdown_pieces(text))),))


def looks_marked(transcript: Transcript) -> bool:
    """Whether a plain text has lines that only Markdown has."""
    first, second = [*(line.text for line in transcript.lines[:2]), "", ""][:2]
    return (first.strip() == "---" and re.match(r"\w+: ", second) is not None) or any(
        _SURE.match(text) or _BOLD.search(text)
        for text in (line.text[:_LOOKED_AT].strip() for line in transcript.lines)
    )
