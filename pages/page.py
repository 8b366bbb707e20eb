"""Page: what happened here?"""

from contextlib import suppress

import streamlit as st

from htreval_core import HtrEvalError
from htreval_core.show.plotly import figure_displacement
from htreval_core.show.views.contract import PAGE, Wish
from htreval_core.show.views.head import RANKS, ranking
from htreval_core.show.views.page import whole_payload
from htreval_core.show.views.repairs import next_repair, with_numbers
from htreval_ui import html
from htreval_ui.sections.marks import (
    correct,
    correctable,
    corrected,
    marks_payload,
    next_left,
    take_marks,
)
from htreval_ui.sections.orders import rules_payload, with_region
from htreval_ui.sections.tables import words_frame
from htreval_ui.sections.take import offer
from htreval_ui.studies.opening import chosen_data, chosen_system, found_faults, open_study
from htreval_ui.web import state
from htreval_ui.web.security import handed, host

# Whether the texts were seen in this session: only then the browser loads what draws the plot.
_DRAWN = "page_drawn"
# The page that was asked for and is not there, and the one that is shown in its place.
_LOST = "page_lost"

opened = open_study()
study = opened.study
selection = state.current()
system = chosen_system(study)
rank = selection.rank if selection.rank in RANKS else next(iter(RANKS))
order = ranking(study, system, rank, opened.taken_over(system))
page_id = selection.page if selection.page in order else order[0]
place = order.index(page_id)
state.settle(data=chosen_data(), system=system, page=page_id)
if selection.page and selection.page != page_id:
    st.session_state[_LOST] = (selection.page, page_id)
lost, shown_for_it = st.session_state.get(_LOST, ("", ""))
if shown_for_it == page_id:
    of = html.name(system)
    why = f"has no output from {of}" if lost in study.page_ids else "is not in the data"
    why = f"does not fit the filter for {of}" if selection.where else why
    st.info(
        f"Page {html.name(lost)} {why}; this is the first page by {html.label(RANKS[rank])}.",
        icon=":material/info:",
    )
else:
    st.session_state.pop(_LOST, None)
# The run that follows draws the same view once more, which then is neither sent nor drawn again.
awaited = not st.session_state.get(_DRAWN)
if handed("page_view", "drawn"):
    st.session_state[_DRAWN] = True
take_marks(opened, handed("page_view", "kept"))


def act(asked: Wish) -> None:
    """Take up what was asked of the page that was drawn."""
    value, what = asked.value, asked.what
    if what == "system" and value in study.systems:
        state.select(system=value, page=page_id)
    elif what == "rank" and value in RANKS:
        state.select(rank=value, page=page_id)
    elif what in ("float", "leave-out", "either"):
        reference = opened.look(page_id, system).reference
        state.order_by(with_region(selection.rules, page_id, reference, what, value))
    elif what == "left":
        state.select(page=next_left(order, place))
    elif what == "correct":
        correct(opened, told)
    elif what == "repair":
        look = opened.look(page_id, system)
        own = selection.events_put_right
        state.select(
            repaired=next_repair(look.diagnosis, own, selection.event_number)
            if value == "next"
            else with_numbers(look.diagnosis, own, value)
        )
    else:
        state.take_up(asked, order)
    st.rerun()


try:
    told = opened.look(page_id, system)
except HtrEvalError as error:
    # Texts of a bundle are read when somebody looks at them; the other pages are still there.
    st.error(html.label(str(error)), icon=":material/error:")
    st.selectbox("Page", order, index=place, **state.bound("page", page_id))
    st.stop()
is_quick = opened.is_quick(page_id, system)
put_right = selection.events_put_right if is_quick else frozenset()
shown = opened.put_right(told, put_right)
# A repaired page has other words in other places: events and marks are those of the page as read.
as_read = shown is told
payload = whole_payload(
    opened, order, place, system, rank, selection.view, told, shown, is_quick=is_quick
) | {
    "event": selection.event_number if as_read else None,
    "picked": list(selection.picked) if selection.picked else None, "repaired": sorted(put_right),
    "rules": rules_payload(selection.rules.of_page(page_id)), "mode": selection.mode,
    "awaited": awaited,
}  # fmt: skip
if is_quick:
    payload |= {
        "marks": marks_payload(told, order),
        "correctable": correctable(opened, told) if as_read else [], "save": corrected(page_id),
    }  # fmt: skip
asked = host(PAGE, payload, "page_view")
if asked:
    act(asked)
if not is_quick:
    # A long page is there to be read while it is looked into.
    _ = told.diagnosis
    st.rerun()


offer("htreval-words", table=lambda: words_frame(shown, selection.view), signature=study.signature)


def take_picked() -> None:
    """A dot that was clicked becomes the picked word of all pictures."""
    points = st.session_state["displacement"]["selection"]["points"]
    point = points[0].get("customdata") if points else None
    if point:
        side, index = ("ref", point[0]) if point[0] >= 0 else ("hyp", point[1])
        state.select(word=f"{side}:{index}")


@st.fragment
def positions() -> None:
    """Where each word was read."""
    picked = state.current().picked
    if picked != selection.picked:
        st.rerun()
    st.header("Where was each word read?")
    st.plotly_chart(
        figure_displacement(
            shown.page, shown.bands, shown.diagnosis, html.plotly,
            chosen=payload["event"], picked=picked,
        ),
        key="displacement",
        alt="Position of each word in the reference against its position in the output",
        config={"displaylogo": False, "displayModeBar": False, "scrollZoom": False},
        on_select=take_picked,
        selection_mode="points",
    )  # fmt: skip
    offer("htreval-displacement", picture="displacement")
    st.caption(
        "Each dot is a word; its place in the reference runs to the right, its place in the "
        "output downward. A page read in order is one falling diagonal, a block that leaves "
        "it was read elsewhere, two staircases are columns read across. Words without a mate "
        "stand on the edges. Click a dot to mark its word everywhere."
    )


if st.session_state.get(_DRAWN):
    positions()
    # What other pages and other systems say of this one is added when it can be read already.
    # What is wrong with texts of other pages is no matter of this one: the Overview says it.
    with suppress(HtrEvalError):
        if opened.told() is None and found_faults(opened):
            st.rerun()
