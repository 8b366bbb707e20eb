"""What each switch of the text is worth."""

import streamlit as st

from htreval_core.show.telling.pages import tell_pages
from htreval_core.show.views.names import own_columns
from htreval_ui.sections.choosing import pick_metric
from htreval_ui.sections.tables import LADDER_COLUMNS, ladder_frame
from htreval_ui.sections.take import offer
from htreval_ui.studies.opening import found_ladder, has_asked, is_big, n_rows, open_study
from htreval_ui.web import state


def show_panel() -> None:
    """The panel of the settings that stands in the place of a page until it is closed."""
    opened = open_study()
    study = opened.study
    title, close = st.columns([5, 1], vertical_alignment="center")
    title.title("What is each switch of the text worth?")
    close.button(
        "Close", key="close_panel", icon=":material/close:", width="stretch",
        on_click=state.select, kwargs={"panel": ""},
    )  # fmt: skip
    st.markdown(
        "Two tools often disagree only because they count text differently. Here all pages are "
        "scored again as one text option after another is applied, each on top of those before it."
    )
    metric = pick_metric(("wer", "bwer", "delta_wer", "cer"), key="ladder_metric")
    if is_big(study) and not has_asked(
        "switches", f"Score {n_rows(study):,} page scores again: this reads every text"
    ):
        st.stop()
    frame = ladder_frame(found_ladder(opened), metric)
    in_percent = st.column_config.NumberColumn(format="%.2f")
    columns = own_columns(study.systems, LADDER_COLUMNS).values()
    st.dataframe(
        frame, hide_index=True, key="ladder_table", column_config=dict.fromkeys(columns, in_percent)
    )
    offer("htreval-ladder", table=frame, signature=study.signature)
    pages = f" {said}." if (said := tell_pages(study)) else ""
    told = "Distrust any ranking that a text option reverses, unless the option is stated."
    st.caption(f"In percent, micro-averaged.{pages} {told if len(study.systems) > 1 else ''}")
