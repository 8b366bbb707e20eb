"""Of all matchings that are equal under the tie rule the first one, whichever solver is asked."""

import random
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import htreval_core as hv
from htreval_core.metrics.matching import dense
from htreval_core.metrics.matching.certificate import verify
from htreval_core.metrics.matching.dense import solve_dense, weights
from htreval_core.metrics.matching.match import match_words, pair_leftovers, solve_sparse
from htreval_core.metrics.matching.savings import Matching, Savings, objective
from htreval_core.metrics.matching.settle import first_of_equals
from htreval_core.metrics.words import WordPair
from htreval_core.text import TextPolicy, page_words

GAMMAS = tuple(map(Fraction, ("0", "1/2", "1", "3")))


def pairs(matching: Matching) -> list[tuple[int, int]]:
    return list(zip(matching.ref_index.tolist(), matching.hyp_index.tolist(), strict=True))


def all_best(savings: Savings) -> list[list[tuple[int, int]]]:
    """Every best matching of a short page, by trying all, the first one first."""
    words = savings.words
    n_ref, n_hyp = len(words.ref), len(words.hyp)
    best: tuple[int, int, int] | None = None
    found: list[tuple[int, ...]] = []

    def helps(j: int, k: int) -> bool:
        saved = int(savings.of(np.array([j]), np.array([k]))[0])
        return saved > 0 or (not saved and words.ref_words[j] == words.hyp_words[k])

    useful = [[k for k in range(n_hyp) if helps(j, k)] for j in range(n_ref)]

    def extend(mates: tuple[int, ...]) -> None:
        nonlocal best, found
        if len(mates) < n_ref:
            for k in useful[len(mates)]:
                if k not in mates:
                    extend((*mates, k))
            extend((*mates, -1))
            return
        chosen = [(j, k) for j, k in enumerate(mates) if k >= 0]
        ref, hyp = np.array(chosen, dtype=np.int64).reshape(-1, 2).T
        saved, equal, apart = objective(savings, Matching(ref, hyp))
        value = saved, equal, -apart
        if best is None or value > best:
            best, found = value, []
        if value == best:
            found.append(mates)

    extend(())
    return [[(j, k) for j, k in enumerate(mates) if k >= 0] for mates in sorted(found)]


def test_both_solvers_take_the_first_of_all_best_matchings() -> None:
    rng = random.Random(1)
    several = 0
    for number in range(400):
        letters = rng.choice(["a", "ab", "abc"])
        longest = rng.choice([1, 2, 3])
        x, y = (["".join(rng.choices(letters, k=rng.randint(1, longest)))
                 for _ in range(rng.randint(0, 5))] for _ in range(2))  # fmt: skip
        savings = Savings(WordPair.of(x, y), GAMMAS[number % 4])
        best = all_best(savings)
        several += len(best) > 1
        assert pairs(solve_dense(savings)) == best[0], (x, y)
        assert pairs(solve_sparse(savings)[0]) == best[0], (x, y)
    assert several > 5


def made_page(rng: random.Random, n_words: int) -> WordPair:
    """Two texts of few words that are often repeated or alike, moved and misread."""
    letters = rng.choice(["a", "ab", "abcd", "abcdefghijkl"])
    longest = rng.choice([1, 2, 4])
    words = [
        "".join(rng.choices(letters, k=rng.randint(1, longest)))
        for _ in range(rng.choice([2, 5, 30]))
    ]
    x = rng.choices(words, k=rng.randint(1, n_words))
    y = list(x) if rng.random() < 0.5 else rng.choices(words, k=rng.randint(1, n_words))
    for _ in range(rng.randint(0, 10)):
        y.insert(rng.randrange(len(y) + 1), rng.choice(words))
        del y[rng.randrange(len(y))]
    if rng.random() < 0.4:
        cut = rng.randrange(len(y))
        y = y[cut:] + y[:cut]
    return WordPair.of(x, y)


@pytest.mark.thorough
def test_both_solvers_agree_pair_by_pair_on_made_pages() -> None:
    rng = random.Random(5)
    for number in range(1500):
        words = made_page(rng, rng.choice([5, 20, 60]) if number % 100 else 300)
        savings = Savings(words, GAMMAS[number % 4])
        dense, (sparse, duals) = solve_dense(savings), solve_sparse(savings)
        assert pairs(dense) == pairs(sparse), (words.ref_words, words.hyp_words, savings.gamma)
        assert pairs(pair_leftovers(savings, dense)) == pairs(pair_leftovers(savings, sparse))
        if not number % 20:
            verify(savings, dense, duals)


@pytest.mark.thorough
@pytest.mark.parametrize("gamma", GAMMAS)
def test_both_solvers_agree_pair_by_pair_on_iam(iamdb: Path, gamma: Fraction) -> None:
    for path in sorted(iamdb.glob("*.ref")):
        sides = (path, path.with_suffix(".hyp"))
        x, y = (page_words(side.read_text("utf-8"), TextPolicy()).words for side in sides)
        words = WordPair.of(x, y)
        assert pairs(match_words(words, gamma)) == pairs(match_words(words, gamma, check=True))


def test_both_solvers_agree_on_long_pages_at_gamma_0() -> None:
    """Here the two of them are asked by length, and ties are many."""
    rng = random.Random(7)
    for n_words in (550, 700):
        for _ in range(3):
            common = ["".join(rng.choices("etaoin", k=rng.randint(1, 3))) for _ in range(40)]
            x = rng.choices(common, k=n_words)
            y = [word if rng.random() < 0.8 else rng.choice(common) for word in x]
            y = y[200:] + y[:200]
            savings = Savings(WordPair.of(x, y), Fraction(0))
            assert weights(savings)
            assert pairs(solve_dense(savings)) == pairs(solve_sparse(savings)[0])


def test_a_page_of_iam_that_had_two_values(iamdb: Path) -> None:
    """Two matchings of one cost, as many equal words and one Σ d(d−1), but NSFD 9 and 19."""
    x, y = ((iamdb / f"265.{end}").read_text("utf-8") for end in ("ref", "hyp"))
    page = hv.score_page(x, y)
    words = WordPair.of(page.reference.words, page.hypothesis.words)
    assert pairs(match_words(words)) == pairs(match_words(words, check=True))
    assert page.scores.nsfd_errors == 9


def settled(
    matching: list[tuple[int, int]], tight: list[tuple[int, int]], needed_ref: list[bool],
    needed_hyp: list[bool],
) -> list[tuple[int, int]]:  # fmt: skip
    ref, hyp = np.array(matching, dtype=np.int64).reshape(-1, 2).T
    one, other = np.array(tight, dtype=np.int64).reshape(-1, 2).T
    needed = np.array(needed_ref), np.array(needed_hyp)
    return pairs(first_of_equals(Matching(ref, hyp), (one, other), *needed))


def test_circles_may_pass_what_is_left_out() -> None:
    yes, no = True, False
    # Exchanged with each other; with a word left out on one side; on both.
    assert settled([(0, 1), (1, 0)], [(0, 0), (1, 1)], [yes] * 2, [yes] * 2) == [(0, 0), (1, 1)]
    assert settled([(0, 1)], [(0, 0)], [yes], [no] * 2) == [(0, 0)]
    assert settled([(0, 1)], [(0, 0)], [yes], [no, yes]) == [(0, 1)]
    assert settled([(0, 0)], [(1, 0)], [no] * 2, [yes]) == [(1, 0)]
    assert settled([(0, 0)], [(1, 0)], [yes, no], [yes]) == [(0, 0)]
    # One pair in the place of two, and two in the place of one.
    assert settled([(1, 0)], [(0, 0), (1, 1)], [no, yes], [yes, no]) == [(1, 0)]
    assert settled([(0, 0), (1, 1)], [(1, 0)], [no, yes], [yes, no]) == [(1, 0)]
    assert settled([(0, 1), (1, 2)], [(0, 0)], [yes] * 2, [no] * 3) == [(0, 0), (1, 2)]
    # An earlier word keeps its mate, though a later one would have liked another.
    assert settled([(0, 0), (1, 1)], [(1, 0)], [yes] * 2, [yes, no]) == [(0, 0), (1, 1)]


def page_of_once_words(rng: random.Random, n_words: int) -> WordPair:
    """A longer page: most words stand once, some often; some are misread, some lines moved."""
    words = [
        "".join(rng.choices("etaoin", k=rng.randint(1, 3 if rng.random() < 0.3 else 8)))
        for _ in range(n_words)
    ]
    read = [
        word[1:] + rng.choice("etx") if rng.random() < 0.15 else word
        for word in words
        if rng.random() < 0.97
    ]
    at, other = sorted(rng.sample(range(len(read)), 2))
    read = read[:at] + read[other:] + read[at:other]
    return WordPair.of(words, read) if rng.random() < 0.5 else WordPair.of(read, words)


def test_pairs_that_are_certain_are_those_of_the_best_matching() -> None:
    rng = random.Random(9)
    certain = 0
    for number in range(40):
        words = page_of_once_words(rng, rng.randint(110, 180))
        savings = Savings(words, (*GAMMAS[1:], Fraction(20))[number % 4])
        best = solve_sparse(savings)[0]
        assert pairs(solve_dense(savings)) == pairs(best), (words.ref_words, words.hyp_words)
        (rows, columns), _ = dense._certain(savings, dense._letters(words))
        if len(words.ref) > len(words.hyp):
            rows, columns = columns, rows
        found = set(zip(rows.tolist(), columns.tolist(), strict=True))
        assert found <= set(pairs(best))
        certain += len(found)
    assert certain > 100


def test_pairs_that_are_certain_and_those_that_are_not() -> None:
    # All pairs may be certain.
    words = [chr(0x4E00 + number) * 4 for number in range(150)]
    for read in (words, [*words, "more"], words[:140]):
        for sides in ((words, read), (read, words)):
            savings = Savings(WordPair.of(*sides), Fraction(1))
            assert pairs(solve_dense(savings)) == [(at, at) for at in range(min(150, len(read)))]
    # Equal words far apart are not certain.
    between = [f"{number:04d}" * 3 for number in range(120)]
    words = WordPair.of(["cat", *between, "cart"], ["cart", *between, "carts"])
    assert pairs(solve_dense(Savings(words, Fraction(3)))) == [(at, at) for at in range(122)]


def test_ordinary_pages_are_proved_without_looking_for_equals(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def asked(*_: object) -> None:
        raise AssertionError("there was no proof that the matching has no equals")

    monkeypatch.setattr(dense, "_equally_good", asked)
    rng = random.Random(3)
    for n_words in (30, 30, 60, 60, 150, 150):
        solve_dense(Savings(page_of_once_words(rng, n_words), Fraction(1)))


def test_words_that_could_trade_places_are_no_proof() -> None:
    costs = np.array([[-5.0, -5.0], [-5.0, -5.0]])
    for rows, columns in (([0, 1], [0, 1]), ([0, 1], [1, 0])):
        own = costs[rows, columns]
        assert not dense._nothing_else_as_good(costs.copy(), np.array(rows), np.array(columns), own)
    # A word left out could take the place of another at the same cost, on either side.
    one = np.array([0])
    for costs in (np.array([[-5.0, -5.0]]), np.array([[-5.0, 0.0], [-5.0, 0.0]])):
        assert not dense._nothing_else_as_good(costs.copy(), one, one, costs[one, one])
    # Dearer by 2, which is as little as nearness makes out, is enough.
    costs = np.array([[-5.0, -4.0], [-4.0, -5.0]])
    both = np.array([0, 1])
    assert dense._nothing_else_as_good(costs, both, both, np.array([-5.0, -5.0]))
