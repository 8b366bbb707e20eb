"""``htreval audit``: systems compared with each other where there are no references."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from htreval_core.cli.data import check_output, pick_systems, read_settings
from htreval_core.cli.group import warn, write
from htreval_core.cli.options import (
    DATA,
    EITHER_SIDES,
    Where,
    data_options,
    format_option,
    jobs_option,
    output_option,
    told,
)
from htreval_core.cli.running import ProgressLine, workers_for
from htreval_core.cli.titled import command

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
        twice = [system for system in members if system in families]
        if twice:
            raise click.BadParameter(f"{twice[0]!r} is in two families; name each system once")
        families |= dict.fromkeys(members, name)
    return families


@command("audit")
@data_options(paired=False)
@told(DATA, "--family", "families", multiple=True, callback=_families)
@jobs_option
@format_option("text", "json", "csv", default="text")
@output_option("Write to a file.")
def audit_command(
    where: Where, families: Mapping[str, str], jobs: int | None, kind: str, output: Path | None
) -> None:
    """Compare systems where there are no references, and list the pages to look at first."""
    from htreval_core.audits.audit import audit
    from htreval_core.show.tables import audit_csv, audit_json, audit_text

    settings = read_settings(where)
    if settings.orders:
        raise click.UsageError(
            "rules of reading order are about references, and an audit compares systems with each "
            "other; leave out --order-rules"
        )
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
    if kind == "csv":
        write(audit_csv(done), output, signature=done.signature)
        return
    write((audit_json if kind == "json" else audit_text)(done), output)


def _outputs(where: Where, settings: Settings) -> Outputs:
    from htreval_core.sources.outputs import find_outputs, find_source_outputs

    if where.path is not None and not where.outputs and where.reference is None:
        found = find_outputs(where.path, settings.reading)
    elif where.path is None and where.outputs and where.reference is None:
        found = find_source_outputs(where.outputs, settings.reading)
    else:
        raise click.UsageError(EITHER_SIDES)
    check_output(where.named, (file for page in found.pages for _, file in page.files))
    return found.only(pick_systems(found.systems, where.systems))
