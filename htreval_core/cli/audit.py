"""``htreval audit``: systems compared with each other where there are no references."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from htreval_core.cli.data import read_settings
from htreval_core.cli.group import warn, write
from htreval_core.cli.options import (
    DATA,
    EITHER_SIDES,
    OUTPUT,
    Where,
    data_options,
    format_option,
    jobs_option,
    output_option,
)
from htreval_core.cli.running import ProgressLine, workers_for
from htreval_core.cli.titled import command, option

if TYPE_CHECKING:
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
        families |= dict.fromkeys(members, name)
    return families


@command("audit")
@data_options()
@option(
    DATA,
    "--family",
    "families",
    multiple=True,
    callback=_families,
    metavar="NAME=A,B,…",
    help="Take these systems for one voice, as they may err alike; several times.",
)
@jobs_option
@option(
    OUTPUT,
    "--drafts",
    type=click.Path(path_type=Path, file_okay=False),
    help="Write what most systems read on each page to this folder, as PAGE XML and as text.",
)
@format_option("text", "json", "csv", default="text")
@output_option("Write to a file.")
def audit_command(
    where: Where,
    families: Mapping[str, str],
    jobs: int | None,
    drafts: Path | None,
    kind: str,
    output: Path | None,
) -> None:
    """Say which pages to look at where there are no references, by comparing systems."""
    from htreval_core.audit.audit import audit
    from htreval_core.show.tables import audit_csv, audit_json, audit_text

    settings = read_settings(where)
    found = _outputs(where, settings)
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
    warn((*done.warnings, *(failure.warning for failure in done.failures)))
    if drafts is not None:
        _write_drafts(found, settings, families, drafts)
    tables = {"text": audit_text, "json": audit_json, "csv": audit_csv}
    write(tables[kind](done), output)


def _outputs(where: Where, settings: Settings) -> Outputs:
    from htreval_core.sources.outputs import find_outputs, find_source_outputs

    if where.path is not None and not where.outputs and where.reference is None:
        found = find_outputs(where.path, settings.reading)
    elif where.path is None and where.outputs:
        found = find_source_outputs(where.outputs, where.reference, settings.reading)
    else:
        raise click.UsageError(EITHER_SIDES)
    return found.only(where.systems) if where.systems else found


def _write_drafts(
    found: Outputs, settings: Settings, families: Mapping[str, str], folder: Path
) -> None:
    """The draft of every page, one by one."""
    from htreval_core.audit.audit import draft_page
    from htreval_core.audit.consensus import draft_pagexml

    folder.mkdir(parents=True, exist_ok=True)
    for item in found.pages:
        page, _ = item.read()
        if page is None or not page.hypotheses:
            continue
        draft = draft_page(page, settings, families)
        name = page.page_id.replace("/", "_")
        write(draft_pagexml(draft), folder / f"{name}.xml")
        write(draft.transcript.text + "\n", folder / f"{name}.txt")
