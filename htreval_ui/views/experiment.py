"""An experiment on the chosen data: references spoiled on purpose, and scored."""

from __future__ import annotations

import streamlit as st

from htreval_core.lab.experiments import Experiment, check_findings, points_frame
from htreval_core.show.plotly import figure_experiment
from htreval_ui import html
from htreval_ui.studies.experiments import ExperimentJob, kind_of, start_job, waiter_of
from htreval_ui.studies.opened import Opened
from htreval_ui.studies.opening import watch
from htreval_ui.views.charts import chart


def show_experiment(experiment: Experiment, opened: Opened) -> None:
    """What is tried and how often, and the picture as it grows."""
    knobs, picture = st.columns([1, 3], gap="medium")
    with knobs:
        _knobs(experiment, opened)
    with picture:
        _picture(experiment.name)


def _knobs(experiment: Experiment, opened: Opened) -> None:
    name, study = experiment.name, opened.study
    st.markdown(f"**{experiment.question}**")
    run = st.container()
    repeats = st.slider("Repeats", 1, 20, 3, key=f"repeats_{name}")
    most = n_pages = len(study.page_ids)
    if most > 1:
        n_pages = st.slider("Pages", 1, most, min(most, 400), key=f"pages_{name}_{most}")
    pages = study.dataset.pages[:n_pages]
    job = ExperimentJob(experiment, pages, study.settings, int(repeats))
    if waiter_of(name) is None and job.is_quick:
        start_job(job)
    run.button(
        "Run", type="primary", icon=":material/play_arrow:", width="stretch", key="run",
        on_click=start_job, args=(job,),
    )  # fmt: skip


def _picture(name: str) -> None:
    waiter = waiter_of(name)
    if waiter is None:
        st.caption(
            "Press Run. The references of your data are spoiled on purpose, letter by letter or "
            "line by line, and scored. What was done is known, so it shows how well metrics see "
            "it. Dashed lines are what theory expects. The output of systems plays no part."
        )
        return
    job = waiter.job
    if not waiter.is_over:
        watch(waiter, kind_of(name), lambda: _show_result(name, job))
        return
    if job.state == "failed":
        st.error(html.label(job.problem), icon=":material/error:")
    told = "Cancelled" if waiter.has_left else "Failed" if job.state == "failed" else "Done"
    st.caption(f"{told}: {len(job.points)} of {job.total} points in {job.seconds:.1f} s")
    _show_result(name, job)


def _show_result(name: str, job: ExperimentJob) -> None:
    """The picture so far, what the paper says of it, and all of it to take away."""
    points = list(job.points)
    if points:
        chart(
            figure_experiment(job.experiment, points), f"experiment_{name}", job.experiment.title,
            table=points_frame(points).assign(signature=job.signature) if job.is_over else None,
        )  # fmt: skip
    if job.is_over and points:
        for finding in check_findings(job.experiment.name, points):
            sign = ":material/check_circle:" if finding.holds else ":material/cancel:"
            st.markdown(f"{sign} {html.label(finding.claim)}  \n{html.label(finding.measured)}")
