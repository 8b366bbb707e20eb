"""Shards of a run become the bundle that one process would have written."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from htreval_core.errors import ConfigError, HtrEvalError, ReadError
from htreval_core.run import tables
from htreval_core.run.blocks import failures_in, pages_in, receipts_in
from htreval_core.run.files import UNREADABLE, Folder, damaged, open_parquet
from htreval_core.run.manifest import Manifest, Shard, read_manifest
from htreval_core.run.names import MANIFEST, WORK
from htreval_core.run.read import open_run
from htreval_core.run.write import claimed, finish
from htreval_core.scoring.study import Study
from htreval_core.settings import ReadPolicy
from htreval_core.sources.pairing import Pairing
from htreval_core.sources.reading import Reading


def merge_shards(shards: Sequence[Path], path: Path | str, *, overwrite: bool = False) -> Study:
    """Join all shards of a run into a bundle, to the byte as ``score_run`` writes it at once.

    Args:
        shards: the folders that ``write_run`` wrote, in any order.
        path: the bundle, a folder whose name ends in .htreval; it is made where it is missing.
        overwrite: drop another run that the folder holds.

    Raises:
        ReadError: shards are unfinished, damaged, missing, given twice or of different runs.
        ConfigError: as for ``score_run``; or the bundle is one of the shards.
        PairingError: no page could be scored.
    """
    path = Path(path)
    if path.resolve() in (one.resolve() for one in shards):
        raise ConfigError(f"{path}: is one of the shards; give the merged bundle another name")
    parts = _parts(shards)
    one = parts[0].manifest
    blocks = sorted((one for part in parts for one in part.blocks), key=lambda one: one.name)
    pairing = Pairing(one.name, one.rule, one.systems, (), one.unpaired, one.warnings)
    learned = Reading(pairing, ReadPolicy()).learn(receipts_in(blocks))
    # A shard that could read no page says nothing of the files that were named themselves.
    sources = max((part.manifest.sources for part in parts), key=len)
    if learned.sources[-1].files:
        sources = (*sources[:-1], learned.sources[-1])
    manifest = replace(one, shard=None, files={})
    with claimed(path, manifest, overwrite):
        finish(path, blocks, manifest, replace(learned, sources=sources))
    return open_run(path, manifest.settings.reading.limits)


@dataclass(frozen=True)
class _Part:
    """A finished shard, whose files are as they should be."""

    path: Path
    manifest: Manifest
    shard: Shard
    blocks: list[Path]

    @classmethod
    def read(cls, path: Path) -> "_Part":
        files = Folder(path)
        files.name = str(path)
        manifest = read_manifest(str(path / MANIFEST), files.read(MANIFEST))
        if manifest.shard is None:
            raise ReadError(f"{path}: a whole run; name the shards of one run, and nothing else")
        found = [re.fullmatch(rf"({WORK}/\d{{8}})\.counts", name) for name in manifest.files]
        blocks = [path / one[1] for one in found if one]
        for block in blocks:
            for end, schema in ((".texts", tables.TEXTS), (".counts", tables.PAGES)):
                open_parquet(files, f"{WORK}/{block.name}{end}", manifest, schema)
        try:
            pages_in(blocks), failures_in(blocks), list(receipts_in(blocks))
        except UNREADABLE as error:
            raise damaged(str(path), WORK, error) from None
        return cls(path, manifest, manifest.shard, blocks)


def _parts(paths: Sequence[Path]) -> list[_Part]:
    """The shards in their order."""
    held: dict[int, _Part] = {}
    wrong: list[str] = []
    for path in paths:
        try:
            part = _Part.read(path)
        except HtrEvalError as error:
            wrong.append(str(error))
            continue
        first = next(iter(held.values()), part)
        if differ := _differences(first.manifest, part.manifest):
            wrong.append(f"{path}: of another run than {first.path}: {'; '.join(differ)}")
        elif other := held.get(part.shard.number):
            wrong.append(f"{path}: is shard {part.shard}, as is {other.path}; give one of them")
        held.setdefault(part.shard.number, part)
    n = next(iter(held.values())).shard.of if held else 0
    missing = [str(number) for number in range(1, n + 1) if number not in held]
    if missing and not wrong:
        wrong.append(f"of {n} shards these are missing: {', '.join(missing)}")
    if wrong or not held:
        raise ReadError("\n".join(wrong) or "name the folders of all shards")
    return [held[number] for number in sorted(held)]


def _differences(one: Manifest, other: Manifest) -> list[str]:
    found = replace(one, shard=None).differences(replace(other, shard=None))
    ours, theirs = (
        {**m.made_with, "the number of shards": str(m.shard and m.shard.of)} for m in (one, other)
    )
    found += [f"{k} was {theirs.get(k)}, is {v}" for k, v in ours.items() if v != theirs.get(k)]
    if one.signature == other.signature and one.settings != other.settings:
        found.append("settings differ that the signature leaves out, such as limits")
    about = ((m.rule, m.unpaired, m.warnings, m.shard and m.shard.data) for m in (one, other))
    named = [m.sources[:-1] for m in (one, other)]
    if len(set(map(repr, about))) > 1 or (all(named) and named[0] != named[1]):
        found.append("the files of the data have other names, sizes or content")
    return found
