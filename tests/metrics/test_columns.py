"""Scores as columns say what scores one by one say."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import htreval_core as hv
from htreval_core.metrics import columns
from htreval_core.metrics.catalog import METRICS
from htreval_core.metrics.columns import ScoreTable
from htreval_core.metrics.values import count_tables, page_value, page_values
from htreval_core.model import Parts
from htreval_core.scoring import resampling
from htreval_core.scoring.resampling import in_groups
from tests.tools import pooled

texts = st.lists(st.sampled_from(["a", "b", "cc", "\n"]), max_size=8).map(" ".join)


@given(st.lists(st.tuples(texts, texts), min_size=1, max_size=6))
def test_columns_hold_the_scores_and_their_values(pairs: list[tuple[str, str]]) -> None:
    pages = [hv.Page.from_text(str(n), ref, {"s": hyp}) for n, (ref, hyp) in enumerate(pairs)]
    scores = hv.score(pages, hv.Settings(resamples=10)).scores["s"]
    table = ScoreTable.of(scores)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(columns, "_ROWS_AT_ONCE", 2)
        assert list(table) == list(scores)
    assert [table[n] for n in range(len(table))] == list(scores)
    assert list(table[::-1]) == list(scores)[::-1]
    errors, lengths = count_tables(scores)
    for column, name in enumerate(METRICS):
        one_by_one = [page_value(page, name) for page in scores]
        np.testing.assert_array_equal(page_values(table, name), one_by_one)
        adds = [pooled(name, page) or (math.nan, math.nan) for page in scores]
        np.testing.assert_array_equal(errors[:, column], [e for e, _ in adds])
        np.testing.assert_array_equal(lengths[:, column], [n for _, n in adds])


def test_many_pages_are_resampled_in_groups_that_lose_nothing() -> None:
    sums = np.random.default_rng(3).poisson(20, (resampling.MANY + 7, 2)).astype(float)
    grouped = in_groups(sums, seed=0)
    assert len(grouped) < len(sums)
    np.testing.assert_allclose(grouped.sum(axis=0), sums.sum(axis=0))
    few = sums[: resampling.MANY]
    assert in_groups(few, seed=0) is few


def test_the_interval_of_many_pages_is_that_of_a_mean(monkeypatch: pytest.MonkeyPatch) -> None:
    """Against theory: of independent pages the half width is 1.96 standard errors of the rate."""
    rng = np.random.default_rng(5)
    n = resampling.MANY + 1000
    errors = np.zeros((n, len(METRICS)))
    lengths = np.full_like(errors, 120.0)
    errors[:, 0] = rng.binomial(120, rng.beta(2, 8, n))
    low, high = resampling.bootstrap_intervals(errors, lengths, resamples=4000, seed=0)
    expected = 2 * 1.96 * errors[:, 0].std() / math.sqrt(n) / 120
    assert high[0] - low[0] == pytest.approx(expected, rel=0.08)


PARTS = {"1": Parts(misread=1, order=2, coincidence=3, doubt=4, convention=5), "2": Parts(order=1)}


def table_of(*page_ids: str) -> ScoreTable:
    pages = [hv.Page.from_text(page_id, "a b c", {"s": "a c b"}) for page_id in page_ids]
    return ScoreTable.of(hv.score(pages, hv.Settings(resamples=10)).scores["s"])


def test_what_diagnoses_found_is_added_up_where_every_page_has_it() -> None:
    table = table_of("1", "2")
    assert table.parts is None
    assert table.with_parts({"1": PARTS["1"]}).parts is None
    found = table.with_parts(PARTS).parts
    assert found is not None
    # What is misread is bWER's own: nothing, here.
    assert (found.misread, found.order, found.coincidence, found.doubt) == (0, 3, 3, 4)
    assert found.convention == 5
    assert table.take(slice(0, 0)).parts is None
