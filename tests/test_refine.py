"""The refined trace: as few word edits as before, like words paired with like ones."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

import htreval_core as hv
from htreval_core.metrics.edit import trace_characters, trace_counts, word_trace
from htreval_core.metrics.words import WordPair

WORDS = st.lists(st.sampled_from(["a", "b", "cat", "cart", "carts", "dog"]), max_size=14)


def edited_characters(trace: hv.Alignment) -> int:
    return sum(Levenshtein.distance(ref or "", hyp or "") for ref, hyp in trace.rows if ref != hyp)


@given(WORDS, WORDS)
@settings(max_examples=400, deadline=None)
def test_as_few_word_edits_and_every_word_once(ref: list[str], hyp: list[str]) -> None:
    words = WordPair.of(ref, hyp)
    trace = word_trace(words)
    assert trace_counts(words, trace).errors == Levenshtein.distance(ref, hyp)
    in_ref, in_hyp = trace.ref_index, trace.hyp_index
    assert in_ref[in_ref >= 0].tolist() == list(range(len(ref)))
    assert in_hyp[in_hyp >= 0].tolist() == list(range(len(hyp)))


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


def test_a_stretch_too_large_to_refine_is_still_a_trace() -> None:
    ref = [f"r{n}" for n in range(90)]
    hyp = [f"h{n}" for n in range(80)]
    words = WordPair.of(ref, hyp)
    counts = trace_counts(words, word_trace(words))
    assert (counts.substitutions, counts.deletions, counts.insertions) == (80, 10, 0)


def test_fewer_characters_are_edited_on_real_pages(iamdb: Path) -> None:
    refined = plain = 0
    for page in hv.pair_path(iamdb).pages[:60]:
        scored = hv.score_page(page.reference, page.hypotheses["hyp"])
        ref, hyp = scored.reference.words, scored.hypothesis.words
        refined += edited_characters(scored.trace)
        for op in Levenshtein.opcodes(ref, hyp):
            if op.tag == "replace":
                pairs = zip(
                    ref[op.src_start : op.src_end], hyp[op.dest_start : op.dest_end], strict=True
                )
                plain += sum(Levenshtein.distance(r, h) for r, h in pairs)
            elif op.tag != "equal":
                plain += sum(map(len, ref[op.src_start : op.src_end]))
                plain += sum(map(len, hyp[op.dest_start : op.dest_end]))
    assert refined < 0.9 * plain
