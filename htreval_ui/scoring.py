"""Studies: scored once, at once where that is quick, else in processes of their own.

A heavy scoring would hold Python's one lock against everybody who uses the server. It takes its
place in a queue instead, is seen by every session that waits for the same figures, and ends
unfinished when the last of them has turned away.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from threading import Lock
from weakref import WeakSet

import streamlit as st

from htreval_core import Dataset, HtrEvalError, Page, PageScores, Settings, Study, score
from htreval_core.metrics.page import ScoredPage
from htreval_core.model import Failure
from htreval_core.scoring.score import page_cost, score_stream
from htreval_core.scoring.workers import Processes
from htreval_ui import data
from htreval_ui.jobs import AT_ONCE, Job
from htreval_ui.store import Store

Key = tuple[str, ...]
LONG = 2000
"""Words from which on a page's matching is worth keeping."""
_QUICK_COST = 100_000_000
"""Cells of word rectangles that are scored while the browser waits: about two seconds."""
_MANY_PAGES = 5000
"""So many pages are heavy however short they are."""


class Waiting(Exception):  # noqa: N818  (no error: it says what to show)
    """The figures are not there yet, or were not wanted after all."""

    def __init__(self, waiter: Waiter) -> None:
        super().__init__("the figures are being computed")
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


@dataclass(frozen=True)
class Scored:
    """A study, and in words which pages could not be scored and why."""

    study: Study
    failures: tuple[str, ...] = ()


class ScoringJob(Job):
    """The scoring of a data set in processes that make way for whoever waits for an answer."""

    def __init__(self, key: Key, found: Dataset, settings: Settings) -> None:
        super().__init__(len(found.pages))
        self.done = 0
        """Pages so far."""
        self.key = key
        self.waiters: WeakSet[Waiter] = WeakSet()
        self.scored: Scored | None = None
        self._found, self._settings = found, settings
        self._workers: Processes | None = None
        self._long_pages = long_pages()

    def cancel(self) -> None:
        super().cancel()
        if self._workers is not None:
            self._workers.stop()

    def is_stopped(self) -> bool:
        return super().is_stopped() or not self.waiters

    def _work(self) -> None:
        scores: dict[str, list[PageScores]] = {system: [] for system in self._found.systems}
        failures: list[Failure] = []
        pages: dict[str, Page] = {}
        with Processes(max(1, (os.cpu_count() or 1) // AT_ONCE), yielding=True) as workers:
            self._workers = workers
            results = score_stream(self._found.pages, self._settings, workers, keep_from=LONG)
            for page, result in zip(self._found.pages, results, strict=True):
                if self.is_stopped():
                    # For good, even if somebody asks for the same figures now.
                    self.cancel()
                    return
                pages[page.page_id] = page
                for one in result.scores:
                    scores[one.system].append(one)
                failures += result.failures
                self._keep(result.kept)
                self.done += 1
        self.scored = _scored(pages, scores, failures, self._settings)

    def _keep(self, kept: tuple[ScoredPage, ...]) -> None:
        for page in kept:
            place = (*self.key, page.scores.page_id, page.scores.system)
            self._long_pages.put(place, page)


def _scored(
    pages: Mapping[str, Page],
    scores: Mapping[str, list[PageScores]],
    failures: list[Failure],
    settings: Settings,
) -> Scored:
    systems = tuple(system for system, of_system in scores.items() if of_system)
    if not systems:
        raise HtrEvalError(f"no page could be scored; the first: {failures[0].reason}")
    found = Study(pages, systems, {name: tuple(scores[name]) for name in systems}, settings)
    # Found here, beside the waiting browser, not in the run that shows it.
    _ = found.corpora
    told = (f"{f.page_id}: not scored under {f.system}: {f.reason}" for f in failures)
    return Scored(found, tuple(told))


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
def _shared() -> Store[Scored]:
    return Store(size=16)


@st.cache_resource(max_entries=1, show_spinner=False)
def long_pages() -> Store[ScoredPage]:
    """Pages that take long to match, kept from the scoring for whoever looks at them."""
    return Store(size=24)


_WAITER = "scoring"


def scored(key: str, settings: Settings) -> Scored:
    """The scores of a data set under the given settings.

    Raises:
        HtrEvalError: the data set cannot be read.
        KeyError: there is no such data set in this session.
        Waiting: that takes long and is on its way, or was left or failed.
    """
    run = data.run_of(key)
    if run is not None and _same_figures(settings, run.manifest.settings):
        return Scored(run.study)
    found = data.dataset(key, settings.reading)
    place = (key, settings.signature())
    waiter: Waiter | None = st.session_state.get(_WAITER)
    if waiter is not None and waiter.job.key != place:
        score_again()
        waiter = None
    store: Store[Scored] = data.results_of(key) or _shared()
    done = store.get(place) or (waiter and waiter.job.scored)
    if not done and waiter is None and not _is_heavy(found):
        done = _score(place, found, settings)
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


def study(key: str, settings: Settings) -> Study:
    """The scores of a data set under the given settings; raises what ``scored`` raises."""
    return scored(key, settings).study


def _same_figures(settings: Settings, stored: Settings) -> bool:
    """Whether a run's scores are those of the settings; the app does not choose resamples."""
    chosen = replace(settings, resamples=stored.resamples, seed=stored.seed)
    return chosen.signature() == stored.signature()


def _is_heavy(found: Dataset) -> bool:
    """Whether the scoring is too long for somebody else to wait while it runs in this process."""
    return len(found.pages) > _MANY_PAGES or sum(map(page_cost, found.pages)) > _QUICK_COST


def _score(key: Key, found: Dataset, settings: Settings) -> Scored:
    def keep(page: ScoredPage) -> None:
        if page.scores.n_ref_words > LONG:
            long_pages().put((*key, page.scores.page_id, page.scores.system), page)

    evaluated = score(found.pages, settings, seen=keep)
    _ = evaluated.corpora
    return Scored(evaluated)
