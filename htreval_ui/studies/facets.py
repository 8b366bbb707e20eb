"""Pages narrowed by an expression over values, faults, marks and what else is known of them."""

from collections.abc import Iterable

import streamlit as st

from htreval_core import HtrEvalError
from htreval_core.scoring.clusters import Clusters, suggest_clusters
from htreval_core.scoring.facets import Facets, find_clusters
from htreval_core.scoring.filters import EXAMPLE, and_also
from htreval_core.show.telling.warnings import tell_warnings
from htreval_core.show.views.opened import Opened
from htreval_ui import html
from htreval_ui.studies import data, marks
from htreval_ui.web import state

_SHOWN = 30
"""Values of a facet that are offered as conditions."""


def facets_of(opened: Opened, key: str) -> Facets:
    """The facets of a data set, of a table beside the pages."""
    try:
        return data.given(key).facets(opened.study.page_ids)
    except (HtrEvalError, KeyError):
        return Facets()


def narrowed(opened: Opened, key: str) -> Opened:
    """The study on the pages that the selection narrows it to, in the clusters that it names."""
    left = _fitting(opened, key)
    return left.in_clusters(_grouped(left, opened, key)[0]) if state.current().cluster else left


def _grouped(left: Opened, opened: Opened, key: str) -> tuple[Clusters, str]:
    """The clusters that the selection names, and why they cannot be had; empty where they can."""
    wanted, page_ids = state.current().cluster, left.study.page_ids
    try:
        return find_clusters(wanted, page_ids, facets_of(opened, key)), ""
    except HtrEvalError as error:
        # Of pages by themselves nothing was asked. A single cluster has no interval, and no p.
        return Clusters(wanted, dict.fromkeys(page_ids, "")), str(error)


def _fitting(opened: Opened, key: str) -> Opened:
    """The study on the pages that the selection narrows it to; the whole where that is nothing."""
    where = state.current().where
    try:
        return (
            opened.narrowed(where, facets_of(opened, key), marks.chosen(key)) if where else opened
        )
    except HtrEvalError:
        # The strip says why.
        return opened


def problem_of(opened: Opened, key: str) -> str:
    """Why the pages are not narrowed or grouped as they are to be; empty where they are."""
    where = state.current().where
    try:
        if where:
            opened.narrowed(where, facets_of(opened, key), marks.chosen(key))
    except HtrEvalError as error:
        return str(error)
    if not state.current().cluster:
        return ""
    problem = _grouped(_fitting(opened, key), opened, key)[1]
    return f"{problem}; until then no value has an interval" if problem else ""


def tell_narrowed(opened: Opened, key: str) -> str:
    """Which pages are counted, in short; arguments as of ``problem_of``."""
    n_pages, where = len(opened.study.page_ids), state.current().where
    if not where:
        return f"{n_pages:,} pages" if n_pages > 1 else "1 page"
    left = _fitting(opened, key)
    if left is opened:
        return f"{n_pages:,} pages, filter ignored"
    n_left = len(left.study.page_ids)
    return html.name(f"{n_left:,} of {n_pages:,} pages: {where}")


def _conditions(opened: Opened, facets: Facets, tags: Iterable[str]) -> list[str]:
    """What can be added to the filter, beginning with what is most asked for."""
    told = opened.told()
    kinds: dict[str, None] = {}
    for of_system in (told or {}).values():
        kinds |= {event.kind.value: None for one in of_system for event in one.events}
    values = [
        f'{name} = "{value}"'
        for name in facets.names
        for value in list(facets.values(name, opened.study))[:_SHOWN]
        if '"' not in value
    ]
    doubt = ["not in doubt", "in doubt"] if told else []
    return [*values, "wer > 20", *(f"kind = {one}" for one in sorted(kinds)), *doubt,
            *(f'mark = "{one}"' for one in tags if '"' not in one)]  # fmt: skip


def choose_pages(opened: Opened, key: str) -> None:
    """The part of the strip that narrows pages; of the whole study, as ``tell_narrowed``."""
    facets, where = facets_of(opened, key), state.current().where
    st.text_input(
        "Only pages where", where, placeholder=EXAMPLE, **state.bound("where", where),
        help="Values are in percent. Join conditions by and, or, not and parentheses. A page stays "
        "where one system fits all of them; A.wer asks for system A.",
    )  # fmt: skip
    tags = sorted({tag for one in marks.chosen(key) for tag in one.tags})
    st.selectbox(
        "Add a condition", _conditions(opened, facets, tags), index=None, format_func=html.shown,
        placeholder="choose", key=state.widget("condition", None), on_change=_add_condition,
    )  # fmt: skip
    if where:
        st.button("Show all pages", key="all_again", on_click=state.select, kwargs={"where": ""})
    for told in tell_warnings(facets.warnings):
        st.caption(html.label(told))
    if not facets.names:
        st.caption(
            "A table of page metadata (hand, language, prompt) adds conditions. It is found if it "
            "is called pages.csv and lies beside the pages."
        )

    if len(opened.study.page_ids) > 1:
        pattern = suggest_clusters(opened.study.page_ids)
        wanted = state.current().cluster
        known = dict.fromkeys(["", *facets.groups, *([pattern] if pattern else []), wanted])
        st.selectbox(
            "Pages are grouped by", list(known), index=list(known).index(wanted),
            format_func=lambda one: html.shown(one) if one else "nothing: each page is independent",
            help="Pages of one volume are alike. Intervals and tests then draw whole volumes.",
            **state.bound("cluster", wanted, ""),
        )  # fmt: skip


def _add_condition() -> None:
    chosen = state.edited("condition")
    if chosen:
        try:
            where = and_also(state.current().where, chosen)
        except HtrEvalError:
            # What cannot be read is not added to.
            where = chosen
        state.select(where=where)
