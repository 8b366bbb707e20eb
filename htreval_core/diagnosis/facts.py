"""What is known of an event besides its numbers: facts, which ``show.telling`` makes sentences of.

Lines and words are numbered from 1 here, as a person counts them.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class Place:
    """Where a stretch of text stands in the reference.

    Args:
        lines: its lines; none where the reference has no lines.
        first: its first word, in its one line where it does not fill it, or in the text where
            there are no lines; else 0.
        last: its last word, counted likewise.
        n_words: the words of that line.
        starts_line: whether it begins where a line begins.
    """

    lines: tuple[int, ...] = ()
    first: int = 0
    last: int = 0
    n_words: int = 0
    starts_line: bool = True


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
    """

    place: Place
    mixed: tuple[int, ...] = ()
    after: tuple[int, ...] = ()
    pieces: int = 1
    jumped: tuple[int, ...] = ()
    late: bool = False
    columns: int = 0
    doubt: DoubtReason | None = None


@dataclass(frozen=True, slots=True)
class ReadAlike:
    """So many systems read the text elsewhere, of all that read the page."""

    systems: int
    of: int


@dataclass(frozen=True, slots=True)
class Together:
    """Several small events of a kind.

    Args:
        events: how many.
        places: where each stands, where they are few.
    """

    events: int
    places: tuple[Place, ...] = ()


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
    """Spelling that was changed by rule.

    Args:
        uses: the commonest rules.
        rules: how many there are.
        words: the misread words that they explain.
        misread: all misread words.
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


Detail = (
    Loop | Repetition | Talking | Translation | Replacement | Respelling | RunningHead | FromPage
    | OwnPhrase
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
