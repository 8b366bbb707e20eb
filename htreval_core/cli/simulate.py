"""``htreval simulate``: the paper's experiments on any data."""

from __future__ import annotations

from contextlib import closing
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from htreval_core.cli.data import read_study
from htreval_core.cli.group import warn, write
from htreval_core.cli.options import OUTPUT, Where, data_options, jobs_option, output_option
from htreval_core.cli.running import ProgressLine, workers_for
from htreval_core.cli.titled import command, option
from htreval_core.errors import not_written

if TYPE_CHECKING:
    from collections.abc import Sequence

    from htreval_core.lab.experiments import Experiment, Point
    from htreval_core.model import Page
    from htreval_core.settings import Settings

EXPERIMENT = "Experiment"

NAMES = ("noise-words", "noise-lines", "swaps", "splits", "gamma", "time", "correlation")
"""The experiments; written out so that asking for help loads none of them."""


def _numbers(
    _ctx: click.Context, _param: click.Parameter, value: str | None
) -> tuple[float, ...] | None:
    try:
        return tuple(float(part) for part in value.split(",")) if value is not None else None
    except ValueError:
        raise click.BadParameter(f"{value!r}: write numbers with commas, such as 0,1,2") from None


def _faults(
    _ctx: click.Context, _param: click.Parameter, values: tuple[str, ...]
) -> dict[str, Any]:
    from htreval_core.lab.experiments import Faults

    whole = {"swaps", "splits", "nearest", "farthest"}
    known = [entry.name for entry in fields(Faults)]
    faults: dict[str, Any] = {}
    for value in values:
        name, _, text = value.partition("=")
        try:
            if name not in known:
                raise ValueError
            faults[name] = int(text) if name in whole else float(text)
        except ValueError:
            raise click.BadParameter(
                f"{value!r}: write it as NAME=NUMBER, the name any of {', '.join(known)}"
            ) from None
    return faults


@command("simulate")
@click.argument("experiment", type=click.Choice(NAMES), metavar="EXPERIMENT")
@data_options(seed=True)
@option(
    EXPERIMENT,
    "--repeats",
    type=click.IntRange(min=1),
    metavar="N",
    help="Repeat every value N times [default: 10; time 3].",
)
@option(
    EXPERIMENT,
    "--values",
    callback=_numbers,
    metavar="A,B,…",
    help="Use these values instead; write rates as 0.1.",
)
@option(
    EXPERIMENT,
    "--fault",
    "faults",
    multiple=True,
    callback=_faults,
    metavar="NAME=NUMBER",
    help="Change another property of the faults, such as nearest=2; repeatable.",
)
@jobs_option
@option(OUTPUT, "--picture/--no-picture", default=True, help="Write the picture as a web page.")
@output_option(
    "Write the table, the summary and the picture into this folder.",
    required=True,
    file=False,
    folder=True,
)
def simulate_command(
    experiment: str,
    where: Where,
    repeats: int | None,
    values: tuple[float, ...] | None,
    faults: dict[str, Any],
    jobs: int | None,
    picture: bool,
    output: Path,
) -> None:
    """Run one of the paper's experiments on the references of PATH.

    EXPERIMENT is noise-words, noise-lines, swaps, splits, gamma, time or correlation. Writes
    EXPERIMENT.csv (a row per value, repeat and metric), .json (means and findings) and .html.
    """
    from htreval_core.lab.experiments import EXPERIMENTS, experiment_signature
    from htreval_core.show.tables import experiment_csv, experiment_json, experiment_text

    chosen = _varied(EXPERIMENTS[experiment], repeats, values, faults)
    study = read_study(where)
    settings = study.settings
    warn(study.dataset.warnings)
    try:
        output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise not_written(output, error, "cannot be made") from None
    points = _run(chosen, study.dataset.pages, settings, jobs)
    signature = experiment_signature(chosen, settings, seed=settings.seed)
    write(experiment_csv(points), output / f"{experiment}.csv", signature=signature)
    write(experiment_json(chosen, points, signature), output / f"{experiment}.json")
    if picture:
        write(_web_page(chosen, points, signature), output / f"{experiment}.html")
    write(experiment_text(chosen, points), None)


def _varied(
    experiment: Experiment,
    repeats: int | None,
    values: tuple[float, ...] | None,
    faults: dict[str, Any],
) -> Experiment:
    """The experiment with other values, faults or repeats; faults reach all of its parts."""
    if values is not None and experiment.parts:
        raise click.UsageError("--values: the parts of this experiment each have their own")
    if repeats is not None:
        experiment = replace(experiment, repeats=repeats)
    if faults:
        parts = tuple(
            replace(part, faults=replace(part.faults, **faults)) for part in experiment.parts
        )
        of_all = replace(experiment.faults, **faults)
        experiment = replace(experiment, faults=of_all, parts=parts)
    return experiment if values is None else replace(experiment, values=values)


def _run(
    experiment: Experiment, pages: Sequence[Page], settings: Settings, jobs: int | None
) -> list[Point]:
    from htreval_core.lab.experiments import run_experiment

    parts = experiment.parts or (experiment,)
    total = experiment.repeats * sum(len(part.values) for part in parts)
    progress = ProgressLine("points")
    points: list[Point] = []
    # Time is measured in this process alone.
    work = 0 if experiment.varies == "words" else total * len(pages)
    with (
        workers_for(jobs, work) as workers,
        closing(
            run_experiment(experiment, pages, settings, seed=settings.seed, workers=workers)
        ) as running,
    ):
        for point in running:
            points.append(point)
            progress(len(points), total)
    return points


def _web_page(experiment: Experiment, points: Sequence[Point], signature: str) -> str:
    """The picture by itself, with all that it needs, for any browser without a network."""
    from htreval_core.show.plotly import figure_experiment

    figure = figure_experiment(experiment, points)
    figure.update_layout(
        title={"text": f"{experiment.title}<br><sub>{experiment.question}</sub>"},
        margin={"t": 130, "b": 60},
        height=620,
        paper_bgcolor="#ffffff",
        meta={"signature": signature},
    )
    return str(figure.to_html(include_plotlyjs=True))
