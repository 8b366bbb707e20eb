"""Overview: how good is it, and what kind of bad?"""

import streamlit as st

from htreval_core import METRICS, take_census
from htreval_core.show.html import report_html
from htreval_core.show.plotly import figure_distribution, figure_pages, figure_systems
from htreval_core.show.wording import verdict
from htreval_ui import html, state
from htreval_ui.charts import chart, offer_table, picked_point
from htreval_ui.links import go_to, open_page, page_file
from htreval_ui.opening import (
    diagnose_if_quick,
    found_failures,
    is_big,
    open_study,
    show_warnings,
)
from htreval_ui.tables import census_frame, results_frame, values_frame
from htreval_ui.values import glossary

opened = open_study()
diagnose_if_quick(opened)
study = opened.study
st.title("How good is it, and what kind of bad?")
st.caption(
    f"{html.name(study.dataset.name)}: {len(study.page_ids):,} pages, "
    f"{len(study.systems)} system{'s' if len(study.systems) > 1 else ''}"
)
show_warnings(study.warnings)
corpora = study.corpora

pairwise = opened.pairwise() if study.shares_pages else None
if pairwise:
    best = pairwise.best("wer")
    told = (
        f"**{html.name(best)}** makes significantly fewer word errors than every other system."
        if best
        else "No system is shown to make fewer word errors than every other."
    )
    said, link = st.columns([4, 1], vertical_alignment="center")
    said.markdown(told)
    link.page_link(page_file("compare.py"), label="Compare two", icon=":material/compare_arrows:")
st.markdown(
    "\n".join(f"- **{html.name(system)}**: {verdict(corpus)}" for system, corpus in corpora.items())
)
chart(
    figure_systems(corpora, html.plotly),
    "systems",
    "Stacked bars: WER of each system by what its errors come from",
)

st.dataframe(
    results_frame(study, pairwise),
    hide_index=True,
    key="values",
    column_config={"words": st.column_config.NumberColumn(format="localized")},
)
left, right = st.columns([1, 3], vertical_alignment="center")
with left:
    glossary(list(METRICS))
right.caption(
    "In percent, micro-averaged; in brackets the 95 % interval from resampling whole pages. ★ is "
    "significantly better than every other system (see Compare); hWER is not tested by itself."
)

scatter, spread = st.columns([3, 2], gap="medium")
with scatter:
    st.header("Which pages are out of order?")
    event = chart(
        figure_pages(study.scores, html.plotly, selected=state.current().page),
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
with spread:
    st.header("How do pages differ?")
    metric = st.segmented_control(
        "Metric",
        ["wer", "bwer", "delta_wer", "nsfd", "cer"],
        format_func=lambda name: METRICS[name].label,
        default="wer",
        required=True,
        label_visibility="collapsed",
        key="spread_metric",
    )
    spread_event = chart(
        figure_distribution(study.scores, metric, html.plotly),
        "pages_spread",
        f"Box plot of {METRICS[metric].label} over pages",
        on_select="rerun",
        selection_mode="points",
    )
for chosen in (picked_point(event), picked_point(spread_event)):
    if chosen:
        open_page(*chosen)

st.header("What does the layout cost, and which failure costs most?")
failures = found_failures(opened)
show_warnings(one.warning for one in failures.failures)
census = take_census(failures)
if census:
    chosen_rows = st.dataframe(
        census_frame(census),
        hide_index=True,
        key="census",
        on_select="rerun",
        selection_mode=["single-row", "single-cell"],
        column_config={
            "picture": st.column_config.ImageColumn(width=64),
            "errors": st.column_config.NumberColumn(
                format="localized", help="What WER charges for this kind of failure"
            ),
            "words": st.column_config.NumberColumn(
                format="localized", help="Words of the texts concerned"
            ),
            "WER now": st.column_config.NumberColumn(format="%.1f"),
            "WER without it": st.column_config.NumberColumn(
                format="%.1f", help="If this kind of failure were put right on every page"
            ),
        },
    )["selection"]
    st.caption("Choose a row to see the pages behind it.")
    rows = chosen_rows["rows"] or [row for row, _ in chosen_rows["cells"]]
    if rows:
        state.select(kind=census[rows[0]].kind.value)
        go_to("ranking.py")
elif failures:
    st.markdown("No layout failure was found on any page.")

doubts = opened.suspicions() if failures else []
if doubts:
    with st.expander(f":material/help_center: {len(doubts)} references may themselves be in doubt"):
        for suspicion in doubts[:100]:
            st.markdown(f"- **{html.name(suspicion.page_id)}**: {html.label(suspicion.sentence)}")

with st.expander("All values, both kinds of interval, and how far to trust bWER"):
    every_value = values_frame(corpora)
    st.dataframe(
        every_value,
        hide_index=True,
        key="all_values",
        column_config={
            name: st.column_config.NumberColumn(format="%.2f")
            for name in ("errors", "micro", "low", "high", "± if words were independent", "macro")
        },
    )
    offer_table(every_value.assign(signature=study.signature), "values")
    st.markdown(
        "Micro: all words of the corpus together. Macro: every page counts alike. Low and high "
        "come from resampling pages. The binomial ±, which the authors' program prints, takes "
        "the words of a page for independent and is too narrow."
    )
    for system, corpus in corpora.items():
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

st.header("Take it with you")
st.download_button(
    "Report",
    data=lambda: report_html(
        study,
        diagnoses=failures,
        pairwise=pairwise,
    ),
    file_name="report.html",
    mime="text/html",
    icon=":material/description:",
    key="report",
    on_click="ignore",
)
st.caption(
    "One file for people without this program: all of this page and the 20 worst pages with their "
    "texts. It opens in any browser without a network, and prints."
)
