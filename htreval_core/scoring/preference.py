"""Whether an output is better than the text it was made from: the preference of HIPE.

The input of a correction is a system of the data set like the others, so that it is shown, too. A
system called "input" is taken for it; any other has to be named (https://hipe-eval.github.io/
HIPE-OCRepair-2026/, the scorer's preference).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from htreval_core.metrics.catalog import METRICS
from htreval_core.metrics.columns import MISSING, ScoreTable
from htreval_core.model import IntArray, PageScores

INPUT = "input"
"""The name of the system that the others are compared with where nobody names one."""
_SAME = 1
"""What ``PageScores.preference`` holds of equal texts; one less where the output is better."""


def against_input(scores: Sequence[PageScores]) -> tuple[PageScores, ...]:
    """The scores of one page, each preferred to that of the system called "input", or not.

    Without such a system they come back as they are.
    """
    if not any(one.system == INPUT for one in scores):
        return tuple(scores)
    by_system = {one.system: ScoreTable.of([one]) for one in scores}
    found = with_input(by_system, INPUT)
    return tuple(
        replace(one, preference=int(found[one.system].counts["preference"][0])) for one in scores
    )


def with_input(tables: Mapping[str, ScoreTable], name: str) -> dict[str, ScoreTable]:
    """The scores of all systems, each page compared with what the system of this name has there.

    A page that this system has not read has no preference. cMER is compared exactly.

    Raises:
        KeyError: there is no such system.
    """
    base = tables[name]
    places = {page_id: row for row, page_id in enumerate(base.page_ids)}
    base_errors, base_lengths = METRICS["cmer"].of_counts(base.counts)
    found: dict[str, ScoreTable] = {}
    for system, table in tables.items():
        rows = np.array([places.get(page_id, -1) for page_id in table.page_ids], dtype=np.int64)
        errors, lengths = METRICS["cmer"].of_counts(table.counts)
        points = np.full(len(table), MISSING, dtype=np.int64)
        both = (rows >= 0) & (table.counts["cer_hits"] != MISSING)
        both[both] = base.counts["cer_hits"][rows[both]] != MISSING
        # a/b against c/d as a·d against c·b: whole numbers do not round. 0/0 is 0.
        theirs = base_errors[rows[both]] * np.maximum(lengths[both], 1)
        ours = errors[both] * np.maximum(base_lengths[rows[both]], 1)
        points[both] = _SAME + _sign(ours - theirs)
        found[system] = replace(table, counts={**table.counts, "preference": points})
    return found


def _sign(numbers: IntArray) -> IntArray:
    return np.sign(numbers).astype(np.int64)
