"""The Page view: head, image, reference, ribbons, output and cards of the faults as one component.

A page is sent once; hovering, zooming, links, the minimap and most keys live in the browser. The
host hears only of what needs another look: a page, a system, a repair, the other alignment.
"""

from collections.abc import Sequence
from typing import Any

from htreval_core import ScoredPage
from htreval_core.diagnosis import Confidence, Diagnosis, Event
from htreval_core.diagnosis.look import Look
from htreval_core.diagnosis.order.bands import Band, line_visits
from htreval_core.markup import visible
from htreval_core.metrics.kinds import View, WordKind
from htreval_core.model import Transcript
from htreval_core.show.palette import KIND_COLOURS, KIND_NAMES
from htreval_core.show.pictograms import pictogram_address
from htreval_core.show.pictures.bands import picture_links
from htreval_core.show.pictures.page import picture_page_map
from htreval_core.show.pictures.texts import picture_texts
from htreval_core.show.telling.events import tell_event
from htreval_core.show.telling.verdicts import besides
from htreval_core.show.views.head import page_head
from htreval_core.show.views.linked import digest, event_colours, links_payload, side_payload
from htreval_core.show.views.opened import Opened
from htreval_core.show.views.styles import style_payload

_TANGLED = 80
"""Jumps beyond which the path of the output hides the page, and is drawn on demand only."""


def page_payload(
    page: ScoredPage, view: View, look: Look | None, told: Look | None = None
) -> dict[str, Any]:
    """The texts of a page and what was found out about it, as JSON.

    ``sides`` are the reference and the hypothesis: lines as [line number, first word, words], and
    of every word its kind and its mate; words divided or joined have the first of their mates.
    ``bands`` are stretches of words that kept together, as [reference start, end, hypothesis start,
    end, event], ends exclusive, -1 for no event. ``anchors`` are places that correspond, [reference
    word, hypothesis word], rising in both: by them the panes scroll together. The words and their
    layout are signed each for themselves: words that are drawn already are not drawn again when the
    layout is found, but where some prove to be divided or joined.

    Args:
        look: with its diagnosis; None as long as that is not there.
        told: the page as it was read, where some of its events are put right since: events are
            numbered as they are there, and those that are right keep their cards.
    """
    texts = picture_texts(page, view, look.diagnosis.regroupings if look else ())
    words = {
        "page": page.scores.page_id,
        "sides": [
            side_payload(side.words, side.kinds, side.mates)
            for side in (texts.reference, texts.hypothesis)
        ],
        "kinds": [[KIND_NAMES[kind], KIND_COLOURS[kind]] for kind in WordKind],
        # How many there are the head says in errors; a second number would be another count.
        "present": [int(kind) for kind in WordKind if kind and texts.count(kind)],
    }
    bands: Sequence[Band] = look.bands if look else ()
    as_read = told or look
    events = as_read.diagnosis.events if as_read else ()
    layout: dict[str, Any] = links_payload(
        picture_links(bands), event_colours(as_read) if as_read else ()
    )
    layout["cards"] = [
        {
            "name": event.kind.value[:1].upper() + event.kind.value[1:],
            "icon": pictogram_address(event.kind),
            "sentence": visible(tell_event(event)),
            "sure": "" if event.confidence is Confidence.SURE else event.confidence.value,
            "movable": bool(event.groups),
            "at": [event.reference[0] if event.reference[1] > event.reference[0] else -1,
                   event.hypothesis[0][0] if event.hypothesis and not told else -1],
        }
        for event in events
    ]  # fmt: skip
    layout["besides"] = _left_to_say(look.diagnosis) if look else ""
    layout["sheet"] = _sheet(look.reference, look) if look else None
    if look and told:
        left = enumerate(look.diagnosis.events)
        number_of = {-1: -1} | {n: _number_of(event, told.diagnosis) for n, event in left}
        for band in layout["bands"]:
            band[4] = number_of[band[4]]
        if layout["sheet"]:
            shades = ([number_of[n], line] for n, line in layout["sheet"]["shades"])
            layout["sheet"]["shades"] = [shade for shade in shades if shade[0] >= 0]
    return words | layout | {"id": digest(words), "layout": digest(layout)}


def _number_of(event: Event, told: Diagnosis) -> int:
    lines = set(event.reference_lines)
    shared = {
        n: len(lines & set(one.reference_lines))
        for n, one in enumerate(told.events) if one.kind is event.kind
    }  # fmt: skip
    best = max(shared, key=shared.__getitem__, default=-1)
    return best if shared.get(best) else -1


def whole_payload(
    opened: Opened, order: Sequence[str], place: int, system: str, rank: str, view: View,
    told: Look, shown: Look, *, is_quick: bool = True,
) -> dict[str, Any]:  # fmt: skip
    """A page with its head and its image.

    Args:
        order: the pages as they are ranked, of which this is the one at ``place``.
        told: the page as it was read.
        shown: the page as it is shown, with or without a repair.
        is_quick: whether its diagnosis is there at once.
    """
    page_id = order[place]
    before = told if is_quick and shown is not told else None
    return page_payload(shown.page, view, shown if is_quick else None, before) | {
        "head": page_head(opened, order, place, system, rank, told if is_quick else None, shown),
        "image": opened.image(page_id), "credit": visible(opened.credit(page_id)), "file": "page",
        "style": style_payload(opened.study, system), "view": view,
    }  # fmt: skip


def _left_to_say(diagnosis: Diagnosis) -> str:
    """What no card tells."""
    left = besides(diagnosis)
    if left:
        return visible(("Besides, " if diagnosis.events else "") + left + ".")
    return "" if diagnosis.events else "Nothing went wrong on this page."


def _sheet(reference: Transcript, look: Look) -> dict[str, Any] | None:
    """The page as geometry: outlines of its lines, and both paths through them."""
    visits = line_visits(look.bands, look.page.reference.line_of)
    drawn = picture_page_map(reference, visits, look.diagnosis, look.admissible_lines)
    if drawn is None:
        return None
    outlines = [
        [] if line.polygon is None else line.polygon.points.round().astype(int).tolist()
        for line in reference.lines
    ]
    return {
        "size": list(drawn.size), "outlines": outlines,
        "shades": [[shade.event, shade.line] for shade in drawn.shades],
        "inOrder": [[round(x), round(y)] for x, y in drawn.in_order],
        "admissible": [[round(x), round(y)] for x, y in drawn.admissible],
        "regions": [[line.region or "", line.region_kind or ""] for line in reference.lines],
        "tangled": len(drawn.jumps) > _TANGLED,
        "asRead": [[round(x), round(y)] for x, y in drawn.as_read],
    }  # fmt: skip
