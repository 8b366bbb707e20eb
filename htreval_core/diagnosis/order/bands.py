"""A page as bands: which stretches of the reference were read where, and in which event."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from htreval_core.diagnosis.model import ORDER_FREE, Diagnosis, Span
from htreval_core.diagnosis.order.groups import Layout
from htreval_core.metrics.kinds import WordKind, pair_kinds
from htreval_core.metrics.page import ScoredPage
from htreval_core.model import IntArray


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

    @property
    def on_both(self) -> bool:
        """Whether both sides have words of it."""
        return self.reference[1] > self.reference[0] and self.hypothesis[1] > self.hypothesis[0]


def page_bands(layout: Layout, diagnosis: Diagnosis) -> list[Band]:
    """All bands of a page: what kept its place first, then events in their order."""
    event_of: dict[int, int] = {}
    for number, event in enumerate(diagnosis.events):
        for group in event.groups:
            event_of.update(dict.fromkeys(layout.groups[group], number))
    bands = [
        Band((one.ref_start, one.ref_end), (one.hyp_start, one.hyp_end), event_of.get(number, -1))
        for number, one in enumerate(layout.chunks)
    ]
    for number, event in enumerate(diagnosis.events):
        if event.kind in ORDER_FREE:
            spans = event.hypothesis or ((0, 0),)
            bands += [Band(event.reference, span, number) for span in spans]
    return sorted(bands, key=lambda band: band.event)


def anchors(bands: Sequence[Band]) -> list[Span]:
    """Places of the reference and of the output that correspond, rising in both.

    They are both ends of the bands that keep the order of most words, so that two texts can be
    scrolled side by side.
    """
    both = sorted((band.hypothesis, band.reference) for band in bands if band.on_both)
    kept = _heaviest_increasing([(start, end, end - start) for _, (start, end) in both])
    return [
        (both[number][1][edge], both[number][0][edge]) for number in sorted(kept) for edge in (0, 1)
    ]


def _heaviest_increasing(pieces: list[tuple[int, int, int]]) -> set[int]:
    """Numbers of the pieces (start, end, weight) of the heaviest subsequence without overlap.

    A front of ends with ever larger total weight is kept sorted: each piece extends the heaviest
    chain that ends before it starts, and drops the chains that it overtakes."""
    reached: list[int] = []
    totals: list[int] = []
    ends: list[int] = []
    before: list[int] = []
    for number, (start, end, weight) in enumerate(pieces):
        at = bisect_right(reached, start)
        total = weight + (totals[at - 1] if at else 0)
        before.append(ends[at - 1] if at else -1)
        at = bisect_right(reached, end)
        if at and totals[at - 1] >= total:
            continue
        at = stop = at - 1 if at and reached[at - 1] == end else at
        while stop < len(reached) and totals[stop] <= total:
            stop += 1
        reached[at:stop], totals[at:stop], ends[at:stop] = [end], [total], [number]
    kept: set[int] = set()
    number = ends[-1] if ends else -1
    while number >= 0:
        kept.add(number)
        number = before[number]
    return kept


def events_of_words(
    bands: Sequence[Band], n_ref_words: int, n_hyp_words: int
) -> tuple[IntArray, IntArray]:
    """The number of the event that each word belongs to, -1 for none, by side."""
    ref, hyp = np.full(n_ref_words, -1), np.full(n_hyp_words, -1)
    for band in bands:
        if band.event >= 0:
            ref[slice(*band.reference)] = hyp[slice(*band.hypothesis)] = band.event
    return ref, hyp


def events_of_pairs(page: ScoredPage, bands: Sequence[Band]) -> IntArray:
    """The number of the event of each pair of the matching, -1 for none; shape as its pairs."""
    words = page.matching
    ref, hyp = words.pairs
    of_ref, of_hyp = events_of_words(bands, len(words.ref_words), len(words.hyp_words))
    # A word that stands where it should needs both sides to be part of an event.
    either = np.where(of_ref[ref] >= 0, of_ref[ref], of_hyp[hyp])
    stays = (pair_kinds(page) == WordKind.CORRECT) & (of_ref[ref] != of_hyp[hyp])
    return np.where(stays, -1, either)


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


def mate_of(page: ScoredPage, picked: tuple[str, int] | None) -> Span | None:
    """A picked word's position in the reference and in the hypothesis, -1 where it has none.

    Args:
        picked: ("ref" or "hyp", position); None where there is no such word.
    """
    if picked is None:
        return None
    side, index = picked
    positions = page.matching.ref_index if side == "ref" else page.matching.hyp_index
    at = np.flatnonzero(positions == index)
    if index < 0 or not len(at):
        return None
    return int(page.matching.ref_index[at[0]]), int(page.matching.hyp_index[at[0]])
