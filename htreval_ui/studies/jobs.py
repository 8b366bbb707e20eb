"""Work beside the server: shared by all who wait for the same, watched, and given up.

It takes its place in a queue, is done by processes of its own, is seen by every session that waits
for the same, and ends unfinished when the last of them has turned away.
"""

import os
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from threading import Event, Lock
from typing import Any, Generic, Literal, TypeVar, cast
from weakref import WeakSet, WeakValueDictionary

import streamlit as st

from htreval_core import HtrEvalError
from htreval_core.scoring.workers import Processes

Key = tuple[str, ...]
State = Literal["waiting", "running", "done", "cancelled", "failed"]
AT_ONCE = 2
"""Jobs that run at a time on the whole server; the others wait their turn."""
J = TypeVar("J", bound="Job")


class Stopped(Exception):  # noqa: N818  (no error: nobody waits any more)
    """The work was cancelled between two steps."""


@dataclass
class Stage:
    """How far one part of a job is.

    Args:
        unit: what is counted, in the plural.
        verb: what is done to it, as in "12 of 40 pages scored".
        total: how many there are.
    """

    unit: str
    verb: str
    total: int
    done: int = 0
    first: tuple[float, int] | None = None
    """When the first were done, and how many: before it, processes have to start."""

    def advance(self, done: int, now: float | None = None) -> None:
        """Take note of how many are done by now."""
        if self.first is None and done > self.done:
            self.first = (now or time.monotonic(), done)
        self.done = done

    @property
    def fraction(self) -> float:
        """The share of the work that is done, from 0 to 1."""
        return min(1.0, self.done / self.total) if self.total else 0.0

    @property
    def so_far(self) -> str:
        """How far it is, in words."""
        return f"{self.done:,} of {self.total:,} {self.unit} {self.verb}"

    def tell(self, now: float | None = None) -> str:
        """How far it is and about how long the rest takes, in words."""
        if self.first is None or self.done in (self.first[1], self.total):
            return self.so_far
        since, before = self.first
        passed = (now or time.monotonic()) - since
        left = passed * (self.total - self.done) / (self.done - before)
        return f"{self.so_far}, {tell_time(left)} left"


def tell_time(seconds: float) -> str:
    """A span of time as nobody would doubt it: about 40 s, about 3 min, about 2 h."""
    if seconds < 90:
        return f"about {max(1, round(seconds))} s"
    if seconds < 90 * 60:
        return f"about {round(seconds / 60)} min"
    return f"about {round(seconds / 3600)} h"


class Job:
    """Work on its way through the queue, by processes that make way for whoever waits.

    What is done so far can be read at any time.

    Args:
        key: what it finds; who wants the same waits for the same job.
        total: steps in all, or 0 where that is not known yet.
    """

    def __init__(self, key: Key, total: int = 0) -> None:
        self.key = key
        self.total = total
        self.waiters: WeakSet[Waiter[Job]] = WeakSet()
        self.stage: Stage | None = None
        """The part that is under way."""
        self.state: State = "waiting"
        self.problem = ""
        self._workers: Processes | None = None
        self._began: float | None = None
        self._ended: float | None = None
        self._stop = Event()
        self._future: Future[None] | None = None

    @property
    def done(self) -> int:
        """Steps of the part that is under way."""
        return self.stage.done if self.stage else 0

    @property
    def is_over(self) -> bool:
        """Whether nothing more will come."""
        return self.state in ("done", "cancelled", "failed")

    @property
    def seconds(self) -> float:
        """How long it has been at work, or was."""
        return 0.0 if self._began is None else (self._ended or time.monotonic()) - self._began

    def is_stopped(self) -> bool:
        """Whether it was cancelled or left by all, though it may still be at its last step."""
        return self._stop.is_set() or not self.waiters

    def start(self, queue: ThreadPoolExecutor) -> None:
        """Take a place in the queue."""
        self._future = queue.submit(self._run)

    def cancel(self) -> None:
        """Stop as soon as may be; what is done so far stays."""
        self._stop.set()
        if self._future is not None and self._future.cancel():
            self.state = "cancelled"
        if self._workers is not None:
            self._workers.stop()

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

    def _work(self) -> None:
        with Processes(max(1, (os.cpu_count() or 1) // AT_ONCE), yielding=True) as workers:
            self._workers = workers
            self._do(workers)

    def _do(self, workers: Processes) -> None:
        raise NotImplementedError

    def _advance(self, done: int, _total: int) -> None:
        if self.is_stopped():
            # For good, even if somebody asks for the same now.
            self.cancel()
            raise Stopped
        if self.stage is not None:
            self.stage.advance(done)


class Waiter(Generic[J]):
    """A session that waits for a job. It vanishes with the session, and its wish with it."""

    def __init__(self, job: J) -> None:
        self.job = job
        job.waiters.add(self)  # type: ignore[arg-type]

    @property
    def has_left(self) -> bool:
        return self not in self.job.waiters

    @property
    def is_over(self) -> bool:
        """Whether there is nothing more to wait for."""
        return self.has_left or self.job.is_over

    def leave(self) -> None:
        """Wait no longer; with the last who leaves, the work ends."""
        self.job.waiters.discard(self)  # type: ignore[arg-type]
        if not self.job.waiters:
            self.job.cancel()


class Desk:
    """The jobs that are on their way, by what they find; the queue and who waits hold them."""

    def __init__(self) -> None:
        self._jobs: WeakValueDictionary[Key, Job] = WeakValueDictionary()
        self._lock = Lock()
        self.queue = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="scoring")

    def join(self, key: Key, make: Callable[[], J]) -> Waiter[J]:
        """Wait for the job of this key, made and begun now if nobody else waits for it."""
        with self._lock:
            job = self._jobs.get(key)
            if job is not None and not (job.is_over or job.is_stopped()):
                return Waiter(cast(J, job))
            made = make()
            self._jobs[key] = made
            waiter = Waiter(made)
            made.start(self.queue)
            return waiter

    def n_before(self, job: Job) -> int:
        """Jobs that are under way or wait, this one left out."""
        with self._lock:
            return sum(not (other is job or other.is_over) for other in self._jobs.values())


@st.cache_resource(max_entries=1, show_spinner=False)
def desk() -> Desk:
    return Desk()


_WAITERS = "waiters"
LADDER, DIAGNOSES = "ladder", "diagnoses"
"""What takes long to find out about a study; the keys of such jobs begin with that of the data."""


def waiters() -> dict[str, Waiter[Any]]:
    """What this session waits for, by kind."""
    held: dict[str, Waiter[Any]] = st.session_state.setdefault(_WAITERS, {})
    return held


def waiting_for(kind: str, key: Key) -> Waiter[Any] | None:
    """What this session waits for of a kind, where it is this; anything else is left."""
    waiter = waiters().get(kind)
    if waiter is not None and waiter.job.key != key:
        give_up(kind)
        return None
    return waiter


def wait_for(kind: str, key: Key, make: Callable[[], J]) -> Waiter[J]:
    """Let this session wait for a job, which begins now where nobody waits for the same."""
    waiter = waiters()[kind] = desk().join(key, make)
    return waiter


def give_up(kind: str) -> None:
    """Forget what this session waited for, so that it begins anew when it is asked for."""
    waiter = waiters().pop(kind, None)
    if waiter is not None:
        waiter.leave()
