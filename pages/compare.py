"""Compare: is B better than A, where, and is it real?"""

import streamlit as st

from htreval_core import HtrEvalError
from htreval_core.compare import event_changes, page_differences
from htreval_core.show.views.compare import MOST_PAGES, answer_of, compare_payload
from htreval_core.show.views.contract import COMPARE, THREEWAY
from htreval_core.show.views.styles import style_payload
from htreval_core.show.views.threeway import threeway_payload
from htreval_ui import html
from htreval_ui.sections.choosing import two_systems
from htreval_ui.studies.opening import (
    chosen_data,
    diagnose_if_quick,
    found_faults,
    link_to_data,
    open_study,
)
from htreval_ui.web import state
from htreval_ui.web.security import host

opened = open_study()
diagnose_if_quick(opened)
study = opened.study
selection = state.current()

head = st.container(horizontal=True, vertical_alignment="center", gap="small", key="pair")
with head:
    pair = two_systems(study)
if pair is None:
    st.title("Is B better than A?")
    st.info(
        "These data have the output of one system. Bring the output of a second one for the same "
        "pages: on the Data page as another system, or as a folder beside the first.",
        icon=":material/compare_arrows:",
    )
    link_to_data("Bring data")
    st.stop()
a, b = pair
state.settle(data=chosen_data(), system=a, other=b)
try:
    comparison = opened.comparison(a, b)
except HtrEvalError as error:
    st.error(html.label(str(error)), icon=":material/error:")
    st.stop()
answer = st.container(gap="small", key="answer")
faults = found_faults(opened)
changes = event_changes(faults, a, b) if faults else None
said = answer_of(comparison, changes)
answer.title(html.label(said.head), anchor=False)
if said.line:
    answer.markdown(html.label(said.line))
for warning in said.warnings:
    answer.warning(html.label(warning), icon=":material/warning:")
differences = page_differences(study, a, b, "wer", at_most=MOST_PAGES)
order = [one.page_id for one in differences]
page_id = selection.page if selection.page in comparison.page_ids else order[0]
walked = order if page_id in order else [page_id, *order]
texts, side = st.columns([5, 2], gap="medium")
looks = opened.look(page_id, a), opened.look(page_id, b)
with texts:
    styles = [style_payload(study, system) for system in (a, b)]
    both = threeway_payload(*looks, styles, walked, height=560)
    step = host(THREEWAY, both, "threeway")
with side:
    told = compare_payload(
        study, comparison, changes or (), said.explained, page_id, differences, looked=bool(faults)
    )
    wanted = host(COMPARE, told, "compare_view")
wish = step or wanted
if wish and wish.value in comparison.page_ids:
    state.select_pair_page(a, b, wish.value)
    st.rerun()
