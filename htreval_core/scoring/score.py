"""Pages and settings in, a scored data set out: the one loop that scores pages."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from threading import Lock
from typing import TypeVar, cast

import numpy as np

from htreval_core.errors import ConfigError, HtrEvalError, ReadError
from htreval_core.metrics.columns import ScoreTable
from htreval_core.metrics.page import PageReference, ScoredPage
from htreval_core.model import Failure, Page, PageScores, Transcript
from htreval_core.scoring.stream import DIED, Result, Work, each, in_order
from htreval_core.scoring.study import Study
from htreval_core.scoring.workers import Processes, reason
from htreval_core.settings import ReadPolicy, Settings
from htreval_core.sources.dataset import Dataset, PageItem, Receipt, without_outlines
from htreval_core.sources.reading import Reading

T = TypeVar("T")
Progress = Callable[[int, int], None]
"""Called with (pages done, pages in all)."""

LONG = 2000
"""Words from which on a page's matching is worth keeping."""
_KEPT = 24
_BATCH_PAGES = 64
_BATCH_COST = 4_000_000
"""A batch takes about a tenth of a second: long against sending it, short against the run."""
_PAGE_COST = 20_000
"""What a page costs however short it is, in the cells of its word rectangle."""
_CHARS_PER_WORD = 6
_ROWS_TOGETHER = 4_096
"""Pages whose counts are made columns at once: of all at once there would be four copies."""


@dataclass(frozen=True, slots=True)
class PageResult:
    """What became of one page: its scores by system, and the systems where that went wrong."""

    scores: tuple[PageScores, ...]
    failures: tuple[Failure, ...] = ()
    kept: tuple[ScoredPage, ...] = ()
    """With their alignments, those pages that take so long that it is worth keeping them."""
    receipt: Receipt | None = None
    """What came of its files, where these were read for it."""


class Gathered:
    """What became of the first pages of a data set, added page by page in their order.

    One thread may add while others ask for the study of what is there.
    """

    def __init__(self) -> None:
        self.n_pages = 0
        """Pages so far."""
        self._receipts: list[Receipt] = []
        self._scores: dict[str, list[PageScores]] = {}
        self._columns: dict[str, list[ScoreTable]] = {}
        """The scores before these."""
        self._failures: list[Failure] = []
        self._longest: list[ScoredPage] = []
        self._lock = Lock()

    def add(self, result: PageResult) -> None:
        """The next page."""
        with self._lock:
            if result.receipt is not None:
                self._receipts.append(result.receipt)
            for one in result.scores:
                rows = self._scores.setdefault(one.system, [])
                rows.append(one)
                if len(rows) == _ROWS_TOGETHER:
                    self._columns.setdefault(one.system, []).append(ScoreTable.of(rows))
                    del self._scores[one.system]
            self._failures += result.failures
            if result.kept:
                self._longest = sorted(
                    [*self._longest, *result.kept],
                    key=lambda page: page.scores.n_ref_words + page.scores.n_hyp_words,
                )[-_KEPT:]
            self.n_pages += 1

    def sort(self, page_ids: Sequence[str]) -> None:
        """Put the pages into this order, whatever the order in which they were added."""
        place = {page_id: number for number, page_id in enumerate(page_ids)}
        with self._lock:
            self._receipts.sort(key=lambda one: place[one.page_id])
            self._failures.sort(key=lambda one: place[one.page_id])
            for system in self._scores.keys() | self._columns.keys():
                table = self._table(system)
                rows = np.argsort([place[page_id] for page_id in table.page_ids], kind="stable")
                self._columns[system] = [table.take(rows)]
            self._scores = {}

    def _table(self, system: str) -> ScoreTable:
        rows, columns = self._scores.get(system, []), self._columns.get(system, [])
        return ScoreTable.joined(
            [*columns, *([ScoreTable.of(rows)] if rows or not columns else [])]
        )

    def study(self, data: Dataset | Reading, settings: Settings) -> Study:
        """The study of the pages so far, which are the first of the data.

        Raises:
            HtrEvalError: not a single one of them could be scored.
        """
        with self._lock:
            n_pages, failures = self.n_pages, tuple(self._failures)
            receipts = list(self._receipts)
            kept = {(page.scores.page_id, page.scores.system): page for page in self._longest}
            known = self._scores.keys() | self._columns.keys()
            tables = {name: self._table(name) for name in data.systems if name in known}
        if failures and not tables:
            raise HtrEvalError(
                f"{data.name}: no page could be scored; the first: {failures[0].page_id}: "
                f"{failures[0].reason}",
                warnings=(
                    *data.learn(receipts).warnings, *(failure.warning for failure in failures),
                ),
            )  # fmt: skip
        if isinstance(data, Reading):
            dataset = data.dataset(receipts)
        elif n_pages < data.n_pages:
            dataset = data.only(pages=data.page_ids[:n_pages])
        else:
            dataset = data
        return Study(dataset, settings, tables, failures, kept=kept)


def score(
    data: Dataset | Reading | Iterable[Page], settings: Settings | None = None, *,
    workers: Processes | None = None, progress: Progress | None = None,
    gathered: Gathered | None = None,
) -> Study:  # fmt: skip
    """Score every page under every system that read it.

    A page that cannot be scored is a ``Failure`` of the study; everything else is scored. Files of
    a ``Reading`` are read where their page is scored, and only its counts are held.

    Args:
        data: a data set, paired files, or pages with distinct ids.
        settings: text policy, γ, solver, resampling; the paper's by default.
        workers: where to run; in this process by default. The values do not depend on it.
        progress: told how many pages are done.
        gathered: takes each page as it is done. What it holds of the same pages under the same
            settings, from a scoring that was broken off, is not scored again.

    Raises:
        ConfigError: two pages share an id, or their files were read otherwise than the settings
            have it.
        HtrEvalError: not a single page could be read or scored.

    >>> study = score([Page.from_text("1", "to be or not to be", {"A": "not to be or to be"})])
    >>> study.corpus("A").wer.errors, study.corpus("A").bwer.errors
    (2, 0)
    """
    settings = settings or Settings()
    source = data if isinstance(data, Dataset | Reading) else Dataset.of(data)
    if isinstance(source, Dataset):
        check_ids(source.page_ids)
    read = source.reading if isinstance(source, Dataset) else source.policy
    if read is not None and replace(settings.reading, limits=read.limits) != read:
        if settings.reading != ReadPolicy():
            raise ConfigError(
                "the files were read otherwise than the settings have it; give pair_path the "
                "settings too: reading=settings.reading"
            )
        settings = replace(settings, reading=read)
    gathered = gathered or Gathered()
    n_pages = source.n_pages
    left: Iterable[PageItem]
    if isinstance(source, Dataset):
        left = (source.item(one, bare=True) for one in source.page_ids[gathered.n_pages :])
    else:
        left = islice(source.items, gathered.n_pages, None)
    for result in score_stream(left, settings, workers, keep_from=LONG):
        gathered.add(result)
        if progress:
            progress(gathered.n_pages, n_pages)
    return gathered.study(source, settings)


def random_order(page_ids: Sequence[str], seed: int) -> list[str]:
    """The pages in an order drawn by the seed: the first of them are a fair sample of all."""
    return [page_ids[place] for place in np.random.default_rng(seed).permutation(len(page_ids))]


def check_ids(page_ids: Iterable[str]) -> None:
    """Refuse pages that cannot be told apart.

    Raises:
        ConfigError: two pages share an id.
    """
    seen: set[str] = set()
    for page_id in page_ids:
        if page_id in seen:
            raise ConfigError(f"page {page_id!r} occurs twice: give every page its own id")
        seen.add(page_id)


def score_stream(
    items: Iterable[PageItem], settings: Settings, workers: Processes | None = None, *,
    keep_from: int | None = None,
) -> Iterator[PageResult]:  # fmt: skip
    """A result for every page, in the order of the pages; the values do not depend on workers.

    Args:
        items: pages with their texts, or yet to be read.
        keep_from: pages of more reference words come with their alignments; by default none.
    """
    work = each(partial(_score_item, settings=settings, keep_from=keep_from))
    if workers is not None:
        items = (sendable(item, workers) for item in items)
        items = (without_outlines(one) if isinstance(one, Page) else one for one in items)
    return over_pages(work, items, workers, lost=lost_item)


def over_pages(
    work: Work[T, Result], tasks: Iterable[T], workers: Processes | None, *,
    item: Callable[[T], PageItem] = lambda task: cast(PageItem, task),
    lost: Callable[[T], Result], times: int = 1,
) -> Iterator[Result]:  # fmt: skip
    """A result for every page, in order: one by one here, in batches of about equal cost elsewhere.

    Args:
        work: as for ``in_order``.
        tasks: pages with what is to be done to them, fit for the workers.
        item: the page of a task; by default the task is one.
        lost: as for ``in_order``.
        times: how many times longer the work takes than reading and scoring.
    """
    given: Iterable[Sequence[T]] = ([task] for task in tasks)
    if workers is not None:
        given = batches(tasks, lambda task: times * item_cost(item(task)))
    return in_order(work, given, workers, size=lambda task: item_size(item(task)), lost=lost)


def sendable(item: PageItem, workers: Processes | None) -> PageItem:
    """The page fit for the workers; one whose files stand on no disk, with the bytes."""
    return item if workers is None or isinstance(item, Page) else item.sendable()


def read_item(item: PageItem) -> tuple[Page | None, Receipt | None]:
    """The page with its texts, where it has any, and what reading it told.

    Raises:
        ReadError: its files are not what they were.
    """
    return (item, None) if isinstance(item, Page) else item.read()


def read_page(item: PageItem) -> Page:
    """The page with its texts.

    Raises:
        ReadError: its files are not what they were, or cannot be read.
    """
    page, _ = read_item(item)
    if page is None:
        raise ReadError(f"{item.page_id}: can no longer be read")
    return page


def n_chars(transcript: Transcript) -> int:
    """Characters of a transcript, without joining its lines."""
    return sum(len(line.text) for line in transcript.lines)


def page_size(page: Page) -> int:
    """Characters of all sides of a page."""
    return sum(n_chars(side) for side in (page.reference, *page.hypotheses.values()))


def page_cost(page: Page) -> int:
    """About how long a page takes, in cells of the rectangle |X|·|Y| summed over systems."""
    words = n_chars(page.reference) // _CHARS_PER_WORD
    return sum(
        _PAGE_COST + words * (n_chars(output) // _CHARS_PER_WORD)
        for output in page.hypotheses.values()
    )


def item_size(item: PageItem) -> int:
    """Characters of all sides of a page, or bytes of all its files."""
    return page_size(item) if isinstance(item, Page) else item.size


def item_cost(item: PageItem) -> int:
    """About how long a page takes, reading included, in cells of the rectangle |X|·|Y|."""
    return page_cost(item) if isinstance(item, Page) else item.cost


def batches(items: Iterable[T], cost: Callable[[T], int]) -> Iterator[Sequence[T]]:
    """Pages in batches of about equal cost, in order; a costly page stands alone."""
    batch: list[T] = []
    total = 0
    for item in items:
        more = cost(item)
        if batch and (total + more > _BATCH_COST or len(batch) == _BATCH_PAGES):
            yield tuple(batch)
            batch, total = [], 0
        batch.append(item)
        total += more
    if batch:
        yield tuple(batch)


def _score_item(item: PageItem, settings: Settings, keep_from: int | None) -> PageResult:
    try:
        page, receipt = read_item(item)
    except ReadError as error:
        return PageResult((), failures_of(item, str(error)))
    if page is None:
        return PageResult((), receipt=receipt)
    return replace(score_one(page, settings, keep_from), receipt=receipt)


def score_one(page: Page, settings: Settings, keep_from: int | None = None) -> PageResult:
    """The scores of one page under all its systems."""
    scores: list[PageScores] = []
    failures: list[Failure] = []
    kept: list[ScoredPage] = []
    reference = None
    for system, output in page.hypotheses.items():
        try:
            if reference is None:
                reference = PageReference.of(page.page_id, page.reference, settings)
            scored = reference.score(system, output, settings)
            scores.append(scored.scores)
            if keep_from is not None and scored.scores.n_ref_words > keep_from:
                kept.append(scored)
        except Exception as error:  # whatever it is, the other pages are scored
            failures.append(Failure(page.page_id, system, reason(error)))
    return PageResult(tuple(scores), tuple(failures), tuple(kept))


def failures_of(item: PageItem, why: str) -> tuple[Failure, ...]:
    """That a page could not be scored under any system."""
    systems = item.hypotheses if isinstance(item, Page) else item.systems
    return tuple(Failure(item.page_id, system, why) for system in systems)


def lost_item(item: PageItem) -> PageResult:
    """What is known of a page that its worker died of: it stays one of the pages."""
    receipt = None if isinstance(item, Page) else Receipt(item.page_id, item.systems)
    return PageResult((), failures_of(item, DIED), receipt=receipt)
