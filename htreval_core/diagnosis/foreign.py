"""Added text that other pages explain: it stands there, or the system writes it again and again."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from htreval_core.diagnosis.model import Confidence, Diagnosis, Event, EventKind
from htreval_core.diagnosis.telling import counted
from htreval_core.model import Page

_ADDED = frozenset({EventKind.INVENTED, EventKind.REPLACED, EventKind.TRANSLATED})
_LEAST_WORDS = 6
"""Fewer added words are not looked for on other pages."""
_FOUND = 0.4
"""The share of neighbouring words that must stand beside each other on the other page."""
_LONG = 20
"""From so many words on it is text of the other page, however often the system writes it."""
_RECURS = 3
"""Pages on which a system must write the same to have a phrase or a running head of its own."""
_KEY = 5
"""The words by which a phrase is known again."""
_TRANSLATED = re.compile(r"was translated(?: into \w+)?, it seems", re.ASCII)
_NUMBERS = re.compile(r"\d+|\b[ivxlc]+\b")
_SIGNS = ".,:;!?*#-–—()[]“”\"'"

Diagnoses = Mapping[str, Sequence[Diagnosis]]
_Place = tuple[str, int, int]
"""A system, a diagnosis of it, and one of its events."""


@dataclass(frozen=True, slots=True)
class Habit:
    """What one system writes on page after page though no reference has it.

    Args:
        text: as it stands on the first of these pages.
        page_ids: the pages.
        words: of all pages together.
        sentence: the habit in plain words.
    """

    system: str
    kind: EventKind
    text: str
    page_ids: tuple[str, ...]
    words: int
    sentence: str


def explain_added(diagnoses: Diagnoses, pages: Iterable[Page]) -> dict[str, tuple[Diagnosis, ...]]:
    """The diagnoses with added text named after where it comes from.

    Args:
        pages: all pages; their references are read once, and only if there is added text.
    """
    asked = {
        (system, at, number): event
        for system, of_system in diagnoses.items()
        for at, one in enumerate(of_system)
        for number, event in enumerate(one.events)
        if event.kind in _ADDED and event.text
    }
    heads = _recurring_heads(diagnoses)
    found = {system: list(of_system) for system, of_system in diagnoses.items()}
    if asked or heads:
        looked = _Looked(asked, set(heads), diagnoses)
        for page in pages:
            looked.at(page)
        named = _phrases(asked)
        for place, page_id in looked.other_page.items():
            if place not in named or asked[place].words >= _LONG:
                told = f"text of another page, {page_id}"
                named[place] = _renamed(asked[place], EventKind.OTHER_PAGE, told)
        for (system, at, number), event in named.items():
            one = found[system][at]
            events = (*one.events[:number], event, *one.events[number + 1 :])
            found[system][at] = replace(one, events=events)
        for key in heads.keys() - looked.on_pages:
            for at, event in heads[key]:
                found[key[0]][at] = _with_head(found[key[0]][at], event, len(heads[key]))
    return {system: tuple(of_system) for system, of_system in found.items()}


def find_habits(diagnoses: Diagnoses) -> list[Habit]:
    """What each system writes on page after page, the commonest first."""
    groups: dict[tuple[str, EventKind, tuple[str, ...]], list[tuple[str, Event]]] = defaultdict(
        list
    )
    for system, of_system in diagnoses.items():
        for one in of_system:
            for event in one.events:
                if event.kind in (EventKind.HEAD, EventKind.PHRASE) and event.text:
                    key = _head_key(event) if event.kind is EventKind.HEAD else _key(event)
                    groups[system, event.kind, key].append((one.page_id, event))
    habits = []
    for (system, kind, _), of_group in groups.items():
        page_ids = tuple(dict.fromkeys(page_id for page_id, _ in of_group))
        first = of_group[0][1]
        where = f"at the {_edge(first)}" if kind is EventKind.HEAD else "in the text"
        told = (
            f"{where.capitalize()} of {counted(len(page_ids), 'page')} stands “{first.text}” or "
            "the like, which no reference has."
        )
        words = sum(event.words for _, event in of_group)
        habits.append(Habit(system, kind, first.text, page_ids, words, told))
    return sorted(habits, key=lambda habit: -len(habit.page_ids))


def _renamed(event: Event, kind: EventKind, what: str) -> Event:
    sentence = event.sentence.replace("text in its", f"{what}, in its", 1)
    sentence = sentence.replace(" that the reference does not have", "", 1)
    sentence = sentence.replace("by other text", f"by {what}", 1)
    sentence = _TRANSLATED.sub(lambda _: f"was replaced by {what}", sentence, count=1)
    return replace(event, kind=kind, sentence=sentence, confidence=Confidence.SURE)


def _phrases(asked: Mapping[_Place, Event]) -> dict[_Place, Event]:
    """Events whose text the same system writes on several pages."""
    where: dict[tuple[str, tuple[str, ...]], set[int]] = defaultdict(set)
    for (system, at, _), event in asked.items():
        where[system, _key(event)].add(at)
    return {
        place: _renamed(event, EventKind.PHRASE, "the system’s own phrase")
        for place, event in asked.items()
        if len(where[place[0], _key(event)]) >= _RECURS
    }


def _key(event: Event) -> tuple[str, ...]:
    return tuple(word.casefold().strip(_SIGNS) for word in event.text.split()[:_KEY])


_HeadKey = tuple[str, tuple[str, ...]]


def _recurring_heads(diagnoses: Diagnoses) -> dict[_HeadKey, list[tuple[int, Event]]]:
    """What a system writes at the head or the foot of several pages, by system and text."""
    found: dict[_HeadKey, list[tuple[int, Event]]] = defaultdict(list)
    for system, of_system in diagnoses.items():
        for at, one in enumerate(of_system):
            for event in one.edges:
                if any(sign.isalnum() for sign in event.text):
                    found[system, _head_key(event)].append((at, event))
    return {key: of_key for key, of_key in found.items() if len(of_key) >= _RECURS}


def _head_key(event: Event) -> tuple[str, ...]:
    return (_edge(event), *_head(event.text))


def _edge(event: Event) -> str:
    """Where on the page a running head stands."""
    return "head" if event.hypothesis[0][0] == 0 else "foot"


def _head(text: str) -> tuple[str, ...]:
    """A text without its numbers, which count on from page to page."""
    words = (_NUMBERS.sub("0", word.casefold().strip(_SIGNS)) for word in text.split())
    return tuple(word for word in words if word)


def _with_head(one: Diagnosis, head: Event, n_pages: int) -> Diagnosis:
    """The diagnosis with its running head told as that, and no longer as added text."""
    told = head.sentence.removesuffix(".") + f", and that the system writes on {n_pages} pages."
    (span,) = head.hypothesis
    covered = [
        event
        for event in one.events
        if event.kind in (*_ADDED, EventKind.PHRASE) and event.hypothesis
        and all(span[0] <= start and end <= span[1] for start, end in event.hypothesis)
    ]  # fmt: skip
    events = [event for event in one.events if event not in covered]
    return replace(one, events=(*events, replace(head, sentence=told)))


class _Looked:
    """What of the added text was found in the references of other pages, one by one.

    Args:
        asked: added text.
        heads: running heads, of which no reference should have any.
    """

    def __init__(
        self, asked: Mapping[_Place, Event], heads: set[_HeadKey], diagnoses: Diagnoses
    ) -> None:
        self.other_page: dict[_Place, str] = {}
        self.on_pages: set[_HeadKey] = set()
        self._diagnoses = diagnoses
        self._heads: dict[tuple[str, ...], list[_HeadKey]] = defaultdict(list)
        for key in heads:
            self._heads[key[1][1:]].append(key)
        self._wanted: dict[tuple[str, str], list[_Place]] = defaultdict(list)
        self._neighbours: dict[_Place, int] = {}
        for place, event in asked.items():
            words = event.text.split()
            pairs = set(pairwise(words)) if len(words) >= _LEAST_WORDS else set()
            self._neighbours[place] = len(pairs)
            for pair in pairs:
                self._wanted[pair].append(place)

    def at(self, page: Page) -> None:
        """Look into the reference of a page."""
        lines = [line.text for line in page.reference.lines]
        if self._heads:
            for line in lines:
                self.on_pages.update(self._heads.get(_head(line), ()))
        if not self._wanted:
            return
        words = [word for line in lines for word in line.split()]
        hits = Counter(
            place for pair in set(pairwise(words)) & self._wanted.keys()
            for place in self._wanted[pair]
        )  # fmt: skip
        for place, n_found in hits.items():
            own = self._diagnoses[place[0]][place[1]].page_id
            enough = n_found >= max(_FOUND * self._neighbours[place], _LEAST_WORDS - 2)
            if own != page.page_id and enough:
                self.other_page.setdefault(place, page.page_id)
