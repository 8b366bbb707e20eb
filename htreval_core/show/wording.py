"""Values in plain sentences."""

from __future__ import annotations

import math

from htreval_core.compare import Comparison
from htreval_core.diagnosis import Diagnosis
from htreval_core.diagnosis.telling import counted
from htreval_core.model import EditCounts, PageScores, Parts
from htreval_core.scoring.pool import Corpus


def verdict(corpus: Corpus) -> str:
    """What kind of bad a system is, in one or two sentences."""
    if not corpus.n_ref_words:
        return "No reference words to measure against."
    said = _share(corpus.n_ref_words, corpus.wer, corpus.bwer, corpus.parts)
    if corpus.parts is None or corpus.parts.doubt < _FEW * corpus.wer.errors:
        return said
    doubt, wer = (100 * n / corpus.n_ref_words for n in (corpus.parts.doubt, corpus.wer.errors))
    pages = counted(corpus.pages_in_doubt, "page")
    return f"{doubt:.1f} of {wer:.1f} points lie on {pages} whose reference is in doubt. {said}"


def page_verdict(scores: PageScores, parts: Parts | None = None) -> str:
    """What kind of bad a page is, in one or two sentences.

    Args:
        parts: its errors by what they come from, where the page was diagnosed.
    """
    if not scores.n_ref_words:
        return "The reference is empty." if scores.n_hyp_words else "Both sides are empty."
    if not scores.n_hyp_words:
        return f"The system wrote nothing: all {scores.n_ref_words} words are lost."
    parts = parts or scores.parts
    said = _share(scores.n_ref_words, scores.wer, scores.bwer, parts)
    if parts is None or parts.doubt < _FEW * scores.wer.errors:
        return said
    return (
        f"The reference itself may be out of order: {parts.doubt} of {scores.wer.errors} errors "
        f"come from that. {said}"
    )


_FEW = 0.1
"""Below this part of all errors a kind of them is not worth a word."""
_NAMES = {
    "order": "out of order", "coincidence": "coincidence", "doubt": "in doubt",
}  # fmt: skip
"""The parts of ΔWER as the verdict, the waterfall and tables call them."""


def delta_parts(parts: Parts) -> dict[str, int]:
    """What ΔWER is made of, by name, what there is of it; order always."""
    named = {name: getattr(parts, part) for part, name in _NAMES.items()}
    return {name: n for name, n in named.items() if n or name == _NAMES["order"]}


def _share(n_words: int, wer: EditCounts, bwer: EditCounts, parts: Parts | None) -> str:
    if not wer.errors:
        return "Every word is right and in its place."
    recognised = {
        "misread": bwer.substitutions, "left out": bwer.deletions, "added": bwer.insertions,
    }  # fmt: skip
    delta = wer.errors - bwer.errors
    rest = {"ΔWER": delta} if parts is None else delta_parts(parts)
    told = " + ".join(
        f"{100 * count / n_words:.1f} {what}"
        for what, count in {**recognised, **rest}.items()
        if count >= n_words / 2000 or what in ("misread", "ΔWER", _NAMES["order"])
    )
    named = [what for what, count in recognised.items() if count > _FEW * bwer.errors]
    order = (delta if parts is None else parts.order) / wer.errors
    cause = _cause(" or ".join(named) or "misread", order, known=parts is not None)
    return f"WER is {100 * wer.errors / n_words:.1f} % ({told}): {cause}."


def _cause(not_read: str, order: float, *, known: bool) -> str:
    """What most errors come from.

    Args:
        order: the share of all errors that is order, or may be.
        known: whether it is known to be order.
    """
    if order < _FEW:
        return f"nearly all errors are words {not_read}; the reading order is fine"
    if not known:
        return f"words {not_read}, and up to {100 * order:.0f} % of the errors may be reading order"
    if order < 0.4:
        return f"most errors are words {not_read}, some come from reading order"
    if order <= 0.6:
        return f"words {not_read} and reading order cost about the same"
    most = "most" if order <= 0.9 else "nearly all"
    return f"{most} errors come from reading order: a layout fault"


def besides(diagnosis: Diagnosis) -> str:
    """What is wrong on a page besides its events; empty where nothing is."""
    # Missing and added blocks are events, and their errors are not to be told twice.
    of_blocks = sum(event.errors for event in diagnosis.events if not event.of_order)
    parts = diagnosis.parts
    here_and_there = max(parts.misread - of_blocks, 0)
    told = []
    if here_and_there:
        told.append(
            f"{counted(here_and_there, 'error')} for words misread, left out or added here and "
            "there"
        )
    if parts.coincidence:
        told.append(
            f"{counted(parts.coincidence, 'error')} by coincidence: an equal word left out here "
            "and added there is two errors to WER and none to bWER, and no order mends it"
        )
    return "; ".join(told)


_FAULTS = {
    "wer": "word errors",
    "bwer": "errors of recognition (bWER)",
    "delta_wer": "errors of order or coincidence (ΔWER)",
}
"""What the metrics that a verdict tells of count."""


def comparison_verdict(comparison: Comparison, a: str, b: str) -> list[str]:
    """What changes from A to B and whether to believe it: in all, and for each kind of fault.

    Args:
        a: the first system as it is to be shown.
        b: the second.
    """
    told = []
    for name, what in _FAULTS.items():
        one = comparison.metrics[name]
        if math.isnan(one.difference):
            continue
        rates = f"{100 * one.b:.1f} % against {100 * one.a:.1f} %"
        if not one.difference:
            told.append(f"Both make the same number of {what} ({rates}).")
            continue
        if math.isnan(one.low):
            chance = "a single page allows no test"
        else:
            chance = f"{points(one.low)} to {points(one.high)} points, {p_text(one.p_holm)}"
        if one.significant:
            amount = "fewer" if one.difference < 0 else "more"
            said = f"{b} makes {amount} {what} than {a}"
        else:
            said = f"No difference between {b} and {a} is shown in {what}"
        told.append(f"{said}: {rates} ({chance}).")
    if comparison.parts is not None:
        told.append(_order_of_both(comparison, a, b))
    return told


def _order_of_both(comparison: Comparison, a: str, b: str) -> str:
    """How much of each one's ΔWER is order."""
    shares = []
    for system, parts in zip((a, b), comparison.parts or (), strict=True):
        delta = parts.errors - parts.misread
        shares.append(f"{parts.order:,} of {counted(delta, 'error')} of {system}")
    return f"Of ΔWER, order costs {' and '.join(shares)}; the rest no order of the output mends."


def points(difference: float) -> str:
    """A difference of two rates in percentage points, with its sign."""
    return f"{100 * difference:+.1f}".replace("-", "\N{MINUS SIGN}")


def p_text(p: float) -> str:
    """A corrected p as people write it."""
    if math.isnan(p):
        return "not tested"
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}" if p < 0.1 else f"p = {p:.2f}"
