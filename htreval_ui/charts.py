"""Charts and tables on the screen, and what can be taken away of them."""

from __future__ import annotations

from functools import partial
from importlib.util import find_spec
from typing import Any

import pandas as pd
import streamlit as st

from htreval_ui.tables import frame_csv

CHART_CONFIG = {"displaylogo": False, "displayModeBar": False, "scrollZoom": False}


def chart(figure: Any, key: str, alt: str, **more: Any) -> Any:
    """A Plotly figure in the app's theme."""
    return st.plotly_chart(figure, key=key, alt=alt, config=CHART_CONFIG, **more)


def offer_figure(figure: Any, frame: pd.DataFrame, name: str) -> None:
    """A picture to take away: its data, a page that holds it, and an image where that works."""
    with st.container(horizontal=True):
        st.download_button(
            "Data (CSV)", lambda: frame_csv(frame), f"{name}.csv", "text/csv",
            icon=":material/table:", key=f"{name}_csv", on_click="ignore",
        )  # fmt: skip
        st.download_button(
            "Picture (HTML)",
            lambda: figure.to_html(include_plotlyjs=True, config=CHART_CONFIG),
            f"{name}.html", "text/html",
            icon=":material/download:", key=f"{name}_html", on_click="ignore",
        )  # fmt: skip
        if find_spec("kaleido"):
            for kind in ("svg", "png"):
                st.download_button(
                    f"Picture ({kind.upper()})",
                    partial(figure.to_image, kind, width=1200, scale=2),
                    f"{name}.{kind}",
                    icon=":material/image:", key=f"{name}_{kind}", on_click="ignore",
                )  # fmt: skip


def offer_table(frame: pd.DataFrame, name: str) -> None:
    """The rows of a table to take away, with what a spreadsheet would run marked as text."""
    st.download_button(
        "Data (CSV)", lambda: frame_csv(frame), f"htreval-{name}.csv", "text/csv",
        icon=":material/table:", key=f"{name}_csv", on_click="ignore", type="tertiary",
    )  # fmt: skip


def picked_point(event: Any) -> list[Any] | None:
    """The custom data of the point that was just clicked in a chart."""
    points = event["selection"]["points"] if event else []
    return list(points[0]["customdata"]) if points and points[0].get("customdata") else None


def chosen_row(event: Any) -> int | None:
    """The row that is chosen in a table, by a mark or by a cell."""
    selected = event["selection"]
    rows = selected["rows"] or [row for row, _ in selected["cells"]]
    return rows[0] if rows else None
