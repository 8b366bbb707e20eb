"""How far to trust bWER: the values ΔL and ΔR of the authors' program."""

from __future__ import annotations

import math
from collections.abc import Sequence

from htreval_core.metrics.columns import ScoreTable
from htreval_core.model import PageScores


def reliability(pages: Sequence[PageScores]) -> tuple[float, float]:
    """ΔL and ΔR of the authors' program (its option -D), in percent; nan without words.

    bWER cannot see repeated words change places, so it grows optimistic on long pages. ΔL
    compares the mean page length L with the length L0 = exp((b − bWER%)/a) up to which the
    authors found bWER reliable; ΔR compares the expected repetition R of misread words with R0.
    Positive values: reliable. The constants a = 3.77441, b = 45.5037, R0 = 0.264942 are theirs
    (https://github.com/PRHLT/E2EHTREval, function Deltas).
    """
    table = ScoreTable.of(pages)
    counts = table.counts
    words, bwer_errors = counts["n_ref_words"], table.errors("bwer")
    n_words = int(words.sum())
    if not n_words:
        return math.nan, math.nan
    bwer = int(bwer_errors.sum()) / n_words
    longest = math.exp(min((45.5037 - 100 * bwer) / 3.77441, 700.0))
    mean = n_words / len(words)
    some = words > 0
    per_type = (words + counts["n_hyp_words"])[some] / (2 * counts["n_word_types"][some])
    repetition = float((per_type * bwer_errors[some]).sum()) / n_words
    return (
        100 * (longest - mean) / (longest + mean),
        100 * (0.264942 - repetition) / (0.264942 + repetition),
    )
