"""``htreval diagnose`` and ``htreval ladder``: why pages are bad, what each switch is worth."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from htreval_core.cli.group import warn, write
from htreval_core.cli.options import (
    Given,
    Systems,
    data_options,
    metric_names,
    read_given,
)
from htreval_core.errors import ConfigError

if TYPE_CHECKING:
    from htreval_core.model import Page


@click.command("diagnose")
@data_options
@click.option("--page", "page_id", help="Only this page.")
@click.option("--format", "kind", type=click.Choice(["text", "json"]), default="text")
def diagnose_command(
    path: Path | None,
    reference: Path | None,
    systems: Systems,
    reference_suffix: str | None,
    hypothesis_suffix: str | None,
    page_id: str | None,
    kind: str,
    **text: Any,
) -> None:
    """Say why pages are bad: layout failures, named, with what each costs."""
    from htreval_core.diagnosis import diagnose, suspect_references, take_census
    from htreval_core.scoring.score import score
    from htreval_core.show.tables import diagnosis_json, diagnosis_text

    given = read_given(path, reference, systems, reference_suffix, hypothesis_suffix, text)
    warn(given.dataset.warnings)
    stored = given.evaluation
    pages: Iterable[Page]
    if stored and page_id is None:
        pages, evaluation = stored.pages.values(), stored
    else:
        pages = _pages(given, page_id)
        evaluation = score(pages, given.settings)
    found = diagnose(evaluation)
    census = take_census(found)
    of_all = [page for of_system in found.values() for page in of_system]
    content = (diagnosis_json if kind == "json" else diagnosis_text)(
        evaluation.signature, of_all, census, suspect_references(pages, found)
    )
    write(content, None)


def _pages(given: Given, page_id: str | None) -> list[Page]:
    """The pages to look at: all, or one under the systems that were chosen."""
    if given.evaluation and page_id is not None:
        found = [given.evaluation.pages[page_id]] if page_id in given.evaluation.pages else []
    else:
        found = [page for page in given.dataset.pages if page_id in (None, page.page_id)]
    if not found:
        raise ConfigError(f"--page {page_id}: there is no such page; see htreval pairs")
    wanted = given.dataset.systems
    return [
        replace(page, hypotheses={n: t for n, t in page.hypotheses.items() if n in wanted})
        for page in found
    ]


@click.command("ladder")
@data_options
@click.option("--metrics", callback=metric_names, metavar="A,B,…", help="Only these metrics.")
@click.option("--format", "kind", type=click.Choice(["table", "json"]), default="table")
def ladder_command(
    path: Path | None,
    reference: Path | None,
    systems: Systems,
    reference_suffix: str | None,
    hypothesis_suffix: str | None,
    metrics: tuple[str, ...] | None,
    kind: str,
    **text: Any,
) -> None:
    """Show what each switch of the text policy is worth, thrown one after another."""
    from htreval_core.scoring.ladder import score_ladder
    from htreval_core.show.tables import ladder_json, ladder_table

    given = read_given(path, reference, systems, reference_suffix, hypothesis_suffix, text)
    settings = given.settings
    mapping, policy = settings.policy.mapping, replace(settings.policy, mapping=())
    settings = replace(settings, policy=policy)
    warn(given.dataset.warnings)
    rungs = score_ladder(given.dataset.pages, settings, mapping=mapping)
    chosen = metrics or ("wer", "bwer", "delta_wer", "cer")
    write(
        ladder_json(rungs, chosen, settings) if kind == "json" else ladder_table(rungs, chosen),
        None,
    )
