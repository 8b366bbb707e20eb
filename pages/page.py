"""Page: what happened here?"""

from collections.abc import Sequence

import streamlit as st

from htreval_core import PageScores, ScoredPage
from htreval_core.diagnosis.bands import Band, line_visits, mate_of
from htreval_core.diagnosis.look import Look
from htreval_core.settings import gamma_text
from htreval_core.show.plotly import (
    figure_bands,
    figure_displacement,
    figure_page_map,
    figure_waterfall,
)
from htreval_ui import html, state
from htreval_ui.alignment import Answer, show_alignment
from htreval_ui.charts import chart, picked_point
from htreval_ui.controls import gammas
from htreval_ui.opening import chosen_system, open_study
from htreval_ui.story import (
    as_if_put_right,
    next_repair,
    place_in_ranking,
    show_looking,
    show_story,
)
from htreval_ui.tables import ranking
from htreval_ui.values import show_value, show_values

opened = open_study()
study = opened.study
selection = state.current()
own_gamma = gamma_text(study.settings.gamma)
system = chosen_system(study)
order = ranking(study, system)
page_id = selection.page if selection.page in order else order[0]
place = order.index(page_id)
if selection.page and selection.page != page_id:
    st.info(
        f"{html.name(system)} has no output for page {html.name(selection.page)}; "
        "this is its page with the largest ΔWER.",
        icon=":material/info:",
    )

where, choose, back, forth = st.columns([9, 5, 3, 3], vertical_alignment="center")
where.title(html.name(page_id))
# Of very many pages the browser gets those that stand near in the ranking.
near = order if len(order) <= 2000 else order[max(place - 100, 0) : place + 101]
choose.selectbox(
    "Page",
    near,
    index=near.index(page_id),
    key=state.widget("page", page_id),
    on_change=lambda: state.select(page=state.edited("page")),
    label_visibility="collapsed",
)
back.button(
    "Back",
    icon=":material/chevron_left:",
    disabled=place == 0,
    on_click=state.select,
    kwargs={"page": order[place - 1]},
    width="stretch",
    help="The page before in the ranking by ΔWER; key [",
)
forth.button(
    "Next",
    icon=":material/chevron_right:",
    disabled=place == len(order) - 1,
    on_click=state.select,
    kwargs={"page": order[(place + 1) % len(order)]},
    width="stretch",
    help="The next page in the ranking by ΔWER; key ]",
)

VIEWS = {
    "matching": (
        "Matched wherever they stand",
        "Each word is compared with the one that it was matched with, in place or not.",
    ),
    "trace": (
        "Strictly in order, as WER counts",
        "Words are compared from first to last: text out of place shows as left out here and "
        "added there.",
    ),
}


def choose_view() -> None:
    """Which of the two alignments the texts show."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.segmented_control(
            "Alignment",
            list(VIEWS),
            format_func=lambda name: VIEWS[name][0],
            default=selection.view,
            key=state.widget("view", selection.view),
            on_change=lambda: state.select(view=state.edited("view") or "matching"),
            required=True,
            label_visibility="collapsed",
            width="content",
        )
        st.caption(VIEWS[selection.view][1])


def draw_words(page: ScoredPage, bands: Sequence[Band], event: int | None) -> Answer:
    """Both texts with their words linked."""
    return show_alignment(
        page, selection.view, bands,
        picked=selection.picked, event=event, height=660, key="alignment",
    )  # fmt: skip


def draw_waterfall(look: Look | None, scores: PageScores, before: Look | None = None) -> None:
    """What the errors of WER come from: the one picture that matters most."""
    chart(
        figure_waterfall(
            scores,
            before.page.scores if before else None,
            look.diagnosis.parts if look else None,
            before.diagnosis.parts if before else None,
        ),
        "waterfall",
        "What the errors of WER come from, a bar each, and all together",
    )


scored = study.scores_of(page_id, system)
put_right = selection.events_put_right
# What the scores say stands at once; what has to be matched again for a look follows.
head = st.markdown(place_in_ranking(system, place, len(order), scored))
doubts = st.container()
if not opened.is_quick(page_id, system):
    # A long page is there to be read while it is looked into: the same places, some still empty.
    told_here, _ = st.columns([6, 5], gap="medium")
    with told_here:
        show_looking(scored.n_ref_words)
        draw_waterfall(None, scored)
    choose_view()
    draw_words(opened.look(page_id, system).page, (), None)
    _ = opened.look(page_id, system).diagnosis
    st.rerun()
told = opened.look(page_id, system)
shown = opened.put_right(told, put_right)
scores = shown.page.scores
if shown is not told:
    head.markdown(as_if_put_right(system, scored, scores, shown.diagnosis.parts))
else:
    parts = told.diagnosis.parts
    head.markdown(place_in_ranking(system, place, len(order), scored, parts))
with doubts:
    for flag in scores.flags:
        st.warning(flag, icon=":material/flag:")

# A repaired page has other words in other places: events and marks are those of the page as read.
event = selection.event_number if shown is told else None
word = mate_of(shown.page, selection.picked)
page_map = figure_page_map(
    study.page(page_id).reference,
    line_visits(shown.bands, shown.page.reference.line_of),
    shown.diagnosis,
    image=opened.image(page_id),
    chosen=event,
    picked=shown.page.reference.line_of[word[0]] if word and word[0] >= 0 else None,
)


def show_bands() -> None:
    """The page as two bars with a ribbon for each stretch of text."""
    chart(
        figure_bands(shown.bands, shown.diagnosis, scores.n_hyp_words, chosen=event, picked=word),
        "bands",
        "Ribbons from the reference to the output for each stretch of text",
    )
    st.caption("Which text was read where: what kept its order is pale, each fault has its colour.")


told_here, drawn = st.columns([6, 5], gap="medium")
with told_here:
    show_story(told, put_right)
    draw_waterfall(shown, scores, told if shown is not told else None)
    with st.expander("More values of this page"):
        show_values(scores)
with drawn:
    if page_map is None:
        show_bands()
    else:
        chart(page_map, "page_map", "Both reading orders drawn on the page")
        st.caption(
            "The broad path reads as the reference does, the narrow one as the output; a number "
            "stands wherever the output jumps. Shaded lines belong to a fault."
        )

choose_view()
answer = draw_words(shown.page, shown.bands, event)
if answer.picked and answer.picked != selection.picked:
    state.select(word=f"{answer.picked[0]}:{answer.picked[1]}")
    st.rerun()
if answer.asked == "view":
    state.select(view="matching" if selection.view == "trace" else "trace")
    st.rerun()
if answer.asked == "repair":
    state.select(repaired=next_repair(told, put_right, selection.event_number))
    st.rerun()
if answer.steps and answer.steps[1] in order:
    wanted = order.index(answer.steps[1]) + answer.steps[0]
    state.select(page=order[min(max(wanted, 0), len(order) - 1)])
    st.rerun()


def take_picked() -> None:
    """A dot that was clicked becomes the picked word of all pictures."""
    point = picked_point(st.session_state["displacement"])
    if point:
        side, index = ("ref", point[0]) if point[0] >= 0 else ("hyp", point[1])
        state.select(word=f"{side}:{index}")


@st.fragment
def positions() -> None:
    """Both plots, matched at a γ of its own so that moving the slider costs one page only."""
    picked = state.current().picked
    if picked != selection.picked:
        st.rerun()
    st.header("Where was each word read?")
    slider, values = st.columns([2, 3], gap="large", vertical_alignment="center")
    with slider:
        gamma = st.select_slider(
            "γ: from ‘anywhere’ to ‘stay in place’",
            gammas(own_gamma),
            value=own_gamma,
            key=f"page_gamma_{own_gamma}",
            help="How much it costs to match words that stand far apart",
        )
    at_gamma = opened.at_gamma(shown, gamma)
    with values:
        for column, name in zip(st.columns(3), ("nsfd", "hwer", "hcer"), strict=True):
            with column:
                show_value(at_gamma.scores, name)
    plots = st.columns([2, 3], gap="medium") if page_map else (None, st.container())
    if plots[0]:
        with plots[0]:
            show_bands()
    with plots[1]:
        chart(
            figure_displacement(
                at_gamma, shown.bands, shown.diagnosis, html.plotly, chosen=event, picked=picked
            ),
            "displacement",
            "Position of each word in the reference against its position in the output",
            on_select=take_picked,
            selection_mode="points",
        )
        st.caption(
            "Each dot is a word; its place in the reference runs to the right, its place in the "
            "output downward. A page read in order is one falling diagonal, a block that leaves "
            "it was read elsewhere, two staircases are columns read across. Words without a mate "
            "stand on the edges. Click a dot to mark its word everywhere."
        )


positions()

readers = [name for name in study.systems if page_id in study.pages_of(name)]
if len(readers) > 1:
    st.header("The same page, every system")
    for number, (column, name) in enumerate(
        zip(st.columns(max(min(len(readers), 4), 3)), readers[:4], strict=False)
    ):
        other = shown if name == system else opened.look(page_id, name)
        with column:
            chart(
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
with doubts:
    for suspicion in opened.page_suspicions(page_id):
        st.warning(html.label(suspicion.sentence), icon=":material/help_center:")
