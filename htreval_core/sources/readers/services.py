"""What the services of clouds answer: lines with the boxes of their words.

Azure Document Intelligence, its Read API and Computer Vision
(https://learn.microsoft.com/azure/ai-services/document-intelligence), AWS Textract
(https://docs.aws.amazon.com/textract/latest/dg/API_Block.html), Google Cloud Vision
(https://cloud.google.com/vision/docs/reference/rest/v1/AnnotateImageResponse) and Document AI
(https://cloud.google.com/document-ai/docs/reference/rest/v1/Document), and annotations of the
International Image Interoperability Framework (https://iiif.io/api/presentation/3.0/).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from htreval_core.sources.readers.blocks import Block, Marked, as_written, block_of, kind_of
from htreval_core.sources.readers.boxed import (
    RELATIVE,
    box_of,
    first,
    inner,
    lines_by_spans,
    listed,
    objects,
    paged,
    size_of,
)
from htreval_core.sources.readers.outlines import Span

_INCH = 100
"""Boxes in inches become hundredths: sizes are whole numbers."""
_PAGE_LISTS = ("pages", "readResults", "recognitionResults")


def _azure(data: Any) -> Marked | None:
    result = inner(data, "analyzeResult") or data
    pages = objects(first(result, _PAGE_LISTS, list)) if isinstance(result, dict) else []
    pages = pages or objects(inner(result, "readResult", "blocks"))
    if not pages or not all(isinstance(page.get("lines"), list) for page in pages):
        return None
    if not all(
        "text" in one or "content" in one for page in pages for one in objects(page["lines"])
    ):
        return None
    found, scale = [], 1.0
    for page in pages:
        scale = float(_INCH) if page.get("unit") == "inch" else 1.0
        words = objects(page.get("words"))
        lines = [
            b for one in objects(page["lines"]) for b in _azure_line(one, _own(one, words), scale)
        ]
        found.append((page.get("pageNumber", page.get("page")), lines))
    return paged("Azure", found, size_of(pages[0], scale))


def _own(line: Mapping[str, Any], words: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The words of a line: its own, or those of the page that stand in its part of the text."""
    if "words" in line or not words:
        return objects(line.get("words"))
    parts = [(one.get("offset", 0), one.get("length", 0)) for one in objects(line.get("spans"))]
    return [
        word
        for word in words
        for at in [inner(word, "span", "offset")]
        if any(isinstance(at, int) and begin <= at < begin + length for begin, length in parts)
    ]


def _azure_line(
    line: Mapping[str, Any], words: Sequence[Mapping[str, Any]], scale: float
) -> Iterator[Block]:
    def said(one: Mapping[str, Any]) -> tuple[str, Any]:
        box = first(one, ("boundingBox", "polygon", "boundingPolygon"))
        return str(one.get("text", one.get("content"))), box_of(box, scale)

    text, box = said(line)
    yield from lines_by_spans(text, box, _spans(text, map(said, words)))


def _spans(text: str, words: Any) -> Iterator[Span]:
    """Where in a line its words stand, one after another."""
    at = 0
    for word, box in words:
        begin = text.find(word, at)
        if word and begin >= 0:
            at = begin + len(word)
            yield begin, at, box


def _textract(data: Any) -> Marked | None:
    blocks = objects(inner(data, "Blocks"))
    if not blocks or not all("BlockType" in one for one in blocks):
        return None
    by_id = {one.get("Id"): one for one in blocks}
    pages: dict[Any, list[Block]] = {
        one.get("Page", 1): [] for one in blocks if one["BlockType"] == "PAGE"
    }

    def said(one: Mapping[str, Any]) -> tuple[str, Any]:
        return str(one.get("Text") or ""), box_of(inner(one, "Geometry", "Polygon"), RELATIVE)

    for one in blocks:
        if one["BlockType"] == "LINE":
            children = [r for r in objects(one.get("Relationships")) if r.get("Type") == "CHILD"]
            ids = [ref for r in children for ref in listed(r.get("Ids")) if isinstance(ref, str)]
            text, box = said(one)
            spans = _spans(text, (said(by_id[ref]) for ref in ids if ref in by_id))
            pages.setdefault(one.get("Page", 1), []).extend(lines_by_spans(text, box, spans))
    return paged("AWS Textract", list(pages.items()), (RELATIVE, RELATIVE))


def _vision(data: Any) -> Marked | None:
    answers = objects(inner(data, "responses")) or objects(data)
    if not answers or not any(
        {"fullTextAnnotation", "textAnnotations"} & a.keys() for a in answers
    ):
        return None
    found: list[tuple[Any, list[Block]]] = []
    for answer in answers:
        pages = objects(inner(answer, "fullTextAnnotation", "pages"))
        for page in pages:
            found.append((inner(answer, "context", "pageNumber"), list(_vision_lines(page))))
        if not pages:
            first = next(iter(objects(answer.get("textAnnotations"))), {})
            text = inner(answer, "fullTextAnnotation", "text") or first.get("description")
            found.append((None, [as_written(text)] if isinstance(text, str) else []))
    return paged("Google Vision", found, size_of(_first_page(answers)))


def _first_page(answers: Sequence[Mapping[str, Any]]) -> Any:
    pages = (page for a in answers for page in objects(inner(a, "fullTextAnnotation", "pages")))
    return next(pages, None)


_ENDS_LINE = ("LINE_BREAK", "EOL_SURE_SPACE", "HYPHEN")


def _vision_lines(page: Mapping[str, Any]) -> Iterator[Block]:
    for block in objects(page.get("blocks")):
        for paragraph in objects(block.get("paragraphs")):
            text, spans = "", list[Span]()
            for word in objects(paragraph.get("words")):
                begin, box, ends = len(text), box_of(word.get("boundingBox")), False
                for symbol in objects(word.get("symbols")):
                    text += str(symbol.get("text") or "")
                    spans = [*spans[: -1 if spans[-1:] and spans[-1][0] == begin else None],
                             (begin, len(text), box)]  # fmt: skip
                    kind = inner(symbol, "property", "detectedBreak", "type")
                    ends = kind in _ENDS_LINE
                    text += "-" * (kind == "HYPHEN") + " " * (kind in ("SPACE", "SURE_SPACE"))
                if ends:
                    yield from lines_by_spans(text, _around(spans), spans)
                    text, spans = "", []
            yield from lines_by_spans(text, _around(spans), spans)


def _around(spans: Sequence[Span]) -> Any:
    return box_of([side for _, _, box in spans for side in (box or ())])


def _document_ai(data: Any) -> Marked | None:
    data = inner(data, "document") or data
    text, pages = inner(data, "text"), objects(inner(data, "pages"))
    if isinstance(inner(data, "documentLayout"), dict):
        return _layout_parser(objects(data["documentLayout"].get("blocks")))
    parts = [one for page in pages for one in (page, *objects(page.get("lines"))[:1])]
    if not isinstance(text, str) or not any("textAnchor" in _layout(one) for one in parts):
        return None
    found = []
    for page in pages:
        tokens = [part for one in objects(page.get("tokens")) for part in _anchored(one)]
        lines = [part for one in objects(page.get("lines")) for part in _anchored(one)]
        blocks = [
            block
            for begin, end, box in lines or _anchored(page)
            for block in _line(text, begin, end, box, tokens if lines else ())
        ]
        found.append((page.get("pageNumber"), blocks))
    return paged("Document AI", found, size_of(pages[0].get("dimension")))


def _layout(page: Mapping[str, Any]) -> Mapping[str, Any]:
    """The layout of a page or a part of it."""
    layout = page.get("layout")
    return layout if isinstance(layout, dict) else {}


def _anchored(one: Mapping[str, Any]) -> Iterator[Span]:
    """The stretches of the text that a part of a page is."""
    box = box_of(_layout(one).get("boundingPoly"))
    for part in objects(inner(_layout(one), "textAnchor", "textSegments")):
        begin, end = (str(part.get(key) or 0) for key in ("startIndex", "endIndex"))
        if begin.isdecimal() and end.isdecimal() and len(begin) < 10 > len(end):
            yield int(begin), int(end), box


def _line(text: str, begin: int, end: int, box: Any, tokens: Sequence[Span]) -> Iterator[Block]:
    if not tokens:
        yield as_written(text[begin:end], None, None)
        return
    own = [(b - begin, e - begin, of) for b, e, of in tokens if begin <= b < end]
    yield from lines_by_spans(text[begin:end], box, own)


def _layout_parser(blocks: Sequence[Mapping[str, Any]]) -> Marked:
    pages: dict[Any, list[Block]] = {}
    waiting, number = list(blocks)[::-1], None
    while waiting:
        one = waiting.pop()
        inside = objects(inner(one, "textBlock", "blocks"))
        inside += [
            b
            for e in objects(inner(one, "listBlock", "listEntries"))
            for b in objects(e.get("blocks"))
        ]
        text, kind = inner(one, "textBlock", "text"), str(inner(one, "textBlock", "type") or "")
        number = inner(one, "pageSpan", "pageStart") or number
        page = pages.setdefault(number, [])
        if isinstance(text, str) and text:
            kind = "heading" if kind.startswith("heading") else kind
            page.append(as_written(text, kind_of(kind), box_of(one.get("boundingBox"))))
        table = inner(one, "tableBlock")
        for row in (*objects(inner(table, "headerRows")), *objects(inner(table, "bodyRows"))):
            cells = [b for c in objects(row.get("cells")) for b in objects(c.get("blocks"))]
            page.append(
                as_written(
                    " ".join(str(inner(c, "textBlock", "text") or "") for c in cells), "table"
                )
            )
        waiting += inside[::-1]
    return paged("Document AI", list(pages.items()))


def _iiif(data: Any) -> Marked | None:
    """An annotation page: a text for each part of an image."""
    pages = objects(data if isinstance(data, list) else inner(data, "annotations") or data)
    if not pages or not all(page.get("type") == "AnnotationPage" for page in pages):
        return None
    found = []
    for page in pages:
        lines = []
        for one in objects(page.get("items")):
            target = one.get("target")
            target = inner(target, "selector", "value") or inner(target, "id") or target
            at = re.search(r"xywh=(?:pixel:)?([\d.]+),([\d.]+),([\d.]+),([\d.]+)", str(target))
            x, y, w, h = map(float, at.groups()) if at else (0.0, 0.0, 0.0, 0.0)
            for body in objects(one.get("body")):
                value = body.get("value")
                if isinstance(value, str):
                    box = box_of([x, y, x + w, y + h])
                    is_html = "html" in str(body.get("format"))
                    lines.append(
                        block_of(value, None, box) if is_html else as_written(value, None, box)
                    )
        found.append((None, lines))
    return paged("IIIF", found)


SERVICES: tuple[Callable[[Any], Marked | None], ...] = (
    _azure, _textract, _vision, _document_ai, _iiif,
)  # fmt: skip
