"""Values in plain sentences."""

from __future__ import annotations

import math

from htreval_core.compare import Comparison
from htreval_core.diagnosis import Diagnosis
from htreval_core.model import EditCounts, PageScores
from htreval_core.scoring.pool import Corpus


def verdict(corpus: Corpus) -> str:
    """What kind of bad a system is, in one sentence."""
    if not corpus.n_ref_words:
        return "No reference words to measure against."
    return _share(corpus.n_ref_words, corpus.wer, corpus.bwer)


def page_verdict(scores: PageScores) -> str:
    """What kind of bad a page is, in one sentence."""
    if not scores.n_ref_words:
        return "The reference is empty." if scores.n_hyp_words else "Both sides are empty."
    if not scores.n_hyp_words:
        return f"The system wrote nothing: all {scores.n_ref_words} words are lost."
    return _share(scores.n_ref_words, scores.wer, scores.bwer)


_FEW = 0.1
"""Below this part of all errors a kind of them is not worth a word."""


def _share(n_words: int, wer: EditCounts, bwer: EditCounts) -> str:
    if not wer.errors:
        return "Every word is right and in its place."
    recognised = {
        "misread": bwer.substitutions, "left out": bwer.deletions, "added": bwer.insertions,
    }  # fmt: skip
    parts = {**recognised, "out of order": wer.errors - bwer.errors}
    told = " + ".join(
        f"{100 * count / n_words:.1f} {what}"
        for what, count in parts.items()
        if count >= n_words / 2000 or what in ("misread", "out of order")
    )
    named = [what for what, count in recognised.items() if count > _FEW * bwer.errors]
    not_read = " or ".join(named)
    order = parts["out of order"] / wer.errors
    if order < _FEW:
        cause = f"nearly all of them {not_read}; the reading order is fine"
    elif order < 0.4:
        cause = f"most of them {not_read}, some only out of order"
    elif order <= 0.6:
        cause = f"{not_read} and out of order about equally"
    elif order <= 0.9:
        cause = "most of them read right but in the wrong order: a layout fault"
    else:
        cause = "nearly all of them read right but in the wrong order: a layout fault"
    return f"{100 * wer.errors / n_words:.1f} % of the words count as wrong ({told}): {cause}."


def besides(diagnosis: Diagnosis, n_moved: int) -> str:
    """What is wrong on a page besides its events; empty where nothing is.

    Args:
        n_moved: words that the matching found right but in the wrong place.
    """
    # Missing and added blocks are events, and their words are not to be told twice.
    of_blocks = sum(event.words - event.order_words for event in diagnosis.events)
    here_and_there = max(diagnosis.bwer - of_blocks, 0)
    told = []
    if here_and_there:
        told.append(f"{here_and_there} words are misread, left out or added here and there")
    if diagnosis.scattered and n_moved:
        told.append(f"{diagnosis.scattered} more count as wrong for their order, in no block")
    elif diagnosis.scattered:
        told.append(
            f"WER counts {diagnosis.scattered} more, not for any order but because a word left "
            "out here and one added there are two errors to it and one to bWER"
        )
    return "; ".join(told)


_FAULTS = {
    "wer": ("gets", "get", " wrong"),
    "bwer": ("misreads", "misread", ""),
    "delta_wer": ("puts", "put", " in the wrong order"),
}
"""What one does, what both do, and how: of a number of words that stands between."""


def comparison_verdict(comparison: Comparison, a: str, b: str) -> list[str]:
    """What changes from A to B and whether to believe it: in all, and for each kind of fault.

    Args:
        a: the first system as it is to be shown.
        b: the second.
    """
    told = []
    for name, (one_does, both_do, how) in _FAULTS.items():
        one = comparison.metrics[name]
        if math.isnan(one.difference):
            continue
        rates = f"{100 * one.b:.1f} % against {100 * one.a:.1f} %"
        if not one.difference:
            told.append(f"Both {both_do} the same number of words{how} ({rates}).")
            continue
        if math.isnan(one.low):
            chance = "a single page allows no test"
        else:
            chance = f"{points(one.low)} to {points(one.high)} points, {p_text(one.p_holm)}"
        if one.significant:
            amount = "fewer" if one.difference < 0 else "more"
            said = f"{b} {one_does} {amount} words{how} than {a}"
        else:
            said = f"No difference is shown in how many words {b} and {a} {both_do}{how}"
        told.append(f"{said}: {rates} ({chance}).")
    return told


def points(difference: float) -> str:
    """A difference of two rates in percentage points, with its sign."""
    return f"{100 * difference:+.1f}".replace("-", "\N{MINUS SIGN}")


def p_text(p: float) -> str:
    """A corrected p as people write it."""
    if math.isnan(p):
        return "not tested"
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}" if p < 0.1 else f"p = {p:.2f}"
