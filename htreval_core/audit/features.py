"""What an audit knows of a page without a reference, as columns that a calibration takes."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Mapping

import numpy as np

from htreval_core.audit.audit import Audit
from htreval_core.audit.calibration import Features
from htreval_core.audit.model import PageAudit

_COLUMNS: Mapping[str, Callable[[PageAudit, str], float]] = {
    "apart": lambda page, system: page.apart[system],
    "apart by order": lambda page, system: page.apart_by_order[system],
    "bWER to the nearest": lambda page, system: min(_between(page, system, "bwer")),
    "bWER to the farthest": lambda page, system: max(_between(page, system, "bwer")),
    "ΔWER to the others": lambda page, system: _mean(_between(page, system, "delta_wer")),
    "order to the others": lambda page, system: _mean(_between(page, system, "order_cost")),
    "length": lambda page, system: _length(page, system),
    "signs": lambda page, system: (
        sum(one.words for one in page.marks if one.system == system) / max(page.n_words[system], 1)
    ),
}
"""Each for a page and a system; nan where fewer than two systems have read the page."""


def features_of(found: Audit, system: str) -> Features:
    """The columns of one system, a row for each page that it has read."""
    pages = [page for page in found.pages if system in page.n_words]
    rows = [[_value(of, page, system) for of in _COLUMNS.values()] for page in pages]
    values = np.array(rows, dtype=np.float64).reshape(len(pages), len(_COLUMNS))
    return Features(tuple(page.page_id for page in pages), tuple(_COLUMNS), values)


def true_of(found: Audit, system: str, *, order: bool = False) -> dict[str, float]:
    """The true bWER, or order cost, of the pages of a system that have a reference."""
    return {
        page.page_id: page.true[system][int(order)] for page in found.pages if system in page.true
    }


def _value(of: Callable[[PageAudit, str], float], page: PageAudit, system: str) -> float:
    return of(page, system) if len(page.n_words) > 1 else math.nan


def _between(page: PageAudit, system: str, name: str) -> list[float]:
    return [float(getattr(one, name)) for one in page.pairs if system in one.systems]


def _mean(values: list[float]) -> float:
    return sum(values) / len(values)


def _length(page: PageAudit, system: str) -> float:
    """How far its length is from the middle one of the others, in powers of e."""
    others = [n for other, n in page.n_words.items() if other != system]
    return abs(math.log((page.n_words[system] + 1) / (statistics.median(others) + 1)))
