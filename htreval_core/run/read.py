"""A bundle is opened. Whoever wrote it is not trusted.

Files of four fixed names are opened, never one that the bundle names; types, lengths and ranges
are checked before anything is computed from them; texts pass the limits of any other file.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from htreval_core.columns import COUNTS, EDITS, MISSING, Names, ScoreTable
from htreval_core.errors import ReadError
from htreval_core.model import Dataset, IntArray, Page, PageScores, SourceFile
from htreval_core.readers import files_at
from htreval_core.readers.bounds import check_transcript
from htreval_core.run import tables
from htreval_core.run.manifest import MOST_BYTES, Manifest, read_manifest
from htreval_core.run.write import MANIFEST, PAGES, SUFFIX, TEXTS, THUMBNAILS, WORK, Known
from htreval_core.score import Evaluation
from htreval_core.settings import Limits

_MOST_ROWS = 50_000_000
_MOST_UNPACKED = 2 * 2**30
"""Bytes of a row group."""
_MOST_COUNT = 2**53
_ROWS_AT_ONCE = 32
"""A text that many rows share is stored once: taken all at once they could fill memory."""
_BLOCKS_KEPT = 4
_UNREADABLE = (pa.ArrowException, OSError, ValueError, TypeError, KeyError, MemoryError)


@dataclass(frozen=True, eq=False)
class Run:
    """A bundle that was opened: scores in memory, texts read when somebody looks at a page."""

    manifest: Manifest
    dataset: Dataset
    evaluation: Evaluation


def is_run(path: Path) -> bool:
    """Whether a path is a bundle: a folder with its manifest or name, or such a folder zipped."""
    if path.is_dir():
        return path.suffix == SUFFIX or ((path / MANIFEST).is_file() and (path / PAGES).is_file())
    return path.is_file() and is_zipped_run(path.name)


def is_zipped_run(name: str) -> bool:
    """Whether an archive is called as a zipped bundle is: NAME.htreval.zip."""
    return name.lower().endswith(f"{SUFFIX}.zip")


def open_run(path: Path | str, limits: Limits | None = None) -> Run:
    """Open a bundle, or a bundle in a zip archive.

    Args:
        limits: how much a page, or a file of an archive, may hold.

    Raises:
        ReadError: it is unfinished, damaged, or none at all.
    """
    path = Path(path)
    if not path.exists():
        raise ReadError(f"{path}: there is no such run bundle; check the path")
    if path.is_dir():
        return _open(_Folder(path), limits or Limits())
    return open_run_files(path.name, files_at(path, limits), limits)


def open_run_files(name: str, files: Sequence[SourceFile], limits: Limits | None = None) -> Run:
    """Open a bundle whose files are given, as those of an archive or an upload are.

    Raises:
        ReadError: it is unfinished, damaged, or none at all.
    """
    return _open(_Given(name, {file.name: file for file in files}), limits or Limits())


class _Folder:
    """The files of a bundle on disk."""

    def __init__(self, path: Path) -> None:
        self.name = path.name
        self._path = path

    def has(self, name: str) -> bool:
        return (self._path / name).exists()

    def read(self, name: str) -> bytes:
        path = self._file(name)
        if path.stat().st_size > MOST_BYTES:
            raise ReadError(f"{self.name}: {name} is larger than {MOST_BYTES:,} bytes")
        return path.read_bytes()

    def open(self, name: str) -> tuple[Any, int]:
        path = self._file(name)
        return str(path), path.stat().st_size

    def _file(self, name: str) -> Path:
        path = self._path / name
        if path.is_symlink():
            raise ReadError(f"{self.name}: {name} is a link; copy the file itself")
        if not path.is_file():
            unfinished = (self._path / WORK).is_dir()
            raise ReadError(
                f"{self.name}: there is no {name}; "
                + ("the run has not ended: start it again with the same command"
                   if unfinished else "name the folder of a run bundle")
            )  # fmt: skip
        return path


class _Given:
    """The files of a bundle that came in an archive or an upload."""

    def __init__(self, name: str, files: Mapping[str, SourceFile]) -> None:
        self.name = name
        self._files = files

    def has(self, name: str) -> bool:
        return name in self._files

    def read(self, name: str) -> bytes:
        if name not in self._files:
            raise ReadError(f"{self.name}: there is no {name} in it; zip a whole run bundle")
        return self._files[name].read()

    def open(self, name: str) -> tuple[Any, int]:
        content = self.read(name)
        return pa.BufferReader(content), len(content)


def _open(files: _Folder | _Given, limits: Limits) -> Run:
    manifest = read_manifest(f"{files.name}/{MANIFEST}", files.read(MANIFEST))
    rows = _Rows.read(files, manifest)
    scores = {name: rows.of_system(number) for number, name in enumerate(manifest.systems)}
    texts = _parquet(files, TEXTS, manifest, tables.TEXTS)
    pages = StoredPages(files.name, texts, *rows.pages(), limits)
    images = _thumbnails(files, manifest) if files.has(THUMBNAILS) else {}
    evaluation = Evaluation(
        pages, manifest.systems, scores, manifest.settings, made_with=manifest.signature
    )
    warnings = list(manifest.warnings)
    warnings += [f"{f.page_id}: not scored under {f.system}: {f.reason}" for f in manifest.failures]
    now = manifest.settings.signature()
    if now != manifest.signature:
        warnings.append(
            f"the run was made with another version, and its signature is {manifest.signature}: "
            "what is computed now, as alignments are, may differ from its figures"
        )
    dataset = Dataset(
        manifest.name, pages.in_order(), manifest.systems, manifest.unpaired, tuple(warnings),
        manifest.rule, images,
    )  # fmt: skip
    return Run(manifest, dataset, evaluation)


def _parquet(
    files: _Folder | _Given, name: str, manifest: Manifest, schema: Any, **options: Any
) -> Any:
    """A Parquet file of the bundle whose size, digest, schema and extent are as they should be."""
    source, size = files.open(name)
    size_told, digest = manifest.files.get(name, (-1, ""))
    if size != size_told:
        raise ReadError(
            f"{files.name}: {name} is not the file that the manifest tells of; if the run was "
            "stopped, start it again with the same command, else fetch the bundle again"
        )
    if name == PAGES and _sha256(source) != digest:
        raise ReadError(f"{files.name}: {name} was changed or damaged; fetch the bundle again")
    try:
        file = pq.ParquetFile(source, **options)
        about = file.metadata
        groups = [about.row_group(number) for number in range(about.num_row_groups)]
        largest = max((group.total_byte_size for group in groups), default=0)
        found = file.schema_arrow
    except _UNREADABLE as error:
        raise _damaged(files.name, name, error) from None
    if found.names != schema.names or not all(
        _is_of(found.field(name).type, schema.field(name).type) for name in schema.names
    ):
        raise _damaged(files.name, name, "its columns are not those of the format")
    if about.num_rows > _MOST_ROWS or largest > _MOST_UNPACKED:
        raise ReadError(f"{files.name}: {name} unpacks to more than a run may hold")
    return file


def _is_of(found: Any, wanted: Any) -> bool:
    """Whether a column has the type that it should, or its values have, where they are numbered."""
    return bool((found.value_type if pa.types.is_dictionary(found) else found) == wanted)


def _sha256(source: Any) -> str:
    if isinstance(source, str):
        with open(source, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    digest = hashlib.sha256(source.read())
    source.seek(0)
    return digest.hexdigest()


def _damaged(bundle: str, name: str, why: object) -> ReadError:
    reason = " ".join(str(why).split())[:200]
    return ReadError(f"{bundle}: {name} is damaged ({reason}); fetch the bundle again")


@dataclass(frozen=True, eq=False)
class _Rows:
    """pages.parquet, checked.

    Args:
        ids: the page ids, each once, in the order of the file.
        page: shape (n,), the number of each row's page.
        system: shape (n,), the number of each row's system.
        content: of each row, 16 bytes.
    """

    manifest: Manifest
    ids: Names
    page: IntArray
    system: IntArray
    counts: Mapping[str, IntArray]
    block: IntArray
    content: Any

    @classmethod
    def read(cls, files: _Folder | _Given, manifest: Manifest) -> _Rows:
        file = _parquet(files, PAGES, manifest, tables.PAGES, read_dictionary=["system", "page_id"])
        try:
            table = file.read()
            if any(table[name].null_count for name in table.column_names if "line" not in name):
                raise ValueError("a count is missing")
            systems, system = _numbered(table["system"])
            ids, page = _numbered(table["page_id"])
            counts = {
                name: (
                    table[name].fill_null(MISSING) if table[name].null_count else table[name]
                ).to_numpy()
                for name in COUNTS
            }
            block = table["block"].to_numpy().astype(np.int64)
            _check_counts(counts)
            if not set(systems) <= set(manifest.systems):
                raise ValueError("a system that the manifest does not name")
            number = np.array([manifest.systems.index(name) for name in systems], dtype=np.int64)
            system = number[system]
            if _repeats(page * len(manifest.systems) + system) or len(page) != manifest.n_rows:
                raise ValueError("rows are missing or occur twice")
        except _UNREADABLE as error:
            raise _damaged(files.name, PAGES, error) from None
        return cls(manifest, ids, page, system, counts, block, table["content"])

    def of_system(self, number: int) -> ScoreTable:
        rows = np.flatnonzero(self.system == number)
        counts = {name: column[rows] for name, column in self.counts.items()}
        return ScoreTable(self.manifest.systems[number], self.ids[self.page[rows]], counts)

    def pages(self) -> tuple[Names, IntArray]:
        """The page ids in order, and the block of each."""
        _, first = np.unique(self.page, return_index=True)
        first = np.sort(first)
        return self.ids[self.page[first]], self.block[first]


def _numbered(column: Any) -> tuple[Names, IntArray]:
    """The different texts of a column, and the number of each row's."""
    joined = column.unify_dictionaries().combine_chunks()
    if isinstance(joined, pa.ChunkedArray):
        joined = pa.concat_arrays(joined.chunks) if joined.num_chunks else joined.chunk(0)
    texts = joined.dictionary.to_pylist()
    if None in texts or len(set(texts)) != len(texts):
        raise ValueError("names are missing or occur twice")
    names = np.empty(len(texts), dtype=object)
    names[:] = texts
    return names, joined.indices.to_numpy().astype(np.int64)


def _repeats(numbers: IntArray) -> bool:
    """Whether a number occurs twice; none is negative."""
    if len(numbers) and int(numbers.max()) < 64 * len(numbers):
        return bool(np.bincount(numbers).max() > 1)
    return len(np.unique(numbers)) < len(numbers)


def _check_counts(counts: Mapping[str, IntArray]) -> None:
    """Counts that no page can have."""

    def check(holds: npt.NDArray[np.bool_], what: str) -> None:
        if not bool(np.all(holds)):
            raise ValueError(what)

    for name, column in counts.items():
        least = MISSING if name == "line_wer_errors" else 0
        check((column >= least) & (column <= _MOST_COUNT), f"{name} is out of range")
    ref, hyp = counts["n_ref_words"], counts["n_hyp_words"]
    for name in ("wer", "bwer"):
        hits, replaced, deleted, inserted = (counts[f"{name}_{kind}"] for kind in EDITS)
        check(hits + replaced + deleted == ref, f"{name} does not add up to the reference words")
        check(hits + replaced + inserted == hyp, f"{name} does not add up to the output's words")
    check(counts["matched_words"] <= np.minimum(ref, hyp), "more words matched than there are")
    check(counts["n_word_types"] <= ref + hyp, "more different words than words")
    check((counts["n_word_types"] > 0) | (ref + hyp == 0), "words without a single different one")


class StoredPages(Mapping[str, Page]):
    """The pages of a bundle by id, in order, their texts read when they are asked for.

    Args:
        file: texts.parquet, a row group a block.
        ids: shape (n,), the page ids.
        blocks: shape (n,), the row group that each page stands in.
    """

    def __init__(
        self, bundle: str, file: Any, ids: Names, blocks: IntArray, limits: Limits
    ) -> None:
        if len(blocks) and int(blocks.max()) >= file.metadata.num_row_groups:
            raise _damaged(bundle, TEXTS, "pages stand in blocks that it does not have")
        self._bundle = bundle
        self._file = file
        self._ids = ids
        self._blocks = blocks
        self._limits = limits
        self._places: dict[str, int] | None = None
        self._kept: OrderedDict[int, dict[str, Page]] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._ids)

    def __iter__(self) -> Iterator[str]:
        return iter(self._ids)

    def __contains__(self, page_id: object) -> bool:
        return page_id in self._at

    def __getitem__(self, page_id: str) -> Page:
        return self.number(self._at[page_id])

    @property
    def _at(self) -> dict[str, int]:
        if self._places is None:
            self._places = {page_id: number for number, page_id in enumerate(self._ids)}
        return self._places

    def number(self, place: int) -> Page:
        """The page at a place in the order.

        Raises:
            ReadError: its texts are missing or damaged.
        """
        block, page_id = int(self._blocks[place]), self._ids[place]
        with self._lock:
            if block not in self._kept:
                self._kept[block] = self._read(block)
                while len(self._kept) > _BLOCKS_KEPT:
                    self._kept.popitem(last=False)
            self._kept.move_to_end(block)
            page = self._kept[block].get(page_id)
        if page is None:
            raise _damaged(self._bundle, TEXTS, f"page {page_id} is not where it should be")
        return page

    def _read(self, block: int) -> dict[str, Page]:
        found: dict[str, dict[str | None, Any]] = {}
        try:
            for batch in self._file.iter_batches(batch_size=_ROWS_AT_ONCE, row_groups=[block]):
                if batch.nbytes > _MOST_UNPACKED:
                    raise ValueError("it unpacks to more than a run may hold")
                for page_id, system, side in tables.sides(batch.to_pylist()):
                    check_transcript(f"{self._bundle}: page {page_id}", side, self._limits)
                    found.setdefault(page_id, {})[system] = side
            return {page_id: tables.as_page(page_id, sides) for page_id, sides in found.items()}
        except _UNREADABLE as error:
            raise _damaged(self._bundle, TEXTS, error) from None

    def in_order(self) -> Sequence[Page]:
        """The same pages as a sequence."""
        return _InOrder(self)


class _InOrder(Sequence[Page]):
    def __init__(self, pages: StoredPages) -> None:
        self._pages = pages

    def __len__(self) -> int:
        return len(self._pages)

    def __getitem__(self, index: Any) -> Any:
        places = range(len(self._pages))[index]
        if isinstance(places, range):
            return tuple(self._pages.number(place) for place in places)
        return self._pages.number(places)


def _thumbnails(files: _Folder | _Given, manifest: Manifest) -> dict[str, SourceFile]:
    file = _parquet(files, THUMBNAILS, manifest, tables.THUMBNAILS)
    found: dict[str, SourceFile] = {}
    try:
        for group in range(file.metadata.num_row_groups):
            names = file.read_row_group(group, columns=["page_id"])["page_id"].to_pylist()
            for row, name in enumerate(names):

                def load(group: int = group, row: int = row) -> bytes:
                    try:
                        cell = file.read_row_group(group, columns=["jpeg"])["jpeg"][row].as_py()
                    except _UNREADABLE as error:
                        raise _damaged(files.name, THUMBNAILS, error) from None
                    return cell or b""

                found[str(name)] = SourceFile(f"{name}.jpg", load)
    except _UNREADABLE as error:
        raise _damaged(files.name, THUMBNAILS, error) from None
    return found


def known_scores(path: Path) -> Known:
    """What a bundle knows: the scores of a page and system with texts of a certain digest.

    Raises:
        ReadError: it is unfinished or damaged.
    """
    files = _Folder(path)
    manifest = read_manifest(f"{path.name}/{MANIFEST}", files.read(MANIFEST))
    rows = _Rows.read(files, manifest)
    by_system = {
        name: (rows.of_system(number), np.flatnonzero(rows.system == number))
        for number, name in enumerate(manifest.systems)
    }
    content = rows.content
    places = {
        name: {page_id: at for at, page_id in enumerate(table.page_ids)}
        for name, (table, _) in by_system.items()
    }

    def known(page_id: str, system: str, digest: bytes) -> PageScores | None:
        at = places.get(system, {}).get(page_id)
        if at is None:
            return None
        table, numbers = by_system[system]
        return table[at] if content[int(numbers[at])].as_py() == digest else None

    return known
