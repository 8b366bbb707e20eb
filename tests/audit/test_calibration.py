"""Values predicted for pages without a reference: against slow twins, and what they promise."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.stats import spearmanr, t

import htreval_core as hv
from htreval_core.audit.calibration import (
    LEVEL,
    Calibration,
    Features,
    _inputs,
    _Learnt,
    calibrate,
    check_coverage,
    fewest_pages,
    rank_correlation,
)
from htreval_core.model import FloatArray
from tests.conftest import SAMPLES


def drawn(n: int, seed: int, n_features: int = 4) -> tuple[Features, dict[str, float]]:
    """Pages whose features are all much the same as what their values are made of."""
    rng = np.random.default_rng(seed)
    hard = rng.gamma(2.0, 0.1, n)
    values = hard[:, None] * rng.lognormal(0.0, 0.3, (n, n_features))
    true = hard * rng.lognormal(0.0, 0.2, n)
    ids = tuple(f"p{at:04}" for at in range(n))
    names = tuple("abcdefgh"[:n_features])
    return Features(ids, names, values), dict(zip(ids, true.tolist(), strict=True))


def first(true: Mapping[str, float], n: int) -> dict[str, float]:
    return dict(list(true.items())[:n])


def by_hand(features: Features, true: Mapping[str, float], level: float) -> list[list[float]]:
    """Prediction and interval of each page without a reference, all of it written out.

    The ridge regression is minimised by a general solver, the jackknife+ by sorting lists.
    """
    roots = np.sqrt(features.values)
    roots = roots / roots.std(axis=0)
    rows = [at for at, one in enumerate(features.page_ids) if one in true]
    y = np.sqrt([true[features.page_ids[at]] for at in rows])

    def model(chosen: list[int]) -> tuple[float, FloatArray]:
        x, of = roots[[rows[at] for at in chosen]], y[chosen]

        def loss(free: FloatArray) -> float:
            return float(((of - free[0] - x @ free[1:]) ** 2).sum() + (free[1:] ** 2).sum())

        bounds = [(None, None)] + [(0, None)] * x.shape[1]
        start = np.append(of.mean(), np.full(x.shape[1], 0.1))
        found = minimize(
            loss, start, bounds=bounds, method="L-BFGS-B",
            options={"ftol": 1e-15, "gtol": 1e-10, "maxiter": 5000},
        ).x  # fmt: skip
        return float(found[0]), found[1:]

    def at(one: tuple[float, FloatArray], row: int) -> float:
        return one[0] + float(one[1] @ roots[row])

    n = len(rows)
    whole = model(list(range(n)))
    without = [model([k for k in range(n) if k != left]) for left in range(n)]
    misses = [abs(y[k] - at(without[k], rows[k])) for k in range(n)]
    told = []
    for row, one in enumerate(features.page_ids):
        if one in true:
            continue
        lows = sorted(at(m, row) - r for m, r in zip(without, misses, strict=True))
        highs = sorted(at(m, row) + r for m, r in zip(without, misses, strict=True))
        # Rounded, because (1 − 0.9)·(n + 1) is below a whole number where it ought to be one.
        low = lows[math.floor(round((1 - level) * (n + 1), 9)) - 1]
        high = highs[math.ceil(round(level * (n + 1), 9)) - 1]
        told.append([max(v, 0.0) ** 2 for v in (at(whole, row), low, high)])
    return told


def ends(made: Calibration) -> FloatArray:
    return np.array([(one.value, one.low, one.high) for one in made.pages])


@pytest.mark.parametrize(("n", "level"), [(9, 0.9), (19, 0.9), (24, 0.8), (30, 0.95)])
def test_the_interval_is_the_jackknife_plus_written_out(n: int, level: float) -> None:
    features, true = drawn(n + 12, seed=n)
    made = calibrate(features, first(true, n), level=level)
    assert [one.page_id for one in made.pages] == list(features.page_ids[n:])
    expected = by_hand(features, first(true, n), level)
    np.testing.assert_allclose(ends(made), expected, atol=2e-5)
    assert made.n_calibration == n
    assert made.told == ""


def test_the_mean_is_the_difference_estimator_written_out() -> None:
    features, true = drawn(60, seed=4)
    shown = first(true, 20)
    made = calibrate(features, shown, level=0.9)
    errors = []
    for left in shown:
        fewer = {one: value for one, value in shown.items() if one != left}
        without = {one.page_id: one.value for one in calibrate(features, fewer).pages}
        errors.append(shown[left] - without[left])
    value = np.mean([one.value for one in made.pages]) + np.mean(errors)
    reach = t.ppf(0.95, 19) * np.std(errors, ddof=1) * math.sqrt(1 / 20 + 1 / 40)
    found = made.mean
    assert (found.value, found.low, found.high) == pytest.approx(
        (value, value - reach, value + reach)
    )
    assert found.n_pages == 40


@pytest.mark.parametrize(("n", "level"), [(10, 0.9), (20, 0.9), (40, 0.8)])
def test_intervals_hold_as_many_values_as_they_say(n: int, level: float) -> None:
    held = means = 0
    for seed in range(300):
        features, true = drawn(n + 10, seed=1000 + seed)
        made = calibrate(features, first(true, n), level=level)
        held += sum(one.low <= true[one.page_id] <= one.high for one in made.pages)
        rest = np.mean([true[one.page_id] for one in made.pages])
        means += made.mean.low <= rest <= made.mean.high
    assert level - 0.02 <= held / 3000 <= level + 0.07
    assert level - 0.05 <= means / 300 <= level + 0.05


def test_predictions_follow_the_truth_and_beat_one_value_for_all() -> None:
    features, true = drawn(200, seed=5)
    shown = first(true, 15)
    made = calibrate(features, shown)
    rest = np.array([true[one.page_id] for one in made.pages])
    found = np.array([one.value for one in made.pages])
    assert spearmanr(found, rest)[0] > 0.8
    assert np.abs(found - rest).mean() < 0.5 * np.abs(np.mean(list(shown.values())) - rest).mean()


def test_a_feature_that_goes_the_wrong_way_gets_no_weight() -> None:
    features, true = drawn(50, seed=6, n_features=2)
    turned = Features(features.page_ids, ("a", "b"), features.values.copy())
    turned.values[:, 1] = turned.values[:, 1].max() - turned.values[:, 1]
    weights = calibrate(turned, first(true, 30)).weights
    assert weights["b"] == 0
    assert weights["a"] > 0


def test_features_that_say_nothing_are_dropped_and_change_nothing() -> None:
    features, true = drawn(40, seed=7, n_features=2)
    n = len(features.page_ids)
    more = np.column_stack([features.values, np.full(n, 0.3), np.full(n, math.nan)])
    wide = Features(features.page_ids, ("a", "b", "constant", "unknown"), more)
    made = calibrate(wide, first(true, 12))
    assert made.dropped == ("constant", "unknown")
    assert list(made.weights) == ["a", "b"]
    np.testing.assert_array_equal(ends(made), ends(calibrate(features, first(true, 12))))


def test_what_is_not_known_of_a_page_is_taken_from_the_middle() -> None:
    features, true = drawn(41, seed=8, n_features=2)
    values = features.values.copy()
    values[40, 1] = math.nan
    filled = values.copy()
    filled[40, 1] = np.median(values[:40, 1])
    made = calibrate(Features(features.page_ids, ("a", "b"), values), first(true, 12))
    full = calibrate(Features(features.page_ids, ("a", "b"), filled), first(true, 12))
    # The median of roots of an even number of pages lies a little off the root of theirs.
    np.testing.assert_allclose(ends(made), ends(full), rtol=1e-3)


def test_without_any_feature_every_page_gets_the_same_and_it_is_told() -> None:
    ids = tuple(map(str, range(30)))
    true = {one: 0.01 * (at + 1) for at, one in enumerate(ids[:20])}
    made = calibrate(Features(ids, ("same",), np.ones((30, 1))), true)
    assert len({(one.value, one.low, one.high) for one in made.pages}) == 1
    assert "the same value is predicted" in made.told
    assert made.pages[0].low < 0.1 < made.pages[0].high


@pytest.mark.parametrize(
    ("level", "fewest"), [(0.5, 2), (0.8, 4), (0.9, 9), (0.925, 13), (0.95, 19), (0.99, 99)]
)
def test_the_fewest_pages_of_a_level(level: float, fewest: int) -> None:
    assert fewest_pages(level) == fewest
    features, true = drawn(fewest + 5, seed=9)
    enough = calibrate(features, first(true, fewest), level=level)
    assert enough.told == ""
    assert all(one.low <= one.high < math.inf for one in enough.pages)
    few = calibrate(features, first(true, fewest - 1), level=level)
    assert all(math.isnan(one.low) and math.isnan(one.high) for one in few.pages)
    assert all(one.value >= 0 for one in few.pages)
    assert math.isnan(few.mean.low)
    assert few.mean.value >= 0
    assert f"They take {fewest} pages" in few.told


def test_a_single_reference_gives_its_value_to_every_page() -> None:
    features, true = drawn(5, seed=10)
    made = calibrate(features, first(true, 1))
    assert [one.value for one in made.pages] == pytest.approx([true["p0000"]] * 4)
    assert made.mean.value == pytest.approx(true["p0000"])
    assert made.told.startswith("1 page has a reference")


def test_with_a_reference_for_every_page_nothing_is_left_to_predict() -> None:
    features, true = drawn(15, seed=11)
    made = calibrate(features, true)
    assert made.pages == ()
    assert made.mean.n_pages == 0
    assert math.isnan(made.mean.value)


@settings(max_examples=60, deadline=None)
@given(
    st.integers(1, 14), st.integers(1, 6), st.integers(0, 10**6),
    st.sampled_from([0.0, 1e-12, 1.0, 1e6]),
)  # fmt: skip
def test_values_stay_in_order_and_above_0(n: int, n_features: int, seed: int, scale: float) -> None:
    features, true = drawn(n + 3, seed, n_features)
    shown = {one: scale * value for one, value in first(true, n).items()}
    made = calibrate(features, shown, level=0.8)
    for one in made.pages:
        assert 0 <= one.value < math.inf
        if n >= 4:
            assert 0 <= one.low <= one.high < math.inf
    assert 0 <= made.mean.value < math.inf


def test_the_order_of_pages_changes_nothing() -> None:
    features, true = drawn(40, seed=12)
    order = np.random.default_rng(1).permutation(40)
    turned = Features(
        tuple(features.page_ids[at] for at in order.tolist()), features.names,
        features.values[order],
    )  # fmt: skip
    one, other = calibrate(features, first(true, 15)), calibrate(turned, first(true, 15))
    told = {page.page_id: (page.value, page.low, page.high) for page in other.pages}
    for page in one.pages:
        assert told[page.page_id] == pytest.approx((page.value, page.low, page.high))


def test_many_pages_are_predicted_in_parts_that_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    features, true = drawn(300, seed=13)
    whole = ends(calibrate(features, first(true, 20)))
    monkeypatch.setattr("htreval_core.audit.calibration._CELLS_AT_ONCE", 50)
    np.testing.assert_allclose(ends(calibrate(features, first(true, 20))), whole)


def test_coverage_counts_what_a_loop_over_splits_counts() -> None:
    features, true = drawn(30, seed=14)
    found = check_coverage(features, true, splits=7, seed=3)
    assert (found.n_calibration, found.n_held_out) == (20, 10)
    rng = np.random.default_rng(3)
    inputs, _ = _inputs(features)
    values = np.array(list(true.values()))
    held, means, ranks, widths = 0, 0, [], []
    for _ in range(7):
        order = rng.permutation(30)
        shown = {features.page_ids[at]: true[features.page_ids[at]] for at in order[:20].tolist()}
        made = calibrate(features, shown)
        held += sum(one.low <= true[one.page_id] <= one.high for one in made.pages)
        rest = [true[one.page_id] for one in made.pages]
        means += made.mean.low <= np.mean(rest) <= made.mean.high
        ranks.append(spearmanr([one.value for one in made.pages], rest)[0])
        widths += [one.high - one.low for one in made.pages]
        learnt = _Learnt.of(inputs[order[:20]], values[order[:20]])
        assert np.all(learnt.misses >= 0)
    assert (found.held, found.means_held) == (held, means)
    assert found.spearman == pytest.approx(np.mean(ranks))
    assert found.width == pytest.approx(np.mean(widths))
    assert found.share == held / 70


def test_too_few_references_to_check_are_told_with_how_many_it_takes() -> None:
    features, true = drawn(30, seed=15)
    found = check_coverage(features, first(true, 13))
    assert "This takes 14 pages" in found.told
    assert math.isnan(found.share)
    assert check_coverage(features, first(true, 14)).told == ""


def test_values_that_are_all_the_same_lie_in_their_interval() -> None:
    features, true = drawn(30, seed=16)
    found = check_coverage(features, dict.fromkeys(true, 0.1), splits=5)
    assert found.share == 1
    assert math.isnan(found.spearman)


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=3, max_size=20))
def test_the_correlation_of_ranks_is_that_of_scipy(pairs: list[tuple[int, int]]) -> None:
    a, b = np.array(pairs, dtype=np.float64).T
    found = rank_correlation(a, b)
    if len(set(b)) == 1:
        assert math.isnan(found)
    elif len(set(a)) == 1:
        assert found == 0
    else:
        assert found == pytest.approx(spearmanr(a, b).statistic)


IDS = ("a", "b")
ONES = np.ones((2, 1))


@pytest.mark.parametrize(
    ("made", "told"),
    [
        (lambda: Features(IDS, ("x", "y"), ONES), "give a row a page"),
        (lambda: Features(("a", "a"), ("x",), ONES), "page a has two rows"),
        (lambda: Features(IDS, ("x",), np.array([[1.0], [-0.5]])), "page b: feature 'x' is -0.5"),
        (lambda: Features(IDS, ("x",), np.array([[math.inf], [1]])), "page a: feature 'x' is inf"),
        (lambda: calibrate(Features(IDS, ("x",), ONES), {}), "transcribe 9 pages or more"),
        (lambda: calibrate(Features(IDS, ("x",), ONES), {"a": math.nan}), "no page has a ref"),
        (lambda: calibrate(Features(IDS, ("x",), ONES), {"c": 0.1}), "page c has a true value but"),
        (lambda: calibrate(Features(IDS, ("x",), ONES), {"a": -0.1}), "page a: the true value"),
        (lambda: calibrate(Features(IDS, ("x",), ONES), {"a": math.inf}), "page a: the true value"),
        (lambda: calibrate(Features(IDS, ("x",), ONES), {"a": 0.1}, level=1.0), "level 1.0: give"),
        (lambda: fewest_pages(0.4), "level 0.4"),
        (lambda: check_coverage(Features(IDS, ("x",), ONES), {}, splits=0), "1 split or more"),
        (lambda: check_coverage(Features(IDS, ("x",), ONES), {}, share=1.0), "between 0 and 1"),
    ],
)  # fmt: skip
def test_input_that_makes_no_sense_is_told(made: object, told: str) -> None:
    with pytest.raises(hv.ConfigError, match=told):
        made()  # type: ignore[operator]


@pytest.mark.parametrize("system", ["misreads", "reads-across", "skips-margins"])
@pytest.mark.parametrize("value", ["bwer", "delta_wer"])
def test_intervals_hold_on_the_letter_book(
    system: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(SAMPLES.parent / "benchmarks"))
    from calibration import material

    known = material(list(hv.pair_path(SAMPLES / "letterbook").pages))[system]
    found = check_coverage(known.features, known.true[value], level=LEVEL, splits=50)
    assert found.n_held_out == 8
    assert 0.88 <= found.share <= 0.97
