"""The pages of files as a run takes them: one after another, with a tally of what was read."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from htreval_core.model import Page, SourceFile
from htreval_core.run.manifest import Source
from htreval_core.run.write import Origin
from htreval_core.settings import ReadPolicy
from htreval_core.sources.pairing import Pairing, read_pages


@dataclass(slots=True)
class _Tally:
    """Files as they are read: how many, how large, and one digest over all of them."""

    files: int = 0
    size: int = 0
    digest: hashlib._Hash = field(default_factory=hashlib.sha256)

    def read(self, file: SourceFile) -> bytes:
        content = file.load()
        self.files += 1
        self.size += len(content)
        line = f"{hashlib.sha256(content).hexdigest()}  {file.name}\n"
        self.digest.update(line.encode("utf-8", "surrogatepass"))
        return content

    def counted(self, file: SourceFile) -> SourceFile:
        return replace(file, load=lambda: self.read(file))


def read_origin(
    pairing: Pairing, reading: ReadPolicy | None = None, paths: Sequence[Path] = ()
) -> tuple[Iterator[Page], Origin]:
    """The pages of a pairing, read as they are asked for, and where they come from.

    Args:
        paths: what the user named; of a single file its own digest is told besides.
    """
    tally = _Tally()
    warnings = list(pairing.warnings)
    images: dict[str, SourceFile] = {}

    def sources() -> tuple[Source, ...]:
        read = Source("the pages, as they were read", tally.files, tally.size,
                      tally.digest.hexdigest())  # fmt: skip
        return (*(_file(path) for path in paths if path.is_file()), read)

    origin = Origin(
        pairing.name, pairing.systems, pairing.rule, pairing.unpaired, warnings, images, sources
    )
    pages = read_pages(pairing, reading, warnings=warnings, images=images, through=tally.counted)
    return pages, origin


def _file(path: Path) -> Source:
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return Source(path.name, 1, path.stat().st_size, digest)
