"""Overview: how good is it, and what kind of bad?"""

from collections.abc import Callable, Sequence

import streamlit as st

from htreval_core import METRICS, Study, take_census
from htreval_core.scoring.filters import and_also, without
from htreval_core.show.html import report_html
from htreval_core.show.views.contract import OVERVIEW, Wish
from htreval_core.show.views.head import RANKS
from htreval_core.show.views.opened import Opened
from htreval_core.show.views.overview import (
    DOUBT_OUT,
    kind_term,
    overview_payload,
    stretch,
    told_of,
)
from htreval_ui.sections import more
from htreval_ui.sections.audit import show_audit
from htreval_ui.sections.marks import show_marks
from htreval_ui.sections.ranking import show_ranking
from htreval_ui.sections.send_back import SEND_BACK, send_back_dialog
from htreval_ui.sections.tables import glossary
from htreval_ui.studies import marks, scoring
from htreval_ui.studies.opening import (
    chosen_data,
    chosen_system,
    diagnose_if_quick,
    found_faults,
    open_study,
    prepare_outcomes,
    show_warnings,
)
from htreval_ui.web import state
from htreval_ui.web.security import host
from htreval_ui.web.state import open_page, page_file


def act(wish: Wish, study: Study, taken_over: Sequence[str]) -> None:
    """Take up what was clicked."""
    values = [str(one) for one in wish.value or ()]
    if wish.what == "page":
        open_page(*values)
    elif wish.what == "table":
        state.select(more="" if state.current().more == "pages" else "pages")
    elif wish.what == "system" and values[0] in study.systems:
        state.select(system=values[0])
    elif wish.what == "rank" and values[0] in RANKS:
        state.select(rank=values[0])
    elif wish.what == "catastrophe" and values[0] in study.systems:
        state.select(system=values[0], rank="catastrophe")
    elif wish.what == "range":
        rank, ends = state.current().rank, (values[0], values[-1])
        state.select(where=stretch(study, chosen_system(study), rank, taken_over, ends))
    elif wish.what in ("kind", "doubt"):
        term, where = (
            kind_term(values[0]) if wish.what == "kind" else DOUBT_OUT,
            state.current().where,
        )
        state.select(where=without(where, term) if term in where else and_also(where, term))
    elif wish.what == "all":
        state.select(where="")
    elif wish.what == "send":
        # The letter is about the system that the answer speaks of.
        state.select(more=SEND_BACK, system=values[0])
    st.rerun()


def show(opened: Opened) -> None:
    """The first screen, and below it what somebody wants to look at closer."""
    selection = state.current()
    diagnose_if_quick(opened)
    study = opened.shown(all_pages=selection.all_pages == "yes")
    pairwise = opened.pairwise(study) if study.shares_pages else None
    first = st.container()
    faults = found_faults(opened)
    study = opened.shown(all_pages=selection.all_pages == "yes")
    shown_faults = opened.faults_of(study, faults)
    census = take_census(shown_faults)
    catastrophes = opened.catastrophes(study)
    state.settle(data=chosen_data(), system=chosen_system(study))
    rank = selection.rank if selection.rank in RANKS else next(iter(RANKS))
    with first:
        wish = host(
            OVERVIEW,
            overview_payload(
                study,
                told_of(
                    opened.study, study, pairwise, census, catastrophes,
                    opened.as_written(study) if scoring.is_quick(opened.study) else {},
                ),
                pairwise,
                shown_faults, census,
                catastrophes=catastrophes,
                chosen=chosen_system(study), rank=rank,
                where=selection.where, miniature=opened.miniature,
                as_table=selection.more == "pages",
            ),
            "overview_view",
        )  # fmt: skip
    if wish:
        act(wish, study, opened.taken_over(chosen_system(study)))
    show_warnings(study.warnings)
    show_warnings(faults.warnings)

    parts: dict[str, tuple[str, Callable[[], None]]] = {
        "pages": ("Table of all pages", lambda: show_ranking(opened, faults)),
        "values": ("All values", lambda: more.show_values(study)),
        "facets": ("By facet", lambda: more.show_facets(opened, study)),
        "doubts": (
            "References in doubt", lambda: more.show_doubts(opened, looked=bool(faults))
        ),
        "marks": ("Marks", lambda: show_marks(opened)),
        "audit": ("Without the ground truth", lambda: None),
    }  # fmt: skip
    first_four, rest = list(parts)[:4], list(parts)[4:]
    wanted = selection.more if selection.more in parts else None
    with st.container(horizontal=True, vertical_alignment="center", key="more_row"):
        st.segmented_control(
            "Look closer", first_four, format_func=lambda name: parts[name][0],
            default=wanted if wanted in first_four else None, label_visibility="collapsed",
            width="content", key=state.widget("more", wanted if wanted in first_four else None),
            on_change=lambda: state.select(more=state.edited("more") or ""),
        )  # fmt: skip
        st.selectbox(
            "More", rest, format_func=lambda name: parts[name][0], placeholder="more",
            index=rest.index(wanted) if wanted in rest else None, label_visibility="collapsed",
            width=220, key=state.widget("rest", wanted if wanted in rest else None),
            on_change=lambda: state.select(more=state.edited("rest") or ""),
        )  # fmt: skip
        glossary(list(METRICS))
        if len(study.systems) > 1:
            st.page_link(
                page_file("compare.py"), label="Compare two", icon=":material/compare_arrows:"
            )
        st.download_button(
            "Report",
            data=lambda: report_html(
                opened.study, diagnoses=faults, pairwise=pairwise,
                all_pages=selection.all_pages == "yes", marks=marks.chosen(chosen_data()),
            ),
            file_name="report.html", mime="text/html", icon=":material/description:",
            key="report", on_click="ignore",
            help="One file for people without this program, with what is shown here and the 20 "
            "worst pages with their texts. It opens in any browser without a network and prints "
            "well.",
        )  # fmt: skip
    if wanted:
        parts[wanted][1]()
    prepare_outcomes(opened, (chosen_system(study),))
    if selection.more == SEND_BACK:
        # What one system has not read is missing, whatever is shown.
        send_back_dialog(opened.study, chosen_system(study), faults, marks.chosen(chosen_data()))


opened = open_study()
# Without a truth no figure is an error rate: systems are compared with each other.
(show_audit if state.is_audit() else show)(opened)
