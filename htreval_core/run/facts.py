"""Facts of events as JSON, and back. Whoever wrote them is not trusted."""

import types
from dataclasses import fields, is_dataclass
from enum import StrEnum
from functools import cache
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

_MOST = 2**53
T = TypeVar("T")


def facts_json(value: Any) -> Any:
    """Facts as lists: each begins with the name of its type and has its fields in their order."""
    if is_dataclass(value):
        values = (getattr(value, field.name) for field in fields(value))
        return [type(value).__name__, *map(facts_json, values)]
    return [facts_json(one) for one in value] if isinstance(value, tuple) else value


def read_fact(raw: object, kind: type[T]) -> T:
    """A dataclass from such lists, or from an object with its fields by name.

    Raises:
        ValueError: they are of another type.
    """
    found: T = _read(raw, kind)
    return found


@cache
def _types_of(kind: type) -> tuple[Any, ...]:
    hints = get_type_hints(kind)
    return tuple(hints[field.name] for field in fields(kind))


def _read(raw: object, kind: Any) -> Any:
    if get_origin(kind) in (Union, types.UnionType):
        return _read_one_of(raw, get_args(kind))
    if get_origin(kind) is tuple:
        if not isinstance(raw, list):
            raise ValueError("a list is missing")
        wanted = get_args(kind)
        if wanted[-1] is Ellipsis:
            wanted = wanted[:1] * len(raw)
        return tuple(_read(*pair) for pair in zip(raw, wanted, strict=True))
    if get_origin(kind) is Literal:
        if raw not in get_args(kind):
            raise ValueError(f"{str(raw)[:40]!r}, which should be one of {get_args(kind)}")
        return raw
    if is_dataclass(kind) and isinstance(kind, type):
        names = [field.name for field in fields(kind)]
        if isinstance(raw, dict) and raw.keys() == set(names):
            raw = [kind.__name__, *map(raw.get, names)]
        types_of = _types_of(kind)
        if not isinstance(raw, list) or raw[:1] != [kind.__name__] or len(raw) != len(types_of) + 1:
            raise ValueError(f"no {kind.__name__}")
        return kind(*(_read(*pair) for pair in zip(raw[1:], types_of, strict=True)))
    return kind(raw) if issubclass(kind, StrEnum) else _plain(raw, kind)


def _read_one_of(raw: object, kinds: tuple[Any, ...]) -> Any:
    if raw is None and type(None) in kinds:
        return None
    named = [kind for kind in kinds if is_dataclass(kind)]
    if not named:
        return _read(raw, next(kind for kind in kinds if kind is not type(None)))
    name = raw[0] if isinstance(raw, list) and raw else None
    for kind in named:
        if isinstance(kind, type) and kind.__name__ == name:
            return _read(raw, kind)
    raise ValueError(f"{str(name)[:40]!r} is not a fact")


def _plain(raw: object, kind: type) -> Any:
    good = isinstance(raw, kind if kind in (bool, str, int) else object)
    is_number = isinstance(raw, int | float) and not isinstance(raw, bool) and 0 <= raw <= _MOST
    if not good or (kind not in (bool, str) and not is_number):
        raise ValueError(f"{str(raw)[:40]!r} is no {kind.__name__}")
    return raw
