"""Errors: what does it misread, or what do two of them, and how does it look on the page?"""

import numpy as np
import streamlit as st

from htreval_core.show.telling.texts import tell_wrong
from htreval_core.show.views.contract import ERRORS
from htreval_core.show.views.errors import AT_ONCE, TITLE, choose, errors_payload, lines_payload
from htreval_ui import html
from htreval_ui.sections.choosing import two_systems
from htreval_ui.sections.tables import confusion_frame, errors_frame, lines_frame
from htreval_ui.sections.take import offer
from htreval_ui.studies import scoring
from htreval_ui.studies.opening import (
    chosen_data,
    chosen_system,
    followed,
    found_outcomes,
    has_asked,
    open_study,
    show_warnings,
)
from htreval_ui.web import state
from htreval_ui.web.security import host
from htreval_ui.web.state import go_to

opened = open_study()
study = opened.study
several = len(study.systems) > 1
both = several and state.current().both == "yes"
title, which = st.columns([2, 3], vertical_alignment="center")
title.title("What do both misread?" if both else TITLE)
with which.container(horizontal=True, horizontal_alignment="right", vertical_alignment="center"):
    pair = two_systems(study) if both else None
    if several:
        st.toggle("Beside another system", value=both, **state.bound("both", both))
systems = pair or (chosen_system(study),)
state.settle(data=chosen_data(), system=systems[0], **({"other": pair[1]} if pair else {}))
opened = followed(opened, systems)
of_all, n_pages = len(study.page_ids), len(opened.study.page_ids)
study = opened.study
if n_pages < of_all:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(f"These are {n_pages:,} of {of_all:,} pages, drawn at random.", width="content")
        has_asked("words", f"Show all {of_all:,} pages: this reads every text")
outcomes = found_outcomes(opened, systems)
show_warnings(one.warning for one in outcomes.failures)
st.markdown(tell_wrong(outcomes, lambda name: f"**{html.name(name)}**"))
if not np.any([outcomes.wrong(system) for system in systems]):
    st.success("Every word is right.", icon=":material/check:")
    st.stop()

asked = state.current()
look = (chosen_data(), systems, asked.tab, asked.find, asked.which, asked.sort)
shown = st.session_state.get("errors_shown", {}).get(look, AT_ONCE)
lines, chosen = None, choose(outcomes, asked)
if asked.tab == "lines":
    wanted = st.session_state.get("errors_lines") == look[:2]
    if wanted or opened.knows(("worst lines", systems)) or scoring.is_quick(study):
        lines = opened.worst_lines(systems)
    payload = lines_payload(opened, systems, lines, shown)
else:
    payload = errors_payload(opened, outcomes, chosen, asked, shown)
wish = host(ERRORS, payload, "errors")
if wish:
    what, value = wish.what, wish.value
    if what == "show":
        state.select(**{name: str(value[name]) for name in ("tab", "find", "which", "sort")})
    elif what == "more":
        st.session_state["errors_shown"] = {look: shown + AT_ONCE}
    elif what == "find lines":
        st.session_state["errors_lines"] = look[:2]
    elif what == "line" and lines:
        line = lines[int(value)]
        worst = max(line.reads, key=lambda read: read.errors)
        state.select(page=line.page_id, system=worst.system)
        state.select(word=f"ref:{line.word_index}", view="trace")
        go_to("page.py")
    elif what == "word":
        number = int(value)
        wrong = [one for one in systems if outcomes.wrong(one)[number]]
        state.select(page=outcomes.page_ids[outcomes.page_of[number]], system=(*wrong, *systems)[0])
        state.select(word=f"ref:{outcomes.word_index[number]}", view="matching")
        go_to("page.py")
    st.rerun()
if lines:
    offer("htreval-lines", table=lines_frame(lines, systems), signature=study.signature)
elif asked.tab == "words":
    offer("htreval-errors", table=lambda: errors_frame(outcomes, chosen.of_kind),
          signature=study.signature)  # fmt: skip
elif not asked.tab:
    confusions = {one: opened.confusions(systems, one) for one in systems}
    offer("htreval-confusions", table=lambda: confusion_frame(confusions),
          signature=study.signature)  # fmt: skip
