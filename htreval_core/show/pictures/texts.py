"""The texts of a page word by word: what happened to each, and which other word it belongs to."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from htreval_core.diagnosis.look import Look
from htreval_core.metrics.kinds import View, WordKind, word_kinds
from htreval_core.metrics.page import ScoredPage
from htreval_core.metrics.spaces import Regrouping
from htreval_core.model import IntArray
from htreval_core.text import PageWords
from htreval_core.words.outcomes import Outcome, agreements, page_outcomes


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """One text; arrays are (words,).

    Args:
        kinds: a ``WordKind`` each.
        mates: positions in the other text, -1 for none; for words divided or joined, the first.
    """

    words: PageWords
    kinds: IntArray
    mates: IntArray


@dataclass(frozen=True, slots=True)
class Texts:
    """The reference and the output."""

    reference: Side
    hypothesis: Side

    def count(self, kind: WordKind) -> int:
        """How many words are of a kind: those added in the output, others in the reference."""
        side = self.hypothesis if kind is WordKind.INSERTED else self.reference
        return int(np.count_nonzero(side.kinds == kind))


def picture_texts(page: ScoredPage, view: View, regroupings: Sequence[Regrouping] = ()) -> Texts:
    """Both texts of a page as one of its alignments sees them."""
    kinds = word_kinds(page, view, regroupings)
    return Texts(
        Side(page.reference, kinds.ref, kinds.ref_mate),
        Side(page.hypothesis, kinds.hyp, kinds.hyp_mate),
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


def picture_threeway(a: Look, b: Look) -> Threeway:
    """A page under two systems, as their matchings see it."""
    wrong_a, wrong_b = (
        page_outcomes(one.page, one.diagnosis.regroupings).outcome != Outcome.RIGHT
        for one in (a, b)
    )
    of_a, of_b = (picture_texts(one.page, "matching", one.diagnosis.regroupings) for one in (a, b))
    return Threeway(of_a, of_b, agreements(wrong_a, wrong_b))
