"""Learn: what are these numbers?"""

from typing import Any

import streamlit as st

from htreval_core import pair_path, score
from htreval_core.settings import read_settings_file
from htreval_core.show.views.contract import LEARN, Wish
from htreval_core.show.views.learn import MOST, REAL, learn_payload, real_page
from htreval_core.show.views.opened import Opened
from htreval_ui import places
from htreval_ui.web import state
from htreval_ui.web.security import host
from htreval_ui.web.state import go_to

_SAMPLE = "berlin"


@st.cache_resource(show_spinner=False)
def _real() -> dict[str, Any] | None:
    """The page at the end, under the settings with which the app opens it."""
    folder = places.root() / "sample_data" / _SAMPLE
    page_id, system = REAL
    data = pair_path(folder).only([system], [page_id])
    return real_page(
        Opened(score(data, read_settings_file(folder / "study.toml"))), page_id, system
    )


def _act(wish: Wish) -> None:
    """Take up what the view cannot give."""
    value = wish.value
    if wish.what == "show":
        texts = {side: str(value[side])[:MOST] for side in ("reference", "output")}
        state.select(lesson=str(value["lesson"]), **texts)
        st.rerun()
    elif wish.what == "page":
        state.select(data=_SAMPLE)
        state.select(page=value[0], system=value[1])
        state.select(event=str(int(value[2]) + 1))
        go_to("page.py")
    elif wish.what == "data":
        go_to("data.py")


selection = state.current()
real = _real()
if real and selection.lesson != "page":
    # The image is most of it, and goes out only where it is looked at.
    real = real | {"image": ""}
payload = learn_payload(selection.lesson, selection.reference, selection.output, real)
state.settle(lesson=payload["lesson"])
asked = host(LEARN, payload, "learn_view")
if asked:
    _act(asked)
