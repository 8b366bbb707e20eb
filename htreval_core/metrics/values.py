"""Counts of pages become values: one by one, or as columns for a whole corpus."""

import math
from collections.abc import Sequence

import numpy as np

from htreval_core.metrics.catalog import METRICS
from htreval_core.metrics.columns import ScoreTable
from htreval_core.model import FloatArray, PageScores


def page_value(page: PageScores, name: str) -> float:
    """One metric of one page as a fraction; nan where undefined or not applicable."""
    metric = METRICS[name]
    counts = metric.counts(page)
    if counts is None or (
        metric.undefined_without_reference and not page.n_ref_words and page.n_hyp_words
    ):
        return math.nan
    return metric.value(*counts)


def page_values(pages: Sequence[PageScores], name: str) -> FloatArray:
    """``page_value`` of many pages at once, shape (pages,)."""
    table, metric = ScoreTable.of(pages), METRICS[name]
    values = metric.values(*metric.columns(table))
    if metric.undefined_without_reference:
        # The counts alone do not say so for ΔWER: all insertions, less all insertions, is 0 of 0.
        alone = (table.counts["n_ref_words"] == 0) & (table.counts["n_hyp_words"] > 0)
        values = np.where(alone, math.nan, values)
    return values


def count_tables(pages: Sequence[PageScores]) -> tuple[FloatArray, FloatArray]:
    """Errors and lengths to be summed, shape (pages, metrics) each; nan where not applicable."""
    table = ScoreTable.of(pages)
    cells = np.empty((len(table), len(METRICS), 2))
    for column, metric in enumerate(METRICS.values()):
        cells[:, column, 0], cells[:, column, 1] = metric.pooled_columns(table)
    return cells[..., 0], cells[..., 1]
