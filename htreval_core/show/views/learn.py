"""Learn: a story in lessons, all of it computed where it is drawn.

Out go the lessons' texts, the texts that somebody brings and a real page; what is counted of short
texts the browser counts by itself (``assets/learn/1-twin.js``).
"""

import tomllib
from collections.abc import Iterable, Sequence
from itertools import count
from typing import Any

from htreval_core.diagnosis.order.bands import line_visits
from htreval_core.show.pictures.page import picture_page_map
from htreval_core.show.telling.events import tell_event
from htreval_core.show.views.contract import ASSETS
from htreval_core.show.views.opened import Opened

REAL = "sermon-seven", "tesseract-auto"
"""The page of the sample, and the system, on which the story ends: one fault, which is order."""
MOST = 600
"""Characters of a text of one's own that an address holds, of either side."""


def learn_payload(
    lesson: str, reference: str, output: str, real: dict[str, Any] | None
) -> dict[str, Any]:
    """The lessons, and which of them is open.

    Args:
        lesson: the chapter that is open; the first where there is no such chapter.
        reference: a text of one's own in place of the story's; empty for none.
        output: the same, as it was read.
        real: as ``real_page`` gives it; without one the story ends before it. Its image may be left
            out until its chapter, "page", is open.
    """
    told = tomllib.loads((ASSETS / "learn" / "lessons.toml").read_text("utf-8"))
    lessons = {one["name"]: one for one in told["lesson"]}
    if real:
        options = lessons["page"]["option"]
        right = f"kind = {real['kind']}"
        if all(one["if"] != right for one in options):
            options[-1] = {"says": real["kind"], "if": right}
    return {
        "lesson": lesson if lesson in lessons else next(iter(lessons)),
        "reference": reference[:MOST], "output": output[:MOST], "lessons": told["lesson"],
        "examples": told["example"], "teacher": told["teacher"], "real": real,
    }  # fmt: skip


def real_page(opened: Opened, page_id: str, system: str) -> dict[str, Any] | None:
    """A page with a fault of order to be found; None without an image or such a fault."""
    look = opened.look(page_id, system)
    image, events = opened.image(page_id), look.diagnosis.events
    number = next((n for n, event in enumerate(events) if event.groups), None)
    visits = line_visits(look.bands, look.page.reference.line_of)
    drawn = picture_page_map(look.reference, visits, look.diagnosis)
    if image is None or drawn is None or number is None:
        return None
    event, scores = events[number], look.page.scores
    lines = (line.polygon.points if line.polygon else () for line in look.reference.lines)
    wer, bwer = scores.wer.errors, scores.bwer.errors
    return {
        "image": image,
        "size": list(drawn.size),
        "outlines": [_rounded(points) for points in lines],
        "shades": [shade.line for shade in drawn.shades if shade.event == number],
        "inOrder": _rounded(drawn.in_order),
        "asRead": _rounded(drawn.as_read),
        "reference": _marked(look.page.reference.by_line(), [event.reference]),
        "output": _marked(look.page.hypothesis.by_line(), event.hypothesis),
        "counts": {
            "n": scores.n_ref_words, "wer": wer, "bwer": bwer, "delta": wer - bwer,
            "hwer": scores.hwer_errors, "nsfd": scores.nsfd_errors, "nsfdOf": scores.nsfd_length,
        },
        "kind": event.kind.value,
        "said": tell_event(event),
        "right": opened.put_right(look, frozenset([number])).page.scores.wer.errors,
        "open": [page_id, system, number],
    }  # fmt: skip


def _rounded(points: Iterable[Sequence[float]]) -> list[list[int]]:
    return [[round(x), round(y)] for x, y in points]


def _marked(
    lines: Iterable[Sequence[str]], ranges: Iterable[tuple[int, int]]
) -> list[list[list[Any]]]:
    """The words of each line, each with whether it is in one of the ranges."""
    marked = {n for start, end in ranges for n in range(start, end)}
    number = count()
    return [[[word, next(number) in marked] for word in line] for line in lines if line]
