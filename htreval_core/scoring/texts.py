"""Texts read by several processes: the files of many pages become a data set."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

from htreval_core.model import Dataset, Page
from htreval_core.scoring.stream import DIED, in_order
from htreval_core.scoring.workers import Workers
from htreval_core.settings import ReadPolicy
from htreval_core.sources.reading import LoadedPage, PageTexts, Reading, read_loaded, unread

_BATCH_PAGES = 32
_BATCH_BYTES = 500_000
"""A batch takes about a tenth of a second."""


def read_texts(
    reading: Reading,
    workers: Workers | None = None,
    *,
    progress: Callable[[int, int], None] | None = None,
) -> Dataset:
    """All pages of a pairing with their texts, in their order.

    Args:
        reading: the paired files. Their bytes are fetched here, and made out by the workers.
        workers: where; in this process by default. The texts do not depend on it.
        progress: told how many files are done, and how many there are.

    Raises:
        PairingError: not a single page could be read.
    """
    work = partial(_read_batch, policy=reading.policy)
    pages: list[Page] = []
    done = 0
    n_files = [1 + len(page.hypotheses) for page in reading.pairing.pages]
    results = in_order(
        work, _batches(reading.loaded()), workers, size=lambda page: page.size, lost=_lost
    )
    for files, texts in zip(n_files, results, strict=True):
        page = reading.take(texts)
        if page is not None:
            pages.append(page)
        done += files
        if progress:
            progress(done, reading.n_files)
    return reading.dataset(pages)


def _batches(pages: Iterable[LoadedPage]) -> Iterator[Sequence[LoadedPage]]:
    batch: list[LoadedPage] = []
    size = 0
    for page in pages:
        if batch and (len(batch) == _BATCH_PAGES or size + page.size > _BATCH_BYTES):
            yield tuple(batch)
            batch, size = [], 0
        batch.append(page)
        size += page.size
    if batch:
        yield tuple(batch)


def _read_batch(pages: Sequence[LoadedPage], policy: ReadPolicy | None) -> list[PageTexts]:
    return [read_loaded(page, policy) for page in pages]


def _lost(page: LoadedPage) -> PageTexts:
    return unread(page, DIED)
