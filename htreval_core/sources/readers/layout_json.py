"""Pages as JSON: what layout models and services write.

Read are Mistral's OCR responses (https://docs.mistral.ai/capabilities/document_ai/basic_ocr), lists
of blocks with a box, a category and a text as dots.ocr (https://github.com/rednote-hilab/dots.ocr)
and MinerU (https://opendatalab.github.io/MinerU/reference/output_files) write them, and
DoclingDocument (https://docling-project.github.io/docling/concepts/docling_document/).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from htreval_core.errors import ReadError
from htreval_core.model import Box
from htreval_core.settings import ReadPolicy
from htreval_core.sources.readers.blocks import Block, Marked, as_written, block_of, kind_of
from htreval_core.sources.readers.outlines import usable_box
from htreval_core.sources.readers.plain import decode

LOOKED_FOR = (
    "pages with markdown (Mistral), a list of blocks with bbox and text (dots.ocr, MinerU), a "
    "DoclingDocument, or an object with one text called transcription, text or markdown"
)


def read_layout_json(name: str, content: bytes, policy: ReadPolicy | None = None) -> Marked:
    """The blocks of a page that is written as JSON.

    Raises:
        ReadError: no JSON, or JSON of none of the kinds that are read.
    """
    text = decode(name, content, policy.encoding if policy else None)
    try:
        data = json.loads(_FENCED.sub(r"\1", text))
        for read in _READERS:
            found = read(data)
            if found is not None:
                return found
    except RecursionError:
        raise ReadError(f"{name}: JSON that is nested too deeply; export it again") from None
    except ValueError as error:
        raise ReadError(f"{name}: not readable as JSON ({error}); export it again") from None
    keys = ", ".join(map(repr, list(data)[:6])) if isinstance(data, dict) else ""
    seen = f"an object with {keys or 'nothing in it'}" if isinstance(data, dict) else _named(data)
    raise ReadError(
        f"{name}: JSON of an unknown kind ({seen}); looked for {LOOKED_FOR}. Export the page "
        "as one of these, as Markdown or as PAGE XML"
    )


def _named(data: Any) -> str:
    if isinstance(data, list):
        first = data[0] if data else None
        what = ", ".join(map(repr, list(first)[:6])) if isinstance(first, dict) else "no objects"
        return f"a list of {len(data):,}, the first with {what}"
    return f"a single {type(data).__name__}"


_FENCED = re.compile(r"\A\s*```(?:json|JSON)?[ \t]*\n(.*?)\n?```\s*\Z", re.DOTALL)
_ALONE = ("transcription", "transcript", "text", "markdown", "content", "ocr", "ocr_text")


def _single(data: Any) -> Marked | None:
    """The whole page as one text, under a name that says so."""
    if not isinstance(data, dict):
        return None
    texts = [data[key] for key in _ALONE if isinstance(data.get(key), str)]
    return Marked("JSON with a text", (block_of(texts[0]),)) if len(texts) == 1 else None


def _paged(data: Any) -> Marked | None:
    """Pages of blocks."""
    pages = data.get("pages") if isinstance(data, dict) else None
    if not isinstance(pages, list) or not pages or not all(isinstance(p, dict) for p in pages):
        return None
    return _together(pages)


def _together(pages: Sequence[Any]) -> Marked | None:
    """The blocks of several pages, of which blank ones have none; None unless all are blocks."""
    found = [_blocks(page) for page in pages if page != []]
    known = [one for one in found if one is not None]
    if not known or len(known) < len(found):
        return None
    return Marked(known[0].form, tuple(b for one in known for b in one.blocks), pages=len(pages))


def _mistral(data: Any) -> Marked | None:
    pages = data.get("pages") if isinstance(data, dict) else None
    if not isinstance(pages, list) or not pages:
        return None
    if not all(isinstance(page, dict) and isinstance(page.get("markdown"), str) for page in pages):
        return None
    ordered = sorted(pages, key=lambda page: _number(page.get("index")) or 0.0)
    blocks: list[Block] = []
    for page in ordered:
        for part, kind in (("header", "header"), ("markdown", None), ("footer", "footer")):
            text = page.get(part)
            if isinstance(text, str) and text:
                blocks.append(block_of(_with_tables(text, page), kind, html=False))
    return Marked("Mistral OCR", tuple(blocks), _size(ordered[0].get("dimensions")), len(pages))


def _with_tables(text: str, page: Mapping[str, Any]) -> str:
    """The Markdown with the tables that it only refers to, which stand beside it."""
    waiting = {
        str(table.get("id")): table["content"]
        for table in _list(page.get("tables"))
        if isinstance(table, dict) and isinstance(table.get("content"), str)
    }
    # Each is put in once, or a small file could grow without bounds.
    return _REFERRED.sub(lambda said: waiting.pop(said[1], said[0]), text) if waiting else text


_REFERRED = re.compile(r"\[([^\[\]\n]{1,200})\]\(\1\)")


def _blocks(data: Any) -> Marked | None:
    """A list of blocks, or an object that holds one under a usual name."""
    if isinstance(data, dict):
        listed = next((data[key] for key in _LISTS if isinstance(data.get(key), list)), None)
        if listed is not None:
            return _blocks(listed)
        return _blocks([data]) if _is_block(data) else _middle(data)
    if data == []:
        # What layout models write of a blank page.
        return Marked("blocks as JSON", ())
    if not isinstance(data, list):
        return None
    if all(isinstance(one, list) for one in data):
        return _together(data)
    if not all(isinstance(one, dict) and _is_block(one) for one in data):
        return None
    numbers = {_number(one.get("page_idx")) for one in data}
    return Marked(
        "blocks as JSON", tuple(block for one in data for block in _block(one)),
        pages=max(1, len(numbers)),
    )  # fmt: skip


_LISTS = ("blocks", "layout", "regions", "parsing_res_list", "elements", "full_layout_info")
_TEXTS = ("text", "content", "block_content", "html", "markdown", "latex")
_NAMES = ("category", "type", "label", "block_label", "category_type")
_BOXES = ("bbox", "box", "block_bbox", "bounding_box")


def _is_block(one: Mapping[str, Any]) -> bool:
    named = any(isinstance(one.get(key), str) for key in _NAMES)
    return named and any(
        key in one for key in (*_BOXES, *_TEXTS, "table_body", "img_path", "list_items", "poly")
    )


def _block(one: Mapping[str, Any]) -> Iterator[Block]:
    kind = kind_of(next((one[key] for key in _NAMES if isinstance(one.get(key), str)), None))
    box = _box(next((one[key] for key in _BOXES if key in one), None))
    # MinerU writes the level of a heading beside running text.
    if kind is None and _number(one.get("text_level")):
        kind = "heading"
    for key in ("table_caption", "image_caption", "img_caption"):
        for text in _texts(one.get(key)):
            yield block_of(text, "caption", box)
    for text in (*_texts(one.get("table_body")), *_texts(one.get("list_items"))):
        yield block_of(text, kind, box)
    # What a picture is said to show is no text of the page.
    own = next((found for key in _TEXTS if (found := _own_texts(one.get(key)))), [])
    if own and kind != "image":
        yield block_of("\n".join(own), kind, box)
    for key in ("table_footnote", "image_footnote", "img_footnote"):
        for text in _texts(one.get(key)):
            yield block_of(text, "footnote", box)


def _own_texts(value: Any) -> list[str]:
    """A text, several, or one within an object of its own."""
    if isinstance(value, dict):
        return next((found for key in _TEXTS if (found := _texts(value.get(key)))), [])
    return _texts(value)


def _texts(value: Any) -> list[str]:
    return [one for one in _list(value) if isinstance(one, str) and one]


def _list(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list) else [value]


def _middle(data: Mapping[str, Any]) -> Marked | None:
    """MinerU's middle.json: pages with blocks of lines of spans."""
    pages = data.get("pdf_info")
    if not isinstance(pages, list) or not pages or not all(isinstance(p, dict) for p in pages):
        return None
    blocks: list[Block] = []
    for page in pages:
        waiting = [*_list(page.get("para_blocks")), *_list(page.get("discarded_blocks"))][::-1]
        while waiting:
            one = waiting.pop()
            if not isinstance(one, dict):
                continue
            if isinstance(one.get("blocks"), list):
                waiting += one["blocks"][::-1]
                continue
            lines = [line for line in _list(one.get("lines")) if isinstance(line, dict)]
            kind, box = kind_of(one.get("type")), _box(one.get("bbox"))
            for line in lines:
                spans = [span for span in _list(line.get("spans")) if isinstance(span, dict)]
                text = " ".join(
                    str(span.get("html") or span.get("content") or "") for span in spans
                ).strip()
                if text:
                    blocks.append(block_of(text, kind, _box(line.get("bbox")) or box))
    size = _list(pages[0].get("page_size"))
    width, height = (_number(size[0]), _number(size[1])) if len(size) == 2 else (None, None)
    known = (int(width), int(height)) if width and height else None
    return Marked("MinerU", tuple(blocks), known, len(pages))


def _docling(data: Any) -> Marked | None:
    if not isinstance(data, dict) or data.get("schema_name") != "DoclingDocument":
        return None
    by_ref = {
        item["self_ref"]: item
        for part in ("texts", "tables", "pictures", "groups", "key_value_items", "form_items")
        for item in _list(data.get(part))
        if isinstance(item, dict) and isinstance(item.get("self_ref"), str)
    }
    listed = data.get("pages")
    pages: Mapping[str, Any] = listed if isinstance(listed, dict) else {}
    heights = {
        key: _number(page.get("size", {}).get("height"))
        for key, page in pages.items()
        if isinstance(page, dict) and isinstance(page.get("size"), dict)
    }
    blocks: list[Block] = []
    seen: set[str] = set()
    roots = [data.get("body"), data.get("furniture")]
    # What the tree of the page does not reach comes last: it is text of the page as well.
    waiting = [*reversed(by_ref.values()), *(r for r in reversed(roots) if isinstance(r, dict))]
    while waiting:
        item = waiting.pop()
        own = str(item.get("self_ref"))
        if own in seen:
            continue
        seen.add(own)
        kind, box = kind_of(item.get("label")), _docling_box(item, heights)
        text = item.get("orig") if isinstance(item.get("orig"), str) else item.get("text")
        if isinstance(text, str) and text:
            blocks.append(as_written(text, kind, box))
        blocks += [as_written(row, "table", box) for row in _docling_rows(item)]
        for child in _list(item.get("children"))[::-1]:
            ref = child.get("$ref") if isinstance(child, dict) else None
            if isinstance(ref, str) and ref in by_ref:
                waiting.append(by_ref[ref])
    first = next(iter(pages.values()), None)
    size = first.get("size") if isinstance(first, dict) else None
    return Marked("DoclingDocument", tuple(blocks), _size(size), max(1, len(pages)))


def _docling_rows(item: Mapping[str, Any]) -> Iterator[str]:
    data = item.get("data")
    cells = data.get("table_cells") if isinstance(data, dict) else None
    rows: dict[float, list[tuple[float, str]]] = {}
    for cell in _list(cells):
        if isinstance(cell, dict) and isinstance(cell.get("text"), str):
            row = _number(cell.get("start_row_offset_idx")) or 0.0
            column = _number(cell.get("start_col_offset_idx")) or 0.0
            rows.setdefault(row, []).append((column, cell["text"]))
    for row in sorted(rows):
        yield " ".join(text for _, text in sorted(rows[row]))


def _docling_box(item: Mapping[str, Any], heights: Mapping[str, float | None]) -> Box | None:
    """The box of an item from above, though the file may count from the foot of the page."""
    place = next((one for one in _list(item.get("prov")) if isinstance(one, dict)), None)
    box = place.get("bbox") if place else None
    if place is None or not isinstance(box, dict):
        return None
    sides = [box.get(side) for side in ("l", "t", "r", "b")]
    if box.get("coord_origin") == "BOTTOMLEFT":
        height = heights.get(str(place.get("page_no")))
        top, bottom = _number(sides[1]), _number(sides[3])
        if height is None or top is None or bottom is None:
            return None
        sides[1], sides[3] = height - top, height - bottom
    return _box(sides)


def _box(value: Any) -> Box | None:
    """Left, top, right and bottom; None where they are no box."""
    given = _list(value)
    sides = [side for side in map(_number, given) if side is not None]
    return usable_box(*sides) if len(sides) == len(given) == 4 else None


def _number(value: Any) -> float | None:
    """A finite number that a page may have; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if abs(value) < 1e9 else None


def _size(value: Any) -> tuple[int, int] | None:
    if not isinstance(value, dict):
        return None
    width, height = _number(value.get("width")), _number(value.get("height"))
    return (int(width), int(height)) if width and height and min(width, height) >= 1 else None


_READERS: tuple[Callable[[Any], Marked | None], ...] = (
    _docling, _mistral, _paged, _blocks, _single,
)  # fmt: skip
