"""``htreval report``: an evaluation as one file for people without this program."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from htreval_core.cli.group import warn, write
from htreval_core.cli.options import (
    Systems,
    data_options,
    read_given,
)
from htreval_core.cli.running import ProgressLine, pool_for, score_dataset


@click.command("report")
@data_options
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(path_type=Path, dir_okay=False),
    help="The HTML file to write.",
)
@click.option(
    "--pages",
    "wanted",
    default="worst:20",
    show_default=True,
    metavar="worst:N|all|ID,…",
    help="Pages shown in full.",
)
@click.option("--systems", "names", metavar="A,B,…", help="Only these of the systems found.")
@click.option("--title", help="The name of the data [default: that of the path]")
@click.option("--jobs", type=click.IntRange(min=1), help="Processes [default: as many as pay]")
def report_command(
    path: Path | None,
    reference: Path | None,
    systems: Systems,
    reference_suffix: str | None,
    hypothesis_suffix: str | None,
    output: Path,
    wanted: str,
    names: str | None,
    title: str | None,
    jobs: int | None,
    **text: Any,
) -> None:
    """Write a report as one HTML file that opens offline and prints well.

    It has the results with intervals, what each layout failure costs, the systems compared, the
    pages ranked, and the chosen pages in full. worst:N counts pages of all systems together.
    """
    from htreval_core.diagnosis import diagnose
    from htreval_core.show.html import choose_readings, report_html
    from htreval_core.show.tables.values import plain

    if names is not None:
        picked = [name.strip() for name in names.split(",") if name.strip()]
        if path is None or systems or not picked:
            raise click.UsageError("--systems: beside PATH alone, names with commas between")
        systems = dict.fromkeys(picked)
    given = read_given(path, reference, systems, reference_suffix, hypothesis_suffix, text)
    dataset = given.dataset
    warn(dataset.warnings)
    evaluation = given.evaluation or score_dataset(dataset, given.settings, jobs)
    choose_readings(evaluation, wanted)
    with pool_for(jobs, len(evaluation.pages)) as executor:
        diagnoses = diagnose(evaluation, executor=executor)
    content = report_html(
        evaluation,
        title=title or dataset.name,
        pages=wanted,
        warnings=dataset.warnings,
        unpaired=dataset.unpaired,
        diagnoses=diagnoses,
        progress=ProgressLine(),
    )
    write(content, output)
    size = len(content.encode("utf-8", "backslashreplace")) / 1e6
    click.echo(f"{plain(str(output))}: {size:.1f} MB, opens in any browser", err=True)
