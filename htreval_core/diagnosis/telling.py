"""Each failure in one sentence: what happened, to how many words, and what WER charges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from htreval_core.diagnosis.model import Event, EventKind, Span
from htreval_core.diagnosis.order.displaced import Displaced
from htreval_core.diagnosis.order.naming import n_columns
from htreval_core.diagnosis.page.ground import Ground

_ORDER: Mapping[EventKind, str] = MappingProxyType(
    {
        EventKind.MARGINALIA: "The marginal note, reference {place}, was read {where}",
        EventKind.COLUMNS_BY_LINE: "{columns} were read by turns, a line of each, reference {both}",
        EventKind.COLUMNS_ACROSS: "{columns} were read across, line by line, reference {both}",
        EventKind.COLUMN_ORDER: "Columns were read in the wrong order: reference {place} {before} "
        "{jumped} beside it",
        EventKind.BELOW_RULE: "Text below a rule was read into the columns above: reference "
        "{place} as the continuation of the column over it, {where}",
        EventKind.INTERLEAVED: "Two columns, it seems, were read by turns, reference {place}",
        EventKind.DOUBLE_PAGE: "The two leaves were read into each other, reference {both}",
        EventKind.COLUMNS_IN_ZONES: "Columns were mixed in zones: reference {place} {was} read "
        "{where}",
        EventKind.TABLE: "A table was read by rows where the reference has it by columns, "
        "reference {both}",
        EventKind.RUNNING_HEAD: "The running head, reference {place}, was read {where}",
        EventKind.PAGE_NUMBER: "The page number, reference {place}, was read {where}",
        EventKind.CATCH_WORD: "The catch-word, reference {place}, was read {where}",
        EventKind.FOOTNOTE: "The footnote, reference {place}, was read {where}",
        EventKind.DROP_CAPITAL: "The drop capital, reference {place}, was read {where}",
        EventKind.SIGNS: "The signs at the beginnings of lines were read as a column of their own, "
        "reference {place}, {where}",
        EventKind.SCRAMBLED: "Short pieces of reference {place} were scattered",
        EventKind.LINES_SWAPPED: "Reference {place} changed places with the text beside",
        EventKind.LOCAL_SWAP: "Reference {place} changed places with the text beside",
        EventKind.SUFFIX_FIRST: "The end of reference {place} was read before its beginning",
        EventKind.PREFIX_LATE: "The beginning of a line, reference {place}, was read after the "
        "next line",
        EventKind.SUFFIX_LATE: "The end of a line, reference {place}, was read after the next line",
        EventKind.MOVED: "Reference {place} {was} read {where}{early}",
        EventKind.REFERENCE: "The reference itself may be out of order at {place}: {reason}. The "
        "output read it {where}",
    }
)
"""Formats. They know the reference as ``place``, with the text that it was mixed with as ``both``;
where it was read as ``where``; the columns as ``columns``; what it jumped over as ``jumped``."""

_SEVERAL: Mapping[EventKind, str] = MappingProxyType(
    {
        EventKind.MISSING: "{n} short pieces of text are missing, reference {place}: {words}.",
        EventKind.REPEATED: "{n} short pieces of text of the page are repeated: {words}.",
        EventKind.INVENTED: "{n} short pieces of text are added that the reference does not "
        "have: {words}.",
        EventKind.REPLACED: "{n} passages were replaced by other text, reference {place}: {words}.",
        EventKind.READ_BADLY: "{n} passages were read badly, or could not be read, reference "
        "{place}: {words}.",
        EventKind.LOOP: "The output loops in {n} places: {words} too many.",
        EventKind.TRANSLATED: "{n} passages were translated, reference {place}: {words}.",
        EventKind.TALK: "The output talks of its own in {n} places: {words}.",
    }
)


def tell_order(kind: EventKind, found: Displaced, errors: int, reason: str | None = None) -> str:
    """Displaced text in one sentence.

    Args:
        errors: what putting it back saves.
        reason: why the reference is in doubt, as a clause.
    """
    ground = found.ground
    both = sorted({*found.lines, *found.lines_of(found.between)})
    columns = n_columns(found)
    jumped = ground.lines_of(
        (found.layout.chunks[n].ref_start, found.layout.chunks[n].ref_end) for n in found.jumped
    )
    said = _ORDER[kind].format(
        place=tell_place(found.spans, ground),
        both=tell_lines([line + 1 for line in both]) if ground.has_lines else "",
        where=_where(found) if ground.has_lines else "elsewhere",
        columns=_COUNTED.get(columns, f"{columns} columns" if columns > 1 else "Columns"),
        was="was" if ground.has_lines and len(found.lines) == 1 else "were",
        before="after" if _came_late(found) else "before",
        early=_early(found, jumped) if ground.has_lines else "",
        jumped=tell_lines([line + 1 for line in jumped]) if ground.has_lines else "other text",
        reason=reason or "most systems read it elsewhere",
    )
    mark = ";" if ":" in said else ":"
    return f"{said}{mark} {cost(found.n_words, errors)}."


_COUNTED = {
    n: f"{word} columns"
    for n, word in enumerate(
        ("Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten"), start=2
    )
}


def cost(n_words: int, errors: int) -> str:
    """Words and errors apart, as one clause."""
    return f"{counted(n_words, 'word')} read elsewhere, for which WER charges " + counted(
        errors, "error"
    )


def counted(n: int, what: str) -> str:
    """A number of things."""
    return f"{n:,} {what}{'' if n == 1 else 's'}"


def tell_several(
    kind: EventKind, events: Sequence[Event], lines: Sequence[int], ground: Ground
) -> str:
    """Several events of a kind in one sentence.

    Args:
        lines: numbers of their reference lines, from 1.
    """
    place = tell_lines(lines) or "text"
    if kind is EventKind.MISSING and len(events) <= _MOST_RUNS:
        in_order = sorted(events, key=lambda event: event.reference)
        places = [tell_place([event.reference], ground) for event in in_order]
        place = f"{', '.join(places[:-1])} and {places[-1]}"
    n_words, errors = sum(e.words for e in events), sum(e.errors for e in events)
    if kind in _SEVERAL:
        words = counted(n_words, "word")
        return _SEVERAL[kind].format(n=len(events), place=place, words=words)
    if kind is EventKind.REFERENCE:
        return (
            f"The reference itself may be out of order at {place}, where the output follows the "
            f"page: {cost(n_words, errors)}."
        )
    if kind is EventKind.SCRAMBLED:
        return (
            f"{len(events)} smaller stretches, reference {place}, were read elsewhere: "
            f"{cost(n_words, errors)}."
        )
    return (
        f"The same happened {len(events)} times on a small scale, reference {place}: "
        f"{cost(n_words, errors)}."
    )


def tell_lines(lines: Sequence[int]) -> str:
    """Numbers of lines as a person writes them."""
    if not lines:
        return ""
    if len(lines) == 1:
        return f"line {lines[0]}"
    runs: list[list[int]] = []
    for line in lines:
        if runs and line == runs[-1][1] + 1:
            runs[-1][1] = line
        else:
            runs.append([line, line])
    if len(runs) > _MOST_RUNS:
        return f"lines {lines[0]}–{lines[-1]} ({len(lines)} of them)"
    told = [f"{a}–{b}" if b > a else f"{a}" for a, b in runs]
    return "lines " + (told[0] if len(told) == 1 else f"{', '.join(told[:-1])} and {told[-1]}")


_MOST_RUNS = 3


def tell_place(spans: Sequence[Span], ground: Ground) -> str:
    """Lines where they are whole, else which words of them; words where there are no lines."""
    start, end = spans[0][0], spans[-1][1]
    if not ground.has_lines:
        return f"words {start + 1}–{end}" if end - start > 1 else f"word {start + 1}"
    lines = ground.ref_lines(spans)
    if len(lines) > 1 or len(spans) > 1:
        return tell_lines(lines)
    first, last = ground.line_span(start)
    n = end - start
    if (start, end) == (first, last):
        return tell_lines(lines)
    if start == first:
        return f"{tell_lines(lines)} (the first {counted(n, 'word')})"
    if end == last:
        return f"{tell_lines(lines)} (the last {counted(n, 'word')})"
    return f"{tell_lines(lines)} (words {start - first + 1}–{end - first})"


def _early(found: Displaced, jumped: Sequence[int]) -> str:
    """Before which lines it was read, as a clause, if it came too early."""
    told = tell_lines([line + 1 for line in jumped])
    return "" if _came_late(found) or not told else f", before {told}"


def _came_late(found: Displaced) -> bool:
    """Whether it was read after what should follow it."""
    return any(number > found.chunks[-1] for number in found.jumped)


def _where(found: Displaced) -> str:
    """After which reference lines the pieces were read."""
    ground, layout = found.ground, found.layout
    out = layout.out_of_order
    after: list[int] = []
    for start, _ in found.pieces:
        before = layout.chunks_before(start)
        if before:
            # What stands elsewhere itself says little about a place.
            chunk = next((chunk for chunk in reversed(before) if chunk not in out), before[-1])
            last = layout.chunks[chunk].pairs[-1][0]
            after.append(ground.reference.line_of[last] + 1)
        else:
            after.append(0)
    known = [line for line in dict.fromkeys(after) if line]
    lines = [f"line {line}" for line in known]
    first = "first of all" if 0 in after else ""
    if not lines:
        return first
    if len(lines) > _MOST_RUNS:
        top = "the top" if first else f"line {min(known)}"
        return f"in {len(found.pieces)} pieces between {top} and line {max(known)}"
    told = lines[0] if len(lines) == 1 else f"{', '.join(lines[:-1])} and {lines[-1]}"
    return f"{first} and after {told}" if first else f"after {told}"
