"""Where the bytes of a file are: on a disk, in memory, or nowhere. All of it can be sent."""

import os
from dataclasses import dataclass, replace
from typing import NoReturn

from htreval_core.errors import ReadError
from htreval_core.model import SourceFile
from htreval_core.settings import Limits
from htreval_core.settings.named import check_kind, read_most
from htreval_core.sources.readers.bounds import beyond


@dataclass(frozen=True, slots=True)
class OnDisk:
    """A file at a path of this machine."""

    path: str
    name: str
    limits: Limits

    @property
    def size(self) -> int:
        """Its bytes now; 0 where there is no such file any more."""
        try:
            return os.stat(self.path).st_size
        except OSError:
            return 0

    def __call__(self) -> bytes:
        most = self.limits.file_bytes
        size = check_kind(self.path, self.name)
        if size > most:
            raise too_large(self.name, size, self.limits)
        content = read_most(self.path, most, size)
        if len(content) > most:
            raise too_large(self.name, len(content), self.limits)
        return content


@dataclass(frozen=True, slots=True)
class Held:
    """Bytes in memory."""

    content: bytes

    @property
    def size(self) -> int:
        return len(self.content)

    def __call__(self) -> bytes:
        return self.content


@dataclass(frozen=True, slots=True)
class _Refused:
    error: ReadError

    def __call__(self) -> NoReturn:
        raise self.error


def sendable(file: SourceFile) -> SourceFile:
    """The file fit for another process; with its bytes where it stands on no disk."""
    if isinstance(file.load, Held | OnDisk):
        return file
    try:
        return replace(file, load=Held(file.read()))
    except ReadError as error:
        return replace(file, load=_Refused(error))


def too_large(name: str, size: int, limits: Limits) -> ReadError:
    """That a file is larger than the limit."""
    return beyond(name, f"{size:,} bytes", "file_bytes", limits.file_bytes, "split the file")
