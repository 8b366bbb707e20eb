"""What stands in the place of a page while its values are computed."""

import streamlit as st

from htreval_core.show.views.contract import OVERVIEW
from htreval_core.show.views.overview import first_payload
from htreval_ui import html
from htreval_ui.studies import scoring
from htreval_ui.studies.jobs import Stage, Waiter
from htreval_ui.studies.opening import link_to_data, watch
from htreval_ui.studies.scoring import ScoringJob
from htreval_ui.web.hosting import host


def show_waiting(waiter: Waiter[ScoringJob]) -> None:
    """How far the scoring is, with the first figures, or why it ended, and a way on."""
    job = waiter.job
    if not waiter.is_over:
        st.title(f"Scoring {html.name(job.name)}")
        watch(waiter, "scoring", lambda: _show_first(job))
        st.caption("You can look at something else; scoring continues while this window is open.")
        return
    if job.problem:
        st.error(html.label(job.problem), icon=":material/error:")
    else:
        stage = job.stage or Stage("pages", "scored", job.total)
        st.info(f"Scoring was stopped after {stage.done:,} of {stage.total:,} {stage.unit}.")
    st.button("Score these pages", icon=":material/play_arrow:", on_click=scoring.score_again)
    link_to_data("Choose or bring data")


def _show_first(job: ScoringJob) -> None:
    study = job.partial()
    if study is not None and study.systems:
        host(OVERVIEW, first_payload(study), "first_figures")
        st.button(
            "Look at these pages meanwhile", key="look_meanwhile", icon=":material/visibility:",
            on_click=scoring.look_meanwhile, args=(job,),
        )  # fmt: skip


def show_meanwhile() -> None:
    """How far the scoring is, above a view of the pages that are scored so far."""
    found = scoring.meanwhile()
    if found is not None:
        waiter, n_pages = found
        watch(waiter, "scoring", lambda: _tell_meanwhile(waiter.job, n_pages))


def _tell_meanwhile(job: ScoringJob, n_pages: int) -> None:
    told, more = st.columns([5, 1], vertical_alignment="center")
    told.caption(f"These figures are of {n_pages:,} pages drawn at random. They may still change.")
    shows_more = job.done > n_pages
    if shows_more and more.button(f"Show {job.done:,}", key="more_meanwhile", width="stretch"):
        scoring.look_meanwhile(job)
        st.rerun()
