"""Pages and settings in, a scored data set out: the one loop that scores pages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from threading import Lock

from htreval_core.errors import ConfigError, HtrEvalError
from htreval_core.metrics.columns import ScoreTable
from htreval_core.metrics.page import ScoredPage, score_words
from htreval_core.model import Dataset, Failure, Page, PageScores, Transcript
from htreval_core.scoring.preference import against_input
from htreval_core.scoring.stream import DIED, in_order
from htreval_core.scoring.study import Study
from htreval_core.scoring.workers import Workers, reason
from htreval_core.settings import Settings
from htreval_core.text import page_words

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


@dataclass(frozen=True, slots=True)
class PageResult:
    """What became of one page: its scores by system, and the systems where that went wrong."""

    scores: tuple[PageScores, ...]
    failures: tuple[Failure, ...] = ()
    kept: tuple[ScoredPage, ...] = ()
    """With their alignments, those pages that take so long that it is worth keeping them."""


class Gathered:
    """What became of the first pages of a data set, added page by page in their order.

    One thread may add while others ask for the study of what is there.
    """

    def __init__(self) -> None:
        self.n_pages = 0
        """Pages so far."""
        self._scores: dict[str, list[PageScores]] = {}
        self._failures: list[Failure] = []
        self._longest: list[ScoredPage] = []
        self._lock = Lock()

    def copy(self) -> Gathered:
        """The same, to be gone on with while somebody else may still add to this one."""
        copied = Gathered()
        with self._lock:
            copied.n_pages = self.n_pages
            copied._scores = {system: list(of) for system, of in self._scores.items()}
            copied._failures = list(self._failures)
            copied._longest = list(self._longest)
        return copied

    def add(self, result: PageResult) -> None:
        """The next page."""
        with self._lock:
            for one in result.scores:
                self._scores.setdefault(one.system, []).append(one)
            self._failures += result.failures
            if result.kept:
                self._longest = sorted([*self._longest, *result.kept], key=_length)[-_KEPT:]
            self.n_pages += 1

    def study(self, dataset: Dataset, settings: Settings) -> Study:
        """The study of the pages so far, which are the first of the data set.

        Raises:
            HtrEvalError: not a single one of them could be scored.
        """
        with self._lock:
            n_pages, failures = self.n_pages, tuple(self._failures)
            kept = {(page.scores.page_id, page.scores.system): page for page in self._longest}
            tables = {
                name: ScoreTable.of(self._scores[name])
                for name in dataset.systems
                if self._scores.get(name)
            }
        if failures and not tables:
            raise HtrEvalError(
                f"{dataset.name}: no page could be scored; the first: {failures[0].page_id}: "
                f"{failures[0].reason}",
                warnings=(*dataset.warnings, *(failure.warning for failure in failures)),
            )
        if n_pages < dataset.n_pages:
            dataset = dataset.only(pages=dataset.page_ids[:n_pages])
        return Study(dataset, settings, tables, failures, kept=kept)


def score(
    data: Dataset | Iterable[Page],
    settings: Settings | None = None,
    *,
    workers: Workers | None = None,
    progress: Progress | None = None,
    gathered: Gathered | None = None,
) -> Study:
    """Score every page under every system that read it.

    A page that cannot be scored is a ``Failure`` of the study; everything else is scored.

    Args:
        data: a data set, or pages with distinct ids.
        settings: text policy, γ, solver, resampling; the paper's by default.
        workers: where to run; in this process by default. The values do not depend on it.
        progress: told how many pages are done.
        gathered: takes each page as it is done. What it holds of the same pages under the same
            settings, from a scoring that was broken off, is not scored again.

    Raises:
        ConfigError: two pages share an id.
        HtrEvalError: not a single page could be scored.

    >>> study = score([Page.from_text("1", "to be or not to be", {"A": "not to be or to be"})])
    >>> study.corpus("A").wer.errors, study.corpus("A").bwer.errors
    (2, 0)
    """
    settings = settings or Settings()
    dataset = data if isinstance(data, Dataset) else Dataset.of(data)
    check_ids(dataset)
    gathered = gathered or Gathered()
    n_pages = len(dataset.pages)
    left = islice(dataset.pages, gathered.n_pages, None) if gathered.n_pages else dataset.pages
    for result in score_stream(left, settings, workers, keep_from=LONG):
        gathered.add(result)
        if progress:
            progress(gathered.n_pages, n_pages)
    return gathered.study(dataset, settings)


def check_ids(dataset: Dataset) -> None:
    """Refuse pages that cannot be told apart.

    Raises:
        ConfigError: two pages share an id.
    """
    seen: set[str] = set()
    for page_id in dataset.page_ids:
        if page_id in seen:
            raise ConfigError(f"page {page_id!r} occurs twice: give every page its own id")
        seen.add(page_id)


def _length(page: ScoredPage) -> int:
    return page.scores.n_ref_words + page.scores.n_hyp_words


def score_stream(
    pages: Iterable[Page],
    settings: Settings,
    workers: Workers | None = None,
    *,
    keep_from: int | None = None,
) -> Iterator[PageResult]:
    """A result for every page, in the order of the pages; the values do not depend on workers.

    Args:
        keep_from: pages of more reference words come with their alignments; by default none.
    """
    work = partial(_score_batch, settings=settings, keep_from=keep_from)
    given = ([page] for page in pages) if workers is None else batches(pages)
    return in_order(work, given, workers, size=page_size, lost=_lost)


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


def batches(pages: Iterable[Page]) -> Iterator[Sequence[Page]]:
    """Pages in batches of about equal cost, in order; a costly page stands alone."""
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


def _score_batch(
    pages: Sequence[Page], settings: Settings, keep_from: int | None
) -> list[PageResult]:
    """What a worker does. Nothing that a page holds makes it raise."""
    return [_score_one(page, settings, keep_from) for page in pages]


def _score_one(page: Page, settings: Settings, keep_from: int | None) -> PageResult:
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
            if keep_from is not None and scored.scores.n_ref_words > keep_from:
                kept.append(scored)
        except Exception as error:  # whatever it is, the other pages are scored
            failures.append(Failure(page.page_id, system, reason(error)))
    return PageResult(against_input(scores), tuple(failures), tuple(kept))


def _lost(page: Page) -> PageResult:
    return PageResult((), tuple(Failure(page.page_id, system, DIED) for system in page.hypotheses))
