"""The layout of a page: its chunks by boxes or by words, and which of them stand out of order."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain, groupby, pairwise

import numpy as np

from htreval_core.diagnosis.limits import CELLS, LAYOUT, NAMING
from htreval_core.diagnosis.model import EventKind, Span
from htreval_core.diagnosis.order.displaced import Displaced, is_grid, turns
from htreval_core.diagnosis.order.groups import Layout, find_groups
from htreval_core.diagnosis.order.naming import edge_kind, goes_across, is_signs, n_columns
from htreval_core.diagnosis.order.placed import place_chunks
from htreval_core.diagnosis.order.repair import find_repairs
from htreval_core.diagnosis.page.chains import find_chunks
from htreval_core.diagnosis.page.chunks import Chunk, find_cells
from htreval_core.diagnosis.page.ground import Ground, share
from htreval_core.diagnosis.page.places import find_places
from htreval_core.diagnosis.page.shapes import BOTTOM, LEFT, RIGHT, TOP
from htreval_core.metrics.page import ScoredPage
from htreval_core.metrics.words import WordPair
from htreval_core.model import Alignment
from htreval_core.text import PageWords


def page_layout(page: ScoredPage, ground: Ground) -> Layout:
    """The chunks of a page, and which of them were read out of order.

    By the boxes of both sides where they have any that agree, else by the words alone.
    """
    places = None if ground.is_twice else find_places(ground)
    if places is None:
        return _layout_by_words(page, ground)
    placed = place_chunks(ground, places)
    found = find_groups(placed.chunks, len(page.hypothesis.words), ground.block_of)
    by_boxes = _with_regions(replace(_by_tags(found, ground), places=places), ground)
    errors, bwer = page.scores.wer.errors, page.scores.bwer.errors
    ahead = LAYOUT.TEXT_AHEAD * len(page.reference.words)
    left = _left(ground.words, by_boxes, errors)
    if left - bwer <= 3 * ahead:
        return by_boxes
    by_words = _layout_by_words(page, ground)
    # A displaced word costs two errors at most; what saves more fills a gap with other text.
    least = errors - 2 * _n_right(by_words, ground)
    told = max(_left(ground.words, by_words, errors), least)
    return by_words if told + ahead < left else by_boxes


def _n_right(layout: Layout, ground: Ground) -> int:
    """Displaced words that were read right."""
    ref, hyp = ground.reference.words, ground.hypothesis.words
    out = layout.out_of_order
    return sum(ref[j] == hyp[k] for number in out for j, k in layout.chunks[number].pairs)


def _left(words: WordPair, layout: Layout, errors: int) -> int:
    """Word errors that remain, of those of the page as read, when everything is put back."""
    if layout.segments and not layout.groups:
        return errors
    most = len(words.ref) + len(words.hyp)
    repairs = find_repairs(words, layout, [tuple(range(len(layout.groups)))], most)
    return most - sum(repair.saved for repair in repairs)


def _by_tags(layout: Layout, ground: Ground) -> Layout:
    """The layout with groups parted where the file calls their text something else."""
    groups: list[tuple[int, ...]] = []
    for group in layout.groups:
        tags = [Displaced(layout, (number,), ground).tag for number in group]
        for _, own in groupby(zip(group, tags, strict=True), key=lambda pair: pair[1]):
            groups.append(tuple(number for number, _ in own))
    return replace(layout, groups=tuple(groups))


def _with_regions(layout: Layout, ground: Ground) -> Layout:
    """The layout with one group for each table that was read by columns, and for shuffled lines."""
    if ground.shapes is None or layout.regions:
        return layout
    found: list[tuple[int, int, list[tuple[int, ...]]]] = []
    for group in layout.groups:
        (first, end), inside = layout.reach(group), [group]
        for other in [one for one in found if one[0] <= end and first <= one[1]]:
            found.remove(other)
            first, end, inside = min(first, other[0]), max(end, other[1]), [*inside, *other[2]]
        found.append((first, end, inside))
    regions: dict[tuple[int, ...], EventKind] = {}
    others = set(layout.groups)
    for first, end, groups in found:
        read = [one.chunk for one in layout.segments[first:end]]
        region = Displaced(layout, tuple(sorted(read)), ground)
        if not NAMING.LEAST_CELLS <= len(read) >= len(region.lines) / NAMING.CELLS:
            continue
        kind = EventKind.ROWS if _are_rows(region, read) else EventKind.SCRAMBLED
        if kind is EventKind.ROWS or _are_shuffled(region, read):
            by_place = n_columns(region) > NAMING.NOTES_AND_TEXT
            own = [Displaced(layout, group, ground) for group in groups]
            merged = {one.chunks for one in own if not _is_marked(one, by_place)}
            chunks = tuple(sorted(chain(*merged)))
            others -= merged
            if chunks:
                is_of_signs = is_signs(Displaced(layout, chunks, ground))
                regions[chunks] = EventKind.SIGNS if is_of_signs else kind
    return replace(layout, groups=tuple(sorted({*others, *regions})), regions=regions)


def _are_rows(table: Displaced, read: Sequence[int]) -> bool:
    """Whether chunks are cells, or parts of lines, that the reference reads across and the output
    downwards."""
    ground, layout = table.ground, table.layout
    boxes = {number: ground.box(table.lines_of([number])) for number in read}
    if layout.places is not None:
        for number in read:
            chunk = layout.chunks[number]
            of_words = layout.places.boxes[chunk.hyp_start : chunk.hyp_end]
            of_words = of_words[~np.isnan(of_words[:, LEFT])]
            if len(of_words):
                edges = of_words.min(axis=0), of_words.max(axis=0)
                boxes[number] = np.array([*edges[0][[LEFT, TOP]], *edges[1][[RIGHT, BOTTOM]]])
    down = across = 0
    for a, b in pairwise(map(boxes.__getitem__, read)):
        down += b[TOP] > a[TOP] and share(a, b) >= NAMING.SAME_COLUMN
    for a, b in pairwise(map(boxes.__getitem__, table.chunks)):
        across += goes_across(a, b) and share(a, b) < NAMING.ASIDE
    return min(down / NAMING.DOWN, across / NAMING.ACROSS) >= len(read) - 1


def _are_shuffled(region: Displaced, read: Sequence[int]) -> bool:
    """Whether chunks of one column were read in no order, neither by turns nor from the bottom."""
    down, back = turns(read)
    is_reversed = down >= NAMING.MOST_REVERSED * (len(read) - 1)
    is_ordered = is_reversed or is_grid(len(read), down, back)
    return not is_ordered and region.ground.is_column(region.lines)


def _is_marked(found: Displaced, by_place: bool) -> bool:
    """Whether text has a name that a region does not take from it: by the file, or a page number.

    By its place alone, cells may look like a marginal note."""
    if by_place and found.tag is EventKind.MARGINALIA:
        return found.ground.is_marginal(found.spans)
    return found.tag is not None or edge_kind(found) is EventKind.PAGE_NUMBER


def _layout_by_words(page: ScoredPage, ground: Ground) -> Layout:
    """By the matching of single words, or along the output where that explains more."""
    matching = _without(page.matching, [loop.again for loop in ground.loops])
    starts = _line_starts(ground.reference), _line_starts(ground.hypothesis)
    layout = _with_regions(_layout_of(find_chunks(matching, *starts), ground), ground)
    errors, bwer = page.scores.wer.errors, page.scores.bwer.errors
    untold = LAYOUT.UNTOLD * len(page.reference.words)
    if errors - bwer <= untold:
        return layout
    left = _left(ground.words, layout, errors)
    if left - bwer <= untold:
        return layout
    line_of = ground.reference.line_of
    chunks = find_cells(ground.words, line_of)
    steps = [line_of[two.ref_start] - line_of[one.ref_start] for one, two in pairwise(chunks)]
    below = sum(0 < step <= CELLS.REACH for step in steps)
    read = np.argsort(np.argsort([chunk.ref_start for chunk in chunks])).tolist()
    # A single cell says next to nothing, all of them together leave no doubt.
    if below >= CELLS.MOSTLY * max(len(steps), 1) and is_grid(len(read), *turns(read)):
        other = find_groups(chunks, len(ground.hypothesis.words), ground.block_of)
        other = _by_tags(other, ground)
        other = replace(other, regions=dict.fromkeys(other.groups, EventKind.ROWS))
    else:
        other = _with_regions(_layout_of(chunks, ground), ground)
    least = max(untold, LAYOUT.EXPLAINED * (left - bwer))
    return other if _left(ground.words, other, errors) + least < left else layout


def _layout_of(chunks: Sequence[Chunk], ground: Ground) -> Layout:
    """Without what says no more than chance would."""
    bits: dict[int, float] = {}
    while True:
        layout = find_groups(chunks, len(ground.hypothesis.words), ground.block_of)
        displaced = [layout.chunks[number] for group in layout.groups for number in group]
        new = [chunk for chunk in displaced if chunk.ref_start not in bits]
        said = ground.evidence.of_chunks([chunk.pairs for chunk in new])
        bits.update(zip((chunk.ref_start for chunk in new), said, strict=True))
        chance = {
            layout.chunks[number].ref_start
            for group in layout.groups
            if not _is_evident(layout, group, bits, ground)
            for number in group
        }
        if not chance:
            return _by_tags(layout, ground)
        chunks = [chunk for chunk in chunks if chunk.ref_start not in chance]


def _without(matching: Alignment, aside: Sequence[Span]) -> Alignment:
    """The matching without words that belong nowhere."""
    if not aside:
        return matching
    keep = np.ones(len(matching), dtype=bool)
    for start, end in aside:
        keep &= (matching.hyp_index < start) | (matching.hyp_index >= end)
    return replace(matching, ref_index=matching.ref_index[keep], hyp_index=matching.hyp_index[keep])


def _is_evident(
    layout: Layout, group: Sequence[int], bits_of: Mapping[int, float], ground: Ground
) -> bool:
    """Whether displaced words say more, in bits, than chance would so far from their place."""
    anchor = next((n for n in range(group[0] - 1, -1, -1) if n not in layout.out_of_order), None)
    home = 0 if anchor is None else layout.chunks[anchor].hyp_end
    n_pairs = sum(len(layout.chunks[number].pairs) for number in group)
    distance = min(
        min(abs(layout.chunks[number].hyp_start - home), abs(layout.chunks[number].hyp_end - home))
        for number in group
    )
    bits = sum(bits_of[layout.chunks[number].ref_start] for number in group)
    beside = 0.0
    if ground.has_lines and ground.has_hyp_lines:
        # Chance does not begin and end where lines do, on both sides.
        beside += LAYOUT.WHOLE_LINE * sum(
            _is_whole(layout.chunks[number], ground) for number in group
        )
    if Displaced(layout, tuple(group), ground).tag is not None:
        beside += LAYOUT.TAGGED
    words = [k for number in group for _, k in layout.chunks[number].pairs]
    in_loop = any(loop.start <= min(words) and max(words) < loop.end for loop in ground.loops)
    # What stands in a loop agrees with something in one of its copies.
    if in_loop or (n_pairs == 1 and not beside):
        return False
    return bits + beside >= ground.evidence.needed(distance) + LAYOUT.PER_PIECE * (len(group) - 1)


def _is_whole(chunk: Chunk, ground: Ground) -> bool:
    of_ref = ground.starts_ref_line(chunk.ref_start) and ground.ends_ref_line(chunk.ref_end)
    of_hyp = ground.starts_hyp_line(chunk.hyp_start) and ground.ends_hyp_line(chunk.hyp_end)
    return of_ref and of_hyp


def _line_starts(words: PageWords) -> frozenset[int]:
    if len(set(words.line_of)) < 2:
        return frozenset()
    lines = np.array(words.line_of)
    return frozenset([0, *(np.flatnonzero(lines[1:] != lines[:-1]) + 1).tolist()])
