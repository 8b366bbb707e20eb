"""The frozen data types that every room of the engine shares."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from enum import StrEnum
from functools import lru_cache
from pathlib import PurePosixPath
from struct import calcsize
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from htreval_core.errors import ReadError, Remedy
from htreval_core.markup import listed

IntArray: TypeAlias = npt.NDArray[np.int64]
FloatArray: TypeAlias = npt.NDArray[np.float64]
BoolArray: TypeAlias = npt.NDArray[np.bool_]
Box: TypeAlias = tuple[float, float, float, float]
"""Left, top, right and bottom."""


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Polygon:
    """Corners in pixels of the page image, packed: a newspaper page has tens of thousands.

    Without corners it is false and has neither box nor middle.

    Args:
        corners: shape (n, 2), or x and y in turn.
    """

    _packed: bytes
    _type: str
    """Of its numbers, as C names it: "h" or "i" where nothing is lost by it, else "d"."""

    def __init__(self, corners: npt.ArrayLike) -> None:
        smallest = _smallest(np.asarray(corners).reshape(-1, 2))
        object.__setattr__(self, "_packed", smallest.tobytes())
        object.__setattr__(self, "_type", smallest.dtype.char)

    @classmethod
    def packed(cls, numbers: bytes) -> Polygon:
        """A polygon from x and y in turn, each a whole number of 16 bits in the machine's order."""
        made = object.__new__(cls)
        object.__setattr__(made, "_packed", numbers)
        object.__setattr__(made, "_type", "h")
        return made

    @classmethod
    def of_whole(cls, numbers: Sequence[int]) -> Polygon:
        """A polygon from x and y in turn, all whole: sooner than from just any numbers."""
        try:
            return cls.packed(array("h", numbers).tobytes())
        except OverflowError:
            return cls(numbers)

    @classmethod
    def of_boxes(cls, boxes: Sequence[Box]) -> Polygon:
        """Two corners a box, upper left and lower right, from left, top, right and bottom."""
        return cls(np.asarray(boxes, dtype=np.float64))

    @classmethod
    def from_box(cls, left: float, top: float, right: float, bottom: float) -> Polygon:
        """The four corners of a box, clockwise from the upper left."""
        return cls((left, top, right, top, right, bottom, left, bottom))

    def __len__(self) -> int:
        """How many corners there are."""
        return len(self._packed) // (2 * calcsize(self._type))

    def __repr__(self) -> str:
        within = f" within {self.box}" if self else ""
        return f"<Polygon: {len(self):,} corners{within}>"

    @property
    def points(self) -> FloatArray:
        """The corners, shape (n, 2)."""
        return np.frombuffer(self._packed, self._type).astype(np.float64).reshape(-1, 2)

    @property
    def box(self) -> Box:
        """Left, top, right and bottom of all corners."""
        x, y = self._columns
        return min(x), min(y), max(x), max(y)

    @property
    def middle(self) -> tuple[float, float]:
        """The mean x and y of the corners."""
        x, y = self._columns
        return sum(x) / len(x), sum(y) / len(y)

    @property
    def _columns(self) -> tuple[Sequence[float], Sequence[float]]:
        """x and y; for the few corners that most lines have, numpy would take longer."""
        numbers = array(self._type, self._packed)
        return numbers[::2], numbers[1::2]


def _smallest(numbers: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The numbers in as few bytes as hold them to the bit: -0.0 is no whole number."""
    if numbers.dtype != np.intc:
        exact = numbers.astype(np.float64)
        with np.errstate(invalid="ignore"):
            numbers = exact.astype(np.intc)
        if numbers.astype(np.float64).tobytes() != exact.tobytes():
            return exact
    small = numbers.astype(np.short)
    return small if small.astype(np.intc).tobytes() == numbers.tobytes() else numbers


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a transcript.

    Args:
        text: the line as the file has it, before any text policy.
        region: the id of the region that the line stands in, where the file names one.
        polygon: its outline on the page image, where the file has one.
        region_kind: the region's type as the file names it ("marginalia", "heading", …).
        word_boxes: the boxes of its words, two corners each, upper left and lower right; only where
            every word, as white space delimits them, has one.
        page: the place of its page in a file of several, while the file is read.
    """

    text: str
    region: str | None = None
    polygon: Polygon | None = None
    region_kind: str | None = None
    word_boxes: Polygon | None = None
    page: int = 0


@dataclass(frozen=True, slots=True)
class BareRegion:
    """A region of the page whose text, if it has any, the file does not give.

    Args:
        kind: its type as the file names it ("TableRegion", "Illustration", …).
        box: left, top, right and bottom on the page image.
    """

    kind: str
    box: Box


def with_line_feeds(text: str) -> str:
    """The text with a line feed for whichever signs end its lines."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def lines_of(text: str) -> list[str]:
    """The lines of plain text, whichever signs end them."""
    # The line feed at the end of a file ends its last line; it begins no other.
    return with_line_feeds(text).removesuffix("\n").split("\n") if text else []


@dataclass(frozen=True, slots=True)
class OrderGroup:
    """Regions, and groups of them, as a file's reading order has them.

    Args:
        ordered: whether the members come in this order; else they may come in any.
        members: ids of regions, and groups.
    """

    ordered: bool
    members: tuple[str | OrderGroup, ...]

    @property
    def regions(self) -> tuple[str, ...]:
        """The ids of all regions in it, in its order."""
        found: list[str] = []
        waiting: list[str | OrderGroup] = [self]
        while waiting:
            one = waiting.pop()
            if isinstance(one, OrderGroup):
                waiting += reversed(one.members)
            else:
                found.append(one)
        return tuple(found)

    def expanded(self, parts: Mapping[str, Sequence[str]]) -> OrderGroup:
        """The same with each id replaced by those of the regions that are read in its place.

        Args:
            parts: by id; one that is named again, or that is not there, stands for none.
        """
        return self._with(dict(parts))

    def _with(self, left: dict[str, Sequence[str]]) -> OrderGroup:
        members: list[str | OrderGroup] = []
        for one in self.members:
            if isinstance(one, OrderGroup):
                group = one._with(left)
                if group.members:
                    members.append(group)
                continue
            regions = left.pop(one, ())
            if len(regions) == 1:
                members.append(regions[0])
            elif regions:
                members.append(OrderGroup(True, tuple(regions)))
        return OrderGroup(self.ordered, tuple(members))


@dataclass(frozen=True, slots=True)
class Transcript:
    """The text of one page from one source, its lines in reading order.

    Args:
        lines: the lines, in the order in which the source reads them.
        order_source: where that order comes from ("file", "ReadingOrder", "document", …).
        page_size: width and height in pixels, where known.
        image: the name of the page image as the file gives it, where it does.
        warnings: what a reader had to decide or leave out.
        unlisted: ids of regions with text that the declared order leaves out; they are read last.
        order: the groups of the declared order, where it has any within others or without order.
        pages: of a file of several pages what it calls each of them, empty where it does not.
        bare: its regions without text, where the file has any and outlines are read.
    """

    lines: tuple[Line, ...]
    order_source: str = "file"
    page_size: tuple[int, int] | None = None
    image: str | None = None
    warnings: tuple[DataWarning, ...] = ()
    unlisted: tuple[str, ...] = ()
    order: OrderGroup | None = None
    pages: tuple[str, ...] = ()
    bare: tuple[BareRegion, ...] = ()

    @classmethod
    def from_text(cls, text: str) -> Transcript:
        """A transcript of plain text; each line of the text is a line of the page."""
        return cls(tuple(map(Line, lines_of(text))))

    def __repr__(self) -> str:
        return f"<Transcript: {len(self.lines):,} lines, order from {self.order_source!r}>"

    @property
    def text(self) -> str:
        """The lines joined by line feeds, as read."""
        return "\n".join(line.text for line in self.lines)


@dataclass(frozen=True, slots=True)
class Page:
    """One page: its reference and what each system made of it."""

    page_id: str
    reference: Transcript
    hypotheses: Mapping[str, Transcript]

    def __repr__(self) -> str:
        systems = listed(self.hypotheses)
        return f"<Page {self.page_id!r}: {len(self.reference.lines):,} lines, systems {systems}>"

    @classmethod
    def from_text(cls, page_id: str, reference: str, hypotheses: Mapping[str, str]) -> Page:
        """A page from plain strings, one hypothesis per system."""
        return cls(
            page_id, Transcript.from_text(reference),
            {name: Transcript.from_text(text) for name, text in hypotheses.items()},
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class EditCounts:
    """How many words were kept, replaced, left out and added. Add counts, never rates."""

    hits: int = 0
    substitutions: int = 0
    deletions: int = 0
    insertions: int = 0

    def __add__(self, other: EditCounts) -> EditCounts:
        return EditCounts(
            self.hits + other.hits, self.substitutions + other.substitutions,
            self.deletions + other.deletions, self.insertions + other.insertions,
        )  # fmt: skip

    @property
    def errors(self) -> int:
        return self.substitutions + self.deletions + self.insertions

    @property
    def n_ref(self) -> int:
        return self.hits + self.substitutions + self.deletions

    @property
    def n_hyp(self) -> int:
        return self.hits + self.substitutions + self.insertions


@dataclass(frozen=True, slots=True)
class Parts:
    """The word errors of a page by what they come from; together they are WER's.

    Args:
        misread: words misread, left out or added, the order set aside.
        spaces: words divided or joined with every letter right (``metrics.spaces``). These and
            the misread are the errors of bWER.
        order: what putting text back in its place saves.
        coincidence: what no order mends: a word lost here and a word added there are two errors to
            WER, and one to bWER, or none if they are equal.
        doubt: what putting text back saves where the reference itself may be out of order.
        convention: the part of order and doubt that is a matter of convention: another order that
            the page allows spares it.
        left_out: the part of misread that is words left out.
        added: the part of it that is words added; the rest was read as other words.
    """

    misread: int = 0
    spaces: int = 0
    order: int = 0
    coincidence: int = 0
    doubt: int = 0
    convention: int = 0
    left_out: int = 0
    added: int = 0

    def __add__(self, other: Parts) -> Parts:
        return Parts(*(getattr(self, one.name) + getattr(other, one.name) for one in fields(self)))

    @property
    def bag_errors(self) -> int:
        """The errors of bWER."""
        return self.misread + self.spaces

    @property
    def errors(self) -> int:
        """All of them: the errors of WER."""
        return self.bag_errors + self.order + self.coincidence + self.doubt

    @property
    def substituted(self) -> int:
        """Of the misread, those read as other words."""
        return self.misread - self.left_out - self.added


@dataclass(frozen=True, slots=True, eq=False)
class Alignment:
    """Which reference word stands for which hypothesis word.

    Args:
        ref_index: shape (n,), positions in ``ref_words``, -1 where a hypothesis word has no mate.
        hyp_index: shape (n,), positions in ``hyp_words``, -1 where a reference word has no mate.
        ref_words: the reference words of the page, in reading order.
        hyp_words: the hypothesis words of the page, in reading order.

    A sequential trace runs upward in both arrays. A matching lists the reference words in order
    and then the hypothesis words that nothing was matched with, in their own order.
    """

    ref_index: IntArray
    hyp_index: IntArray
    ref_words: tuple[str, ...]
    hyp_words: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.ref_index)

    def __repr__(self) -> str:
        n_ref, n_hyp, n_pairs = len(self.ref_words), len(self.hyp_words), len(self.pairs[0])
        return f"<Alignment of {n_ref:,} and {n_hyp:,} words: {n_pairs:,} pairs>"

    @property
    def pairs(self) -> tuple[IntArray, IntArray]:
        """Reference and hypothesis positions of the pairs alone, shape (m,) each."""
        both = (self.ref_index >= 0) & (self.hyp_index >= 0)
        return self.ref_index[both], self.hyp_index[both]

    @property
    def unmatched(self) -> tuple[IntArray, IntArray]:
        """Positions of the reference words and of the hypothesis words without a mate."""
        return self.ref_index[self.hyp_index < 0], self.hyp_index[self.ref_index < 0]

    @property
    def equal(self) -> BoolArray:
        """Which of the pairs are of equal words, shape (m,) as ``pairs``."""
        pairs = zip(*(side.tolist() for side in self.pairs), strict=True)
        return np.array([self.ref_words[j] == self.hyp_words[k] for j, k in pairs], dtype=bool)

    @property
    def rows(self) -> list[tuple[str | None, str | None]]:
        """The aligned words as (reference, hypothesis), None where there is no mate."""
        return [
            (self.ref_words[j] if j >= 0 else None, self.hyp_words[k] if k >= 0 else None)
            for j, k in zip(self.ref_index.tolist(), self.hyp_index.tolist(), strict=True)
        ]

    def counts(self) -> EditCounts:
        """The aligned words counted: equal pairs, unequal pairs, words without a mate."""
        equal = self.equal
        n_pairs, hits = len(equal), int(equal.sum())
        return EditCounts(
            hits, n_pairs - hits, len(self.ref_words) - n_pairs, len(self.hyp_words) - n_pairs
        )


@dataclass(frozen=True, slots=True)
class PageScores:
    """The sufficient statistics of one page and one system: counts, never rates.

    Lengths and errors are in words unless the name says characters. Rates are taken from these
    by the metrics catalogue, for a page or for sums over pages. Every count has the same name here,
    in tables and in run bundles.
    """

    page_id: str
    system: str
    n_ref_words: int
    n_hyp_words: int
    n_ref_chars: int
    n_hyp_chars: int
    n_word_types: int
    """Different words on both sides together (for ΔR)."""
    wer: EditCounts
    bwer: EditCounts
    beta_wer_errors: int
    """βWER's numerator B: missing and surplus words, none of them paired up."""
    cer_errors: int
    line_wer_errors: int | None
    """Word errors line by line; None where the two sides do not have the same lines."""
    hwer_errors: int
    hcer_errors: int
    nsfd_errors: int
    """Σ |j − k| over the matching after renumbering, and 1 for every unmatched word."""
    nsfd_length: int
    kendall_tau_errors: int
    """Pairs of matched words that stand in opposite order."""
    matched_words: int
    order_errors: int | None = None
    """What putting text back in its place saves; None where the page was not diagnosed."""
    coincidence_errors: int | None = None
    """What no order mends: equal words lost here and added there; None likewise."""
    doubt_errors: int | None = None
    """What putting text back saves where the reference is in doubt; None likewise."""
    spaces_errors: int | None = None
    """Of bWER's errors, those of words divided or joined; None likewise, as the two below."""
    left_out_errors: int | None = None
    """Of the others, words left out."""
    added_errors: int | None = None
    """Of the others, words added."""
    cer_hits: int | None = None
    """Characters that CER's alignment keeps."""
    admissible_errors: int | None = None
    """Word errors in the best order found of those that the page allows; None, as the one below,
    where it allows others than its own and nobody has asked for the best."""
    admissible_bound: int | None = None
    """No order that the page allows has fewer word errors."""
    convention_errors: int | None = None
    """Of what displaced text costs, what another order that the page allows spares; None where the
    page was not diagnosed."""

    @property
    def parts(self) -> Parts | None:
        """The errors of WER by what they come from; None where the page was not diagnosed."""
        if None in (self.order_errors, self.coincidence_errors, self.doubt_errors):
            return None
        spaces = self.spaces_errors or 0
        return Parts(
            self.bwer.errors - spaces, spaces, self.order_errors or 0, self.coincidence_errors or 0,
            self.doubt_errors or 0, self.convention_errors or 0, self.left_out_errors or 0,
            self.added_errors or 0,
        )  # fmt: skip

    @property
    def flags(self) -> tuple[str, ...]:
        """What a reader of the table should know about this page."""
        if not self.n_ref_words and self.n_hyp_words:
            return ("empty reference: its words count as insertions, its own rates are undefined",)
        if self.n_ref_words and not self.n_hyp_words:
            return ("empty hypothesis: every reference word counts as deleted",)
        return ()


# Pairing asks for it some forty times a file.
path_of = lru_cache(maxsize=2**16)(PurePosixPath)


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file that can be read when it is needed.

    Args:
        name: its path relative to the folder or archive it stands in, with forward slashes.
        load: returns its bytes; raises ``ReadError`` or ``OSError``.
        plain: known to be text, whatever it looks like: the cell of a table.
        marked: that text is known to be Markdown.
        part: the place of one page in a file of several; None for all of it.
    """

    name: str
    load: Callable[[], bytes]
    plain: bool = False
    marked: bool = False
    part: int | None = None

    @property
    def path(self) -> PurePosixPath:
        return path_of(self.name)

    @property
    def size(self) -> int:
        """Its bytes; 0 where that is not known before it is read."""
        return int(getattr(self.load, "size", 0))

    def read(self) -> bytes:
        """The bytes of the file.

        Raises:
            ReadError: it cannot be opened, or it is larger than the limit.
        """
        try:
            return self.load()
        except OSError as error:
            reason = error.strerror or type(error).__name__
            raise ReadError(f"{self.name}: cannot be opened ({reason}); check that it exists "
                            "and may be read") from error  # fmt: skip


class WarningKind(StrEnum):
    """What a reader of the values should know about the data."""

    SEVERAL_PAGES = "several pages in one file"
    LOOKS_MARKED = "looks like Markdown"
    SEVERAL_FORMS = "several forms of a page"
    TWO_TEXTS = "two transcriptions"
    CUT_SHORT = "cut short"
    NO_TEXT = "no text found"
    FAILED = "message of a program"
    LOOKS_JSON = "looks like JSON"
    RECODED = "another encoding"
    ENDS_WRITTEN = "ends of lines written out"
    LINES_NAMED = "lines with names"
    UNSEEN_SIGNS = "characters that are not seen"
    FIELDS_LEFT = "fields not read"
    PARTS_LEFT = "parts not read"
    NOTES_READ = "notes read"
    SECOND_READING = "second reading"
    OTHER_IMAGE = "another image"
    SUPPLIED = "letters left out"
    SIGNS_LEFT = "signs without text"
    ORDER_NAMES_NOTHING = "order names nothing"
    ORDER_INCOMPLETE = "order incomplete"
    REGION_TEXT = "text of regions read"
    REGION_MORE = "text of regions not read"
    LINE_TEXT = "text of lines read"
    TAGS_UNPLACED = "tags without a place"
    LINES_UPWARD = "lines run upward"
    OUTSIDE_FOLDERS = "outside the folders"
    OUTSIDE_NAMES = "outside the names"
    LINK_NOT_FOLLOWED = "link not followed"
    NO_OUTPUT = "no output"
    LONE_REFERENCE = "reference without output"
    LONE_OUTPUT = "output without reference"
    SEVERAL_FILES = "several files for a page"
    UNREADABLE = "unreadable"
    NOT_SCORED = "not scored"
    NOT_DIAGNOSED = "not diagnosed"
    OTHER_SIGNATURE = "other signature"
    OTHER_REFERENCE = "other reference"
    NOT_IN_BOTH = "not in both"
    FEW_PAGES = "few pages"
    FEW_CLUSTERS = "few clusters"
    READ_BY_ONE = "read by one"
    NOTHING_SHARED = "nothing shared"
    BY_RESULT = "pages picked by results"
    ROWS_NUMBERED = "rows numbered"
    TWO_COLUMNS = "two columns"
    COLUMNS_LEFT = "columns not read"
    ROWS_STRAY = "rows without a page"
    REFERENCE_EMPTY = "reference without text"
    OUTPUT_EMPTY = "output without text"
    HEADS_UNMARKED = "heads not marked"
    DECODED = "decoded lines"
    NO_SPACES = "no spaces"
    PRIVATE_SIGNS = "private-use characters"
    OTHER_BUILD = "other build"
    SCORED_AGAIN = "scored again"
    MARK_UNREADABLE = "mark unreadable"
    FOUND_AGAIN = "found again"
    RULE_IDLE = "rule without page"


@dataclass(frozen=True, slots=True)
class DataWarning:
    """Something that was decided or left out, as data; ``show.warnings`` puts it into words.

    Args:
        file: the file, page or data set that it is about.
        detail: what in it, such as ids of regions or the name of a system.
        count: how often it occurs there.
        remedy: a setting that would help.
    """

    file: str
    kind: WarningKind
    detail: tuple[str, ...] = ()
    count: int = 1
    remedy: Remedy | None = None


PageUnder: TypeAlias = tuple[str, str]
"""A page as one system read it: (page id, system)."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A page that could not be scored, or not be diagnosed, under which system, and why."""

    page_id: str
    system: str
    reason: str
    scored: bool = False

    @property
    def warning(self) -> DataWarning:
        """The same among what else a reader of the values should know."""
        kind = WarningKind.NOT_DIAGNOSED if self.scored else WarningKind.NOT_SCORED
        return DataWarning(self.page_id, kind, (self.system, self.reason))
