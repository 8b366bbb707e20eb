"""Values as JSON, CSV and tables write them."""

import csv
import json
import math
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

JsonValue = dict[str, "JsonValue"] | list["JsonValue"] | str | int | float | None


def number(value: float) -> int | float | None:
    """A JSON number: whole where it is whole, None where it is undefined."""
    if math.isnan(value) or math.isinf(value):
        return None
    return int(value) if float(value).is_integer() else float(value)


def fraction(value: float) -> float | None:
    """A JSON fraction; None where it is undefined."""
    return None if math.isnan(value) or math.isinf(value) else float(value)


# Controls, signs that turn the direction of text, tags, halves of characters, line separators: none
# of them stands outside a string in JSON.
_UNSEEN = re.compile(
    "[\x7f-\x9f\xad\u0600-\u0605\u061c\u06dd\u070f\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    "\ud800-\udfff\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")


def fields(
    of: object, names: str, as_value: Callable[[Any], JsonValue] = lambda value: value
) -> dict[str, JsonValue]:
    """Attributes of an object under their own names, which are divided by spaces."""
    return {name: as_value(getattr(of, name)) for name in names.split()}


def as_json(content: JsonValue) -> str:
    """Valid JSON, for people too; a value that JSON does not know is an error of ours.

    What cannot be seen, or could drive a terminal, is written as its escape: read as JSON, every
    text is what it was.
    """
    text = json.dumps(content, ensure_ascii=False, allow_nan=False, indent=1)
    return _UNSEEN.sub(lambda found: json.dumps(found[0])[1:-1], text) + "\n"


def cell(text: str) -> str:
    """Text for a spreadsheet: what would run as a formula is marked as text by an apostrophe."""
    return f"'{text}" if text.startswith(_FORMULA) else text


class _Rows(list[str]):
    """Where a CSV writer writes to: rows that end in a line feed."""

    def write(self, row: str) -> None:
        self.append(row.removesuffix("\r\n") + "\n")


def csv_text(rows: Iterable[Sequence[object]]) -> str:
    """Rows as CSV with line feeds: texts pass ``cell``; None and undefined numbers are empty."""
    return "".join(csv_pieces(rows))


_ROWS_A_PIECE = 4_096


def csv_pieces(rows: Iterable[Sequence[object]]) -> Iterator[str]:
    """What ``csv_text`` gives, piece by piece."""
    out = _Rows()
    # Python 3.11 quotes a carriage return, which ends a row for most readers, only if it is part of
    # the end of its own rows.
    writer = csv.writer(out, lineterminator="\r\n")
    for row in rows:
        writer.writerow([_csv_cell(one) for one in row])
        if len(out) == _ROWS_A_PIECE:
            yield "".join(out)
            out.clear()
    yield "".join(out)


def _csv_cell(value: object) -> object:
    if isinstance(value, str):
        return cell(value)
    return "" if value is None or (isinstance(value, float) and math.isnan(value)) else value


def aligned(rows: Sequence[Sequence[str]], n_left: int = 1) -> Iterator[str]:
    """Rows of cells for a terminal, each as wide as its column, the first ones to the left."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [
            cell.ljust(width) if at < n_left else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield f"  {'  '.join(cells)}".rstrip()


def plain(text: str) -> str:
    """Text for a terminal: control characters, which could drive it, become visible."""
    return "".join(char if char.isprintable() else f"\\x{ord(char):02x}" for char in text)


def shown_lines(text: str) -> str:
    """Lines for a terminal: ``plain`` but for the line feeds, tabs and spaces of other widths."""
    return "".join(
        char if char in "\n\t" or unicodedata.category(char) == "Zs" else plain(char)
        for char in text
    )
