"""Audit: which pages are worth a look, where nobody knows the truth?"""

import streamlit as st

from htreval_core.audit.audit import with_stand_in
from htreval_core.audit.plan import plan, predict
from htreval_core.metrics.kinds import View
from htreval_core.show.audit import NOTE, tell_audit, tell_page, tell_plan
from htreval_core.show.tables import audit_csv, audit_json
from htreval_ui import html
from htreval_ui.studies.opening import chosen_data, open_study
from htreval_ui.views.audit import (
    audit_payload,
    is_quick,
    look_between,
    pages_frame,
    pair_for,
    pairs_frame,
    systems_frame,
)
from htreval_ui.views.page import show_page
from htreval_ui.views.styles import style_payload
from htreval_ui.web import state

opened = open_study()
study = opened.study
selection = state.current()
stand_in = selection.stand_in == "yes"

head, switch = st.columns([3, 2], vertical_alignment="center")
head.title("Worth a look, without a reference")
switch.toggle(
    "The reference is a system’s output, too",
    value=stand_in,
    key=state.widget("stand_in", stand_in),
    on_change=lambda: state.select(stand_in="yes" if state.edited("stand_in") else ""),
    help="For data without any reference: bring the output of one system in its place.",
)
st.info(NOTE, icon=":material/balance:")
if len(study.dataset.systems) + stand_in < 2:
    st.caption(
        "An audit compares two systems or more. Bring the output of another one on Data, or let "
        "the reference count as one with the switch above."
    )
    st.stop()
if not is_quick(len(study.page_ids)):
    st.caption(
        f"{len(study.page_ids):,} pages take long to compare: run htreval audit in a terminal, "
        "which works in several processes and writes text, JSON or CSV."
    )
    st.stop()
found = opened.audit(stand_in)
st.markdown(html.label(tell_audit(found)))
one_decimal = st.column_config.NumberColumn(format="%.1f")
left, right = st.columns([3, 2], gap="medium")
with left:
    table = systems_frame(found)
    st.dataframe(
        table, hide_index=True, key="audit_systems",
        column_config=dict.fromkeys(table.columns[1:3], one_decimal),
    )  # fmt: skip
with right:
    table = pairs_frame(found)
    st.dataframe(
        table, hide_index=True, key="audit_pairs",
        column_config=dict.fromkeys(table.columns[1:4], one_decimal),
    )  # fmt: skip

order = [page.page_id for page in found.ranked]
if not order:
    st.caption("No page could be looked at.")
    st.stop()
page_id = selection.page if selection.page in order else order[0]
table = pages_frame(found)
asked = st.dataframe(
    table,
    hide_index=True,
    key="audit_pages",
    height=212,
    on_select="rerun",
    selection_mode="single-row",
    column_config={
        "worth a look": st.column_config.ProgressColumn(
            format="%.1f", min_value=0.0, max_value=max(float(table["worth a look"].max()), 1.0),
            help="How far systems stand apart here, in words and in order, and what is suspicious "
            "by itself; by this the pages are ranked.",
        ),
        **{name: one_decimal for name in table.columns if name.endswith("apart, %")},
    },
)  # fmt: skip
rows = asked.selection.rows
if rows and order[rows[0]] != page_id:
    state.select(page=order[rows[0]])
    st.rerun()

audited = found.page(page_id)
readers = [system for system in found.systems if system in audited.n_words]
for said in tell_page(audited):
    st.markdown(f"- {html.label(said)}")
if len(readers) < 2:
    st.caption(f"Only one system has read page {html.name(page_id)}.")
    st.stop()
a, b = pair_for(audited, readers, selection.other and selection.system, selection.other)
others = [system for system in readers if system != a]
first, second, _ = st.columns([2, 2, 3])
first.selectbox(
    "One system", readers, index=readers.index(a), format_func=html.shown,
    key=state.widget("audit_a", a), on_change=lambda: state.select(system=state.edited("audit_a")),
)  # fmt: skip
second.selectbox(
    "and another", others, index=others.index(b), format_func=html.shown,
    key=state.widget("audit_b", b), on_change=lambda: state.select(other=state.edited("audit_b")),
)  # fmt: skip
state.settle(data=chosen_data(), page=page_id, system=a, other=b)
page = study.page(page_id)
page = with_stand_in(page) if stand_in else page
view: View = "matching" if selection.view not in ("matching", "trace") else selection.view  # type: ignore[assignment]
payload = audit_payload(
    found, audited, look_between(page, a, b, study.settings), a, b, view, selection.event_number
)
payload["image"] = opened.image(page_id)
payload["style"] = style_payload(study, b if b in study.systems else study.systems[0])
picked = show_page(payload, "audit_view")
if picked is not None:
    if picked.what == "step":
        place = order.index(page_id) + int(picked.value)
        state.select(page=order[min(max(place, 0), len(order) - 1)])
    elif picked.what == "page" and picked.value in order:
        state.select(page=picked.value)
    elif picked.what == "view":
        state.select(view=picked.value)
    elif picked.what == "event":
        shown = selection.event_number
        state.select(event="" if shown == picked.value else str(int(picked.value) + 1))
    elif picked.what == "word":
        state.select(word=f"{picked.value[0]}:{int(picked.value[1])}")
    st.rerun()

with st.expander("Which pages next?"):
    shares = [0.01, 0.05, 0.1, 0.2]
    left, middle, right = st.columns(3)
    at_most = left.select_slider(
        "At most this share of pages", shares, 0.1, format_func="{:.0%}".format, key="audit_at_most"
    )
    above = middle.select_slider(
        "is above this bWER", [0.05, 0.1, 0.2, 0.3, 0.5], 0.2, format_func="{:.0%}".format,
        key="audit_above",
    )  # fmt: skip
    seed = right.number_input("Seed of the draw", min_value=0, value=0, key="audit_seed")
    made = plan(found, riskiest=5, seed=int(seed), at_most=at_most, above=above)
    for said in tell_plan(made):
        st.markdown(f"- {html.label(said)}")
with st.container(horizontal=True):
    st.download_button(
        "CSV", data=lambda: audit_csv(found), file_name="htreval-audit.csv", mime="text/csv",
        key="audit_csv", on_click="ignore",
    )  # fmt: skip
    st.download_button(
        "JSON", data=lambda: audit_json(found, predict(found), made),
        file_name="htreval-audit.json",
        mime="application/json", key="audit_json", on_click="ignore",
    )  # fmt: skip
