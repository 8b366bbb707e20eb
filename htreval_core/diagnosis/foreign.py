"""Added text that other pages explain: it stands there, or the system writes it again and again."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from htreval_core.diagnosis.model import Confidence, Diagnosis, Event, EventKind
from htreval_core.model import Page

_ADDED = frozenset({EventKind.INVENTED, EventKind.REPLACED})
_LEAST_WORDS = 6
"""Fewer added words are not looked for on other pages."""
_FOUND = 0.4
"""The share of neighbouring words that must stand beside each other on the other page."""
_RECURS = 3
"""Pages on which a system must write the same to have a phrase of its own."""
_KEY = 5
"""The words by which a phrase is known again."""
_TALK = re.compile(
    r"\b(?:i(?: am|['’]m) (?:sorry|unable)|i (?:cannot|can['’]t)|as an ai\b|"
    r"(?:the|this) image (?:provided|shows|appears|contains)|"
    r"here(?: is|['’]s) (?:the|a) transcription|(?:the )?transcription (?:of|is) )",
    re.IGNORECASE,
)
"""How assistants speak of themselves, where one page is all there is to go by."""


def explain_added(
    diagnoses: Mapping[str, Sequence[Diagnosis]], pages: Iterable[Page]
) -> dict[str, tuple[Diagnosis, ...]]:
    """The diagnoses with added text named after where it comes from.

    Args:
        pages: all pages; their references are read once, and only if there is added text.
    """
    asked = [
        (system, at, number, event)
        for system, of_system in diagnoses.items()
        for at, one in enumerate(of_system)
        for number, event in enumerate(one.events)
        if event.kind in _ADDED and event.text
    ]
    if not asked:
        return {system: tuple(of_system) for system, of_system in diagnoses.items()}
    named: dict[tuple[str, int, int], Event] = {}
    for key in _phrases(asked):
        named[key[:3]] = _renamed(key[3], EventKind.PHRASE, "the system’s own phrase")
    for system, at, number, event, page_id in _on_other_pages(asked, diagnoses, pages):
        told = f"text of another page, {page_id}"
        named.setdefault((system, at, number), _renamed(event, EventKind.OTHER_PAGE, told))
    found = {system: list(of_system) for system, of_system in diagnoses.items()}
    for (system, at, number), event in named.items():
        one = found[system][at]
        events = (*one.events[:number], event, *one.events[number + 1 :])
        found[system][at] = replace(one, events=events)
    return {system: tuple(of_system) for system, of_system in found.items()}


_Asked = tuple[str, int, int, Event]


def _renamed(event: Event, kind: EventKind, what: str) -> Event:
    sentence = event.sentence.replace("text in its", f"{what}, in its", 1)
    sentence = sentence.replace(" that the reference does not have", "", 1)
    sentence = sentence.replace("by other text", f"by {what}", 1)
    return replace(event, kind=kind, sentence=sentence, confidence=Confidence.SURE)


def _phrases(asked: Sequence[_Asked]) -> list[_Asked]:
    """Events whose text the same system writes on several pages, or that speak as assistants do."""
    where: dict[tuple[str, tuple[str, ...]], set[int]] = defaultdict(set)
    for system, at, _, event in asked:
        where[system, _key(event)].add(at)
    return [
        one
        for one in asked
        if len(where[one[0], _key(one[3])]) >= _RECURS or _TALK.search(one[3].text)
    ]


def _key(event: Event) -> tuple[str, ...]:
    return tuple(word.casefold().strip(".,:;!?*#-–—") for word in event.text.split()[:_KEY])


def _on_other_pages(
    asked: Sequence[_Asked],
    diagnoses: Mapping[str, Sequence[Diagnosis]],
    pages: Iterable[Page],
) -> Iterable[tuple[str, int, int, Event, str]]:
    """Events whose neighbouring words stand beside each other in the reference of another page."""
    wanted: dict[tuple[str, str], list[int]] = defaultdict(list)
    neighbours = []
    for number, (*_, event) in enumerate(asked):
        words = event.text.split()
        pairs = set(pairwise(words)) if len(words) >= _LEAST_WORDS else set()
        neighbours.append(len(pairs))
        for pair in pairs:
            wanted[pair].append(number)
    if not wanted:
        return
    done: set[int] = set()
    for page in pages:
        words = [word for line in page.reference.lines for word in line.text.split()]
        hits = Counter(
            number for pair in set(pairwise(words)) & wanted.keys() for number in wanted[pair]
        )
        for number, n_found in hits.items():
            system, at, place, event = asked[number]
            own = diagnoses[system][at].page_id
            enough = n_found >= max(_FOUND * neighbours[number], _LEAST_WORDS - 2)
            if own != page.page_id and enough and number not in done:
                done.add(number)
                yield system, at, place, event, page.page_id
