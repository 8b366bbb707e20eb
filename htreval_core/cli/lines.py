"""``htreval lines``: which lines have most errors."""

from pathlib import Path

import click

from htreval_core.cli.data import find_data, scored
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


@command("lines")
@data_options()
@jobs_option
@option(
    OUTPUT, "--most", type=click.IntRange(min=1), default=20, show_default=True, metavar="N",
    help="Write this many lines.",
)  # fmt: skip
@format_option("text", "csv", default="text")
@output_option("Write to a file.")
def lines_command(
    where: Where, jobs: int | None, most: int, kind: str, output: Path | None
) -> None:
    """List the lines with most errors, and what each system wrote for them.

    Errors of all chosen systems count together; text that stands elsewhere is no error here.
    """
    from htreval_core.show.tables import lines_csv, lines_text
    from htreval_core.words.lines import worst_lines

    study = scored(find_data(where), jobs)
    with workers_for(jobs, study.dataset.n_pages) as workers:
        found = worst_lines(study, at_most=most, workers=workers, progress=ProgressLine())
    if kind == "csv":
        write(lines_csv(found), output, signature=study.signature)
    else:
        write(lines_text(found), output)
