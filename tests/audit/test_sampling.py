"""Pages to check and claims from them: against scipy, brute force, and what they promise."""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta, binom, hypergeom

import htreval_core as hv
from htreval_core.audit.claims import (
    Certificate,
    bound,
    certify,
    claim,
    read_certificate,
    sample_size,
    sign,
    verify,
)
from htreval_core.audit.sampling import Stratum, ToCheck, _parts, pages_to_check
from tests.conftest import ROOT

RISK = {f"p{at:03}": float(at % 37) for at in range(200)}
HANDS = {one: "abc"[at % 10 // 4] for at, one in enumerate(RISK)}  # 80, 80 and 40 pages
WHAT = "bWER above 20 %"


@pytest.mark.parametrize(
    ("limit", "confidence", "bad", "n"),
    [
        (0.05, 0.95, 0, 59), (0.05, 0.95, 1, 93), (0.05, 0.95, 2, 124), (0.01, 0.95, 0, 299),
        (0.1, 0.95, 0, 29), (0.05, 0.9, 0, 45), (0.05, 0.99, 0, 90), (0.2, 0.8, 0, 8),
    ],
)  # fmt: skip
def test_how_many_pages_a_claim_takes(limit: float, confidence: float, bad: int, n: int) -> None:
    assert sample_size(limit, confidence, bad) == n
    assert bound(n, bad, confidence) <= limit < bound(n - 1, bad, confidence)


def test_the_table_of_the_document_is_what_is_computed() -> None:
    text = (ROOT / "docs" / "audit.md").read_text("utf-8")
    rows = re.findall(r"^\| pages, of ([^|]+) \|([^\n]+)\|$", text, re.MULTILINE)
    assert [name for name, _ in rows] == ["very many", "1,000", "200"]
    for name, cells in rows:
        n_pages = None if name == "very many" else int(name.replace(",", ""))
        sizes = [sample_size(0.05, 0.95, bad, n_pages) for bad in range(4)]
        assert [int(cell) for cell in cells.split("|")] == sizes


@given(st.sampled_from([0.01, 0.05, 0.1, 0.3]), st.sampled_from([0.8, 0.9, 0.95]),
       st.integers(0, 4))  # fmt: skip
def test_the_size_is_the_first_that_scipy_allows(limit: float, conf: float, bad: int) -> None:
    n = sample_size(limit, conf, bad)
    assert binom.cdf(bad, n, limit) <= 1 - conf < binom.cdf(bad, n - 1, limit)


@pytest.mark.parametrize("n_pages", [1, 7, 20, 60, 137])
@pytest.mark.parametrize("limit", [0.05, 0.1, 0.29])
@pytest.mark.parametrize("bad", [0, 2])
def test_the_size_for_a_known_archive_is_found_by_trying(
    n_pages: int, limit: float, bad: int
) -> None:
    wrong = math.floor(Fraction(str(limit)) * n_pages) + 1
    if bad >= wrong:
        with pytest.raises(hv.ConfigError, match="expect fewer, or raise the limit"):
            sample_size(limit, 0.9, bad, n_pages)
        return
    sizes = range(bad + 1, n_pages + 1)
    tried = next(n for n in sizes if hypergeom.cdf(bad, n_pages, wrong, n) <= 0.1 + 1e-12)
    assert sample_size(limit, 0.9, bad, n_pages) == tried
    assert bound(tried, bad, 0.9, n_pages) <= limit


@pytest.mark.parametrize("n", [1, 5, 59, 300])
@pytest.mark.parametrize("confidence", [0.5, 0.9, 0.95])
def test_the_bound_is_that_of_clopper_and_pearson(n: int, confidence: float) -> None:
    for bad in sorted({0, n // 3, n - 1}):
        assert bound(n, bad, confidence) == pytest.approx(beta.ppf(confidence, bad + 1, n - bad))
    assert bound(n, n, confidence) == 1


@pytest.mark.parametrize("n_pages", [1, 2, 9, 40])
def test_the_bound_for_a_known_archive_is_found_by_trying(n_pages: int) -> None:
    for n in range(1, n_pages + 1):
        for bad in range(n + 1):
            possible = range(bad, n_pages - (n - bad) + 1)
            most = max(
                all_bad for all_bad in possible
                if hypergeom.cdf(bad, n_pages, all_bad, n) > 0.1 + 1e-12
            )  # fmt: skip
            assert bound(n, bad, 0.9, n_pages) == most / n_pages


def test_a_hypergeometric_bound_is_exact_where_chances_are_fractions() -> None:
    # Of 10 pages 4 are drawn and none is bad; with 3 bad ones this is seen in 35 of 210 samples,
    # with 4 in 15 of 210.
    draws = list(combinations(range(10), 4))
    chance = Fraction(sum(not set(one) & {0, 1, 2} for one in draws), len(draws))
    assert chance == Fraction(35, 210)
    assert bound(4, 0, float(1 - chance) - 0.001, 10) == 0.2
    assert bound(4, 0, float(1 - chance) + 0.001, 10) == 0.3


def test_a_large_archive_is_as_good_as_an_endless_one() -> None:
    assert bound(59, 0, 0.95, 10**7) == pytest.approx(bound(59, 0, 0.95), abs=1e-4)
    assert sample_size(0.05, 0.95, n_pages=10**6) == 59
    assert sample_size(0.05, 0.95, n_pages=200) < 59


@given(st.integers(1, 80), st.data())
def test_bounds_rise_with_bad_pages_and_confidence_and_fall_with_pages(
    n: int, data: st.DataObject
) -> None:
    bad = data.draw(st.integers(0, n))
    archive = data.draw(st.one_of(st.none(), st.integers(n + 1, 300)))
    here = bound(n, bad, 0.9, archive)
    assert bad / (archive or n) <= here <= 1
    assert bound(n, bad, 0.95, archive) >= here
    assert bound(n + 1, bad, 0.9, archive) <= here
    if bad < n:
        assert bound(n, bad + 1, 0.9, archive) >= here
    if archive:
        # Rounding leaves a page between them: shares of an archive are whole pages.
        assert here <= bound(n, bad, 0.9) + 1 / archive


@given(st.sampled_from([0.02, 0.05, 0.1]), st.integers(0, 3))
def test_more_confidence_and_more_bad_pages_take_a_larger_sample(limit: float, bad: int) -> None:
    sizes = [sample_size(limit, confidence, bad) for confidence in (0.8, 0.9, 0.95, 0.99)]
    assert sizes == sorted(set(sizes))
    assert sample_size(limit, 0.9, bad) < sample_size(limit, 0.9, bad + 1)
    assert sample_size(limit, 0.9, bad) > sample_size(2 * limit, 0.9, bad)


def test_checking_all_pages_leaves_no_doubt() -> None:
    assert bound(30, 3, 0.99, 30) == 0.1
    drawn = pages_to_check(RISK, 200, 1, HANDS)
    found = claim(drawn, {one: one < "p010" for one in RISK}, WHAT, 0.05, 0.999)
    assert found.bound == 0.05
    assert found.holds


def test_a_sample_is_drawn_by_lots_that_anybody_can_draw() -> None:
    drawn = pages_to_check(RISK, 12, 7)
    lots = sorted(RISK, key=lambda one: hashlib.sha256(f"7\n{one}".encode()).hexdigest())
    assert drawn.page_ids == tuple(lots[:12])
    assert drawn.strata[0].inclusion == 12 / 200
    assert drawn.n_pages == 200


def test_neither_order_nor_risk_decides_who_is_in_the_sample() -> None:
    turned = {one: -RISK[one] for one in reversed(RISK)}
    one, other = pages_to_check(RISK, 20, 3, HANDS), pages_to_check(turned, 20, 3, HANDS)
    assert one == other
    assert pages_to_check(RISK, 20, 4, HANDS).page_ids != one.page_ids
    assert one.riskiest == ()


def test_every_page_is_drawn_as_often_as_it_should_be() -> None:
    times = dict.fromkeys(RISK, 0)
    for seed in range(2000):
        for one in pages_to_check(RISK, 20, seed, HANDS).page_ids:
            times[one] += 1
    # 2,000 draws at 1/10: four deviations are 54.
    assert all(abs(count - 200) < 56 for count in times.values())
    assert np.var(list(times.values())) == pytest.approx(180, rel=0.4)


def test_the_riskiest_pages_stand_apart_from_the_sample() -> None:
    unknown = {"p999": math.nan} | RISK
    drawn = pages_to_check(unknown, 20, 5, riskiest=4)
    rest = [one for one in RISK if one not in drawn.page_ids]
    assert list(drawn.riskiest) == sorted(rest, key=lambda one: (-RISK[one], one))[:4]
    everything = pages_to_check(unknown, 1, 5, riskiest=500)
    assert len(everything.riskiest) == 200
    assert everything.riskiest[-1] == "p999"


def test_strata_get_pages_in_proportion() -> None:
    drawn = pages_to_check(RISK, 20, 5, HANDS)
    assert [(one.name, one.n_pages, len(one.page_ids)) for one in drawn.strata] == [
        ("a", 80, 8), ("b", 80, 8), ("c", 40, 4),
    ]  # fmt: skip
    assert all(HANDS[one] == stratum.name for stratum in drawn.strata for one in stratum.page_ids)


@given(st.lists(st.integers(1, 50), min_size=1, max_size=8), st.data())
def test_parts_add_up_and_nobody_gives_more_than_it_has(
    sizes: list[int], data: st.DataObject
) -> None:
    n = data.draw(st.integers(len(sizes), sum(sizes)))
    named = {str(at): size for at, size in enumerate(sizes)}
    parts = _parts(named, n)
    assert sum(parts.values()) == n
    assert all(1 <= parts[name] <= size for name, size in named.items())
    fair = {name: n * size / sum(sizes) for name, size in named.items()}
    if min(fair.values()) >= 1:
        assert all(abs(parts[name] - fair[name]) < 1 for name in named)


def falls_short(sizes: list[int], taken: list[int], bad: list[int], confidence: float) -> float:
    """How often the bound of a sample in strata is below the true share, by all that can happen."""
    chances = np.array([1.0])
    for size, n, of in zip(sizes, taken, bad, strict=True):
        chances = np.convolve(chances, hypergeom.pmf(np.arange(n + 1), size, of, n))
    total = sum(sizes)
    strata = tuple(
        Stratum(str(at), size, tuple(f"{at}-{one}" for one in range(n)))
        for at, (size, n) in enumerate(zip(sizes, taken, strict=True))
    )
    drawn = ToCheck(1, strata, (), "")
    short = 0.0
    for n_bad, chance in enumerate(chances.tolist()):
        judged = {one: at < n_bad for at, one in enumerate(drawn.page_ids)}
        found = claim(drawn, judged, WHAT, 0.5, confidence)
        short += chance * (found.bound < sum(bad) / total)
    return short


@given(st.lists(st.tuples(st.integers(2, 30), st.floats(0, 1)), min_size=1, max_size=4),
       st.floats(0.1, 0.9), st.sampled_from([0.5, 0.8, 0.95]))  # fmt: skip
def test_in_strata_the_bound_falls_short_no_more_often_than_it_says(
    strata: list[tuple[int, float]], share: float, confidence: float
) -> None:
    sizes = [size for size, _ in strata]
    n = max(len(sizes), round(share * sum(sizes)))
    parts = list(_parts({str(at): size for at, size in enumerate(sizes)}, n).values())
    bad = [round(size * of) for size, of in strata]
    assert falls_short(sizes, parts, bad, confidence) <= 1 - confidence + 1e-9


def test_strata_that_are_small_make_the_bound_wider() -> None:
    # Of 3 strata with 100, 100 and 2 pages the large ones give less than their share.
    sizes = {"a": 100, "b": 100, "c": 2}
    hands = {f"{name}{at}": name for name, size in sizes.items() for at in range(size)}
    drawn = pages_to_check(dict.fromkeys(hands, 0.0), 9, 1, hands)
    assert [len(one.page_ids) for one in drawn.strata] == [4, 4, 1]
    found = claim(drawn, dict.fromkeys(drawn.page_ids, False), WHAT, 0.5, 0.95)
    assert found.bound == pytest.approx(bound(9, 0, 0.95) / (0.04 / (9 / 202)))


def test_a_stratum_that_has_to_give_a_page_is_the_one_that_misses_it_least() -> None:
    sizes = {"a": 60, "b": 45, "c": 1, "d": 1, "e": 1}
    assert _parts(sizes, 7) == {"a": 2, "b": 2, "c": 1, "d": 1, "e": 1}


def test_in_strata_nothing_is_claimed_where_nothing_is_proved() -> None:
    drawn = pages_to_check(RISK, 20, 1, HANDS)
    good = dict.fromkeys(drawn.page_ids, False)
    # The bound of 20 pages without a bad one is 0.034 at 50 %, less than one page of the sample.
    assert claim(drawn, good, WHAT, 0.5, 0.5).bound == 1
    assert claim(drawn, good, WHAT, 0.5, 0.8).bound == bound(20, 0, 0.8)


def test_a_share_of_an_archive_is_counted_in_whole_pages() -> None:
    # 0.29 · 100 is a little less than 29 in floats.
    assert sample_size(0.29, 0.9, 29, 100) > 29


def test_claims_hold_as_often_as_they_say() -> None:
    # 11 of 200 pages are bad, more than 5 %: a claim that holds is wrong.
    bad = {one: at % 19 == 0 for at, one in enumerate(RISK)}
    assert sum(bad.values()) == 11
    n = sample_size(0.05, 0.9, 0, 200)
    wrong = [claim(pages_to_check(RISK, n, s), bad, WHAT, 0.05, 0.9).holds for s in range(2000)]
    exact = hypergeom.pmf(0, 200, 11, n)
    assert exact <= 0.1
    assert np.mean(wrong) == pytest.approx(exact, abs=0.02)
    # 4 of 200 are bad, so the claim is right, and a large sample mostly shows it.
    bad = {one: RISK[one] == 36 and one < "p180" for one in RISK}
    assert sum(bad.values()) == 4
    held = [claim(pages_to_check(RISK, 120, s), bad, WHAT, 0.05, 0.9).holds for s in range(200)]
    assert np.mean(held) > 0.9


def test_a_claim_counts_the_sample_alone() -> None:
    drawn = pages_to_check(RISK, 59, 2, riskiest=10)
    judged = dict.fromkeys(drawn.page_ids, False) | dict.fromkeys(drawn.riskiest, True)
    found = claim(drawn, judged, WHAT, 0.05, 0.95)
    assert (found.n_checked, found.n_bad, found.n_pages) == (59, 0, 200)
    assert found.bound == bound(59, 0, 0.95, 200)
    assert found.holds
    worse = claim(drawn, judged | dict.fromkeys(drawn.page_ids[:5], True), WHAT, 0.05, 0.95)
    assert worse.n_bad == 5
    assert not worse.holds


def certificate() -> Certificate:
    drawn = pages_to_check(RISK, 60, 11, HANDS, riskiest=3)
    judged = {one: one == drawn.page_ids[7] for one in drawn.page_ids}
    return certify(drawn, judged, WHAT, 0.1, 0.95)


def test_a_certificate_stands_after_it_was_written_and_read() -> None:
    one = certificate()
    again = read_certificate(json.loads(json.dumps(one.as_data())))
    assert again == one
    assert verify(again) == ()
    assert verify(again, reversed(RISK), HANDS) == ()
    assert one.claim.holds
    assert len(one.bad_page_ids) == 1


def signed(one: Certificate) -> Certificate:
    return replace(one, signature=sign(one))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda one: replace(one, seed=12), "signature"),
        (lambda one: replace(one, bad_page_ids=()), "signature"),
        (lambda one: replace(one, claim=replace(one.claim, confidence=0.99)), "signature"),
        (lambda one: signed(replace(one, seed=12)), "not the one that this seed draws"),
        (lambda one: signed(replace(one, bad_page_ids=())), "do not follow"),
        (lambda one: signed(replace(one, bad_page_ids=("elsewhere",))), "not in the sample"),
        (lambda one: signed(replace(one, claim=replace(one.claim, bound=0.01))), "do not follow"),
        (lambda one: signed(replace(one, claim=replace(one.claim, n_pages=900))), "do not follow"),
        (lambda one: signed(replace(one, strata=())), "do not follow"),
        (lambda one: signed(replace(one, strata=(*one.strata, one.strata[0]))), "twice"),
        (lambda one: signed(replace(one, archive="0" * 64)), "not those that the sample was drawn"),
    ],
)  # fmt: skip
def test_a_changed_certificate_is_noticed(
    change: Callable[[Certificate], Certificate], told: str
) -> None:
    assert any(told in one for one in verify(change(certificate()), RISK, HANDS))


def test_another_archive_is_noticed() -> None:
    fewer = [one for one in RISK if one != "p000"]
    assert "not those" in verify(certificate(), fewer, HANDS)[0]
    moved = HANDS | {"p000": "c"}
    assert "not those" in verify(certificate(), RISK, moved)[0]


@pytest.mark.parametrize("data", [{}, {"seed": 1}, {"seed": "x"}, []])
def test_what_is_no_certificate_is_told(data: object) -> None:
    with pytest.raises(hv.ConfigError, match="no certificate of checked pages"):
        read_certificate(data)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("made", "told"),
    [
        (lambda: pages_to_check({}, 1, 0), "there are no pages to draw from"),
        (lambda: pages_to_check({"a": 0.0}, 0, 0), "ask for 1 to 1"),
        (lambda: pages_to_check({"a": 0.0}, 2, 0), "2 pages are to be drawn from 1"),
        (lambda: pages_to_check(RISK, 2, 0, HANDS), "2 pages cannot be drawn from 3 strata"),
        (lambda: pages_to_check(RISK, 5, 0, {"p000": "a"}), "page p001 is in no stratum"),
        (lambda: pages_to_check(RISK, 5, 0, riskiest=-1), "ask for 0 or more"),
        (lambda: sample_size(0.0, 0.95), "limit 0.0"),
        (lambda: sample_size(1.0, 0.95), "limit 1.0"),
        (lambda: sample_size(0.05, 1.0), "confidence 1.0"),
        (lambda: sample_size(0.05, 0.95, -1), "-1 bad pages are expected"),
        (lambda: sample_size(0.05, 0.95, 0, 0), "0 pages in all"),
        (lambda: bound(0, 0, 0.95), "no page was checked"),
        (lambda: bound(5, 6, 0.95), "6 of 5 checked pages"),
        (lambda: bound(5, -1, 0.95), "-1 of 5 checked pages"),
        (lambda: bound(5, 0, 0.95, 4), "5 pages were checked of 4"),
        (lambda: claim(pages_to_check(RISK, 3, 0), {}, WHAT, 0.05, 0.95), "nor were 2 others"),
        (lambda: claim(pages_to_check({"a": 1.0}, 1, 0), {}, WHAT, 0.05, 0.95),
         "page a of the sample was not checked;"),
    ],
)  # fmt: skip
def test_input_that_makes_no_sense_is_told(made: Callable[[], object], told: str) -> None:
    with pytest.raises(hv.ConfigError, match=told):
        made()
