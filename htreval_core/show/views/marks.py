"""Marks on a page: where they stand, and what of the page they are on."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from htreval_core.diagnosis.look import Look
from htreval_core.markup import shorten, visible
from htreval_core.run.marks import LONGEST_TEXT, Mark, Target
from htreval_core.show.telling.marks import tell_said, tell_target


def said_payload(look: Look, marks: Iterable[Mark], person: str = "") -> list[dict[str, Any]]:
    """What people said of a page as a system read it."""
    scores = look.page.scores
    return [
        _said(one, look, person)
        for one in marks
        if one.target.page_id == scores.page_id and one.target.system in ("", scores.system)
    ]


def _said(mark: Mark, look: Look, person: str) -> dict[str, Any]:
    target = mark.target
    events = [
        n for n in range(len(look.diagnosis.events)) if target_of(look, ["fault", n]) == target
    ] if target.on == "fault" else []  # fmt: skip
    at = {"word": target.first, "line": target.first, "fault": events[0] if events else -1}
    on = [target.on, *([target.side] if target.on in ("word", "line") else []),
          *([at[target.on]] if target.on in at else [])]  # fmt: skip
    return {
        # What has changed since is told, and stands nowhere.
        "on": on if target_of(look, on) == target else [],
        "place": visible(tell_target(replace(target, system=""))),
        "said": visible(shorten(tell_said(mark), 120)),
        "person": visible(mark.person),
        "mine": mark.person == person,
        "tags": list(mark.tags),
        "remark": mark.remark,
    }


def target_of(look: Look, on: Any) -> Target | None:
    """What the browser names: ["page"], ["fault", number], or "word" or "line", side and number."""
    page_id, system = look.page.scores.page_id, look.page.scores.system
    match on:
        case ["page"]:
            return Target(page_id)
        case ["fault", int(n)] if 0 <= n < len(look.diagnosis.events):
            event = look.diagnosis.events[n]
            is_ref = event.reference[1] > event.reference[0]
            span = event.reference if is_ref or not event.hypothesis else event.hypothesis[0]
            return Target(
                page_id, "fault", "ref" if is_ref else "hyp", *span, event.kind.value, system
            )
        case ["word" | "line" as what, "ref" | "hyp" as side, int(n)] if n >= 0:
            words = look.page.reference if side == "ref" else look.page.hypothesis
            lines = look.reference.lines if side == "ref" else look.hypothesis.lines
            texts = words.words if what == "word" else [line.text for line in lines]
            if n < len(texts):
                of = system if side == "hyp" else ""
                return Target(page_id, what, side, n, n + 1, texts[n][:LONGEST_TEXT], of)
    return None
