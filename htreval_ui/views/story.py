"""What went wrong on a page, told event by event."""

from __future__ import annotations

import streamlit as st

from htreval_core.diagnosis import Event
from htreval_core.show.palette import event_colour
from htreval_ui.html import event_line


def tell_event(number: int, event: Event) -> None:
    """One event in a sentence, with its number and colour."""
    st.html(event_line(number + 1, event_colour(event.kind, number), event))
