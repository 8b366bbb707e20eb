"""The errors of WER by layer of the page, as text and JSON."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from htreval_core.show.pictures.page import PARTS_OF_WER
from htreval_core.show.tables.values import JsonValue, aligned, plain
from htreval_core.show.telling.counting import percent
from htreval_core.show.telling.verdicts import TERMS, parts_of
from htreval_core.words.layers import LayerRow

Cells = dict[str, str | int | float]


def layer_cells(row: LayerRow) -> Cells:
    """A row of the table, by heading; ``of words`` is errors over words, nan without words."""
    n_words, errors = row.words, row.parts.errors
    return {
        "layer": row.layer.value,
        "system": row.system,
        "pages": row.pages,
        "words": n_words,
        "errors": errors,
        "of words": errors / n_words if n_words else float("nan"),
        **parts_of(row.parts),
        "read elsewhere": row.moved,
        "into": ", ".join(f"{n:,} {layer.value}" for layer, n in row.into.items()),
    }


def shown_layers(rows: Iterable[LayerRow]) -> list[list[str]]:
    """Headings and rows as people read them, without the parts that are 0 in every row."""
    cells = [layer_cells(row) for row in rows]
    heads = [
        head
        for head in (cells[0] if cells else {})
        if head not in TERMS or any(one[head] for one in cells)
    ]
    return [
        [f"{head}, %" if head == "of words" else head for head in heads],
        *([_shown(one[head]) for head in heads] for one in cells),
    ]


def _shown(value: str | float) -> str:
    if isinstance(value, str):
        return value
    return f"{value:,}" if isinstance(value, int) else percent(value)


def layers_table(rows: Sequence[LayerRow]) -> str:
    """A row per layer and system; the errors of a system add up to WER's."""
    heads, *shown = shown_layers(rows)
    cells = [heads, *([plain(cell) for cell in row] for row in shown)]
    # Where words were read into is text, and stands to the left.
    widest = max((len(row[-1]) for row in cells if row), default=0)
    told = aligned([[*row[:-1], row[-1].ljust(widest)] for row in cells if row], 2)
    return "\n".join(["By layer of the page", *told, ""])


def layers_json(rows: Iterable[LayerRow]) -> list[JsonValue]:
    """A record per layer and system; ``parts`` add up to ``wer_errors``.

    Words left out and words added are among the misread; ``into`` counts words read elsewhere.
    """
    return [
        {
            "layer": row.layer.value,
            "system": row.system,
            "n_pages": row.pages,
            "n_ref_words": row.words,
            "wer_errors": row.parts.errors,
            "parts": {name: getattr(row.parts, name) for name in PARTS_OF_WER},
            "left_out": row.parts.left_out,
            "added": row.parts.added,
            "into": {layer.value: n for layer, n in row.into.items()},
        }
        for row in rows
    ]
