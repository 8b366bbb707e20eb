"""Tables of texts: a row for each page (CSV, TSV, JSON lines, Parquet) or line (PyLaia)."""

import csv
import io
import json
import re
import sys
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import PurePosixPath
from typing import Any, TypeAlias

from htreval_core.errors import ReadError
from htreval_core.markup import whole
from htreval_core.model import SourceFile
from htreval_core.settings import Limits
from htreval_core.sources.columns import DOLMA_ID, HIPE_OUTPUT, SYSTEM_COLUMNS
from htreval_core.sources.faults import unreadable
from htreval_core.sources.formats import TABLE_ENDINGS
from htreval_core.sources.names import named
from htreval_core.sources.readers.bounds import beyond, check
from htreval_core.sources.readers.boxed import without_twins
from htreval_core.sources.readers.loading import Held
from htreval_core.sources.readers.plain import decode
from htreval_core.sources.readers.tesseract import TSV_HEAD

LINE_PATTERN = r"(?P<page>.+)[._-](?P<line>[^._-]+)"
"""How the id of a line tells its page: what stands before the last dot, dash or underscore."""

BLANK = "<space>"
"""How PyLaia writes the space that it read."""
_DECODED = re.compile(r"^\S+(?: (?:\S|<\w+>))*$")


Cells: TypeAlias = dict[str, str | None]
"""A row by column; the fields of a nested record have names with dots."""


def is_table(file: SourceFile) -> bool:
    """Whether a file is a table of pages, by its name; JSON also by what it holds."""
    name = file.name.lower()
    if name.endswith(".tsv"):
        return not file.read().removeprefix(BOM_UTF8).startswith(TSV_HEAD)
    return name.endswith(TABLE_ENDINGS) or (name.endswith(".json") and _is_rows(file))


def _is_rows(file: SourceFile) -> bool:
    """Whether a JSON file is a list of records that have an id and a text beside it.

    Lists of blocks of a page, as layout models write them, have neither."""
    try:
        records = _columned(json.loads(file.read().decode("utf-8-sig")))
        if not isinstance(records, list) or not records or not isinstance(records[0], dict):
            return False
        header = {str(key).lower() for key in _flat(records[0])}
    except (ReadError, ValueError, RecursionError):
        return False
    if not header.isdisjoint(_IDS) and not header.isdisjoint(_TEXTS):
        return True
    # Blocks of a page have ids and texts, too, but no two texts to be compared, and no system.
    return not header.isdisjoint(_LESS_IDS) and (
        not header.isdisjoint(_SIDES)
        or not (header.isdisjoint(SYSTEM_COLUMNS) or header.isdisjoint(_TEXTS))
    )


_IDS, _LESS_IDS = frozenset(named("table_ids")), frozenset(named("table_less_ids"))
_SIDES, _TEXTS = frozenset(named("table_sides")), frozenset(named("table_texts"))


def read_rows(
    file: SourceFile, encoding: str | None = None, limits: Limits | None = None
) -> tuple[list[str], list[Cells]]:
    """The columns and rows of a table.

    Every cell is text as it stands: a page called 001 or a word NA survives. A list is its lines.

    Raises:
        ReadError: it is no table.
    """
    content = file.read()
    if content[:4] == b"PAR1":
        header, read = _parquet(file.name, content, limits or Limits())
    else:
        text = decode(file.name, content, encoding)
        ways = {"{": _json_lines, "[": _json_list}
        is_json = file.name.lower().endswith(".json")
        way = _json_list if is_json else ways.get(text.lstrip()[:1], separated)
        header, read = way(file.name, text)
    rows, nameless = list(read), [one for one in header if not one.strip()]
    # Without a name are row numbers, or the end of every row.
    if not all((row.get(one) or "0").isdecimal() for one in nameless for row in rows):
        raise ReadError(f"{file.name}: a column of texts has no name; write one above it")
    return [one for one in header if one not in nameless], rows


def as_columns(
    file: SourceFile, header: Sequence[str], rows: Sequence[Cells], key: str | None,
    wanted: Sequence[str],
) -> dict[str, dict[str, list[SourceFile]]]:  # fmt: skip
    """The texts of the wanted columns by page, as files that hold plain text.

    A page that stands in several rows has several files, for the caller to refuse.

    Args:
        key: the column of page ids; None to number the rows from 1.

    Raises:
        ReadError: a row has no page id.
    """
    columns: dict[str, dict[str, list[SourceFile]]] = {name: {} for name in wanted}
    for number, row in enumerate(rows, start=1):
        page = whole(row.get(key) or "") if key else str(number)
        if not page:
            raise ReadError(f"{file.name}: row {number} has no page id; fill the column {key!r}")
        for name in wanted:
            text_of_cell = row.get(name)
            if name.lower() == HIPE_OUTPUT and text_of_cell in (None, "None"):
                # What HIPE's records hold where a system wrote nothing.
                text_of_cell = ""
            if text_of_cell is not None:
                for one, text in _pages_of_row(row, key, page, text_of_cell):
                    label = f"{file.name}: {one}, column {name}"
                    cell = as_text(label, text, marked="markdown" in name.lower())
                    columns[name].setdefault(one, []).append(cell)
    return columns


def _pages_of_row(row: Cells, key: str | None, page: str, text: str) -> Iterator[tuple[str, str]]:
    """The page of a row; of a document that olmOCR has read each of its pages."""
    if key is None or key.lower() != DOLMA_ID:
        yield page, text
        return
    page = PurePosixPath(page).stem
    try:
        parts = json.loads(row.get("attributes.pdf_page_numbers") or "[]")
        spans = [(int(begin), int(end), int(number)) for begin, end, number in parts]
    except (ValueError, TypeError, RecursionError):
        spans = []
    if len(spans) < 2:
        yield page, text
    for begin, end, number in spans if len(spans) > 1 else ():
        yield f"{page}_pg{number}", text[begin:end]


def as_text(label: str, text: str, *, marked: bool = False) -> SourceFile:
    """A file that holds a text which is not to be taken for anything but text."""
    content = text.encode("utf-8", "surrogatepass")
    return SourceFile(label, Held(content), plain=True, marked=marked)


def separated(name: str, text: str) -> tuple[list[str], Iterator[dict[str, str | None]]]:
    """The heading and the rows of a table whose cells are divided by tabs, commas or semicolons.

    Raises:
        ReadError: it cannot be taken apart, a row has more cells than the heading, or two columns
            have one name.
    """
    first = text.partition("\n")[0]
    delimiter = max(("\t", ",", ";"), key=first.count)
    stray = "\n" in text and re.search(r"\r(?!\n)", text)
    # A cell may hold a whole page; the module's own limit is 128 kB.
    csv.field_size_limit(min(sys.maxsize, 2**31 - 1))
    # Quotes may stand behind a blank; no other blank is passed over.
    blank = delimiter != "\t" and bool(re.search(f'{delimiter} +"', text))
    reader = csv.DictReader(
        io.StringIO(text, newline=""), delimiter=delimiter, strict=True, skipinitialspace=blank
    )
    try:
        reader.fieldnames = header = [column.strip() for column in reader.fieldnames or []]
    except csv.Error as error:
        raise ReadError(f"{name}: not a readable table ({error}); save it again") from None
    # Of two columns under one heading one would be lost.
    twice = next((one for one, n in Counter(header).items() if one and n > 1), None)
    if twice is not None:
        raise unreadable("twin columns", name, twice=twice)

    def rows() -> Iterator[dict[str, str | None]]:
        try:
            for row in reader:
                if None in row:
                    raise unreadable("more cells", name, line=reader.line_num)
                if stray and None in row.values():
                    raise unreadable("carriage return", name, line=reader.line_num)
                cells = [cell for cell in row.values() if cell and "\t" in cell]
                short = None in row.values()
                if delimiter == "\t" and any(short or "\n" in cell for cell in cells):
                    what = "cells" if short else "rows"
                    raise unreadable("open quotes", name, what=what, line=reader.line_num)
                yield row
        except csv.Error as error:
            # The row that cannot be read is the one after the last that DictReader has counted.
            at = reader.reader.line_num
            raise unreadable("no table", name, line=at, error=error) from None

    return header, rows()


def _json_lines(name: str, text: str) -> tuple[list[str], Iterator[dict[str, str | None]]]:
    records: list[dict[str, str | None]] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            record = _READ(line)
            if not isinstance(record, dict):
                raise unreadable("no object", name, line=number)
            records.append(_flat(record))
        except (ValueError, RecursionError) as error:
            # A number of five thousand digits is JSON, but no number that Python reads.
            raise unreadable("no JSON", name, line=number, error=error) from None
    header = list(dict.fromkeys(key for record in records for key in record))
    return header, iter(records)


def _json_list(name: str, text: str) -> tuple[list[str], Iterator[dict[str, str | None]]]:
    try:
        records = _columned(_READ(text))
        if not isinstance(records, list) or not all(isinstance(one, dict) for one in records):
            raise ReadError(f"{name}: not a list of JSON objects; write one object for each page")
        flat = [_flat(record) for record in records]
    except (ValueError, RecursionError) as error:
        raise ReadError(f"{name}: not readable as JSON ({error}); write it again") from None
    return list(dict.fromkeys(key for record in flat for key in record)), iter(flat)


def _columned(data: Any) -> Any:
    """The records of a table that Weights & Biases wrote: names of columns, and lists of cells."""
    if not isinstance(data, dict) or not data.keys() >= {"columns", "data"}:
        return data
    names, rows = data["columns"], data["data"]
    usable = isinstance(names, list) and isinstance(rows, list)
    if not usable or not all(isinstance(row, list) and len(row) == len(names) for row in rows):
        return data
    return [{str(name): cell for name, cell in zip(names, row, strict=True)} for row in rows]


_READ = partial(json.loads, object_pairs_hook=without_twins, parse_constant=lambda _: None)
"""JSON, with NaN for nothing: pandas writes it so."""
_DEEPEST = 4
"""Records within records whose fields have names of their own."""


def _flat(record: dict[str, Any], prefix: str = "", depth: int = 0) -> dict[str, str | None]:
    """A record with the fields of records in it under names with dots."""
    cells: dict[str, str | None] = {}
    for key, value in record.items():
        name = prefix + whole(str(key))
        nested = isinstance(value, dict) and value and depth < _DEEPEST
        found = _flat(value, f"{name}.", depth + 1) if nested else {name: _cell(value)}
        if twice := cells.keys() & found:
            raise ValueError(f"two fields of a record are called {min(twice)!r}")
        cells |= found
    return cells


def _cell(value: Any) -> str | None:
    if isinstance(value, list):
        # What a model was asked is no part of its answer.
        asked = ("user", "system")
        said = [one for one in value if not isinstance(one, dict) or one.get("role") not in asked]
        lines = [_own(one) if isinstance(one, dict) else one for one in said]
        if not any(isinstance(one, list | dict) for one in lines):
            return "\n".join(_cell(one) or "" for one in lines)
    return value if isinstance(value, str) or value is None else json.dumps(value, default=str)


def _own(record: Mapping[str, Any]) -> Any:
    """The text of a record, or the record itself."""
    keys = (key for key in ("text", "content") if not isinstance(record.get(key, {}), list | dict))
    return next(map(record.get, keys), record)


def _parquet(
    name: str, content: bytes, limits: Limits
) -> tuple[list[str], Iterator[dict[str, str | None]]]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    def unreadable(error: Exception) -> ReadError:
        reason = " ".join(str(error).split())[:200]
        return ReadError(f"{name}: not readable as Parquet ({reason}); write it again")

    try:
        table = pq.ParquetFile(pa.BufferReader(content))
        about = table.metadata
        groups = [about.row_group(number) for number in range(about.num_row_groups)]
        wanted = [leaf for field in table.schema_arrow for leaf in _texts(field)]
        unpacked = _unpacked(groups, wanted)
    except (pa.ArrowException, OSError, ValueError) as error:
        raise unreadable(error) from None
    check(name, about.num_rows, "rows", "archive_members", limits.archive_members, "split it")
    check(name, unpacked, "bytes unpacked", "file_bytes", limits.file_bytes, "split it")

    def rows() -> Iterator[dict[str, str | None]]:
        # A value that many rows share is stored once: taken all at once they could fill memory.
        at_once = max(1, min(1000, limits.file_bytes // max(unpacked, 1)))
        total = 0
        try:
            for batch in table.iter_batches(batch_size=at_once, columns=wanted):
                for row in batch.to_pylist():
                    cells = _flat(row)
                    total += sum(len(cell) for cell in cells.values() if cell)
                    if total > limits.file_bytes:
                        raise beyond(
                            name, f"over {limits.file_bytes:,} characters", "file_bytes",
                            limits.file_bytes, "split it",
                        )  # fmt: skip
                    yield cells
        except (pa.ArrowException, OSError, ValueError, TypeError) as error:
            raise unreadable(error) from None

    return wanted, rows()


def _texts(field: Any, prefix: str = "") -> Iterator[str]:
    """The names of what may be text in a column, fields of records one by one; no bytes, such as
    those of images."""
    import pyarrow as pa

    name = f"{prefix}{field.name}"
    if pa.types.is_struct(field.type):
        for at in range(field.type.num_fields):
            yield from _texts(field.type.field(at), f"{name}.")
    elif "binary" not in str(field.type):
        yield name


def _unpacked(groups: Sequence[Any], wanted: Sequence[str]) -> int:
    heads = tuple(f"{name}." for name in wanted)
    names = frozenset(wanted)
    total = 0
    for group in groups:
        for at in range(group.num_columns):
            column = group.column(at)
            if column.path_in_schema in names or column.path_in_schema.startswith(heads):
                total += column.total_uncompressed_size
    return total


def is_decoded(text: str, *, has_ids: bool = False) -> bool:
    """Whether a text is PyLaia's decoding: line ids, then characters between spaces, if any.

    Signs divided by spaces are text as well, Chinese for one: the blank's own sign somewhere says
    that they are not.

    Args:
        has_ids: that somebody has said so, by a pattern of line ids.
    """
    lines = [line.rstrip() for line in text.split("\n") if line.strip()]
    if not lines or not (has_ids or BLANK in text.split()):
        return False
    return all(map(_DECODED.match, lines))


def read_decoded(
    name: str, text: str, pattern: str = LINE_PATTERN
) -> dict[str, list[tuple[str, str]]]:
    """The lines of PyLaia's decoding by page: (line id, text) each.

    Args:
        pattern: a regular expression over a whole line id with groups ``page`` and ``line``.

    Raises:
        ReadError: a line id does not fit the pattern, or the pattern has no such groups.
    """
    try:
        compiled = re.compile(pattern)
    except re.error as error:
        raise ReadError(f"{name}: {pattern!r} is not a regular expression ({error})") from None
    if not {"page", "line"} <= set(compiled.groupindex):
        raise ReadError(f"{name}: the pattern {pattern!r} needs groups (?P<page>…) and (?P<line>…)")
    pages: dict[str, list[tuple[str, str]]] = {}
    for number, row in enumerate(text.split("\n"), start=1):
        key, _, decoded = row.strip("\r").partition(" ")
        if not key:
            continue
        match = compiled.fullmatch(key)
        if match is None:
            raise unreadable("other ids", name, line=number, key=key, pattern=pattern)
        characters = (" " if sign == BLANK else sign for sign in decoded.split(" "))
        pages.setdefault(match["page"], []).append((match["line"], "".join(characters)))
    return pages
