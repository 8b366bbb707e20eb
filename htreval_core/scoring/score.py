"""Pages and settings in, an Evaluation out."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING

import numpy as np

from htreval_core.errors import ConfigError, workers_may_die
from htreval_core.markup import join, shorten, table, tag
from htreval_core.metrics.catalog import METRICS
from htreval_core.metrics.columns import EDITS, ScoreTable
from htreval_core.metrics.page import ScoredPage, score_words
from htreval_core.metrics.values import page_values
from htreval_core.model import EditCounts, Page, PageScores, Transcript
from htreval_core.scoring.pool import Corpus, Estimate, pool_pages
from htreval_core.settings import Settings
from htreval_core.text import page_words

if TYPE_CHECKING:
    import pandas as pd

Progress = Callable[[int, int], None]
"""Called with (pages done, pages in all)."""
Seen = Callable[[ScoredPage], None]
"""Called with each page and its alignments, which are dropped afterwards."""


def score_page(
    reference: str | Transcript,
    hypothesis: str | Transcript,
    settings: Settings | None = None,
    *,
    page_id: str = "page",
    system: str = "system",
) -> ScoredPage:
    """All metrics of one page, with its sequential trace and its matching.

    Args:
        reference: the true text, lines in reading order.
        hypothesis: what a system made of the page.
        settings: text policy, γ and solver; the paper's by default.

    Returns:
        Counts in ``.scores``, alignments in ``.trace`` and ``.matching``.

    >>> page = score_page("to be or not to be", "not to be or to be")
    >>> page.scores.wer.errors, page.scores.bwer.errors
    (2, 0)
    """
    settings = settings or Settings()
    ref, hyp = (
        page_words(Transcript.from_text(side) if isinstance(side, str) else side, settings.policy)
        for side in (reference, hypothesis)
    )
    return score_words(page_id, system, ref, hyp, settings)


@dataclass(frozen=True, eq=False)
class Evaluation:
    """The scores of every page under every system that read it.

    Only counts are held. Alignments are found again on demand by ``page``: that takes about a
    millisecond, and a million pages fit in memory.
    """

    pages: Mapping[str, Page]
    systems: tuple[str, ...]
    scores: Mapping[str, Sequence[PageScores]]
    """Of each system, in the order of the pages."""
    settings: Settings
    made_with: str | None = None
    """The signature of figures that were opened, not computed here."""

    @property
    def signature(self) -> str:
        """One line that pins every setting and version that the figures depend on."""
        return self.made_with or self.settings.signature()

    def table(self, system: str) -> ScoreTable:
        """The scores of a system as columns."""
        return self._tables[system]

    @cached_property
    def _tables(self) -> Mapping[str, ScoreTable]:
        return {system: ScoreTable.of(scores) for system, scores in self.scores.items()}

    @cached_property
    def _page_ids(self) -> Mapping[str, frozenset[str]]:
        return {system: frozenset(table.page_ids) for system, table in self._tables.items()}

    @cached_property
    def corpora(self) -> Mapping[str, Corpus]:
        """The corpus figures of each system."""
        return {system: self.corpus(system) for system in self.systems}

    def corpus(self, system: str) -> Corpus:
        """Micro- and macro-averages and intervals over the pages of one system."""
        return pool_pages(
            self.table(system), resamples=self.settings.resamples, seed=self.settings.seed
        )

    def pages_of(self, system: str) -> frozenset[str]:
        """Ids of the pages that a system has read."""
        return self._page_ids[system]

    def scores_of(self, page_id: str, system: str) -> PageScores:
        """The scores of one page under one system.

        Raises:
            KeyError: the system has not read the page.
        """
        table = self.table(system)
        rows = np.flatnonzero(table.page_ids == page_id)
        if not len(rows):
            raise KeyError(page_id)
        return table[int(rows[0])]

    def page(self, page_id: str, system: str) -> ScoredPage:
        """One page with its alignments.

        Raises:
            KeyError: the page is not in the evaluation, or the system has not read it.
        """
        page = self.pages[page_id]
        return score_page(
            page.reference,
            page.hypotheses[system],
            self.settings,
            page_id=page_id,
            system=system,
        )

    def _repr_html_(self) -> str:
        """The corpus figures with 95 % intervals, in percent, as a notebook shows them."""
        rows = [
            [
                tag("bdi", shorten(system)),
                f"{corpus.n_pages:,}",
                f"{corpus.n_ref_words:,}",
                *(_in_percent(corpus.estimates[name]) for name in _SHOWN),
            ]
            for system, corpus in self.corpora.items()
        ]
        head = ["system", "pages", "words", *(METRICS[name].label for name in _SHOWN)]
        return join([table(head, rows), tag("p", tag("small", self.signature))])

    def to_frame(self) -> pd.DataFrame:
        """A table with a row per system and page.

        Columns: ``system``, ``page_id``, ``n_ref_words``, ``n_hyp_words``, ``n_ref_chars``, and
        for each metric its value as a fraction (nan where undefined), ``…_errors`` and
        ``…_length``; for WER and bWER also hits, substitutions, deletions and insertions.
        """
        import pandas as pd

        if not self.systems:
            return pd.DataFrame(columns=_frame_columns())
        return pd.concat(map(_frame, map(self.table, self.systems)), ignore_index=True)


_SHOWN = ("wer", "bwer", "delta_wer", "nsfd", "cer", "hwer", "hcer")


def _in_percent(estimate: Estimate) -> str:
    if math.isnan(estimate.value):
        return "–"
    value = f"{100 * estimate.value:.2f}"
    if math.isnan(estimate.low):
        return value
    return f"{value} [{100 * estimate.low:.2f}, {100 * estimate.high:.2f}]"


def _frame_columns() -> list[str]:
    columns = ["system", "page_id", "n_ref_words", "n_hyp_words", "n_ref_chars"]
    for name in METRICS:
        columns += [name, f"{name}_errors", f"{name}_length"]
        if name in ("wer", "bwer"):
            columns += [f"{name}_{kind}" for kind in EDITS]
    return columns


def _frame(table: ScoreTable) -> pd.DataFrame:
    """The rows of one system in ``Evaluation.to_frame``."""
    import pandas as pd

    columns: dict[str, object] = {"system": table.system, "page_id": table.page_ids}
    columns |= {name: table.counts[name] for name in ("n_ref_words", "n_hyp_words", "n_ref_chars")}
    for name, metric in METRICS.items():
        for kind, counts in zip(("errors", "length"), metric.columns(table), strict=True):
            # Counts are whole numbers; only where a metric does not apply they are nan.
            whole = not np.isnan(counts).any()
            columns[f"{name}_{kind}"] = counts.astype(np.int64) if whole else counts
        columns[name] = page_values(table, name)
    for name in ("wer", "bwer"):
        columns |= {f"{name}_{kind}": table.counts[f"{name}_{kind}"] for kind in EDITS}
    return pd.DataFrame(columns, columns=_frame_columns())


def edit_counts(score: PageScores | Corpus) -> dict[str, EditCounts]:
    """The metrics that know which kind of error each was."""
    return {"wer": score.wer, "bwer": score.bwer}


def score(
    pages: Iterable[Page],
    settings: Settings | None = None,
    *,
    executor: Executor | None = None,
    progress: Progress | None = None,
    seen: Seen | None = None,
) -> Evaluation:
    """Score every page under every system that read it.

    Args:
        pages: pages with distinct ids.
        settings: text policy, γ, solver, resampling; the paper's by default.
        executor: where to run; in this process by default. The figures do not depend on it.
        progress: told how many pages are done.
        seen: shown each page with its alignments; without an executor only, since alignments
            are not sent between processes.

    Raises:
        ConfigError: two pages share an id, or ``seen`` is to work with an executor, or a process
            of the executor died.
    """
    settings = settings or Settings()
    if seen and executor:
        raise ConfigError("alignments are not sent between processes: give seen or executor")
    by_id: dict[str, Page] = {}
    for page in pages:
        if page.page_id in by_id:
            raise ConfigError(f"page {page.page_id!r} occurs twice: give every page its own id")
        by_id[page.page_id] = page
    systems = _systems(by_id.values())
    scores: dict[str, list[PageScores]] = {system: [] for system in systems}
    for done, of_page in enumerate(_run(list(by_id.values()), settings, executor, seen), start=1):
        for one in of_page:
            scores[one.system].append(one)
        if progress:
            progress(done, len(by_id))
    return Evaluation(
        by_id, systems, {name: tuple(of_system) for name, of_system in scores.items()}, settings
    )


def _systems(pages: Iterable[Page]) -> tuple[str, ...]:
    """All systems in the order in which the pages list them.

    Pages that list the most come first: they say most about the order. A system that they lack
    goes before the first of those that stand after it on its own page.
    """
    order: list[str] = []
    for page in sorted(pages, key=lambda page: -len(page.hypotheses)):
        names = list(page.hypotheses)
        for at, name in enumerate(names):
            if name not in order:
                after = (order.index(later) for later in names[at + 1 :] if later in order)
                order.insert(next(after, len(order)), name)
    return tuple(order)


def _run(
    pages: list[Page], settings: Settings, executor: Executor | None, seen: Seen | None
) -> Iterator[tuple[PageScores, ...]]:
    work = partial(_score_systems, settings=settings)
    if executor is None:
        return map(partial(work, seen=seen), pages)
    # Few pages a batch keeps the progress moving, many keep the pickling cheap.
    return _by_workers(executor, work, pages, chunksize=max(1, min(32, len(pages) // 16)))


def _by_workers(
    executor: Executor,
    work: Callable[[Page], tuple[PageScores, ...]],
    pages: list[Page],
    chunksize: int,
) -> Iterator[tuple[PageScores, ...]]:
    with workers_may_die():
        yield from executor.map(work, pages, chunksize=chunksize)


def _score_systems(
    page: Page, settings: Settings, seen: Seen | None = None
) -> tuple[PageScores, ...]:
    reference = page_words(page.reference, settings.policy)
    scores: list[PageScores] = []
    for system, output in page.hypotheses.items():
        scored = score_words(
            page.page_id, system, reference, page_words(output, settings.policy), settings
        )
        scores.append(scored.scores)
        if seen:
            seen(scored)
    return tuple(scores)
