"""How far to trust bWER: the values ΔL and ΔR of the authors' program."""

import math
from collections.abc import Sequence

import numpy as np

from htreval_core.metrics.columns import ScoreTable
from htreval_core.model import FloatArray, PageScores
from htreval_core.scoring.resampling import by_cluster, drawn_sums, interval


def reliability(pages: Sequence[PageScores]) -> tuple[float, float]:
    """ΔL and ΔR of the authors' program (its option -D), in percent; nan without words.

    bWER cannot see repeated words change places, so it grows optimistic on long pages. ΔL
    compares the mean page length L with the length L0 = exp((b − bWER%)/a) up to which the
    authors found bWER reliable; ΔR compares the expected repetition R of misread words with R0.
    Positive values: reliable. The constants a = 3.77441, b = 45.5037, R0 = 0.264942 are theirs
    (https://github.com/PRHLT/E2EHTREval, function Deltas).
    """
    columns = _columns(pages)
    if not columns[:, 0].any():
        return math.nan, math.nan
    delta_l, delta_r = _values(columns.sum(axis=0)[None], len(columns))
    return float(delta_l[0]), float(delta_r[0])


def reliability_intervals(
    pages: Sequence[PageScores], *, resamples: int = 2000, seed: int = 0
) -> tuple[tuple[float, float], tuple[float, float]]:
    """95 % intervals of ΔL and of ΔR, in percent, from pages drawn again with replacement.

    Expanded percentiles, as of every other value; nan without words and of a single page. The
    authors are quoted with a ± beside both; see docs/metrics.md why it is not given.
    """
    columns = _columns(pages)
    drawn = by_cluster(columns, ScoreTable.of(pages).clusters)
    if len(drawn) < 2 or not columns[:, 0].any():
        return (math.nan, math.nan), (math.nan, math.nan)
    sums = drawn_sums(drawn, resamples=resamples, seed=seed)
    delta_l, delta_r = _values(sums[sums[:, 0] > 0], len(columns))
    return interval(delta_l, len(drawn)), interval(delta_r, len(drawn))


def _columns(pages: Sequence[PageScores]) -> FloatArray:
    """What each page adds, shape (pages, 3): words, errors of bWER, misread words repeated."""
    table = ScoreTable.of(pages)
    counts = table.counts
    words, errors = counts["n_ref_words"], table.errors("bwer")
    types = np.maximum(2 * counts["n_word_types"], 1)
    per_type = np.where(words > 0, (words + counts["n_hyp_words"]) / types, 0.0)
    return np.stack([words, errors, per_type * errors], axis=1).astype(np.float64)


def _values(sums: FloatArray, n_pages: int) -> tuple[FloatArray, FloatArray]:
    """ΔL and ΔR in percent from sums over pages, shape (draws, 3)."""
    words, errors, repeated = sums.T
    longest = np.exp((45.5037 - 100 * errors / words) / 3.77441)
    mean, repetition = words / n_pages, repeated / words
    return (
        100 * (longest - mean) / (longest + mean),
        100 * (0.264942 - repetition) / (0.264942 + repetition),
    )
