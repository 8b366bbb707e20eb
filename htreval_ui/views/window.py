"""A table of very many pages: sorted and filtered here, shown a window at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import pandas as pd

from htreval_core import Study
from htreval_core.metrics.values import page_values
from htreval_core.model import IntArray
from htreval_ui.studies.opened import Opened
from htreval_ui.views.tables import page_table

ROWS = 200
BY_WORDS, BY_PLACE = "words", "place in the data"


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which rows, in which order.

    Args:
        systems: only these; all where none is named.
        contains: only pages whose name contains this, in either case.
        at_least: the fewest reference words of a page that is shown.
        by: a metric's name, ``BY_WORDS`` or ``BY_PLACE``.
    """

    systems: tuple[str, ...] = ()
    contains: str = ""
    at_least: int = 0
    by: str = "delta_wer"
    descending: bool = True


def order(opened: Opened, wanted: Wanted) -> IntArray:
    """Numbers of the rows that fit, in order; rows are counted system by system."""
    return opened.once(("order", wanted), "", lambda: _order(opened.study, wanted))


def _order(study: Study, wanted: Wanted) -> IntArray:
    keep: list[npt.NDArray[np.bool_]] = []
    values = []
    for system in study.systems:
        table = study.table(system)
        fits = table.counts["n_ref_words"] >= wanted.at_least
        if wanted.systems and system not in wanted.systems:
            fits = np.zeros(len(table), dtype=bool)
        if wanted.contains:
            part = wanted.contains.casefold()
            fits &= np.fromiter((part in name.casefold() for name in table.page_ids), bool)
        keep.append(fits)
        if wanted.by == BY_PLACE:
            values.append(np.arange(len(table), dtype=float))
        elif wanted.by == BY_WORDS:
            values.append(table.counts["n_ref_words"].astype(float))
        else:
            values.append(page_values(table, wanted.by))
    rows = np.flatnonzero(np.concatenate(keep))
    chosen = np.concatenate(values)[rows]
    # nan sorts last, whichever way round.
    return rows[np.argsort(-chosen if wanted.descending else chosen, kind="stable")]


def rows_of(study: Study, numbers: Sequence[int]) -> pd.DataFrame:
    """The rows of these numbers as ``page_table`` shows them, in their order."""
    starts = np.cumsum([0, *(len(study.table(name)) for name in study.systems)])
    system = np.searchsorted(starts, numbers, side="right") - 1
    parts = {
        name: study.table(name).take(np.asarray(numbers)[system == n] - starts[n])
        for n, name in enumerate(study.systems)
    }
    parts = {name: part for name, part in parts.items() if len(part)}
    small = replace(study, scores=parts)
    frame = page_table(small, [], "", 0, {}, "")
    wanted = [
        (study.table(study.systems[s]).page_ids[number - starts[s]],
         study.systems[s])
        for number, s in zip(numbers, system.tolist(), strict=True)
    ]  # fmt: skip
    return frame.set_index(["page", "system"]).loc[wanted].reset_index()
