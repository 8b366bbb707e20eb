"""One run at a time writes into a folder."""

import contextlib
import json
import os
import sys
import time
from pathlib import Path
from typing import IO

from htreval_core.errors import WriteError

NAME = "lock"


class Lock:
    """A lock on a folder, as a context manager, held by an open file.

    The system lets go of it when its process ends, however that ends: a file left behind locks
    nothing and needs no clearing away. What the file says is for the message only.

    Raises:
        WriteError: another run holds it.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._path = folder / NAME

    def __enter__(self) -> "Lock":
        while True:
            self._file = self._path.open("a+", encoding="utf-8")
            if not _try_lock(self._file):
                holder = self._told()
                self._file.close()
                raise WriteError(
                    f"{self._folder}: another run is writing into it ({holder}); wait for it to "
                    "end, stop it, or name another bundle"
                )
            if _is_at(self._file, self._path):
                break
            # Its last holder took the file away between our opening and our locking it.
            self._file.close()
        self._file.truncate(0)
        json.dump({"pid": os.getpid(), "started": time.strftime("%Y-%m-%d %H:%M:%S")}, self._file)
        self._file.flush()
        return self

    def __exit__(self, *_: object) -> None:
        # Taken away while it is still held, so nobody can lock it in between and lose it.
        with contextlib.suppress(OSError):
            self._path.unlink()
        self._file.close()

    def _told(self) -> str:
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
            said = json.loads(self._path.read_text("utf-8")[:200])
            return f"process {int(said['pid'])}, since {str(said['started'])[:19]}"
        return "it has not said which"


def _is_at(file: IO[str], path: Path) -> bool:
    try:
        there, here = path.stat(), os.fstat(file.fileno())
    except OSError:
        return False
    return (there.st_ino, there.st_dev) == (here.st_ino, here.st_dev)


if sys.platform == "win32":
    import msvcrt

    def _try_lock(file: IO[str]) -> bool:
        try:
            file.seek(1000)  # beyond what it says, which others are to be able to read
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _try_lock(file: IO[str]) -> bool:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
