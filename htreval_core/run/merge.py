"""Shards of a run, each scored by itself, become the bundle that one process would have written."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from htreval_core.errors import ConfigError, HtrEvalError, ReadError
from htreval_core.markup import whole
from htreval_core.run import tables
from htreval_core.run.blocks import Written, counts_of, texts_of, write_block
from htreval_core.run.files import UNREADABLE, Folder, damaged, open_parquet
from htreval_core.run.manifest import Manifest, Shard, read_manifest
from htreval_core.run.names import MANIFEST, WORK
from htreval_core.run.read import open_run
from htreval_core.run.write import claimed, finish
from htreval_core.scoring.study import Study
from htreval_core.settings import ReadPolicy
from htreval_core.sources.dataset import Learned
from htreval_core.sources.pairing import Pairing
from htreval_core.sources.reading import Reading

_COUNTS = re.compile(rf"{WORK}/(\d{{8}})\.counts")


def merge_shards(shards: Sequence[Path], path: Path | str, *, overwrite: bool = False) -> Study:
    """Join all shards of a run into a bundle; nothing is scored again.

    The bundle is the same to the byte as one that ``score_run`` writes of all pages.

    Args:
        shards: the folders that ``score_shard`` has written, in any order.
        path: the bundle, a folder whose name ends in .htreval; it is made where it is missing.
        overwrite: drop another run that the folder holds.

    Raises:
        ReadError: a shard is unfinished or damaged.
        ConfigError: shards are missing, given twice or of different runs; or as for ``score_run``.
        PairingError: no page could be scored.
    """
    path = Path(path)
    if any(path.resolve() == one.resolve() for one in shards):
        raise ConfigError(f"{path}: is one of the shards; give the merged bundle another name")
    parts = _parts(shards)
    first = parts[0].manifest
    manifest = replace(first, shard=None, sources=(), warnings=(), files={})
    numbers = sorted({number for part in parts for number in part.blocks})
    with claimed(path, manifest, overwrite):
        run = Written(path)
        n_pages = 0
        for number in numbers:
            n_pages = _merge(parts, number, run.add(number), n_pages)
        finish(path, run, manifest, _learned(parts, run))
    return open_run(path, manifest.settings.reading.limits)


@dataclass(frozen=True)
class _Part:
    """A shard, finished.

    Args:
        shard: which it is.
        blocks: the numbers of the blocks that it has pages of.
    """

    files: Folder
    manifest: Manifest
    shard: Shard
    blocks: frozenset[int]

    @classmethod
    def read(cls, path: Path) -> _Part:
        files = Folder(path)
        files.name = str(path)
        manifest = read_manifest(str(path / MANIFEST), files.read(MANIFEST))
        if manifest.shard is None:
            raise ReadError(f"{path}: a whole run, and no shard; name the shards alone")
        found = (_COUNTS.fullmatch(name) for name in manifest.files)
        return cls(files, manifest, manifest.shard, frozenset(int(m[1]) for m in found if m))

    def table(self, name: str, schema: Any) -> tuple[Any, Mapping[bytes, bytes]]:
        """The rows of a block and what it tells besides."""
        file = open_parquet(self.files, name, self.manifest, schema)
        return file.read().cast(schema), file.metadata.metadata or {}


def _parts(paths: Sequence[Path]) -> list[_Part]:
    """The shards in their order.

    Raises:
        HtrEvalError: they do not make a whole, with all that is wrong.
    """
    parts: list[_Part] = []
    wrong: list[str] = []
    for path in paths:
        try:
            parts.append(_Part.read(path))
        except HtrEvalError as error:
            wrong.append(str(error))
    if wrong or not parts:
        raise ReadError("\n".join(wrong) or "there is no shard; name the folders of all shards")
    parts.sort(key=lambda part: part.shard.number)
    first = parts[0]
    held: dict[int, _Part] = {}
    for part in parts:
        if differ := _differences(first.manifest, part.manifest):
            wrong.append(
                f"{part.files.name}: of another run than {first.files.name}: {'; '.join(differ)}"
            )
        elif other := held.get(part.shard.number):
            wrong.append(
                f"{part.files.name}: shard {part.shard}, as {other.files.name} is; give one of them"
            )
        held[part.shard.number] = part
    missing = [str(n) for n in range(1, first.shard.of + 1) if n not in held]
    if missing and not wrong:
        wrong.append(
            f"of {first.shard.of} shards these are missing: {', '.join(missing)}; score them, and "
            "merge again"
        )
    if wrong:
        raise ConfigError("\n".join(wrong))
    return parts


def _differences(one: Manifest, other: Manifest) -> list[str]:
    """Why two shards are not of the same run, in words."""
    found = replace(one, shard=None).differences(replace(other, shard=None))
    found += [
        f"{name} was {other.made_with.get(name)}, is {one.made_with.get(name)}"
        for name in dict(one.made_with) | dict(other.made_with)
        if one.made_with.get(name) != other.made_with.get(name)
    ]
    if not found:
        names = [entry.name for entry in fields(one.settings)]
        found += [
            f"the settings differ in {name}"
            for name in names
            if getattr(one.settings, name) != getattr(other.settings, name)
        ]
    of, were_of = (m.shard.of if m.shard else 1 for m in (one, other))
    if of != were_of:
        found.append(f"the shards were {were_of}, are {of}")
    told = ((m.rule, m.unpaired, m.warnings, m.shard and m.shard.data) for m in (one, other))
    if not found and len(set(map(repr, told))) > 1:
        found.append("the data's files have other names or sizes, or are paired otherwise")
    # A shard that could read nothing does not vouch for the files that were named themselves.
    if len(one.sources) == len(other.sources) and one.sources[:-1] != other.sources[:-1]:
        found.append("the data's files have other bytes")
    return found


def _merge(parts: Sequence[_Part], number: int, block: Path, start: int) -> int:
    """Write a block from what the shards have of it.

    Args:
        start: how many pages the blocks before it have.

    Returns:
        The same, with this one.
    """
    texts, counts, places = [], [], {}
    n_pages, failures, receipts = 0, [], []
    for part in parts:
        if number not in part.blocks:
            continue
        where = Path(WORK) / block.name
        try:
            texts.append(part.table(texts_of(where).as_posix(), tables.TEXTS)[0])
            rows, told = part.table(counts_of(where).as_posix(), tables.PAGES)
            counts.append(rows)
            places.update({str(page_id): int(at) for page_id, at in json.loads(told[b"places"])})
            n_pages += int(told[b"pages"])
            failures += json.loads(told[b"failures"])
            receipts += json.loads(told[b"receipts"])
        except UNREADABLE as error:
            raise damaged(part.files.name, block.name, error) from None
    try:
        if sorted(places.values()) != list(range(start, start + len(places))):
            raise ValueError("pages are missing or occur twice")

        def place(told: Sequence[Any]) -> int:
            return places[whole(told[0])]

        about = {
            "pages": str(n_pages),
            "failures": json.dumps(sorted(failures, key=place)),
            "receipts": json.dumps(sorted(receipts, key=place)),
        }
        write_block(block, _in_order(texts, places), _in_order(counts, places), about)
    except UNREADABLE as error:
        raise damaged("the shards", block.name, error) from None
    return start + len(places)


def _in_order(parts: Sequence[Any], places: Mapping[str, int]) -> Any:
    """The rows of some tables in the order of their pages."""
    table = pa.concat_tables(parts)
    order = np.array([places[one] for one in table["page_id"].to_pylist()], dtype=np.int64)
    return table.take(np.argsort(order, kind="stable"))


def _learned(parts: Sequence[_Part], run: Written) -> Learned:
    """What the shards have learned of the data."""
    one = parts[0].manifest
    pairing = Pairing(one.name, one.rule, one.systems, (), one.unpaired, one.warnings)
    learned = Reading(pairing, ReadPolicy()).learn(run.receipts())
    # Files that were named themselves are vouched for by shards that could read a page of them.
    sources = max((part.manifest.sources for part in parts), key=len)
    if learned.sources[-1].files:
        sources = (*sources[:-1], learned.sources[-1])
    return replace(learned, sources=sources)
