"""``htreval audit``: systems compared with each other where there are no references."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from htreval_core.audits.model import ABOVE, AT_MOST, CONFIDENCE
from htreval_core.cli.data import check_output, read_settings
from htreval_core.cli.group import warn, write
from htreval_core.cli.options import (
    DATA,
    EITHER_SIDES,
    OUTPUT,
    WORK,
    Where,
    data_options,
    format_option,
    jobs_option,
    output_option,
)
from htreval_core.cli.running import ProgressLine, workers_for
from htreval_core.cli.titled import command, option
from htreval_core.errors import ConfigError

if TYPE_CHECKING:
    from htreval_core.model import Transcript
    from htreval_core.settings import Settings
    from htreval_core.sources.outputs import Outputs


def _families(
    _ctx: click.Context, _param: click.Parameter, values: tuple[str, ...]
) -> Mapping[str, str]:
    families: dict[str, str] = {}
    for value in values:
        name, separator, systems = value.partition("=")
        members = [one.strip() for one in systems.split(",") if one.strip()]
        if not separator or not name or len(members) < 2:
            raise click.BadParameter(f"{value!r}: write it as NAME=A,B with two systems or more")
        twice = [system for system in members if system in families]
        if twice:
            raise click.BadParameter(f"{twice[0]!r} is in two families; name each system once")
        families |= dict.fromkeys(members, name)
    return families


@command("audit")
@data_options(seed=True)
@option(
    DATA, "--family", "families", multiple=True, callback=_families, metavar="NAME=A,B,…",
    help="Count these systems as one voice, because they may err alike; repeatable.",
)  # fmt: skip
@option(
    WORK, "--check", "n_check", type=click.IntRange(min=0), metavar="N",
    help="Draw N pages at random for a person to check; 0 draws as many as the claim needs.",
)  # fmt: skip
@option(
    WORK, "--above", type=click.FloatRange(0, min_open=True), default=ABOVE, show_default=True,
    help="Call a page bad if its bWER is above this.",
)  # fmt: skip
@option(
    WORK, "--at-most", type=click.FloatRange(0, 1, min_open=True, max_open=True), default=AT_MOST,
    show_default=True, help="Claim that at most this share of pages is bad.",
)  # fmt: skip
@option(
    WORK, "--confidence", type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=CONFIDENCE, show_default=True, help="Claim it with this confidence.",
)  # fmt: skip
@jobs_option
@option(
    OUTPUT,
    "--drafts",
    type=click.Path(path_type=Path, file_okay=False),
    help="Write what most systems read on each page into this folder, as text.",
)
@format_option("text", "json", "csv", default="text")
@output_option("Write to a file.")
def audit_command(
    where: Where,
    families: Mapping[str, str],
    n_check: int | None,
    above: float,
    at_most: float,
    confidence: float,
    jobs: int | None,
    drafts: Path | None,
    kind: str,
    output: Path | None,
) -> None:
    """Compare systems where there are no references, and list the pages to look at first.

    --check draws pages at random. Once these have references, the same command says whether the
    claim holds that few pages are bad.
    """
    from htreval_core.audits.audit import audit, draft_pages
    from htreval_core.audits.sampling import plan
    from htreval_core.show.tables import audit_csv, audit_json, audit_text

    settings = read_settings(where)
    if settings.orders:
        raise click.UsageError(
            "rules of reading order are about references, and an audit compares systems with each "
            "other; leave out --order-rules"
        )
    found = _outputs(where, settings)
    if drafts is not None and drafts.is_dir() and any(drafts.iterdir()):
        # It may hold what the drafts are made from, or drafts that somebody has mended.
        raise ConfigError(f"--drafts {drafts}: files stand there already; name a new folder")
    unknown = sorted(set(families) - set(found.systems))
    if unknown:
        raise click.UsageError(
            f"--family: {', '.join(unknown)}: not among the systems found, "
            f"{', '.join(found.systems)}"
        )
    with workers_for(jobs, len(found.pages)) as workers:
        done = audit(
            found.pages, found.systems, settings, name=found.name, families=families,
            workers=workers, progress=ProgressLine(), n_pages=len(found.pages),
            warnings=found.warnings,
        )  # fmt: skip
        if drafts is not None:
            of_pages = draft_pages(found.pages, settings, families=families, workers=workers)
            _write_drafts(of_pages, drafts)
    warn((*done.warnings, *(failure.warning for failure in done.failures)))
    if kind == "csv":
        write(audit_csv(done), output, signature=done.signature)
        return
    made = None
    if n_check is not None:
        made = plan(
            done, n_pages=n_check or None, seed=settings.seed, above=above, at_most=at_most,
            confidence=confidence,
        )  # fmt: skip
    write((audit_json if kind == "json" else audit_text)(done, made), output)


def _outputs(where: Where, settings: Settings) -> Outputs:
    from htreval_core.sources.outputs import find_outputs, find_source_outputs

    if where.path is not None and not where.outputs and where.reference is None:
        found = find_outputs(where.path, settings.reading)
    elif where.path is None and where.outputs:
        found = find_source_outputs(where.outputs, where.reference, settings.reading)
    else:
        raise click.UsageError(EITHER_SIDES)
    check_output(where.named, (file for page in found.pages for _, file in page.files))
    return found.only(where.systems) if where.systems else found


def _write_drafts(drafts: Iterable[tuple[str, Transcript]], folder: Path) -> None:
    for page_id, draft in drafts:
        *above, name = [part for part in page_id.split("/") if part not in ("", ".", "..")]
        place = folder.joinpath(*above)
        place.mkdir(parents=True, exist_ok=True)
        write(draft.text + "\n", place / f"{name}.txt")
