"""How much of what displaced text costs is a matter of convention: the page allows other orders."""

import re
from collections.abc import Sequence
from dataclasses import replace

from htreval_core.diagnosis.model import Event
from htreval_core.diagnosis.order.displaced import Displaced
from htreval_core.diagnosis.order.groups import Layout
from htreval_core.diagnosis.order.repair import repaired_order
from htreval_core.diagnosis.page.ground import Ground
from htreval_core.metrics.orders.search import best_order
from htreval_core.metrics.page import ScoredPage
from htreval_core.metrics.words import distance

_MARK = re.compile(r"[([]?(?:\d{1,2}|[a-z])[)\]]|\*+\)?|[†‡⁰¹²³⁴-⁹]+")
"""What refers to a note, and begins it."""


def is_footnote(found: Displaced) -> bool:
    """Whether displaced text is notes that end the page, called by their marks in its text."""
    words = found.ground.reference.words
    start, end = found.reference
    mark, after = _MARK.match(words[start]), words[end : end + 1]
    ends_page = not after or _MARK.match(after[0])
    if mark is None or not ends_page or not found.ground.starts_ref_line(start):
        return False
    return any(word.rstrip(".,;:").endswith(mark[0]) for word in words[:start])


def with_conventions(
    events: Sequence[Event], page: ScoredPage, layout: Layout, ground: Ground
) -> list[Event]:
    """The events with what of their errors another admissible order spares.

    One after the other, the costliest first, is put back into its place in the reference. Each time
    two counts fall: the errors against the reference as it stands, and those in the best order that
    the page allows. By how much the first falls further is a matter of convention, and all of the
    event is where the second does not fall at all. Over all events that is what the admissible
    orders spare the page, but for what its coincidences gain by another order.
    """
    errors, least = page.strict, page.admissible.errors
    if not page.admissible.spared:
        return list(events)
    ref, hyp = ground.words.common
    bag = page.scores.bwer.errors
    back: list[int] = []
    excused = list(events)
    of_order = [number for number, event in enumerate(events) if event.groups]
    for number in sorted(of_order, key=lambda number: -events[number].errors):
        event = events[number]
        back += event.groups
        ordered = hyp[repaired_order(layout, back)]
        strict = distance(ref, ordered)
        best = best_order(page.tree, ref, ordered, strict=strict, bag=bag, prove=False).errors
        spared = min((errors - strict) - max(least - best, 0), event.errors)
        if spared > 0:
            is_all = best >= least or spared == event.errors
            excused[number] = replace(event, convention=spared, all_allowed=is_all)
        errors, least = strict, best
    return excused
