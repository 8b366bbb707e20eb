"""Experiments as work in the background."""

from __future__ import annotations

import pytest

import htreval_core as hv
from htreval_core.lab.experiments import EXPERIMENTS
from htreval_ui.studies import experiments, jobs
from tests.tools import made, until


def test_run_pressed_twice_does_not_cancel_and_another_run_ends_the_one_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Run pressed on what started by itself does not cancel it.
    monkeypatch.setattr(jobs.st, "session_state", {})
    job = experiments.ExperimentJob(EXPERIMENTS["swaps"], made(3), hv.Settings(), 1)
    experiments.start_job(job)
    experiments.start_job(job)
    until(lambda: job.is_over)
    assert job.state == "done"
    assert len(job.points) == job.total
    # Another run ends the one before.
    monkeypatch.setattr(jobs.st, "session_state", {})
    first, second = (
        experiments.ExperimentJob(EXPERIMENTS["swaps"], made(3), hv.Settings(), repeats)
        for repeats in (20, 1)
    )
    experiments.start_job(first)
    experiments.start_job(second)
    assert first.is_stopped()
    until(lambda: second.is_over)
    assert second.state == "done"
