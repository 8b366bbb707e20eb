"""Each failure in one sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from htreval_core.diagnosis.groups import Layout
from htreval_core.diagnosis.model import EventKind, Span
from htreval_core.diagnosis.naming import Ground

_TELLINGS: Mapping[EventKind, str] = MappingProxyType(
    {
        EventKind.MARGINALIA: "The marginal note, reference {place}, was read {where}: {cost}.",
        EventKind.COLUMNS_BY_LINE: "A column, reference {place}, was read with its neighbour by "
        "turns: {cost}.",
        EventKind.COLUMNS_ACROSS: "A column, reference {place}, was read with its neighbour across "
        "both columns: {cost}.",
        EventKind.INTERLEAVED: "A column, reference {place}, was read with its neighbour by "
        "turns: {cost}.",
        EventKind.DOUBLE_PAGE: "The two leaves were read into each other, reference {place}: "
        "{cost}.",
        EventKind.COLUMNS_IN_ZONES: "Columns were mixed in zones, reference {place}, read {where}: "
        "{cost}.",
        EventKind.SCRAMBLED: "Short pieces of reference {place} were scattered: {cost}.",
        EventKind.LINES_SWAPPED: "Reference {place} changed places with the text beside: {cost}.",
        EventKind.LOCAL_SWAP: "Reference {place} changed places with the text beside: {cost}.",
        EventKind.SUFFIX_FIRST: "The end of reference {place} was read before its beginning: "
        "{cost}.",
        EventKind.PREFIX_LATE: "The beginning of a line, reference {place}, was read after the "
        "next line: {cost}.",
        EventKind.SUFFIX_LATE: "The end of a line, reference {place}, was read after the next "
        "line: {cost}.",
        EventKind.MOVED: "Reference {place} was read {where} as a block: {cost}.",
        EventKind.MISSING: "{what} of reference {place} is missing: {n} words.",
        EventKind.REPEATED: "The output has {words} words in its {output} that repeat text of the "
        "page.",
        EventKind.INVENTED: "The output has {words} words in its {output} that are not on the "
        "page.",
    }
)
"""Formats. They know the reference as ``place``, of ``n`` words; where the text went as ``where``;
the lines of the output as ``output``; what is missing as ``what``; the cost as ``cost``, or its
number as ``words``."""


def tell_event(
    kind: EventKind,
    words: int,
    reference: Span,
    hypothesis: Sequence[Span],
    ground: Ground,
    layout: Layout,
) -> str:
    """A failure as a sentence.

    Args:
        words: what it cost.
        reference: the reference words that it touches.
        hypothesis: the stretches of the output that it touches.
    """
    placed = ground.has_lines and hypothesis
    return _TELLINGS[kind].format(
        place=tell_lines(ground.ref_lines(reference))
        if ground.has_lines
        else f"words {reference[0] + 1}–{reference[1]}",
        n=reference[1] - reference[0],
        where=_where(hypothesis, ground, layout) if placed else "elsewhere",
        output=tell_lines(ground.hyp_lines(hypothesis)),
        what="The marginal note" if ground.is_marginal(reference) else "The text",
        cost=f"{words} word{'s' if words != 1 else ''} wrong only by order",
        words=words,
    )


def tell_lines(lines: Sequence[int]) -> str:
    """Numbers of lines as a person writes them."""
    if not lines:
        return ""
    if len(lines) == 1:
        return f"line {lines[0]}"
    contiguous = lines[-1] - lines[0] + 1 == len(lines)
    return f"lines {lines[0]}–{lines[-1]}" if contiguous else f"{len(lines)} lines from {lines[0]}"


def _where(pieces: Sequence[Span], ground: Ground, layout: Layout) -> str:
    """After which reference lines the pieces were read."""
    after: list[int] = []
    for start, _ in pieces:
        before = [seg for seg in layout.segments if seg.hyp_end <= start]
        if before:
            last = layout.chunks[before[-1].chunk].pairs[-1][0]
            after.append(ground.reference.line_of[last] + 1)
        else:
            after.append(0)
    named = [f"line {line}" if line else "the top" for line in dict.fromkeys(after)]
    if len(named) == 1:
        return f"after {named[0]}"
    if len(named) <= 3:
        return f"after {', '.join(named[:-1])} and {named[-1]}"
    return f"in {len(pieces)} pieces between {named[0]} and {named[-1]}"
