"""Figures in plain sentences."""

from __future__ import annotations

import math

from htreval_core.compare import Comparison
from htreval_core.metrics.pool import Corpus
from htreval_core.model import PageScores


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


_FAULTS = {"bwer": ("misreads", "misread"), "delta_wer": ("puts out of order", "put out of order")}


def comparison_verdict(comparison: Comparison, a: str, b: str) -> list[str]:
    """What changes from A to B and whether to believe it, a sentence for each kind of fault.

    Args:
        a: the first system as it is to be shown.
        b: the second.
    """
    told = []
    for name, (one_does, both_do) in _FAULTS.items():
        one = comparison.metrics[name]
        if math.isnan(one.difference):
            continue
        rates = f"{100 * one.b:.1f} % against {100 * one.a:.1f} %"
        if not one.difference:
            told.append(f"Both {both_do} equally many words ({rates}).")
            continue
        amount = "fewer" if one.difference < 0 else "more"
        if math.isnan(one.low):
            chance = "a single page allows no test"
        else:
            between = f"{points(one.low)} to {points(one.high)} points"
            chance = f"{between}, {p_text(one.p_holm)}"
        doubt = "" if one.significant else " This may be chance."
        told.append(f"{b} {one_does} {amount} words than {a}: {rates} ({chance}).{doubt}")
    return told


def points(difference: float) -> str:
    """A difference of two rates in percentage points, with its sign."""
    return f"{100 * difference:+.1f}".replace("-", "\N{MINUS SIGN}")


def p_text(p: float) -> str:
    """A corrected p as people write it."""
    if math.isnan(p):
        return "not tested"
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}" if p < 0.1 else f"p = {p:.2f}"
