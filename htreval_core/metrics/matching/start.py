"""The pairs of words that a matching is likely to consist of, to begin a search with."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from htreval_core.metrics.matching.pricing import Positions, WordsByType
from htreval_core.metrics.matching.ragged import ragged
from htreval_core.metrics.words import WordPair
from htreval_core.model import IntArray

_ALL_PAIRS = 16
"""The most pairs that equal words make before only neighbouring ones are taken."""
_PARTNERS = 2
"""Similar word types looked up for a word type that the other side has too few words of."""
_LEFT_OVER = 8
"""Such types looked up among those that the other side has too many words of."""
_CELLS = 2**22


def likely_pairs(words: WordPair, ref: WordsByType, hyp: WordsByType) -> Positions:
    """Pairs of equal words, of similar words, and of words in the same place.

    Repetitions are possible. The choice has no bearing on the result, only on the time.
    """
    in_ref, in_hyp = words.shared
    many = ref.count[in_ref] * hyp.count[in_hyp] > _ALL_PAIRS
    row, word = ref.words(in_ref[many])
    found = [
        _all_pairs(ref, hyp, in_ref[~many], in_hyp[~many]),
        *_same_rank(ref, hyp, in_ref[many], in_hyp[many]),
        *_neighbours(word, in_hyp[many][row], hyp), *_same_place(ref.size, hyp.size),
    ]  # fmt: skip
    missing, extra = _left_over(ref, hyp, in_ref, in_hyp)
    found += _partners(missing, extra, words.distances_from, words.hyp_lengths, ref, hyp)
    turned = _partners(extra, missing, words.distances_to, words.ref_lengths, hyp, ref)
    found += [(ref_index, hyp_index) for hyp_index, ref_index in turned]
    return (
        np.concatenate([pairs[0] for pairs in found]),
        np.concatenate([pairs[1] for pairs in found]),
    )


def _left_over(
    ref: WordsByType, hyp: WordsByType, in_ref: IntArray, in_hyp: IntArray
) -> tuple[IntArray, IntArray]:
    """The word types of each side that the other side has fewer words of."""
    missing, extra = ref.count.copy(), hyp.count.copy()
    missing[in_ref] -= hyp.count[in_hyp]
    extra[in_hyp] -= ref.count[in_ref]
    return np.flatnonzero(missing > 0), np.flatnonzero(extra > 0)


def _all_pairs(
    ref: WordsByType, hyp: WordsByType, ref_type: IntArray, hyp_type: IntArray
) -> Positions:
    """Every word of a type with every word of its counterpart."""
    row, place = ragged(ref.count[ref_type] * hyp.count[hyp_type])
    in_ref, in_hyp = np.divmod(place, hyp.count[hyp_type[row]])
    return (
        ref.order[ref.start[ref_type[row]] + in_ref], hyp.order[hyp.start[hyp_type[row]] + in_hyp],
    )  # fmt: skip


def _same_rank(
    ref: WordsByType, hyp: WordsByType, ref_type: IntArray, hyp_type: IntArray
) -> list[Positions]:
    """The i-th word of a type with the i-th of its counterpart and its neighbours.

    Counted from the beginning and from the end."""
    row, rank = ragged(ref.count[ref_type])
    word = ref.order[ref.start[ref_type[row]] + rank]
    other = hyp_type[row]
    shift = hyp.count[other] - ref.count[ref_type[row]]
    found = []
    for near in (rank - 1, rank, rank + 1, rank + shift - 1, rank + shift, rank + shift + 1):
        exists = (near >= 0) & (near < hyp.count[other])
        found.append((word[exists], hyp.order[(hyp.start[other] + near)[exists]]))
    return found


def _neighbours(word: IntArray, other: IntArray, there: WordsByType) -> list[Positions]:
    """Words with the nearest word of the given type of the other side, before and after."""
    place = there.place(other, word)
    found = []
    for near in (place - 1, place):
        exists = (near >= there.start[other]) & (near < there.start[other + 1])
        found.append((word[exists], there.order[near[exists]]))
    return found


def _same_place(n_ref: int, n_hyp: int) -> list[Positions]:
    found = []
    for apart in (-1, 0, 1):
        ref = np.arange(max(0, -apart), min(n_ref, n_hyp - apart))
        found.append((ref, ref + apart))
    return found


def _partners(
    types: IntArray, left_over: IntArray, distances: Callable[[IntArray], npt.NDArray[np.integer]],
    lengths: IntArray, here: WordsByType, there: WordsByType,
) -> list[Positions]:  # fmt: skip
    """The words of the given types with the nearest words of the most similar types."""
    found = []
    rows = max(1, _CELLS // len(lengths))
    for start in range(0, len(types), rows):
        some = types[start : start + rows]
        # What is saved but for the word's own letters, which all its partners have in common.
        table = distances(some)
        # In as few bytes as hold it.
        size = np.int16 if table.dtype == np.uint8 else np.int32
        loss = 2 * table.astype(size) - lengths.astype(size)
        row, word = here.words(some)
        for best in (
            _lowest(loss, _PARTNERS),
            left_over[_lowest(np.take(loss, left_over, axis=1), _LEFT_OVER)],
        ):
            for rank in range(best.shape[1]):
                found += _neighbours(word, best[row, rank], there)
    return found


def _lowest(table: npt.NDArray[np.signedinteger], n: int) -> IntArray:
    """The columns of the n lowest values of each row, the first of equals."""
    table = table.copy()
    n = min(n, table.shape[1])
    found = np.zeros((len(table), n), dtype=np.int64)
    rows = np.arange(len(table))
    for rank in range(n):  # for so few, quicker than to partition
        found[:, rank] = table.argmin(axis=1)
        table[rows, found[:, rank]] = np.iinfo(table.dtype).max
    return found
