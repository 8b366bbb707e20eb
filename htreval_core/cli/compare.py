"""``htreval compare``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import click

from htreval_core.cli.group import EXIT_THRESHOLD, say, warn, write
from htreval_core.cli.options import (
    Place,
    Systems,
    data_options,
    metric_names,
    pick_systems,
    read_given,
)
from htreval_core.cli.running import score_dataset
from htreval_core.errors import ConfigError, PairingError

if TYPE_CHECKING:
    from htreval_core.compare import Comparison, Pairwise
    from htreval_core.model import Dataset
    from htreval_core.scoring.score import Evaluation


@click.command("compare")
@data_options
@click.argument("new", required=False, type=Place())
@click.option(
    "--systems",
    "pair",
    nargs=2,
    metavar="A B",
    help="Compare B with A [default: all pairs; of two paths, systems of the same name]",
)
@click.option("--metrics", callback=metric_names, metavar="A,B,…", help="Only these metrics.")
@click.option(
    "--resamples",
    type=click.IntRange(min=1, max=100_000),
    default=10_000,
    show_default=True,
    help="Of the bootstrap and of the permutation test.",
)
@click.option("--jobs", type=click.IntRange(min=1), help="Processes [default: as many as pay]")
@click.option(
    "--format",
    "kind",
    type=click.Choice(["table", "json", "csv", "latex"]),
    default="table",
    show_default=True,
)
@click.option(
    "--fail-if-worse",
    callback=metric_names,
    metavar="METRIC,…",
    help="Exit with 1 if B is significantly worse; only these are tested unless --metrics is "
    "given.",
)
@click.option("--output", type=click.Path(path_type=Path, dir_okay=False), help="Write to a file.")
@click.pass_context
def compare_command(
    ctx: click.Context,
    /,
    path: Path | None,
    reference: Path | None,
    systems: Systems,
    reference_suffix: str | None,
    hypothesis_suffix: str | None,
    new: Path | None,
    pair: tuple[str, str] | None,
    metrics: tuple[str, ...] | None,
    resamples: int,
    jobs: int | None,
    kind: str,
    fail_if_worse: tuple[str, ...] | None,
    output: Path | None,
    **text: Any,
) -> None:
    """Say how system B differs from system A, and whether it is real.

    Differences are B − A on the pages that both have read, with paired 95 % intervals and
    permutation tests over pages. Without --systems all pairs are compared and the systems ranked.

    Given two paths, PATH and NEW, systems of NEW are compared with those of PATH: two folders or
    two run bundles with the same references, such as last week's and today's.
    """
    from htreval_core.compare import COMPARED, compare_all, compare_systems

    if new is not None:
        if path is None or reference is not None or systems:
            raise click.UsageError("give the two paths alone; --systems A B picks their systems")
        evaluation, warnings, pairs = _two_paths(path, new, pair, jobs, text)
    else:
        where = (path, reference, systems, reference_suffix, hypothesis_suffix)
        evaluation, warnings, pairs = _one_path(where, pair, jobs, text)
    warn(warnings)
    chosen = tuple(dict.fromkeys([*(metrics or fail_if_worse or COMPARED), *(fail_if_worse or ())]))
    if len(pairs) > 1 and new is None:
        if fail_if_worse:
            raise click.UsageError("--fail-if-worse compares two: name them with --systems A B")
        every = compare_all(evaluation, metrics=chosen, resamples=resamples)
        warn(every.warnings)
        write(_all_pairs(every, evaluation, kind, warnings), output)
        return
    found = [
        compare_systems(evaluation, *one, metrics=chosen, resamples=resamples) for one in pairs
    ]
    warn(dict.fromkeys(warning for one in found for warning in one.warnings))
    write(_pairs(found, kind, warnings), output)
    if _any_worse(found, fail_if_worse or ()):
        ctx.exit(EXIT_THRESHOLD)


Found: TypeAlias = "tuple[Evaluation, tuple[str, ...], list[tuple[str, str]]]"
"""What to compare, the warnings of reading, and which pairs."""


def _one_path(
    where: tuple[Path | None, Path | None, Systems, str | None, str | None],
    pair: tuple[str, str] | None,
    jobs: int | None,
    text: Mapping[str, Any],
) -> Found:
    given = read_given(*where, text)
    dataset = given.dataset
    _check(pair or (), dataset)
    if pair:
        wanted = tuple(dict.fromkeys(pair))
        if given.evaluation is None:
            dataset = pick_systems(dataset, wanted)
    elif len(dataset.systems) < 2:
        raise PairingError(
            f"only one system was found, {', '.join(dataset.systems)}: comparing takes the output "
            "of two"
        )
    evaluation = given.evaluation or score_dataset(dataset, given.settings, jobs)
    return evaluation, dataset.warnings, [pair] if pair else [*combinations(dataset.systems, 2)]


def _two_paths(
    old: Path, new: Path, pair: tuple[str, str] | None, jobs: int | None, text: Mapping[str, Any]
) -> Found:
    from htreval_core.compare import join_evaluations

    sides = [read_given(one, None, {}, None, None, text) for one in (old, new)]
    a, b = (side.dataset for side in sides)
    if pair:
        _check(pair[:1], a)
        _check(pair[1:], b)
        pairs = [pair]
    elif len(a.systems) == len(b.systems) == 1:
        pairs = [(a.systems[0], b.systems[0])]
    else:
        pairs = [(name, name) for name in a.systems if name in b.systems]
        if not pairs:
            raise ConfigError(
                f"no system of {old} ({', '.join(a.systems)}) is called as one of {new} "
                f"({', '.join(b.systems)}); name them with --systems A B"
            )
    names = (old.name, new.name) if old.name != new.name else (str(old), str(new))
    if names[0] == names[1]:
        names = ("old", "new")
    scored = [side.evaluation or score_dataset(side.dataset, side.settings, jobs) for side in sides]
    joined = join_evaluations(scored[0], scored[1], pairs, names)
    return joined.evaluation, (*a.warnings, *b.warnings, *joined.warnings), list(joined.pairs)


def _check(wanted: Sequence[str], dataset: Dataset) -> None:
    for name in wanted:
        if name not in dataset.systems:
            raise ConfigError(
                f"--systems {name}: not among the systems found, {', '.join(dataset.systems)}"
            )


def _pairs(found: Sequence[Comparison], kind: str, warnings: Sequence[str]) -> str:
    from htreval_core.show.tables import comparison as report

    if kind == "csv":
        return report.comparison_csv(found)
    if kind == "json":
        if len(found) > 1:
            return report.comparisons_json(found, warnings=warnings)
        return report.comparison_json(found[0], warnings=warnings)
    made = report.comparison_latex if kind == "latex" else report.comparison_table
    return "\n".join(map(made, found))


def _all_pairs(every: Pairwise, evaluation: Evaluation, kind: str, warnings: Sequence[str]) -> str:
    from htreval_core.show.tables import comparison as report

    if kind == "json":
        return report.pairwise_json(every, warnings=warnings)
    if kind == "csv":
        return report.comparison_csv(list(every.pairs.values()), every)
    if kind == "latex":
        return report.pairwise_latex(every, evaluation)
    return report.pairwise_table(every, evaluation)


def _any_worse(found: Sequence[Comparison], metrics: Sequence[str]) -> bool:
    """Whether any B is significantly worse, with a message for each metric in which it is."""
    failed = False
    for comparison in found:
        for name in metrics:
            one = comparison.metrics[name]
            if one.significant and one.b_is_better is False:
                failed = True
                say(
                    "Worse",
                    f"{name} of {comparison.systems[1]} is {one.b:.4f}, {one.difference:+.4f} "
                    f"against {comparison.systems[0]} (p {one.p_holm:.4f})",
                )
    return failed
