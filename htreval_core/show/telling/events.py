"""Each failure in one sentence: what happened, to how many words, and what WER charges."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from htreval_core.diagnosis.facts import (
    DoubtReason,
    Elsewhere,
    Extent,
    FromPage,
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
from htreval_core.diagnosis.model import Event, EventKind
from htreval_core.show.telling.counting import MOST_RUNS, counted, listed_in_words, tell_lines

LinesTold = Callable[[Sequence[int]], str]
"""How numbers of reference lines are put into words."""

_ORDER: Mapping[EventKind, str] = MappingProxyType(
    {
        EventKind.MARGINALIA: "The marginal note, reference {place}, was read {where}",
        EventKind.COLUMNS_BY_LINE: "{columns} were read by turns, a line of each, reference {both}",
        EventKind.COLUMNS_ACROSS: "{columns} were read across, line by line, reference {both}",
        EventKind.COLUMN_ORDER: "Columns were read in the wrong order: reference {place} {before} "
        "{jumped} beside it",
        EventKind.BELOW_RULE: "Text below a rule was read into the columns above: reference "
        "{place} as the continuation of the column over it, {where}",
        EventKind.INTERLEAVED: "Two columns, it seems, were read by turns, reference {place}",
        EventKind.DOUBLE_PAGE: "The two leaves were read into each other, reference {both}",
        EventKind.COLUMNS_IN_ZONES: "Columns were mixed in zones: reference {place} {was} read "
        "{where}",
        EventKind.TABLE: "A table was read by rows where the reference has it by columns, "
        "reference {both}",
        EventKind.RUNNING_HEAD: "The running head, reference {place}, was read {where}",
        EventKind.PAGE_NUMBER: "The page number, reference {place}, was read {where}",
        EventKind.CATCH_WORD: "The catch-word, reference {place}, was read {where}",
        EventKind.FOOTNOTE: "The footnote, reference {place}, was read {where}",
        EventKind.DROP_CAPITAL: "The drop capital, reference {place}, was read {where}",
        EventKind.SIGNS: "The signs at the beginnings of lines were read as a column of their own, "
        "reference {place}, {where}",
        EventKind.SCRAMBLED: "Short pieces of reference {place} were scattered",
        EventKind.LINES_SWAPPED: "Reference {place} changed places with the text beside",
        EventKind.LOCAL_SWAP: "Reference {place} changed places with the text beside",
        EventKind.SUFFIX_FIRST: "The end of reference {place} was read before its beginning",
        EventKind.PREFIX_LATE: "The beginning of a line, reference {place}, was read after the "
        "next line",
        EventKind.SUFFIX_LATE: "The end of a line, reference {place}, was read after the next line",
        EventKind.MOVED: "Reference {place} {was} read {where}{early}",
        EventKind.REFERENCE: "The reference itself may be out of order at {place}: {reason}. The "
        "output read it {where}",
    }
)
"""Formats. They know the reference as ``place``, with the text that it was mixed with as ``both``;
where it was read as ``where``; the columns as ``columns``; what it jumped over as ``jumped``."""

_REASONS: Mapping[DoubtReason | None, str] = MappingProxyType(
    {
        DoubtReason.UNLISTED: "its region is not in the reference's declared reading order",
        DoubtReason.UPWARD: "the reference does not have it where it stands on the page",
        None: "most systems read it elsewhere",
    }
)

_PASSAGES: Mapping[EventKind, str] = MappingProxyType(
    {
        EventKind.MISSING: "{What} {place}{comma} is missing: {words}.",
        EventKind.TRUNCATED: "The output ends early: the text from {since} on is missing, "
        "{words}, {share} of the page.",
        EventKind.EMPTY: "The output is empty: all {words} of the page are missing.",
        EventKind.BLANK: "The page is blank in the reference, and the output has {words} on it: "
        "{quote}.",
        EventKind.REFUSAL: "The output refuses to read the page, and nothing of its {words} is "
        "there: {quote}.",
        EventKind.REPEATED: "The output repeats text of the page in its {output}: {words}{source}.",
        EventKind.INVENTED: "The output has text in its {output} that the reference does not "
        "have: {words}.",
        EventKind.REPLACED: "{What} {place}, {words}, was replaced by other text: {other} in the "
        "output’s {output}.",
        EventKind.TRANSLATED: "{What} {place}, {words}, was translated{language}, it seems: "
        "{other} in the output’s {output}.",
        EventKind.READ_BADLY: "{What} {place}, {words}, was read badly, or could not be read.",
        EventKind.LOOP: "The output loops in its {output}: {period}{source} repeated {copies} "
        "times, {words} too many{instead}, {share} of the output.",
        EventKind.OTHER_PAGE: "The output has {origin}, in its {output}: {words}.",
        EventKind.PHRASE: "The output has {origin}, in its {output}: {words}.",
        EventKind.TALK: "The output talks of its own, in its {output}: {words}, {quote}.",
        EventKind.HEAD: "The output has {words} at its {edge} that no reference has, "
        "{quote}{often}.",
        EventKind.SPELLING: "Spelling was changed by rule, as when a text is modernised: {rules}.",
    }
)
"""Formats. They know what ``_passage`` gives them."""
_INSTEAD = "{What} {place}, {words}, was replaced by {origin}: {other} in the output’s {output}."
_TALK: Mapping[TalkPlace, str] = MappingProxyType(
    {
        TalkPlace.BEFORE: "The output talks before the text, in its {output}: {words}, {quote}.",
        TalkPlace.AFTER: "The output talks after the text, in its {output}: {words}, {quote}.",
        TalkPlace.AMID: "The output talks amid the text, in its {output}: {words}, {quote}.",
        TalkPlace.INSTEAD: "The output talks instead of reading the page, and nothing of its "
        "{words} is there: {quote}.",
        TalkPlace.BLANK: "The page is blank in the reference, and the output talks of it: "
        "{words}, {quote}.",
    }
)
_EXTENTS: Mapping[Extent, str] = MappingProxyType(
    {
        Extent.EVERY_LINE: "Every line is there twice: {words} too many, {share} of the output.",
        Extent.WHOLE_TEXT: "The whole text is there twice: {words} too many, in the output’s "
        "{output}.",
        Extent.WHOLE_PAGE: "The whole page, {words}, was replaced by {origin}: {other}.",
    }
)
_TOGETHER: Mapping[EventKind, str] = MappingProxyType(
    {
        EventKind.MISSING: "{n} short pieces of text are missing, reference {place}: {words}.",
        EventKind.REPEATED: "{n} short pieces of text of the page are repeated: {words}.",
        EventKind.INVENTED: "{n} short pieces of text are added that the reference does not "
        "have: {words}.",
        EventKind.REPLACED: "{n} passages were replaced by other text, reference {place}: {words}.",
        EventKind.READ_BADLY: "{n} passages were read badly, or could not be read, reference "
        "{place}: {words}.",
        EventKind.LOOP: "The output loops in {n} places: {words} too many.",
        EventKind.TRANSLATED: "{n} passages were translated, reference {place}: {words}.",
        EventKind.TALK: "The output talks of its own in {n} places: {words}.",
        EventKind.REFERENCE: "The reference itself may be out of order at {place}, where the "
        "output follows the page: {cost}.",
        EventKind.SCRAMBLED: "{n} smaller stretches, reference {place}, were read elsewhere: "
        "{cost}.",
    }
)
_ELSE_TOGETHER = "The same happened {n} times on a small scale, reference {place}: {cost}."

_NUMBERS = ("Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten")
_LANGUAGES = {
    "en": "English", "fr": "French", "de": "German", "es": "Spanish", "it": "Italian",
    "nl": "Dutch", "la": "Latin",
}  # fmt: skip
_CAPITAL = ("A", "a")
_MOST_QUOTED = 12
"""Words of a quotation."""


def tell_event(event: Event, lines_told: LinesTold = tell_lines) -> str:
    """One event in a sentence, with what of its cost is a matter of convention.

    Args:
        lines_told: how numbers of reference lines are put into words.
    """
    facts = event.facts
    if isinstance(facts, ReadAlike):
        return (
            f"The reference itself may be out of order at {lines_told(event.reference_lines)}: "
            f"{facts.systems} of {facts.of} systems read it elsewhere; {_cost(event)}."
        )
    if isinstance(facts, Elsewhere):
        said = _elsewhere(event, facts, lines_told)
    elif isinstance(facts, Together):
        said = _together(event, facts, lines_told)
    else:
        said = _passage(event, facts, lines_told)
    return " ".join(filter(None, (said, _convention(event))))


def _convention(event: Event) -> str:
    if not event.convention:
        return ""
    if event.all_allowed:
        return "That is a matter of convention: the page allows this order too."
    if event.convention == 1:
        return "One of these errors is a matter of convention: another order is allowed."
    return (
        f"{event.convention:,} of these errors are a matter of convention: another order is "
        "allowed."
    )


def _elsewhere(event: Event, facts: Elsewhere, lines_told: LinesTold) -> str:
    has_lines = bool(facts.place.lines)
    early = has_lines and facts.jumped and not facts.late
    n = facts.columns
    counted_columns = f"{_NUMBERS[n - 2]} columns" if 2 <= n <= 10 else f"{n} columns"
    said = _ORDER[event.kind].format(
        place=tell_place(facts.place, lines_told),
        both=lines_told(facts.mixed),
        where=_where(facts, lines_told) if has_lines else "elsewhere",
        columns=counted_columns if n > 1 else "Columns",
        was="was" if has_lines and len(event.reference_lines) == 1 else "were",
        before="after" if facts.late else "before",
        early=f", before {lines_told(facts.jumped)}" if early else "",
        jumped=lines_told(facts.jumped) if has_lines else "other text",
        reason=_REASONS[facts.doubt],
    )
    mark = ";" if ":" in said else ":"
    return f"{said}{mark} {_cost(event)}."


def _where(facts: Elsewhere, lines_told: LinesTold) -> str:
    """After which reference lines the pieces were read."""
    known = [line for line in facts.after if line]
    first = "first of all" if 0 in facts.after else ""
    if not known:
        return first
    if len(known) > MOST_RUNS:
        top = "the top" if first else lines_told([min(known)])
        return f"in {facts.pieces} pieces between {top} and {lines_told([max(known)])}"
    after = f"after {listed_in_words([lines_told([line]) for line in known])}"
    return f"{first} and {after}" if first else after


def _cost(event: Event) -> str:
    """Words and errors apart, as one clause."""
    return (
        f"{counted(event.words, 'word')} read elsewhere, for which WER charges "
        f"{counted(event.errors, 'error')}"
    )


def _together(event: Event, facts: Together, lines_told: LinesTold) -> str:
    place = lines_told(event.reference_lines) or "text"
    if facts.places:
        place = listed_in_words([tell_place(one, lines_told) for one in facts.places])
    return _TOGETHER.get(event.kind, _ELSE_TOGETHER).format(
        n=facts.events, place=place, words=counted(event.words, "word"), cost=_cost(event)
    )


def _passage(event: Event, facts: Passage, lines_told: LinesTold) -> str:
    detail, place = facts.detail, facts.place
    what = "The marginal note, reference" if facts.note else "The text of reference"
    where = tell_place(place, lines_told) if place else ""
    n_other = sum(end - start for start, end in event.hypothesis)
    loop = detail if isinstance(detail, Loop) else Loop(0, 0)
    return _format(event, facts).format(
        What=what,
        comma="," if facts.note else "",
        place=where,
        words=counted(event.words, "word"),
        output=tell_lines(event.hypothesis_lines) if facts.in_lines else "text",
        other=counted(n_other, "word"),
        source=_source(facts, lines_told),
        since=_since(place, lines_told) if place else "",
        period=counted(loop.period, "word"),
        copies=f"{loop.copies:.0f}",
        instead=f", instead of reference {where}" if place else "",
        share=f"{100 * facts.share:.0f} %",
        quote=_quoted(event.text),
        language=_language(facts),
        origin=_origin(facts),
        edge="foot" if isinstance(detail, RunningHead) and detail.foot else "head",
        often=_often(facts),
        rules=_rules(detail) if isinstance(detail, Respelling) else "",
    )


def _format(event: Event, facts: Passage) -> str:
    detail = facts.detail
    if isinstance(detail, Talking) and event.kind is EventKind.TALK:
        return _TALK[detail.at]
    if isinstance(detail, Repetition | Replacement | FromPage | OwnPhrase) and detail.extent:
        return _EXTENTS[detail.extent]
    if facts.place and isinstance(detail, FromPage | OwnPhrase):
        return _INSTEAD
    return _PASSAGES[event.kind]


def _origin(facts: Passage) -> str:
    """What text that the reference does not have is, as far as that is known."""
    if isinstance(facts.detail, FromPage):
        return f"text of another page, {facts.detail.page_id}"
    if isinstance(facts.detail, OwnPhrase):
        return "the system’s own phrase"
    return "other text"


def _source(facts: Passage, lines_told: LinesTold) -> str:
    """Where in the reference repeated text comes from, as far as that is known."""
    detail = facts.detail
    if isinstance(detail, Loop):
        if detail.source:
            return f" of reference {tell_place(detail.source, lines_told)}"
        return " that the reference does not have" if detail.foreign else ""
    if isinstance(detail, Repetition) and detail.source:
        return f", of reference {tell_place(detail.source, lines_told)}"
    return ""


def _language(facts: Passage) -> str:
    code = facts.detail.language if isinstance(facts.detail, Translation) else ""
    return f" into {_LANGUAGES[code]}" if code in _LANGUAGES else ""


def _often(facts: Passage) -> str:
    detail = facts.detail
    if not isinstance(detail, RunningHead) or not detail.pages:
        return ""
    return f", and that the system writes on {detail.pages} pages"


def _rules(found: Respelling) -> str:
    """The commonest rules, and how many words they explain."""
    uses = []
    for at, use in enumerate(found.uses):
        is_capital = (use.old, use.new) == _CAPITAL
        change = "capital→small letter" if is_capital else f"{use.old}→{use.new}"
        uses.append(f"{change} {use.times}{'' if at else ' times'}")
    more = " and others" if found.rules > len(found.uses) else ""
    follow = f"follow {found.rules} rules" if found.rules > 1 else "follow one rule"
    return f"{', '.join(uses)}{more}: {found.words} of {found.misread} misread words {follow}"


def _since(place: Place, lines_told: LinesTold) -> str:
    """The line or the word of the reference that a stretch begins with."""
    if not place.lines:
        return f"reference word {place.first}"
    line = f"reference {lines_told(place.lines[:1])}"
    return line if place.starts_line else f"the midst of {line}"


def _quoted(text: str) -> str:
    """The first words of a text, as a quotation."""
    words = text.split()
    more = " …" if len(words) > _MOST_QUOTED else ""
    return f"“{' '.join(words[:_MOST_QUOTED])}{more}”"


def tell_place(place: Place, lines_told: LinesTold = tell_lines) -> str:
    """Lines where they are whole, else which words of them; words where there are no lines."""
    first, last = place.first, place.last
    if not first:
        return lines_told(place.lines)
    if not place.lines:
        return f"words {first}–{last}" if last > first else f"word {first}"
    n = counted(last - first + 1, "word")
    line = lines_told(place.lines)
    if first == 1:
        return f"{line} (the first {n})"
    if last == place.n_words:
        return f"{line} (the last {n})"
    return f"{line} (words {first}–{last})"
