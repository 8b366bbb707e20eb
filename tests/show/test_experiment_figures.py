"""The figures of the experiments draw what the points say, from the first point on."""

from __future__ import annotations

from dataclasses import replace

import pytest

import htreval_core as hv
from htreval_core.lab.experiments import EXPERIMENTS, Point, run_experiment, spread_points
from htreval_core.show.plotly import figure_experiment
from tests.conftest import SAMPLES

pytestmark = pytest.mark.xdist_group("experiments")
SHORT = {
    "swaps": (0, 2, 4),
    "noise-words": (0.0, 0.1),
}


@pytest.fixture(scope="module")
def points() -> dict[str, list[Point]]:
    pages = hv.pair_path(SAMPLES / "letterbook").pages[:3]
    return {
        name: list(run_experiment(replace(EXPERIMENTS[name], values=xs), pages, repeats=2))
        for name, xs in SHORT.items()
    }


@pytest.mark.parametrize("name", SHORT)
def test_every_experiment_has_a_figure_at_every_moment(
    name: str, points: dict[str, list[Point]]
) -> None:
    for some in ([], points[name][:1], points[name]):
        figure = figure_experiment(EXPERIMENTS[name], some)
        # What Plotly does not know it refuses when the figure is built; this reads it once.
        assert figure.to_plotly_json()["layout"]["xaxis"]["title"]["text"]


def traces(name: str, points: list[Point]) -> dict[str, object]:
    figure = figure_experiment(EXPERIMENTS[name], points)
    return {trace.name: trace for trace in figure.data if trace.name}


def test_curves_are_the_means_and_theory_is_dashed(points: dict[str, list[Point]]) -> None:
    drawn = traces("swaps", points["swaps"])
    for metric, label in (("wer", "WER"), ("nsfd", "NSFD")):
        means = [100 * one.mean for one in spread_points(points["swaps"], metric)]
        assert list(drawn[label].y) == means
    expected = drawn["expected NSFD"]
    assert expected.line.dash == "dash"
    assert list(expected.y) == [
        100 * one.mean for one in spread_points(points["swaps"], "nsfd", "theory")
    ]
    noise = traces("noise-words", points["noise-words"])
    assert list(noise["WER"].x) == [0, 10]
    assert list(noise["tCER, as misread"].y) == [0, 10]


def test_metrics_are_told_apart_without_colour(points: dict[str, list[Point]]) -> None:
    drawn = traces("swaps", points["swaps"])
    looks = [(drawn[label].marker.symbol) for label in ("WER", "bWER", "hWER", "NSFD")]
    assert len(set(looks)) == 4
