"""Pictures and tables to take away, one click each.

Pictures are taken in the browser as they are drawn there; texts are written when they are wanted,
so that a page with large tables costs nothing to show.
"""

import time
from collections.abc import Callable
from typing import Any

import pandas as pd
import streamlit as st

from htreval_core.show.views.contract import ASSETS as VIEWS
from htreval_core.show.views.contract import View
from htreval_ui.places import ASSETS
from htreval_ui.sections.tables import TAKEN, frame_text
from htreval_ui.web.security import host

_TAKE = View("take", (VIEWS / "base", ASSETS / "take"))
_PICTURE = [
    ["svg", "SVG", "The picture, to be enlarged without loss"],
    ["png", "PNG", "The picture as an image"],
]
_TEXTS = [
    ["csv", "CSV", "The table for a spreadsheet"], ["md", "Markdown", "The table for a text"],
    ["tex", "LaTeX", "The table for a paper; needs booktabs"],
]  # fmt: skip


def offer(
    name: str, *, picture: str | None = None,
    table: pd.DataFrame | Callable[[], pd.DataFrame] | None = None, signature: str = "",
) -> None:  # fmt: skip
    """Buttons that save a picture, a table or both.

    Args:
        name: of the files, without an ending.
        picture: the key of the chart.
        table: the table, or what makes it once it is wanted.
        signature: stands in the LaTeX and the Markdown.
    """
    offers = [*(_PICTURE if picture else []), *(_TEXTS if table is not None else [])]
    key = f"take_{name}"
    _, wanted, _ = st.session_state.get(key, {}).get("wish") or (None, None, None)
    payload: dict[str, Any] = {"name": name, "picture": picture, "offers": offers, "file": None}
    if table is not None and wanted in TAKEN:
        text = frame_text(table() if callable(table) else table, wanted, signature)
        payload["file"] = {"kind": wanted, "text": text, "number": time.monotonic_ns()}
    host(_TAKE, payload, key)
