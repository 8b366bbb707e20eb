"""``htreval pairs`` and ``htreval text``: what files would be scored, and as what."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import click

from htreval_core.cli.group import EXIT_DATA, say, warn, write
from htreval_core.cli.options import (
    EITHER,
    Systems,
    data_options,
    limit_option,
    named_paths,
    read_settings,
)
from htreval_core.errors import ReadError
from htreval_core.settings import Level, Limits, Order, ReadPolicy

if TYPE_CHECKING:
    from htreval_core.model import Transcript


@click.command("pairs")
@data_options
@click.option("--format", "kind", type=click.Choice(["text", "json"]), default="text")
def pairs_command(
    path: Path | None,
    reference: Path | None,
    systems: Systems,
    reference_suffix: str | None,
    hypothesis_suffix: str | None,
    kind: str,
    **text: Any,
) -> None:
    """Show which files would be paired into pages, by which rule, and what is left over."""
    from htreval_core.show.tables import pairing_json, pairing_table
    from htreval_core.sources.pairing import find_pairs, find_source_pairs

    options: dict[str, Any] = {
        "reference_suffix": reference_suffix,
        "hypothesis_suffix": hypothesis_suffix,
        "reading": read_settings(**text).reading,
    }
    if path is not None and reference is None and not systems:
        pairing = find_pairs(path, **options)
    elif path is None and reference is not None and systems:
        pairing = find_source_pairs(reference, named_paths(systems), **options)
    else:
        raise click.UsageError(EITHER)
    warn(pairing.warnings)
    write(pairing_json(pairing) if kind == "json" else pairing_table(pairing), None)


@click.command("text")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--level", type=click.Choice(get_args(Level)), default="line", show_default=True)
@click.option("--order", type=click.Choice(get_args(Order)), default="file", show_default=True)
@click.option("--encoding", help="Of text files that are not UTF-8.")
@limit_option
@click.option("--format", "kind", type=click.Choice(["text", "json"]), default="text")
@click.pass_context
def text_command(
    ctx: click.Context,
    /,
    files: tuple[Path, ...],
    level: Level,
    order: Order,
    encoding: str | None,
    limits: Limits,
    kind: str,
) -> None:
    """Print FILES as the scorer sees them: lines in reading order; warnings on stderr."""
    from htreval_core.show.tables import transcripts_json
    from htreval_core.sources.readers import read_kind

    policy = ReadPolicy(level=level, order=order, encoding=encoding, limits=limits)
    found: list[tuple[str, str, Transcript]] = []
    failed = False
    for file in files:
        try:
            file_kind, transcript = read_kind(file, policy)
        except ReadError as error:
            failed = True
            say("Error", str(error))
            continue
        found.append((str(file), file_kind, transcript))
        warn(transcript.warnings)
    if kind == "json":
        write(transcripts_json(found), None)
    else:
        write("".join(f"{line.text}\n" for _, _, one in found for line in one.lines), None)
    if failed:
        ctx.exit(EXIT_DATA)
