"""Layout faults of two systems as changes: what B fixes, what it adds, what both have."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from htreval_core.diagnosis.model import Diagnosis, Event, EventKind, Span


class Change(StrEnum):
    """What becomes of a fault from A to B."""

    FIXED = "fixed"
    ADDED = "added"
    BOTH = "both"


@dataclass(frozen=True, slots=True)
class EventChange:
    """A layout fault of one page under two systems.

    Args:
        kind: as A has it; where only B has it, as B does.
        words: of the text concerned, under whichever has more.
        errors_a: what WER charges for it under A; 0 where A has it right.
        errors_b: the same under B.
        numbers: the event's number from 0 on the page under A and B; None where it is right.
    """

    page_id: str
    kind: EventKind
    change: Change
    words: int
    errors_a: int
    errors_b: int
    numbers: tuple[int | None, int | None]


def event_changes(
    diagnoses: Mapping[str, Sequence[Diagnosis]], a: str, b: str
) -> list[EventChange]:
    """Every fault of A or B on the pages that both have read, the costliest change first.

    A fault of A and one of B are the same where both are of order, or both are not, and half of
    the shorter one's reference words are the other's too. What the reference is to blame for is no
    fault of a system.
    """
    of_b = {one.page_id: one for one in diagnoses[b]}
    found = [
        change
        for one in diagnoses[a]
        if one.page_id in of_b
        for change in _page_changes(one, of_b[one.page_id])
    ]
    return sorted(found, key=lambda change: -abs(change.errors_a - change.errors_b))


def _page_changes(a: Diagnosis, b: Diagnosis) -> Iterator[EventChange]:
    left = {n: event for n, event in enumerate(b.events) if event.kind is not EventKind.REFERENCE}
    for number, event in enumerate(a.events):
        if event.kind is EventKind.REFERENCE:
            continue
        alike = [n for n, other in left.items() if _is_same(event, other)]
        mate = max(alike, key=lambda n: _shared(event.reference, left[n].reference), default=None)
        change, words, errors = Change.FIXED, event.words, 0
        if mate is not None:
            other = left.pop(mate)
            change, words, errors = Change.BOTH, max(words, other.words), other.errors
        yield EventChange(
            a.page_id, event.kind, change, words, event.errors, errors, (number, mate)
        )
    for number, event in left.items():
        yield EventChange(
            a.page_id, event.kind, Change.ADDED, event.words, 0, event.errors, (None, number)
        )


def _is_same(one: Event, other: Event) -> bool:
    if one.of_order != other.of_order:
        return False
    lengths = [end - start for start, end in (one.reference, other.reference)]
    if min(lengths) == 0:
        # Text that only the output has stands nowhere in the reference.
        return max(lengths) == 0 and one.kind is other.kind
    return 2 * _shared(one.reference, other.reference) >= min(lengths)


def _shared(one: Span, other: Span) -> int:
    return min(one[1], other[1]) - max(one[0], other[0])
