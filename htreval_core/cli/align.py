"""``htreval align``: which word was read as which."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from htreval_core.cli.group import warn, write
from htreval_core.cli.options import Systems, data_options, read_given
from htreval_core.errors import ConfigError

if TYPE_CHECKING:
    from htreval_core.cli.options import Given
    from htreval_core.metrics.page import ScoredPage


@click.command("align")
@data_options
@click.option("--page", "page_ids", multiple=True, help="Only this page; several times.")
@click.option(
    "--view",
    type=click.Choice(["trace", "matching", "both"]),
    default="both",
    show_default=True,
    help="The alignment behind WER, or the matching behind hWER and NSFD.",
)
@click.option(
    "--format", "kind", type=click.Choice(["csv", "json"]), default="csv", show_default=True
)
@click.option("--output", type=click.Path(path_type=Path, dir_okay=False), help="Write to a file.")
def align_command(
    path: Path | None,
    reference: Path | None,
    systems: Systems,
    reference_suffix: str | None,
    hypothesis_suffix: str | None,
    page_ids: tuple[str, ...],
    view: str,
    kind: str,
    output: Path | None,
    **text: Any,
) -> None:
    """Write which reference word was read as which, pair by pair."""
    from htreval_core.show.tables.aligned import VIEWS, aligned_csv, aligned_json

    given = read_given(path, reference, systems, reference_suffix, hypothesis_suffix, text)
    warn(given.dataset.warnings)
    views = tuple(one for one in VIEWS if view in (one, "both"))
    made = aligned_json if kind == "json" else aligned_csv
    signature = given.evaluation.signature if given.evaluation else given.settings.signature()
    write(made(_pages(given, page_ids), signature, views), output)


def _pages(given: Given, wanted: tuple[str, ...]) -> Iterator[ScoredPage]:
    from htreval_core.scoring.score import score_page

    pages = given.evaluation.pages.values() if given.evaluation else given.dataset.pages
    known = {page.page_id for page in pages}
    for page_id in wanted:
        if page_id not in known:
            raise ConfigError(f"--page {page_id}: there is no such page; see htreval pairs")
    for page in pages:
        if wanted and page.page_id not in wanted:
            continue
        for system in given.dataset.systems:
            if system in page.hypotheses:
                yield score_page(
                    page.reference,
                    page.hypotheses[system],
                    given.settings,
                    page_id=page.page_id,
                    system=system,
                )
