"""Two systems or ten, side by side, with the statistics to believe it."""

from htreval_core.compare.join import Joined, join_evaluations
from htreval_core.compare.model import (
    LEVEL,
    Comparison,
    PageDifference,
    PairedDifference,
    Pairwise,
    RankFlip,
    favours_b,
)
from htreval_core.compare.systems import (
    COMPARED,
    FEWEST,
    compare_all,
    compare_systems,
    page_differences,
)

__all__ = [
    "COMPARED",
    "FEWEST",
    "LEVEL",
    "Comparison",
    "Joined",
    "PageDifference",
    "PairedDifference",
    "Pairwise",
    "RankFlip",
    "compare_all",
    "compare_systems",
    "favours_b",
    "join_evaluations",
    "page_differences",
]
