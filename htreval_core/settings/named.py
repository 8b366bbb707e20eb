"""Files that somebody names: on a disk, or what a pipe brings; never a device, nor for ever."""

from __future__ import annotations

import os
import select
import stat
from pathlib import Path

from htreval_core.errors import ReadError

_WAIT_SECONDS = 5.0
"""How long a pipe may have nobody who writes into it: whoever will is starting at the same time."""
_AT_ONCE = 2**20


def is_pipe(path: Path) -> bool:
    """Whether a pipe is at a path of this machine, such as a shell makes of ``<(command)``."""
    try:
        return stat.S_ISFIFO(path.stat().st_mode)
    except OSError:
        return False


def read_named(path: Path, most: int, name: str = "", wait: float = _WAIT_SECONDS) -> bytes:
    """The bytes of a file or pipe, or ``most`` and one more, where it holds more than it may.

    Args:
        name: what it is called in messages; its path by default.
        wait: seconds after which a pipe that nobody writes into is given up.

    Raises:
        ReadError: it is a folder or a device, or nobody writes into the pipe.
        OSError: it cannot be opened or read.
    """
    name = name or str(path)
    check_kind(path, name)
    if is_pipe(path):
        return _read_pipe(path, most, name, wait)
    with path.open("rb") as file:
        # What the disk says of its size need not be all: files of the system say 0, others grow.
        return file.read(most + 1)


def check_kind(path: Path, name: str = "") -> None:
    """Refuse what is neither a file nor a pipe.

    Raises:
        ReadError: it is a folder, a device or a socket.
        OSError: there is nothing, or it may not be looked at.
    """
    mode = path.stat().st_mode
    if stat.S_ISDIR(mode):
        raise ReadError(f"{name or path}: a folder; give a file")
    if not stat.S_ISREG(mode) and not stat.S_ISFIFO(mode):
        what = "a socket" if stat.S_ISSOCK(mode) else "a device"
        raise ReadError(f"{name or path}: {what}, which has no end; give a file or a pipe")


def _read_pipe(path: Path, most: int, name: str, wait: float) -> bytes:
    """Opened so that it does not wait for whoever writes; who has opened it is waited for."""
    found = bytearray()
    may_wait = True
    pipe = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    try:
        events = select.poll()
        events.register(pipe, select.POLLIN)
        while len(found) <= most:
            try:
                chunk = os.read(pipe, min(_AT_ONCE, most + 1 - len(found)))
            except BlockingIOError:
                events.poll()
                continue
            found += chunk
            has_ended = found or any(event & select.POLLHUP for _, event in events.poll(0))
            if chunk:
                continue
            if has_ended:
                break
            if not may_wait:
                raise ReadError(
                    f"{name}: nobody writes into this pipe; start what writes, or give a file"
                )
            may_wait = False
            events.poll(wait * 1000)
    finally:
        os.close(pipe)
    return bytes(found)
