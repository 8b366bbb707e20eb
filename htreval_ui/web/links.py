"""Ways from one page of the app to another."""

from typing import NoReturn

import streamlit as st

from htreval_ui import places
from htreval_ui.web import state

PAGES = (
    ("overview.py", "Overview", "overview"), ("page.py", "Page", "page"),
    ("compare.py", "Compare", "compare"), ("errors.py", "Errors", "errors"),
    ("learn.py", "Learn", "learn"), ("data.py", "Data", "data"),
)  # fmt: skip
"""The pages: script, title, address. The first is the one that the app opens with."""


def page_file(name: str) -> str:
    """The path of a page script, as navigation wants it."""
    return str(places.root() / "pages" / name)


def go_to(name: str) -> NoReturn:
    """Show another page; what it shows stands in its address as soon as it is drawn."""
    # With any other query Streamlit would take two steps where Back is to take back one.
    st.switch_page(page_file(name), query_params=st.query_params.to_dict())


def open_page(page_id: str, system: str) -> None:
    """Go to the Page view of a page."""
    state.select(page=page_id, system=system)
    go_to("page.py")
