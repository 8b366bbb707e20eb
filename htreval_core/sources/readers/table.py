"""Tables of texts: a row a page (CSV, TSV, JSON lines, Parquet), or a row a line (PyLaia)."""

from __future__ import annotations

import csv
import io
import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from htreval_core.errors import ReadError, Remedy, RemedyKind
from htreval_core.markup import whole
from htreval_core.model import SourceFile
from htreval_core.settings import Limits
from htreval_core.sources.readers.bounds import beyond
from htreval_core.sources.readers.plain import decode

ID_COLUMNS = ("page_id", "page", "id", "image", "file", "filename")
REFERENCE_COLUMNS = ("reference", "ref", "gt", "ground_truth", "transcription")
LINE_PATTERN = r"(?P<page>.+)[._-](?P<line>[^._-]+)"
"""How the id of a line tells its page: what stands before the last dot, dash or underscore."""

_ENDINGS = (".csv", ".tsv", ".jsonl", ".ndjson", ".parquet")
_DECODED = re.compile(r"^\S+(?: (?:\S|<\w+>))*$")


@dataclass(frozen=True, slots=True)
class Table:
    """Texts of pages by column.

    Args:
        columns: of each column the text of each page, as files that hold plain text. A page
            that stands in several rows has several files, for the caller to refuse.
        reference: the column with the references, where one is called so.
    """

    columns: Mapping[str, Mapping[str, Sequence[SourceFile]]]
    reference: str | None


def is_table(file: SourceFile) -> bool:
    """Whether a file's name says that it is a table of pages."""
    return file.name.lower().endswith(_ENDINGS)


def read_table(
    file: SourceFile, encoding: str | None = None, limits: Limits | None = None
) -> Table:
    """The texts in a table with a column of page ids and one column for each text.

    Every cell is text as it stands: a page called 001 or a word NA survives.

    Raises:
        ReadError: it is no table, or has no column of page ids.
    """
    content = file.read()
    if content[:4] == b"PAR1":
        header, rows = _parquet(file.name, content, limits or Limits())
    else:
        text = decode(file.name, content, encoding)
        as_json = text.lstrip().startswith("{")
        header, rows = (_json_lines if as_json else _separated)(file.name, text)
    lowered = {name.lower(): name for name in reversed(header)}
    key = next((lowered[name] for name in ID_COLUMNS if name in lowered), None)
    if key is None or len(header) < 2:
        raise ReadError(
            f"{file.name}: no column of page ids among {', '.join(header[:8])}; call it one of "
            f"{', '.join(ID_COLUMNS)}"
        )
    columns: dict[str, dict[str, list[SourceFile]]] = {name: {} for name in header if name != key}
    for number, row in enumerate(rows, start=1):
        page = whole(row.get(key) or "")
        if not page:
            raise ReadError(f"{file.name}: row {number} has no page id; fill the column {key!r}")
        for name in columns:
            text_of_cell = row.get(name)
            if text_of_cell is not None:
                label = f"{file.name}: {page}, column {name}"
                columns[name].setdefault(page, []).append(as_text(label, text_of_cell))
    reference = next((lowered[name] for name in REFERENCE_COLUMNS if name in lowered), None)
    return Table(columns, reference)


def as_text(label: str, text: str) -> SourceFile:
    """A file that holds a text which is not to be taken for anything but text."""
    return SourceFile(label, lambda: text.encode("utf-8", "surrogatepass"), plain=True)


def _separated(name: str, text: str) -> tuple[list[str], Iterator[dict[str, str | None]]]:
    first = text.partition("\n")[0]
    delimiter = max(("\t", ",", ";"), key=first.count)
    # A cell may hold a whole page; the module's own limit is 128 kB.
    csv.field_size_limit(min(sys.maxsize, 2**31 - 1))
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        header = list(reader.fieldnames or [])
    except csv.Error as error:
        raise ReadError(f"{name}: no table that can be read ({error}); save it again") from None

    def rows() -> Iterator[dict[str, str | None]]:
        try:
            for row in reader:
                if None in row:
                    raise ReadError(
                        f"{name}: line {reader.line_num} has more cells than the heading; put "
                        "quotes around texts that hold the separator"
                    )
                yield row
        except csv.Error as error:
            # The row that cannot be read is the one after the last that DictReader has counted.
            at = reader.reader.line_num
            raise ReadError(f"{name}: line {at}: {error}; save it again") from None

    return header, rows()


def _json_lines(name: str, text: str) -> tuple[list[str], Iterator[dict[str, str | None]]]:
    records: list[dict[str, str | None]] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
            if not isinstance(record, dict):
                raise ReadError(f"{name}: line {number} is no JSON object; write one object a line")
            records.append({whole(key): _cell(value) for key, value in record.items()})
        except (ValueError, RecursionError) as error:
            # A number of five thousand digits is JSON, but no number that Python reads.
            raise ReadError(f"{name}: line {number} is no JSON ({error}); write it again") from None
    header = list(dict.fromkeys(key for record in records for key in record))
    return header, iter(records)


def _cell(value: Any) -> str | None:
    return value if isinstance(value, str) or value is None else json.dumps(value)


def _parquet(
    name: str, content: bytes, limits: Limits
) -> tuple[list[str], Iterator[dict[str, str | None]]]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    def unreadable(error: Exception) -> ReadError:
        reason = " ".join(str(error).split())[:200]
        return ReadError(f"{name}: no Parquet that can be read ({reason}); write it again")

    try:
        table = pq.ParquetFile(pa.BufferReader(content))
        about = table.metadata
        groups = [about.row_group(number) for number in range(about.num_row_groups)]
        unpacked = sum(group.total_byte_size for group in groups)
    except (pa.ArrowException, OSError, ValueError) as error:
        raise unreadable(error) from None
    if about.num_rows > limits.archive_members:
        raise beyond(
            name, f"{about.num_rows:,} rows", "archive_members", limits.archive_members, "split it"
        )
    if unpacked > limits.file_bytes:
        raise beyond(
            name, f"{unpacked:,} bytes unpacked", "file_bytes", limits.file_bytes, "split it"
        )

    def rows() -> Iterator[dict[str, str | None]]:
        # A value that many rows share is stored once: taken all at once they could fill memory.
        at_once = max(1, min(1000, limits.file_bytes // max(unpacked, 1)))
        total = 0
        try:
            for batch in table.iter_batches(batch_size=at_once):
                for row in batch.to_pylist():
                    cells = {key: _cell(value) for key, value in row.items()}
                    total += sum(len(cell) for cell in cells.values() if cell)
                    if total > limits.file_bytes:
                        raise beyond(
                            name, f"over {limits.file_bytes:,} characters", "file_bytes",
                            limits.file_bytes, "split it",
                        )  # fmt: skip
                    yield cells
        except (pa.ArrowException, OSError, ValueError, TypeError) as error:
            raise unreadable(error) from None

    return table.schema_arrow.names, rows()


def is_decoded(text: str) -> bool:
    """Whether a text looks like PyLaia's decoding: line ids, then characters between spaces.

    A line on which nothing or a single character was read says little; half of them must say more.
    """
    lines = [line.rstrip() for line in text.split("\n", 50)[:50] if line.strip()]
    telling = sum("<space>" in line or line.count(" ") > 1 for line in lines)
    return bool(lines) and telling * 2 >= len(lines) and all(map(_DECODED.match, lines))


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
        raise ReadError(f"{name}: {pattern!r} is no regular expression ({error})") from None
    if not {"page", "line"} <= set(compiled.groupindex):
        raise ReadError(f"{name}: the pattern {pattern!r} needs groups (?P<page>…) and (?P<line>…)")
    pages: dict[str, list[tuple[str, str]]] = {}
    for number, row in enumerate(text.split("\n"), start=1):
        key, _, decoded = row.strip("\r").partition(" ")
        if not key:
            continue
        match = compiled.fullmatch(key)
        if match is None:
            raise ReadError(
                f"{name}: line {number}: the id {key!r} does not fit the pattern {pattern!r}; "
                "give one that does",
                Remedy(RemedyKind.GIVE_LINE_PATTERN),
            )
        characters = (" " if sign == "<space>" else sign for sign in decoded.split(" "))
        pages.setdefault(match["page"], []).append((match["line"], "".join(characters)))
    return pages
