"""Figures beside the paper's: bounded rates."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import htreval_core as hv
from htreval_core.metrics.catalog import METRICS
from htreval_core.metrics.values import page_value
from tests.conftest import shared
from tests.tools import cases


def scores(reference: str, hypothesis: str, **settings: object) -> hv.PageScores:
    return hv.score_page(reference, hypothesis, hv.Settings(**settings)).scores


def counts(name: str, reference: str, hypothesis: str) -> tuple[float, float] | None:
    return METRICS[name].counts(scores(reference, hypothesis))


@pytest.mark.parametrize(("name", "reference", "hypothesis", "expected"), cases("figures_by_hand"))
def test_by_hand(name: str, reference: str, hypothesis: str, expected: list[int]) -> None:
    assert counts(name, reference, hypothesis) == tuple(expected)


words = st.lists(st.sampled_from(["a", "bb", "cab", "dad", "\n"]), max_size=14).map(" ".join)


@given(words, words)
def test_properties(reference: str, hypothesis: str) -> None:
    one = scores(reference, hypothesis)
    values = {name: page_value(one, name) for name in METRICS}
    for name in ("wmer", "cmer"):
        assert 0 <= values[name] <= 1
    assert one.cer_hits is not None
    # H + S + D is the reference, H + S + I the output: what is left has to add up.
    kept_or_replaced = one.n_ref_chars + one.n_hyp_chars - (one.cer_hits + one.cer_errors)
    assert one.cer_hits <= kept_or_replaced <= min(one.n_ref_chars, one.n_hyp_chars)
    if one.n_ref_words:
        assert values["wmer"] <= values["wer"] + 1e-12
        assert values["cmer"] <= values["cer"] + 1e-12


# --- published and golden values


@pytest.fixture(scope="module")
def of_iam() -> hv.Study:
    return hv.score(hv.pair_path(shared("iamdb")))


def test_counts_of_iam_are_golden_and_jiwers(of_iam: hv.Study) -> None:
    # Golden values of iam.
    # DL and DR are printed by the program of the paper.
    (corpus,) = of_iam.corpora.values()
    assert f"{corpus.delta_l:.2f} {corpus.delta_r:.2f}" == "43.83 4.65"
    # The trace as found is jiwers.
    found = hv.score(of_iam.dataset, hv.Settings(trace="as-found"))
    (corpus,) = found.corpora.values()
    edits = corpus.wer
    assert (edits.substitutions, edits.deletions, edits.insertions) == (5459, 530, 259)
    (refined,) = of_iam.corpora.values()
    assert refined.wer.errors == edits.errors
    assert found.settings.signature() != of_iam.settings.signature()
    # Hits of characters are jiwers.
    jiwer = pytest.importorskip("jiwer")
    (system,) = of_iam.systems
    for one in list(of_iam.scores[system])[:40]:
        page = of_iam.page(one.page_id)
        sides = [" ".join(s.text.split()) for s in (page.reference, page.hypotheses[system])]
        assert one.cer_hits == jiwer.process_characters(*sides).hits
