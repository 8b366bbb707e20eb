"""How the files of a folder, an archive or an upload belong together is recognised."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath

from htreval_core.errors import PairingError, Remedy, RemedyKind
from htreval_core.model import DataWarning, SourceFile, WarningKind
from htreval_core.settings import ReadPolicy
from htreval_core.sources.pairing import Pairing, pair_sides
from htreval_core.sources.readers import as_path, files_at
from htreval_core.sources.readers.table import is_table, read_table
from htreval_core.sources.sides import (
    PageFiles,
    by_page,
    is_image,
    many_in_one,
    may_be_page,
    stem,
)

SUFFIX_PAIRS = (
    (".ref", ".hyp"),
    (".ref.txt", ".hyp.txt"),
    (".gt.txt", ".pred.txt"),
    (".gt.txt", ".hyp.txt"),
    (".gt.xml", ".pred.xml"),
    (".gt.txt", ".txt"),
    (".gt.xml", ".xml"),
)
"""Suffixes that tell reference from hypothesis in one folder, tried in this order."""


REFERENCE_NAMES = frozenset(
    {"reference", "references", "ref", "gt", "ground_truth", "ground-truth", "groundtruth"}
)


def find_pairs(
    path: Path | str,
    *,
    reference_suffix: str | None = None,
    hypothesis_suffix: str | None = None,
    reading: ReadPolicy | None = None,
) -> Pairing:
    """What ``pair_path`` would pair, without reading the texts."""
    path = as_path(path)
    return pair_files(
        _folder_name(path),
        files_at(path, reading.limits if reading else None),
        reference_suffix=reference_suffix,
        hypothesis_suffix=hypothesis_suffix,
        reading=reading,
    )


def find_source_pairs(
    reference: Path | str,
    systems: Mapping[str, Path | str],
    *,
    reference_suffix: str | None = None,
    hypothesis_suffix: str | None = None,
    reading: ReadPolicy | None = None,
) -> Pairing:
    """What ``pair_sources`` would pair, without reading the texts."""
    reference = as_path(reference)
    reading = reading or ReadPolicy()
    sides = {
        name: (as_path(path), files_at(as_path(path), reading.limits))
        for name, path in systems.items()
    }
    references = files_at(reference, reading.limits)

    def is_single(path: Path, files: Sequence[SourceFile]) -> bool:
        return path.is_file() and len(files) == 1

    # A file against a file is one page, whatever the two are called.
    page_id = stem(references[0].name, reference_suffix) if references else ""
    refs: PageFiles | None = many_in_one(references, reading, reference=True)
    alone = refs is None and is_single(reference, references)
    if refs is None:
        refs = (
            {page_id: references}
            if alone
            else by_page(references, reference_suffix, hypothesis_suffix, _prefix(reference))
        )
    by_system: dict[str, PageFiles] = {}
    for name, (path, files) in sides.items():
        many = None if alone else many_in_one(files, reading, reference=False)
        if many is not None:
            by_system[name] = many
        elif alone and is_single(path, files):
            by_system[name] = {page_id: files}
        else:
            by_system[name] = by_page(files, hypothesis_suffix, reference_suffix, _prefix(path))
    beside = reference.parent / "images"
    images = [*references, *(files_at(beside) if beside.is_dir() else ())]
    found = pair_sides(_folder_name(reference), "same names", refs, by_system)
    return replace(found, images=tuple(filter(is_image, images)))


def _folder_name(path: Path) -> str:
    """What a path is called, also where it was given as ``.`` or ``..``."""
    return path.name if path.name not in ("", "..") else path.resolve().name or str(path)


def _prefix(path: Path) -> str:
    """What tells files of one side from equally named ones of another; nothing for a file."""
    is_one_file = path.is_file() and path.suffix.lower() != ".zip"
    return "" if is_one_file else f"{_folder_name(path)}/"


def pair_files(
    name: str,
    files: Sequence[SourceFile],
    *,
    reference_suffix: str | None = None,
    hypothesis_suffix: str | None = None,
    reading: ReadPolicy | None = None,
) -> Pairing:
    """Recognise how files of one folder, archive or upload belong together.

    Raises:
        PairingError: no rule fits; the message lists what was found and what is expected.
    """
    pairing = _recognise(name, files, (reference_suffix, hypothesis_suffix), reading)
    return replace(pairing, images=tuple(filter(is_image, files)))


def _recognise(
    name: str,
    files: Sequence[SourceFile],
    chosen: tuple[str | None, str | None],
    reading: ReadPolicy | None,
) -> Pairing:
    if len(files) == 1 and is_table(files[0]):
        return _table(name, files[0], reading or ReadPolicy())
    texts = [file for file in files if any(chosen) or may_be_page(file)]
    if not texts:
        raise PairingError(
            f"{name or 'the upload'}: no transcripts in it; give a folder with "
            "references and system output, such as 1.ref and 1.hyp, or reference/1.txt and "
            "my-system/1.txt"
        )
    given = [(chosen[0] or ".ref", chosen[1] or ".hyp")] if any(chosen) else SUFFIX_PAIRS
    if any(chosen) and given[0][0] == given[0][1]:
        raise PairingError(
            f"{name}: references and output cannot both end in {given[0][0]}; give two suffixes, "
            "or two folders"
        )
    by_suffix = []
    for ref_suffix, hyp_suffix in given:
        refs = by_page(texts, ref_suffix, hyp_suffix)
        hyps = by_page(texts, hyp_suffix, ref_suffix)
        if refs and hyps:
            rule = f"names that end in {ref_suffix} and {hyp_suffix}"
            by_suffix.append((rule, refs, {hyp_suffix.strip("._-").split(".")[0]: hyps}))
            if refs.keys() & hyps.keys():
                return pair_sides(name, *by_suffix[-1])
    if any(chosen) and not by_suffix:
        raise PairingError(f"{name}: no files end in {given[0][0]} and {given[0][1]}; "
                           "give the suffixes that they have")  # fmt: skip
    for recognise in (_reference_folder, _single_page):
        pairing = None if any(chosen) else recognise(name, texts)
        if pairing:
            return pairing
    if by_suffix:
        return pair_sides(name, *by_suffix[0])
    examples = ", ".join(file.name for file in texts[:3])
    raise PairingError(
        f"{name or 'the upload'}: {len(texts)} files ({examples}, …), but nothing "
        "tells references from system output; use names such as 1.ref and 1.hyp, a folder called "
        "reference beside a folder for each system, or say which are which",
        Remedy(RemedyKind.NAME_SIDES),
    )


def _reference_folder(name: str, files: Sequence[SourceFile]) -> Pairing | None:
    """``reference/…`` beside one folder for each system."""
    folders: dict[str, list[SourceFile]] = {}
    for file in files:
        parts = file.path.parts
        if len(parts) > 1:
            inner = SourceFile(str(PurePosixPath(*parts[1:])), file.load)
            folders.setdefault(parts[0], []).append(inner)
    references = [folder for folder in folders if folder.lower() in REFERENCE_NAMES]
    if len(references) != 1 or len(folders) < 2:
        return None
    by_system = {
        folder: by_page(inside, prefix=f"{folder}/")
        for folder, inside in folders.items() if folder not in references
    }  # fmt: skip
    rule = f"same names in the folder {references[0]} and in one folder for each system"
    refs = by_page(folders[references[0]], prefix=f"{references[0]}/")
    beside = [
        DataWarning(file.name, WarningKind.OUTSIDE_FOLDERS)
        for file in files
        if len(file.path.parts) == 1
    ]
    return pair_sides(name, rule, refs, by_system, beside)


def _single_page(name: str, files: Sequence[SourceFile]) -> Pairing | None:
    """``gt.txt`` beside one file for each system: a single page, named after its folder."""
    if any(len(file.path.parts) > 1 for file in files):
        return None
    references = [file for file in files if stem(file.name).lower() in REFERENCE_NAMES]
    if len(references) != 1 or len(files) < 2:
        return None
    page_id = name or "page"
    by_system: dict[str, dict[str, list[SourceFile]]] = {}
    for file in files:
        if file not in references:
            by_system.setdefault(stem(file.name), {page_id: []})[page_id].append(file)
    rule = f"one page: {references[0].name} against one file for each system"
    return pair_sides(name, rule, {page_id: references}, by_system)


def _table(name: str, file: SourceFile, reading: ReadPolicy) -> Pairing:
    """A table with a column of references and one for each system."""
    table = read_table(file, reading.encoding, reading.limits)
    if table.reference is None or len(table.columns) < 2:
        raise PairingError(
            f"{file.name}: a table needs a column called reference and one for each system; it "
            f"has {', '.join(table.columns)}"
        )
    systems = {column: of for column, of in table.columns.items() if column != table.reference}
    rule = f"rows of the table, column {table.reference} against one column for each system"
    return pair_sides(name, rule, table.columns[table.reference], systems)
