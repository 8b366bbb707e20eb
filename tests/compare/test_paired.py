"""Paired tests of systems: against brute force and scipy, and what they promise."""

import itertools
import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import htreval_core as hv
from htreval_core.compare import FEWEST, PageDifference
from htreval_core.compare.paired import PairedTests, holm
from htreval_core.metrics.catalog import METRICS
from htreval_core.scoring.resampling import drawn_sums, flipped_sums
from tests.tools import cases, pooled


def made_pages(
    n_pages: int, rates: dict[str, float], *, swapped: Sequence[str] = (), seed: int = 3
) -> list[hv.Page]:
    """Pages of 10 to 40 words; each system misreads its share of them, some swap their halves."""
    rng = np.random.default_rng(seed)
    vocabulary = np.array([f"word{number}" for number in range(200)])
    pages = []
    for number in range(n_pages):
        words = rng.choice(vocabulary, size=rng.integers(10, 40)).tolist()
        outputs = {}
        for system, rate in rates.items():
            read = [word if rng.random() > rate else word[::-1] for word in words]
            cut = len(read) // 2 if system in swapped and number % 2 else 0
            outputs[system] = " ".join(read[cut:] + read[:cut])
        pages.append(hv.Page.from_text(f"p{number:03}", " ".join(words), outputs))
    return pages


@pytest.fixture(scope="module")
def forty() -> hv.Study:
    rates = {"a": 0.2, "b": 0.25, "c": 0.2}
    return hv.score(made_pages(40, rates, swapped=("c",)))


def tables(
    study: hv.Study, a: str, b: str, metric: str
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Pooled errors and lengths of A and B on their common pages, found the slow way."""
    of_b = {one.page_id: one for one in study.scores[b]}
    rows = [
        (*pooled(metric, one), *pooled(metric, of_b[one.page_id]))
        for one in study.scores[a]
        if one.page_id in of_b
    ]
    return tuple(np.array(column, dtype=float) for column in zip(*rows, strict=True))


# --- by hand


def test_a_pair_small_enough_for_pencil_and_paper() -> None:
    pages = [
        hv.Page.from_text("1", "aa bb cc dd", {"A": "aa bb cc xx", "B": "aa bb cc dd"}),
        hv.Page.from_text("2", "ee ff", {"A": "ee ff", "B": "ee ff"}),
        hv.Page.from_text("3", "gg hh", {"A": "xx hh", "B": "gg hh"}),
    ]
    wer = hv.compare_systems(hv.score(pages), "A", "B").metrics["wer"]
    assert (wer.a, wer.b, wer.difference) == (2 / 8, 0.0, -2 / 8)
    assert (wer.wins, wer.ties, wer.losses) == (2, 1, 0)
    # Of the eight ways to deal the pages out, those in which page 1 and 3 agree: four.
    assert wer.p == 4 / 8
    assert wer.p_holm == 1.0
    assert math.isnan(wer.low)
    assert wer.b_is_better is True
    assert not wer.significant


def test_an_interval_small_enough_for_pencil_and_paper() -> None:
    """Six pages of four words, on which B saves 0 to 4 errors.

    It takes 4 of the 64 flips to reach 5 %. No page or every page flipped are two of them,
    whatever the difference; the other two are one page flipped alone and all but that page. So the
    interval reaches from the page of the largest saving to that of the smallest."""
    errors = [0, 1, 2, 2, 3, 4]
    pages = [
        hv.Page.from_text(str(n), "a b c d", {"A": " ".join("abcd"[: 4 - k] + "xxxx"[:k]),
                                              "B": "a b c d"})
        for n, k in enumerate(errors)
    ]  # fmt: skip
    wer = hv.compare_systems(hv.score(pages), "A", "B").metrics["wer"]
    assert wer.difference == -12 / 24
    assert (wer.low, wer.high) == (pytest.approx(-4 / 4), 0.0)
    # Without the page on which they tie, flips of five: 4 of 64 are as large, so p is 4/64.
    assert wer.p == 4 / 64
    assert not wer.significant


def test_a_rank_flip_is_a_page_on_which_wer_and_bwer_disagree() -> None:
    pages = [
        hv.Page.from_text("flip", "a b c d", {"A": "c d a b", "B": "a b c x"}),
        hv.Page.from_text("agree", "a b c d", {"A": "a b c d", "B": "a b c x"}),
        hv.Page.from_text("tie", "a b c d", {"A": "b a c d", "B": "a b x y"}),
    ]
    found = hv.compare_systems(hv.score(pages), "A", "B")
    assert found.rank_flips == ("flip",)


def test_pages_are_ranked_by_how_far_the_systems_are_apart() -> None:
    pages = [
        hv.Page.from_text("same", "a b", {"A": "a b", "B": "a b"}),
        hv.Page.from_text("undefined", "", {"A": "x", "B": ""}),
        hv.Page.from_text("better", "a b c d", {"A": "x y z d", "B": "a b c d"}),
        hv.Page.from_text("worse", "a b", {"A": "a b", "B": "a x"}),
        hv.Page.from_text("alone", "a b", {"A": "a b"}),
    ]
    found = hv.page_differences(hv.score(pages), "A", "B", "wer")
    assert [one.page_id for one in found] == ["better", "worse", "same", "undefined"]
    assert found[0] == PageDifference("better", 0.75, 0.0, -0.75)
    assert math.isnan(found[-1].difference)
    with pytest.raises(hv.ConfigError):
        hv.page_differences(hv.score(pages), "A", "B", "nothing")


# --- what a user relies on


def test_wer_is_judged_by_its_own_p_and_other_metrics_by_the_corrected_one() -> None:
    """Six pages that all agree: p is 2/64 of each metric, and 6 · 2/64 corrected."""
    pages = [hv.Page.from_text(str(n), "aa bb cc", {"A": "aa bb xx", "B": "aa bb cc"})
             for n in range(6)]  # fmt: skip
    study = hv.score(pages)
    found = hv.compare_systems(study, "A", "B").metrics
    for name in ("wer", "bwer", "cer"):
        one = found[name]
        assert one.p == 2 / 64
        assert one.p_holm > 0.05
        assert one.significant
        assert one.high < 0
        assert one.shown == (name == "wer")
    assert hv.compare_systems(study, "A", "B", metrics=("cer",)).metrics["cer"].shown
    assert hv.compare_all(study).best("wer") == "B"


@pytest.mark.parametrize("n_pages", [1, 5, 40])
def test_a_system_against_itself_differs_in_nothing(n_pages: int) -> None:
    found = hv.compare_systems(hv.score(made_pages(n_pages, {"a": 0.3})), "a", "a")
    assert found.rank_flips == ()
    for one in found.metrics.values():
        # A single page allows no test.
        assert (one.difference, one.p == 1) == (0, n_pages > 1)
        assert math.isnan(one.p) == math.isnan(one.p_holm) == (n_pages == 1)
        assert (one.wins, one.ties, one.losses) == (0, n_pages, 0)
        assert one.smallest == 0 or n_pages <= 5
        # Of five pages no test rejects anything at 5 %, so there is no interval.
        assert (one.low, one.high) == (0, 0) if n_pages > 5 else math.isnan(one.low)
        assert one.b_is_better is None


def test_what_neither_swaps_nor_seeds_nor_the_order_of_pages_move(forty: hv.Study) -> None:
    # Swapping the systems negates the difference and keeps p.
    there, back = hv.compare_systems(forty, "a", "c"), hv.compare_systems(forty, "c", "a")
    for name, one in there.metrics.items():
        other = back.metrics[name]
        assert other.difference == -one.difference
        assert (other.p, other.p_holm) == (one.p, one.p_holm)
        assert (other.low, other.high) == pytest.approx((-one.high, -one.low))
        assert (other.wins, other.ties, other.losses) == (one.losses, one.ties, one.wins)
        assert other.smallest == pytest.approx(one.smallest)
    # The same seed gives the same bits and another other ones.
    alone = forty.in_clusters(hv.clusters_by_id("(.*)", forty.page_ids))
    first = hv.compare_systems(alone, "a", "b")
    assert hv.compare_systems(alone, "a", "b") == first
    assert first.seed == forty.settings.seed
    other = hv.compare_systems(alone, "a", "b", seed=5)
    assert other.seed == 5
    assert other.metrics["wer"].difference == first.metrics["wer"].difference
    assert other.metrics["wer"].low != first.metrics["wer"].low
    # The order of pages moves no figure.
    backwards = hv.score(forty.dataset.pages[::-1])
    assert (
        hv.compare_systems(backwards, "a", "c").metrics
        == hv.compare_systems(forty, "a", "c").metrics
    )
    # A metric named twice counts once.
    once = hv.compare_systems(forty, "a", "b", metrics=("wer", "cer"))
    assert hv.compare_systems(forty, "a", "b", metrics=("wer", "cer", "wer")) == once


def test_only_common_pages_count_and_the_others_are_named() -> None:
    pages = made_pages(12, {"a": 0.1, "b": 0.2})
    gaps = [
        replace(page, hypotheses={n: h for n, h in page.hypotheses.items() if n != missing})
        for page, missing in zip(pages, ["b", "a", "a", *["neither"] * 9], strict=True)
    ]
    found = hv.compare_systems(hv.score(gaps), "a", "b")
    whole = hv.compare_systems(hv.score(pages[3:]), "a", "b")
    assert found.metrics == whole.metrics
    assert found.n_pages == 9
    assert found.page_ids == tuple(page.page_id for page in pages[3:])
    assert (found.only_a, found.only_b) == (("p000",), ("p001", "p002"))
    assert len(found.warnings) == 2
    assert found.warnings[0].detail[:3] == ("a", "b", "p000")
    assert "p002" in found.warnings[1].detail
    assert whole.warnings == ()


@pytest.mark.parametrize("n_pages", [FEWEST - 1, FEWEST])
def test_too_few_pages_to_believe_anything_are_named(n_pages: int) -> None:
    """Of eight pages that all agree, six metrics can still be significant; of seven they cannot."""
    found = hv.compare_systems(hv.score(made_pages(n_pages, {"a": 0.0, "b": 0.9})), "a", "b")
    assert found.metrics["wer"].wins == 0
    assert found.metrics["wer"].p == 2 / 2**n_pages
    assert (holm([2 / 2**n_pages] * len(hv.COMPARED))[0] < 0.05) == (n_pages >= FEWEST)
    assert bool(found.warnings) == (n_pages < FEWEST)


@pytest.mark.parametrize(("systems", "options", "says"), cases("not_compared"))
def test_what_cannot_be_compared_is_refused(
    systems: tuple[str, str], options: dict[str, Any], says: str
) -> None:
    pages = [*made_pages(2, {"a": 0.1, "b": 0.1}), hv.Page.from_text("x", "x", {"apart": "x"})]
    with pytest.raises(hv.ConfigError, match=says):
        hv.compare_systems(hv.score(pages), *systems, **options)


def test_metrics_that_do_not_apply_or_have_no_value_are_undefined_not_wrong() -> None:
    pages = [
        hv.Page.from_text("1", "a b\nc d", {"A": "a b c d", "B": "a b\nc x"}),
        hv.Page.from_text("2", "e f\ng h", {"A": "e f\ng h", "B": "e f\ng h"}),
    ]
    found = hv.compare_systems(hv.score(pages), "A", "B", metrics=("line_wer", "wer"))
    line = found.metrics["line_wer"]
    assert all(math.isnan(v) for v in (line.a, line.difference, line.low, line.p, line.p_holm))
    assert not line.significant
    assert line.b_is_better is None
    # The family has one member only.
    assert found.metrics["wer"].p_holm == found.metrics["wer"].p
    empty = [hv.Page.from_text(str(n), "", {"A": "x", "B": "x y"}) for n in range(3)]
    wer = hv.compare_systems(hv.score(empty), "A", "B").metrics["wer"]
    assert math.isnan(wer.difference)
    assert (wer.wins, wer.losses) == (0, 3)


def test_of_shares_more_is_better() -> None:
    study = hv.score(made_pages(30, {"a": 0.4, "b": 0.1}))
    recall = hv.compare_systems(study, "a", "b", metrics=("bow_recall",)).metrics["bow_recall"]
    assert recall.difference > 0
    assert recall.b_is_better is True
    assert recall.wins > recall.losses


# --- against brute force and other programs


@pytest.mark.parametrize("metric", [*hv.COMPARED, "hwer", "bow_recall"])
def test_few_pages_are_enumerated_exactly(metric: str) -> None:
    study = hv.score(made_pages(7, {"a": 0.2, "b": 0.4}, swapped=("b",)))
    found = hv.compare_systems(study, "a", "b", metrics=(metric,)).metrics[metric]
    ea, na, eb, nb = tables(study, "a", "b", metric)
    value = METRICS[metric].value
    observed = abs(value(eb.sum(), nb.sum()) - value(ea.sum(), na.sum()))
    count = 0
    for swaps in itertools.product([False, True], repeat=7):
        swap = np.array(swaps)
        one = value(np.where(swap, eb, ea).sum(), np.where(swap, nb, na).sum())
        other = value(np.where(swap, ea, eb).sum(), np.where(swap, na, nb).sum())
        count += abs(other - one) >= observed - 1e-9
    assert found.p == count / 2**7


@pytest.mark.parametrize("n_pages", [9, 40])
@pytest.mark.parametrize("metric", hv.COMPARED)
def test_p_is_that_of_scipy(metric: str, n_pages: int) -> None:
    from scipy.stats import permutation_test

    study = hv.score(made_pages(n_pages, {"a": 0.2, "b": 0.23}, swapped=("b",)))
    ours = hv.compare_systems(study, "a", "b").metrics[metric].p
    ea, na, eb, nb = tables(study, "a", "b", metric)
    value = METRICS[metric].values

    def pooled(errors_a: np.ndarray, errors_b: np.ndarray, axis: int = -1) -> np.ndarray:
        # Of these metrics lengths are the reference's, so only the errors change hands.
        first, second = errors_a.sum(axis=axis), errors_b.sum(axis=axis)
        shape = np.shape(first)
        return value(second, np.full(shape, nb.sum())) - value(first, np.full(shape, na.sum()))

    theirs = permutation_test(
        (ea, eb), pooled, permutation_type="samples", vectorized=True, n_resamples=9999,
        rng=np.random.default_rng(1),
    ).pvalue  # fmt: skip
    # scipy doubles the smaller tail where we count both; the null is symmetric.
    error = 4 * math.sqrt(2 * max(theirs, 1e-3) / 9999) if n_pages > 13 else 1e-12
    assert ours == pytest.approx(theirs, abs=error)


@pytest.mark.parametrize("metric", hv.COMPARED)
def test_the_interval_is_that_of_scipy(forty: hv.Study, metric: str) -> None:
    from scipy.stats import bootstrap

    ours = hv.compare_systems(forty, "a", "c").metrics[metric]
    ea, na, eb, nb = tables(forty, "a", "c", metric)

    def pooled(*parts: np.ndarray, axis: int = -1) -> np.ndarray:
        first, length, second, other = (part.sum(axis=axis) for part in parts)
        return second / other - first / length

    theirs = bootstrap(
        (ea, na, eb, nb), pooled, paired=True, vectorized=True, n_resamples=10_000,
        method="percentile", rng=np.random.default_rng(1),
    )  # fmt: skip
    width = ours.high - ours.low
    assert ours.low == pytest.approx(theirs.confidence_interval.low, abs=0.05 * width)
    assert ours.high == pytest.approx(theirs.confidence_interval.high, abs=0.05 * width)
    assert ours.smallest == pytest.approx(2.8016 * theirs.standard_error, rel=0.05)


@pytest.mark.parametrize("n_pages", [8, 12])
@pytest.mark.parametrize("metric", ["wer", "nsfd", "hcer"])
def test_the_interval_holds_what_scipys_test_does_not_reject(metric: str, n_pages: int) -> None:
    """All flips are taken, so inside the ends p is 5 % or more and outside it is less."""
    from scipy.stats import permutation_test

    study = hv.score(made_pages(n_pages, {"a": 0.2, "b": 0.4}, swapped=("b",)))
    found = hv.compare_systems(study, "a", "b").metrics[metric]
    ea, n, eb, _ = tables(study, "a", "b", metric)

    def p(difference: float) -> float:
        moved = eb - difference * n - ea
        return float(permutation_test(
            (moved,), lambda one, axis: one.sum(axis=axis), permutation_type="samples",
            vectorized=True, n_resamples=math.inf,
        ).pvalue)  # fmt: skip

    width = found.high - found.low
    for end, outward in ((found.low, -1), (found.high, 1)):
        assert p(end - outward * 1e-6 * width) >= 0.05
        assert p(end + outward * 1e-6 * width) < 0.05


def judged(
    name: str, columns: np.ndarray, resamples: int, seed: int
) -> tuple[float, float, float, float, float]:
    """The values of A and B of these counts, the ends of the interval of their difference, p."""
    tests = PairedTests.__new__(PairedTests)
    tests._metrics = (name,)
    tests._counts = [[columns[:, :1], columns[:, 1:2]],
                     [columns[:, 2:3], columns[:, 3:]]]  # fmt: skip
    tests._flipped, tests._exact = flipped_sums(columns, resamples=resamples, seed=seed)
    value, sums = METRICS[name].value, columns.sum(axis=0)
    a, b = value(sums[0], sums[1]), value(sums[2], sums[3])
    return a, b, *tests._test(0, 1, 0, b - a, 1e-11 * max(abs(a), abs(b)))


@given(
    st.lists(
        st.tuples(*[st.integers(0, 6)] * 4).filter(lambda one: one[1] and one[3]),
        min_size=1, max_size=12,
    ),
    st.sampled_from(["wer", "bow_recall", "kendall_tau"]),
)  # fmt: skip
def test_an_interval_leaves_out_nothing_just_where_p_is_small(
    counts: list[tuple[int, int, int, int]], name: str
) -> None:
    """Whatever the counts, also where the lengths of the two sides are not the same."""
    a, b, low, high, p = judged(name, np.array(counts, dtype=float), 1000, 1)
    if len(counts) < 6:
        assert math.isnan(low)
        assert p > 0.05
    if not math.isnan(low):
        assert low <= b - a + 1e-12
        assert b - a <= high + 1e-12
        assert (low > 0 or high < 0) == (p < 0.05)


@pytest.mark.slow
@pytest.mark.parametrize("n_pages", [8, 15, 40])
def test_intervals_hold_the_truth_and_tests_keep_their_level(n_pages: int) -> None:
    """1000 samples: the true difference is -0.02 of pages of unequal length, or nothing.

    With 1000 runs a true 5 % is seen as 3.6 to 6.4, a true 95 % as 93.6 to 96.4."""
    rng = np.random.default_rng(5)
    held = wrong = found = 0
    for run in range(1000):
        words = rng.integers(20, 400, n_pages)
        # How hard a page is belongs to the page and is shared by both.
        hard = rng.beta(2, 8, n_pages)
        a = rng.binomial(words, hard)
        for gain in (0.0, 0.02):
            b = np.clip(rng.binomial(words, np.clip(hard - gain, 0, 1)), 0, None)
            true = (np.clip(hard - gain, 0, 1) * words - hard * words).sum() / words.sum()
            columns = np.column_stack([a, words, b, words]).astype(float)
            *_, low, high, p = judged("wer", columns, 999, run)
            if gain:
                held += low <= true <= high
                found += p < 0.05
            else:
                wrong += p < 0.05
    assert held / 1000 >= 0.93
    assert 0.03 <= wrong / 1000 <= 0.066
    assert found > wrong


# --- pieces


@given(
    st.lists(st.tuples(*[st.lists(st.sampled_from("abc"), max_size=5)] * 3), min_size=1, max_size=6)
)
def test_any_texts_compare_and_nothing_leaves_its_range(
    texts: list[tuple[list[str], list[str], list[str]]],
) -> None:
    pages = [
        hv.Page.from_text(str(n), " ".join(ref), {"A": " ".join(a), "B": " ".join(b)})
        for n, (ref, a, b) in enumerate(texts)
    ]
    study = hv.score(pages)
    found = hv.compare_systems(study, "A", "B", resamples=50)
    back = hv.compare_systems(study, "B", "A", resamples=50)
    for name, one in found.metrics.items():
        assert one.wins + one.ties + one.losses == len(pages)
        other = back.metrics[name]
        if math.isnan(one.difference) or len(pages) == 1:
            assert math.isnan(one.p)
            continue
        assert other.difference == -one.difference
        assert other.p == one.p
        assert 2 / 2 ** len(pages) <= one.p <= one.p_holm <= 1
        if one.difference == 0:
            assert one.p == 1
        assert math.isnan(one.low) or one.low <= one.high
    flipped = set(found.rank_flips)
    assert flipped == set(back.rank_flips)


@given(st.lists(st.floats(0, 1) | st.just(math.nan), max_size=8))
def test_holm_is_that_of_the_textbook(p: list[float]) -> None:
    """The k-th smallest of m is multiplied by m − k + 1, and never falls below the one before."""
    known = sorted(value for value in p if not math.isnan(value))
    m = len(known)
    for value, corrected in zip(p, holm(p), strict=True):
        if math.isnan(value):
            assert math.isnan(corrected)
            continue
        ranks = [k for k, other in enumerate(known) if other <= value]
        assert corrected == max(min(1.0, known[k] * (m - k)) for k in ranks)


def test_draws_and_flips(monkeypatch: pytest.MonkeyPatch) -> None:
    # Draws keep the number of pages and do not depend on the chunks.
    columns = np.column_stack([np.ones(30), np.arange(30.0)])
    drawn = drawn_sums(columns, resamples=500, seed=4)
    flipped, exact = flipped_sums(columns, resamples=500, seed=4)
    assert not exact
    assert (drawn[:, 0] == 30).all()
    assert set(flipped[:, 0] % 2) == {0}
    monkeypatch.setattr("htreval_core.scoring.resampling._CELLS_AT_ONCE", 300)
    assert (drawn_sums(columns, resamples=500, seed=4) == drawn).all()
    assert (flipped_sums(columns, resamples=500, seed=4)[0] == flipped).all()
    # Every flip is there once when all are taken.
    flipped, exact = flipped_sums(2.0 ** np.arange(10)[:, None], resamples=1024, seed=0)
    assert exact
    assert sorted(flipped[:, 0]) == list(range(-1023, 1024, 2))


# --- many systems


def test_pairs_have_the_figures_that_they_have_alone() -> None:
    pages = made_pages(20, {"a": 0.1, "b": 0.2, "c": 0.3, "d": 0.1})
    gaps = [
        replace(page, hypotheses={n: h for n, h in page.hypotheses.items() if (n, number) not in
                                  {("c", 3), ("d", 5)}})
        for number, page in enumerate(pages)
    ]  # fmt: skip
    study = hv.score(gaps)
    every = hv.compare_all(study)
    assert list(every.pairs) == list(itertools.combinations("abcd", 2))
    assert every.pairs["c", "d"].n_pages == 18
    for (a, b), found in every.pairs.items():
        alone = hv.compare_systems(study, a, b)
        assert (found.page_ids, found.warnings) == (alone.page_ids, alone.warnings)
        for name, one in alone.metrics.items():
            for field in ("a", "b", "difference", "low", "high", "p", "p_holm", "smallest"):
                assert getattr(found.metrics[name], field) == pytest.approx(getattr(one, field))
    for name in hv.COMPARED:
        of_pairs = [found.metrics[name].p for found in every.pairs.values()]
        assert list(every.p_pairs[name].values()) == holm(of_pairs)


def test_ranks_tell_apart_only_what_the_test_does() -> None:
    every = hv.compare_all(hv.score(made_pages(40, {"bad": 0.5, "good": 0.1, "fine": 0.11})))
    assert every.ranks["bwer"] == {"bad": 3, "good": 1, "fine": 1}
    assert set(every.ranks["delta_wer"].values()) == {1}
    there = every.difference("wer", "bad", "good")
    back = every.difference("wer", "good", "bad")
    assert there
    assert back
    assert (back.difference, back.low, back.wins) == (-there.difference, -there.high, there.losses)
    assert every.p("wer", "good", "bad") == every.p("wer", "bad", "good") < 0.05
    assert every.difference("wer", "good", "good") is None
    assert math.isnan(every.p("wer", "good", "good"))


def test_systems_without_a_common_page_are_named_not_compared() -> None:
    pages = made_pages(9, {"a": 0.1, "b": 0.2})
    study = hv.score([*pages, hv.Page.from_text("alone", "x y", {"c": "x y"})])
    every = hv.compare_all(study)
    assert list(every.pairs) == [("a", "b")]
    assert set(every.ranks["wer"]) == {"a", "b"}
    assert sum(one.kind is hv.WarningKind.NOTHING_SHARED for one in every.warnings) == 2
    with pytest.raises(hv.ConfigError, match="two or more"):
        hv.compare_all(study, ("a", "a"))
    with pytest.raises(hv.ConfigError, match="two or more"):
        hv.compare_all(study, ("a",))
    with pytest.raises(hv.ConfigError, match="no two systems"):
        hv.compare_all(study, ("a", "c"))
