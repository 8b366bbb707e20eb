"""What can go wrong, by who can mend it.

    HtrEvalError
    ├── ReadError      a file's bytes are not what they should be
    ├── PairingError   files cannot be brought together into pages
    └── ConfigError    a setting is impossible

Every message names the file or the setting, says what is wrong, and what to do about it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


class HtrEvalError(Exception):
    """The root of all errors that a user can cause and mend."""


class ReadError(HtrEvalError):
    """A file that cannot be read as a transcript."""


class PairingError(HtrEvalError):
    """Files that cannot be paired into pages."""


class ConfigError(HtrEvalError):
    """A setting outside its range, or settings that contradict each other."""


@contextmanager
def workers_may_die() -> Iterator[None]:
    """Say in words that a process which was given work has died, as it does without memory.

    Raises:
        ConfigError: it did.
    """
    from concurrent.futures import BrokenExecutor

    try:
        yield
    except BrokenExecutor as error:
        raise ConfigError(
            "a process that worked on some of the pages died; perhaps it needs more memory: use "
            "fewer (--jobs 1 for none), or score into a bundle, which names the page (--output "
            "NAME.htreval)"
        ) from error
