"""Documents for a word processor, as Transkribus exports them: a paragraph is a line."""

import io
import re
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from lxml import etree

from htreval_core.errors import ReadError
from htreval_core.model import Line, Transcript
from htreval_core.settings import ReadPolicy
from htreval_core.sources.names import named
from htreval_core.sources.readers.bounds import beyond, check_lines
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


_ROMAN = {1000: "m", 900: "cm", 500: "d", 400: "cd", 100: "c", 90: "xc", 50: "l", 40: "xl",
          10: "x", 9: "ix", 5: "v", 4: "iv", 1: "i"}  # fmt: skip
_HIGHEST, _DEEPEST, _LONGEST = 4000, 10, 255
"""The last number that anybody writes in letters, styles that are based on each other, and the
signs of a number, which each of many paragraphs has again."""


def value_of(element: etree._Element | None, name: str = "val") -> str:
    """An attribute in whatever namespace; empty if it is missing."""
    found = {} if element is None else element.attrib
    return next((value for key, value in found.items() if key.rpartition("}")[2] == name), "")


@dataclass(frozen=True, slots=True)
class _Level:
    start: int = 1
    form: str = "decimal"
    text: str = ""

    @classmethod
    def of(cls, element: etree._Element) -> "_Level":
        start, form, text = (value_of(element.find(f"{{*}}{one}"))
                             for one in ("start", "numFmt", "lvlText"))  # fmt: skip
        return cls(_whole(start, 1), form, text[:_LONGEST])


class Numbering:
    """Counts the paragraphs of lists, which have to come in the order of the document."""

    def __init__(self, parts: Mapping[str, etree._Element]) -> None:
        def by(part: str, tag: str, key: str) -> dict[str, etree._Element]:
            found = parts[part].iterfind(f"{{*}}{tag}") if part in parts else ()
            return {value_of(one, key): one for one in found}

        self._lists = by("numbering", "num", "numId")
        self._kinds = by("numbering", "abstractNum", "abstractNumId")
        self._styles = by("styles", "style", "styleId")
        self._levels: dict[str, dict[int, _Level]] = {}
        self._counts: dict[str, dict[int, int]] = {}
        self._begun: set[str] = set()

    def before(self, paragraph: etree._Element) -> str:
        """The number of a paragraph with a space behind it; empty where it has none."""
        number, level = self._place(paragraph)
        own = self._lists.get(number)
        kind = value_of(own.find("{*}abstractNumId")) if own is not None else ""
        if own is None or kind not in self._kinds:
            return ""
        if kind not in self._levels:
            found = self._kinds[kind].iter("{*}lvl")
            self._levels[kind] = {_whole(value_of(one, "ilvl")): _Level.of(one) for one in found}
        levels = self._levels[kind]
        counts = self._counts.setdefault(kind, {})
        if number not in self._begun:
            self._begun.add(number)
            for one in own.iterfind("{*}lvlOverride"):
                if (start := one.find("{*}startOverride")) is not None:
                    counts[_whole(value_of(one, "ilvl"))] = _whole(value_of(start), 1) - 1
        own_level = levels.get(level, _Level())
        counts[level] = counts.get(level, own_level.start - 1) + 1
        for deeper in [of for of in counts if of > level]:
            del counts[deeper]
        if own_level.form in ("bullet", "none"):
            return ""

        def written(match: re.Match[str]) -> str:
            of = levels.get(int(match[1]) - 1, _Level())
            return _written(counts.get(int(match[1]) - 1, of.start), of.form)

        said = re.sub(r"%([1-9])", written, own_level.text)
        return f"{said} " if said.strip() else ""

    def _place(self, paragraph: etree._Element) -> tuple[str, int]:
        """The list of a paragraph and the level in it, its own or those of its style."""
        number, level = "", ""
        for one in self._with_styles(paragraph):
            number = number or value_of(one.find("{*}pPr/{*}numPr/{*}numId"))
            level = level or value_of(one.find("{*}pPr/{*}numPr/{*}ilvl"))
        return number, _whole(level)

    def _with_styles(self, paragraph: etree._Element) -> Iterator[etree._Element]:
        yield paragraph
        style = self._styles.get(value_of(paragraph.find("{*}pPr/{*}pStyle")))
        for _ in range(_DEEPEST):
            if style is None:
                return
            yield style
            style = self._styles.get(value_of(style.find("{*}basedOn")))


def _whole(text: str, otherwise: int = 0) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 9 else otherwise


def _written(number: int, form: str) -> str:
    """A number as a list writes it; in figures where its form is another than Roman or letters."""
    written = str(number)
    if form.endswith("Roman") and 0 < number < _HIGHEST:
        written, left = "", number
        for worth, sign in _ROMAN.items():
            written += sign * (left // worth)
            left %= worth
    elif form.endswith("Letter") and 0 < number < _HIGHEST:
        written = chr(ord("a") + (number - 1) % 26) * ((number + 25) // 26)
    elif form == "decimalZero":
        written = written.zfill(2)
    return written.upper() if form.startswith("upper") else written
