"""Files that somebody names: on a disk, or what a pipe brings; never a device."""

import os
import stat
from pathlib import Path

from htreval_core.errors import ReadError


def is_pipe(path: Path) -> bool:
    """Whether a pipe is at a path of this machine, such as a shell makes of ``<(command)``."""
    try:
        return stat.S_ISFIFO(path.stat().st_mode)
    except OSError:
        return False


def read_named(path: Path, most: int, name: str = "") -> bytes:
    """The bytes of a file or pipe, or ``most`` and one more, where it holds more than it may.

    Args:
        name: what it is called in messages; its path by default.

    Raises:
        ReadError: it is a folder or a device, or cannot be opened or read.
    """
    try:
        return read_most(path, most, check_kind(path, name))
    except OSError as error:
        why = error.strerror
        raise ReadError(f"{name or path}: cannot be read ({why}); check the path") from None


def read_most(path: Path | str, most: int, size: int) -> bytes:
    """The bytes of a file, or ``most`` and one more, where it holds more than it may.

    Args:
        size: its bytes as the disk says. That need not be all: files of the system say 0, others
            grow.
    """
    with open(path, "rb") as file:
        # Room is made for as many bytes as are asked for.
        content = file.read(min(size, most) + 1)
        return content if len(content) <= size else content + file.read(most + 1 - len(content))


def check_kind(path: Path | str, name: str = "") -> int:
    """The bytes of a file as the disk says, 0 for a pipe; anything else is refused.

    Raises:
        ReadError: it is a folder, a device or a socket.
        OSError: there is nothing, or it may not be looked at.
    """
    found = os.stat(path)
    mode = found.st_mode
    if stat.S_ISDIR(mode):
        raise ReadError(f"{name or path}: a folder; give a file")
    if not stat.S_ISREG(mode) and not stat.S_ISFIFO(mode):
        what = "a socket" if stat.S_ISSOCK(mode) else "a device"
        raise ReadError(f"{name or path}: {what}, which has no end; give a file or a pipe")
    return found.st_size
