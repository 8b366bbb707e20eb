"""What went wrong on a page, told event by event."""

from __future__ import annotations

from collections.abc import Collection

import streamlit as st

from htreval_core import PageScores
from htreval_core.diagnosis import Event
from htreval_core.diagnosis.look import Look
from htreval_core.metrics.values import page_value
from htreval_core.model import Parts
from htreval_core.show.palette import event_colour
from htreval_core.show.tables import percent
from htreval_core.show.wording import besides, page_verdict
from htreval_ui import html, state
from htreval_ui.html import event_line

_EVENTS = 4
"""Events, the costliest, that are told in full; the others on demand."""


def place_in_ranking(
    system: str, place: int, n_pages: int, scores: PageScores, parts: Parts | None = None
) -> str:
    """Whose page this is, where it stands, and what kind of bad it is, as Markdown.

    Args:
        parts: its errors by what they come from, where the page was diagnosed.
    """
    said = page_verdict(scores, parts)
    return f"**{html.name(system)}**, number {place + 1} of {n_pages} by ΔWER. {said}"


def as_if_put_right(system: str, was: PageScores, now: PageScores, parts: Parts) -> str:
    """What a repair would save, as Markdown."""
    old, new = (percent(page_value(scores, "wer")) for scores in (was, now))
    return (
        f"**{html.name(system)}**, as if put right: WER {old} % → **{new} %**. "
        f"{page_verdict(now, parts)}"
    )


def show_story(look: Look, put_right: frozenset[int]) -> None:
    """What went wrong on a page, an event a line: show it, or put it right and see what changes."""
    diagnosis = look.diagnosis
    with st.container(border=True, gap="small"):
        for number, event in enumerate(diagnosis.events[:_EVENTS]):
            _show_event(number, event, put_right)
        if len(diagnosis.events) > _EVENTS:
            with st.expander(f"{len(diagnosis.events) - _EVENTS} smaller faults"):
                for number, event in enumerate(diagnosis.events[_EVENTS:], start=_EVENTS):
                    _show_event(number, event, put_right)
        left = besides(diagnosis)
        if left:
            st.caption(("Besides, " if diagnosis.events else "") + left + ".")
        elif not diagnosis.events:
            st.caption("Nothing went wrong on this page.")


def show_looking(n_words: int) -> None:
    """In place of the story of a long page, as long as it is not known."""
    with st.container(border=True, gap="small"):
        st.markdown(f"Looking for what went wrong with the order of {n_words:,} words…")
        st.caption("The words are below; faults and values stay as they are.")


def _show_event(number: int, event: Event, put_right: frozenset[int]) -> None:
    is_shown = state.current().event_number == number
    with st.container(gap=None):
        _tell_event(number, event, put_right, is_shown)


def tell_event(number: int, event: Event) -> None:
    """One event in a sentence, with its number and colour."""
    st.html(event_line(number + 1, event_colour(number), event))


def _tell_event(number: int, event: Event, put_right: frozenset[int], is_shown: bool) -> None:
    tell_event(number, event)
    with st.container(horizontal=True, gap="small"):
        st.button(
            "Shown in colour" if is_shown else "Show",
            key=f"show_{number}",
            icon=":material/visibility:",
            type="primary" if is_shown else "tertiary",
            help=None if is_shown else "Bring its words out in every picture below",
            on_click=state.select,
            kwargs={"event": "" if is_shown else str(number + 1)},
        )
        if event.groups:
            is_right = number in put_right
            st.button(
                "Undo" if is_right else "Put right",
                key=f"repair_{number}",
                icon=":material/undo:" if is_right else ":material/build:",
                type="primary" if is_right else "tertiary",
                help=None
                if is_right
                else "Put these words back in their place; your files stay as they are. Key r",
                on_click=state.select,
                kwargs={"repaired": _numbers(put_right ^ {number})},
            )


def _numbers(events: Collection[int]) -> str:
    return "+".join(str(number + 1) for number in sorted(events))


def next_repair(look: Look, put_right: frozenset[int], shown: int | None) -> str:
    """The events that are right after one more key: the shown one, else the next; then none."""
    possible = [n for n, event in enumerate(look.diagnosis.events) if event.groups]
    if shown in possible:
        return _numbers(put_right ^ {shown})
    left = [number for number in possible if number not in put_right]
    return _numbers(put_right | {left[0]}) if left else ""
