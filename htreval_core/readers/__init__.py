"""Bytes in, transcripts out. The kind of a file is recognised by its content."""

from __future__ import annotations

from pathlib import Path

from htreval_core.errors import ReadError
from htreval_core.model import SourceFile, Transcript
from htreval_core.readers.alto import read_alto
from htreval_core.readers.files import files_at, files_from_uploads
from htreval_core.readers.hocr import read_hocr
from htreval_core.readers.pagexml import read_pagexml
from htreval_core.readers.plain import read_plain
from htreval_core.readers.sniff import Kind, sniff
from htreval_core.settings import ReadPolicy

__all__ = ["Kind", "SourceFile", "files_at", "files_from_uploads", "read_kind", "read_transcript"]


def read_transcript(
    source: SourceFile | Path | str, policy: ReadPolicy | None = None
) -> Transcript:
    """The transcript in a file: PAGE XML, ALTO, hOCR or plain text, told by its content.

    Args:
        source: a path, or a file of a folder, archive or upload.
        policy: which level of text and which order to read, and the encoding of plain text.

    Raises:
        ReadError: names the file, what is wrong, where, and what to do.
    """
    return read_kind(source, policy)[1]


def read_kind(
    source: SourceFile | Path | str, policy: ReadPolicy | None = None
) -> tuple[Kind, Transcript]:
    """The kind of a file and its transcript, as ``read_transcript`` reads it."""
    policy = policy or ReadPolicy()
    if not isinstance(source, SourceFile):
        source = _single(Path(source))
    content = source.read()
    kind = "text" if source.plain else sniff(source.name, content)
    if kind == "page":
        return kind, read_pagexml(source.name, content, policy)
    if kind == "alto":
        return kind, read_alto(source.name, content, policy)
    if kind == "hocr":
        return kind, read_hocr(source.name, content)
    return kind, read_plain(source.name, content, policy.encoding)


def _single(path: Path) -> SourceFile:
    if path.is_dir():
        raise ReadError(f"{path}: a folder; give one file, or read the folder with pair_path")
    (file,) = files_at(path)
    return file
