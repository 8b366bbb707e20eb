"""Studies as the tables that pages show."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict

import pandas as pd
import streamlit as st

from htreval_core import METRICS, Study
from htreval_core.diagnosis import Diagnosis
from htreval_core.diagnosis.look import Look
from htreval_core.metrics.kinds import View
from htreval_core.scoring.facets import FacetRow
from htreval_core.scoring.ladder import Rung, ladder_crossings
from htreval_core.scoring.pool import Corpus
from htreval_core.settings import exact_gamma
from htreval_core.show.tables import csv_text
from htreval_core.show.tables.aligned import COLUMNS, aligned_words
from htreval_core.show.tables.latex import latex_table, latex_text
from htreval_core.show.tables.results import markdown_table
from htreval_core.show.telling.counting import counted
from htreval_core.show.views.errors import word_rows
from htreval_core.show.views.names import own_columns
from htreval_core.words.confusions import Confusion
from htreval_core.words.lines import WorstLine
from htreval_core.words.outcomes import WordOutcomes

LADDER_COLUMNS = ("switch", "changes of place")
RANKED = (
    "delta_wer", "delta_wer_admissible", "order_cost", "bwer", "wer", "nsfd", "cer", "hwer",
    "hcer", "kendall_tau",
)  # fmt: skip
"""The metrics that stand beside each page, in this order."""


def frame_csv(frame: pd.DataFrame) -> bytes:
    """A table as CSV in UTF-8, its texts made harmless for spreadsheets."""
    rows = frame.astype(object).itertuples(index=False, name=None)
    return csv_text([tuple(frame.columns), *rows]).encode("utf-8", "backslashreplace")


TAKEN = ("csv", "md", "tex")
"""The ways in which a table can be taken away."""


def frame_text(frame: pd.DataFrame, kind: str, signature: str = "") -> str:
    """A table as CSV, Markdown or LaTeX, whatever its texts hold.

    Args:
        kind: one of ``TAKEN``.
        signature: stands below the Markdown and above the LaTeX.
    """
    if kind == "csv":
        return frame_csv(frame).decode("utf-8", "replace")
    rows = [list(frame.columns), *frame.astype(object).itertuples(index=False, name=None)]
    written = [[_written(cell) for cell in row] for row in rows]
    if kind == "md":
        return markdown_table(written, signature)
    return latex_table([[latex_text(cell) for cell in row] for row in written], signature, "")


def _written(cell: object) -> str:
    if cell is None:
        return ""
    if isinstance(cell, float):
        return "" if math.isnan(cell) else f"{cell:.2f}"
    return str(cell)


def page_table(study: Study, diagnoses: Mapping[str, Sequence[Diagnosis]]) -> pd.DataFrame:
    """One row for each page and system, the largest ΔWER first; rates in percent."""
    frame = study.to_frame()
    frame = frame.sort_values(["delta_wer", "wer"], ascending=False, na_position="last")
    table = frame[["page_id", "system", "n_ref_words"]].rename(
        columns={"page_id": "page", "n_ref_words": "words"}
    )
    for name in RANKED:
        metric = METRICS[name]
        table[metric.label] = frame[name] * (1 if metric.scale == "correlation" else 100)
    found = {(page.page_id, page.system): page for pages in diagnoses.values() for page in pages}
    if found:
        told = [found.get(key) for key in zip(table["page"], table["system"], strict=True)]
        worst = [next(iter(one.events), None) if one else None for one in told]
        brief = [f"{e.kind.value}, {counted(e.errors, 'error')}" if e else "" for e in worst]
        table.insert(4, "worst fault", brief)
    return table.reset_index(drop=True)


def words_frame(look: Look, view: View) -> pd.DataFrame:
    """One row for each word of a page as one of its alignments sees it."""
    return pd.DataFrame(
        map(asdict, aligned_words(look, (view,))), columns=list(COLUMNS), dtype=object
    )


def ladder_frame(rungs: Sequence[Rung], metric: str) -> pd.DataFrame:
    """One row for each switch, one column for each system: the metric in percent."""
    flips = ladder_crossings(rungs, metric)
    of = own_columns(rungs[0].corpora, LADDER_COLUMNS)
    rows = []
    for number, rung in enumerate(rungs):
        passed = [f"{f.now_better} passes {f.now_worse}" for f in flips if f.rung == number]
        values = {of[s]: 100 * c.estimates[metric].value for s, c in rung.corpora.items()}
        rows.append({"switch": rung.label, **values, "changes of place": ", ".join(passed)})
    return pd.DataFrame(rows)


def confusion_frame(
    of_systems: Mapping[str, Sequence[Confusion]], at_most: int = 200
) -> pd.DataFrame:
    """Characters read as others, and how often in each system."""
    counts: dict[tuple[str, str], dict[str, int]] = {}
    for system, confusions in of_systems.items():
        for one in confusions:
            pair = (one.reference, one.read_as)
            counts.setdefault(pair, {})[system] = one.count
    of = own_columns(of_systems, ("reference", "read as"))
    ranked = sorted(counts, key=lambda pair: (-sum(counts[pair].values()), pair))[:at_most]
    return pd.DataFrame(
        [
            {"reference": ref, "read as": hyp}
            | {of[system]: counts[ref, hyp].get(system, 0) for system in of_systems}
            for ref, hyp in ranked
        ],
        columns=["reference", "read as", *of.values()],
    )


def errors_frame(outcomes: WordOutcomes, numbers: Sequence[int]) -> pd.DataFrame:
    """Every different error, how often it occurs and on how many pages."""
    heads = own_columns(outcomes.systems, ("reference", "times", "pages")).values()
    return pd.DataFrame(
        [(*told, times, pages) for told, times, pages in word_rows(outcomes, numbers)],
        columns=["reference", *heads, "times", "pages"],
    )


def lines_frame(lines: Iterable[WorstLine], systems: Sequence[str]) -> pd.DataFrame:
    """Lines, what each system wrote for them, and its errors there."""
    heads = ("page", "line", "errors", "reference")
    errors = own_columns([f"errors of {system}" for system in systems], heads)
    texts = own_columns(systems, (*heads, *errors.values()))
    rows = []
    for one in lines:
        own: dict[str, object] = {}
        for read in one.reads:
            own[errors[f"errors of {read.system}"]] = read.errors
            own[texts[read.system]] = read.text
        known = (one.page_id, one.line, one.errors, one.text)
        rows.append(dict(zip(heads, known, strict=True)) | own)
    several = errors.values() if len(systems) > 1 else ()
    return pd.DataFrame(rows, columns=[*heads, *texts.values(), *several])


def _known(rows: Iterable[dict[str, object]]) -> pd.DataFrame:
    """The rows as a table, without columns of which nothing is known, as intervals of one page."""
    return pd.DataFrame(rows).dropna(axis="columns", how="all")


def values_frame(corpora: Mapping[str, Corpus]) -> pd.DataFrame:
    """Every metric of every system with both kinds of interval; all but correlations in percent."""
    return _known(
        {
            "system": system, "metric": METRICS[name].label, "errors": estimate.errors,
            "length": estimate.length, "micro": by * estimate.value, "low": by * estimate.low,
            "high": by * estimate.high, "± if words were independent": by * estimate.binomial,
            "macro": by * estimate.macro, "median of pages": by * estimate.median,
            "page with most errors": estimate.tail.heaviest_page,
            "without it": by * estimate.tail.without,
        }
        for system, corpus in corpora.items()
        for name, estimate in corpus.estimates.items()
        for by in [1 if METRICS[name].scale == "correlation" else 100]
    )  # fmt: skip


def facet_frame(rows: Sequence[FacetRow], metric: str) -> pd.DataFrame:
    """Corpus values by the values of a facet, in percent, with 95 % intervals."""
    return _known(
        {
            row.name: row.value, "system": row.system, "pages": row.corpus.n_pages,
            "words": row.corpus.n_ref_words, METRICS[metric].label: round(100 * one.value, 2),
            "low": round(100 * one.low, 2), "high": round(100 * one.high, 2),
            "mean of pages": round(100 * one.macro, 2),
        }
        for row in rows
        for one in [row.corpus.estimates[metric]]
    )  # fmt: skip


def gammas(chosen: str) -> list[str]:
    """Values of γ to choose from, the chosen one among them even if a link brought another."""
    usual = ("0", "0.1", "0.5", "1", "2", "5", "10", "20", "50", "100")
    return sorted({*usual, chosen}, key=lambda gamma: exact_gamma(gamma))


def glossary(names: Sequence[str]) -> None:
    """A button that opens plain words and formulas of the given metrics."""
    with st.popover("Terms", icon=":material/help:"):
        for name in names:
            metric = METRICS[name]
            st.markdown(f"**{metric.label}**  {metric.plain}")
            st.code(metric.formula, language=None, wrap_lines=True)
        st.caption(
            "X is the reference, Y the output, N = |X| in words. From Vidal, Toselli, Ríos-Vila "
            "and Calvo-Zaragoza, Pattern Recognition 142 (2023) 109695."
        )
