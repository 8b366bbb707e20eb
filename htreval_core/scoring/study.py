"""The scored data set: what every view, export and comparison takes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from htreval_core.diagnosis.look import Look
from htreval_core.diagnosis.model import Diagnosis
from htreval_core.markup import join, listed, shorten, table, tag
from htreval_core.metrics.catalog import METRICS, TABLE_METRICS
from htreval_core.metrics.columns import EDITS, MISSING, ScoreTable
from htreval_core.metrics.page import ScoredPage, score_page
from htreval_core.metrics.values import page_values
from htreval_core.model import DataWarning, Failure, Page, PageScores, PageUnder, WarningKind
from htreval_core.scoring.clusters import Clusters
from htreval_core.scoring.found import KeptDiagnoses
from htreval_core.scoring.pool import Corpus, Estimate, pool_pages
from htreval_core.settings import Settings
from htreval_core.sources.dataset import Dataset

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False)
class Study:
    """One data set with the scores of every page under every system that read it.

    Only counts are held. Alignments of a page are found again by ``look``: that takes about a
    millisecond, and a million pages fit in memory.

    Args:
        dataset: the pages, where they come from, and what could not become one.
        settings: those of the scoring.
        scores: of each system that has any, the counts of its pages as columns.
        failures: pages that could not be scored; everything else is.
        made_with: the signature of values that were opened, not computed here.
        kept: the longest pages with their alignments, which take long to find again.
        diagnosed: of a whole run bundle, where it keeps the diagnoses of its pages.
        build: of the engine that found values which were opened; None where this one did.
        clusters: what the pages belong to, where somebody has said so (``in_clusters``).
    """

    dataset: Dataset
    settings: Settings
    scores: Mapping[str, ScoreTable]
    failures: tuple[Failure, ...] = ()
    made_with: str | None = None
    kept: Mapping[PageUnder, ScoredPage] = field(default_factory=dict)
    diagnosed: KeptDiagnoses | None = None
    build: str | None = None
    clusters: Clusters | None = None

    def __repr__(self) -> str:
        systems = listed(self.systems)
        failed = f", {len(self.failures):,} failures" if self.failures else ""
        return (
            f"<Study of {self.dataset.name!r}: {len(self.dataset.pages):,} pages, "
            f"systems {systems}{failed}>"
        )

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems that have scores, in the order of the data set."""
        return tuple(self.scores)

    @cached_property
    def signature(self) -> str:
        """One line that pins every setting and version that the values depend on."""
        made_with = self.made_with or self.settings.signature()
        if self.clusters is None:
            return made_with
        return f"{made_with}|clusters:{self.clusters.digest}"

    @property
    def warnings(self) -> tuple[DataWarning, ...]:
        """What a reader of the values should know: of the data, and which pages failed."""
        failed = (failure.warning for failure in self.failures)
        return (*self.data_warnings, *self._without_text(), *failed)

    def _without_text(self) -> Iterator[DataWarning]:
        """Pages on which only one side has words, which all count as errors."""
        blank = dict[str, DataWarning]()
        for system, scores in self.scores.items():
            n_ref, n_hyp = scores.counts["n_ref_words"], scores.counts["n_hyp_words"]
            for row in np.flatnonzero((n_ref == 0) != (n_hyp == 0)).tolist():
                page = scores.page_ids[row]
                if n_hyp[row]:
                    blank[page] = DataWarning(page, WarningKind.REFERENCE_EMPTY)
                else:
                    yield DataWarning(page, WarningKind.OUTPUT_EMPTY, (system,))
        yield from blank.values()

    @property
    def data_warnings(self) -> tuple[DataWarning, ...]:
        """What to know of the data under these settings."""
        policy, settled = self.settings.policy, set[WarningKind]()
        if policy.words in ("unicode", "characters"):
            settled.add(WarningKind.NO_SPACES)
        if policy.equivalents or policy.mapping:
            settled.add(WarningKind.PRIVATE_SIGNS)
        return tuple(one for one in self.dataset.warnings if one.kind not in settled)

    @property
    def page_ids(self) -> tuple[str, ...]:
        """The ids of all pages of the data set, in their order."""
        return self.dataset.page_ids

    @cached_property
    def n_ref_words(self) -> int:
        """The words of the references of all pages that any system has read."""
        tables = ((one.page_ids, one.counts["n_ref_words"]) for one in self.scores.values())
        return sum({page: int(n) for of in tables for page, n in zip(*of, strict=True)}.values())

    def page(self, page_id: str) -> Page:
        """The texts of one page.

        Raises:
            KeyError: there is no such page.
        """
        return self.dataset.page(page_id)

    def table(self, system: str) -> ScoreTable:
        """The scores of a system as columns."""
        return self.scores[system]

    @cached_property
    def _page_ids(self) -> Mapping[str, frozenset[str]]:
        return {system: frozenset(table.page_ids) for system, table in self.scores.items()}

    @cached_property
    def corpora(self) -> Mapping[str, Corpus]:
        """The corpus values of each system."""
        return {system: self.corpus(system) for system in self.systems}

    def corpus(self, system: str) -> Corpus:
        """Micro- and macro-averages and intervals over the pages of one system."""
        return pool_pages(
            self.table(system), resamples=self.settings.resamples, seed=self.settings.seed
        )

    def pages_of(self, system: str) -> frozenset[str]:
        """Ids of the pages that were scored under a system."""
        return self._page_ids[system]

    @cached_property
    def common_page_ids(self) -> tuple[str, ...]:
        """Ids of the pages that were scored under every system that has any, in their order."""
        if not self._page_ids:
            return ()
        common = frozenset.intersection(*self._page_ids.values())
        return tuple(page_id for page_id in self.page_ids if page_id in common)

    @property
    def narrows(self) -> bool:
        """Whether systems have read different pages and some pages were read by all of them."""
        return 0 < len(self.common_page_ids) < max(map(len, self._page_ids.values()), default=0)

    def on_common_pages(self) -> Study:
        """The same on the pages that every system has read: there their values compare.

        Settings, parts, warnings, failures and files without a counterpart stay: they say why
        pages are left out. The study itself where all systems have read the same pages, where
        there is but one, and where no page was read by all of them; ``is_uneven`` says whether.
        """
        return self._on_common_pages if self.narrows else self

    @cached_property
    def _on_common_pages(self) -> Study:
        return replace(self.only(pages=self.common_page_ids), failures=self.failures)

    @property
    def is_uneven(self) -> bool:
        """Whether systems have read different pages."""
        return len(set(self._page_ids.values())) > 1

    def scores_of(self, page_id: str, system: str) -> PageScores:
        """The scores of one page under one system.

        Raises:
            KeyError: the page was not scored under the system.
        """
        table = self.table(system)
        rows = np.flatnonzero(table.page_ids == page_id)
        if not len(rows):
            raise KeyError(page_id)
        return table[int(rows[0])]

    def look(self, page_id: str, system: str) -> Look:
        """One page under one system with its alignments, its layout and its diagnosis.

        Raises:
            KeyError: the page is not in the data set, or the system has not read it.
        """
        page = self.page(page_id)
        scored = self.kept.get((page_id, system)) or score_page(
            page.reference, page.hypotheses[system], self.settings, page_id=page_id, system=system
        )
        return Look(
            scored, page.reference, page.hypotheses[system], self.settings,
            image=self.dataset.images.get(page_id),
        )  # fmt: skip

    def only(
        self, systems: Sequence[str] | None = None, pages: Iterable[str] | None = None
    ) -> Study:
        """The same with these systems or pages only; no page is scored again.

        Raises:
            KeyError: there is no such system or page.
        """
        if systems is None and pages is None:
            return self
        named = self.dataset.systems if systems is None else tuple(systems)
        for system in named:
            if system not in self.dataset.systems:
                raise KeyError(system)
        order = self.scores if systems is None else named
        scores = {system: self.scores[system] for system in order if system in self.scores}
        failures = tuple(one for one in self.failures if one.system in named)
        if pages is not None:
            pages = tuple(pages)
            wanted = frozenset(pages)
            for page_id in pages:
                if page_id not in self.dataset:
                    raise KeyError(page_id)
            left_over = {system: table.on(wanted) for system, table in scores.items()}
            scores = {system: table for system, table in left_over.items() if len(table)}
            failures = tuple(one for one in failures if one.page_id in wanted)
        if not self.scores:
            # Nothing is scored yet: which pages the systems have read, the pages say.
            return replace(self, dataset=self.dataset.only(named, pages), diagnosed=None)
        read = {one.page_id for one in failures}.union(*(t.page_ids for t in scores.values()))
        left = [one for one in self.dataset.page_ids if one in read]
        return replace(
            self, dataset=self.dataset.only(named, left), scores=scores, failures=failures,
            diagnosed=None,
        )  # fmt: skip

    def with_parts(self, diagnoses: Mapping[str, Sequence[Diagnosis]]) -> Study:
        """The same with what the diagnoses of its pages found: what order really costs, and so on.

        Then ``order_cost`` and ΔWER* are metrics like the others, with interval and paired test.
        """
        scores = dict(self.scores)
        for system, found in diagnoses.items():
            if system in scores:
                parts = {one.page_id: one.parts for one in found}
                best = {one.page_id: one.admissible for one in found if one.admissible}
                scores[system] = scores[system].with_parts(parts, best)
        return replace(self, scores=scores)

    def in_clusters(self, clusters: Clusters | None) -> Study:
        """The same with intervals and tests that draw these clusters of pages, not single pages."""
        scores = {
            system: replace(table, clusters=clusters.of(table.page_ids) if clusters else None)
            for system, table in self.scores.items()
        }
        return replace(self, scores=scores, clusters=clusters)

    @property
    def table_metrics(self) -> tuple[str, ...]:
        """What a table shows where nobody says which.

        With the order cost where it is known, and what is admissible where that is less.
        """
        names: list[str] = []
        for name in TABLE_METRICS:
            names.append(name)
            if name == "delta_wer" and self.has_parts:
                names.append("order_cost")
            if self.is_free and name == "delta_wer":
                names.append("delta_wer_admissible")
        return tuple(names)

    @property
    def is_free(self) -> bool:
        """Whether any page has fewer errors in another order that it allows."""
        return any(bool(table.freed.any()) for table in self.scores.values())

    @property
    def has_parts(self) -> bool:
        """Whether every page of every system was diagnosed."""
        columns = [table.counts["order_errors"] for table in self.scores.values()]
        return bool(columns) and not any((column == MISSING).any() for column in columns)

    @property
    def shares_pages(self) -> bool:
        """Whether any two systems have read the same page, so that they can be compared."""
        sides = [self.pages_of(system) for system in self.systems]
        return any(a & b for n, a in enumerate(sides) for b in sides[:n])

    def _repr_html_(self) -> str:
        """The corpus values with 95 % intervals, in percent, as a notebook shows them.

        Of several systems on the pages that all of them have read."""
        study = self.on_common_pages()
        rows = [
            [
                tag("bdi", shorten(system)), f"{corpus.n_pages:,}", f"{corpus.n_ref_words:,}",
                *(_in_percent(corpus.estimates[name]) for name in self.table_metrics),
            ]
            for system, corpus in study.corpora.items()
        ]  # fmt: skip
        head = ["system", "pages", "words", *(METRICS[name].label for name in self.table_metrics)]
        pages = tag("p", f"{len(study.page_ids):,} of {len(self.page_ids):,} pages")
        signature = tag("p", tag("small", self.signature))
        return join([table(head, rows), pages if self.narrows else None, signature])

    def to_frame(self) -> pd.DataFrame:
        """A table with a row per system and page.

        Columns: ``system``, ``page_id``, ``n_ref_words``, ``n_hyp_words``, ``n_ref_chars``, and
        for each metric its value as a fraction (nan where undefined), ``…_errors`` and
        ``…_length``; for WER and bWER also hits, substitutions, deletions and insertions.
        """
        import pandas as pd

        tables = self.scores.values() or [ScoreTable.of([])]
        return pd.concat(map(_frame, tables), ignore_index=True)


def _in_percent(estimate: Estimate) -> str:
    if math.isnan(estimate.value):
        return "–"
    value = f"{100 * estimate.value:.2f}"
    if math.isnan(estimate.low):
        return value
    return f"{value} [{100 * estimate.low:.2f}, {100 * estimate.high:.2f}]"


def _frame(table: ScoreTable) -> pd.DataFrame:
    import pandas as pd

    columns: dict[str, object] = {"system": table.system, "page_id": table.page_ids}
    columns |= {name: table.counts[name] for name in ("n_ref_words", "n_hyp_words", "n_ref_chars")}
    for name, metric in METRICS.items():
        columns[name] = page_values(table, name)
        for kind, counts in zip(("errors", "length"), metric.columns(table), strict=True):
            # Counts are whole numbers; only where a metric does not apply they are nan.
            whole = not np.isnan(counts).any()
            columns[f"{name}_{kind}"] = counts.astype(np.int64) if whole else counts
        if name in ("wer", "bwer"):
            columns |= {f"{name}_{kind}": table.counts[f"{name}_{kind}"] for kind in EDITS}
    return pd.DataFrame(columns)
