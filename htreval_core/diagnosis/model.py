"""What a diagnosis says."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from htreval_core.diagnosis.facts import Facts, ReadAlike
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
    REFERENCE = "reference out of order"
    MISSING = "block missing"
    REPEATED = "block repeated"
    INVENTED = "block added"
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


ORDER_FREE = frozenset(
    {
        EventKind.MISSING, EventKind.REPEATED, EventKind.INVENTED, EventKind.REPLACED,
        EventKind.READ_BADLY, EventKind.LOOP, EventKind.OTHER_PAGE, EventKind.PHRASE,
        EventKind.HEAD, EventKind.TALK, EventKind.REFUSAL, EventKind.EMPTY, EventKind.BLANK,
        EventKind.TRUNCATED, EventKind.TRANSLATED, EventKind.SPELLING,
    }
)  # fmt: skip
"""Kinds that cost words by themselves, not by order; bWER counts most of their errors."""
LEFT_OUT = frozenset({EventKind.MISSING, EventKind.TRUNCATED, EventKind.EMPTY})
"""Kinds of which text of the page is not there at all."""


class Confidence(StrEnum):
    """How far the name of an event is to be believed; that it happened is certain enough."""

    SURE = "sure"
    LIKELY = "likely"
    COARSE = "coarse"
    """Lines are not known: a finer name would be a guess."""


@dataclass(frozen=True, slots=True)
class Event:
    """One layout failure of a page.

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
        facts: what else is known of it; ``show.telling`` makes a sentence of them.
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
        course: how far ahead of its place the output reads down the page, as fractions of it
            (``metrics.order.course``).
        n_hyp_words: words of the output.
        edges: what the output has before the first word of the page and after the last: running
            heads, if the system writes them on other pages, too.
        admissible: word errors in the best order found of those that the page allows, and how
            many no such order falls below; None where conventions were not asked for.
    """

    page_id: str
    system: str
    n_ref_words: int
    parts: Parts
    events: tuple[Event, ...]
    course: tuple[float, ...] = ()
    n_hyp_words: int = 0
    edges: tuple[Event, ...] = ()
    admissible: tuple[int, int] | None = None

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
        return self.parts.misread

    @property
    def delta_wer(self) -> int:
        """ΔWER's errors: order, coincidence and doubt together."""
        return self.wer - self.bwer

    def in_doubt(self, number: int, alike: ReadAlike) -> Diagnosis:
        """The same with the event of that number, from 0, laid to the reference."""
        event = self.events[number]
        renamed = replace(event, kind=EventKind.REFERENCE, facts=alike)
        events = (*self.events[:number], renamed, *self.events[number + 1 :])
        if event.kind is EventKind.REFERENCE or not event.of_order:
            return replace(self, events=events)
        parts = replace(
            self.parts,
            order=self.parts.order - event.errors,
            doubt=self.parts.doubt + event.errors,
        )
        return replace(self, parts=parts, events=events)
