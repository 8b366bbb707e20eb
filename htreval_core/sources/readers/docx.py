"""Documents for a word processor, as Transkribus exports them: a paragraph is a line."""

import io
import re
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import replace

from lxml import etree

from htreval_core.errors import ReadError
from htreval_core.model import Line, Transcript
from htreval_core.settings import ReadPolicy
from htreval_core.sources.names import named
from htreval_core.sources.readers.bounds import beyond, check_lines
from htreval_core.sources.readers.xml import local_name, parse_xml

_BODY, _STYLES = "word/document.xml", "word/styles.xml"
_NOTES = ("word/footnotes.xml", "word/endnotes.xml")


def read_docx(name: str, content: bytes, policy: ReadPolicy | None = None) -> Transcript:
    """The paragraphs and tables of a document, then its notes; a row of a table is a line.

    Raises:
        ReadError: it is not a readable document, or it holds too much.
    """
    policy = policy or ReadPolicy()
    parts = _parts(name, content, policy)
    body = parts[_BODY].find("{*}body")
    if body is None:
        raise ReadError(f"{name}: not a readable document (it has no body); save it again")
    styles = parts[_STYLES].iterfind("{*}style") if _STYLES in parts else ()
    kinds = {_value(style, "styleId"): _kind(style) for style in styles}
    lines = list(_lines(body, kinds))
    for part in filter(parts.__contains__, _NOTES):
        lines += (replace(line, region_kind="footnote") for line in _lines(parts[part], kinds))
    if not lines and body.find(".//{*}altChunk") is not None:
        raise ReadError(f"{name}: its text is a file within it; save it with a word processor")
    check_lines(name, len(lines), policy.limits)
    return Transcript(tuple(lines), "document")


def _parts(name: str, content: bytes, policy: ReadPolicy) -> dict[str, etree._Element]:
    """The parts that are read, by the one door of XML; refused where they unpack to too much."""
    limits = policy.limits
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            size = sum(info.file_size for info in archive.infolist())
            if size > limits.file_bytes or size > limits.archive_ratio * max(len(content), 1024):
                raise beyond(
                    name, f"{size:,} bytes unpacked", "file_bytes", limits.file_bytes,
                    "save it without its images",
                )  # fmt: skip
            if _BODY not in archive.namelist():
                raise ReadError(
                    f"{name}: not a document of a word processor; save it as .docx again"
                )
            return {
                part: parse_xml(f"{name}: {part}", archive.read(part), limits)
                for part in {_BODY, _STYLES, *_NOTES}.intersection(archive.namelist())
            }
    except ReadError:
        raise
    except Exception as error:
        raise ReadError(f"{name}: not a readable document ({error}); save it again") from None


def _value(element: etree._Element | None, name: str = "val") -> str:
    """An attribute in whatever namespace; empty if it is missing."""
    found = {} if element is None else element.attrib
    return next((value for key, value in found.items() if key.rpartition("}")[2] == name), "")


def _kind(style: etree._Element) -> str | None:
    named = _value(style.find("{*}name")).lower()
    return "heading" if named.startswith(("heading", "title")) else None


_LEFT_OUT = frozenset(named("docx_left_out"))
_CODE = re.compile(r"[0-9A-Fa-f]{2,4}")
_SIGNS = {"tab": "\t", "ptab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-",
          "softHyphen": "\u00ad"}  # fmt: skip
_FRACTION = "\u2063"
"""The beginning of a fraction: a number before it stands apart."""


def _lines(element: etree._Element, kinds: Mapping[str, str | None]) -> Iterator[Line]:
    """The lines below an element: of paragraphs, wherever they are wrapped up, and rows."""
    for child in element:
        tag = local_name(child)
        if tag == "p":
            yield from _paragraph(child, kinds)
        elif tag == "tr":
            cells = (line.text for line in _lines(child, kinds))
            text = " ".join(" ".join(cells).split())
            if text:
                yield Line(text, region_kind="table")
        elif tag not in _LEFT_OUT:
            merged = child.find("{*}tcPr/{*}vMerge") if tag == "tc" else None
            # A cell may only go on with the one above it.
            if merged is None or "restart" in merged.attrib.values():
                yield from _lines(child, kinds)


def _paragraph(element: etree._Element, kinds: Mapping[str, str | None]) -> Iterator[Line]:
    kind = kinds.get(_value(element.find("{*}pPr/{*}pStyle")))
    boxes: list[etree._Element] = []
    said = re.sub(rf"(?<=\d){_FRACTION}", " ", "".join(_text(element, boxes)))
    for text in said.replace(_FRACTION, "").splitlines():
        if text.strip():
            yield Line(text.strip(), region_kind=kind)
    for box in boxes:
        yield from _lines(box, kinds)


def _text(element: etree._Element, boxes: list[etree._Element]) -> Iterator[str]:
    for child in element:
        tag = local_name(child)
        if tag == "t":
            yield "".join(child.itertext(etree.Element))
        elif tag == "sym":
            code = _value(child, "char")
            yield chr(int(code, 16)) if _CODE.fullmatch(code) else ""
        elif tag in _SIGNS:
            yield _SIGNS[tag]
        elif tag == "txbxContent":
            boxes.append(child)
        elif tag not in _LEFT_OUT and not _is_hidden(child):
            # An equation has its numerator and denominator one after the other.
            yield {"f": _FRACTION, "den": "/"}.get(tag, "")
            yield from _text(child, boxes)


def _is_hidden(run: etree._Element) -> bool:
    found = run.find("{*}rPr/{*}vanish")
    return found is not None and _value(found) not in ("0", "false", "off")
