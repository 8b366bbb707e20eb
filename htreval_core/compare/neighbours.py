"""Whether neighbouring pages are alike, where nobody has said what they belong to.

Pages that follow each other are often of one book. If what two systems differ by is alike on them,
there are fewer observations than pages, and a test that takes the pages for independent finds
differences that do not exist.
"""

from dataclasses import dataclass

import numpy as np

from htreval_core.compare.model import LEVEL
from htreval_core.metrics.columns import Names, ScoreTable
from htreval_core.model import FloatArray, IntArray
from htreval_core.scoring.clusters import suggest_clusters
from htreval_core.sources.sides import natural_order

FEWEST_PAGES = 20
"""Pages from which on neighbours are looked at: of fewer nothing can be told."""
_LAGS = 7
"""Neighbours on one side that a page is held against, the nearest with the most weight: books have
five pages or forty, and the next page alone misses many (``benchmarks.clusters`` has figures)."""
_DRAWS, _DRAWS_AT_ONCE = 1_000, 100
_MOST_PAGES = 5_000
"""Of more pages the first ones are taken: they have as many neighbours as anybody needs."""
_FEWEST_BLOCKS = 8
"""Blocks at least: of seven no test can show much (``systems.FEWEST``)."""


@dataclass(frozen=True, slots=True, eq=False)
class Alike:
    """Neighbours found to be alike, and the block of each page, shape (pages,)."""

    correlation: float
    p: float
    blocks: Names
    n_blocks: int
    pattern: str | None


def find_alike(a: ScoreTable, b: ScoreTable, *, seed: int) -> Alike | None:
    """Whether the difference in WER is alike on neighbouring pages; None where it is not.

    Args:
        a: the scores of one system.
        b: those of the other on the same pages in the same order.
    """
    page_ids = [str(page_id) for page_id in a.page_ids]
    if len(page_ids) < FEWEST_PAGES:
        return None
    order = np.array(sorted(range(len(page_ids)), key=lambda at: natural_order(page_ids[at])))
    words = np.maximum(a.counts["n_ref_words"][order], 1)
    difference = (b.errors("wer")[order] - a.errors("wer")[order]) / words
    correlation, p = neighbour_test(difference[:_MOST_PAGES], seed=seed)
    if not p < LEVEL:
        return None
    number = blocks_of(len(page_ids))
    blocks = np.empty(len(page_ids), dtype=object)
    blocks[order] = [f"{block:09}" for block in number]
    return Alike(correlation, p, blocks, int(number[-1]) + 1, suggest_clusters(page_ids))


def neighbour_test(values: FloatArray, *, seed: int) -> tuple[float, float]:
    """The correlation of neighbours, and p of a one-sided permutation test that there is one.

    Ranks are correlated, so that a single ruined page does not decide.

    Args:
        values: shape (pages,), in the order of the pages.
    """
    ranks = _ranks(values)
    if not ranks.any():
        return 0.0, 1.0
    observed = _alikeness(ranks[None])[0]
    rng = np.random.default_rng([seed, 3])
    rows = np.tile(ranks, (_DRAWS_AT_ONCE, 1))
    as_alike = n_drawn = 0
    # Once p cannot fall below the level, further draws decide nothing.
    while n_drawn < _DRAWS and as_alike < LEVEL * (1 + _DRAWS):
        as_alike += int((_alikeness(rng.permuted(rows, axis=1)) >= observed).sum())
        n_drawn += _DRAWS_AT_ONCE
    p = (1 + as_alike) / (1 + n_drawn)
    return float((ranks[1:] * ranks[:-1]).sum() / (ranks**2).sum()), p


def _ranks(values: FloatArray) -> FloatArray:
    """Ranks about their mean, ties sharing theirs."""
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    middle: FloatArray = (counts.cumsum() - (counts - 1) / 2)[place]
    return middle - middle.mean()


def _alikeness(rows: FloatArray) -> FloatArray:
    """How alike values are to the next ones, shape (rows,)."""
    found = np.zeros(len(rows))
    for lag in range(1, _LAGS + 1):
        found += (1 - lag / (_LAGS + 1)) * (rows[:, lag:] * rows[:, :-lag]).sum(axis=1)
    return found


def blocks_of(n_pages: int) -> IntArray:
    """The block of each page: about √n blocks of equal length, eight at least, shape (pages,)."""
    length = max(2, int(n_pages // max(_FEWEST_BLOCKS, round(n_pages**0.5))))
    return np.arange(n_pages, dtype=np.int64) * (n_pages // length) // n_pages
