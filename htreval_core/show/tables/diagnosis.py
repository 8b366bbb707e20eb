"""What went wrong with the layout, page by page and in all."""

from __future__ import annotations

from collections.abc import Iterable

from htreval_core.diagnosis import CensusRow, Diagnosis, Event, Suspicion
from htreval_core.model import DataWarning
from htreval_core.show.tables.values import JsonValue, as_json, fraction, percent, plain
from htreval_core.show.tables.warnings import warnings_json


def diagnosis_json(
    signature: str,
    diagnoses: Iterable[Diagnosis],
    census: Iterable[CensusRow],
    suspicions: Iterable[Suspicion] = (),
    warnings: Iterable[DataWarning] = (),
) -> str:
    """Diagnoses as JSON; word positions count from 0, ends exclusive, all values in words."""
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
                "explained": page.explained,
                "scattered": page.scattered,
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
                "words": suspicion.words,
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
        "order_words": event.order_words,
        "reference": list(event.reference),
        "hypothesis": [list(span) for span in event.hypothesis],
        "reference_lines": list(event.reference_lines),
        "hypothesis_lines": list(event.hypothesis_lines),
        "sure": event.sure,
        "sentence": event.sentence,
    }


def diagnosis_text(
    signature: str,
    diagnoses: Iterable[Diagnosis],
    census: Iterable[CensusRow],
    suspicions: Iterable[Suspicion] = (),
) -> str:
    """Diagnoses in sentences, pages with most words lost to order first, then the census."""
    lines: list[str] = []
    for page in sorted(diagnoses, key=lambda page: -page.delta_wer):
        lines.append(
            f"{plain(page.page_id)}, {plain(page.system)}: {page.wer} of {page.n_ref_words} words "
            f"wrong = {page.bwer} misread + {page.explained} by the events below + "
            f"{page.scattered} scattered"
        )
        lines += [f"  {event.sentence}" for event in page.events]
    doubts = [f"  {plain(one.page_id)}: {one.sentence}" for one in suspicions]
    if doubts:
        lines += ["", "References that may themselves be out of order", *doubts]
    lines += ["", "What each kind costs"]
    lines += [
        f"  {plain(row.system):<16} {row.kind.value:<26} {row.words:>6} words, {row.pages} pages; "
        f"without it WER {percent(row.wer)} -> {percent(row.wer_without)} %"
        for row in census
    ]
    return "\n".join([*lines, "", signature]) + "\n"
