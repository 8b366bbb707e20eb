"""Bytes in, transcripts out. The kind of a file is recognised by its content."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType

from htreval_core.errors import ReadError
from htreval_core.model import SourceFile, Transcript
from htreval_core.settings import ReadPolicy
from htreval_core.sources.readers.alto import read_alto
from htreval_core.sources.readers.bounds import check_markup, check_size, check_transcript
from htreval_core.sources.readers.files import files_at, files_from_uploads, find_files
from htreval_core.sources.readers.hocr import read_hocr
from htreval_core.sources.readers.pagexml import read_pagexml
from htreval_core.sources.readers.plain import read_plain
from htreval_core.sources.readers.remote import as_path
from htreval_core.sources.readers.sniff import FileKind, sniff

__all__ = [
    "FileKind",
    "SourceFile",
    "as_path",
    "files_at",
    "files_from_uploads",
    "find_files",
    "read_kind",
    "read_transcript",
]

_OF_MARKUP: Mapping[FileKind, Callable[[str, bytes, ReadPolicy], Transcript]] = MappingProxyType(
    {"page": read_pagexml, "alto": read_alto, "hocr": read_hocr}
)


def read_transcript(
    source: SourceFile | Path | str, policy: ReadPolicy | None = None
) -> Transcript:
    """The transcript in a file: PAGE XML, ALTO, hOCR or plain text, told by its content.

    Args:
        source: a path, or a file of a folder, archive or upload.
        policy: which level of text and which order to read, the encoding of plain text, and how
            much a file may hold.

    Raises:
        ReadError: names the file, what is wrong, where, and what to do.
    """
    return read_kind(source, policy)[1]


def read_kind(
    source: SourceFile | Path | str, policy: ReadPolicy | None = None
) -> tuple[FileKind, Transcript]:
    """The kind of a file and its transcript, as ``read_transcript`` reads it."""
    policy = policy or ReadPolicy()
    if not isinstance(source, SourceFile):
        source = _single(as_path(source), policy)
    name, content = source.name, source.read()
    check_size(name, content, policy.limits)
    kind: FileKind = "text" if source.plain else sniff(name, content)
    if kind == "text":
        # What the program itself took out of a table is UTF-8, whatever the table was.
        encoding = None if source.plain else policy.encoding
        transcript = read_plain(name, content, encoding, policy.limits)
    else:
        check_markup(name, content, policy.limits)
        transcript = _OF_MARKUP[kind](name, content, policy)
    check_transcript(name, transcript, policy.limits)
    return kind, transcript


def _single(path: Path, policy: ReadPolicy) -> SourceFile:
    if path.is_dir():
        raise ReadError(f"{path}: a folder; give one file, or read the folder with pair_path")
    files = files_at(path, policy.limits)
    if len(files) != 1:
        raise ReadError(f"{path}: an archive of {len(files)} files; give one file, or read the "
                        "archive with pair_path")  # fmt: skip
    return files[0]
