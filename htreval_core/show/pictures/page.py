"""One page: what its errors are made of, and both reading orders on the page itself."""

from collections.abc import Sequence
from dataclasses import dataclass

from htreval_core.diagnosis import Diagnosis
from htreval_core.diagnosis.order.bands import LineVisit
from htreval_core.model import Parts, Transcript

Point = tuple[float, float]


PARTS_OF_WER = ("misread", "spaces", "order", "coincidence", "doubt")
"""What the errors of WER come from, by field of ``Parts``."""


def parts_json(parts: Parts) -> dict[str, int]:
    """The parts as files tell them; beside them, how much of order and doubt is convention."""
    return {name: getattr(parts, name) for name in (*PARTS_OF_WER, "convention")}


def part_errors(bwer: int, wer: int, parts: Parts | None) -> dict[str, int]:
    """The errors of WER by part; without a diagnosis only bWER's and ΔWER's."""
    if parts is None:
        return {"misread": bwer, "delta": wer - bwer}
    return {name: getattr(parts, name) for name in PARTS_OF_WER}


@dataclass(frozen=True, slots=True)
class Shade:
    """A line that belongs to an event; both are counted from 0."""

    line: int
    event: int


@dataclass(frozen=True, slots=True)
class Jump:
    """A place where the output leaves the reference's order; ``line`` is a position from 0."""

    at: Point
    line: int


@dataclass(frozen=True, slots=True)
class PageMap:
    """Both reading orders through the middles of lines, in the units of the transcription.

    Args:
        size: width and height of the page.
        in_order: the path of the reference.
        admissible: the path of the best order that the page allows, where that is another.
        as_read: the path of the output.
        jumps: where the output starts, and where it goes on elsewhere than in the same line or
            the next.
        shades: the lines of events, event by event.
    """

    size: tuple[int, int]
    in_order: tuple[Point, ...]
    admissible: tuple[Point, ...]
    as_read: tuple[Point, ...]
    jumps: tuple[Jump, ...]
    shades: tuple[Shade, ...]


def picture_page_map(
    transcript: Transcript, visits: Sequence[LineVisit], diagnosis: Diagnosis,
    admissible: Sequence[int] = (),
) -> PageMap | None:  # fmt: skip
    """The page with the paths of both sides.

    Args:
        visits: the reference lines in the output's order.
        admissible: the lines in the best order that the page allows, where that is another.

    Returns:
        None where the reference has no geometry.
    """
    outlines = {n: line.polygon for n, line in enumerate(transcript.lines) if line.polygon}
    if transcript.page_size is None or len(outlines) < 2:
        return None
    middles = {number: outline.middle for number, outline in outlines.items()}
    seen = [visit.line for visit in visits if visit.line in middles]
    before = [-2, *seen]
    return PageMap(
        transcript.page_size,
        tuple(middles.values()),
        tuple(middles[line] for line in admissible if line in middles),
        tuple(middles[line] for line in seen),
        tuple(
            Jump(middles[line], line)
            for last, line in zip(before, seen, strict=False)
            if line not in (last, last + 1)
        ),
        tuple(
            Shade(line - 1, number)
            for number, event in enumerate(diagnosis.events)
            for line in event.reference_lines
            if line - 1 in outlines
        ),
    )
