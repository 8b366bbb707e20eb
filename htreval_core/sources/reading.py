"""Paired files are read: page by page, with what came up on the way."""

import hashlib
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import TypeAlias

from htreval_core.errors import PairingError, ReadError, Remedy, RemedyKind
from htreval_core.model import DataWarning, Page, SourceFile, Transcript, WarningKind
from htreval_core.settings import ReadPolicy
from htreval_core.sources.dataset import (
    Dataset,
    FileRead,
    Learned,
    PageItem,
    Receipt,
    Source,
    StoredPages,
    Unpaired,
)
from htreval_core.sources.formats import is_dense, is_of
from htreval_core.sources.pairing import Pairing
from htreval_core.sources.readers.loading import Held, sendable
from htreval_core.sources.sides import is_image, stem
from htreval_core.sources.transcripts import read_transcript
from htreval_core.text import lacks_spaces

_PAGES_KEPT = 32
"""Pages whose texts are held because they may be asked for again."""
_FILE_COST = 20_000
_BYTE_COST = 1
"""What a page and each byte of it cost, in the cells of its word rectangle."""
_TEXT_BYTES = 6
_MARKUP_BYTES = 80
"""About how many bytes a word takes in plain text, and in XML with its outlines."""


@dataclass(frozen=True, slots=True)
class FiledPage:
    """A page in files, which are read where it is needed, perhaps in another process.

    Args:
        files: by system, the reference first under an empty name.
        before: by system, the SHA-256 of files that were read before: they must not have changed.
        needs_reference: whether there is no page without one; else an empty text stands for it.
    """

    page_id: str
    files: tuple[tuple[str, SourceFile], ...]
    policy: ReadPolicy
    before: Mapping[str, bytes] | None = None
    needs_reference: bool = True

    @property
    def systems(self) -> tuple[str, ...]:
        return tuple(system for system, _ in self.files if system)

    @property
    def size(self) -> int:
        """Bytes of all files, as far as they are known without reading them."""
        return sum(file.size for _, file in self.files)

    @property
    def cost(self) -> int:
        """About how long it takes to read and score, in cells of the rectangle |X|·|Y|."""
        (_, first), *others = self.files
        words = _about_words(first)
        return _FILE_COST + sum(
            _FILE_COST + _BYTE_COST * output.size + words * _about_words(output)
            for _, output in others
        )

    def read(self) -> tuple[Page | None, Receipt]:
        """The page, or None where it has no reference or no output that can be read.

        A file that cannot be read becomes a warning of the receipt.

        Raises:
            ReadError: a file is not what it was.
        """
        texts: dict[str, Transcript] = {}
        warnings: list[DataWarning] = []
        files: list[FileRead] = []
        for system, file in self.files:
            try:
                content = file.read()
                files.append(read := _as_read(system, file, content))
                if self.before is not None and bytes.fromhex(read.sha256) != self.before[system]:
                    raise ReadError(f"{file.name}: has changed since; score the pages again")
                held = replace(file, load=Held(content))
                texts[system] = transcript = read_transcript(held, self.policy)
            except ReadError as error:
                if self.before is not None:
                    raise
                told = str(error).removeprefix(f"{file.name}: ")
                warnings.append(
                    DataWarning(file.name, WarningKind.UNREADABLE, (told,), remedy=error.remedy)
                )
            else:
                warnings += transcript.warnings
                if not system and lacks_spaces(transcript.text):
                    remedy = Remedy(RemedyKind.WORDS_AS_CHARACTERS)
                    warnings.append(DataWarning(file.name, WarningKind.NO_SPACES, remedy=remedy))
        name = self.files[0][1].name
        warnings += filter(None, (_private_signs(name, texts), _unseen_signs(name, texts)))
        warnings += _other_images(self.files, texts)
        warnings += _without_marks(name, texts, self.policy)
        about = tuple(warnings), tuple(files)
        reference = texts.pop("", None)
        if reference is None and not self.needs_reference:
            reference = Transcript(())
        if reference is None or not texts:
            return None, Receipt(self.page_id, (), about[0], None, about[1])
        receipt = Receipt(self.page_id, tuple(texts), about[0], reference.image, about[1])
        return Page(self.page_id, reference, texts), receipt

    def only(self, systems: Collection[str]) -> "FiledPage":
        """The same with the output of these systems alone."""
        if set(self.systems) <= set(systems):
            return self
        kept = tuple((name, file) for name, file in self.files if not name or name in systems)
        return replace(self, files=kept)

    def sendable(self) -> "FiledPage":
        """The same fit for another process: of files that stand on no disk, with the bytes."""
        return replace(self, files=tuple((name, sendable(file)) for name, file in self.files))

    def identity(self) -> bytes:
        """A digest of all bytes of its files, which are fetched for it."""
        found = []
        for system, file in self.files:
            with suppress(ReadError):
                found.append(_as_read(system, file, file.read()))
        return identity_of(found)


_PRIVATE = re.compile("[\ue000-\uf8ff]")


def _private_signs(name: str, texts: Mapping[str, Transcript]) -> DataWarning | None:
    """That the reference has signs of a font, such as ligatures of MUFI, which no output has."""
    if "" not in texts or not (n := len(_PRIVATE.findall(texts[""].text))):
        return None
    if any(system and _PRIVATE.search(side.text) for system, side in texts.items()):
        return None
    remedy = Remedy(RemedyKind.READ_SIGNS)
    return DataWarning(name, WarningKind.PRIVATE_SIGNS, count=n, remedy=remedy)


_UNSEEN = re.compile(
    "[\x1a\x80-\x84\x86-\x9f\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff\ufffd]"
    "|(?<!\\S)[\u200c\u200d](?!\\S)"
)


def _unseen_signs(name: str, texts: Mapping[str, Transcript]) -> DataWarning | None:
    """That some sides alone have marks of direction, or what a wrong encoding leaves behind."""
    found = [_UNSEEN.findall(side.text) for side in texts.values()]
    if not any(found) or all(found):
        return None
    signs = sorted({f"U+{ord(sign):04X}" for of in found for sign in of})
    n = sum(map(len, found))
    return DataWarning(name, WarningKind.UNSEEN_SIGNS, tuple(signs[:3]), n)


def _without_marks(
    name: str, texts: Mapping[str, Transcript], policy: ReadPolicy
) -> Iterator[DataWarning]:
    """That heads are left out, but some sides alone mark what their regions are."""
    marks = {system: any(line.region_kind for line in side.lines)
             for system, side in texts.items() if side.lines}  # fmt: skip
    bare = tuple(system or "the reference" for system, does in marks.items() if not does)
    if "heads" in policy.markup and 0 < len(bare) < len(marks):
        yield DataWarning(name, WarningKind.HEADS_UNMARKED, bare)


def _other_images(
    files: Iterable[tuple[str, SourceFile]], texts: Mapping[str, Transcript]
) -> Iterator[DataWarning]:
    """That outputs are of another image than their reference, by the numbers in their names."""
    image = (texts[""].image if "" in texts else None) or ""
    own = re.split(r"(\d+)", PurePosixPath(image).stem)
    for system, file in files:
        named = (texts[system].image if system in texts else None) or file.name
        other = re.split(r"(\d+)", PurePosixPath(named).name.partition(".")[0])
        if own[::2] == other[::2] and [*map(int, own[1::2])] != [*map(int, other[1::2])]:
            yield DataWarning(file.name, WarningKind.OTHER_IMAGE, (image, named))


def _as_read(system: str, file: SourceFile, content: bytes) -> FileRead:
    return FileRead(system, file.name, len(content), hashlib.sha256(content).hexdigest())


def identity_of(files: Iterable[FileRead]) -> bytes:
    """A digest of the bytes and the names of some files, 32 bytes."""
    digest = hashlib.sha256()
    for file in files:
        line = f"{file.sha256}  {file.system}\0{file.name}\n"
        digest.update(line.encode("utf-8", "surrogatepass"))
    return digest.digest()


def _about_words(file: SourceFile) -> int:
    is_text = file.plain or is_dense(file.name)
    return file.size // (_TEXT_BYTES if is_text else _MARKUP_BYTES)


class FiledPages(StoredPages):
    """Pages whose files were read before, and are read again when their texts are asked for."""

    def __init__(self, items: Sequence[FiledPage]) -> None:
        self.page_ids = tuple(item.page_id for item in items)
        self._items = items
        # Pages may be asked for again: those that were read last are held.
        self._kept = lru_cache(_PAGES_KEPT)(self._read)

    def __reduce__(self) -> "tuple[type[FiledPages], tuple[Sequence[FiledPage]]]":
        # The texts at hand do not travel.
        return FiledPages, (self._items,)

    def item(self, place: int, *, bare: bool = False) -> PageItem:
        """The page at a place, yet to be read."""
        item = self._items[place]
        return replace(item, policy=replace(item.policy, outlines=False)) if bare else item

    def page_at(self, place: int) -> Page:
        """The page at a place.

        Raises:
            ReadError: its files are not what they were.
        """
        return self._kept(place)

    def _read(self, place: int) -> Page:
        page, _ = self._items[place].read()
        if page is None:
            raise ReadError(f"{self.page_ids[place]}: can no longer be read")
        return page


def unreadable_sides(pairing: Pairing, warnings: Iterable[DataWarning]) -> dict[str, DataWarning]:
    """Sides of which not a single paired file could be read, each with the first reason.

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
    """Images that belong to no page of the references, where what was read so far tells that.

    A page whose file was not read may name an image that is called otherwise: while there is one
    without an image of its own name, nothing is said.
    """
    by_name = _by_unique_name(pairing.images)
    known = {image.name for image in found.images.values()} if found else set()
    read = set(found.page_ids) if found else set()
    for page_id, files in pairing.given.references.items():
        names = {_image_name(name) for name in (page_id, *(file.name for file in files))}
        own = [by_name[name].name for name in names if name in by_name]
        known.update(own)
        if (
            not own
            and page_id not in read
            and not all(one.plain or is_of("text", one.name) for one in files)
        ):
            return ()
    return tuple(image for image in pairing.images if image.name not in known)


@dataclass(frozen=True)
class Reading:
    """The pages of a pairing, ready to be read.

    Args:
        policy: how files are read.
        paths: what the user named; of a single file also its own digest.
    """

    pairing: Pairing
    policy: ReadPolicy = field(default_factory=ReadPolicy)
    paths: tuple[Path, ...] = ()

    def __repr__(self) -> str:
        return f"<Reading of {self.name!r}: {len(self.pairing.pages):,} pages>"

    @property
    def n_pages(self) -> int:
        """How many pages are paired; those that cannot be read are among them."""
        return len(self.pairing.pages)

    @property
    def n_files(self) -> int:
        """How many files are paired."""
        return sum(1 + len(page.hypotheses) for page in self.pairing.pages)

    @property
    def page_ids(self) -> tuple[str, ...]:
        """The ids of all of them, in their order."""
        return self.pairing.page_ids

    def only(self, pages: Iterable[str]) -> "Reading":
        """The same with these pages alone, in this order.

        Raises:
            KeyError: there is no such page.
        """
        by_id = {page.page_id: page for page in self.pairing.pages}
        chosen = tuple(by_id[page_id] for page_id in pages)
        return replace(self, pairing=replace(self.pairing, pages=chosen))

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
    def items(self) -> Iterator[FiledPage]:
        """The pages in order, yet to be read."""
        for page in self.pairing.pages:
            files = (("", page.reference), *page.hypotheses.items())
            yield FiledPage(page.page_id, files, self.policy)

    def learn(self, receipts: Iterable[Receipt]) -> Learned:
        """What is to be known of the data, now that its pages, or the first of them, were read."""
        by_name = _by_unique_name(self.pairing.images)
        warnings = list(self.pairing.warnings)
        images: dict[str, SourceFile] = {}
        n_files = size = 0
        is_read = False
        digest = hashlib.sha256()
        for one in receipts:
            is_read |= bool(one.systems)
            warnings += one.warnings
            of_page = (one.image or "", one.page_id) if by_name and one.systems else ()
            image = next(filter(None, map(by_name.get, map(_image_name, of_page))), None)
            if image:
                images[one.page_id] = image
            for file in one.files:
                n_files += 1
                size += file.size
                digest.update(f"{file.sha256}  {file.name}\n".encode("utf-8", "surrogatepass"))
        read = Source("the pages, as they were read", n_files, size, digest.hexdigest())
        # What nothing could be read from may be without an end, or larger than is allowed.
        named = (_file(path) for path in self.paths if is_read and path.is_file())
        return Learned(tuple(warnings), images, (*named, read))

    def dataset(self, receipts: Sequence[Receipt]) -> Dataset:
        """The pages that were read, whose texts are read again when they are asked for.

        Args:
            receipts: of the pages, or of the first of them, in their order.

        Raises:
            PairingError: not a single page could be read.
        """
        items = [
            replace(
                item.only(one.systems),
                before={file.system: bytes.fromhex(file.sha256) for file in one.files} or None,
            )
            for item, one in zip(self.items, receipts, strict=False)
            if one.systems
        ]
        return self._dataset(FiledPages(items), receipts)

    def read(self) -> Dataset:
        """All pages with their texts, which are held.

        Raises:
            PairingError: not a single page could be read.
        """
        found = [item.read() for item in self.items]
        pages = tuple(page for page, _ in found if page is not None)
        return self._dataset(pages, [receipt for _, receipt in found])

    def _dataset(self, pages: Sequence[Page], receipts: Sequence[Receipt]) -> Dataset:
        learned = self.learn(receipts)
        if not pages:
            told = (WarningKind.UNREADABLE, WarningKind.SEVERAL_FILES)
            first = next((w for w in learned.warnings if w.kind in told), None)
            why = f"; {first.kind}: {first.file}: {', '.join(first.detail)}" if first else ""
            raise PairingError(
                f"{self.name}: no page could be read{why}", warnings=learned.warnings
            )
        return Dataset(
            self.name, pages, self.systems, self.unpaired, learned.warnings, self.rule,
            learned.images, learned.sources, self.policy,
        )  # fmt: skip


def read_pairing(pairing: Pairing, reading: ReadPolicy | None = None) -> Dataset:
    """The pages with their texts. A file that cannot be read becomes a warning; the rest goes on.

    Raises:
        PairingError: not a single page could be read.
    """
    return Reading(pairing, reading or ReadPolicy()).read()


def _file(path: Path) -> Source:
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return Source(path.name, 1, path.stat().st_size, digest)


def _image_name(name: str) -> str:
    """What an image and the page that it shows are both called."""
    last = name.replace("\\", "/").rpartition("/")[2].lower()
    return stem(last, PurePosixPath(last).suffix if is_image(SourceFile(last, bytes)) else None)


def _by_unique_name(images: Iterable[SourceFile]) -> dict[str, SourceFile]:
    """Images by name; where two share one, neither is known to be the page's."""
    named: dict[str, list[SourceFile]] = {}
    for image in images:
        named.setdefault(_image_name(image.name), []).append(image)
    return {name: found[0] for name, found in named.items() if len(found) == 1}


PageSource: TypeAlias = Dataset | Reading
"""What pages come from: a data set, or paired files that are yet to be read."""
