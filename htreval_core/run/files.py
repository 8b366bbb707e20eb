"""The files of a bundle, wherever it is, opened with suspicion."""

import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from htreval_core.errors import ReadError
from htreval_core.model import SourceFile
from htreval_core.run.manifest import MOST_BYTES, Manifest
from htreval_core.run.names import TEXTS, WORK

_MOST_ROWS = 50_000_000
_MOST_UNPACKED = 2 * 2**30
"""Bytes of a row group."""
_MOST_ROWS_GIVEN = 4_000_000
_MOST_UNPACKED_GIVEN = 512 * 2**20
"""The same of what came in an archive or an upload, and is held in memory by many at once."""
_BYTES_AT_ONCE = 64 * 2**20
"""A text that many rows share is stored once: taken all at once they could fill memory."""
_MOST_SHARED = 2
"""How many times what a row group says it may take in memory; texts that rows share pass that."""
UNREADABLE = (pa.ArrowException, OSError, ValueError, TypeError, KeyError, MemoryError)


class Folder:
    """The files of a bundle on disk."""

    most_rows, most_unpacked = _MOST_ROWS, _MOST_UNPACKED

    def __init__(self, path: Path) -> None:
        self.name = path.name
        self.path = path

    def has(self, name: str) -> bool:
        return (self.path / name).exists()

    def read(self, name: str) -> bytes:
        path = self._file(name)
        if path.stat().st_size > MOST_BYTES:
            raise ReadError(f"{self.name}: {name} is larger than {MOST_BYTES:,} bytes")
        return path.read_bytes()

    def open(self, name: str) -> tuple[Any, int]:
        path = self._file(name)
        return str(path), path.stat().st_size

    def _file(self, name: str) -> Path:
        path = self.path / name
        if path.is_symlink():
            raise ReadError(f"{self.name}: {name} is a link; copy the file itself")
        if not path.is_file():
            unfinished = (self.path / WORK).is_dir()
            raise ReadError(
                f"{self.name}: there is no {name}; "
                + ("the run has not ended: start it again with the same command"
                   if unfinished else "name the folder of a run bundle")
            )  # fmt: skip
        return path


class Archived:
    """The files of a bundle that came in an archive or an upload."""

    most_rows, most_unpacked = _MOST_ROWS_GIVEN, _MOST_UNPACKED_GIVEN

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


def open_parquet(
    files: Folder | Archived, name: str, manifest: Manifest, schema: Any, **options: Any
) -> Any:
    """A Parquet file of the bundle whose size, digest, schema and extent are as they should be."""
    source, size = files.open(name)
    size_told, _ = manifest.files.get(name, (-1, ""))
    if size != size_told:
        raise ReadError(
            f"{files.name}: {name} is not the file that the manifest describes; if the run was "
            "stopped, start it again with the same command, else fetch the bundle again"
        )
    # The texts may be very large: each page of them has a digest of its own.
    if name != TEXTS:
        check_digest(files, name, manifest)
    try:
        file = pq.ParquetFile(source, **options)
        about = file.metadata
        groups = [about.row_group(number) for number in range(about.num_row_groups)]
        largest = max((group.total_byte_size for group in groups), default=0)
        found = file.schema_arrow
    except UNREADABLE as error:
        raise damaged(files.name, name, error) from None
    if found.names != schema.names:
        raise ReadError(
            f"{files.name}: {name} has other columns than this version of htreval writes; score "
            "the pages again, or open it with the version that made it"
        )
    # Values may be numbered, as in a dictionary.
    types = [found.field(name).type for name in schema.names]
    types = [one.value_type if pa.types.is_dictionary(one) else one for one in types]
    if types != [schema.field(name).type for name in schema.names]:
        raise damaged(files.name, name, "its columns are not of the types of the format")
    if about.num_rows > files.most_rows or largest > files.most_unpacked:
        raise ReadError(
            f"{files.name}: {name} unpacks to more than a run may hold: {about.num_rows:,} rows, "
            f"up to {largest:,} bytes at once"
        )
    return file


def check_digest(files: Folder | Archived, name: str, manifest: Manifest) -> None:
    """Read all of a file and compare it with what the manifest tells of it.

    Raises:
        ReadError: it is another.
    """
    source, _ = files.open(name)
    if _sha256(source) != manifest.files.get(name, (-1, ""))[1]:
        raise ReadError(f"{files.name}: {name} was changed or damaged; fetch the bundle again")


def batches_of(file: Any, group: int, most_rows: int) -> Iterator[Any]:
    """The rows of a row group in batches that memory can hold, whatever the file says.

    Raises:
        ValueError: it unpacks to more than it may, or more than it says: a text that many rows
            share is stored once.
    """
    unpacked = file.metadata.row_group(group).total_byte_size
    limit = min(_MOST_UNPACKED, max(_BYTES_AT_ONCE, _MOST_SHARED * unpacked))
    size = 0
    at_once = max(1, min(most_rows, _BYTES_AT_ONCE // max(unpacked, 1)))
    for batch in file.iter_batches(batch_size=at_once, row_groups=[group]):
        size += batch.nbytes
        if size > limit:
            raise ValueError("it unpacks beyond the limit of what a run may hold")
        yield batch


def _sha256(source: Any) -> str:
    if isinstance(source, str):
        with open(source, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    digest = hashlib.sha256(source.read())
    source.seek(0)
    return digest.hexdigest()


def damaged(bundle: str, name: str, why: object) -> ReadError:
    reason = " ".join(str(why).split())[:200]
    return ReadError(f"{bundle}: {name} is damaged ({reason}); fetch the bundle again")
