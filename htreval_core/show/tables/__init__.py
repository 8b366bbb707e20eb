"""Results as JSON, CSV and text. Every export carries the signature."""

from htreval_core.show.tables.comparison import (
    comparison_csv,
    comparison_json,
    comparison_latex,
    comparison_table,
    pairwise_json,
    pairwise_latex,
    pairwise_table,
)
from htreval_core.show.tables.diagnosis import diagnosis_json, diagnosis_text
from htreval_core.show.tables.evaluation import (
    TABLE_METRICS,
    corpus_json,
    evaluation_csv,
    evaluation_json,
    evaluation_table,
    page_json,
)
from htreval_core.show.tables.experiment import experiment_csv, experiment_json, experiment_text
from htreval_core.show.tables.ladder import ladder_json, ladder_table
from htreval_core.show.tables.pairing import (
    pairing_json,
    pairing_table,
    transcripts_json,
    unpaired_json,
)
from htreval_core.show.tables.values import cell, csv_text, fraction, number, percent, plain

__all__ = [
    "TABLE_METRICS",
    "cell",
    "comparison_csv",
    "comparison_json",
    "comparison_latex",
    "comparison_table",
    "corpus_json",
    "csv_text",
    "diagnosis_json",
    "diagnosis_text",
    "evaluation_csv",
    "evaluation_json",
    "evaluation_table",
    "experiment_csv",
    "experiment_json",
    "experiment_text",
    "fraction",
    "ladder_json",
    "ladder_table",
    "number",
    "page_json",
    "pairing_json",
    "pairing_table",
    "pairwise_json",
    "pairwise_latex",
    "pairwise_table",
    "percent",
    "plain",
    "transcripts_json",
    "unpaired_json",
]
