"""Pictures of one page: which text was read where, and each word."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from htreval_core.diagnosis import Diagnosis
from htreval_core.diagnosis.order.bands import Band
from htreval_core.markup import Html, shorten, tag
from htreval_core.metrics.kinds import WordKind
from htreval_core.metrics.page import ScoredPage
from htreval_core.show.html.draw import Scale, box, line, mark, sheet, text, ticks, x_axis, y_axis
from htreval_core.show.palette import KIND_SYMBOLS, event_look
from htreval_core.show.pictures.bands import picture_ribbons
from htreval_core.show.pictures.displacement import Displacement, picture_displacement

_HEIGHT = 340
_LONG = 6000
_DOT = 3
"""Pixels between dots of a long page."""


def is_long(n_ref_words: int, n_hyp_words: int) -> bool:
    """Whether a page has too many words for each one can say which it is: the file would be
    too large."""
    return n_ref_words + n_hyp_words > _LONG


def event_class(diagnosis: Diagnosis, number: int) -> str:
    """The class with the colour of an event, by its number from 0."""
    return f"e-{event_look(diagnosis.events[number].kind, number)}"


def draw_bands(bands: Sequence[Band], diagnosis: Diagnosis, n_hyp_words: int) -> Html:
    """Two upright bars, reference and output, and a ribbon for each stretch between them.

    What kept its order is pale; each event has a colour and its number. Missing and added text is
    hatched on the bar that has it alone.
    """
    width, bar, top = 300, 22, 22
    ribbons = picture_ribbons(bands, diagnosis, n_hyp_words)
    n_ref, n_hyp = ribbons.n_ref_words, ribbons.n_hyp_words
    y = Scale(0, max(n_ref, n_hyp, 1), top, _HEIGHT - 6)
    left, right = 30, width - 30
    parts = [
        text(left, 14, "reference", class_="label"),
        text(right, 14, "output", anchor="end", class_="label"),
        box(left, y(0), bar, y(n_ref) - y(0), "side"),
        box(right - bar, y(0), bar, y(n_hyp) - y(0), "side"),
    ]
    badges: list[Html] = []
    for strand in ribbons.strands:
        look = event_class(diagnosis, strand.event) if strand.event >= 0 else "stays"
        title = tag("title", shorten(strand.sentence, 300))
        badge: Html | None = None
        for band in strand.bands:
            (r0, r1), (h0, h1) = band.reference, band.hypothesis
            if band.on_both:
                a, b = left + bar, right - bar
                mid = (a + b) / 2
                path = (
                    f"M{a} {y(r0):.1f}C{mid} {y(r0):.1f} {mid} {y(h0):.1f} {b} {y(h0):.1f}"
                    f"V{y(h1):.1f}C{mid} {y(h1):.1f} {mid} {y(r1):.1f} {a} {y(r1):.1f}z"
                )
                parts.append(tag("path", title, d=path, class_=f"ribbon {look}"))
            if strand.event < 0:
                continue
            for x, start, end in ((left, r0, r1), (right - bar, h0, h1)):
                if start == end:
                    continue
                height = max(y(end) - y(start), 1.5)
                parts.append(box(x, y(start), bar, height, look, title))
                if not band.on_both:
                    parts.append(box(x, y(start), bar, height, "over", fill="url(#hatch)"))
                badge = badge or text(
                    x - 12 if x == left else x + bar + 12,
                    (y(start) + y(end)) / 2 + 4, str(strand.event + 1),
                    anchor="middle", class_=f"badge {look}",
                )  # fmt: skip
        if badge:
            badges.append(badge)
    return sheet(width, _HEIGHT, "Which text of the reference was read where", *parts, *badges)


def draw_displacement(page: ScoredPage, bands: Sequence[Band], diagnosis: Diagnosis) -> Html:
    """Where each reference word was read: its position there against its position in the output.

    A page in order is one falling diagonal. Words of an event have its colour, their form says
    whether they were read right. Words without a mate stand on the edges.
    """
    width, left, top = 470, 52, 8
    picture = picture_displacement(page, bands)
    n_ref, n_hyp = len(picture.ref_words), len(picture.hyp_words)
    (x0, y0), (x1, y1) = picture.diagonal
    x = Scale(1, max(n_ref, 2), left + 16, width - 10)
    y = Scale(1, max(n_hyp, 2), top + 6, _HEIGHT - 58)
    floor = _HEIGHT - 40
    parts = [
        *x_axis(x, floor, top, _whole(1, n_ref), "word of the reference"),
        *y_axis(y, left, width - 6, _whole(1, n_hyp), "word of the output"),
        line(x(x0), y(y0), x(x1), y(y1), "diagonal"),
        *_dots(picture, diagnosis, x, y, left + 5, floor - 5),
    ]
    return sheet(width, _HEIGHT, "Where each word of the reference was read", *parts)


def _dots(
    picture: Displacement, diagnosis: Diagnosis, x: Scale, y: Scale, left: float, floor: float
) -> Iterator[Html]:
    columns = (picture.ref, picture.hyp, picture.kinds, picture.events)
    points = [
        (
            at_ref,
            at_hyp,
            WordKind(number),
            event_class(diagnosis, event) if event >= 0 else f"k{number}",
            (x(at_ref + 1) if at_ref >= 0 else left, y(at_hyp + 1) if at_hyp >= 0 else floor),
        )
        for at_ref, at_hyp, number, event in zip(*(c.tolist() for c in columns), strict=True)
    ]
    if is_long(len(picture.ref_words), len(picture.hyp_words)):
        # Words stand closer than dots can: one dot for all of a colour that fall on it.
        by_colour: dict[str, dict[str, None]] = {}
        for *_, colour, (right, down) in points:
            by_colour.setdefault(colour, {})[f"M{_DOT * round(right / _DOT):g} "
                                             f"{_DOT * round(down / _DOT):g}h0"] = None  # fmt: skip
        for colour in sorted(by_colour, reverse=True):
            yield tag("path", d="".join(by_colour[colour]), class_=f"many {colour}")
        return
    for at_ref, at_hyp, kind, colour, (right, down) in points:
        yield tag(
            "path",
            tag("title", _says(picture, at_ref, at_hyp)),
            d=mark(KIND_SYMBOLS[kind], 2.4 if kind is WordKind.CORRECT else 3.1),
            transform=f"translate({right:.1f} {down:.1f})",
            class_=f"word {colour}",
            data_p=at_ref if at_ref >= 0 and at_hyp >= 0 else None,
        )


def _says(picture: Displacement, j: int, k: int) -> str:
    ref = f"{shorten(picture.ref_words[j], 40)} (word {j + 1})" if j >= 0 else ""
    hyp = f"{shorten(picture.hyp_words[k], 40)} (word {k + 1})" if k >= 0 else ""
    return f"{ref}, read as {hyp}" if ref and hyp else f"{ref or hyp}: has no mate"


def _whole(least: int, most: int) -> list[float]:
    """Round numbers of words, and the first."""
    found = [value for value in ticks(0, most) if value == int(value) and value > most * 0.05]
    return [float(least), *found] if most > least else [float(least)]
