"""Overview: how good is it, and what kind of bad?"""

from typing import Literal

import streamlit as st

from htreval_core import METRICS, take_census
from htreval_core.show.html import report_html
from htreval_core.show.plotly import figure_distribution, figure_facets, figure_pages
from htreval_core.show.runs import tell_runs, tell_runs_difference, tell_single
from htreval_core.show.tables import study_csv
from htreval_ui import html
from htreval_ui.studies.facets import facets_of
from htreval_ui.studies.opening import (
    chosen_data,
    chosen_system,
    diagnose_if_quick,
    found_failures,
    is_big,
    open_study,
    show_warnings,
)
from htreval_ui.views.charts import chart, picked_point
from htreval_ui.views.head import RANKS
from htreval_ui.views.orders import show_conventions
from htreval_ui.views.overview import Wish, overview_payload, show_overview, told_of
from htreval_ui.views.tables import facet_frame, runs_frame, values_frame
from htreval_ui.views.take import offer
from htreval_ui.views.values import glossary
from htreval_ui.web import state
from htreval_ui.web.links import open_page, page_file

opened = open_study()
diagnose_if_quick(opened)
selection = state.current()
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


def act(wish: Wish) -> None:
    """Take up what was clicked."""
    if wish.what == "page":
        open_page(*wish.values)
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


with first:
    wish = show_overview(
        overview_payload(
            study, told_of(opened.study, study, pairwise, census, catastrophes), pairwise,
            shown_failures, census,
            catastrophes=catastrophes,
            chosen=chosen_system(study), rank=rank,
            kind=selection.kind if selection.kind in kinds else "", miniature=opened.miniature,
        ),
        "overview_view",
    )  # fmt: skip
if wish:
    act(wish)
show_warnings(study.warnings)
show_warnings(one.warning for one in failures.failures)


def show_scatter() -> None:
    """How far words stand from their place against what that costs, a dot a page."""
    event = chart(
        figure_pages(study.scores, html.plotly, selected=selection.page),
        "pages_scatter",
        "Scatter: ΔWER against NSFD, a dot a page",
        on_select="rerun",
        selection_mode="points",
    )
    st.caption(
        "The darker a field, the more pages: see Pages for each of them."
        if is_big(study)
        else "A dot is a page, its size the words on it. Click one to look at the page."
    )
    open_picked(picked_point(event))


def pick_metric(key: str, label_visibility: Literal["visible", "collapsed"] = "visible") -> str:
    """One of the metrics that a picture over pages is drawn for."""
    return st.segmented_control(
        "Metric",
        ["wer", "bwer", "delta_wer", "nsfd", "cer"],
        format_func=lambda name: METRICS[name].label,
        default="wer",
        required=True,
        label_visibility=label_visibility,
        key=key,
    )


def show_spread() -> None:
    """How much pages differ in a metric."""
    metric = pick_metric("spread_metric", label_visibility="collapsed")
    event = chart(
        figure_distribution(study.scores, metric, html.plotly),
        "pages_spread",
        f"Box plot of {METRICS[metric].label} over pages",
        on_select="rerun",
        selection_mode="points",
    )
    open_picked(picked_point(event))


def open_picked(point: list[str] | None) -> None:
    """Go to the page of a dot."""
    if point:
        open_page(*point)


def show_values() -> None:
    """Every metric of every system, and how far to trust bWER."""
    every_value = values_frame(study.corpora)
    st.dataframe(
        every_value,
        hide_index=True,
        key="all_values",
        column_config={
            name: st.column_config.NumberColumn(format="%.2f")
            for name in every_value.columns[2:]
            if name != "page with most errors"
        },
    )
    offer("htreval-values", table=every_value, signature=study.signature)
    st.markdown(
        "Micro: all words of the corpus together. Macro: every page counts alike. Low and high "
        "come from resampling pages. The binomial ±, which the authors' program prints, takes "
        "the words of a page for independent and is too narrow."
    )
    for system, corpus in study.corpora.items():
        st.markdown(
            f"**{html.name(system)}**  ΔL = {corpus.delta_l:.1f} %, ΔR = {corpus.delta_r:.1f} %, "
            f"{corpus.n_ref_words / max(corpus.n_pages, 1):.0f} words a page"
        )
    st.markdown(
        "ΔL and ΔR are the reliability values of the authors' program. bWER cannot see repeated "
        "words change places, so on very long pages it grows optimistic; below zero, prefer hWER. "
        "ΔL compares the mean page with the length up to which the authors found bWER to hold; "
        "ΔR does so with repetition."
    )


def show_doubts() -> None:
    """References that may themselves be out of order."""
    doubts = opened.suspicions() if failures else []
    if not doubts:
        st.caption("No reference is in doubt.")
    for suspicion in doubts[:100]:
        st.markdown(f"- **{html.name(suspicion.page_id)}**: {html.label(suspicion.sentence)}")


def show_facets() -> None:
    """Values by what is known of pages besides their text."""
    facets = facets_of(opened, chosen_data())
    if not facets.names:
        st.caption(
            "Nothing is known of these pages besides their text. Bring a table of page metadata "
            "with the part “all pages” of the strip above, or put pages.csv beside the pages."
        )
        return
    left, right = st.columns(2)
    name = left.selectbox("Facet", facets.names, format_func=html.shown, key="facet")
    with right:
        metric = pick_metric("facet_metric")
    rows = opened.by_facet(study, facets, name)
    table = facet_frame(rows, metric)
    chart(
        figure_facets(rows, metric, html.plotly),
        "facets",
        f"{METRICS[metric].label} by {html.label(name)}",
        table=table,
    )
    st.dataframe(table, hide_index=True, key="facet_table")
    st.caption("Whiskers are 95 % intervals: the pages with this value are resampled.")


def show_runs() -> None:
    """How far the runs of one system differ, and systems compared over runs and pages."""
    for one in runs.values():
        st.markdown(f"- {html.label(tell_runs(one))}")
    for one in opened.runs_compared(study):
        told = f"{tell_runs_difference(one)} {tell_single(one)}".rstrip()
        st.markdown(f"- {html.label(told)}")
    table = runs_frame(runs)
    st.dataframe(
        table,
        hide_index=True,
        key="runs_table",
        column_config={
            name: st.column_config.NumberColumn(format="%.2f") for name in table.columns[3:-1]
        },
    )
    offer("htreval-runs", table=table, signature=study.signature)
    st.caption(
        "In percent. Systems with several runs are compared by drawing pages and runs again, both "
        "at once: with one run nobody can say whether systems differ or runs do."
    )


MORE = {
    "scatter": ("ΔWER against NSFD", show_scatter),
    "spread": ("How pages differ", show_spread),
    "values": ("All values", show_values),
    "facets": ("By facet", show_facets),
    "doubts": ("References in doubt", show_doubts),
    "orders": ("Order by convention", lambda: show_conventions(opened, study.systems)),
}
runs = opened.runs(study)
if runs:
    MORE = {"runs": ("Runs", show_runs), **MORE}
with st.container(horizontal=True, vertical_alignment="center", key="more_row"):
    more = st.segmented_control(
        "More",
        list(MORE),
        format_func=lambda name: MORE[name][0],
        default=selection.more if selection.more in MORE else None,
        key=state.widget("more", selection.more if selection.more in MORE else None),
        on_change=lambda: state.select(more=state.edited("more") or ""),
        label_visibility="collapsed",
        width="content",
    )
    glossary(list(METRICS))
    if len(study.systems) > 1:
        st.page_link(page_file("compare.py"), label="Compare two", icon=":material/compare_arrows:")
    st.download_button(
        "CSV",
        data=lambda: study_csv(study),
        file_name="htreval-pages.csv",
        mime="text/csv",
        icon=":material/table:",
        key="csv",
        on_click="ignore",
        help="Every value of every page for a spreadsheet.",
    )
    st.download_button(
        "Report",
        data=lambda: report_html(study, diagnoses=shown_failures, pairwise=pairwise),
        file_name="report.html",
        mime="text/html",
        icon=":material/description:",
        key="report",
        on_click="ignore",
        help="One file for people without this program: what is shown here and the 20 worst pages "
        "with their texts. It opens in any browser without a network, and prints.",
    )
if more:
    MORE[more][1]()
