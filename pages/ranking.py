"""Pages: which page first?"""

import hashlib

import streamlit as st

from htreval_core import METRICS, EventKind
from htreval_ui.studies.opening import found_failures, is_big, open_study, show_warnings
from htreval_ui.views import window
from htreval_ui.views.tables import RANKED, page_table
from htreval_ui.views.take import offer
from htreval_ui.views.values import glossary
from htreval_ui.web import state
from htreval_ui.web.links import open_page

SORTED_BY = ("delta_wer", "order_cost", "bwer", "wer", "nsfd", "cer", "hwer", "hcer", "kendall_tau")

opened = open_study()
study = opened.study

selection = state.current()
st.title("Which page first?")
show_warnings(study.warnings)
kinds, systems, text, words, meaning = st.columns([4, 3, 3, 2, 3], vertical_alignment="bottom")
all_kinds = [kind.value for kind in EventKind]
chosen_kind = selection.kind if selection.kind in all_kinds else ""
wanted_kind = kinds.selectbox(
    "Failure",
    ["", *all_kinds],
    format_func=lambda kind: kind or "any or none",
    index=["", *all_kinds].index(chosen_kind),
    key=state.widget("kind", chosen_kind),
    on_change=lambda: state.select(kind=state.edited("kind")),
)
wanted_systems = systems.multiselect(
    "Systems", study.systems, key="ranking_systems", placeholder="all"
)
wanted_text = text.text_input("Page name contains", key="ranking_text")
at_least = words.number_input("Words at least", 0, step=10, key="ranking_words")
with meaning:
    glossary(
        ["delta_wer", "order_cost", "bwer", "wer", "nsfd", "cer", "hwer", "hcer", "kendall_tau"]
    )

if is_big(study):
    by, way, part, _ = st.columns([3, 2, 2, 6], vertical_alignment="bottom")
    wanted = window.Wanted(
        tuple(wanted_systems),
        wanted_text,
        int(at_least),
        by.selectbox(
            "Sort by",
            [*SORTED_BY, window.BY_WORDS, window.BY_PLACE],
            format_func=lambda name: METRICS[name].label if name in METRICS else name,
            key="big_by",
        ),
        way.segmented_control(
            "Order", ["largest first", "smallest first"], default="largest first", required=True,
            key="big_way",
        ) == "largest first",
    )  # fmt: skip
    order = window.order(opened, wanted)
    n_parts = max(1, -(-len(order) // window.ROWS))
    number = part.number_input(f"Part of {n_parts:,}", 1, n_parts, key=f"part_{hash(wanted)}")
    shown = order[(number - 1) * window.ROWS : number * window.ROWS].tolist()
    table = window.rows_of(study, shown) if shown else None
    told = f"{len(order):,} rows, {window.ROWS} at a time, sorted here. Choose a row to look at it."
else:
    found = found_failures(opened)
    study = opened.study
    table = page_table(study, wanted_systems, wanted_text, int(at_least), found, wanted_kind)
    told = (
        f"{len(table)} rows, the largest ΔWER first: these gain most from a better layout. "
        "Choose a row to look at the page; click a heading to sort."
    )
if table is None or table.empty:
    st.info("No page fits these filters. Clear one of them.", icon=":material/filter_alt_off:")
    st.stop()
st.caption(told)
# Selection is by position: another set of rows must be another table.
identity = hashlib.sha256("\0".join(table["page"] + "\1" + table["system"]).encode()).hexdigest()
percent = {
    METRICS[name].label: st.column_config.NumberColumn(format="%.1f", help=METRICS[name].plain)
    for name in RANKED
}
chosen = st.dataframe(
    table,
    hide_index=True,
    key=f"ranking_{identity[:16]}",
    on_select="rerun",
    selection_mode=["single-row", "single-cell"],
    height=min(36 * len(table) + 40, 720),
    column_config={
        **percent,
        "words": st.column_config.NumberColumn(format="localized"),
        "worst failure": st.column_config.TextColumn(width="medium"),
        "course": st.column_config.LineChartColumn(
            "course",
            y_min=-1.0,
            y_max=1.0,
            width="small",
            help="How far ahead of its place the output reads, from the top of the page to its "
            "foot: flat is in order, a hill is text read late, a comb is columns read across.",
        ),
        "ΔWER": st.column_config.ProgressColumn(
            format="%.1f",
            min_value=0.0,
            max_value=max(float(table["ΔWER"].max()), 1.0),
            help=METRICS["delta_wer"].plain,
        ),
        "Kendall's τ": st.column_config.NumberColumn(
            format="%.3f", help=METRICS["kendall_tau"].plain
        ),
    },
)
offer(
    "htreval-pages",
    table=table.drop(columns="course", errors="ignore"),
    signature=study.signature,
)
selected = chosen["selection"]
rows = selected["rows"] or [row for row, _ in selected["cells"]]
if rows:
    row = table.iloc[rows[0]]
    open_page(row["page"], row["system"])
