"""``htreval diagnose`` and ``htreval ladder``: why pages are bad, what each switch is worth."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from htreval_core.cli.group import warn, write
from htreval_core.cli.options import (
    Systems,
    data_options,
    metric_names,
    read_dataset,
    read_settings,
)
from htreval_core.errors import ConfigError


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
    from htreval_core.report import diagnosis_json, diagnosis_text
    from htreval_core.score import score

    settings = read_settings(**text)
    dataset = read_dataset(
        path, reference, systems, reference_suffix, hypothesis_suffix, settings.reading
    )
    warn(dataset.warnings)
    pages = [page for page in dataset.pages if page_id in (None, page.page_id)]
    if not pages:
        raise ConfigError(f"--page {page_id}: there is no such page; see htreval pairs")
    evaluation = score(pages, settings)
    found = diagnose(evaluation)
    census = take_census(found)
    of_all = [page for of_system in found.values() for page in of_system]
    content = (diagnosis_json if kind == "json" else diagnosis_text)(
        evaluation.signature, of_all, census, suspect_references(pages, found)
    )
    write(content, None)


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
    from htreval_core.ladder import score_ladder
    from htreval_core.report import ladder_json, ladder_table

    settings = read_settings(**text)
    mapping, policy = settings.policy.mapping, replace(settings.policy, mapping=())
    settings = replace(settings, policy=policy)
    dataset = read_dataset(
        path, reference, systems, reference_suffix, hypothesis_suffix, settings.reading
    )
    warn(dataset.warnings)
    rungs = score_ladder(dataset.pages, settings, mapping=mapping)
    chosen = metrics or ("wer", "bwer", "delta_wer", "cer")
    write(
        ladder_json(rungs, chosen, settings) if kind == "json" else ladder_table(rungs, chosen),
        None,
    )
