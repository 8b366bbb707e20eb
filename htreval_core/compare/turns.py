"""Whether one page alone decides which of two systems makes fewer errors."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from htreval_core.metrics.catalog import METRICS
from htreval_core.metrics.columns import ScoreTable
from htreval_core.model import FloatArray, IntArray
from htreval_core.scoring.study import Study


@dataclass(frozen=True, slots=True)
class Turn:
    """Two systems whose order turns round when one page is left out.

    Args:
        ahead: the system with the better value over all pages that both have read.
        other: the system that is ahead without the page.
        page_id: the page on which the two differ most, in errors.
        values: of ``ahead`` and ``other`` over all these pages, as fractions.
        without: the same without the page.
    """

    metric: str
    ahead: str
    other: str
    page_id: str
    values: tuple[float, float]
    without: tuple[float, float]


def turns(study: Study, metric: str = "wer") -> Iterator[Turn]:
    """The pairs of systems whose better and worse hang on a single page.

    Systems that are equal with the page or without it do not turn.
    """
    for a, b in combinations(study.systems, 2):
        found = _turn(study.table(a), study.table(b), metric)
        if found is not None:
            yield found


def _turn(a: ScoreTable, b: ScoreTable, metric: str) -> Turn | None:
    at = {page_id: row for row, page_id in enumerate(b.page_ids)}
    rows = np.array([row for row, one in enumerate(a.page_ids) if one in at], dtype=np.int64)
    if len(rows) < 2:
        return None
    mates = np.array([at[one] for one in a.page_ids[rows]], dtype=np.int64)
    one = METRICS[metric]
    of_a, of_b = one.pooled_columns(a.take(rows)), one.pooled_columns(b.take(mates))
    page = int(np.abs(of_a[0] - of_b[0]).argmax())
    kept = np.flatnonzero(np.arange(len(rows)) != page)
    with_page = _value(metric, of_a), _value(metric, of_b)
    without = _value(metric, of_a, kept), _value(metric, of_b, kept)
    before, after = with_page[0] - with_page[1], without[0] - without[1]
    # Undefined values compare as neither.
    if not before * after < 0:
        return None
    names = a.system, b.system
    if (before > 0) != one.higher_is_better:
        names, with_page, without = names[::-1], with_page[::-1], without[::-1]
    return Turn(metric, *names, str(a.page_ids[rows[page]]), with_page, without)


def _value(
    metric: str, columns: tuple[FloatArray, FloatArray], rows: IntArray | slice = slice(None)
) -> float:
    errors, lengths = columns
    return METRICS[metric].value(float(errors[rows].sum()), float(lengths[rows].sum()))
