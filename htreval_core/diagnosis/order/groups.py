"""From chunks to groups: which stretches stand out of order, and which of them belong together."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from htreval_core.diagnosis.limits import GROUPS
from htreval_core.diagnosis.model import EventKind
from htreval_core.diagnosis.page.chunks import Chunk
from htreval_core.diagnosis.page.places import Places
from htreval_core.model import FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of hypothesis words that goes with one chunk; segments cover the page."""

    hyp_start: int
    hyp_end: int
    chunk: int


@dataclass(frozen=True)
class Layout:
    """The chunks of a page in reference order, and which of them were read out of it.

    Args:
        chunks: in reference order.
        segments: in hypothesis order; one for each chunk.
        groups: numbers of displaced chunks, rising; those of one group belong together.
        places: where the output's words stand on the page, where the boxes of both sides tell.
        regions: groups that are all of a table, or of a column, with what became of it.
    """

    chunks: tuple[Chunk, ...]
    segments: tuple[Segment, ...]
    groups: tuple[tuple[int, ...], ...]
    places: Places | None = None
    regions: Mapping[tuple[int, ...], EventKind] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<Layout of {len(self.chunks):,} chunks, {len(self.groups):,} groups out of order>"

    @cached_property
    def out_of_order(self) -> frozenset[int]:
        """The displaced chunks of all groups."""
        return frozenset(chunk for group in self.groups for chunk in group)

    @cached_property
    def place_of(self) -> Mapping[int, int]:
        """Where among the segments the one of each chunk stands."""
        return {segment.chunk: place for place, segment in enumerate(self.segments)}

    @cached_property
    def _read(self) -> tuple[list[int], list[int]]:
        """The chunks as they were read, and where the segment of each ends."""
        return [one.chunk for one in self.segments], [one.hyp_end for one in self.segments]

    def chunks_before(self, word: int) -> list[int]:
        """The chunks that were read before a word of the output, as they were read."""
        chunks, ends = self._read
        return chunks[: bisect_right(ends, word)]

    def reach(self, group: Sequence[int]) -> tuple[int, int]:
        """The segments from where displaced chunks were read to where they belong."""
        kept = np.array(sorted(set(range(len(self.chunks))) - self.out_of_order), dtype=np.int64)
        places = np.array([self.place_of[n] for n in kept.tolist()], dtype=np.int64)
        own = [(number, self.place_of[number]) for number in group]
        jumped = [places[(kept < n) != (places < place)] for n, place in own]
        every = np.concatenate([*jumped, [place for _, place in own]])
        return int(every.min()), int(every.max()) + 1

    @cached_property
    def pairs(self) -> tuple[IntArray, IntArray]:
        """All pairs of words, chunk by chunk: reference words and words of the output."""
        every = [pair for chunk in self.chunks for pair in chunk.pairs]
        ref, hyp = np.array(every, dtype=np.int64).reshape(-1, 2).T
        return ref, hyp


def find_groups(chunks: Sequence[Chunk], n_hyp: int, block_of: Sequence[int]) -> Layout:
    """Choose what kept its order and gather the rest into groups.

    Of several choices that take about as much text out of order, one that moves whole blocks is
    preferred to one that cuts through them.

    Args:
        chunks: in hypothesis order.
        block_of: the block that each reference word stands in, numbers that rise.
    """
    n_ref = len(block_of)
    by_reference = sorted(chunks, key=lambda chunk: chunk.ref_start)
    number = {id(chunk): place for place, chunk in enumerate(by_reference)}
    in_hypothesis = [number[id(chunk)] for chunk in chunks]
    ranks = np.argsort(in_hypothesis).tolist()
    sizes = [chunk.size for chunk in by_reference]
    edges = _edges(by_reference, block_of)
    prices = sorted({*GROUPS.PRICES, GROUPS.SHARE * n_ref})
    kept, *at_higher_prices = _backbones(sizes, ranks, prices, edges)
    best, moved = _runs_outside(kept, len(chunks)), _weight_outside(kept, sizes)
    for other in at_higher_prices:
        groups = _runs_outside(other, len(chunks))
        fewer = _n_heavy(groups, sizes) < _n_heavy(best, sizes)
        if fewer and _weight_outside(other, sizes) <= GROUPS.DEARER * moved:
            best = groups
    segments = _segments(by_reference, in_hypothesis, n_ref, n_hyp)
    return Layout(tuple(by_reference), tuple(segments), tuple(map(tuple, best)))


@dataclass(frozen=True, eq=False)
class _Edges:
    """What it costs to leave a block at a chunk that is not its last, or to enter it late.

    Args:
        first: the block of each chunk's first word, shape (chunks,).
        last: that of its last.
        leave: the cost, 0 for the last chunk of a block.
        enter: the same, 0 for the first.
    """

    first: IntArray
    last: IntArray
    leave: FloatArray
    enter: FloatArray


def _edges(chunks: Sequence[Chunk], block_of: Sequence[int]) -> _Edges:
    first = np.array([block_of[chunk.ref_start] for chunk in chunks], dtype=np.int64)
    last = np.array([block_of[chunk.ref_end - 1] for chunk in chunks], dtype=np.int64)
    weights: Counter[int] = Counter()
    for block, chunk in zip(first.tolist(), chunks, strict=True):
        weights[block] += len(chunk.pairs)
    cost = {block: max(GROUPS.LEAST_CUT, GROUPS.CUT * weight) for block, weight in weights.items()}
    if len(cost) < 2:  # nothing to keep together
        cost = dict.fromkeys(cost, 0.0)
    enter = np.array([cost[block] for block in first.tolist()])
    leave = np.array([cost.get(block, 0.0) for block in last.tolist()])
    if len(chunks):
        enter[np.concatenate([[True], first[1:] != last[:-1]])] = 0.0
        leave[np.concatenate([first[1:] != last[:-1], [True]])] = 0.0
    return _Edges(first, last, leave, enter)


def _backbones(
    sizes: Sequence[float], rank: Sequence[int], prices: Sequence[float], edges: _Edges
) -> list[list[int]]:
    """For each price of a run that is left out the chunks that keep their order, the heaviest."""
    n = len(sizes)
    ranks, each = np.asarray(rank), np.asarray(prices)
    best = np.zeros((len(each), n))
    before = np.full((len(each), n), -1)
    numbers = np.arange(len(each))
    for i in range(n):
        size = sizes[i]
        if not i:
            best[:, 0] = size
            continue
        best[:, i] = size - (each + edges.enter[i])
        # What ends with the chunk just before leaves out no run; everything else does.
        cut = (edges.last[:i] != edges.first[i]) * (edges.leave[:i] + edges.enter[i])
        so_far = best[:, :i] - each[:, None] - cut
        so_far[:, i - 1] = best[:, i - 1]
        so_far[:, ranks[:i] > ranks[i]] = -np.inf
        j = so_far.argmax(axis=1)
        gained = so_far[numbers, j] + size
        better = gained > best[:, i]
        best[better, i], before[better, i] = gained[better], j[better]
    ends = best - each[:, None] - edges.leave
    ends[:, n - 1 :] += each[:, None]
    kept: list[list[int]] = []
    for own_ends, own_before in zip(ends, before.tolist(), strict=True):
        at = int(own_ends.argmax()) if n else -1
        own: list[int] = []
        while at >= 0:
            own.append(at)
            at = own_before[at]
        kept.append(own[::-1])
    return kept


def _n_heavy(groups: Sequence[Sequence[int]], sizes: Sequence[float]) -> int:
    """How many groups there are, specks left out."""
    return sum(sum(sizes[chunk] for chunk in group) >= GROUPS.SPECK for group in groups)


def _runs_outside(kept: Sequence[int], n: int) -> list[list[int]]:
    stays = set(kept)
    runs: list[list[int]] = []
    for i in range(n):
        if i in stays:
            continue
        if runs and runs[-1][-1] == i - 1:
            runs[-1].append(i)
        else:
            runs.append([i])
    return runs


def _weight_outside(kept: Sequence[int], sizes: Sequence[float]) -> float:
    return sum(sizes) - sum(sizes[i] for i in kept)


def _segments(
    chunks: Sequence[Chunk], in_hypothesis: Sequence[int], n_ref: int, n_hyp: int
) -> list[Segment]:
    """Give every hypothesis word between two chunks to the one that still lacks reference words."""
    segments: list[Segment] = []
    start = 0
    for place, number in enumerate(in_hypothesis):
        chunk = chunks[number]
        if place + 1 == len(in_hypothesis):
            segments.append(Segment(start, n_hyp, number))
            break
        following = chunks[in_hypothesis[place + 1]]
        free = following.hyp_start - chunk.hyp_end
        after = chunks[number + 1].ref_start if number + 1 < len(chunks) else n_ref
        number_next = in_hypothesis[place + 1]
        ends_before = chunks[number_next - 1].ref_end if number_next else 0
        lacks_here = max(after - chunk.ref_end, 0)
        lacks_there = max(following.ref_start - ends_before, 0)
        here = min(free, lacks_here)
        if lacks_here + lacks_there < free:
            here = max(here, free - lacks_there) if not lacks_there else (here + free) // 2
        elif lacks_here and lacks_there:
            here = round(free * lacks_here / (lacks_here + lacks_there))
        segments.append(Segment(start, chunk.hyp_end + here, number))
        start = chunk.hyp_end + here
    return segments
