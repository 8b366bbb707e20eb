"""Diagnoses as rows of a bundle, and back. Whoever wrote them is not trusted."""

from __future__ import annotations

import json
from typing import Any

import pyarrow as pa

from htreval_core.diagnosis.model import Confidence, Diagnosis, Event, EventKind, Span
from htreval_core.model import PageScores, Parts

DIAGNOSED = pa.schema(
    [
        pa.field("page_id", pa.string(), nullable=False),
        pa.field("system", pa.string()),
        pa.field("found", pa.string(), nullable=False),
    ]
)
_MOST = 10**6
"""Events of a page, lines or groups of an event: more than any page has."""
_LONGEST = 10**6
"""Characters of a sentence or of a text."""


def as_row(diagnosis: Diagnosis) -> dict[str, str]:
    """A row of diagnoses.parquet."""
    found = {
        "parts": [getattr(diagnosis.parts, name) for name in _PARTS],
        "course": list(diagnosis.course),
        "events": [_event(event) for event in diagnosis.events],
        "edges": [_event(event) for event in diagnosis.edges],
    }
    return {
        "page_id": diagnosis.page_id, "system": diagnosis.system,
        "found": json.dumps(found, ensure_ascii=True),
    }  # fmt: skip


_PARTS = ("misread", "order", "coincidence", "doubt")


def _event(event: Event) -> list[Any]:
    return [
        event.kind.value, event.words, event.errors, list(event.reference),
        [list(span) for span in event.hypothesis], list(event.reference_lines),
        list(event.hypothesis_lines), event.confidence.value, event.sentence,
        list(event.groups), event.text, event.pieces, event.notes,
    ]  # fmt: skip


def from_row(found: str, scores: PageScores) -> Diagnosis:
    """The diagnosis in a row, of the page that has these scores.

    Raises:
        ValueError: it is none, or it is not of that page.
    """
    raw = json.loads(found)
    if not isinstance(raw, dict):
        raise ValueError("a diagnosis is no object")
    parts = Parts(*(_count(one) for one in _list(raw["parts"], len(_PARTS))))
    if parts.errors != scores.wer.errors or parts.misread != scores.bwer.errors:
        raise ValueError("a diagnosis does not add up to the errors of its page")
    n_ref, n_hyp = scores.n_ref_words, scores.n_hyp_words
    return Diagnosis(
        scores.page_id,
        scores.system,
        n_ref,
        parts,
        tuple(_read_event(one, n_ref, n_hyp) for one in _list(raw["events"])),
        tuple(_number(one) for one in _list(raw["course"])),
        n_hyp,
        tuple(_read_event(one, n_ref, n_hyp) for one in _list(raw["edges"])),
    )


def _read_event(raw: object, n_ref: int, n_hyp: int) -> Event:
    kind, words, errors, reference, hypothesis, *rest = _list(raw, 13)
    ref_lines, hyp_lines, confidence, sentence, groups, text, pieces, notes = rest
    return Event(
        EventKind(kind),
        _count(words),
        _count(errors),
        _span(reference, n_ref),
        tuple(_span(one, n_hyp) for one in _list(hypothesis)),
        tuple(_count(one, least=1) for one in _list(ref_lines)),
        tuple(_count(one, least=1) for one in _list(hyp_lines)),
        Confidence(confidence),
        _text(sentence),
        tuple(_count(one) for one in _list(groups)),
        _text(text),
        _count(pieces),
        _count(notes),
    )


def upward_row(page_id: str, lines: tuple[int, ...]) -> dict[str, str | None]:
    """The row of lines of a reference that run upward, by its outlines."""
    return {"page_id": page_id, "system": None, "found": json.dumps(lines)}


def upward_from(found: str) -> tuple[int, ...]:
    """The lines in such a row.

    Raises:
        ValueError: it holds something else.
    """
    return tuple(_count(one, least=1) for one in _list(json.loads(found)))


def _list(value: object, length: int | None = None) -> list[Any]:
    if not isinstance(value, list) or len(value) > _MOST or length not in (None, len(value)):
        raise ValueError("a list is missing, or is too long")
    return value


def _count(value: object, least: int = 0) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= 2**53:
        raise ValueError(f"{str(value)[:40]!r} is no count")
    return value


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < _MOST:
        raise ValueError(f"{str(value)[:40]!r} is no number")
    return float(value)


def _text(value: object) -> str:
    if not isinstance(value, str) or len(value) > _LONGEST:
        raise ValueError("a sentence is missing, or is too long")
    return value


def _span(value: object, n_words: int) -> Span:
    start, stop = (_count(one) for one in _list(value, 2))
    if not start <= stop <= n_words:
        raise ValueError("a stretch of words that the page does not have")
    return start, stop
