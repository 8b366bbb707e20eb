"""Any number of pages scored in order, by this process, by several, or by a cluster.

Pages are taken from an iterator as workers come free and results are given out in the order of
the pages, so that neither all pages nor all results are ever held at once. A page that cannot be
scored is a ``Failure`` among the results; it stops nothing.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Future,
    wait,
)
from dataclasses import dataclass, field

from htreval_core.errors import ConfigError
from htreval_core.metrics.page import ScoredPage, score_words
from htreval_core.model import Page, PageScores, Transcript
from htreval_core.scoring.workers import Workers, reason
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
    kept: tuple[ScoredPage, ...] = ()
    """With their alignments, those pages that take so long that it is worth keeping them."""


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


@dataclass(frozen=True, slots=True)
class Work:
    """What is done to a page.

    Args:
        settings: of the scoring.
        keep_from: pages of more reference words come back with their alignments; None for none.
    """

    settings: Settings
    keep_from: int | None = None


def score_batch(pages: Sequence[Page], work: Work) -> list[PageResult]:
    """What a worker does. Nothing that a page holds makes it raise."""
    return [_score_one(page, work) for page in pages]


def _score_one(page: Page, work: Work) -> PageResult:
    settings = work.settings
    scores: list[PageScores] = []
    failures: list[Failure] = []
    kept: list[ScoredPage] = []
    reference = None
    for system, output in page.hypotheses.items():
        try:
            if reference is None:
                reference = page_words(page.reference, settings.policy)
            hypothesis = page_words(output, settings.policy)
            scored = score_words(page.page_id, system, reference, hypothesis, settings)
            scores.append(scored.scores)
            if work.keep_from is not None and scored.scores.n_ref_words > work.keep_from:
                kept.append(scored)
        except Exception as error:  # whatever it is, the other pages are scored
            failures.append(Failure(page.page_id, system, reason(error)))
    return PageResult(tuple(scores), tuple(failures), tuple(kept))


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
    pages: Iterable[Page],
    settings: Settings,
    workers: Workers | None = None,
    *,
    keep_from: int | None = None,
) -> Iterator[PageResult]:
    """A result for every page, in the order of the pages; the figures do not depend on workers.

    Args:
        keep_from: pages of more reference words come with their alignments; by default none.
    """
    work = Work(settings, keep_from)
    if workers is None:
        for page in pages:
            yield _score_one(page, work)
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
                running[_submit(workers, batch.pages, work)] = batch
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
                _recover(lost, running, workers, work)
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
        f"the workers were lost ({reason(error)}); see that they run, with the same version of "
        "htreval: the same command then goes on where this run has stopped"
    )


def _submit(workers: Workers, pages: tuple[Page, ...], work: Work) -> Future[list[PageResult]]:
    try:
        return workers.submit(score_batch, pages, work)
    except BrokenExecutor as error:
        # A pool that broke meanwhile refuses work: that is told by the batch, as all else is.
        refused: Future[list[PageResult]] = Future()
        refused.set_exception(error)
        return refused


def _recover(
    lost: list[_Batch],
    running: dict[Future[list[PageResult]], _Batch],
    workers: Workers,
    work: Work,
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
            future = _submit(workers, (page,), work)
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
