"""``htreval score``."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import click

from htreval_core.cli.bundle import score_into
from htreval_core.cli.group import EXIT_DATA, EXIT_THRESHOLD, warn, write
from htreval_core.cli.options import (
    SUFFIX,
    Systems,
    data_options,
    metric_names,
    read_given,
    say,
)
from htreval_core.cli.running import score_dataset


def _thresholds(
    _ctx: click.Context, _param: click.Parameter, values: tuple[str, ...]
) -> dict[str, float]:
    from htreval_core.metrics.catalog import METRICS

    limits: dict[str, float] = {}
    for value in values:
        name, separator, limit = value.partition("=")
        if not separator or name not in METRICS:
            raise click.BadParameter(f"{value!r}: write it as METRIC=FRACTION, such as wer=0.2")
        if name in limits:
            raise click.BadParameter(f"{value!r}: {name} has a limit already; give one")
        try:
            limits[name] = float(limit)
        except ValueError:
            raise click.BadParameter(f"{value!r}: {limit!r} is no number") from None
        if METRICS[name].higher_is_better:
            raise click.BadParameter(
                f"{value!r}: of {name} more is better, so nothing fails above; limit an error "
                "rate, such as wer"
            )
        if not math.isfinite(limits[name]):
            raise click.BadParameter(f"{value!r}: nothing can be above {limit!r}")
    return limits


@click.command("score")
@data_options
@click.option("--metrics", callback=metric_names, metavar="A,B,…", help="Only these metrics.")
@click.option("--jobs", type=click.IntRange(min=1), help="Processes [default: as many as pay]")
@click.option(
    "--format",
    "kind",
    type=click.Choice(["table", "json", "csv"]),
    default="table",
    show_default=True,
)
@click.option(
    "--output",
    type=click.Path(path_type=Path),
    help="Write to a file; or with a name that ends in .htreval, a run bundle with all counts and "
    "texts, which a run that was stopped goes on with.",
)
@click.option("--scheduler", metavar="ADDRESS", help="Score on a Dask cluster; takes a bundle.")
@click.option("--thumbnails", is_flag=True, help="Keep small page images in the bundle.")
@click.option("--overwrite", is_flag=True, help="Drop another run that the bundle holds.")
@click.option(
    "--fail-above",
    multiple=True,
    callback=_thresholds,
    metavar="METRIC=FRACTION",
    help="Exit with 1 if a system's corpus value is above; may be given several times.",
)
@click.option("--strict", is_flag=True, help="Exit with 3 if there was any warning.")
@click.pass_context
def score_command(
    ctx: click.Context,
    /,
    path: Path | None,
    reference: Path | None,
    systems: Systems,
    reference_suffix: str | None,
    hypothesis_suffix: str | None,
    metrics: tuple[str, ...] | None,
    jobs: int | None,
    kind: str,
    output: Path | None,
    scheduler: str | None,
    thumbnails: bool,
    overwrite: bool,
    fail_above: dict[str, float],
    strict: bool,
    **text: Any,
) -> None:
    """Score PATH, or --reference against one or more --system.

    PATH is a folder or zip archive whose pairing is recognised: 1.ref beside 1.hyp, or a folder
    "reference" beside a folder for each system. Or it is a run bundle, NAME.htreval.
    """
    from htreval_core.report import (
        TABLE_METRICS,
        evaluation_csv,
        evaluation_json,
        evaluation_table,
    )

    where = (path, reference, systems, reference_suffix, hypothesis_suffix)
    if output is not None and output.suffix == SUFFIX:
        given = score_into(
            output, where, text, jobs=jobs, scheduler=scheduler, overwrite=overwrite,
            thumbnails=thumbnails,
        )  # fmt: skip
        output = None
    elif scheduler or thumbnails or overwrite:
        raise click.UsageError(
            f"--scheduler, --thumbnails and --overwrite go with --output NAME{SUFFIX}"
        )
    else:
        given = read_given(*where, text)
    dataset = given.dataset
    warn(dataset.warnings)
    evaluation = given.evaluation or score_dataset(dataset, given.settings, jobs)
    if kind == "json":
        chosen = {"metrics": metrics} if metrics else {}
        content = evaluation_json(
            evaluation, unpaired=dataset.unpaired, warnings=dataset.warnings, **chosen
        )
    elif kind == "csv":
        content = evaluation_csv(evaluation, metrics) if metrics else evaluation_csv(evaluation)
    else:
        content = evaluation_table(evaluation, metrics or TABLE_METRICS)
    write(content, output)
    failed = False
    for name, limit in fail_above.items():
        for system, corpus in evaluation.corpora.items():
            value = corpus.estimates[name].value
            if math.isnan(value):
                failed = True
                say("Not below the threshold", f"{name} of {system} is undefined")
            elif value > limit:
                failed = True
                say("Above the threshold", f"{name} of {system} is {value:.4f} > {limit:g}")
    if strict and dataset.warnings:
        ctx.exit(EXIT_DATA)
    if failed:
        ctx.exit(EXIT_THRESHOLD)
