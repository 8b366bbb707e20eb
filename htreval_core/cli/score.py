"""``htreval score``."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from htreval_core.cli.bundle import score_into, tell_bundle
from htreval_core.cli.data import find_data, find_facets, scored, scored_and_diagnosed, with_metrics
from htreval_core.cli.group import EXIT_DATA, EXIT_THRESHOLD, say, write
from htreval_core.cli.options import (
    MORE_PAGES,
    OUTPUT,
    WORK,
    Where,
    all_pages_option,
    data_options,
    format_option,
    jobs_option,
    metrics_option,
    output_option,
    told,
)
from htreval_core.cli.titled import command
from htreval_core.run.names import SUFFIX
from htreval_core.settings import settings_toml

if TYPE_CHECKING:
    from htreval_core.run.manifest import Shard
    from htreval_core.scoring.facets import FacetRow
    from htreval_core.scoring.study import Study

CHECKS = "Checks"
_NO_FRACTION = 5
"""An error rate of 500 % is one that nobody wants to be told of: per cent were meant."""

FORMATS = ("table", "json", "csv", "parquet", "markdown", "latex")


def _shard(_ctx: click.Context, _param: click.Parameter, value: str | None) -> Shard | None:
    if value is None:
        return None
    from htreval_core.run.manifest import Shard

    if found := re.fullmatch(r"(\d{1,9})/(\d{1,9})", value, re.ASCII):
        return Shard(int(found[1]), int(found[2]))
    raise click.BadParameter(f"{value!r}: write it as NUMBER/OF, such as 3/20")


def _thresholds(
    _ctx: click.Context, _param: click.Parameter, values: tuple[str, ...]
) -> dict[str, float]:
    from htreval_core.metrics.catalog import METRICS

    limits: dict[str, float] = {}
    for value in values:
        name, separator, limit = value.partition("=")
        if not separator or name not in METRICS:
            raise click.BadParameter(f"{value!r}: write it as METRIC=FRACTION, such as wer=0.2")
        if name in limits:
            raise click.BadParameter(f"{value!r}: {name} has a limit already; give only one")
        try:
            limits[name] = float(limit)
        except ValueError:
            raise click.BadParameter(f"{value!r}: {limit!r} is not a number") from None
        if METRICS[name].higher_is_better:
            raise click.BadParameter(
                f"{value!r}: a higher {name} is better, so no value is too high; limit an error "
                "rate, such as wer"
            )
        if not math.isfinite(limits[name]):
            raise click.BadParameter(f"{value!r}: nothing can be above {limit!r}")
        if limits[name] >= _NO_FRACTION:
            raise click.BadParameter(
                f"{value!r} is {100 * limits[name]:,g} %; a limit is a fraction: write "
                f"{name}={limits[name] / 100:g} for {limits[name]:g} %"
            )
    return limits


@command("score")
@data_options(seed=True)
@all_pages_option
@jobs_option
@told(WORK, "--shard", callback=_shard, rare=True)
@metrics_option
@format_option(
    *FORMATS, default="table",
    text="Write in this format. csv and parquet have a row per system, page and metric.",
)  # fmt: skip
@output_option(
    "Write to a file. A name that ends in .htreval makes a run bundle with all counts and texts, "
    "from which a stopped run can resume.",
    folder=True,
)
@told(OUTPUT, "--thumbnails", is_flag=True, rare=True)
@told(OUTPUT, "--overwrite", is_flag=True)
@told(OUTPUT, "--by", multiple=True)
@told(OUTPUT, "--save-settings", type=click.Path(path_type=Path, dir_okay=False))
@told(CHECKS, "--fail-above", multiple=True, callback=_thresholds)
@told(CHECKS, "--strict", is_flag=True)
@click.pass_context
def score_command(
    ctx: click.Context, /, where: Where, all_pages: bool, jobs: int | None, shard: Shard | None,
    metrics: tuple[str, ...] | None, kind: str, output: Path | None, thumbnails: bool,
    overwrite: bool, by: tuple[str, ...], save_settings: Path | None, fail_above: dict[str, float],
    strict: bool,
) -> None:  # fmt: skip
    """Score PATH, or --reference against one or more --system.

    If systems have read different pages, corpus values and --fail-above use the pages that all of
    them have read.

    PATH is a run bundle (NAME.htreval), or a folder or zip archive whose pairing is recognised:
    1.ref beside 1.hyp, or a folder "reference" beside a folder for each system.
    """
    from htreval_core.metrics.catalog import TABLE_METRICS
    from htreval_core.show.tables import facets_table, study_table

    shown = by or fail_above or metrics or strict or save_settings or kind != "table"
    if shard and (shown or thumbnails or all_pages or where.cluster):
        raise click.UsageError("--shard scores, and shows nothing: show the merged bundle")
    if kind == "parquet" and output is None:
        raise click.UsageError("--format parquet takes --output")
    if by and kind not in ("table", "json"):
        raise click.UsageError("--by goes with --format table or json")
    is_stored = output is not None and output.suffix == SUFFIX
    # Whoever scores into a bundle may have very many pages, and diagnoses them from there.
    diagnoses = None
    if output is not None and is_stored:
        study = score_into(
            output, where, jobs=jobs, overwrite=overwrite, thumbnails=thumbnails, shard=shard
        )
        if study is None:
            return
        tell_bundle(study)
        output = None
    elif thumbnails or overwrite or shard:
        raise click.UsageError(
            f"--shard, --thumbnails and --overwrite go with --output NAME{SUFFIX}"
        )
    elif kind == "table" and not metrics:
        study, diagnoses = scored_and_diagnosed(find_data(where), jobs, conventions=False)
    else:
        study = scored(find_data(where), jobs)
    if save_settings is not None:
        write(settings_toml(study.settings), save_settings)
    study = with_metrics(study, (*(metrics or ()), *fail_above), jobs)
    if kind == "parquet" and output is not None:
        from htreval_core.show.tables.study import study_parquet

        write(study_parquet(study, metrics), output)
    elif kind == "table":
        study = study.with_parts(diagnoses) if diagnoses and not metrics else study
        made = study_table(
            study, metrics, diagnoses=None if metrics else diagnoses, all_pages=all_pages,
            way_out=MORE_PAGES,
        )  # fmt: skip
        if rows := _by_facets(where, study, by, all_pages):
            made += f"\n{facets_table(rows, metrics or TABLE_METRICS)}"
        write(made, output)
    else:
        rows = _by_facets(where, study, by, all_pages)
        content = _content(kind, study, metrics, all_pages, rows)
        write(content, output, signature=study.signature if kind == "csv" else "")
    failed = _above(study if all_pages else study.on_common_pages(), fail_above)
    for one in failed:
        say("Above the threshold", one)
    if strict and study.warnings:
        ctx.exit(EXIT_DATA)
    if failed:
        ctx.exit(EXIT_THRESHOLD)


def _above(study: Study, limits: Mapping[str, float]) -> list[str]:
    """What is above its limit, or undefined: nobody knows that it is not."""
    values = [(name, system, corpus.estimates[name].value)
              for name in limits for system, corpus in study.corpora.items()]  # fmt: skip
    return [
        f"{name} of {system} is "
        + ("undefined" if math.isnan(value) else f"{value:.6g} > {limits[name]:g}")
        for name, system, value in values
        if not value <= limits[name]
    ]


def _content(
    kind: str, study: Study, metrics: tuple[str, ...] | None, all_pages: bool,
    rows: Sequence[FacetRow] = (),
) -> str | Iterator[str]:  # fmt: skip
    from htreval_core.metrics.catalog import TABLE_METRICS
    from htreval_core.show import tables as report
    from htreval_core.show.tables.results import results_latex, results_markdown

    if kind == "json":
        return report.study_json_pieces(study, metrics=metrics, all_pages=all_pages, facets=rows)
    if kind == "csv":
        return report.study_csv_pieces(study, metrics)
    if kind in ("latex", "markdown"):
        write_results = results_latex if kind == "latex" else results_markdown
        few = metrics or TABLE_METRICS
        from htreval_core.compare import compare_all

        corpus = study if all_pages else study.on_common_pages()
        # Which system is best can only be said where systems share pages.
        tested = compare_all(corpus, metrics=few) if corpus.shares_pages else None
        return write_results(study, tested, few, all_pages=all_pages)
    raise ValueError(f"the format {kind} cannot be written")


def _by_facets(
    where: Where, study: Study, by: tuple[str, ...], all_pages: bool
) -> Sequence[FacetRow]:
    """Corpus values by facet, on the pages whose values are shown."""
    if not by:
        return ()
    from htreval_core.scoring.facets import score_facets

    found = find_facets(where, study.page_ids)
    names = [part for one in by for part in ([one] if one in found.names else one.split(","))]
    return score_facets(study if all_pages else study.on_common_pages(), found, names)
