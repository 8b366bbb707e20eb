"""Which text of the reference was read where: ribbons from one text to the other."""

from collections.abc import Sequence
from dataclasses import dataclass

from htreval_core.diagnosis.model import Span
from htreval_core.diagnosis.order.bands import Band, anchors


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
