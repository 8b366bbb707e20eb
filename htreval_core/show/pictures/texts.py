"""The texts of a page word by word: what happened to each, and which other word it belongs to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from htreval_core.diagnosis.order.bands import Band, events_of_words
from htreval_core.metrics.kinds import View, WordKind, word_kinds
from htreval_core.metrics.page import ScoredPage
from htreval_core.model import IntArray
from htreval_core.text import PageWords
from htreval_core.words.outcomes import Outcome, agreements, page_outcomes


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """One text; arrays are (words,).

    Args:
        kinds: a ``WordKind`` each.
        mates: positions in the other text, -1 for none.
        events: the number of the event that each word belongs to, from 0; -1 for none.
        pairs: the number of the pair that each word belongs to, which is its position in the
            reference; -1 for none.
    """

    words: PageWords
    kinds: IntArray
    mates: IntArray
    events: IntArray
    pairs: IntArray


@dataclass(frozen=True, slots=True)
class Texts:
    """The reference and the output."""

    reference: Side
    hypothesis: Side

    def count(self, kind: WordKind) -> int:
        """How many words are of a kind: those added in the output, others in the reference."""
        side = self.hypothesis if kind is WordKind.INSERTED else self.reference
        return int(np.count_nonzero(side.kinds == kind))


def picture_texts(page: ScoredPage, view: View, bands: Sequence[Band] = ()) -> Texts:
    """Both texts of a page as one of its alignments sees them.

    Args:
        bands: which words belong to which event.
    """
    kinds = word_kinds(page, view)
    n_ref, n_hyp = len(kinds.ref), len(kinds.hyp)
    of_ref, of_hyp = events_of_words(bands, n_ref, n_hyp)
    numbers = np.where(kinds.ref_mate >= 0, np.arange(n_ref), -1)
    return Texts(
        Side(page.reference, kinds.ref, kinds.ref_mate, of_ref, numbers),
        Side(page.hypothesis, kinds.hyp, kinds.hyp_mate, of_hyp, kinds.hyp_mate),
    )


@dataclass(frozen=True, slots=True, eq=False)
class Threeway:
    """The outputs of two systems, and the reference between them.

    Args:
        a: the texts of A, whose reference is that of B.
        agreement: shape (|X|,), an ``Agreement`` for each word of the reference.
    """

    a: Texts
    b: Texts
    agreement: IntArray


def picture_threeway(a: ScoredPage, b: ScoredPage) -> Threeway:
    """A page under two systems, as their matchings see it."""
    wrong_a, wrong_b = (page_outcomes(page).outcome != Outcome.RIGHT for page in (a, b))
    return Threeway(
        picture_texts(a, "matching"), picture_texts(b, "matching"), agreements(wrong_a, wrong_b)
    )
