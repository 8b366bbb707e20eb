"""Chunks, stretches of text that were read as a whole, how they are parted, and cells of rows."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, groupby, pairwise
from typing import NamedTuple

import numpy as np

from htreval_core.diagnosis.limits import CELLS, CHUNKS
from htreval_core.metrics.words import WordPair

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Chunk:
    """Words read as a whole: pairs (reference, hypothesis) that rise on both sides."""

    pairs: tuple[Pair, ...]
    weight: float
    placed: float | None = None
    """How many words of it stand on its lines, where boxes say so; fewer count if none is read."""

    @property
    def size(self) -> float:
        """How many words speak for its place in the order."""
        return float(len(self.pairs)) if self.placed is None else self.placed

    @property
    def ref_start(self) -> int:
        return self.pairs[0][0]

    @property
    def ref_end(self) -> int:
        return self.pairs[-1][0] + 1

    @property
    def hyp_start(self) -> int:
        return self.pairs[0][1]

    @property
    def hyp_end(self) -> int:
        return self.pairs[-1][1] + 1


def above(chunks: Iterable[Chunk], least: float) -> list[Chunk]:
    """Those that weigh enough."""
    return [chunk for chunk in chunks if chunk.weight >= least]


def clean(chunks: list[Chunk], least: float) -> list[Chunk]:
    """Chunks that share no word, none inside another, none too light, neighbours joined."""
    kept = above(_split_at_guests(above(_cut_overlaps(chunks), least)), least)
    return _join(sorted(kept, key=lambda c: c.hyp_start))


def _cut_overlaps(chunks: Sequence[Chunk]) -> list[Chunk]:
    """Chunks of which several claim the same reference words, each word given to one of them.

    Going along the reference, a stretch goes on in its chunk or changes to another; leaving one
    before its end and entering one after its beginning has a price. So two that overlap are cut
    at the one point where they lose least."""
    kept: list[list[Chunk]] = []
    gained = 0.0
    for together in _overlapping(chunks):
        own, gained = _cut(together, gained) if len(together) > 1 else _whole(together[0], gained)
        kept.append(own)
    return [chunk for own in reversed(kept) for chunk in own]


def _overlapping(chunks: Sequence[Chunk]) -> list[list[Chunk]]:
    """Chunks along the reference, in groups that overlap; each group keeps its order."""
    found: list[list[int]] = []
    end = -1
    for number in sorted(range(len(chunks)), key=lambda number: chunks[number].ref_start):
        if chunks[number].ref_start < end:
            found[-1].append(number)
        else:
            found.append([number])
        end = max(end, chunks[number].ref_end)
    return [[chunks[number] for number in sorted(together)] for together in found]


def _whole(chunk: Chunk, gained: float) -> tuple[list[Chunk], float]:
    """``_cut`` of a chunk that no other overlaps."""
    score = chunk.weight / len(chunk.pairs)
    # Summed pair by pair, as ``_cut`` does: another sum could be rounded otherwise.
    for _ in chunk.pairs:
        gained = score + gained
    return [_part(chunk, chunk.pairs)], gained


def _part(chunk: Chunk, pairs: tuple[Pair, ...]) -> Chunk:
    return Chunk(pairs, chunk.weight * len(pairs) / len(chunk.pairs))


def _cut(chunks: Sequence[Chunk], gained: float) -> tuple[list[Chunk], float]:
    """What is left of chunks that overlap, and what is gained with those before them."""
    pairs = sorted(
        (j, number, k, chunk.weight / len(chunk.pairs))
        for number, chunk in enumerate(chunks)
        for j, k in chunk.pairs
    )
    starts, ends = [c.hyp_start for c in chunks], [c.hyp_end for c in chunks]
    best: list[float] = []
    before: list[int] = []
    last_of: dict[int, int] = {}
    # The best place to change from, and what is gained up to there if its chunk is left.
    top, top_gained = -1, gained
    pending, pending_gained = -1, -math.inf
    last_j = -1
    for at, (j, number, k, score) in enumerate(pairs):
        if j != last_j:
            # A word that is given to one chunk is not given to another, too.
            if pending_gained > top_gained:
                top, top_gained = pending, pending_gained
            pending_gained, last_j = -math.inf, j
        enter = 0.0 if k == starts[number] else CHUNKS.CHANGE
        value, source = score - enter + top_gained, top
        own = last_of.get(number, -1)
        if own >= 0 and score + best[own] >= value:
            value, source = score + best[own], own
        best.append(value)
        before.append(source)
        last_of[number] = at
        left = value - (0.0 if k + 1 == ends[number] else CHUNKS.CHANGE)
        if left > pending_gained:
            pending, pending_gained = at, left
    kept: dict[int, list[Pair]] = {}
    gained = max(best)
    at = best.index(gained)
    while at >= 0:
        j, number, k, _ = pairs[at]
        kept.setdefault(number, []).append((j, k))
        at = before[at]
    return [_part(chunks[number], tuple(reversed(its))) for number, its in kept.items()], gained


def _split_at_guests(chunks: list[Chunk]) -> list[Chunk]:
    """Cut chunks in whose gaps, on either side, words of another chunk lie."""
    n = sum(len(chunk.pairs) for chunk in chunks)
    every = chain.from_iterable(chain.from_iterable(chunk.pairs for chunk in chunks))
    places = np.fromiter(every, np.int64, 2 * n).reshape(n, 2)
    cut = np.zeros(n, dtype=bool)
    for side in (0, 1):
        rank = np.empty(n, dtype=np.int64)
        rank[np.argsort(places[:, side], kind="stable")] = np.arange(n)
        # Of one chunk's words, two that are neighbours have nothing of another between them.
        cut[1:] |= rank[1:] != rank[:-1] + 1
    split: list[Chunk] = []
    first = 0
    for chunk in chunks:
        per_pair = chunk.weight / len(chunk.pairs)
        last = len(chunk.pairs)
        cuts = [at + 1 for at in np.flatnonzero(cut[first + 1 : first + last]).tolist()]
        for start, end in pairwise([0, *cuts, last]):
            split.append(Chunk(chunk.pairs[start:end], per_pair * (end - start)))
        first += last
    return split


def _join(chunks: list[Chunk]) -> list[Chunk]:
    """Put together chunks that are neighbours on both sides; chunks in hypothesis order.

    Not over a hole that is longer than a chain may skip: who knows what belongs there."""
    rank = {
        id(chunk): place for place, chunk in enumerate(sorted(chunks, key=lambda c: c.ref_start))
    }
    joined: list[list[Chunk]] = []
    for chunk in chunks:
        before = joined[-1][-1] if joined else None
        if (
            before is not None
            and rank[id(chunk)] == rank[id(before)] + 1
            and chunk.ref_start - before.ref_end <= CHUNKS.WINDOW
            and chunk.hyp_start - before.hyp_end <= CHUNKS.WINDOW
        ):
            joined[-1].append(chunk)
        else:
            joined.append([chunk])
    return [
        Chunk(tuple(p for chunk in run for p in chunk.pairs), sum(c.weight for c in run))
        for run in joined
    ]


def find_cells(words: WordPair, line_of: Sequence[int]) -> list[Chunk]:
    """Chunks along the best way of the output through the rows of the reference.

    From word to word it goes on in the row, to the row below, to the top of a few rows, or anywhere
    else, which costs most.

    Args:
        line_of: shape (reference words,), the row of each.
    """
    ref, hyp = (side.tolist() for side in words.common)
    places: dict[int, list[int]] = defaultdict(list)
    for j, word in enumerate(ref):
        places[word].append(j)
    times, usable, n_pairs = Counter(hyp), set[int](), 0
    for word in sorted(places, key=lambda one: len(places[one])):
        n_pairs += len(places[word]) * times[word]
        if n_pairs > CELLS.MOST_PAIRS:
            break
        usable.add(word)
    nodes = [_Node(0.0, 0, (-1, -1))]
    # By the output's words, the nodes by reference word, and the best of each row.
    in_row: list[dict[int, int]] = []
    below: list[dict[int, int]] = []
    best = 0
    for k, word in enumerate(hyp):
        ends: dict[int, int] = {}
        of_rows: dict[int, int] = {}
        for j in places[word] if word in usable else ():
            row = line_of[j]
            ways = [(nodes[best].worth - CELLS.JUMP * (best > 0), best)]
            for step in range(1, min(CELLS.REACH, k) + 1):
                lost = CELLS.LOST * (step - 1)
                if (one := in_row[k - step].get(j - step)) is not None:
                    ways.append((nodes[one].worth - lost, one))
                for off in (*range(-step, 0), *range(1, CELLS.ROWS)):
                    if (one := below[k - step].get(row + off)) is not None:
                        price = CELLS.ROW if off < 0 else CELLS.TOP
                        ways.append((nodes[one].worth - lost - price, one))
            worth, before = max(ways)
            ends[j] = len(nodes)
            nodes.append(_Node(worth + 1, before, (j, k)))
            if row not in of_rows or nodes[of_rows[row]].worth < worth + 1:
                of_rows[row] = ends[j]
        in_row.append(ends)
        below.append(of_rows)
        best = max([best, *ends.values()], key=lambda one: nodes[one].worth)
    way: list[Pair] = []
    while best:
        way.append(nodes[best].pair)
        best = nodes[best].before
    # Both places rise by one from each pair of a chunk to the next.
    runs = groupby(enumerate(way[::-1]), lambda one: (one[1][0] - one[0], one[1][1] - one[0]))
    chunks = [tuple(pair for _, pair in run) for _, run in runs]
    return clean([Chunk(pairs, float(len(pairs))) for pairs in chunks], 0.0)


class _Node(NamedTuple):
    """A pair of equal words, what the best way to it is worth, and the node before it."""

    worth: float
    before: int
    pair: Pair
