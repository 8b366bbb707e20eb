"""Where bytes come from: files in a folder, in a zip archive, or uploaded ones."""

import bz2
import gzip
import io
import lzma
import os
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from htreval_core.errors import ReadError
from htreval_core.markup import whole
from htreval_core.model import DataWarning, SourceFile, WarningKind
from htreval_core.settings import Limits
from htreval_core.settings.named import check_kind, is_pipe
from htreval_core.sources.formats import DOCUMENTS
from htreval_core.sources.readers.bounds import check
from htreval_core.sources.readers.loading import Held, OnDisk, too_large

_MEMBER = b"PK\x01\x02"
"""What every entry in the directory of a zip archive begins with."""

_UNPACKING = (
    zipfile.BadZipFile, zlib.error, lzma.LZMAError, RuntimeError, NotImplementedError, EOFError,
    OSError, ValueError,
)  # fmt: skip
"""What goes wrong in a member that is damaged, encrypted, or packed in an unknown way."""


class FoundFiles(NamedTuple):
    """The files of a folder, an archive or an address, and the links that were not followed."""

    files: list[SourceFile]
    warnings: tuple[DataWarning, ...] = ()


def files_at(path: Path, limits: Limits | None = None) -> list[SourceFile]:
    """The files that ``find_files`` finds."""
    return find_files(path, limits).files


def find_files(path: Path, limits: Limits | None = None) -> FoundFiles:
    """The files of a folder and its subfolders, of a zip archive, or one single file.

    Hidden files and folders are passed over. A link is followed where it leads to something in the
    same folder, and named where it does not.

    Raises:
        ReadError: there is nothing at the path, it is a device, or the archive is refused.
    """
    limits = limits or Limits()
    if path.is_dir():
        names, links = _names_in(path)
        warnings = tuple(
            DataWarning(whole(name), WarningKind.LINK_NOT_FOLLOWED, (why,)) for name, why in links
        )
        # What a disk calls a file need not be text; what we call it is.
        root = os.path.abspath(path)
        found = [_on_disk(os.path.join(root, name), whole(name), limits) for name in names]
        return FoundFiles(_unpacked(_opened(found, limits), limits), warnings)
    if not path.exists():
        raise ReadError(f"{path}: there is no such file or folder; check the path")
    check_kind(path)
    if is_pipe(path):
        # It can be read once, so it is read here.
        content = _on_disk(str(path), str(path), limits).read()
        packed = _archive(path.name, content, limits)
        if packed:
            return FoundFiles(files_in_zip(path.name, packed, limits))
        # One that a shell made has a number for a name.
        name = f"pipe {path.name}" if path.name.isdecimal() else whole(path.name)
        return FoundFiles([SourceFile(name, Held(content))])
    if zipfile.is_zipfile(path) or path.name.lower().endswith(_TARS):
        _check_archive_size(path.name, path.stat().st_size, limits)
        packed = _archive(path.name, path.read_bytes(), limits)
        if packed:
            return FoundFiles(files_in_zip(path.name, packed, limits))
    one = _on_disk(os.path.abspath(path), whole(path.name), limits)
    return FoundFiles(_unpacked([one], limits))


_TARS = (".tar", ".tar.gz", ".tgz", ".tar.bz2")


def _archive(name: str, content: bytes, limits: Limits) -> bytes | None:
    """The bytes of a zip archive, or of a tar archive as a zip; None for anything else."""
    if not name.lower().endswith(_TARS):
        # A document for a word processor is an archive only by the way.
        documents = (".docx", *DOCUMENTS)
        return content if is_archive(content) and not name.lower().endswith(documents) else None
    out, total, most = io.BytesIO(), 0, limits.archive_ratio * max(len(content), 1024)
    try:
        with tarfile.open(fileobj=io.BytesIO(content)) as tar, zipfile.ZipFile(out, "w") as packed:
            for number, member in enumerate(tar, start=1):
                _check_members(name, number, limits)
                total += member.size
                _check_archive_size(name, total, limits)
                if total > most:
                    raise _too_dense(name, limits)
                if member.issym() or member.islnk():
                    raise ReadError(f"{name}: {member.name} is a link; pack the files themselves")
                file = tar.extractfile(member)
                if file is not None:
                    packed.writestr(_safe_name(member.name), file.read())
    except (tarfile.TarError, *_UNPACKING) as error:
        raise ReadError(f"{name}: cannot be unpacked ({error}); pack it again") from None
    return out.getvalue()


def _unpacked(files: list[SourceFile], limits: Limits) -> list[SourceFile]:
    """The same with files that are packed one by one under the names of what they hold."""
    return [
        replace(file, name=file.name.rpartition(".")[0], load=_Packed(file, limits))
        if file.name.lower().endswith((".gz", ".bz2")) and not file.name.lower().endswith(_TARS)
        else file
        for file in files
    ]


@dataclass(frozen=True, slots=True)
class _Packed:
    file: SourceFile
    limits: Limits

    @property
    def size(self) -> int:
        """Its bytes as packed: how many they unpack to is not known before."""
        return self.file.size

    def __call__(self) -> bytes:
        packed, limits = self.file.read(), self.limits
        unpack = bz2.open if packed.startswith(b"BZh") else gzip.open
        most = min(limits.file_bytes, limits.archive_ratio * max(len(packed), 1024))
        try:
            with unpack(io.BytesIO(packed), "rb") as file:
                content = file.read(most + 1)
        except _UNPACKING as error:
            told = f"{self.file.name}: cannot be unpacked ({error}); pack it again"
            raise ReadError(told) from None
        if len(content) > most:
            is_large = most == limits.file_bytes
            name = self.file.name
            raise too_large(name, len(content), limits) if is_large else _too_dense(name, limits)
        return content


def _too_dense(name: str, limits: Limits) -> ReadError:
    return ReadError(
        f"{name}: unpacks to over {limits.archive_ratio} times its size, the limit archive_ratio; "
        "give the file itself"
    )


def _opened(files: list[SourceFile], limits: Limits) -> list[SourceFile]:
    """The files of the archives of a folder that holds nothing else, each as a folder.

    Beside other files they may be copies of these, and are left alone."""
    if not files or not all(file.name.lower().endswith(".zip") for file in files):
        return files
    archives = [(file.name, file.read()) for file in files]
    _check_archive_size("the archives", sum(len(content) for _, content in archives), limits)
    if len(archives) == 1:
        return files_in_zip(*archives[0], limits)
    return [
        SourceFile(f"{name[: -len('.zip')]}/{file.name}", file.load)
        for name, content in archives
        for file in files_in_zip(name, content, limits)
    ]


def _names_in(folder: Path) -> tuple[list[str], list[tuple[str, str]]]:
    """The files below a folder, and the links that lead nowhere good, each with the reason.

    Names are relative to the folder, with forward slashes, by their parts in order: as strings,
    because there may be hundreds of thousands."""
    root = folder.resolve()
    found: list[list[str]] = []
    passed_over: list[list[str]] = []
    reasons: list[str] = []
    # Folders to look into: their parts, and whether a link led there.
    to_visit: list[tuple[list[str], bool]] = [([], False)]
    while to_visit:
        parts, is_linked = to_visit.pop()
        try:
            entries = list(os.scandir(folder.joinpath(*parts)))
        except OSError:
            continue
        for entry in entries:
            # A run's bundle may be written beside what was scored.
            if entry.name.startswith(".") or entry.name.endswith(".htreval"):
                continue
            inner = [*parts, entry.name]
            is_link = entry.is_symlink()
            why = _why_not(entry, root, is_linked) if is_link else ""
            if why:
                passed_over.append(inner)
                reasons.append(why)
            elif entry.is_dir():
                to_visit.append((inner, is_linked or is_link))
            elif entry.is_file():
                found.append(inner)
    links = sorted(zip(passed_over, reasons, strict=True))
    return ["/".join(one) for one in sorted(found)], [("/".join(one), why) for one, why in links]


def _why_not(entry: os.DirEntry[str], root: Path, is_linked: bool) -> str:
    """Why a link is not followed; empty where it is.

    Links to folders within a folder that a link led to could lead on for ever."""
    try:
        target = Path(entry.path).resolve(strict=True)
    except (OSError, RuntimeError):
        return "that leads nowhere"
    if not target.is_relative_to(root):
        return "that leads out of the folder"
    if target.is_dir() and (is_linked or Path(entry.path).parent.resolve().is_relative_to(target)):
        return "that leads back into itself"
    return ""


def _on_disk(path: str, name: str, limits: Limits) -> SourceFile:
    return SourceFile(name, OnDisk(path, name, limits))


def files_from_uploads(
    uploads: Iterable[tuple[str, bytes]], limits: Limits | None = None
) -> list[SourceFile]:
    """Uploaded files by name; zip archives among them are opened.

    Of several archives each becomes a folder: one may hold the references, one a system.
    """
    given = [(_safe_name(name), content) for name, content in uploads]
    limits = limits or Limits()
    zips = ((name, _archive(name, content, limits)) for name, content in given)
    archives = {name: packed for name, packed in zips if packed}
    files: list[SourceFile] = []
    for name, content in given:
        if name in archives and len(given) == 1:
            files = _members(name, archives[name], limits)
        elif name in archives:
            folder = f"{PurePosixPath(name).stem}/" if len(archives) > 1 else ""
            inside = files_in_zip(name, archives[name], limits)
            files += [SourceFile(folder + file.name, file.load) for file in inside]
        else:
            files.append(SourceFile(name, Held(content)))
    shown = [file for file in files if not _is_hidden(file.name)]
    return _without_common_folder(_unpacked(shown, limits))


def _is_hidden(name: str) -> bool:
    """Whether an operating system hides it, or put it there for itself."""
    return any(part.startswith((".", "__MACOSX")) for part in PurePosixPath(name).parts)


def is_archive(content: bytes) -> bool:
    """Whether the bytes are those of a zip archive."""
    return zipfile.is_zipfile(io.BytesIO(content))


def files_in_zip(archive: str, content: bytes, limits: Limits | None = None) -> list[SourceFile]:
    """The files of a zip archive, read in memory one at a time when they are needed.

    Raises:
        ReadError: it is damaged, encrypted, holds too much, or names paths outside itself.
    """
    limits = limits or Limits()
    return _without_common_folder(_unpacked(_members(archive, content, limits), limits))


def _members(archive: str, content: bytes, limits: Limits) -> list[SourceFile]:
    """The files of an archive under the very names that they have in it."""
    _check_archive_size(archive, len(content), limits)
    # Before there is an object for each of them.
    _check_members(archive, content.count(_MEMBER), limits)
    try:
        opened = zipfile.ZipFile(io.BytesIO(content))
    except (zipfile.BadZipFile, NotImplementedError, ValueError) as error:
        raise ReadError(f"{archive}: not a whole zip archive ({error}); pack it again") from None
    if not all(info.filename for info in opened.infolist()):
        raise ReadError(
            f"{archive}: not a whole zip archive (a file without a name); pack it again"
        )
    members = [info for info in opened.infolist() if not info.is_dir()]
    _check_members(archive, len(members), limits)
    _check_archive_size(archive, sum(info.file_size for info in members), limits)
    files = []
    for info in members:
        name = _safe_name(info.filename)
        hidden = _is_hidden(name)
        if stat.S_ISLNK(info.external_attr >> 16):
            raise ReadError(f"{archive}: {name} is a link; pack the files themselves")
        if name.lower().endswith(".zip") and not hidden:
            raise ReadError(f"{archive}: {name} is an archive in an archive; unpack it first")
        if not hidden:
            files.append(SourceFile(name, _Member(opened, info, f"{archive}: {name}", limits)))
    return files


@dataclass(frozen=True, slots=True)
class _Member:
    archive: zipfile.ZipFile
    info: zipfile.ZipInfo
    label: str
    limits: Limits

    @property
    def size(self) -> int:
        """Its bytes, as the archive says."""
        return self.info.file_size

    def __call__(self) -> bytes:
        info, label, limits = self.info, self.label, self.limits
        if info.file_size > limits.file_bytes:
            raise too_large(label, info.file_size, limits)
        if info.file_size > limits.archive_ratio * max(info.compress_size, 1024):
            raise _too_dense(label, limits)
        try:
            with self.archive.open(info) as member:
                # The size in the directory may lie: never read past the limit.
                content = member.read(info.file_size + 1)
        except _UNPACKING as error:
            raise ReadError(f"{label}: cannot be unpacked ({error}); pack it again") from None
        if len(content) > info.file_size:
            raise ReadError(f"{label}: larger than the archive says; pack it again")
        return content


def _safe_name(name: str) -> str:
    """The name with forward slashes; one that leads elsewhere is refused."""
    unified = name.replace("\\", "/")
    parts = PurePosixPath(unified).parts
    has_drive = bool(parts) and len(parts[0]) == 2 and parts[0][1] == ":"
    if unified.startswith("/") or ".." in parts or has_drive or "\x00" in name:
        raise ReadError(f"{name!r}: a path outside its archive; pack the files by relative names")
    return unified


def _without_common_folder(files: list[SourceFile]) -> list[SourceFile]:
    """The same files named from the folder that all of them stand in."""
    while len({file.path.parts[0] for file in files if len(file.path.parts) > 1}) == 1 and all(
        len(file.path.parts) > 1 for file in files
    ):
        files = [SourceFile(str(PurePosixPath(*file.path.parts[1:])), file.load) for file in files]
    return files


def _check_archive_size(archive: str, size: int, limits: Limits) -> None:
    check(
        archive, size, "bytes packed or unpacked", "archive_bytes", limits.archive_bytes, "split it"
    )


def _check_members(archive: str, n_members: int, limits: Limits) -> None:
    check(archive, n_members, "files", "archive_members", limits.archive_members, "split it")
