"""Corpus values by facet of the pages, as text."""

from collections.abc import Sequence

from htreval_core.metrics.catalog import METRICS
from htreval_core.scoring.facets import FacetRow
from htreval_core.show.tables.values import aligned, plain
from htreval_core.show.telling.counting import shown_value


def facets_table(rows: Sequence[FacetRow], metrics: Sequence[str]) -> str:
    """A block a facet: values down, systems within, with 95 % intervals, in percent."""
    lines: list[str] = []
    shown = metrics[:4]
    for name in dict.fromkeys(row.name for row in rows):
        lines.append(
            f"By {plain(name)}, in % with 95 % intervals (fewer than five pages have none)"
        )
        table = [["", "system", "pages", "words", *(METRICS[metric].label for metric in shown)]]
        for row in (row for row in rows if row.name == name):
            sizes = (f"{row.corpus.n_pages:,}", f"{row.corpus.n_ref_words:,}")
            values = (_told(row, metric) for metric in shown)
            table.append([plain(row.value), plain(row.system), *sizes, *values])
        lines += [*aligned(table, 2), ""]
    return "\n".join(lines)


def _told(row: FacetRow, metric: str) -> str:
    one = row.corpus.estimates[metric]
    value = shown_value(metric, one.value)
    if one.low != one.low:
        return value
    return f"{value} [{shown_value(metric, one.low)}, {shown_value(metric, one.high)}]"
