"""The part of a report about one page as one system read it."""

from __future__ import annotations

from htreval_core.diagnosis import Confidence
from htreval_core.diagnosis.look import Look
from htreval_core.markup import Child, Html, tag
from htreval_core.metrics.catalog import METRICS, TABLE_METRICS
from htreval_core.metrics.page import ScoredPage
from htreval_core.metrics.values import page_value
from htreval_core.show.html.page_pictures import draw_bands, draw_displacement, event_class
from htreval_core.show.html.sections import name
from htreval_core.show.html.texts import draw_texts
from htreval_core.show.pictograms import pictogram
from htreval_core.show.telling.counting import shown_value
from htreval_core.show.telling.events import tell_event
from htreval_core.show.telling.verdicts import besides, page_verdict

_MOST_EVENTS = 40


def page_section(
    look: Look, anchor: str, place: str, mark: Html, image: Html | None = None
) -> Html:
    """Verdict, named failures, pictures and the two texts of a page.

    Args:
        anchor: the id that links lead to.
        place: its rank, in words.
        mark: the sign of its system.
        image: the page itself, where there is an image of it.
    """
    page, diagnosis, bands = look.page, look.diagnosis, look.bands
    return tag(
        "section",
        tag("h3", name(page.scores.page_id), tag("span", mark, name(page.scores.system), " · ",
            place, class_="of")),
        tag("p", page_verdict(page.scores, diagnosis.parts), class_="verdict"),
        _events(look),
        _values(page),
        image,
        draw_texts(page, bands, diagnosis),
        tag(
            "div",
            tag("figure", tag("figcaption", "Which text was read where"),
                draw_bands(bands, diagnosis, len(page.hypothesis.words))),
            tag("figure", tag("figcaption", "Where each word was read: in order, one diagonal"),
                draw_displacement(page, bands, diagnosis)),
            class_="pair plots",
        ),
        id=anchor, class_="page",
    )  # fmt: skip


def _events(look: Look) -> Html:
    diagnosis = look.diagnosis
    shown: list[Child] = [
        tag(
            "li",
            tag("span", str(number + 1), class_=f"badge {event_class(diagnosis, number)}"),
            pictogram(event.kind),
            tag("b", f"{event.kind.value[:1].upper()}{event.kind.value[1:]}"),
            ". " if event.confidence is Confidence.SURE else f" ({event.confidence.value}). ",
            tell_event(event),
        )
        for number, event in enumerate(diagnosis.events[:_MOST_EVENTS])
    ]
    more = len(diagnosis.events) - _MOST_EVENTS
    if more > 0:
        shown.append(tag("li", f"… and {more} more", class_="note"))
    rest = besides(diagnosis)
    if rest:
        shown.append(tag("li", "Besides, " if diagnosis.events else "", rest, ".", class_="note"))
    return tag("ul", *shown, class_="events")


def _values(page: ScoredPage) -> Html:
    return tag(
        "p",
        *(
            tag("span", METRICS[metric].label, " ",
                tag("b", shown_value(metric, page_value(page.scores, metric))), class_="value")
            for metric in TABLE_METRICS
        ),
        *(tag("span", flag, class_="warning") for flag in page.scores.flags),
        class_="values",
    )  # fmt: skip
