"""All settings in one file, study.toml: how files are read, how text counts, which orders count."""

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, TypeVar

from htreval_core.errors import ConfigError
from htreval_core.settings.named import read_named
from htreval_core.settings.orders import orders_of_tables, orders_tables
from htreval_core.settings.presets import PRESETS
from htreval_core.settings.reading import Limits, ReadPolicy
from htreval_core.settings.scoring import Settings, gamma_text
from htreval_core.settings.toml import read_toml, toml_table
from htreval_core.text import TextPolicy

_LARGEST_FILE = 64 * 2**10
_PLAIN = ("solver", "resamples", "seed", "trace")
_TABLES = ("text", "reading", "orders")
Part = TypeVar("Part", TextPolicy, ReadPolicy)


def read_settings_file(path: Path) -> Settings:
    """The settings of a file; see ``settings_of_toml``.

    Raises:
        ReadError: the file cannot be read.
        ConfigError: it says what is no setting.
    """
    return settings_of_toml(str(path), read_named(path, _LARGEST_FILE))


def settings_of_toml(name: str, content: bytes) -> Settings:
    """The settings that TOML holds; what it does not name is as usual.

    ::

        preset = "hipe"               # what the rest of the file changes
        gamma = "1/2"
        seed = 7

        [text]
        ignore-case = true
        join-hyphens = ["not-sign"]

        [reading]
        level = "word"
        limits = { words = 9000 }

        [orders]                      # rules of reading order, as in a file of their own
        partial = true

    Raises:
        ConfigError: it is no TOML, too large, or names what is no setting.
    """
    raw = read_toml(name, content, _LARGEST_FILE, "docs/formats.md")
    _check_keys(name, "the file", raw, ("preset", "gamma", *_PLAIN, *_TABLES))
    tables = {head: raw.get(head, {}) for head in _TABLES}
    for head, table in tables.items():
        if not isinstance(table, dict):
            raise ConfigError(f"{name}: {head}: write a table, [{head}]")
    preset = raw.get("preset", "default")
    if not isinstance(preset, str) or preset not in PRESETS:
        raise ConfigError(f"{name}: preset = {preset!r}; use {', '.join(PRESETS)}")
    usual = PRESETS[preset].settings
    plain = {key: _like(name, key, raw[key], getattr(usual, key)) for key in _PLAIN if key in raw}
    gamma = raw.get("gamma", usual.gamma)
    if isinstance(gamma, bool | list | dict):
        raise ConfigError(f"{name}: gamma = {gamma!r}; write a number")
    try:
        return replace(
            usual, gamma=gamma, policy=_changed(name, "[text]", usual.policy, tables["text"]),
            reading=_changed(name, "[reading]", usual.reading, tables["reading"]),
            orders=orders_of_tables(f"{name}: [orders]", tables["orders"]), **plain,
        )  # fmt: skip
    except ConfigError as error:
        known = str(error)
        raise ConfigError(known if known.startswith(name) else f"{name}: {known}") from None


def settings_toml(settings: Settings) -> str:
    """The settings as a file that ``settings_of_toml`` reads back as they are.

    Raises:
        ConfigError: they are more than such a file holds, as long rules or mappings may be.
    """
    plain = {"gamma": gamma_text(settings.gamma)}
    plain |= {key: getattr(settings, key) for key in _PLAIN}
    limits = _told(settings.reading.limits, Limits())
    reading = _told(settings.reading, None) | ({"limits": limits} if limits else {})
    text = _told(settings.policy, None)
    parts = [toml_table("", plain), toml_table("text", text), toml_table("reading", reading)]
    if settings.orders:
        parts.append(toml_table("orders", orders_tables(settings.orders)))
    made = "\n".join(parts)
    if len(made.encode("utf-8", "surrogatepass")) > _LARGEST_FILE:
        raise ConfigError(
            f"the settings take more than {_LARGEST_FILE:,} bytes; keep the rules of reading order "
            "and the mapping in files of their own"
        )
    return made


def _told(one: TextPolicy | ReadPolicy | Limits, usual: object) -> dict[str, Any]:
    """What a part of the settings says, but for what is as usual, nothing, or a table itself."""
    found = {entry.name: getattr(one, entry.name) for entry in fields(one)}
    return {
        name.replace("_", "-" if usual is None else "_"): _plain(value)
        for name, value in found.items()
        if value is not None
        and not isinstance(value, Limits)
        and (usual is None or value != getattr(usual, name))
    }


def _plain(value: Any) -> Any:
    return [_plain(one) for one in value] if isinstance(value, tuple) else value


def _changed(name: str, head: str, usual: Part, table: Mapping[str, Any]) -> Part:
    known: dict[str, str] = {entry.name.replace("_", "-"): entry.name for entry in fields(usual)}
    _check_keys(name, head, table, [*known])
    given: dict[str, Any] = {}
    for key, value in table.items():
        where, now = f"{head} {key}", getattr(usual, known[key])
        if key == "limits":
            given[key] = _limits(name, where, value)
        elif key == "mapping":
            given[key] = _pairs(name, where, value)
        else:
            given[known[key]] = _like(name, where, value, "" if now is None else now)
    return replace(usual, **given)


def _limits(name: str, where: str, value: Any) -> Limits:
    if not isinstance(value, dict):
        raise ConfigError(f"{name}: {where}: write a table, such as {{ words = 9000 }}")
    _check_keys(name, where, value, [entry.name for entry in fields(Limits)])
    return Limits(**{key: _like(name, f"{where}.{key}", one, 0) for key, one in value.items()})


def _pairs(name: str, where: str, value: Any) -> tuple[tuple[str, str], ...]:
    pairs = [_like(name, where, one, ()) for one in _list(name, where, value)]
    if any(len(pair) != 2 for pair in pairs):
        raise ConfigError(f'{name}: {where}: write pairs, such as [["ſ", "s"]]')
    return tuple(pairs)


def _list(name: str, where: str, value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise ConfigError(f"{name}: {where} = {value!r}; write a list")
    return value


def _like(name: str, where: str, value: Any, usual: Any) -> Any:
    """A value of the type that the usual one has; a tuple of texts for a list."""
    if isinstance(usual, tuple):
        if not all(isinstance(one, str) for one in _list(name, where, value)):
            raise ConfigError(f"{name}: {where}: write a list of texts")
        return tuple(value)
    if type(value) is not type(usual):
        kind = {bool: "true or false", int: "a whole number", str: "a text"}[type(usual)]
        raise ConfigError(f"{name}: {where} = {str(value)[:60]!r}; write {kind}")
    return value


def _check_keys(name: str, where: str, table: Mapping[str, Any], known: Sequence[str]) -> None:
    unknown = next((key for key in table if key not in known), None)
    if unknown is not None:
        raise ConfigError(f"{name}: {where} says {unknown[:60]!r}; it may say {', '.join(known)}")
