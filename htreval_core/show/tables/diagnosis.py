"""What went wrong with the layout, page by page and in all."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict

from htreval_core.diagnosis import CensusRow, Diagnosis, Event, Suspicion
from htreval_core.diagnosis.telling import counted
from htreval_core.model import DataWarning
from htreval_core.show.tables.values import JsonValue, as_json, fraction, percent, plain
from htreval_core.show.tables.warnings import warnings_json
from htreval_core.show.wording import delta_parts


def diagnosis_json(
    signature: str,
    diagnoses: Iterable[Diagnosis],
    census: Iterable[CensusRow],
    suspicions: Iterable[Suspicion] = (),
    warnings: Iterable[DataWarning] = (),
) -> str:
    """Diagnoses as JSON; word positions count from 0, ends exclusive, lines from 1.

    ``parts`` are word errors that add up to ``wer``; of an event ``words`` are words of the text
    concerned and ``errors`` what WER charges for it.
    """
    content: dict[str, JsonValue] = {
        "signature": signature,
        "pages": [
            {
                "page_id": page.page_id,
                "system": page.system,
                "n_ref_words": page.n_ref_words,
                "wer": page.wer,
                "bwer": page.bwer,
                "delta_wer": page.delta_wer,
                "parts": asdict(page.parts),
                "events": [_event_json(event) for event in page.events],
            }
            for page in diagnoses
        ],
        "census": [
            {
                "kind": row.kind.value,
                "system": row.system,
                "events": row.events,
                "pages": row.pages,
                "words": row.words,
                "errors": row.errors,
                "wer": fraction(row.wer),
                "wer_without": fraction(row.wer_without),
            }
            for row in census
        ],
        "suspect_references": [
            {
                "page_id": suspicion.page_id,
                "reference_lines": list(suspicion.reference_lines),
                "systems": list(suspicion.systems),
                "errors": suspicion.errors,
                "sentence": suspicion.sentence,
            }
            for suspicion in suspicions
        ],
        "warnings": warnings_json(warnings),
    }
    return as_json(content)


def _event_json(event: Event) -> JsonValue:
    return {
        "kind": event.kind.value,
        "words": event.words,
        "errors": event.errors,
        "reference": list(event.reference),
        "hypothesis": [list(span) for span in event.hypothesis],
        "reference_lines": list(event.reference_lines),
        "hypothesis_lines": list(event.hypothesis_lines),
        "confidence": event.confidence.value,
        "sentence": event.sentence,
    }


def diagnosis_text(
    signature: str,
    diagnoses: Iterable[Diagnosis],
    census: Iterable[CensusRow],
    suspicions: Iterable[Suspicion] = (),
) -> str:
    """Diagnoses in sentences, pages that lose most to order first, then the census."""
    lines: list[str] = []
    for page in sorted(diagnoses, key=lambda page: -(page.parts.order + page.parts.doubt)):
        told = " + ".join(f"{n} {what}" for what, n in delta_parts(page.parts).items())
        lines.append(
            f"{plain(page.page_id)}, {plain(page.system)}: {page.wer} errors on "
            f"{counted(page.n_ref_words, 'word')} = {page.bwer} misread + {told}"
        )
        lines += [f"  {event.sentence}" for event in page.events]
    doubts = [f"  {plain(one.page_id)}: {one.sentence}" for one in suspicions]
    if doubts:
        lines += ["", "References that may themselves be out of order", *doubts]
    costs = [
        f"  {plain(row.system):<16} {row.kind.value:<46} {row.errors:>6} errors, "
        f"{counted(row.pages, 'page')}; without it WER {percent(row.wer)} -> "
        f"{percent(row.wer_without)} %"
        for row in census
    ]
    if costs:
        lines += ["", "What each kind costs", *costs]
    return "\n".join([*lines, "", signature]) + "\n"
