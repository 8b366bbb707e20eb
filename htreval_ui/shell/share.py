"""What is passed on to others: a link, how to cite the values, and their tables."""

from urllib.parse import urlencode

import streamlit as st

from htreval_core.markup import tag
from htreval_core.settings.signature import short_signature
from htreval_core.show.site.contents import Contents, Wanted
from htreval_core.show.site.write import VIEWS, site_zip
from htreval_core.show.tables import study_csv
from htreval_core.show.telling.pages import tell_methods
from htreval_core.show.views.opened import Opened
from htreval_ui import places
from htreval_ui.studies import marks, scoring, uploads
from htreval_ui.studies.opening import chosen_data
from htreval_ui.web import state

_OF_SITE = {
    "system", "other", "page", "view", "mode", "event", "repaired", "word", "rank", "where", "tab",
    "find", "which", "sort", "lesson",
}  # fmt: skip
"""What of an address a site knows, too."""


def show_share(page: str, opened: Opened | None) -> None:
    """The signature, the link, how to cite, and what can be taken away.

    Args:
        page: the page that is shown, as its address has it.
    """
    key, settings = chosen_data(), state.current().settings()
    signature = opened.study.signature if opened else settings.signature()
    st.markdown("**Link** to this view with its data, page, systems and settings")
    st.code(state.address(page, key), language=None, wrap_lines=True)
    if settings.policy.mapping:
        st.caption("The link cannot hold the mapping of characters: pass its file on, too.")
    if key in uploads.held():
        st.caption("You uploaded these data: the link works in this window only.")
    st.markdown("**How to cite**")
    st.caption("Quote the short signature with the values; the full one records every setting.")
    st.code(short_signature(signature), language=None, wrap_lines=True)
    with st.expander("The full signature"):
        st.code(signature.replace("|", "\n"), language=None)
    if opened is None:
        return
    st.caption("For the methods section:")
    shown = opened.shown(all_pages=state.current().all_pages == "yes")
    of_system = (
        " The output of a system stood in for the reference: the values are differences from it, "
        "not error rates."
    ) * bool(state.current().stand_in)
    where, name = state.current().where, opened.study.dataset.name
    of_pages = f" These pages fit the filter “{where}”." if where and name.endswith(where) else ""
    st.code(f"{tell_methods(shown)}{of_pages}{of_system}", language=None, wrap_lines=True)
    with st.expander("CITATION.cff"):
        st.code((places.root() / "CITATION.cff").read_text("utf-8"), language="yaml")
    _offer_site(page, opened)
    st.download_button(
        "Table of all pages (CSV)", data=lambda: study_csv(opened.study),
        file_name="htreval-pages.csv", mime="text/csv", icon=":material/table:", key="csv",
        on_click="ignore", help="Every value of every page for a spreadsheet.",
    )  # fmt: skip


def _offer_site(page: str, opened: Opened) -> None:
    """The views as files for a link to click, and the code that shows this view in another page."""
    study = opened.study
    if not scoring.is_quick(study):
        st.caption("Writing these views as a site takes a long time: run `htreval site`.")
        return
    st.download_button(
        "These views as a site (ZIP)", data=lambda: site_zip(_contents(opened)),
        file_name="htreval-site.zip", mime="application/zip", icon=":material/public:",
        key="site", on_click="ignore",
        help="Unpack it on any web space or disk and link to it. Readers do not need htreval.",
    )  # fmt: skip
    given = urlencode({key: one for key, one in state.in_url(page).items() if key in _OF_SITE})
    st.caption("To show this view of that site in a blog or a course:")
    address = f"site/{page if page in VIEWS else 'index'}.html?{given}&embed=1"
    code = tag("iframe", src=address, width="100%", height=640, loading="lazy")
    st.code(code, language="html", wrap_lines=True)


def _contents(opened: Opened) -> Contents:
    opened.diagnoses()  # which puts what errors come from into the study
    study = opened.study
    said = marks.chosen(chosen_data())
    return Contents(opened, Wanted(study.dataset.name, frozenset(study.page_ids), marks=said))
