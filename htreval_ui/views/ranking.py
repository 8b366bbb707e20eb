"""The table of all pages: filtered, and of very many pages the worst."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import streamlit as st

from htreval_core import METRICS, EventKind, Study
from htreval_core.metrics.values import page_values
from htreval_core.model import IntArray
from htreval_core.scoring.found import Diagnoses
from htreval_ui.studies.opened import Opened
from htreval_ui.studies.opening import is_big
from htreval_ui.views.choosing import pick_row
from htreval_ui.views.tables import RANKED, page_table
from htreval_ui.views.take import offer
from htreval_ui.web import state
from htreval_ui.web.links import open_page

ROWS = 200


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which rows.

    Args:
        systems: only these; all where none is named.
        contains: only pages whose name contains this, in either case.
        at_least: the fewest reference words of a page that is shown.
    """

    systems: tuple[str, ...] = ()
    contains: str = ""
    at_least: int = 0


def order(opened: Opened, wanted: Wanted) -> IntArray:
    """Numbers of the rows that fit, the largest ΔWER first; they are counted system by system."""
    return opened.once(("order", wanted), "", lambda: _order(opened.study, wanted))


def _order(study: Study, wanted: Wanted) -> IntArray:
    keep: list[npt.NDArray[np.bool_]] = []
    values = []
    for system in study.systems:
        table = study.table(system)
        fits = table.counts["n_ref_words"] >= wanted.at_least
        if wanted.systems and system not in wanted.systems:
            fits = np.zeros(len(table), dtype=bool)
        if wanted.contains:
            part = wanted.contains.casefold()
            fits &= np.fromiter((part in name.casefold() for name in table.page_ids), bool)
        keep.append(fits)
        values.append(page_values(table, "delta_wer"))
    rows = np.flatnonzero(np.concatenate(keep))
    chosen = np.concatenate(values)[rows]
    # nan sorts last.
    return rows[np.argsort(-chosen, kind="stable")]


def rows_of(study: Study, numbers: Sequence[int]) -> pd.DataFrame:
    """The rows of these numbers as ``page_table`` shows them, in their order."""
    starts = np.cumsum([0, *(len(study.table(name)) for name in study.systems)])
    system = np.searchsorted(starts, numbers, side="right") - 1
    parts = {
        name: study.table(name).take(np.asarray(numbers)[system == n] - starts[n])
        for n, name in enumerate(study.systems)
    }
    parts = {name: part for name, part in parts.items() if len(part)}
    small = replace(study, scores=parts)
    frame = page_table(small, [], "", 0, {}, "")
    wanted = [
        (study.table(study.systems[s]).page_ids[number - starts[s]],
         study.systems[s])
        for number, s in zip(numbers, system.tolist(), strict=True)
    ]  # fmt: skip
    return frame.set_index(["page", "system"]).loc[wanted].reset_index()


def show_ranking(opened: Opened, found: Diagnoses) -> None:
    """Every page of every system as a row; choosing one opens the page.

    Args:
        found: the failures of all pages; may be empty.
    """
    study = opened.study
    kinds, systems, text, words = st.columns([4, 3, 3, 2], vertical_alignment="bottom")
    all_kinds = ["", *(kind.value for kind in EventKind)]
    kind = state.current().kind if state.current().kind in all_kinds else ""
    kinds.selectbox(
        "Failure", all_kinds, index=all_kinds.index(kind), **state.bound("kind", kind),
        format_func=lambda kind: kind or "any or none",
    )  # fmt: skip
    wanted = Wanted(
        tuple(
            systems.multiselect("Systems", study.systems, key="ranking_systems", placeholder="all")
        ),
        text.text_input("Page name contains", key="ranking_text"),
        int(words.number_input("Words at least", 0, step=10, key="ranking_words")),
    )
    if is_big(study):
        table, told = _part(opened, wanted)
    else:
        table = page_table(
            study, wanted.systems, wanted.contains, wanted.at_least, found, kind
        )  # fmt: skip
        told = (
            f"{len(table)} rows, the largest ΔWER first: these gain most from a better layout. "
            "Choose a row to look at the page; click a heading to sort."
        )
    if table.empty:
        st.info("No page fits these filters. Clear one of them.", icon=":material/filter_alt_off:")
        return
    st.caption(told)
    # Selection is by position: another set of rows must be another table.
    rows = "\0".join(table["page"] + "\1" + table["system"])
    row = pick_row(
        table, f"ranking_{hashlib.sha256(rows.encode()).hexdigest()[:16]}",
        height=min(36 * len(table) + 40, 720), column_config=_columns(table),
    )  # fmt: skip
    offer(
        "htreval-pages", table=table.drop(columns="course", errors="ignore"),
        signature=study.signature,
    )  # fmt: skip
    if row is not None:
        open_page(table["page"].iloc[row], table["system"].iloc[row])


def _part(opened: Opened, wanted: Wanted) -> tuple[pd.DataFrame, str]:
    """The rows that are shown of very many, and what to say of them."""
    numbers = order(opened, wanted)
    shown = numbers[:ROWS].tolist()
    told = f"{len(numbers):,} rows, those {len(shown)} with the largest ΔWER. Choose a row to look."
    return (rows_of(opened.study, shown) if shown else pd.DataFrame()), told


def _columns(table: pd.DataFrame) -> dict[str, Any]:
    number = st.column_config.NumberColumn
    columns: dict[str, Any] = {
        METRICS[name].label: number(
            format="%.3f" if METRICS[name].scale == "correlation" else "%.1f",
            help=METRICS[name].plain,
        )
        for name in RANKED
    }
    return columns | {
        "words": number(format="localized"),
        "worst failure": st.column_config.TextColumn(width="medium"),
        "course": st.column_config.LineChartColumn(
            "course", y_min=-1.0, y_max=1.0, width="small",
            help="How far ahead of its place the output reads, from the top of the page to its "
            "foot: flat is in order, a hill is text read late, a comb is columns read across.",
        ),
        "ΔWER": st.column_config.ProgressColumn(
            format="%.1f", min_value=0.0, max_value=max(float(table["ΔWER"].max()), 1.0),
            help=METRICS["delta_wer"].plain,
        ),
    }  # fmt: skip
