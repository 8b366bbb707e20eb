"""What can go wrong, by who can mend it.

    HtrEvalError
    ├── ReadError      a file's bytes are not what they should be
    ├── PairingError   files cannot be brought together into pages
    └── ConfigError    a setting is impossible

Every message names the file or the setting, says what is wrong, and what to do about it.
"""


class HtrEvalError(Exception):
    """The root of all errors that a user can cause and mend."""


class ReadError(HtrEvalError):
    """A file that cannot be read as a transcript."""


class PairingError(HtrEvalError):
    """Files that cannot be paired into pages."""


class ConfigError(HtrEvalError):
    """A setting outside its range, or settings that contradict each other."""
