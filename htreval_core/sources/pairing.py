"""Files of references and systems become pages by their names, and nothing is lost on the way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from htreval_core.errors import PairingError
from htreval_core.model import DataWarning, SourceFile, Unpaired, WarningKind
from htreval_core.sources.sides import (
    LOOSER_NAMES,
    PageFiles,
    natural_order,
    renamed,
    without_alto_twins,
)


@dataclass(frozen=True, slots=True)
class PairedFiles:
    """The files of one page."""

    page_id: str
    reference: SourceFile
    hypotheses: Mapping[str, SourceFile]


@dataclass(frozen=True, slots=True)
class Pairing:
    """Which files belong together, by which rule, and what was left over."""

    name: str
    rule: str
    systems: tuple[str, ...]
    pages: tuple[PairedFiles, ...]
    unpaired: Unpaired
    warnings: tuple[DataWarning, ...]
    images: tuple[SourceFile, ...] = ()

    def only(self, systems: Sequence[str]) -> Pairing:
        """The same with the output of these systems only."""
        pages = [
            replace(page, hypotheses={n: h for n, h in page.hypotheses.items() if n in systems})
            for page in self.pages
        ]
        read_by_any = tuple(page for page in pages if page.hypotheses)
        return replace(self, pages=read_by_any, systems=tuple(systems))


def pair_sides(
    name: str,
    rule: str,
    references: PageFiles,
    systems: Mapping[str, PageFiles],
    warnings: Sequence[DataWarning] = (),
) -> Pairing:
    """Pages that have a reference and at least one output.

    Names must be equal. Where none are, looser readings of the names are tried in turn, and the
    rule says so; they must leave every page a name of its own.
    """
    references, of_page = without_alto_twins(references)
    found = [*warnings, *_twins("the reference", of_page)]
    chosen: dict[str, PageFiles] = {}
    for system, files in systems.items():
        chosen[system], of_page = without_alto_twins(files)
        found += _twins(f"system {system}", of_page)
    systems = chosen
    if not any(references.keys() & of.keys() for of in systems.values()):
        for how, rename in LOOSER_NAMES:
            refs = renamed(references, rename)
            outs = {system: renamed(of, rename) for system, of in systems.items()}
            if refs and all(of is not None and refs.keys() & of.keys() for of in outs.values()):
                looser = {system: of for system, of in outs.items() if of is not None}
                return _pair_equal(name, f"{rule}, {how}", refs, looser, found)
    return _pair_equal(name, rule, references, systems, found)


def _twins(side: str, pages: Sequence[str]) -> list[DataWarning]:
    """Pages that stand both in a folder page and in a folder alto."""
    if not pages:
        return []
    return [DataWarning(side, WarningKind.PAGE_AND_ALTO, tuple(pages), len(pages))]


def _pair_equal(
    name: str,
    rule: str,
    references: PageFiles,
    systems: Mapping[str, PageFiles],
    warnings: list[DataWarning],
) -> Pairing:
    single = {page: files[0] for page, files in references.items() if len(files) == 1}
    warnings += _duplicates("the reference", references)
    outputs: dict[str, dict[str, SourceFile]] = {}
    for system, files_of in systems.items():
        outputs[system] = {page: files[0] for page, files in files_of.items() if len(files) == 1}
        warnings += _duplicates(f"system {system}", files_of)
    pages = []
    for page_id in sorted(single, key=natural_order):
        of_page = {name: files[page_id] for name, files in outputs.items() if page_id in files}
        if of_page:
            pages.append(PairedFiles(page_id, single[page_id], of_page))
            warnings += [
                DataWarning(single[page_id].name, WarningKind.NO_OUTPUT, (system,))
                for system in systems
                if page_id not in systems[system]
            ]
    alone = tuple(
        sorted(
            (page for page in references if not any(page in files for files in systems.values())),
            key=natural_order,
        )
    )
    unpaired = Unpaired(
        alone,
        {
            system: tuple(sorted((p for p in files if p not in references), key=natural_order))
            for system, files in systems.items()
        },
    )
    warnings += [
        DataWarning(references[page][0].name, WarningKind.LONE_REFERENCE) for page in alone
    ]
    for system, orphans in unpaired.hypothesis.items():
        warnings += [
            DataWarning(systems[system][page][0].name, WarningKind.LONE_OUTPUT, (system,))
            for page in orphans
        ]
    if not pages and not any(len(files) > 1 for files in references.values()):
        first = ", ".join(
            files[0].name
            for side in (references, *systems.values())
            for files in list(side.values())[:1]
        )
        raise PairingError(
            f"{name}: no reference has output of the same name (by the rule: {rule}; the first of "
            f"each side: {first}); give both the same names, or say by which suffixes they differ",
            warnings=tuple(warnings),
        )
    return Pairing(name, rule, tuple(systems), tuple(pages), unpaired, tuple(warnings))


def _duplicates(side: str, files_of: PageFiles) -> list[DataWarning]:
    return [
        DataWarning(
            page, WarningKind.SEVERAL_FILES, (side, *(file.name for file in files)), len(files)
        )
        for page, files in files_of.items()
        if len(files) > 1
    ]
