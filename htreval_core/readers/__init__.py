"""Bytes in, transcripts out. The kind of a file is recognised by its content."""

from __future__ import annotations

import re
from pathlib import Path

from htreval_core.errors import ReadError
from htreval_core.model import Transcript
from htreval_core.readers.files import SourceFile, files_at, files_from_uploads
from htreval_core.readers.pagexml import read_pagexml
from htreval_core.readers.plain import decode_start, read_plain

__all__ = ["SourceFile", "files_at", "files_from_uploads", "read_transcript"]

_XML_START = re.compile(r"<(\?xml|!DOCTYPE|!--|([\w.-]+:)?(PcGts|alto)\b)", re.IGNORECASE)
"""How an XML file begins whatever it is called. A text may begin with <unk> or <gap/>."""


def read_transcript(source: SourceFile | Path | str, encoding: str | None = None) -> Transcript:
    """The transcript in a file: plain text or PAGE XML.

    Args:
        source: a path, or a file of a folder, archive or upload.
        encoding: of plain text, where it is neither UTF-8 nor UTF-16 with a byte-order mark.

    Raises:
        ReadError: names the file, what is wrong, where, and what to do.
    """
    if not isinstance(source, SourceFile):
        source = _single(Path(source))
    content = source.read()
    if source.name.lower().endswith(".xml") or _XML_START.match(decode_start(content).lstrip()):
        return read_pagexml(source.name, content)
    return read_plain(source.name, content, encoding)


def _single(path: Path) -> SourceFile:
    if path.is_dir():
        raise ReadError(f"{path}: a folder; give one file, or read the folder with pair_path")
    (file,) = files_at(path)
    return file
