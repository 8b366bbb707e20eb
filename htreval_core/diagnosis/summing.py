"""Few events instead of many: small ones and those of a kind are summed up."""

from collections.abc import Sequence
from dataclasses import replace

from htreval_core.diagnosis.limits import SUMMING
from htreval_core.diagnosis.model import (
    ORDER_FREE,
    AtEdge,
    Confidence,
    Event,
    EventKind,
    Passage,
    Place,
    Together,
)
from htreval_core.diagnosis.page.ground import Ground

_AS_ONE = frozenset({EventKind.READ_BADLY, EventKind.REFERENCE, EventKind.SCRAMBLED})


def sum_up(of_order: Sequence[Event], others: Sequence[Event], ground: Ground) -> list[Event]:
    """All events of a page, no more than a person reads."""
    told = _summed(others, ground)
    if len(told) > SUMMING.MOST_OF_OTHERS:
        told = _summed(others, ground, all_as_one=True)
    return [*_at_most(_summed(of_order, ground), ground), *told]


def _summed(events: Sequence[Event], ground: Ground, *, all_as_one: bool = False) -> list[Event]:
    """The events with the small ones of a kind told together, and the many or all of a kind."""
    n_words = len(ground.reference.words)
    kept: list[Event] = []
    for kind, edge in dict.fromkeys((event.kind, _edge(event)) for event in events):
        alike = (e for e in events if e.kind is kind and _edge(e) == edge)
        of_kind = sorted(alike, key=lambda e: -e.errors)
        least = max(SUMMING.SMALL_WORDS, SUMMING.SMALL_SHARE * n_words)
        if kind in ORDER_FREE:
            least = max(least, SUMMING.OTHER_SHARE * n_words)
        large = [e for e in of_kind if max(e.errors, e.words) >= least]
        if kind in _AS_ONE:
            large = []
        elif kind in ORDER_FREE and (all_as_one or len(large) > SUMMING.MOST_OF_A_KIND):
            usual = of_kind[len(of_kind) // 2].errors
            large = [e for e in large if e.errors >= SUMMING.LARGE * usual]
        elif len(large) > SUMMING.MOST_OF_A_KIND:
            large = large[: SUMMING.MOST_OF_A_KIND - 1]
        rest = [e for e in of_kind if e not in large]
        kept += large
        if rest:
            kept.append(rest[0] if len(rest) == 1 else _together(rest, ground))
    return kept


def _edge(event: Event) -> AtEdge | None:
    detail = event.facts.detail if isinstance(event.facts, Passage) else None
    return detail if isinstance(detail, AtEdge) else None


def _at_most(events: list[Event], ground: Ground) -> list[Event]:
    """No more events than a person reads: the smallest become scattered pieces."""
    costly = sorted(events, key=lambda event: -event.errors)
    if len(costly) <= SUMMING.MOST_OF_ORDER:
        return costly
    kept, rest = (costly[: SUMMING.MOST_OF_ORDER - 1], costly[SUMMING.MOST_OF_ORDER - 1 :])
    kept += [event for event in rest if event.kind is EventKind.REFERENCE]
    rest = [event for event in rest if event.kind is not EventKind.REFERENCE]
    if not rest:
        return kept
    scattered = [replace(event, kind=EventKind.SCRAMBLED) for event in rest]
    return [*kept, _together(scattered, ground)]


def _together(events: Sequence[Event], ground: Ground) -> Event:
    """Several events of a kind as one."""
    first = events[0]
    hypothesis = sorted(span for event in events for span in event.hypothesis)
    groups = tuple(sorted(group for event in events for group in event.groups))
    start, end = (
        min(event.reference[0] for event in events), max(event.reference[1] for event in events)
    )  # fmt: skip
    lines = sorted({line for event in events for line in event.reference_lines})
    words, errors = sum(e.words for e in events), sum(e.errors for e in events)
    return replace(
        first, words=words, errors=errors, reference=(start, end), hypothesis=tuple(hypothesis),
        reference_lines=tuple(lines), hypothesis_lines=ground.hyp_lines(hypothesis),
        confidence=Confidence.LIKELY, groups=groups, text="",
        facts=Together(len(events), _places(events, ground), _edge(first)),
        pieces=sum(event.pieces for event in events), notes=sum(event.notes for event in events),
    )  # fmt: skip


def _places(events: Sequence[Event], ground: Ground) -> tuple[Place, ...]:
    """Where text that is missing stands, if the places are few enough to be listed."""
    if events[0].kind is not EventKind.MISSING or len(events) > SUMMING.MOST_LISTED:
        return ()
    in_order = sorted(events, key=lambda event: event.reference)
    return tuple(ground.place([event.reference]) for event in in_order)
