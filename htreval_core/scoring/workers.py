"""Where work is done: processes of this machine."""

import os
import signal
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import parent_process
from multiprocessing.context import SpawnContext, SpawnProcess
from typing import Any, TypeVar

T = TypeVar("T")


def reason(error: BaseException) -> str:
    """What went wrong, on one line."""
    return " ".join(f"{type(error).__name__}: {error}".split())[:300]


class _Registering(SpawnContext):
    """Starts processes anew, not as copies, and remembers them."""

    def __init__(self) -> None:
        super().__init__()
        self.started: list[SpawnProcess] = []

    def Process(self, *given: Any, **named: Any) -> SpawnProcess:  # type: ignore[override]  # noqa: N802
        process = SpawnProcess(*given, **named)
        self.started.append(process)
        return process


class Processes:
    """Workers on this machine, as a context manager; they end when this process does.

    A pool of the standard library may wait for ever for a process that it started while another
    one died. This one ends such processes.

    Args:
        n: how many.
        yielding: whether other programs, and whoever waits for an answer, go first.
    """

    def __init__(self, n: int, *, yielding: bool = False) -> None:
        self._n = n
        self._yielding = yielding
        self._stopped = False
        self._ending = threading.Lock()
        self._start()

    def _start(self) -> None:
        self._context = _Registering()
        self._pool = ProcessPoolExecutor(
            self._n, self._context, initializer=_be_worker, initargs=(self._yielding,)
        )

    @property
    def slots(self) -> int:
        """Batches that are kept under way."""
        return 3 * self._n

    def submit(self, work: Callable[..., T], /, *given: Any) -> Future[T]:
        try:
            return self._pool.submit(work, *given)
        except OSError as error:
            # The pool closes its pipes when a worker dies, even those that it is just handing to
            # the next one.
            if self._has_lost_one():
                raise BrokenProcessPool(reason(error)) from error
            raise

    def is_death(self, error: BaseException) -> bool:
        """Whether a worker died, so that another one may have more luck."""
        return isinstance(error, BrokenExecutor) and not self._stopped

    def restart(self) -> None:
        """Be ready again after a worker has died."""
        self.shutdown(cancel_futures=True)
        self._start()

    def stop(self) -> None:
        """End all workers while they work; may be called from another thread."""
        with self._ending:
            self._stopped = True
        self._end()

    def cancel(self, futures: Iterable[Future[Any]]) -> None:
        """Do not begin work that has not begun."""
        # A pool of Python 3.11 that loses its workers stumbles over work that is cancelled then.
        with self._ending:
            if not self._stopped and not self._has_lost_one():
                for future in futures:
                    future.cancel()

    def _end(self) -> None:
        # Nor may a pool that loses a worker meet work that was cancelled before.
        with self._ending:
            for item in list(getattr(self._pool, "_pending_work_items", {}).values()):
                if item.future.cancelled():
                    item.future = Future()
        # By a signal: a solver deep in its work hears nothing else. One that another thread is
        # only about to start cannot be sent any.
        for process in self._context.started:
            if process.is_alive():
                process.terminate()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Take no more work, and wait for what is under way unless a worker has died."""
        if self._has_lost_one():
            self._end()
        self._pool.shutdown(wait, cancel_futures=cancel_futures)

    def _has_lost_one(self) -> bool:
        return any(process.exitcode for process in self._context.started)

    def __enter__(self) -> "Processes":
        return self

    def __exit__(self, *_: object) -> None:
        self.shutdown(cancel_futures=True)


def _be_worker(yielding: bool) -> None:
    """Leave Ctrl-C to the parent, and do not outlive it however it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if yielding and hasattr(os, "nice"):
        os.nice(5)
    parent = parent_process()

    def watch() -> None:
        if parent is not None:
            parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
