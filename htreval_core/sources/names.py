"""How columns, fields, folders and files are called, by what they hold."""

import tomllib
from pathlib import Path

_NAMES = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))


def named(what: str) -> tuple[str, ...]:
    """The names of what holds this, in the order in which they are looked for."""
    return tuple(_NAMES[what].split())
