"""What is known of pages besides their text: hand, language, century, model, prompt, …

A table of page metadata is joined by page id. By each of its columns, a facet, a study is split or
narrowed; every value of a study can then be had for one hand, one language, one prompt.
"""

import hashlib
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from unicodedata import normalize

import numpy as np

from htreval_core.errors import ConfigError, ReadError
from htreval_core.model import DataWarning, WarningKind
from htreval_core.scoring.clusters import Clusters, checked_clusters, clusters_by_id
from htreval_core.scoring.pool import Corpus
from htreval_core.scoring.study import Study
from htreval_core.sources.pairing import Pairing
from htreval_core.sources.readers.plain import decode
from htreval_core.sources.readers.table import separated
from htreval_core.sources.sides import naming_column, natural_order, stem

UNKNOWN = "not given"
"""The value of pages that the table does not name, or leaves empty."""
_ID_COLUMNS = ("page_id", "page", "id", "file_name", "filename", "file", "image", "name")
_SYSTEM_COLUMNS = ("system", "model")
_ENDING = re.compile(r"(?<=[^/])\.[^./]*$")
_MOST_ROWS = 200_000
_MOST_COLUMNS = 60
_MOST_VALUES = 40
"""A column with more different values than this tells pages apart; it is no facet."""


@dataclass(frozen=True, slots=True)
class Facets:
    """Values of pages by facet.

    Args:
        names: the facets, in the order of the table.
        of_page: of each page id its values by facet, those that hold under every system.
        of_output: of each page under a system, where the table has a column of systems.
        digest: of the table, which tells it from others.
        columns: by column, however many values it has, the value of each page.
        warnings: that rows name no page while pages have no row.
    """

    names: tuple[str, ...] = ()
    of_page: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    of_output: Mapping[tuple[str, str], Mapping[str, str]] = field(default_factory=dict)
    digest: str = ""
    columns: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    warnings: tuple[DataWarning, ...] = ()

    @property
    def groups(self) -> dict[str, Mapping[str, str]]:
        """The columns by which pages belong together: more than one, fewer than there are pages."""
        return {
            name: of for name, of in self.columns.items() if 1 < len(set(of.values())) < len(of)
        }

    def value(self, name: str, page_id: str, system: str) -> str:
        """The value of a page under a system; ``UNKNOWN`` where the table has none."""
        own = self.of_output.get((page_id, system)) or self.of_page.get(page_id) or {}
        return own.get(name) or UNKNOWN

    def values(self, name: str, study: Study) -> tuple[str, ...]:
        """The different values of a facet in a study; what is not given comes last.

        Raises:
            ConfigError: there is no such facet.
        """
        self.check(name)
        found = {
            self.value(name, page_id, system)
            for system, table in study.scores.items()
            for page_id in table.page_ids
        }
        return tuple(sorted(found, key=lambda value: (value == UNKNOWN, natural_order(value))))

    def check(self, name: str) -> None:
        """Refuse a name that is not a facet, and say which facets there are.

        Raises:
            ConfigError: there is no such facet.
        """
        if name not in self.names:
            known = ", ".join(self.names) or "none: a facet has two values or more"
            raise ConfigError(f"{name!r} is not a facet of these pages; there are {known}")


def read_facets(
    name: str, content: bytes, pages: Iterable[str], encoding: str | None = None
) -> Facets:
    """The facets in a table of page metadata (CSV or TSV, a heading, a row for each page).

    Of the columns called like ids one names the pages (``naming_column``). Where pages have several
    rows, ``system`` or ``model`` tells them apart; a column that says the same in all rows of a
    page holds for its other systems too. Columns that tell almost every page apart are passed over.

    Args:
        pages: ids of the pages, by which rows are joined: as they stand, or without their endings
            and folders where that names one page.
        encoding: of a table that is not UTF-8.

    Raises:
        ReadError: it is no table, or no row names any page.
    """
    given, read = separated(name, decode(name, content, encoding))
    rows = [{column.strip(): cell for column, cell in row.items()} for row in read]
    if len(rows) > _MOST_ROWS:
        raise ReadError(f"{name}: over {_MOST_ROWS:,} rows; give those of these pages")
    header = [column.strip() for column in given][:_MOST_COLUMNS]
    lowered = {one.lower(): one for one in reversed(header)}
    keys = [lowered[one] for one in _ID_COLUMNS if one in lowered]
    if not keys:
        raise ReadError(
            f"{name}: no column of page ids among {', '.join(header[:8]) or 'no columns'}; call it "
            f"one of {', '.join(_ID_COLUMNS)}"
        )
    known = _Known(pages)
    ids = {one: [str(row.get(one) or "").strip() for row in rows] for one in keys}
    key, _ = naming_column(ids, known.ids.values())
    found = [(known.page(page), row) for page, row in zip(ids[key], rows, strict=True)]
    if not any(page for page, _ in found):
        first = str(rows[0].get(key) or "") if rows else ""
        raise ReadError(
            f"{name}: no row names a page of these data (the first is {first[:60]!r}, a page is "
            f"{next(iter(known.ids), '')[:60]!r}); use the ids that htreval pairs shows"
        )
    page_ids = [page for page, _ in found]
    repeats = len(set(filter(None, page_ids))) < sum(map(bool, page_ids))
    by_system = next((lowered[one] for one in _SYSTEM_COLUMNS if one in lowered), None)
    system = by_system if repeats or by_system == lowered.get("system") else None
    columns = {
        column: [_text(row.get(column)) for _, row in found]
        for column in header
        if column not in (key, system)
    }
    names = tuple(column for column, cells in columns.items() if _is_facet(cells))
    by_column: dict[str, dict[str, str]] = {}
    for column, cells in columns.items():
        of_pages, differs = _of_pages(page_ids, cells)
        if not differs:
            by_column[column] = of_pages
        elif system is None and column in names:
            raise ReadError(
                f"{name}: two rows say different things of {differs!r}; keep one, or name the "
                "system of each in a column called system"
            )
    of_output = {
        (page, _text(row.get(system))): {one: columns[one][number] for one in names}
        for number, (page, row) in enumerate(found)
        if page and system is not None
    }
    # What rows of outputs say once may be of these alone.
    of_all = [one for one in names if one in by_column] if repeats or system is None else []
    of_page = {page: {one: by_column[one][page] for one in of_all} for page in page_ids if page}
    digest = hashlib.sha256(content).hexdigest()
    strays = tuple(_text(row.get(key)) for page, row in found if not page and row.get(key))
    n_without = len(known.ids) - len(set(filter(None, page_ids)))
    stray = DataWarning(name, WarningKind.ROWS_STRAY, strays, n_without)
    return Facets(
        names, MappingProxyType(of_page), MappingProxyType(of_output), digest, by_column,
        (stray,) if strays and n_without else (),
    )  # fmt: skip


class _Known:
    """The pages by the names that a table may give them."""

    def __init__(self, pages: Iterable[str]) -> None:
        # Names as macOS writes them look the same as others, and are not equal.
        self.ids = {normalize("NFC", page): page for page in pages}
        self._called: dict[str, dict[str, None]] = {}
        for page in self.ids:
            for name in (page, stem(page)):
                self._called.setdefault(name.rpartition("/")[2], {})[page] = None

    def page(self, given: str) -> str:
        """The page that an id names; empty where it names none, or several."""
        given = normalize("NFC", given.strip())
        for name in (given, stem(given), _ENDING.sub("", given)):
            if name in self.ids:
                return self.ids[name]
            *folders, last = name.split("/")
            fits = [one for one in self._called.get(last, ()) if _may_be(folders, one)]
            if fits:
                return self.ids[fits[0]] if len(fits) == 1 else ""
        return ""


def _may_be(folders: Sequence[str], page: str) -> bool:
    """Whether a page may stand in folders: where both sides name any, the same ones."""
    *own, _ = page.split("/")
    n = min(len(own), len(folders))
    return own[len(own) - n :] == list(folders[len(folders) - n :])


def _text(value: object) -> str:
    return " ".join(value.split())[:200] if isinstance(value, str) else ""


def _of_pages(page_ids: Sequence[str], cells: Sequence[str]) -> tuple[dict[str, str], str]:
    """The cell of each page, and the first page whose rows differ; empty where none does."""
    found: dict[str, str] = {}
    for page, cell in zip(page_ids, cells, strict=True):
        if page and found.setdefault(page, cell) != cell:
            return found, page
    return found, ""


def _is_facet(values: Sequence[str]) -> bool:
    """Whether a column tells pages from others, not almost every page from every other."""
    different = set(filter(None, values))
    if len(different) < 2:
        return False
    few = len(different) <= _MOST_VALUES and 2 * len(different) <= sum(map(bool, values))
    return few or len(different) <= _MOST_VALUES // 2


def _wanted(facets: Facets, where: Mapping[str, Sequence[str]]) -> Callable[[str, str], bool]:
    for name in where:
        facets.check(name)
    return lambda page_id, system: all(
        facets.value(name, page_id, system) in values for name, values in where.items()
    )


def narrow_study(study: Study, facets: Facets, where: Mapping[str, Sequence[str]]) -> Study:
    """The same on the pages that have one of these values in each of these facets.

    Raises:
        ConfigError: there is no such facet, or no page has these values.
    """
    wanted = _wanted(facets, where)
    scores = {}
    for system, table in study.scores.items():
        fits = np.array([wanted(page_id, system) for page_id in table.page_ids], dtype=bool)
        if fits.any():
            scores[system] = table.take(fits)
    if not scores:
        raise _nothing_has(where, facets)
    pages = {page_id for table in scores.values() for page_id in table.page_ids}
    left = study.only(pages=[page_id for page_id in study.page_ids if page_id in pages])
    name = f"{left.dataset.name}, {_told(where)}"
    return replace(left, scores=scores, dataset=replace(left.dataset, name=name))


def narrow_pairing(pairing: Pairing, facets: Facets, where: Mapping[str, Sequence[str]]) -> Pairing:
    """The same before it is read, without pages and outputs that have none of these values.

    Raises:
        ConfigError: there is no such facet, or no page has these values.
    """
    left = pairing.where(_wanted(facets, where))
    if not left.pages:
        raise _nothing_has(where, facets)
    return replace(left, name=f"{left.name}, {_told(where)}")


def _told(where: Mapping[str, Sequence[str]]) -> str:
    return ", ".join(f"{name}={'|'.join(values)}" for name, values in where.items())


def _nothing_has(where: Mapping[str, Sequence[str]], facets: Facets) -> ConfigError:
    told = _told(where)
    rows = (*facets.of_page.values(), *facets.of_output.values())
    there = "; ".join(
        f"{name} is {', '.join(sorted({row[name] for row in rows if row.get(name)})[:12])}"
        for name in where
    )
    return ConfigError(f"no page has {told}; {there}")


def find_clusters(wanted: str, page_ids: Sequence[str], facets: Facets | None) -> Clusters:
    """The clusters of these pages: by a column of that name, else by a pattern of their ids.

    Raises:
        ConfigError: it is neither; or pages have no cluster; or all are of one.
    """
    groups = {} if facets is None else facets.groups
    if wanted in groups:
        of_page = {page: groups[wanted].get(page) or None for page in page_ids}
        return checked_clusters(wanted, of_page)
    if "(" in wanted:
        return clusters_by_id(wanted, page_ids)
    if facets is not None and not facets.of_output and wanted in facets.columns:
        raise ConfigError(f"clusters {wanted!r}: all pages are in one, or each page in its own")
    known = ", ".join(groups) or "none"
    raise ConfigError(
        f"clusters {wanted!r}: not a facet of these pages (there are: {known}), nor a pattern of "
        r"page ids such as '(.*)_\d+'"
    )


_FEWEST = 5


def _without_guess(corpus: Corpus) -> Corpus:
    """The values without intervals where there are too few pages to draw any from."""
    if corpus.n_pages >= _FEWEST:
        return corpus
    found, none = corpus.estimates.items(), math.nan
    return replace(corpus, estimates={n: replace(one, low=none, high=none) for n, one in found})


@dataclass(frozen=True, slots=True)
class FacetRow:
    """The corpus values of one system on the pages with one value of a facet."""

    name: str
    value: str
    system: str
    corpus: Corpus


def score_facets(study: Study, facets: Facets, names: Sequence[str] = ()) -> list[FacetRow]:
    """Corpus values with intervals by facet, value and system.

    Intervals are those of the corpus: pages with the value are resampled. Fewer than five pages
    have no interval.

    Raises:
        ConfigError: there is no such facet.
    """
    rows: list[FacetRow] = []
    for name in names or facets.names:
        for value in facets.values(name, study):
            part = narrow_study(study, facets, {name: [value]})
            rows += [
                FacetRow(name, value, system, _without_guess(corpus))
                for system, corpus in part.corpora.items()
            ]
    return rows
