"""What went wrong with the layout, page by page and in all."""

from collections.abc import Iterable, Iterator
from itertools import chain

from htreval_core.diagnosis import (
    CatastropheRow,
    CensusRow,
    Diagnosis,
    Event,
    Suspicion,
    find_catastrophe,
)
from htreval_core.model import DataWarning
from htreval_core.show.pictures.page import parts_json
from htreval_core.show.tables.pairing import warnings_json
from htreval_core.show.tables.summary import signed
from htreval_core.show.tables.values import JsonValue, aligned, as_json, fields, fraction, plain
from htreval_core.show.telling.counting import counted, percent
from htreval_core.show.telling.events import tell_catastrophe, tell_event, tell_suspicion
from htreval_core.show.telling.verdicts import delta_parts, tell_catastrophes


def diagnosis_json(
    signature: str, diagnoses: Iterable[Diagnosis], census: Iterable[CensusRow],
    suspicions: Iterable[Suspicion] = (), warnings: Iterable[DataWarning] = (),
    catastrophes: Iterable[CatastropheRow] = (),
) -> str:  # fmt: skip
    """Diagnoses as JSON; word positions count from 0, ends exclusive, lines from 1.

    ``parts`` are word errors that add up to ``wer``; of an event ``words`` are words of the text
    concerned and ``errors`` what WER charges for it. ``catastrophe`` is what took a page over.
    """
    content: dict[str, JsonValue] = {
        "signature": signature,
        "pages": [
            {
                **fields(page, "page_id system n_ref_words wer bwer delta_wer"),
                "parts": {**parts_json(page.parts)},
                "events": [_event_json(event) for event in page.events],
                "catastrophe": _catastrophe_json(page),
            }
            for page in diagnoses
        ],
        "catastrophes": [
            {
                **fields(row, "system n_pages"), "n_catastrophic": len(row.pages),
                "kinds": {kind.value: n for kind, n in row.kinds.items()},
                "page_ids": list(row.pages), "sentence": tell_catastrophes(row),
            }
            for row in catastrophes
        ],
        "census": [
            {"kind": row.kind.value, **fields(row, "system events pages words errors"),
             **fields(row, "wer wer_without", fraction)}
            for row in census
        ],
        "suspect_references": [
            {
                "page_id": suspicion.page_id, **fields(suspicion, "reference_lines systems", list),
                "errors": suspicion.errors, "sentence": tell_suspicion(suspicion),
            }
            for suspicion in suspicions
        ],
        "warnings": warnings_json(warnings),
    }  # fmt: skip
    return as_json(content)


def _catastrophe_json(page: Diagnosis) -> JsonValue:
    one = find_catastrophe(page)
    if one is None:
        return None
    return {"kind": one.kind.value, "share": fraction(one.share), "sentence": tell_catastrophe(one)}


def _event_json(event: Event) -> JsonValue:
    return {
        "kind": event.kind.value, **fields(event, "words errors convention"),
        "reference": list(event.reference),
        "hypothesis": [list(span) for span in event.hypothesis],
        **fields(event, "reference_lines hypothesis_lines", list),
        "confidence": event.confidence.value, "sentence": tell_event(event),
    }  # fmt: skip


_MOST_PAGES = 20
"""As many as a person reads; a program reads the JSON."""


def diagnosis_text(
    signature: str, summary: Iterable[str], diagnoses: Iterable[Diagnosis],
    census: Iterable[CensusRow], suspicions: Iterable[Suspicion] = (),
    catastrophes: Iterable[CatastropheRow] = (),
) -> str:  # fmt: skip
    """The summary, what holds for many pages, then the pages, most errors of order first."""
    lines = [*summary]
    costs = [
        [plain(row.system), row.kind.value, counted(row.errors, "error"),
         counted(row.pages, "page"), f"WER without it {percent(row.wer_without)} %"]
        for row in census
    ]  # fmt: skip
    _add(lines, "What each fault costs", (one[2:] for one in aligned(costs, 2)))
    for row in catastrophes:
        pages = (f"{plain(page_id)}: {one.kind.value}, {percent(one.share)} %"
                 for page_id, one in row.pages.items())  # fmt: skip
        _add(lines, f"{plain(row.system)}: {tell_catastrophes(row)}", pages)
    doubts = (f"{plain(one.page_id)}: {plain(tell_suspicion(one))}" for one in suspicions)
    _add(lines, "References that may themselves be out of order", doubts)
    ranked = sorted(diagnoses, key=lambda page: -(page.parts.order + page.parts.doubt))
    wrong = [page for page in ranked if page.events]
    _add(
        lines, "Pages with a fault, those that lose most to order or doubt first",
        chain.from_iterable(map(_told, wrong[:_MOST_PAGES])),
    )  # fmt: skip
    if (rest := len(wrong) - _MOST_PAGES) > 0:
        lines += [f"  … and {counted(rest, 'more output')}; the JSON has all of them"]
    if right := len(ranked) - len(wrong):
        lines += ["", f"{counted(right, 'other output')} without a fault."]
    return signed(lines, signature)


def _add(lines: list[str], title: str, body: Iterable[str]) -> None:
    """A title and the lines under it, where there are any."""
    told = [f"  {line}" for line in body]
    if told:
        lines += ([""] if lines and lines[-1] else []) + [title, *told]


def _told(page: Diagnosis) -> Iterator[str]:
    """The errors of a page by part, and its faults."""
    parts = {
        "misread, left out or added": page.parts.misread, "divided or joined": page.parts.spaces,
    } | delta_parts(page.parts)  # fmt: skip
    told = " + ".join(f"{n:,} {what}" for what, n in parts.items() if n)
    yield (
        f"{plain(page.page_id)}, {plain(page.system)}: {counted(page.wer, 'error')} on "
        f"{counted(page.n_ref_words, 'word')}" + (f" = {told}" if told else "")
    )
    for event in page.events:
        yield f"  {plain(tell_event(event))}"
