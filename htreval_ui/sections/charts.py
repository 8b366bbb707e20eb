"""Charts on the screen, and what was chosen in them."""

from __future__ import annotations

from typing import Any

import streamlit as st

from htreval_ui.sections.take import offer

CHART_CONFIG = {"displaylogo": False, "displayModeBar": False, "scrollZoom": False}


def chart(figure: Any, key: str, alt: str, **more: Any) -> Any:
    """A Plotly figure in the app's theme, to be taken away as a picture."""
    event = st.plotly_chart(figure, key=key, alt=alt, config=CHART_CONFIG, **more)
    offer(f"htreval-{key}", picture=key)
    return event


def picked_point(event: Any) -> list[Any] | None:
    """The custom data of the point that was just clicked in a chart."""
    points = event["selection"]["points"] if event else []
    return list(points[0]["customdata"]) if points and points[0].get("customdata") else None
