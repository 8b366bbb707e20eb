"""Added text that other pages explain: it stands there, or the system writes it again and again."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from htreval_core.diagnosis.limits import FOREIGN
from htreval_core.diagnosis.model import (
    Confidence,
    Detail,
    Diagnosis,
    Event,
    EventKind,
    Extent,
    FromPage,
    OwnPhrase,
    Passage,
    Replacement,
    RunningHead,
)
from htreval_core.model import Page

_ADDED = frozenset({EventKind.INVENTED, EventKind.REPLACED, EventKind.TRANSLATED})
_NUMBERS = re.compile(r"\d+|\b[ivxlc]+\b")
_SIGNS = ".,:;!?*#-–—()[]“”\"'"

Diagnoses = Mapping[str, Sequence[Diagnosis]]
_Place = tuple[str, int, int]
"""A system, a diagnosis of it, and one of its events."""
_HeadKey = tuple[str, tuple[str, ...]]
"""A system, and what it writes: at the head or the foot, and the words."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be looked for in the references of all pages; false where there is nothing.

    Args:
        pairs: neighbouring words of added text, with the places of the text.
        neighbours: how many such pairs each place has.
        own_page: the page that each place stands on.
        heads: recurring heads by their text, with the places that have it.
    """

    pairs: Mapping[tuple[str, str], Sequence[_Place]]
    neighbours: Mapping[_Place, int]
    own_page: Mapping[_Place, str]
    heads: Mapping[tuple[str, ...], Sequence[_HeadKey]]

    def __bool__(self) -> bool:
        return bool(self.pairs or self.heads)


@dataclass(frozen=True, slots=True)
class Seen:
    """What of that stands in the reference of one page.

    Args:
        places: added text of other pages that is text of this one.
        heads: recurring heads that it has.
    """

    page_id: str
    places: tuple[_Place, ...]
    heads: frozenset[_HeadKey]


def find_wanted(diagnoses: Diagnoses) -> Wanted:
    """What is to be looked for in the pages before added text can be explained."""
    pairs: dict[tuple[str, str], list[_Place]] = defaultdict(list)
    neighbours: dict[_Place, int] = {}
    own_page: dict[_Place, str] = {}
    for place, event in _asked(diagnoses).items():
        words = event.text.split()
        own = set(pairwise(words)) if len(words) >= FOREIGN.LEAST_WORDS else set()
        neighbours[place] = len(own)
        own_page[place] = diagnoses[place[0]][place[1]].page_id
        for pair in own:
            pairs[pair].append(place)
    heads: dict[tuple[str, ...], list[_HeadKey]] = defaultdict(list)
    for key in _recurring_heads(diagnoses):
        heads[key[1][1:]].append(key)
    return Wanted(dict(pairs), neighbours, own_page, dict(heads))


def look_into(page: Page, wanted: Wanted) -> Seen:
    """What of the text that is looked for stands in the reference of a page."""
    lines = [line.text for line in page.reference.lines]
    looked_at = lines if wanted.heads else ()
    heads = frozenset(key for line in looked_at for key in wanted.heads.get(_head(line), ()))
    if not wanted.pairs:
        return Seen(page.page_id, (), heads)
    words = [word for line in lines for word in line.split()]
    hits = Counter(
        place for pair in set(pairwise(words)) & wanted.pairs.keys()
        for place in wanted.pairs[pair]
    )  # fmt: skip
    places = sorted(
        place
        for place, n_found in hits.items()
        if n_found >= max(FOREIGN.FOUND * wanted.neighbours[place], FOREIGN.LEAST_WORDS - 2)
        and wanted.own_page[place] != page.page_id
    )
    return Seen(page.page_id, tuple(places), heads)


def explain_added(diagnoses: Diagnoses, seen: Iterable[Seen]) -> dict[str, tuple[Diagnosis, ...]]:
    """The diagnoses with added text named after where it comes from.

    Args:
        seen: what ``look_into`` found in each page, for ``find_wanted`` of these diagnoses; none
            where nothing is wanted.
    """
    other_page: dict[_Place, str] = {}
    on_pages: set[_HeadKey] = set()
    for one in seen:
        on_pages |= one.heads
        for place in one.places:
            other_page.setdefault(place, one.page_id)
    asked, heads = _asked(diagnoses), _recurring_heads(diagnoses)
    named = _phrases(asked)
    for place, page_id in other_page.items():
        if place not in named or asked[place].words >= FOREIGN.LONG:
            event = asked[place]
            detail = FromPage(page_id, _extent(event))
            named[place] = _explained(event, EventKind.OTHER_PAGE, detail)
    found = {system: list(of_system) for system, of_system in diagnoses.items()}
    for (system, at, number), event in named.items():
        before = found[system][at]
        events = (*before.events[:number], event, *before.events[number + 1 :])
        found[system][at] = replace(before, events=events)
    for key, of_key in heads.items():
        if key not in on_pages:
            for at, event in of_key:
                found[key[0]][at] = _with_head(found[key[0]][at], event, len(of_key))
    return {system: tuple(of_system) for system, of_system in found.items()}


def _asked(diagnoses: Diagnoses) -> dict[_Place, Event]:
    """The added text of all pages."""
    return {
        (system, at, number): event
        for system, of_system in diagnoses.items()
        for at, one in enumerate(of_system)
        for number, event in enumerate(one.events)
        if event.text and (event.kind in _ADDED or _is_unreadable(event))
    }


def _is_unreadable(event: Event) -> bool:
    """Whether it is a whole page of which hardly a word is known: it may be another one."""
    facts = event.facts
    return (
        event.kind is EventKind.READ_BADLY
        and isinstance(facts, Passage)
        and isinstance(facts.detail, Replacement)
    )


def _explained(event: Event, kind: EventKind, detail: Detail) -> Event:
    """Added text under the name of what explains it."""
    facts = event.facts
    if isinstance(facts, Passage):
        facts = replace(facts, detail=detail)
    return replace(event, kind=kind, facts=facts, confidence=Confidence.SURE)


def _extent(event: Event) -> Extent | None:
    """How much of the page was replaced, if it was no mere passage."""
    detail = event.facts.detail if isinstance(event.facts, Passage) else None
    return detail.extent if isinstance(detail, Replacement) else None


def _phrases(asked: Mapping[_Place, Event]) -> dict[_Place, Event]:
    """Events whose text the same system writes on several pages."""
    where: dict[tuple[str, tuple[str, ...]], set[int]] = defaultdict(set)
    for (system, at, _), event in asked.items():
        where[system, _key(event)].add(at)
    return {
        place: _explained(event, EventKind.PHRASE, OwnPhrase(_extent(event)))
        for place, event in asked.items()
        if len(where[place[0], _key(event)]) >= FOREIGN.RECURS
        # A phrase is short, and of words, not of signs that occur everywhere.
        and event.words <= FOREIGN.PHRASE
        and sum(map(str.isalpha, _key(event))) >= FOREIGN.LETTERS
    }


def _key(event: Event) -> tuple[str, ...]:
    return tuple(word.casefold().strip(_SIGNS) for word in event.text.split()[: FOREIGN.KEY])


def _recurring_heads(diagnoses: Diagnoses) -> dict[_HeadKey, list[tuple[int, Event]]]:
    """What a system writes at the head or the foot of several pages, by system and text."""
    found: dict[_HeadKey, list[tuple[int, Event]]] = defaultdict(list)
    for system, of_system in diagnoses.items():
        for at, one in enumerate(of_system):
            for event in one.edges:
                if any(sign.isalnum() for sign in event.text):
                    edge = "head" if _is_head(event) else "foot"
                    found[system, (edge, *_head(event.text))].append((at, event))
    return {key: of_key for key, of_key in found.items() if len(of_key) >= FOREIGN.RECURS}


def _is_head(event: Event) -> bool:
    """Whether a running head stands at the head of the page, not at its foot."""
    return event.hypothesis[0][0] == 0


def _head(text: str) -> tuple[str, ...]:
    """A text without its numbers, which count on from page to page."""
    words = (_NUMBERS.sub("0", word.casefold().strip(_SIGNS)) for word in text.split())
    return tuple(word for word in words if word)


def _with_head(one: Diagnosis, head: Event, n_pages: int) -> Diagnosis:
    """The diagnosis with its running head named as that, and no longer as added text."""
    facts = Passage(detail=RunningHead(not _is_head(head), n_pages))
    (span,) = head.hypothesis
    covered = [
        event
        for event in one.events
        if event.kind in (*_ADDED, EventKind.PHRASE) and event.hypothesis
        and all(span[0] <= start and end <= span[1] for start, end in event.hypothesis)
    ]  # fmt: skip
    events = [event for event in one.events if event not in covered]
    return replace(one, events=(*events, replace(head, facts=facts)))
