"""Matchings of greatest weight over listed pairs, and the prices that prove them."""

from collections.abc import Iterator

import numpy as np
import pytest
from scipy.optimize import linprog

from htreval_core.metrics.matching import edges as edges_module
from htreval_core.metrics.matching.certificate import CertificateError, Prices
from htreval_core.metrics.matching.edges import Edges, scipy_kernel
from htreval_core.model import IntArray
from tests.oracles import partial_matchings

Pairs = dict[tuple[int, int], int]
"""Weights of pairs."""


def edges_of(n_ref: int, n_hyp: int, pairs: Pairs) -> Edges:
    ref, hyp = np.array(list(pairs), dtype=np.int64).reshape(-1, 2).T
    return Edges.of(n_ref, n_hyp, ref, hyp, np.array(list(pairs.values()), dtype=np.int64))


def pairs_of(edges: Edges) -> Pairs:
    pairs = zip(edges.ref.tolist(), edges.hyp.tolist(), strict=True)
    return dict(zip(pairs, edges.weight.tolist(), strict=True))


def cases(n: int = 60) -> Iterator[tuple[int, int, Pairs]]:
    rng = np.random.default_rng(3)
    for number in range(n):
        n_ref, n_hyp = (int(size) for size in rng.integers(1, 6, 2))
        most, density = (3, 9, 40)[number % 3], (0.3, 0.6, 1.0)[number // 3 % 3]
        yield (
            n_ref,
            n_hyp,
            {
                (j, k): int(rng.integers(1, most))
                for j in range(n_ref)
                for k in range(n_hyp)
                if rng.random() < density
            },
        )


def greatest(n_ref: int, n_hyp: int, pairs: Pairs) -> int:
    """The greatest weight of all matchings, by trying each."""
    return max(
        sum(pairs[pair] for pair in chosen)
        for chosen in partial_matchings(n_ref, n_hyp)
        if all(pair in pairs for pair in chosen)
    )


def extreme(n_ref: int, n_hyp: int, pairs: Pairs, weight: int, side: int) -> list[int]:
    """Of the prices that prove the weight, those that are least on one side (0 or 1)."""
    covers = np.zeros((len(pairs), n_ref + n_hyp))
    for row, (j, k) in enumerate(pairs):
        covers[row, [j, n_ref + k]] = 1
    cost = np.repeat([side == 0, side == 1], [n_ref, n_hyp]).astype(float)
    solved = linprog(
        cost, -covers, [-w for w in pairs.values()], np.ones((1, n_ref + n_hyp)), [weight]
    )
    return [round(price) for price in solved.x]


@pytest.mark.parametrize("sweep", [0, 8, 10**6])
def test_the_weight_is_the_greatest_and_the_prices_are_the_middle_of_all(
    sweep: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(edges_module, "_SWEEP", sweep)
    for n_ref, n_hyp, pairs in cases():
        matching, prices = edges_of(n_ref, n_hyp, pairs).solve(scipy_kernel, None)
        chosen = list(zip(matching.ref_index.tolist(), matching.hyp_index.tolist(), strict=True))
        weight = greatest(n_ref, n_hyp, pairs)
        assert sum(pairs[pair] for pair in chosen) == weight
        assert chosen == sorted(chosen)
        if pairs:
            one, other = (extreme(n_ref, n_hyp, pairs, weight, side) for side in (0, 1))
            middle = [a + b for a, b in zip(one, other, strict=True)]
            assert [*prices.ref.tolist(), *prices.hyp.tolist()] == middle
        else:
            assert not prices.ref.any()
            assert not prices.hyp.any()


@pytest.mark.parametrize("sweep", [0, 10**6])
@pytest.mark.parametrize("turned", [False, True])
def test_prices_rise_along_a_chain_of_any_length(
    turned: bool, sweep: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A word without a mate wants the first word; each that has it could as well have the next."""
    monkeypatch.setattr(edges_module, "_SWEEP", sweep)
    n = 9
    pairs = {(j, j): 10 for j in range(n)} | {(j, j + 1): 10 for j in range(n - 1)} | {(n, 0): 4}
    sizes = (n + 1, n)
    if turned:
        pairs, sizes = {(k, j): weight for (j, k), weight in pairs.items()}, (n, n + 1)
    _, prices = edges_of(*sizes, pairs).solve(scipy_kernel, None)
    by_wanted, by_wanting = (prices.hyp, prices.ref)[:: -1 if turned else 1]
    # Each wanted word costs 4 to 10, and who has it is left with the rest.
    assert by_wanted.tolist() == [14] * n
    assert by_wanting.tolist() == [6] * n + [0]


def kernel_weight(n_ref: int, n_hyp: int, pairs: Pairs, prices: Prices | None) -> int:
    """The weight of the kernel's matching, which it must not make up."""
    edges = edges_of(n_ref, n_hyp, pairs)
    mate = scipy_kernel(edges.indptr, edges.hyp, edges.weight, n_hyp, prices)
    chosen = [(j, k) for j, k in enumerate(mate.tolist()) if k >= 0]
    assert mate.dtype == np.int64
    assert (len(mate), int(mate.min())) >= (n_ref, -1)
    assert len({k for _, k in chosen}) == len(chosen)
    return sum(pairs[pair] for pair in chosen)


def test_the_kernel_finds_the_greatest_weight_whatever_prices_it_is_told() -> None:
    rng = np.random.default_rng(8)
    for n_ref, n_hyp, pairs in cases(90):
        weight = greatest(n_ref, n_hyp, pairs)
        _, proof = edges_of(n_ref, n_hyp, pairs).solve(scipy_kernel, None)
        high = Prices(proof.ref + 100, proof.hyp)
        free = Prices(np.zeros(n_ref, dtype=np.int64), np.full(n_hyp, 100))
        near = (p + rng.integers(-2, 3, len(p)) for p in (proof.ref, proof.hyp))
        close = Prices(*(np.maximum(price, 0) for price in near))
        for told in (None, proof, high, free, close):
            assert kernel_weight(n_ref, n_hyp, pairs, told) == weight


def test_prices_are_made_use_of_whatever_pairs_they_fail_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pairs = {(j, 0): 5 for j in range(6)} | {(0, 1): 5}
    used: list[int] = []
    reduced = edges_module._solve_reduced

    def note(rows: IntArray, columns: IntArray, slack: IntArray, prices: Prices) -> IntArray:
        used.append(int((slack < 0).sum()))
        return reduced(rows, columns, slack, prices)

    monkeypatch.setattr(edges_module, "_solve_reduced", note)
    for n_low in range(5):  # so many pairs have prices of 9 together, 1 less than they weigh
        ref = np.array([9 if j < n_low else 10 for j in range(6)])
        assert kernel_weight(6, 2, pairs, Prices(ref, np.array([0, 1]))) == 10
    assert used == [0, 1, 2, 3, 4]


def test_pairs_are_kept_sorted_each_once_and_only_where_they_weigh_something() -> None:
    ref, hyp = np.array([2, 0, 2, 1, 0, 0]), np.array([1, 3, 1, 2, 0, 1])
    edges = Edges.of(3, 4, ref, hyp, np.array([5, 6, 5, 0, 1, -2]))
    assert pairs_of(edges) == {(0, 0): 1, (0, 3): 6, (2, 1): 5}
    assert list(pairs_of(edges)) == sorted(pairs_of(edges))
    assert len(edges) == 3
    assert edges.indptr.tolist() == [0, 2, 2, 3]


def test_more_pairs_take_their_places_among_those_known() -> None:
    rng = np.random.default_rng(2)
    for n_ref, n_hyp, pairs in cases():
        more = {(int(rng.integers(n_ref)), int(rng.integers(n_hyp))): 7 for _ in range(6)}
        more |= {(j, k): 0 for j, k in [(0, 0)] if (0, 0) not in pairs}
        grown = edges_of(n_ref, n_hyp, pairs).plus(
            *np.array(list(more), dtype=np.int64).T, np.array(list(more.values()))
        )
        expected = {pair: w for pair, w in more.items() if w} | pairs
        assert pairs_of(grown) == expected
        assert list(pairs_of(grown)) == sorted(expected)
        turned = grown.transposed
        assert (turned.n_ref, turned.n_hyp) == (n_hyp, n_ref)
        assert pairs_of(turned) == {(k, j): w for (j, k), w in expected.items()}
        assert list(pairs_of(turned)) == sorted(pairs_of(turned))


def test_the_first_pair_of_all_can_be_added() -> None:
    none = edges_of(2, 2, {})
    assert pairs_of(none.plus(np.array([0]), np.array([0]), np.array([5]))) == {(0, 0): 5}


def test_pairs_that_no_optimum_contains_are_left_out_and_no_others() -> None:
    """Prices that prove all pairs but one: what falls short by more than that lacks goes."""
    edges = edges_of(3, 3, {(0, 0): 5, (0, 1): 4, (1, 1): 5, (1, 2): 1, (2, 0): 4, (2, 2): 9})
    prices = Prices(np.array([6, 6, 10]), np.array([4, 4, 4]))
    # Doubled weights less prices: 0, -2, 0, -8, -6, and (2, 2) lacks 4.
    assert list(pairs_of(edges.that_matter(prices))) == [(0, 0), (0, 1), (1, 1), (2, 2)]
    for n_ref, n_hyp, pairs in cases():
        edges = edges_of(n_ref, n_hyp, pairs)
        few = edges_of(n_ref, n_hyp, {p: w for p, w in pairs.items() if (sum(p) + w) % 3})
        _, prices = few.solve(scipy_kernel, None)
        matter = edges.that_matter(prices)
        weight = greatest(n_ref, n_hyp, pairs)
        best = [
            chosen
            for chosen in partial_matchings(n_ref, n_hyp)
            if all(pair in pairs for pair in chosen)
            and sum(pairs[pair] for pair in chosen) == weight
        ]
        assert {pair for chosen in best for pair in chosen} <= set(pairs_of(matter))
        matching, _ = edges.solve(scipy_kernel, prices, matter)
        chosen = zip(matching.ref_index.tolist(), matching.hyp_index.tolist(), strict=True)
        assert sum(pairs[pair] for pair in chosen) == weight


@pytest.mark.parametrize("mate", [[0, 1, -1], [-1, -1, -1], [0, 1, 2]])
def test_a_matching_that_is_not_optimal_has_no_prices(mate: list[int]) -> None:
    edges = edges_of(3, 3, {(0, 0): 1, (1, 1): 9, (2, 2): 5, (0, 1): 9, (1, 0): 9, (2, 0): 7})
    with pytest.raises(CertificateError, match="not optimal"):
        edges.solve(lambda *_: np.array(mate), None)
