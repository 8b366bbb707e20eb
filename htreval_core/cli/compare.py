"""``htreval compare``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import click

from htreval_core.cli.data import find_data, pick_systems, scored, split_names, with_metrics
from htreval_core.cli.group import EXIT_THRESHOLD, say, warn, write
from htreval_core.cli.options import (
    MORE_PAGES,
    OUTPUT,
    Where,
    all_pages_option,
    data_options,
    format_option,
    jobs_option,
    metric_names,
    metrics_option,
    output_option,
    told,
)
from htreval_core.cli.titled import command
from htreval_core.errors import ConfigError, PairingError
from htreval_core.show.telling.pages import tell_pages

if TYPE_CHECKING:
    from htreval_core.compare import Comparison, Pairwise
    from htreval_core.scoring.study import Study

Pairs: TypeAlias = list[tuple[str, str]]
"""Pairs of systems, A and B."""


@command("compare")
@data_options(seed=True)
@click.argument("more", nargs=-1, metavar="[NEW | A B]")
@told("Counting", "--resamples", type=click.IntRange(1, 100_000), default=10_000, show_default=True)
@all_pages_option
@jobs_option
@metrics_option
@format_option("table", "json", "csv", "latex", default="table")
@output_option("Write to a file.")
@told(OUTPUT, "--fail-if-worse", callback=metric_names)
@click.pass_context
def compare_command(
    ctx: click.Context, /, where: Where, more: tuple[str, ...], resamples: int, all_pages: bool,
    jobs: int | None, metrics: tuple[str, ...] | None, kind: str, output: Path | None,
    fail_if_worse: tuple[str, ...] | None,
) -> None:  # fmt: skip
    """Say how system B differs from system A, and whether the difference is real.

    Differences are B − A on the pages that both have read, with paired 95 % intervals and
    permutation tests over pages. --systems A,B picks two; otherwise all pairs are compared and the
    systems ranked, on the pages that all of them have read unless --all-pages is given.

    PATH A B compares these two systems, as --systems A,B does.

    PATH NEW compares the systems of two folders or run bundles that have the same references, such
    as last week's and today's.
    """
    from htreval_core.compare import COMPARED, compare_all, compare_systems

    where, new = _names_or_path(where, more)
    if new is None:
        study, pairs = _one_path(where, jobs)
    elif where.path is None or where.reference is not None or where.outputs:
        raise click.UsageError("give the two paths alone; --systems A,B picks their systems")
    else:
        study, pairs = _two_paths(where, new, jobs)
    chosen = tuple(dict.fromkeys([*(metrics or fail_if_worse or COMPARED), *(fail_if_worse or ())]))
    study = with_metrics(study, chosen, jobs)
    if len(pairs) > 1 and new is None:
        if fail_if_worse:
            raise click.UsageError("--fail-if-worse compares two systems; give --systems A,B")
        said = tell_pages(study, all_pages=all_pages)
        if study.narrows and not all_pages:
            said = f"{said}; {MORE_PAGES}"
            study = study.on_common_pages()
        every = compare_all(study, metrics=chosen, resamples=resamples)
        warn(every.warnings)
        _hint(every.pairs.values())
        content = _all_pairs(every, study, kind, said)
        write(content, output, signature=every.signature if kind == "csv" else "")
        return
    found = [compare_systems(study, *one, metrics=chosen, resamples=resamples) for one in pairs]
    warn(dict.fromkeys(warning for one in found for warning in one.warnings))
    _hint(found)
    signature = found[0].signature if kind == "csv" else ""
    write(_pairs(found, study, kind), output, signature=signature)
    if _any_worse(found, fail_if_worse or ()):
        ctx.exit(EXIT_THRESHOLD)


def _hint(found: Iterable[Comparison]) -> None:
    """How to say what pages belong to, where neighbours are alike."""
    alike = [one.neighbours for one in found if one.neighbours is not None]
    if alike:
        pattern = alike[0].pattern or r"(.*)_\d+"
        say("Note", "neighbouring pages are alike; say what pages belong to with --cluster FACET "
            f"or --cluster '{pattern}'")  # fmt: skip


def _names_or_path(where: Where, more: tuple[str, ...]) -> tuple[Where, Path | None]:
    """What stands behind PATH: the path that is new, or two systems to be compared."""
    if not more:
        return where, None
    if len(more) == 1:
        new = Path(more[0])
        if where.systems and not new.exists():
            raise click.UsageError(
                f"{more[0]}: there is no such path; to compare two systems, put a comma between: "
                f"--systems {where.systems[0]},{more[0]}"
            )
        return where, new
    if len(more) > 2:
        raise click.UsageError("give PATH and the names of two systems, or two paths")
    if where.systems:
        raise click.UsageError("name the two systems behind PATH or by --systems, not by both")
    return replace(where, systems=more), None


def _one_path(where: Where, jobs: int | None) -> tuple[Study, Pairs]:
    found = find_data(where)
    systems = found.data.systems
    named = split_names(where.systems, systems)
    if len(named) == 1:
        raise click.UsageError(f"--systems names one system, {named[0]}; name two or more")
    pairs: Pairs = []
    if len(named) == 2:
        a, b = pick_systems(systems, named[:1])[0], pick_systems(systems, named[1:])[0]
        if a == b:
            raise click.UsageError(f"{a} is named twice; name two different systems")
        pairs = [(a, b)]
    if not pairs and len(systems) == 1:
        raise PairingError(f"only one system was found, {systems[0]}: comparing needs two")
    study = scored(found, jobs)
    return study, pairs or [*combinations(study.systems, 2)]


def _two_paths(where: Where, new: Path, jobs: int | None) -> tuple[Study, Pairs]:
    from htreval_core.compare import beside, join_studies

    old = where.path or Path()
    alone = replace(where, systems=())
    found = [find_data(alone), find_data(replace(alone, path=new))]
    a, b = (one.data.systems for one in found)
    named = split_names(where.systems, (*a, *b))
    if named:
        if len(named) != 2:
            raise click.UsageError("--systems: name two, one of PATH and one of NEW")
        pairs = [(pick_systems(a, named[:1])[0], pick_systems(b, named[1:])[0])]
    elif len(a) == len(b) == 1:
        pairs = [(a[0], b[0])]
    else:
        pairs = [(name, name) for name in a if name in b]
    if not pairs:
        raise ConfigError(
            f"no system of {old} ({', '.join(a)}) has the name of one of {new} ({', '.join(b)}); "
            "name them with --systems A,B"
        )
    names = (old.name, new.name) if old.name != new.name else (str(old), str(new))
    if names[0] == names[1]:
        names = ("old", "new")
    both = [scored(one, jobs) for one in found]
    joined = join_studies(both[0], both[1], pairs, names)
    known = {*both[0].warnings, *both[1].warnings}
    warn(one for one in joined.warnings if one not in known)
    return joined, [(beside(one, names[0]), beside(other, names[1])) for one, other in pairs]


def _pairs(found: Sequence[Comparison], study: Study, kind: str) -> str:
    from htreval_core.show.tables import comparison as report

    if kind == "csv":
        return report.comparison_csv(found)
    if kind == "json":
        if len(found) > 1:
            return report.comparisons_json(found, warnings=study.warnings)
        return report.comparison_json(found[0], warnings=study.warnings)
    made = report.comparison_latex if kind == "latex" else report.comparison_table
    return "\n".join(map(made, found))


def _all_pairs(every: Pairwise, study: Study, kind: str, said: str) -> str:
    from htreval_core.show.tables import comparison as report
    from htreval_core.show.tables.results import results_latex

    if kind == "json":
        return report.pairwise_json(every, warnings=study.warnings)
    if kind == "csv":
        return report.comparison_csv(list(every.pairs.values()), every)
    if kind == "latex":
        return results_latex(study, every, tuple(every.p_pairs), all_pages=True, said=said)
    return report.pairwise_table(every, study, said=said)


def _any_worse(found: Sequence[Comparison], metrics: Sequence[str]) -> bool:
    """Whether any B is significantly worse, with a message for each metric in which it is.

    The metrics that are asked for are the family: p is corrected for their number alone."""
    from htreval_core.compare import LEVEL, holm

    failed = False
    for comparison in found:
        corrected = holm([comparison.metrics[name].p for name in metrics])
        for name, p in zip(metrics, corrected, strict=True):
            one = comparison.metrics[name]
            if p < LEVEL and one.b_is_better is False:
                failed = True
                say(
                    "Worse",
                    f"{name} of {comparison.systems[1]} is {one.b:.4f}, {one.difference:+.4f} "
                    f"against {comparison.systems[0]} (p {p:.4f})",
                )
    return failed
