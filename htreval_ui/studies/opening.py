"""The chosen study, or what stands in its way: unknown, unreadable, or still being scored."""

from collections.abc import Callable, Iterable
from typing import Any

import streamlit as st

from htreval_core import HtrEvalError, Settings, Study
from htreval_core.model import DataWarning, WarningKind
from htreval_core.scoring.found import Diagnoses
from htreval_core.scoring.ladder import Rung
from htreval_core.scoring.resampling import MANY
from htreval_core.show.telling.counting import counted
from htreval_core.show.telling.warnings import tell_warnings
from htreval_core.show.views.head import first_system
from htreval_core.show.views.opened import Opened
from htreval_core.words.outcomes import WordOutcomes
from htreval_ui import html
from htreval_ui.studies import data, jobs, scoring
from htreval_ui.studies.facets import narrowed
from htreval_ui.studies.jobs import Job, Waiter
from htreval_ui.web import state
from htreval_ui.web.state import page_file

_QUICK = 1500
"""Pages, times systems, that are diagnosed without asking."""
_AT_ONCE = 200
"""The same, before the first figure is shown."""
_TOLD = 200
_RUNGS = 10
"""What the ladder takes at the most, in scorings: six, and a diagnosis."""
WITHOUT_TRUTH = "Compare these systems without ground truth"
_FOLLOWED = 5
"""What following every word takes where no page is diagnosed, in scorings."""


def chosen_data() -> str:
    """The key of the data set to show."""
    return state.current().data or next(iter(data.sources()))


def adopt_settings() -> None:
    """Data that are opened for the first time bring their settings, unless others were chosen."""
    key = chosen_data()
    state.settle(stand_in=data.stand_in(key))
    adopted: set[str] = st.session_state.setdefault("adopted", set())
    if key in adopted:
        return
    adopted.add(key)
    try:
        settings = data.settings_of(key)
    except HtrEvalError:
        return
    # Settings that came with other data, and that nobody has changed since, go with them.
    came = st.session_state.get("settings_came", Settings().signature())
    if state.current().settings().signature() == came:
        taken = settings or Settings()
        state.use_mapping(taken.policy.mapping)
        state.adopt(taken)
        st.session_state["settings_came"] = state.current().settings().signature()


def n_rows(study: Study) -> int:
    """Pages times systems."""
    return sum(len(scores) for scores in study.scores.values())


def is_big(study: Study) -> bool:
    """Whether tables and pictures are made here and only what is seen goes to the browser."""
    return n_rows(study) > MANY


def has_asked(what: str, label: str) -> bool:
    """Whether somebody has asked for what takes long of these data; if not, there is a button."""
    key = f"asked_{what}_{chosen_data()}"
    asked = bool(st.session_state.get(key))
    if not asked:
        st.button(
            label, key=f"ask_{what}", icon=":material/hourglass_top:",
            on_click=st.session_state.__setitem__, args=(key, True),
        )  # fmt: skip
    return asked


def followed(opened: Opened, systems: tuple[str, ...]) -> Opened:
    """The study on the pages whose words are followed: drawn at random where all take long."""
    study = opened.study
    n_pages = scoring.n_followed(study, systems)
    if n_pages >= len(study.page_ids) or st.session_state.get(f"asked_words_{chosen_data()}"):
        return opened
    return opened.drawn(systems, n_pages)


def opened_or_none() -> Opened | None:
    """The chosen study if it is there at once."""
    whole = whole_or_none()
    return narrowed(whole, chosen_data()) if whole else None


def whole_or_none() -> Opened | None:
    """The chosen study with all pages, to whatever the selection narrows it."""
    try:
        return scoring.opened(chosen_data(), state.current().settings())
    except (HtrEvalError, KeyError, scoring.Waiting):
        return None


def chosen_system(study: Study) -> str:
    """The selected system, or the one whose ΔWER has most errors: there is most to see."""
    wanted = state.current().system
    return wanted if wanted in study.systems else first_system(study)


def open_study() -> Opened:
    """The chosen study; otherwise say what is wrong, offer a way on, and stop.

    Raises:
        Waiting: it is being scored; what stands around the page shows how far that is.
    """
    warnings: tuple[object, ...] = ()
    try:
        whole = scoring.opened(chosen_data(), state.current().settings())
        if state.current().where:
            # It may ask for faults.
            diagnose_if_quick(whole)
        opened = narrowed(whole, chosen_data())
        # An audit shows the reference as a system, too.
        asked = () if state.is_audit() else (state.current().system, state.current().other)
        for lost in filter(None, asked):
            if lost not in opened.study.systems:
                st.info(f"These data have no system called {html.name(lost)}; another is shown.")
        return opened
    except HtrEvalError as error:
        problem = html.label(str(error))
        warnings = error.warnings
    except KeyError:
        problem = (
            "This address names data that is not open here. Uploaded data stays with the "
            "session that uploaded it."
        )
    st.error(problem, icon=":material/error:")
    alone = data.without_truth(chosen_data())
    if alone:
        st.button(
            WITHOUT_TRUTH, key="without_truth",
            icon=":material/balance:", on_click=state.select, kwargs={"data": alone},
        )  # fmt: skip
    show_warnings((w for w in warnings if isinstance(w, DataWarning)), is_scored=False)
    link_to_data("Choose or bring data")
    return st.stop()


@st.fragment(run_every=0.5)
def watch(waiter: Waiter[Any], kind: str, tell: Callable[[], None] = lambda: None) -> None:
    """How far work is that is done beside the server, and what can be said of it so far."""
    job = waiter.job
    if waiter.is_over:
        st.rerun()
    bar, stop = st.columns([5, 1], vertical_alignment="center")
    told = job.stage.tell() if job.stage else "Looking through the files"
    if job.state == "waiting":
        told = f"Waiting: {jobs.desk().n_before(job)} ahead of this one"
    bar.progress(job.stage.fraction if job.stage else 0.0, told)
    stop.button("Cancel", key=f"cancel_{kind}", on_click=waiter.leave, width="stretch")
    tell()


def _beside(
    kind: str, what: object, opened: Opened, label: str, make: Callable[[jobs.Key], Job], *,
    asked: bool,
) -> None:  # fmt: skip
    """Let work on an open study be begun, watched, given up and begun again.

    Args:
        kind: what the session calls it.
        what: under which the study knows it.
        label: of the button that begins it.
        asked: whether it begins without that button.
    """
    place = _place(kind, opened)

    def begin() -> None:
        jobs.give_up(kind)
        jobs.wait_for(kind, place, lambda: make(place))

    waiter = jobs.waiting_for(kind, place)
    if waiter is None and asked:
        begin()
        waiter = jobs.waiting_for(kind, place)
    if waiter is not None and not waiter.is_over:
        watch(waiter, kind)
        return
    if waiter is not None:
        job = waiter.job
        if job.state == "done" and opened.knows(what):
            st.rerun()
        if job.problem:
            st.error(html.label(job.problem), icon=":material/error:")
        elif job.state == "cancelled" or waiter.has_left:
            st.info(f"Stopped: {job.stage.so_far}." if job.stage else "Stopped before it began.")
    st.button(label, key=f"begin_{kind}", icon=":material/play_arrow:", on_click=begin)


def link_to_data(label: str) -> None:
    """The way to the Data page."""
    st.page_link(page_file("data.py"), label=label, icon=":material/folder_open:")


def show_warnings(warnings: Iterable[DataWarning], *, is_scored: bool = True) -> None:
    """What was left out or decided, folded away under one amber line."""
    warnings = tuple(warnings)
    if not warnings:
        return
    told = tell_warnings(warnings)
    lost = any(one.kind is WarningKind.UNREADABLE for one in warnings)
    rest = "; the rest is scored" if is_scored and lost else ""
    with st.expander(
        f":orange[:material/warning:] {counted(len(told), 'warning')} about the data{rest}"
    ):
        for one in told[:_TOLD]:
            st.markdown(f"- {html.label(one)}")
        if len(told) > _TOLD:
            st.markdown(
                f"… and {len(told) - _TOLD} more; the JSON of `htreval score` lists them all."
            )


def diagnose_if_quick(opened: Opened) -> None:
    """Of few pages, or where a bundle tells it, find what errors come from before all else."""
    opened.take_kept()
    if n_rows(opened.study) <= _AT_ONCE and scoring.is_quick(opened.study):
        opened.diagnoses()


def found_faults(opened: Opened) -> Diagnoses:
    """The layout faults of all pages: at once where that is quick, else when asked for.

    What takes long is done beside the server; until then the answer is empty and a bar shows how
    far the look for them is.
    """
    study = opened.study
    n_scores = n_rows(study)
    if opened.knows("diagnoses") or (n_scores <= _QUICK and scoring.is_quick(study)):
        return opened.diagnoses()
    label = f"Look for layout faults on {n_scores:,} pages"
    _beside(
        "diagnoses", "diagnoses", opened, label, lambda key: scoring.LookJob(key, opened),
        asked=False,
    )  # fmt: skip
    return Diagnoses({})


def found_ladder(opened: Opened) -> list[Rung]:
    """All scores on every rung of the ladder: at once where that is quick, else beside the server.

    Until they are there a bar tells how far they are, and the page ends with it.
    """
    study = opened.study
    if opened.knows("ladder") or scoring.is_quick(study, times=_RUNGS):
        return opened.ladder(reread=data.given(chosen_data()).reread)
    _beside(
        "ladder", "ladder", opened, "Score under each switch",
        lambda key: scoring.LadderJob(key, opened, data.given(key[0])), asked=True,
    )  # fmt: skip
    return st.stop()


def prepare_outcomes(opened: Opened, systems: tuple[str, ...]) -> None:
    """Begin to follow every word beside the server, before somebody looks at the errors.

    Only of data of which that is not at once, and which are no great burden on the server.
    """
    if n_rows(opened.study) > _QUICK or scoring.is_quick(opened.study):
        return
    opened = followed(opened, systems)
    kind = _words_of(systems)
    place = _place(kind, opened)
    if not opened.knows(("outcomes", systems)) and jobs.waiting_for(kind, place) is None:
        jobs.wait_for(kind, place, lambda: scoring.WordsJob(place, opened, systems))


def _words_of(systems: tuple[str, ...]) -> str:
    """What the session calls the work that follows the words of these systems."""
    return "words " + " ".join(systems)


def _place(kind: str, opened: Opened) -> jobs.Key:
    """What work of a kind is of."""
    pages = len(opened.study.page_ids)
    return chosen_data(), opened.study.signature, f"{kind} {pages} {state.current().where}"


def found_outcomes(opened: Opened, systems: tuple[str, ...]) -> WordOutcomes:
    """What became of every word: at once where that is quick, else beside the server.

    Until it is there a bar tells how far it is, and the page ends with it.
    """
    what = ("outcomes", systems)
    times = 1 if opened.told() else _FOLLOWED
    if opened.knows(what) or scoring.is_quick(opened.study, times=times):
        return opened.outcomes(systems)
    _beside(
        _words_of(systems), what, opened, "Follow every word",
        lambda key: scoring.WordsJob(key, opened, systems), asked=True,
    )  # fmt: skip
    return st.stop()
