"""Experiments of a session, in the background."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import streamlit as st

from htreval_core import Page, Settings
from htreval_core.lab.experiments import Experiment, Point, experiment_signature, run_experiment
from htreval_core.scoring.score import n_chars
from htreval_core.scoring.workers import Processes, Workers
from htreval_ui.studies.jobs import AT_ONCE, Job

_WORTH_PROCESSES = 3_000_000
"""Characters, times points, from which on starting processes pays."""
_QUICK = 2_000_000
"""Characters, times points, up to which an experiment takes a few seconds."""


class ExperimentJob(Job):
    """One experiment of the laboratory."""

    def __init__(
        self,
        experiment: Experiment,
        pages: Sequence[Page],
        settings: Settings,
        repeats: int,
        seed: int,
    ) -> None:
        super().__init__(
            repeats * sum(len(part.values) for part in experiment.parts or (experiment,))
        )
        self.experiment = experiment
        self.signature = experiment_signature(experiment, settings, repeats=repeats, seed=seed)
        self.points: list[Point] = []
        self.cost = self.total * sum(n_chars(page.reference) for page in pages)
        self._given = (pages, settings, repeats, seed)

    @property
    def is_quick(self) -> bool:
        """Whether it need not be asked for: it takes a few seconds."""
        return self.cost <= _QUICK and self.experiment.varies != "words"

    def _work(self) -> None:
        if self.cost <= _WORTH_PROCESSES or os.cpu_count() == 1:
            self._collect(None)
            return
        with Processes(min(os.cpu_count() or 1, 4), yielding=True) as workers:
            self._collect(workers)

    def _collect(self, workers: Workers | None) -> None:
        pages, settings, repeats, seed = self._given
        for point in run_experiment(
            self.experiment,
            pages,
            settings,
            repeats=repeats,
            seed=seed,
            workers=workers,
            cancelled=self.is_stopped,
        ):
            self.points.append(point)


@st.cache_resource(max_entries=1, show_spinner=False)
def _queue() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(AT_ONCE, thread_name_prefix="experiment")


_JOBS = "jobs"


def job_of(name: str) -> ExperimentJob | None:
    """The session's latest job of this name."""
    jobs: dict[str, ExperimentJob] = st.session_state.setdefault(_JOBS, {})
    return jobs.get(name)


def start_job(job: ExperimentJob) -> None:
    """Start an experiment for this session; one of the same name that still runs is cancelled."""
    before = job_of(job.experiment.name)
    if before is job:
        # A quick one started by itself before Run was pressed: that is the run asked for.
        return
    if before is not None:
        before.cancel()
    st.session_state.setdefault(_JOBS, {})[job.experiment.name] = job
    job.start(_queue())
