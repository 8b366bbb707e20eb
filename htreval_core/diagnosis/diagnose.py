"""Why a page is bad: from its matching to named faults with their cost in word errors."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import groupby

from htreval_core.diagnosis.limits import DIAGNOSE
from htreval_core.diagnosis.model import (
    ORDER_FREE,
    UNPLACED,
    Confidence,
    Detail,
    Diagnosis,
    Event,
    EventKind,
    Loop,
    Passage,
    Place,
    Repetition,
    Replacement,
    Span,
    Together,
)
from htreval_core.diagnosis.order.displaced import Displaced
from htreval_core.diagnosis.order.doubt import doubt, keeps_articles
from htreval_core.diagnosis.order.groups import Layout
from htreval_core.diagnosis.order.layout import page_layout
from htreval_core.diagnosis.order.naming import is_sparse, name_group, where_read
from htreval_core.diagnosis.order.repair import Repair, find_repairs, repaired_order
from htreval_core.diagnosis.page.ground import Ground
from htreval_core.diagnosis.summing import sum_up
from htreval_core.diagnosis.text.extras import Extras, find_doubles, is_of_page
from htreval_core.diagnosis.text.gaps import is_alike
from htreval_core.diagnosis.text.onesided import find_one_sided
from htreval_core.diagnosis.text.talk import find_talk
from htreval_core.diagnosis.text.trace import Gap
from htreval_core.diagnosis.text.whole import whole_page
from htreval_core.metrics.orders.search import best_order
from htreval_core.metrics.page import ScoredPage, score_words
from htreval_core.metrics.spaces import Regrouping, find_regroupings, put_right
from htreval_core.metrics.words import distance
from htreval_core.model import EditCounts, Line, Parts, Polygon, Transcript
from htreval_core.settings import Settings
from htreval_core.text import PageWords

_MERGED = frozenset({
    EventKind.TABLE, EventKind.COLUMNS_ACROSS, EventKind.COLUMNS_BY_LINE,
    EventKind.DOUBLE_PAGE, EventKind.INTERLEAVED, EventKind.MARGINALIA, EventKind.SIGNS,
    EventKind.BELOW_RULE, EventKind.COLUMNS_IN_ZONES, EventKind.COLUMN_ORDER, EventKind.ROWS,
})  # fmt: skip
"""Kinds of which neighbouring groups are parts of one fault."""


def diagnose_page(page: ScoredPage, reference: Transcript, hypothesis: Transcript) -> Diagnosis:
    """The layout faults of a page, named and costed.

    Args:
        page: the scored page with its matching.
        reference: its reference, for lines, regions and outlines.
        hypothesis: the output, for the same.
    """
    ground = Ground(page.reference, page.hypothesis, reference, hypothesis)
    return diagnose_layout(page, ground, page_layout(page, ground))


def diagnose_layout(
    page: ScoredPage, ground: Ground, layout: Layout, *, conventions: bool = True
) -> Diagnosis:
    """What went wrong with a page whose layout is known.

    All displaced text that belongs together is put back in its place and the word errors are
    counted again: the drop is what it cost. What remains above bWER is coincidence, and of bWER
    words divided or joined are told apart, so that the parts always add up to WER.

    Args:
        conventions: whether to look for the best order that the page allows, which takes long.
    """
    errors, bwer = page.scores.wer.errors, page.scores.bwer.errors
    extras = _extras_of(page, layout, ground)
    whole = whole_page(ground, extras, layout, errors, bwer)
    if whole is not None:
        edits, regroupings = _respaced(page, range(len(page.hypothesis.words)))
        parts = Parts(
            edits.errors, bwer - edits.errors, coincidence=errors - bwer,
            left_out=edits.deletions, added=edits.insertions,
        )  # fmt: skip
        event = _gap_event(_within([whole], errors)[0], ground)
        events = [] if _is_respaced(event, regroupings) else [event]
        return _diagnosis(page, parts, events, [], regroupings, conventions=conventions)
    names = [name_group(layout, group, ground) for group in layout.groups]
    sets = _gathered(layout, [kind for kind, _ in names], ground.words_per_line)
    repairs = _paying(page, layout, sets, ground, names)
    order = repaired_order(layout, [group for repair in repairs for group in repair.groups])
    side = find_one_sided(ground, order, layout.places, extras)
    saved = sum(repair.saved for repair in repairs)
    events = sum_up(
        [_order_event(layout, repair, ground, names) for repair in repairs],
        [_gap_event(gap, ground) for gap in _within(side.gaps, errors - saved)], ground,
    )  # fmt: skip
    if conventions:
        events = with_conventions(events, page, layout, ground)
    in_doubt = sum(event.errors for event in events if event.kind is EventKind.REFERENCE)
    spared = sum(event.convention for event in events)
    n_words = len(page.hypothesis.words)
    edits, regroupings = _respaced(page, order if len(order) == n_words else range(n_words))
    parts = Parts(
        edits.errors, bwer - edits.errors, saved - in_doubt, errors - bwer - saved, in_doubt,
        spared, edits.deletions, edits.insertions,
    )  # fmt: skip
    events = [event for event in events if not _is_respaced(event, regroupings)]
    # A summary of small events never comes first, whatever they cost together.
    events.sort(
        key=lambda event: (
            event.kind in ORDER_FREE, isinstance(event.facts, Together), -event.errors
        )
    )  # fmt: skip
    edges = [_gap_event(gap, ground) for gap in side.edges]
    return _diagnosis(page, parts, events, edges, regroupings, conventions=conventions)


def _within(gaps: Sequence[Gap], errors: int) -> list[Gap]:
    """The gaps, with no more errors than there are.

    A trace has costs of its own, and a word of a loop that stands instead of a missing one is one
    error. What is charged twice is taken from the costliest."""
    found = sorted(gaps, key=lambda gap: -gap.errors)
    over = sum(gap.errors for gap in gaps) - errors
    for at, gap in enumerate(found):
        less = min(max(over, 0), gap.errors)
        found[at], over = replace(gap, errors=gap.errors - less), over - less
    return found


def _respaced(page: ScoredPage, order: Sequence[int]) -> tuple[EditCounts, tuple[Regrouping, ...]]:
    """bWER's edits in this order with divided and joined words put right, and which those are."""
    ref, hyp = page.reference.words, page.hypothesis.words
    found = find_regroupings(ref, [hyp[k] for k in order])
    in_place = [Regrouping(one.ref, tuple(order[k] for k in one.hyp)) for one in found]
    edits, taken = put_right(ref, hyp, in_place)
    return edits, tuple(taken)


def _is_respaced(event: Event, regroupings: Sequence[Regrouping]) -> bool:
    """Whether most of what seems to be read badly has every letter right, between other spaces."""
    if event.kind not in (EventKind.READ_BADLY, EventKind.REPLACED, EventKind.MISSING):
        return False
    start, end = event.reference
    right = sum(start <= word < end for one in regroupings for word in one.ref)
    return 2 * right > event.words


def _diagnosis(
    page: ScoredPage, parts: Parts, events: Sequence[Event], edges: Sequence[Event] = (),
    regroupings: tuple[Regrouping, ...] = (), *, conventions: bool,
) -> Diagnosis:  # fmt: skip
    scores = page.with_admissible().scores if conventions else page.scores
    least, bound = scores.admissible_errors, scores.admissible_bound
    return Diagnosis(
        scores.page_id, scores.system, scores.n_ref_words, parts, tuple(events),
        scores.n_hyp_words, tuple(edges),
        None if least is None or bound is None else (least, bound), regroupings,
    )  # fmt: skip


def _paying(
    page: ScoredPage, layout: Layout, sets: Sequence[tuple[int, ...]], ground: Ground,
    names: Sequence[tuple[EventKind, Confidence]],
) -> list[Repair]:  # fmt: skip
    """The repairs that pay, each counted on top of those before it, and of no others.

    Where one does not pay and others save less without it, they belong together: two blocks that
    changed places save next to nothing one by one."""
    right = page.scores.bwer.hits / max(page.scores.n_ref_words, 1)
    several: set[tuple[int, ...]] = set()

    def counted(sets: Sequence[tuple[int, ...]]) -> list[Repair]:
        # A trace with costs of its own may have more errors than there need be: no order saves
        # those.
        found = find_repairs(ground.words, layout, sets, page.strict)
        several.update(repair.groups for repair in found if repair.several)
        return [replace(repair, several=repair.groups in several) for repair in found]

    repairs = counted(sets)
    while True:
        paying = [one for one in repairs if _pays(layout, one, ground, names, right)]
        if len(paying) == len(repairs):
            return paying
        without = counted([one.groups for one in paying])
        saved = {one.groups: one.saved for one in without}
        if sum(saved.values()) >= sum(one.saved for one in paying):
            repairs = without
            continue
        first = max(paying, key=lambda one: one.saved - saved.get(one.groups, 0))
        second = max((one for one in repairs if one not in paying), key=lambda one: one.saved)
        others = [one.groups for one in repairs if one not in (first, second)]
        repairs = counted([*others, tuple(sorted((*first.groups, *second.groups)))])


def _pays(
    layout: Layout, repair: Repair, ground: Ground, names: Sequence[tuple[EventKind, Confidence]],
    right: float,
) -> bool:  # fmt: skip
    """Whether putting text back saves what this many words should, by the share that is right.

    Words that have nothing to do with each other always agree somewhere, and save next to nothing.
    """
    mixed = any(names[group][0] in _MIXED for group in repair.groups)
    least = DIAGNOSE.LEAST_SAVED_MIXED if mixed else DIAGNOSE.LEAST_SAVED
    chunks = sorted(chunk for group in repair.groups for chunk in layout.groups[group])
    ref, hyp = ground.reference.words, ground.hypothesis.words
    pairs = [ref[j] == hyp[k] for chunk in chunks for j, k in layout.chunks[chunk].pairs]
    own, found = sum(pairs), Displaced(layout, tuple(chunks), ground)
    # Beside each place that text was taken from, a word of what stayed may count as wrong too.
    most = 2 * (found.n_words + len(chunks))
    if not least * max(own, right * found.n_words) <= repair.saved <= most:
        return False
    # A word that is right costs two errors out of its place, another one costs one. What saves more
    # fills a gap with other text, and what agrees seldom agrees by chance, unless it stands where
    # it belongs or is that text read badly.
    fills = repair.saved > DIAGNOSE.MOST_SAVED * (own + len(pairs))
    by_chance = own + 1 < DIAGNOSE.LEAST_RIGHT * right * found.n_words
    if layout.places is not None or not (fills or by_chance):
        return True
    there = [[words[k] for span in spans for k in range(*span)]
             for words, spans in ((ref, found.spans), (hyp, found.raw_pieces))]  # fmt: skip
    return is_alike(*there)


def _extras_of(page: ScoredPage, layout: Layout, ground: Ground) -> Extras:
    """What the output has too many, but for loops of words that the lines have where they stand."""
    ref, hyp = page.reference.words, page.hypothesis.words
    loops, talks = ground.loops, find_talk(ref, hyp, page.hypothesis.line_of)
    doubles: Sequence[Span] = ()
    line = None if layout.places is None else layout.places.line
    if line is not None:
        loops = [loop for loop in loops if not is_of_page(loop, line, ground)]
    times, of_page = Counter(hyp), Counter(ref)
    looped = {k for loop in loops for k in range(loop.start, loop.end)}
    if sum(times[hyp[k]] > 2 * of_page[hyp[k]] for k in looped) < DIAGNOSE.MOSTLY * len(hyp):
        # The lines of a loop stand there twice as well, and two pairs of like lines look like one.
        doubles = find_doubles(ground)
        if line is not None and 2 * sum(line[a] == line[a - 1] for a, _ in doubles) <= len(doubles):
            doubles = ()
        loops, looped = ([], set()) if doubles else (loops, looped)
    talks = [talk for talk in talks if talk.span[0] not in looped]
    return Extras(loops, talks, doubles)


def repair_page(
    page: ScoredPage, hypothesis: Transcript, layout: Layout, groups: Iterable[int],
    settings: Settings,
) -> tuple[ScoredPage, Transcript]:  # fmt: skip
    """The page scored again with some displaced groups put back, and its output so ordered."""
    order = repaired_order(layout, groups)
    lines: list[Line] = []
    line_of: list[int] = []
    for number, piece in groupby(order, page.hypothesis.line_of.__getitem__):
        words = list(piece)
        line_of += [len(lines)] * len(words)
        lines.append(_piece_of_line(hypothesis.lines[number], number, words, page.hypothesis))
    repaired = page.hypothesis.in_order(order, line_of)
    one = page.scores
    scored = score_words(one.page_id, one.system, page.reference, repaired, settings, page.tree)
    return scored, replace(hypothesis, lines=tuple(lines))


def _piece_of_line(line: Line, number: int, words: Sequence[int], of_page: PageWords) -> Line:
    """A line with some of its words alone."""
    text = of_page.joined(words)
    boxes = line.word_boxes
    if boxes is not None:
        first = bisect_left(of_page.line_of, number)
        of_line = boxes.points.reshape(-1, 4)
        at = [k - first for k in words]
        boxes = Polygon(of_line[at]) if max(at) < len(of_line) else None
    return replace(line, text=text, word_boxes=boxes)


def _gathered(
    layout: Layout, kinds: Sequence[EventKind], words_per_line: float
) -> list[tuple[int, ...]]:
    """Groups by the fault that they are part of: of one kind, and read within each other."""
    place_of = layout.place_of
    extents = [
        (min(place_of[c] for c in group), max(place_of[c] for c in group))
        for group in layout.groups
    ]
    spans = [(layout.chunks[of[0]].ref_start, layout.chunks[of[-1]].ref_end)
             for of in layout.groups]  # fmt: skip
    sets: list[list[int]] = []
    for number, (first, _) in sorted(enumerate(extents), key=lambda pair: pair[1]):
        kind = kinds[number]
        # Two tables of a page are two faults, however near they stand.
        near = {EventKind.TABLE: 0, EventKind.MOVED: 1}.get(kind, 2)
        for one in sets:
            ends = max(extents[other][1] for other in one)
            if kinds[one[0]] is not kind or first > ends + near:
                continue
            if kind in _MERGED or (
                kind is EventKind.MOVED
                and min(
                    max(spans[number][0] - spans[other][1], spans[other][0] - spans[number][1])
                    for other in one
                )
                <= DIAGNOSE.LINES_APART * words_per_line
            ):
                one.append(number)
                break
        else:
            sets.append([number])
    return [tuple(sorted(one)) for one in sets]


def _order_event(
    layout: Layout, repair: Repair, ground: Ground, names: Sequence[tuple[EventKind, Confidence]]
) -> Event:
    chunks = tuple(sorted(chunk for group in repair.groups for chunk in layout.groups[group]))
    found = Displaced(layout, chunks, ground)
    of_groups = [names[group] for group in repair.groups]
    kind, confidence = max(of_groups, key=of_groups.count)
    by_turns = kind in (EventKind.COLUMNS_ACROSS, EventKind.COLUMNS_BY_LINE)
    if repair.several or (by_turns and is_sparse(found)):
        kind = EventKind.SCRAMBLED if ground.has_lines else EventKind.MOVED
        confidence = Confidence.LIKELY
    is_table = kind in (EventKind.TABLE, EventKind.ROWS)
    if not is_table and found.tag is None and is_footnote(found):
        kind, confidence = EventKind.FOOTNOTE, Confidence.LIKELY
    reason = None
    if not is_table and kind not in (*UNPLACED, EventKind.ARTICLES):
        reason = doubt(found)
        if reason is None and kind in _OF_COLUMNS and keeps_articles(found):
            kind, confidence = EventKind.ARTICLES, Confidence.LIKELY
    if reason is not None:
        kind = EventKind.REFERENCE
    return Event(
        kind, found.n_words, repair.saved, found.reference, tuple(found.raw_pieces),
        tuple(line + 1 for line in found.lines), ground.hyp_lines(found.raw_pieces), confidence,
        where_read(found, reason), repair.groups,
    )  # fmt: skip


_MIXED = frozenset({
    EventKind.COLUMNS_ACROSS, EventKind.COLUMNS_BY_LINE, EventKind.COLUMNS_IN_ZONES,
    EventKind.INTERLEAVED,
})  # fmt: skip
_OF_COLUMNS = frozenset({
    EventKind.MOVED, EventKind.BELOW_RULE, EventKind.COLUMN_ORDER,
    EventKind.COLUMNS_IN_ZONES, EventKind.SCRAMBLED,
})  # fmt: skip
"""Names of text that may as well be that of an article read apart."""


def _gap_event(gap: Gap, ground: Ground) -> Event:
    words = ground.hypothesis.words
    shown = [word for start, end in gap.hypothesis for word in words[start:end]]
    spans = [gap.reference] if gap.reference[1] > gap.reference[0] else []
    return Event(
        gap.kind, gap.words, gap.errors, gap.reference, gap.hypothesis, ground.ref_lines(spans),
        ground.hyp_lines(gap.hypothesis), Confidence.SURE, passage_facts(gap, ground),
        text=" ".join(shown[: DIAGNOSE.MOST_TEXT]), notes=int(ground.is_marginal(spans)),
    )  # fmt: skip


def passage_facts(gap: Gap, ground: Ground) -> Passage:
    """The facts of a stretch without counterpart."""
    has_place = gap.reference[1] > gap.reference[0]
    return Passage(
        ground.place([gap.reference]) if has_place else None,
        has_place and ground.is_marginal([gap.reference]), ground.has_hyp_lines, gap.share,
        _detail(gap, ground),
    )  # fmt: skip


def _detail(gap: Gap, ground: Ground) -> Detail | None:
    if gap.kind is EventKind.LOOP:
        n_words = sum(end - start for start, end in gap.hypothesis)
        period = round(n_words / gap.copies) if gap.copies else 0
        return Loop(gap.copies, period, _place(gap.source, ground), gap.foreign)
    if gap.kind is EventKind.REPEATED:
        return Repetition(_place(gap.source, ground), gap.extent)
    if gap.kind is EventKind.REPLACED or (gap.kind is EventKind.READ_BADLY and gap.extent):
        return Replacement(gap.extent)
    return gap.detail


def _place(span: Span | None, ground: Ground) -> Place | None:
    return None if span is None else ground.place([span])


_MARK = re.compile(r"[([]?(?:\d{1,2}|[a-z])[)\]]|\*+\)?|[†‡⁰¹²³⁴-⁹]+")
"""What refers to a note, and begins it."""


def is_footnote(found: Displaced) -> bool:
    """Whether displaced text is notes that end the page, called by their marks in its text."""
    words = found.ground.reference.words
    start, end = found.reference
    mark, after = _MARK.match(words[start]), words[end : end + 1]
    ends_page = not after or _MARK.match(after[0])
    if mark is None or not ends_page or not found.ground.starts_ref_line(start):
        return False
    return any(word.rstrip(".,;:").endswith(mark[0]) for word in words[:start])


def with_conventions(
    events: Sequence[Event], page: ScoredPage, layout: Layout, ground: Ground
) -> list[Event]:
    """The events with what of their errors another admissible order spares.

    One after the other, the costliest first, is put back into its place in the reference. Each time
    two counts fall: the errors against the reference as it stands, and those in the best order that
    the page allows. By how much the first falls further is a matter of convention, and all of the
    event is where the second does not fall at all. Over all events that is what the admissible
    orders spare the page, but for what its coincidences gain by another order.
    """
    errors, least = page.strict, page.admissible.errors
    if not page.admissible.spared:
        return list(events)
    ref, hyp = ground.words.common
    bag = page.scores.bwer.errors
    back: list[int] = []
    excused = list(events)
    of_order = [number for number, event in enumerate(events) if event.groups]
    for number in sorted(of_order, key=lambda number: -events[number].errors):
        event = events[number]
        back += event.groups
        ordered = hyp[repaired_order(layout, back)]
        strict = distance(ref, ordered)
        best = best_order(page.tree, ref, ordered, strict=strict, bag=bag, prove=False).errors
        spared = min((errors - strict) - max(least - best, 0), event.errors)
        if spared > 0:
            is_all = best >= least or spared == event.errors
            excused[number] = replace(event, convention=spared, all_allowed=is_all)
        errors, least = strict, best
    return excused
