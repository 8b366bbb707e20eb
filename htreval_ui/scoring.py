"""Studies: scored once, at once where that is quick, else in processes of their own.

A heavy scoring would hold Python's one lock against everybody who uses the server. It takes its
place in a queue instead, is seen by every session that waits for the same values, and ends
unfinished when the last of them has turned away.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Lock
from weakref import WeakSet

import streamlit as st

from htreval_core import Dataset, Settings, score
from htreval_core.scoring.score import Progress, page_cost
from htreval_core.scoring.workers import Processes
from htreval_ui import data
from htreval_ui.jobs import AT_ONCE, Job
from htreval_ui.opened import Opened
from htreval_ui.store import Store

Key = tuple[str, ...]
_QUICK_COST = 100_000_000
"""Cells of word rectangles that are scored while the browser waits: about two seconds."""
_MANY_PAGES = 5000
"""Pages from which on a data set is heavy however short they are."""


class Waiting(Exception):  # noqa: N818  (no error: it says what to show)
    """The values are not there yet, or were not wanted after all."""

    def __init__(self, waiter: Waiter) -> None:
        super().__init__("the values are being computed")
        self.waiter = waiter


class Waiter:
    """A session that waits for a job. It vanishes with the session, and its wish with it."""

    def __init__(self, job: ScoringJob) -> None:
        self.job = job
        job.waiters.add(self)

    @property
    def has_left(self) -> bool:
        return self not in self.job.waiters

    def leave(self) -> None:
        """Wait no longer; with the last who leaves, the work ends."""
        self.job.waiters.discard(self)
        if not self.job.waiters:
            self.job.cancel()


class _Stopped(Exception):  # noqa: N818  (no error: nobody waits any more)
    """The scoring was cancelled between two pages."""


class ScoringJob(Job):
    """The scoring of a data set in processes that make way for whoever waits for an answer."""

    def __init__(self, key: Key, found: Dataset, settings: Settings) -> None:
        super().__init__(found.n_pages)
        self.done = 0
        """Pages so far."""
        self.key = key
        self.waiters: WeakSet[Waiter] = WeakSet()
        self.opened: Opened | None = None
        self._found, self._settings = found, settings
        self._workers: Processes | None = None

    def cancel(self) -> None:
        super().cancel()
        if self._workers is not None:
            self._workers.stop()

    def is_stopped(self) -> bool:
        return super().is_stopped() or not self.waiters

    def _work(self) -> None:
        with Processes(max(1, (os.cpu_count() or 1) // AT_ONCE), yielding=True) as workers:
            self._workers = workers
            self.opened = _score(self._found, self._settings, workers, self._advance)

    def _advance(self, done: int, _total: int) -> None:
        if self.is_stopped():
            # For good, even if somebody asks for the same values now.
            self.cancel()
            raise _Stopped
        self.done = done


class Desk:
    """The jobs that are on their way, by what they compute."""

    def __init__(self) -> None:
        self._jobs: dict[Key, ScoringJob] = {}
        self._lock = Lock()
        self.queue = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="scoring")

    def join(self, key: Key, found: Dataset, settings: Settings) -> Waiter:
        """Wait for the job of this key, which begins now if nobody else waits for it."""
        with self._lock:
            self._jobs = {at: job for at, job in self._jobs.items() if not job.is_over}
            job = self._jobs.get(key)
            if job is not None and not job.is_stopped():
                return Waiter(job)
            job = self._jobs[key] = ScoringJob(key, found, settings)
            waiter = Waiter(job)
            job.start(self.queue)
            return waiter

    def n_before(self, job: ScoringJob) -> int:
        """Scorings that are under way or wait, this one left out."""
        with self._lock:
            return sum(not (other is job or other.is_over) for other in self._jobs.values())


@st.cache_resource(max_entries=1, show_spinner=False)
def desk() -> Desk:
    return Desk()


@st.cache_resource(max_entries=1, show_spinner=False)
def _shared() -> Store[Opened]:
    return Store(size=16)


_WAITER = "scoring"


def opened(key: str, settings: Settings) -> Opened:
    """The study of a data set under the given settings.

    Raises:
        HtrEvalError: the data set cannot be read, or not a single page scored.
        KeyError: there is no such data set in this session.
        Waiting: that takes long and is on its way, or was left or failed.
    """
    bundle = data.bundle(key)
    if bundle is not None:
        # Its texts are there as they were read.
        settings = replace(settings, reading=bundle.study.settings.reading)
        if _same_values(settings, bundle.study.settings):
            return bundle
    found = data.dataset(key, settings.reading)
    place = (key, settings.signature())
    waiter: Waiter | None = st.session_state.get(_WAITER)
    if waiter is not None and waiter.job.key != place:
        score_again()
        waiter = None
    store: Store[Opened] = data.results_of(key) or _shared()
    done = store.get(place) or (waiter and waiter.job.opened)
    if not done and waiter is None and not _is_heavy(found):
        done = _score(found, settings)
    if not done:
        if waiter is None:
            waiter = st.session_state[_WAITER] = desk().join(place, found, settings)
        raise Waiting(waiter)
    st.session_state.pop(_WAITER, None)
    store.put(place, done)
    return done


def score_again() -> None:
    """Forget what this session waited for, so that it begins anew when it is asked for."""
    waiter: Waiter | None = st.session_state.pop(_WAITER, None)
    if waiter is not None:
        waiter.leave()


def _same_values(settings: Settings, stored: Settings) -> bool:
    """Whether a run's scores are those of the settings; the app does not choose resamples."""
    chosen = replace(settings, resamples=stored.resamples, seed=stored.seed)
    return chosen.signature() == stored.signature()


def _is_heavy(found: Dataset) -> bool:
    """Whether the scoring is too long for somebody else to wait while it runs in this process."""
    return found.n_pages > _MANY_PAGES or sum(map(page_cost, found.pages)) > _QUICK_COST


def _score(
    found: Dataset,
    settings: Settings,
    workers: Processes | None = None,
    progress: Progress | None = None,
) -> Opened:
    study = score(found, settings, workers=workers, progress=progress)
    # Found here, beside the waiting browser, not in the run that shows it.
    _ = study.corpora
    return Opened(study)
