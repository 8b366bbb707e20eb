"""The files of one side, of the references or of one system, sorted by page."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from pathlib import PurePosixPath
from posixpath import commonprefix
from unicodedata import normalize

from htreval_core.errors import ReadError, Remedy, RemedyKind
from htreval_core.model import DataWarning, SourceFile, WarningKind, path_of
from htreval_core.settings import ReadPolicy
from htreval_core.sources.columns import (
    FILE_COLUMNS,
    HIPE_INPUT,
    ID_COLUMNS,
    Columns,
    find_columns,
    is_corrected,
    output_of_side,
)
from htreval_core.sources.faults import unreadable
from htreval_core.sources.formats import TEXT_SUFFIXES, is_of
from htreval_core.sources.names import named
from htreval_core.sources.readers.plain import decode
from htreval_core.sources.readers.table import (
    LINE_PATTERN,
    Cells,
    as_columns,
    as_text,
    is_decoded,
    is_table,
    read_decoded,
    read_rows,
)

PageFiles = Mapping[str, Sequence[SourceFile]]
"""The files of each page; more than one for a page is an error for the pairing to report."""

IMAGE_SUFFIXES = (".png", ".jpg", ".jpeg", ".tif", ".tiff", ".webp", ".gif", ".bmp", ".jp2")
_NOT_PAGES = frozenset(named("no_pages"))
REFERENCE_TAGS = frozenset(named("reference_tags"))
PREDICTED_TAGS = frozenset(named("predicted_tags"))
OUTPUT_TAGS = PREDICTED_TAGS | {"ocr", "htr", "output"}
_KNOWN = frozenset(TEXT_SUFFIXES)
_CONTAINERS = frozenset({"page", "alto"})
"""Folders that export tools put the transcripts of a document into; no part of a page's name."""


def may_be_page(file: SourceFile, suffix: str = "") -> bool:
    """Whether a transcript may be called so: with this suffix, or by default any known one.

    What export tools put beside the transcripts does not count, whatever its ending.
    """
    wanted = (suffix.lower(),) if suffix else TEXT_SUFFIXES
    fits = not is_by_product(file.path.name) and file.name.lower().endswith(wanted)
    return fits and not (file.name.lower().endswith(".tsv") and is_table(file))


def possible_pages(files: Iterable[SourceFile], suffix: str = "") -> list[SourceFile]:
    """The files whose names transcripts may have.

    Documents for a word processor are pages only where they are more than all else: exports put
    the whole document beside its pages.
    """
    found = [file for file in files if may_be_page(file, suffix)]
    inside: dict[str, set[str]] = {}
    for file in found:
        if file.path.parent.name.lower() in _CONTAINERS:
            of_pages = inside.setdefault(str(file.path.parent.parent), set())
            of_pages |= {_shape(file), re.sub("0+", r"0\g<0>", _shape(file))}
    # An export puts the whole document beside the folder of its pages; more pages are called alike.
    pages = [
        file
        for file in found
        if not is_of("docx", file.name)
        and _shape(file) in inside.get(str(file.path.parent), {_shape(file)})
    ]
    n_documents = sum(is_of("docx", file.name) for file in found)
    return pages if len(pages) >= max(n_documents, 1) else found


def _shape(file: SourceFile) -> str:
    return re.sub("[0-9]", "0", stem(file.name))


def is_by_product(name: str) -> bool:
    """Whether a file of this name is put beside pages by an export or an operating system."""
    return name.lower() in _NOT_PAGES or name.lower().endswith("_meta.json")


def is_image(file: SourceFile) -> bool:
    """Whether a file's name is that of a page image."""
    return file.name.lower().endswith(IMAGE_SUFFIXES)


@lru_cache(maxsize=2**16)
def stem(name: str, suffix: str | None = None) -> str:
    """A page's name: the file's path without its known suffix and without export folders."""
    lowered = name.lower()
    if suffix:
        endings = [suffix.lower()] if lowered.endswith(suffix.lower()) else []
    else:
        endings = [lowered[at:] for at, sign in enumerate(lowered) if sign == "."]
        endings = [one for one in endings if one in _KNOWN]
    # Of several the longest, which leaves something of the name.
    ending = next((one for one in endings if len(name) > len(one)), "")
    name = name[: len(name) - len(ending)]
    if "/" not in name:
        return name
    parts = PurePosixPath(name).parts
    kept = [part for part in parts[:-1] if part.lower() not in _CONTAINERS]
    return "/".join([*kept, *parts[-1:]])


def forget_names() -> None:
    """Let go of the names of files that were taken apart so far."""
    stem.cache_clear()
    path_of.cache_clear()


def by_page(
    files: Iterable[SourceFile], suffix: str | None = None, other_suffix: str | None = None,
    prefix: str = "",
) -> dict[str, list[SourceFile]]:  # fmt: skip
    """The files of one side by page.

    Args:
        suffix: how the names of this side end; any known suffix by default.
        other_suffix: how those of the other side end: ``1.gt.txt`` is no ``.txt`` then.
        prefix: put before the names in messages.
    """
    wanted, other = (suffix or "").lower(), (other_suffix or "").lower()
    longer = other if len(other) > len(wanted) else ""
    pages: dict[str, list[SourceFile]] = {}
    for file in possible_pages(files, wanted):
        name = file.name.lower()
        if not (longer and name.endswith(longer)):
            named = replace(file, name=prefix + file.name)
            pages.setdefault(stem(file.name, suffix), []).append(named)
    return pages


_RICHEST = (
    ".page.xml", ".xml", ".alto.xml", ".hocr", ".tsv", ".tei", ".html", ".md", ".txt", ".json",
)  # fmt: skip
"""Endings of the forms in which one program writes a page, those with most of its layout first.

Services write JSON beside the text that is meant to be read."""


def richest(files: Sequence[SourceFile]) -> tuple[SourceFile, str] | None:
    """Of the forms of a page that one program wrote the one that holds most, and its name.

    They stand in one folder under one name with different endings, or once in ``page/`` and once
    in ``alto/``. Files for a page of any other origin stay several.
    """
    if len(files) == 2:
        one, two = sorted(
            files, key=lambda one: any(name == "alto" for _, name in _containers(one))
        )
        is_twin = [name for _, name in _containers(two)] == ["alto"]
        if is_twin and _containers(one) == [(at, "page") for at, _ in _containers(two)]:
            return one, "page/"
    endings = [
        next((e for e in TEXT_SUFFIXES if file.name.lower().endswith(e)), "") for file in files
    ]
    is_one_place = len({file.path.parent for file in files}) == 1
    if not is_one_place or len({*endings}) < len(files) or not {*endings} <= {*_RICHEST}:
        return None
    best = min(endings, key=_RICHEST.index)
    return files[endings.index(best)], best


def _containers(file: SourceFile) -> list[tuple[int, str]]:
    """The export folders that a file stands in, each with its depth."""
    names = [part.lower() for part in file.path.parts[:-1]]
    return [(at, name) for at, name in enumerate(names) if name in _CONTAINERS]


@dataclass(frozen=True, slots=True)
class ManyPages:
    """The pages of one side that stand in a single file.

    Args:
        pages: the text of each.
        told: which columns they are from, as a phrase; empty where they are from none.
        warnings: what else to know about it.
        input: the text that the outputs were made from, where the file of references has it.
    """

    pages: dict[str, list[SourceFile]]
    told: str = ""
    input: dict[str, list[SourceFile]] = field(default_factory=dict)
    warnings: tuple[DataWarning, ...] = ()


def many_in_one(
    files: Sequence[SourceFile], reading: ReadPolicy, *, reference: bool, system: str = "",
    chosen: Columns | None = None, known: Collection[str] = (),
) -> ManyPages | None:  # fmt: skip
    """The pages of one side whose single file holds many: a table, or decoded lines.

    Args:
        system: whose output it is.
        chosen: columns that somebody named.
        known: names of pages of the other sides.

    Returns:
        None where the side is no such file.

    Raises:
        ReadError: it is such a file but cannot be read, or no column is the text.
    """
    texts = [file for file in files if not is_image(file)]
    file = only_table(files)
    if file is None:
        pages = decoded_pages(texts[0], reading) if len(texts) == 1 else None
        if pages is None:
            return None
        return ManyPages(pages, warnings=(DataWarning(texts[0].name, WarningKind.DECODED),))
    header, rows = read_rows(file, reading.encoding, reading.limits)
    mine = _of_side(chosen or Columns(), header, system, reference=reference)
    found = find_columns(file.name, header, rows, mine)
    if mine.page_id is None and known:
        found = replace(found, page_id=_naming(header, rows, found.page_id, known))
    left = [column for column in header if column != found.page_id]
    if reference:
        wanted = found.reference or (left[0] if len(left) == 1 else None)
    else:
        wanted = output_of_side(header, rows, found, system, mine)
    if wanted is None:
        side = "reference" if reference else "hypothesis"
        raise unreadable("which column", file.name, columns=", ".join(left[:8]), side=side)
    if found.page_id is None:
        # Files never pair by their position: rows of two tables do not, either.
        raise unreadable("no ids", file.name, columns=", ".join(header[:8]), own=ID_COLUMNS[0])
    before = [HIPE_INPUT] if reference and HIPE_INPUT in header else []
    columns = as_columns(file, header, rows, found.page_id, [wanted, *before])
    what = "references" if reference else "texts"
    other = next(iter(found.others), None) if reference else found.reference
    told = DataWarning(
        file.name, WarningKind.TWO_COLUMNS, (what, wanted, other or ""),
        remedy=Remedy(RemedyKind.NAME_COLUMNS),
    )  # fmt: skip
    is_open = other not in (None, wanted, mine.reference) and system not in mine.texts
    is_open = is_open and (reference or is_corrected(other or ""))
    return ManyPages(
        columns[wanted], f"{file.name}: page ids from {found.page_id}, {what} from {wanted}",
        columns[HIPE_INPUT] if before else {}, (told,) if is_open else (),
    )  # fmt: skip


def only_table(files: Sequence[SourceFile]) -> SourceFile | None:
    """The table that holds all pages, where there is nothing beside it but their images."""
    left = [file for file in files if not is_image(file) and not is_by_product(file.path.name)]
    one = left if len(files) > 1 else files
    return one[0] if len(one) == 1 and is_table(one[0]) else None


def names_in(files: Sequence[SourceFile], reading: ReadPolicy) -> set[str]:
    """What the files of a side call its pages: their names, or a table's column of file names."""
    table = only_table(files)
    if table is None:
        return {file.name for file in files}
    header, rows = read_rows(table, reading.encoding, reading.limits)
    found: set[str] = set()
    for column in header:
        cells = [row.get(column) or "" for row in rows]
        if column.lower() in FILE_COLUMNS or _are_names(cells):
            found.update(filter(None, cells))
    return found


def _are_names(cells: Sequence[str]) -> bool:
    """Whether cells are called as files are, whatever their heading: img_001, each another."""
    return len({*cells}) == len(cells) and all(
        len(cell) <= _LONGEST_PATH and re.fullmatch(r"\S*\d\S*", cell) and not cell.isdecimal()
        for cell in cells
    )


def _naming(
    header: Sequence[str], rows: Sequence[Cells], page_id: str | None, known: Collection[str]
) -> str | None:
    """The column of page ids, or another one that names the pages of other sides better."""
    ids = dict.fromkeys([page_id] if page_id else [])
    columns = {one: [(row.get(one) or "").strip() for row in rows] for one in (*ids, *header)}
    if page_id:  # Then a column of numbers is no other one.
        ids |= {
            one: None for one, cells in columns.items()
            if one.lower() in ID_COLUMNS or not all(map(str.isdecimal, cells))
        }  # fmt: skip
    best, fits = naming_column({one: columns[one] for one in ids or columns}, known)
    return best if fits else page_id


def naming_column(columns: Mapping[str, Sequence[str]], known: Collection[str]) -> tuple[str, bool]:
    """Of columns the one that names pages best, and whether it names most of its cells or of these.

    That is ``page_id`` if it names most, else a column with names of files that does, else the
    first of those that name most pages: ``page`` and ``id`` may count something else.
    """
    pages = set(map(_bare, known))

    def rank(column: str) -> tuple[bool, bool, int, bool]:
        # What is longer is text; to take it for a name would take long.
        cells = {cell[:_LONGEST_PATH] for cell in columns[column]}
        n, name = len(pages & set(map(_bare, cells))), column.lower()
        fits = n > 0 and n >= _NEARLY * min(len(cells), len(pages))
        is_file = name in FILE_COLUMNS and not all(map(str.isdecimal, cells))
        return fits and name == "page_id", fits and is_file, n, fits

    ranks = {column: rank(column) for column in columns}
    best = max(ranks, key=ranks.__getitem__)
    return best, ranks[best][-1]


def _bare(name: str) -> str:
    """A name without folders and endings, of images too, and without zeros before its number."""
    name = stem(_last_part(name))
    name = name.rpartition(".")[0] if name.lower().endswith(IMAGE_SUFFIXES) else name
    return str(int(name)) if name.isdecimal() else name


_NEARLY, _LONGEST_PATH = 0.8, 1000
"""The share of its rows, or of the pages, that a column must name, and the letters of a path."""


def _of_side(chosen: Columns, header: Sequence[str], system: str, *, reference: bool) -> Columns:
    """What was chosen of the columns of this side: other sides may have other ones."""
    mine = {system: chosen.texts[system]} if system in chosen.texts else {}
    if reference:
        return replace(chosen, texts={})
    of_reference = chosen.reference if chosen.reference in header else None
    return replace(chosen, reference=of_reference, texts=mine)


def decoded_pages(file: SourceFile, reading: ReadPolicy) -> dict[str, list[SourceFile]] | None:
    """The pages of PyLaia's decoding, or None for any other file.

    Raises:
        ReadError: an id of a line does not tell its page.
    """
    try:
        text = decode(file.name, file.read(), reading.encoding)
    except ReadError:
        return None
    if not is_decoded(text, has_ids=bool(reading.line_pattern)):
        return None
    pages = read_decoded(file.name, text, reading.line_pattern or LINE_PATTERN)
    found: dict[str, list[SourceFile]] = {}
    for page, lines in pages.items():
        in_order = sorted(lines, key=lambda row: natural_order(row[0]))
        found[page] = [as_text(f"{file.name}: {page}", "\n".join(line for _, line in in_order))]
    return found


def _last_part(page_id: str) -> str:
    return page_id.rpartition("/")[2]


def _running_number(page_id: str) -> str:
    """The number that Transkribus puts before a name (0001_name); empty without one."""
    number, underscore, _ = _last_part(page_id).partition("_")
    return number if underscore and len(number) >= 3 and number.isdecimal() else ""


def _without_number(page_id: str) -> str:
    number = _running_number(page_id)
    return _last_part(page_id)[len(number) + 1 :] if number else _last_part(page_id)


_PAGE_OF_FILE = re.compile(r"(.+?)[_-](?:pg|page)[_-]?0*(\d{1,6})")
"""A document of which there is this page alone: letter_pg1."""
_PAGE_NUMBER = re.compile(r"(?:pg|page|p|seite|img|image|scan)?[ _-]?0*(\d{1,6})", re.IGNORECASE)
"""A page that has no other name: page_7, 7 and 0007 are one."""


def _what_counts(pattern: re.Pattern[str], page_id: str) -> str:
    """What a pattern picks out of the last part of a name; all of it where it does not fit."""
    last = _last_part(page_id)
    match = pattern.fullmatch(last)
    return match[1] if match else last


def _without_image(page_id: str) -> str:
    """The name without the ending of the image that it was made from: X.tif of X.tif.xml."""
    return PurePosixPath(page_id).stem if page_id.lower().endswith(IMAGE_SUFFIXES) else page_id


_SIDE = re.compile(rf"(.+)[._-](?:{'|'.join(sorted(REFERENCE_TAGS | OUTPUT_TAGS))})", re.IGNORECASE)
"""A name with the word that tells its side: 1_gt."""


def _without_own_folder(page_id: str, files: Sequence[SourceFile]) -> str:
    """The name without that of the folder that its file stands in, as OCR-D names files."""
    last = _last_part(page_id)
    for folder in files[0].path.parts[:-1]:
        own = re.escape(folder)
        match = re.fullmatch(rf"{own}[._-](.+)|(.+)[._-]{own}", last, re.IGNORECASE)
        if match:
            return match[1] or match[2]
    return last


_REPEATED = re.compile(r"(.+?)[_-]repeat[_-]?(\d{1,4})", re.IGNORECASE)


def by_run(systems: Mapping[str, PageFiles]) -> dict[str, PageFiles]:
    """The same with the runs of a system as systems: letter_pg1_repeat2 is A#2's letter_pg1.

    A system of which there is one run alone keeps its name.
    """
    found: dict[str, PageFiles] = {}
    for system, pages in systems.items():
        matches = {page: _REPEATED.fullmatch(page) for page in pages}
        runs: dict[str, dict[str, list[SourceFile]]] = {}
        for page, match in matches.items():
            if match:
                run = runs.setdefault(str(int(match[2])), {})
                run.setdefault(match[1], []).extend(pages[page])
        is_taken = any(f"{system}#{run}" in systems for run in runs)
        if not runs or not all(matches.values()) or is_taken:
            found[system] = pages
        elif len(runs) == 1:
            found[system] = dict(next(iter(runs.values())))
        else:
            found |= {f"{system}#{run}": runs[run] for run in sorted(runs, key=int)}
    return found


def _is_running_number(ref: str, hyp: str) -> bool:
    """Whether the numbers before two names may differ: those of an export do, years do not."""
    first, second = (_last_part(page_id).partition("_")[0] for page_id in (ref, hyp))
    both = first.isdecimal() and second.isdecimal()
    return not both or first == second or "0" in (first[0], second[0])


def _of_one_folder(ref: Sequence[str], hyp: Sequence[str]) -> bool:
    """Whether pages in these folders may be the same: those in vol1 and in vol2 are not."""
    first, second = (re.findall(r"\d{1,9}", "/".join(one)) for one in (ref, hyp))
    return not first or not second or [*map(int, first)] == [*map(int, second)]


def _is_only_page(ref: str, hyp: str) -> bool:
    """Whether two names mean the same page: a document without a number is its page 1."""
    numbers = [_PAGE_OF_FILE.fullmatch(_last_part(page_id)) for page_id in (ref, hyp)]
    first, second = (int(match[2]) if match else 1 for match in numbers)
    return first == second


@dataclass(frozen=True, slots=True)
class Looser:
    """A looser way to read page names.

    Args:
        how: what it passes over.
        rename: a page's name and its files become another name.
        agree: whether what is passed over lets two names mean one page, the reference's first.
        applies: whether the names of a side are read so at all; else their last parts count.
        needs_all: whether a side must have all names of the other: one that counts from 0 and one
            that counts from 1 share most.
    """

    how: str
    rename: Callable[[str, Sequence[SourceFile]], str]
    agree: Callable[[str, str], bool] = lambda ref, hyp: True
    applies: Callable[[Collection[str]], bool] = lambda names: True
    needs_all: bool = False

    def _names(self, pages: PageFiles) -> list[str]:
        if not self.applies(pages):
            return [_last_part(page) for page in pages]
        return [self.rename(page, files) for page, files in pages.items()]

    def renamed(self, pages: PageFiles) -> PageFiles | None:
        """The same files under other page names, or None if two pages would share one."""
        by_name = dict(zip(self._names(pages), pages.values(), strict=True))
        return by_name if len(by_name) == len(pages) else None

    def may_pair(self, references: PageFiles, outputs: PageFiles) -> bool:
        """Whether anything pairs, and nothing that cannot be one page."""
        names = dict(zip(self._names(references), references, strict=True))
        read = dict(zip(self._names(outputs), outputs, strict=True))
        if self.needs_all and not (names.keys() <= read.keys() or read.keys() <= names.keys()):
            return False
        if self.needs_all and ("0" in names) != ("0" in read):
            return False
        # What stands around all of a side, as the number of an export, tells no page apart.
        ref, hyp = (len(commonprefix([page.split("/")[:-1] for page in side] or [[]]))
                    for side in (references, outputs))  # fmt: skip
        agreed = [
            self.agree(names[name], page)
            and _of_one_folder(names[name].split("/")[ref:-1], page.split("/")[hyp:-1])
            for name, page in read.items() if name in names
        ]  # fmt: skip
        return bool(agreed) and all(agreed)


def _by_name(
    how: str, rename: Callable[[str], str], agree: Callable[[str, str], bool] | None = None
) -> Looser:
    looser = Looser(how, lambda page_id, _: rename(page_id))
    return replace(looser, agree=agree) if agree else looser


COMPOSED = _by_name("Unicode forms of names passed over", partial(normalize, "NFC"))
"""Names as macOS writes them look the same as others, and are not equal."""
LOOSER_NAMES: tuple[Looser, ...] = (
    _by_name("the folders around them passed over", _last_part),
    Looser("the names of their folders in names passed over", _without_own_folder),
    _by_name("capitals passed over", str.casefold),
    _by_name("endings of images before their own (.tif.xml) passed over", _without_image),
    _by_name(
        "words for the side (_gt, _ocr) after names passed over", partial(_what_counts, _SIDE)
    ),
    replace(
        _by_name("numbers before names (0001_…) passed over", _without_number, _is_running_number),
        # They count the pages of a side: 071_108_001 has none.
        applies=lambda ids: len({_running_number(one) for one in ids} - {""}) == len(ids),
    ),
    _by_name(
        "numbers of pages after names (…_pg1) passed over", partial(_what_counts, _PAGE_OF_FILE),
        _is_only_page,
    ),
    replace(
        _by_name("by the numbers of pages (page_1, 1, 0001)", partial(_what_counts, _PAGE_NUMBER)),
        needs_all=True,
    ),
)  # fmt: skip
"""Ways to read page names when no two are equal as they stand, the stricter first."""


def natural_order(name: str) -> tuple[tuple[int, str], ...]:
    """A sort key that puts page 2 before page 10."""
    pieces = re.findall("[0-9]+|[^0-9]+", name)
    return tuple((int(one[:18]) if one[0] in "0123456789" else -1, one) for one in pieces)
