"""The letter about pages that are sent back, as files."""

import io
from collections.abc import Sequence

from htreval_core.markup import visible
from htreval_core.scoring.send_back import Returned
from htreval_core.show.tables.values import csv_text
from htreval_core.show.telling.letter import tell_reason


def letter_text(paragraphs: Sequence[str]) -> str:
    """As plain text."""
    return "\n\n".join(map(visible, paragraphs)) + "\n"


def letter_docx(paragraphs: Sequence[str]) -> bytes:
    """As a document for a word processor."""
    from docx import Document

    document = Document()
    heading, *others = map(visible, paragraphs)
    document.add_heading(heading, 1)
    for one in others:
        document.add_paragraph(one)
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def letter_csv(pages: Sequence[Returned]) -> str:
    """As a table: the page, the reason, CER as a fraction, and the reason in words."""
    rows: list[Sequence[object]] = [("page", "reason", "cer", "why")]
    rows += [(one.page_id, one.reason.value, one.cer, tell_reason(one)) for one in pages]
    return csv_text(rows)
