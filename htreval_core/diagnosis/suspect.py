"""Where not the systems but the reference may be out of order.

Two signs: the same stretch is displaced in nearly all systems, which do not read alike by chance;
or the lines of the reference run upward on the page.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from htreval_core.diagnosis.model import ORDER_FREE, Diagnosis, Event, Span
from htreval_core.diagnosis.telling import tell_lines
from htreval_core.model import Line, Page

_LEAST_SYSTEMS = 3
_MOST_OF_THEM = 0.8
_SAME = 0.5
"""From this intersection over union on two events are about the same words."""
_LEAST_WORDS = 5


@dataclass(frozen=True, slots=True)
class Suspicion:
    """A stretch of a reference that may itself be out of order.

    Args:
        reference_lines: numbers of its lines, from 1.
        systems: the systems that all read these words elsewhere; none where geometry tells.
        words: what it costs a system on average, in words; 0 where geometry tells.
        sentence: the suspicion in plain words, with what to do.
    """

    page_id: str
    reference_lines: tuple[int, ...]
    systems: tuple[str, ...]
    words: int
    sentence: str


def suspect_references(
    pages: Iterable[Page], diagnoses: Mapping[str, Sequence[Diagnosis]]
) -> list[Suspicion]:
    """Every suspicion about the references of these pages, those that cost most first.

    Args:
        diagnoses: of each system, as ``diagnose`` gives them.
    """
    of_page: dict[str, list[Diagnosis]] = {}
    for of_system in diagnoses.values():
        for found in of_system:
            of_page.setdefault(found.page_id, []).append(found)
    suspicions: list[Suspicion] = []
    for page in pages:
        suspicions += displaced_everywhere(page.page_id, of_page.get(page.page_id, []))
        suspicions += running_upward(page)
    return sorted(suspicions, key=lambda suspicion: -suspicion.words)


def displaced_everywhere(page_id: str, found: Sequence[Diagnosis]) -> list[Suspicion]:
    """Stretches that at least 80 % of three or more systems read elsewhere."""
    if len(found) < _LEAST_SYSTEMS:
        return []
    candidates = [
        (diagnosis.system, event)
        for diagnosis in found
        for event in diagnosis.events
        if event.kind not in ORDER_FREE and event.words >= _LEAST_WORDS
    ]
    suspicions: list[Suspicion] = []
    taken: list[Span] = []
    for _, event in sorted(candidates, key=lambda one: -one[1].words):
        if any(_overlap(event.reference, span) >= _SAME for span in taken):
            continue
        alike = {
            system: other
            for system, other in candidates
            if _overlap(event.reference, other.reference) >= _SAME
        }
        if len(alike) >= _MOST_OF_THEM * len(found):
            taken.append(event.reference)
            suspicions.append(_by_systems(page_id, event, alike, len(found)))
    return suspicions


def _by_systems(
    page_id: str, event: Event, alike: Mapping[str, Event], n_systems: int
) -> Suspicion:
    words = round(sum(other.words for other in alike.values()) / len(alike))
    lines = event.reference_lines
    return Suspicion(
        page_id,
        lines,
        tuple(alike),
        words,
        f"{len(alike)} of {n_systems} systems read {tell_lines(lines)} elsewhere, at a cost of "
        f"about {words} words each: the reference itself may be out of order there. Compare it "
        "with the page.",
    )


def running_upward(page: Page) -> list[Suspicion]:
    """Lines of one region that follow a line below them, by the polygons of the reference."""
    lines = page.reference.lines
    upward = [
        number + 2 for number, (one, after) in enumerate(pairwise(lines)) if _is_above(after, one)
    ]
    if not upward:
        return []
    stand = "stands" if len(upward) == 1 else "stand"
    return [
        Suspicion(
            page.page_id,
            tuple(upward),
            (),
            0,
            f"{tell_lines(upward).capitalize()} of the reference {stand} above the line before in "
            "the same region: the reference itself may be out of order. Compare it with the page.",
        )
    ]


def _is_above(line: Line, other: Line) -> bool:
    if line.region != other.region or not line.polygon or not other.polygon:
        return False
    left, _, right, bottom = line.polygon.box
    other_left, other_top, other_right, _ = other.polygon.box
    shared = min(right, other_right) - max(left, other_left)
    narrower = min(right - left, other_right - other_left)
    # Turned or slanted lines overlap in height: only a line that is wholly above counts.
    return shared > 0.5 * narrower and bottom <= other_top


def _overlap(a: Span, b: Span) -> float:
    """Intersection over union of two spans."""
    shared = min(a[1], b[1]) - max(a[0], b[0])
    union = max(a[1], b[1]) - min(a[0], b[0])
    return shared / union if shared > 0 else 0.0
