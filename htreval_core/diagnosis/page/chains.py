"""From matched words to chunks: stretches of text that were read as a whole.

Words are chained in hypothesis order as anchors are in aligning genomes: a chain may skip a few
words on either side at a small price, and break off to go on elsewhere at a larger one. The
matching is regularised word by word, so it may cross repeated phrases; next to each matched pair
the pairs that its neighbours suggest are candidates too.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import product

import numpy as np
from rapidfuzz import process
from rapidfuzz.distance import Levenshtein

from htreval_core.diagnosis.limits import CHAINS, CHUNKS
from htreval_core.diagnosis.page.chunks import Chunk, Pair, above, clean
from htreval_core.model import Alignment, FloatArray, IntArray


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
    full = (
        (similar - CHAINS.ALIKE)
        / (1 - CHAINS.ALIKE)
        * np.minimum(longer, CHAINS.FULL_LENGTH)
        / CHAINS.FULL_LENGTH
    )
    return np.where(similar > CHAINS.ALIKE, full, CHAINS.UNLIKE)


def find_chunks(
    matching: Alignment, ref_line_starts: frozenset[int], hyp_line_starts: frozenset[int]
) -> list[Chunk]:
    """The chunks of a page in hypothesis order; they share no word.

    Args:
        ref_line_starts: positions of the first words of reference lines.
        hyp_line_starts: the same for the hypothesis; both empty where lines are not known.
    """
    scored = _candidates(matching)
    prices = [
        CHAINS.BREAK_AT_LINE if j in ref_line_starts or k in hyp_line_starts else CHAINS.BREAK
        for k, j, _ in scored
    ]
    chunks = clean(_chain(scored, prices), CHAINS.LEAST)
    # Short stretches hide behind the price of breaking off; between words that are left over on
    # both sides they may be looked for more boldly.
    left_over = _left_over(matching, chunks)
    more = _chain(left_over, [CHAINS.BREAK_LEFT_OVER] * len(left_over))
    return clean([*chunks, *above(more, CHAINS.LEAST_LEFT_OVER)], CHAINS.LEAST_LEFT_OVER)


Scored = list[tuple[int, int, float]]
_STEPS = sorted(product(range(1, CHUNKS.WINDOW + 1), repeat=2), key=sum)
"""How far on along the output and the reference a chain may go at once, the nearest first."""


def _candidates(matching: Alignment) -> Scored:
    """Pairs worth chaining as (hypothesis, reference, score), sorted."""
    ref, hyp = matching.pairs
    mate = np.full(len(matching.hyp_words), -1)
    mate[hyp] = ref
    n_ref = len(matching.ref_words)
    # A pair as one number, so that they are sorted at once: hypothesis word, then reference word.
    numbered = [hyp * n_ref + ref]
    places = np.arange(len(mate))
    for shift in (-4, -3, -2, -1, 1, 2, 3, 4):
        near = places + shift
        inside = (near >= 0) & (near < len(mate))
        k, j = places[inside], mate[near[inside]] - shift
        real = (mate[near[inside]] >= 0) & (j >= 0) & (j < n_ref)
        numbered.append(k[real] * n_ref + j[real])
    numbered += [k * n_ref + j for k, j in _going_on(matching, mate)]
    every = np.sort(np.concatenate(numbered))
    k, j = np.divmod(every[np.diff(every, prepend=-1) > 0], max(n_ref, 1))
    scores = likeness(
        [matching.ref_words[at] for at in j.tolist()], [matching.hyp_words[at] for at in k.tolist()]
    )
    good = scores > 0
    return list(zip(k[good].tolist(), j[good].tolist(), scores[good].tolist(), strict=True))


def _going_on(matching: Alignment, mate: IntArray) -> Iterator[tuple[IntArray, IntArray]]:
    """Equal words, hypothesis and reference, that go on where words matched in order end.

    A line that stands on the page several times is matched where it is nearest; here it is offered
    beside the lines that it was read with."""
    _, numbers = _numbered([*matching.hyp_words, *matching.ref_words])
    of_hyp, of_ref = numbers[: len(mate)], numbers[len(mate) :]
    for step in (1, -1):
        k = np.flatnonzero(mate >= 0)
        j, lost = mate[k], np.zeros(len(k), dtype=np.int64)
        for _ in range(CHAINS.GOES_ON):
            k, j = k + step, j + step
            on = (k >= 0) & (k < len(mate)) & (j >= 0) & (j < len(of_ref)) & (lost <= CHAINS.LOST)
            k, j, lost = k[on], j[on], lost[on]
            on = mate[k] != j
            k, j, lost = k[on], j[on], lost[on]
            if not len(k):
                break
            equal = of_hyp[k] == of_ref[j]
            lost = np.where(equal, 0, lost + 1)
            yield k[equal], j[equal]


def _left_over(matching: Alignment, chunks: Iterable[Chunk]) -> Scored:
    """Pairs of like words that stand in no chunk on either side."""
    used_ref = np.zeros(len(matching.ref_words), bool)
    used_hyp = np.zeros(len(matching.hyp_words), bool)
    for chunk in chunks:
        for j, k in chunk.pairs:
            used_ref[j] = used_hyp[k] = True
    ref, hyp = np.flatnonzero(~used_ref), np.flatnonzero(~used_hyp)
    if not len(ref) or not len(hyp) or len(ref) * len(hyp) > CHAINS.LEFT_OVER_CELLS:
        return []
    ref_types, ref_type = _numbered([matching.ref_words[j] for j in ref.tolist()])
    hyp_types, hyp_type = _numbered([matching.hyp_words[k] for k in hyp.tolist()])
    distance = process.cdist(hyp_types, ref_types, scorer=Levenshtein.distance, dtype=np.int32)
    scores = _score(distance, np.maximum(_lengths(hyp_types)[:, None], _lengths(ref_types)))
    rows, columns = np.nonzero((scores > 0)[hyp_type[:, None], ref_type])
    found = scores[hyp_type[rows], ref_type[columns]]
    return list(zip(hyp[rows].tolist(), ref[columns].tolist(), found.tolist(), strict=True))


def _numbered(words: Sequence[str]) -> tuple[list[str], IntArray]:
    """The different words, and the number of each word among them, shape (words,)."""
    numbers: dict[str, int] = {}
    own = [numbers.setdefault(word, len(numbers)) for word in words]
    return list(numbers), np.array(own, dtype=np.int64)


def _chain(scored: Scored, prices: Sequence[float]) -> list[Chunk]:
    """The chains of greatest total score in hypothesis order, cut where that is worth its price."""
    best: list[float] = []
    before: list[int] = []
    goes_on: list[bool] = []
    finished, finished_at = 0.0, -1
    pending, pending_at = 0.0, -1
    last_k = -1
    # Each pair as one number, with room between the rows, so that no step leads into another row.
    width = max((j for _, j, _ in scored), default=0) + CHUNKS.WINDOW + 1
    steps = [(CHAINS.SKIP * (dk + dj - 2), dk * width + dj) for dk, dj in _STEPS]
    places: dict[int, int] = {}
    # Of each reference word, and some before the first, the last hypothesis word it is paired with.
    seen = [-CHUNKS.WINDOW - 1] * width
    for at, ((k, j, score), price) in enumerate(zip(scored, prices, strict=True)):
        if k != last_k:
            # What ended at earlier words may be broken off from; what ends at this word may not.
            if pending > finished:
                finished, finished_at = pending, pending_at
            last_k = k
        own = k * width + j
        places[own] = at
        seen[j + CHUNKS.WINDOW] = k
        value, source, extends = score, -1, False
        if finished_at >= 0 and finished - price > 0:
            value, source = score + finished - price, finished_at
        most = finished + score
        for skipped, back in steps if max(seen[j : j + CHUNKS.WINDOW]) >= k - CHUNKS.WINDOW else ():
            # No chain is better than the best of all, and further off the price only rises.
            if most - skipped < value or (most - skipped == value and not extends):
                break
            other = places.get(own - back)
            if other is None:
                continue
            gained = best[other] + score - skipped
            # Of equal chains the one that was reached last is followed.
            if gained > value or (extends and gained == value and other > source):
                value, source, extends = gained, other, True
        best.append(value)
        before.append(source)
        goes_on.append(extends)
        if value > pending:
            pending, pending_at = value, at
    chunks: list[Chunk] = []
    at = best.index(max(best)) if best else -1
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
