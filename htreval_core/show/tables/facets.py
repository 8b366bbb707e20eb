"""Corpus values by facet of the pages, as text."""

from __future__ import annotations

from collections.abc import Sequence

from htreval_core.metrics.catalog import METRICS
from htreval_core.scoring.facets import FacetRow
from htreval_core.show.tables.values import plain, shown_value


def facets_table(rows: Sequence[FacetRow], metrics: Sequence[str]) -> str:
    """A block a facet: values down, systems within, with 95 % intervals, in percent."""
    lines: list[str] = []
    shown = metrics[:4]
    for name in dict.fromkeys(row.name for row in rows):
        lines.append(f"By {plain(name)}, in % with 95 % intervals")
        head = "".join(f"{METRICS[metric].label:>24}" for metric in shown)
        lines.append(f"  {'':<22}{'system':<16}{'pages':>6}{'words':>9}{head}")
        for row in (row for row in rows if row.name == name):
            values = "".join(f"{_told(row, metric):>24}" for metric in shown)
            corpus = row.corpus
            lines.append(
                f"  {plain(row.value)[:21]:<22}{plain(row.system)[:15]:<16}{corpus.n_pages:>6,}"
                f"{corpus.n_ref_words:>9,}{values}"
            )
        lines.append("")
    return "\n".join(lines)


def _told(row: FacetRow, metric: str) -> str:
    one = row.corpus.estimates[metric]
    value = shown_value(metric, one.value)
    if one.low != one.low:
        return value
    return f"{value} [{shown_value(metric, one.low)}, {shown_value(metric, one.high)}]"
