"""``htreval simulate``: the paper's experiments on any data."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click

from htreval_core.cli.data import read_study
from htreval_core.cli.group import warn, write
from htreval_core.cli.options import Where, data_options, jobs_option, output_option
from htreval_core.cli.running import ProgressLine, workers_for
from htreval_core.cli.titled import command, option
from htreval_core.errors import not_written

if TYPE_CHECKING:
    from collections.abc import Sequence

    from htreval_core.lab.experiments import Experiment, Point

NAMES = ("noise-words", "noise-lines", "swaps", "splits", "gamma", "correlation")
"""The experiments; written out so that asking for help loads none of them."""


@command("simulate")
@click.argument("experiment", type=click.Choice(NAMES), metavar="EXPERIMENT")
@data_options(seed=True)
@option(
    "Experiment", "--repeats", type=click.IntRange(min=1), metavar="N", default=10,
    show_default=True, help="Repeat every value N times.",
)  # fmt: skip
@jobs_option
@output_option(
    "Write the table and the picture into this folder.", required=True, file=False, folder=True
)
def simulate_command(
    experiment: str, where: Where, repeats: int, jobs: int | None, output: Path
) -> None:
    """Run one of the paper's experiments on the references of PATH.

    EXPERIMENT is noise-words, noise-lines, swaps, splits, gamma or correlation. Writes
    EXPERIMENT.csv (a row per value, repeat and metric) and EXPERIMENT.html (the picture), and
    prints the means.
    """
    from htreval_core.lab.experiments import EXPERIMENTS, experiment_signature, run_experiment
    from htreval_core.show.tables import experiment_csv, experiment_text

    chosen = EXPERIMENTS[experiment]
    study = read_study(where)
    pages, settings = study.dataset.pages, study.settings
    warn(study.dataset.warnings)
    try:
        output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise not_written(output, error, "cannot be made") from None
    total = repeats * chosen.n_values
    progress = ProgressLine("points")
    points: list[Point] = []
    with (
        workers_for(jobs, total * len(pages)) as workers,
        closing(
            run_experiment(
                chosen, pages, settings, repeats=repeats, seed=settings.seed, workers=workers
            )
        ) as running,
    ):
        for point in running:
            points.append(point)
            progress(len(points), total)
    signature = experiment_signature(chosen, settings, repeats=repeats, seed=settings.seed)
    write(experiment_csv(points), output / f"{experiment}.csv", signature=signature)
    write(_web_page(chosen, points, signature), output / f"{experiment}.html")
    write(experiment_text(chosen, points), None)


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
