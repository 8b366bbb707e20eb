"""Files of references and systems become pages, and nothing is lost on the way."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from htreval_core.errors import PairingError, ReadError
from htreval_core.model import Dataset, Page, Transcript, Unpaired
from htreval_core.readers import (
    SourceFile,
    files_at,
    files_from_uploads,
    read_transcript,
)

SUFFIX_PAIRS = (
    (".ref", ".hyp"),
    (".ref.txt", ".hyp.txt"),
    (".gt.txt", ".pred.txt"),
    (".gt.txt", ".hyp.txt"),
    (".gt.xml", ".pred.xml"),
)
"""Suffixes that tell reference from hypothesis in one folder, tried in this order."""

_REFERENCE_NAMES = frozenset(
    {"reference", "references", "ref", "gt", "ground_truth", "ground-truth", "groundtruth"}
)
_TEXT_SUFFIXES = (".gt.txt", ".ref.txt", ".hyp.txt", ".pred.txt", ".gt.xml", ".pred.xml",
                  ".page.xml", ".alto.xml", ".txt", ".text", ".xml", ".ref", ".hyp")  # fmt: skip
_NOT_PAGES = frozenset({"mets.xml", "metadata.xml", "doc.xml", "readme.md", "readme.txt", "readme"})
_CONTAINERS = frozenset({"page", "alto"})
"""Folders that export tools put the transcripts of a document into; no part of a page's name."""


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


def pair_path(
    path: Path | str,
    *,
    reference_suffix: str | None = None,
    hypothesis_suffix: str | None = None,
    encoding: str | None = None,
) -> Dataset:
    """The pages of one folder or zip archive; how its files pair is recognised.

    Recognised are two suffixes in one folder (``1.ref``/``1.hyp``), a reference folder beside
    one folder a system (``reference/``, ``system-a/``, …), and a single page in one folder
    (``gt.txt`` beside one file a system).

    Raises:
        PairingError: no rule brings any reference and hypothesis together.
        ReadError: the path cannot be read at all.
    """
    path = Path(path)
    pairing = pair_files(
        _folder_name(path), files_at(path), reference_suffix=reference_suffix,
        hypothesis_suffix=hypothesis_suffix,
    )  # fmt: skip
    return read_pairing(pairing, encoding)


def pair_uploads(
    name: str, uploads: Iterable[tuple[str, bytes]], encoding: str | None = None
) -> Dataset:
    """The pages of uploaded files (name, content); zip archives among them are opened.

    Raises:
        PairingError: no rule brings any reference and hypothesis together.
        ReadError: an archive is refused.
    """
    return read_pairing(pair_files(name, files_from_uploads(uploads)), encoding)


def pair_sources(
    reference: Path | str,
    systems: Mapping[str, Path | str],
    *,
    reference_suffix: str | None = None,
    hypothesis_suffix: str | None = None,
    encoding: str | None = None,
) -> Dataset:
    """The pages of a reference and one or more systems, each a folder, a zip archive or a file.

    Files pair by equal names without their suffixes; two single files pair whatever their names.

    Raises:
        PairingError: no file of any system has a reference.
        ReadError: a path cannot be read at all.
    """
    reference = Path(reference)
    sides = {name: (Path(path), files_at(Path(path))) for name, path in systems.items()}
    references = files_at(reference)

    def is_single(path: Path, files: Sequence[SourceFile]) -> bool:
        return path.is_file() and len(files) == 1

    # A file against a file is one page, whatever the two are called.
    page_id = _stem(references[0].name, reference_suffix) if references else ""
    refs = (
        {page_id: references}
        if is_single(reference, references)
        else _by_page(references, reference_suffix, hypothesis_suffix, _prefix(reference))
    )
    by_system = {
        name: {page_id: files}
        if is_single(reference, references) and is_single(path, files)
        else _by_page(files, hypothesis_suffix, reference_suffix, _prefix(path))
        for name, (path, files) in sides.items()
    }
    paired = _pair(_folder_name(reference), "same names", refs, by_system, [])
    return read_pairing(paired, encoding)


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
) -> Pairing:
    """Recognise how files of one folder, archive or upload belong together.

    Raises:
        PairingError: no rule fits; the message lists what was found and what is expected.
    """
    chosen = (reference_suffix, hypothesis_suffix)
    texts = [file for file in files if any(chosen) or _may_be_page(file)]
    if not texts:
        raise PairingError(
            f"{name or 'the upload'}: no transcripts in it; give a folder with "
            "references and system output, such as 1.ref and 1.hyp, or reference/1.txt and "
            "my-system/1.txt"
        )
    given = [(chosen[0] or ".ref", chosen[1] or ".hyp")] if any(chosen) else SUFFIX_PAIRS
    by_suffix = []
    for ref_suffix, hyp_suffix in given:
        refs = _by_page(texts, ref_suffix, hyp_suffix)
        hyps = _by_page(texts, hyp_suffix, ref_suffix)
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
    references = [folder for folder in folders if folder.lower() in _REFERENCE_NAMES]
    if len(references) != 1 or len(folders) < 2:
        return None
    by_system = {
        folder: _by_page(inside, prefix=f"{folder}/")
        for folder, inside in folders.items() if folder not in references
    }  # fmt: skip
    rule = f"same names in the folder {references[0]} and in one folder for each system"
    refs = _by_page(folders[references[0]], prefix=f"{references[0]}/")
    beside = [
        f"{file.name}: stands beside the folders and is in none of them; move it into one: it is "
        "not scored" for file in files if len(file.path.parts) == 1
    ]  # fmt: skip
    return _pair(name, rule, refs, by_system, beside)


def _single_page(name: str, files: Sequence[SourceFile]) -> Pairing | None:
    """``gt.txt`` beside one file for each system: a single page, named after its folder."""
    if any(len(file.path.parts) > 1 for file in files):
        return None
    references = [file for file in files if _stem(file.name).lower() in _REFERENCE_NAMES]
    if len(references) != 1 or len(files) < 2:
        return None
    page_id = name or "page"
    by_system: dict[str, dict[str, list[SourceFile]]] = {}
    for file in files:
        if file not in references:
            by_system.setdefault(_stem(file.name), {page_id: []})[page_id].append(file)
    rule = f"one page: {references[0].name} against one file for each system"
    return _pair(name, rule, {page_id: references}, by_system, [])


def _may_be_page(file: SourceFile) -> bool:
    return (
        file.path.name.lower() not in _NOT_PAGES
        and file.name.lower().endswith(_TEXT_SUFFIXES)
    )  # fmt: skip


def _stem(name: str, suffix: str | None = None) -> str:
    """A page's name: the file's path without its known suffix and without export folders."""
    known = (suffix,) if suffix else _TEXT_SUFFIXES
    for ending in known:
        if ending and name.lower().endswith(ending.lower()) and len(name) > len(ending):
            name = name[: -len(ending)]
            break
    parts = PurePosixPath(name).parts
    kept = [part for part in parts[:-1] if part.lower() not in _CONTAINERS]
    return "/".join([*kept, *parts[-1:]])


def _by_page(
    files: Iterable[SourceFile],
    suffix: str | None = None,
    other_suffix: str | None = None,
    prefix: str = "",
) -> dict[str, list[SourceFile]]:
    """The files of one side by page; more than one for a page is for the caller to refuse.

    Args:
        suffix: how the names of this side end; any known suffix by default.
        other_suffix: how those of the other side end: ``1.gt.txt`` is no ``.txt`` then.
        prefix: put before the names in messages.
    """
    wanted, other = (suffix or "").lower(), (other_suffix or "").lower()
    longer = other if len(other) > len(wanted) else ""
    pages: dict[str, list[SourceFile]] = {}
    for file in files:
        name = file.name.lower()
        if (name.endswith(wanted) if wanted else _may_be_page(file)) and not (
            longer and name.endswith(longer)
        ):
            named = SourceFile(prefix + file.name, file.load)
            pages.setdefault(_stem(file.name, suffix), []).append(named)
    return pages


def _pair(
    name: str,
    rule: str,
    references: Mapping[str, Sequence[SourceFile]],
    systems: Mapping[str, Mapping[str, Sequence[SourceFile]]],
    warnings: list[str],
) -> Pairing:
    """Pages that have a reference and at least one output; exact names only."""
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


def _duplicates(side: str, files_of: Mapping[str, Sequence[SourceFile]]) -> list[str]:
    return [
        f"{', '.join(file.name for file in files)}: {len(files)} files for page {page!r} in "
        f"{side}; keep one of them: until then the page is not scored"
        for page, files in files_of.items() if len(files) > 1
    ]  # fmt: skip


def natural_order(name: str) -> tuple[tuple[int, str], ...]:
    """A sort key that puts page 2 before page 10."""
    pieces: list[tuple[int, str]] = []
    digits = text = ""
    for char in name:
        if char.isascii() and char.isdigit():
            if text:
                pieces.append((-1, text))
                text = ""
            digits += char
        else:
            if digits:
                pieces.append((int(digits[:18]), digits))
                digits = ""
            text += char
    if digits:
        pieces.append((int(digits[:18]), digits))
    if text:
        pieces.append((-1, text))
    return tuple(pieces)


def read_pairing(
    pairing: Pairing, encoding: str | None = None, read: Callable[..., Transcript] = read_transcript
) -> Dataset:
    """The pages with their texts. A file that cannot be read becomes a warning; the rest goes on.

    Raises:
        PairingError: not a single page could be read.
    """
    warnings = list(pairing.warnings)

    def attempt(file: SourceFile) -> Transcript | None:
        try:
            transcript = read(file, encoding)
        except ReadError as error:
            warnings.append(str(error))
            return None
        warnings.extend(transcript.warnings)
        return transcript

    pages = []
    for files in pairing.pages:
        reference = attempt(files.reference)
        outputs = {name: attempt(file) for name, file in files.hypotheses.items()}
        readable = {name: output for name, output in outputs.items() if output is not None}
        if reference is not None and readable:
            pages.append(Page(files.page_id, reference, readable))
    if not pages:
        listed = "\n".join(warnings[:10])
        raise PairingError(f"{pairing.name}: no page could be scored.\n{listed}")
    return Dataset(pairing.name, tuple(pages), pairing.systems, pairing.unpaired, tuple(warnings))
