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
from htreval_core.sources.readers.numbering import Numbering, value_of
from htreval_core.sources.readers.xml import local_name, parse_xml

_PART = re.compile(r"word/(document|styles|numbering|footnotes|endnotes)\d*\.xml")
_NOTES = {"footnotes": "footnoteReference", "endnotes": "endnoteReference"}


def read_docx(name: str, content: bytes, policy: ReadPolicy | None = None) -> Transcript:
    """The paragraphs and tables of a document, then its notes; a row of a table is a line.

    Paragraphs of a list have the number that is seen before them.

    Raises:
        ReadError: it is not a readable document, or it holds too much.
    """
    policy = policy or ReadPolicy()
    parts = _parts(name, content, policy)
    body = parts["document"].find("{*}body")
    if body is None:
        raise ReadError(f"{name}: not a readable document (it has no body); save it again")
    walk = _Walk(parts)
    lines = [*walk.lines(body), *walk.rest()]
    for part, tag in _NOTES.items():
        notes = {value_of(one, "id"): one for one in parts[part]} if part in parts else {}
        signs = dict.fromkeys(value_of(sign, "id") for sign in body.iter(f"{{*}}{tag}"))
        for note in filter(notes.__contains__, signs):
            lines += (replace(line, region_kind="footnote") for line in walk.lines(notes[note]))
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
            named = {found[1]: one for one in archive.namelist() if (found := _PART.fullmatch(one))}
            if "document" not in named:
                raise ReadError(f"{name}: not a word-processor document; save it as .docx again")
            return {
                part: parse_xml(f"{name}: {path}", archive.read(path), limits)
                for part, path in named.items()
            }
    except ReadError:
        raise
    except Exception as error:
        raise ReadError(f"{name}: not a readable document ({error}); save it again") from None


_LEFT_OUT = frozenset(named("docx_left_out"))
_CODE = re.compile(r"[0-9A-Fa-f]{2,4}")
_SIGNS = {"tab": "\t", "ptab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-",
          "softHyphen": "\u00ad"}  # fmt: skip
_FRACTION = "\u2063"
"""The beginning of a fraction: a number before it stands apart."""


class _Walk:
    """The way through a document, in its order."""

    def __init__(self, parts: Mapping[str, etree._Element]) -> None:
        styles = parts["styles"].iterfind("{*}style") if "styles" in parts else ()
        named = [
            (value_of(one, "styleId"), value_of(one.find("{*}name")).lower()) for one in styles
        ]
        self._kinds = {
            key: "heading" if name.startswith(("heading", "title")) else None for key, name in named
        }
        self._numbering = Numbering(parts)
        self._initial = ""
        """A first letter that is set in a frame of its own."""

    def lines(self, element: etree._Element) -> Iterator[Line]:
        """The lines below an element: of paragraphs, wherever they are wrapped up, and rows."""
        for child in element:
            tag = local_name(child)
            if tag == "p":
                yield from self._paragraph(child)
            elif tag == "tr":
                cells = (line.text for line in self.lines(child))
                text = " ".join(" ".join(cells).split())
                if text:
                    yield Line(text, region_kind="table")
            elif tag not in _LEFT_OUT:
                merged = child.find("{*}tcPr/{*}vMerge") if tag == "tc" else None
                # A cell may only go on with the one above it.
                if merged is None or "restart" in merged.attrib.values():
                    yield from self.lines(child)

    def rest(self) -> Iterator[Line]:
        """A first letter that nothing follows."""
        if self._initial:
            yield Line(self._initial)

    def _paragraph(self, element: etree._Element) -> Iterator[Line]:
        kind = self._kinds.get(value_of(element.find("{*}pPr/{*}pStyle")))
        boxes: list[etree._Element] = []
        number = self._numbering.before(element)
        said = re.sub(rf"(?<=\d){_FRACTION}", " ", "".join(_text(element, boxes)))
        if value_of(element.find("{*}pPr/{*}framePr"), "dropCap") in ("drop", "margin"):
            said, self._initial = "", self._initial + said.strip()
        elif said.strip():
            said, self._initial = self._initial + said, ""
        for text in (number * bool(said.strip()) + said).replace(_FRACTION, "").splitlines():
            if text.strip():
                yield Line(text.strip(), region_kind=kind)
        for box in boxes:
            yield from self.lines(box)


def _text(element: etree._Element, boxes: list[etree._Element]) -> Iterator[str]:
    for child in element:
        tag = local_name(child)
        if tag == "t":
            yield "".join(child.itertext(etree.Element))
        elif tag == "sym":
            code = value_of(child, "char")
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
    return found is not None and value_of(found) not in ("0", "false", "off")
