from .audit import audit_csv, audit_json, audit_text
from .comparison import (
    comparison_csv,
    comparison_json,
    comparison_latex,
    comparison_table,
    pairwise_json,
    pairwise_table,
)
from .diagnosis import diagnosis_json, diagnosis_text
from .facets import facets_table
from .ladder import ladder_json, ladder_table
from .marked import markup_text
from .pairing import pairing_json, pairing_table, unpaired_json
from .study import corpus_json, study_csv, study_csv_pieces, study_json_pieces
from .summary import study_table, summary_lines
from .values import cell, csv_text, fraction, number, plain

__all__ = [
    "audit_csv",
    "audit_json",
    "audit_text",
    "cell",
    "comparison_csv",
    "comparison_json",
    "comparison_latex",
    "comparison_table",
    "corpus_json",
    "csv_text",
    "diagnosis_json",
    "diagnosis_text",
    "facets_table",
    "fraction",
    "ladder_json",
    "ladder_table",
    "markup_text",
    "number",
    "pairing_json",
    "pairing_table",
    "pairwise_json",
    "pairwise_table",
    "plain",
    "study_csv",
    "study_csv_pieces",
    "study_json_pieces",
    "study_table",
    "summary_lines",
    "unpaired_json",
]
