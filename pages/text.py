"""Text: what was done to the text, and what is each switch worth?"""

import streamlit as st

from htreval_core import METRICS
from htreval_core.show.plotly import figure_ladder
from htreval_ui import html
from htreval_ui.studies.opening import ask_first, found_ladder, open_study
from htreval_ui.views.charts import chart
from htreval_ui.views.marked import show_marked
from htreval_ui.views.tables import LADDER_COLUMNS, ladder_frame, own_columns

opened = open_study()
study = opened.study

st.title("What is each switch of the text worth?")
st.markdown(
    "Two tools often disagree only because they count text differently. Here all pages are scored "
    "again as one switch after another is thrown, each on top of those before it."
)
metric = st.segmented_control(
    "Metric",
    ["wer", "bwer", "delta_wer", "cer"],
    format_func=lambda name: METRICS[name].label,
    default="wer",
    required=True,
    label_visibility="collapsed",
    key="ladder_metric",
)
ask_first(study, "Switches")
rungs = found_ladder(opened)
frame = ladder_frame(rungs, metric)
chart(
    figure_ladder(rungs, metric, html.plotly),
    "ladder",
    f"What each switch changes in {METRICS[metric].label} of each system",
    table=frame,
)
st.dataframe(
    frame,
    hide_index=True,
    key="ladder_table",
    column_config={
        column: st.column_config.NumberColumn(format="%.2f")
        for column in own_columns(study.systems, LADDER_COLUMNS).values()
    },
)
st.caption(
    "In percent, micro-averaged."
    if len(study.systems) < 2
    else "In percent, micro-averaged. A ring marks where two systems change places: a ranking that "
    "a switch of the text turns over should not be believed without naming the switch."
)
show_marked(opened)
