"""Tables written as TOML."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any


def toml_table(head: str, table: Mapping[str, Any]) -> str:
    """A table with the tables within it; without a head what stands at the top of a file."""
    within = {key: value for key, value in table.items() if isinstance(value, Mapping)}
    lines = [f"{_key(key)} = {_value(table[key])}" for key in table if key not in within]
    own = "\n".join([*([f"[{head}]"] if head else []), *lines]) + "\n"
    parts = [own] if lines or not within else []
    dot = "." if head else ""
    parts += [toml_table(f"{head}{dot}{_key(key)}", value) for key, value in within.items()]
    return "\n".join(parts)


def _key(name: str) -> str:
    return name if name.replace("-", "").replace("_", "").isalpha() and name.isascii() else (
        _quoted(name)
    )  # fmt: skip


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return _quoted(value)
    return "[" + ", ".join(map(_value, value)) + "]"


def _quoted(text: str) -> str:
    # A basic string of TOML escapes as JSON does, but for U+007F, which JSON lets stand.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
