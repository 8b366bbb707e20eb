"""Files that a command writes: whole under their names, or as they were before."""

import errno
import os
import secrets
import stat
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from htreval_core.errors import not_written


def save(path: Path, content: Iterable[bytes]) -> None:
    """Write a file beside the one that has its name, and give it the name once it is whole.

    A full disk destroys no existing file. Pipes, devices and ``/dev/stdout`` are written
    to as they stand; a link stays, and what it leads to is written.

    Raises:
        WriteError: it cannot be written.
        ConfigError: there can be no file of this name.
        BrokenPipeError: whoever read from the pipe has gone.
    """
    try:
        descriptor = _descriptor(path)
        if descriptor is not None:
            # Opened once more by its name, a file behind it would be written from its beginning.
            with open(os.dup(descriptor), "wb") as out:
                out.writelines(content)
        elif not path.exists() or path.is_file():
            _beside(path.resolve(), content)
        else:
            with path.open("wb") as out:
                out.writelines(content)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise not_written(path, error) from None


def _descriptor(path: Path) -> int | None:
    """The number of a file that this process has open, where a path names one: /dev/stdout."""
    for _ in range(40):  # Links may lead round in a circle.
        folder = str(path.parent.resolve())
        if folder in (f"/proc/{os.getpid()}/fd", "/dev/fd") and path.name.isdecimal():
            return int(path.name)
        if not path.is_symlink():
            return None
        path = path.parent / os.readlink(path)
    return None


def _beside(path: Path, content: Iterable[bytes]) -> None:
    before = path.stat() if path.exists() else None
    beside = path.with_name(f".htreval-{secrets.token_hex(6)}.part")
    try:
        with open(beside, "xb") as out:
            out.writelines(content)
            if before:
                os.fsync(out.fileno())
        if before:
            beside.chmod(stat.S_IMODE(before.st_mode))
            # What somebody has locked against writing is not replaced.
            if not os.access(path, os.W_OK):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        os.replace(beside, path)
    except OSError as error:
        # A file may be open to us in a folder that is not, or be mounted by itself.
        if not before or error.errno not in (errno.EACCES, errno.EPERM, errno.EROFS, errno.EBUSY):
            raise
        if beside.exists():
            path.write_bytes(beside.read_bytes())
        else:
            path.write_bytes(b"".join(content))
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
