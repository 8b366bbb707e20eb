"""``htreval pairs`` and ``htreval text``: what files would be scored, and as what."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from htreval_core.cli.data import find_reading, read_policy, read_settings
from htreval_core.cli.group import EXIT_DATA, fail, warn, write
from htreval_core.cli.options import (
    OUTPUT,
    Where,
    data_options,
    format_option,
    output_option,
    reading_options,
)
from htreval_core.cli.titled import command, option
from htreval_core.errors import ReadError
from htreval_core.settings import ReadPolicy, read_settings_file

if TYPE_CHECKING:
    from htreval_core.model import DataWarning, Transcript


@command("pairs")
@data_options(counting=False)
@format_option("text", "json", default="text")
@output_option("Write to a file.")
def pairs_command(where: Where, kind: str, output: Path | None) -> None:
    """Show which files would be paired into pages, by which rule, and what is left over."""
    from htreval_core.show.tables import pairing_json, pairing_table

    pairing = find_reading(where, read_settings(where)).pairing
    warn(pairing.warnings)
    write(pairing_json(pairing) if kind == "json" else pairing_table(pairing), output)


@command("text")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@reading_options
@option(
    OUTPUT, "--show-markup", is_flag=True,
    help="Show what is taken off, and by which rule, between ⟦ and ⟧.",
)  # fmt: skip
@output_option("Write to a file.")
@click.pass_context
def text_command(
    ctx: click.Context, /, files: tuple[Path, ...], show_markup: bool, output: Path | None,
    **reading: Any,
) -> None:  # fmt: skip
    """Print FILES as the scorer sees them: lines in reading order; warnings on stderr."""
    file = reading.pop("settings")
    policy = read_policy(read_settings_file(file).reading if file else ReadPolicy(), reading)
    if show_markup:
        _show_markup(ctx, files, policy, output)
        return
    found: list[Transcript] = []
    warnings: list[DataWarning] = []
    failed = False
    for file in files:
        try:
            transcript = _as_scored(file, policy)
        except ReadError as error:
            failed = True
            fail(error)
            continue
        found.append(transcript)
        warnings += transcript.warnings
    warn(warnings)
    write("".join(f"{line.text}\n" for one in found for line in one.lines), output)
    if failed:
        ctx.exit(EXIT_DATA)


def _as_scored(file: Path, policy: ReadPolicy) -> Transcript:
    """The lines of a file; of many pages in one file those of all of them."""
    from htreval_core.model import DataWarning, Line, Transcript, WarningKind
    from htreval_core.sources.readers.table import as_text
    from htreval_core.sources.sides import decoded_pages
    from htreval_core.sources.transcripts import read_kind

    kind, transcript = read_kind(file, policy)
    if kind != "text":
        return transcript
    text = "\n".join(line.text for line in transcript.lines)
    pages = decoded_pages(as_text(str(file), text), replace(policy, encoding=None))
    if pages is None:
        return transcript
    lines = [
        Line(line)
        for (page,) in pages.values()
        for line in page.read().decode("utf-8", "surrogatepass").split("\n")
    ]
    note = DataWarning(str(file), WarningKind.DECODED)
    return Transcript(tuple(lines), warnings=(note,))


def _show_markup(
    ctx: click.Context, files: tuple[Path, ...], policy: ReadPolicy, output: Path | None
) -> None:
    from htreval_core.show.tables import markup_text
    from htreval_core.sources.transcripts import read_marked

    found = []
    for file in files:
        try:
            found.append((str(file), read_marked(file, policy)))
        except ReadError as error:
            fail(error)
    write(markup_text(found, policy.markup), output)
    if len(found) < len(files):
        ctx.exit(EXIT_DATA)
