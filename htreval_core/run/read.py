"""A bundle is opened. Whoever wrote it is not trusted.

Files of five fixed names are opened, never one that the bundle names; types, lengths and ranges
are checked before anything is computed from them; texts pass the limits of any other file.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from htreval_core.errors import ReadError
from htreval_core.metrics.columns import COUNTS, EDITS, MISSING, OPTIONAL, Names, ScoreTable
from htreval_core.model import DataWarning, IntArray, PageScores, SourceFile, WarningKind
from htreval_core.run import tables
from htreval_core.run.diagnosed import BundleDiagnoses
from htreval_core.run.files import UNREADABLE, Archived, Folder, check_digest, damaged, open_parquet
from htreval_core.run.manifest import Manifest, read_manifest
from htreval_core.run.names import MANIFEST, PAGES, SUFFIX, TEXTS, THUMBNAILS
from htreval_core.run.stored import BundlePages
from htreval_core.scoring.study import Study
from htreval_core.settings import Limits
from htreval_core.settings.version import build
from htreval_core.sources.dataset import Dataset
from htreval_core.sources.readers.files import files_at

_MOST_COUNT = 2**53


def is_run(path: Path) -> bool:
    """Whether a path is a bundle: a folder with its manifest or name, or such a folder zipped."""
    if path.is_dir():
        return path.suffix == SUFFIX or ((path / MANIFEST).is_file() and (path / PAGES).is_file())
    return path.is_file() and path.name.lower().endswith(f"{SUFFIX}.zip")


def open_run(path: Path | str, limits: Limits | None = None) -> Study:
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
        return _open(Folder(path), limits or Limits())
    return open_run_files(path.name, files_at(path, limits), limits)


def open_run_files(name: str, files: Sequence[SourceFile], limits: Limits | None = None) -> Study:
    """Open a bundle whose files are given, as those of an archive or an upload are.

    Raises:
        ReadError: it is unfinished, damaged, or none at all.
    """
    return _open(Archived(name, {file.name: file for file in files}), limits or Limits())


def _open(files: Folder | Archived, limits: Limits) -> Study:
    manifest = read_manifest(f"{files.name}/{MANIFEST}", files.read(MANIFEST))
    if manifest.shard:
        raise ReadError(
            f"{files.name}: only shard {manifest.shard} of a run; merge all, and open the result"
        )
    rows = _Rows.read(files, manifest)
    scores = {name: rows.of_system(number) for number, name in enumerate(manifest.systems)}
    texts = open_parquet(files, TEXTS, manifest, tables.TEXTS)
    # A system of which no page could be scored has no values.
    scores = {name: table for name, table in scores.items() if len(table)}
    if not scores:
        raise damaged(files.name, PAGES, "it holds no page")
    ids, blocks = rows.pages()
    pages = BundlePages(
        files.name, texts, ids, blocks, limits, rows.readers(),
        whole=partial(check_digest, files, TEXTS, manifest),
    )  # fmt: skip
    warnings = manifest.warnings
    if manifest.settings.signature() != manifest.signature:
        other = DataWarning(manifest.name, WarningKind.OTHER_SIGNATURE, (manifest.signature,))
        warnings = (*(one for one in warnings if one != other), other)
    found_by = manifest.made_with.get("build", "")
    if found_by != build():
        other = DataWarning(manifest.name, WarningKind.OTHER_BUILD, (found_by,))
        warnings = (*(one for one in warnings if one.kind is not other.kind), other)
    dataset = Dataset(
        manifest.name, pages, manifest.systems, manifest.unpaired, warnings, manifest.rule,
        _thumbnails(files, manifest) if files.has(THUMBNAILS) else {}, manifest.sources,
        manifest.settings.reading,
    )  # fmt: skip
    return Study(
        dataset, manifest.settings, scores, manifest.failures, manifest.signature,
        diagnosed=BundleDiagnoses(files, manifest, scores), build=found_by,
    )  # fmt: skip


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
    def read(cls, files: Folder | Archived, manifest: Manifest) -> "_Rows":
        file = open_parquet(
            files, PAGES, manifest, tables.PAGES, read_dictionary=["system", "page_id"]
        )
        try:
            table = file.read()
            if any(table[n].null_count for n in table.column_names if n not in OPTIONAL):
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
            different = np.unique(page * len(manifest.systems) + system)
            if not len(different) == len(page) == manifest.n_rows:
                raise ValueError("rows are missing or occur twice")
        except UNREADABLE as error:
            raise damaged(files.name, PAGES, error) from None
        return cls(manifest, ids, page, system, counts, block, table["content"])

    def of_system(self, number: int) -> ScoreTable:
        rows = np.flatnonzero(self.system == number)
        counts = {name: column[rows] for name, column in self.counts.items()}
        return ScoreTable(self.manifest.systems[number], self.ids[self.page[rows]], counts)

    def pages(self) -> tuple[Names, IntArray]:
        """The page ids in order, and the block of each."""
        first = self._first()
        return self.ids[self.page[first]], self.block[first]

    def _first(self) -> IntArray:
        _, first = np.unique(self.page, return_index=True)
        return np.sort(first)

    def readers(self) -> Callable[[int], Mapping[str, bytes]]:
        """A function from the place of a page in the order to the systems that read it.

        Each with the digest of the texts.
        """
        found: list[tuple[IntArray, IntArray, IntArray]] = []

        def of(place: int) -> Mapping[str, bytes]:
            if not found:
                # Only when the first text is looked at: of very many rows it takes a while.
                order = np.argsort(self.page, kind="stable")
                starts = np.searchsorted(self.page[order], np.arange(len(self.ids) + 1))
                found.append((order, starts, self.page[self._first()]))
            order, starts, numbers = found[0]
            number = int(numbers[place])
            rows = order[starts[number] : starts[number + 1]]
            content = self.content.take(rows).to_pylist()
            names = [self.manifest.systems[n] for n in self.system[rows]]
            return dict(zip(names, content, strict=True))

        return of


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


def _check_counts(counts: Mapping[str, IntArray]) -> None:
    """Counts that no page can have."""

    def check(holds: npt.NDArray[np.bool_], what: str) -> None:
        if not bool(np.all(holds)):
            raise ValueError(what)

    for name, column in counts.items():
        least = MISSING if name in OPTIONAL else 0
        check((column >= least) & (column <= _MOST_COUNT), f"{name} is out of range")
    ref, hyp = counts["n_ref_words"], counts["n_hyp_words"]
    for name in ("wer", "bwer"):
        hits, replaced, deleted, inserted = (counts[f"{name}_{kind}"] for kind in EDITS)
        check(hits + replaced + deleted == ref, f"{name} does not add up to the reference words")
        check(hits + replaced + inserted == hyp, f"{name} does not add up to the output's words")
    check(counts["matched_words"] <= np.minimum(ref, hyp), "more words matched than there are")
    check(counts["n_word_types"] <= ref + hyp, "more different words than words")
    check((counts["n_word_types"] > 0) | (ref + hyp == 0), "words without a single different one")
    fewer = np.minimum(counts["n_ref_chars"], counts["n_hyp_chars"])
    check(counts["cer_hits"] <= fewer, "more characters kept than the page has")


def _thumbnails(files: Folder | Archived, manifest: Manifest) -> dict[str, SourceFile]:
    file = open_parquet(files, THUMBNAILS, manifest, tables.THUMBNAILS)
    found: dict[str, SourceFile] = {}
    try:
        for group in range(file.metadata.num_row_groups):
            names = file.read_row_group(group, columns=["page_id"])["page_id"].to_pylist()
            for row, name in enumerate(names):

                def load(group: int = group, row: int = row) -> bytes:
                    try:
                        cell = file.read_row_group(group, columns=["jpeg"])["jpeg"][row].as_py()
                    except UNREADABLE as error:
                        raise damaged(files.name, THUMBNAILS, error) from None
                    return cell or b""

                found[str(name)] = SourceFile(f"{name}.jpg", load)
    except UNREADABLE as error:
        raise damaged(files.name, THUMBNAILS, error) from None
    return found


class KnownScores:
    """Scores that need not be found again.

    Args:
        tables: the scores by system.
        content: by system the digest of the texts of each row; without it they stand for the
            texts whatever these are.
    """

    def __init__(
        self, tables: Mapping[str, ScoreTable], content: Mapping[str, Sequence[bytes]] | None = None
    ) -> None:
        self._tables = tables
        self._content = content
        self._rows = {
            system: {page_id: row for row, page_id in enumerate(table.page_ids)}
            for system, table in tables.items()
        }

    def digests(self, page_id: str) -> dict[str, bytes | None]:
        """The systems under which a page was scored, each with the digest of the texts.

        None stands for the texts whatever they are.
        """
        found = {n: rows[page_id] for n, rows in self._rows.items() if page_id in rows}
        return {n: self._content[n][row] if self._content else None for n, row in found.items()}

    def scores(self, page_id: str, system: str) -> PageScores:
        """The scores themselves."""
        return self._tables[system][self._rows[system][page_id]]


def known_scores(path: Path) -> KnownScores:
    """What a bundle knows.

    Raises:
        ReadError: it is unfinished or damaged.
    """
    files = Folder(path)
    manifest = read_manifest(f"{path.name}/{MANIFEST}", files.read(MANIFEST))
    rows = _Rows.read(files, manifest)
    content = rows.content.to_numpy()
    of_system = enumerate(manifest.systems)
    chosen = {name: np.flatnonzero(rows.system == number) for number, name in of_system}
    return KnownScores(
        {name: rows.of_system(number) for number, name in enumerate(manifest.systems)},
        {name: content[at] for name, at in chosen.items()},
    )
