"""The pairs of an alignment, read once for all that is counted on them."""

from typing import NamedTuple, TypeAlias

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
