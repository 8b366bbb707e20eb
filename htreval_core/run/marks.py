"""A mark: what somebody said of a page, or of a line, a word or a fault on it."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Literal, TypeAlias
from uuid import uuid4

LOOKED_AT, SEND_BACK, REFERENCE_WRONG = "looked at", "send back", "reference wrong"
USUAL = (LOOKED_AT, SEND_BACK, REFERENCE_WRONG)
"""The tags that have a key; people may write others."""
LONGEST_NAME, LONGEST_TEXT, MOST_TAGS = 60, 2000, 20
"""Characters of a person's name or a tag, and of a remark or a quotation; tags of a mark."""
On: TypeAlias = Literal["page", "line", "word", "fault"]


@dataclass(frozen=True, slots=True)
class Target:
    """What a mark is on.

    Args:
        side: "ref" or "hyp"; empty for a page.
        first: the first word of that side, or for a line its number, from 0.
        end: the one after the last.
        quote: what stands there: the word, the line, or the kind of the fault.
        system: whose output it is, or who made the fault; empty for pages and references.
    """

    page_id: str
    on: On = "page"
    side: str = ""
    first: int = 0
    end: int = 0
    quote: str = ""
    system: str = ""


@dataclass(frozen=True, slots=True)
class Mark:
    """One statement of a person. Without tags and remark it is withdrawn.

    Args:
        mark_id: "urn:uuid:…"; a later mark with the same id replaces this one.
        created: as ISO 8601 in UTC with microseconds, so that texts compare as times.
        modified: the same.
    """

    mark_id: str
    target: Target
    person: str
    created: str
    modified: str
    tags: tuple[str, ...] = ()
    remark: str = ""


def as_time(when: datetime) -> str:
    """A time as marks write it; one without a zone is taken for UTC."""
    when = when.astimezone(UTC) if when.tzinfo else when.replace(tzinfo=UTC)
    return when.replace(tzinfo=None).isoformat(timespec="microseconds") + "Z"


def merge_marks(marks: Iterable[Mark]) -> list[Mark]:
    """The last state of every mark, by page and time; withdrawn marks are among them.

    The order in which marks are given, and how often, changes nothing.
    """
    last: dict[str, Mark] = {}
    for mark in marks:
        before = last.get(mark.mark_id)
        if before is None or _age(mark) > _age(before):
            last[mark.mark_id] = mark
    return sorted(last.values(), key=lambda one: (one.target.page_id, one.created, one.mark_id))


def _age(mark: Mark) -> tuple[str, str]:
    # Of two states of the same moment one is taken, whichever came first.
    return mark.modified, repr(mark)


def standing(marks: Iterable[Mark]) -> list[Mark]:
    """The last state of every mark that was not withdrawn."""
    return [one for one in merge_marks(marks) if one.tags or one.remark]


def said_of(
    marks: Iterable[Mark], target: Target, person: str, tags: Iterable[str], remark: str
) -> list[Mark]:
    """What to write so that a person says this, and nothing else, of a target.

    Args:
        marks: all there are.
        tags: none, and no remark, to withdraw what was said.
    """
    own = [one for one in standing(marks) if one.target == target and one.person == person]
    # Later than what it replaces, also where that was said by a clock that is ahead of this one.
    after = (datetime.fromisoformat(one.modified) + timedelta(microseconds=1) for one in own)
    when = max(map(as_time, [datetime.now(UTC), *after]))
    kept = tuple(dict.fromkeys(tag for one in tags if (tag := one.strip()[:LONGEST_NAME])))
    said = kept[:MOST_TAGS], remark.strip()[:LONGEST_TEXT]
    if not own:
        if not any(said):
            return []
        return [Mark(uuid4().urn, target, person, when, when, *said)]
    # Somebody who works on two machines may have said something of it on both.
    first, *others = own
    changed = [Mark(one.mark_id, target, person, one.created, when) for one in others]
    if (first.tags, first.remark) != said:
        changed.append(Mark(first.mark_id, target, person, first.created, when, *said))
    return changed


def remarks_on(marks: Iterable[Mark], tag: str, system: str) -> dict[str, list[str]]:
    """The pages that have a tag on them, or on what a system made of them, with all remarks."""
    found: dict[str, list[str]] = {}
    for one in marks:
        if tag in one.tags and one.target.system in ("", system):
            found.setdefault(one.target.page_id, []).append(one.remark)
    return found
