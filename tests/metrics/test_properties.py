"""What holds for every pair of texts, on texts that hypothesis makes up."""

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import htreval_core as hv
from htreval_core.metrics.kinds import View, WordKind, word_kinds
from htreval_core.metrics.order import discordant_pairs
from htreval_core.metrics.values import page_value
from htreval_core.model import EditCounts
from htreval_core.settings import Solver
from tests.oracles_edit import crossings, edit_distance, footrule

Words: TypeAlias = list[str]
Gamma: TypeAlias = int | str | Fraction
Test: TypeAlias = Callable[..., None]


def holds_for(*strategies: st.SearchStrategy[Any]) -> Callable[[Test], Test]:
    """A property that is tried on some hundred examples; slow machines get their time."""
    return lambda test: settings(max_examples=250, deadline=None)(given(*strategies)(test))


# Few words, so that many repeat; some are near each other, so that the matching has to choose.
WORDS = st.lists(
    st.sampled_from(["a", "b", "ab", "abc", "abd", "cart", "carts", "Straße", "né", "𝔘nd,", "."]),
    max_size=12,
)
PERMUTED = WORDS.flatmap(lambda words: st.tuples(st.just(words), st.permutations(words)))
GAMMAS = st.sampled_from([0, "0.0001", "0.1", 1, Fraction(4, 3), 5, 100])


def scored(ref: Words, hyp: Words, gamma: Gamma = 1) -> hv.ScoredPage:
    return hv.score_page(" ".join(ref), " ".join(hyp), hv.Settings(gamma=gamma))


def exact_pairs(alignment: hv.Alignment) -> int:
    return sum(one == other for one, other in alignment.rows)


def pair_list(alignment: hv.Alignment) -> list[tuple[int, int]]:
    ref, hyp = alignment.pairs
    return list(zip(ref.tolist(), hyp.tolist(), strict=True))


# --- the identities of the metrics


@holds_for(WORDS, WORDS, GAMMAS)
def test_hungarian_errors_are_the_longer_side_less_the_exact_pairs(
    ref: Words, hyp: Words, gamma: Gamma
) -> None:
    """hWER's own formula: every pair of the matching, less the pairs that dummies could form."""
    page = scored(ref, hyp, gamma)
    counts = page.matching.counts()
    unmatched = counts.deletions + counts.insertions
    by_definition = counts.errors - (unmatched - abs(len(ref) - len(hyp))) // 2
    assert page.scores.hwer_errors == by_definition
    assert page.scores.hwer_errors == max(len(ref), len(hyp)) - exact_pairs(page.matching)


@holds_for(WORDS, WORDS)
def test_bag_errors_are_the_longer_side_less_the_common_words(ref: Words, hyp: Words) -> None:
    scores = scored(ref, hyp).scores
    missing, extra = Counter(ref) - Counter(hyp), Counter(hyp) - Counter(ref)
    common = (Counter(ref) & Counter(hyp)).total()
    assert scores.bwer.errors == max(len(ref), len(hyp)) - common
    assert scores.beta_wer_errors == missing.total() + extra.total()
    assert 2 * scores.bwer.errors == abs(len(ref) - len(hyp)) + scores.beta_wer_errors
    assert scores.bwer.hits == common
    assert min(scores.bwer.insertions, scores.bwer.deletions) == 0


@holds_for(PERMUTED, st.sampled_from([0, "0.1", "0.5", 1]))
def test_a_permuted_page_has_no_misread_word(sides: tuple[Words, Words], gamma: Gamma) -> None:
    ref, hyp = sides
    scores = scored(ref, hyp, gamma).scores
    assert scores.hwer_errors == scores.bwer.errors == scores.hcer_errors == 0


@holds_for(WORDS, WORDS)
def test_without_a_price_on_distance_the_matching_finds_the_bag(ref: Words, hyp: Words) -> None:
    scores = scored(ref, hyp, 0).scores
    assert scores.hwer_errors == scores.bwer.errors


@holds_for(WORDS, WORDS, GAMMAS)
def test_which_error_rate_bounds_which(ref: Words, hyp: Words, gamma: Gamma) -> None:
    scores = scored(ref, hyp, gamma).scores
    assert scores.bwer.errors <= scores.hwer_errors
    assert scores.bwer.errors <= scores.wer.errors
    errors, length = hv.METRICS["delta_wer"].counts(scores)
    assert errors == scores.wer.errors - scores.bwer.errors >= 0
    assert length == len(ref)


@holds_for(WORDS, WORDS, GAMMAS)
def test_swapping_the_sides_mirrors_the_counts(ref: Words, hyp: Words, gamma: Gamma) -> None:
    there, back = scored(ref, hyp, gamma).scores, scored(hyp, ref, gamma).scores
    assert back.wer.errors == there.wer.errors
    assert (back.wer.n_ref, back.wer.n_hyp) == (there.wer.n_hyp, there.wer.n_ref)
    assert back.wer.insertions - back.wer.deletions == there.wer.deletions - there.wer.insertions
    assert back.bwer == EditCounts(
        there.bwer.hits, there.bwer.substitutions, there.bwer.insertions, there.bwer.deletions
    )
    assert back.beta_wer_errors == there.beta_wer_errors
    assert back.cer_errors == there.cer_errors
    assert back.hwer_errors == there.hwer_errors
    assert back.nsfd_length == there.nsfd_length


# --- the counts and alignments of one page


@holds_for(WORDS, WORDS)
def test_the_trace_runs_upward_through_every_word_and_costs_what_wer_counts(
    ref: Words, hyp: Words
) -> None:
    page = scored(ref, hyp)
    in_ref = page.trace.ref_index[page.trace.ref_index >= 0]
    in_hyp = page.trace.hyp_index[page.trace.hyp_index >= 0]
    assert in_ref.tolist() == list(range(len(ref)))
    assert in_hyp.tolist() == list(range(len(hyp)))
    assert not ((page.trace.ref_index < 0) & (page.trace.hyp_index < 0)).any()
    assert page.trace.counts() == page.scores.wer


@holds_for(WORDS, WORDS, GAMMAS, st.sampled_from(["exact", "authors"]))
def test_the_matching_covers_every_word_once(
    ref: Words, hyp: Words, gamma: Gamma, solver: Solver
) -> None:
    page = hv.score_page(" ".join(ref), " ".join(hyp), hv.Settings(gamma=gamma, solver=solver))
    matching = page.matching
    assert sorted(j for j in matching.ref_index.tolist() if j >= 0) == list(range(len(ref)))
    assert sorted(k for k in matching.hyp_index.tolist() if k >= 0) == list(range(len(hyp)))
    assert not ((matching.ref_index < 0) & (matching.hyp_index < 0)).any()
    assert len(pair_list(matching)) == page.scores.matched_words


@holds_for(WORDS)
def test_a_page_against_itself_is_faultless(words: Words) -> None:
    scores = scored(words, words).scores
    assert scores.nsfd_errors == scores.wer.errors == scores.cer_errors == scores.hcer_errors == 0
    assert scores.kendall_tau_errors == 0


@holds_for(st.integers(2, 30))
def test_a_reversed_page_is_as_far_out_of_order_as_can_be(n_words: int) -> None:
    words = [f"word{number:03d}" for number in range(n_words)]
    scores = scored(words, words[::-1]).scores
    assert page_value(scores, "kendall_tau") == -1
    assert scores.nsfd_errors == scores.nsfd_length


# --- against obvious twins


@holds_for(WORDS, WORDS)
def test_word_and_character_errors_equal_the_textbook_table(ref: Words, hyp: Words) -> None:
    scores = scored(ref, hyp).scores
    assert scores.wer.errors == edit_distance(ref, hyp)
    assert scores.cer_errors == edit_distance(" ".join(ref), " ".join(hyp))
    assert scores.n_ref_chars == len(" ".join(ref))


@holds_for(WORDS, WORDS, GAMMAS)
def test_character_errors_after_reordering_equal_the_textbook_table(
    ref: Words, hyp: Words, gamma: Gamma
) -> None:
    page = scored(ref, hyp, gamma)
    mate = dict(pair_list(page.matching))
    in_order = [mate[j] for j in range(len(ref)) if j in mate]
    left_over = [k for k in range(len(hyp)) if k not in mate.values()]
    at_end = " ".join(hyp[k] for k in [*in_order, *left_over])
    assert page.scores.hcer_errors == edit_distance(" ".join(ref), at_end)


@holds_for(st.lists(WORDS, max_size=4), st.lists(WORDS, max_size=4))
def test_line_errors_add_up_over_lines(ref_lines: list[Words], hyp_lines: list[Words]) -> None:
    ref, hyp = ("\n".join(map(" ".join, lines)) for lines in (ref_lines, hyp_lines))
    scores = hv.score_page(ref, hyp).scores
    while ref_lines and not ref_lines[-1]:
        ref_lines.pop()
    while hyp_lines and not hyp_lines[-1]:
        hyp_lines.pop()
    if len(ref_lines) != len(hyp_lines):
        assert scores.line_wer_errors is None
    else:
        assert scores.line_wer_errors == sum(map(edit_distance, ref_lines, hyp_lines))
        assert scores.line_wer_errors >= scores.wer.errors


@st.composite
def alignments(draw: st.DrawFn) -> hv.Alignment:
    """Any matching of up to eight words a side, as an alignment in no special order."""
    n_ref, n_hyp = draw(st.integers(0, 8)), draw(st.integers(0, 8))
    n_pairs = draw(st.integers(0, min(n_ref, n_hyp)))
    refs = draw(st.permutations(range(n_ref)))[:n_pairs]
    hyps = draw(st.permutations(range(n_hyp)))[:n_pairs]
    rows = list(zip(refs, hyps, strict=True))
    rows += [(j, -1) for j in range(n_ref) if j not in refs]
    rows += [(-1, k) for k in range(n_hyp) if k not in hyps]
    rows = draw(st.permutations(rows))
    columns = np.array(rows, dtype=np.int64).reshape(-1, 2)
    ref_words = tuple(f"r{j}" for j in range(n_ref))
    hyp_words = tuple(f"h{k}" for k in range(n_hyp))
    return hv.Alignment(columns[:, 0], columns[:, 1], ref_words, hyp_words)


@holds_for(alignments())
def test_order_figures_of_any_alignment_equal_their_definitions_from_either_side(
    alignment: hv.Alignment,
) -> None:
    pairs = pair_list(alignment)
    assert hv.footrule(alignment) == footrule(
        pairs, len(alignment.ref_words), len(alignment.hyp_words)
    )
    assert discordant_pairs(alignment) == crossings(pairs)
    # Order figures are the same from either side.
    mirrored = hv.Alignment(
        alignment.hyp_index, alignment.ref_index, alignment.hyp_words, alignment.ref_words
    )
    assert hv.footrule(mirrored) == hv.footrule(alignment)
    assert discordant_pairs(mirrored) == discordant_pairs(alignment)


# --- what happened to each word

REF_KINDS = {WordKind.CORRECT, WordKind.SUBSTITUTED, WordKind.DELETED, WordKind.MOVED}
HYP_KINDS = {WordKind.CORRECT, WordKind.SUBSTITUTED, WordKind.INSERTED, WordKind.MOVED}


@holds_for(WORDS, WORDS, GAMMAS, st.sampled_from(["trace", "matching"]))
def test_every_word_has_one_kind(ref: Words, hyp: Words, gamma: Gamma, view: View) -> None:
    page = scored(ref, hyp, gamma)
    kinds = word_kinds(page, view)
    assert kinds.ref.shape == kinds.ref_mate.shape == (len(ref),)
    assert kinds.hyp.shape == kinds.hyp_mate.shape == (len(hyp),)
    assert set(kinds.ref.tolist()) <= REF_KINDS
    assert set(kinds.hyp.tolist()) <= HYP_KINDS
    for kind in (kinds.ref, kinds.hyp):
        if view == "trace":
            assert int((kind == WordKind.CORRECT).sum()) == page.scores.wer.hits
        else:
            # What hWER counts: every word but those matched with an equal one.
            right = int(((kind == WordKind.CORRECT) | (kind == WordKind.MOVED)).sum())
            assert right == max(len(ref), len(hyp)) - page.scores.hwer_errors
    assert ((kinds.ref_mate < 0) == (kinds.ref == WordKind.DELETED)).all()
    assert ((kinds.hyp_mate < 0) == (kinds.hyp == WordKind.INSERTED)).all()
    for j, k in enumerate(kinds.ref_mate.tolist()):
        assert k < 0 or (kinds.hyp_mate[k], kinds.hyp[k]) == (j, kinds.ref[j])
    assert (kinds.ref_mate >= 0).sum() == (kinds.hyp_mate >= 0).sum()


@holds_for(WORDS, WORDS, GAMMAS)
def test_moved_words_are_right_in_the_matching_and_wrong_in_the_trace(
    ref: Words, hyp: Words, gamma: Gamma
) -> None:
    page = scored(ref, hyp, gamma)
    kinds = word_kinds(page, "trace")
    exact = {(j, k) for j, k in pair_list(page.matching) if ref[j] == hyp[k]}
    in_place = {(j, k) for j, k in pair_list(page.trace) if ref[j] == hyp[k]}
    moved = np.flatnonzero(kinds.ref == WordKind.MOVED).tolist()
    pairs = {(j, int(kinds.ref_mate[j])) for j in moved}
    assert pairs <= exact
    assert not {j for j, _ in pairs} & {j for j, _ in in_place}
    assert not {k for _, k in pairs} & {k for _, k in in_place}
    # None is kept back: what is exact and not moved is taken by a word that is right.
    taken = {j for j, _ in in_place}, {k for _, k in in_place}
    assert all(j in taken[0] or k in taken[1] for j, k in exact - pairs)


@holds_for(WORDS, WORDS, GAMMAS)
def test_the_view_of_the_matching_shows_the_matching_and_nothing_else(
    ref: Words, hyp: Words, gamma: Gamma
) -> None:
    page = scored(ref, hyp, gamma)
    kinds = word_kinds(page, "matching")
    shown = {(j, k) for j, k in enumerate(kinds.ref_mate.tolist()) if k >= 0}
    assert shown == set(pair_list(page.matching))
    in_place = set(pair_list(page.trace))
    for j, k in shown:
        equal = ref[j] == hyp[k]
        expected = WordKind.CORRECT if (j, k) in in_place else WordKind.MOVED
        assert kinds.ref[j] == (expected if equal else WordKind.SUBSTITUTED)
