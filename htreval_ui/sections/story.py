"""The failures of a page, one under the other."""

from __future__ import annotations

import streamlit as st

from htreval_core.diagnosis import Event
from htreval_core.show.palette import event_colour
from htreval_core.show.telling.counting import tell_lines
from htreval_core.show.telling.events import LinesTold
from htreval_ui.html import event_line


def show_event(number: int, event: Event, lines_told: LinesTold = tell_lines) -> None:
    """One event in a sentence, with its number, from 0, and its colour."""
    st.html(event_line(number + 1, event_colour(event.kind, number), event, lines_told))
