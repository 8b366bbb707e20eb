"""Pages on which one fault took over, so that hardly anything of them can be used."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from htreval_core.diagnosis.limits import CATASTROPHE
from htreval_core.diagnosis.model import Diagnosis, Event, EventKind


class CatastropheKind(StrEnum):
    """What took a page over."""

    EMPTY = "empty output"
    REFUSAL = "refusal"
    TALK = "talk instead of text"
    BLANK = "blank page written on"
    OTHER_PAGE = "other page"
    LOOP = "loop"
    CUT_SHORT = "output cut short"
    LEFT_OUT = "page left out"
    TRANSLATED = "translation"
    OTHER_TEXT = "other text"
    TOO_MANY_ERRORS = "WER over 100 %"


@dataclass(frozen=True, slots=True)
class Catastrophe:
    """What took a page over.

    Args:
        share: the part of the page that it takes: of the reference where text is gone or
            replaced, of the output where text is added; word errors over reference words where
            no single fault is to blame, which may be more than 1.
        event: the costliest fault of that kind; None where no single fault is to blame.
        errors: the word errors on the page, order set aside, where none is.
        n_words: the words of the reference.
    """

    kind: CatastropheKind
    share: float
    event: Event | None
    errors: int
    n_words: int


@dataclass(frozen=True, slots=True)
class CatastropheRow:
    """The catastrophic pages of a system.

    Args:
        n_pages: all its pages that were diagnosed.
        pages: those that a fault took over, by id, the worst first.
    """

    system: str
    n_pages: int
    pages: Mapping[str, Catastrophe]

    @property
    def kinds(self) -> dict[CatastropheKind, int]:
        """How many pages each kind took over, the commonest first."""
        return dict(Counter(one.kind for one in self.pages.values()).most_common())


_WHOLE: Mapping[EventKind, CatastropheKind] = {
    EventKind.EMPTY: CatastropheKind.EMPTY, EventKind.REFUSAL: CatastropheKind.REFUSAL,
    EventKind.BLANK: CatastropheKind.BLANK,
}  # fmt: skip
"""However much text it is."""
_OF_OUTPUT: Mapping[EventKind, CatastropheKind] = {
    EventKind.LOOP: CatastropheKind.LOOP, EventKind.OTHER_PAGE: CatastropheKind.OTHER_PAGE,
    EventKind.INVENTED: CatastropheKind.OTHER_TEXT, EventKind.PHRASE: CatastropheKind.OTHER_TEXT,
    EventKind.TALK: CatastropheKind.TALK,
}  # fmt: skip
_OF_REFERENCE: Mapping[EventKind, CatastropheKind] = {
    EventKind.TRUNCATED: CatastropheKind.CUT_SHORT, EventKind.MISSING: CatastropheKind.LEFT_OUT,
    EventKind.TRANSLATED: CatastropheKind.TRANSLATED,
    EventKind.REPLACED: CatastropheKind.OTHER_TEXT,
}  # fmt: skip


def find_catastrophe(diagnosis: Diagnosis) -> Catastrophe | None:
    """What took a page over, or None.

    An empty output, a refusal and text on a blank page always do. A loop, talk, text of another
    page and added text do from half of the output's words on; text that is missing, cut off,
    translated or replaced from half of the reference's. Besides, a page on which WER charges more
    errors than it has words, those of order and of a reference in doubt set aside.
    """
    found: list[Catastrophe] = []
    for kind in dict.fromkeys(event.kind for event in diagnosis.events):
        events = [event for event in diagnosis.events if event.kind is kind]
        one = _of_kind(kind, events, diagnosis)
        if one is not None:
            found.append(one)
    order = list(CatastropheKind)
    if found:
        return min(found, key=lambda one: (-one.share, order.index(one.kind)))
    n_words, parts = diagnosis.n_ref_words, diagnosis.parts
    errors = parts.bag_errors + parts.coincidence
    if n_words and errors > n_words:
        kind_of_all = CatastropheKind.TOO_MANY_ERRORS
        return Catastrophe(kind_of_all, errors / n_words, None, errors, n_words)
    return None


def _of_kind(kind: EventKind, events: Sequence[Event], diagnosis: Diagnosis) -> Catastrophe | None:
    """Whether all events of a kind together take the page over."""
    worst = max(events, key=lambda event: event.errors)
    n_words = diagnosis.n_ref_words
    if kind in _WHOLE:
        return Catastrophe(_WHOLE[kind], 1.0, worst, worst.errors, n_words)
    share, named = 0.0, None
    if kind in _OF_OUTPUT and diagnosis.n_hyp_words:
        words = {k for event in events for span in event.hypothesis for k in range(*span)}
        # Of a loop the first copy may be text of the page.
        n = len(words) if kind is not EventKind.LOOP else sum(event.words for event in events)
        share, named = n / diagnosis.n_hyp_words, _OF_OUTPUT[kind]
    elif kind in _OF_REFERENCE and diagnosis.n_ref_words:
        words_lost = sum(event.words for event in events)
        share, named = words_lost / diagnosis.n_ref_words, _OF_REFERENCE[kind]
    if named is None or share <= CATASTROPHE.MOST:
        return None
    return Catastrophe(named, share, worst, worst.errors, n_words)


def count_catastrophes(diagnoses: Mapping[str, Iterable[Diagnosis]]) -> list[CatastropheRow]:
    """The catastrophic pages of each system, in the order of the systems."""
    rows = []
    for system, of_system in diagnoses.items():
        pages = list(of_system)
        found = [(page.page_id, find_catastrophe(page)) for page in pages]
        known = [(page_id, one) for page_id, one in found if one is not None]
        known.sort(key=lambda pair: -pair[1].share)
        rows.append(CatastropheRow(system, len(pages), dict(known)))
    return rows


def catastrophe_key(diagnosis: Diagnosis) -> tuple[float, int]:
    """By what pages are ranked for their catastrophes: the share taken over, then word errors."""
    one = find_catastrophe(diagnosis)
    return (0.0 if one is None else one.share, diagnosis.wer)
