"""Ways from one page of the app to another."""

from __future__ import annotations

from typing import NoReturn

import streamlit as st

from htreval_ui import places, state


def page_file(name: str) -> str:
    """The path of a page script, as navigation wants it."""
    return str(places.root() / "pages" / name)


def go_to(name: str) -> NoReturn:
    """Show another page with the selection in its address, so that Back leads to this one."""
    st.switch_page(page_file(name), query_params=state.in_url())


def open_page(page_id: str, system: str) -> None:
    """Go to the Page view of a page."""
    state.select(page=page_id, system=system)
    go_to("page.py")
