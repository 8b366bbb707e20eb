"""Studies, and what takes long to find out about them: at once where that is quick, else beside.

Heavy work would hold Python's one lock against everybody who uses the server, so it is done beside
it. What was scored when the last who waited turned away is kept.
"""

from collections.abc import Iterable
from dataclasses import replace
from threading import Lock

import streamlit as st

from htreval_core import Dataset, HtrEvalError, Settings, Study, score
from htreval_core.run.stored import BundlePages
from htreval_core.scoring.diagnoses import diagnose
from htreval_core.scoring.ladder import ladder_steps, score_ladder
from htreval_core.scoring.score import Gathered, item_cost, random_order
from htreval_core.scoring.texts import read_texts
from htreval_core.scoring.workers import Processes
from htreval_core.settings import ReadPolicy
from htreval_core.show.views.opened import Opened
from htreval_core.show.views.store import Store
from htreval_core.sources.reading import Reading
from htreval_core.words.outcomes import word_outcomes
from htreval_ui.studies import data, uploads
from htreval_ui.studies.given import Given
from htreval_ui.studies.jobs import (
    DIAGNOSES,
    LADDER,
    Job,
    Key,
    Stage,
    Waiter,
    give_up,
    wait_for,
    waiters,
    waiting_for,
)
from htreval_ui.web.security import waiting

_SCORING = "scoring"
_QUICK_COST = 100_000_000
"""Cells of word rectangles that are scored while the browser waits: about two seconds."""
_FOLLOWED_COST = 600_000_000
"""The same, followed word by word where no page is diagnosed yet: about half a minute."""
_MANY_PAGES = 5000
"""Pages from which on a data set is heavy however short they are."""
_FEW_PAGES = 200
"""Pages up to which a data set is light whatever they hold."""
_ROW_COST = 20_000
"""What a page under a system costs however short it is, in the same cells."""
_GROWTH = 1.05
"""How many times the pages of the last one the next study of the first pages must have."""


class Waiting(Exception):  # noqa: N818  (no error: it says what to show)
    """The values are not there yet, or were not wanted after all."""

    def __init__(self, waiter: "Waiter[ScoringJob]") -> None:
        super().__init__("the values are being computed")
        self.waiter = waiter


class ReadJob(Job):
    """The reading of files for what they tell, which is then kept with them."""

    def __init__(self, key: Key, given: Given, policy: ReadPolicy) -> None:
        super().__init__(key)
        self._given, self._policy = given, policy

    def _do(self, workers: Processes) -> None:
        if self._given.texts(self._policy) is not None:
            return
        reading = self._given.reading(self._policy)
        self.stage = Stage("files", "read", reading.n_files)
        self._given.keep(self._policy, read_texts(reading, workers, progress=self._advance))


class ScoringJob(Job):
    """The scoring of a data set, whose files are read where they are scored."""

    def __init__(self, key: Key, given: Given, settings: Settings) -> None:
        found = given.texts(settings.reading)
        super().__init__(key, found.n_pages if found else 0)
        self.name = given.name
        self.opened: Opened | None = None
        self._given, self._settings = given, settings
        self._begun: tuple[Dataset | Reading, Gathered] | None = None
        self._partial: Study | None = None
        self._lock = Lock()

    def partial(self) -> Study | None:
        """The study of the pages scored so far, drawn at random; None before there is any.

        Made anew when there are noticeably more pages, so it may be asked for again and again, from
        any thread.
        """
        with self._lock:
            if self._begun is None:
                return None
            given, gathered = self._begun
            last = self._partial.dataset.n_pages if self._partial else 0
            if gathered.n_pages > last and gathered.n_pages >= min(_GROWTH * last, given.n_pages):
                try:
                    self._partial = gathered.study(given, self._settings)
                except HtrEvalError:
                    return None
            return self._partial

    def _do(self, workers: Processes) -> None:
        policy = self._settings.reading
        given = self._given.texts(policy) or self._given.reading(policy)
        # Figures so far are of pages drawn at random: pages by name are by date, or by hand.
        drawn = given.only(pages=random_order(given.page_ids, self._settings.seed))
        gathered = Gathered()
        self.total = given.n_pages
        self.stage = Stage("pages", "scored", self.total)
        self._begun = drawn, gathered
        score(drawn, self._settings, workers=workers, progress=self._advance, gathered=gathered)
        with self._lock:
            gathered.sort(given.page_ids)
            self._begun = given, gathered
        self.opened = _opened(gathered.study(given, self._settings))
        self._given.keep(policy, self.opened.study.dataset)


class LadderJob(Job):
    """All scores as one switch of the text policy after another is thrown."""

    def __init__(self, key: Key, opened: Opened, given: Given) -> None:
        super().__init__(key, opened.study.dataset.n_pages)
        self._opened, self._given = opened, given

    def _do(self, workers: Processes) -> None:
        study = self._opened.study
        steps = ladder_steps(study.dataset, study.settings, reread=self._given.reread)
        n_rungs = len(steps) + 1
        self.stage = Stage("page scorings", f"done, {n_rungs} of each page", n_rungs * self.total)
        rungs = score_ladder(
            study.dataset, study.settings, steps=steps, workers=workers, progress=self._advance
        )
        self._opened.ladder(rungs)


class LookJob(Job):
    """The look for layout faults on every page of every system."""

    def __init__(self, key: Key, opened: Opened) -> None:
        super().__init__(key, sum(map(len, opened.study.scores.values())))
        self._opened = opened

    def _do(self, workers: Processes) -> None:
        study = self._opened.study
        self.stage = Stage("page scores", "looked at", self.total)
        self._opened.diagnoses(diagnose(study, workers=workers, progress=self._advance))


class WordsJob(Job):
    """What became of every reference word in some systems."""

    def __init__(self, key: Key, opened: Opened, systems: tuple[str, ...]) -> None:
        super().__init__(key, len(frozenset.intersection(*map(opened.study.pages_of, systems))))
        self._opened, self._systems = opened, systems

    def _do(self, workers: Processes) -> None:
        study = self._opened.study
        self.stage = Stage("pages", "followed", self.total)
        found = word_outcomes(
            study, self._systems, workers=workers, progress=self._advance,
            diagnoses=self._opened.told(),
        )  # fmt: skip
        self._opened.outcomes(self._systems, found)


def is_quick(study: Study, times: int = 1) -> bool:
    """Whether all pages can be aligned again this many times while the browser waits."""
    if len(study.dataset.page_ids) > _MANY_PAGES:
        return False
    return times * _cost(study, study.scores) <= _QUICK_COST


def n_followed(study: Study, systems: Iterable[str]) -> int:
    """How many pages of these systems can be followed word by word in about half a minute."""
    return max(1, int(_FOLLOWED_COST * len(study.page_ids) / _cost(study, systems)))


def _cost(study: Study, systems: Iterable[str]) -> float:
    cost = 0.0
    for system in systems:
        counts = study.table(system).counts
        n_ref, n_hyp = (counts[f"n_{side}_words"].astype(float) for side in ("ref", "hyp"))
        cost += float((_ROW_COST + n_ref * n_hyp).sum())
    return cost


@st.cache_resource(max_entries=1, show_spinner=False)
def _shared() -> Store[Opened]:
    return Store(size=16)


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
        # The app does not choose resamples.
        stored = bundle.study.settings
        chosen = replace(settings, resamples=stored.resamples, seed=stored.seed)
        if chosen.signature() == stored.signature():
            return bundle
    given = data.given(key)
    for kind, other in list(waiters().items()):
        if kind in (LADDER, DIAGNOSES) and other.job.key[0] != key:
            give_up(kind)
    place = (key, settings.signature())
    waiter: Waiter[ScoringJob] | None = waiting_for(_SCORING, place)
    store: Store[Opened] = uploads.results_of(key) or _shared()
    done = store.get(place) or (waiter and waiter.job.opened)
    if not done and waiter is None:
        found = given.read_if_small(settings.reading)
        if found is not None and not _is_heavy(found):
            done = _opened(score(found, settings))
    if not done:
        if waiter is None:
            waiter = wait_for(_SCORING, place, lambda: ScoringJob(place, given, settings))
        looked_at = _looked_at(waiter)
        if looked_at is not None:
            return looked_at
        raise Waiting(waiter)
    waiters().pop(_SCORING, None)
    store.put(place, done)
    return done


_MEANWHILE = "meanwhile"


def look_meanwhile(job: ScoringJob) -> None:
    """Let this session look at the pages scored so far in all views, while the rest is scored."""
    study = job.partial()
    if study is not None:
        st.session_state[_MEANWHILE] = (job.key, Opened(study, waiting))


def _looked_at(waiter: Waiter[ScoringJob]) -> Opened | None:
    key, found = st.session_state.get(_MEANWHILE, (None, None))
    return found if key == waiter.job.key and not waiter.is_over else None


def meanwhile() -> tuple[Waiter[ScoringJob], int] | None:
    """What is scored while this session looks at the pages so far, and how many these are."""
    waiter = waiters().get(_SCORING)
    found = _looked_at(waiter) if waiter else None
    return None if waiter is None or found is None else (waiter, found.study.dataset.n_pages)


def score_again() -> None:
    """Forget what this session waited for, so that it begins anew when it is asked for."""
    give_up(_SCORING)


def _is_heavy(found: Dataset) -> bool:
    """Whether the scoring is too long for somebody else to wait while it runs in this process."""
    if found.n_pages > _MANY_PAGES:
        return True
    if isinstance(found.pages, BundlePages):
        # Telling what they cost would take reading them.
        return found.n_pages > _FEW_PAGES
    return sum(map(item_cost, found.items)) > _QUICK_COST


def _opened(study: Study) -> Opened:
    # Found here, beside the waiting browser, not in the run that shows it.
    _ = study.corpora
    return Opened(study, waiting)
