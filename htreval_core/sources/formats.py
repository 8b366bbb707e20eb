"""The kinds of files that hold the text of a page: one table, and all that is known of them.

A new reader is one row in ``formats.toml``, and its name here. Pairing takes the endings, sniffing
the root elements, messages the names; documents and tests hold each row to its example in
``sample_data/formats``.
"""

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from htreval_core.model import Transcript
from htreval_core.settings import ReadPolicy
from htreval_core.sources.readers.abbyy import read_abbyy, read_djvu
from htreval_core.sources.readers.alto import read_alto
from htreval_core.sources.readers.blocks import Block, Marked
from htreval_core.sources.readers.bounds import check_lines
from htreval_core.sources.readers.doctags import read_doctags, read_grounded
from htreval_core.sources.readers.docx import read_docx
from htreval_core.sources.readers.historical import read_historical
from htreval_core.sources.readers.hocr import read_hocr
from htreval_core.sources.readers.layout_json import read_layout_json
from htreval_core.sources.readers.page_html import read_page_html
from htreval_core.sources.readers.pagexml import read_pagexml
from htreval_core.sources.readers.pieces import markdown_pieces
from htreval_core.sources.readers.plain import decode, read_plain
from htreval_core.sources.readers.tei import read_tei
from htreval_core.sources.readers.tesseract import read_tsv

_PAGE = re.compile(r"#\d{1,6}$")
FileKind: TypeAlias = str
Reader: TypeAlias = Callable[[str, bytes, ReadPolicy], Transcript | Marked]
"""Name, bytes and policy in; a transcript out, or text whose markup the policy's rules take off."""


def read_markdown(name: str, content: bytes, policy: ReadPolicy | None = None) -> Marked:
    """A page in Markdown, https://spec.commonmark.org/, with the tables and formulas of GitHub.

    Raises:
        ReadError: the bytes are no text, or have too many lines.
    """
    policy = policy or ReadPolicy()
    text = decode(name, content, policy.encoding)
    check_lines(name, max(text.count("\n"), text.count("\r")), policy.limits)
    if text.lstrip().startswith("<doctag"):
        return read_doctags(name, content, policy)
    return read_grounded(text) or Marked("Markdown", (Block(tuple(markdown_pieces(text))),))


@dataclass(frozen=True, slots=True)
class Format:
    """A kind of file.

    Args:
        kind: by which the program knows it.
        name: by which people do.
        endings: how its files are called, those first that no other kind has.
        read: its reader.
        roots: local names of its root elements, in lower case.
        is_xml: whether it is held to the limits of XML.
        is_dense: whether nearly all its bytes are text.
        by_name: whether its name says what it is where its content does not.
        example: its file in ``sample_data/formats``.
    """

    kind: FileKind
    name: str
    endings: tuple[str, ...]
    read: Reader
    roots: tuple[str, ...] = ()
    is_xml: bool = False
    is_dense: bool = False
    by_name: bool = False
    example: str = ""


_READERS: Mapping[FileKind, Reader] = {
    "text": read_plain, "page": read_pagexml, "alto": read_alto, "hocr": read_hocr,
    "tei": read_tei, "abbyy": read_abbyy, "djvu": read_djvu, "churro": read_historical,
    "markdown": read_markdown, "html": read_page_html, "json": read_layout_json, "tsv": read_tsv,
    "doctags": read_doctags, "docx": read_docx,
}  # fmt: skip
_TABLE = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
for _row in _TABLE.values():
    _row |= {name: tuple(_row.get(name, ())) for name in ("endings", "roots")}
FORMATS = tuple(Format(kind, **row, read=_READERS[kind]) for kind, row in _TABLE.items())
REFUSED = tomllib.loads(Path(__file__).with_name("refused.toml").read_text("utf-8"))
DOCUMENTS: Mapping[str, str] = REFUSED["ends"]
"""Archives that are documents of kinds that are not read."""
BY_KIND = {one.kind: one for one in FORMATS}
ROOTS = {root: one.kind for one in FORMATS for root in one.roots}

ENDINGS = tuple(
    sorted({ending for one in FORMATS for ending in one.endings}, key=lambda one: (-len(one), one))
)
"""How the names of transcripts end, longest first."""
_SIDES = ("gt", "ref", "hyp", "pred")
TEXT_SUFFIXES = tuple(
    [f".{side}{ending}" for ending in ENDINGS if ending not in (".ref", ".hyp") for side in _SIDES]
) + ENDINGS  # fmt: skip
"""The same, with the word that tells the side."""
TABLE_ENDINGS = (".csv", ".tsv", ".jsonl", ".ndjson", ".parquet")
"""How the names of tables end, which hold many pages."""


def tagged_endings() -> tuple[str, ...]:
    """Endings before which a word may tell the side: x.gt.xml, x.a.xml."""
    sides = {f".{side}" for side in _SIDES}
    return tuple(one for one in ENDINGS if one not in sides)


def may_hold_markup(name: str) -> bool:
    """Whether a file of this name may hold markup that rules take off."""
    marked = (end for kind in ("markdown", "html", "json") for end in BY_KIND[kind].endings)
    return _whole_name(name).endswith(tuple(marked))


def is_dense(name: str) -> bool:
    """Whether nearly all bytes of a file of this name are text."""
    sparse = {end for one in FORMATS if not one.is_dense for end in one.endings}
    return not _whole_name(name).endswith(tuple(sparse))


def is_of(kind: FileKind, name: str) -> bool:
    """Whether a file is called as files of a kind are."""
    return _whole_name(name).endswith(BY_KIND[kind].endings)


def _whole_name(name: str) -> str:
    """A name in lower case, without the number of a page within the file."""
    return _PAGE.sub("", name.lower())


def names() -> str:
    """The kinds as a list for people."""
    listed = [one.name for one in FORMATS]
    return f"{', '.join(listed[:-1])} and {listed[-1]}"
