"""Which pairs outweigh their prices: against looking at every pair."""

from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import pytest

from htreval_core.metrics.matching import pricing as pricing_module
from htreval_core.metrics.matching.certificate import Prices, Terms
from htreval_core.metrics.matching.pricing import NearestOffer, Pricing, WordsByType
from htreval_core.metrics.matching.ragged import portions, ragged
from htreval_core.metrics.matching.savings import Savings
from htreval_core.metrics.words import WordPair
from htreval_core.model import IntArray

VOCABULARY = ("a", "b", "ab", "abc", "abcdef", "xyz", "abcdefghijkl")


def cases(n: int = 100) -> Iterator[tuple[Savings, Terms, Prices]]:
    """Small pages with prices, in the whole numbers around which their pairs weigh."""
    rng = np.random.default_rng(17)
    for number in range(n):
        vocabulary = VOCABULARY[: 1 + number % len(VOCABULARY)]
        ref, hyp = ([str(w) for w in rng.choice(vocabulary, rng.integers(1, 9))] for _ in "rh")
        savings = Savings(WordPair.of(ref, hyp), Fraction(("0", "1/3", "1", "5")[number % 4]))
        terms = (Terms(saving=1), Terms(saving=7, equal=1), Terms(10**6, 1))[number % 3]
        top = 2 * int(terms.weigh(savings, *all_pairs(savings)).max(initial=1))
        step = rng.choice([1, max(1, savings.per_letter), max(1, top // 3)])

        def chosen(size: int, top: int = top, step: int = step) -> IntArray:
            return rng.integers(0, max(2, top // (2 * step) + 2), size) * step

        of_ref, of_hyp = chosen(len(ref)), chosen(len(hyp))
        for k in range(0, len(hyp), 2):  # every second word meets its price with some other
            j = rng.integers(len(ref))
            weight = int(terms.weigh(savings, np.array([j]), np.array([k]))[0])
            of_hyp[k] = max(0, 2 * weight - of_ref[j] + rng.choice([-1, 0, 0, 0, 1]))
        yield savings, terms, Prices(of_ref, of_hyp)


def all_pairs(savings: Savings) -> tuple[IntArray, IntArray]:
    n_ref, n_hyp = len(savings.words.ref), len(savings.words.hyp)
    return np.arange(n_ref).repeat(n_hyp), np.tile(np.arange(n_hyp), n_ref)


def gains(savings: Savings, terms: Terms, prices: Prices) -> dict[tuple[int, int], int]:
    """By how much every pair's doubled weight exceeds its prices."""
    ref, hyp = all_pairs(savings)
    gain = 2 * terms.weigh(savings, ref, hyp) - prices.ref[ref] - prices.hyp[hyp]
    return dict(zip(zip(ref.tolist(), hyp.tolist(), strict=True), gain.tolist(), strict=True))


def found(pricing: Pricing, prices: Prices) -> dict[tuple[int, int], int]:
    """The pairs that are said to outweigh their prices, with their weights."""
    ref, hyp, weight = (each.tolist() for each in pricing.outweighing(prices))
    return dict(zip(zip(ref, hyp, strict=True), weight, strict=True))


def test_all_pairs_that_outweigh_their_prices_are_found_with_their_weights() -> None:
    n_found = 0
    for savings, terms, prices in cases():
        expected = {
            pair: int(terms.weigh(savings, *np.array([pair]).T)[0])
            for pair, gain in gains(savings, terms, prices).items()
            if gain > 0
        }
        assert found(Pricing(savings, terms), prices) == expected
        n_found += len(expected)
    assert n_found > 300


def test_where_they_are_many_the_best_of_each_word_and_type_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pricing_module, "_AT_ONCE", 0)
    for savings, terms, prices in cases():
        hyp_type, gain = savings.words.hyp, gains(savings, terms, prices)
        best: dict[tuple[int, int], int] = {}
        for (j, k), more in gain.items():
            best[j, hyp_type[k]] = max(more, best.get((j, hyp_type[k]), 0))
        told = found(Pricing(savings, terms), prices)
        assert all(gain[pair] > 0 for pair in told)
        told_best = {(j, hyp_type[k]): 0 for j, k in told}
        for j, k in told:
            told_best[j, hyp_type[k]] = max(gain[j, k], told_best[j, hyp_type[k]])
            assert told[j, k] == terms.weigh(savings, np.array([j]), np.array([k]))[0]
        assert told_best == {offer: more for offer, more in best.items() if more > 0}


@pytest.mark.parametrize(("at_once", "n_found"), [(9, 9), (8, 5)])
def test_all_pairs_of_a_word_and_a_type_are_found_while_they_are_few(
    at_once: int, n_found: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three equal words a side make nine pairs. The nearest are two for each word but the first."""
    monkeypatch.setattr(pricing_module, "_AT_ONCE", at_once)
    savings = Savings(WordPair.of(["same"] * 3, ["same"] * 3), Fraction(1, 100))
    free = np.zeros(3, dtype=np.int64)
    assert len(found(Pricing(savings, Terms(saving=1)), Prices(free, free))) == n_found


@pytest.mark.parametrize("cells", [0, 9, 2**18])
@pytest.mark.parametrize("at_least", [0, 1, 4])
def test_offers_are_the_words_and_types_that_gain_enough(
    at_least: int, cells: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pricing_module, "_TABLE_CELLS", cells)
    monkeypatch.setattr(pricing_module, "_AT_ONCE", max(2, cells))
    for savings, terms, prices in cases():
        hyp_type = savings.words.hyp
        offers = Pricing(savings, terms).offers(prices, at_least)
        told = list(zip(offers.ref.tolist(), offers.hyp_type.tolist(), strict=True))
        gain = gains(savings, terms, prices)
        assert len(set(told)) == len(told)
        assert set(told) == {(j, hyp_type[k]) for (j, k), more in gain.items() if more >= at_least}


@pytest.mark.parametrize("terms", [Terms(saving=1), Terms(1, 1), Terms(3, 1), Terms(10**6, 1)])
@pytest.mark.parametrize("gamma", ["0", "1", "1/3"])
def test_a_pair_that_is_just_worth_its_prices_is_found(gamma: str, terms: Terms) -> None:
    """However the price is divided among the two words, and no price more."""
    savings = Savings(WordPair.of(["ab"], ["ab"]), Fraction(gamma))
    pricing = Pricing(savings, terms)
    worth = 2 * int(terms.weigh(savings, np.array([0]), np.array([0]))[0])
    letter = 4 * terms.saving * savings.per_letter
    for of_hyp in (0, 1, letter - 1, letter, letter + 1, worth // 3, worth):
        for more in (-1, 0, 1):
            prices = Prices(np.array([worth - of_hyp + more]), np.array([of_hyp]))
            for at_least in (0, 1):
                n_offers = len(pricing.offers(prices, at_least).ref)
                assert n_offers == (-more >= at_least)


@pytest.mark.parametrize("at_once", [1, 2_000_000])
def test_tight_pairs_are_those_that_meet_their_prices_within_reach(
    at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pricing_module, "_AT_ONCE", at_once)
    n_tight = 0
    for number, (savings, terms, prices) in enumerate(cases(200)):
        pricing = Pricing(savings, terms)
        offers = pricing.offers(prices, at_least=0)
        reach = number % 5 - 1
        parts = list(pricing.tight(offers, prices, np.full(len(offers.ref), reach)))
        told = [pair for ref, hyp in parts for pair in zip(ref, hyp, strict=True)]
        gain = gains(savings, terms, prices)
        expected = {(j, k) for (j, k), more in gain.items() if not more and abs(j - k) <= reach}
        assert len(told) == len(set(told))
        assert set(told) == expected
        n_tight += len(expected)
    assert n_tight > 100


def test_the_nearest_offer_is_the_cheapest_on_either_side() -> None:
    rng = np.random.default_rng(5)
    for _ in range(60):
        size, per_step = int(rng.integers(1, 12)), int(rng.integers(0, 4))
        types = rng.permutation(np.append(np.arange(3), rng.integers(0, 3, size)))
        prices = rng.integers(0, 9, len(types))
        nearest = NearestOffer(WordsByType(types, 3), prices, per_step)
        for word_type in range(3):
            for position in range(len(types) + 2):
                before, after = nearest.find(np.array([word_type]), np.array([position]))
                of_type = np.flatnonzero(types == word_type).tolist()

                def cost(k: int, at: int = position, of: IntArray = prices) -> int:
                    return int(of[k] + per_step * abs(k - at))  # noqa: B023

                for told, there in (
                    (int(before[0]), [k for k in of_type if k < position]),
                    (int(after[0]), [k for k in of_type if k >= position]),
                ):
                    assert told in there or (told == -1 and not there)
                    assert told == -1 or cost(told) == min(map(cost, there))


def test_ragged_tables_and_words_by_type() -> None:
    # Words by type finds the words of a type and their least value.
    types = np.array([2, 0, 2, 1, 0, 2])
    words = WordsByType(types, 3)
    assert (words.size, words.count.tolist(), words.start.tolist()) == (6, [2, 1, 3], [0, 2, 3, 6])
    row, position = words.words(np.array([2, 0]))
    assert (row.tolist(), position.tolist()) == ([0, 0, 0, 1, 1], [0, 2, 5, 1, 4])
    assert words.least(np.array([5, 9, 3, 8, 7, 4])).tolist() == [7, 8, 3]
    for word_type in range(3):
        for position in range(-2, 9):
            place = words.place(np.array([word_type]), np.array([position]))[0]
            later = words.order[place : words.start[word_type + 1]].tolist()
            assert later == [k for k in range(6) if types[k] == word_type and k >= position]
    # Ragged tables are counted through.
    row, place = ragged(np.array([2, 0, 1]))
    assert (row.tolist(), place.tolist()) == ([0, 0, 2], [0, 1, 0])
    assert [each.tolist() for each in ragged(np.array([], dtype=np.int64))] == [[], []]


@pytest.mark.parametrize("at_once", [0, 1, 3, 4, 13, 14, 100])
def test_portions_are_as_large_as_they_may_be(at_once: int) -> None:
    counts = np.array([2, 2, 9, 1, 0, 3, 0])
    expected, run = [], [0]
    for row in range(1, len(counts)):
        if counts[run].sum() + counts[row] <= at_once:
            run.append(row)
        else:
            expected.append(run)
            run = [row]
    told = [list(range(*part.indices(len(counts)))) for part in portions(counts, at_once)]
    assert told == [*expected, run]
    assert list(portions(counts[:0], at_once)) == []
