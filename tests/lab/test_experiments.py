"""The paper's experiments: what they find, and that they find it whoever runs them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import replace
from itertools import chain
from pathlib import Path

import pytest

import htreval_core as hv
from htreval_core.lab.experiments import (
    COLUMNS,
    EXPERIMENTS,
    Faults,
    Point,
    check_findings,
    experiment_signature,
    fit_growth,
    fit_line,
    order_points,
    points_frame,
    run_experiment,
    spread_points,
)
from htreval_core.lab.experiments.theory import nsfd_of_splits, nsfd_of_swaps
from htreval_core.metrics.page import match_again
from htreval_core.scoring.workers import Processes, Workers
from tests.conftest import SAMPLES
from tests.tools import Threads

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("experiments")]
Pages = tuple[hv.Page, ...]


@pytest.fixture(scope="module")
def letterbook() -> Pages:
    return hv.pair_path(SAMPLES / "letterbook").pages


def run(name: str, pages: Pages, **more: object) -> list[Point]:
    return list(run_experiment(EXPERIMENTS[name], pages, **more))


@pytest.fixture(scope="module")
def points(letterbook: Pages) -> dict[str, list[Point]]:
    """Two repeats of everything on the whole letter-book, with seed 0."""
    return {name: run(name, letterbook, repeats=2) for name in ("correlation", "gamma")}


def part(points: dict[str, list[Point]], name: str) -> list[Point]:
    return [point for point in chain.from_iterable(points.values()) if point.experiment == name]


@pytest.mark.parametrize("name", ["noise-words", "swaps", "splits", "gamma"])
def test_what_the_paper_found_holds_on_the_letterbook(
    name: str, points: dict[str, list[Point]]
) -> None:
    findings = check_findings(name, part(points, name))
    # How far γ = 100 takes hWER depends on how far words were moved; these pages are long.
    required = findings[:2] if name == "gamma" else findings
    assert required
    assert all(finding.holds for finding in required), required


def test_order_errors_go_with_nsfd_on_the_letterbook(points: dict[str, list[Point]]) -> None:
    (finding,) = check_findings("correlation", points["correlation"])
    assert finding.holds, finding


@pytest.mark.parametrize("name", ["noise-words", "swaps", "gamma"])
def test_what_the_paper_found_holds_on_iam(name: str, iamdb: Path) -> None:
    pages = hv.pair_path(iamdb).pages[::6]
    findings = check_findings(name, run(name, pages, repeats=1))
    assert all(finding.holds for finding in findings), findings


def test_points_have_the_counts_of_scored_pages(letterbook: Pages) -> None:
    """A value of 0 is the page itself; any other is what ``score`` says of the same texts."""
    clean = replace(EXPERIMENTS["noise-words"], values=(0.0,), repeats=1)
    (point,) = run_experiment(clean, letterbook)
    corpus = hv.score(
        [replace(page, hypotheses={"same": page.reference}) for page in letterbook]
    ).corpora["same"]
    assert set(point.values) == set(hv.METRICS)
    for name, estimate in corpus.estimates.items():
        # A page wrapped or stripped of blank lines has other lines; none of them is diagnosed.
        if name not in ("line_wer", "line_nsfd", "order_cost", "preference"):
            assert point.counts[name] == (estimate.errors, estimate.length), name
            assert point.values[name] == estimate.value, name


def test_every_fault_asked_for_is_in_the_record(points: dict[str, list[Point]]) -> None:
    for point in part(points, "swaps"):
        assert point.truth["wanted"] == 24 * point.x
        assert point.truth["made"] <= point.truth["wanted"]
    for point in part(points, "noise-lines"):
        if point.x:
            rate = point.truth["edits"] / point.truth["characters"]
            assert rate == pytest.approx(point.x, rel=0.1)
            assert point.theory["cer"] == point.x
            assert point.theory["wer"] > point.x


def test_values_of_gamma_share_their_hypotheses(points: dict[str, list[Point]]) -> None:
    """What γ does not touch is the same at every γ; what it touches is what scoring anew says."""
    for repeat in range(2):
        of_repeat = [point for point in part(points, "gamma") if point.repeat == repeat]
        assert len({point.counts["wer"] for point in of_repeat}) == 1
        assert len({point.counts["nsfd"] for point in of_repeat}) > 5


class Asked:
    """Counts how often it is asked whether to stop."""

    times = 0

    def __call__(self) -> bool:
        self.times += 1
        return False


def test_cancelling_is_asked_for_between_few_pages(iamdb: Path) -> None:
    """No batch is long, so that no cancelling is late: a value of 336 pages takes several, and a
    long page at every γ is scored one γ at a time, its hypothesis the same."""
    pages = hv.pair_path(iamdb).pages
    text = "\n".join(page.reference.text for page in pages[:6])
    long = hv.Page.from_text("long", text, {"none": ""})
    sweep = replace(EXPERIMENTS["gamma"], values=(0, 1, 2, 5, 10, 20), repeats=1)
    points = list(run_experiment(sweep, [long], cancelled=(asked := Asked())))
    assert asked.times == len(points) == 6
    assert len({point.counts["wer"] for point in points}) == 1
    assert len({point.counts["nsfd"] for point in points}) > 1
    once = replace(EXPERIMENTS["swaps"], values=(2,), repeats=1)
    assert len(list(run_experiment(once, pages, cancelled=(asked := Asked())))) == 1
    assert asked.times > 1


def test_matching_again_is_scoring_again(letterbook: Pages) -> None:
    page = letterbook[2]
    texts = (page.reference, page.hypotheses["reads-across"])
    scored = hv.score_page(*texts)
    settings = [hv.Settings(gamma=gamma) for gamma in ("0", "0.1", "5", "100")]
    settings.append(hv.PRESETS["authors"].settings)
    again = [one.scores for one in match_again(scored, settings)]
    assert again == [hv.score_page(*texts, one).scores for one in settings]


def pools() -> Iterator[Workers]:
    with Processes(2) as processes:
        yield processes
    with Threads(3) as threads:
        yield threads


def test_the_table_does_not_depend_on_who_runs_it(letterbook: Pages) -> None:
    experiment = replace(EXPERIMENTS["correlation"], repeats=2)
    pages = letterbook[:6]
    alone = points_frame(run_experiment(experiment, pages))
    for workers in pools():
        together = points_frame(run_experiment(experiment, pages, workers=workers))
        assert together.to_csv() == alone.to_csv()
    other = points_frame(run_experiment(experiment, pages, seed=1))
    assert other.to_csv() != alone.to_csv()


def test_points_come_while_the_experiment_runs_and_stop_when_cancelled(letterbook: Pages) -> None:
    experiment = EXPERIMENTS["splits"]
    seen: list[Point] = []
    for point in run_experiment(experiment, letterbook[:2], cancelled=lambda: len(seen) >= 9):
        seen.append(point)
    assert len(seen) == 9
    # Every value once before any twice.
    assert [point.x for point in seen[:7]] == list(experiment.values)
    with Threads() as workers:
        assert not list(
            run_experiment(experiment, letterbook, workers=workers, cancelled=lambda: True)
        )


class Failing(Threads):
    """Every batch ran into a time-out of its own."""

    def submit(self, *_: object, **__: object) -> Future[object]:
        failed: Future[object] = Future()
        failed.set_exception(TimeoutError("of the work"))
        return failed


def test_a_batch_that_fails_fails_the_experiment(letterbook: Pages) -> None:
    with pytest.raises(TimeoutError, match="of the work"):
        list(run_experiment(EXPERIMENTS["swaps"], letterbook[:1], workers=Failing()))


def test_time_is_measured_for_each_metric(letterbook: Pages) -> None:
    experiment = replace(EXPERIMENTS["time"], values=(30, 60, 120), repeats=2)
    points = list(run_experiment(experiment, letterbook))
    assert [point.counts["wer"][1] for point in points] == [30, 60, 120] * 2
    for point in points:
        assert set(point.seconds) == set(experiment.metrics)
        assert min(point.seconds.values()) > 0
    spread = spread_points(points, "hwer", "seconds")
    assert [one.x for one in spread] == [30, 60, 120]


def test_growth_fit_and_spread() -> None:
    # Growth is the power of the larger half.
    def at(x: float, seconds: float) -> Point:
        return Point("time", x, 0, 1, {}, {}, seconds={"wer": seconds})

    points = [at(10, 5.0), at(20, 5.0), at(100, 1e-4), at(200, 4e-4), at(400, 16e-4)]
    fit = fit_growth(points, "wer")
    assert fit is not None
    assert fit.slope == pytest.approx(2)
    assert fit_growth([], "wer") is None
    # Fit.
    fit = fit_line([0, 1, 2, 3], [1, 3, 5, 7])
    assert fit is not None
    assert (fit.slope, fit.intercept, fit.r) == pytest.approx((2, 1, 1))
    assert fit_line([1, 2], [1, 2]) is None
    assert fit_line([1, 1, 1], [1, 2, 3]) is None
    # Spread is over repeats.
    points = [
        Point("swaps", x, repeat, 1, {}, {"wer": value})
        for x, repeat, value in ((1, 0, 0.2), (0, 0, 0.0), (1, 1, 0.4), (0, 1, math.nan))
    ]
    zero, one = spread_points(points, "wer")
    assert (zero.x, zero.n) == (0, 1)
    assert (one.mean, one.low, one.high, one.n) == (pytest.approx(0.3), 0.2, 0.4, 2)
    assert [(p.x, p.repeat) for p in order_points(points)] == [(0, 0), (0, 1), (1, 0), (1, 1)]


def test_expected_nsfd_of_faults_that_can_be_counted_by_hand() -> None:
    """Four lines of two words; lines 1 and 3 change places: 8 of ⌊8²/2⌋."""
    swapped = hv.score_page("a b\nc d\ne f\ng h", "e f\nc d\na b\ng h").scores
    assert swapped.nsfd_errors / swapped.nsfd_length == nsfd_of_swaps(1, 4, 2, 2)
    # A line of two words has one cut: 2, 4 and 6 places in the three cases.
    line, rest = "a b\n", "c d\ne f\ng h"
    cases = ["b\na\n" + rest, "a\nc d\nb\ne f\ng h", "b\nc d\na\ne f\ng h"]
    sums = [hv.score_page(line + rest, case).scores.nsfd_errors for case in cases]
    assert sums == [2, 4, 6]
    assert nsfd_of_splits(1, 8, 4) == pytest.approx(sum(sums) / 3 / 32)


def test_table_is_tidy_and_its_signature_pins_it(letterbook: Pages) -> None:
    experiment = replace(EXPERIMENTS["swaps"], values=(0, 2), repeats=2)
    frame = points_frame(run_experiment(experiment, letterbook[:2]))
    assert tuple(frame.columns) == COLUMNS
    assert len(frame) == 2 * 2 * len(hv.METRICS)
    signatures = {
        experiment_signature(experiment, hv.Settings()),
        experiment_signature(experiment, hv.Settings(gamma=2)),
        experiment_signature(experiment, hv.Settings(), seed=1),
        experiment_signature(experiment, hv.Settings(), repeats=3),
        experiment_signature(replace(experiment, values=(0, 3)), hv.Settings()),
        experiment_signature(replace(experiment, faults=Faults(nearest=2)), hv.Settings()),
    }
    assert len(signatures) == 6


def test_pages_without_reference_are_left_out(letterbook: Pages) -> None:
    blank = hv.Page.from_text("blank", "\n", {"a": "x"})
    once = replace(EXPERIMENTS["swaps"], values=(1,), repeats=1)
    (point,) = run_experiment(once, [blank, *letterbook[:2]])
    assert point.n_pages == 2
    with pytest.raises(hv.ConfigError, match="words"):
        list(run_experiment(once, [blank]))


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        *(("swaps", {"values": values}) for values in ((), (-1,), (math.nan,), (1.5,))),
        ("swaps", {"repeats": 0}),
        ("noise-words", {"values": (1.5,)}),
        ("time", {"values": (0,)}),
    ],
)
def test_experiments_that_make_no_sense_are_refused(name: str, wrong: dict[str, object]) -> None:
    with pytest.raises(hv.ConfigError):
        replace(EXPERIMENTS[name], **wrong)


def test_names_are_keys_and_impossible_faults_are_refused() -> None:
    assert [experiment.name for experiment in EXPERIMENTS.values()] == list(EXPERIMENTS)
    assert all(experiment.question.endswith("?") for experiment in EXPERIMENTS.values())
    for faults in ({"nearest": 5, "farthest": 2}, {"swaps": -1}, {"within_words": 2}):
        with pytest.raises(hv.ConfigError):
            Faults(**faults)
