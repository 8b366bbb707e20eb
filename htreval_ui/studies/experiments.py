"""Experiments of a session, in the background."""

from __future__ import annotations

import os
from collections.abc import Sequence

from htreval_core import Page, Settings
from htreval_core.lab.experiments import Experiment, Point, experiment_signature, run_experiment
from htreval_core.scoring.score import n_chars
from htreval_core.scoring.workers import Workers
from htreval_ui.studies.jobs import Job, Stage, Waiter, give_up, wait_for, waiters

_WORTH_PROCESSES = 3_000_000
"""Characters, times points, from which on starting processes pays."""
_QUICK = 2_000_000
"""Characters, times points, up to which an experiment takes a few seconds."""


class ExperimentJob(Job):
    """One experiment on some pages; nobody else waits for the same."""

    def __init__(
        self,
        experiment: Experiment,
        pages: Sequence[Page],
        settings: Settings,
        repeats: int,
    ) -> None:
        super().__init__((kind_of(experiment.name), str(id(self))), repeats * experiment.n_values)
        self.experiment = experiment
        self.signature = experiment_signature(experiment, settings, repeats=repeats)
        self.points: list[Point] = []
        self.cost = self.total * sum(n_chars(page.reference) for page in pages)
        self._given = (pages, settings, repeats)

    @property
    def is_quick(self) -> bool:
        """Whether it need not be asked for: it takes a few seconds."""
        return self.cost <= _QUICK

    def _work(self) -> None:
        self.stage = Stage("points", "found", self.total)
        if self.cost <= _WORTH_PROCESSES or os.cpu_count() == 1:
            self._do(None)
        else:
            super()._work()

    def _do(self, workers: Workers | None) -> None:
        pages, settings, repeats = self._given
        for point in run_experiment(
            self.experiment,
            pages,
            settings,
            repeats=repeats,
            workers=workers,
            cancelled=self.is_stopped,
        ):
            self.points.append(point)
            self._advance(len(self.points), self.total)


def kind_of(name: str) -> str:
    """What the session calls the wait for an experiment."""
    return f"experiment {name}"


def waiter_of(name: str) -> Waiter[ExperimentJob] | None:
    """The session's latest run of this experiment."""
    return waiters().get(kind_of(name))


def start_job(job: ExperimentJob) -> None:
    """Start an experiment for this session; one of the same name that still runs is cancelled."""
    kind = kind_of(job.experiment.name)
    before = waiters().get(kind)
    # A quick one that started by itself before Run was pressed is the run asked for.
    if before is None or before.job is not job:
        give_up(kind)
        wait_for(kind, job.key, lambda: job)
