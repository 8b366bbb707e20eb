"""hOCR: lines of an HTML file as Tesseract and OCRopus write it.

Format: http://kba.github.io/hocr-spec/1.2/
"""

import re
from collections.abc import Iterator
from itertools import pairwise

from lxml import etree, html

from htreval_core.errors import ReadError
from htreval_core.model import Box, DataWarning, Line, Polygon, Transcript, WarningKind
from htreval_core.settings import Limits, ReadPolicy
from htreval_core.sources.readers.bounds import check_lines
from htreval_core.sources.readers.outlines import Span, boxes_of_spans, usable_box
from htreval_core.sources.readers.plain import decode
from htreval_core.text import space_between

_LINES = ("ocr_line", "ocrx_line", "ocr_header", "ocr_caption", "ocr_textfloat", "ocr_footer")
_REGIONS = ("ocr_carea", "ocrx_block", "ocr_par")
_GAVE_UP = ("ERR_RESOURCE_LIMIT", "ERR_NO_MEMORY")
_DECLARATION = re.compile(r"^\s*<\?xml[^>]*\?>")
_SPACE = re.compile(r"\s+")
_TOUCHING = 0.1
"""Gap between two boxes, in the height of a word, up to which they touch: a space is a quarter."""
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
    for other in list(root.iter("del")):
        # What else a word may be: the reading itself stands in ``ins``.
        if _is(other, "alt") and next(other.itersiblings("ins", preceding=True), None) is not None:
            other.drop_tree()
    unread: set[str] = set()
    lines = tuple(_lines(name, root, policy.limits, pages, unread))
    if not lines and (not pages or any("".join(page.itertext()).strip() for page in pages)):
        raise ReadError(f"{name}: HTML without hOCR lines; export it as hOCR")
    titles = [page.get("title", "") for page in pages] or [""]
    images = [re.search(r"image\s+[\"']?([^\"';]+)", title) for title in titles]
    names = tuple(image.group(1).strip() if image else "" for image in images)
    if len({*names} - {""}) < len(names) > 1:
        # Pages of one image, or of none, are known by their numbers, which begin with 0.
        numbers = [re.search(r"ppageno\s+(\d{1,6})", title) for title in titles]
        names = tuple(str(int(one[1]) + 1) if one else "" for one in numbers)
    box = _box(titles[0])
    size = (int(box[2] - box[0]), int(box[3] - box[1])) if box else None
    told = [DataWarning(name, WarningKind.FIELDS_LEFT, tuple(sorted(unread)))] if unread else []
    return Transcript(lines, "document", size, names[0] or None, tuple(told), pages=names)


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
    _join_characters(root)
    return root


def _join_characters(root: etree._Element) -> None:
    """Characters with boxes of their own become words; what else may stand there goes."""
    for sign in root.xpath("//*[contains(@class, 'ocrx_cinfo')]"):
        around = sign.getparent()
        if _around(around, "ocrx_word") is None:
            continue
        # The other readings that a character may have say how sure they are, and stand together.
        if not any("x_confs" in one.get("title", "") for one in sign.iter(etree.Element)):
            around.text, sign.text = (around.text or "").strip(), (sign.text or "").strip()
            sign.tail = (sign.tail or "").strip()
        else:
            sign.drop_tree()


def _is(element: etree._Element, *names: str) -> bool:
    return any(name in names for name in (element.get("class") or "").split())


def _lines(
    name: str, root: etree._Element, limits: Limits, pages: list[etree._Element], unread: set[str]
) -> Iterator[Line]:
    """Lines in document order, each with its own words; words in no line go by their parent.

    Classes of elements with text that is in no line, or in no word of one, go into ``unread``.

    A header or a caption is a line where Tesseract writes it, and a block of lines elsewhere."""
    own_words: dict[etree._Element, list[etree._Element]] = {}
    blocks: set[etree._Element] = set()
    for element in root.iter(etree.Element):
        if not _is(element, "ocrx_word", *_LINES):
            continue
        around = _around(element.getparent(), "ocrx_word", *_LINES)
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
    spelt = [
        (element, *_spell(element, own_words[element]))
        for element in root.iter(etree.Element)
        if element in own_words and (own_words[element] or element not in blocks)
    ]
    # What is read is of words, or of lines without them, and so is all within: one way down.
    read = {one for element, _, _ in spelt for one in own_words[element] or [element]}
    within = set(pages)
    for element in root.iter():
        around = element.getparent()
        for known in (read, within):
            known.update([element] if around in known else ())
        said = element.text if isinstance(element.tag, str) else None
        for of, text in ((element, said), (around, element.tail)):
            if text and text.strip() and of in within and of not in read:
                unread.add(of.get("class") or of.tag)
    # Where white space divides no two words of a file, their boxes have to.
    by_boxes = not any(
        " " in text[begin:after].replace(text[begin:end].strip(), "", 1)
        for _, text, spans in spelt
        for (begin, end, _), (after, _, _) in pairwise(spans)
    )
    places = {page: place for place, page in enumerate(pages)}
    for element, text, spans in spelt:
        text, spans = (_by_boxes if by_boxes else _as_written)(text, spans)
        region, box = _around(element, *_REGIONS), _box(element.get("title", ""))
        names = [name for name in (element.get("class") or "").split() if name in _LINES]
        kind = names[0].removeprefix("ocr_").removeprefix("ocrx_") if names else "line"
        yield Line(
            " ".join(text.split()), None if region is None else region.get("id"),
            Polygon.from_box(*box) if box else None, None if kind == "line" else kind,
            boxes_of_spans(text, spans),
            places.get(_around(element, "ocr_page"), 0) if len(pages) > 1 else 0,
        )  # fmt: skip


def _around(element: etree._Element | None, *names: str) -> etree._Element | None:
    """An element, or the next around it, that is of one of these classes."""
    while element is not None and not _is(element, *names):
        element = element.getparent()
    return element


def _spell(line: etree._Element, words: list[etree._Element]) -> tuple[str, list[Span]]:
    """The text of a line, with spaces where the file has white space in words and between them."""
    if not words:
        for end in line.iter("br"):
            end.tail = f" {end.tail or ''}"
        return " ".join("".join(line.itertext()).split()), []
    known, spans = set(words), list[Span]()
    pieces, length, begun = list[str](), 0, 0
    inside: etree._Element | None = None
    for event, node in etree.iterwalk(line, events=("start", "end", "comment", "pi")):
        if event == "start" and inside is None and node in known:
            inside, begun = node, length
        elif event == "end" and node is inside:
            spans.append((begun, length, _box(inside.get("title", ""))))
            inside = None
        said = node.text if event == "start" else node.tail if node is not line else ""
        said = _SPACE.sub(" ", (said or "") + (" " if node.tag == "br" else ""))
        pieces.append(said if inside is not None else " " * (" " in said))
        length += len(pieces[-1])
    return "".join(pieces), spans


def _as_written(text: str, spans: list[Span]) -> tuple[str, list[Span]]:
    """The same without spaces between the words of scripts that write none."""
    if not spans or max(text, default="") < "\u0e00":
        return text, spans
    pieces, length, closer, last = [text[: spans[0][0]]], spans[0][0], list[Span](), ""
    for (begin, end, box), (after, _, _) in pairwise([*spans, (len(text), 0, None)]):
        word, gap = text[begin:end], text[end:after]
        if last and pieces[-1] == " ":
            pieces[-1] = space_between(last, word)
            length -= not pieces[-1]
        closer.append((length, length + len(word), box))
        pieces += [word, gap]
        length, last = length + len(word) + len(gap), word
    return "".join(pieces), closer


def _by_boxes(text: str, spans: list[Span]) -> tuple[str, list[Span]]:
    """The same with a space wherever the boxes of two words do not touch, or are not known."""
    pieces, length, apart = list[str](), 0, list[Span]()
    last: Box | None = None
    for begin, end, box in spans:
        touches = (
            last
            and box
            and max(box[0] - last[2], last[0] - box[2]) <= _TOUCHING * (box[3] - box[1])
        )
        pieces.append(text[begin:end] if touches or not pieces else f" {text[begin:end]}")
        length += len(pieces[-1])
        apart.append((length - (end - begin), length, box))
        last = box
    return ("".join(pieces), apart) if spans else (text, spans)


def _box(title: str) -> Box | None:
    match = re.search(r"\bbbox\s+(-?\d+)\s+(-?\d+)\s+(-?\d+)\s+(-?\d+)", title)
    return usable_box(*map(float, match.groups())) if match else None
