"""A page as bands: which stretches of the reference were read where, and in which event."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from htreval_core.diagnosis import Diagnosis, Layout
from htreval_core.diagnosis.model import ORDER_FREE, Span


@dataclass(frozen=True, slots=True)
class Band:
    """A stretch of words that was read as a whole.

    Args:
        reference: its words there; empty for added text.
        hypothesis: its words there; empty for missing text.
        event: the number of the event that it belongs to, from 0; -1 where none.
    """

    reference: Span
    hypothesis: Span
    event: int


def page_bands(layout: Layout, diagnosis: Diagnosis) -> list[Band]:
    """All bands of a page: what kept its place first, then events in their order."""
    event_of: dict[int, int] = {}
    for number, event in enumerate(diagnosis.events):
        for group in event.groups:
            event_of.update(dict.fromkeys(layout.groups[group], number))
    bands = [
        Band(
            (chunk.ref_start, chunk.ref_end),
            (chunk.hyp_start, chunk.hyp_end),
            event_of.get(number, -1),
        )
        for number, chunk in enumerate(layout.chunks)
    ]
    for number, event in enumerate(diagnosis.events):
        if event.kind in ORDER_FREE:
            spans = event.hypothesis or ((0, 0),)
            bands += [Band(event.reference, span, number) for span in spans]
    return sorted(bands, key=lambda band: band.event)


@dataclass(frozen=True, slots=True)
class LineVisit:
    """A reference line as the output comes to it.

    Args:
        line: its position in the transcript's lines.
        event: the number of the event that the visit belongs to, from 0; -1 where none.
    """

    line: int
    event: int


def line_visits(bands: Sequence[Band], line_of: Sequence[int]) -> list[LineVisit]:
    """The reference lines in the order in which the output reads them.

    A line that is read in pieces is visited several times.
    """
    visits: list[LineVisit] = []
    for band in sorted(bands, key=lambda band: band.hypothesis):
        if band.hypothesis[1] == band.hypothesis[0]:
            continue
        for line in dict.fromkeys(line_of[band.reference[0] : band.reference[1]]):
            if not visits or visits[-1].line != line:
                visits.append(LineVisit(line, band.event))
    return visits
