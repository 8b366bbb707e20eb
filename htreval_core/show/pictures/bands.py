"""Which text of the reference was read where: ribbons from one text to the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from htreval_core.diagnosis import Diagnosis, EventKind
from htreval_core.diagnosis.model import Span
from htreval_core.diagnosis.order.bands import Band, anchors
from htreval_core.show.telling.events import tell_event


@dataclass(frozen=True, slots=True)
class Strand:
    """All bands of one event, or of what kept its place.

    Args:
        event: its number from 0; -1 for what kept its place.
        kind: its kind; None for what kept its place.
        sentence: what happened, in plain words.
    """

    event: int
    kind: EventKind | None
    sentence: str
    bands: tuple[Band, ...]


@dataclass(frozen=True, slots=True)
class Ribbons:
    """Two texts and the bands between them, in words.

    Args:
        strands: what kept its place first, then events in their order.
    """

    n_ref_words: int
    n_hyp_words: int
    strands: tuple[Strand, ...]


def picture_ribbons(bands: Sequence[Band], diagnosis: Diagnosis, n_hyp_words: int) -> Ribbons:
    """The bands of a page, sorted by event as ``page_bands`` gives them."""
    strands = []
    for event, own in groupby(bands, key=lambda band: band.event):
        told = None if event < 0 else diagnosis.events[event]
        kind, sentence = (told.kind, tell_event(told)) if told else (None, "in its place")
        strands.append(Strand(event, kind, sentence, tuple(own)))
    return Ribbons(diagnosis.n_ref_words, n_hyp_words, tuple(strands))


@dataclass(frozen=True, slots=True)
class Links:
    """What ties two texts that are scrolled side by side, in words of the left and the right one.

    Args:
        bands: (left start, left end, right start, right end, event), ends exclusive, -1 for no
            event.
        anchors: places that correspond, rising in both.
    """

    bands: tuple[tuple[int, int, int, int, int], ...]
    anchors: tuple[Span, ...]


def picture_links(bands: Sequence[Band], *, mirrored: bool = False) -> Links:
    """The reference on the left and the output on the right, or mirrored."""
    sides = [(band.reference, band.hypothesis) for band in bands]
    places = anchors(bands)
    if mirrored:
        sides = [(hyp, ref) for ref, hyp in sides]
        places = [(hyp, ref) for ref, hyp in places]
    return Links(
        tuple(
            (*left, *right, band.event) for (left, right), band in zip(sides, bands, strict=True)
        ),
        tuple(places),
    )
