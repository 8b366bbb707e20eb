"""The refined trace: as few word edits as before, like words paired with like ones."""

from collections.abc import Sequence
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

import htreval_core as hv
from htreval_core.metrics.edit import trace_characters, word_trace
from htreval_core.metrics.words import WordPair
from tests.oracles_edit import edit_distance
from tests.tools import cases

WORDS = st.lists(st.sampled_from(["a", "b", "cat", "cart", "carts", "dog"]), max_size=14)


def edited_characters(trace: hv.Alignment) -> int:
    return sum(Levenshtein.distance(ref or "", hyp or "") for ref, hyp in trace.rows if ref != hyp)


def plainly_edited(ref: Sequence[str], hyp: Sequence[str]) -> int:
    """Characters edited by the operations that the word edit distance comes with."""
    edited = 0
    for op in Levenshtein.opcodes(ref, hyp):
        of_ref, of_hyp = ref[op.src_start : op.src_end], hyp[op.dest_start : op.dest_end]
        if op.tag == "replace":
            edited += sum(map(Levenshtein.distance, of_ref, of_hyp))
        elif op.tag != "equal":
            edited += sum(map(len, of_ref)) + sum(map(len, of_hyp))
    return edited


@given(WORDS, WORDS)
@settings(max_examples=400, deadline=None)
def test_the_trace_bounds_the_character_errors(ref: list[str], hyp: list[str]) -> None:
    words = WordPair.of(ref, hyp)
    bound = trace_characters(words, word_trace(words))
    assert Levenshtein.distance(" ".join(ref), " ".join(hyp)) <= bound


def test_like_words_are_paired() -> None:
    trace = hv.score_page("so the harbour master came", "so harbor master came").trace
    assert ("harbour", "harbor") in trace.rows
    assert ("the", None) in trace.rows
    trace = hv.score_page("one two", "z one").trace
    assert trace.rows == [(None, "z"), ("one", "one"), ("two", None)]


def drawn(ref: str, hyp: str) -> str:
    """The trace as "ref/hyp" word by word, "·" where a side has none."""
    trace = word_trace(WordPair.of(ref.split(), hyp.split()))
    assert min([0, *trace.ref_index.tolist(), *trace.hyp_index.tolist()]) >= -1
    return " ".join(f"{one or '·'}/{other or '·'}" for one, other in trace.rows)


#   reference, hypothesis, the trace
DRAWN = cases("drawn")


@pytest.mark.parametrize(("ref", "hyp", "expected"), DRAWN)
def test_the_trace_is_the_one_a_person_would_draw(ref: str, hyp: str, expected: str) -> None:
    assert drawn(ref, hyp) == expected


def least_edits(ref: list[str], hyp: list[str]) -> tuple[int, int]:
    """(word edits, characters they edit) of the best of all traces, by the textbook's recursion."""

    @cache
    def best(j: int, k: int) -> tuple[int, int]:
        ways = [(0, 0)] if j == k == 0 else []
        if j:
            words, chars = best(j - 1, k)
            ways.append((words + 1, chars + len(ref[j - 1])))
        if k:
            words, chars = best(j, k - 1)
            ways.append((words + 1, chars + len(hyp[k - 1])))
        if j and k:
            words, chars = best(j - 1, k - 1)
            one, other = ref[j - 1], hyp[k - 1]
            ways.append((words + (one != other), chars + edit_distance(one, other)))
        return min(ways)

    return best(len(ref), len(hyp))


OTHERS = st.lists(st.sampled_from(["A", "bB", "cUt", "caRt", "cArts", "dug"]), max_size=8)


@given(WORDS.filter(lambda words: len(words) < 9), OTHERS)
@settings(max_examples=200, deadline=None)
def test_no_trace_is_cheaper_where_no_word_is_equal(ref: list[str], hyp: list[str]) -> None:
    trace = word_trace(WordPair.of(ref, hyp))
    assert (trace.counts().errors, edited_characters(trace)) == least_edits(ref, hyp)


@given(WORDS, WORDS)
@settings(max_examples=200, deadline=None)
def test_no_more_characters_are_edited_than_by_any_edit_distance(
    ref: list[str], hyp: list[str]
) -> None:
    """Against the operations that rapidfuzz happens to choose, and the best of all traces."""
    edited = edited_characters(word_trace(WordPair.of(ref, hyp)))
    assert least_edits(ref, hyp)[1] <= edited <= plainly_edited(ref, hyp)


def test_stretches_of_up_to_4096_pairs_of_words_are_refined() -> None:
    """The likest words are paired up to there; beyond it they are replaced in the order given."""

    def lost(n_ref: int, n_hyp: int) -> list[str | None]:
        ref = ["unlike", *(f"{n}word" for n in range(n_ref - 1))]
        trace = word_trace(
            WordPair.of(["k", *ref, "k"], ["k", *(f"{n}ward" for n in range(n_hyp)), "k"])
        )
        assert trace.counts().errors == n_ref
        assert sorted(trace.ref_index.tolist()) == [*range(n_ref + 2)]
        assert [k for k in trace.hyp_index.tolist() if k >= 0] == [*range(n_hyp + 2)]
        return [one for one, other in trace.rows if other is None]

    assert "unlike" in lost(64, 63)
    assert "unlike" in lost(128, 32)
    assert "unlike" not in lost(241, 17)
