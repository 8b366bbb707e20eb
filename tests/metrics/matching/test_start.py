"""The pairs that the search for a matching begins with: against looking at all pairs."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest

from htreval_core.metrics.matching import start
from htreval_core.metrics.matching.pricing import WordsByType
from htreval_core.metrics.matching.start import likely_pairs
from htreval_core.metrics.words import WordPair
from htreval_core.model import IntArray

Pairs = set[tuple[int, int]]


def begun_with(words: WordPair) -> Pairs:
    ref = WordsByType(words.ref, len(words.ref_types))
    hyp = WordsByType(words.hyp, len(words.hyp_types))
    return set(zip(*(side.tolist() for side in likely_pairs(words, ref, hyp)), strict=True))


def nearest(place: int, others: Sequence[int]) -> set[int]:
    """The last of the others before the place, and the first at or after it."""
    before, after = [k for k in others if k < place], [k for k in others if k >= place]
    return {*before[-1:], *after[:1]}


def equal_words(ref: Sequence[str], hyp: Sequence[str]) -> Pairs:
    """All of them where they are up to 16, else neighbours in rank from either end and in place."""
    found: Pairs = set()
    for word in set(ref):
        here = [j for j, other in enumerate(ref) if other == word]
        there = [k for k, other in enumerate(hyp) if other == word]
        shift = len(there) - len(here)
        for rank, j in enumerate(here):
            ranks = {rank + d for d in (-1, 0, 1)} | {rank + shift + d for d in (-1, 0, 1)}
            if len(here) * len(there) > 16:
                found |= {(j, there[r]) for r in ranks if 0 <= r < len(there)}
                found |= {(j, k) for k in nearest(j, there)}
            else:
                found |= {(j, k) for k in there}
    return found


def same_place(n_ref: int, n_hyp: int) -> Pairs:
    return {(j, k) for j in range(n_ref) for k in (j - 1, j, j + 1) if 0 <= k < n_hyp}


@pytest.mark.parametrize("n_ref", [1, 2, 5, 16, 17, 40])
@pytest.mark.parametrize("n_hyp", [1, 3, 4, 11, 40])
def test_equal_words_and_words_in_the_same_place_are_tried(n_ref: int, n_hyp: int) -> None:
    """Two words, as often on either side, so that none is left over that needs a similar one."""
    rng = np.random.default_rng(100 * n_ref + n_hyp)
    counts = {"same": min(n_ref, n_hyp), "other": n_ref}
    ref = [word for word, n in counts.items() for _ in range(n)]
    sides = [[ref[i] for i in rng.permutation(len(ref))] for _ in "rh"]
    words = WordPair.of(*sides)
    assert begun_with(words) == equal_words(*sides) | same_place(len(ref), len(ref))


SIZES = [(30, 4), (4, 30), (17, 1), (1, 17), (12, 20), (8, 2), (2, 8), (5, 4)]


@pytest.mark.parametrize(("n_ref", "n_hyp"), SIZES)
def test_frequent_words_are_tried_in_line_from_either_end(n_ref: int, n_hyp: int) -> None:
    """Of the side that has more of them, each is also tried with the nearest of either word."""
    rng = np.random.default_rng(1)
    sides = [["same"] * n + ["x"] * 3 for n in (n_ref, n_hyp)]
    ref, hyp = ([side[i] for i in rng.permutation(len(side))] for side in sides)
    more, fewer = (ref, hyp) if n_ref > n_hyp else (hyp, ref)
    left_over = {
        (place, other)
        for place, word in enumerate(more)
        for like in ("same", "x")
        for other in nearest(place, [k for k, there in enumerate(fewer) if there == like])
        if word == "same"
    }
    if more is hyp:
        left_over = {(j, k) for k, j in left_over}
    expected = equal_words(ref, hyp) | same_place(len(ref), len(hyp)) | left_over
    assert begun_with(WordPair.of(ref, hyp)) == expected


@pytest.mark.parametrize("cells", [0, 30, 2**22])
def test_words_left_over_are_tried_with_the_most_similar_types(
    cells: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two of all types and eight of those that are left over, each where it stands nearest.

    Most similar are those that save most: twice the distance, less the letters, is least."""
    monkeypatch.setattr(start, "_CELLS", cells)
    rng = np.random.default_rng(4)
    for n_types, n_left in ((1, 0), (1, 1), (3, 2), (12, 9), (20, 12)):
        here_types, there_types = (
            np.append(rng.permutation(n_types), rng.integers(0, n_types, 5)) for _ in "rh"
        )
        here, there = WordsByType(here_types, n_types), WordsByType(there_types, n_types)
        table = rng.permutation(n_types * n_types).reshape(n_types, n_types).astype(np.uint16)
        table += 300  # more than a byte holds
        lengths = rng.integers(0, 2, n_types) * (n_types**2 | 1)  # odd: no two lose as much
        types = np.sort(rng.permutation(n_types)[: max(1, n_types // 2)])
        left_over = np.sort(rng.permutation(n_types)[:n_left])

        def rows(some: IntArray, of: np.ndarray = table) -> np.ndarray:
            return of[some]

        parts = start._partners(types, left_over, rows, lengths, here, there)
        found = Counter(pair for part in parts for pair in zip(*map(list, part), strict=True))
        expected: Counter[tuple[int, int]] = Counter()
        for word_type in types:
            by_loss = sorted(
                range(n_types), key=lambda t: 2 * int(table[word_type, t]) - int(lengths[t])
            )
            best = by_loss[:2] + [t for t in by_loss if t in left_over][:8]
            for place in np.flatnonzero(here_types == word_type).tolist():
                for other in best:
                    there_places = np.flatnonzero(there_types == other).tolist()
                    expected.update((place, k) for k in nearest(place, there_places))
        assert found == expected


def test_words_are_left_over_where_the_other_side_has_fewer() -> None:
    words = WordPair.of(["a", "a", "b", "c", "c", "d"], ["e", "a", "b", "b", "c", "c", "f", "f"])
    ref = WordsByType(words.ref, len(words.ref_types))
    hyp = WordsByType(words.hyp, len(words.hyp_types))
    missing, extra = start._left_over(ref, hyp, *words.shared)
    assert [words.ref_types[i] for i in missing] == ["a", "d"]
    assert [words.hyp_types[i] for i in extra] == ["e", "b", "f"]


def test_words_of_both_sides_are_tried_with_words_like_them() -> None:
    """A misread word far from its place is among the pairs, and so is one read twice."""
    ref = [f"{c}{c}{c}{c}" for c in "abcdefghijklmnop"]
    for k in range(3, 16):
        hyp = [*ref[1 : k + 1], "aaax", *ref[k + 1 :]]
        assert (0, k) in begun_with(WordPair.of(ref, hyp))
        assert (k, 0) in begun_with(WordPair.of(hyp, ref))
    assert (2, 16) in begun_with(WordPair.of(ref, [*ref, "cccx"]))
    assert (16, 2) in begun_with(WordPair.of([*ref, "cccx"], ref))


@pytest.mark.parametrize("n_columns", [0, 1, 2, 7, 8, 9, 5000])
@pytest.mark.parametrize("n", [2, 8])
def test_the_lowest_of_a_row_are_found(n: int, n_columns: int) -> None:
    rng = np.random.default_rng(n)
    table = np.stack([rng.permutation(n_columns) for _ in range(20)]).astype(np.int32)
    columns = start._lowest(table, n)
    expected = [list(range(min(n, n_columns)))] * 20
    assert np.sort(np.take_along_axis(table, columns, axis=1)).tolist() == expected
