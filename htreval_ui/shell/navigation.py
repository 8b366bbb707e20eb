"""What stands around every page: navigation, strip, URL."""

import streamlit as st

from htreval_core import HtrEvalError
from htreval_core.show.html.font import font_css
from htreval_core.show.views.contract import OVERVIEW
from htreval_core.show.views.overview import first_payload
from htreval_ui import html, places
from htreval_ui.sections.switches import show_panel
from htreval_ui.shell import frame
from htreval_ui.shell.controls import strip
from htreval_ui.studies import scoring
from htreval_ui.studies.jobs import Stage, Waiter
from htreval_ui.studies.opening import adopt_settings, link_to_data, watch
from htreval_ui.studies.scoring import ScoringJob, Waiting
from htreval_ui.web import state
from htreval_ui.web.security import host
from htreval_ui.web.state import PAGES, page_file

_OF_TRUTH = ("page", "compare", "errors")
"""Pages whose words take the reference for the truth."""


def main() -> None:
    """Draw the chosen page under the shared selection."""
    st.set_page_config(
        "htreval", page_icon=str(places.ASSETS / "icon.png"), layout="wide",
        initial_sidebar_state="collapsed",
    )  # fmt: skip
    folder = places.root() / "pages"
    # The first page is the default one; it lives at the bare address.
    chosen = st.navigation(
        [
            st.Page(folder / file, title=title, url_path=path, default=number == 0)
            for number, (file, title, path) in enumerate(PAGES)
        ],
        position="top",
    )
    page = chosen.url_path or PAGES[0][2]
    state.read_url(is_wanted=frame.went_back())
    if state.current().panel != page:
        # Whoever moves on has closed it.
        state.select(panel="")
    adopt_settings()
    st.html(places.ASSETS / "app.css")
    st.html(f"<style>{font_css()}</style>")
    # A lesson is read on a projector, and nothing in the strip touches it.
    if state.is_on_data(page):
        strip(page)
        show_meanwhile()
    run = show_panel if state.current().panel else chosen.run
    if state.current().stand_in and page in _OF_TRUTH:
        run = _point_to_audit
    try:
        run()
    except Waiting as waiting:
        show_waiting(waiting.waiter)
    except HtrEvalError as error:
        # Texts of a bundle are read when somebody looks at them, and may turn out damaged then.
        st.error(html.label(str(error)), icon=":material/error:")
    frame.follow(chosen.url_path, state.query(page))


def _point_to_audit() -> None:
    st.info(
        "This view needs true references, and here the output of a system stands in for them. The "
        "Overview compares the systems with each other, page by page.",
        icon=":material/balance:",
    )
    st.page_link(page_file("overview.py"), label="Compare the systems", icon=":material/balance:")


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
