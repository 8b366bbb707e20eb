"""Marks on the screen: those of a page, all of them, and a reference in the systems' order."""

import base64
import time
from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Any

import pandas as pd
import streamlit as st

from htreval_core import EventKind, HtrEvalError
from htreval_core.diagnosis.look import Look
from htreval_core.diagnosis.order.taken import TakenOrder, systems_order
from htreval_core.run.mark_files import as_annotation, read_marks
from htreval_core.run.marks import USUAL, Target, merge_marks, said_of
from htreval_core.show.tables.marks import MARK_COLUMNS, correction_rows, mark_rows
from htreval_core.show.telling.marks import pages_left, tell_marks
from htreval_core.show.views.marks import said_payload, target_of
from htreval_core.show.views.opened import Opened
from htreval_core.sources.readers.page_order import with_region_order
from htreval_ui import html
from htreval_ui.sections.choosing import pick_row
from htreval_ui.sections.take import offer
from htreval_ui.studies import data, marks
from htreval_ui.studies.opening import chosen_data, show_warnings
from htreval_ui.web.state import open_page

_SAVED, _CONFIRMED = "corrected_page", "marks_confirmed"
_OWN_TAGS = 4
"""Tags of people's own that have a button."""


def marks_payload(look: Look, order: Sequence[str]) -> dict[str, Any]:
    """The marks of a page as a system read it, and how many pages of the ranking are left."""
    found = marks.chosen(chosen_data())
    own = dict.fromkeys(tag for one in found for tag in one.tags if tag not in USUAL)
    left = pages_left(order, found)
    return {
        "tags": [*USUAL, *list(own)[:_OWN_TAGS]],
        "marks": said_payload(look, found, marks.person()),
        "confirmed": st.session_state.get(_CONFIRMED, 0),
        "left": len(left),
        "isLast": not left or left == [look.page.scores.page_id],
        "kept": ""
        if marks.writes(chosen_data())
        else "These marks end with the session: save them under Overview, more, Marks.",
    }


def take_marks(opened: Opened, given: Any) -> None:
    """Take up what was marked since the last run.

    The browser sends each mark until it is confirmed, for a run may be cut short by the next one:
    [number, page, system, target, tags to add, tags to drop, remark or none].
    """
    for number, page_id, system, on, add, drop, remark in given or ():
        if number <= st.session_state.get(_CONFIRMED, 0):
            continue
        try:
            target = target_of(opened.look(page_id, system), on)
            if target:
                _say(target, add, drop, remark)
        except (HtrEvalError, KeyError) as error:
            st.toast(html.label(str(error)), icon=":material/error:")
        st.session_state[_CONFIRMED] = number


def _say(target: Target, add: list[str], drop: list[str], remark: str | None) -> None:
    found, who = marks.chosen(chosen_data()), marks.person()
    own = [one for one in found if one.target == target and one.person == who]
    tags = [tag for one in own for tag in one.tags if tag not in drop]
    if remark is None:
        remark = "\n".join(one.remark for one in own if one.remark)
    marks.keep(chosen_data(), said_of(found, target, who, [*tags, *add], remark))


def next_left(order: Sequence[str], place: int) -> str:
    """The next page of the ranking that nobody has looked at, or else this one."""
    left = set(pages_left(order, marks.chosen(chosen_data())))
    return next((one for one in (*order[place + 1 :], *order[:place]) if one in left), order[place])


def show_marks(opened: Opened) -> None:
    """All marks: counted, narrowed to a tag, taken away, and those of others brought."""
    study = opened.study
    found, warnings = marks.every(chosen_data())
    standing = marks.chosen(chosen_data())
    st.caption(html.label(tell_marks(study.page_ids, standing)))
    who, tag, bring = st.columns([2, 2, 4], vertical_alignment="bottom")
    name = who.text_input("Your name", marks.person(), key="marks_name", max_chars=60)
    if name != marks.person():
        marks.be(name)
    tags = sorted({tag for one in standing for tag in one.tags})
    only = tag.selectbox("Tag", ["", *tags], format_func=lambda one: html.shown(one) or "any")
    files = bring.file_uploader(
        "Marks of others", type="jsonl", accept_multiple_files=True, key="marks_files"
    )
    known = set(found)
    for file in files or ():
        try:
            read, told = read_marks(file.name, file.getvalue())
            show_warnings(told)
            # Brought once: the field holds the file for as long as it is in sight.
            new = [one for one in merge_marks([*found, *read]) if one not in known]
            if new:
                marks.keep(chosen_data(), new)
                st.rerun()
        except HtrEvalError as error:
            st.error(html.label(str(error)), icon=":material/error:")
    if not marks.writes(chosen_data()):
        st.caption(html.label(marks.why_not_written() or "These marks end with the session."))
    show_warnings(warnings)
    if not standing:
        st.caption("No marks yet. On a page, l marks it as looked at, t writes a remark.")
        return
    shown = [one for one in standing if not only or only in one.tags]
    table = pd.DataFrame(mark_rows(shown), columns=list(MARK_COLUMNS))
    row = pick_row(table, f"marks_{only}_{len(table)}", height=min(36 * len(table) + 40, 440))
    with st.container(horizontal=True):
        offer("htreval-marks", table=table, signature=study.signature)
        st.download_button(
            "JSON lines", "".join(f"{as_annotation(one)}\n" for one in found),
            "htreval-marks.jsonl", key="marks_take", on_click="ignore",
            help="W3C Web Annotations, to be merged with those of others",
        )  # fmt: skip
    head, *rest = correction_rows(study, shown, opened.look)
    if rest:
        st.markdown("**To correct in the references**")
        corrections = pd.DataFrame(rest, columns=list(head))
        st.dataframe(corrections, hide_index=True, key="corrections")
        offer("htreval-corrections", table=corrections, signature=study.signature)
    if row is not None and shown[row].target.page_id in study.page_ids:
        page_id, system = shown[row].target.page_id, shown[row].target.system
        read_by = [one for one in study.systems if page_id in study.pages_of(one)]
        open_page(page_id, system if system in read_by else read_by[0])


def _taken(opened: Opened, look: Look, lines: frozenset[int]) -> TakenOrder:
    scores, study = look.page.scores, opened.study
    read_by = [one for one in study.systems if scores.page_id in study.pages_of(one)]
    return opened.once(
        ("taken", scores.page_id, lines), "",
        lambda: systems_order([opened.look(scores.page_id, one) for one in read_by], lines),
    )  # fmt: skip


def _doubted(opened: Opened, look: Look) -> dict[int, frozenset[int]]:
    """The lines of each event that doubts the reference, from 0, and moves whole regions."""
    of_event = {
        n: frozenset(line - 1 for line in event.reference_lines)
        for n, event in enumerate(look.diagnosis.events)
        if event.kind is EventKind.REFERENCE
    }
    return {n: lines for n, lines in of_event.items() if _taken(opened, look, lines).moved}


def correctable(opened: Opened, look: Look) -> list[int]:
    """Numbers of the events whose reference can be had in the systems' order."""
    found = _doubted(opened, look)
    return list(found) if found and _file(opened, look) else []


def _file(opened: Opened, look: Look) -> Any:
    given = data.given(chosen_data())
    return given.reference(look.page.scores.page_id, opened.study.settings.reading)


def correct(opened: Opened, look: Look) -> None:
    """Have the browser save the reference in the systems' order; the file itself stays."""
    lines = frozenset(line for of in _doubted(opened, look).values() for line in of)
    file = _file(opened, look)
    try:
        taken = _taken(opened, look, lines)
        made = with_region_order(file.name, file.read(), taken.order, taken.moved)
    except HtrEvalError as error:
        st.toast(html.label(str(error)), icon=":material/error:")
        return
    name = PurePosixPath(file.name)
    st.session_state[_SAVED] = (
        look.page.scores.page_id,
        {
            "name": f"{name.stem}.corrected{name.suffix}",
            "content": base64.b64encode(made).decode("ascii"), "number": time.monotonic_ns(),
        },
    )  # fmt: skip


def corrected(page_id: str) -> dict[str, Any] | None:
    """The file of this page that the browser is to save, once for each number."""
    of, saved = st.session_state.get(_SAVED, ("", None))
    return saved if of == page_id else None
