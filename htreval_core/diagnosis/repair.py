"""What displaced text costs: put it back in its place, and count how many errors vanish."""

from __future__ import annotations

import heapq
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from rapidfuzz.distance import Levenshtein

from htreval_core.diagnosis.groups import Layout
from htreval_core.metrics.words import WordPair
from htreval_core.model import IntArray

_SINGLY = 40
"""The largest sets of groups, up to this many, are tried one by one; the rest together."""


@dataclass(frozen=True, slots=True)
class Repair:
    """Groups that were put back together, and how many word errors that saved."""

    groups: tuple[int, ...]
    saved: int
    several: bool = False
    """Whether they belong together no more than that they only help together."""


def repaired_order(layout: Layout, groups: Iterable[int]) -> list[int]:
    """The hypothesis words in the order that putting the given groups back gives them."""
    words: list[int] = []
    for place in segment_order(layout, groups):
        segment = layout.segments[place]
        words += range(segment.hyp_start, segment.hyp_end)
    return words


def segment_order(layout: Layout, groups: Iterable[int]) -> list[int]:
    """Places of the segments, the given groups put behind the chunk that precedes them."""
    moving = sorted(chunk for group in set(groups) for chunk in layout.groups[group])
    out = {chunk for group in layout.groups for chunk in group}
    place_of = {segment.chunk: place for place, segment in enumerate(layout.segments)}
    stays = [chunk for chunk in range(len(layout.chunks)) if chunk not in out]
    behind: dict[int, list[int]] = {}
    for chunk in moving:
        at = bisect_left(stays, chunk)
        behind.setdefault(stays[at - 1] if at else -1, []).append(place_of[chunk])
    order = behind.pop(-1, [])
    put_back = set(moving)
    for place, segment in enumerate(layout.segments):
        if segment.chunk not in put_back:
            order.append(place)
            order += behind.get(segment.chunk, [])
    return order


def find_repairs(
    words: WordPair, layout: Layout, together_sets: Sequence[tuple[int, ...]], errors: int
) -> list[Repair]:
    """Repairs that help, the greatest first, each counted on top of those before it.

    Args:
        together_sets: groups that are put back at once.
        errors: the word errors of the page as it was read.
    """
    ref, hyp = words.common
    reference = ref.tolist()
    sizes = [
        sum(len(layout.chunks[chunk].pairs) for group in groups for chunk in layout.groups[group])
        for groups in together_sets
    ]
    by_size = sorted(range(len(sizes)), key=lambda number: -sizes[number])
    singly, together = by_size[:_SINGLY], by_size[_SINGLY:]
    done: list[int] = []
    repairs: list[Repair] = []
    left = errors

    def groups_of(numbers: Iterable[int]) -> tuple[int, ...]:
        return tuple(sorted(group for number in numbers for group in together_sets[number]))

    def count(numbers: Iterable[int]) -> int:
        return _errors(reference, hyp, repaired_order(layout, groups_of(numbers)))

    # What a group saves rarely grows as others are put back: an old value is a bound good
    # enough to look at the most promising first, and look again before believing it.
    heap = [(-sizes[number], False, number) for number in singly]
    heapq.heapify(heap)
    useless: list[int] = []
    while heap:
        _, fresh, number = heapq.heappop(heap)
        saved = left - count([*done, number])
        if saved <= 0:
            useless.append(number)
        elif fresh or not heap or -saved <= heap[0][0]:
            done.append(number)
            left -= saved
            repairs.append(Repair(groups_of([number]), saved))
            heap = [(value, False, other) for value, _, other in heap]
            heap += [(-sizes[other], False, other) for other in useless]
            heapq.heapify(heap)
            useless = []
        else:
            heapq.heappush(heap, (-saved, True, number))
    rest = [*useless, *together]
    if rest:
        saved = left - count([*done, *rest])
        if saved > 0:
            repairs.append(Repair(groups_of(rest), saved, several=True))
    return sorted(repairs, key=lambda repair: -repair.saved)


def _errors(reference: list[int], hyp: IntArray, order: Sequence[int]) -> int:
    return int(Levenshtein.distance(reference, hyp[np.asarray(order, dtype=np.int64)].tolist()))
