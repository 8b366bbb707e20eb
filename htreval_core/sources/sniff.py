"""What kind of file it is, told by its content."""

import codecs
import re

from htreval_core.errors import ReadError
from htreval_core.sources.faults import unreadable
from htreval_core.sources.formats import (
    BY_KIND,
    DOCUMENTS,
    FORMATS,
    REFUSED,
    ROOTS,
    TABLE_ENDINGS,
    FileKind,
    names,
)
from htreval_core.sources.names import named
from htreval_core.sources.readers.plain import JSON_FENCE, OBJECTS
from htreval_core.sources.readers.tesseract import TSV_HEAD

_HTML_BLOCKS = named("html_blocks")
_HOCR = re.compile(rb"class\s*=\s*[\"']?[^\"'<>]{0,200}\bocrx?_")
_JSON = re.compile(rb"\s*(?:\{\s*(?:\"|\})|\[\s*(?:\{\s*\"|\[\s*[\[\"{\d-]|\]\s*\Z))")
_OBJECTS = re.compile(rf"\s*+(?:{JSON_FENCE})?{OBJECTS}".encode())
"""JSON in a file that is called like text: as it is, or between fences that a model set."""
_BEFORE_ROOT = re.compile(
    rb"\s+|<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^\[>]*+(?:\[.*?\]\s*+)?>", re.DOTALL | re.IGNORECASE
)
_ROOT = re.compile(rb"<(?:[\w.-]+:)?([A-Za-z][\w.-]*)")
_DECLARED = re.compile(rb"<\?xml|<!DOCTYPE", re.IGNORECASE)
_NAMESPACED = re.compile(rb"<[^>]*?\sxmlns")
_TEI = re.compile(rb"<(?:([\w.-]+):)?[^>]*?\sxmlns(?(1):\1)\s*=\s*[\"']http://www\.tei-c\.org/ns/")
"""A fragment of an edition: its root is of TEI's namespace."""
_OF_TEI = re.compile(rb"<(?:lb|gap|choice|unclear|supplied|expan|hi|persName|placeName)\b")
_BOXES = re.compile(rb"(?:[^ \r\n]{1,40} \d+ \d+ \d+ \d+ \d+\r?\n){3}")
_NO_TRANSCRIPTS = {begin.encode("latin-1"): told for begin, told in REFUSED["begins"].items()}
_LOOKED_AT = 65_536
_FENCED_XML = re.compile(
    rb"(?s)\A\s*+(?:[^`]{1,400}\n)?```(?:xml|tei)?[ \t]*\r?\n(?=\s*<)(.*?)\n?```[^`]{0,400}\Z"
)


def unfenced(content: bytes) -> bytes:
    """The XML that a language model wrote between fences; other content as it is."""
    found = _FENCED_XML.match(content) if b"```" in content[:500] else None
    inside = found[1][:_LOOKED_AT] if found else b""
    is_xml = _root(inside)[1].lower() in _XML or _OF_TEI.search(inside)
    return found[1].lstrip() if found and is_xml else content


def _root(start: bytes) -> tuple[int, str]:
    """Where the root element begins, and its local name; empty where none does."""
    at = 0
    while match := _BEFORE_ROOT.match(start, at):
        at = match.end()
    root = _ROOT.match(start, at)
    return at, root.group(1).decode("ascii") if root else ""


_XML = frozenset(("pcgts", "alto", "tei", "historicaldocument"))
"""Roots of documents that models are asked to write; other roots may be tags of a prompt."""


def sniff(name: str, content: bytes) -> FileKind:
    """The kind of a transcript.

    Raises:
        ReadError: XML of a kind that holds no transcript, such as METS.
    """
    lowered = name.lower()
    start = content[:_LOOKED_AT]
    told = next((told for begin, told in _NO_TRANSCRIPTS.items() if start.startswith(begin)), "")
    named = next((told for ending, told in DOCUMENTS.items() if lowered.endswith(ending)), "")
    if told or named:
        raise ReadError(f"{name}: {told or f'{named}; save it as .docx or as text'}")
    if lowered.endswith(".box") or _BOXES.match(start):
        raise unreadable("boxes of characters", name)
    if start.removeprefix(codecs.BOM_UTF8).startswith(TSV_HEAD):
        return "tsv"
    if lowered.endswith(TABLE_ENDINGS):
        raise unreadable("table as a page", name)
    for mark, codec in ((codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be")):
        if start.startswith(mark):
            start = start[2:].decode(codec, "replace").encode("utf-8", "replace")
    start = start.removeprefix(codecs.BOM_UTF8)
    # An empty or damaged XML file is not a page on which the system found no words.
    unless_markup = next(
        (one.kind for one in FORMATS if one.by_name and lowered.endswith(one.endings)), "text"
    )
    if unless_markup in ("text", "markdown") and _OBJECTS.match(start):
        return "json"
    at, tag = _root(start)
    if unless_markup == "markdown" and tag.lower() in _XML:
        return ROOTS[tag.lower()]
    if unless_markup not in ("text", "page"):
        return "hocr" if unless_markup == "html" and _HOCR.search(content) else unless_markup
    if b"<|/det|>" in start:
        return "markdown"
    if not start.lstrip().startswith(b"<"):
        return "json" if unless_markup == "text" and _JSON.match(start) else unless_markup
    if not tag:
        # A line of a transcript may well begin with "<"; a file of markup begins with a tag.
        return "page" if b"<" in start[:at] else unless_markup
    kind = "tei" if _TEI.match(start, at) else ROOTS.get(tag.lower())
    is_html = b"<?xml" not in start[:at] or b"/xhtml" in start
    if kind is None and tag.lower() in _HTML_BLOCKS and _OF_TEI.search(start):
        kind = "tei"
    if kind is None and is_html and tag.lower() in _HTML_BLOCKS and f"</{tag}".encode() in content:
        kind = "html"
    if kind == "html":
        is_hocr = _HOCR.search(content) or lowered.endswith(BY_KIND["hocr"].endings[0])
        return "hocr" if is_hocr else "html"
    if kind is None:
        # A transcript may hold tags of its own, such as <unk>: only what says of itself that it is
        # XML is XML of another kind.
        if not (_DECLARED.search(start[:at]) or _NAMESPACED.match(start, at)):
            if unless_markup == "text":
                return "text"
            if at == 0 and b"</" not in start:
                return "page"
        raise unreadable("other XML", name, tag=tag, kinds=names())
    return kind
