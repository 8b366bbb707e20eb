"""What displaced text costs: put it back in its place, and count how many errors vanish."""

import heapq
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from rapidfuzz.distance import Levenshtein

from htreval_core.diagnosis.limits import REPAIR
from htreval_core.diagnosis.order.groups import Layout
from htreval_core.metrics.words import WordPair, as_text


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
    for place in _Segments(layout).in_order(groups):
        segment = layout.segments[place]
        words += range(segment.hyp_start, segment.hyp_end)
    return words


@dataclass(frozen=True, eq=False)
class _Segments:
    """The segments of a page, to be put into one order after another."""

    layout: Layout

    @cached_property
    def _stays(self) -> list[int]:
        """The chunks that are in no group, rising."""
        out = self.layout.out_of_order
        return [chunk for chunk in range(len(self.layout.chunks)) if chunk not in out]

    def in_order(self, groups: Iterable[int]) -> list[int]:
        """Places of the segments, the given groups put behind the chunk that precedes them."""
        moving = sorted(chunk for group in set(groups) for chunk in self.layout.groups[group])
        stays, place_of = self._stays, self.layout.place_of
        behind: dict[int, list[int]] = {}
        for chunk in moving:
            at = bisect_left(stays, chunk)
            behind.setdefault(stays[at - 1] if at else -1, []).append(place_of[chunk])
        order = behind.pop(-1, [])
        put_back = set(moving)
        for place, segment in enumerate(self.layout.segments):
            if (chunk := segment.chunk) not in put_back:
                order.append(place)
                if chunk in behind:
                    order += behind[chunk]
        return order


def find_repairs(
    words: WordPair, layout: Layout, together_sets: Sequence[tuple[int, ...]], errors: int
) -> list[Repair]:
    """Repairs that help, the greatest first, each counted on top of those before it.

    Args:
        together_sets: groups that are put back at once.
        errors: the word errors of the page as it was read.
    """
    reference, output = _as_texts(words)
    pieces = [output[segment.hyp_start : segment.hyp_end] for segment in layout.segments]
    segments = _Segments(layout)
    sizes = [
        sum(len(layout.chunks[chunk].pairs) for group in groups for chunk in layout.groups[group])
        for groups in together_sets
    ]
    by_size = sorted(range(len(sizes)), key=lambda number: -sizes[number])
    singly, together = by_size[: REPAIR.SINGLY], by_size[REPAIR.SINGLY :]
    done: list[int] = []
    repairs: list[Repair] = []
    left = errors

    def groups_of(numbers: Iterable[int]) -> tuple[int, ...]:
        return tuple(sorted(group for number in numbers for group in together_sets[number]))

    def saved_by(numbers: Iterable[int]) -> int:
        """The errors that vanish; -1 or less for none, however many more there are."""
        order = segments.in_order(groups_of(numbers))
        repaired = "".join([pieces[place] for place in order])
        # Nobody asks how many more errors there are than before, and so the search may end early.
        return left - int(Levenshtein.distance(reference, repaired, score_cutoff=left))

    # What a group saves rarely grows as others are put back: an old value is a bound good
    # enough to look at the most promising first, and look again before believing it.
    heap = [(-sizes[number], False, number) for number in singly]
    heapq.heapify(heap)
    useless: list[int] = []
    while heap:
        value, fresh, number = heapq.heappop(heap)
        saved = -value if fresh else saved_by([*done, number])
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
        saved = saved_by([*done, *rest])
        if saved > 0:
            repairs.append(Repair(groups_of(rest), saved, several=True))
    return sorted(repairs, key=lambda repair: -repair.saved)


def _as_texts(words: WordPair) -> tuple[str, str]:
    """Both sides with a sign for each word, which are compared sooner than lists of numbers.

    Words that the reference does not have share a sign: they are equal to none of its words."""
    ref, hyp = words.common
    return as_text(ref), as_text(np.minimum(hyp, len(words.ref_types)))
