"""The regularised matching: both solvers against slow twins, and the proof of optimality."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest

from htreval_core.errors import ConfigError
from htreval_core.metrics import words as words_module
from htreval_core.metrics.matching import match
from htreval_core.metrics.matching import match as matching_module
from htreval_core.metrics.matching.certificate import (
    CertificateError,
    Duals,
    objective_terms,
    verify,
)
from htreval_core.metrics.matching.dense import solve_dense, weights
from htreval_core.metrics.matching.edges import scipy_kernel
from htreval_core.metrics.matching.match import match_words, solve_sparse
from htreval_core.metrics.matching.savings import Matching, Savings, distance, objective
from htreval_core.metrics.words import WordPair
from tests.oracles import best_matching, cost_of, float_cost

Words = list[str]
TINY = ("a", "b", "ab", "ba", "abc", "cab", "aab")
GAMMAS = ("0", "0.0001", "0.5", "1", "2", "7", "100", "1000")
KINDS = ("in order", "line swaps", "columns", "shuffled")


def savings_of(ref: Sequence[str], hyp: Sequence[str], gamma: str | Fraction = "1") -> Savings:
    return Savings(WordPair.of(ref, hyp), Fraction(gamma))


def solved(savings: Savings) -> tuple[Matching, tuple[int, int, int]]:
    """What the sparse solver finds, its proof checked over all pairs."""
    matching, duals = solve_sparse(savings)
    verify(savings, matching, duals)
    return matching, objective(savings, matching)


def random_words(rng: np.random.Generator, most: int, vocabulary: Sequence[str]) -> Words:
    return [str(w) for w in rng.choice(vocabulary, size=int(rng.integers(0, most + 1)))]


def misread(rng: np.random.Generator, word: str) -> str:
    place = int(rng.integers(len(word)))
    letter = "abcdefghijklmnopqrstuvwxyz"[int(rng.integers(26))]
    return (word[:place], word[:place] + letter)[int(rng.integers(2))] + word[place + 1 :] or letter


def made_page(seed: int, n_words: int, kind: str, n_types: int = 400) -> tuple[Words, Words]:
    """A reference with frequent and rare words, and it misread in one word of five."""
    rng = np.random.default_rng(seed)
    letters = np.array(list("etaoinshrdlu"))
    types = ["".join(rng.choice(letters, size=1 + i % 9)) for i in range(n_types)]
    odds = 1 / (np.arange(n_types) + 2.0)
    ref = [types[i] for i in rng.choice(n_types, size=n_words, p=odds / odds.sum())]
    hyp: Words = []
    for word in ref:
        luck = rng.random()
        if luck < 0.16:
            hyp.append(misread(rng, word))
        elif luck < 0.18:
            hyp += [word, misread(rng, word)]
        elif luck > 0.02 + 0.18:
            hyp.append(word)
    if kind == "shuffled":
        return ref, [hyp[i] for i in rng.permutation(len(hyp))]
    lines = [hyp[i : i + 8] for i in range(0, len(hyp), 8)]
    if kind == "line swaps":
        for i in range(0, len(lines) - 5, 9):
            lines[i], lines[i + 4] = lines[i + 4], lines[i]
    if kind == "columns":
        half = (len(lines) + 1) // 2
        lines = [line for i in range(half) for line in (lines[i], *lines[half + i : half + i + 1])]
    return ref, [word for line in lines for word in line]


@pytest.mark.parametrize("gamma", ["0", "0.0001", "0.5", "1", "3", "1000"])
def test_both_solvers_find_what_trying_everything_finds(gamma: str) -> None:
    rng = np.random.default_rng(int(float(gamma) * 10_000))
    for _ in range(500):
        vocabulary = TINY[: int(rng.integers(1, len(TINY) + 1))]
        ref, hyp = random_words(rng, 6, vocabulary), random_words(rng, 5, vocabulary)
        expected = best_matching(ref, hyp, Fraction(gamma))
        savings = savings_of(ref, hyp, gamma)
        for matching in (solve_dense(savings), solved(savings)[0]):
            _, equal, near = objective(savings, matching)
            assert (distance(savings, matching), equal, near) == expected, (ref, hyp)
            pairs = tuple(
                zip(matching.ref_index.tolist(), matching.hyp_index.tolist(), strict=True)
            )
            assert cost_of(ref, hyp, Fraction(gamma), pairs) == expected[0], (ref, hyp)


@pytest.mark.parametrize("kind", KINDS)
def test_cost_is_that_of_the_full_float_matrix(kind: str) -> None:
    ref, hyp = made_page(3, 220, kind, n_types=90)
    for gamma in ("0.5", "1", "20"):
        savings = savings_of(ref, hyp, gamma)
        expected = float_cost(ref, hyp, float(gamma))
        for matching in (solve_dense(savings), solved(savings)[0]):
            assert float(distance(savings, matching)) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_a_page_of_800_words(kind: str) -> None:
    ref, hyp = made_page(5, 800, kind, n_types=150)
    savings = savings_of(ref, hyp)
    assert weights(savings) is None
    matching, _ = solved(savings)
    expected = float_cost(ref, hyp, 1.0)
    assert float(distance(savings, matching)) == pytest.approx(expected, rel=1e-12)


def one_word_pages() -> dict[str, tuple[Words, Words]]:
    five = ["the", "of", "and", "a", "word"]
    draw = np.random.default_rng(0).integers(5, size=(2, 600))
    return {
        "five words": ([five[i] for i in draw[0]], [five[i] for i in draw[1][:580]]),
        "one word, as often": (["same"] * 300, ["same"] * 300),
        "one word, less often": (["same"] * 300, ["same"] * 270),
        "one word, more often": (["same"] * 270, ["same"] * 300),
        "nothing in common": ([f"a{i}x" for i in range(200)], [f"q{i}pp" for i in range(180)]),
        "no letter in common": (["aaa"] * 40, ["b"] * 50), "empty reference": ([], ["a", "b"]),
        "empty hypothesis": (["a", "b"], []), "both empty": ([], []),
        "long words": (["x" * 99 + c for c in "abcdef"], ["x" * 99 + c for c in "bacfed"]),
        "longer than a byte": (["y" * 300 + c for c in "abcd"], ["y" * 290 + c for c in "dcab"]),
        "one against many": (["cat"], ["dog", "cot", *["cat"] * 500]),
        "few against many": (["to", "be", "or"], made_page(0, 900, "in order")[1]),
    }  # fmt: skip


@pytest.mark.parametrize("gamma", GAMMAS)
@pytest.mark.parametrize("case", one_word_pages())
def test_odd_pages(case: str, gamma: str) -> None:
    savings = savings_of(*one_word_pages()[case], gamma)
    found = solved(savings)[1]
    if weights(savings):
        assert found == objective(savings, solve_dense(savings))


@pytest.mark.parametrize("gamma", ["0.333333", "1/3", "0.000001", "12345.678901", "1000000"])
def test_gamma_with_many_digits(gamma: str) -> None:
    rng = np.random.default_rng(2)
    for _ in range(60):
        ref, hyp = random_words(rng, 4, TINY), random_words(rng, 4, TINY)
        savings = savings_of(ref, hyp, gamma)
        found, (_, equal, near) = solved(savings)
        assert (distance(savings, found), equal, near) == best_matching(ref, hyp, Fraction(gamma))
        assert objective(savings, match_words(savings.words, gamma)) == objective(savings, found)


def test_savings_too_large_for_two_levels_are_settled_in_three() -> None:
    ref, hyp = made_page(11, 400, "line swaps", n_types=60)
    savings = savings_of(ref, hyp, "12345.678901")
    assert len(objective_terms(savings_of(ref, hyp, "12345"))) == 2
    assert len(objective_terms(savings)) == 3
    matching, _ = solved(savings)
    expected = float_cost(ref, hyp, 12345.678901)
    assert float(distance(savings, matching)) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("gamma", ["0", "1", "6"])
def test_three_levels_against_trying_everything(
    gamma: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from htreval_core.metrics.matching.certificate import Terms

    three = (Terms(saving=1), Terms(equal=1), Terms(near=1))
    monkeypatch.setattr(match, "objective_terms", lambda _: three)
    monkeypatch.setattr(
        "htreval_core.metrics.matching.certificate.objective_terms", lambda _: three
    )
    rng = np.random.default_rng(4)
    for _ in range(150):
        ref, hyp = random_words(rng, 30, TINY[:4]), random_words(rng, 30, TINY[:4])
        savings = savings_of(ref, hyp, gamma)
        assert solved(savings)[1] == objective(savings, solve_dense(savings))


def test_savings_past_all_bounds_are_refused() -> None:
    savings = savings_of(["a"] * 30, ["b"] * 30, Fraction(1, 3**40))
    assert weights(savings) is None
    with pytest.raises(ConfigError, match="too many digits"):
        solve_sparse(savings)


@pytest.mark.parametrize("kind", KINDS)
def test_any_start_leads_to_the_optimum(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    savings = savings_of(*made_page(8, 250, kind))
    nothing = np.zeros(0, dtype=np.int64)
    monkeypatch.setattr(match, "likely_pairs", lambda *_: (nothing, nothing))
    assert solved(savings)[1] == objective(savings, solve_dense(savings))


def test_without_a_table_of_distances(monkeypatch: pytest.MonkeyPatch) -> None:
    ref, hyp = made_page(9, 300, "columns")
    expected = objective(savings_of(ref, hyp), solve_dense(savings_of(ref, hyp)))
    monkeypatch.setattr(words_module, "TABLE_LIMIT", 0)
    savings = savings_of(ref, hyp)
    assert solved(savings)[1] == expected
    assert "distances" not in savings.words.__dict__


def test_another_kernel_can_be_put_in_and_one_that_is_not_optimal_is_found_out() -> None:
    asked: list[int] = []

    def kernel(indptr, indices, saving, n_columns, prices):  # type: ignore[no-untyped-def]
        asked.append(len(indices))
        assert (saving > 0).all()
        return scipy_kernel(indptr, indices, saving, n_columns, None)

    savings = savings_of(*made_page(10, 200, "shuffled"))
    matching, duals = solve_sparse(savings, kernel)
    verify(savings, matching, duals)
    assert len(asked) > 1

    # A kernel that is not optimal is found out.
    def greedy(indptr, indices, saving, n_columns, prices):  # type: ignore[no-untyped-def]
        mate, taken = np.full(len(indptr) - 1, -1), set()
        for j in range(len(indptr) - 1):
            for k in indices[indptr[j] : indptr[j + 1]].tolist():
                if k not in taken:
                    mate[j] = k
                    taken.add(k)
                    break
        return mate

    with pytest.raises(CertificateError, match="not optimal"):
        solve_sparse(savings_of(*made_page(10, 200, "shuffled")), greedy)


def test_verify_rejects_a_matching_that_breaks_ties_otherwise() -> None:
    savings = savings_of(["a", "b", "a"], ["a", "x", "x", "a", "a"], "0")
    matching, duals = solve_sparse(savings)
    verify(savings, matching, duals)
    as_good = Matching(np.array([0, 2]), np.array([3, 4]))
    assert objective(savings, as_good)[:2] == objective(savings, matching)[:2]
    with pytest.raises(CertificateError):
        verify(savings, as_good, duals)


def test_gamma_is_1_where_nobody_says_otherwise() -> None:
    """Four letters to change, or both words alone at half of five letters and γ."""
    words = WordPair.of(["abcd", "k"], ["x", "k"])
    assert [len(match_words(words, gamma)) for gamma in ("1", "2")] == [1, 2]
    assert len(match_words(words)) == 1


def test_the_check_is_a_switch(monkeypatch: pytest.MonkeyPatch) -> None:
    words = WordPair.of(*made_page(13, 90, "columns"))
    checked: list[int] = []

    def note(savings: Savings, matching: Matching, duals: Duals) -> None:
        checked.append(len(matching))
        verify(savings, matching, duals)

    monkeypatch.setattr(matching_module, "verify", note)
    plain, thorough = match_words(words), match_words(words, check=True)
    savings = Savings(words, Fraction(1))
    assert objective(savings, plain) == objective(savings, thorough)
    assert checked == [len(thorough)]
