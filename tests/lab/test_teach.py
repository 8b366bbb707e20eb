"""The steps that lessons show add up to the values that the engine gives."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

import htreval_core as hv
from htreval_core.lab.teach import (
    MOST_CELLS,
    bag_rows,
    edit_grid,
    matched_words,
    read_across,
    renumber,
)
from htreval_core.metrics.matching.savings import Matching, Savings, distance
from htreval_core.metrics.order import discordant_pairs
from htreval_core.metrics.words import WordPair
from htreval_core.settings import exact_gamma
from tests.conftest import SAMPLES

EXAMPLES = {
    (page.page_id, system): (page.reference.text, hypothesis.text)
    for folder in ("examples", "seite0418")
    for page in hv.pair_path(SAMPLES / folder).pages
    for system, hypothesis in page.hypotheses.items()
}
texts = st.lists(st.sampled_from(["a", "b", "ab", "abc", "to", "be"]), max_size=9).map(" ".join)


def scored(case: tuple[str, str]) -> hv.ScoredPage:
    return hv.score_page(*EXAMPLES[case])


def test_grid_of_example_1() -> None:
    """Five errors of ten words: one word added, two replaced, two left out."""
    grid = edit_grid(scored(("Example 1", "Y")).trace)
    assert grid.distances.shape == (11, 10)
    assert grid.distances[-1, -1] == 5
    counts = grid.counts
    assert (counts.insertions, counts.substitutions, counts.deletions) == (1, 2, 2)
    assert (grid.path[-1].row, grid.path[-1].column, grid.path[-1].errors) == (10, 9, 5)


@given(texts, texts)
@settings(deadline=None)
def test_grid_is_the_edit_distance_and_its_path_the_trace(x: str, y: str) -> None:
    page = hv.score_page(x, y)
    grid = edit_grid(page.trace)
    for i in range(len(grid.ref_words) + 1):
        for j in range(len(grid.hyp_words) + 1):
            expected = Levenshtein.distance(grid.ref_words[:i], grid.hyp_words[:j])
            assert grid.distances[i, j] == expected
    assert grid.counts == page.scores.wer
    at = (0, 0)
    moves = {"hit": (1, 1), "substitution": (1, 1), "deletion": (1, 0), "insertion": (0, 1)}
    for step in grid.path:
        assert (step.row - at[0], step.column - at[1]) == moves[step.op]
        at = (step.row, step.column)
    assert at == (len(grid.ref_words), len(grid.hyp_words))


def test_grid_is_refused_for_long_texts_and_for_matchings_that_cross() -> None:
    long = " ".join(map(str, range(int(MOST_CELLS**0.5) + 1)))
    with pytest.raises(hv.ConfigError, match="too large"):
        edit_grid(hv.score_page(long, long).trace)
    with pytest.raises(hv.ConfigError, match="sequential"):
        edit_grid(scored(("Example 3", "Y")).matching)


def test_bag_of_example_3() -> None:
    """One word is missing and none is too many: bWER 1/14."""
    rows = bag_rows(*(text.split() for text in EXAMPLES["Example 3", "Y"]))
    wrong = [(row.word, row.missing, row.extra) for row in rows if row.missing or row.extra]
    assert wrong == [("that", 1, 0)]


@given(texts, texts)
@settings(deadline=None)
def test_bag_adds_up_to_bwer(x: str, y: str) -> None:
    rows = bag_rows(x.split(), y.split())
    scores = hv.score_page(x, y).scores
    missing, extra = (sum(getattr(row, side) for row in rows) for side in ("missing", "extra"))
    assert max(missing, extra) == scores.bwer.errors
    assert missing + extra == scores.beta_wer_errors
    assert sum(row.both for row in rows) == scores.bwer.hits


@given(texts, texts, st.sampled_from(["0", "0.1", "1", "7/3"]))
@settings(deadline=None)
def test_matched_words_cost_what_the_matching_costs(x: str, y: str, gamma: str) -> None:
    page = hv.score_page(x, y, hv.Settings(gamma=Fraction(gamma)))
    rows = matched_words(page.matching, Fraction(gamma))
    words = WordPair.of(page.reference.words, page.hypothesis.words)
    savings = Savings(words, exact_gamma(Fraction(gamma)))
    assert sum(row.cost for row in rows) == distance(savings, Matching(*page.matching.pairs))
    unmatched = [row for row in rows if row.ref_word is None or row.hyp_word is None]
    unequal = sum(row.ref_word != row.hyp_word for row in rows)
    surplus = abs(len(words.ref) - len(words.hyp))
    assert unequal - (len(unmatched) - surplus) // 2 == page.scores.hwer_errors


def test_cost_parts_are_exact() -> None:
    """γ = 1 and M = 3: a word that moved two places costs 2/3, a dummy half its word and 1/3."""
    rows = matched_words(hv.score_page("a b c", "c b a").matching)
    assert [(row.characters, row.distance) for row in rows] == [
        (0, Fraction(2, 3)),
        (0, 0),
        (0, Fraction(2, 3)),
    ]
    (row, _) = matched_words(hv.score_page("abcdef", "z").matching)
    assert (row.ref_word, row.hyp_word, row.cost) == ("abcdef", None, 4)


def test_renumbering_of_the_alignment_that_example_2_gives() -> None:
    """27 of 50: positions skip the three words without a mate, each of which adds 1."""
    given_pairs = [(1, 4), (2, 5), (3, 6), (4, 7), (5, 8), (6, 9), (7, 0), (8, 0), (9, 1), (10, 3)]
    ref, hyp = np.array([*given_pairs, (0, 2)]).T - 1
    x, y = (tuple(text.split()) for text in EXAMPLES["Example 2", "Y"])
    steps = renumber(hv.Alignment(ref, hyp, x, y))
    assert (steps.ref_unmatched, steps.hyp_unmatched) == ((7, 8), (2,))
    numbers = [(pair.ref_number, pair.hyp_number) for pair in steps.pairs]
    assert numbers == [(1, 3), (2, 4), (3, 5), (4, 6), (5, 7), (6, 8), (7, 1), (8, 2)]
    assert (steps.total, steps.denominator) == (27, 50)


@pytest.mark.parametrize("case", EXAMPLES)
def test_renumbering_adds_up_to_nsfd(case: tuple[str, str]) -> None:
    page = scored(case)
    steps = renumber(page.matching)
    terms = [pair.apart for pair in steps.pairs]
    assert sum(terms) + len(steps.ref_unmatched) + len(steps.hyp_unmatched) == steps.total
    assert (steps.total, steps.denominator) == (page.scores.nsfd_errors, page.scores.nsfd_length)
    crossings = sum(
        a.hyp_number > b.hyp_number for n, a in enumerate(steps.pairs) for b in steps.pairs[n:]
    )
    assert crossings == discordant_pairs(page.matching)


LINES = "one two\nthree\nfour five\nsix"


def test_reading_across_changes_order_alone() -> None:
    scores = hv.score_page(LINES, read_across(LINES)).scores
    assert scores.bwer.errors == 0
    assert scores.wer.errors > 0
    assert read_across(LINES) == "one two four five\nthree six"
    assert read_across("a\nb\nc") == "a c\nb"
