"""Where each word of a page was read: its place in the reference against that in the output."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from htreval_core.diagnosis.order.bands import Band, events_of_pairs
from htreval_core.metrics.kinds import WordKind, pair_kinds
from htreval_core.metrics.page import ScoredPage
from htreval_core.model import IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Displacement:
    """A dot a pair of the matching, then those left out, then those added; arrays are (dots,).

    Args:
        ref_words: the words of the reference.
        hyp_words: the words of the output.
        ref: positions in the reference, -1 for a word that was added: it stands on the edge.
        hyp: positions in the output, -1 for a word that was left out.
        kinds: a ``WordKind`` each.
        events: the number of the event that each belongs to, from 0; -1 for none.
    """

    ref_words: Sequence[str]
    hyp_words: Sequence[str]
    ref: IntArray
    hyp: IntArray
    kinds: IntArray
    events: IntArray

    @property
    def diagonal(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """Its ends, where a page read in order begins and stops: numbers of words, from 1."""
        return (1, 1), (max(len(self.ref_words), 1), max(len(self.hyp_words), 1))


def picture_displacement(page: ScoredPage, bands: Sequence[Band]) -> Displacement:
    """Every word of both sides once, a pair as one dot.

    Args:
        page: the page as it is matched now.
        bands: which words belong to which event.
    """
    matching = page.matching
    ref, hyp = matching.pairs
    lost, added = matching.unmatched
    n_lost, n_added = len(lost), len(added)
    return Displacement(
        matching.ref_words,
        matching.hyp_words,
        np.concatenate([ref, lost, np.full(n_added, -1)]),
        np.concatenate([hyp, np.full(n_lost, -1), added]),
        np.concatenate([pair_kinds(page), np.full(n_lost, WordKind.DELETED),
                        np.full(n_added, WordKind.INSERTED)]),
        np.concatenate([events_of_pairs(page, bands), np.full(n_lost + n_added, -1)]),
    )  # fmt: skip
