"""The table of all pages; of very many pages the worst."""

import hashlib
from typing import Any

import pandas as pd
import streamlit as st

from htreval_core import METRICS
from htreval_core.scoring.found import Diagnoses
from htreval_core.show.views.opened import Opened
from htreval_ui.sections.choosing import pick_row
from htreval_ui.sections.tables import RANKED, page_table
from htreval_ui.sections.take import offer
from htreval_ui.studies.opening import is_big, n_rows
from htreval_ui.web.state import open_page

ROWS = 200


def show_ranking(opened: Opened, found: Diagnoses) -> None:
    """Every page of every system as a row; choosing one opens the page."""
    study = opened.study
    if is_big(study):
        table = opened.once("worst pages", "", lambda: page_table(study, {}).head(ROWS))
        n = n_rows(study)
        told = f"{n:,} rows, the {len(table)} with the largest ΔWER. Choose a row to see the page."
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
        "worst fault": st.column_config.TextColumn(width="medium"),
        "ΔWER": st.column_config.ProgressColumn(
            format="%.1f", min_value=0.0, max_value=max(float(table["ΔWER"].max()), 1.0),
            help=METRICS["delta_wer"].plain,
        ),
    }  # fmt: skip
