"""What a displaced group costs: put it back in its place, and count how many errors vanish."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from rapidfuzz.distance import Levenshtein

from htreval_core.diagnosis.groups import Layout
from htreval_core.metrics.words import WordPair
from htreval_core.model import IntArray

_COVERED = 0.4
"""A group is text read elsewhere only if at least this share of its words is known from there.

Moving foreign words next to missing ones would save errors too, but say nothing about order.
"""
_SINGLY = 40
"""The largest groups, up to this many, are tried one by one; the rest are tried together."""


@dataclass(frozen=True, slots=True)
class Repair:
    """Groups that were put back together, and how many word errors that saved."""

    groups: tuple[int, ...]
    saved: int


def repaired_order(layout: Layout, groups: Iterable[int]) -> list[int]:
    """The hypothesis words in the order that putting the given groups back gives them."""
    words: list[int] = []
    for place in segment_order(layout, groups):
        segment = layout.segments[place]
        words += range(segment.hyp_start, segment.hyp_end)
    return words


def segment_order(layout: Layout, groups: Iterable[int]) -> list[int]:
    """Places of the segments, the given groups put behind the chunk that precedes them."""
    put_back = sorted(groups, key=lambda group: layout.groups[group][0])
    moving = {chunk for group in put_back for chunk in layout.groups[group]}
    still_out = {chunk for group in layout.groups for chunk in group} - moving
    place_of = {segment.chunk: place for place, segment in enumerate(layout.segments)}
    behind: dict[int, list[int]] = {}
    for group in put_back:
        chunks = layout.groups[group]
        anchor = chunks[0] - 1
        while anchor >= 0 and (anchor in still_out or anchor in moving):
            anchor -= 1
        behind.setdefault(anchor, []).extend(place_of[chunk] for chunk in chunks)
    order = behind.pop(-1, [])
    for place, segment in enumerate(layout.segments):
        if segment.chunk not in moving:
            order.append(place)
            order += behind.get(segment.chunk, [])
    return order


def find_repairs(words: WordPair, layout: Layout, errors: int) -> list[Repair]:
    """Repairs that help, the greatest first, each counted on top of those before it.

    Args:
        errors: the word errors of the page as it was read.
    """
    ref, hyp = words.common
    reference = ref.tolist()
    sizes = [sum(len(layout.chunks[chunk].pairs) for chunk in group) for group in layout.groups]
    by_size = [
        group
        for group in sorted(range(len(sizes)), key=lambda group: -sizes[group])
        if is_covered(layout, group)
    ]
    singly, together = by_size[:_SINGLY], by_size[_SINGLY:]
    done: list[int] = []
    repairs: list[Repair] = []
    left = errors

    def count(groups: Sequence[int]) -> int:
        return _errors(reference, hyp, repaired_order(layout, groups))

    # What a group saves rarely grows as others are put back: an old value is a bound good
    # enough to look at the most promising first, and look again before believing it.
    heap = [(-sizes[group], False, group) for group in singly]
    heapq.heapify(heap)
    useless: list[int] = []
    while heap:
        _, fresh, group = heapq.heappop(heap)
        saved = left - count([*done, group])
        if saved <= 0:
            useless.append(group)
        elif fresh or not heap or -saved <= heap[0][0]:
            done.append(group)
            left -= saved
            repairs.append(Repair((group,), saved))
            heap = [(value, False, other) for value, _, other in heap]
            heap += [(-sizes[other], False, other) for other in useless]
            heapq.heapify(heap)
            useless = []
        else:
            heapq.heappush(heap, (-saved, True, group))
    rest = [*useless, *together]
    if rest:
        saved = left - count([*done, *rest])
        if saved > 0:
            repairs.append(Repair(tuple(rest), saved))
    return sorted(repairs, key=lambda repair: -repair.saved)


def is_covered(layout: Layout, group: int) -> bool:
    """Whether enough of a group's words are known to come from elsewhere on the page."""
    chunks = set(layout.groups[group])
    n_words = sum(seg.hyp_end - seg.hyp_start for seg in layout.segments if seg.chunk in chunks)
    return sum(len(layout.chunks[chunk].pairs) for chunk in chunks) >= _COVERED * n_words


def _errors(reference: list[int], hyp: IntArray, order: Sequence[int]) -> int:
    return int(Levenshtein.distance(reference, hyp[np.asarray(order, dtype=np.int64)].tolist()))
