"""What can be opened below the Overview's first screen."""

import streamlit as st

from htreval_core import Study
from htreval_core.show.telling.clusters import drawn_by
from htreval_core.show.telling.events import tell_suspicion
from htreval_core.show.views.opened import Opened
from htreval_ui import html
from htreval_ui.sections.choosing import pick_metric
from htreval_ui.sections.tables import facet_frame, values_frame
from htreval_ui.sections.take import offer
from htreval_ui.studies.facets import facets_of
from htreval_ui.studies.opening import chosen_data

_OVER_PAGES = ("wer", "bwer", "delta_wer", "nsfd", "cer")
"""The metrics for which pictures over pages are drawn."""


def show_values(study: Study) -> None:
    """Every metric of every system."""
    every_value = values_frame(study.corpora)
    numbers = [name for name in every_value.columns[2:] if name != "page with most errors"]
    st.dataframe(
        every_value, hide_index=True, key="all_values",
        column_config=dict.fromkeys(numbers, st.column_config.NumberColumn(format="%.2f")),
    )  # fmt: skip
    offer("htreval-values", table=every_value, signature=study.signature)
    st.markdown(
        "Micro: all words of the corpus together. Macro: every page counts alike. Low and high: "
        f"95 % intervals over {drawn_by(study)}. The binomial ±, which the authors' program "
        "prints, treats the words of a page as independent and is too narrow."
    )


def show_facets(opened: Opened, study: Study) -> None:
    """Values by what is known of pages besides their text."""
    facets = facets_of(opened, chosen_data())
    if not facets.names:
        st.caption(
            "Nothing is known about these pages besides their text. Put a table of page metadata "
            "called pages.csv beside the pages."
        )
        return
    left, right = st.columns(2, vertical_alignment="bottom")
    name = left.selectbox("Facet", facets.names, format_func=html.shown, key="facet")
    with right:
        metric = pick_metric(_OVER_PAGES, key="facet_metric")
    table = facet_frame(opened.by_facet(study, facets, name), metric)
    in_percent = st.column_config.NumberColumn(format="%.2f")
    st.dataframe(
        table, hide_index=True, key="facet_table",
        column_config=dict.fromkeys(table.columns[4:], in_percent),
    )  # fmt: skip
    offer("htreval-facets", table=table, signature=study.signature)
    st.caption(f"Low and high are 95 % intervals over {drawn_by(study)} with this value.")


def show_doubts(opened: Opened, *, looked: bool) -> None:
    """References that may themselves be out of order."""
    doubts = opened.suspicions() if looked else []
    if not doubts:
        st.caption("No reference is in doubt.")
    for suspicion in doubts[:100]:
        said = html.label(tell_suspicion(suspicion))
        st.markdown(f"- **{html.name(suspicion.page_id)}**: {said}")
