"""``htreval orders``: what order costs at least, and which conventions the data follow."""

from __future__ import annotations

from pathlib import Path

import click

from htreval_core.cli.data import find_data, scored, with_metrics
from htreval_core.cli.group import write
from htreval_core.cli.options import (
    OUTPUT,
    Where,
    data_options,
    format_option,
    jobs_option,
    output_option,
)
from htreval_core.cli.running import ProgressLine, workers_for
from htreval_core.cli.titled import command, option


@command("orders")
@data_options()
@jobs_option
@format_option("text", "json", default="text")
@option(
    OUTPUT,
    "--rules",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write the proposed rules to this file, for --order-rules.",
)
@output_option("Write to a file.")
def orders_command(
    where: Where, jobs: int | None, kind: str, rules: Path | None, output: Path | None
) -> None:
    """Show what order costs in the best order that each page allows, and propose rules for it."""
    from htreval_core.scoring.conventions import learn_conventions
    from htreval_core.settings import orders_toml
    from htreval_core.show.tables import orders_json, orders_text

    study = with_metrics(scored(find_data(where), jobs), ["delta_wer_admissible"], jobs)
    with workers_for(jobs, study.dataset.n_pages) as workers:
        found = learn_conventions(study, workers=workers, progress=ProgressLine())
    if rules is not None:
        write(orders_toml(found.proposed), rules)
    write((orders_json if kind == "json" else orders_text)(study, found), output)
