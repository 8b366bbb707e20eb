"""Long work in the background: seen, waited for and cancelled, and never in the way of others."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from threading import Event
from typing import Literal

import streamlit as st

from htreval_core import HtrEvalError, Page, Settings
from htreval_core.experiments import Experiment, Point, experiment_signature, run_experiment

State = Literal["waiting", "running", "done", "cancelled", "failed"]
_AT_ONCE = 2
"""Jobs that run at a time on the whole server; the others wait their turn."""
_WORTH_PROCESSES = 300_000
"""Words squared, over all points, from which on starting processes pays."""


class Job:
    """One experiment on its way. What is done so far can be read at any time."""

    def __init__(
        self,
        experiment: Experiment,
        pages: Sequence[Page],
        settings: Settings,
        repeats: int,
        seed: int,
    ) -> None:
        self.experiment = experiment
        self.signature = experiment_signature(experiment, settings, repeats=repeats, seed=seed)
        self.points: list[Point] = []
        self.total = repeats * sum(len(part.values) for part in experiment.parts or (experiment,))
        self.state: State = "waiting"
        self.problem = ""
        self.seconds = 0.0
        self._stop = Event()
        self._work: Callable[[Executor | None], None] = lambda executor: self._collect(
            pages, settings, repeats, seed, executor
        )
        self._processes = self.total * sum(len(page.reference.text) for page in pages) > (
            _WORTH_PROCESSES
        )
        self._future: Future[None] | None = None

    @property
    def is_over(self) -> bool:
        """Whether nothing more will come."""
        return self.state in ("done", "cancelled", "failed")

    def start(self, queue: ThreadPoolExecutor) -> None:
        """Take a place in the queue."""
        self._future = queue.submit(self._run)

    def cancel(self) -> None:
        """Stop after the batch of pages at hand; what is done so far stays."""
        self._stop.set()
        if self._future is not None and self._future.cancel():
            self.state = "cancelled"

    def _run(self) -> None:
        self.state = "running"
        start = time.monotonic()
        try:
            if self._processes and (os.cpu_count() or 1) > 1:
                pool = ProcessPoolExecutor(
                    min(os.cpu_count() or 1, 4), mp_context=get_context("spawn")
                )
                with pool:
                    self._work(pool)
            else:
                self._work(None)
            self.state = "cancelled" if self._stop.is_set() else "done"
        except HtrEvalError as error:
            self.state, self.problem = "failed", str(error)
        except Exception as error:  # A job that dies says so; the server goes on.
            self.state, self.problem = "failed", f"{type(error).__name__}: {error}"
        finally:
            self.seconds = time.monotonic() - start

    def _collect(
        self,
        pages: Sequence[Page],
        settings: Settings,
        repeats: int,
        seed: int,
        executor: Executor | None,
    ) -> None:
        for point in run_experiment(
            self.experiment,
            pages,
            settings,
            repeats=repeats,
            seed=seed,
            executor=executor,
            cancelled=self._stop.is_set,
        ):
            self.points.append(point)


@st.cache_resource(max_entries=1, show_spinner=False)
def _queue() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="job")


_JOBS = "jobs"


def job_of(name: str) -> Job | None:
    """The session's latest job of this name."""
    jobs: dict[str, Job] = st.session_state.setdefault(_JOBS, {})
    return jobs.get(name)


def start_job(
    experiment: Experiment, pages: Sequence[Page], settings: Settings, repeats: int, seed: int
) -> None:
    """Start an experiment for this session; one of the same name that still runs is cancelled."""
    before = job_of(experiment.name)
    if before is not None:
        before.cancel()
    job = Job(experiment, pages, settings, repeats, seed)
    st.session_state.setdefault(_JOBS, {})[experiment.name] = job
    job.start(_queue())
