"""Page: what happened here?"""

from dataclasses import replace

import streamlit as st

from htreval_core.figures import figure_displacement, figure_waterfall
from htreval_ui import components as ui
from htreval_ui import data, html, state
from htreval_ui.alignment import show_alignment
from htreval_ui.tables import ranking
from htreval_ui.wording import page_verdict

key, dataset, evaluation = ui.open_data()
selection = state.current()
system = ui.chosen_system(evaluation)
order = ranking(evaluation, system)
page_id = selection.page if selection.page in order else order[0]
place = order.index(page_id)
if selection.page and selection.page != page_id:
    st.info(
        f"{html.label(system)} has no output for page {html.label(selection.page)}; "
        "this is its page with the largest ΔWER.",
        icon=":material/info:",
    )

where, choose, back, forth = st.columns([9, 5, 3, 3], vertical_alignment="center")
where.title(html.label(page_id))
choose.selectbox(
    "Page",
    order,
    key=state.widget("page", page_id),
    on_change=lambda: state.select(page=state.edited("page")),
    label_visibility="collapsed",
)
back.button(
    "Back",
    icon=":material/chevron_left:",
    disabled=place == 0,
    shortcut="k",
    on_click=state.select,
    kwargs={"page": order[place - 1]},
    width="stretch",
    help="The page before in the ranking by ΔWER",
)
forth.button(
    "Next",
    icon=":material/chevron_right:",
    disabled=place == len(order) - 1,
    shortcut="j",
    on_click=state.select,
    kwargs={"page": order[(place + 1) % len(order)]},
    width="stretch",
    help="The next page in the ranking by ΔWER",
)

settings = evaluation.settings
page = data.scored_page(key, settings, page_id, system)
scores = page.scores
st.markdown(
    f"**{html.label(system)}**, number {place + 1} of {len(order)} by ΔWER.  {page_verdict(scores)}"
)
for flag in scores.flags:
    st.warning(flag, icon=":material/flag:")

summary, figures = st.columns([3, 2], gap="large", vertical_alignment="center")
with summary:
    ui.chart(
        figure_waterfall(scores),
        "waterfall",
        "Recognition (bWER) plus order (ΔWER) gives WER",
    )
with figures:
    ui.page_figures(scores)

view = st.segmented_control(
    "Alignment",
    ["trace", "matching"],
    format_func={
        "trace": "As WER reads it, first to last",
        "matching": "As matched, wherever it stands",
    }.__getitem__,
    key=state.widget("view", selection.view),
    on_change=lambda: state.select(view=state.edited("view") or "trace"),
    required=True,
    label_visibility="collapsed",
)
picked = show_alignment(page, selection.view, picked=selection.picked, height=660, key="alignment")
if picked and picked != selection.picked:
    state.select(word=f"{picked[0]}:{picked[1]}")
    st.rerun()


@st.fragment
def displacement() -> None:
    """The plot, matched at a γ of its own so that moving the slider costs one page only."""
    st.subheader("Where was each word read?")
    plot, controls = st.columns([3, 2], gap="large")
    with controls:
        gamma = st.select_slider(
            "γ: from ‘anywhere’ to ‘stay in place’",
            ui.gammas(str(settings.gamma)),
            value=str(settings.gamma),
            key=f"page_gamma_{settings.gamma}",
            help="How much it costs to match words that stand far apart",
        )
        at_gamma = data.scored_page(key, replace(settings, gamma=gamma), page_id, system)
        for column, name in zip(st.columns(3), ("nsfd", "hwer", "hcer"), strict=True):
            with column:
                ui.figure_of_page(at_gamma.scores, name)
        st.caption(
            "Each dot is a word: its place in the reference runs to the right, its place in the "
            "output downward. A page read in order is one falling diagonal. A block that leaves "
            "it was read elsewhere as a whole; two staircases are columns read across. Words "
            "without a mate stand on the edges. With a large γ words stay where they are and "
            "the matching turns into a word-by-word comparison in order."
        )
        image = data.page_image(key, settings, page_id)
        if image:
            st.image(image, caption="The page", width="stretch")
    with plot:
        ui.chart(
            figure_displacement(at_gamma, html.plotly, picked=state.current().picked),
            "displacement",
            "Position of each word in the reference against its position in the hypothesis",
        )


displacement()
