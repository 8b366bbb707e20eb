"""The scores of many pages as columns: a million rows stay small and add up at once."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, TypeAlias, overload

import numpy as np
import numpy.typing as npt

from htreval_core.model import BoolArray, EditCounts, IntArray, PageScores, Parts

Names: TypeAlias = npt.NDArray[np.object_]

EDITS = ("hits", "substitutions", "deletions", "insertions")
_EDITED = ("wer", "bwer")
_WHOLE = tuple(
    entry.name for entry in fields(PageScores) if entry.name not in ("page_id", "system", *_EDITED)
)
COUNTS: tuple[str, ...] = (*_WHOLE, *(f"{name}_{kind}" for name in _EDITED for kind in EDITS))
"""All columns. Together they are a ``PageScores``, no more and no less."""
OPTIONAL: frozenset[str] = frozenset(
    entry.name for entry in fields(PageScores) if "None" in str(entry.type)
)
"""Columns that a page may lack, such as the errors of lines where the sides have other lines."""
MISSING = -1
"""Stands in these for a missing count: no count is below zero."""
_ROWS_AT_ONCE = 10_000
_PARTS = ("spaces", "order", "coincidence", "doubt", "convention", "left_out", "added")
"""Parts of WER that only a diagnosis finds."""


def page_counts(page: PageScores) -> dict[str, int]:
    """The counts of a page by column; ``MISSING`` where a count does not apply."""
    cells = {name: getattr(page, name) for name in _WHOLE}
    cells |= {name: MISSING for name in OPTIONAL if cells[name] is None}
    for name in _EDITED:
        edits = getattr(page, name)
        cells |= {f"{name}_{kind}": getattr(edits, kind) for kind in EDITS}
    return cells


def edit_errors(counts: Mapping[str, Any], name: str) -> Any:
    """The errors of "wer" or "bwer" from its edits: of one page, or an array of many."""
    return sum(counts[f"{name}_{kind}"] for kind in EDITS[1:])


MUCH_DOUBT = 0.1
"""Where less of a page's errors is in doubt, it is as bad whatever its reference says."""


@dataclass(frozen=True, eq=False)
class ScoreTable(Sequence[PageScores]):
    """The scores of one system: a sequence of ``PageScores`` that are made when asked for.

    Args:
        system: whose scores they are.
        page_ids: shape (n,), strings.
        counts: the columns of ``COUNTS``, shape (n,) each.
        clusters: shape (n,), the book or volume that each page belongs to, where that is known:
            intervals and tests then draw these, not pages.
    """

    system: str
    page_ids: Names
    counts: Mapping[str, IntArray]
    clusters: Names | None = None

    @classmethod
    def of(cls, pages: Sequence[PageScores]) -> ScoreTable:
        """The same scores as columns; a table is handed back as it is."""
        if isinstance(pages, ScoreTable):
            return pages
        rows = [[*page_counts(page).values()] for page in pages]
        cells = np.array(rows, dtype=np.int64).reshape(len(rows), len(COUNTS)).T.copy()
        names = np.empty(len(rows), dtype=object)
        names[:] = [page.page_id for page in pages]
        system = pages[0].system if len(pages) else ""
        return cls(system, names, dict(zip(COUNTS, cells, strict=True)))

    @classmethod
    def joined(cls, tables: Sequence[ScoreTable]) -> ScoreTable:
        """The rows of all of these tables of one system, of which there is at least one."""
        counts = {name: np.concatenate([one.counts[name] for one in tables]) for name in COUNTS}
        return cls(tables[0].system, np.concatenate([one.page_ids for one in tables]), counts)

    def __repr__(self) -> str:
        return f"<ScoreTable of {self.system!r}: {len(self):,} pages>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ScoreTable):
            return NotImplemented
        return (
            self.system == other.system
            and np.array_equal(self.page_ids, other.page_ids)
            and all(np.array_equal(self.counts[name], other.counts[name]) for name in COUNTS)
        )

    __hash__ = None  # type: ignore[assignment]

    def errors(self, name: str) -> IntArray:
        """The errors of "wer" or "bwer" on each page, shape (n,)."""
        errors: IntArray = edit_errors(self.counts, name)
        return errors

    def edit_sums(self, name: str) -> EditCounts:
        """The edits of "wer" or "bwer" summed over all pages."""
        return EditCounts(*(int(self.counts[f"{name}_{kind}"].sum()) for kind in EDITS))

    def take(self, rows: IntArray | BoolArray | slice) -> ScoreTable:
        """The table of these rows, in their order."""
        counts = {name: column[rows] for name, column in self.counts.items()}
        clusters = None if self.clusters is None else self.clusters[rows]
        return replace(self, page_ids=self.page_ids[rows], counts=counts, clusters=clusters)

    @property
    def n_clusters(self) -> int:
        """How many books or volumes the pages are of; 0 where that is not known."""
        return 0 if self.clusters is None else len(set(self.clusters.tolist()))

    def on(self, pages: Collection[str]) -> ScoreTable:
        """The table of these pages, in its own order."""
        return self.take(np.array([page_id in pages for page_id in self.page_ids], dtype=bool))

    @property
    def doubted(self) -> BoolArray:
        """Which pages have a reference so much in doubt that it matters, shape (pages,)."""
        least = np.maximum(MUCH_DOUBT * self.errors("wer"), 1)
        found: BoolArray = self.counts["doubt_errors"] >= least
        return found

    @property
    def freed(self) -> BoolArray:
        """Which pages have fewer errors in another order that they allow, shape (pages,)."""
        best = self.counts["admissible_errors"]
        found: BoolArray = (best != MISSING) & (best < self.errors("wer"))
        return found

    @property
    def parts(self) -> Parts | None:
        """The errors of WER on all pages by what they come from; None where one lacks them."""
        columns = [self.counts[f"{name}_errors"] for name in _PARTS]
        if not len(self) or any((column == MISSING).any() for column in columns):
            return None
        spaces, *rest = (int(column.sum()) for column in columns)
        return Parts(int(self.errors("bwer").sum()) - spaces, spaces, *rest)

    def without_spaces(self) -> ScoreTable:
        """The same without WER's and bWER's errors for words divided or joined; other counts stay.

        Each such group has more words on one side than on the other: words added, or left out, are
        taken off first. The table has its parts.
        """
        counts = dict(self.counts)
        for name in ("wer", "bwer"):
            left = self.counts["spaces_errors"]
            for kind in reversed(EDITS[1:]):
                column = f"{name}_{kind}"
                off = np.minimum(left, counts[column])
                counts[column], left = counts[column] - off, left - off
        return replace(self, counts=counts | {"spaces_errors": np.zeros_like(left)})

    def with_parts(
        self, parts: Mapping[str, Parts], admissible: Mapping[str, tuple[int, int]] | None = None
    ) -> ScoreTable:
        """The same with what diagnoses found, by page id; pages without one lose their parts.

        Args:
            admissible: errors in the best order that a page allows, and their bound, where known.
        """
        of_rows = [parts.get(page_id) for page_id in self.page_ids]
        columns = {
            f"{name}_errors": np.array(
                [MISSING if one is None else getattr(one, name) for one in of_rows], dtype=np.int64
            )
            for name in _PARTS
        }
        for place, name in enumerate(("admissible_errors", "admissible_bound")):
            columns[name] = self.counts[name].copy()
            for row, page_id in enumerate(self.page_ids):
                if admissible and page_id in admissible:
                    columns[name][row] = admissible[page_id][place]
        return replace(self, counts={**self.counts, **columns})

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


def _page_scores(page_id: str, system: str, cells: Mapping[str, int]) -> PageScores:
    given: dict[str, Any] = {name: cells[name] for name in _WHOLE}
    given |= {name: None for name in OPTIONAL if given[name] == MISSING}
    for name in _EDITED:
        given[name] = EditCounts(*(cells[f"{name}_{kind}"] for kind in EDITS))
    return PageScores(page_id=page_id, system=system, **given)
