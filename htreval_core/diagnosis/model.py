"""What a diagnosis says."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

Span = tuple[int, int]
"""First word and the one after the last."""


class EventKind(StrEnum):
    """What went wrong with the layout."""

    MARGINALIA = "marginal note mixed in"
    COLUMNS_BY_LINE = "columns read line by line"
    COLUMNS_ACROSS = "read across columns"
    DOUBLE_PAGE = "double page mixed"
    COLUMNS_IN_ZONES = "columns mixed in zones"
    SCRAMBLED = "scrambled"
    LINES_SWAPPED = "lines swapped"
    SUFFIX_FIRST = "line suffix before prefix"
    PREFIX_LATE = "prefix after the next line"
    SUFFIX_LATE = "suffix after the next line"
    MOVED = "block moved"
    LOCAL_SWAP = "local swap"
    INTERLEAVED = "columns interleaved"
    MISSING = "block missing"
    REPEATED = "block repeated"
    INVENTED = "block added"


ORDER_FREE = frozenset({EventKind.MISSING, EventKind.REPEATED, EventKind.INVENTED})
"""Kinds that cost words by themselves, not by order; bWER counts them."""


@dataclass(frozen=True, slots=True)
class Event:
    """One layout failure of a page.

    Args:
        kind: what happened.
        words: what it cost: words wrong only by order, or for missing and added text its words.
        order_words: the part of ``words`` that ΔWER holds; what putting it right saves.
        reference: the reference words that it touches; empty for added text.
        hypothesis: the stretches of the output that it touches; none for missing text.
        reference_lines: numbers of the reference lines, from 1.
        hypothesis_lines: numbers of the output's lines, from 1.
        sure: False where lines are not known and only a coarse name is honest.
        sentence: the event in plain words.
    """

    kind: EventKind
    words: int
    order_words: int
    reference: Span
    hypothesis: tuple[Span, ...]
    reference_lines: tuple[int, ...]
    hypothesis_lines: tuple[int, ...]
    sure: bool
    sentence: str
    groups: tuple[int, ...] = ()
    """The displaced groups of the page's layout that putting it right moves back."""


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """Why a page is bad, in words of the page; ``bwer + explained + scattered == wer``.

    Args:
        events: what went wrong, the costliest first.
        explained: words wrong only by order that the events account for.
        scattered: words wrong only by order that no event accounts for.
        course: how far ahead of its place the output reads down the page, as fractions of it
            (``metrics.order.course``).
    """

    page_id: str
    system: str
    n_ref_words: int
    wer: int
    bwer: int
    explained: int
    scattered: int
    events: tuple[Event, ...]
    course: tuple[float, ...] = ()

    def __repr__(self) -> str:
        return (
            f"<Diagnosis of {self.page_id!r} under {self.system!r}: {len(self.events)} events, "
            f"{self.explained:,} of {self.delta_wer:,} errors by order explained>"
        )

    @property
    def delta_wer(self) -> int:
        return self.wer - self.bwer
