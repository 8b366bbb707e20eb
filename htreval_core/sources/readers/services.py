"""What the services of clouds answer: lines with the boxes of their words.

Azure Document Intelligence, its Read API and Computer Vision
(https://learn.microsoft.com/azure/ai-services/document-intelligence), AWS Textract
(https://docs.aws.amazon.com/textract/latest/dg/API_Block.html), Google Cloud Vision
(https://cloud.google.com/vision/docs/reference/rest/v1/AnnotateImageResponse) and Document AI
(https://cloud.google.com/document-ai/docs/reference/rest/v1/Document), and annotations of the
International Image Interoperability Framework (https://iiif.io/api/presentation/3.0/). What
language models answer has one text.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from htreval_core.sources.names import named
from htreval_core.sources.readers.blocks import Block, Marked, as_written, block_of, kind_of
from htreval_core.sources.readers.boxed import (
    RELATIVE,
    box_of,
    first,
    inner,
    lines_by_spans,
    listed,
    number,
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
    blocks = objects(inner(result, "readResult", "blocks"))
    if blocks and all(isinstance(block.get("lines"), list) for block in blocks):
        pages = [{"lines": [line for block in blocks for line in block["lines"]]}]
    if not pages or not all(isinstance(page.get("lines"), list) for page in pages):
        return None
    if any(page.get("words") and not page["lines"] for page in pages):
        return None
    lines = [one for page in pages for one in page["lines"]]
    if not all(isinstance(one, dict) and {"text", "content"} & one.keys() for one in lines):
        return None
    roles = sorted(_roles(objects(result.get("paragraphs"))), key=_begin)
    found, scale = [], 1.0
    for page in pages:
        scale = float(_INCH) if page.get("unit") == "inch" else 1.0
        placed = ((inner(w, "span", "offset"), w, 0) for w in objects(page.get("words")))
        words = sorted((one for one in placed if isinstance(one[0], int)), key=_begin)
        lines = [
            replace(b, kind=_role(one, roles))
            for one in objects(page["lines"])
            for b in _azure_line(one, _own(one, words), scale)
        ]
        found.append((page.get("pageNumber", page.get("page")), lines))
    return paged("Azure", found, size_of(pages[0], scale))


_Placed = TypeVar("_Placed", bound=tuple[int, Any, Any])
_MOST_WORDS = 1000
"""Words of a line that are given their boxes."""


def _begin(placed: tuple[int, Any, Any]) -> int:
    return placed[0]


def _within(placed: Sequence[_Placed], begin: float, end: float) -> Sequence[_Placed]:
    """What begins in a stretch of a text, of things in the order in which they begin."""
    first_of, last_of = (bisect_left(placed, at, key=_begin) for at in (begin, end))
    return placed[first_of : min(last_of, first_of + _MOST_WORDS)]


def _part(one: Mapping[str, Any]) -> tuple[float, float]:
    """Where the text of a thing begins and ends in that of all pages."""
    part = next(iter(objects(one.get("spans"))), {})
    begin, length = (number(part.get(key)) or 0 for key in ("offset", "length"))
    return begin, begin + length


def _roles(paragraphs: Iterable[Mapping[str, Any]]) -> Iterator[tuple[int, float, str]]:
    """Where each paragraph stands that is more than running text, and its kind."""
    for one in paragraphs:
        kind, (begin, end) = kind_of(one.get("role")), _part(one)
        if kind and end > begin:
            yield int(begin), end, kind


def _role(line: Mapping[str, Any], roles: Sequence[tuple[int, float, str]]) -> str | None:
    """The kind of the paragraph that a line is in."""
    begin, _ = _part(line)
    place = bisect_right(roles, begin, key=_begin) - 1
    return roles[place][2] if place >= 0 and begin < roles[place][1] else None


def _own(line: Mapping[str, Any], words: Sequence[tuple[int, Any, Any]]) -> list[Any]:
    """The words of a line: its own, or those of the page that stand in its part of the text."""
    if "words" in line or not words:
        return objects(line.get("words"))
    return [word for _, word, _ in _within(words, *_part(line))]


def _azure_line(
    line: Mapping[str, Any], words: Sequence[Mapping[str, Any]], scale: float
) -> Iterator[Block]:
    def said(one: Mapping[str, Any]) -> tuple[str, Any]:
        box = first(one, ("boundingBox", "polygon", "boundingPolygon"))
        return str(one.get("text", one.get("content"))), box_of(box, scale)

    text, box = said(line)
    yield from lines_by_spans(text, box, _spans(text, map(said, words)))


def _spans(text: str, words: Any) -> Iterator[Span]:
    at = 0
    for word, box in words:
        begin = text.find(word, at)
        if begin < 0:
            return
        at = begin + len(word)
        yield begin, at, box


def _textract(data: Any) -> Marked | None:
    blocks = objects(inner(data, "Blocks"))
    if not blocks or not all("BlockType" in one for one in blocks):
        return None
    types = {one["BlockType"] for one in blocks}
    if "WORD" in types and "LINE" not in types:
        return None
    by_id = {one.get("Id"): one for one in blocks}
    pages: dict[Any, list[Block]] = {
        one.get("Page", 1): [] for one in blocks if one["BlockType"] == "PAGE"
    }

    def said(one: Mapping[str, Any]) -> tuple[str, Any]:
        return str(one.get("Text") or ""), box_of(inner(one, "Geometry", "Polygon"), RELATIVE)

    def children(one: Mapping[str, Any]) -> list[str]:
        of = [r for r in objects(one.get("Relationships")) if r.get("Type") == "CHILD"]
        return [ref for r in of for ref in listed(r.get("Ids")) if isinstance(ref, str)]

    # The elements of a layout are in reading order (the same site, layoutresponse.html).
    place: dict[Any, int] = {}
    kinds: dict[Any, str | None] = {}
    for one in blocks:
        if (name := str(one["BlockType"])).startswith("LAYOUT_"):
            for ref in children(one):
                place[ref], kinds[ref] = len(place), kind_of(name.removeprefix("LAYOUT_"))
    lines = (one for one in blocks if one["BlockType"] == "LINE")
    for one in sorted(lines, key=lambda line: place.get(line.get("Id"), len(place))):
        text, box = said(one)
        spans = _spans(text, (said(by_id[ref]) for ref in children(one) if ref in by_id))
        kind = kinds.get(one.get("Id"))
        found = (replace(b, kind=kind) for b in lines_by_spans(text, box, spans))
        pages.setdefault(one.get("Page", 1), []).extend(found)
    return paged("AWS Textract", list(pages.items()), (RELATIVE, RELATIVE))


def _vision(data: Any) -> Marked | None:
    answers = objects(inner(data, "responses")) or objects(data)
    keys = {"fullTextAnnotation", "textAnnotations"}
    failed = next((inner(one, "error", "message") for one in answers if one.get("error")), None)
    if failed and inner(data, "responses"):
        raise ValueError(f"the service could not read a page: {failed}")
    # A blank page has an empty answer.
    if inner(data, "responses") != [{}] and not any(keys & answer.keys() for answer in answers):
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
    every = (page for a in answers for page in objects(inner(a, "fullTextAnnotation", "pages")))
    return paged("Google Vision", found, size_of(next(every, None)))


_BREAKS = ("UNKNOWN", "SPACE", "SURE_SPACE", "EOL_SURE_SPACE", "HYPHEN", "LINE_BREAK")
"""What may stand behind a word, by the number that some clients write for it."""
_ENDS_LINE = ("LINE_BREAK", "EOL_SURE_SPACE", "HYPHEN")


def _vision_lines(page: Mapping[str, Any]) -> Iterator[Block]:
    for block in objects(page.get("blocks")):
        for paragraph in objects(block.get("paragraphs")):
            text, spans = "", list[Span]()
            for word in objects(paragraph.get("words")):
                symbols = objects(word.get("symbols"))
                said = "".join(str(symbol.get("text") or "") for symbol in symbols)
                breaks = [inner(one, "property", "detectedBreak") for one in symbols] or [None]
                text += " " * bool(inner(breaks[0], "isPrefix"))
                kind = None if inner(breaks[-1], "isPrefix") else inner(breaks[-1], "type")
                if isinstance(kind, int) and kind in range(len(_BREAKS)):
                    kind = _BREAKS[kind]
                spans.append((len(text), len(text) + len(said), box_of(word.get("boundingBox"))))
                text += said + {"HYPHEN": "-", "SPACE": " ", "SURE_SPACE": " "}.get(str(kind), "")
                if kind in _ENDS_LINE:
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
    found, n_read = list[tuple[Any, list[Block]]](), 0
    for page in pages:
        tokens = sorted(_anchored(objects(page.get("tokens"))), key=_begin)
        lines = list(_anchored(objects(page.get("lines"))))
        blocks: list[Block] = []
        for begin, end, box in lines or _anchored([page]):
            n_read += end - begin
            if n_read > len(text) + _MOST_WORDS:
                raise ValueError("its lines repeat the same parts of its text")
            if lines:
                own = [(b - begin, e - begin, of) for b, e, of in _within(tokens, begin, end)]
                blocks += lines_by_spans(text[begin:end], box, own)
            else:
                blocks.append(as_written(text[begin:end]))
        found.append((page.get("pageNumber"), blocks))
    return paged("Document AI", found, size_of(pages[0].get("dimension")))


def _layout(page: Mapping[str, Any]) -> Mapping[str, Any]:
    layout = page.get("layout")
    return layout if isinstance(layout, dict) else {}


def _anchored(parts: Iterable[Mapping[str, Any]]) -> Iterator[Span]:
    """The stretches of the text that parts of a page are."""
    for one in parts:
        box = box_of(_layout(one).get("boundingPoly"))
        for part in objects(inner(_layout(one), "textAnchor", "textSegments")):
            begin, end = (str(part.get(key) or 0) for key in ("startIndex", "endIndex"))
            if begin.isdecimal() and end.isdecimal() and len(begin) < 10 > len(end):
                yield int(begin), max(int(begin), int(end)), box


def _layout_parser(blocks: Sequence[Mapping[str, Any]]) -> Marked:
    pages: dict[Any, list[Block]] = {}
    waiting, at = list(blocks)[::-1], None
    while waiting:
        one = waiting.pop()
        holders = (one.get("textBlock"), *objects(inner(one, "listBlock", "listEntries")))
        inside = [block for holder in holders for block in objects(inner(holder, "blocks"))]
        text, kind = inner(one, "textBlock", "text"), str(inner(one, "textBlock", "type") or "")
        at = inner(one, "pageSpan", "pageStart") or at
        page = pages.setdefault(at, [])
        if isinstance(text, str) and text:
            kind = "heading" if kind.startswith("heading") else kind
            page.append(as_written(text, kind_of(kind), box_of(one.get("boundingBox"))))
        table = inner(one, "tableBlock")
        for row in (*objects(inner(table, "headerRows")), *objects(inner(table, "bodyRows"))):
            cells = [b for c in objects(row.get("cells")) for b in objects(c.get("blocks"))]
            texts = (str(inner(cell, "textBlock", "text") or "") for cell in cells)
            page.append(as_written(" ".join(texts), "table"))
        waiting += inside[::-1]
    return paged("Document AI", list(pages.items()))


_LABELS, _OF_TEXT, _GRAINS = (named(f"iiif_{what}") for what in ("labels", "texts", "grains"))


def _iiif(data: Any) -> Marked | None:
    pages = objects(data if isinstance(data, list) else inner(data, "annotations") or data)
    if not pages or not all(page.get("type") == "AnnotationPage" for page in pages):
        return None
    found = []
    for page in pages:
        lines = []
        items = []
        for one in objects(page.get("items")):
            # What one of its bodies is for says better what an annotation is for.
            own = {str(body.get("purpose")) for body in objects(one.get("body"))} & {*_OF_TEXT}
            items.append((one, own or {*map(str, listed(one.get("motivation")))}))
        grains = {one.get("textGranularity") for one, _ in items}
        # The same text may stand there in several grains, and remarks beside it.
        grain = next(filter(grains.__contains__, _GRAINS), None)
        is_marked = any(of & {*_OF_TEXT} for _, of in items)
        for one, purposes in items:
            # Beside text that is marked as such, what says nothing of itself is text, too.
            if not purposes & {*_OF_TEXT} and (purposes if is_marked else purposes & {*_LABELS}):
                continue
            if one.get("textGranularity") not in (grain, None):
                continue
            target = one.get("target")
            target = inner(target, "selector", "value") or inner(target, "id") or target
            at = re.search(r"xywh=(?:pixel:)?([\d.]+),([\d.]+),([\d.]+),([\d.]+)", str(target))
            x, y, w, h = map(float, at.groups()) if at else (0.0, 0.0, 0.0, 0.0)
            bodies = [b for b in objects(one.get("body")) if b.get("purpose") not in _LABELS]
            of_text = [body for body in bodies if body.get("purpose") in _OF_TEXT]
            for body in of_text or bodies:
                # Of several to choose from, the first is what is shown.
                value = next(iter(objects(body.get("items"))), body).get("value")
                if isinstance(value, str):
                    box = box_of([x, y, x + w, y + h])
                    is_html = "html" in str(body.get("format"))
                    lines.append(
                        block_of(value, None, box) if is_html else as_written(value, None, box)
                    )
        if is_marked and not lines:  # its text stands elsewhere
            return None
        found.append((None, lines))
    return paged("IIIF", found)


def _answer(data: Any) -> Marked | None:
    """What a language model wrote, as OpenAI, Google, Anthropic and Ollama send it."""
    known = {*data} if isinstance(data, dict) else set()
    choices, candidates = (objects(inner(data, key)) for key in ("choices", "candidates"))
    several = max(len(choices), len(candidates)) > 1
    parts = [*objects(inner(data, "content")), *(inner(one, "message") for one in choices)]
    parts += [part for one in candidates for part in objects(inner(one, "content", "parts"))]
    calls = ("tool_calls", "functionCall")
    if any(inner(one, "type") == "tool_use" or any(inner(one, c) for c in calls) for one in parts):
        raise ValueError("a model calls a tool in it; what it passes to the tool is not read")
    for path in named("answers") if known & {"model", "modelVersion"} and not several else ():
        found: list[Any] = [data]
        for key in path.split("."):
            of = [one for one in objects(found) if not one.get("thought")]
            found = [inside for one in of for inside in listed(one.get(key))]
        texts = [one for one in found if isinstance(one, str)]
        if texts and not _WITHIN.match("".join(texts)):
            return Marked("the answer of a model", (block_of("".join(texts)),))
    return None


_WITHIN = re.compile(
    r"(?:[^`<{\[]{1,400}\n)?\s*(?:```\w*\s*)?"
    r"(?:[\[{]+\s*\"|<\?xml|<(?:TEI|PcGts|alto|HistoricalDocument)\b)"
)
"""JSON or XML within JSON."""


def is_cut(data: Any) -> bool:
    """Whether a model says that it was stopped, or a service that some pages failed."""
    of = [*objects(data), *objects(inner(data, "choices")), *objects(inner(data, "candidates"))]
    reasons = ("finish_reason", "finishReason", "stop_reason", "done_reason")
    said = {str(one.get(key)).lower() for one in of for key in reasons}
    return inner(data, "JobStatus") == "PARTIAL_SUCCESS" or not said.isdisjoint(named("cut_short"))


SERVICES: tuple[Callable[[Any], Marked | None], ...] = (
    _azure, _textract, _vision, _document_ai, _iiif, _answer,
)  # fmt: skip
