"""The manifest of a run: what was scored, how, with what, and what went wrong."""

import hashlib
import json
import platform
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from importlib.metadata import PackageNotFoundError, version
from typing import Any, TypeVar

from htreval_core.errors import ConfigError, ReadError
from htreval_core.model import DataWarning, Failure, WarningKind
from htreval_core.run.facts import read_fact
from htreval_core.settings import ReadPolicy, Settings, exact_gamma
from htreval_core.settings.orders import orders_of_tables, orders_tables
from htreval_core.settings.version import __version__, build
from htreval_core.sources.dataset import Source, Unpaired
from htreval_core.text import TextPolicy

FORMAT = "htreval-run"
VERSION = 9
_DIGEST = "digest"
_ENTRIES = frozenset((
    "format", "version", "signature", "settings", "name", "rule", "systems", "pages", "rows",
    "made_with", "sources", "warnings", "unpaired", "failures", "files", _DIGEST,
))  # fmt: skip
_LIBRARIES = ("numpy", "scipy", "rapidfuzz", "pyarrow", "lxml", "regex")
_MOST_RESAMPLES = 100_000
_LONGEST_NAME = 4096
"""Characters of a name or a signature, which every export repeats many times."""
_MOST_SYSTEMS = 1000
MOST_BYTES = 256 * 2**20

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Shard:
    """Every ``of``-th block of a run.

    Args:
        number: from 1.
        data: a digest of the names and sizes of all pages.

    Raises:
        ConfigError: there is no such shard.
    """

    number: int
    of: int
    data: str = ""

    def __post_init__(self) -> None:
        if not 1 <= self.number <= self.of:
            raise ConfigError(f"shard {self}: shards are counted from 1/{self.of}")

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"


@dataclass(frozen=True, slots=True)
class Manifest:
    """All that a run says about itself.

    Args:
        n_rows: of pages.parquet.
        files: size in bytes and SHA-256 of the other files of the bundle.
        shard: which blocks it has, if not all.
    """

    settings: Settings
    signature: str
    name: str
    systems: tuple[str, ...]
    rule: str = ""
    n_pages: int = 0
    n_rows: int = 0
    made_with: Mapping[str, str] = field(default_factory=dict)
    sources: tuple[Source, ...] = ()
    warnings: tuple[DataWarning, ...] = ()
    unpaired: Unpaired = field(default_factory=Unpaired)
    failures: tuple[Failure, ...] = ()
    files: Mapping[str, tuple[int, str]] = field(default_factory=dict)
    shard: Shard | None = None

    def differences(self, other: "Manifest") -> list[str]:
        """Why rows of one cannot stand for rows of the other, in words; texts may differ."""
        found = []
        if self.signature != other.signature:
            ours, theirs = (dict(p.partition(":")[::2] for p in m.signature.split("|"))
                            for m in (self, other))  # fmt: skip
            changed = [k for k in ours | theirs if ours.get(k) != theirs.get(k)]
            found += [f"{k} was {theirs.get(k)}, is {ours.get(k)}" for k in changed]
        if self.name != other.name:
            found.append(f"the data was {other.name!r}, is {self.name!r}")
        if self.systems != other.systems:
            found.append(
                f"the systems were {', '.join(other.systems)}, are {', '.join(self.systems)}"
            )
        if str(self.shard) != str(other.shard):
            was, now = (f"shard {m.shard}" if m.shard else "whole" for m in (other, self))
            found.append(f"it was {was}, is {now}")
        return found


def begun(settings: Settings, name: str, systems: tuple[str, ...], rule: str) -> Manifest:
    """The manifest of a run that has yet to score its pages."""
    made_with = {"htreval": __version__, "build": build(), "python": platform.python_version()}
    for library in _LIBRARIES:
        try:
            made_with[library] = version(library)
        except PackageNotFoundError:
            made_with[library] = "unknown"
    return Manifest(settings, settings.signature(), name, systems, rule, made_with=made_with)


def manifest_json(manifest: Manifest) -> bytes:
    """The manifest as UTF-8; half characters in names are made visible."""
    gamma, orders = str(manifest.settings.gamma), orders_tables(manifest.settings.orders)
    settings = asdict(manifest.settings) | {"gamma": gamma, "orders": orders}
    content = {
        "format": FORMAT, "version": VERSION, "signature": manifest.signature,
        "settings": settings, "name": manifest.name, "rule": manifest.rule,
        "systems": list(manifest.systems), "pages": manifest.n_pages, "rows": manifest.n_rows,
        "made_with": dict(manifest.made_with),
        "sources": [asdict(source) for source in manifest.sources],
        "warnings": [
            {"file": one.file, "kind": one.kind.value, "detail": list(one.detail),
             "count": one.count}
            for one in manifest.warnings
        ],
        "unpaired": {
            "reference": list(manifest.unpaired.reference),
            "hypothesis": {k: list(v) for k, v in manifest.unpaired.hypothesis.items()},
        },
        "failures": [
            {"page_id": one.page_id, "system": one.system, "reason": one.reason}
            for one in manifest.failures
        ],
        "files": {name: {"size": size, "sha256": digest}
                  for name, (size, digest) in manifest.files.items()},
    }  # fmt: skip
    if manifest.shard:
        content["shard"] = asdict(manifest.shard)
    content[_DIGEST] = digest(content)
    text = json.dumps(content, ensure_ascii=False, allow_nan=False, indent=1)
    return (text + "\n").encode("utf-8", "backslashreplace")


def digest(content: Mapping[str, Any]) -> str:
    """SHA-256 of the entries but itself, as JSON in ASCII with sorted keys and no spaces."""
    told = {key: value for key, value in content.items() if key != _DIGEST}
    text = json.dumps(told, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def read_manifest(where: str, content: bytes) -> Manifest:
    """The manifest in some bytes, whoever wrote them.

    Raises:
        ReadError: they are no manifest, a damaged one, or of another version.
    """
    try:
        raw = json.loads(content.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise ReadError(
            f"{where}: not readable as JSON ({str(error)[:120]}); score again"
        ) from None
    if not isinstance(raw, dict) or raw.get("format") != FORMAT:
        raise ReadError(f"{where}: not the manifest of an htreval run; name the bundle's folder")
    number = raw.get("version")
    if number != VERSION:
        raise ReadError(
            f"{where}: format version {str(number)[:20]!r}, this htreval reads version {VERSION}; "
            "score the pages again, or open the bundle with the htreval that wrote it"
        )
    try:
        manifest = _read(raw)
        if raw.keys() - {"shard"} != _ENTRIES or raw[_DIGEST] != digest(raw):
            raise ValueError("its digest: it was changed")
        return manifest
    except (KeyError, TypeError, ValueError, AttributeError, ConfigError, RecursionError) as error:
        raise ReadError(
            f"{where}: damaged at {str(error)[:200]}; score again, or fetch the bundle again"
        ) from None


def _read(raw: dict[str, Any]) -> Manifest:
    unpaired = _a(dict, raw["unpaired"])
    return Manifest(
        settings=_settings(_a(dict, raw["settings"])), signature=_short(raw["signature"]),
        name=_short(raw["name"]), rule=_short(raw["rule"]), systems=_names(raw["systems"]),
        n_pages=_count(raw["pages"]), n_rows=_count(raw["rows"]),
        made_with={_a(str, k): _a(str, v) for k, v in _a(dict, raw["made_with"]).items()},
        sources=tuple(read_fact(one, Source) for one in _a(list, raw["sources"])),
        warnings=tuple(
            DataWarning(
                _a(str, w["file"]), WarningKind(_a(str, w["kind"])), _texts(w["detail"]),
                _count(w["count"]),
            )
            for w in (_a(dict, one) for one in _a(list, raw["warnings"]))
        ),
        unpaired=Unpaired(
            _texts(unpaired["reference"]),
            {_a(str, k): _texts(v) for k, v in _a(dict, unpaired["hypothesis"]).items()},
        ),
        failures=tuple(
            Failure(_a(str, f["page_id"]), _a(str, f["system"]), _a(str, f["reason"]))
            for f in _a(list, raw["failures"])
        ),
        files={
            _a(str, name): (_count(of["size"]), _a(str, of["sha256"]))
            for name, of in _a(dict, raw["files"]).items()
        },
        shard=read_fact(raw["shard"], Shard) if "shard" in raw else None,
    )  # fmt: skip


def _a(kind: type[T], value: object) -> T:
    # True is an int to Python, but no count.
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise ValueError(f"{str(value)[:40]!r}, which should be a {kind.__name__}")
    return value


def _count(value: object, most: int = 2**53) -> int:
    number = _a(int, value)
    if not 0 <= number <= most:
        raise ValueError(f"a number that should be from 0 to {most:,}")
    return number


def _short(value: object) -> str:
    text = _a(str, value)
    if len(text) > _LONGEST_NAME:
        raise ValueError(f"a name of {len(text):,} characters")
    return text


def _texts(value: object) -> tuple[str, ...]:
    return tuple(_a(str, text) for text in _a(list, value))


def _names(value: object) -> tuple[str, ...]:
    names = tuple(_short(text) for text in _a(list, value))
    if len(names) > _MOST_SYSTEMS:
        raise ValueError(f"more than {_MOST_SYSTEMS:,} systems")
    if len(set(names)) != len(names):
        raise ValueError("systems, of which two share a name")
    return names


def _settings(raw: dict[str, Any]) -> Settings:
    return Settings(
        gamma=exact_gamma(_a(str, raw["gamma"])[:40]),
        policy=read_fact(raw["policy"], TextPolicy),
        reading=read_fact(raw["reading"], ReadPolicy),
        orders=orders_of_tables("orders", _a(dict, raw["orders"])),
        solver=raw["solver"],
        resamples=_count(raw["resamples"], _MOST_RESAMPLES),
        seed=_count(raw["seed"]),
        trace=raw["trace"],
    )  # fmt: skip
