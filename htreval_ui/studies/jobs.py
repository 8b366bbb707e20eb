"""Long work in the background: seen, waited for and cancelled, and never in the way of others."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Event
from typing import Literal

import streamlit as st

from htreval_core import HtrEvalError, Page, Settings
from htreval_core.lab.experiments import Experiment, Point, experiment_signature, run_experiment
from htreval_core.scoring.score import n_chars
from htreval_core.scoring.workers import Processes, Workers

State = Literal["waiting", "running", "done", "cancelled", "failed"]
AT_ONCE = 2
"""Jobs of a queue that run at a time on the whole server; the others wait their turn."""
_WORTH_PROCESSES = 3_000_000
"""Characters, times points, from which on starting processes pays."""
_QUICK = 2_000_000
"""Characters, times points, up to which an experiment takes a few seconds."""


class Job:
    """Work on its way through a queue. What is done so far can be read at any time."""

    def __init__(self, total: int) -> None:
        self.total = total
        """Steps in all."""
        self.state: State = "waiting"
        self.problem = ""
        self._began: float | None = None
        self._ended: float | None = None
        self._stop = Event()
        self._future: Future[None] | None = None

    @property
    def is_over(self) -> bool:
        """Whether nothing more will come."""
        return self.state in ("done", "cancelled", "failed")

    @property
    def seconds(self) -> float:
        """How long it has been at work, or was."""
        if self._began is None:
            return 0.0
        return (self._ended or time.monotonic()) - self._began

    def is_stopped(self) -> bool:
        """Whether it was cancelled, though it may still be at its last step."""
        return self._stop.is_set()

    def start(self, queue: ThreadPoolExecutor) -> None:
        """Take a place in the queue."""
        self._future = queue.submit(self._run)

    def cancel(self) -> None:
        """Stop as soon as may be; what is done so far stays."""
        self._stop.set()
        if self._future is not None and self._future.cancel():
            self.state = "cancelled"

    def _work(self) -> None:
        """What is to be done, in a thread of the queue."""
        raise NotImplementedError

    def _run(self) -> None:
        self.state = "running"
        self._began = time.monotonic()
        problem = ""
        try:
            self._work()
        except HtrEvalError as error:
            problem = str(error)
        except Exception as error:  # A job that dies says so; the server goes on.
            problem = f"{type(error).__name__}: {error}"
        self._ended = time.monotonic()
        if self.is_stopped():
            self.state = "cancelled"
        else:
            self.problem = problem
            self.state = "failed" if problem else "done"


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
