"""The refined sequential trace: the same word errors, words that are alike side by side."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from htreval_core.metrics.edit import trace_counts, word_trace
from htreval_core.metrics.refine import char_edits, refine
from htreval_core.metrics.words import WordPair
from htreval_core.model import Alignment
from tests.oracles import best_trace

Rows = list[tuple[str | None, str | None]]


def refined(words: WordPair) -> Alignment:
    trace = word_trace(words)
    ref_index, hyp_index = refine(trace.ref_index, trace.hyp_index, words)
    return Alignment(ref_index, hyp_index, words.ref_words, words.hyp_words)


def measure(trace: Alignment, words: WordPair) -> tuple[int, int]:
    """Word edits and character edits."""
    edits = char_edits(trace.ref_index, trace.hyp_index, words)
    return trace_counts(words, trace).errors, edits


@pytest.mark.parametrize(
    ("ref", "hyp", "rows"),
    [
        ("fox quick", "fox quik brown", [("fox", "fox"), ("quick", "quik"), (None, "brown")]),
        ("a quick brown", "a brwn", [("a", "a"), ("quick", None), ("brown", "brwn")]),
        ("cat and dog", "cot dog", [("cat", "cot"), ("and", None), ("dog", "dog")]),
        # Joined over the single equal word between two edits.
        ("a a hand", "a hand a", [("a", "a"), ("a", None), ("hand", "hand"), (None, "a")]),
        ("one two", "", [("one", None), ("two", None)]),
        ("", "one two", [(None, "one"), (None, "two")]),
    ],
)
def test_alike_words_stand_side_by_side(ref: str, hyp: str, rows: Rows) -> None:
    assert refined(WordPair.of(ref.split(), hyp.split())).rows == rows


def random_pair(rng: np.random.Generator, vocabulary: list[str], most: int) -> WordPair:
    sides = (rng.choice(vocabulary, size=int(rng.integers(0, most))).tolist() for _ in range(2))
    return WordPair.of(*sides)


def test_word_errors_stay_and_character_edits_never_rise() -> None:
    rng = np.random.default_rng(0)
    vocabulary = ["a", "an", "and", "hand", "sand", "band", "of", "off", "the", "then", "they"]
    for _ in range(400):
        words = random_pair(rng, vocabulary, 30)
        before, after = word_trace(words), refined(words)
        assert measure(after, words)[0] == measure(before, words)[0]
        assert measure(after, words)[1] <= measure(before, words)[1]
        assert measure(after, words) >= best_trace(words.ref_words, words.hyp_words)
        for index, size in ((after.ref_index, len(words.ref)), (after.hyp_index, len(words.hyp))):
            assert index[index >= 0].tolist() == list(range(size))
        assert ((after.ref_index >= 0) | (after.hyp_index >= 0)).all()


def test_one_stretch_is_aligned_as_well_as_can_be() -> None:
    rng = np.random.default_rng(1)
    left = ["cat", "house", "tree", "of", "and", "light"]
    right = ["cats", "mouse", "three", "off", "an", "night", "it"]
    for _ in range(200):
        ref = rng.choice(left, size=int(rng.integers(1, 9))).tolist()
        hyp = rng.choice(right, size=int(rng.integers(1, 9))).tolist()
        words = WordPair.of(ref, hyp)
        assert measure(refined(words), words) == best_trace(ref, hyp)


def test_nothing_to_choose_leaves_the_trace_alone() -> None:
    for ref, hyp in (("a b c", "a b c"), ("a b c", "a x c"), ("", ""), ("a", ""), ("a b", "a b c")):
        words = WordPair.of(ref.split(), hyp.split())
        trace = word_trace(words)
        same = refine(trace.ref_index, trace.hyp_index, words)
        assert np.array_equal(same[0], trace.ref_index)
        assert np.array_equal(same[1], trace.hyp_index)


def test_a_stretch_that_is_too_long_stays_as_it_is() -> None:
    words = WordPair.of([f"a{i}" for i in range(60)], [f"b{i}" for i in range(61)])
    trace = word_trace(words)
    assert np.array_equal(refined(words).ref_index, trace.ref_index)
    assert np.array_equal(refined(words).hyp_index, trace.hyp_index)


def test_refining_twice_never_makes_it_worse() -> None:
    rng = np.random.default_rng(2)
    for _ in range(100):
        words = random_pair(rng, ["a", "an", "and", "hand", "band"], 20)
        once = refined(words)
        twice = refine(once.ref_index, once.hyp_index, words)
        assert char_edits(*twice, words) <= char_edits(once.ref_index, once.hyp_index, words)


def test_iam(iamdb: Path) -> None:
    before = after = errors = 0
    for ref in iamdb.glob("*.ref"):
        texts = (path.read_text(encoding="utf-8") for path in (ref, ref.with_suffix(".hyp")))
        words = WordPair.of(*(text.split() for text in texts))
        before += measure(word_trace(words), words)[1]
        errors += measure(refined(words), words)[0]
        after += measure(refined(words), words)[1]
    assert (errors, before, after) == (6248, 14086, 11257)
