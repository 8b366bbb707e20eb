"""Why a page is bad: from its matching to named failures with their cost in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from htreval_core.diagnosis.chains import find_chunks
from htreval_core.diagnosis.groups import Layout, find_groups
from htreval_core.diagnosis.model import ORDER_FREE, Diagnosis, Event, EventKind, Span
from htreval_core.diagnosis.naming import Ground, name_group, pieces_of
from htreval_core.diagnosis.repair import (
    Repair,
    find_repairs,
    is_covered,
    repaired_order,
    segment_order,
)
from htreval_core.diagnosis.telling import tell_event
from htreval_core.metrics.order import course
from htreval_core.metrics.page import ScoredPage, score_words
from htreval_core.metrics.words import WordPair
from htreval_core.model import Transcript
from htreval_core.settings import Settings
from htreval_core.text import PageWords

_LEAST_RUN = 4
"""The fewest words in a row without a counterpart that are a block; fewer are misread words."""


def page_layout(page: ScoredPage) -> Layout:
    """The chunks of a page, and which of them were read out of order."""
    chunks = find_chunks(page.matching, _line_starts(page.reference), _line_starts(page.hypothesis))
    return find_groups(chunks, len(page.reference.words), len(page.hypothesis.words))


def diagnose_page(
    page: ScoredPage, reference: Transcript, layout: Layout | None = None
) -> Diagnosis:
    """The layout failures of a page, named and costed.

    Every displaced group is put back in its place and the word errors are counted again: the
    drop is what the group cost. What no repair explains is reported as scattered, so that
    recognition, events and scattered words always add up to WER.

    Args:
        page: the scored page with its matching.
        reference: its reference, for lines, regions and geometry.
        layout: as ``page_layout`` found it, where it is at hand.
    """
    layout = layout or page_layout(page)
    ground = Ground(page.reference, page.hypothesis, reference)
    words = WordPair.of(page.reference.words, page.hypothesis.words)
    errors = page.scores.wer.errors
    repairs = find_repairs(words, layout, errors)
    events = [_order_event(layout, repair, ground) for repair in repairs]
    repaired = [group for repair in repairs for group in repair.groups]
    events += _missing_and_added(layout, repaired, ground)
    explained = sum(event.order_words for event in events)
    bwer = page.scores.bwer.errors
    return Diagnosis(
        page.scores.page_id,
        page.scores.system,
        page.scores.n_ref_words,
        errors,
        bwer,
        explained,
        errors - bwer - explained,
        tuple(sorted(events, key=lambda event: (event.kind in ORDER_FREE, -event.words))),
        course(page.matching),
    )


def repair_page(
    page: ScoredPage, layout: Layout, groups: Iterable[int], settings: Settings
) -> ScoredPage:
    """The page scored again with some displaced groups put back in their place."""
    order = repaired_order(layout, groups)
    words = [page.hypothesis.words[k] for k in order]
    repaired = replace(
        page.hypothesis,
        words=tuple(words),
        line_of=tuple(page.hypothesis.line_of[k] for k in order),
        text=" ".join(words),
    )
    return score_words(page.scores.page_id, page.scores.system, page.reference, repaired, settings)


def _line_starts(words: PageWords) -> frozenset[int]:
    if len(set(words.line_of)) < 2:
        return frozenset()
    lines = np.array(words.line_of)
    return frozenset([0, *(np.flatnonzero(lines[1:] != lines[:-1]) + 1).tolist()])


def _order_event(layout: Layout, repair: Repair, ground: Ground) -> Event:
    chunks = sorted(chunk for group in repair.groups for chunk in layout.groups[group])
    kind, sure = name_group(layout, chunks, ground)
    span = (layout.chunks[chunks[0]].ref_start, layout.chunks[chunks[-1]].ref_end)
    pieces = pieces_of(layout, chunks)
    if len(repair.groups) > 1:
        kind = EventKind.SCRAMBLED if ground.has_lines else EventKind.MOVED
    event = _event(kind, repair.saved, repair.saved, span, pieces, ground, sure, layout)
    return replace(event, groups=repair.groups)


def _event(
    kind: EventKind,
    words: int,
    order_words: int,
    reference: Span,
    hypothesis: Sequence[Span],
    ground: Ground,
    sure: bool,
    layout: Layout,
) -> Event:
    ref_lines, hyp_lines = ground.ref_lines(reference), ground.hyp_lines(hypothesis)
    sentence = tell_event(kind, words, reference, hypothesis, ground, layout)
    return Event(
        kind, words, order_words, reference, tuple(hypothesis), ref_lines, hyp_lines, sure, sentence
    )


def _missing_and_added(layout: Layout, repaired: Iterable[int], ground: Ground) -> list[Event]:
    """Blocks that only one side has, in the order that the repairs give."""
    put_back = set(repaired)
    still_out = [n for n in range(len(layout.groups)) if n not in put_back]
    out = {chunk for group in still_out for chunk in layout.groups[group]}
    # What stands elsewhere without a repair that helps is there all the same.
    known = [
        pair
        for group in still_out
        if is_covered(layout, group)
        for chunk in layout.groups[group]
        for pair in layout.chunks[chunk].pairs
    ]
    elsewhere_ref, elsewhere_hyp = {j for j, _ in known}, {k for _, k in known}
    gaps = _gaps(layout, segment_order(layout, put_back), out, ground)
    events: list[Event] = []
    for ref_gap, hyp_gap in gaps:
        ref_words = [ground.reference.words[j] for j in range(*ref_gap) if j not in elsewhere_ref]
        hyp_words = [ground.hypothesis.words[k] for k in range(*hyp_gap) if k not in elsewhere_hyp]
        ref_letters, hyp_letters = sum(map(len, ref_words)), sum(map(len, hyp_words))
        if len(ref_words) >= _LEAST_RUN and ref_letters > 2 * hyp_letters:
            span = _whole_lines(ref_gap, ground)
            size = span[1] - span[0]
            if size >= _LEAST_RUN or (size >= 2 and ground.is_marginal(span)):
                events.append(_event(EventKind.MISSING, size, 0, span, [], ground, True, layout))
        elif len(hyp_words) >= _LEAST_RUN and hyp_letters > 2 * ref_letters:
            kind = EventKind.REPEATED if _is_repeated(hyp_gap, ground) else EventKind.INVENTED
            events.append(
                _event(
                    kind, len(hyp_words), 0, (ref_gap[0], ref_gap[0]), [hyp_gap], ground, True,
                    layout,
                )
            )  # fmt: skip
    return events


def _gaps(
    layout: Layout, order: Sequence[int], out: set[int], ground: Ground
) -> list[tuple[Span, Span]]:
    """Stretches without pairs between neighbouring pairs, once in order: (reference, hypothesis).

    A gap of the hypothesis that a repair tore apart belongs to the side that it stays with.

    Args:
        out: chunks that are still out of order; their pairs hold nothing in place.
    """
    gaps: list[tuple[Span, Span]] = []
    last_ref, last_hyp = 0, 0
    for place in order:
        segment = layout.segments[place]
        chunk = layout.chunks[segment.chunk]
        if last_hyp != segment.hyp_start:
            last_hyp = segment.hyp_start
        for j, k in chunk.pairs if segment.chunk not in out else ():
            if j >= last_ref:
                gaps.append(((last_ref, j), (last_hyp, k)))
                last_ref = j + 1
            last_hyp = k + 1
        if segment.hyp_end > last_hyp:
            gaps.append(((last_ref, last_ref), (last_hyp, segment.hyp_end)))
            last_hyp = segment.hyp_end
    n_ref = len(ground.reference.words)
    if last_ref < n_ref:
        gaps.append(((last_ref, n_ref), (last_hyp, last_hyp)))
    if not layout.segments and ground.hypothesis.words:
        gaps.append(((0, 0), (0, len(ground.hypothesis.words))))
    return _merged(gaps)


def _merged(gaps: Sequence[tuple[Span, Span]]) -> list[tuple[Span, Span]]:
    """Gaps that touch on both sides, put together; empty ones dropped."""
    merged: list[tuple[Span, Span]] = []
    for ref, hyp in gaps:
        if merged and merged[-1][0][1] == ref[0] and merged[-1][1][1] == hyp[0]:
            before = merged.pop()
            ref, hyp = (before[0][0], ref[1]), (before[1][0], hyp[1])
        merged.append((ref, hyp))
    return [(r, h) for r, h in merged if r[1] > r[0] or h[1] > h[0]]


def _whole_lines(span: Span, ground: Ground) -> Span:
    """The lines that lie wholly inside a span, if there are any; else the span."""
    if not ground.has_lines:
        return span
    starts = [w for w in range(span[0], span[1]) if ground.starts_ref_line(w)]
    ends = [w for w in range(span[0] + 1, span[1] + 1) if ground.ends_ref_line(w)]
    if starts and ends and starts[0] < ends[-1]:
        return starts[0], ends[-1]
    return span


def _is_repeated(span: Span, ground: Ground) -> bool:
    """Whether added words stand in the reference somewhere, in this order."""
    positions: dict[str, list[int]] = {}
    for j, word in enumerate(ground.reference.words):
        positions.setdefault(word, []).append(j)
    diagonals: dict[int, int] = {}
    for k in range(*span):
        for j in positions.get(ground.hypothesis.words[k], ()):
            diagonals[j - k] = diagonals.get(j - k, 0) + 1
    # Where the two copies meet, the trace may cut either: the words lie on two diagonals then.
    return sum(sorted(diagonals.values())[-2:]) >= 0.5 * (span[1] - span[0])
