"""One box that finds a text and goes to a page, a view, a system or a fault: Ctrl-K, or //."""

from typing import Any

import streamlit as st

from htreval_core import ConfigError
from htreval_core.markup import shorten, visible
from htreval_core.show.telling.counting import counted
from htreval_core.show.views.contract import ASSETS as VIEWS
from htreval_core.show.views.contract import View
from htreval_core.show.views.opened import Opened
from htreval_core.show.views.overview import kind_term
from htreval_core.words.search import MOST, Found, search_texts
from htreval_ui.places import ASSETS
from htreval_ui.web import state
from htreval_ui.web.security import host
from htreval_ui.web.state import PAGES, go_to

_PALETTE = View("palette", (VIEWS / "base", ASSETS / "palette"))
_PAGES = 1_000
"""The most pages whose names the browser is sent."""
_FOUND = "palette_found"


@st.fragment
def show_palette(opened: Opened) -> None:
    """Draw the button, and take up what was asked in the box behind it."""
    wish = host(_PALETTE, _payload(opened), "palette", width="content")
    if wish is None:
        return
    what, values = wish.what, [str(one) for one in wish.value]
    if what == "find":
        st.session_state[_FOUND] = _find(opened, values[0])
        st.rerun(scope="fragment")
    _go(opened, what, values)


def _find(opened: Opened, wanted: str) -> dict[str, Any]:
    """The hits of a search as the browser shows them, with a sentence on how many there are."""
    try:
        found = search_texts(opened.study, wanted)
    except ConfigError as error:
        return {"wanted": wanted, "hits": [], "told": visible(str(error))}
    return {
        "wanted": wanted,
        "told": _tell(found, len(opened.study.page_ids)),
        "hits": [
            {
                "page": one.page_id,
                "system": one.system,
                "word": f"{'hyp' if one.system else 'ref'}:{one.word}",
                "where": f"{shorten(visible(one.page_id), 40)}, line {one.line} · "
                f"{shorten(visible(one.system), 30) or 'reference'}",
                "parts": [visible(part) for part in one.parts],
            }
            for one in found.hits
        ],
    }


def _tell(found: Found, n_pages: int) -> str:
    told = counted(len(found.hits), "hit") if found.hits else "No matches"
    if len(found.hits) >= MOST:
        return f"The first {told}"
    rest = f" on the first {found.n_pages:,} of {n_pages:,} pages" * (found.n_pages < n_pages)
    return f"{told}{rest}"


def _go(opened: Opened, what: str, values: list[str]) -> None:
    study = opened.study
    if what == "hit" and values[0] in study.page_ids:
        page_id, system, word = values
        state.select(page=page_id, **({"system": system} if system in study.systems else {}))
        state.select(word=word)
        go_to("page.py")
    elif what == "page" and values[0] in study.page_ids:
        state.select(page=values[0])
        go_to("page.py")
    elif what == "system" and values[0] in study.systems:
        state.select(system=values[0])
        st.rerun()
    elif what == "kind":
        state.select(where=kind_term(values[0]))
        go_to("overview.py")
    elif what == "view" and values[0] in [file for file, _, _ in PAGES]:
        go_to(values[0])


def _payload(opened: Opened) -> dict[str, Any]:
    study, told = opened.study, opened.told()
    kinds = {event.kind.value for of in (told or {}).values() for one in of for event in one.events}
    return {
        "places": [
            *(["view", file, title] for file, title, _ in PAGES),
            *(["system", one, shorten(visible(one), 60)] for one in study.systems),
            *(["kind", one, one] for one in sorted(kinds)),
            *(["page", one, shorten(visible(one), 60)] for one in study.page_ids[:_PAGES]),
        ],
        "found": st.session_state.get(_FOUND),
    }
