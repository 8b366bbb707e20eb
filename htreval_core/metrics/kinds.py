"""What happened to each word of a page."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Literal, TypeAlias

import numpy as np

from htreval_core.metrics.page import ScoredPage
from htreval_core.metrics.spaces import Regrouping
from htreval_core.model import Alignment, IntArray

View: TypeAlias = Literal["trace", "matching"]


class WordKind(IntEnum):
    """What happened to a word."""

    CORRECT = 0
    SUBSTITUTED = 1
    DELETED = 2
    INSERTED = 3
    MOVED = 4
    """The right word in the wrong place: WER counts it as wrong, the matching pairs it exactly."""
    DIVIDED = 5
    """Divided or joined, with every letter right (``metrics.spaces``)."""


@dataclass(frozen=True, slots=True, eq=False)
class WordKinds:
    """The kind and the mate of every word.

    Args:
        ref: shape (|X|,), a ``WordKind`` each.
        hyp: shape (|Y|,), a ``WordKind`` each.
        ref_mate: shape (|X|,), positions in the hypothesis, -1 for none.
        hyp_mate: shape (|Y|,), positions in the reference, -1 for none.

    Words divided or joined have the first word of the other side for their mate.
    """

    ref: IntArray
    hyp: IntArray
    ref_mate: IntArray
    hyp_mate: IntArray


def word_kinds(page: ScoredPage, view: View, regroupings: Sequence[Regrouping] = ()) -> WordKinds:
    """Every word's kind and mate, as the trace or as the matching sees them.

    The matching's pairs are CORRECT, MOVED or SUBSTITUTED as ``pair_kinds`` says, and its other
    words DELETED or INSERTED. In the view of the trace, what it reads as right is CORRECT; of the
    other words, those that the matching pairs with an equal word are MOVED; of what is left, the
    trace's own pairs are SUBSTITUTED. Each word is used once: the mate of a word's mate is the
    word itself.

    Args:
        regroupings: of the page's diagnosis. Their words are DIVIDED in either view, and no other
            word has one of them for its mate.
    """
    n_ref, n_hyp = len(page.matching.ref_words), len(page.matching.hyp_words)
    ref, hyp = np.full(n_ref, WordKind.DELETED), np.full(n_hyp, WordKind.INSERTED)
    ref_mate, hyp_mate = np.full(n_ref, -1), np.full(n_hyp, -1)

    def take(kinds: IntArray | WordKind, pairs: tuple[IntArray, IntArray]) -> None:
        of_ref, of_hyp = pairs
        free = (ref_mate[of_ref] < 0) & (hyp_mate[of_hyp] < 0)
        j, k = of_ref[free], of_hyp[free]
        ref[j] = hyp[k] = np.broadcast_to(kinds, free.shape)[free]
        ref_mate[j], hyp_mate[k] = k, j

    for one in regroupings:
        ref[[*one.ref]] = hyp[[*one.hyp]] = WordKind.DIVIDED
        ref_mate[[*one.ref]], hyp_mate[[*one.hyp]] = one.hyp[0], one.ref[0]
    if view == "matching":
        take(pair_kinds(page), page.matching.pairs)
    else:
        take(WordKind.CORRECT, _exact(page.trace))
        take(WordKind.MOVED, _exact(page.matching))
        take(WordKind.SUBSTITUTED, page.trace.pairs)
    return WordKinds(ref, hyp, ref_mate, hyp_mate)


def pair_kinds(page: ScoredPage) -> IntArray:
    """The kind of each pair of the matching, shape as ``page.matching.pairs``.

    Equal words are CORRECT where the trace pairs the same two, else MOVED; others SUBSTITUTED.
    """
    ref, hyp = page.matching.pairs
    in_trace = np.full(len(page.matching.ref_words), -1)
    trace_ref, trace_hyp = page.trace.pairs
    in_trace[trace_ref] = trace_hyp
    as_read = np.where(in_trace[ref] == hyp, WordKind.CORRECT, WordKind.MOVED)
    return np.where(page.matching.equal, as_read, WordKind.SUBSTITUTED)


def _exact(alignment: Alignment) -> tuple[IntArray, IntArray]:
    """Positions of the words paired with an equal word."""
    ref, hyp = alignment.pairs
    return ref[alignment.equal], hyp[alignment.equal]
