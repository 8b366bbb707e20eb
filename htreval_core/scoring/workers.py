"""Where work is done: processes of this machine, or a Dask cluster."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import parent_process
from multiprocessing.context import SpawnContext, SpawnProcess
from typing import Any, TypeAlias, TypeVar

from htreval_core.errors import ConfigError
from htreval_core.settings.version import build

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

    def sees(self, path: str) -> bool:
        """Whether all of them can read the file at a path of this machine."""
        return True

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

    def __enter__(self) -> Processes:
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


class Cluster:
    """The workers of a Dask cluster that is there already, as a context manager.

    Args:
        address: of its scheduler, such as ``tcp://10.0.0.1:8786``.

    Raises:
        ConfigError: Dask is not installed, or nothing answers at the address.
    """

    def __init__(self, address: str, *, timeout: float = 20) -> None:
        try:
            from distributed import Client
        except ImportError:
            raise ConfigError(
                "a cluster takes Dask; install it with: pip install 'htreval[cluster]'"
            ) from None
        try:
            self._client = Client(address, timeout=timeout, set_as_default=False)
            self._client.wait_for_workers(1, timeout=timeout)
        except (OSError, ValueError, TimeoutError) as error:
            raise ConfigError(
                f"{address}: no Dask cluster with workers answers there ({reason(error)}); "
                "see docs/cluster.md"
            ) from None
        others = [who for who, one in self._client.run(build).items() if one != build()]
        if others:
            raise ConfigError(
                f"{address}: the code of htreval on {', '.join(others[:3])} is not the code here; "
                "install the same on all workers"
            )
        # Batches are sent again by the scheduler when their worker dies.
        self._pool = self._client.get_executor(pure=False, retries=2)
        self._seen: dict[str, bool] = {}

    @property
    def slots(self) -> int:
        """Three batches for each thread; workers may come and go."""
        threads: dict[str, int] = self._client.nthreads()
        return 3 * max(1, sum(threads.values()))

    def submit(self, work: Callable[..., T], *given: Any) -> Future[T]:
        future: Future[T] = self._pool.submit(_by_build, build(), work, *given)
        return future

    def sees(self, path: str) -> bool:
        """Whether all of them can read the file at a path; one file speaks for its folder."""
        folder = os.path.dirname(path)
        if folder not in self._seen:
            here = _stamp(path)
            found: dict[str, Any] = self._client.run(_stamp, path, on_error="return")
            self._seen[folder] = here is not None and all(one == here for one in found.values())
        return self._seen[folder]

    def is_death(self, error: BaseException) -> bool:
        from distributed import KilledWorker

        return isinstance(error, KilledWorker)

    def cancel(self, futures: Iterable[Future[Any]]) -> None:
        """Do not begin work that has not begun."""
        for future in futures:
            future.cancel()

    def restart(self) -> None:
        """The scheduler replaces workers itself."""

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown(wait=False)
        self._client.close()


Workers: TypeAlias = Processes | Cluster
"""Where pages are scored."""


def _by_build(wanted: str, work: Callable[..., T], *given: Any) -> T:
    """Work that only the code of the machine that sent it does: a worker may join at any time."""
    if build() != wanted:
        raise ConfigError("a worker has other code of htreval")
    return work(*given)


def _stamp(path: str) -> tuple[int, int] | None:
    """Size and time of a file; None if it does not exist."""
    try:
        about = os.stat(path)
    except OSError:
        return None
    return about.st_size, about.st_mtime_ns
