"""Files of references and systems become pages, and nothing is lost on the way."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from htreval_core.errors import PairingError, ReadError
from htreval_core.model import Dataset, Page, Transcript, Unpaired
from htreval_core.settings import ReadPolicy
from htreval_core.sources.readers import (
    SourceFile,
    as_path,
    files_at,
    files_from_uploads,
    read_transcript,
)
from htreval_core.sources.readers.table import is_table, read_table
from htreval_core.sources.sides import (
    LOOSER_NAMES,
    PageFiles,
    by_page,
    is_image,
    many_in_one,
    may_be_page,
    natural_order,
    renamed,
    stem,
    without_alto_twins,
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
    warnings: tuple[str, ...]
    images: tuple[SourceFile, ...] = ()


def pair_path(
    path: Path | str,
    *,
    reference_suffix: str | None = None,
    hypothesis_suffix: str | None = None,
    reading: ReadPolicy | None = None,
) -> Dataset:
    """The pages of one folder, zip archive or table; how its files pair is recognised.

    Recognised are two suffixes in one folder (``1.ref``/``1.hyp``), a reference folder beside
    one folder a system (``reference/``, ``system-a/``, …), a single page in one folder
    (``gt.txt`` beside one file a system), and a table with a column of page ids, one of
    references and one a system.

    Raises:
        PairingError: no rule brings any reference and hypothesis together.
        ReadError: the path cannot be read at all.
    """
    reading = reading or ReadPolicy()
    pairing = find_pairs(
        path,
        reference_suffix=reference_suffix,
        hypothesis_suffix=hypothesis_suffix,
        reading=reading,
    )
    return read_pairing(pairing, reading)


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


def pair_uploads(
    name: str, uploads: Iterable[tuple[str, bytes]], reading: ReadPolicy | None = None
) -> Dataset:
    """The pages of uploaded files (name, content); zip archives among them are opened.

    Raises:
        PairingError: no rule brings any reference and hypothesis together.
        ReadError: an archive is refused.
    """
    files = files_from_uploads(uploads, reading.limits if reading else None)
    return read_pairing(pair_files(name, files, reading=reading), reading)


def pair_sources(
    reference: Path | str,
    systems: Mapping[str, Path | str],
    *,
    reference_suffix: str | None = None,
    hypothesis_suffix: str | None = None,
    reading: ReadPolicy | None = None,
) -> Dataset:
    """The pages of a reference and one or more systems, each a folder, zip archive, file or table.

    Files pair by equal names without their suffixes; two single files pair whatever their names.

    Raises:
        PairingError: no file of any system has a reference.
        ReadError: a path cannot be read at all.
    """
    pairing = find_source_pairs(
        reference,
        systems,
        reference_suffix=reference_suffix,
        hypothesis_suffix=hypothesis_suffix,
        reading=reading,
    )
    return read_pairing(pairing, reading)


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
    found = _pair(_folder_name(reference), "same names", refs, by_system, [])
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
    by_suffix = []
    for ref_suffix, hyp_suffix in given:
        refs = by_page(texts, ref_suffix, hyp_suffix)
        hyps = by_page(texts, hyp_suffix, ref_suffix)
        if refs and hyps:
            rule = f"names that end in {ref_suffix} and {hyp_suffix}"
            by_suffix.append((rule, refs, {hyp_suffix.strip("._-").split(".")[0]: hyps}))
            if refs.keys() & hyps.keys():
                return _pair(name, *by_suffix[-1], [])
    if any(chosen) and not by_suffix:
        raise PairingError(f"{name}: no files end in {given[0][0]} and {given[0][1]}; "
                           "give the suffixes that they have")  # fmt: skip
    for recognise in (_reference_folder, _single_page):
        pairing = None if any(chosen) else recognise(name, texts)
        if pairing:
            return pairing
    if by_suffix:
        return _pair(name, *by_suffix[0], [])
    examples = ", ".join(file.name for file in texts[:3])
    raise PairingError(
        f"{name or 'the upload'}: {len(texts)} files ({examples}, …), but nothing "
        "tells references from system output; use names such as 1.ref and 1.hyp, a folder called "
        "reference beside a folder for each system, or name them with --reference and --system"
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
        f"{file.name}: stands beside the folders and is in none of them; move it into one: it is "
        "not scored" for file in files if len(file.path.parts) == 1
    ]  # fmt: skip
    return _pair(name, rule, refs, by_system, beside)


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
    return _pair(name, rule, {page_id: references}, by_system, [])


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
    return _pair(name, rule, table.columns[table.reference], systems, [])


def _pair(
    name: str,
    rule: str,
    references: PageFiles,
    systems: Mapping[str, PageFiles],
    warnings: list[str],
) -> Pairing:
    """Pages that have a reference and at least one output.

    Names must be equal. Where none are, looser readings of the names are tried in turn, and the
    rule says so; they must leave every page a name of its own.
    """
    references, of_page = without_alto_twins(references)
    warnings = warnings + _twin_warning("the reference", of_page)
    chosen: dict[str, PageFiles] = {}
    for system, files in systems.items():
        chosen[system], of_page = without_alto_twins(files)
        warnings += _twin_warning(f"system {system}", of_page)
    systems = chosen
    if not any(references.keys() & of.keys() for of in systems.values()):
        for how, rename in LOOSER_NAMES:
            refs = renamed(references, rename)
            outs = {system: renamed(of, rename) for system, of in systems.items()}
            if refs and all(of is not None and refs.keys() & of.keys() for of in outs.values()):
                looser = {system: of for system, of in outs.items() if of is not None}
                return _pair_equal(name, f"{rule}, {how}", refs, looser, warnings)
    return _pair_equal(name, rule, references, systems, warnings)


def _twin_warning(side: str, pages: Sequence[str]) -> list[str]:
    if not pages:
        return []
    return [
        f"{side}: {len(pages)} pages stand both in a folder page and in a folder alto ({pages[0]}"
        f"{', …' if len(pages) > 1 else ''}); PAGE is read: take it away to have ALTO read"
    ]


def _pair_equal(
    name: str,
    rule: str,
    references: PageFiles,
    systems: Mapping[str, PageFiles],
    warnings: list[str],
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
            missing = [system for system in systems if page_id not in systems[system]]
            warnings += [
                f"{single[page_id].name}: no output of system {system} for this page; its figures "
                "cover fewer pages than the others'" for system in missing
            ]  # fmt: skip
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
        f"{references[page][0].name}: a reference without any output; add the output, or leave it: "
        "the page is not scored" for page in alone
    ]  # fmt: skip
    for system, orphans in unpaired.hypothesis.items():
        warnings += [
            f"{systems[system][page][0].name}: output of system {system} without a reference of "
            "the same name; the page is not scored" for page in orphans
        ]  # fmt: skip
    if not pages and not any(len(files) > 1 for files in references.values()):
        raise PairingError(
            f"{name}: no reference has output of the same name (by the rule: {rule}); give both "
            "the same names, or say by which suffixes they differ. " + " ".join(warnings[:4])
        )
    return Pairing(name, rule, tuple(systems), tuple(pages), unpaired, tuple(warnings))


def _duplicates(side: str, files_of: PageFiles) -> list[str]:
    return [
        f"{', '.join(file.name for file in files)}: {len(files)} files for page {page!r} in "
        f"{side}; keep one of them: until then the page is not scored"
        for page, files in files_of.items() if len(files) > 1
    ]  # fmt: skip


def read_pairing(pairing: Pairing, reading: ReadPolicy | None = None) -> Dataset:
    """The pages with their texts. A file that cannot be read becomes a warning; the rest goes on.

    Raises:
        PairingError: not a single page could be read.
    """
    warnings = list(pairing.warnings)
    images: dict[str, SourceFile] = {}
    pages = tuple(read_pages(pairing, reading, warnings=warnings, images=images))
    if not pages:
        listed = "\n".join(warnings[:10])
        raise PairingError(f"{pairing.name}: no page could be scored.\n{listed}")
    return Dataset(
        pairing.name, pages, pairing.systems, pairing.unpaired, tuple(warnings), pairing.rule,
        images,
    )  # fmt: skip


def read_pages(
    pairing: Pairing,
    reading: ReadPolicy | None = None,
    *,
    warnings: list[str],
    images: dict[str, SourceFile],
    through: Callable[[SourceFile], SourceFile] = lambda file: file,
) -> Iterator[Page]:
    """The pages one after another, each read when it is asked for.

    Args:
        warnings: grows by what a file could not give, or a reader had to decide.
        images: grows by the page images, by page id.
        through: what every file goes through before it is read.
    """

    def attempt(file: SourceFile) -> Transcript | None:
        try:
            transcript = read_transcript(through(file), reading)
        except ReadError as error:
            warnings.append(str(error))
            return None
        warnings.extend(transcript.warnings)
        return transcript

    by_name = _by_unique_name(pairing.images)
    for files in pairing.pages:
        reference = attempt(files.reference)
        outputs = {name: attempt(file) for name, file in files.hypotheses.items()}
        readable = {name: output for name, output in outputs.items() if output is not None}
        if reference is not None and readable:
            names = (reference.image or "", files.page_id)
            image = next((by_name[n] for n in map(_image_name, names) if n in by_name), None)
            if image:
                images[files.page_id] = image
            yield Page(files.page_id, reference, readable)


def _image_name(name: str) -> str:
    """What an image and the page that it shows are both called."""
    last = name.replace("\\", "/").rpartition("/")[2].lower()
    return stem(last, PurePosixPath(last).suffix if is_image(SourceFile(last, bytes)) else None)


def _by_unique_name(images: Iterable[SourceFile]) -> dict[str, SourceFile]:
    """Images by name; where two share one, neither can be told to be the page's."""
    named: dict[str, list[SourceFile]] = {}
    for image in images:
        named.setdefault(_image_name(image.name), []).append(image)
    return {name: found[0] for name, found in named.items() if len(found) == 1}
