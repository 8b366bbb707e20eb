"""What stands in a file beside the text of its page, and which of it is read.

Markup is taken off by rules that have names and, all together, a version: two values compare only
where the same was taken off. Editions (TEI, Transkribus) hold several readings of one text; levels
say which of them is the page's.
"""

import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from htreval_core.errors import ConfigError

MARKUP_VERSION = 6
"""Raised whenever a rule takes off something else than before."""

_TABLES = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
MARKUP_RULES: Mapping[str, str] = MappingProxyType(_TABLES["rules"])
"""What each rule takes off, the rules in the order in which they are listed."""

USUAL_MARKUP: tuple[str, ...] = tuple(name for name in MARKUP_RULES if name != "heads")
"""What is taken off unless somebody says otherwise. A running head is text of the page."""


def markup_of(names: Sequence[str]) -> tuple[str, ...]:
    """These rules in their order, each once.

    Raises:
        ConfigError: there is no such rule.
    """
    return _chosen(names, MARKUP_RULES, "markup", "rule")


def sign_markup(names: Sequence[str]) -> str:
    """The version, and what differs from the usual: ``6``, ``6-tables+heads``."""
    kept = [f"-{name}" for name in USUAL_MARKUP if name not in names]
    more = [f"+{name}" for name in names if name not in USUAL_MARKUP]
    return "".join((str(MARKUP_VERSION), *kept, *more))


def read_markup(text: str) -> tuple[str, ...]:
    """The rules that ``sign_markup`` wrote.

    Raises:
        ConfigError: it names another version of the rules, or no rule.
    """
    match = re.fullmatch(r"(\d{1,9})((?:[-+][a-z]+)*)", text)
    if match is None:
        raise ConfigError(f"markup: {text[:60]!r} names no rules, as {MARKUP_VERSION}-tables does")
    if int(match[1]) != MARKUP_VERSION:
        raise ConfigError(
            f"markup: rules of version {match[1]}, here are those of version {MARKUP_VERSION}, "
            "which take off something else"
        )
    chosen = dict.fromkeys(USUAL_MARKUP)
    for sign, name in re.findall(r"([-+])([a-z]+)", match[2]):
        markup_of([name])
        if sign == "+":
            chosen[name] = None
        else:
            chosen.pop(name, None)
    return markup_of(list(chosen))


EDITION_LEVELS: Mapping[str, str] = MappingProxyType(_TABLES["levels"])
"""Readings of an edition other than the usual one, which is what stands on the page."""


def edition_of(names: Sequence[str]) -> tuple[str, ...]:
    """These levels in their order, each once.

    Raises:
        ConfigError: there is no such level.
    """
    return _chosen(names, EDITION_LEVELS, "edition", "level")


def _chosen(
    names: Sequence[str], known: Mapping[str, str], setting: str, what: str
) -> tuple[str, ...]:
    """These names in the order in which they are known, each once."""
    unknown = next((name for name in names if name not in known), None)
    if unknown is not None:
        raise ConfigError(f"{setting}: {unknown!r} is not a valid {what}; use {', '.join(known)}")
    return tuple(name for name in known if name in names)
