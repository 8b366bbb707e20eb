"""Files that are whole or not there: written aside, brought to the disk, then named."""

import hashlib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from htreval_core.run import tables


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file as hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def write_table(
    path: Path, table: Any, schema: Any, about: Mapping[str, str | bytes] | None = None
) -> None:
    """A table as a Parquet file of one row group, for a while, with its metadata."""
    temporary = path.with_name(f"{path.name}.part")
    with tables.writer(str(temporary), schema, lasting=False) as out:
        out.write_table(table, row_group_size=max(table.num_rows, 1))
        if about:
            out.add_key_value_metadata(about)
    commit(temporary, path)


def write_bytes(path: Path, content: bytes) -> None:
    """Bytes as a file."""
    temporary = path.with_name(f"{path.name}.part")
    temporary.write_bytes(content)
    commit(temporary, path)


def commit(temporary: Path, path: Path) -> None:
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
