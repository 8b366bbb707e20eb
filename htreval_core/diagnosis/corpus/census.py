"""What kinds of fault a corpus has, and what each costs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from htreval_core.diagnosis.model import Diagnosis, EventKind


@dataclass(frozen=True, slots=True)
class CensusRow:
    """One kind of fault in one system's output.

    Args:
        words: words of the texts concerned, over all pages.
        errors: what WER charges for them.
        wer: the system's WER as it is, a fraction; nan without reference words.
        wer_without: its WER without these errors; text instead of other text stays wrong.
        pieces: stretches of text concerned; an event may tell several.
        notes: how many of them the reference files call marginal notes.
    """

    kind: EventKind
    system: str
    events: int
    page_ids: tuple[str, ...]
    words: int
    errors: int
    wer: float
    wer_without: float
    pieces: int
    notes: int

    @property
    def pages(self) -> int:
        return len(self.page_ids)


def take_census(diagnoses: Mapping[str, Sequence[Diagnosis]]) -> list[CensusRow]:
    """Kinds of fault by system, the costliest first."""
    rows: list[CensusRow] = []
    for system, pages in diagnoses.items():
        n_words = sum(page.n_ref_words for page in pages)
        errors = sum(page.wer for page in pages)
        for kind in EventKind:
            of_kind = [
                (page.page_id, event)
                for page in pages
                for event in page.events
                if event.kind is kind
            ]
            # What the reference is to blame for is no fault of the system.
            if of_kind and kind is not EventKind.REFERENCE:
                lost = sum(event.errors for _, event in of_kind)
                rows.append(
                    CensusRow(
                        kind, system, len(of_kind), tuple(dict.fromkeys(one[0] for one in of_kind)),
                        sum(event.words for _, event in of_kind), lost,
                        errors / n_words if n_words else float("nan"),
                        (errors - lost) / n_words if n_words else float("nan"),
                        sum(event.pieces for _, event in of_kind),
                        sum(event.notes for _, event in of_kind),
                    )
                )  # fmt: skip
    return sorted(rows, key=lambda row: -row.errors)
