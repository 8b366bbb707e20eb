"""The two texts of a page side by side, every word marked by what happened to it."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from htreval_core.diagnosis import Diagnosis
from htreval_core.diagnosis.order.bands import Band
from htreval_core.markup import Html, escape, join, shorten, tag
from htreval_core.metrics.kinds import WordKind
from htreval_core.metrics.page import ScoredPage
from htreval_core.show.html.page_pictures import event_class, is_long
from htreval_core.show.palette import KIND_NAMES
from htreval_core.show.pictures.texts import Side, picture_texts

_MOST_WORDS = 2000
"""Of each side of a long page, so that endless pages cannot fill the report."""
SHOWN = (
    WordKind.SUBSTITUTED, WordKind.DIVIDED, WordKind.MOVED, WordKind.DELETED, WordKind.INSERTED,
)  # fmt: skip
"""The kinds that are marked."""


@dataclass(frozen=True, slots=True)
class _Manner:
    """How the words of one side are written.

    Args:
        verb: between a word and its mate.
        badge: the number of an event in its colour.
        light: whether the words are so numerous that most of what a word says is left out.
    """

    verb: str
    badge: Callable[[int], Html]
    light: bool


def draw_texts(page: ScoredPage, bands: Sequence[Band], diagnosis: Diagnosis) -> Html:
    """Reference and output with marked words, event numbers and a legend with counts."""
    texts = picture_texts(page, "matching", bands, diagnosis.regroupings)
    ref, hyp = texts.reference, texts.hypothesis
    light = is_long(len(ref.words.words), len(hyp.words.words))

    def badge(event: int) -> Html:
        return tag("span", str(event + 1), class_=f"badge {event_class(diagnosis, event)}")

    sides = [
        tag("div", tag("h4", title), *_lines(side, other, _Manner(verb, badge, light)),
            class_="text")
        for title, side, other, verb in (
            ("Reference", ref, hyp, "read as"), ("Output", hyp, ref, "stands for")
        )
    ]  # fmt: skip
    counts = {kind: texts.count(kind) for kind in SHOWN}
    return join([legend(counts=counts), tag("div", *sides, class_="texts")])


def legend(*, counts: dict[WordKind, int] | None = None) -> Html:
    """What each mark means, and how many words have it."""
    keys = [
        tag(
            "span",
            tag(
                "i",
                _ARROW if kind is WordKind.MOVED else None,
                KIND_NAMES[kind],
                class_=f"k{int(kind)}",
            ),
            f" {counts[kind]}" if counts else None,
            class_="key",
        )
        for kind in SHOWN
    ]
    return tag("p", *keys, class_="keys")


_ARROW = tag("span", "▴▾", class_="arrow")


def _arrow(side: Side, other: Side, index: int) -> Html | None:
    """Which way a word went, at the first of several that went there together."""
    mate = int(side.mates[index])
    if index and side.kinds[index - 1] == WordKind.MOVED and side.mates[index - 1] == mate - 1:
        return None
    down = mate * len(side.words.words) > index * len(other.words.words)
    # Beside a word that runs right to left the arrow belongs to it, not to the line.
    mark = Html("&rlm;") if _turns(side.words.words[index]) else None
    return tag("span", mark, "▾" if down else "▴", class_="arrow")


def _turns(word: str) -> bool:
    """Whether a word runs from right to left, by its first letter."""
    ways = map(unicodedata.bidirectional, word)
    return next((way for way in ways if way in ("L", "R", "AL")), "L") != "L"


def _lines(side: Side, other: Side, manner: _Manner) -> list[Html]:
    lines: list[Html] = []
    row: list[Html | str] = []
    n_words = len(side.words.words)
    if manner.light:
        n_words = min(n_words, _MOST_WORDS)
    for index in range(n_words):
        row += [_word(side, other, index, manner), " "]
        line = side.words.line_of[index]
        if index + 1 == n_words or side.words.line_of[index + 1] != line:
            number = tag("span", str(line + 1), class_="no")
            lines.append(tag("div", number, tag("div", *row, dir="auto"), class_="line"))
            row = []
    left_out = len(side.words.words) - n_words
    if left_out:
        lines.append(tag("p", f"… and {left_out:,} more words", class_="note"))
    return lines or [tag("p", "no words", class_="note")]


def _word(side: Side, other: Side, index: int, manner: _Manner) -> Html:
    """A word with its mark; where there are very many, without what it stands for and where."""
    light = manner.light
    kind, mate, event = WordKind(side.kinds[index]), int(side.mates[index]), int(side.events[index])
    shown = shorten(side.words.words[index], 48)
    pair = int(side.pairs[index])
    title = None
    if not light and kind not in (WordKind.CORRECT, WordKind.DELETED, WordKind.INSERTED):
        place = other.words.line_of[mate] + 1
        title = f"{manner.verb} {shorten(other.of_pair(pair), 48)} in line {place}"
    word = (
        escape(shown)
        if light and kind is WordKind.CORRECT
        else tag(
            "i",
            _arrow(side, other, index) if kind is WordKind.MOVED and not light else None,
            # No bdi: a line takes its direction from its words, which stand in it as on the page.
            shown,
            class_=f"k{int(kind)}" if kind is not WordKind.CORRECT else None,
            data_p=pair if pair >= 0 and not light else None,
            title=title,
        )
    )
    starts = event >= 0 and (index == 0 or side.events[index - 1] != event)
    if not starts:
        return word
    return join([manner.badge(event), word])
