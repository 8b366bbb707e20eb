"""Scoring from the shell into a run bundle."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from htreval_core.cli.data import find_data
from htreval_core.cli.group import heeding_sigterm, say, warn
from htreval_core.cli.options import OUTPUT, Where, output_option
from htreval_core.cli.running import ProgressLine, frugally, workers_for
from htreval_core.cli.titled import command, option

if TYPE_CHECKING:
    from htreval_core.run.manifest import Shard
    from htreval_core.scoring.study import Study


def score_into(
    output: Path, where: Where, *, jobs: int | None, overwrite: bool, thumbnails: bool = False,
    shard: Shard | None = None,
) -> Study | None:  # fmt: skip
    """Score what the arguments name into a bundle, and open it; a shard does not open."""
    # Before the libraries are loaded and the folder is listed: somebody is waiting.
    click.echo("Looking for pages", err=True)
    line = ProgressLine(after=0)
    from htreval_core.run.write import score_run, write_run

    frugally()
    if where.fits or where.cluster:
        raise click.UsageError(
            "--where and --cluster say what is shown; give them when the bundle is read"
        )
    found = find_data(where)
    data, settings = found.data, found.settings
    line(0, data.n_pages)
    try:
        n_pages = data.n_pages // (shard.of if shard else 1)
        with heeding_sigterm(), workers_for(jobs, n_pages) as workers:
            if shard:
                write_run(
                    data, output, settings, workers=workers, progress=line, overwrite=overwrite,
                    shard=shard,
                )  # fmt: skip
                return None
            return score_run(
                data, output, settings, workers=workers, progress=line, overwrite=overwrite,
                thumbnails=thumbnails,
            )  # fmt: skip
    except KeyboardInterrupt:
        if sys.stderr.isatty():
            click.echo("", err=True)
        from htreval_core.show.tables.values import plain

        where_to = plain(str(output))
        click.echo(f"{where_to}: the same command will go on where this run stopped", err=True)
        raise


@command("merge")
@click.argument("shards", nargs=-1, required=True, type=click.Path(path_type=Path))
@output_option("Write the run bundle NAME.htreval.", required=True, file=False, folder=True)
@option(OUTPUT, "--overwrite", is_flag=True, help="Replace another run that the bundle holds.")
def merge_command(shards: tuple[Path, ...], output: Path, overwrite: bool) -> None:
    """Join SHARDS, all that score --shard has written of some data, into a run bundle."""
    from htreval_core.run.merge import merge_shards

    frugally()
    with heeding_sigterm():
        tell_bundle(merge_shards(shards, output, overwrite=overwrite))


def tell_bundle(study: Study) -> None:
    """What is to be known of a bundle, on stderr."""
    from htreval_core.show.telling.warnings import tell_unread

    for one in tell_unread(study):
        say("Warning", one)
    warn(study.warnings)
