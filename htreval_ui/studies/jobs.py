"""Long work in the background: seen, waited for and cancelled, and never in the way of others."""

from __future__ import annotations

import time
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Event
from typing import Literal

from htreval_core import HtrEvalError

State = Literal["waiting", "running", "done", "cancelled", "failed"]
AT_ONCE = 2
"""Jobs of a queue that run at a time on the whole server; the others wait their turn."""


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
