"""Scoring from the shell into a run bundle."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import click

from htreval_core.cli.group import heeding_sigterm
from htreval_core.cli.options import (
    Given,
    Systems,
    find_pairing,
    is_bundle,
    pick_paired,
    pick_systems,
    read_settings,
)
from htreval_core.cli.running import PAGES_PER_PROCESS, ProgressLine

if TYPE_CHECKING:
    from htreval_core.model import Page
    from htreval_core.run import Origin
    from htreval_core.scoring.workers import Workers
    from htreval_core.settings import Settings

Where: TypeAlias = tuple[Path | None, Path | None, Systems, str | None, str | None]
"""PATH, --reference, --system, --reference-suffix and --hypothesis-suffix."""


def score_into(
    output: Path,
    where: Where,
    text: Mapping[str, Any],
    *,
    jobs: int | None,
    scheduler: str | None,
    overwrite: bool,
    thumbnails: bool,
) -> Given:
    """Score what the arguments name into a bundle, and open it."""
    # Before the libraries are loaded and the folder is listed: somebody is waiting.
    click.echo("Looking for pages", err=True)
    line = ProgressLine(after=0)
    from htreval_core.run import open_run, score_run

    pages, origin, settings, total = _pages(where, text)
    line(0, total)
    try:
        with heeding_sigterm(), _workers(scheduler, jobs, total) as workers:
            score_run(
                pages, output, settings, origin,
                workers=workers, progress=lambda done: line(done, total), overwrite=overwrite,
                thumbnails=thumbnails,
            )  # fmt: skip
    except KeyboardInterrupt:
        if sys.stderr.isatty():
            click.echo("", err=True)
        from htreval_core.show.tables.values import plain

        where_to = plain(str(output))
        click.echo(f"{where_to}: the same command goes on where this run has stopped", err=True)
        raise
    run = open_run(output)
    return Given(run.dataset, settings, run.evaluation)


def _pages(where: Where, text: Mapping[str, Any]) -> tuple[Iterator[Page], Origin, Settings, int]:
    from htreval_core.run import Origin, open_run, read_origin

    path, reference, systems, *_ = where
    if path is not None and is_bundle(path):
        run = open_run(path)
        settings = read_settings(base=run.manifest.settings, **text)
        dataset = pick_systems(run.dataset, tuple(systems)) if systems else run.dataset
        origin = Origin(
            dataset.name, dataset.systems, dataset.rule, dataset.unpaired, dataset.warnings,
            dataset.images, lambda: run.manifest.sources,
        )  # fmt: skip
        return iter(dataset.pages), origin, settings, len(dataset.pages)
    settings = read_settings(**text)
    pairing = find_pairing(*where, settings.reading)
    if path is not None and systems:
        pairing = pick_paired(pairing, tuple(systems))
    named = [one for one in (path, reference, *systems.values()) if one is not None]
    pages, origin = read_origin(pairing, settings.reading, named)
    return pages, origin, settings, len(pairing.pages)


def _workers(
    scheduler: str | None, jobs: int | None, n_pages: int
) -> AbstractContextManager[Workers | None]:
    """The cluster, or as many processes as asked for or as pay."""
    if scheduler and jobs:
        raise click.UsageError("give --scheduler or --jobs, not both")
    if scheduler:
        from htreval_core.scoring.workers import Cluster

        return Cluster(scheduler)
    wanted = jobs or max(1, min(os.cpu_count() or 1, n_pages // PAGES_PER_PROCESS))
    if wanted == 1:
        return nullcontext()
    from htreval_core.scoring.workers import Processes

    return Processes(wanted)
