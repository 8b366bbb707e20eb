"""Text that only one side has, or has otherwise, in one sentence each."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from htreval_core.diagnosis.model import EventKind
from htreval_core.diagnosis.page.ground import Ground
from htreval_core.diagnosis.telling import counted, tell_lines, tell_place
from htreval_core.diagnosis.text.extras import quoted
from htreval_core.diagnosis.text.trace import Gap

_GAPS: Mapping[EventKind, str] = MappingProxyType(
    {
        EventKind.MISSING: "{what} {place}{comma} is missing: {words}.",
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
        EventKind.LOOP: "The output loops in its {output}: {period}{origin} repeated {copies} "
        "times, {words} too many{instead}, {share} of the output.",
        EventKind.OTHER_PAGE: "The output has text of another page in its {output}: {words}.",
        EventKind.PHRASE: "The output has a phrase of the system’s own in its {output}: {words}.",
        EventKind.TALK: "The output talks of its own, in its {output}: {words}, {quote}.",
        EventKind.HEAD: "The output has {words} at its {told} that no reference has, {quote}.",
        EventKind.SPELLING: "Spelling was changed by rule, as when a text is modernised: {told}.",
    }
)
"""Formats. They know what ``tell_gap`` gives them."""
_TALK: Mapping[str, str] = MappingProxyType(
    {
        "before": "The output talks before the text, in its {output}: {words}, {quote}.",
        "after": "The output talks after the text, in its {output}: {words}, {quote}.",
        "amid": "The output talks amid the text, in its {output}: {words}, {quote}.",
        "instead": "The output talks instead of reading the page, and nothing of its {words} is "
        "there: {quote}.",
        "blank": "The page is blank in the reference, and the output talks of it: {words}, "
        "{quote}.",
    }
)
_WHOLE: Mapping[str, str] = MappingProxyType(
    {
        "every line": "Every line is there twice: {words} too many, {share} of the output.",
        "whole": "The whole text is there twice: {words} too many, in the output’s {output}.",
        "page": "The whole page, {words}, was replaced by other text: {other}.",
    }
)


def tell_gap(gap: Gap, ground: Ground) -> str:
    """Text that only one side has, or that stands for other text, in one sentence."""
    has_place = gap.reference[1] > gap.reference[0]
    place = tell_place([gap.reference], ground) if has_place else ""
    marginal = bool(place) and ground.is_marginal([gap.reference])
    output = tell_lines(ground.hyp_lines(gap.hypothesis)) if ground.has_hyp_lines else "text"
    n_other = sum(end - start for start, end in gap.hypothesis)
    period = 0 if not gap.copies else round(n_other / gap.copies)
    said = [word for start, end in gap.hypothesis for word in ground.hypothesis.words[start:end]]
    what = "the marginal note, reference" if marginal else "the text of reference"
    return _format(gap).format(
        what=what.capitalize() if gap.kind is EventKind.MISSING else what,
        What=what.capitalize(),
        comma="," if marginal else "",
        place=place,
        words=counted(gap.words, "word"),
        output=output,
        other=counted(n_other, "word"),
        source=f", of reference {tell_place([gap.source], ground)}" if gap.source else "",
        origin=_origin(gap, ground),
        since=_since(gap, ground) if has_place else "",
        period=counted(period, "word"),
        copies=f"{gap.copies:.0f}",
        instead=f", instead of reference {place}" if place else "",
        share=f"{100 * gap.share:.0f} %",
        quote=quoted(said),
        language=f" into {gap.told}" if gap.told else "",
        told=gap.told,
    )


def _format(gap: Gap) -> str:
    if gap.kind is EventKind.TALK:
        return _TALK.get(gap.told, _GAPS[gap.kind])
    if gap.kind in (EventKind.REPEATED, EventKind.REPLACED):
        return _WHOLE.get(gap.told, _GAPS[gap.kind])
    return _GAPS[gap.kind]


def _since(gap: Gap, ground: Ground) -> str:
    """The line or the word of the reference that a stretch begins with."""
    start = gap.reference[0]
    if not ground.has_lines:
        return f"reference word {start + 1}"
    line = f"reference line {ground.reference.line_of[start] + 1}"
    return line if ground.starts_ref_line(start) else f"the midst of {line}"


def _origin(gap: Gap, ground: Ground) -> str:
    """Where in the reference a loop has its text from, as far as that is known."""
    if gap.source:
        return f" of reference {tell_place([gap.source], ground)}"
    return " that the reference does not have" if gap.told == "nowhere" else ""
