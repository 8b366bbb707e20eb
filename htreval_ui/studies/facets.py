"""Pages narrowed to what is known of them besides their text: hand, language, model, …"""

from __future__ import annotations

from urllib.parse import urlencode

import streamlit as st

from htreval_core import HtrEvalError
from htreval_core.scoring.clusters import suggest_clusters
from htreval_core.scoring.facets import Facets, find_clusters
from htreval_ui import html
from htreval_ui.studies import data
from htreval_ui.studies.opened import Opened
from htreval_ui.web import state

_SHOWN = 30


def facets_of(opened: Opened, key: str) -> Facets:
    """The facets of a data set, of a table beside the pages.

    Args:
        key: of the data set.
    """
    try:
        return data.given(key).facets(opened.study.page_ids)
    except (HtrEvalError, KeyError):
        return Facets()


def narrowed(opened: Opened, key: str) -> Opened:
    """The study on the pages that the selection narrows it to, in the clusters that it names."""
    left, wanted = _fitting(opened, key), state.current().cluster
    if not wanted:
        return left
    try:
        return left.in_clusters(find_clusters(wanted, left.study.page_ids, facets_of(opened, key)))
    except HtrEvalError:
        # The pages that are left belong to one, or to none.
        return left


def _fitting(opened: Opened, key: str) -> Opened:
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
    if fits and _fitting(opened, key).study is opened.study:
        st.warning("No page has these values together; all pages are shown.")
    for name in facets.names:
        values = list(facets.values(name, opened.study))[:_SHOWN]
        chosen = [value for value in fits.get(name, ()) if value in values]
        st.multiselect(
            html.label(name), values, default=chosen, format_func=html.shown,
            key=state.widget(f"fits_{name}", chosen), on_change=_narrow, args=(name, fits),
            placeholder="all",
        )  # fmt: skip
    if not facets.names:
        st.caption(
            "A table of page metadata (hand, language, prompt) narrows every table and picture. It "
            "is found if it is called pages.csv and lies beside the pages."
        )

    if len(opened.study.page_ids) > 1:
        pattern = suggest_clusters(opened.study.page_ids)
        wanted = state.current().cluster
        known = dict.fromkeys(["", *facets.groups, *([pattern] if pattern else []), wanted])
        st.selectbox(
            "Pages belong to",
            list(known),
            index=list(known).index(wanted),
            format_func=lambda one: html.shown(one) if one else "nothing: each stands for itself",
            help="Pages of one volume are alike. Intervals and tests then draw whole volumes.",
            **state.bound("cluster", wanted, ""),
        )


def _narrow(name: str, fits: dict[str, tuple[str, ...]]) -> None:
    chosen = {**fits, name: tuple(state.edited(f"fits_{name}"))}
    pairs = [(one, value) for one, values in chosen.items() for value in values]
    state.select(where=urlencode(pairs))
