"""How far words stand from their place: NSFD and Kendall's tau, for any alignment."""

from typing import NamedTuple, TypeAlias

import numpy as np

from htreval_core.model import Alignment, IntArray


class Pairs(NamedTuple):
    """What an alignment pairs and what it leaves alone; on a short page, reading it costs most.

    Args:
        pairs: reference and hypothesis positions of the pairs, as ``Alignment.pairs``.
        unmatched: positions of the words without a mate, as ``Alignment.unmatched``.
    """

    pairs: tuple[IntArray, IntArray]
    unmatched: tuple[IntArray, IntArray]

    @classmethod
    def of(cls, alignment: Alignment) -> "Pairs":
        """The same, found in one go."""
        ref, hyp = alignment.ref_index, alignment.hyp_index
        in_ref, in_hyp = ref >= 0, hyp >= 0
        both = in_ref & in_hyp
        return cls((ref[both], hyp[both]), (ref[~in_hyp], hyp[~in_ref]))


Paired: TypeAlias = Alignment | Pairs
"""Whatever has ``pairs`` and ``unmatched``."""


def footrule(alignment: Paired) -> tuple[int, int]:
    """Numerator and denominator of the normalised Spearman footrule distance.

    Positions are renumbered 1, 2, … on each side without the unmatched words; then |j − k| is
    summed over the pairs, and every unmatched word of either side adds 1. The denominator is
    ⌊M²/2⌋ with M = max(|X|, |Y|), and 1 where M ≤ 1 (Vidal et al. 2023, Sec. 5).
    """
    ref, hyp = alignment.pairs
    lost, added = map(len, alignment.unmatched)
    longer = len(ref) + max(lost, added)
    # The places of one side in the order of the other: |j − k| in another order of pairs.
    places = hyp[ref.argsort(kind="stable")].argsort(kind="stable")
    far = int(np.abs(places - np.arange(len(places))).sum())
    return far + lost + added, max(longer * longer // 2, 1)


def discordant_pairs(alignment: Paired) -> int:
    """Pairs of matched words that stand in opposite order on the two sides.

    With m matched words, Kendall's tau is 1 − 4·discordant / (m(m−1)). Positions are distinct,
    so there are no ties.
    """
    ref, hyp = alignment.pairs
    in_order = hyp[ref.argsort(kind="stable")]
    if (in_order[1:] > in_order[:-1]).all():
        return 0
    # One bit a word: quicker at every size than a sorted list, or than looking at all pairs.
    seen = crossings = 0
    for position in in_order.tolist():
        crossings += (seen >> position).bit_count()
        seen |= 1 << position
    return crossings
