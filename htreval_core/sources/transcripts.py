"""Bytes in, transcripts out. The kind of a file is recognised by its content."""

from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from htreval_core.errors import ReadError, Remedy, RemedyKind
from htreval_core.model import DataWarning, SourceFile, Transcript, WarningKind
from htreval_core.settings import ReadPolicy
from htreval_core.sources.formats import BY_KIND, FileKind
from htreval_core.sources.readers.blocks import Marked, as_written, without_heads
from htreval_core.sources.readers.bounds import check_markup, check_size, check_transcript
from htreval_core.sources.readers.files import files_at
from htreval_core.sources.readers.suspect import suspect
from htreval_core.sources.sniff import sniff, unfenced


def read_transcript(
    source: SourceFile | Path | str, policy: ReadPolicy | None = None
) -> Transcript:
    """The transcript in a file, its kind told by its content and, of Markdown, by its name.

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
    known = _known(source, policy or ReadPolicy())
    name, content, kind, policy = known
    part = source.part if isinstance(source, SourceFile) else None
    # The pages of a file are asked for one after another.
    transcript = _whole(*known) if part is None else _kept(*known)
    if part is not None:
        lines = tuple(replace(one, page=0) for one in transcript.lines if one.page == part)
        image = transcript.pages[part] if part < len(transcript.pages) else None
        transcript = replace(transcript, lines=lines, image=image or None, pages=())
    elif transcript.pages:
        n, lines = len(transcript.pages), transcript.lines
        several = (DataWarning(name, WarningKind.SEVERAL_PAGES, count=n),) if n > 1 else ()
        lines = tuple(replace(one, page=0) for one in lines) if n > 1 else lines
        warnings = (*several, *transcript.warnings)
        transcript = replace(transcript, lines=lines, warnings=warnings, pages=())
    is_plain = kind == "text"
    if kind in ("text", "markdown", "json") and (looks := suspect(transcript, is_plain=is_plain)):
        remedy = _AS_MARKDOWN if looks is WarningKind.LOOKS_MARKED else None
        note = DataWarning(name, looks, remedy=remedy)
        transcript = replace(transcript, warnings=(*transcript.warnings, note))
    if kind == "markdown" and b"think" in content and not transcript.text.strip():
        # A model that ran out of room while it thought.
        warnings = (*transcript.warnings, DataWarning(name, WarningKind.NO_TEXT))
        transcript = replace(transcript, warnings=warnings)
    if "heads" in policy.markup:
        transcript = without_heads(transcript)
    check_transcript(name, transcript, policy.limits)
    return kind, transcript


def _whole(name: str, content: bytes, kind: FileKind, policy: ReadPolicy) -> Transcript:
    found = BY_KIND[kind].read(name, content, policy)
    return found.transcript(policy) if isinstance(found, Marked) else found


_kept = lru_cache(2)(_whole)


def pages_in(source: SourceFile, policy: ReadPolicy) -> tuple[str, ...]:
    """What a file calls each of its pages, empty where it does not; nothing if it has but one.

    Raises:
        ReadError: as ``read_transcript``.
    """
    pages = _kept(*_known(source, policy)).pages
    return pages if len(pages) > 1 else ()


def read_marked(source: SourceFile | Path | str, policy: ReadPolicy | None = None) -> Marked:
    """A file as it is written, with what the policy's rules take off it.

    Files that hold no markup of this sort, such as PAGE XML, are their text as it is read.

    Raises:
        ReadError: as ``read_transcript``.
    """
    policy = policy or ReadPolicy()
    name, content, kind, policy = _known(source, policy)
    found = BY_KIND[kind].read(name, content, policy)
    if isinstance(found, Marked):
        return found
    _, transcript = read_kind(source, policy)
    return Marked(kind, (as_written(transcript.text + "\n"),))


_AS_MARKDOWN = Remedy(RemedyKind.TEXT_AS, "markdown")


def _known(
    source: SourceFile | Path | str, policy: ReadPolicy
) -> tuple[str, bytes, FileKind, ReadPolicy]:
    """The name of a file, its bytes, its kind, and how it is to be read."""
    if not isinstance(source, SourceFile):
        source = _single(Path(source), policy)
    name, content = source.name, source.read()
    check_size(name, content, policy.limits)
    of_file = name if source.part is None else name.rpartition("#")[0]
    content = content if source.plain else unfenced(content)
    kind: FileKind = "text" if source.plain else sniff(of_file, content)
    if kind in ("text", "markdown"):
        by_name: FileKind = "markdown" if source.marked else kind
        kind = by_name if policy.text_as == "name" else policy.text_as
    if source.plain:
        # What the program itself took out of a table is UTF-8, whatever the table was.
        policy = replace(policy, encoding=None)
    if BY_KIND[kind].is_xml:
        check_markup(name, content, policy.limits)
    return name, content, kind, policy


def _single(path: Path, policy: ReadPolicy) -> SourceFile:
    if path.is_dir():
        raise ReadError(f"{path}: a folder; give one file, or read the folder with pair_path")
    files = files_at(path, policy.limits)
    if len(files) != 1:
        raise ReadError(f"{path}: an archive of {len(files)} files; give one file, or read the "
                        "archive with pair_path")  # fmt: skip
    return files[0]
