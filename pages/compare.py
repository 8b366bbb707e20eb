"""Compare: is B better than A, where, and is it real?"""

import hashlib
import math

import streamlit as st

from htreval_core import METRICS, HtrEvalError
from htreval_core.compare import COMPARED, LEVEL, Pairwise, event_changes, page_differences
from htreval_core.show.plotly import figure_versus
from htreval_core.show.telling.verdicts import points
from htreval_core.show.views.compare import answer_of, compare_payload
from htreval_core.show.views.contract import COMPARE, THREEWAY
from htreval_core.show.views.names import own_columns
from htreval_core.show.views.styles import style_of, style_payload
from htreval_core.show.views.threeway import threeway_payload
from htreval_ui import html
from htreval_ui.sections.charts import chart, picked_point
from htreval_ui.sections.choosing import pick_metric, pick_row, two_systems
from htreval_ui.sections.tables import DIFFERENCE_COLUMNS, difference_frame
from htreval_ui.sections.take import offer
from htreval_ui.studies.opening import (
    chosen_data,
    diagnose_if_quick,
    found_failures,
    is_big,
    link_to_data,
    open_study,
)
from htreval_ui.web import state
from htreval_ui.web.hosting import host

# The most pages that are shown one by one where there are very many.
MOST_PAGES = 2000

opened = open_study()
diagnose_if_quick(opened)
study = opened.study
selection = state.current()

head = st.container(horizontal=True, vertical_alignment="center", gap="small", key="pair")
with head:
    pair = two_systems(study)
if pair is None:
    st.title("Is B better than A, where, and is it real?")
    st.info(
        "This data has the output of one system. Bring the output of a second one for the same "
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
styles = (style_of(study, a), style_of(study, b))
PARTS = {"changes": "Texts and failures", "pages": "Page by page", "systems": "All systems"}
chosen_part = selection.part if selection.part in PARTS else "changes"
part = head.segmented_control(
    "Part", list(PARTS), format_func=PARTS.__getitem__, default=chosen_part, required=True,
    label_visibility="collapsed", width="content", **state.bound("part", chosen_part, "changes"),
)  # fmt: skip


def show_changes() -> None:
    """The answer, one page under both, and beside it the forest and failures as changes."""
    answer = st.container(gap="small", key="answer")
    failures = found_failures(opened)
    changes = event_changes(failures, a, b) if failures else None
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
    looks = [opened.look(page_id, system) for system in (a, b)]
    with texts:
        styles = [style_payload(study, system) for system in (a, b)]
        step = host(THREEWAY, threeway_payload(*looks, styles, walked, height=560), "threeway")
    with side:
        told = compare_payload(
            study, comparison, changes or (), said.explained, page_id, looked=bool(failures)
        )
        wanted = host(COMPARE, told, "compare_view")
    wish = step or wanted
    if wish and wish.value in comparison.page_ids:
        state.select_pair_page(a, b, wish.value)
        st.rerun()


def show_pages() -> None:
    """Every page as a dot, and the pages ranked by their difference."""
    metric = selection.metric if selection.metric in COMPARED else "wer"
    versus, listed = st.columns([1, 1], gap="large")
    with versus:
        st.header("Page by page")
        pick_metric(COMPARED, default=metric, **state.bound("metric", metric, "wer"))
        at_most = MOST_PAGES if is_big(study) else None
        pages = page_differences(study, a, b, metric, at_most=at_most)
        if at_most:
            st.caption(
                f"The {len(pages):,} pages that differ most, of {len(comparison.page_ids):,}."
            )
        flips = [flip.page_id for flip in comparison.rank_flips]
        chart(
            figure_versus(
                pages, metric, (a, b), flips, html.plotly, selected=selection.page, styles=styles
            ),
            "versus",
            f"{METRICS[metric].label} of A against B, one dot for each page",
            on_select=take_dot,
            selection_mode="points",
        )
        st.caption("Below the diagonal B is better. Click a page to see it under both systems.")
    failures = found_failures(opened)
    table = difference_frame(pages, comparison, failures, metric)
    identity = hashlib.sha256("\0".join((a, b, metric)).encode()).hexdigest()[:12]
    with listed:
        st.header("Pages by difference")
        row = pick_row(
            table,
            f"differences_{identity}",
            height=440,
            column_config={
                "difference": st.column_config.NumberColumn(
                    f"{METRICS[metric].label}, B − A", format="%+.1f"
                ),
                **{
                    column: st.column_config.NumberColumn(format="%.1f")
                    for column in own_columns((a, b), DIFFERENCE_COLUMNS).values()
                },
            },
        )
        st.caption("Choose a row to see the page under both systems.")
        offer("htreval-differences", table=table, signature=study.signature)
    if row is not None:
        state.select_pair_page(a, b, table["page"].iloc[row])
        state.select(part="changes")
        st.rerun()


def take_dot() -> None:
    """The page of the dot that was clicked."""
    point = picked_point(st.session_state["versus"])
    if point:
        state.select_pair_page(a, b, point[0])
        state.select(part="changes")


def difference(pairwise: Pairwise, metric: str, row: str, column: str) -> str:
    """Column less row in points, a star where it is real."""
    found = pairwise.difference(metric, row, column)
    if found is None or math.isnan(found.difference):
        return ""
    return points(found.difference) + "*" * (pairwise.p(metric, row, column) < LEVEL)


def show_systems() -> None:
    """Every two systems, and the ranking that the tests allow."""
    pairwise = opened.pairwise(opened.shown(all_pages=selection.all_pages == "yes"))
    metric = pick_metric(COMPARED, key="matrix_metric")
    matrix, ranking = st.columns([3, 2], gap="large")
    with matrix:
        names = {system: html.shown(system) for system in pairwise.systems}
        rows = [
            {"system": names[row]} | {names[column]: difference(pairwise, metric, row, column)
                                for column in names}
            for row in names
        ]  # fmt: skip
        st.dataframe(rows, hide_index=True, key="matrix")
        st.caption(
            "Column less row, in points; a star where the difference is real at 5 % after "
            "Holm’s correction over the pairs."
        )
    with ranking:
        st.header(f"Ranking by {METRICS[metric].label}")
        ranks = pairwise.ranks[metric]
        for system in sorted(ranks, key=lambda name: ranks[name]):
            tied = sum(rank == ranks[system] for rank in ranks.values()) > 1
            st.markdown(f"{ranks[system]}{'=' if tied else '.'}  {html.name(system)}")
        st.caption("Systems that the test cannot tell apart share a rank.")


SHOWN = {"changes": show_changes, "pages": show_pages, "systems": show_systems}
SHOWN[part]()
