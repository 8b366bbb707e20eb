"""How much of what displaced text costs is a matter of convention: the page allows other orders."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rapidfuzz.distance import Levenshtein

from htreval_core.diagnosis.ground import Ground
from htreval_core.diagnosis.groups import Layout
from htreval_core.diagnosis.model import Event
from htreval_core.diagnosis.repair import repaired_order
from htreval_core.metrics.orders.search import least_errors
from htreval_core.metrics.page import ScoredPage


def with_conventions(
    events: Sequence[Event], page: ScoredPage, layout: Layout, ground: Ground
) -> list[Event]:
    """The events with what of their errors another admissible order spares.

    One after the other, the costliest first, is put back into its place in the reference. Each time
    the errors are counted twice: against the reference as it stands, which is what the event costs,
    and in the best order that the page allows. What the second count does not lose is a matter of
    convention.
    """
    left = page.admissible.errors
    if left == page.scores.wer.errors:
        return list(events)
    ref, hyp = ground.words.common
    bag = page.scores.bwer.errors
    back: list[int] = []
    found: dict[int, int] = {}
    of_order = [number for number, event in enumerate(events) if event.groups]
    for number in sorted(of_order, key=lambda number: -events[number].errors):
        event = events[number]
        back += event.groups
        ordered = hyp[repaired_order(layout, back)]
        strict = int(Levenshtein.distance(ref.tolist(), ordered.tolist()))
        best = least_errors(page.tree, ref, ordered, strict=strict, bag=bag, prove=False).errors
        saved = min(max(left - best, 0), event.errors)
        found[number] = event.errors - saved
        left = best
    return [
        _told(event, found[number]) if found.get(number) else event
        for number, event in enumerate(events)
    ]


def _told(event: Event, convention: int) -> Event:
    if convention == event.errors:
        said = "That is a matter of convention: the page allows this order too."
    elif convention == 1:
        said = "One of these errors is a matter of convention: another order is allowed."
    else:
        said = (
            f"{convention:,} of these errors are a matter of convention: another order is allowed."
        )
    return replace(event, convention=convention, sentence=f"{event.sentence} {said}")
