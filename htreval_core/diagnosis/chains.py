"""From matched words to chunks: stretches of text that were read as a whole.

Words are chained in hypothesis order as anchors are in aligning genomes: a chain may skip a few
words on either side at a small price, and break off to go on elsewhere at a larger one. The
matching is regularised word by word, so it may cross repeated phrases; next to each matched pair
the pairs that its neighbours suggest are candidates too.
"""

from __future__ import annotations

from bisect import bisect_right
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
_BREAK_LEFT_OVER, _LEAST_LEFT_OVER = 0.7, 0.9
_LEAST = 1.2
_LEFT_OVER_CELLS = 4_000_000

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Chunk:
    """Words read as a whole: pairs (reference, hypothesis) that rise on both sides."""

    pairs: tuple[Pair, ...]
    weight: float

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
    taken_ref: set[int] = set()
    taken_hyp: set[int] = set()
    kept: list[Chunk] = []
    for chunk in sorted(chunks, key=lambda c: -c.weight):
        pairs = [p for p in chunk.pairs if p[0] not in taken_ref and p[1] not in taken_hyp]
        if pairs:
            weight = chunk.weight * len(pairs) / len(chunk.pairs)
            kept.append(Chunk(tuple(pairs), weight))
            taken_ref.update(j for j, _ in pairs)
            taken_hyp.update(k for _, k in pairs)
    split = _above(_split_at_guests(_above(kept, least)), least)
    return _join(sorted(split, key=lambda c: c.hyp_start))


def _split_at_guests(chunks: list[Chunk]) -> list[Chunk]:
    """Cut chunks in whose gaps, on either side, another chunk lies."""
    ref_starts = sorted(c.ref_start for c in chunks)
    hyp_starts = sorted(c.hyp_start for c in chunks)

    def guest(starts: Sequence[int], after: int, before: int) -> bool:
        at = bisect_right(starts, after)
        return at < len(starts) and starts[at] < before

    split: list[Chunk] = []
    for chunk in chunks:
        per_pair = chunk.weight / len(chunk.pairs)
        piece = [chunk.pairs[0]]
        for last, pair in zip(chunk.pairs, chunk.pairs[1:], strict=False):
            if guest(ref_starts, last[0], pair[0]) or guest(hyp_starts, last[1], pair[1]):
                split.append(Chunk(tuple(piece), per_pair * len(piece)))
                piece = []
            piece.append(pair)
        split.append(Chunk(tuple(piece), per_pair * len(piece)))
    return split


def _join(chunks: list[Chunk]) -> list[Chunk]:
    """Put together chunks that are neighbours on both sides; chunks in hypothesis order."""
    rank = {
        id(chunk): place for place, chunk in enumerate(sorted(chunks, key=lambda c: c.ref_start))
    }
    joined: list[list[Chunk]] = []
    for chunk in chunks:
        if joined and rank[id(chunk)] == rank[id(joined[-1][-1])] + 1:
            joined[-1].append(chunk)
        else:
            joined.append([chunk])
    return [
        Chunk(tuple(p for chunk in run for p in chunk.pairs), sum(c.weight for c in run))
        for run in joined
    ]
