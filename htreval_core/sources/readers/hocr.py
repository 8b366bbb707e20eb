"""hOCR: lines of an HTML file as Tesseract and OCRopus write it.

Format: http://kba.github.io/hocr-spec/1.2/
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from lxml import etree, html

from htreval_core.errors import ReadError
from htreval_core.model import DataWarning, Line, Polygon, Transcript, WarningKind
from htreval_core.settings import Limits, ReadPolicy
from htreval_core.sources.readers.bounds import check_lines
from htreval_core.sources.readers.plain import decode
from htreval_core.sources.readers.xml import boxes_of_words

_LINES = ("ocr_line", "ocrx_line", "ocr_header", "ocr_caption", "ocr_textfloat", "ocr_footer")
_REGIONS = ("ocr_carea", "ocrx_block", "ocr_par")
_GAVE_UP = ("ERR_RESOURCE_LIMIT", "ERR_NO_MEMORY")
_DECLARATION = re.compile(r"^\s*<\?xml[^>]*\?>")
_LONGEST = 200_000
"""Characters between one tag's beginning and the next that libxml2 takes apart in a second: it
compares every attribute of an HTML tag with all the others."""
_CHARSET = re.compile(rb"(?:charset|encoding)\s*=\s*[\"']?([\w.:-]+)", re.IGNORECASE)


def read_hocr(name: str, content: bytes, policy: ReadPolicy | None = None) -> Transcript:
    """A transcript of the lines of an hOCR file, in document order.

    Raises:
        ReadError: the HTML has no hOCR lines, or its encoding is wrong.
    """
    policy = policy or ReadPolicy()
    root = _parse(name, content, policy.encoding)
    pages = [element for element in root.iter(etree.Element) if _is(element, "ocr_page")]
    several = DataWarning(name, WarningKind.SEVERAL_PAGES, count=len(pages))
    warnings = (several,) if len(pages) > 1 else ()
    lines = tuple(_lines(name, root, policy.limits))
    if not lines and not pages:
        raise ReadError(f"{name}: HTML without hOCR lines; export it as hOCR")
    title = pages[0].get("title", "") if pages else ""
    image = re.search(r"image\s+[\"']?([^\"';]+)", title)
    box = _box(title)
    size = None
    if box is not None:
        left, top, right, bottom = box.box
        size = int(right - left), int(bottom - top)
    return Transcript(lines, "document", size, image.group(1).strip() if image else None, warnings)


def _parse(name: str, content: bytes, encoding: str | None) -> etree._Element:
    declared = _CHARSET.search(content[:2048])
    try:
        text = decode(name, content)
    except ReadError:
        # UTF-8 unless the user or the file itself says otherwise.
        chosen = encoding or (declared.group(1).decode("ascii") if declared else None)
        if chosen is None:
            raise
        text = decode(name, content, chosen)
    if sum(len(piece) ** 2 for piece in text.split("<")) > _LONGEST**2:
        raise ReadError(
            f"{name}: over {_LONGEST:,} characters without a tag; hOCR has one for every line: "
            "export it again"
        )
    try:
        parser = html.HTMLParser(no_network=True, huge_tree=False)
        root = html.document_fromstring(_DECLARATION.sub("", text), parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError, ValueError) as error:
        raise ReadError(f"{name}: not readable as HTML ({error}); export it again") from None
    # Of what it gives up on, the parser hands over the part that it has read so far.
    gave_up = [entry.message for entry in parser.error_log if entry.type_name in _GAVE_UP]
    if gave_up:
        reason = " ".join(gave_up[0].split())
        raise ReadError(f"{name}: not readable as HTML to its end ({reason}); export it again")
    return root


def _is(element: etree._Element, *names: str) -> bool:
    return any(name in names for name in (element.get("class") or "").split())


def _lines(name: str, root: etree._Element, limits: Limits) -> Iterator[Line]:
    """Lines in document order, each with its own words; words in no line go by their parent.

    A header or a caption is a line where Tesseract writes it, and a block of lines elsewhere.
    """
    own_words: dict[etree._Element, list[etree._Element]] = {}
    blocks: set[etree._Element] = set()
    for element in root.iter(etree.Element):
        if not _is(element, "ocrx_word", *_LINES):
            continue
        around = element.getparent()
        while around is not None and not _is(around, "ocrx_word", *_LINES):
            around = around.getparent()
        if _is(element, *_LINES):
            own_words.setdefault(element, [])
            if around is not None:
                blocks.add(around)
        elif around is None:
            own_words.setdefault(element.getparent(), []).append(element)
        elif around in own_words:
            own_words[around].append(element)
        # What is left is a word in a word, which is part of it.
    check_lines(name, len(own_words) - len(blocks), limits)
    for element in root.iter(etree.Element):
        words = own_words.get(element)
        if words is None or (not words and element in blocks):
            continue
        yield _line(element, words)


def _line(element: etree._Element, words: list[etree._Element]) -> Line:
    region: etree._Element | None = element
    while region is not None and not _is(region, *_REGIONS):
        region = region.getparent()
    names = [name for name in (element.get("class") or "").split() if name in _LINES]
    kind = names[0].removeprefix("ocr_").removeprefix("ocrx_") if names else "line"
    pieces = ("".join(piece.itertext()) for piece in words or [element])
    text = " ".join(" ".join(pieces).split())
    outlines = [_box(word.get("title", "")) for word in words]
    return Line(
        text,
        None if region is None else region.get("id"),
        _box(element.get("title", "")),
        None if kind == "line" else kind,
        boxes_of_words(text, [outline.box if outline else None for outline in outlines]),
    )


def _box(title: str) -> Polygon | None:
    match = re.search(r"\bbbox\s+(-?\d+)\s+(-?\d+)\s+(-?\d+)\s+(-?\d+)", title)
    if match is None:
        return None
    left, top, right, bottom = sides = [float(side) for side in match.groups()]
    usable = left < right and top < bottom and all(map(math.isfinite, sides))
    return Polygon.from_box(left, top, right, bottom) if usable else None
