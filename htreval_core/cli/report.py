"""``htreval report``: a study as one file for people without this program."""

from pathlib import Path

import click

from htreval_core.cli.data import find_data, scored_and_diagnosed
from htreval_core.cli.group import warn, write
from htreval_core.cli.options import (
    OUTPUT,
    Where,
    all_pages_option,
    data_options,
    jobs_option,
    output_option,
)
from htreval_core.cli.titled import command, option


@command("report")
@data_options(seed=True)
@all_pages_option
@jobs_option
@option(OUTPUT, "--title", help="Title of the report [default: the name of the data].")
@output_option("Write this HTML file.", required=True)
def report_command(
    where: Where, all_pages: bool, jobs: int | None, title: str | None, output: Path
) -> None:
    """Write a report as one HTML file that opens offline and prints well.

    It has the results with intervals, what each layout fault costs, the systems compared, the
    pages ranked, and the marks beside the data. The pages themselves: htreval site.
    """
    from htreval_core.run.mark_files import beside, read_folder
    from htreval_core.run.marks import standing
    from htreval_core.show.html import report_html
    from htreval_core.show.tables.values import plain

    first = next(iter(where.named), None)
    found, warnings = read_folder(beside(first)) if isinstance(first, Path) else ([], ())
    warn(warnings)
    study, diagnoses = scored_and_diagnosed(find_data(where), jobs)
    content = report_html(
        study, title=title, diagnoses=diagnoses, all_pages=all_pages, marks=standing(found)
    )
    write(content, output)
    size = len(content.encode("utf-8", "backslashreplace")) / 1e6
    click.echo(f"{plain(str(output))}: {size:.1f} MB, opens in any browser", err=True)
