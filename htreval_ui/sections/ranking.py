"""The table of all pages; of very many pages the worst."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from htreval_core import METRICS, Study
from htreval_core.metrics.values import page_values
from htreval_core.model import IntArray
from htreval_core.scoring.found import Diagnoses
from htreval_core.show.views.opened import Opened
from htreval_ui.sections.choosing import pick_row
from htreval_ui.sections.tables import RANKED, page_table
from htreval_ui.sections.take import offer
from htreval_ui.studies.opening import is_big
from htreval_ui.web.links import open_page

ROWS = 200


def order(opened: Opened) -> IntArray:
    """Numbers of the rows, the largest ΔWER first; they are counted system by system."""
    return opened.once("order", "", lambda: _order(opened.study))


def _order(study: Study) -> IntArray:
    values = [page_values(study.table(system), "delta_wer") for system in study.systems]
    # nan sorts last.
    return np.argsort(-np.concatenate(values), kind="stable")


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
    frame = page_table(small, {})
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
    if is_big(study):
        table, told = _part(opened)
    else:
        table = page_table(study, found)
        told = (
            f"{len(table)} rows, the largest ΔWER first: these gain most from a better layout. "
            "Choose a row to look at the page; click a heading to sort."
        )
    st.caption(told)
    # Selection is by position: another set of rows must be another table.
    rows = "\0".join(table["page"] + "\1" + table["system"])
    row = pick_row(
        table, f"ranking_{hashlib.sha256(rows.encode()).hexdigest()[:16]}",
        height=min(36 * len(table) + 40, 720), column_config=_columns(table),
    )  # fmt: skip
    offer("htreval-pages", table=table, signature=study.signature)
    if row is not None:
        open_page(table["page"].iloc[row], table["system"].iloc[row])


def _part(opened: Opened) -> tuple[pd.DataFrame, str]:
    """The rows that are shown of very many, and what to say of them."""
    numbers = order(opened)
    shown = numbers[:ROWS].tolist()
    told = f"{len(numbers):,} rows, those {len(shown)} with the largest ΔWER. Choose a row to look."
    return rows_of(opened.study, shown), told


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
        "ΔWER": st.column_config.ProgressColumn(
            format="%.1f", min_value=0.0, max_value=max(float(table["ΔWER"].max()), 1.0),
            help=METRICS["delta_wer"].plain,
        ),
    }  # fmt: skip
