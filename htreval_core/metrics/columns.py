"""The scores of many pages as columns: a million rows stay small and add up at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias, overload

import numpy as np
import numpy.typing as npt

from htreval_core.model import EditCounts, IntArray, PageScores

Names: TypeAlias = npt.NDArray[np.object_]

EDITS = ("hits", "substitutions", "deletions", "insertions")
_PLAIN: Mapping[str, str] = {
    "n_ref_words": "n_ref_words",
    "n_hyp_words": "n_hyp_words",
    "n_ref_chars": "n_ref_chars",
    "n_hyp_chars": "n_hyp_chars",
    "n_word_types": "n_word_types",
    "beta_wer_errors": "beta_errors",
    "cer_errors": "cer_errors",
    "line_wer_errors": "line_errors",
    "hwer_errors": "hwer_errors",
    "hcer_errors": "hcer_errors",
    "hcer_reinserted_errors": "hcer_reinserted_errors",
    "nsfd_errors": "nsfd_sum",
    "nsfd_length": "nsfd_length",
    "kendall_tau_errors": "discordant_pairs",
    "matched_words": "matched_words",
}
"""The attribute of ``PageScores`` that each column holds; named as in ``Evaluation.to_frame``."""
COUNTS: tuple[str, ...] = (
    *_PLAIN,
    *(f"{name}_{kind}" for name in ("wer", "bwer") for kind in EDITS),
)
"""All columns. Together they are a ``PageScores``, no more and no less."""
MISSING = -1
"""Stands in ``line_wer_errors`` where the sides have different lines: no count is below zero."""
_ROWS_AT_ONCE = 10_000


@dataclass(frozen=True, eq=False)
class ScoreTable(Sequence[PageScores]):
    """The scores of one system: a sequence of ``PageScores`` that are made when asked for.

    Args:
        system: whose scores they are.
        page_ids: shape (n,), strings.
        counts: the columns of ``COUNTS``, shape (n,) each.
    """

    system: str
    page_ids: Names
    counts: Mapping[str, IntArray]

    @classmethod
    def of(cls, pages: Sequence[PageScores]) -> ScoreTable:
        """The same scores as columns; a table is handed back as it is."""
        if isinstance(pages, ScoreTable):
            return pages
        rows = [_row(page) for page in pages]
        cells = np.array(rows, dtype=np.int64).reshape(len(rows), len(COUNTS)).T.copy()
        names = np.empty(len(rows), dtype=object)
        names[:] = [page.page_id for page in pages]
        system = pages[0].system if len(pages) else ""
        return cls(system, names, dict(zip(COUNTS, cells, strict=True)))

    @cached_property
    def together(self) -> Any:
        """One ``PageScores`` whose counts are arrays, for formulas that work on either."""
        given: dict[str, Any] = {
            attribute: self.counts[column] for column, attribute in _PLAIN.items()
        }
        lines = self.counts["line_wer_errors"].astype(np.float64)
        given["line_errors"] = np.where(lines == MISSING, np.nan, lines)
        for name in ("wer", "bwer"):
            given[name] = EditCounts(*(self.counts[f"{name}_{kind}"] for kind in EDITS))  # type: ignore[arg-type]
        return PageScores(page_id=self.page_ids, system=self.system, **given)  # type: ignore[arg-type]

    def edit_sums(self, name: str) -> EditCounts:
        """The edits of "wer" or "bwer" summed over all pages."""
        return EditCounts(*(int(self.counts[f"{name}_{kind}"].sum()) for kind in EDITS))

    def take(self, rows: IntArray | npt.NDArray[np.bool_] | slice) -> ScoreTable:
        """The table of these rows, in their order."""
        counts = {name: column[rows] for name, column in self.counts.items()}
        return ScoreTable(self.system, self.page_ids[rows], counts)

    def sorted_by_page(self) -> ScoreTable:
        """The same rows by page id."""
        return self.take(np.argsort(self.page_ids, kind="stable"))

    def __len__(self) -> int:
        return len(self.page_ids)

    @overload
    def __getitem__(self, index: int) -> PageScores: ...
    @overload
    def __getitem__(self, index: slice) -> ScoreTable: ...
    def __getitem__(self, index: int | slice) -> PageScores | ScoreTable:
        if isinstance(index, slice):
            return self.take(index)
        # A negative index, or one too large, is numpy's affair.
        cells = {name: int(column[index]) for name, column in self.counts.items()}
        return _page_scores(self.page_ids[index], self.system, cells)

    def __iter__(self) -> Iterator[PageScores]:
        for start in range(0, len(self), _ROWS_AT_ONCE):
            rows = slice(start, start + _ROWS_AT_ONCE)
            columns = [self.counts[name][rows].tolist() for name in COUNTS]
            for page_id, *cells in zip(self.page_ids[rows], *columns, strict=True):
                yield _page_scores(page_id, self.system, dict(zip(COUNTS, cells, strict=True)))


def _row(page: PageScores) -> list[int]:
    cells = [getattr(page, attribute) for attribute in _PLAIN.values()]
    cells += [getattr(counts, kind) for counts in (page.wer, page.bwer) for kind in EDITS]
    return [MISSING if cell is None else cell for cell in cells]


def _page_scores(page_id: str, system: str, cells: Mapping[str, int]) -> PageScores:
    given: dict[str, Any] = {attribute: cells[column] for column, attribute in _PLAIN.items()}
    if given["line_errors"] == MISSING:
        given["line_errors"] = None
    for name in ("wer", "bwer"):
        given[name] = EditCounts(*(cells[f"{name}_{kind}"] for kind in EDITS))
    return PageScores(page_id=page_id, system=system, **given)
