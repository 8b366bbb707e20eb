"""Figures in plain sentences."""

from __future__ import annotations

import math

from htreval_core import PageScores
from htreval_core.metrics.pool import Corpus


def verdict(corpus: Corpus) -> str:
    """What kind of bad a system is, in one sentence."""
    wer = corpus.estimates["wer"].value
    if math.isnan(wer):
        return "No reference words to measure against."
    return _share(wer, corpus.estimates["bwer"].value, corpus.estimates["delta_wer"].value)


def page_verdict(scores: PageScores) -> str:
    """What kind of bad a page is, in one sentence."""
    if not scores.n_ref_words:
        return "The reference is empty." if scores.n_hyp_words else "Both sides are empty."
    if not scores.n_hyp_words:
        return f"The system wrote nothing: all {scores.n_ref_words} words are lost."
    n = scores.n_ref_words
    return _share(
        scores.wer.errors / n,
        scores.bwer.errors / n,
        (scores.wer.errors - scores.bwer.errors) / n,
    )


def _share(wer: float, bwer: float, delta: float) -> str:
    if not wer:
        return "Every word is right and in its place."
    order = delta / wer
    if order < 0.1:
        cause = "nearly all of them misread; the reading order is fine"
    elif order < 0.4:
        cause = "most of them misread, some only out of order"
    elif order <= 0.6:
        cause = "misread and out of order about equally"
    elif order <= 0.9:
        cause = "most of them read right but in the wrong order: a layout fault"
    else:
        cause = "nearly all of them read right but in the wrong order: a layout fault"
    return (
        f"{100 * wer:.1f} % of the words count as wrong "
        f"({100 * bwer:.1f} misread + {100 * delta:.1f} out of order): {cause}."
    )
