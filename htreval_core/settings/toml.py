"""Tables read from TOML and written as TOML."""

import json
import re
import tomllib
from collections.abc import Mapping
from typing import Any

from htreval_core.errors import ConfigError

_DEEPEST = 20
"""Dots in the keys of a line: the parser takes room by the square of their number."""
_MOST_DOTS = 20_000
"""The same of a whole file."""
_STRING = re.compile(r""" "(?:\\.|[^"\\\n])*" | '[^'\n]*' """, re.VERBOSE)


def read_toml(name: str, content: bytes, largest: int, example: str) -> dict[str, Any]:
    """What a small file of TOML holds.

    Args:
        largest: the most bytes that it may have.
        example: where one stands.

    Raises:
        ConfigError: it is no TOML, too large, or its keys are nested too deeply.
    """
    if len(content) > largest:
        raise ConfigError(f"{name}: larger than {largest:,} bytes; see {example} for an example")
    try:
        text = content.decode("utf-8-sig")
        bare = (line.partition("#")[0] for line in _STRING.sub('""', text).splitlines())
        dots = [line.count(".") for line in bare]
        deep = next((n for n, found in enumerate(dots, start=1) if found > _DEEPEST), 0)
        if deep or sum(dots) > _MOST_DOTS:
            where = f"line {deep}: " if deep else ""
            raise ConfigError(f"{name}: {where}keys are nested too deeply; see {example}")
        return tomllib.loads(text)
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise ConfigError(f"{name}: not valid TOML ({error}); see {example}") from None


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
