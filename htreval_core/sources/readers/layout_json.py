"""Pages as JSON: what layout models and services write.

Read are Mistral's OCR responses (https://docs.mistral.ai/capabilities/document_ai/basic_ocr), lists
of blocks with a box, a category and a text as dots.ocr (https://github.com/rednote-hilab/dots.ocr)
and MinerU (https://opendatalab.github.io/MinerU/reference/output_files) write them, Marker's JSON
and chunks (https://github.com/datalab-to/marker), Surya's and PaddleOCR's lines, and
DoclingDocument (https://docling-project.github.io/docling/concepts/docling_document/);
``services.py`` reads what clouds answer.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Any

from htreval_core.errors import ReadError
from htreval_core.model import Box, DataWarning, WarningKind
from htreval_core.settings import ReadPolicy
from htreval_core.sources.names import named
from htreval_core.sources.readers.blocks import (
    HEADS,
    Block,
    Marked,
    as_written,
    block_of,
    block_of_formula,
    kind_of,
)
from htreval_core.sources.readers.boxed import (
    box_of,
    first,
    inner,
    listed,
    number,
    objects,
    paged,
    size_of,
    without_twins,
)
from htreval_core.sources.readers.pieces import Piece
from htreval_core.sources.readers.plain import FENCED_JSON, decode
from htreval_core.sources.readers.services import SERVICES, is_cut

LOOKED_FOR = " ".join(named("looked_for"))


def read_layout_json(name: str, content: bytes, policy: ReadPolicy | None = None) -> Marked:
    """The blocks of a page that is written as JSON.

    Raises:
        ReadError: no JSON, or JSON of none of the kinds that are read.
    """
    text = FENCED_JSON.sub(r"\1", decode(name, content, policy.encoding if policy else None))
    try:
        try:
            data, is_whole = json.loads(text, object_pairs_hook=without_twins), True
        except json.JSONDecodeError:
            data, is_whole = _up_to_the_last(text), False
            if not data:
                raise
        for read in _READERS if is_whole else (_blocks,):
            found = read(data)
            if found is not None:
                # Textract sends the rest of an answer by itself.
                is_whole = is_whole and not inner(data, "NextToken") and not is_cut(data)
                told = [] if is_whole else [DataWarning(name, WarningKind.CUT_SHORT)]
                failed = inner(data, "error") or inner(data, "status") in ("failed", "error")
                if failed or (not found.has_text and _prose(data)):
                    told.append(DataWarning(name, WarningKind.NO_TEXT))
                elif left := _left(read, data):
                    told.append(DataWarning(name, WarningKind.FIELDS_LEFT, left, len(left)))
                return replace(found, warnings=tuple(told))
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


def _up_to_the_last(text: str) -> list[Any]:
    """The whole items of a list that stops before its end, as a model does that ran out of room."""
    body = text.strip()
    items: list[Any] = []
    at = 1 if body.startswith("[") and not body.endswith("]") else len(body)
    while at < len(body):
        try:
            item, at = json.JSONDecoder().raw_decode(body, at)
        except ValueError:
            break
        items.append(item)
        at = _BETWEEN.match(body, at).end()  # type: ignore[union-attr]
    return items


def _prose(data: Any, least: int = 3) -> set[str]:
    """The words of all strings that have as many."""
    waiting, found = [data], set[str]()
    while waiting:
        one = waiting.pop()
        waiting += one.values() if isinstance(one, dict) else one if isinstance(one, list) else ()
        # What has no space may be an image.
        if isinstance(one, str) and (least == 1 or " " in one):
            words = (_WORD if least > 1 else _SIGNS).findall(_TAG.sub(" ", one))
            found.update(words if len(words) >= least else ())
    return found


def _left(read: Callable[[Any], Marked | None], data: Any) -> tuple[str, ...]:
    """Fields with text beside the one that is read."""
    data = _documents(data) or data
    beside: list[Mapping[str, Any]] = objects(data) if isinstance(data, dict) else []
    lines = data if read is not _paged else ()
    blocks = objects(first(data, (*_LISTS, *_LINES), list) if beside else lines)
    if read not in (_single, _paged, _numbered) and (read is not _blocks or not blocks):
        return ()
    # PaddleOCR says there again what its blocks say.
    known = {*_ALONE, *_LISTS, *_TEXTS, *_BODIES, "pages", "overall_ocr_res", "table_res_list"}
    is_list = isinstance(data, list) and read in (_numbered, _paged)
    pages = objects(data if is_list else inner(data, "pages") if read is _paged else [])
    beside += pages
    blocks += [block for page in pages for block in objects(first(page, (*_LISTS, *_LINES), list))]
    beside += [one for page in beside for one in map(page.get, _ALONE) if isinstance(one, dict)]
    found = []
    for one in beside:
        texts, more = [one[key] for key in _ALONE if one.get(key)], {}
        for key in one:
            least = 1 if key.lower() in _PARTS else 3
            if key not in known and (texts or key not in _LINES):
                # The words of a list count together.
                is_list = isinstance(one[key], list) and not objects(one[key])
                words = _prose(one[key], 1 if is_list else least)
                more.update({key: words} if len(words) >= least else {})
        said = _prose(texts, 1) if more else set()
        found += [key for key, words in more.items() if words - said]
    for one in blocks:
        # What a picture is said to show is no text of the page, but it may be what it holds.
        told = _prose([t for b in _block(one) for p in b.pieces for t in (p.source, p.text)], 1)
        is_image = kind_of(first(one, _NAMES, str)) == "image"
        for key, of in one.items():
            least = 1 if not is_image and (key in _TEXTS or not told) else 2
            if (key in _TEXTS or isinstance(of, list | dict)) and _prose(of, least) - told:
                found.append(key)
    return tuple(dict.fromkeys(found))


def _named(data: Any) -> str:
    if isinstance(data, list):
        first = data[0] if data else None
        what = ", ".join(map(repr, list(first)[:6])) if isinstance(first, dict) else "no objects"
        return f"a list of {len(data):,}, the first with {what}"
    return f"a single {type(data).__name__}"


_BETWEEN = re.compile(r"[,\s]*")
_WORD, _SIGNS = re.compile(r"[^\W\d_]{2,}"), re.compile(r"[^\W_]{2,}")
_TAG = re.compile(r"<[^>]*>")
_ALONE, _LINES, _PARTS = named("page_text"), named("page_lines"), frozenset(named("page_parts"))


def _single(data: Any) -> Marked | None:
    """A page with one text, or its lines."""
    if isinstance(data, list) and all(isinstance(one, str) for one in data):
        data = {_LINES[0]: data}
    blank = None
    for keys in (_ALONE, _LINES) if isinstance(data, dict) else ():
        texts = [text for key in keys if (text := _said(data.get(key))) is not None]
        found = Marked("JSON with a text", (block_of(texts[0]),)) if len(texts) == 1 else None
        if any(map(str.strip, texts)):
            return found
        blank = blank or found
    return blank


def _said(value: Any) -> str | None:
    """A text, or one for each line, bare or each in an object of its own."""
    if isinstance(value, dict):
        value = first(value, _LINES, list)
    if not isinstance(value, list):
        return value if isinstance(value, str) else None
    lines = [first(one, _TEXTS, str) if isinstance(one, dict) else one for one in value]
    is_lines = lines and all(isinstance(one, str) and "\n" not in one for one in lines)
    return "\n".join(lines) if is_lines else None


def _paged(data: Any) -> Marked | None:
    """Pages of blocks, or Surya's documents of pages."""
    pages = data.get("pages") if isinstance(data, dict) else None
    pages = _documents(data) if pages is None else pages
    if not isinstance(pages, list) or not pages or not all(isinstance(p, dict) for p in pages):
        return None
    return _together(pages)


def _documents(data: Any) -> list[Any]:
    """The pages of Surya's documents, which stand under the names of files."""
    if not isinstance(data, dict) or not all(isinstance(one, list) for one in data.values()):
        return []
    pages = [page for of in data.values() for page in of]
    return pages if all(isinstance(one, dict) and "text_lines" in one for one in pages) else []


def _together(pages: Sequence[Any]) -> Marked | None:
    """Several pages, of which blank ones have no blocks; None unless all are blocks or a text."""
    found = [None if page == [] else _blocks(page) or _single(page) for page in pages]
    known = [one for one in found if one is not None]
    if not known or any(one is None and page != [] for one, page in zip(found, pages, strict=True)):
        return None
    of = list(map(_number_key, pages))
    numbers = [inner(page, key) for page, key in zip(pages, of, strict=True)]
    blocks = [one.blocks if one else () for one in found]
    counted = _from_1(numbers, is_index="page_index" in of)
    return paged(known[0].form, list(zip(counted, blocks, strict=True)))


def _number_key(page: Any) -> str:
    keys = ("page", "page_no", "page_number", "page_index")
    return next((key for key in keys if isinstance(inner(page, key), int)), "")


def _numbered(data: Any) -> Marked | None:
    """A list of pages, each with its number and its text."""
    is_list = isinstance(data, list) and bool(data) and all(map(_number_key, data))
    return _together(data) if is_list else None


def _from_1(numbers: Iterable[Any], *, is_index: bool) -> list[int | None]:
    """Numbers of pages counted from 1, though an index, and what has a 0, counts from 0."""
    found = [one if isinstance(one, int) else None for one in numbers]
    return list(map(_from_0, found)) if is_index or 0 in found else found


def _mistral(data: Any) -> Marked | None:
    pages = data.get("pages") if isinstance(data, dict) else None
    if not isinstance(pages, list) or not pages:
        return None
    if not all(isinstance(page, dict) and isinstance(page.get("markdown"), str) for page in pages):
        return None
    ordered = sorted(pages, key=lambda page: number(page.get("index")) or 0.0)
    indices = [page.get("index") for page in ordered]
    # Counted from 0, and from 1 in answers of the first version, which had all pages.
    is_first = "2503" in str(data.get("model", "2503"))
    if not is_first or indices != list(range(1, len(pages) + 1)):
        indices = list(map(_from_0, indices))
    found = list(zip(indices, map(list, map(_mistral_blocks, ordered)), strict=True))
    return paged("Mistral OCR", found, size_of(ordered[0].get("dimensions")))


def _from_0(index: Any) -> int | None:
    """The number of a page that is counted from 0."""
    return index + 1 if isinstance(index, int) else None


def _mistral_blocks(page: Mapping[str, Any]) -> Iterator[Block]:
    """The parts of a page in order, each with the box of its block where the file has blocks."""
    waiting = objects(page.get("blocks"))[::-1]
    for part, kind in (("header", "header"), ("markdown", None), ("footer", "footer")):
        text = page.get(part)
        if not isinstance(text, str) or not text:
            continue
        text, last = _with_tables(text, page), 0
        while waiting and part == "markdown":
            block = waiting.pop()
            own = str(block.get("content") or "")
            at = text.find(own, last) if own else -1
            if at < 0:
                continue
            if text[last:at].strip():
                yield block_of(text[last:at], kind, html=False)
            yield block_of(own, kind_of(block.get("type")), box_of(block), html=False)
            last = at + len(own)
        if text[last:].strip():
            yield block_of(text[last:], kind, html=False)


def _with_tables(text: str, page: Mapping[str, Any]) -> str:
    """The Markdown with the tables that it only refers to, which stand beside it."""
    waiting = {
        str(table.get("id")): table["content"]
        for table in objects(page.get("tables"))
        if isinstance(table.get("content"), str)
    }
    # Each is put in once, or a small file could grow without bounds.
    return _REFERRED.sub(lambda said: waiting.pop(said[1], said[0]), text) if waiting else text


_REFERRED = re.compile(r"\[([^\[\]\n]{1,200})\]\(\1\)")


def _blocks(data: Any) -> Marked | None:
    """A list of blocks, or an object that holds one under a usual name."""
    if isinstance(data, dict):
        data = inner(data, "res") if "parsing_res_list" in (inner(data, "res") or ()) else data
        found = first(data, _LISTS, list)
        # Of a page without blocks PaddleOCR may have lines.
        if found == [] and (plain := _paddle(data)) and plain.has_text:
            return plain
        if found or (found == [] and not _single(data)):
            return _blocks(found)
        return _blocks([data]) if _is_block(data) else _middle(data) or _paddle(data)
    if data == []:
        # What layout models write of a blank page.
        return Marked("blocks as JSON", ())
    if not isinstance(data, list):
        return None
    if all(isinstance(one, list) for one in data):
        return _together(data)
    if not all(isinstance(one, dict) and _is_block(one) for one in data):
        return None
    pages: dict[Any, list[Block]] = {}
    for one in data:
        pages.setdefault(one.get("page_idx", one.get("page")), []).extend(_block(one))
    numbers = _from_1(pages, is_index=any("page_idx" in one for one in data))
    return paged("blocks as JSON", list(zip(numbers, pages.values(), strict=True)))


_LISTS, _TEXTS, _BODIES = (named(f"block_{what}") for what in ("lists", "texts", "bodies"))
_NAMES, _BOXES = named("block_kinds"), named("block_boxes")


def _is_block(one: Mapping[str, Any]) -> bool:
    named = any(isinstance(one.get(key), str) for key in _NAMES)
    places = {*_BOXES, "img_path"} & one.keys()
    texts = {*_TEXTS, *_BODIES} & one.keys()
    # Qwen counts the sides of its boxes in a way of its own.
    is_placed = bool(places or "bbox_2d" in one) and bool(first(one, ("text", "text_content"), str))
    return bool(named and (places or texts)) or is_placed


def _plain(one: Mapping[str, Any]) -> Mapping[str, Any]:
    """A block of MinerU's second content list, which has lists of spans, as one of its first."""
    parts = one.get("content")
    bodies = ("content", "html", "list_items")
    if not isinstance(parts, dict) or not any(key.endswith(bodies) for key in parts):
        return one
    told = {key: _of_spans(value) for key, value in parts.items()}
    notes = {key: text for key, text in told.items() if key.endswith(("_caption", "_footnote"))}
    formula = f"$${told['math_content']}$$" if told.get("math_content") else ""
    own = (text for key, text in told.items() if key.endswith(bodies))
    return {**one, **notes, "content": formula or next(filter(None, own), "")}


def _of_spans(value: Any) -> str:
    """The text of spans, or of items of spans in lines."""
    if isinstance(value, str):
        return value
    items = [_of_spans(one["item_content"]) for one in objects(value) if "item_content" in one]
    spans = [
        f"${one.get('content')}$" if "equation" in str(one.get("type")) else str(one.get("content"))
        for one in objects(value) if "content" in one
    ]  # fmt: skip
    return "\n".join([*items, *filter(None, [" ".join(spans)])])


def _block(one: Mapping[str, Any]) -> Iterator[Block]:
    one = _plain(one)
    kind = kind_of(first(one, _NAMES, str))
    box = box_of(first(one, _BOXES))
    # MinerU writes the level of a heading beside running text.
    if kind is None and number(one.get("text_level")):
        kind = "heading"
    for text in _under(one, "_caption"):
        yield block_of(text, "caption", box)
    for text in (text for key in _BODIES for text in _texts(one.get(key))):
        yield block_of(text, kind, box)
    # Marker's blocks hold what other blocks of its page say.
    inside = objects(one.get("children"))
    # What a picture is said to show is no text of the page.
    key, own = next(
        ((key, found) for key in _TEXTS if (found := _own_texts(one.get(key)))), ("", [])
    )
    if inside and (not own or "<content-ref" in own[0]):
        yield from (block for child in inside for block in _block(child))
    elif own and kind != "image":
        text = "\n".join(own)
        is_latex = key == "latex" or (kind == "formula" and not text.startswith(("$", "\\", "<")))
        yield block_of_formula(text, kind, box) if is_latex else block_of(text, kind, box)
    for text in _under(one, "_footnote"):
        yield block_of(text, "footnote", box)


def _under(one: Mapping[str, Any], ending: str) -> list[str]:
    """The texts under all keys that end so: MinerU's table_caption, code_caption, …"""
    return [text for key, value in one.items() if key.endswith(ending) for text in _texts(value)]


def _own_texts(value: Any) -> list[str]:
    """A text, several, or those within objects of their own."""
    found = (
        next(filter(None, (_texts(one.get(key)) for key in _TEXTS)), []) for one in objects(value)
    )
    return [text for of in found for text in of] or _texts(value)


def _texts(value: Any) -> list[str]:
    found = [str(one) if number(one) is not None else one for one in listed(value)]
    return [one for one in found if isinstance(one, str) and one]


def _marker(data: Any) -> Marked | None:
    if inner(data, "block_type") != "Document":
        return None
    pages = [page for page in objects(data.get("children")) if page.get("block_type") == "Page"]
    ids = [re.match(r"/page/(\d{1,6})/", str(page.get("id"))) for page in pages]
    numbers = [_from_0(int(one[1])) if one else None for one in ids]
    found = [[b for one in objects(page.get("children")) for b in _block(one)] for page in pages]
    return paged("Marker", list(zip(numbers, found, strict=True)))


def _paddle(data: Mapping[str, Any]) -> Marked | None:
    """PaddleOCR's lines: texts, and boxes in the same order."""
    data = first(data, ("res", "overall_ocr_res"), dict) or data
    texts = data.get("rec_texts")
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        return None
    boxes = first(data, ("rec_boxes", "rec_polys", "dt_polys"), list) or []
    known = map(box_of, boxes if len(boxes) == len(texts) else [None] * len(texts))
    lines = (as_written(text, None, box) for text, box in zip(texts, known, strict=True))
    return Marked("PaddleOCR", tuple(lines))


def _middle(data: Mapping[str, Any]) -> Marked | None:
    """MinerU's middle.json: pages with blocks of lines of spans."""
    pages = data.get("pdf_info")
    if not isinstance(pages, list) or not pages or not all(isinstance(p, dict) for p in pages):
        return None
    found = [(n, list(_middle_blocks(page))) for n, page in enumerate(pages, start=1)]
    width, height = (*listed(pages[0].get("page_size")), None, None)[:2]
    return paged("MinerU", found, size_of({"width": width, "height": height}))


def _middle_blocks(page: Mapping[str, Any]) -> Iterator[Block]:
    waiting = [*listed(page.get("para_blocks")), *listed(page.get("discarded_blocks"))][::-1]
    while waiting:
        one = waiting.pop()
        if not isinstance(one, dict):
            continue
        if isinstance(one.get("blocks"), list):
            waiting += one["blocks"][::-1]
            continue
        for line in objects(one.get("lines")):
            pieces: list[Piece] = []
            for span in objects(line.get("spans")):
                text = str(span.get("html") or span.get("content") or "")
                is_formula = str(span.get("type")).endswith("equation")
                if text:
                    of_span = (block_of_formula if is_formula else block_of)(text).pieces
                    pieces += [*([Piece(" ", " ")] if pieces else []), *of_span]
            if pieces:
                box = box_of(line.get("bbox")) or box_of(one.get("bbox"))
                yield Block(pieces, kind_of(one.get("type")), box)


def _docling(data: Any) -> Marked | None:
    if not isinstance(data, dict) or data.get("schema_name") != "DoclingDocument":
        return None
    by_ref = {
        item["self_ref"]: item
        for part in ("texts", "tables", "pictures", "groups", "key_value_items", "form_items")
        for item in objects(data.get(part))
        if isinstance(item.get("self_ref"), str)
    }
    pages = data.get("pages")
    pages = pages.items() if isinstance(pages, dict) else ()
    sizes = {str(key): page.get("size") for key, page in pages if isinstance(page, dict)}
    in_order = sorted(sizes, key=lambda key: (len(key), key))
    places = {key: place for place, key in enumerate(in_order)}
    found: list[list[Block]] = [[] for _ in places] or [[]]
    page, seen = 0, set[str]()
    roots = objects([data.get("body"), data.get("furniture")])
    apart = {*_refs(inner(data, "furniture", "children"))}
    # What the tree of the page does not reach comes last: it is text of the page as well.
    waiting = [*reversed(by_ref.values()), *reversed(roots)]
    while waiting:
        item = waiting.pop()
        own = str(item.get("self_ref"))
        if own in seen:
            continue
        seen.add(own)
        place = next(iter(objects(item.get("prov"))), {})
        page = places.get(str(place.get("page_no")), page)
        refs = dict.fromkeys(ref for ref in _refs(item.get("children")) if ref in by_ref)
        inside = [by_ref[ref] for ref in refs if ref not in seen]
        label = item.get("label")
        kind = kind_of(label)
        # Before there were layers, the label said what is a running head.
        layer = item.get("content_layer", "furniture" if kind in HEADS else "body")
        if layer not in ("body", "furniture"):
            # Comments of reviewers and what is not seen.
            _pass_over(inside, by_ref, seen)
            continue
        # Which layer it is in, and not its label, says whether something is a running head.
        if (layer == "furniture") != (kind in HEADS):
            kind = "header" if layer == "furniture" else None
        box = _docling_box(place, sizes)
        if label == "inline":
            text = " ".join(filter(None, map(_docling_text, inside)))
            _pass_over(inside, by_ref, seen)
        else:
            text = _docling_text(item)
        if text:
            blocks = found[page]
            at = _place_apart(blocks, box) if own in apart else len(blocks)
            blocks.insert(at, as_written(text, kind, box))
        found[page] += [as_written(row, "table", box) for row in _docling_rows(item)]
        if own.startswith("#/pictures/"):
            # What a picture shows is no text of the page; what is written below it is.
            captions = {*_refs(item.get("captions")), *_refs(item.get("footnotes"))}
            _pass_over((one for one in inside if one["self_ref"] not in captions), by_ref, seen)
        # A rich cell says in its own text what the items say that it is made of.
        cells = objects(inner(item, "data", "table_cells"))
        of_cells = [ref for cell in cells for ref in _refs([cell.get("ref")]) if ref in by_ref]
        _pass_over((by_ref[ref] for ref in of_cells), by_ref, seen)
        waiting += inside[::-1]
    names: list[Any] = [*places] or [None]
    size = size_of(next(iter(sizes.values()), None))
    return paged("DoclingDocument", list(zip(names, found, strict=True)), size)


def _place_apart(blocks: Sequence[Block], box: Box | None) -> int:
    """Where a head or foot is read that the file keeps apart: first if it stands above the page."""
    n_heads = sum(1 for _ in takewhile(lambda one: one.kind in HEADS, blocks))
    tops = [one.box[1] for one in blocks[n_heads:] if one.box]
    return n_heads if box and tops and box[1] + box[3] < 2 * min(tops) else len(blocks)


def _refs(value: Any) -> list[str]:
    return [str(one.get("$ref")) for one in objects(value)]


def _pass_over(
    items: Iterable[Mapping[str, Any]], by_ref: Mapping[str, Any], seen: set[str]
) -> None:
    """Items and all that is in them are as if they had been read."""
    waiting = [str(item.get("self_ref")) for item in items]
    while waiting:
        ref = waiting.pop()
        if ref not in seen and ref in by_ref:
            seen.add(ref)
            waiting += _refs(by_ref[ref].get("children"))


def _docling_text(item: Mapping[str, Any]) -> str:
    """The text of an item as it stands on the page; the sign of a list is no word, a number is."""
    text = str(item.get("orig") or item.get("text") or "")
    marker = item.get("marker")
    if item.get("label") != "list_item" or not isinstance(marker, str) or not marker:
        return text
    if any(map(str.isalnum, marker)):
        return text if text.startswith(marker) else f"{marker} {text}"
    return text.removeprefix(marker).lstrip()


def _docling_rows(item: Mapping[str, Any]) -> Iterator[str]:
    rows: dict[float, list[tuple[float, str]]] = {}
    for cell in objects(inner(item, "data", "table_cells")):
        if isinstance(cell.get("text"), str):
            row = number(cell.get("start_row_offset_idx")) or 0.0
            column = number(cell.get("start_col_offset_idx")) or 0.0
            rows.setdefault(row, []).append((column, cell["text"]))
    for row in sorted(rows):
        yield " ".join(text for _, text in sorted(rows[row]))


def _docling_box(place: Mapping[str, Any], sizes: Mapping[str, Any]) -> Box | None:
    """The box of an item from above, though the file may count from the foot of the page."""
    box = inner(place, "bbox")
    if inner(box, "coord_origin") != "BOTTOMLEFT":
        return box_of(box)
    height = number(inner(sizes.get(str(place.get("page_no"))), "height"))
    top, bottom = number(box.get("t")), number(box.get("b"))
    if height is None or top is None or bottom is None:
        return None
    return box_of([box.get("l"), height - top, box.get("r"), height - bottom])


_READERS: tuple[Callable[[Any], Marked | None], ...] = (
    _docling, _mistral, *SERVICES, _marker, _paged, _blocks, _numbered, _single,
)  # fmt: skip
