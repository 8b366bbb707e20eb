"""Paired files are read: page by page, with what came up on the way."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath

from htreval_core.errors import PairingError, ReadError
from htreval_core.model import (
    Dataset,
    DataWarning,
    Page,
    Source,
    SourceFile,
    Transcript,
    Unpaired,
    WarningKind,
)
from htreval_core.settings import ReadPolicy
from htreval_core.sources.pairing import PairedFiles, Pairing
from htreval_core.sources.readers import read_transcript
from htreval_core.sources.sides import is_image, stem


class Reading:
    """The pages of a pairing, each read when it is asked for, once.

    A file that cannot be read becomes a warning, and the rest goes on. ``warnings``, ``images`` and
    ``sources`` grow while pages are read; they are whole when the last page has been.

    Args:
        paths: what the user named; of a single file its own digest is told besides.
    """

    def __init__(
        self, pairing: Pairing, reading: ReadPolicy | None = None, paths: Sequence[Path] = ()
    ) -> None:
        self.pairing = pairing
        self.warnings: list[DataWarning] = list(pairing.warnings)
        self.images: dict[str, SourceFile] = {}
        self._reading = reading
        self._paths = paths
        self._tally = _Tally()
        self._by_name = _by_unique_name(pairing.images)

    def __repr__(self) -> str:
        return f"<Reading of {self.name!r}: {len(self.pairing.pages):,} pages>"

    @property
    def n_pages(self) -> int:
        """How many pages are paired; those that cannot be read are among them."""
        return len(self.pairing.pages)

    @property
    def name(self) -> str:
        return self.pairing.name

    @property
    def systems(self) -> tuple[str, ...]:
        return self.pairing.systems

    @property
    def rule(self) -> str:
        return self.pairing.rule

    @property
    def unpaired(self) -> Unpaired:
        return self.pairing.unpaired

    @property
    def sources(self) -> tuple[Source, ...]:
        """The files that the user named, and all that was read so far as one."""
        return (*(_file(path) for path in self._paths if path.is_file()), self._tally.source())

    @property
    def pages(self) -> Iterator[Page]:
        """The pages one after another; those of which a side cannot be read are left out."""
        return filter(None, map(self._page, self.pairing.pages))

    def dataset(self) -> Dataset:
        """All pages with their texts.

        Raises:
            PairingError: not a single page could be read.
        """
        pages = tuple(self.pages)
        warnings = tuple(self.warnings)
        if not pages:
            told = (WarningKind.UNREADABLE, WarningKind.SEVERAL_FILES)
            first = next((w for w in warnings if w.kind in told), None)
            why = f"; {first.kind}: {first.file}: {', '.join(first.detail)}" if first else ""
            raise PairingError(f"{self.name}: no page could be read{why}", warnings=warnings)
        return Dataset(
            self.name, pages, self.systems, self.unpaired, warnings, self.rule, self.images,
            self.sources,
        )  # fmt: skip

    def _page(self, files: PairedFiles) -> Page | None:
        reference = self._attempt(files.reference)
        outputs = {name: self._attempt(file) for name, file in files.hypotheses.items()}
        readable = {name: output for name, output in outputs.items() if output is not None}
        if reference is None or not readable:
            return None
        names = (reference.image or "", files.page_id)
        by_name = self._by_name
        image = next((by_name[n] for n in map(_image_name, names) if n in by_name), None)
        if image:
            self.images[files.page_id] = image
        return Page(files.page_id, reference, readable)

    def _attempt(self, file: SourceFile) -> Transcript | None:
        counted = replace(file, load=lambda: self._tally.read(file))
        try:
            transcript = read_transcript(counted, self._reading)
        except ReadError as error:
            told = str(error).removeprefix(f"{file.name}: ")
            self.warnings.append(
                DataWarning(file.name, WarningKind.UNREADABLE, (told,), remedy=error.remedy)
            )
            return None
        self.warnings.extend(transcript.warnings)
        return transcript


def read_pairing(pairing: Pairing, reading: ReadPolicy | None = None) -> Dataset:
    """The pages with their texts. A file that cannot be read becomes a warning; the rest goes on.

    Raises:
        PairingError: not a single page could be read.
    """
    return Reading(pairing, reading).dataset()


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

    def source(self) -> Source:
        return Source("the pages, as they were read", self.files, self.size,
                      self.digest.hexdigest())  # fmt: skip


def _file(path: Path) -> Source:
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return Source(path.name, 1, path.stat().st_size, digest)


def _image_name(name: str) -> str:
    """What an image and the page that it shows are both called."""
    last = name.replace("\\", "/").rpartition("/")[2].lower()
    return stem(last, PurePosixPath(last).suffix if is_image(SourceFile(last, bytes)) else None)


def _by_unique_name(images: Iterable[SourceFile]) -> dict[str, SourceFile]:
    """Images by name; where two share one, neither can be told to be the page's."""
    named: dict[str, list[SourceFile]] = {}
    for image in images:
        named.setdefault(_image_name(image.name), []).append(image)
    return {name: found[0] for name, found in named.items() if len(found) == 1}
