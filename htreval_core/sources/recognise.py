"""How the files of a folder, an archive or an upload belong together is recognised."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from pathlib import Path, PurePosixPath

from htreval_core.errors import ReadError, Remedy, RemedyKind
from htreval_core.markup import listed, whole
from htreval_core.model import DataWarning, SourceFile, WarningKind
from htreval_core.settings import Limits, ReadPolicy
from htreval_core.settings.named import is_pipe
from htreval_core.sources.columns import (
    REFERENCE_NAMES,
    Columns,
    LongColumns,
    find_columns,
    find_long,
)
from htreval_core.sources.faults import unpaired
from htreval_core.sources.formats import TABLE_ENDINGS, tagged_endings
from htreval_core.sources.names import named
from htreval_core.sources.pairing import Pairing, pair_sides
from htreval_core.sources.readers.files import files_at, find_files
from htreval_core.sources.readers.table import as_columns, as_text, is_table, read_rows
from htreval_core.sources.readers.xml import parse_xml
from htreval_core.sources.sides import (
    PageFiles,
    by_page,
    is_image,
    many_in_one,
    may_be_page,
    names_in,
    natural_order,
    only_table,
    possible_pages,
    stem,
)
from htreval_core.sources.tags import by_words

SUFFIX_PAIRS = (
    (".ref", ".hyp"), (".ref.txt", ".hyp.txt"), (".gt.txt", ".pred.txt"), (".gt.txt", ".hyp.txt"),
    (".gt.xml", ".pred.xml"), (".gt.txt", ".txt"), (".gt.xml", ".xml"),
)  # fmt: skip
"""Suffixes that tell reference from hypothesis in one folder, tried in this order."""


_REFERENCE_WORDS = frozenset(named("reference_words"))
_WEAKER_REFERENCE_NAMES = frozenset(named("weaker_reference_names"))
_OCRD_OUTPUT = "OCR-D-OCR"
"""How the file groups of an OCR-D workspace begin that hold recognised text."""


def find_pairs(
    path: Path | str, *, reference_suffix: str | None = None, hypothesis_suffix: str | None = None,
    reading: ReadPolicy | None = None, columns: Columns | None = None,
) -> Pairing:  # fmt: skip
    """What ``pair_path`` would pair, without reading the texts."""
    path = Path(path)
    files, warnings = find_files(path, reading.limits if reading else None)
    return pair_files(
        _folder_name(path), files, reference_suffix=reference_suffix,
        hypothesis_suffix=hypothesis_suffix, reading=reading, warnings=warnings, columns=columns,
    )  # fmt: skip


def find_source_pairs(
    reference: Path | str, systems: Mapping[str, Path | str], *,
    reference_suffix: str | None = None, hypothesis_suffix: str | None = None,
    reading: ReadPolicy | None = None, columns: Columns | None = None,
) -> Pairing:  # fmt: skip
    """What ``pair_sources`` would pair, without reading the texts."""
    reference = Path(reference)
    reading = reading or ReadPolicy()

    def side(path: Path) -> GivenSide:
        files, warnings = find_files(path, reading.limits)
        is_file = path.is_file() or is_pipe(path)
        # A folder's name tells its files from equally named ones of another side.
        is_alone = is_file and path.suffix.lower() != ".zip"
        prefix = "" if is_alone else f"{_folder_name(path)}/"
        return GivenSide(files, prefix, is_file and len(files) == 1, warnings)

    beside = reference.parent / "images"
    return pair_given_sides(
        _folder_name(reference), side(reference),
        {name: side(Path(path)) for name, path in systems.items()},
        reference_suffix=reference_suffix, hypothesis_suffix=hypothesis_suffix, reading=reading,
        images=files_at(beside) if beside.is_dir() else (), columns=columns,
    ).checked()  # fmt: skip


@dataclass(frozen=True, slots=True)
class GivenSide:
    """What was given as the references or as the output of one system.

    Args:
        files: all files of it.
        prefix: put before their names in messages, to tell them from those of another side.
        is_one: a single file that is no archive: against another such file it is one page,
            whatever the two are called.
        warnings: what came up when the files were found.
    """

    files: Sequence[SourceFile]
    prefix: str = ""
    is_one: bool = False
    warnings: tuple[DataWarning, ...] = ()

    @property
    def named(self) -> list[SourceFile]:
        """The files under the names that messages give them."""
        return [replace(file, name=f"{self.prefix}{file.name}") for file in self.files]


def pair_given_sides(
    name: str, reference: GivenSide, systems: Mapping[str, GivenSide], *,
    reference_suffix: str | None = None, hypothesis_suffix: str | None = None,
    reading: ReadPolicy | None = None, images: Sequence[SourceFile] = (),
    columns: Columns | None = None,
) -> Pairing:  # fmt: skip
    """How the files of two sides belong together, which may be not at all (``Pairing.checked``).

    Args:
        images: images that stand in none of the sides.
        columns: those of tables that are not to be found by their names.

    Raises:
        ReadError: a file that holds many pages, such as a table, cannot be read.
    """
    reading = reading or ReadPolicy()
    page_id = stem(reference.files[0].name, reference_suffix) if reference.files else ""
    others = systems.values() if only_table(reference.files) else ()
    ids = {name for side in others for name in names_in(side.files, reading)}
    of_reference = many_in_one(reference.files, reading, reference=True, chosen=columns, known=ids)
    found_many = [of_reference] if of_reference else []
    alone = of_reference is None and reference.is_one
    chosen = reference_suffix, hypothesis_suffix
    refs: PageFiles
    if of_reference:
        refs = of_reference.pages
    elif alone:
        refs = {page_id: reference.named}
    else:
        refs = by_page(reference.files, *chosen, reference.prefix)
    by_system: dict[str, PageFiles] = {}
    for system, side in systems.items():
        many = None
        if not alone:
            many = many_in_one(
                side.files, reading, reference=False, system=system, chosen=columns, known=refs
            )
        if many is not None:
            by_system[system] = many.pages
            found_many.append(many)
        elif alone and side.is_one:
            by_system[system] = {page_id: side.named}
        else:
            by_system[system] = by_page(side.files, *chosen[::-1], side.prefix)
    sides = (reference, *systems.values())
    warnings = [warning for side in sides for warning in side.warnings]
    warnings += [warning for many in found_many for warning in many.warnings]
    told = [many.told for many in found_many if many.told]
    names = {stem(side.files[0].name) for side in sides if alone and side.is_one}
    same = "same names" if len(names) < 2 else "default, as the only files; their names differ"
    rule = "; ".join([same, *told])
    before = of_reference.input if of_reference else {}
    if before and INPUT not in by_system:
        # What the outputs were made from is shown like a system.
        by_system[INPUT] = {page: files for page, files in before.items() if page in refs}
    found = pair_sides(name, rule, refs, by_system, warnings)
    left = [
        side.named
        for side, pages in zip(sides, (refs, *map(by_system.get, systems)), strict=True)
        # The one file that holds all pages of a side is read, though no page is called like it.
        if sum(not is_image(file) for file in side.files) != 1 or not pages
    ]
    return replace(
        found,
        images=tuple(filter(is_image, (*reference.files, *images))),
        facets=_facet_file(reference.files)
        if len(reference.files) > 1 and of_reference is None
        else None,
        passed_over=_passed_over(found, [file for files in left for file in files]),
    )


def _passed_over(found: Pairing, files: Iterable[SourceFile]) -> tuple[str, ...]:
    """Names of files that are in no page, are no image, and of which no warning tells."""
    known = {warning.file for warning in found.warnings}
    for side in (found.given.references, *found.given.systems.values()):
        of_side = [file for of_page in side.values() for file in of_page]
        known.update(one.name.rpartition("#")[0] if one.part is not None else one.name
                     for one in of_side)  # fmt: skip
    forms = {page for warning in found.warnings if warning.kind is WarningKind.SEVERAL_FORMS
             for page in warning.detail}  # fmt: skip
    tables = {name.partition(": ")[0] for name in known}
    return tuple(
        file.name
        for file in files
        if not (file.name in known or file.name in tables or is_image(file)
                or (forms and stem(file.name) in forms) or file.name.lower() in FACET_FILES)
    )  # fmt: skip


def _called_otherwise(
    found: Pairing, files: Sequence[SourceFile], left: Collection[str]
) -> list[str]:
    """Files passed over that begin as pages do but for numbers, where names tell the sides."""
    if not found.rule.startswith("names "):
        return []
    pages, left = {_NUMBERS.sub("0", page) for page in found.page_ids}, frozenset(left)
    begins = tuple(f"{page}{sign}" for page in pages for sign in "._-")
    return [file.name for file in possible_pages(files)
            if file.name in left and _NUMBERS.sub("0", file.name).startswith(begins)]  # fmt: skip


_NUMBERS = re.compile("[0-9]+")
FACET_FILES = ("facets.csv", "pages.csv", "metadata.csv")
"""Names under which a table of page metadata is found beside the pages."""


def _facet_file(files: Iterable[SourceFile]) -> SourceFile | None:
    """The table of page metadata at the top of a folder, where there is one."""
    named = {file.name.lower(): file for file in files if file.name.lower() in FACET_FILES}
    return next((named[name] for name in FACET_FILES if name in named), None)


def _folder_name(path: Path) -> str:
    return path.name if path.name not in ("", "..") else path.resolve().name or str(path)


def pair_files(
    name: str, files: Sequence[SourceFile], *, reference_suffix: str | None = None,
    hypothesis_suffix: str | None = None, reading: ReadPolicy | None = None,
    warnings: Sequence[DataWarning] = (), columns: Columns | None = None,
) -> Pairing:  # fmt: skip
    """Recognise how files of one folder, archive or upload belong together.

    Args:
        columns: those of a table that are not to be found by their names.
        warnings: what came up when the files were found.

    Raises:
        PairingError: no rule fits; the message lists what was found and what is expected.
    """
    chosen = reference_suffix, hypothesis_suffix
    links = [one for one in warnings if one.kind is WarningKind.LINK_NOT_FOLLOWED]
    if links and not any(map(may_be_page, files)):
        raise unpaired("links alone", name, tuple(warnings), n=len(links), one=links[0].file)
    pairing = _recognise(name, files, chosen, reading, columns).checked()
    is_one_table = len(files) == 1 or only_table(files) is not None
    left = () if is_one_table else _passed_over(pairing, files)
    # Whoever names the endings knows that other files have others.
    pages = dict.fromkeys([] if any(chosen) else _called_otherwise(pairing, files, left))
    told = (*warnings, *(DataWarning(one, WarningKind.OUTSIDE_NAMES) for one in pages))
    return replace(
        pairing, images=tuple(filter(is_image, files)),
        facets=None if is_one_table else _facet_file(files), warnings=(*told, *pairing.warnings),
        given=replace(pairing.given, warnings=(*told, *pairing.given.warnings)),
        passed_over=tuple(one for one in left if one not in pages),
    )  # fmt: skip


def _recognise(
    name: str, files: Sequence[SourceFile], chosen: tuple[str | None, str | None],
    reading: ReadPolicy | None, columns: Columns | None,
) -> Pairing:  # fmt: skip
    table = only_table(files)
    if table is not None:
        return _table(name, table, reading or ReadPolicy(), columns)
    texts = list(files) if any(chosen) else possible_pages(files)
    if not texts:
        of_tables = _reference_folder(name, files, reading or ReadPolicy())
        if of_tables:
            return of_tables
        tables = [one.name for one in files if is_table(one)]
        why = "tables" if tables else "no transcripts"
        raise unpaired(why, name, n=len(tables), one="".join(tables[:1]))
    tagged = None if any(chosen) else _tagged(name, texts)
    if tagged and len(tagged.systems) > 1:
        return tagged
    given = [(chosen[0] or ".ref", chosen[1] or ".hyp")] if any(chosen) else SUFFIX_PAIRS
    if any(chosen) and given[0][0] == given[0][1]:
        raise unpaired("one suffix", name, ending=given[0][0])
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
        raise unpaired("no such suffixes", name, one=given[0][0], other=given[0][1])
    if not any(chosen):
        pairing = (
            _reference_folder(name, files, reading or ReadPolicy())
            or _single_page(name, texts)
            or tagged
            or _worded(name, texts)
        )
        if pairing:
            return pairing
    if by_suffix:
        return pair_sides(name, *by_suffix[0])
    parts = [file.name.split("/") for file in texts]
    known = {one[0] for one in parts if len(one) > 2 and one[1].lower() in REFERENCE_NAMES}
    if len(known) > 1:
        raise unpaired("several data sets", name, n=len(known), which=listed(sorted(known)))
    endings = Counter(".".join(["", *file.path.name.split(".")[1:]]) for file in texts)
    if len(endings) == 2 and not any(chosen):
        (one, n_one), (other, n_other) = endings.items()
        raise unpaired("two endings", name, one=one, other=other, n_one=n_one, n_other=n_other)
    examples = ", ".join(file.name for file in texts[:3])
    raise unpaired("nothing tells", name, n=len(texts), examples=examples)


def _worded(name: str, files: Sequence[SourceFile]) -> Pairing | None:
    """``1_gt.txt`` beside ``1_ocr.txt``: a known word after the name is the side."""
    found = by_words(files)
    if found is None:
        return None
    references, systems = found
    rule = f"names with words for the side after them, such as {next(iter(systems))}"
    return pair_sides(name, rule, references, systems)


def _tagged(name: str, files: Sequence[SourceFile]) -> Pairing | None:
    """``x.gt.xml`` beside ``x.a.xml`` and ``x.b.xml``: what stands before the ending is the side.

    A file without such a tag, ``x.xml``, is output of a system that is called by its ending."""
    parted = [(file, *_tag(file.path.name)) for file in files]
    references: dict[str, list[SourceFile]] = {}
    for file, tag, ending in parted:
        if tag.lower() in REFERENCE_NAMES:
            references.setdefault(stem(file.name, f".{tag}{ending}"), []).append(file)
    systems: dict[str, dict[str, list[SourceFile]]] = {}
    strays: list[tuple[str, str, SourceFile]] = []
    for file, tag, ending in parted:
        if not ending or tag.lower() in REFERENCE_NAMES:
            continue
        bare, page = stem(file.name, ending), stem(file.name, f".{tag}{ending}")
        if bare in references:
            systems.setdefault(ending[1:], {}).setdefault(bare, []).append(file)
        elif tag and page in references:
            systems.setdefault(tag, {}).setdefault(page, []).append(file)
        elif tag:
            strays.append((tag, page, file))
    if not systems:
        return None
    for tag, page, file in strays:
        if tag in systems:
            systems[tag].setdefault(page, []).append(file)
    used = next(tag for _, tag, _ in parted if tag.lower() in REFERENCE_NAMES)
    rule = f"names with .{used} before the ending, and with the name of a system there"
    by_name = {system: systems[system] for system in sorted(systems, key=natural_order)}
    return pair_sides(name, rule, references, by_name)


def _tag(name: str) -> tuple[str, str]:
    """The tag and the ending of a file's name, both empty where it has none: ("gt", ".xml")."""
    ending = next((one for one in tagged_endings() if name.lower().endswith(one)), "")
    if not ending:
        return "", ""
    rest, ending = name[: -len(ending)], name[-len(ending) :]
    base, _, tag = rest.rpartition(".")
    return (tag if base else ""), ending


def _folder_of_references(name: str, folders: Iterable[str]) -> str | None:
    """Which of the folders holds the references: by its very name, else by a word in it."""
    folders = list(folders)
    exact = [folder for folder in folders if folder.lower() in REFERENCE_NAMES]
    weaker = [folder for folder in folders if folder.lower() in _WEAKER_REFERENCE_NAMES]
    # A longer name may hold a word for references, such as vendor_ground_truth_2024.
    words = ({w.rstrip("0123456789") for w in re.findall(r"[^\W_]+", f.lower())} for f in folders)
    worded = [folder for folder, of in zip(folders, words, strict=True) if of & _REFERENCE_WORDS]
    clear = [folder for folder in worded if folder.lower() in _REFERENCE_WORDS]
    fitting = exact or clear or [*worded, *weaker]
    if len(fitting) > 1:
        raise unpaired("several references", name, folders=", ".join(fitting))
    return fitting[0] if fitting else None


def folders_of(files: Sequence[SourceFile]) -> tuple[str, dict[str, list[SourceFile]]]:
    """The folders with texts that stand side by side, however deep, and what stands before them."""
    files = _by_model(files)
    endings = (*TABLE_ENDINGS, ".zip")
    texts = (file for file in files if may_be_page(file) or file.name.lower().endswith(endings))
    levels = zip(*(file.path.parts[:-1] for file in texts), strict=False)
    common = tuple(one[0] for one in takewhile(lambda parts: len({*parts}) == 1, levels))
    depth = len(common)
    folders: dict[str, list[SourceFile]] = {}
    for file in files:
        parts = file.path.parts
        if len(parts) > depth + 1 and parts[:depth] == common:
            inner = SourceFile(str(PurePosixPath(*parts[depth + 1 :])), file.load)
            folders.setdefault(parts[depth], []).append(inner)
    # A folder holds transcripts, or one table that may hold all of them.
    with_texts = {
        folder: inside
        for folder, inside in folders.items()
        if possible_pages(inside) or only_table(inside) is not None
    }
    return "".join(f"{part}/" for part in common), with_texts


def _by_model(files: Sequence[SourceFile]) -> Sequence[SourceFile]:
    """Answers that stand in ``<page>/<model>/raw_ocr_response.json`` as ``<model>/<page>.json``."""
    if any(one.path.stem != "raw_ocr_response" or len(one.path.parts) < 3 for one in files):
        return files
    return [
        replace(one, name=f"{one.path.parts[-2]}/{one.path.parts[-3]}{one.path.suffix}")
        for one in files
    ]


_METS = "mets.xml"


def _listed_pages(files: Sequence[SourceFile], limits: Limits) -> dict[str, str]:
    """The page of each file that the list of a workspace (METS) names; nothing without one."""
    mets = next((file for file in files if file.path.name.lower() == _METS), None)
    if mets is None:
        return {}
    try:
        root = parse_xml(mets.name, mets.read(), limits)
    except ReadError:
        return {}
    page_of = {
        pointer.get("FILEID"): page.get("ID", "")
        for page in root.iterfind("{*}structMap[@TYPE='PHYSICAL']//{*}div[@ID]")
        for pointer in page.iterfind("{*}fptr")
    }
    return {
        str(mets.path.parent / place.get("{http://www.w3.org/1999/xlink}href", "")): page
        for file in root.iterfind(".//{*}file[@ID]")
        if (page := page_of.get(file.get("ID")))
        for place in file.iterfind("{*}FLocat")
    }


def _by_list(pages: PageFiles, names: Mapping[str, str]) -> PageFiles:
    """The same pages under the names that the list of the workspace has for their files."""
    known = {page: names.get(files[0].name) for page, files in pages.items()}
    listed = [*filter(None, known.values())]
    if not listed or len({*listed}) < len(listed):
        return pages
    return {known[page] or f"{page} (not in {_METS})": files for page, files in pages.items()}


def _reference_folder(
    name: str, files: Sequence[SourceFile], reading: ReadPolicy
) -> Pairing | None:
    """``reference/…`` beside one folder for each system, however deep they stand together."""
    place, folders = folders_of(files)
    depth = place.count("/")
    if len(folders) < 2:
        return None
    reference = _folder_of_references(name, folders)
    if reference is None:
        return None
    recognised = [folder for folder in folders if folder.upper().startswith(_OCRD_OUTPUT)]
    outputs = recognised or [folder for folder in folders if folder != reference]
    told: list[str] = []
    pages: dict[str, PageFiles] = {}
    called = {folder: names_in(folders[folder], reading) for folder in (reference, *outputs)}
    for folder in called:
        many = None
        if only_table(folders[folder]) is not None:
            inside = [replace(one, name=f"{place}{folder}/{one.name}") for one in folders[folder]]
            theirs = {name for of in called if of != folder for name in called[of]}
            many = many_in_one(
                inside, reading, reference=folder == reference, system=folder, known=theirs
            )
        told += [many.told] if many else []
        pages[folder] = many.pages if many else by_page(folders[folder], prefix=f"{place}{folder}/")
    names = _listed_pages(files, reading.limits)
    by_list = {folder: _by_list(of, names) for folder, of in pages.items()} if names else pages
    is_listed = all(by_list[folder] is not of for folder, of in pages.items())
    pages = by_list if is_listed else pages
    what = f"same pages of {_METS}" if is_listed else "same names"
    rule = f"{what} in the folder {reference} and in one folder for each system"
    beside = [
        DataWarning(file.name, WarningKind.OUTSIDE_FOLDERS)
        for file in possible_pages(files)
        if len(file.path.parts) == depth + 1
    ]
    return pair_sides(name, "; ".join([rule, *told]), pages.pop(reference), pages, beside)


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


INPUT = "input"
"""The system whose text the others were made from."""


def _table(name: str, file: SourceFile, reading: ReadPolicy, columns: Columns | None) -> Pairing:
    header, rows = read_rows(file, reading.encoding, reading.limits)
    long = find_long(file.name, header, rows, columns)
    if long is not None:
        return _long_table(name, file, rows, long)
    found = find_columns(file.name, header, rows, columns)
    if len(header) < 2 or found.reference is None or not found.outputs:
        raise unpaired("columns", file.name, header=", ".join(header))
    wanted = [found.reference, *found.outputs.values()]
    texts = as_columns(file, header, rows, found.page_id, wanted)
    systems = {system: texts[column] for system, column in found.outputs.items()}
    rule = (
        f"rows of the table, column {found.reference} against one column for each system; "
        f"{found.told}"
    )
    told: dict[WarningKind, Sequence[str]] = {
        WarningKind.ROWS_NUMBERED: () if found.page_id else ("",),
        WarningKind.TWO_COLUMNS: found.others and ("references", found.reference, *found.others),
        WarningKind.COLUMNS_LEFT: found.unread,
    }
    warnings = [
        DataWarning(file.name, kind, tuple(what), remedy=Remedy(RemedyKind.NAME_COLUMNS))
        for kind, what in told.items() if what
    ]  # fmt: skip
    return pair_sides(name, rule, texts[found.reference], systems, warnings)


def _long_table(
    name: str, file: SourceFile, rows: Sequence[Mapping[str, str | None]], found: LongColumns
) -> Pairing:
    """A table with a row for each page and system."""
    systems: dict[str, dict[str, list[SourceFile]]] = {}
    told: dict[str, str | None] = {}
    seen: set[tuple[str, str]] = set()

    def cell(page: str, system: str, column: str, text: str) -> list[SourceFile]:
        label = f"{file.name}: {page}, {system}"
        return [as_text(label, text, marked="markdown" in column.lower())]

    for number, row in enumerate(rows, start=1):
        page, system = (whole(row.get(key) or "").strip() for key in (found.page_id, found.system))
        if not page:
            raise ReadError(f"{file.name}: row {number} has no page id; fill {found.page_id!r}")
        if (page, system) in seen:
            raise ReadError(f"{file.name}: two rows of {system} for page {page}; keep one of them")
        seen.add((page, system))
        text = row.get(found.text)
        of_system = systems.setdefault(system, {})
        if text is not None:
            of_system[page] = cell(page, system, found.text, text)
        truth = row.get(found.reference) if found.reference is not None else None
        told[page] = told.get(page) or truth
        if truth and told[page] != truth:
            raise ReadError(f"{file.name}: two references of page {page}; keep one of them")
    whose = f"from {found.reference}"
    if found.reference is not None:
        references = {page: cell(page, "reference", found.reference, truth)
                      for page, truth in told.items() if truth is not None}  # fmt: skip
    else:
        named = [system for system in systems if system.lower() in REFERENCE_NAMES]
        if len(named) != 1:
            raise unpaired("rows", file.name, systems=listed(systems))
        references, whose = systems.pop(named[0]), f"in the rows of {named[0]}"
    rule = (
        f"rows of the table by page and {found.system}; page ids from {found.page_id}, references "
        f"{whose}, outputs from {found.text}"
    )
    return pair_sides(name, rule, references, systems)
