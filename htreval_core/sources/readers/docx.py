"""Documents for a word processor, as Transkribus exports them: a paragraph is a line."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from typing import TYPE_CHECKING

from htreval_core.errors import ReadError
from htreval_core.model import Line, Transcript
from htreval_core.settings import ReadPolicy
from htreval_core.sources.readers.bounds import beyond, check_lines
from htreval_core.sources.readers.xml import parse_xml

if TYPE_CHECKING:
    from docx.table import Table
    from docx.text.paragraph import Paragraph

_BODY = "word/document.xml"


def read_docx(name: str, content: bytes, policy: ReadPolicy | None = None) -> Transcript:
    """The paragraphs and tables of a document; a row of a table is a line.

    Raises:
        ReadError: it is no document that can be read, or it holds too much.
    """
    policy = policy or ReadPolicy()
    _check(name, content, policy)
    # It takes a tenth of a second to load, and few folders hold such files.
    from docx import Document
    from docx.table import Table

    try:
        document = Document(io.BytesIO(content))
        inner = list(document.iter_inner_content())
        lines = [
            line
            for part in inner
            for line in (_rows(part) if isinstance(part, Table) else _paragraph(part))
        ]
    except Exception as error:
        # A damaged document fails in the library in many ways, none of which is ours to mend.
        reason = " ".join(str(error).split())[:200] or type(error).__name__
        raise ReadError(f"{name}: no document that can be read ({reason}); save it again") from None
    check_lines(name, len(lines), policy.limits)
    return Transcript(tuple(lines), "document")


def _check(name: str, content: bytes, policy: ReadPolicy) -> None:
    """Refuse what unpacks to too much, and XML that the one door does not let in."""
    limits = policy.limits
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            size = sum(info.file_size for info in archive.infolist())
            if size > limits.file_bytes or size > limits.archive_ratio * max(len(content), 1024):
                raise beyond(
                    name, f"{size:,} bytes unpacked", "file_bytes", limits.file_bytes,
                    "save it without its images",
                )  # fmt: skip
            for part in archive.namelist():
                if part.endswith((".xml", ".rels")):
                    parse_xml(f"{name}: {part}", archive.read(part), limits)
            if _BODY not in archive.namelist():
                raise ReadError(f"{name}: no document of a word processor; save it as .docx again")
    except ReadError:
        raise
    except Exception as error:
        raise ReadError(f"{name}: no document that can be read ({error}); save it again") from None


def _paragraph(part: Paragraph) -> Iterator[Line]:
    style = (part.style.name or "").lower() if part.style is not None else ""
    kind = "heading" if style.startswith(("heading", "title")) else None
    for text in part.text.splitlines():
        if text.strip():
            yield Line(text.strip(), region_kind=kind)


def _rows(table: Table) -> Iterator[Line]:
    for row in table.rows:
        cells = [" ".join(cell.text.split()) for cell in row.cells]
        # A merged cell is there once for every cell that it covers.
        once = [
            text
            for n, text in enumerate(cells)
            if not n or row.cells[n]._tc is not row.cells[n - 1]._tc
        ]
        text = " ".join(filter(None, once))
        if text:
            yield Line(text, region_kind="table")
