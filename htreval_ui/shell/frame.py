"""What the browser does for every page: the address, Back, and the key that hides the frame."""

from urllib.parse import urlencode

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from htreval_core.show.views.contract import View
from htreval_ui.places import ASSETS
from htreval_ui.web.security import host
from htreval_ui.web.state import PAGES

_FRAME = View("frame", (ASSETS / "frame",))


def went_back() -> bool:
    """Whether this run is for Back or Forward: then the address is what is wanted."""
    context = get_script_run_ctx()
    return context is not None and context.is_history_navigation


def follow(page: str, query: str) -> None:
    """Let the address say what is shown, and listen to the keys of every page.

    Args:
        page: as its address has it; empty for the first, which has none.
        query: what the address is to say behind it.
    """
    others = [address for _, _, address in PAGES[1:]]
    given = urlencode(st.query_params.to_dict())
    data = {"page": page, "others": others, "query": query, "given": given}
    host(_FRAME, data, "frame", height=0)
