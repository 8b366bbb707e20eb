"""What the browser does for every page: the address, Back, and the key that hides the frame."""

from __future__ import annotations

import streamlit as st

from htreval_ui.linked import assets
from htreval_ui.links import PAGES

_assets = assets("frame")
_render = st.components.v2.component("htreval.frame", js=_assets.js)
_KEY = "frame"
_HEARD = "back_heard"


def went_back() -> bool:
    """Whether this run is for Back or Forward: then the address is what is wanted."""
    pressed = st.session_state.get(_KEY, {}).get("back")
    if pressed is None:
        return False
    st.session_state[_HEARD] = int(pressed)
    return True


def follow(page: str, query: str) -> None:
    """Let the address say what is shown, and listen to the keys of every page.

    Args:
        page: as its address has it; empty for the first, which has none.
        query: what the address is to say behind it.
    """
    others = [address for _, _, address in PAGES[1:]]
    heard = st.session_state.get(_HEARD, 0)
    data = {"page": page, "others": others, "query": query, "heard": heard}
    _render(key=_KEY, data=data, on_back_change=lambda: None, height=0)
