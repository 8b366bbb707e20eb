"""Errors of files that cannot be read or brought together; ``faults.toml`` has their sentences."""

import tomllib
from pathlib import Path

from htreval_core.errors import PairingError, ReadError, Remedy, RemedyKind
from htreval_core.model import DataWarning

_WHY = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))


def unpaired(
    why: str, name: str, warnings: tuple[DataWarning, ...] = (), **facts: object
) -> PairingError:
    """The error for a reason, of the data of that name or, without one, of an upload."""
    return PairingError(*_told(why, name, facts), warnings)


def unreadable(why: str, name: str, **facts: object) -> ReadError:
    """The same of one file."""
    return ReadError(*_told(why, name, facts))


def _told(why: str, name: str, facts: dict[str, object]) -> tuple[str, Remedy | None]:
    told = _WHY[why]
    remedy = Remedy(RemedyKind(told["help"])) if "help" in told else None
    return f"{name or 'the upload'}: {told['says'].format(**facts)}", remedy
