"""What can go wrong, by who can mend it.

    HtrEvalError
    ├── ReadError      a file's bytes are not what they should be
    ├── PairingError   files cannot be brought together into pages
    ├── ConfigError    a setting is impossible
    └── WriteError     what was made cannot be written

Every message names the file or the setting, says what is wrong, and what to do about it, in words
that hold for a notebook, a shell and a browser alike. Where a remedy has a name that differs
between them, such as a limit that can be raised, the error carries it as a ``Remedy``, and whoever
talks to the user phrases it.
"""

from dataclasses import dataclass
from enum import StrEnum


class RemedyKind(StrEnum):
    """What the user can change so that it works."""

    RAISE_LIMIT = "raise limit"
    NAME_ENCODING = "name encoding"
    TEXT_AS = "text as"
    GIVE_LINE_PATTERN = "give line pattern"
    NAME_SIDES = "name sides"
    NAME_SUFFIXES = "name suffixes"
    NAME_COLUMNS = "name columns"
    WORDS_AS_CHARACTERS = "words as characters"
    READ_SIGNS = "read signs"
    OVERWRITE = "overwrite"


@dataclass(frozen=True, slots=True)
class Remedy:
    """What the user can change so that it works.

    Args:
        name: of a limit, the field of ``Limits``.
    """

    kind: RemedyKind
    name: str = ""


class HtrEvalError(Exception):
    """The root of all errors that a user can cause and mend.

    Args:
        message: what is wrong, where, and what to do.
        remedy: a setting that would help, for whoever talks to the user to name.
        warnings: what else came up with the data, as ``model.DataWarning``.
    """

    def __init__(
        self, message: str, remedy: Remedy | None = None, warnings: tuple[object, ...] = ()
    ) -> None:
        super().__init__(message, remedy, warnings)
        self.remedy = remedy
        self.warnings = warnings

    def __str__(self) -> str:
        return str(self.args[0])


class ReadError(HtrEvalError):
    """A file that cannot be read as a transcript."""


class PairingError(HtrEvalError):
    """Files that cannot be paired into pages."""


class ConfigError(HtrEvalError):
    """A setting outside its range, or settings that contradict each other."""


class WriteError(HtrEvalError):
    """A file or folder that cannot be written."""


_NO_SUCH_PLACE = (FileNotFoundError, NotADirectoryError, IsADirectoryError, FileExistsError)


def not_written(place: object, error: OSError, what: str = "cannot be written") -> HtrEvalError:
    """The error of a place that cannot be written: a wrong name, or the fault of a disk."""
    if isinstance(error, _NO_SUCH_PLACE):
        return ConfigError(f"{place}: {what} ({error.strerror}); name another")
    return WriteError(f"{place}: {what} ({error.strerror}); make room there, or name another")
