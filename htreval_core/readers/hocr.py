"""hOCR: lines of an HTML file as Tesseract and OCRopus write it.

Format: http://kba.github.io/hocr-spec/1.2/
"""

from __future__ import annotations

import re

from lxml import etree, html

from htreval_core.errors import ReadError
from htreval_core.model import Line, Polygon, Transcript
from htreval_core.readers.plain import decode

_LINES = ("ocr_line", "ocrx_line", "ocr_header", "ocr_caption", "ocr_textfloat", "ocr_footer")
_REGIONS = ("ocr_carea", "ocrx_block", "ocr_par")
_DECLARATION = re.compile(r"^\s*<\?xml[^>]*\?>")
_CHARSET = re.compile(rb"(?:charset|encoding)\s*=\s*[\"']?([\w.:-]+)", re.IGNORECASE)


def read_hocr(name: str, content: bytes) -> Transcript:
    """A transcript of the lines of an hOCR file, in document order.

    Raises:
        ReadError: the HTML has no hOCR lines, or its encoding is wrong.
    """
    root = _parse(name, content)
    pages = _with_class(root, "ocr_page")
    warnings = (f"{name}: holds {len(pages)} pages, which are read as one",) if pages[1:] else ()
    elements = [el for el in root.iter() if isinstance(el.tag, str) and _is(el, *_LINES)]
    if not elements and not pages:
        raise ReadError(f"{name}: HTML without hOCR lines; export it as hOCR")
    lines = tuple(_line(element) for element in elements)
    title = pages[0].get("title", "") if pages else ""
    image = re.search(r"image\s+[\"']?([^\"';]+)", title)
    box = _box(title)
    size = (int(box[2][0] - box[0][0]), int(box[2][1] - box[0][1])) if box else None
    return Transcript(lines, "document", size, image.group(1).strip() if image else None, warnings)


def _parse(name: str, content: bytes) -> etree._Element:
    declared = _CHARSET.search(content[:2048])
    try:
        text = decode(name, content)
    except ReadError:
        # UTF-8 unless the file itself says otherwise.
        if declared is None:
            raise
        text = decode(name, content, declared.group(1).decode("ascii"))
    try:
        parser = html.HTMLParser(no_network=True, huge_tree=False)
        root = html.document_fromstring(_DECLARATION.sub("", text), parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError, ValueError) as error:
        raise ReadError(f"{name}: no HTML that can be read ({error}); export it again") from None
    return root


def _is(element: etree._Element, *names: str) -> bool:
    return any(name in names for name in (element.get("class") or "").split())


def _with_class(root: etree._Element, name: str) -> list[etree._Element]:
    return [el for el in root.iter() if isinstance(el.tag, str) and _is(el, name)]


def _line(element: etree._Element) -> Line:
    words = _with_class(element, "ocrx_word")
    pieces = ["".join(word.itertext()) for word in words] or ["".join(element.itertext())]
    region = element.getparent()
    while region is not None and not _is(region, *_REGIONS):
        region = region.getparent()
    kind = (element.get("class") or "").split()[0].removeprefix("ocr_").removeprefix("ocrx_")
    return Line(
        " ".join(" ".join(pieces).split()),
        None if region is None else region.get("id"),
        _box(element.get("title", "")),
        None if kind == "line" else kind,
    )


def _box(title: str) -> Polygon | None:
    match = re.search(r"\bbbox\s+(-?\d+)\s+(-?\d+)\s+(-?\d+)\s+(-?\d+)", title)
    if match is None:
        return None
    left, top, right, bottom = (float(number) for number in match.groups())
    if right <= left or bottom <= top:
        return None
    return ((left, top), (right, top), (right, bottom), (left, bottom))
