"""The worked examples of Vidal et al. 2023 and the corner cases, to the digit."""

import math
from pathlib import Path

import numpy as np
import pytest

import htreval_core as hv
from htreval_core.metrics.catalog import rate
from htreval_core.metrics.values import page_value
from tests.conftest import SAMPLES

EX1 = "To be or not to be, that is the question"
EX3 = "to be or not to be that is the question that needs be answered"
EX3_Y = "the question that needs be answered is to be or not to be"
EX3_Z = "to be or not to be, that is the question to be answered"
EX3A = "to be or not to be, that is the question"
ACROSS = (
    "Two columns of a page that are printed side by side",
    "columns are Two printed of side a by page side that",
)

#       reference, hypothesis, WER, bWER, hWER, NSFD sum/length
WORKED = {
    "Example 1": (EX1, "to be oh! or not to be: the question", (5, 10), 4, 4, None),
    "Example 2, found": (EX1, "The big question: to be or not to be", None, None, 6, (37, 50)),
    "Example 3 Y": (EX3, EX3_Y, (12, 14), 1, 1, (71, 98)),
    "Example 3 Z": (EX3, EX3_Z, (3, 14), 3, 3, (1, 98)),
    "Example 3a": (EX3A, "to be, to not or be the is that question", (6, 10), 0, 0, None),
}


@pytest.mark.parametrize("case", WORKED)
def test_worked_examples(case: str) -> None:
    reference, hypothesis, wer, bwer, hwer, nsfd = WORKED[case]
    scores = hv.score_page(reference, hypothesis).scores
    if wer:
        assert (scores.wer.errors, scores.n_ref_words) == wer
        assert scores.bwer.errors == bwer
    assert scores.hwer_errors == hwer
    if nsfd:
        assert (scores.nsfd_errors, scores.nsfd_length) == nsfd


def test_kinds_of_errors_of_the_examples() -> None:
    wer = hv.score_page(EX1, WORKED["Example 1"][1]).scores.wer
    assert (wer.insertions, wer.substitutions, wer.deletions) == (1, 2, 2)
    # βWER counts no substitutions; example 4 counts characters after reordering.
    y, z = (hv.score_page(EX3, other).scores for other in (EX3_Y, EX3_Z))
    assert (y.beta_wer_errors, z.beta_wer_errors) == (1, 5)
    assert (y.hcer_errors, y.n_ref_chars) == (5, 62)
    assert (z.hcer_errors, z.n_ref_chars) == (10, 62)


def _given(reference: str, hypothesis: str, pairs: list[tuple[int, int]]) -> hv.Alignment:
    """An alignment as the paper prints it: positions from 1, 0 for the empty word."""
    ref, hyp = np.array(pairs).T - 1
    return hv.Alignment(ref, hyp, tuple(reference.split()), tuple(hypothesis.split()))


def test_nsfd_of_the_alignments_that_the_examples_give() -> None:
    """13/98 after renumbering; the paper prints the sum before it, 15, beside the same 13.3 %."""
    pairs = [(1, 4), (2, 5), (3, 6), (4, 7), (5, 8), (6, 9), (7, 0), (8, 0), (9, 1), (10, 3)]
    given = _given(EX1, "The big question: to be or not to be", [*pairs, (0, 2)])
    assert hv.footrule(given) == (27, 50)
    pairs = [(j, j) for j in (1, 2, 3, 4, 5, 7, 8, 9, 10, 11)]
    pairs += [(6, 12), (12, 0), (13, 6), (14, 13)]
    assert hv.footrule(_given(EX3, EX3_Z, pairs)) == (13, 98)


#  reference, hypothesis, γ: what is expected as name=(errors, length)
CORNERS = [
    ("a b c", "", 1, {"wer": (3, 3), "nsfd": (3, 4), "bwer": (3, 3), "hwer": (3, 3)}),
    ("a", "a b", 1, {"wer": (1, 1), "nsfd": (1, 2)}),
    ("a", "x y z", 1, {"wer": (3, 1), "nsfd": (2, 4)}),
    ("abcdef", "z", 1, {"hwer": (1, 1), "nsfd": (2, 1)}),
    ("a b c", "c b a", 1, {"wer": (2, 3), "hwer": (0, 3), "nsfd": (4, 4)}),
    ("aa bb cc dd", "dd cc bb aa", 1, {"wer": (4, 4), "hwer": (0, 4), "nsfd": (8, 8)}),
    ("ab cd", "cd ab ef", 1, {"hwer": (1, 2), "nsfd": (3, 4)}),
    ("a x a", "q a q", 0, {"hwer": (2, 3), "nsfd": (2, 4)}),
    # Pages of up to 4γ words: a pair that saves nothing is paired, one word more and it does not.
    ("a so it is", "bc so it is", 1, {"hwer": (1, 4), "nsfd": (0, 8)}),
    ("a so it is now", "bc so it is now", 1, {"hwer": (1, 5), "nsfd": (2, 12)}),
    ("", "", 1, {"wer": (0, 0), "cer": (0, 0), "bwer": (0, 0), "nsfd": (0, 1)}),
    ("", "x y", 1, {"wer": (2, 0), "bwer": (2, 0), "hwer": (2, 0)}),
    ("a b", "a x b y z w q", 1, {"wer": (5, 2), "bwer": (5, 2)}),
]


@pytest.mark.parametrize(("reference", "hypothesis", "gamma", "expected"), CORNERS)
def test_corner_cases(
    reference: str, hypothesis: str, gamma: float, expected: dict[str, tuple[int, int]]
) -> None:
    scores = hv.score_page(reference, hypothesis, hv.Settings(gamma=gamma)).scores
    for name, counts in expected.items():
        assert hv.METRICS[name].counts(scores) == counts, name


def test_pages_without_words_on_a_side() -> None:
    # Both empty is zero and empty reference is undefined.
    both = hv.score_page("", "").scores
    assert page_value(both, "wer") == 0.0
    assert page_value(both, "nsfd") == 0.0
    assert not both.flags
    only_hypothesis = hv.score_page("", "x y").scores
    for name in ("wer", "cer", "bwer", "hwer", "hcer", "delta_wer", "nsfd"):
        if name != "delta_wer":
            assert math.isnan(page_value(only_hypothesis, name)), name
    assert "empty reference" in only_hypothesis.flags[0]
    assert only_hypothesis.wer.insertions == 2
    # Empty hypothesis deletes everything.
    scores = hv.score_page("one two three four", "").scores
    assert page_value(scores, "wer") == page_value(scores, "bwer") == 1.0
    assert scores.nsfd_errors == 4
    assert scores.flags
    # Rates above one are not clamped.
    assert page_value(hv.score_page("a", "x y z").scores, "wer") == 3.0
    # Rate.
    assert rate(0, 0) == 0.0
    assert math.isnan(rate(2, 0))
    assert rate(3, 2) == 1.5


def test_what_separates_words_and_what_normalisation_does() -> None:
    for space in ("\u00a0", "\u2009", "\u202f", "\u3000", "\u2028", "\u0085", "\x0b", "\x0c",
                  "\r\n"):  # fmt: skip
        assert hv.score_page("a b", f"a{space}b").scores.wer.errors == 0, repr(space)
    assert hv.score_page("a b", "a\u200bb").scores.wer.errors == 2
    assert hv.score_page("\u00e9t\u00e9", "e\u0301te\u0301").scores.cer_errors == 0
    assert hv.score_page("\ufb01n", "fin").scores.wer.errors == 1
    nfkc = hv.Settings(policy=hv.TextPolicy(form="NFKC"))
    assert hv.score_page("\ufb01n", "fin", nfkc).scores.wer.errors == 0
    policy = hv.TextPolicy(characters="grapheme")
    scores = hv.score_page("x\u0323\u0307y", "zy", hv.Settings(policy=policy)).scores
    assert (scores.cer_errors, scores.n_ref_chars) == (1, 2)


SEITE0418 = {"RPN+CRNN": (29, 22, 22), "SPAN": (23, 22, 22)}


@pytest.mark.parametrize("system", SEITE0418)
def test_seite0418(system: str) -> None:
    (page,) = hv.pair_path(SAMPLES / "seite0418").pages
    scores = hv.score_page(page.reference, page.hypotheses[system]).scores
    assert scores.n_ref_words == 70
    assert (scores.wer.errors, scores.bwer.errors, scores.hwer_errors) == SEITE0418[system]


def test_two_columns_read_across_is_pure_reading_order() -> None:
    scores = hv.score_page(*ACROSS).scores
    assert scores.bwer.errors == scores.hwer_errors == 0
    assert scores.wer.errors > 0
    assert hv.METRICS["delta_wer"].counts(scores) == (scores.wer.errors, 11)


def test_iam_read_by_span(iamdb: Path) -> None:
    """The row IAMDB / SPAN of the paper's results, and the values of the tie rule."""
    (corpus,) = hv.score(hv.pair_path(iamdb).pages).corpora.values()
    estimates = corpus.estimates
    counts = {
        name: (estimates[name].errors, estimates[name].length)
        for name in ("wer", "cer", "bwer", "hwer", "hcer")
    }
    assert counts == {
        "wer": (6248, 23406), "cer": (9454, 125669), "bwer": (6071, 23406), "hwer": (6076, 23406),
        "hcer": (10451, 125669),
    }  # fmt: skip
    assert estimates["nsfd"].value == pytest.approx(0.004714, abs=1e-6)
    bwer = corpus.bwer
    assert (bwer.substitutions, bwer.insertions, bwer.deletions, bwer.hits) == (
        5534, 133, 404, 17468,
    )  # fmt: skip
    # ±0.57 points assume independent words; resampled pages say about three times that.
    assert estimates["wer"].binomial == pytest.approx(0.0057, abs=5e-5)
    half_width = (estimates["wer"].high - estimates["wer"].low) / 2
    assert 0.0145 < half_width < 0.0165


def test_the_authors_preset_repeats_their_program(iamdb: Path) -> None:
    study = hv.score(hv.pair_path(iamdb).pages, hv.PRESETS["authors"].settings)
    (corpus,) = study.corpora.values()
    assert corpus.estimates["hwer"].errors == 6076
    assert corpus.estimates["hcer"].errors == 10444
    assert corpus.estimates["nsfd"].value == pytest.approx(0.005057, abs=1e-6)


def test_the_authors_preset_matches_single_words_as_the_exact_solver_does() -> None:
    """4 letters against half of 5 and 2γ: one may stand for the other from γ = 0.75 on."""
    for gamma, matched in (("0.74", 0), ("0.76", 1)):
        for solver in ("authors", "exact"):
            settings = hv.Settings(gamma=gamma, solver=solver)
            assert hv.score_page("abcd", "x", settings).scores.matched_words == matched
            assert hv.score_page("", "", settings).scores.matched_words == 0
            assert hv.score_page("", "x", settings).scores.hwer_errors == 1
