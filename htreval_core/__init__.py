"""htreval: page-level evaluation of handwritten text recognition.

The engine behind the app and the command line. It follows Vidal, Toselli, Ríos-Vila and
Calvo-Zaragoza, "End-to-End Page-Level Assessment of Handwritten Text Recognition", Pattern
Recognition 142 (2023) 109695.

>>> import htreval_core as hv
>>> page = hv.score_page("right word wrong place", "wrong place right word")
>>> page.scores.wer.errors, page.scores.bwer.errors
(4, 0)
"""

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
from htreval_core.experiments import EXPERIMENTS, Experiment, Faults, points_frame, run_experiment
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
