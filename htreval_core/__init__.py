"""htreval: page-level evaluation of handwritten text recognition.

The engine behind the app and the command line. It follows Vidal, Toselli, Ríos-Vila and
Calvo-Zaragoza, "End-to-End Page-Level Assessment of Handwritten Text Recognition", Pattern
Recognition 142 (2023) 109695.

>>> import htreval_core as hv
>>> page = hv.score_page("right word wrong place", "wrong place right word")
>>> page.scores.wer.errors, page.scores.bwer.errors
(4, 0)
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from htreval_core.buckets import score_buckets
    from htreval_core.compare import (
        COMPARED,
        Comparison,
        PageDifference,
        PairedDifference,
        Pairwise,
        RankFlip,
        compare_all,
        compare_systems,
        page_differences,
    )
    from htreval_core.confusions import char_confusions, letter_rows, wrong_words
    from htreval_core.diagnosis import (
        CensusRow,
        Diagnosis,
        Event,
        EventKind,
        Suspicion,
        diagnose,
        diagnose_page,
        suspect_references,
        take_census,
    )
    from htreval_core.errors import ConfigError, HtrEvalError, PairingError, ReadError
    from htreval_core.experiments import (
        EXPERIMENTS,
        Experiment,
        Faults,
        points_frame,
        run_experiment,
    )
    from htreval_core.ladder import rank_flips, score_ladder
    from htreval_core.metrics.catalog import METRICS, Metric
    from htreval_core.metrics.order import nsfd
    from htreval_core.metrics.page import ScoredPage
    from htreval_core.metrics.pool import Corpus, Estimate, pool_pages
    from htreval_core.model import (
        Alignment,
        Dataset,
        EditCounts,
        Line,
        Page,
        PageScores,
        Transcript,
        Unpaired,
    )
    from htreval_core.outcomes import Agreement, Outcome, WordOutcomes, word_outcomes
    from htreval_core.pairing import pair_path, pair_sources, pair_uploads
    from htreval_core.readers import read_transcript
    from htreval_core.score import Evaluation, score, score_page
    from htreval_core.settings import PRESETS, Limits, Preset, ReadPolicy, Settings, read_signature
    from htreval_core.text import TextPolicy

__all__ = [
    "COMPARED",
    "EXPERIMENTS",
    "METRICS",
    "PRESETS",
    "Agreement",
    "Alignment",
    "CensusRow",
    "Comparison",
    "ConfigError",
    "Corpus",
    "Dataset",
    "Diagnosis",
    "EditCounts",
    "Estimate",
    "Evaluation",
    "Event",
    "EventKind",
    "Experiment",
    "Faults",
    "HtrEvalError",
    "Limits",
    "Line",
    "Metric",
    "Outcome",
    "Page",
    "PageDifference",
    "PageScores",
    "PairedDifference",
    "PairingError",
    "Pairwise",
    "Preset",
    "RankFlip",
    "ReadError",
    "ReadPolicy",
    "ScoredPage",
    "Settings",
    "Suspicion",
    "TextPolicy",
    "Transcript",
    "Unpaired",
    "WordOutcomes",
    "char_confusions",
    "compare_all",
    "compare_systems",
    "diagnose",
    "diagnose_page",
    "letter_rows",
    "nsfd",
    "page_differences",
    "pair_path",
    "pair_sources",
    "pair_uploads",
    "points_frame",
    "pool_pages",
    "rank_flips",
    "read_signature",
    "read_transcript",
    "run_experiment",
    "score",
    "score_buckets",
    "score_ladder",
    "score_page",
    "suspect_references",
    "take_census",
    "word_outcomes",
    "wrong_words",
]

_HOMES = {
    "buckets": ("score_buckets",),
    "compare": (
        "COMPARED",
        "Comparison",
        "PageDifference",
        "PairedDifference",
        "Pairwise",
        "RankFlip",
        "compare_all",
        "compare_systems",
        "page_differences",
    ),
    "confusions": (
        "char_confusions",
        "letter_rows",
        "wrong_words",
    ),
    "diagnosis": (
        "CensusRow",
        "Diagnosis",
        "Event",
        "EventKind",
        "Suspicion",
        "diagnose",
        "diagnose_page",
        "suspect_references",
        "take_census",
    ),
    "errors": (
        "ConfigError",
        "HtrEvalError",
        "PairingError",
        "ReadError",
    ),
    "experiments": (
        "EXPERIMENTS",
        "Experiment",
        "Faults",
        "points_frame",
        "run_experiment",
    ),
    "ladder": (
        "rank_flips",
        "score_ladder",
    ),
    "metrics.catalog": (
        "METRICS",
        "Metric",
    ),
    "metrics.order": ("nsfd",),
    "metrics.page": ("ScoredPage",),
    "metrics.pool": (
        "Corpus",
        "Estimate",
        "pool_pages",
    ),
    "model": (
        "Alignment",
        "Dataset",
        "EditCounts",
        "Line",
        "Page",
        "PageScores",
        "Transcript",
        "Unpaired",
    ),
    "outcomes": (
        "Agreement",
        "Outcome",
        "WordOutcomes",
        "word_outcomes",
    ),
    "pairing": (
        "pair_path",
        "pair_sources",
        "pair_uploads",
    ),
    "readers": ("read_transcript",),
    "score": (
        "Evaluation",
        "score",
        "score_page",
    ),
    "settings": (
        "PRESETS",
        "Limits",
        "Preset",
        "ReadPolicy",
        "Settings",
        "read_signature",
    ),
    "text": ("TextPolicy",),
}
"""Where each name lives. Names are fetched when they are first used, so that the command line
starts at once and ``import htreval_core`` costs next to nothing."""
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOME_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


class _Package(ModuleType):
    """The package itself: importing the module ``score`` must not hide the function of its name."""

    @property
    def score(self) -> Any:
        return import_module(f"{__name__}.score").score

    @score.setter
    def score(self, module: ModuleType) -> None:
        """The import system offers the module; it stays in ``sys.modules`` alone."""


sys.modules[__name__].__class__ = _Package
