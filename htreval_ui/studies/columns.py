"""The columns of a table that somebody brings: found by their names, shown, and changeable."""

from __future__ import annotations

from typing import Any

import streamlit as st

from htreval_core import HtrEvalError
from htreval_core.model import SourceFile
from htreval_core.sources.columns import Columns, FoundColumns, find_columns
from htreval_core.sources.readers.table import is_table, read_rows
from htreval_ui import html

_FOUND = "columns_found"
_MOST = 200
ROW_NUMBERS = "the number of the row"


def choose_columns(name: str, content: bytes, identity: object) -> Columns | None:
    """What the columns of a table are; None where it is no table, or nothing was changed.

    Args:
        identity: what tells this file from others without looking into it.
    """
    header, found = _columns(name, content, identity)
    if not header:
        return None
    with st.expander(f"Columns of the table: {html.label(_told(found))}", expanded=found is None):
        ids, reference, outputs = st.columns(3)
        key = str(abs(hash(identity)))
        # Where a column is called like page ids, no row needs a number.
        numbered = [] if found and found.page_id else [ROW_NUMBERS]
        page_id = ids.selectbox(
            "Page ids", [*numbered, *header], key=f"column_id_{key}", format_func=html.shown,
            index=header.index(found.page_id) if found and found.page_id else 0,
        )  # fmt: skip
        of_reference = reference.selectbox(
            "References", [None, *header], key=f"column_reference_{key}",
            format_func=lambda one: html.shown(one) if one else "choose",
            index=1 + header.index(found.reference) if found and found.reference else 0,
        )  # fmt: skip
        usual = list(found.outputs.values()) if found else []
        of_outputs = outputs.multiselect(
            "Outputs, a column for each system", header, default=usual, key=f"column_outputs_{key}",
            format_func=html.shown,
        )  # fmt: skip
    named = {column: system for system, column in (found.outputs if found else {}).items()}
    chosen = Columns(
        None if page_id == ROW_NUMBERS else page_id,
        of_reference,
        {named.get(column, column): column for column in of_outputs},
    )
    as_found = found and (found.page_id, found.reference, dict(found.outputs))
    return None if (chosen.page_id, chosen.reference, dict(chosen.texts)) == as_found else chosen


def _columns(name: str, content: bytes, identity: object) -> tuple[list[str], FoundColumns | None]:
    """The heading of a table and what its columns are; read once for each file."""
    kept: dict[str, Any] = st.session_state.setdefault(_FOUND, {})
    if kept.get("identity") != identity:
        kept.clear()
        kept.update(identity=identity, columns=_read(name, content))
    found: tuple[list[str], FoundColumns | None] = kept["columns"]
    return found


def _read(name: str, content: bytes) -> tuple[list[str], FoundColumns | None]:
    file = SourceFile(name, lambda: content)
    if not is_table(file):
        return [], None
    try:
        header, rows = read_rows(file)
        return header[:_MOST], find_columns(name, header, rows)
    except HtrEvalError:
        # What is wrong with it is said where it is paired.
        return [], None


def _told(found: FoundColumns | None) -> str:
    return found.told if found else "none found"
