"""Each fault in one sentence: what happened, to how many words, and what WER charges; doubts."""

import tomllib
from collections.abc import Mapping
from enum import Enum
from pathlib import Path
from types import MappingProxyType
from typing import TypeVar

from htreval_core.diagnosis import Catastrophe, Suspicion
from htreval_core.diagnosis.model import (
    Detail,
    DoubtReason,
    Elsewhere,
    Event,
    EventKind,
    Extent,
    FromPage,
    InRegion,
    Loop,
    OwnPhrase,
    Passage,
    Place,
    ReadAlike,
    Repetition,
    Replacement,
    Respelling,
    RunningHead,
    Talking,
    TalkPlace,
    Together,
    Translation,
)
from htreval_core.show.telling.counting import MOST_RUNS, counted, listed_in_words, tell_lines

_TOLD = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
_Kind = TypeVar("_Kind", bound=Enum)


def _formats(table: str, kinds: type[_Kind]) -> Mapping[_Kind, str]:
    return MappingProxyType({kinds[name]: told for name, told in _TOLD[table].items()})


_ORDER = _formats("order", EventKind)
_OF_LINES = _formats("order_of_lines", EventKind)
_REASONS = _formats("reasons", DoubtReason)
_PASSAGES = _formats("passages", EventKind)
_TALK = _formats("talk", TalkPlace)
_EXTENTS = _formats("extents", Extent)
_TOGETHER = _formats("together", EventKind)
_EDGES = _formats("edges", EventKind)
_ELSE_TOGETHER = "{n} smaller cases of “{kind}” in {place}: {cost}."

_NUMBERS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_LANGUAGES = _TOLD["languages"]
_OF_CASE = {("A", "a"): "capital→small letter", ("a", "A"): "small letter→capital"}
_PICTURES = ("image", "graphic", "illustration", "drawing", "chart", "map")
_MOST_QUOTED = 12
"""Words of a quotation."""
_MOST_OF_LINE, _FEW_LINES = 0.75, 4
"""A line is named whole from this share of its words on, as the ends of blocks are known to a word
or two; of more lines than these it does not matter."""

_MIXED = 4
"""A column was shuffled where it has no more lines than these for each that was displaced."""


def tell_event(event: Event) -> str:
    """One event in a sentence, with what of its cost is a matter of convention.

    Lines are those of the reference unless the sentence says otherwise.

    Args:
    """
    facts = event.facts
    if isinstance(facts, ReadAlike):
        said = (
            f"the reference may be out of order at {tell_lines(event.reference_lines)}: "
            f"{facts.systems} of {facts.of} independent systems read it elsewhere; {_cost(event)}."
        )
    elif isinstance(facts, Elsewhere):
        said = _elsewhere(event, facts) + _convention(event)
    elif isinstance(facts, Together):
        said = _together(event, facts) + _convention(event)
    else:
        said = _passage(event, facts)
    return said[:1].upper() + said[1:]


def _convention(event: Event) -> str:
    if not event.convention:
        return ""
    if event.all_allowed:
        return " This is a matter of convention: the page allows either order."
    one = event.convention == 1
    some = "One of these errors is" if one else f"{event.convention:,} of these errors are"
    return f" {some} only a matter of convention: another order is allowed."


def _elsewhere(event: Event, facts: Elsewhere) -> str:
    place = facts.place
    has_lines = bool(place.lines)
    # A line that was read in two pieces stands on both sides.
    jumped = [line for line in facts.jumped if line not in facts.after]
    early = has_lines and jumped and not facts.late
    n = facts.columns
    counted_columns = f"{_NUMBERS[n - 2]} columns" if 2 <= n <= 10 else f"{n} columns"
    several = _is_plural(place)
    is_of_lines = not facts.within and 1 < len(facts.mixed) <= _MIXED * len(place.lines)
    known = _ORDER[event.kind]
    said = (_OF_LINES.get(event.kind, known) if is_of_lines else known).format(
        place=tell_place(place), lines=tell_lines(place.lines) if has_lines else tell_place(place),
        both=tell_lines(facts.mixed) if has_lines else tell_place(place),
        where=_where(facts) + _IN_PLACE * facts.in_place if has_lines else "elsewhere",
        columns=counted_columns if n > 1 else "columns", was="were" if several else "was",
        stand="stand" if several else "stands", it="them" if several else "it",
        its="their" if len(place.lines) > 1 else "its",
        part="each part" if facts.pieces > 1 else "it", before="after" if facts.late else "before",
        early=f", before {tell_lines(jumped)}" if early else "",
        jumped=tell_lines(facts.jumped) if has_lines else "other text",
        reason=_REASONS[facts.doubt] if facts.doubt else "most systems read it elsewhere",
    )  # fmt: skip
    mark = ";" if ":" in said else ":"
    return f"{said}{mark} {_cost(event)}."


_IN_PLACE = ", where it stands on the page; the reference has it later"


def _where(facts: Elsewhere) -> str:
    """After which reference lines the pieces were read."""
    known = sorted(line for line in facts.after if line)
    at_top = "at the top" if 0 in facts.after else ""
    if not known:
        return at_top
    if facts.pieces > 1 and not at_top and known[-1] + 1 in facts.place.lines[:1]:
        return f"in {facts.pieces} pieces among {tell_lines(range(known[0], known[-1] + 1))}"
    if len(known) > MOST_RUNS:
        top = "the top" if at_top else tell_lines(known[:1])
        return f"in {facts.pieces} pieces between {top} and {tell_lines(known[-1:])}"
    rest = "the rest of " if {*known} <= {*facts.place.lines} else ""
    after = f"after {rest}{tell_lines(known)}"
    return f"{at_top} and {after}" if at_top else after


def _cost(event: Event) -> str:
    """Words and errors apart, as one clause."""
    return f"{counted(event.words, 'word')}, costing {counted(event.errors, 'error')}"


def _together(event: Event, facts: Together) -> str:
    place = tell_lines(event.reference_lines, few=True) or "the text"
    if facts.places:
        place = listed_in_words([tell_place(one) for one in facts.places])
    formats = _EDGES if facts.edge else _TOGETHER
    return formats.get(event.kind, _ELSE_TOGETHER).format(
        edge="ends" if facts.edge and facts.edge.is_end else "beginnings",
        n=facts.events, place=place, words=counted(event.words, "word"), cost=_cost(event),
        kind=event.kind.value,
    )  # fmt: skip


def _passage(event: Event, facts: Passage) -> str:
    detail, place = facts.detail, facts.place or Place()
    where = tell_place(place)
    several = not facts.note and _is_plural(place)
    n_other = sum(end - start for start, end in event.hypothesis)
    code = detail.language if isinstance(detail, Translation) else ""
    signs = {use.new for use in detail.uses} if isinstance(detail, Respelling) else set()
    return _format(event, facts).format(
        what=f"the marginal note in {where}" if facts.note else where,
        is_="are" if several else "is", was="were" if several else "was",
        words=counted(event.words, "word"),
        output=tell_lines(event.hypothesis_lines) if facts.in_lines else "text",
        other=counted(n_other, "word"), source=_source(facts),
        since=_since(place) if facts.place else "",
        looped=_looped(detail) if isinstance(detail, Loop) else "",
        copies=f"{detail.copies:.0f}" if isinstance(detail, Loop) else "",
        instead=f" instead of reading {where}" if where else "",
        share=f"{100 * facts.share:.0f} %", quote=_quoted(event.text),
        language=f" into {_LANGUAGES[code]}" if code in _LANGUAGES else "",
        origin=_origin(facts), region=_region(detail),
        edge="foot" if isinstance(detail, RunningHead) and detail.foot else "head",
        often=_often(facts), bars=", as of a table with bars," if "|" in signs else "",
        rules=_rules(event, detail) if isinstance(detail, Respelling) else "",
    )  # fmt: skip


def _format(event: Event, facts: Passage) -> str:
    detail = facts.detail
    if isinstance(detail, Talking) and event.kind is EventKind.TALK:
        return _TALK[detail.at]
    if event.kind is EventKind.READ_BADLY and isinstance(detail, Replacement):
        return "almost nothing on the page is recognisable in the output: {share} of {words}."
    if isinstance(detail, Repetition | Replacement | FromPage | OwnPhrase) and detail.extent:
        return _EXTENTS[detail.extent]
    if facts.place and isinstance(detail, FromPage | OwnPhrase):
        return _PASSAGES[EventKind.REPLACED]
    return _PASSAGES[event.kind]


def _origin(facts: Passage) -> str:
    """What text that the reference does not have is, as far as that is known."""
    if isinstance(facts.detail, FromPage):
        return f"text of another page ({facts.detail.page_id})"
    if isinstance(facts.detail, OwnPhrase):
        return "a phrase of the system’s own"
    return "other text"


def _region(detail: Detail | None) -> str:
    kind = detail.region_kind.lower() if isinstance(detail, InRegion) else ""
    if "table" in kind:
        return "a table"
    return "text in a picture" if any(name in kind for name in _PICTURES) else "text in a region"


def _source(facts: Passage) -> str:
    """Where in the reference repeated text comes from, as far as that is known."""
    detail = facts.detail
    if isinstance(detail, Repetition) and detail.source:
        return f", from {tell_place(detail.source)}"
    return ""


def _looped(loop: Loop) -> str:
    if loop.source:
        return tell_place(loop.source)
    words = counted(loop.period, "word")
    return f"{words} that the page does not have" if loop.foreign else words


def _often(facts: Passage) -> str:
    detail = facts.detail
    if not isinstance(detail, RunningHead) or not detail.pages:
        return ""
    return f", on {counted(detail.pages, 'page')}"


def _rules(event: Event, found: Respelling) -> str:
    uses: list[str] = []
    for use in found.uses:
        change = _OF_CASE.get((use.old, use.new)) or "→".join(filter(None, (use.old, use.new)))
        times = f" {use.times}{'' if uses else ' times'}" if use.times > 1 else ""
        uses.append(f"{change}{times}")
    told = "; ".join([*uses, *["and others"] * (found.rules > len(found.uses))])
    if event.kind is not EventKind.SPELLING:
        every = f" of {found.misread:,}" if found.words < found.misread else ""
        where = f"in {found.words:,}{every} places" if found.misread > 1 else "once"
        return f"{where}, costing {counted(event.errors, 'error')}: {told}"
    follow = f"follow {found.rules} rules" if found.rules > 1 else "follow one rule"
    return f"{counted(found.words, 'misread word')} {follow}: {told}"


def _since(place: Place) -> str:
    """The line or the word of the reference that a stretch begins with."""
    if not place.lines:
        return f"word {place.first}"
    line = tell_lines(place.lines[:1])
    return f"the middle of {line}" if place.first > 1 or place.ends[0] < 1 else line


def _quoted(text: str) -> str:
    words = text.split()
    more = " …" if len(words) > _MOST_QUOTED else ""
    return f"“{' '.join(words[:_MOST_QUOTED])}{more}”"


def _is_plural(place: Place) -> bool:
    """Whether a sentence names a place as several lines or words."""
    return len(place.lines) > 1 if not place.first else place.last > place.first


def tell_place(place: Place) -> str:
    """Lines where they are whole, else which part of them; words where there are no lines."""
    first, last, lines = place.first, place.last, place.lines
    if not first:
        few = len(lines) <= _FEW_LINES
        at_end, at_beginning = (few and share < _MOST_OF_LINE for share in place.ends)
        parts = [f"the end of {tell_lines(lines[:1])}"] * at_end
        parts += filter(None, [tell_lines(lines[at_end : len(lines) - at_beginning])])
        parts += [f"the beginning of {tell_lines(lines[-1:])}"] * at_beginning
        return listed_in_words(parts)
    if not place.lines:
        return f"words {first}–{last}" if last > first else f"word {first}"
    n = last - first + 1
    words = "word" if n == 1 else f"{n:,} words"
    line = tell_lines(place.lines)
    if first == 1:
        return f"the first {words} of {line}"
    if last == place.n_words:
        return f"the last {words} of {line}"
    return f"words {first}–{last} of {line}" if n > 1 else f"word {first} of {line}"


def tell_catastrophe(found: Catastrophe) -> str:
    """What took a page over, in a sentence."""
    if found.event is not None:
        return tell_event(found.event)
    return (
        f"WER charges {counted(found.errors, 'error')}, order set aside, on "
        f"{counted(found.n_words, 'word')}."
    )


def tell_suspicion(suspicion: Suspicion) -> str:
    """Why a reference is in doubt, in a sentence or two, and what to do."""
    if suspicion.event is not None:
        several = len(suspicion.systems) > 1
        whose = f" The figures are those of {suspicion.systems[0]}." if several else ""
        return f"{tell_event(suspicion.event)}{whose} Compare it with the page."
    lines = suspicion.reference_lines
    stand = "stands" if len(lines) == 1 else "stand"
    return (
        f"{tell_lines(lines).capitalize()} of the reference {stand} above the preceding line of "
        "the same region: the reference may be out of order. Compare it with the page."
    )
