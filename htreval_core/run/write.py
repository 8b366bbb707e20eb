"""Pages are scored into a bundle, block by block, so that a run can stop at any moment.

A block is a few hundred pages that follow one another. Its texts and then its counts are written
into the folder ``work`` of the bundle under another name, flushed to the disk, and renamed: a
block is there as a whole or not at all. The same run started again passes over the blocks that are
there. When all are, they are joined into the files of the bundle, whose bytes depend on nothing
but the pages, and the manifest is renamed into place last.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from htreval_core.errors import ConfigError, HtrEvalError, PairingError
from htreval_core.markup import whole
from htreval_core.model import Dataset, Page, PageScores, SourceFile, Unpaired
from htreval_core.run import tables
from htreval_core.run.lock import NAME as LOCK
from htreval_core.run.lock import Lock
from htreval_core.run.manifest import Manifest, Source, begun, manifest_json, read_manifest
from htreval_core.run.names import MANIFEST, PAGES, SUFFIX, TEXTS, THUMBNAILS, WORK, Known
from htreval_core.run.read import known_scores
from htreval_core.run.thumbnails import thumbnail
from htreval_core.scoring.score import Evaluation
from htreval_core.scoring.stream import Failure, PageResult, n_chars, score_stream
from htreval_core.scoring.workers import Workers
from htreval_core.settings import Settings

_BEGUN = "run.json"
_BLOCK_PAGES = 512
_BLOCK_CHARS = 8_000_000
ROWS = 65_536
"""Rows in a row group of pages.parquet."""
_THUMBNAILS_AT_ONCE = 64

Progress = Callable[[int], None]
"""Called with the number of pages done."""


@dataclass(slots=True)
class Origin:
    """Where the pages of a run come from.

    ``warnings``, ``images`` and what ``sources`` tells may grow while the pages are being read;
    they are looked at when the last page has been.
    """

    name: str
    systems: tuple[str, ...]
    rule: str = ""
    unpaired: Unpaired = field(default_factory=Unpaired)
    warnings: Sequence[str] = ()
    images: Mapping[str, SourceFile] = field(default_factory=dict)
    sources: Callable[[], tuple[Source, ...]] = tuple


def save_run(
    evaluation: Evaluation, dataset: Dataset, path: Path | str, *,
    overwrite: bool = False, thumbnails: bool = False,
) -> Manifest:  # fmt: skip
    """Write an evaluation and its texts as a bundle.

    Raises:
        ConfigError: the path is taken by something else, or by another run and ``overwrite`` is
            not given, or is being written into.
    """
    known = {
        (scores.page_id, system): scores
        for system, of_system in evaluation.scores.items()
        for scores in of_system
    }
    origin = Origin(
        dataset.name, evaluation.systems, dataset.rule, dataset.unpaired, dataset.warnings,
        dataset.images,
    )  # fmt: skip
    return score_run(
        evaluation.pages.values(), path, evaluation.settings, origin,
        overwrite=overwrite, thumbnails=thumbnails, known=lambda *of: known.get(of[:2]),
    )  # fmt: skip


def score_run(
    pages: Iterable[Page],
    path: Path | str,
    settings: Settings,
    origin: Origin,
    *,
    workers: Workers | None = None,
    progress: Progress | None = None,
    overwrite: bool = False,
    thumbnails: bool = False,
    known: Known | None = None,
) -> Manifest:
    """Score pages into a bundle; go on where an earlier run with the same settings has stopped.

    Pages are taken one after another and never all held. A page that is in the bundle already,
    with the same texts, is not scored again.

    Args:
        path: a folder whose name ends in .htreval; it is made where it is missing.
        origin: what to say about where the pages come from.
        workers: processes or a cluster; this process by default.
        progress: told how many pages are done.
        overwrite: drop another run that the folder holds.
        thumbnails: keep a small copy of each page image.

    Raises:
        ConfigError: the path is taken by something else, or by another run and ``overwrite`` is
            not given, or is being written into; or two pages share an id.
        PairingError: there was no page.
    """
    path = Path(path)
    if path.suffix != SUFFIX:
        raise ConfigError(f"{path}: the name of a run bundle ends in {SUFFIX}; call it so")
    manifest = begun(settings, origin.name, origin.systems, origin.rule)
    _make_folder(path)
    with Lock(path):
        finished = _claim(path, manifest, overwrite)
        run = _Run(path, known or finished, progress or (lambda done: None))
        run.go(pages, settings, workers)
        if not run.n_pages:
            listed = "\n".join(map(str, origin.warnings[:10]))
            raise PairingError(f"{origin.name}: no page could be scored.\n{listed}".strip())
        return _finish(path, run, manifest, origin, thumbnails)


def _make_folder(path: Path) -> None:
    ours = {MANIFEST, PAGES, TEXTS, THUMBNAILS, WORK, LOCK}
    try:
        path.mkdir(parents=True, exist_ok=True)
        others = sorted(entry.name for entry in path.iterdir() if entry.name not in ours)
    except OSError as error:
        raise ConfigError(
            f"{path}: cannot be written into ({error.strerror}); name another folder"
        ) from None
    others = [name for name in others if not name.endswith(".part")]
    if others:
        raise ConfigError(
            f"{path}: holds what is no part of a run bundle ({', '.join(others[:3])}); "
            "name another folder"
        )


def _claim(path: Path, manifest: Manifest, overwrite: bool) -> Known | None:
    """Make the folder ready for this run; the scores that it holds already."""
    differ: list[str] = []
    for file in (path / MANIFEST, path / WORK / _BEGUN):
        if file.is_file():
            try:
                found = manifest.differences(read_manifest(str(file), file.read_bytes()))
            except HtrEvalError as error:
                found = [str(error)]
            differ += [text for text in found if text not in differ]
    if differ and not overwrite:
        raise ConfigError(
            f"{path}: holds another run: {'; '.join(differ)}. Name another bundle, or give "
            "--overwrite to drop it"
        )
    if differ:
        for name in (MANIFEST, PAGES, TEXTS, THUMBNAILS):
            (path / name).unlink(missing_ok=True)
        shutil.rmtree(path / WORK, ignore_errors=True)
    (path / WORK).mkdir(exist_ok=True)
    _write(path / WORK / _BEGUN, manifest_json(manifest))
    if not (path / MANIFEST).is_file():
        return None
    with suppress(HtrEvalError):
        return known_scores(path)
    return None


@dataclass(slots=True)
class _Block:
    """Pages that are written together."""

    number: int
    pages: list[Page]
    content: list[dict[str, bytes]]
    known: list[list[PageScores]]
    """Of each page, the scores that need not be computed."""
    failures: list[Failure]
    results: list[PageResult] = field(default_factory=list)

    @property
    def digest(self) -> str:
        """Identifies the pages and texts of the block."""
        told = [
            (page.page_id, sorted(of.items())) for page, of in zip(self.pages, self.content,
                                                                   strict=True)
        ]  # fmt: skip
        return hashlib.blake2b(repr(told).encode("utf-8", "surrogatepass")).hexdigest()


class _Run:
    """The blocks of a run on their way into the folder ``work``."""

    def __init__(self, path: Path, known: Known | None, progress: Progress) -> None:
        self._work = path / WORK
        self._known = known or (lambda *_: None)
        self._progress = progress
        self._open: deque[_Block] = deque()
        self.seen: set[str] = set()
        self.blocks: list[Path] = []
        self.n_pages = 0
        self.done = 0

    def go(self, pages: Iterable[Page], settings: Settings, workers: Workers | None) -> None:
        for result in score_stream(self._to_score(pages), settings, workers):
            block = self._open[0]
            block.results.append(result)
            self._advance(1)
            if len(block.results) == len(block.pages):
                self._open.popleft()
                self._keep(block)

    def _advance(self, n: int) -> None:
        self.done += n
        self._progress(self.done)

    def _to_score(self, pages: Iterable[Page]) -> Iterator[Page]:
        """The pages of all blocks that are not there yet, less what is known of them."""
        for block in self._blocks(pages):
            if not block.pages or self._is_there(block):
                self._advance(len(block.pages))
                if not block.pages:
                    self._keep(block)
                continue
            for page, content in zip(block.pages, block.content, strict=True):
                found = (
                    self._known(page.page_id, system, digest) for system, digest in content.items()
                )
                block.known.append([scores for scores in found if scores is not None])
            self._open.append(block)
            for page, known in zip(block.pages, block.known, strict=True):
                have = {scores.system for scores in known}
                left = {n: text for n, text in page.hypotheses.items() if n not in have}
                yield page if len(left) == len(page.hypotheses) else replace(page, hypotheses=left)

    def _blocks(self, pages: Iterable[Page]) -> Iterator[_Block]:
        gathered: list[Page] = []
        chars = 0
        for page in pages:
            if page.page_id in self.seen:
                raise ConfigError(f"page {page.page_id!r} occurs twice: give each its own id")
            self.seen.add(page.page_id)
            gathered.append(page)
            sides = (page.reference, *page.hypotheses.values())
            chars += sum(map(n_chars, sides))
            if len(gathered) == _BLOCK_PAGES or chars > _BLOCK_CHARS:
                yield self._block(gathered)
                gathered, chars = [], 0
        if gathered:
            yield self._block(gathered)

    def _block(self, pages: list[Page]) -> _Block:
        self.n_pages += len(pages)
        failures = tables.unwritable(pages)
        damaged = {failure.page_id for failure in failures}
        kept = [page for page in pages if whole(page.page_id) not in damaged]
        number = len(self.blocks)
        self.blocks.append(self._work / f"{number:08d}")
        return _Block(number, kept, [tables.content_of(page) for page in kept], [], failures)

    def _is_there(self, block: _Block) -> bool:
        try:
            told = pq.read_metadata(_counts_of(self.blocks[block.number])).metadata
        except (OSError, pa.ArrowException):
            return False
        return bool(told) and told.get(b"block") == block.digest.encode()

    def _keep(self, block: _Block) -> None:
        """Write a block that is scored: the texts, then the counts that vouch for them."""
        place = self.blocks[block.number]
        rows: list[tuple[PageScores, bytes]] = []
        failures = list(block.failures)
        for page, content, known, result in zip(
            block.pages, block.content, block.known, block.results, strict=True
        ):
            scores = {one.system: one for one in (*known, *result.scores)}
            rows += [(scores[name], content[name]) for name in page.hypotheses if name in scores]
            failures += result.failures
        _write_table(_texts_of(place), tables.text_rows(block.pages), tables.TEXTS)
        told = [[one.page_id, one.system, one.reason] for one in failures]
        about = {"block": block.digest, "failures": json.dumps(told)}
        _write_table(_counts_of(place), tables.score_rows(rows, block.number), tables.PAGES, about)


def _texts_of(block: Path) -> Path:
    return block.with_suffix(".texts")


def _counts_of(block: Path) -> Path:
    return block.with_suffix(".counts")


def _finish(
    path: Path, run: _Run, manifest: Manifest, origin: Origin, thumbnails: bool
) -> Manifest:
    """Join the blocks into the files of the bundle, and name them in the manifest."""
    failures: list[Failure] = []
    n_rows = 0

    def counts() -> Iterator[Any]:
        nonlocal n_rows
        waiting: list[Any] = []
        for block in run.blocks:
            file = pq.ParquetFile(_counts_of(block))
            told = json.loads(file.metadata.metadata[b"failures"])
            failures.extend(Failure(*one) for one in told)
            waiting.append(file.read())
            n_rows += waiting[-1].num_rows
            while sum(part.num_rows for part in waiting) >= ROWS:
                joined = pa.concat_tables(waiting)
                yield joined.slice(0, ROWS)
                waiting = [joined.slice(ROWS)]
        yield pa.concat_tables(waiting)

    def texts() -> Iterator[Any]:
        for block in run.blocks:
            yield pq.ParquetFile(_texts_of(block)).read()

    def images() -> Iterator[Any]:
        named = [(name, image) for name, image in origin.images.items() if name in run.seen]
        for start in range(0, len(named), _THUMBNAILS_AT_ONCE):
            some = named[start : start + _THUMBNAILS_AT_ONCE]
            small = [(name, thumbnail(image)) for name, image in some]
            kept = [(name, jpeg) for name, jpeg in small if jpeg is not None]
            columns = {"page_id": [n for n, _ in kept], "jpeg": [jpeg for _, jpeg in kept]}
            yield pa.table(columns, schema=tables.THUMBNAILS)

    wanted: dict[str, tuple[Any, Iterator[Any]]] = {
        PAGES: (tables.PAGES, counts()), TEXTS: (tables.TEXTS, texts()),
    }  # fmt: skip
    if thumbnails and origin.images:
        wanted[THUMBNAILS] = (tables.THUMBNAILS, images())
    files: dict[str, tuple[int, str]] = {}
    for name, (schema, groups) in wanted.items():
        temporary = path / f"{name}.part"
        with tables.writer(str(temporary), schema) as out:
            for group in groups:
                out.write_table(group, row_group_size=max(group.num_rows, 1))
        files[name] = (temporary.stat().st_size, _sha256(temporary))
    if not n_rows:
        reasons = "\n".join(f"{one.page_id}: {one.reason}" for one in failures[:5])
        raise PairingError(f"{manifest.name}: no page could be scored.\n{reasons}")
    done = replace(
        manifest,
        n_pages=run.n_pages,
        n_rows=n_rows,
        sources=origin.sources(),
        warnings=tuple(origin.warnings),
        unpaired=origin.unpaired,
        failures=tuple(failures),
        files=files,
    )
    for name in files:
        _commit(path / f"{name}.part", path / name)
    _write(path / MANIFEST, manifest_json(done))
    shutil.rmtree(path / WORK, ignore_errors=True)
    return done


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _write_table(
    path: Path, table: Any, schema: Any, about: Mapping[str, str] | None = None
) -> None:
    temporary = path.with_name(f"{path.name}.part")
    with tables.writer(str(temporary), schema) as out:
        out.write_table(table, row_group_size=max(table.num_rows, 1))
        if about:
            out.add_key_value_metadata(about)
    _commit(temporary, path)


def _write(path: Path, content: bytes) -> None:
    temporary = path.with_name(f"{path.name}.part")
    temporary.write_bytes(content)
    _commit(temporary, path)


def _commit(temporary: Path, path: Path) -> None:
    """Give a file that is written its name, once it has reached the disk."""
    with temporary.open("rb+") as file:
        os.fsync(file.fileno())
    os.replace(temporary, path)
    if os.name == "posix":
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
