"""``htreval compare``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from htreval_core.cli.group import warn, write
from htreval_core.cli.options import (
    Systems,
    data_options,
    metric_names,
    pick_systems,
    read_given,
)
from htreval_core.cli.running import score_dataset
from htreval_core.errors import ConfigError, PairingError


@click.command("compare")
@data_options
@click.option(
    "--systems",
    "pair",
    nargs=2,
    metavar="A B",
    help="Compare B with A [default: all pairs of the systems found]",
)
@click.option("--metrics", callback=metric_names, metavar="A,B,…", help="Only these metrics.")
@click.option(
    "--resamples",
    type=click.IntRange(min=1, max=100_000),
    default=10_000,
    show_default=True,
    help="Of the bootstrap and of the permutation test.",
)
@click.option("--jobs", type=click.IntRange(min=1), help="Processes [default: as many as pay]")
@click.option(
    "--format",
    "kind",
    type=click.Choice(["table", "json", "csv", "latex"]),
    default="table",
    show_default=True,
)
@click.option("--output", type=click.Path(path_type=Path, dir_okay=False), help="Write to a file.")
def compare_command(
    path: Path | None,
    reference: Path | None,
    systems: Systems,
    reference_suffix: str | None,
    hypothesis_suffix: str | None,
    pair: tuple[str, str] | None,
    metrics: tuple[str, ...] | None,
    resamples: int,
    jobs: int | None,
    kind: str,
    output: Path | None,
    **text: Any,
) -> None:
    """Say how system B differs from system A, and whether it is real.

    Differences are B − A on the pages that both have read, with paired 95 % intervals and
    permutation tests over pages. Without --systems all pairs are compared and the systems ranked.
    """
    from htreval_core.compare import COMPARED, compare_all, compare_systems
    from htreval_core.report import comparison as report

    given = read_given(path, reference, systems, reference_suffix, hypothesis_suffix, text)
    dataset = given.dataset
    warn(dataset.warnings)
    for name in pair or ():
        if name not in dataset.systems:
            raise ConfigError(
                f"--systems {name}: not among the systems found, {', '.join(dataset.systems)}"
            )
    if pair:
        wanted = tuple(dict.fromkeys(pair))
        if given.evaluation is None:
            dataset = pick_systems(dataset, wanted)
    elif len(dataset.systems) < 2:
        raise PairingError(
            f"only one system was found, {', '.join(dataset.systems)}: comparing takes the output "
            "of two"
        )
    elif len(dataset.systems) == 2:
        pair = (dataset.systems[0], dataset.systems[1])
    evaluation = given.evaluation or score_dataset(dataset, given.settings, jobs)
    chosen = metrics or COMPARED
    if pair:
        found = compare_systems(evaluation, *pair, metrics=chosen, resamples=resamples)
        warn(found.warnings)
        if kind == "json":
            content = report.comparison_json(found, warnings=dataset.warnings)
        elif kind == "csv":
            content = report.comparison_csv([found])
        elif kind == "latex":
            content = report.comparison_latex(found)
        else:
            content = report.comparison_table(found)
    else:
        every = compare_all(evaluation, metrics=chosen, resamples=resamples)
        warn(every.warnings)
        if kind == "json":
            content = report.pairwise_json(every, warnings=dataset.warnings)
        elif kind == "csv":
            content = report.comparison_csv(list(every.pairs.values()), every)
        elif kind == "latex":
            content = report.pairwise_latex(every, evaluation)
        else:
            content = report.pairwise_table(every, evaluation)
    write(content, output)
