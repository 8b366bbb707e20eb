"""Where pages come from: files that are yet to be read, and the data set that they make."""

from abc import abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Protocol, TypeAlias

import numpy as np

from htreval_core.markup import listed
from htreval_core.model import DataWarning, IntArray, Page, SourceFile, Transcript, WarningKind
from htreval_core.settings import ReadPolicy


@dataclass(frozen=True, slots=True)
class Source:
    """Something that was given to be scored, under its last name alone.

    Args:
        files: files in it; 1 for a single file.
        size: bytes of all of them.
        sha256: of a single file its own; of a folder that of the lines "sha256  name" of its
            files in the order in which they were read.
    """

    name: str
    files: int
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Unpaired:
    """Pages that have no counterpart: references without any output, outputs without reference."""

    reference: tuple[str, ...] = ()
    hypothesis: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.reference) or any(self.hypothesis.values())

    def only(self, systems: Collection[str]) -> "Unpaired":
        """The same with the output of these systems only."""
        left = {system: of for system, of in self.hypothesis.items() if system in systems}
        return Unpaired(self.reference, left)


@dataclass(frozen=True, slots=True)
class FileRead:
    """A file as it was read.

    Args:
        system: whose output it is; empty for the reference.
        size: in bytes.
        sha256: of its bytes, as hexadecimal digits.
    """

    system: str
    name: str
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Receipt:
    """What came of the files of a page, without their texts.

    Args:
        systems: those whose output could be read; none where the reference could not.
        warnings: what was decided or left out; a file that cannot be read is one.
        image: the name of the page image as the reference gives it.
        files: those whose bytes could be had, in the order in which they were read.
    """

    page_id: str
    systems: tuple[str, ...] = ()
    warnings: tuple[DataWarning, ...] = ()
    image: str | None = None
    files: tuple[FileRead, ...] = ()


class UnreadPage(Protocol):
    """A page whose texts are read where they are needed, perhaps in another process."""

    @property
    def page_id(self) -> str: ...
    @property
    def systems(self) -> tuple[str, ...]:
        """Those that may have read it."""
        ...

    @property
    def size(self) -> int:
        """Bytes of all its files, as far as they are known."""
        ...

    @property
    def cost(self) -> int:
        """About how long it takes to read and score, in cells of the rectangle |X|·|Y|."""
        ...

    def read(self) -> tuple[Page | None, Receipt]:
        """The page, or None where it has no reference or no output that can be read."""
        ...

    def only(self, systems: Collection[str]) -> "UnreadPage":
        """The same with the output of these systems alone."""
        ...

    def sendable(self) -> "UnreadPage":
        """The same fit for another process: of files that stand on no disk, with the bytes."""
        ...

    def identity(self) -> bytes:
        """A digest of all bytes of its files, which are fetched for it."""
        ...


PageItem: TypeAlias = Page | UnreadPage
"""A page with its texts, or one whose files are yet to be read."""


@dataclass(frozen=True, slots=True)
class Learned:
    """What is known of data once all pages were read."""

    warnings: tuple[DataWarning, ...]
    images: Mapping[str, SourceFile]
    sources: tuple[Source, ...]


class StoredPages(Sequence[Page]):
    """Pages whose texts are read when they are asked for; their ids are known before."""

    page_ids: Sequence[str]

    def __len__(self) -> int:
        return len(self.page_ids)

    def __getitem__(self, index: Any) -> Any:
        places = range(len(self))[index]
        if isinstance(places, range):
            return tuple(map(self.page_at, places))
        return self.page_at(places)

    @abstractmethod
    def page_at(self, place: int) -> Page:
        """The page at a place.

        Raises:
            ReadError: its texts are missing, or not what they were.
        """

    def item(self, place: int, *, bare: bool = False) -> PageItem:
        """The page at a place, or, where another process can read it, what it takes for that.

        Args:
            bare: whether outlines may be left out.
        """
        return self.page_at(place)


class _ChosenPages(StoredPages):
    """Some of such pages, with the output of some systems."""

    def __init__(
        self, pages: StoredPages, page_ids: Sequence[str], places: IntArray, systems: frozenset[str]
    ) -> None:
        self.page_ids = page_ids
        self._pages, self._places, self._systems = pages, places, systems

    def item(self, place: int, *, bare: bool = False) -> PageItem:
        item = self._pages.item(int(self._places[place]), bare=bare)
        return read_by(item, self._systems) if isinstance(item, Page) else item.only(self._systems)

    def page_at(self, place: int) -> Page:
        return read_by(self._pages.page_at(int(self._places[place])), self._systems)


def read_by(page: Page, systems: Collection[str]) -> Page:
    """The page with the output of these systems alone."""
    if page.hypotheses.keys() <= set(systems):
        return page
    return replace(page, hypotheses={n: t for n, t in page.hypotheses.items() if n in systems})


def without_outlines(page: Page) -> Page:
    """The same texts without their places: no score depends on them, and they are most of it."""

    def bare(side: Transcript) -> Transcript:
        if not side.bare and all(one.polygon is one.word_boxes is None for one in side.lines):
            return side
        lines = tuple(replace(line, polygon=None, word_boxes=None) for line in side.lines)
        return replace(side, lines=lines, bare=())

    outputs = {name: bare(side) for name, side in page.hypotheses.items()}
    return Page(page.page_id, bare(page.reference), outputs)


OF_A_SYSTEM = frozenset({WarningKind.NO_OUTPUT, WarningKind.LONE_OUTPUT})
"""Warnings whose first detail is the system that they are about."""


@dataclass(frozen=True)
class Dataset:
    """What was found in the user's files: the pages, and all that could not become one."""

    name: str
    pages: Sequence[Page]
    systems: tuple[str, ...]
    unpaired: Unpaired = field(default_factory=Unpaired)
    warnings: tuple[DataWarning, ...] = ()
    rule: str = ""
    """How the files were paired, in words."""
    images: Mapping[str, SourceFile] = field(default_factory=dict)
    """The page images that were found, by page id."""
    sources: tuple[Source, ...] = ()
    """What the pages were read from."""
    reading: ReadPolicy | None = None
    """How their files were read; None for pages made by a program."""

    def __repr__(self) -> str:
        systems = listed(self.systems)
        return f"<Dataset {self.name!r}: {len(self.pages):,} pages, systems {systems}>"

    @classmethod
    def of(cls, pages: Iterable[Page], name: str = "pages") -> "Dataset":
        """A data set of pages made by a program, with the systems that they name."""
        pages = tuple(pages)
        sides = (side for page in pages for side in (page.reference, *page.hypotheses.values()))
        warnings = tuple(warning for side in sides for warning in side.warnings)
        return cls(name, pages, _systems(pages), warnings=warnings)

    @property
    def n_pages(self) -> int:
        """How many pages there are."""
        return len(self.pages)

    @property
    def items(self) -> Iterator[PageItem]:
        """The pages in order, with their texts where these are held, else yet to be read."""
        return map(self.item, self.page_ids)

    def item(self, page_id: str, *, bare: bool = False) -> PageItem:
        """One of them.

        Args:
            bare: whether outlines may be left out: no score depends on them.

        Raises:
            KeyError: no page has this id.
        """
        place = self._places[page_id]
        if isinstance(self.pages, StoredPages):
            return self.pages.item(place, bare=bare)
        return self.pages[place]

    def learn(self, receipts: Iterable[Receipt]) -> Learned:
        """What is known of the data already."""
        return Learned(self.warnings, self.images, self.sources)

    @cached_property
    def page_ids(self) -> tuple[str, ...]:
        """The ids of the pages, in their order."""
        if isinstance(self.pages, StoredPages):
            return tuple(self.pages.page_ids)
        return tuple(page.page_id for page in self.pages)

    @cached_property
    def _places(self) -> Mapping[str, int]:
        return {page_id: place for place, page_id in enumerate(self.page_ids)}

    def __contains__(self, page_id: object) -> bool:
        return page_id in self._places

    def page(self, page_id: str) -> Page:
        """The page of this id.

        Raises:
            KeyError: no page has this id.
        """
        return self.pages[self._places[page_id]]

    def only(
        self, systems: Sequence[str] | None = None, pages: Iterable[str] | None = None
    ) -> "Dataset":
        """The same with the output of these systems only, or with these pages only.

        Pages that none of the systems has read are left out. Where pages are named, texts that
        are read when they are asked for stay unread.

        Raises:
            KeyError: there is no such page.
        """
        wanted = tuple(self.systems if systems is None else systems)
        chosen: Sequence[Page]
        if isinstance(self.pages, StoredPages) and pages is not None:
            page_ids = tuple(pages)
            places = np.array([self._places[page_id] for page_id in page_ids], dtype=np.int64)
            chosen = _ChosenPages(self.pages, page_ids, places, frozenset(wanted))
        else:
            some = self.pages if pages is None else [self.page(page_id) for page_id in pages]
            outputs = (read_by(page, wanted) for page in some)
            chosen = tuple(page for page in outputs if page.hypotheses)
        left_out = set(self.systems) - set(wanted)
        outputs_alone = {n: ids for n, ids in self.unpaired.hypothesis.items() if n not in left_out}
        warnings = tuple(
            one for one in self.warnings
            if one.kind not in OF_A_SYSTEM or one.detail[0] not in left_out
        )  # fmt: skip
        return replace(
            self, pages=chosen, systems=wanted, warnings=warnings,
            unpaired=replace(self.unpaired, hypothesis=outputs_alone),
        )  # fmt: skip


def _systems(pages: Iterable[Page]) -> tuple[str, ...]:
    """All systems in the order in which the pages list them.

    Pages that list the most come first: they say most about the order. A system that they lack
    goes before the first of those that stand after it on its own page."""
    order: list[str] = []
    for page in sorted(pages, key=lambda page: -len(page.hypotheses)):
        names = list(page.hypotheses)
        for at, name in enumerate(names):
            if name not in order:
                after = (order.index(later) for later in names[at + 1 :] if later in order)
                order.insert(next(after, len(order)), name)
    return tuple(order)
