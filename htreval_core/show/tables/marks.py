"""Marks as rows, also of what to correct in the references, and the letter as files."""

import io
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from htreval_core.diagnosis.look import Look
from htreval_core.markup import visible
from htreval_core.run.marks import REFERENCE_WRONG, Mark
from htreval_core.scoring.send_back import Returned
from htreval_core.scoring.study import Study
from htreval_core.show.tables.values import csv_text
from htreval_core.show.telling.letter import tell_reason
from htreval_core.show.telling.marks import tell_target

MARK_COLUMNS = ("page", "on", "tags", "remark", "person", "when")


def mark_rows(marks: Iterable[Mark]) -> list[tuple[str, ...]]:
    """A row for each mark, as ``MARK_COLUMNS``."""
    return [
        (one.target.page_id, tell_target(one.target), ", ".join(one.tags), one.remark, one.person,
         one.modified[:16].replace("T", " "))
        for one in marks
    ]  # fmt: skip


def correction_rows(
    study: Study, marks: Iterable[Mark], look: Callable[[str, str], Look]
) -> list[Sequence[object]]:
    """For whoever corrects the references: where, what stands there, and what each system reads.

    The first row names the columns."""
    rows: list[Sequence[object]] = [
        (
            "page", "line", "reference", "remark", "person",
            *(f"{one} reads" for one in study.systems),
        )
    ]  # fmt: skip
    for mark in marks:
        page_id = mark.target.page_id
        by = [one for one in study.systems if page_id in study.pages_of(one)]
        if REFERENCE_WRONG not in mark.tags or not by:
            continue
        looks = {system: look(page_id, system) for system in by}
        first = looks[mark.target.system if mark.target.system in by else by[0]]
        words = first.page.reference
        own = _reference_words(mark, first)
        read = dict.fromkeys(study.systems, "")
        for system, one in looks.items():
            ref, hyp = one.layout.pairs
            read[system] = one.page.hypothesis.joined(np.sort(hyp[np.isin(ref, own)]).tolist())
        line = words.line_of[own[0]] + 1 if own else None
        rows.append((page_id, line, words.joined(own), mark.remark, mark.person, *read.values()))
    return rows


def _reference_words(mark: Mark, look: Look) -> list[int]:
    """The reference words that a mark is on, or that belong to what it is on."""
    target, page = mark.target, look.page
    words = page.reference if target.side == "ref" else page.hypothesis
    if target.on == "line":
        own = np.flatnonzero(np.array(words.line_of) == target.first)
    else:
        own = np.arange(target.first, min(target.end, len(words.words)))
    if target.side == "hyp":
        ref, hyp = look.layout.pairs
        own = np.sort(ref[np.isin(hyp, own)])
    return [int(one) for one in own]


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
