"""What a diagnosis says."""

from dataclasses import dataclass, replace
from enum import StrEnum

from htreval_core.metrics.spaces import Regrouping
from htreval_core.model import Parts

Span = tuple[int, int]
"""First word and the one after the last."""


class EventKind(StrEnum):
    """What went wrong with the layout."""

    MARGINALIA = "marginal note mixed in"
    COLUMNS_BY_LINE = "columns read line by line"
    COLUMNS_ACROSS = "read across columns"
    COLUMN_ORDER = "column order reversed"
    BELOW_RULE = "text below a rule read into the columns above"
    ARTICLES = "articles read column by column"
    ROWS = "rows read column by column"
    COLUMNS_IN_ZONES = "columns mixed in zones"
    INTERLEAVED = "columns interleaved"
    TABLE = "table read by rows"
    DOUBLE_PAGE = "double page mixed"
    RUNNING_HEAD = "running head read elsewhere"
    PAGE_NUMBER = "page number read elsewhere"
    CATCH_WORD = "catch-word read elsewhere"
    FOOTNOTE = "footnote read elsewhere"
    DROP_CAPITAL = "drop capital read elsewhere"
    SIGNS = "marginal signs read as a column"
    LINES_SWAPPED = "lines swapped"
    SUFFIX_FIRST = "line suffix before prefix"
    PREFIX_LATE = "prefix after the next line"
    SUFFIX_LATE = "suffix after the next line"
    LOCAL_SWAP = "local swap"
    MOVED = "block moved"
    SCRAMBLED = "scrambled"
    REVERSED = "read from the bottom up"
    REFERENCE = "reference out of order"
    MISSING = "block missing"
    REPEATED = "block repeated"
    INVENTED = "block added"
    UNTRANSCRIBED = "untranscribed text"
    REPLACED = "passage replaced"
    READ_BADLY = "text read badly"
    LOOP = "loop"
    OTHER_PAGE = "text of another page"
    PHRASE = "phrase of the system"
    HEAD = "running head added"
    TALK = "talk of the model"
    REFUSAL = "refusal"
    EMPTY = "empty output"
    BLANK = "blank page written on"
    TRUNCATED = "output cut short"
    TRANSLATED = "passage translated"
    SPELLING = "spelling changed by rule"
    ABBREVIATIONS = "abbreviations written out"
    HYPHENS = "divided words joined"
    DATES = "dates rewritten"
    MARKUP = "markup written as text"


ORDER_FREE = frozenset({
    EventKind.MISSING, EventKind.REPEATED, EventKind.INVENTED, EventKind.UNTRANSCRIBED,
    EventKind.REPLACED, EventKind.READ_BADLY, EventKind.LOOP, EventKind.OTHER_PAGE,
    EventKind.PHRASE, EventKind.HEAD, EventKind.TALK, EventKind.REFUSAL, EventKind.EMPTY,
    EventKind.BLANK, EventKind.TRUNCATED, EventKind.TRANSLATED, EventKind.SPELLING,
    EventKind.ABBREVIATIONS, EventKind.HYPHENS, EventKind.DATES, EventKind.MARKUP,
})  # fmt: skip
"""Kinds that cost words by themselves, not by order; bWER counts most of their errors."""
UNPLACED = frozenset({
    EventKind.RUNNING_HEAD, EventKind.PAGE_NUMBER, EventKind.CATCH_WORD, EventKind.FOOTNOTE,
    EventKind.MARGINALIA, EventKind.DROP_CAPITAL, EventKind.SIGNS,
})  # fmt: skip
"""Text that may stand in one place as well as in another: no reference is at fault for it."""
FOREIGN = frozenset({
    EventKind.REPEATED, EventKind.INVENTED, EventKind.LOOP, EventKind.OTHER_PAGE, EventKind.PHRASE,
    EventKind.HEAD, EventKind.TALK, EventKind.BLANK, EventKind.REPLACED,
})  # fmt: skip
"""Kinds of text that does not belong where it stands."""
LEFT_OUT = frozenset({EventKind.MISSING, EventKind.TRUNCATED, EventKind.EMPTY, EventKind.REFUSAL})
"""Kinds of which text of the page is not there at all."""


class Confidence(StrEnum):
    """How far the name of an event is to be believed; that it happened is certain enough."""

    SURE = "sure"
    LIKELY = "likely"
    COARSE = "coarse"
    """Lines are not known: a finer name would be a guess."""


# --- what is known of an event besides its numbers: facts, which show.telling makes sentences of.
# Lines and words are counted from 1 here, as a person counts them.


@dataclass(frozen=True, slots=True)
class Place:
    """Where a stretch of text stands in the reference.

    Args:
        lines: its lines; none where the reference has no lines.
        first: its first word, in its one line where it does not fill it, or in the text where
            there are no lines; else 0.
        last: its last word, counted likewise.
        n_words: the words of that line.
        ends: the share of its first line, and of its last, that it has, where it has several.
    """

    lines: tuple[int, ...] = ()
    first: int = 0
    last: int = 0
    n_words: int = 0
    ends: tuple[float, float] = (1.0, 1.0)


class DoubtReason(StrEnum):
    """Why one page alone puts its reference in doubt."""

    UNLISTED = "unlisted"
    """Its region is missing from the declared reading order."""
    UPWARD = "upward"
    """Its lines run up the page."""


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """Where displaced text was read.

    Args:
        place: where it stands in the reference.
        mixed: its lines with those of the text that it was mixed with.
        after: the lines after which its pieces were read; 0 for the top of the page.
        pieces: the stretches of the output that it was read in.
        jumped: the lines between where it stands and where it was read.
        late: whether it was read after what should follow it.
        columns: the columns that it and the text between stand in; 0 where that is not known.
        doubt: why the reference may be at fault.
        in_place: whether it was read where it stands on the page.
        within: whether its pieces are parts of lines.
    """

    place: Place
    mixed: tuple[int, ...] = ()
    after: tuple[int, ...] = ()
    pieces: int = 1
    jumped: tuple[int, ...] = ()
    late: bool = False
    columns: int = 0
    doubt: DoubtReason | None = None
    in_place: bool = False
    within: bool = False


@dataclass(frozen=True, slots=True)
class ReadAlike:
    """So many systems read the text elsewhere, of all that read the page."""

    systems: int
    of: int


@dataclass(frozen=True, slots=True)
class AtEdge:
    """A few words at the ends of many lines, or else at their beginnings."""

    is_end: bool


@dataclass(frozen=True, slots=True)
class Together:
    """Several small events of a kind.

    Args:
        events: how many.
        places: where each stands, where they are few.
        edge: where on their lines they stand, where that is the same.
    """

    events: int
    places: tuple[Place, ...] = ()
    edge: AtEdge | None = None


@dataclass(frozen=True, slots=True)
class Loop:
    """Text that repeats itself.

    Args:
        copies: how often it stands there.
        period: words of one copy.
        source: where in the reference it comes from, where that is known.
        foreign: whether the page does not have it at all.
    """

    copies: float
    period: int
    source: Place | None = None
    foreign: bool = False


class Extent(StrEnum):
    """How much of a page something concerns, where it is no mere passage."""

    EVERY_LINE = "every line"
    WHOLE_TEXT = "whole text"
    WHOLE_PAGE = "whole page"
    FIRST_HALF = "first half"
    """Instead of the second."""


@dataclass(frozen=True, slots=True)
class Repetition:
    """Text of the page that stands there again.

    Args:
        source: where in the reference it stands, where that is known.
        extent: how much of the page it is, where it is no mere passage.
    """

    source: Place | None
    extent: Extent | None = None


class TalkPlace(StrEnum):
    """Where a system talks about the page."""

    BEFORE = "before"
    AMID = "amid"
    AFTER = "after"
    INSTEAD = "instead"
    BLANK = "blank"


@dataclass(frozen=True, slots=True)
class Talking:
    """Talk about the page, not of it."""

    at: TalkPlace


@dataclass(frozen=True, slots=True)
class Translation:
    """A language by its ISO 639-1 code; empty where it is not known."""

    language: str = ""


@dataclass(frozen=True, slots=True)
class Replacement:
    """Other text instead of a passage, or of the whole page."""

    extent: Extent | None = None


@dataclass(frozen=True, slots=True)
class RuleUse:
    """Letters, or a word, that were changed into others, and how often."""

    old: str
    new: str
    times: int


@dataclass(frozen=True, slots=True)
class Respelling:
    """What was written by another rule than the page's.

    Args:
        uses: the commonest rules.
        rules: how many there are.
        words: the misread words that they explain, or how often they were followed.
        misread: all misread words, or all occasions to follow them.
    """

    uses: tuple[RuleUse, ...]
    rules: int
    words: int
    misread: int


@dataclass(frozen=True, slots=True)
class RunningHead:
    """A running head or foot that a system adds.

    Args:
        foot: whether it stands at the end of the page.
        pages: on how many pages; 0 where one page alone was looked at.
    """

    foot: bool
    pages: int = 0


@dataclass(frozen=True, slots=True)
class FromPage:
    """Text of another page, by its id."""

    page_id: str
    extent: Extent | None = None


@dataclass(frozen=True, slots=True)
class OwnPhrase:
    """A phrase of the system's own."""

    extent: Extent | None = None


@dataclass(frozen=True, slots=True)
class InRegion:
    """Text in a region that the reference leaves without text, by the kind of the region."""

    region_kind: str


Detail = (
    Loop | Repetition | Talking | Translation | Replacement | Respelling | RunningHead | FromPage
    | OwnPhrase | InRegion | AtEdge
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Passage:
    """Text that only one side has, or that stands for other text.

    Args:
        place: where it stands in the reference, if it has anything of it.
        note: whether the reference file calls it a marginal note.
        in_lines: whether the output has lines.
        share: the part of the output, or of the reference where text is missing, that it takes.
        detail: what else is known of it.
    """

    place: Place | None = None
    note: bool = False
    in_lines: bool = True
    share: float = 0.0
    detail: Detail | None = None


Facts = Elsewhere | ReadAlike | Together | Passage


# --- events and diagnoses


@dataclass(frozen=True, slots=True)
class Event:
    """One layout fault of a page.

    Args:
        kind: what happened.
        words: the words of the text concerned: of the reference, or of the output where the
            reference has nothing of it.
        errors: what WER charges for it, in word errors: of text out of order, what putting it back
            saves; of other text, its own errors once everything is put back.
        reference: from the first to the last reference word that it touches; empty for added text.
        hypothesis: the stretches of the output that it touches; none for missing text.
        reference_lines: numbers of the reference lines, from 1.
        hypothesis_lines: numbers of the output's lines, from 1.
        confidence: of the name.
        facts: what else is known of it, for ``show.telling`` to put into words.
        groups: the displaced groups of the page's layout that putting it right moves back.
        text: what the output has there, where it is not what the reference has.
        pieces: how many stretches of text this one event stands for.
        notes: how many marginal notes there are among them, as the reference file calls them.
        convention: how many of its errors another order spares that the page allows.
        all_allowed: whether the page allows the order that the output has.
    """

    kind: EventKind
    words: int
    errors: int
    reference: Span
    hypothesis: tuple[Span, ...]
    reference_lines: tuple[int, ...]
    hypothesis_lines: tuple[int, ...]
    confidence: Confidence
    facts: Facts
    groups: tuple[int, ...] = ()
    text: str = ""
    pieces: int = 1
    notes: int = 0
    convention: int = 0
    all_allowed: bool = False

    @property
    def of_order(self) -> bool:
        """Whether the text is there, and stands elsewhere."""
        return self.kind not in ORDER_FREE


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """Why a page is bad, in words of the page; ``parts.errors == wer``.

    Args:
        n_ref_words: words of the reference.
        parts: the errors of WER by where they come from.
        events: what went wrong: order first, the costliest first.
        n_hyp_words: words of the output.
        edges: what the output has before the first word of the page and after the last: running
            heads, if the system writes them on other pages, too.
        admissible: word errors in the best order found of those that the page allows, and how
            many no such order falls below; None where conventions were not asked for.
        regroupings: words that are divided or joined and have every letter right.
    """

    page_id: str
    system: str
    n_ref_words: int
    parts: Parts
    events: tuple[Event, ...]
    n_hyp_words: int = 0
    edges: tuple[Event, ...] = ()
    admissible: tuple[int, int] | None = None
    regroupings: tuple[Regrouping, ...] = ()

    def __repr__(self) -> str:
        return (
            f"<Diagnosis of {self.page_id!r} under {self.system!r}: {len(self.events)} events, "
            f"{self.wer:,} errors of which order costs {self.parts.order:,}>"
        )

    @property
    def wer(self) -> int:
        """The word errors of the page."""
        return self.parts.errors

    @property
    def bwer(self) -> int:
        """Those that remain when the order is set aside."""
        return self.parts.bag_errors

    @property
    def delta_wer(self) -> int:
        """ΔWER's errors: order, coincidence and doubt together."""
        return self.wer - self.bwer

    def in_doubt(self, number: int, alike: ReadAlike) -> "Diagnosis":
        """The same with the event of that number, from 0, laid to the reference."""
        event = self.events[number]
        renamed = replace(event, kind=EventKind.REFERENCE, facts=alike)
        events = (*self.events[:number], renamed, *self.events[number + 1 :])
        if event.kind is EventKind.REFERENCE or not event.of_order:
            return replace(self, events=events)
        parts = replace(
            self.parts, order=self.parts.order - event.errors, doubt=self.parts.doubt + event.errors
        )
        return replace(self, parts=parts, events=events)
