"""Any number of pages scored in order, by this process, by several, or by a cluster.

Pages are taken from an iterator as workers come free and results are given out in the order of
the pages, so that neither all pages nor all results are ever held at once. A page that cannot be
scored is a ``Failure`` among the results; it stops nothing.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    wait,
)
from dataclasses import dataclass, field
from typing import Any, Protocol

from htreval_core.errors import ConfigError
from htreval_core.metrics.page import score_words
from htreval_core.model import Page, PageScores, Transcript
from htreval_core.settings import Settings
from htreval_core.text import page_words


@dataclass(frozen=True, slots=True)
class Failure:
    """A page that could not be scored, under which system, and why."""

    page_id: str
    system: str
    reason: str


@dataclass(frozen=True, slots=True)
class PageResult:
    """What became of one page: its scores by system, and the systems where that went wrong."""

    scores: tuple[PageScores, ...]
    failures: tuple[Failure, ...] = ()


class Workers(Protocol):
    """Where pages are scored."""

    @property
    def slots(self) -> int:
        """So many batches are kept under way."""
        ...

    def submit(
        self, work: Callable[..., list[PageResult]], *given: Any
    ) -> Future[list[PageResult]]: ...

    def is_death(self, error: BaseException) -> bool:
        """Whether a worker died, so that another one may have more luck."""
        ...

    def restart(self) -> None:
        """Be ready again after a worker has died."""
        ...


_BATCH_PAGES = 64
_BATCH_COST = 4_000_000
"""A batch takes about a tenth of a second: long against sending it, short against the run."""
_PAGE_COST = 20_000
"""What a page costs however short it is, in the cells of its word rectangle."""
_CHARS_PER_WORD = 6
_PAGES_AHEAD = 8192
_CHARS_AHEAD = 50_000_000
"""So much may be under way or wait for an earlier page: it bounds the memory."""


def n_chars(transcript: Transcript) -> int:
    """Characters of a transcript, without joining its lines."""
    return sum(len(line.text) for line in transcript.lines)


def page_cost(page: Page) -> int:
    """About how long a page takes, in cells of the rectangle |X|·|Y| summed over systems."""
    words = n_chars(page.reference) // _CHARS_PER_WORD
    return sum(
        _PAGE_COST + words * (n_chars(output) // _CHARS_PER_WORD)
        for output in page.hypotheses.values()
    )


def batches(pages: Iterable[Page]) -> Iterator[tuple[Page, ...]]:
    """Pages in batches of about equal cost, in order; a page that is dear stands alone."""
    batch: list[Page] = []
    total = 0
    for page in pages:
        cost = page_cost(page)
        if batch and (total + cost > _BATCH_COST or len(batch) == _BATCH_PAGES):
            yield tuple(batch)
            batch, total = [], 0
        batch.append(page)
        total += cost
    if batch:
        yield tuple(batch)


def score_batch(pages: Sequence[Page], settings: Settings) -> list[PageResult]:
    """What a worker does. Nothing that a page holds makes it raise."""
    return [_score_one(page, settings) for page in pages]


def _score_one(page: Page, settings: Settings) -> PageResult:
    scores: list[PageScores] = []
    failures: list[Failure] = []
    reference = None
    for system, output in page.hypotheses.items():
        try:
            if reference is None:
                reference = page_words(page.reference, settings.policy)
            hypothesis = page_words(output, settings.policy)
            scores.append(score_words(page.page_id, system, reference, hypothesis, settings).scores)
        except Exception as error:  # whatever it is, the other pages are scored
            failures.append(Failure(page.page_id, system, _reason(error)))
    return PageResult(tuple(scores), tuple(failures))


def _reason(error: BaseException) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())[:300]


@dataclass(slots=True)
class _Batch:
    """A batch on its way."""

    pages: tuple[Page, ...]
    chars: int
    results: list[PageResult] | None = None


@dataclass(slots=True)
class _Window:
    """The batches that are under way or wait for an earlier one, in order."""

    batches: deque[_Batch] = field(default_factory=deque)
    pages: int = 0
    chars: int = 0

    @property
    def is_full(self) -> bool:
        return self.pages >= _PAGES_AHEAD or self.chars >= _CHARS_AHEAD

    def add(self, pages: tuple[Page, ...]) -> _Batch:
        chars = sum(
            n_chars(side) for page in pages for side in (page.reference, *page.hypotheses.values())
        )
        batch = _Batch(pages, chars)
        self.batches.append(batch)
        self.pages += len(pages)
        self.chars += chars
        return batch

    def ready(self) -> Iterator[PageResult]:
        while self.batches and self.batches[0].results is not None:
            batch = self.batches.popleft()
            self.pages -= len(batch.pages)
            self.chars -= batch.chars
            yield from batch.results or ()


def score_stream(
    pages: Iterable[Page], settings: Settings, workers: Workers | None = None
) -> Iterator[PageResult]:
    """A result for every page, in the order of the pages; the figures do not depend on workers."""
    if workers is None:
        for page in pages:
            yield _score_one(page, settings)
        return
    left = batches(pages)
    window = _Window()
    running: dict[Future[list[PageResult]], _Batch] = {}
    try:
        while True:
            while len(running) < workers.slots and not window.is_full:
                taken = next(left, None)
                if taken is None:
                    break
                batch = window.add(taken)
                running[_submit(workers, batch.pages, settings)] = batch
            yield from window.ready()
            if not running:
                return
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            lost = []
            for future in done:
                batch = running.pop(future)
                error = _error(future)
                if error is None:
                    batch.results = future.result()
                elif workers.is_death(error):
                    lost.append(batch)
                else:
                    raise _lost(error) from error
            if lost:
                _recover(lost, running, workers, settings)
    finally:
        for future in running:
            future.cancel()


def _error(future: Future[list[PageResult]]) -> BaseException | None:
    try:
        return future.exception()
    except CancelledError as error:
        # So a cluster tells that it is gone.
        return error


def _lost(error: BaseException) -> ConfigError:
    return ConfigError(
        f"the workers were lost ({_reason(error)}); see that they run, with the same version of "
        "htreval: the same command then goes on where this run has stopped"
    )


def _submit(
    workers: Workers, pages: tuple[Page, ...], settings: Settings
) -> Future[list[PageResult]]:
    try:
        return workers.submit(score_batch, pages, settings)
    except BrokenExecutor as error:
        # A pool that broke meanwhile refuses work: that is told by the batch, as all else is.
        refused: Future[list[PageResult]] = Future()
        refused.set_exception(error)
        return refused


def _recover(
    lost: list[_Batch],
    running: dict[Future[list[PageResult]], _Batch],
    workers: Workers,
    settings: Settings,
) -> None:
    """Score the batches of a worker that died page by page, to find the page that it died of."""
    workers.restart()
    for future, batch in list(running.items()):
        if future.done():
            # Broken together with the others.
            del running[future]
            error = _error(future)
            if error is None:
                batch.results = future.result()
            else:
                lost.append(batch)
    for batch in lost:
        results = []
        for page in batch.pages:
            future = _submit(workers, (page,), settings)
            error = _error(future)
            if error is None:
                results += future.result()
            elif workers.is_death(error):
                workers.restart()
                reason = "the process that scored it died; perhaps it needs more memory"
                failed = (Failure(page.page_id, system, reason) for system in page.hypotheses)
                results.append(PageResult((), tuple(failed)))
            else:
                raise _lost(error) from error
        batch.results = results


class Processes:
    """Workers on this machine, as a context manager; they end when this process does."""

    def __init__(self, n: int) -> None:
        self._n = n
        self._pool = self._start()

    @property
    def slots(self) -> int:
        return 3 * self._n

    def _start(self) -> Executor:
        from concurrent.futures import ProcessPoolExecutor
        from multiprocessing import get_context

        return ProcessPoolExecutor(self._n, get_context("spawn"), initializer=_be_worker)

    def submit(
        self, work: Callable[..., list[PageResult]], *given: Any
    ) -> Future[list[PageResult]]:
        return self._pool.submit(work, *given)

    def is_death(self, error: BaseException) -> bool:
        return isinstance(error, BrokenExecutor)

    def restart(self) -> None:
        self._pool.shutdown(wait=True, cancel_futures=True)
        self._pool = self._start()

    def __enter__(self) -> Processes:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown(wait=True, cancel_futures=True)


def _be_worker() -> None:
    """Leave Ctrl-C to the parent, and do not outlive it however it ends."""
    import signal
    from multiprocessing import parent_process

    signal.signal(signal.SIGINT, signal.SIG_IGN)
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
                "--scheduler takes Dask; install it with: pip install 'htreval[cluster]'"
            ) from None
        try:
            self._client = Client(address, timeout=timeout, set_as_default=False)
            self._client.wait_for_workers(1, timeout=timeout)
        except (OSError, ValueError, TimeoutError) as error:
            raise ConfigError(
                f"{address}: no Dask cluster with workers answers there ({_reason(error)}); "
                "see docs/cluster.md"
            ) from None
        # Batches are sent again by the scheduler when their worker dies.
        self._pool = self._client.get_executor(pure=False, retries=2)

    @property
    def slots(self) -> int:
        """Three batches for each thread; workers may come and go."""
        threads: dict[str, int] = self._client.nthreads()
        return 3 * max(1, sum(threads.values()))

    def submit(
        self, work: Callable[..., list[PageResult]], *given: Any
    ) -> Future[list[PageResult]]:
        future: Future[list[PageResult]] = self._pool.submit(work, *given)
        return future

    def is_death(self, error: BaseException) -> bool:
        from distributed import KilledWorker

        return isinstance(error, KilledWorker)

    def restart(self) -> None:
        """The scheduler replaces workers itself."""

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown(wait=False)
        self._client.close()
