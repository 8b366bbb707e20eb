"""The chosen study, or what stands in its way: unknown, unreadable, or still being scored."""

from __future__ import annotations

from collections.abc import Iterable

import streamlit as st

from htreval_core import HtrEvalError, Settings, Study
from htreval_core.model import DataWarning
from htreval_core.scoring.diagnoses import Diagnoses
from htreval_core.scoring.resampling import MANY
from htreval_core.show.warnings import tell_warnings
from htreval_ui import data, html, scoring, state
from htreval_ui.links import page_file
from htreval_ui.opened import Opened

_QUICK = 1500
"""Pages, times systems, that are diagnosed without asking."""
_AT_ONCE = 200
"""The same, before the first figure is shown."""
_TOLD = 200


def chosen_data() -> str:
    """The key of the data set to show."""
    return state.current().data or next(iter(data.sources()))


def adopt_bundle() -> None:
    """A bundle that is opened for the first time brings its settings, unless others were chosen."""
    key = chosen_data()
    adopted: set[str] = st.session_state.setdefault("adopted_bundles", set())
    if key in adopted:
        return
    adopted.add(key)
    try:
        bundle = data.bundle(key)
    except HtrEvalError:
        return
    if bundle and state.current().settings().signature() == Settings().signature():
        settings = bundle.study.settings
        state.use_mapping(settings.policy.mapping)
        state.adopt(settings)


def n_rows(study: Study) -> int:
    """Pages times systems."""
    return sum(len(scores) for scores in study.scores.values())


def is_big(study: Study) -> bool:
    """Whether tables and pictures are made here and only what is seen goes to the browser."""
    return n_rows(study) > MANY


def ask_first(study: Study, what: str) -> None:
    """Of very many pages, what takes all their texts waits until it is asked for."""
    key = chosen_data()
    if is_big(study) and not st.session_state.get(f"asked_{what}_{key}"):
        st.button(
            f"{what} of {n_rows(study):,} page scores: this reads every text",
            key=f"ask_{what}_{key}",
            icon=":material/hourglass_top:",
            on_click=st.session_state.__setitem__,
            args=(f"asked_{what}_{key}", True),
        )
        st.stop()


def opened_or_none() -> Opened | None:
    """The chosen study if it is there at once."""
    try:
        return scoring.opened(chosen_data(), state.current().settings())
    except (HtrEvalError, KeyError, scoring.Waiting):
        return None


def chosen_system(study: Study) -> str:
    """The selected system, or the one whose ΔWER has most errors: there is most to see."""
    wanted = state.current().system
    if wanted in study.systems:
        return wanted

    def lost(system: str) -> int:
        edits = study.table(system)
        return edits.edit_sums("wer").errors - edits.edit_sums("bwer").errors

    return max(study.systems, key=lost)


def open_study() -> Opened:
    """The chosen study; otherwise say what is wrong, offer a way on, and stop."""
    problem = ""
    try:
        return scoring.opened(chosen_data(), state.current().settings())
    except scoring.Waiting as waiting:
        _show_waiting(waiting.waiter)
        return st.stop()
    except HtrEvalError as error:
        problem = html.label(str(error))
        warnings = error.warnings
    except KeyError:
        problem = (
            "This address names data that is not open here. Uploaded data stays with the "
            "session that uploaded it."
        )
        warnings = ()
    st.error(problem, icon=":material/error:")
    show_warnings(one for one in warnings if isinstance(one, DataWarning))
    _link_to_data()
    return st.stop()


def _show_waiting(waiter: scoring.Waiter) -> None:
    """How far the scoring is, or why it ended, and in any case a way on."""
    job = waiter.job
    if not (waiter.has_left or job.is_over):
        st.title(f"Scoring {job.total:,} pages")
        _watch(waiter)
        st.caption("You may go on elsewhere; this goes on as long as the window is open.")
        return
    if job.problem:
        st.error(html.label(job.problem), icon=":material/error:")
    else:
        st.info(f"Scoring was stopped after {job.done:,} of {job.total:,} pages.")
    st.button("Score these pages", icon=":material/play_arrow:", on_click=scoring.score_again)
    _link_to_data()


@st.fragment(run_every=0.5)
def _watch(waiter: scoring.Waiter) -> None:
    job = waiter.job
    if job.is_over or waiter.has_left:
        st.rerun()
    bar, stop = st.columns([5, 1], vertical_alignment="center")
    bar.progress(job.done / job.total if job.total else 0.0, _progress(job))
    stop.button("Cancel", key="cancel_scoring", on_click=waiter.leave, width="stretch")


def _progress(job: scoring.ScoringJob) -> str:
    if job.state == "waiting":
        return f"Waiting: {scoring.desk().n_before(job)} other scorings came first"
    if not job.done:
        return "Starting"
    speed = job.done / job.seconds
    left = (job.total - job.done) / speed
    return f"{job.done:,} of {job.total:,} pages, {speed:,.0f} pages/s, about {left:.0f} s left"


def _link_to_data() -> None:
    st.page_link(page_file("data.py"), label="Choose or bring data", icon=":material/folder_open:")


def show_warnings(warnings: Iterable[DataWarning]) -> None:
    """What was left out or decided, folded away under one amber line."""
    warnings = tuple(warnings)
    if not warnings:
        return
    files = len({warning.file for warning in warnings})
    needs = "1 file or page needs" if files == 1 else f"{files:,} files or pages need"
    told = tell_warnings(warnings)
    with st.expander(f":orange[:material/warning:] {needs} attention; the rest is scored"):
        for one in told[:_TOLD]:
            st.markdown(f"- {html.label(one)}")
        if len(told) > _TOLD:
            st.markdown(
                f"… and {len(told) - _TOLD} more; the JSON of `htreval score` lists them all."
            )


def diagnose_if_quick(opened: Opened) -> None:
    """Of few pages, find what their errors come from before anything is said of them."""
    if n_rows(opened.study) <= _AT_ONCE:
        opened.diagnoses()


def found_failures(opened: Opened) -> Diagnoses:
    """The layout failures of all pages: at once where that is quick, else when asked for."""
    n_scores, flag = n_rows(opened.study), f"look_{chosen_data()}"
    if n_scores > _QUICK and not st.session_state.get(flag):
        st.button(
            f"Look for layout failures on {n_scores:,} pages",
            key=f"button_{flag}",
            icon=":material/search:",
            on_click=st.session_state.__setitem__,
            args=(flag, True),
        )
        return Diagnoses({})
    return opened.diagnoses()
