"""Overview: how good is it, and what kind of bad?"""

from collections.abc import Callable

import streamlit as st

from htreval_core import METRICS, Study, take_census
from htreval_core.show.html import report_html
from htreval_ui.studies import scoring
from htreval_ui.studies.opened import Opened
from htreval_ui.studies.opening import (
    chosen_data,
    chosen_system,
    diagnose_if_quick,
    found_failures,
    open_study,
    show_warnings,
)
from htreval_ui.views import more
from htreval_ui.views.audit import show_audit
from htreval_ui.views.head import RANKS
from htreval_ui.views.orders import show_conventions
from htreval_ui.views.overview import Wish, overview_payload, show_overview, told_of
from htreval_ui.views.ranking import show_ranking
from htreval_ui.views.values import glossary
from htreval_ui.web import state
from htreval_ui.web.links import open_page, page_file


def act(wish: Wish, study: Study) -> None:
    """Take up what was clicked."""
    if wish.what == "page":
        open_page(*wish.values)
    elif wish.what == "table":
        state.select(more="" if state.current().more == "pages" else "pages")
    elif wish.what == "system" and wish.values[0] in study.systems:
        state.select(system=wish.values[0])
    elif wish.what == "rank" and wish.values[0] in RANKS:
        state.select(rank=wish.values[0])
    elif wish.what == "catastrophe" and wish.values[0] in study.systems:
        state.select(system=wish.values[0], rank="catastrophe")
    elif wish.what == "kind":
        kind, system = wish.values
        state.select(kind=kind, **({"system": system} if system in study.systems else {}))
    st.rerun()


def show(opened: Opened) -> None:
    """The first screen, and below it what somebody wants to look at closer."""
    selection = state.current()
    diagnose_if_quick(opened)
    study = opened.shown(all_pages=selection.all_pages == "yes")
    pairwise = opened.pairwise(study) if study.shares_pages else None
    first = st.container()
    failures = found_failures(opened)
    study = opened.shown(all_pages=selection.all_pages == "yes")
    shown_failures = opened.failures_of(study, failures)
    census = take_census(shown_failures)
    catastrophes = opened.catastrophes(study)
    kinds = {row.kind.value for row in census}
    state.settle(data=chosen_data(), system=chosen_system(study))
    rank = selection.rank if selection.rank in RANKS else next(iter(RANKS))
    with first:
        wish = show_overview(
            overview_payload(
                study,
                told_of(
                    opened.study, study, pairwise, census, catastrophes,
                    opened.as_written() if scoring.is_quick(opened.study) else {},
                ),
                pairwise,
                shown_failures, census,
                catastrophes=catastrophes,
                chosen=chosen_system(study), rank=rank,
                kind=selection.kind if selection.kind in kinds else "", miniature=opened.miniature,
                as_table=selection.more == "pages",
            ),
            "overview_view",
        )  # fmt: skip
    if wish:
        act(wish, study)
    show_warnings(study.warnings)
    show_warnings(one.warning for one in failures.failures)

    runs = opened.runs(study)
    parts: dict[str, tuple[str, Callable[[], None]]] = {
        "pages": ("Table of all pages", lambda: show_ranking(opened, failures)),
        **({"runs": ("Runs", lambda: more.show_runs(opened, study, runs))} if runs else {}),
        "scatter": ("ΔWER against NSFD", lambda: more.show_scatter(study)),
        "values": ("All values", lambda: more.show_values(study)),
        "facets": ("By facet", lambda: more.show_facets(opened, study)),
        "layers": ("By layer of the page", lambda: more.show_layers(opened, study)),
        "doubts": (
            "References in doubt", lambda: more.show_doubts(opened, looked=bool(failures))
        ),
        "orders": ("Order by convention", lambda: show_conventions(opened, study.systems)),
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
                study, diagnoses=shown_failures, pairwise=pairwise, layers=opened.layers(study)
            ),
            file_name="report.html", mime="text/html", icon=":material/description:",
            key="report", on_click="ignore",
            help="One file for people without this program: what is shown here and the 20 worst "
            "pages with their texts. It opens in any browser without a network, and prints.",
        )  # fmt: skip
    if wanted:
        parts[wanted][1]()


opened = open_study()
# Without a truth no figure is an error rate: systems are compared with each other.
(show_audit if state.is_audit() else show)(opened)
