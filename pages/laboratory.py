"""Laboratory: do the metrics do what the paper says, on this data?"""

from dataclasses import replace

import streamlit as st

from htreval_core.lab.experiments import EXPERIMENTS, check_findings, points_frame
from htreval_core.show.plotly import figure_experiment
from htreval_ui import html
from htreval_ui.studies import jobs
from htreval_ui.studies.opening import open_study
from htreval_ui.views.charts import chart
from htreval_ui.web import state

opened = open_study()
study = opened.study
settings = study.settings
selection = state.current()

title, which = st.columns([5, 4], vertical_alignment="center")
title.title("Do the metrics do what the paper says?")
chosen = selection.experiment if selection.experiment in EXPERIMENTS else "swaps"
name = which.selectbox(
    "Experiment",
    list(EXPERIMENTS),
    format_func=lambda one: EXPERIMENTS[one].title,
    index=list(EXPERIMENTS).index(chosen),
    key=state.widget("experiment", chosen),
    on_change=lambda: state.select(experiment=state.edited("experiment") or "swaps"),
    label_visibility="collapsed",
    help="The references of your data are spoiled on purpose, letter by letter or line by line, "
    "and scored: what was done is known, so the metrics can be held to it. The experiments follow "
    "the paper’s section 6.",
)
experiment = EXPERIMENTS[name]
knobs, picture = st.columns([1, 3], gap="medium")
with knobs:
    st.markdown(f"**{experiment.question}**")
    run = st.container()
    values = experiment.values
    tried = values
    if len(values) > 2:
        shown = [100 * value if experiment.percent else value for value in values]
        low, high = st.select_slider(
            experiment.x_label + (", %" if experiment.percent else ""),
            values,
            value=(values[0], values[-1]),
            format_func=lambda value: f"{100 * value if experiment.percent else value:g}",
            key=f"range_{name}",
        )
        tried = tuple(value for value in values if low <= value <= high)
    repeats = st.slider("Repeats", 1, 20, min(3, experiment.repeats), key=f"repeats_{name}")
    seed = st.number_input(
        "Seed", 0, step=1, key=f"seed_{name}", help="The same seed, the same points"
    )
    most = len(study.page_ids)
    n_pages = most
    if most > 1:
        n_pages = st.slider("Pages", 1, most, min(most, 400), key=f"pages_{name}_{most}")
    if not experiment.parts:
        experiment = replace(experiment, values=tried)
    pages = study.dataset.pages[:n_pages]
    job = jobs.ExperimentJob(experiment, pages, settings, int(repeats), int(seed))
    if jobs.job_of(name) is None and job.is_quick:
        jobs.start_job(job)
    run.button(
        "Run",
        type="primary",
        icon=":material/play_arrow:",
        width="stretch",
        key="run",
        on_click=jobs.start_job,
        args=(job,),
    )


def show_result(job: jobs.Job) -> None:
    """The picture so far, what the paper says of it, and all of it to take away."""
    points = list(job.points)
    if points:
        chart(
            figure_experiment(job.experiment, points),
            f"experiment_{name}",
            experiment.title,
            table=points_frame(points).assign(signature=job.signature) if job.is_over else None,
        )
    if job.is_over and points:
        for finding in check_findings(job.experiment.name, points):
            sign = ":material/check_circle:" if finding.holds else ":material/cancel:"
            st.markdown(f"{sign} {html.label(finding.claim)}  \n{html.label(finding.measured)}")
        with st.expander("Signature of this experiment"):
            st.code(job.signature, language=None, wrap_lines=True)


@st.fragment(run_every=0.5)
def watch() -> None:
    """The running job: how far it is, and the picture as it grows."""
    job = jobs.job_of(name)
    if job is None or job.is_over:
        st.rerun()
    else:
        done, total = len(job.points), job.total
        bar, stop = st.columns([5, 1], vertical_alignment="center")
        text = "Waiting for other experiments to end" if job.state == "waiting" else (
            f"{done} of {total} points"
        )  # fmt: skip
        bar.progress(done / total if total else 0.0, text)
        stop.button("Cancel", key="cancel", on_click=job.cancel, width="stretch")
        show_result(job)


with picture:
    job = jobs.job_of(name)
    if job is None:
        st.info(
            "Press Run: the picture grows as points come in, and can be cancelled at any time.",
            icon=":material/science:",
        )
        st.caption(
            "Dashed lines are what theory expects. Your data’s references are used; outputs of "
            "systems play no part."
        )
    elif not job.is_over:
        watch()
    else:
        if job.state == "failed":
            st.error(html.label(job.problem), icon=":material/error:")
        told = {"cancelled": "Cancelled", "failed": "Failed"}.get(job.state, "Done")
        st.caption(f"{told}: {len(job.points)} of {job.total} points in {job.seconds:.1f} s")
        show_result(job)
