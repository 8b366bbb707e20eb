"""A run is written as a bundle, block by block, so that it can be stopped and gone on with.

Every block of pages is written into the folder ``work`` once it is scored. At the end the blocks
are joined into the files of the bundle, and the manifest, which names them with their digests,
comes last.
"""

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from htreval_core.errors import (
    ConfigError,
    HtrEvalError,
    PairingError,
    Remedy,
    RemedyKind,
    not_written,
)
from htreval_core.model import DataWarning, Failure, WarningKind
from htreval_core.run import tables
from htreval_core.run.blocks import Blocks, counts_of, failures_in, pages_in, receipts_in, texts_of
from htreval_core.run.disk import commit, sha256_of, write_bytes
from htreval_core.run.lock import NAME as LOCK
from htreval_core.run.lock import Lock
from htreval_core.run.manifest import Manifest, Shard, begun, manifest_json, read_manifest
from htreval_core.run.names import DIAGNOSES, MANIFEST, PAGES, SUFFIX, TEXTS, THUMBNAILS, WORK
from htreval_core.run.read import KnownScores, known_scores, open_run
from htreval_core.scoring.score import Progress
from htreval_core.scoring.study import Study
from htreval_core.scoring.workers import Processes
from htreval_core.settings import Settings
from htreval_core.sources.dataset import Learned
from htreval_core.sources.images import thumbnail
from htreval_core.sources.reading import PageSource

_BEGUN = "run.json"

ROWS = 65_536
"""Rows in a row group of pages.parquet."""

_THUMBNAILS_AT_ONCE = 64
_OURS = (MANIFEST, PAGES, TEXTS, THUMBNAILS, DIAGNOSES)


def save_run(
    study: Study, path: Path | str, *, overwrite: bool = False, thumbnails: bool = False
) -> Path:
    """Write a study and its texts as a bundle; nothing is scored again.

    Args:
        path: a folder whose name ends in .htreval; it is made where it is missing.
        overwrite: drop another run that the folder holds.
        thumbnails: keep a small copy of each page image.

    Raises:
        ConfigError: the path is taken by something else, or by another run and ``overwrite`` is
            not given.
        WriteError: it is being written into.
    """
    write_run(
        study.dataset, path, study.settings, overwrite=overwrite, thumbnails=thumbnails,
        signature=study.signature, build=study.build, known=KnownScores(study.scores),
        failures=study.failures,
    )  # fmt: skip
    return Path(path)


def score_run(
    data: PageSource, path: Path | str, settings: Settings | None = None, *,
    workers: Processes | None = None, progress: Progress | None = None, overwrite: bool = False,
    thumbnails: bool = False,
) -> Study:  # fmt: skip
    """Score pages into a bundle; go on where an earlier run with the same settings has stopped.

    Files of a ``Reading`` are read where their page is scored, and none of it is held here. A page
    that is in the bundle already, with the same texts, is not scored again.

    Args:
        data: a data set, or paired files.
        path: a folder whose name ends in .htreval; it is made where it is missing.
        workers: processes; this one by default.
        progress: told how many pages are done.
        overwrite: drop another run that the folder holds.
        thumbnails: keep a small copy of each page image.

    Raises:
        ConfigError: the path is taken by something else, or by another run and ``overwrite`` is
            not given; or two pages share an id.
        WriteError: it is being written into.
        PairingError: no page could be scored.
    """
    settings = settings or Settings()
    anew = write_run(
        data, path, settings, workers=workers, progress=progress, overwrite=overwrite,
        thumbnails=thumbnails,
    )  # fmt: skip
    study = open_run(path, settings.reading.limits)
    if not anew:
        return study
    again = DataWarning(study.dataset.name, WarningKind.SCORED_AGAIN)
    warnings = (*study.dataset.warnings, again)
    return replace(study, dataset=replace(study.dataset, warnings=warnings))


def write_run(
    data: PageSource, path: Path | str, settings: Settings, *, workers: Processes | None = None,
    progress: Progress | None = None, overwrite: bool = False, thumbnails: bool = False,
    signature: str | None = None, build: str | None = None, known: KnownScores | None = None,
    failures: Sequence[Failure] = (), shard: Shard | None = None,
) -> bool:  # fmt: skip
    """Write a bundle, or the blocks of a shard, which ``merge_shards`` joins with the others.

    The other arguments and the errors are those of ``score_run``.

    Args:
        signature: of scores that are known, as their ``build`` is.
        failures: pages that could not be scored, which is known, too.

    Returns:
        Whether what another build of htreval left there was dropped.
    """
    path = Path(path)
    manifest = begun(settings, data.name, data.systems, data.rule)
    manifest = replace(manifest, unpaired=data.unpaired, shard=shard)
    if signature is not None:
        # Values of another version, or of another build, stay under its name.
        made_with = {**manifest.made_with, **({} if build is None else {"build": build})}
        manifest = replace(manifest, signature=signature, made_with=made_with)
    n_pages = data.n_pages

    def tell(done: int) -> None:
        if progress:
            progress(done, n_pages)

    with claimed(path, manifest, overwrite) as (finished, anew):
        blocks = Blocks(path, known or finished, tell, failures, n_pages, shard)
        blocks.go(data.items, settings, workers)
        if not blocks.seen:
            raise PairingError(f"{data.name}: there is no page", warnings=data.learn(()).warnings)
        if shard:
            # The blocks stay as they are. What the manifest says of pages is known without them.
            ours = [file for one in blocks.paths for file in (texts_of(one), counts_of(one))]
            done = replace(
                manifest, shard=replace(shard, data=blocks.data.hexdigest()),
                sources=data.learn(receipts_in(blocks.paths)).sources,
                warnings=data.learn(()).warnings,
                files={f"{WORK}/{one.name}": (one.stat().st_size, sha256_of(one)) for one in ours},
            )  # fmt: skip
            write_bytes(path / MANIFEST, manifest_json(done))
        else:
            learned = data.learn(receipts_in(blocks.paths))
            finish(path, blocks.paths, manifest, learned, thumbnails=thumbnails)
    return anew


@contextmanager
def claimed(
    path: Path, manifest: Manifest, overwrite: bool
) -> Iterator[tuple[KnownScores | None, bool]]:
    """The folder locked and ready, with the scores it holds; whether others were dropped."""
    if path.suffix != SUFFIX:
        raise ConfigError(f"{path}: the name of a run bundle ends in {SUFFIX}; give it such a name")
    _make_folder(path)
    with Lock(path):
        yield _claim(path, manifest, overwrite)


def _make_folder(path: Path) -> None:
    ours = {*_OURS, WORK, LOCK}
    try:
        path.mkdir(parents=True, exist_ok=True)
        others = sorted(entry.name for entry in path.iterdir() if entry.name not in ours)
    except OSError as error:
        raise not_written(path, error, "cannot be written into") from None
    others = [name for name in others if not name.endswith(".part")]
    if others:
        raise ConfigError(
            f"{path}: holds files that do not belong to a run bundle ({', '.join(others[:3])}); "
            "name another folder"
        )


def _claim(path: Path, manifest: Manifest, overwrite: bool) -> tuple[KnownScores | None, bool]:
    differ: list[str] = []
    anew = False
    for file in (path / MANIFEST, path / WORK / _BEGUN):
        if file.is_file():
            try:
                other = read_manifest(str(file), file.read_bytes())
                found = manifest.differences(other)
                anew = anew or other.made_with.get("build") != manifest.made_with["build"]
            except HtrEvalError as error:
                found = [str(error)]
            differ += [text for text in found if text not in differ]
    if differ and not overwrite:
        raise ConfigError(
            f"{path}: holds another run: {'; '.join(differ)}. Name another bundle, or overwrite it",
            Remedy(RemedyKind.OVERWRITE),
        )
    if differ or anew:
        for name in _OURS:
            (path / name).unlink(missing_ok=True)
        shutil.rmtree(path / WORK, ignore_errors=True)
    (path / WORK).mkdir(exist_ok=True)
    write_bytes(path / WORK / _BEGUN, manifest_json(manifest))
    if manifest.shard:
        # It says that the shard is finished.
        (path / MANIFEST).unlink(missing_ok=True)
    if (path / MANIFEST).is_file():
        with suppress(HtrEvalError):
            return known_scores(path), False
    return None, anew and not differ


def finish(
    path: Path, blocks: Sequence[Path], manifest: Manifest, learned: Learned, *,
    thumbnails: bool = False,
) -> None:  # fmt: skip
    """Join the blocks into the files of the bundle, and name them in the manifest.

    Raises:
        PairingError: no page could be scored.
    """
    failures = tuple(failures_in(blocks))
    n_rows = 0

    def counts() -> Iterator[Any]:
        nonlocal n_rows
        waiting: list[Any] = []
        for path in blocks:
            waiting.append(pq.ParquetFile(counts_of(path)).read())
            n_rows += waiting[-1].num_rows
            while sum(part.num_rows for part in waiting) >= ROWS:
                joined = pa.concat_tables(waiting)
                yield joined.slice(0, ROWS)
                waiting = [joined.slice(ROWS)]
        yield pa.concat_tables(waiting)

    def texts() -> Iterator[Any]:
        for path in blocks:
            yield pq.ParquetFile(texts_of(path)).read()

    def images() -> Iterator[Any]:
        named = list(learned.images.items())
        for start in range(0, len(named), _THUMBNAILS_AT_ONCE):
            some = named[start : start + _THUMBNAILS_AT_ONCE]
            small = [(name, thumbnail(image)) for name, image in some]
            kept = [(name, jpeg) for name, jpeg in small if jpeg is not None]
            columns = {"page_id": [n for n, _ in kept], "jpeg": [jpeg for _, jpeg in kept]}
            yield pa.table(columns, schema=tables.THUMBNAILS)

    wanted: dict[str, tuple[Any, Iterator[Any]]] = {
        PAGES: (tables.PAGES, counts()), TEXTS: (tables.TEXTS, texts()),
    }  # fmt: skip
    if thumbnails and learned.images:
        wanted[THUMBNAILS] = (tables.THUMBNAILS, images())
    files: dict[str, tuple[int, str]] = {}
    for name, (schema, groups) in wanted.items():
        temporary = path / f"{name}.part"
        with tables.writer(str(temporary), schema) as out:
            for group in groups:
                out.write_table(group, row_group_size=max(group.num_rows, 1))
        files[name] = (temporary.stat().st_size, sha256_of(temporary))
    if not n_rows:
        raise PairingError(
            f"{manifest.name}: no page could be scored",
            warnings=(*learned.warnings, *(failure.warning for failure in failures)),
        )
    done = replace(
        manifest, n_pages=pages_in(blocks), n_rows=n_rows, sources=learned.sources,
        warnings=learned.warnings, failures=failures, files=files,
    )  # fmt: skip
    for name in files:
        commit(path / f"{name}.part", path / name)
    write_bytes(path / MANIFEST, manifest_json(done))
    # They are of the counts that were there before.
    (path / DIAGNOSES).unlink(missing_ok=True)
    shutil.rmtree(path / WORK, ignore_errors=True)
