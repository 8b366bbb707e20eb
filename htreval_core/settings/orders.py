"""Which text of a page may stand in more than one place, and which is left out."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from fnmatch import fnmatchcase
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeAlias

from htreval_core.errors import ConfigError
from htreval_core.settings.named import read_named
from htreval_core.settings.toml import read_toml, toml_table

Either: TypeAlias = tuple[tuple[str, ...], ...]
"""Regions by what may come first: two or more alternatives, each of one region or several."""

_LARGEST_FILE = 4_000_000
_MOST_NAMES = 100_000


def _pattern(text: str) -> str:
    """The text with no other signs of patterns than * and ?."""
    return text.replace("[", "[[]")


@dataclass(frozen=True, slots=True)
class RegionRule:
    """Regions by what the file calls their kind, and by their names, its ids.

    Both may hold ``*`` and ``?`` for any text and any character. Kinds are compared without
    regard to case.
    """

    kinds: tuple[str, ...] = ()
    names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        # What means the same is the same, in the signature too.
        object.__setattr__(self, "kinds", tuple(sorted({one.lower() for one in self.kinds})))
        object.__setattr__(self, "names", tuple(sorted(set(self.names))))

    def __bool__(self) -> bool:
        return bool(self.kinds or self.names)

    def fits(self, name: str | None, kind: str | None) -> bool:
        """Whether a region of this name and kind is meant."""
        return any(fnmatchcase((kind or "").lower(), _pattern(one)) for one in self.kinds) or any(
            fnmatchcase(name or "", _pattern(one)) for one in self.names
        )


@dataclass(frozen=True, slots=True)
class PageRule:
    """What holds for one page alone, by the ids of its regions.

    Args:
        floats: regions that may stand between any two blocks.
        left_out: regions that are left out.
        either: regions of which any may come first.
    """

    floats: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    either: tuple[Either, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.floats or self.left_out or self.either)


@dataclass(frozen=True, slots=True)
class OrderRules:
    """Which orders are admissible besides that of the reference, and what of a page counts.

    Without any rule that is what the files themselves say: text of their unordered groups may come
    in any order. The strict figures follow the reference's order in any case; only what is left
    out, and ``partial``, change them.

    Args:
        floats: regions that may stand between any two blocks of the group that holds them.
        left_out: regions that are left out of both sides.
        partial: whether the reference covers a part of the page only, so that text which no block
            of it fits is left out of the output.
        pages: what holds for single pages, by page id.
    """

    floats: RegionRule = field(default_factory=RegionRule)
    left_out: RegionRule = field(default_factory=RegionRule)
    partial: bool = False
    pages: Mapping[str, PageRule] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        kept = {page_id: rule for page_id, rule in sorted(self.pages.items()) if rule}
        object.__setattr__(self, "pages", kept)

    def __bool__(self) -> bool:
        return bool(self.floats or self.left_out or self.partial or self.pages)

    def of_page(self, page_id: str) -> PageRule:
        """What holds for a page alone."""
        return self.pages.get(page_id, _NOTHING)

    @property
    def leaves_out(self) -> bool:
        """Whether any word is left out of any page."""
        of_pages = any(one.left_out for one in self.pages.values())
        return bool(self.left_out or self.partial or of_pages)

    def sign(self) -> str:
        """What a signature says: ``file`` without rules, else their fingerprint."""
        if not self:
            return "file"
        written = orders_json(self).encode("utf-8", "surrogatepass")
        return f"rules-{sha256(written).hexdigest()[:12]}"


_NOTHING = PageRule()


def read_orders(path: Path) -> OrderRules:
    """The rules of a TOML file; see ``orders_of_text``.

    Raises:
        ReadError: the file cannot be read.
        ConfigError: it says what is no rule.
    """
    return orders_of_text(str(path), read_named(path, _LARGEST_FILE))


def orders_of_text(name: str, content: bytes) -> OrderRules:
    """The rules that TOML holds.

    ::

        partial = false

        [float]                 # may stand between any two blocks of the group that holds them
        kinds = ["header", "page-number", "marginalia"]
        names = ["note-*"]

        [leave-out]             # left out of both sides
        kinds = ["catch-word"]

        [pages."0007"]          # one page alone, by the ids of its regions
        float = ["r12"]
        leave-out = ["r1"]
        either = [[["r3", "r4"], ["r5"]]]

    Raises:
        ConfigError: it is no TOML, or says what is no rule; which file, where, and what to write.
    """
    return orders_of_tables(name, read_toml(name, content, _LARGEST_FILE, "docs/orders.md"))


def orders_of_json(text: str) -> OrderRules:
    """The rules that ``orders_json`` wrote.

    Raises:
        ConfigError: it is no such text.
    """
    try:
        raw = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"rules of reading order: {error}") from None
    if not isinstance(raw, dict):
        raise ConfigError("rules of reading order: no rules")
    return orders_of_tables("rules of reading order", raw)


def orders_json(rules: OrderRules) -> str:
    """The rules on one line: what is not said is as usual."""
    return json.dumps(
        orders_tables(rules), ensure_ascii=False, separators=(",", ":"), sort_keys=True
    )


def orders_toml(rules: OrderRules) -> str:
    """The rules as a TOML file that ``read_orders`` reads."""
    return toml_table("", orders_tables(rules)).lstrip("\n") if rules else ""


def orders_tables(rules: OrderRules) -> dict[str, Any]:
    """The rules as tables of a file: what is not said is as usual."""
    tables: dict[str, Any] = {}
    if rules.partial:
        tables["partial"] = True
    for head, rule in (("float", rules.floats), ("leave-out", rules.left_out)):
        said = {name: list(getattr(rule, name)) for name in ("kinds", "names")}
        if rule:
            tables[head] = {name: value for name, value in said.items() if value}
    if rules.pages:
        tables["pages"] = {}
    for page_id, own in rules.pages.items():
        of_page = {
            "float": list(own.floats), "leave-out": list(own.left_out),
            "either": [list(map(list, one)) for one in own.either],
        }  # fmt: skip
        tables["pages"][page_id] = {key: value for key, value in of_page.items() if value}
    return tables


def orders_of_tables(name: str, raw: Mapping[str, Any]) -> OrderRules:
    """The rules that tables of a file hold.

    Raises:
        ConfigError: they say what is no rule.
    """
    _check_keys(name, "", raw, ("partial", "float", "leave-out", "pages"))
    partial = raw.get("partial", False)
    if not isinstance(partial, bool):
        raise ConfigError(f"{name}: partial = {partial!r}; write true or false")
    pages = _table(name, "pages", raw.get("pages", {}))
    return OrderRules(
        floats=_region_rule(name, "float", raw.get("float", {})),
        left_out=_region_rule(name, "leave-out", raw.get("leave-out", {})), partial=partial,
        pages={page_id: _page_rule(name, page_id, table) for page_id, table in pages.items()},
    )  # fmt: skip


def _region_rule(name: str, head: str, raw: Any) -> RegionRule:
    table = _table(name, head, raw)
    _check_keys(name, head, table, [one.name for one in fields(RegionRule)])
    return RegionRule(**{key: _names(name, f"{head}.{key}", value) for key, value in table.items()})


def _page_rule(name: str, page_id: str, raw: Any) -> PageRule:
    where = f"pages.{page_id}"
    table = _table(name, where, raw)
    _check_keys(name, where, table, ("float", "leave-out", "either"))
    either = table.get("either", [])
    if not isinstance(either, list):
        raise ConfigError(f"{name}: {where}.either: {_EITHER}")
    return PageRule(
        _names(name, f"{where}.float", table.get("float", [])),
        _names(name, f"{where}.leave-out", table.get("leave-out", [])),
        tuple(_either(name, f"{where}.either", one) for one in either),
    )


_EITHER = 'write lists of alternatives, such as [["r3", "r4"], ["r5"]], in one list'


def _either(name: str, where: str, raw: Any) -> Either:
    if not isinstance(raw, list) or len(raw) < 2:
        raise ConfigError(f"{name}: {where}: {_EITHER}")
    alternatives = tuple(
        (one,) if isinstance(one, str) else _names(name, where, one) for one in raw
    )
    named = [region for one in alternatives for region in one]
    if not all(alternatives) or len(set(named)) < len(named):
        raise ConfigError(f"{name}: {where}: name every region once, and none empty; {_EITHER}")
    return alternatives


def _table(name: str, where: str, raw: Any) -> Mapping[str, Any]:
    if not isinstance(raw, dict):
        raise ConfigError(f"{name}: {where}: write a table, [{where}]")
    return raw


def _names(name: str, where: str, raw: Any) -> tuple[str, ...]:
    if not isinstance(raw, list) or not all(isinstance(one, str) for one in raw):
        raise ConfigError(f'{name}: {where}: write a list of texts, such as ["header"]')
    if len(raw) > _MOST_NAMES:
        raise ConfigError(f"{name}: {where}: more than {_MOST_NAMES:,} names; use * for many")
    return tuple(dict.fromkeys(raw))


def _check_keys(name: str, where: str, table: Mapping[str, Any], known: Sequence[str]) -> None:
    unknown = [key for key in table if key not in known]
    if unknown:
        place = f"[{where}]" if where else "the file"
        raise ConfigError(f"{name}: {place} says {unknown[0]!r}; it may say {', '.join(known)}")
