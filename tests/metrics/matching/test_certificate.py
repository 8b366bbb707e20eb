"""The proof of a matching: what it must consist of, and that a spoilt one is found out."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest

from htreval_core.errors import ConfigError
from htreval_core.metrics.matching import certificate
from htreval_core.metrics.matching.certificate import (
    EXACT,
    CertificateError,
    Duals,
    Level,
    Prices,
    Terms,
    complementary,
    objective_terms,
    verify,
)
from htreval_core.metrics.matching.match import solve_sparse
from htreval_core.metrics.matching.savings import Matching, Savings
from htreval_core.metrics.words import WordPair

Proof = tuple[Savings, Matching, Duals]


def savings_of(ref: str, hyp: str, gamma: str = "1") -> Savings:
    return Savings(WordPair.of(ref.split(), hyp.split()), Fraction(gamma))


@pytest.fixture(params=[0, 1, 7, 1_000_000])
def pairs_at_once(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many pairs are looked at together."""
    monkeypatch.setattr(certificate, "_PAIRS_AT_ONCE", request.param)


@pytest.fixture
def proof() -> Proof:
    """Words that come again, are left out and are misread, with a price on some at each level."""
    savings = savings_of("a cat a dog a cow a", "a dog a a cart x y z", "1/2")
    return savings, *solve_sparse(savings)


def with_prices(duals: Duals, level: int, ref: np.ndarray, hyp: np.ndarray) -> Duals:
    return (*duals[:level], replace(duals[level], prices=Prices(ref, hyp)), *duals[level + 1 :])


def test_a_proof_is_accepted_however_many_pairs_are_looked_at(
    proof: Proof, pairs_at_once: None
) -> None:
    verify(*proof)
    for ref, hyp in (("", ""), ("a", ""), ("", "a b"), ("a", "a"), ("a b c", "a")):
        savings = savings_of(ref, hyp)
        verify(savings, *solve_sparse(savings))


@pytest.mark.parametrize("gamma", ["0", "1/2"])
def test_every_pair_is_looked_at(gamma: str, pairs_at_once: None) -> None:
    """With one weight raised above its prices, wherever it stands, nothing is proven any more."""
    savings = savings_of("a cat a dog a", "a dog a a cart x", gamma)
    matching, duals = solve_sparse(savings)
    n_hyp = len(savings.words.hyp)

    class Raised(Level):
        def slack(self, savings: Savings, ref: np.ndarray, hyp: np.ndarray) -> np.ndarray:
            return np.where(ref * n_hyp + hyp == place, -1, super().slack(savings, ref, hyp))

    def with_raised(number: int) -> Duals:
        level = Raised(**{name: getattr(duals[number], name) for name in Level.__slots__})
        return (*duals[:number], level, *duals[number + 1 :])

    matched = set((matching.ref_index * n_hyp + matching.hyp_index).tolist())
    n_tight = 0
    for place in sorted(set(range(len(savings.words.ref) * n_hyp)) - matched):
        with pytest.raises(CertificateError, match="outweighs its prices"):
            verify(savings, matching, with_raised(0))
        # The second level has to hold for the pairs that meet their prices at the first.
        ref, hyp = np.divmod(np.array([place]), n_hyp)
        if duals[0].slack(savings, ref, hyp)[0]:
            verify(savings, matching, with_raised(1))
        else:
            n_tight += 1
            with pytest.raises(CertificateError, match="outweighs its prices"):
                verify(savings, matching, with_raised(1))
    assert n_tight or savings.gamma


@pytest.mark.parametrize("side", ["ref_index", "hyp_index"])
def test_words_that_do_not_exist_or_are_matched_twice_are_found(proof: Proof, side: str) -> None:
    savings, matching, duals = proof
    right = getattr(matching, side)
    size = len(savings.words.ref if side == "ref_index" else savings.words.hyp)
    for place in range(len(right)):
        # Counted from the end the word before the first is the last: it has the same prices.
        for wrong in (right[place] - size, size, size + 1, right[place - 1]):
            index = right.copy()
            index[place] = wrong
            with pytest.raises(CertificateError, match="twice, or does not exist"):
                verify(savings, replace(matching, **{side: index}), duals)


def test_a_proof_has_all_levels_in_their_order(proof: Proof) -> None:
    savings, matching, duals = proof
    for wrong in ((), duals[:1], duals[::-1], (*duals, duals[1])):
        with pytest.raises(CertificateError, match="do not make up"):
            verify(savings, matching, wrong)


def test_a_bonus_is_given_to_words_with_a_price_at_an_earlier_level_only(proof: Proof) -> None:
    savings, matching, duals = proof
    assert duals[1].bonus
    for side in ("needed_ref", "needed_hyp"):
        for place in range(len(getattr(duals[1], side))):
            needed = getattr(duals[1], side).copy()
            needed[place] = not needed[place]
            with pytest.raises(CertificateError, match="earlier prices do not give"):
                verify(savings, matching, (duals[0], replace(duals[1], **{side: needed})))
    with pytest.raises(CertificateError, match="earlier prices do not give"):
        verify(
            savings,
            matching,
            (replace(duals[0], bonus=1, needed_ref=~duals[0].needed_ref), duals[1]),
        )


def raised(prices: np.ndarray, place: int, by: int) -> np.ndarray:
    prices = prices.copy()
    prices[place] += by
    return prices


@pytest.mark.parametrize("level", [0, 1])
def test_no_price_can_be_another(proof: Proof, level: int, pairs_at_once: None) -> None:
    """A price more is one that some pair does not meet, a price less is one that it outweighs."""
    savings, matching, duals = proof
    ref, hyp = duals[level].prices.ref, duals[level].prices.hyp
    for by in (-1, 1):
        for place in range(len(ref)):
            with pytest.raises(CertificateError):
                verify(savings, matching, with_prices(duals, level, raised(ref, place, by), hyp))
        for place in range(len(hyp)):
            with pytest.raises(CertificateError):
                verify(savings, matching, with_prices(duals, level, ref, raised(hyp, place, by)))


def test_words_left_out_cost_nothing_and_nothing_costs_less() -> None:
    matching = Matching(np.array([0]), np.array([1]))
    for ref, hyp, holds in (
        ([5, 0], [0, 5], True), ([0, 0], [0, 0], True), ([5, 1], [0, 5], False),
        ([5, 0], [1, 5], False), ([-1, 0], [0, 5], False), ([5, 0], [0, -1], False),
    ):  # fmt: skip
        assert complementary(Prices(np.array(ref), np.array(hyp)), matching) is holds


@pytest.fixture
def stubbed() -> Callable[[int, int], SimpleNamespace]:
    def of(n_pairs: int, largest: int) -> SimpleNamespace:
        words = SimpleNamespace(ref=[0] * n_pairs, hyp=[0] * (n_pairs + 2), longer=n_pairs + 2)
        return SimpleNamespace(words=words, largest=largest, gamma=Fraction(1))

    return of


@pytest.mark.parametrize("n_pairs", [0, 1, 3, 4])
def test_savings_and_equal_pairs_share_a_level_while_doubles_hold_them(
    n_pairs: int, stubbed: Callable[[int, int], SimpleNamespace]
) -> None:
    """A unit saved outweighs all equal pairs, and sixteen of the largest weights are exact."""
    most = (EXACT - 1) // (16 * (n_pairs + 1)) - 1
    two = (Terms(saving=n_pairs + 1, equal=1), Terms(near=1))
    three = (Terms(saving=1), Terms(equal=1), Terms(near=1))
    assert EXACT == 2**53
    assert objective_terms(stubbed(n_pairs, most)) == two
    assert objective_terms(stubbed(n_pairs, most + 1)) == three
    assert objective_terms(stubbed(n_pairs, EXACT // 16 - 1)) == three
    with pytest.raises(ConfigError, match=f"page of {n_pairs + 2} words"):
        objective_terms(stubbed(n_pairs, EXACT // 16))


def test_terms_weigh_what_they_name() -> None:
    savings = savings_of("a b c", "c b a a")
    ref, hyp = np.array([0, 0, 1, 2]), np.array([0, 3, 1, 0])
    assert Terms().weigh(savings, ref, hyp).tolist() == [0, 0, 0, 0]
    assert Terms(saving=3).weigh(savings, ref, hyp).tolist() == (3 * savings.of(ref, hyp)).tolist()
    assert Terms(equal=2).weigh(savings, ref, hyp).tolist() == [0, 2, 2, 2]
    assert Terms(near=1).weigh(savings, ref, hyp).tolist() == [0, -6, 0, -6]
    needed_ref, needed_hyp = np.array([True, False, True]), np.array([True, False, False, True])
    level = Level(Terms(near=1), 10, needed_ref, needed_hyp, Prices(ref[:3], hyp))
    assert level.weigh(savings, ref, hyp).tolist() == [20, 14, 0, 14]
    assert level.slack(savings, ref, hyp).tolist() == [-40, -28, 3, -27]
