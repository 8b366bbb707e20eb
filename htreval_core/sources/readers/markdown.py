"""Markdown: how most language models write a page.

Format: https://spec.commonmark.org/ with tables, footnotes and formulas as GitHub and Pandoc write
them.
"""

from htreval_core.settings import ReadPolicy
from htreval_core.sources.readers.blocks import Block, Marked
from htreval_core.sources.readers.bounds import check_lines
from htreval_core.sources.readers.doctags import read_doctags, read_grounded
from htreval_core.sources.readers.pieces import markdown_pieces
from htreval_core.sources.readers.plain import decode


def read_markdown(name: str, content: bytes, policy: ReadPolicy | None = None) -> Marked:
    """A page that is written as Markdown.

    Raises:
        ReadError: the bytes are no text, or have too many lines.
    """
    policy = policy or ReadPolicy()
    text = decode(name, content, policy.encoding)
    check_lines(name, max(text.count("\n"), text.count("\r")), policy.limits)
    if text.lstrip().startswith("<doctag"):
        return read_doctags(name, content, policy)
    return read_grounded(text) or Marked("Markdown", (Block(tuple(markdown_pieces(text))),))
