"""Pages narrowed to what is known of them besides their text: hand, language, model, …"""

from __future__ import annotations

from urllib.parse import urlencode

import streamlit as st

from htreval_core import HtrEvalError
from htreval_core.scoring.facets import Facets, read_facets
from htreval_ui import html
from htreval_ui.studies import data
from htreval_ui.studies.opened import Opened
from htreval_ui.web import state

_TABLE = "facets_table"
"""For each data set the table that somebody brought in this session."""
_SHOWN = 30


def facets_of(opened: Opened, key: str) -> Facets:
    """The facets of a data set: of a table that was brought, else of one beside the pages.

    Args:
        key: of the data set.
    """
    brought: dict[str, tuple[str, bytes]] = st.session_state.setdefault(_TABLE, {})
    try:
        if key in brought:
            name, content = brought[key]
            ids = opened.study.page_ids
            return opened.once(
                ("facets", name, hash(content)), "", lambda: read_facets(name, content, ids)
            )
        return data.given(key).facets(opened.study.page_ids)
    except (HtrEvalError, KeyError):
        return Facets()


def narrowed(opened: Opened, key: str) -> Opened:
    """The study on the pages that the selection narrows it to; the whole where that is nothing."""
    fits = state.current().fits
    if not fits:
        return opened
    facets = facets_of(opened, key)
    known = {name: values for name, values in fits.items() if name in facets.names}
    if not known:
        return opened
    try:
        return opened.narrowed(facets, known)
    except HtrEvalError:
        # No page has these values together; the strip says so.
        return opened


def _chosen(opened: Opened, key: str) -> dict[str, tuple[str, ...]]:
    """The values to which pages are narrowed, of facets that there are."""
    names = facets_of(opened, key).names
    return {name: of for name, of in state.current().fits.items() if name in names}


def tell_narrowed(opened: Opened, key: str) -> str:
    """Which pages are counted, in short.

    Args:
        opened: the whole study.
        key: of the data set.
    """
    n_pages, fits = len(opened.study.page_ids), _chosen(opened, key)
    if not fits:
        return f"{n_pages:,} pages" if n_pages > 1 else "1 page"
    told = "; ".join(f"{name}: {', '.join(values)}" for name, values in fits.items())
    return html.name(f"{len(narrowed(opened, key).study.page_ids):,} of {n_pages:,} pages, {told}")


def choose_pages(opened: Opened, key: str) -> None:
    """The part of the strip that narrows pages; of the whole study, as ``tell_narrowed``."""
    facets, fits = facets_of(opened, key), _chosen(opened, key)
    if fits and narrowed(opened, key).study is opened.study:
        st.warning("No page has these values together; all pages are shown.")
    for name in facets.names:
        values = list(facets.values(name, opened.study))[:_SHOWN]
        chosen = [value for value in fits.get(name, ()) if value in values]
        st.multiselect(
            html.label(name), values, default=chosen, format_func=html.shown,
            key=state.widget(f"fits_{name}", chosen), on_change=_narrow, args=(name, fits),
            placeholder="all",
        )  # fmt: skip
    _bring(key, facets)


def _narrow(name: str, fits: dict[str, tuple[str, ...]]) -> None:
    chosen = {**fits, name: tuple(state.edited(f"fits_{name}"))}
    pairs = [(one, value) for one, values in chosen.items() for value in values]
    state.select(where=urlencode(pairs))


def _bring(key: str, facets: Facets) -> None:
    brought: dict[str, tuple[str, bytes]] = st.session_state.setdefault(_TABLE, {})
    given = st.file_uploader(
        "A table of page metadata (CSV)", type=["csv", "tsv"], key=f"facets_{key}",
        help="A column of page ids, and others such as hand, language, century, prompt.",
    )  # fmt: skip
    if given is not None and brought.get(key) != (given.name, given.getvalue()):
        brought[key] = (given.name, given.getvalue())
        st.rerun()
    if given is None and not facets.names:
        st.caption(
            "A table of page metadata narrows every table and picture to one hand, one language, "
            "one prompt. If it is called pages.csv and lies beside the pages, it is found."
        )
    elif given is not None and not facets.names:
        try:
            read_facets(given.name, given.getvalue(), ())
        except HtrEvalError as error:
            st.error(html.label(str(error)))
