"""From matched words to chunks: stretches of text that were read as a whole.

Words are chained in hypothesis order as anchors are in aligning genomes: a chain may skip a few
words on either side at a small price, and break off to go on elsewhere at a larger one. The
matching is regularised word by word, so it may cross repeated phrases; next to each matched pair
the pairs that its neighbours suggest are candidates too.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from rapidfuzz import process
from rapidfuzz.distance import Levenshtein

from htreval_core.model import Alignment, FloatArray, IntArray

_ALIKE = 0.45
"""Words less alike than this do not count as the same word."""
_FULL_LENGTH = 5
"""The letters from which on a word counts in full: short words match anything."""
_WINDOW = 12
_SKIP = 0.12
_BREAK, _BREAK_AT_LINE = 1.3, 0.9
_BREAK_LEFT_OVER, _LEAST_LEFT_OVER = 0.4, 0.5
_LEAST = 1.2
_LEFT_OVER_CELLS = 4_000_000
_CHANGE = 0.2
"""What it costs, along the reference, to leave a chunk before its end or to enter one late."""

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


def likeness(ref_words: Sequence[str], hyp_words: Sequence[str]) -> FloatArray:
    """How much two words of equal places in both lists speak for each other, shape (n,).

    Positive for words that are alike, more so for long ones; -0.3 for others.
    """
    if not ref_words:
        return np.zeros(0)
    distance = process.cpdist(ref_words, hyp_words, scorer=Levenshtein.distance, dtype=np.int32)
    longer = np.maximum(_lengths(ref_words), _lengths(hyp_words))
    return _score(distance, longer)


def _lengths(words: Sequence[str]) -> IntArray:
    return np.fromiter(map(len, words), np.int64, len(words))


def _score(distance: IntArray, longer: IntArray) -> FloatArray:
    similar = 1 - distance / longer
    full = (similar - _ALIKE) / (1 - _ALIKE) * np.minimum(longer, _FULL_LENGTH) / _FULL_LENGTH
    return np.where(similar > _ALIKE, full, -0.3)


def find_chunks(
    matching: Alignment, ref_line_starts: frozenset[int], hyp_line_starts: frozenset[int]
) -> list[Chunk]:
    """The chunks of a page in hypothesis order; they share no word.

    Args:
        ref_line_starts: positions of the first words of reference lines.
        hyp_line_starts: the same for the hypothesis; both empty where lines are not known.
    """

    def price(j: int, k: int) -> float:
        at_line = j in ref_line_starts or k in hyp_line_starts
        return _BREAK_AT_LINE if at_line else _BREAK

    scored = _candidates(matching)
    chunks = _clean(_chain(scored, price), _LEAST)
    # Short stretches hide behind the price of breaking off; between words that are left over on
    # both sides they may be looked for more boldly.
    left_over = _left_over(matching, chunks)
    more = _chain(left_over, lambda j, k: _BREAK_LEFT_OVER)
    return _clean([*chunks, *_above(more, _LEAST_LEFT_OVER)], _LEAST_LEFT_OVER)


Scored = list[tuple[int, int, float]]


def _candidates(matching: Alignment) -> Scored:
    """Pairs worth chaining as (hypothesis, reference, score), sorted."""
    ref, hyp = matching.pairs
    mate = np.full(len(matching.hyp_words), -1)
    mate[hyp] = ref
    columns = [np.stack([hyp, ref])]
    places = np.arange(len(mate))
    for shift in (-4, -3, -2, -1, 1, 2, 3, 4):
        near = places + shift
        inside = (near >= 0) & (near < len(mate))
        k, j = places[inside], mate[near[inside]] - shift
        real = (mate[near[inside]] >= 0) & (j >= 0) & (j < len(matching.ref_words))
        columns.append(np.stack([k[real], j[real]]))
    pairs = np.unique(np.concatenate(columns, axis=1), axis=1)
    ref_words = [matching.ref_words[j] for j in pairs[1].tolist()]
    hyp_words = [matching.hyp_words[k] for k in pairs[0].tolist()]
    scores = likeness(ref_words, hyp_words)
    good = scores > 0
    k, j = pairs[:, good]
    return list(zip(k.tolist(), j.tolist(), scores[good].tolist(), strict=True))


def _left_over(matching: Alignment, chunks: Iterable[Chunk]) -> Scored:
    """Pairs of like words that stand in no chunk on either side."""
    used_ref = np.zeros(len(matching.ref_words), bool)
    used_hyp = np.zeros(len(matching.hyp_words), bool)
    for chunk in chunks:
        for j, k in chunk.pairs:
            used_ref[j] = used_hyp[k] = True
    ref, hyp = np.flatnonzero(~used_ref), np.flatnonzero(~used_hyp)
    if not len(ref) or not len(hyp) or len(ref) * len(hyp) > _LEFT_OVER_CELLS:
        return []
    ref_words = [matching.ref_words[j] for j in ref.tolist()]
    hyp_words = [matching.hyp_words[k] for k in hyp.tolist()]
    distance = process.cdist(hyp_words, ref_words, scorer=Levenshtein.distance, dtype=np.int32)
    scores = _score(distance, np.maximum(_lengths(hyp_words)[:, None], _lengths(ref_words)))
    rows, columns = np.nonzero(scores > 0)
    return list(
        zip(hyp[rows].tolist(), ref[columns].tolist(), scores[rows, columns].tolist(), strict=True)
    )


def _chain(scored: Scored, price: Callable[[int, int], float]) -> list[Chunk]:
    """The chains of greatest total score in hypothesis order, cut where they break off."""
    best: list[float] = []
    before: list[int] = []
    goes_on: list[bool] = []
    finished, finished_at = 0.0, -1
    pending, pending_at = 0.0, -1
    last_k = -1
    # Of each reference word the pairs within the window of the present hypothesis word.
    near: dict[int, deque[int]] = {}
    for at, (k, j, score) in enumerate(scored):
        if k != last_k:
            # What ended at earlier words may be broken off from; what ends at this word may not.
            if pending > finished:
                finished, finished_at = pending, pending_at
            last_k = k
        value, source, extends = score, -1, False
        if finished_at >= 0 and finished - price(j, k) > 0:
            value, source = score + finished - price(j, k), finished_at
        followed: list[int] = []
        for j_before in range(j - _WINDOW, j):
            pairs_there = near.get(j_before)
            if pairs_there:
                while pairs_there and scored[pairs_there[0]][0] < k - _WINDOW:
                    pairs_there.popleft()
                followed += pairs_there
        # Of equal chains the one that was reached last is followed.
        for other in sorted(followed, reverse=True):
            k_before, j_before, _ = scored[other]
            if k_before < k:
                gained = best[other] + score - _SKIP * (j - j_before + k - k_before - 2)
                if gained > value:
                    value, source, extends = gained, other, True
        near.setdefault(j, deque()).append(at)
        best.append(value)
        before.append(source)
        goes_on.append(extends)
        if value > pending:
            pending, pending_at = value, at
    chunks: list[Chunk] = []
    at = max(range(len(best)), key=best.__getitem__) if best else -1
    pairs: list[Pair] = []
    weight = 0.0
    while at >= 0:
        k, j, score = scored[at]
        pairs.append((j, k))
        weight += score
        if not goes_on[at]:
            chunks.append(Chunk(tuple(reversed(pairs)), weight))
            pairs, weight = [], 0.0
        at = before[at]
    return chunks[::-1]


def _above(chunks: Iterable[Chunk], least: float) -> list[Chunk]:
    return [chunk for chunk in chunks if chunk.weight >= least]


def _clean(chunks: list[Chunk], least: float) -> list[Chunk]:
    """Chunks that share no word, none inside another, none too light, neighbours joined."""
    kept = _above(_split_at_guests(_above(_cut_overlaps(chunks), least)), least)
    return _join(sorted(kept, key=lambda c: c.hyp_start))


def _cut_overlaps(chunks: Sequence[Chunk]) -> list[Chunk]:
    """Chunks of which several claim the same reference words, each word given to one of them.

    Going along the reference, a stretch goes on in its chunk or changes to another; leaving one
    before its end and entering one after its beginning has a price. So two that overlap are cut
    at the one point where they lose least.
    """
    pairs = sorted(
        (j, number, k, chunk.weight / len(chunk.pairs))
        for number, chunk in enumerate(chunks)
        for j, k in chunk.pairs
    )
    best: list[float] = []
    before: list[int] = []
    last_of: dict[int, int] = {}
    top, pending = -1, -1
    last_j = -1

    def left_at(at: int) -> float:
        """What is gained up to a pair, if its chunk is left there."""
        _, number, k, _ = pairs[at]
        return best[at] - (0.0 if k + 1 == chunks[number].hyp_end else _CHANGE)

    for at, (j, number, k, score) in enumerate(pairs):
        if j != last_j:
            # A word that is given to one chunk is not given to another, too.
            if pending >= 0 and (top < 0 or left_at(pending) > left_at(top)):
                top = pending
            pending, last_j = -1, j
        enter = 0.0 if k == chunks[number].hyp_start else _CHANGE
        value, source = score - enter, -1
        if top >= 0 and left_at(top) > 0:
            value, source = score - enter + left_at(top), top
        own = last_of.get(number, -1)
        if own >= 0 and score + best[own] >= value:
            value, source = score + best[own], own
        best.append(value)
        before.append(source)
        last_of[number] = at
        if pending < 0 or left_at(at) > left_at(pending):
            pending = at
    kept: dict[int, list[Pair]] = {}
    at = max(range(len(best)), key=best.__getitem__) if best else -1
    while at >= 0:
        j, number, k, _ = pairs[at]
        kept.setdefault(number, []).append((j, k))
        at = before[at]
    return [
        Chunk(tuple(reversed(its)), chunks[number].weight * len(its) / len(chunks[number].pairs))
        for number, its in kept.items()
    ]


def _split_at_guests(chunks: list[Chunk]) -> list[Chunk]:
    """Cut chunks in whose gaps, on either side, words of another chunk lie."""
    ref_of, hyp_of = (
        sorted((pair[side], number) for number, c in enumerate(chunks) for pair in c.pairs)
        for side in (0, 1)
    )
    cuts: set[tuple[int, int]] = set()
    for side, places in ((0, ref_of), (1, hyp_of)):
        seen: dict[int, int] = {}
        for rank, (place, number) in enumerate(places):
            # Of one chunk's words, two that are neighbours have nothing of another between them.
            if number in seen and seen[number] != rank - 1:
                cuts.add((number, place if side else -1 - place))
            seen[number] = rank
    split: list[Chunk] = []
    for number, chunk in enumerate(chunks):
        per_pair = chunk.weight / len(chunk.pairs)
        piece: list[Pair] = []
        for pair in chunk.pairs:
            if piece and ((number, pair[1]) in cuts or (number, -1 - pair[0]) in cuts):
                split.append(Chunk(tuple(piece), per_pair * len(piece)))
                piece = []
            piece.append(pair)
        split.append(Chunk(tuple(piece), per_pair * len(piece)))
    return split


def _join(chunks: list[Chunk]) -> list[Chunk]:
    """Put together chunks that are neighbours on both sides; chunks in hypothesis order.

    Not over a hole that is longer than a chain may skip: who knows what belongs there.
    """
    rank = {
        id(chunk): place for place, chunk in enumerate(sorted(chunks, key=lambda c: c.ref_start))
    }
    joined: list[list[Chunk]] = []
    for chunk in chunks:
        before = joined[-1][-1] if joined else None
        if (
            before is not None
            and rank[id(chunk)] == rank[id(before)] + 1
            and chunk.ref_start - before.ref_end <= _WINDOW
            and chunk.hyp_start - before.hyp_end <= _WINDOW
        ):
            joined[-1].append(chunk)
        else:
            joined.append([chunk])
    return [
        Chunk(tuple(p for chunk in run for p in chunk.pairs), sum(c.weight for c in run))
        for run in joined
    ]
