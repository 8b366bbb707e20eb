"""What kind of file it is, told by its content."""

from __future__ import annotations

import codecs
import re
from typing import Literal, TypeAlias

from htreval_core.errors import ReadError

FileKind: TypeAlias = Literal["text", "page", "alto", "hocr"]

_ROOTS: dict[str, FileKind] = {"pcgts": "page", "alto": "alto", "html": "hocr"}
_BEFORE_ROOT = re.compile(
    rb"\s+|<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^\[>]*+(?:\[.*?\]\s*+)?>", re.DOTALL | re.IGNORECASE
)
_ROOT = re.compile(rb"<(?:[\w.-]+:)?([A-Za-z][\w.-]*)")
_DECLARED = re.compile(rb"<\?xml|<!DOCTYPE", re.IGNORECASE)
_NAMESPACED = re.compile(rb"<[^>]*?\sxmlns")
_LOOKED_AT = 65_536


def sniff(name: str, content: bytes) -> FileKind:
    """The kind of a transcript.

    Raises:
        ReadError: XML of a kind that holds no transcript, such as METS.
    """
    start = content[:_LOOKED_AT]
    for mark, codec in ((codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be")):
        if start.startswith(mark):
            start = start[2:].decode(codec, "replace").encode("utf-8", "replace")
    start = start.removeprefix(codecs.BOM_UTF8)
    # An empty or damaged XML file is not a page on which the system found no words.
    unless_markup: FileKind = "page" if name.lower().endswith(".xml") else "text"
    if not start.lstrip().startswith(b"<"):
        return unless_markup
    at = 0
    while match := _BEFORE_ROOT.match(start, at):
        at = match.end()
    root = _ROOT.match(start, at)
    if root is None:
        # A line of a transcript may well begin with "<"; a file of markup begins with a tag.
        return "page" if b"<" in start[:at] else unless_markup
    kind = _ROOTS.get(root.group(1).decode("ascii").lower())
    if kind is None:
        # A transcript may hold tags of its own, such as <unk>: only what says of itself that it is
        # XML is XML of another kind.
        if not (_DECLARED.search(start[:at]) or _NAMESPACED.match(start, at)):
            if unless_markup == "text":
                return "text"
            if at == 0 and b"</" not in start:
                return "page"
        tag = root.group(1).decode("ascii")
        raise ReadError(
            f"{name}: XML that starts with {tag}; transcripts are read from PAGE, ALTO and hOCR: "
            "export it as one of these"
        )
    return kind
