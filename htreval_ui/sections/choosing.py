"""What is chosen on a page: systems, a metric, a row of a table, words by their errors."""

from collections.abc import Sequence
from typing import Any

import pandas as pd
import streamlit as st

from htreval_core import METRICS, Study
from htreval_ui.studies.opening import chosen_system
from htreval_ui.web import state


def two_systems(study: Study) -> tuple[str, str] | None:
    """The two systems that are compared, chosen side by side; None where there is only one."""
    if len(study.systems) < 2:
        return None
    a = chosen_system(study)
    others = [system for system in study.systems if system != a]
    b = state.current().other if state.current().other in others else others[0]
    st.selectbox(
        "A", study.systems, index=study.systems.index(a), key=state.widget("a", a),
        on_change=lambda: state.select_pair(state.edited("a"), b), label_visibility="collapsed",
        format_func=lambda name: f"A  {name}", width=220,
    )  # fmt: skip
    st.button(
        "", icon=":material/swap_horiz:", help="Swap A and B", key="swap",
        on_click=state.select_pair, args=(b, a),
    )  # fmt: skip
    st.selectbox(
        "B", others, index=others.index(b), **state.bound("other", b),
        label_visibility="collapsed", format_func=lambda name: f"B  {name}", width=220,
    )  # fmt: skip
    return a, b


def pick_metric(names: Sequence[str], *, key: str) -> str:
    """The metric of a table, at first the first."""
    chosen: str = st.segmented_control(
        "Metric", names, default=names[0], required=True, key=key, label_visibility="collapsed",
        format_func=lambda name: METRICS[name].label,
    )  # fmt: skip
    return chosen


def pick_row(table: pd.DataFrame, key: str, **more: Any) -> int | None:
    """A table to choose a row of, by a mark or by a cell; None where none is chosen."""
    event: Any = st.dataframe(
        table, hide_index=True, key=key, on_select="rerun",
        selection_mode=["single-row", "single-cell"], **more,
    )  # fmt: skip
    selected = event["selection"]
    rows = selected["rows"] or [row for row, _ in selected["cells"]]
    return rows[0] if rows else None
