"""Work on many items in order: by this process or by several.

Batches are taken from an iterator as workers come free, and results are given out in the order of
the items, so that neither all items nor all results are ever held at once. An item that takes its
worker with it is found by trying the items of its batch one by one; it stops nothing else.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Future, wait
from dataclasses import dataclass, field
from functools import partial
from typing import Generic, TypeVar

from htreval_core.errors import ConfigError
from htreval_core.scoring.workers import Processes, reason

Item = TypeVar("Item")
Result = TypeVar("Result")
Work = Callable[[Sequence[Item]], list[Result]]
"""What is done to a batch: a result an item. It must be fit to be sent to another process."""

_ITEMS_AHEAD = 8192
_SIZE_AHEAD = 50_000_000
"""What may be under way or wait for an earlier item, in the unit of ``size``: it bounds memory."""
DIED = "the process that worked on it died; perhaps it needs more memory"


def each(do: Callable[[Item], Result]) -> Work[Item, Result]:
    """The same done to every item of a batch."""
    return partial(_each, do)


def _each(do: Callable[[Item], Result], items: Sequence[Item]) -> list[Result]:
    return [do(item) for item in items]


def in_order(
    work: Work[Item, Result], batches: Iterable[Sequence[Item]], workers: Processes | None = None,
    *, size: Callable[[Item], int] = lambda _: 0, lost: Callable[[Item], Result],
) -> Iterator[Result]:  # fmt: skip
    """A result for every item, in the order of the items; it does not depend on the workers.

    Args:
        work: what is done to a batch.
        batches: of items that are sent together.
        workers: where; in this process by default.
        size: of an item in memory, in any unit.
        lost: what to give for an item that its worker died of.

    Raises:
        ConfigError: the workers are gone.
    """
    if workers is None:
        for batch in batches:
            yield from work(batch)
        return
    run = _Run(work, workers, size, lost)
    try:
        for batch in batches:
            while run.is_full:
                run.advance()
                yield from run.ready()
            run.submit(batch)
            yield from run.ready()
        while run.running:
            run.advance()
            yield from run.ready()
    finally:
        run.cancel()


@dataclass(slots=True)
class _Batch(Generic[Item, Result]):
    items: Sequence[Item]
    size: int
    results: list[Result] | None = None


@dataclass(slots=True)
class _Run(Generic[Item, Result]):
    """The batches that are under way or wait for an earlier one, in order."""

    work: Work[Item, Result]
    workers: Processes
    size_of: Callable[[Item], int]
    lost: Callable[[Item], Result]
    waiting: deque[_Batch[Item, Result]] = field(default_factory=deque)
    running: dict[Future[list[Result]], _Batch[Item, Result]] = field(default_factory=dict)
    items: int = 0
    size: int = 0

    @property
    def is_full(self) -> bool:
        """Whether something has to end before more is begun."""
        return bool(self.running) and (
            len(self.running) >= self.workers.slots
            or self.items >= _ITEMS_AHEAD
            or self.size >= _SIZE_AHEAD
        )

    def submit(self, items: Sequence[Item]) -> None:
        batch: _Batch[Item, Result] = _Batch(items, sum(map(self.size_of, items)))
        self.waiting.append(batch)
        self.items += len(items)
        self.size += batch.size
        self.running[self._send(items)] = batch

    def ready(self) -> Iterator[Result]:
        """The results that no earlier batch holds up."""
        while self.waiting and self.waiting[0].results is not None:
            batch = self.waiting.popleft()
            self.items -= len(batch.items)
            self.size -= batch.size
            yield from batch.results or ()

    def advance(self) -> None:
        """Wait until something has ended."""
        done, _ = wait(self.running, return_when=FIRST_COMPLETED)
        dead = []
        for future in done:
            batch = self.running.pop(future)
            error = _error(future)
            if error is None:
                batch.results = future.result()
            elif self.workers.is_death(error):
                dead.append(batch)
            else:
                raise self._failed(error) from error
        if dead:
            self._recover(dead)

    def cancel(self) -> None:
        self.workers.cancel(self.running)

    def _send(self, items: Sequence[Item]) -> Future[list[Result]]:
        try:
            return self.workers.submit(self.work, items)
        except BrokenExecutor as error:
            # A pool that broke meanwhile refuses work: that is told by the batch, as all else is.
            refused: Future[list[Result]] = Future()
            refused.set_exception(error)
            return refused

    def _recover(self, dead: list[_Batch[Item, Result]]) -> None:
        """Try the items of batches whose worker died one by one, to find the one it died of."""
        self.workers.restart()
        for future, batch in list(self.running.items()):
            if future.done():
                # Broken together with the others.
                del self.running[future]
                if _error(future) is None:
                    batch.results = future.result()
                else:
                    dead.append(batch)
        for batch in dead:
            batch.results = [result for item in batch.items for result in self._alone(item)]

    def _failed(self, error: BaseException) -> ConfigError:
        """Work never fails by itself: it has lost its workers."""
        return ConfigError(
            f"the workers were lost ({reason(error)}); the same command "
            "will go on where this run stopped"
        )

    def _alone(self, item: Item) -> list[Result]:
        future = self._send([item])
        error = _error(future)
        if error is None:
            return future.result()
        if not self.workers.is_death(error):
            raise self._failed(error) from error
        self.workers.restart()
        return [self.lost(item)]


def _error(future: Future[list[Result]]) -> BaseException | None:
    try:
        return future.exception()
    except CancelledError as error:
        # Its pool was ended before it began.
        return error
