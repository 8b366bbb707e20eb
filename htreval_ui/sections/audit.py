"""The Audit view: systems compared with each other where nobody knows the truth."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd
import streamlit as st

from htreval_core import Page, Settings
from htreval_core.audits.audit import Audit, with_stand_in
from htreval_core.audits.model import Kind, PageAudit
from htreval_core.diagnosis import EventKind
from htreval_core.diagnosis.look import Look
from htreval_core.markup import visible
from htreval_core.metrics.kinds import View
from htreval_core.metrics.page import score_page
from htreval_core.show.palette import KIND_COLOURS, event_colour
from htreval_core.show.pictograms import pictogram_address
from htreval_core.show.tables import audit_csv
from htreval_core.show.telling.audits import NOTE, tell_audit, tell_page, tell_suspect
from htreval_core.show.views.contract import PAGE
from htreval_core.show.views.names import short_names
from htreval_core.show.views.opened import Opened
from htreval_core.show.views.page import page_payload
from htreval_core.show.views.styles import style_payload
from htreval_ui import html
from htreval_ui.sections.choosing import pick_row
from htreval_ui.studies.opening import chosen_data
from htreval_ui.web import state
from htreval_ui.web.security import host

_KINDS = ("the same", "reads otherwise", "only in {a}", "only in {b}", "same word, elsewhere",
          "divided otherwise")  # fmt: skip
"""Word kinds where neither side is right: right, misread, left out, added, moved, divided."""
_SHOWN = {
    Kind.INVENTION: EventKind.INVENTED, Kind.OMISSION: EventKind.MISSING,
    Kind.ONE_OF_TWO: EventKind.REPLACED, Kind.REPETITION: EventKind.REPEATED,
}  # fmt: skip
_RATE = st.column_config.NumberColumn(format="%.1f")
_MOST_PAGES = 300
"""Pages up to which systems are compared while somebody waits."""


def systems_frame(found: Audit) -> pd.DataFrame:
    """One row for each system: how far it stands apart, and what of it is suspicious."""
    return pd.DataFrame(
        {
            "system": html.shown(system), "apart, %": 100 * found.mean_apart(system),
            "in order, %": 100 * found.mean_apart(system, by_order=True),
            "inventions?": found.n_suspects(system, Kind.INVENTION),
            "omissions?": found.n_suspects(system, Kind.OMISSION),
            "one of two": found.n_suspects(system, Kind.ONE_OF_TWO),
            "repeated": found.n_suspects(system, Kind.REPETITION),
            "signs": sum(one.system == system for page in found.pages for one in page.marks),
        }
        for system in found.systems
    )  # fmt: skip


def pairs_frame(found: Audit) -> pd.DataFrame:
    """A row for every two systems: how far they differ, over the mean length of the two."""
    return pd.DataFrame(
        {
            "systems": " · ".join(map(html.shown, one.systems)), "any order, %": 100 * one.bwer,
            "as read, %": 100 * one.wer, "order, %": 100 * one.order_cost, "pages": n_pages,
        }
        for one, n_pages in found.betweens
    )  # fmt: skip


def pages_frame(found: Audit) -> pd.DataFrame:
    """One row for each page, those first that are worth a look."""
    # Of two systems each is as far apart as the page says.
    of_each = found.systems if len(found.systems) > 2 else ()
    names = dict(zip(of_each, short_names(of_each), strict=True))
    return pd.DataFrame(
        {
            "page": html.shown(page.page_id),
            "worth a look": 100 * page.risk,
            "apart, %": 100 * page.mean_apart,
            **{
                f"{html.shown(name)} apart, %": 100 * page.apart.get(system, math.nan)
                for system, name in names.items()
            },
            "signs": ", ".join(sorted({one.sign.value for one in page.marks})),
            "runs suspected": len(page.suspects),
            "words in them": sum(one.words for one in page.suspects),
        }
        for page in found.ranked
    )


def pair_for(page: PageAudit, readers: Sequence[str], a: str, b: str) -> tuple[str, str]:
    """The two systems to be shown: those chosen, else those of whom the first run is suspected."""
    if a not in readers:
        first = next(iter(page.suspects), None)
        a = first.holder if first else readers[0]
        b = first.system if first and first.system != a else b
    others = [system for system in readers if system != a]
    return a, b if b in others else others[0]


def look_between(page: Page, a: str, b: str, settings: Settings) -> Look:
    """Two outputs of a page side by side; neither is right, so nothing is called a fault."""
    sides = page.hypotheses[a], page.hypotheses[b]
    scored = score_page(*sides, settings, page_id=page.page_id, system=b)
    look = Look(scored, *sides, settings)
    return replace(look, told=replace(look.diagnosis, events=(), edges=()))


def audit_payload(
    found: Audit, page: PageAudit, look: Look, a: str, b: str, view: View, event: int | None
) -> dict[str, Any]:
    """Two outputs as the Page view draws a page, in words that know of no truth."""
    payload = page_payload(look.page, view, look)
    if payload["sheet"]:
        held = [one for one in page.suspects if one.holder in (a, b)]
        payload["sheet"]["shades"] = [
            [number, line - 1]
            for number, one in enumerate(held)
            if one.holder == a
            for line in one.lines
        ]
    shown = short_names([a, b])
    payload["kinds"] = [
        [name.format(a=visible(shown[0]), b=visible(shown[1])), colour]
        for name, colour in zip(_KINDS, KIND_COLOURS.values(), strict=True)
    ]
    cards = list(_cards(page, a, b))
    payload["cards"] = [card for card, _ in cards]
    payload["colours"] = [event_colour(kind, n) for n, (_, kind) in enumerate(cards)]
    payload["besides"] = "" if cards else "No run is suspected here, and no sign stands out."
    payload["labels"] = {
        "sides": [visible(name) for name in shown], "cards": "Worth a look", "step": "difference"
    }  # fmt: skip
    order = [one.page_id for one in found.ranked]
    place = order.index(page.page_id)
    between = page.between(a, b)
    payload["head"] = {
        "pages": list(map(list, zip(order, short_names(order), strict=True))), "place": place,
        "total": len(order), "rank": "risk", "ranks": [["risk", "worth a look"]], "parts": [],
        "systems": [], "wer": f"{100 * between.wer:.1f}" if between else "–",
        "sum": _sum(page, a, b),
        "verdict": "Differences between two systems, over the mean length of the two.",
        "repair": None, "repaired": False, "notes": [], "figures": [],
    }  # fmt: skip
    payload |= {
        "image": None, "file": "audit", "event": event, "picked": None, "repaired": [],
        "view": view, "mode": state.current().mode,
        "rules": {"float": [], "leave-out": [], "either": []},
    }  # fmt: skip
    return payload


def _sum(page: PageAudit, a: str, b: str) -> str:
    between = page.between(a, b)
    if between is None:
        return " one of the two has not read the page"
    return (
        f" % of words differ = {100 * between.bwer:.1f} wherever they stand + "
        f"{100 * between.delta_wer:.1f} by order and place"
    )


def _cards(page: PageAudit, a: str, b: str) -> Iterator[tuple[dict[str, Any], EventKind]]:
    """What is worth a look in the two outputs, each with the kind that it is drawn as."""
    for one in page.suspects:
        if one.holder in (a, b):
            kind = _SHOWN[one.kind]
            at = one.span[0], one.holder == a
            yield _card(one.kind.value, kind, tell_suspect(one), *at), kind
    for mark in page.marks:
        if mark.system in (a, b):
            told = f"{mark.system}: {mark.told}"
            at = mark.span[0] if mark.span else 0, mark.system == a
            yield _card(mark.sign.value, EventKind.TALK, told, *at), EventKind.TALK


def _card(name: str, kind: EventKind, sentence: str, start: int, in_first: bool) -> dict[str, Any]:
    return {
        "name": name[:1].upper() + name[1:], "icon": pictogram_address(kind),
        "sentence": visible(sentence), "sure": "", "movable": False,
        "at": [start, -1] if in_first else [-1, start],
    }  # fmt: skip


def show_audit(opened: Opened) -> None:
    """Which pages are worth a look, told without the truth."""
    study, stand_in = opened.study, state.current().stand_in
    title, back = st.columns([6, 2], vertical_alignment="center")
    title.title("Worth a look, without a reference")
    if not stand_in:
        back.button(
            "With the reference", key="with_truth", icon=":material/arrow_back:", width="stretch",
            on_click=state.select, kwargs={"more": ""},
        )  # fmt: skip
    st.info(NOTE, icon=":material/balance:")
    if len(study.dataset.systems) + bool(stand_in) < 2:
        st.caption(
            "An audit compares two systems or more. Bring the output of another one on the Data "
            "page."
        )
        return
    if len(study.page_ids) > _MOST_PAGES:
        st.caption(
            f"{len(study.page_ids):,} pages take a long time to compare: run htreval audit in a "
            "terminal, which works in several processes and writes text, JSON or CSV."
        )
        return
    found = opened.audit(stand_in)
    st.markdown(html.label(tell_audit(found)))
    left, right = st.columns([3, 2], gap="medium")
    with left:
        _show_frame(systems_frame(found), "audit_systems", slice(1, 3))
    with right:
        _show_frame(pairs_frame(found), "audit_pairs", slice(1, 4))
    if not found.ranked:
        st.caption("No page could be looked at.")
        return
    _show_page(opened, found, _choose_page(found), stand_in=stand_in)
    st.download_button(
        "CSV", data=lambda: audit_csv(found), file_name="htreval-audit.csv", mime="text/csv",
        key="audit_csv", on_click="ignore",
    )  # fmt: skip


def _show_frame(table: pd.DataFrame, key: str, rates: slice) -> None:
    st.dataframe(
        table, hide_index=True, key=key,
        column_config=dict.fromkeys(table.columns[rates], _RATE),
    )  # fmt: skip


def _choose_page(found: Audit) -> PageAudit:
    """All pages, those first that are worth a look, and the one that is shown below."""
    order = [page.page_id for page in found.ranked]
    chosen = state.current().page
    page_id = chosen if chosen in order else order[0]
    table = pages_frame(found)
    row = pick_row(
        table, "audit_pages", height=212,
        column_config={
            "worth a look": st.column_config.ProgressColumn(
                format="%.1f", min_value=0.0, max_value=max(float(table["worth a look"].max()), 1),
                help="How far systems stand apart here, in words and in order, and what is "
                "suspicious by itself; by this the pages are ranked.",
            ),
            **{name: _RATE for name in table.columns if name.endswith("apart, %")},
        },
    )  # fmt: skip
    if row is not None and order[row] != page_id:
        state.select(page=order[row])
        st.rerun()
    return found.page(page_id)


def _show_page(opened: Opened, found: Audit, audited: PageAudit, *, stand_in: str) -> None:
    study, page_id, selection = opened.study, audited.page_id, state.current()
    readers = [system for system in found.systems if system in audited.n_words]
    for said in tell_page(audited):
        st.markdown(f"- {html.label(said)}")
    if len(readers) < 2:
        st.caption(f"Only one system has read page {html.name(page_id)}.")
        return
    a, b = pair_for(audited, readers, selection.other and selection.system, selection.other)
    others = [system for system in readers if system != a]
    first, second, _ = st.columns([2, 2, 3])
    first.selectbox(
        "One system", readers, index=readers.index(a), format_func=html.shown,
        key=state.widget("one", a), on_change=lambda: state.select(system=state.edited("one")),
    )  # fmt: skip
    second.selectbox(
        "and another", others, index=others.index(b), format_func=html.shown,
        key=state.widget("another", b),
        on_change=lambda: state.select(other=state.edited("another")),
    )  # fmt: skip
    state.settle(data=chosen_data(), page=page_id, system=a, other=b)
    page = study.page(page_id)
    look = look_between(with_stand_in(page, stand_in) if stand_in else page, a, b, study.settings)
    view: View = "trace" if selection.view == "trace" else "matching"
    payload = audit_payload(found, audited, look, a, b, view, selection.event_number)
    payload["image"] = opened.image(page_id)
    payload["style"] = style_payload(study, b if b in study.systems else study.systems[0])
    asked = host(PAGE, payload, "audit_view")
    if asked is not None:
        state.take_up(asked, [one.page_id for one in found.ranked])
        st.rerun()
