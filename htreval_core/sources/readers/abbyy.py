"""What the Internet Archive keeps: ABBYY FineReader XML and DjVu XML, in the order of the file.

Formats: http://www.abbyy.com/FineReader_xml/FineReader10-schema-v1.xml and
http://djvu.sourceforge.net/doc/man/djvuxml.html
"""

from collections.abc import Iterator

from lxml import etree

from htreval_core.errors import ReadError
from htreval_core.model import Box, Line, Polygon, Transcript
from htreval_core.settings import ReadPolicy
from htreval_core.sources.readers.outlines import box_around, line_of_words, usable_box
from htreval_core.sources.readers.xml import (
    boxes_of_words,
    check_count,
    local_name,
    number,
    page_size,
    parse_xml,
)

_KINDS = {"Table": "table", "RunningTitle": "header", "Footnote": "footnote", "Heading": "heading"}


def read_abbyy(name: str, content: bytes, policy: ReadPolicy | None = None) -> Transcript:
    """A transcript of a FineReader file. A row of a table is as many lines as its cells have.

    Raises:
        ReadError: it is no well-formed FineReader XML.
    """
    policy = policy or ReadPolicy()
    root = parse_xml(name, content, policy.limits)
    pages = [child for child in root if local_name(child) == "page"]
    if not pages:
        raise ReadError(f"{name}: XML without a page element; export it as FineReader XML or PAGE")
    check_count(name, content, root, "line", "lines", policy.limits.lines)
    lines = tuple(line for place, page in enumerate(pages) for line in _lines(page, place))
    if not lines and "".join(root.itertext()).strip():
        raise ReadError(f"{name}: XML with pages of another kind; export it as PAGE or as text")
    size = page_size(pages[0], "width", "height")
    return Transcript(lines, "document", size, pages=("",) * len(pages))


def _lines(page: etree._Element, place: int) -> Iterator[Line]:
    for number_, block in enumerate(page.iterchildren("{*}block"), start=1):
        kind = _KINDS.get(block.get("blockType", ""))
        for line in block.iter("{*}line"):
            role = next((up.get("role") for up in line.iterancestors("{*}par")), None)
            text, words = _text(line)
            if text:
                outline = _box(line)
                yield Line(
                    text, f"block-{number_}", Polygon.from_box(*outline) if outline else None,
                    kind or (role.lower() if role else None), boxes_of_words(text, words), place,
                )  # fmt: skip


def _text(line: etree._Element) -> tuple[str, list[Box | None]]:
    """The text of a line and the boxes of its words, where its characters have some."""
    other = {one for of in line.iter("{*}wordRecVariants") for one in of.iter("{*}charParams")}
    signs = [(_sign(one), _box(one)) for one in line.iter("{*}charParams") if one not in other]
    if not signs:
        return " ".join("".join(line.itertext()).split()), []
    words: list[tuple[str, list[Box]]] = [("", [])]
    for sign, box in signs:
        if sign.isspace():
            words.append(("", []))
            continue
        text, boxes = words[-1]
        words[-1] = (text + sign, [*boxes, box] if box else boxes)
    filled = [(text, boxes) for text, boxes in words if text]
    return " ".join(text for text, _ in filled), [box_around(boxes) for _, boxes in filled]


def _sign(element: etree._Element) -> str:
    """A character; what else it may be stands before it in the same element."""
    own = (element.text or "").strip()
    return own or "".join(child.tail or "" for child in element).strip() or " "


def _box(element: etree._Element) -> Box | None:
    sides = [number(element, side, float("nan")) for side in ("l", "t", "r", "b")]
    return usable_box(*sides)


def read_djvu(name: str, content: bytes, policy: ReadPolicy | None = None) -> Transcript:
    """A transcript of a DjVu XML file, with boxes of its words.

    Raises:
        ReadError: it is no well-formed DjVu XML.
    """
    policy = policy or ReadPolicy()
    root = parse_xml(name, content, policy.limits)
    check_count(name, content, root, "LINE", "lines", policy.limits.lines)
    pages = list(root.iter("{*}OBJECT"))
    lines = []
    for place, page in enumerate(pages):
        for zone in page.iter(*_ZONES):
            if local_name(zone) == "LINE":
                words = [(_said(one), _corners(one)) for one in zone.iter("{*}WORD")]
                said = words or [(_said(zone), _corners(zone))]
                lines.append(line_of_words(said, page=place))
            elif not len(zone):
                # The text may end at any level.
                rows = (zone.text or "").splitlines()
                lines += [Line(" ".join(row.split()), page=place) for row in rows if row.strip()]
    size = page_size(pages[0], "width", "height") if pages else None
    names = tuple(page.get("usemap", "") for page in pages)
    return Transcript(tuple(lines), "document", size, pages=names)


_ZONES = ("{*}HIDDENTEXT", "{*}PAGECOLUMN", "{*}REGION", "{*}PARAGRAPH", "{*}LINE")


def _said(zone: etree._Element) -> str:
    """The text of a word or a line, which may be in its characters."""
    return "".join(" ".join(said.split()) for said in zone.itertext())


def _corners(word: etree._Element) -> Box | None:
    """The box of a word: left, bottom, right and top, and perhaps a base line."""
    try:
        left, bottom, right, top = map(float, word.get("coords", "").split(",")[:4])
    except ValueError:
        return None
    return usable_box(left, top, right, bottom)
