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
from benchmarks.findings import check_findings, fit_line
from benchmarks.reproduce import PARTS
from htreval_core.lab.experiments import (
    EXPERIMENTS,
    Faults,
    Point,
    experiment_signature,
    run_experiment,
    spread_points,
)
from htreval_core.lab.experiments.run import TRUTH
from htreval_core.lab.experiments.theory import nsfd_of_splits, nsfd_of_swaps
from htreval_core.metrics.page import match_again
from htreval_core.scoring.workers import Processes
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
    return {name: run(name, letterbook, repeats=2) for name in EXPERIMENTS}


@pytest.mark.parametrize("name", ["noise-words", "swaps", "splits", "gamma"])
def test_what_the_paper_found_holds_on_the_letterbook(
    name: str, points: dict[str, list[Point]]
) -> None:
    findings = check_findings(name, points[name])
    # How far γ = 100 takes hWER depends on how far words were moved; these pages are long.
    required = findings[:2] if name == "gamma" else findings
    assert required
    assert all(finding.holds for finding in required), required


def test_order_errors_go_with_nsfd_on_the_letterbook(points: dict[str, list[Point]]) -> None:
    (finding,) = check_findings("correlation", [*chain.from_iterable(map(points.get, PARTS))])
    assert finding.holds, finding


@pytest.mark.parametrize("name", ["noise-words", "swaps", "gamma"])
def test_what_the_paper_found_holds_on_iam(name: str, iamdb: Path) -> None:
    pages = hv.pair_path(iamdb).pages[::6]
    findings = check_findings(name, run(name, pages, repeats=1))
    assert all(finding.holds for finding in findings), findings


def test_points_have_the_counts_of_scored_pages(letterbook: Pages) -> None:
    """A value of 0 is the page itself; any other is what ``score`` says of the same texts."""
    clean = replace(EXPERIMENTS["noise-words"], values=(0.0,))
    (point,) = run_experiment(clean, letterbook, repeats=1)
    corpus = hv.score(
        [replace(page, hypotheses={"same": page.reference}) for page in letterbook]
    ).corpora["same"]
    assert set(point.values) == set(hv.METRICS)
    for name, estimate in corpus.estimates.items():
        # A page wrapped or stripped of blank lines has other lines; none of them is diagnosed.
        if name not in ("line_wer", "order_cost"):
            assert point.counts[name] == (estimate.errors, estimate.length), name
            assert point.values[name] == estimate.value, name


def test_every_fault_asked_for_is_in_the_record(points: dict[str, list[Point]]) -> None:
    for point in points["swaps"]:
        assert point.truth["wanted"] == 24 * point.x
        assert point.truth["made"] <= point.truth["wanted"]
    for point in points["noise-lines"]:
        if point.x:
            rate = point.truth["edits"] / point.truth["characters"]
            assert rate == pytest.approx(point.x, rel=0.1)
            assert point.theory["cer"] == point.x
            assert point.theory["wer"] > point.x


def test_values_of_gamma_share_their_hypotheses(points: dict[str, list[Point]]) -> None:
    """What γ does not touch is the same at every γ; what it touches is what scoring anew says."""
    for repeat in range(2):
        of_repeat = [point for point in points["gamma"] if point.repeat == repeat]
        assert len({point.counts["wer"] for point in of_repeat}) == 1
        assert len({point.counts["nsfd"] for point in of_repeat}) > 5


class Asked:
    """Counts how often it is asked whether to stop."""

    times = 0

    def __call__(self) -> bool:
        self.times += 1
        return False


def test_cancelling_is_asked_for_between_few_pages(letterbook: Pages) -> None:
    once = replace(EXPERIMENTS["swaps"], values=(2,))
    points = run_experiment(once, letterbook, repeats=1, cancelled=(asked := Asked()))
    assert len(list(points)) == 1
    assert asked.times == 2


def test_matching_again_is_scoring_again(letterbook: Pages) -> None:
    page = letterbook[2]
    texts = (page.reference, page.hypotheses["reads-across"])
    scored = hv.score_page(*texts)
    settings = [hv.Settings(gamma=gamma) for gamma in ("0", "0.1", "5", "100")]
    settings.append(hv.PRESETS["authors"].settings)
    again = [one.scores for one in match_again(scored, settings)]
    assert again == [hv.score_page(*texts, one).scores for one in settings]


def pools() -> Iterator[Processes]:
    with Processes(2) as processes:
        yield processes
    with Threads(3) as threads:
        yield threads


def test_the_points_do_not_depend_on_who_runs_it(letterbook: Pages) -> None:
    experiment = EXPERIMENTS["swaps"]
    pages = letterbook[:6]
    alone = list(map(repr, run_experiment(experiment, pages, repeats=2)))
    for workers in pools():
        together = run_experiment(experiment, pages, repeats=2, workers=workers)
        assert list(map(repr, together)) == alone
    other = run_experiment(experiment, pages, repeats=2, seed=1)
    assert list(map(repr, other)) != alone


def test_points_come_while_the_experiment_runs_and_stop_when_cancelled(letterbook: Pages) -> None:
    experiment = EXPERIMENTS["splits"]
    seen: list[Point] = []
    for point in run_experiment(
        experiment, letterbook[:2], repeats=2, cancelled=lambda: len(seen) >= 9
    ):
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


def test_fit_and_spread() -> None:
    fit = fit_line([0, 1, 2, 3], [1, 3, 5, 7])
    assert fit is not None
    assert (fit.slope, fit.intercept, fit.r) == pytest.approx((2, 1, 1))
    assert fit_line([1, 2], [1, 2]) is None
    assert fit_line([1, 1, 1], [1, 2, 3]) is None
    # Spread is over repeats.
    points = [
        Point("swaps", x, repeat, 1, {"wer": (0, 0)}, {"wer": value}, truth=dict.fromkeys(TRUTH, 0))
        for x, repeat, value in ((1, 0, 0.2), (0, 0, 0.0), (1, 1, 0.4), (0, 1, math.nan))
    ]
    zero, one = spread_points(points, "wer")
    assert (zero.x, zero.n) == (0, 1)
    assert (one.mean, one.low, one.high, one.n) == (pytest.approx(0.3), 0.2, 0.4, 2)


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


def test_the_signature_pins_an_experiment() -> None:
    experiment = replace(EXPERIMENTS["swaps"], values=(0, 2))
    signatures = {
        experiment_signature(experiment, hv.Settings()),
        experiment_signature(experiment, hv.Settings(gamma=2)),
        experiment_signature(experiment, hv.Settings(), seed=1),
        experiment_signature(experiment, hv.Settings(), repeats=3),
        experiment_signature(replace(experiment, values=(0, 3)), hv.Settings()),
        experiment_signature(replace(experiment, faults=Faults(splits=2)), hv.Settings()),
    }
    assert len(signatures) == 6


def test_pages_without_reference_are_left_out(letterbook: Pages) -> None:
    blank = hv.Page.from_text("blank", "\n", {"a": "x"})
    once = replace(EXPERIMENTS["swaps"], values=(1,))
    (point,) = run_experiment(once, [blank, *letterbook[:2]], repeats=1)
    assert point.n_pages == 2
    with pytest.raises(hv.ConfigError, match="words"):
        list(run_experiment(once, [blank]))


def test_names_are_keys() -> None:
    assert [experiment.name for experiment in EXPERIMENTS.values()] == list(EXPERIMENTS)
    assert all(experiment.question.endswith("?") for experiment in EXPERIMENTS.values())
