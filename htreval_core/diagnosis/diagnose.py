"""Why a page is bad: from its matching to named failures with their cost in word errors."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import groupby

import numpy as np

from htreval_core.diagnosis.chains import Chunk, find_chunks
from htreval_core.diagnosis.displaced import Displaced
from htreval_core.diagnosis.doubt import doubt
from htreval_core.diagnosis.evidence import Evidence
from htreval_core.diagnosis.gaps import Gap, find_gaps
from htreval_core.diagnosis.ground import Ground
from htreval_core.diagnosis.groups import Layout, find_groups
from htreval_core.diagnosis.loops import Loop, find_loops
from htreval_core.diagnosis.model import (
    ORDER_FREE,
    Confidence,
    Diagnosis,
    Event,
    EventKind,
)
from htreval_core.diagnosis.naming import name_group
from htreval_core.diagnosis.placed import place_chunks
from htreval_core.diagnosis.places import find_places
from htreval_core.diagnosis.repair import Repair, find_repairs, repaired_order
from htreval_core.diagnosis.telling import tell_gap, tell_order, tell_several
from htreval_core.metrics.order import course
from htreval_core.metrics.page import ScoredPage, score_words
from htreval_core.metrics.words import WordPair
from htreval_core.model import Alignment, Line, Parts, Polygon, Transcript
from htreval_core.settings import Settings
from htreval_core.text import PageWords

_SMALL_WORDS, _SMALL_SHARE = 5, 0.003
"""Events of fewer errors, and of a smaller share of the page, are summed by kind."""
_OTHER_SHARE = 0.02
"""The same for text that only one side has: a line of noise on a page is no event of its own."""
_AS_ONE = frozenset({EventKind.READ_BADLY, EventKind.REFERENCE, EventKind.SCRAMBLED})
_MOST_OF_A_KIND = 3
_MOST_OF_ORDER = 6
_MOST_OF_OTHERS = 6
"""More events of one kind than this are told as one."""
_TEXT_AHEAD = 0.02
"""Words alone are believed against boxes if they explain so much more of the page."""
_WHOLE_LINE = 5.0
"""Bits that it says that a displaced stretch is a line, or some, of both sides."""
_LEAST_SAVED = 0.2
"""Errors that a displaced word must save on average; one that was read right saves up to two."""
_ON_PAGE = 0.5
_PER_PIECE = 5.0
"""Bits more that a stretch must say for each piece that it is in: chance comes in pieces."""
_TAGGED = 4.0
"""Bits that it says that the file calls it a running head, a note and the like."""
_MOST_TEXT = 80
_MERGED = frozenset(
    {
        EventKind.TABLE, EventKind.COLUMNS_ACROSS, EventKind.COLUMNS_BY_LINE,
        EventKind.DOUBLE_PAGE, EventKind.INTERLEAVED, EventKind.MARGINALIA, EventKind.SIGNS,
        EventKind.BELOW_RULE, EventKind.COLUMNS_IN_ZONES, EventKind.COLUMN_ORDER,
    }
)  # fmt: skip
"""Kinds of which neighbouring groups are parts of one failure."""


def page_layout(page: ScoredPage, ground: Ground) -> Layout:
    """The chunks of a page, and which of them were read out of order.

    By the boxes of both sides where they have any that agree, else by the words alone.
    """
    evidence = Evidence(page.reference.words, page.hypothesis.words)
    places = find_places(ground)
    by_boxes = None
    if places is not None:
        placed = place_chunks(ground, places, evidence)
        found = find_groups(
            placed.chunks, len(page.hypothesis.words), ground.block_of, placed.columns
        )
        by_boxes = replace(_by_tags(found, ground), places=places)
    words = WordPair.of(page.reference.words, page.hypothesis.words)
    bwer = page.scores.bwer.errors
    ahead = _TEXT_AHEAD * len(page.reference.words)
    if by_boxes is not None and _left(words, by_boxes) - bwer <= 3 * ahead:
        return by_boxes
    by_words = _layout_by_words(page, ground, evidence)
    if by_boxes is None or _left(words, by_words) + ahead < _left(words, by_boxes):
        return by_words
    return by_boxes


def _left(words: WordPair, layout: Layout) -> int:
    """Word errors that remain when everything is put back."""
    repairs = find_repairs(
        words, layout, [tuple(range(len(layout.groups)))], len(words.ref) + len(words.hyp)
    )
    return len(words.ref) + len(words.hyp) - sum(repair.saved for repair in repairs)


def _by_tags(layout: Layout, ground: Ground) -> Layout:
    """The layout with groups parted where the file calls their text something else."""
    groups: list[tuple[int, ...]] = []
    for group in layout.groups:
        tags = [Displaced(layout, (number,), ground).tag for number in group]
        for _, own in groupby(zip(group, tags, strict=True), key=lambda pair: pair[1]):
            groups.append(tuple(number for number, _ in own))
    return replace(layout, groups=tuple(groups))


def _layout_by_words(page: ScoredPage, ground: Ground, evidence: Evidence) -> Layout:
    loops = find_loops(page.reference.words, page.hypothesis.words)
    matching = _without(page.matching, loops)
    chunks = find_chunks(matching, _line_starts(page.reference), _line_starts(page.hypothesis))
    while True:
        layout = find_groups(chunks, len(page.hypothesis.words), ground.block_of)
        chance = {
            layout.chunks[number]
            for group in layout.groups
            if not _is_evident(layout, group, evidence, ground)
            for number in group
        }
        if not chance:
            return _by_tags(layout, ground)
        chunks = [chunk for chunk in chunks if chunk not in chance]


def _without(matching: Alignment, loops: Sequence[Loop]) -> Alignment:
    """The matching without the later copies of a loop, which belong nowhere."""
    if not loops:
        return matching
    keep = np.ones(len(matching), dtype=bool)
    for loop in loops:
        again = (matching.hyp_index >= loop.start + loop.period) & (matching.hyp_index < loop.end)
        keep &= ~again
    return replace(matching, ref_index=matching.ref_index[keep], hyp_index=matching.hyp_index[keep])


def _is_evident(layout: Layout, group: Sequence[int], evidence: Evidence, ground: Ground) -> bool:
    """Whether displaced words say more than chance would, so far from their place."""
    out = {chunk for other in layout.groups for chunk in other}
    anchors = [number for number in range(group[0]) if number not in out]
    home = layout.chunks[anchors[-1]].hyp_end if anchors else 0
    pairs = [pair for number in group for pair in layout.chunks[number].pairs]
    distance = min(
        min(abs(layout.chunks[number].hyp_start - home), abs(layout.chunks[number].hyp_end - home))
        for number in group
    )
    bits = sum(evidence.of_chunk(layout.chunks[number].pairs) for number in group)
    beside = 0.0
    if ground.has_lines and ground.has_hyp_lines:
        # Chance does not begin and end where lines do, on both sides.
        beside += _WHOLE_LINE * sum(_is_whole(layout.chunks[number], ground) for number in group)
    if Displaced(layout, tuple(group), ground).tag is not None:
        beside += _TAGGED
    if len(pairs) == 1 and not beside:
        return False
    return bits + beside >= evidence.needed(distance) + _PER_PIECE * (len(group) - 1)


def _is_whole(chunk: Chunk, ground: Ground) -> bool:
    return (
        ground.starts_ref_line(chunk.ref_start)
        and ground.ends_ref_line(chunk.ref_end)
        and ground.starts_hyp_line(chunk.hyp_start)
        and ground.ends_hyp_line(chunk.hyp_end)
    )


def diagnose_page(page: ScoredPage, reference: Transcript, hypothesis: Transcript) -> Diagnosis:
    """The layout failures of a page, named and costed.

    Args:
        page: the scored page with its matching.
        reference: its reference, for lines, regions and outlines.
        hypothesis: the output, for the same.
    """
    ground = Ground(page.reference, page.hypothesis, reference, hypothesis)
    return diagnose_layout(page, ground, page_layout(page, ground))


def diagnose_layout(page: ScoredPage, ground: Ground, layout: Layout) -> Diagnosis:
    """What went wrong with a page whose layout is known.

    All displaced text that belongs together is put back in its place and the word errors are
    counted again: the drop is what it cost. What remains above bWER is coincidence, so that the
    four parts always add up to WER.
    """
    words = WordPair.of(page.reference.words, page.hypothesis.words)
    errors, bwer = page.scores.wer.errors, page.scores.bwer.errors
    names = [name_group(layout, group, ground) for group in layout.groups]
    sets = _gathered(layout, [kind for kind, _ in names])
    repairs = find_repairs(words, layout, sets, errors)
    if layout.places is None:
        repairs = [repair for repair in repairs if _pays(layout, repair, ground)]
    of_order = [_order_event(layout, repair, ground, names) for repair in repairs]
    of_order = _at_most(_summed(of_order, ground), ground)
    back = [group for repair in repairs for group in repair.groups]
    loops = _loops_of(page, layout)
    evidence = Evidence(page.reference.words, page.hypothesis.words)
    gaps = find_gaps(ground, repaired_order(layout, back), evidence, layout.places, loops)
    others = [_gap_event(gap, ground) for gap in gaps]
    if len(told := _summed(others, ground)) <= _MOST_OF_OTHERS:
        others = told
    else:
        others = _summed(others, ground, all_as_one=True)
    in_doubt = sum(e.errors for e in of_order if e.kind is EventKind.REFERENCE)
    order = sum(e.errors for e in of_order) - in_doubt
    parts = Parts(bwer, order, errors - bwer - order - in_doubt, in_doubt)
    events = sorted([*of_order, *others], key=lambda e: (e.kind in ORDER_FREE, -e.errors))
    return Diagnosis(
        page.scores.page_id,
        page.scores.system,
        page.scores.n_ref_words,
        parts,
        tuple(events),
        course(page.matching),
    )


def _pays(layout: Layout, repair: Repair, ground: Ground) -> bool:
    """Whether putting text back saves what so many words should save.

    Words that have nothing to do with each other always agree somewhere, and save next to nothing.
    """
    chunks = sorted(chunk for group in repair.groups for chunk in layout.groups[group])
    n_words = Displaced(layout, tuple(chunks), ground).n_words
    return repair.saved >= _LEAST_SAVED * n_words


def _loops_of(page: ScoredPage, layout: Layout) -> list[Loop]:
    """The loops of the output, but for text that stands on lines of the page, each time anew."""
    loops = find_loops(page.reference.words, page.hypothesis.words)
    if layout.places is None:
        return loops
    line = layout.places.line
    return [loop for loop in loops if (line[loop.start : loop.end] >= 0).mean() < _ON_PAGE]


def repair_page(
    page: ScoredPage,
    hypothesis: Transcript,
    layout: Layout,
    groups: Iterable[int],
    settings: Settings,
) -> tuple[ScoredPage, Transcript]:
    """The page scored again with some displaced groups put back, and its output so ordered."""
    order = repaired_order(layout, groups)
    lines: list[Line] = []
    line_of: list[int] = []
    for number, piece in groupby(order, page.hypothesis.line_of.__getitem__):
        words = list(piece)
        line_of += [len(lines)] * len(words)
        lines.append(_piece_of_line(hypothesis.lines[number], number, words, page.hypothesis))
    in_order = tuple(page.hypothesis.words[k] for k in order)
    repaired = PageWords(in_order, tuple(line_of), len(lines), " ".join(in_order))
    one = page.scores
    scored = score_words(one.page_id, one.system, page.reference, repaired, settings)
    return scored, replace(hypothesis, lines=tuple(lines))


def _piece_of_line(line: Line, number: int, words: Sequence[int], of_page: PageWords) -> Line:
    """A line with some of its words alone."""
    text = " ".join(of_page.words[k] for k in words)
    boxes = line.word_boxes
    if boxes is not None:
        first = bisect_left(of_page.line_of, number)
        of_line = boxes.points.reshape(-1, 4)
        at = [k - first for k in words]
        boxes = Polygon(of_line[at]) if max(at) < len(of_line) else None
    return replace(line, text=text, word_boxes=boxes)


def _line_starts(words: PageWords) -> frozenset[int]:
    if len(set(words.line_of)) < 2:
        return frozenset()
    lines = np.array(words.line_of)
    return frozenset([0, *(np.flatnonzero(lines[1:] != lines[:-1]) + 1).tolist()])


def _gathered(layout: Layout, kinds: Sequence[EventKind]) -> list[tuple[int, ...]]:
    """Groups by the failure that they are part of: of one kind, and read within each other."""
    place_of = {segment.chunk: place for place, segment in enumerate(layout.segments)}
    extents = [
        (min(place_of[c] for c in group), max(place_of[c] for c in group))
        for group in layout.groups
    ]
    sets: list[list[int]] = []
    for number, (first, _) in sorted(enumerate(extents), key=lambda pair: pair[1]):
        for one in sets:
            same = kinds[one[0]] is kinds[number] and kinds[number] in _MERGED
            ends = max(extents[other][1] for other in one)
            # Two tables of a page are two failures, however near they stand.
            near = 0 if kinds[number] is EventKind.TABLE else 2
            if same and first <= ends + near:
                one.append(number)
                break
        else:
            sets.append([number])
    return [tuple(sorted(one)) for one in sets]


def _order_event(
    layout: Layout,
    repair: Repair,
    ground: Ground,
    names: Sequence[tuple[EventKind, Confidence]],
) -> Event:
    chunks = tuple(sorted(chunk for group in repair.groups for chunk in layout.groups[group]))
    found = Displaced(layout, chunks, ground)
    of_groups = [names[group] for group in repair.groups]
    kind, confidence = max(of_groups, key=of_groups.count)
    if repair.several:
        kind = EventKind.SCRAMBLED if ground.has_lines else EventKind.MOVED
        confidence = Confidence.LIKELY
    reason = None
    if kind not in _CONVENTIONS:
        reason = doubt(found)
    if reason is not None:
        kind = EventKind.REFERENCE
    return Event(
        kind,
        found.n_words,
        repair.saved,
        found.reference,
        tuple(found.raw_pieces),
        tuple(line + 1 for line in found.lines),
        ground.hyp_lines(found.raw_pieces),
        confidence,
        tell_order(kind, found, repair.saved, reason),
        repair.groups,
    )


_CONVENTIONS = frozenset(
    {
        EventKind.RUNNING_HEAD, EventKind.PAGE_NUMBER, EventKind.CATCH_WORD, EventKind.FOOTNOTE,
        EventKind.MARGINALIA, EventKind.DROP_CAPITAL, EventKind.SIGNS,
    }
)  # fmt: skip
"""Text that may stand in one place as well as in another: no reference is at fault for it."""


def _gap_event(gap: Gap, ground: Ground) -> Event:
    words = ground.hypothesis.words
    shown = [word for start, end in gap.hypothesis for word in words[start:end]]
    spans = [gap.reference] if gap.reference[1] > gap.reference[0] else []
    return Event(
        gap.kind,
        gap.words,
        gap.errors,
        gap.reference,
        gap.hypothesis,
        ground.ref_lines(spans),
        ground.hyp_lines(gap.hypothesis),
        Confidence.SURE,
        tell_gap(gap, ground),
        text=" ".join(shown[:_MOST_TEXT]),
    )


def _summed(events: Sequence[Event], ground: Ground, *, all_as_one: bool = False) -> list[Event]:
    """The events with the small ones of a kind told together, and the many of a kind.

    Args:
        all_as_one: whether all of a kind are told together.
    """
    n_words = len(ground.reference.words)
    kept: list[Event] = []
    for kind in dict.fromkeys(event.kind for event in events):
        of_kind = sorted((e for e in events if e.kind is kind), key=lambda e: -e.errors)
        least = max(_SMALL_WORDS, _SMALL_SHARE * n_words)
        if kind in ORDER_FREE:
            least = max(least, _OTHER_SHARE * n_words)
        large = [e for e in of_kind if max(e.errors, e.words) >= least]
        if all_as_one or kind in _AS_ONE:
            large = []
        elif len(large) > _MOST_OF_A_KIND:
            large = [] if kind in ORDER_FREE else large[: _MOST_OF_A_KIND - 1]
        rest = [e for e in of_kind if e not in large]
        kept += large
        if rest:
            kept.append(rest[0] if len(rest) == 1 else _together(rest, ground))
    return kept


def _at_most(events: list[Event], ground: Ground) -> list[Event]:
    """No more events than a person reads: the smallest are told as scattered pieces."""
    costly = sorted(events, key=lambda event: -event.errors)
    if len(costly) <= _MOST_OF_ORDER:
        return costly
    kept, rest = costly[: _MOST_OF_ORDER - 1], costly[_MOST_OF_ORDER - 1 :]
    kept += [event for event in rest if event.kind is EventKind.REFERENCE]
    rest = [event for event in rest if event.kind is not EventKind.REFERENCE]
    if not rest:
        return kept
    scattered = [replace(event, kind=EventKind.SCRAMBLED) for event in rest]
    return [*kept, _together(scattered, ground)]


def _together(events: Sequence[Event], ground: Ground) -> Event:
    """Several events of a kind as one."""
    first = events[0]
    hypothesis = sorted(span for event in events for span in event.hypothesis)
    groups = tuple(sorted(group for event in events for group in event.groups))
    start, end = (
        min(event.reference[0] for event in events), max(event.reference[1] for event in events)
    )  # fmt: skip
    lines = sorted({line for event in events for line in event.reference_lines})
    words, errors = sum(e.words for e in events), sum(e.errors for e in events)
    return replace(
        first,
        words=words,
        errors=errors,
        reference=(start, end),
        hypothesis=tuple(hypothesis),
        reference_lines=tuple(lines),
        hypothesis_lines=ground.hyp_lines(hypothesis),
        confidence=Confidence.LIKELY,
        sentence=tell_several(first.kind, events, lines, ground),
        groups=groups,
        text="",
    )
