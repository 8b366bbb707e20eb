"""What stands around every page: navigation, sidebar, URL."""

from __future__ import annotations

import streamlit as st

from htreval_core import HtrEvalError
from htreval_ui import html, places, state
from htreval_ui.controls import sidebar
from htreval_ui.opening import adopt_bundle

PAGES = (
    ("overview.py", "Overview", "overview", ":material/bar_chart:"),
    ("ranking.py", "Pages", "pages", ":material/format_list_numbered:"),
    ("page.py", "Page", "page", ":material/article:"),
    ("compare.py", "Compare", "compare", ":material/compare_arrows:"),
    ("errors.py", "Errors", "errors", ":material/spellcheck:"),
    ("text.py", "Text", "text", ":material/tune:"),
    ("laboratory.py", "Laboratory", "laboratory", ":material/science:"),
    ("learn.py", "Learn", "learn", ":material/school:"),
    ("data.py", "Data", "data", ":material/folder_open:"),
)


def main() -> None:
    """Draw the chosen page under the shared selection."""
    st.set_page_config("htreval", page_icon=str(places.ASSETS / "icon.png"), layout="wide")
    folder = places.root() / "pages"
    # The first page is the default one; it lives at the bare address.
    chosen = st.navigation(
        [
            st.Page(folder / file, title=title, url_path=path, icon=icon, default=number == 0)
            for number, (file, title, path, icon) in enumerate(PAGES)
        ],
        position="top",
    )
    state.read_url()
    adopt_bundle()
    st.html(places.ASSETS / "app.css")
    # A lesson is read on a projector, and nothing in the sidebar touches it.
    if chosen.url_path != "learn":
        sidebar()
    try:
        chosen.run()
    except HtrEvalError as error:
        # Texts of a bundle are read when somebody looks at them, and may turn out damaged then.
        st.error(html.label(str(error)), icon=":material/error:")
    state.write_url()
