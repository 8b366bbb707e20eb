"""Two systems or ten, side by side, with the statistics to believe it."""

from htreval_core.compare.by_runs import (
    RunsComparison,
    RunsDifference,
    compare_all_runs,
    compare_runs,
    runs_named,
)
from htreval_core.compare.changes import Change, EventChange, event_changes
from htreval_core.compare.correction import holm
from htreval_core.compare.join import beside, join_studies
from htreval_core.compare.model import (
    LEVEL,
    PRIMARY,
    Comparison,
    PageDifference,
    PairedDifference,
    Pairwise,
    RankFlip,
    favours_b,
)
from htreval_core.compare.runs import Runs, RunSpread, run_spreads, runs_of
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
    "PRIMARY",
    "Change",
    "Comparison",
    "EventChange",
    "PageDifference",
    "PairedDifference",
    "Pairwise",
    "RankFlip",
    "RunSpread",
    "Runs",
    "RunsComparison",
    "RunsDifference",
    "beside",
    "compare_all",
    "compare_all_runs",
    "compare_runs",
    "compare_systems",
    "event_changes",
    "favours_b",
    "holm",
    "join_studies",
    "page_differences",
    "run_spreads",
    "runs_named",
    "runs_of",
]
