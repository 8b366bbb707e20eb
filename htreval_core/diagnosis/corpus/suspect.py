"""Where not the systems but the reference may be out of order, over all systems and pages.

One page and one system may tell by themselves (``doubt``). Besides: the same stretch is displaced
in nearly all systems, which do not read alike by chance; or lines of a region run upward. Systems
whose names begin alike, such as ``tesseract-4`` and ``tesseract-5``, are one voice: what the same
program does to a page says nothing of the page.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from htreval_core.diagnosis.limits import SUSPECT
from htreval_core.diagnosis.model import (
    UNPLACED,
    Diagnosis,
    Elsewhere,
    Event,
    EventKind,
    ReadAlike,
    Span,
)
from htreval_core.model import Line, Page

_OF_ENGINES = frozenset({
    EventKind.COLUMNS_ACROSS, EventKind.COLUMNS_BY_LINE, EventKind.INTERLEAVED,
    EventKind.DOUBLE_PAGE, EventKind.SCRAMBLED, EventKind.ARTICLES, EventKind.COLUMNS_IN_ZONES,
    EventKind.TABLE,
})  # fmt: skip
"""What many engines do alike, and nobody who transcribes a page: text mixed with other text."""


@dataclass(frozen=True, slots=True)
class Suspicion:
    """A stretch of a reference that may itself be out of order.

    Args:
        reference_lines: numbers of its lines, from 1.
        systems: the systems that read these words elsewhere, the one first that it costs most;
            none where outlines alone tell.
        errors: what it costs a system on average, in word errors; 0 where outlines alone tell.
        event: what was found under the system that it costs most; None where outlines alone tell.
    """

    page_id: str
    reference_lines: tuple[int, ...]
    systems: tuple[str, ...]
    errors: int
    event: Event | None


def blame_references(
    diagnoses: Mapping[str, Sequence[Diagnosis]],
) -> dict[str, tuple[Diagnosis, ...]]:
    """The diagnoses with what nearly all systems read elsewhere laid to the reference."""
    of_page: dict[str, list[Diagnosis]] = {}
    for of_system in diagnoses.values():
        for found in of_system:
            of_page.setdefault(found.page_id, []).append(found)
    blamed = {
        (one.page_id, one.system): one for found in of_page.values() for one in _blamed(found)
    }
    return {
        system: tuple(blamed[one.page_id, system] for one in of_system)
        for system, of_system in diagnoses.items()
    }


def _blamed(found: Sequence[Diagnosis]) -> list[Diagnosis]:
    """The diagnoses of one page under all systems."""
    voices = {_voice(one.system) for one in found}
    if len(voices) < SUSPECT.LEAST_SYSTEMS:
        return list(found)
    displaced = [
        {n: event for n, event in enumerate(one.events) if _may_be_blamed(event)} for one in found
    ]
    blamed = list(found)
    for at, numbers in enumerate(displaced):
        for number, event in numbers.items():
            alike = {
                _voice(other.system)
                for other, theirs in zip(found, displaced, strict=True)
                if any(_are_same(event, one) for one in theirs.values())
            }
            of_order = event.kind is not EventKind.REFERENCE
            if of_order and len(alike) >= SUSPECT.MOST_OF_THEM * len(voices):
                blamed[at] = blamed[at].in_doubt(number, ReadAlike(len(alike), len(voices)))
    return blamed


def _are_same(a: Event, b: Event) -> bool:
    """Whether two events are of the same words, or each of those that the other jumps over."""
    if _overlap(a.reference, b.reference) >= SUSPECT.SAME:
        return True
    if not (isinstance(a.facts, Elsewhere) and isinstance(b.facts, Elsewhere)):
        return False
    pairs = (a.reference_lines, b.facts.jumped), (b.reference_lines, a.facts.jumped)
    return all(len({*x} & {*y}) >= SUSPECT.SAME * len({*x} | {*y}) for x, y in pairs)


def _may_be_blamed(event: Event) -> bool:
    """Whether the reference may be at fault for displaced text."""
    # Whoever transcribes a page puts lines and regions out of order, never parts of lines.
    is_cut = isinstance(event.facts, Elsewhere) and event.facts.within
    may_be = event.kind not in UNPLACED | _OF_ENGINES and not is_cut
    return event.of_order and may_be and event.words >= SUSPECT.LEAST_WORDS


def _voice(system: str) -> str:
    """How a system's name begins, up to a digit or a sign."""
    return re.split(r"[\W\d_]", system, maxsplit=1)[0].lower() or system


def suspect_references(
    page_ids: Iterable[str], diagnoses: Mapping[str, Sequence[Diagnosis]],
    upward: Mapping[str, Sequence[int]],
) -> list[Suspicion]:  # fmt: skip
    """Every suspicion about the references of these pages, those that cost most first.

    Args:
        diagnoses: of each system, as ``hv.diagnose`` gives them.
        upward: what ``lines_upward`` found, by page id; ``hv.diagnose`` gives that, too.
    """
    of_page: dict[str, list[Diagnosis]] = {}
    for of_system in diagnoses.values():
        for found in of_system:
            of_page.setdefault(found.page_id, []).append(found)
    suspicions: list[Suspicion] = []
    for page_id in page_ids:
        found_here = of_page.get(page_id, [])
        suspicions += page_suspicions(page_id, found_here, upward.get(page_id, ()))
    return sorted(suspicions, key=lambda suspicion: -suspicion.errors)


def page_suspicions(
    page_id: str, found: Sequence[Diagnosis], upward: Sequence[int]
) -> list[Suspicion]:
    """What the diagnoses of one page lay to its reference, and what its outlines say alone."""
    suspicions: list[Suspicion] = []
    taken: list[Span] = []
    blamed = [
        (one.system, event)
        for one in found
        for event in one.events
        if event.kind is EventKind.REFERENCE
    ]
    for _, event in sorted(blamed, key=lambda pair: -pair[1].errors):
        if any(_overlap(event.reference, span) >= SUSPECT.SAME for span in taken):
            continue
        taken.append(event.reference)
        alike = {s: e for s, e in blamed if _overlap(event.reference, e.reference) >= SUSPECT.SAME}
        errors = round(sum(e.errors for e in alike.values()) / len(alike))
        suspicions.append(
            Suspicion(
                page_id, event.reference_lines,
                tuple(sorted(alike, key=lambda system: -alike[system].errors)), errors, event,
            )
        )  # fmt: skip
    known = {line for suspicion in suspicions for line in suspicion.reference_lines}
    left = tuple(line for line in upward if not {line - 1, line} & known)
    return [*suspicions, Suspicion(page_id, left, (), 0, None)] if left else suspicions


def lines_upward(page: Page) -> tuple[int, ...]:
    """Lines of a region, by number from 1, that stand wholly above the line before them.

    By the outlines of the reference.
    """
    return tuple(
        number
        for number, (one, after) in enumerate(pairwise(page.reference.lines), start=2)
        if _is_above(after, one)
    )


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
