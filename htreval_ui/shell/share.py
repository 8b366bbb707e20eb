"""What is passed on to others: a link, how to cite the values, and their tables."""

from __future__ import annotations

import streamlit as st

from htreval_core import Study
from htreval_core.settings.signature import short_signature
from htreval_core.show.tables import study_csv
from htreval_core.show.views.opened import Opened
from htreval_ui import places
from htreval_ui.studies import uploads
from htreval_ui.studies.opening import chosen_data
from htreval_ui.web import state


def show_share(page: str, opened: Opened | None) -> None:
    """The signature, the link, how to cite, and what can be taken away.

    Args:
        page: the page that is shown, as its address has it.
    """
    settings, key = state.current().settings(), chosen_data()
    st.markdown("**Link** to this view with its data, page, systems and settings")
    st.code(state.address(page, key), language=None, wrap_lines=True)
    if key in uploads.held():
        st.caption("You uploaded these data: the link works in this window only.")
    st.markdown("**How to cite**")
    st.caption("Quote the short signature with the values; the full one pins all they depend on.")
    st.code(short_signature(settings.signature()), language=None, wrap_lines=True)
    with st.expander("The full signature"):
        st.code(settings.signature().replace("|", "\n"), language=None)
    if opened is None:
        return
    st.caption("For the methods section:")
    st.code(methods(opened.study), language=None, wrap_lines=True)
    with st.expander("CITATION.cff"):
        st.code((places.root() / "CITATION.cff").read_text("utf-8"), language="yaml")
    st.download_button(
        "Table of all pages (CSV)", data=lambda: study_csv(opened.study),
        file_name="htreval-pages.csv", mime="text/csv", icon=":material/table:", key="csv",
        on_click="ignore", help="Every value of every page for a spreadsheet.",
    )  # fmt: skip


def methods(study: Study) -> str:
    """What a paper says of how the values were found."""
    settings = study.settings
    n_words = max(int(study.table(name).counts["n_ref_words"].sum()) for name in study.systems)
    return (
        f"Pages were scored with {short_signature(settings.signature())}. WER, bWER and ΔWER "
        f"follow Vidal et al. (2023); values are micro-averaged over {len(study.page_ids):,} pages "
        f"with {n_words:,} reference words. Intervals (95 %) resample pages "
        f"{settings.resamples:,} times (seed {settings.seed}), and systems are compared "
        "pairwise over the same pages (p corrected after Holm)."
    )
