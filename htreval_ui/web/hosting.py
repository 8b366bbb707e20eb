"""The app as a host of the views: payloads go to the browser, wishes come back."""

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from functools import cache
from typing import Any

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from htreval_core.show.views.contract import View, Wish
from htreval_ui.places import ASSETS


@cache
def _component(view: View) -> Any:
    script, style = ((ASSETS / f"host.{kind}").read_text("utf-8") for kind in ("js", "css"))
    return st.components.v2.component(
        f"htreval.{view.name}", js=f"{view.script}\n{script}", css=f"{style}{view.style}"
    )


def host(view: View, payload: Mapping[str, Any], key: str, **more: Any) -> Wish | None:
    """Draw a view, and return what the user just asked of it.

    Args:
        key: of its state in the session.
        more: for the frame around it, as the framework has it.
    """
    result = _component(view)(
        data=payload, key=key, on_wish_change=lambda: None, on_kept_change=lambda: None,
        on_drawn_change=lambda: None, **more,
    )  # fmt: skip
    wish = result.get("wish")
    return None if wish is None else Wish(str(wish[0]), wish[1], str(wish[2]))


def handed(key: str, what: str) -> Any:
    """What a view has just handed out, before this run draws it: "kept" marks, or "drawn"."""
    return st.session_state.get(key, {}).get(what)


def waiting(saying: str) -> AbstractContextManager[object]:
    """Shows for what somebody waits; beside the server nobody sees it."""
    is_shown = get_script_run_ctx(suppress_warning=True) is not None
    return st.spinner(saying) if is_shown else nullcontext()
