"""What stands around every page: navigation, strip, URL."""

import streamlit as st

from htreval_core import HtrEvalError
from htreval_core.show.html.font import font_css
from htreval_ui import html, places
from htreval_ui.sections.switches import show_panel
from htreval_ui.shell import frame
from htreval_ui.shell.controls import strip
from htreval_ui.shell.waiting import show_meanwhile, show_waiting
from htreval_ui.studies.opening import adopt_settings
from htreval_ui.studies.scoring import Waiting
from htreval_ui.web import state
from htreval_ui.web.links import PAGES

_OF_TRUTH = ("page", "compare", "errors")
"""Pages whose words take the reference for the truth."""


def main() -> None:
    """Draw the chosen page under the shared selection."""
    st.set_page_config(
        "htreval", page_icon=str(places.ASSETS / "icon.png"), layout="wide",
        initial_sidebar_state="collapsed",
    )  # fmt: skip
    folder = places.root() / "pages"
    # The first page is the default one; it lives at the bare address.
    chosen = st.navigation(
        [
            st.Page(folder / file, title=title, url_path=path, default=number == 0)
            for number, (file, title, path) in enumerate(PAGES)
        ],
        position="top",
    )
    page = chosen.url_path or PAGES[0][2]
    state.read_url(is_wanted=frame.went_back())
    if state.current().panel != page:
        # Whoever moves on has closed it.
        state.select(panel="")
    adopt_settings()
    st.html(places.ASSETS / "app.css")
    st.html(f"<style>{font_css()}</style>")
    # A lesson is read on a projector, and nothing in the strip touches it.
    if state.is_on_data(page):
        strip(page)
        show_meanwhile()
    if state.current().stand_in and page in _OF_TRUTH:
        st.info(
            "No true reference: the output of a system stands in for it. Every figure here is a "
            "difference from that system, not an error rate.",
            icon=":material/balance:",
        )
    try:
        (show_panel if state.current().panel else chosen.run)()
    except Waiting as waiting:
        show_waiting(waiting.waiter)
    except HtrEvalError as error:
        # Texts of a bundle are read when somebody looks at them, and may turn out damaged then.
        st.error(html.label(str(error)), icon=":material/error:")
    frame.follow(chosen.url_path, state.query(page))
