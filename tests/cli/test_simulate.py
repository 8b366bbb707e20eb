"""``htreval simulate``: what it writes, and that it can be repeated and interrupted."""

from __future__ import annotations

import csv
from collections import defaultdict
from functools import partial
from pathlib import Path

import pytest

import htreval_core as hv
import htreval_core.lab.experiments
from htreval_core.cli.simulate import NAMES
from htreval_core.lab.experiments import EXPERIMENTS, run_experiment, spread_points
from tests.conftest import SAMPLES
from tests.tools import invoke

SEITE = SAMPLES / "seite0418"
run = partial(invoke, "simulate")


def simulate(folder: Path, name: str, *more: str) -> list[dict[str, str]]:
    result = run(name, SEITE, "--output", folder, *more)
    assert result.exit_code == 0, result.stderr
    with (folder / f"{name}.csv").open(encoding="utf-8", newline="") as table:
        return list(csv.DictReader(table))


def test_the_command_knows_every_experiment() -> None:
    assert tuple(EXPERIMENTS) == NAMES


def test_the_table_says_what_the_engine_says(tmp_path: Path) -> None:
    rows = simulate(tmp_path / "new" / "folder", "splits", "--repeats", "2")
    points = list(run_experiment(EXPERIMENTS["splits"], hv.pair_path(SEITE).pages, repeats=2))
    by_x = defaultdict(list)
    for row in rows:
        if row["metric"] == "nsfd":
            by_x[float(row["x"])].append(float(row["value"]))
    spreads = spread_points(points, "nsfd")
    assert {x: sum(of_x) / len(of_x) for x, of_x in by_x.items()} == {
        one.x: one.mean for one in spreads
    }
    beside = tmp_path / "new" / "folder" / "splits.csv.signature.txt"
    assert "repeats:2|seed:0" in beside.read_text("utf-8")


@pytest.mark.slow
def test_same_seed_same_table_with_any_number_of_processes(tmp_path: Path) -> None:
    tables = [
        (simulate(tmp_path / name, "swaps", "--repeats", "2", *more), name)
        for name, more in (
            ("one", ("--jobs", "1")),
            ("two", ("--jobs", "2")),
            ("other", ("--seed", "7")),
        )
    ]
    (one, _), (two, _), (other, _) = tables
    assert one == two
    assert one != other


def test_the_figure_stands_alone(tmp_path: Path) -> None:
    result = run("gamma", SEITE, "--output", tmp_path, "--repeats", "1")
    assert result.exit_code == 0
    assert "γ" in result.stdout
    page = (tmp_path / "gamma.html").read_text("utf-8")
    assert "plotly" in page
    assert '<script src="http' not in page


@pytest.mark.parametrize(
    "wrong", [("nothing",), ("swaps", "--seed", "-1"), ("swaps", "--repeats", "0")]
)
def test_wrong_usage_says_so(wrong: tuple[str, ...], tmp_path: Path) -> None:
    name, *more = wrong
    result = run(name, SEITE, "--output", tmp_path / "out", *more)
    assert result.exit_code == 2
    assert result.stderr
    assert not list(tmp_path.rglob("*.csv"))


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    result = run("swaps", SEITE, "--output", tmp_path / "file" / "out")
    assert result.exit_code == 2
    assert "out" in result.stderr


def test_ctrl_c_exits_with_130_and_writes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*arguments: object, **named: object) -> object:
        yield next(run_experiment(EXPERIMENTS["swaps"], hv.pair_path(SEITE).pages, repeats=1))
        raise KeyboardInterrupt

    monkeypatch.setattr(htreval_core.lab.experiments, "run_experiment", interrupted)
    result = run("swaps", SEITE, "--output", tmp_path)
    assert result.exit_code == 130
    assert not list(tmp_path.iterdir())
