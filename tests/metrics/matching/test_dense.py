"""The composite cost of the dense solver: what it bounds, and while doubles hold it."""

from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest

from htreval_core.metrics.matching.dense import _most_apart, solve_dense, weights
from htreval_core.metrics.matching.savings import Savings, distance, objective
from htreval_core.metrics.words import WordPair
from tests.oracles import partial_matchings


def test_no_matching_stands_farther_apart_than_the_bound_says() -> None:
    for n_ref in range(5):
        for n_hyp in range(5):
            most = max(
                sum((k - j) * (k - j - 1) for j, k in pairs)
                for pairs in partial_matchings(n_ref, n_hyp)
            )
            assert most <= _most_apart(min(n_ref, n_hyp), max(n_ref, n_hyp))


def test_the_bound_on_distance_counts_what_can_stand_so_far_apart() -> None:
    """t or more apart: only pairs whose earlier word is among the first of its side but t."""
    for longer in range(1, 12):
        for n_pairs in range(longer + 1):
            apart = [
                max(t for t in range(longer) if longer - t + max(0, n_pairs - t) > i)
                for i in range(n_pairs)
            ]
            assert _most_apart(n_pairs, longer) == sum(t * (t + 1) for t in apart)


@pytest.mark.parametrize("sizes", [(1, 1), (3, 5), (5, 3), (0, 4), (40, 40)])
def test_the_weights_put_saving_before_equal_pairs_before_nearness(sizes: tuple[int, int]) -> None:
    n_pairs, longer = min(sizes), max(sizes)
    words = SimpleNamespace(ref=[0] * sizes[0], hyp=[0] * sizes[1], longer=longer)
    w_exact = _most_apart(n_pairs, longer) + 1
    w_saving = w_exact * (n_pairs + 1)
    # A fourth of what doubles hold exactly, as the solver adds up three costs.
    largest = ((2**53 - 1) // 4 - w_exact) // w_saving - 1
    assert weights(SimpleNamespace(words=words, largest=largest)) == (w_saving, w_exact)
    assert weights(SimpleNamespace(words=words, largest=largest + 1)) is None


def test_what_does_not_fit_is_refused() -> None:
    words = WordPair.of(["a"] * 30, ["b"] * 30)
    with pytest.raises(ValueError, match="does not fit"):
        solve_dense(Savings(words, Fraction(1, 3**40)))


def test_no_pair_saves_or_loses_more_than_the_largest() -> None:
    rng = np.random.default_rng(6)
    for _ in range(40):
        sides = [["ab" * int(n) for n in rng.integers(1, 9, rng.integers(1, 9))] for _ in "rh"]
        savings = Savings(WordPair.of(*sides), Fraction(int(rng.integers(0, 9)), 3))
        n_ref, n_hyp = map(len, sides)
        of = savings.of(np.arange(n_ref).repeat(n_hyp), np.tile(np.arange(n_hyp), n_ref))
        assert abs(of).max() <= savings.largest
        longest = [max(map(len, side)) for side in sides]
        M, q, p = max(n_ref, n_hyp), savings.gamma.denominator, savings.gamma.numerator
        assert savings.largest == M * q * sum(longest) + 2 * p * (M + 2)


def test_cost_and_saving_by_hand() -> None:
    """γ = 1/2, M = 3: "dog" in its place, "cat" and "so" beside theirs, told by twelfths."""
    savings = Savings(WordPair.of(["dog", "cat", "so"], ["dog", "at", "cart"]), Fraction(1, 2))
    matching = solve_dense(savings)
    assert (matching.ref_index.tolist(), matching.hyp_index.tolist()) == ([0, 1, 2], [0, 2, 1])
    saved = [6 * (3 + 3) + 4, 6 * (3 + 4 - 2) + 4 - 2, 6 * (2 + 2 - 4) + 4 - 2]
    assert objective(savings, matching) == (sum(saved), 1, 2)
    assert distance(savings, matching) == 0 + (1 + Fraction(1, 6)) + (2 + Fraction(1, 6))
    assert savings.unmatched_cost() == 12 * (Fraction(17, 2) + 6 * Fraction(1, 6))


@pytest.mark.parametrize("length", [255, 256, 2**16 - 1, 2**16])
def test_distances_of_words_of_any_length_are_whole(length: int) -> None:
    words = WordPair.of(["a" * length, "b"], ["c" * length, "b"])
    assert words.distances.tolist() == [[length, length], [length, 0]]
    assert words.distances.itemsize == (1 if length < 256 else 2 if length < 2**16 else 4)
