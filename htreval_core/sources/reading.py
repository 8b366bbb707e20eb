"""Paired files are read: page by page, with what came up on the way."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath

from htreval_core.errors import PairingError, ReadError, Remedy, RemedyKind
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
from htreval_core.sources.pairing import Pairing
from htreval_core.sources.readers import read_transcript
from htreval_core.sources.sides import is_image, stem
from htreval_core.text import lacks_spaces


@dataclass(frozen=True, slots=True)
class LoadedFile:
    """A file with its bytes, or why there are none.

    Args:
        system: whose output it is; empty for the reference.
        name: as in ``SourceFile``.
        plain: as in ``SourceFile``.
        marked: likewise.
    """

    system: str
    name: str
    plain: bool
    marked: bool
    content: bytes = b""
    problem: ReadError | None = None


@dataclass(frozen=True, slots=True)
class LoadedPage:
    """The files of a page with their bytes, the reference first; fit for another process."""

    page_id: str
    files: tuple[LoadedFile, ...]

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(len(file.content) for file in self.files)


@dataclass(frozen=True, slots=True)
class PageTexts:
    """What was read of a page: the texts by system, the reference under an empty name."""

    page_id: str
    texts: Mapping[str, Transcript]
    warnings: tuple[DataWarning, ...] = ()


def read_loaded(page: LoadedPage, reading: ReadPolicy | None = None) -> PageTexts:
    """The texts of a page. A file that cannot be read becomes a warning."""
    texts: dict[str, Transcript] = {}
    warnings: list[DataWarning] = []
    for file in page.files:
        try:
            if file.problem is not None:
                raise file.problem
            source = SourceFile(file.name, lambda file=file: file.content, file.plain, file.marked)  # type: ignore[misc]
            texts[file.system] = transcript = read_transcript(source, reading)
        except ReadError as error:
            told = str(error).removeprefix(f"{file.name}: ")
            warnings.append(
                DataWarning(file.name, WarningKind.UNREADABLE, (told,), remedy=error.remedy)
            )
        else:
            warnings += transcript.warnings
            if not file.system and lacks_spaces(transcript.text):
                remedy = Remedy(RemedyKind.WORDS_AS_CHARACTERS)
                warnings.append(DataWarning(file.name, WarningKind.NO_SPACES, remedy=remedy))
    return PageTexts(page.page_id, texts, tuple(warnings))


def unread(page: LoadedPage, why: str) -> PageTexts:
    """What is known of a page whose files could not be looked at."""
    return PageTexts(
        page.page_id,
        {},
        tuple(DataWarning(file.name, WarningKind.UNREADABLE, (why,)) for file in page.files),
    )


def unreadable_sides(pairing: Pairing, warnings: Iterable[DataWarning]) -> dict[str, DataWarning]:
    """Sides of which not a single paired file could be read, each with the first reason.

    Args:
        warnings: those of the data set that was read from the pairing.

    Returns:
        The first warning by system, that of the references under an empty name.
    """
    failed: dict[str, DataWarning] = {}
    for one in warnings:
        if one.kind is WarningKind.UNREADABLE:
            failed.setdefault(one.file, one)
    sides: dict[str, list[str]] = {"": [page.reference.name for page in pairing.pages]}
    for page in pairing.pages:
        for system, file in page.hypotheses.items():
            sides.setdefault(system, []).append(file.name)
    return {
        side: failed[names[0]]
        for side, names in sides.items()
        if names and all(name in failed for name in names)
    }


def spare_images(pairing: Pairing, found: Dataset | None) -> tuple[SourceFile, ...]:
    """Images that belong to no page of the references, where that can be told.

    A page whose file was not read may name an image that is called otherwise: while there is one
    without an image of its own name, nothing is said.

    Args:
        found: what was read of the pairing so far.
    """
    by_name = _by_unique_name(pairing.images)
    known = {image.name for image in found.images.values()} if found else set()
    read = {page.page_id for page in found.pages} if found else set()
    for page_id, files in pairing.given.references.items():
        names = {_image_name(name) for name in (page_id, *(file.name for file in files))}
        own = [by_name[name].name for name in names if name in by_name]
        known.update(own)
        if not own and page_id not in read and any(map(_may_name_an_image, files)):
            return ()
    return tuple(image for image in pairing.images if image.name not in known)


def _may_name_an_image(file: SourceFile) -> bool:
    return not (file.plain or file.name.lower().endswith((".txt", ".text", ".ref", ".hyp")))


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
        self.policy = reading
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
    def n_files(self) -> int:
        """How many files are paired."""
        return sum(1 + len(page.hypotheses) for page in self.pairing.pages)

    @property
    def pages(self) -> Iterator[Page]:
        """The pages one after another; those of which a side cannot be read are left out."""
        texts = (read_loaded(page, self.policy) for page in self.loaded())
        return filter(None, map(self.take, texts))

    def loaded(self) -> Iterator[LoadedPage]:
        """The files of the pages with their bytes, one page after another."""
        for page in self.pairing.pages:
            yield LoadedPage(
                page.page_id,
                (
                    self._load("", page.reference),
                    *(self._load(system, file) for system, file in page.hypotheses.items()),
                ),
            )

    def take(self, read: PageTexts) -> Page | None:
        """The page of what was read, in the order of ``loaded``; None where a side is missing."""
        self.warnings.extend(read.warnings)
        texts = dict(read.texts)
        reference = texts.pop("", None)
        if reference is None or not texts:
            return None
        names = (reference.image or "", read.page_id)
        by_name = self._by_name
        image = next((by_name[n] for n in map(_image_name, names) if n in by_name), None)
        if image:
            self.images[read.page_id] = image
        return Page(read.page_id, reference, texts)

    def dataset(self, pages: Iterable[Page] | None = None) -> Dataset:
        """All pages with their texts.

        Args:
            pages: those that ``take`` gave, where somebody else has read them.

        Raises:
            PairingError: not a single page could be read.
        """
        pages = tuple(self.pages if pages is None else pages)
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

    def _load(self, system: str, file: SourceFile) -> LoadedFile:
        counted = replace(file, load=lambda: self._tally.read(file))
        try:
            return LoadedFile(system, file.name, file.plain, file.marked, counted.read())
        except ReadError as error:
            return LoadedFile(system, file.name, file.plain, file.marked, problem=error)


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
