"""Pages to check and what they show: against scipy, brute force, and what they promise."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import hypergeom

import htreval_core as hv
from htreval_core.audits.sampling import bound, draw, sample_size
from tests.conftest import ROOT

PAGES = [f"p{number:03}" for number in range(200)]


def test_the_table_of_the_document_is_what_is_computed() -> None:
    text = (ROOT / "docs" / "audit.md").read_text(encoding="utf-8")
    (row,) = re.findall(r"^\| pages to check \|(.+)\|$", text, re.MULTILINE)
    sizes = [sample_size(0.05, 0.95, n) for n in (100, 200, 1_000, 10_000, 100_000)]
    assert [int(cell) for cell in row.split("|")] == sizes


@pytest.mark.parametrize("n_pages", [1, 2, 9, 40])
@pytest.mark.parametrize(("at_most", "confidence"), [(0.05, 0.95), (0.2, 0.8), (0.5, 0.99)])
def test_the_size_is_the_first_that_scipy_allows(
    at_most: float, confidence: float, n_pages: int
) -> None:
    wrong = int(at_most * n_pages) + 1
    chances = (hypergeom.pmf(0, n_pages, wrong, n) for n in range(1, n_pages + 1))
    first = next(n for n, chance in enumerate(chances, 1) if chance <= 1 - confidence + 1e-12)
    assert sample_size(at_most, confidence, n_pages) == first


@pytest.mark.parametrize("n_pages", [1, 2, 9, 40])
def test_the_bound_is_found_by_trying(n_pages: int) -> None:
    for n in range(1, n_pages + 1):
        for bad in range(n + 1):
            possible = range(bad, n_pages - (n - bad) + 1)
            most = max(
                all_bad for all_bad in possible
                if hypergeom.cdf(bad, n_pages, all_bad, n) > 0.1 + 1e-12
            )  # fmt: skip
            assert bound(n, bad, 0.9, n_pages) == most / n_pages


@given(st.integers(1, 80), st.data())
def test_bounds_rise_with_bad_pages_and_confidence_and_fall_with_pages(
    n: int, data: st.DataObject
) -> None:
    bad = data.draw(st.integers(0, n))
    n_pages = data.draw(st.integers(n + 1, 300))
    here = bound(n, bad, 0.9, n_pages)
    assert bad / n_pages <= here <= 1
    assert bound(n, bad, 0.95, n_pages) >= here
    assert bound(n + 1, bad, 0.9, n_pages) <= here
    assert bound(n_pages, bad, 0.99, n_pages) == bad / n_pages
    if bad < n:
        assert bound(n, bad + 1, 0.9, n_pages) >= here


def test_a_share_of_an_archive_is_counted_in_whole_pages() -> None:
    # 0.29 · 100 is a little less than 29 in floats: 30 pages are too many, 29 are not.
    assert sample_size(0.29, 1 - hypergeom.pmf(0, 100, 30, 7), 100) == 7


def test_a_sample_is_drawn_by_lots_that_anybody_can_draw() -> None:
    lots = sorted(PAGES, key=lambda one: hashlib.sha256(f"7\n{one}".encode()).hexdigest())
    assert draw(PAGES, 12, 7) == draw(reversed(PAGES), 12, 7) == tuple(lots[:12])
    assert draw(PAGES, 12, 8) != draw(PAGES, 12, 7)
    times = dict.fromkeys(PAGES, 0)
    for seed in range(2000):
        for one in draw(PAGES, 20, seed):
            times[one] += 1
    # 2,000 draws at 1/10: four deviations are 54.
    assert all(abs(count - 200) < 56 for count in times.values())
    assert np.var(list(times.values())) == pytest.approx(180, rel=0.4)


def test_claims_hold_as_often_as_they_say() -> None:
    # 11 of 200 pages are bad, more than 5 %: a claim that holds is wrong.
    bad = {one for number, one in enumerate(PAGES) if number % 19 == 0}
    n = sample_size(0.05, 0.9, 200)
    found = [len(bad.intersection(draw(PAGES, n, seed))) for seed in range(2000)]
    wrong = np.mean([bound(n, n_bad, 0.9, 200) <= 0.05 for n_bad in found])
    assert len(bad) == 11
    assert wrong == pytest.approx(hypergeom.pmf(0, 200, 11, n), abs=0.02)


@pytest.mark.parametrize(
    "made",
    [
        lambda: sample_size(0.0, 0.95, 10),
        lambda: sample_size(1.0, 0.95, 10),
        lambda: sample_size(0.05, 1.0, 10),
        lambda: bound(0, 0, 0.95, 10),
        lambda: bound(5, 6, 0.95, 10),
        lambda: bound(5, -1, 0.95, 10),
        lambda: bound(5, 0, 0.95, 4),
    ],
)
def test_numbers_that_make_no_sense_are_refused(made: Callable[[], object]) -> None:
    with pytest.raises(hv.ConfigError, match="give"):
        made()
