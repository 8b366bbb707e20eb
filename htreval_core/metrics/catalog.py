"""Every metric by name: what it counts, how counts become a value, and what it means."""

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, TypeAlias

import numpy as np

from htreval_core.metrics.columns import MISSING, ScoreTable, edit_errors, page_counts
from htreval_core.model import FloatArray, PageScores
from htreval_core.settings import PRESETS, Settings

Scale: TypeAlias = Literal["error rate", "share", "correlation"]
Counts: TypeAlias = Mapping[str, Any]
"""The counts of a page by name (``columns.COUNTS``), or the columns of many pages."""


def rate(errors: float, length: float) -> float:
    """errors / length as a fraction; 0/0 is 0.0, k/0 is undefined (nan)."""
    if length:
        return errors / length
    return float("nan") if errors else 0.0


@dataclass(frozen=True, slots=True)
class Metric:
    """One metric: its names, its counts, its scale, and words for people.

    Args:
        name: as in tables, JSON and on the command line.
        label: as a person reads it.
        unit: what errors and length count.
        plain: one sentence without terms of art.
        formula: the definition, in plain notation.
        of_counts: errors and length from the counts of a page, or from those of many as arrays.
        needs: a count that pages may lack; without it the metric does not apply to them.
        scale: how errors e over length n become a value: "error rate" e/n, "share" 1 − e/n,
            "correlation" 1 − 2e/n.
        weighted: True where a corpus value is the mean of page values weighted by reference
            words because the denominators of pages do not add up (NSFD).
        needs_reference: False where a page without reference words has a value all the same.
    """

    name: str
    label: str
    unit: str
    plain: str
    formula: str
    of_counts: Callable[[Counts], tuple[Any, Any]]
    scale: Scale = "error rate"
    weighted: bool = False
    needs: str | None = None
    needs_reference: bool = True

    def counts(self, page: PageScores) -> tuple[float, float] | None:
        """Errors and length of a page; None where the metric does not apply to it."""
        counts = page_counts(page)
        if self.needs is not None and counts[self.needs] == MISSING:
            return None
        errors, length = self.of_counts(counts)
        return errors, length

    def value(self, errors: float, length: float) -> float:
        """The value of given counts as a fraction; nan where it is undefined."""
        return float(self.values(np.array([errors]), np.array([length]))[0])

    def values(self, errors: FloatArray, lengths: FloatArray) -> FloatArray:
        """``value`` for arrays of any one shape."""
        # Not "errors > 0": counts that are nan to begin with have no value either.
        undefined = errors != 0 if self.scale == "error rate" else np.ones(errors.shape, dtype=bool)
        empty = np.where(undefined, np.nan, 0.0)
        share = np.where(lengths > 0, errors / np.where(lengths > 0, lengths, 1.0), empty)
        if self.scale == "share":
            return 1 - share
        if self.scale == "correlation":
            return 1 - 2 * share
        return share

    def columns(self, table: ScoreTable) -> tuple[FloatArray, FloatArray]:
        """``counts`` of every page, shape (pages,) each; nan where the metric does not apply."""
        found = self.of_counts(table.counts)
        errors, lengths = (np.array(counts, dtype=np.float64) for counts in found)
        if self.needs is not None:
            lacking = table.counts[self.needs] == MISSING
            errors[lacking] = lengths[lacking] = np.nan
        return errors, lengths

    def pooled_columns(self, table: ScoreTable) -> tuple[FloatArray, FloatArray]:
        """What each page adds to the corpus value, shape (pages,) each: counts, or N·ρ of N."""
        errors, lengths = self.columns(table)
        if not self.weighted:
            return errors, lengths
        words = np.array(table.counts["n_ref_words"], dtype=np.float64)
        share = np.divide(errors, lengths, out=np.zeros_like(errors), where=lengths > 0)
        share[(lengths == 0) & (errors != 0) & (words > 0)] = np.nan
        lacking = np.isnan(errors)
        share[lacking] = words[lacking] = np.nan
        return words * share, words

    @property
    def higher_is_better(self) -> bool:
        return self.scale != "error rate"

    @property
    def undefined_without_reference(self) -> bool:
        """Whether a page with output and without a reference has no value."""
        return self.needs_reference and not self.higher_is_better


_WORDS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))


def _metric(name: str, of_counts: Callable[[Counts], tuple[Any, Any]], **more: Any) -> Metric:
    return Metric(name, **_WORDS[name], of_counts=of_counts, **more)


_ALL = (
    _metric("wer", lambda c: (edit_errors(c, "wer"), c["n_ref_words"])),
    _metric("bwer", lambda c: (edit_errors(c, "bwer"), c["n_ref_words"])),
    _metric(
        "delta_wer", lambda c: (edit_errors(c, "wer") - edit_errors(c, "bwer"), c["n_ref_words"])
    ),
    _metric(
        "delta_wer_admissible",
        lambda c: (c["admissible_errors"] - edit_errors(c, "bwer"), c["n_ref_words"]),
        needs="admissible_errors",
    ),
    _metric("order_cost", lambda c: (c["order_errors"], c["n_ref_words"]), needs="order_errors"),
    # Undefined for output without a reference; written so that it holds for arrays, too.
    _metric("nsfd", lambda c: (c["nsfd_errors"], c["nsfd_length"] * (
        (c["n_ref_words"] > 0) | (c["n_hyp_words"] == 0))), weighted=True),
    _metric("cer", lambda c: (c["cer_errors"], c["n_ref_chars"])),
    _metric("hwer", lambda c: (c["hwer_errors"], c["n_ref_words"])),
    _metric("hcer", lambda c: (c["hcer_errors"], c["n_ref_chars"])),
    _metric(
        "line_wer", lambda c: (c["line_wer_errors"], c["n_ref_words"]), needs="line_wer_errors"
    ),
    _metric("beta_wer", lambda c: (c["beta_wer_errors"], c["n_ref_words"])),
    _metric(
        "kendall_tau",
        lambda c: (c["kendall_tau_errors"], c["matched_words"] * (c["matched_words"] - 1) // 2),
        scale="correlation",
    ),
    _metric(
        "bow_recall", lambda c: (c["n_ref_words"] - c["bwer_hits"], c["n_ref_words"]), scale="share"
    ),
    _metric(
        "wmer", lambda c: (edit_errors(c, "wer"), edit_errors(c, "wer") + c["wer_hits"]),
        needs_reference=False,
    ),
    _metric(
        "cmer", lambda c: (c["cer_errors"], c["cer_errors"] + c["cer_hits"]), needs="cer_hits",
        needs_reference=False,
    ),
)  # fmt: skip

METRICS: Mapping[str, Metric] = MappingProxyType({metric.name: metric for metric in _ALL})
"""All metrics by name, in the order in which tables show them."""

TABLE_METRICS = ("wer", "bwer", "delta_wer", "cer", "nsfd")
"""Those that a table shows where nobody says which."""
PAPER_METRICS = (*TABLE_METRICS, "hwer", "hcer", "line_wer", "beta_wer")
"""All measures of the paper."""
METRIC_SETS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"paper": PAPER_METRICS, "all": tuple(METRICS)}
)
"""Several metrics by one name."""


def exported_metrics(settings: Settings) -> tuple[str, ...]:
    """Those that a file holds where nobody says which: the paper's, and what a preset publishes."""
    more = next((one.metrics for one in PRESETS.values() if one.counts_as(settings)), ())
    return tuple(name for name in METRICS if name in (*PAPER_METRICS, *more))
