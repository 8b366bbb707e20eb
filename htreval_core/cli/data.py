"""What the arguments name is found, read and scored."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from htreval_core.cli.group import say, warn
from htreval_core.cli.options import Where
from htreval_core.cli.running import ProgressLine, frugally, workers_for
from htreval_core.errors import ConfigError, HtrEvalError, WriteError
from htreval_core.run.names import MANIFEST, SUFFIX
from htreval_core.settings import (
    PRESETS,
    READ_SWITCHES,
    Limits,
    ReadPolicy,
    Settings,
    exact_gamma,
    read_mapping,
    read_orders,
    read_settings_file,
)
from htreval_core.text import TextPolicy

if TYPE_CHECKING:
    from htreval_core.model import SourceFile
    from htreval_core.scoring.clusters import Clusters
    from htreval_core.scoring.facets import Facets
    from htreval_core.scoring.found import Diagnoses
    from htreval_core.scoring.study import Study
    from htreval_core.sources.dataset import Dataset
    from htreval_core.sources.pairing import Pairing
    from htreval_core.sources.reading import Reading

EITHER = "give either PATH alone, or --reference with one or more --system"


@dataclass(frozen=True, slots=True)
class Found:
    """What the arguments name.

    Args:
        data: the pages; those of files are yet to be read.
        study: the scores of a run bundle, where the arguments change none of its settings.
        clusters: what the pages belong to, where the arguments say so.
    """

    data: Dataset | Reading
    settings: Settings
    study: Study | None = None
    clusters: Clusters | None = None

    @property
    def signature(self) -> str:
        """The line that pins what its values depend on."""
        return self.study.signature if self.study else self.settings.signature()

    def only_pages(self, page_ids: Sequence[str]) -> Found:
        """The same with some pages alone."""
        known = frozenset(self.data.page_ids)
        for page_id in page_ids:
            if page_id not in known:
                raise ConfigError(f"--page {page_id}: there is no such page; see htreval pairs")
        chosen = [page_id for page_id in self.data.page_ids if page_id in page_ids]
        study = self.study and self.study.only(pages=chosen)
        return replace(self, data=self.data.only(pages=chosen), study=study)


def find_data(where: Where) -> Found:
    """The data that the arguments name, with the scores of a run bundle where they stand.

    The settings of a bundle are its own with what the arguments change of them.
    """
    if where.path is None or not is_bundle(where.path):
        settings = read_settings(where)
        reading = find_reading(where, settings)
        return Found(reading, settings, clusters=clusters_of(where, reading.page_ids))
    study = stored_study(where, where.path)
    settings = settings_again(where, study.settings)
    return Found(
        study.dataset, settings, study if settings == study.settings else None,
        clusters_of(where, study.page_ids),
    )  # fmt: skip


def clusters_of(where: Where, page_ids: Sequence[str]) -> Clusters | None:
    """What the pages belong to, where the arguments say so."""
    if where.cluster is None:
        return None
    from htreval_core.scoring.facets import find_clusters

    facets = None
    if where.facets is not None or "(" not in where.cluster:
        facets = find_facets(where, page_ids)
    return find_clusters(where.cluster, page_ids, facets)


def read_study(where: Where) -> Study:
    """The data set that the arguments name, with all of its texts.

    For what looks at the same texts again and again. It has scores where they are at hand.
    """
    from htreval_core.scoring.study import Study
    from htreval_core.sources.dataset import Dataset

    found = find_data(where)
    if found.study is not None:
        return found.study
    data = found.data if isinstance(found.data, Dataset) else found.data.read()
    return Study(data, found.settings, {})


def scored(found: Found, jobs: int | None = None) -> Study:
    """The data with its scores, found now with a progress line if they are not there yet.

    Files are read where they are scored. It reports what is to be known about the data.
    """
    from htreval_core.show.telling.warnings import tell_unread

    study = found.study
    if study is None:
        from htreval_core.scoring.score import score

        with workers_for(jobs, found.data.n_pages) as workers:
            study = score(found.data, found.settings, workers=workers, progress=ProgressLine())
    for one in tell_unread(study):
        say("Warning", one)
    warn(study.warnings)
    return study.in_clusters(found.clusters) if found.clusters else study


def _takes_facets(where: Where) -> bool:
    """Whether the pages are looked up in the table of facets, if only to see that it names some.

    Where values are asked for by facet, that is done later: a pipe can be read once."""
    by = click.get_current_context().params.get("by")
    return bool(where.fits) or (where.facets is not None and not by)


def find_facets(where: Where, page_ids: Sequence[str], beside: SourceFile | None = None) -> Facets:
    """The facets of the pages: of the table that --facets names, else of one beside the pages."""
    from htreval_core.model import SourceFile
    from htreval_core.scoring.facets import read_facets
    from htreval_core.sources.readers.loading import OnDisk

    settings = read_settings(where)
    encoding = settings.reading.encoding
    if where.facets is not None:
        limits = where.counting.get("limits") or Limits()
        beside = SourceFile(where.facets.name, OnDisk(str(where.facets), str(where.facets), limits))
    elif beside is None and not (where.path is not None and is_bundle(where.path)):
        beside = find_pairing(where, settings).facets
    if beside is None:
        raise ConfigError(
            "no table of page metadata; name one with --facets, or put pages.csv beside the pages"
        )
    found = read_facets(beside.name, beside.read(), page_ids, encoding)
    warn(found.warnings)
    return found


def stored_study(where: Where, path: Path) -> Study:
    """The study of a run bundle, with the systems that are asked for."""
    from htreval_core.run.read import open_run

    if where.reference is not None or where.outputs:
        raise click.UsageError(EITHER)
    frugally()
    study = open_run(path, where.counting.get("limits"))
    if where.systems:
        study = study.only(pick_systems(study.systems, where.systems))
    if _takes_facets(where):
        from htreval_core.scoring.facets import narrow_study

        study = narrow_study(study, find_facets(where, study.page_ids), where.fits)
    return study


def settings_again(where: Where, stored: Settings) -> Settings:
    """The settings of a bundle with what the arguments change of them.

    Its texts are there as they were read, so nothing that they say of reading has an effect.
    """
    settings = read_settings(where, base=stored)
    if replace(settings.reading, limits=stored.reading.limits) != stored.reading:
        raise click.UsageError(
            "a run bundle holds texts as they were read; score the files again to read them "
            "otherwise"
        )
    return replace(settings, reading=stored.reading)


def with_metrics(study: Study, metrics: Sequence[str], jobs: int | None = None) -> Study:
    """The study with what these metrics need: order cost and ΔWER* need diagnoses."""
    from htreval_core.metrics.catalog import METRICS
    from htreval_core.metrics.columns import MISSING

    needed = {METRICS[name].needs for name in metrics} & {"order_errors", "admissible_errors"}
    counts = [table.counts[name] for table in study.scores.values() for name in needed if name]
    if not any((column == MISSING).any() for column in counts):
        return study
    conventions = "admissible_errors" in needed
    return study.with_parts(diagnosed(study, jobs, conventions=conventions))


def scored_and_diagnosed(
    found: Found, jobs: int | None = None, *, conventions: bool = True
) -> tuple[Study, Diagnoses]:
    """The data with its scores, as ``scored``, and with its diagnoses, as ``diagnosed``.

    Pages that have neither are read once for both.
    """
    if found.study is not None:
        study = scored(found, jobs)
        return study, diagnosed(study, jobs, conventions=conventions)
    from htreval_core.scoring.diagnoses import score_and_diagnose

    with workers_for(jobs, found.data.n_pages) as workers:
        study, diagnoses = score_and_diagnose(
            found.data, found.settings, workers=workers, progress=ProgressLine(),
            conventions=conventions,
        )  # fmt: skip
    study = scored(replace(found, study=study))
    warn(diagnoses.warnings)
    return study, diagnoses


def diagnosed(study: Study, jobs: int | None = None, *, conventions: bool = True) -> Diagnoses:
    """The diagnoses of all pages, with a progress line; those of a whole run bundle are kept in it.

    Args:
        conventions: as for ``diagnose``; those of a bundle are always told, so that it can keep
            them.
    """
    from htreval_core.scoring.diagnoses import diagnose

    with workers_for(jobs, study.dataset.n_pages) as workers:
        found = diagnose(
            study, workers=workers, progress=ProgressLine(),
            conventions=conventions or study.diagnosed is not None,
        )  # fmt: skip
    warn(found.warnings)
    if study.diagnosed is not None:
        # Of a bundle that cannot be written into, or was scored again, they are not kept.
        with suppress(HtrEvalError, OSError):
            study.diagnosed.keep(found)
    return found


def find_reading(where: Where, settings: Settings) -> Reading:
    """The files that the arguments name, paired and ready to be read."""
    from htreval_core.sources.reading import Reading

    pairing = find_pairing(where, settings)
    known_ids = frozenset(pairing.page_ids)
    idle = tuple(page for page in settings.orders.pages if page not in known_ids)
    if idle:
        from htreval_core.model import DataWarning, WarningKind

        told = DataWarning(pairing.name, WarningKind.RULE_IDLE, idle, len(idle))
        pairing = replace(pairing, warnings=(*pairing.warnings, told))
    if where.systems:
        pairing = pairing.only(pick_systems(pairing.systems, where.systems))
    if _takes_facets(where):
        from htreval_core.scoring.facets import narrow_pairing

        known = find_facets(where, pairing.page_ids, pairing.facets)
        pairing = narrow_pairing(pairing, known, where.fits)
    return Reading(pairing, settings.reading, where.named)


def find_pairing(where: Where, settings: Settings) -> Pairing:
    """Which files belong together, without reading the texts."""
    from htreval_core.sources.recognise import find_pairs, find_source_pairs

    ends: dict[str, Any] = {
        "reference_suffix": where.reference_suffix, "hypothesis_suffix": where.hypothesis_suffix,
        "reading": settings.reading, "columns": where.columns,
    }  # fmt: skip
    if where.path is not None and where.reference is None and not where.outputs:
        found = find_pairs(where.path, **ends)
    elif where.path is None and where.reference is not None and where.outputs:
        found = find_source_pairs(where.reference, where.outputs, **ends)
    else:
        raise click.UsageError(EITHER)
    check_output(where.named, (file for page in found.pages for file in page.files))
    return found


def check_output(named: Iterable[Path], files: Iterable[SourceFile]) -> None:
    """Refuse to write the results over what they are made from, before any work is done."""
    output: Path | None = click.get_current_context().params.get("output")
    if output is None or not output.is_file():
        return
    written = output.stat()
    paths = (path for file in files if (path := getattr(file.load, "path", None)))
    for path in chain((one for one in named if isinstance(one, Path)), paths):
        with suppress(OSError):
            if os.path.samestat(written, os.stat(path)):
                raise WriteError(
                    f"{output}: this command reads it and would overwrite it; give --output "
                    "another name"
                )


def is_bundle(path: Path) -> bool:
    """Whether a path is a run bundle; the libraries that open one are loaded only if it is."""
    is_here = isinstance(path, Path)
    if SUFFIX not in path.name.lower() and not (is_here and (path / MANIFEST).is_file()):
        return False
    from htreval_core.run.read import is_run

    return is_run(path)


def pick_systems(found: Sequence[str], wanted: Sequence[str]) -> tuple[str, ...]:
    """The systems that --systems names, all where it names none; a name may hold a comma."""
    if not wanted:
        return tuple(found)
    names = tuple(dict.fromkeys(split_names(wanted, found)))
    for name in names:
        if name not in found:
            raise ConfigError(f"--systems {name}: not among the systems found, {', '.join(found)}")
    return names


def split_names(given: Sequence[str], known: Sequence[str]) -> list[str]:
    """Names, some with commas between them; a system's own name may hold one."""
    return [
        name
        for one in given
        for name in ([one] if one in known else map(str.strip, one.split(",")))
        if name
    ]


def read_settings(where: Where, *, base: Settings | None = None) -> Settings:
    """Those of the file or preset, or else ``base``, with what other options change."""
    given = where.counting
    preset, file = given.get("preset"), given.get("settings")
    if preset and file:
        raise click.UsageError("give --settings or --preset, not both")
    settings = base if base and not preset else PRESETS[preset or "default"].settings
    if base and preset:
        if settings.reading not in (Settings().reading, base.reading):
            say("Warning", "a run bundle holds texts as they were read; what the preset says of "
                           "reading has no effect")  # fmt: skip
        settings = replace(settings, reading=base.reading)
    own = where.path / "study.toml" if where.path else None
    if file:
        from htreval_core.run.read import is_run, open_run

        settings = open_run(file).settings if is_run(file) else read_settings_file(file)
    elif not preset and own is not None and os.path.isfile(own):
        say("Note", f"the app follows {own}; here give --settings {own}")
    policy = {e.name: given[e.name] for e in fields(TextPolicy) if given.get(e.name)}
    if "mapping" in policy:
        policy["mapping"] = read_mapping(policy["mapping"])
    changes: dict[str, Any] = {
        "policy": replace(settings.policy, **policy),
        "reading": read_policy(settings.reading, given),
    }
    if given.get("order_rules") is not None:
        changes["orders"] = read_orders(given["order_rules"])
    if given.get("gamma") is not None:
        changes["gamma"] = exact_gamma(given["gamma"])
    if given.get("seed") is not None:
        changes["seed"] = given["seed"]
    return replace(settings, **changes)


def read_policy(base: ReadPolicy, given: Mapping[str, Any]) -> ReadPolicy:
    """How files are read, with what the options change of it."""
    names = ("encoding", "line_pattern", *(switch.name for switch in READ_SWITCHES))
    changes = {name: given[name] for name in names if given.get(name)}
    if given.get("limits", Limits()) != Limits():
        changes["limits"] = given["limits"]
    kept = given.get("keep_markup") or ()
    # "All" are the signs that somebody wrote, which a byte-order mark is not.
    signs = {*base.markup} - {"bom"} if "all" in kept else ()
    off = {*base.markup}.difference(kept, signs)
    changes["markup"] = (*off, *(given.get("take_off") or ()))
    return replace(base, **changes)
