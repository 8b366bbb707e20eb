"""Page: what happened here?"""

from dataclasses import replace

import streamlit as st

from htreval_core.bands import line_visits
from htreval_core.figures import (
    figure_bands,
    figure_displacement,
    figure_page_map,
    figure_waterfall,
)
from htreval_ui import components as ui
from htreval_ui import data, html, state
from htreval_ui.alignment import show_alignment
from htreval_ui.tables import ranking
from htreval_ui.wording import page_verdict

key, dataset, evaluation = ui.open_data()
selection = state.current()
settings = evaluation.settings
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

told = data.story(key, settings, page_id, system)
put_right = selection.events_put_right
shown = data.repaired(key, settings, told, put_right)
scores = shown.page.scores
st.markdown(
    f"**{html.label(system)}**, number {place + 1} of {len(order)} by ΔWER.  {page_verdict(scores)}"
)
for flag in scores.flags:
    st.warning(flag, icon=":material/flag:")
ui.show_story(told, put_right)

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
picked = show_alignment(
    shown.page,
    selection.view,
    shown.bands,
    picked=selection.picked,
    event=selection.event_number if shown is told else None,
    height=660,
    key="alignment",
)
if picked and picked != selection.picked:
    state.select(word=f"{picked[0]}:{picked[1]}")
    st.rerun()


@st.fragment
def positions() -> None:
    """Both plots, matched at a γ of its own so that moving the slider costs one page only."""
    bands, plot = st.columns([2, 3], gap="medium")
    slider, values = st.columns([2, 3], gap="large", vertical_alignment="center")
    with slider:
        gamma = st.select_slider(
            "γ: from ‘anywhere’ to ‘stay in place’",
            ui.gammas(str(settings.gamma)),
            value=str(settings.gamma),
            key=f"page_gamma_{settings.gamma}",
            help="How much it costs to match words that stand far apart",
        )
    at_gamma = shown.page
    if gamma != str(settings.gamma):
        at_gamma = data.at_gamma(shown.page, replace(settings, gamma=gamma))
    with values:
        for column, name in zip(st.columns(3), ("nsfd", "hwer", "hcer"), strict=True):
            with column:
                ui.figure_of_page(at_gamma.scores, name)
    with bands:
        st.subheader("Which text was read where?")
        ui.chart(
            figure_bands(shown.bands, shown.diagnosis, scores.n_hyp_words),
            "bands",
            "Ribbons from the reference to the output for each stretch of text",
        )
    with plot:
        st.subheader("Where was each word read?")
        ui.chart(
            figure_displacement(at_gamma, html.plotly, picked=state.current().picked),
            "displacement",
            "Position of each word in the reference against its position in the hypothesis",
        )
    st.caption(
        "Left: what kept its order is pale, each event has its colour. Right: each dot is a word; "
        "its place in the reference runs to the right, its place in the output downward. A page "
        "read in order is one falling diagonal, a block that leaves it was read elsewhere, two "
        "staircases are columns read across. Words without a mate stand on the edges. With a large "
        "γ words stay where they are."
    )


positions()

reference = evaluation.pages[page_id].reference
page_map = figure_page_map(
    reference,
    line_visits(shown.bands, shown.page.reference.line_of),
    shown.diagnosis,
    image=data.page_image(key, settings, page_id),
)
readers = [name for name in evaluation.systems if page_id in evaluation.pages_of(name)]
drawn, compared = st.columns([5, 6], gap="large")
if page_map is not None:
    with drawn:
        st.subheader("The way through the page")
        ui.chart(page_map, "page_map", "Both reading orders drawn on the page")
        st.caption(
            "The broad path reads as the reference does, the narrow one as the output; a number "
            "stands wherever the output jumps. Shaded lines belong to an event."
        )
if len(readers) > 1:
    with compared:
        st.subheader("The same page, every system")
        for number, (column, name) in enumerate(
            zip(st.columns(min(len(readers), 4)), readers[:4], strict=True)
        ):
            other = data.story(key, settings, page_id, name)
            with column:
                ui.chart(
                    figure_bands(
                        other.bands,
                        other.diagnosis,
                        other.page.scores.n_hyp_words,
                        title=html.plotly(name),
                        labels=False,
                    ),
                    f"bands_{number}",
                    f"Ribbons of one system, number {number + 1} of {len(readers)}",
                )
        st.caption(
            "The same picture in every system means that the reference itself may be out of order."
        )
