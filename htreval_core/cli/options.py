"""The command line's arguments that say where pages come from and how their text counts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, get_args

import click

from htreval_core.cli.group import say
from htreval_core.errors import ConfigError
from htreval_core.run.names import MANIFEST, SUFFIX
from htreval_core.settings import (
    PRESETS,
    Level,
    Limits,
    Order,
    ReadPolicy,
    Settings,
    exact_gamma,
    read_mapping,
    read_signature,
)
from htreval_core.text import HYPHENS, UnicodeForm, Words

if TYPE_CHECKING:
    from htreval_core.model import Dataset
    from htreval_core.scoring.score import Evaluation
    from htreval_core.sources.pairing import Pairing

Systems: TypeAlias = dict[str, Path | None]
"""What --system named: a path each, or None where a bare name picks one of those found."""

EITHER = "give either PATH alone, or --reference with one or more --system"


class Place(click.Path):
    """A path, or an address such as s3://bucket/folder."""

    def __init__(self) -> None:
        super().__init__(path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if isinstance(value, str) and "://" in value:
            from htreval_core.sources.readers.remote import as_path

            return as_path(value)
        return super().convert(value, param, ctx)


def _named_path(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> Systems:
    systems: Systems = {}
    for value in values:
        name, separator, path = value.partition("=")
        if not name or (separator and not path):
            raise click.BadParameter(f"{value!r}: write it as NAME=PATH")
        if name in systems:
            raise click.BadParameter(f"system {name!r} is given twice")
        systems[name] = Place().convert(path, param, ctx) if separator else None
    return systems


def _limits(_ctx: click.Context, _param: click.Parameter, values: tuple[str, ...]) -> Limits:
    known = [entry.name for entry in fields(Limits)]
    chosen: dict[str, int] = {}
    for value in values:
        name, _, number = value.partition("=")
        if name not in known or not (number.isascii() and number.isdecimal()):
            raise click.BadParameter(
                f"{value!r}: write it as NAME=NUMBER, the name any of {', '.join(known)}"
            )
        chosen[name] = int(number[:18])
    return Limits(**chosen)


limit_option = click.option(
    "--limit",
    "limits",
    multiple=True,
    callback=_limits,
    metavar="NAME=NUMBER",
    help="How much a file may hold, such as word_characters=9000; several times.",
)


def data_options(command: Callable[..., None]) -> Callable[..., None]:
    """The arguments that say where pages come from and how their text counts."""
    for option in reversed(
        (
            click.argument("path", required=False, type=Place()),
            click.option(
                "--reference",
                type=Place(),
                help="Folder, zip archive or file with the references.",
            ),
            click.option(
                "--system",
                "systems",
                multiple=True,
                callback=_named_path,
                metavar="NAME=PATH",
                help="Output of a system, several times; beside PATH a bare NAME picks it.",
            ),
            click.option("--reference-suffix", metavar="SUFFIX", help="Such as .ref or .gt.txt"),
            click.option("--hypothesis-suffix", metavar="SUFFIX", help="Such as .hyp or .pred.txt"),
            click.option("--encoding", help="Of text files that are not UTF-8, such as latin-1."),
            click.option("--line-pattern", metavar="REGEX", help="Page and line in line ids."),
            limit_option,
            click.option("--level", type=click.Choice(get_args(Level)), help="Of PAGE XML text."),
            click.option(
                "--order",
                type=click.Choice(get_args(Order)),
                help="'document' ignores the reading order that files declare.",
            ),
            click.option(
                "--preset",
                type=click.Choice(list(PRESETS)),
                help="Count as another tool does; 'authors' is the paper's program.",
            ),
            click.option("--signature", help="Count as the figures with this signature."),
            click.option("--gamma", help="Weight of the distance in the matching [default: 1]"),
            click.option("--form", type=click.Choice(get_args(UnicodeForm)), help="Unicode form."),
            click.option("--ignore-case", is_flag=True, help="Compare case-folded text."),
            click.option("--ignore-punctuation", is_flag=True, help="Drop punctuation."),
            click.option(
                "--join-hyphens",
                multiple=True,
                type=click.Choice(list(HYPHENS.values())),
                help="Signs that join a word divided at a line's end; several times.",
            ),
            click.option("--drop-soft-hyphens", is_flag=True, help="Drop U+00AD within words."),
            click.option("--long-s", is_flag=True, help="Read ſ as s."),
            click.option("--ligatures", is_flag=True, help="Unfold ﬁ, ﬂ and the like."),
            click.option(
                "--mapping",
                type=click.Path(path_type=Path, exists=True, dir_okay=False),
                help="Characters and their replacements, a tab between, a pair a line.",
            ),
            click.option("--words", type=click.Choice(get_args(Words)), help="What a word is."),
            click.option("--graphemes", is_flag=True, help="CER counts grapheme clusters."),
            click.option("--seed", type=int, help="Of all that is drawn at random [default: 0]"),
        )
    ):
        command = option(command)
    return command


def named_paths(systems: Systems) -> dict[str, Path]:
    """The paths of the systems, each of which must have one."""
    bare = [name for name, path in systems.items() if path is None]
    if bare:
        raise click.UsageError(f"--system {bare[0]}: write it as NAME=PATH")
    return {name: path for name, path in systems.items() if path is not None}


@dataclass(frozen=True, slots=True)
class Given:
    """What the arguments name: the pages, the settings, and scores where a run holds them."""

    dataset: Dataset
    settings: Settings
    evaluation: Evaluation | None = None


def read_given(
    path: Path | None,
    reference: Path | None,
    systems: Systems,
    reference_suffix: str | None,
    hypothesis_suffix: str | None,
    text: Mapping[str, Any],
) -> Given:
    """The pages that the arguments name, as ``open_run``, ``pair_path`` or ``pair_sources`` finds
    them, and the settings.

    Beside PATH, --system picks from the systems that are found there. The settings of a run bundle
    are its own with what the arguments change of them; unchanged, its scores stand.
    """
    if path is not None and is_bundle(path):
        from htreval_core.run import open_run

        if reference is not None or any(systems.values()):
            raise click.UsageError(EITHER)
        run = open_run(path)
        settings = read_settings(base=run.manifest.settings, **text)
        if settings == run.manifest.settings:
            return _pick_stored(run.dataset, run.evaluation, tuple(systems))
        dataset = pick_systems(run.dataset, tuple(systems)) if systems else run.dataset
        return Given(dataset, settings)
    settings = read_settings(**text)
    return Given(
        read_dataset(
            path, reference, systems, reference_suffix, hypothesis_suffix, settings.reading
        ),
        settings,
    )


def is_bundle(path: Path) -> bool:
    """Whether a path is a run bundle; the libraries that open one are loaded only if it is."""
    is_here = isinstance(path, Path)
    if SUFFIX not in path.name.lower() and not (is_here and (path / MANIFEST).is_file()):
        return False
    from htreval_core.run import is_run

    return is_run(path)


def _pick_stored(dataset: Dataset, evaluation: Evaluation, wanted: tuple[str, ...]) -> Given:
    if wanted:
        _check_systems(dataset, wanted)
        scores = {name: evaluation.scores[name] for name in wanted}
        evaluation = replace(evaluation, systems=wanted, scores=scores)
        dataset = replace(dataset, systems=wanted)
    return Given(dataset, evaluation.settings, evaluation)


def read_dataset(
    path: Path | None,
    reference: Path | None,
    systems: Systems,
    reference_suffix: str | None,
    hypothesis_suffix: str | None,
    reading: ReadPolicy,
) -> Dataset:
    """The pages of files, as ``pair_path`` or ``pair_sources`` finds them."""
    from htreval_core.sources.pairing import read_pairing

    pairing = find_pairing(path, reference, systems, reference_suffix, hypothesis_suffix, reading)
    dataset = read_pairing(pairing, reading)
    return pick_systems(dataset, tuple(systems)) if path is not None and systems else dataset


def find_pairing(
    path: Path | None,
    reference: Path | None,
    systems: Systems,
    reference_suffix: str | None,
    hypothesis_suffix: str | None,
    reading: ReadPolicy,
) -> Pairing:
    """Which files belong together, without reading the texts."""
    from htreval_core.sources.pairing import find_pairs, find_source_pairs

    ends = {"reference_suffix": reference_suffix, "hypothesis_suffix": hypothesis_suffix}
    if path is not None and reference is None and not any(systems.values()):
        return find_pairs(path, reading=reading, **ends)
    if path is None and reference is not None and systems:
        return find_source_pairs(reference, named_paths(systems), reading=reading, **ends)
    raise click.UsageError(EITHER)


def pick_systems(dataset: Dataset, wanted: tuple[str, ...]) -> Dataset:
    """The data set with the output of these systems only.

    Raises:
        ConfigError: there is no such system.
    """
    _check_systems(dataset, wanted)
    pages = [
        replace(page, hypotheses={n: h for n, h in page.hypotheses.items() if n in wanted})
        for page in dataset.pages
    ]
    read_by_any = tuple(page for page in pages if page.hypotheses)
    return replace(dataset, pages=read_by_any, systems=wanted)


def _check_systems(found: Dataset | Pairing, wanted: tuple[str, ...]) -> None:
    unknown = [name for name in wanted if name not in found.systems]
    if unknown:
        raise ConfigError(
            f"--system {unknown[0]}: not among the systems found, {', '.join(found.systems)}"
        )


def pick_paired(pairing: Pairing, wanted: tuple[str, ...]) -> Pairing:
    """The pairing with the output of these systems only.

    Raises:
        ConfigError: there is no such system.
    """
    _check_systems(pairing, wanted)
    pages = [
        replace(page, hypotheses={n: h for n, h in page.hypotheses.items() if n in wanted})
        for page in pairing.pages
    ]
    read_by_any = tuple(page for page in pages if page.hypotheses)
    return replace(pairing, pages=read_by_any, systems=wanted)


_POLICY = (
    "form", "ignore_case", "ignore_punctuation", "join_hyphens", "drop_soft_hyphens", "long_s",
    "ligatures", "words",
)  # fmt: skip
_READING = ("encoding", "line_pattern", "level", "order")


def read_settings(
    preset: str | None,
    signature: str | None,
    mapping: Path | None,
    graphemes: bool,
    *,
    base: Settings | None = None,
    **given: Any,
) -> Settings:
    """The preset, the signature, or else ``base``, with what the arguments change of it."""
    if preset and signature:
        raise click.UsageError("give --preset or --signature, not both")
    settings = base if base and not preset else PRESETS[preset or "default"].settings
    if signature:
        settings, notes = read_signature(signature)
        for note in notes:
            say("Warning", f"the signature was {note}")
    policy = {name: given[name] for name in _POLICY if given[name]}
    if mapping is not None:
        policy["mapping"] = read_mapping(mapping)
    if graphemes:
        policy["characters"] = "grapheme"
    changes: dict[str, Any] = {
        "policy": replace(settings.policy, **policy),
        "reading": replace(
            settings.reading,
            limits=given["limits"] if given["limits"] != Limits() else settings.reading.limits,
            **{name: given[name] for name in _READING if given[name]},
        ),
    }
    if given["gamma"] is not None:
        changes["gamma"] = exact_gamma(given["gamma"])
    if given["seed"] is not None:
        changes["seed"] = given["seed"]
    return replace(settings, **changes)


def metric_names(
    _ctx: click.Context, _param: click.Parameter, value: str | None
) -> tuple[str, ...] | None:
    from htreval_core.metrics.catalog import METRICS

    if value is None:
        return None
    names = tuple(name.strip() for name in value.split(",") if name.strip())
    unknown = [name for name in names if name not in METRICS]
    if unknown or not names:
        raise click.BadParameter(
            f"{', '.join(unknown) or value!r}: use any of {', '.join(METRICS)}"
        )
    return names
