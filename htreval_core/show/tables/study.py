"""A study as JSON, CSV or a text table. Every export carries the signature."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import TypeAlias

import numpy as np

from htreval_core.compare import run_spreads
from htreval_core.markup import whole
from htreval_core.metrics.catalog import METRICS, TABLE_METRICS
from htreval_core.metrics.columns import ScoreTable
from htreval_core.metrics.values import page_value, page_values
from htreval_core.model import EditCounts, PageScores
from htreval_core.scoring.facets import FacetRow
from htreval_core.scoring.pool import Corpus, Tail, edit_counts
from htreval_core.scoring.reliability import reliability_intervals
from htreval_core.scoring.study import Study
from htreval_core.show.tables.pairing import unpaired_json
from htreval_core.show.tables.runs import run_spreads_json, run_spreads_lines
from htreval_core.show.tables.values import (
    JsonValue,
    as_json,
    csv_pieces,
    fraction,
    number,
    plain,
    shown_value,
)
from htreval_core.show.tables.warnings import warnings_json
from htreval_core.show.warnings import tell_unread
from htreval_core.show.wording import tell_tail, tell_turns

Cells: TypeAlias = dict[str, tuple[float, float, float]]
"""Errors, length and value of a page by metric; nan where a metric does not apply."""


def _edits(counts: EditCounts) -> dict[str, JsonValue]:
    return {
        "substitutions": counts.substitutions,
        "deletions": counts.deletions,
        "insertions": counts.insertions,
        "hits": counts.hits,
    }


def corpus_json(corpus: Corpus, metrics: Iterable[str]) -> dict[str, JsonValue]:
    """The corpus values of one system by metric."""
    edits = edit_counts(corpus)
    values: dict[str, JsonValue] = {}
    for name in metrics:
        estimate = corpus.estimates[name]
        entry: dict[str, JsonValue] = {
            "errors": number(estimate.errors),
            "length": number(estimate.length),
            "value": fraction(estimate.value),
            "low": fraction(estimate.low),
            "high": fraction(estimate.high),
            "macro": fraction(estimate.macro),
            "median": fraction(estimate.median),
            "binomial": fraction(estimate.binomial),
            "tail": _tail_json(estimate.tail),
        }
        values[name] = entry | (_edits(edits[name]) if name in edits else {})
    return values


def _reliability_json(study: Study, system: str) -> dict[str, JsonValue]:
    """ΔL and ΔR with their 95 % intervals, in percent."""
    corpus, settings = study.corpora[system], study.settings
    ends_l, ends_r = reliability_intervals(
        study.table(system), resamples=settings.resamples, seed=settings.seed
    )
    return {
        "delta_l": fraction(corpus.delta_l),
        "delta_l_low": fraction(ends_l[0]),
        "delta_l_high": fraction(ends_l[1]),
        "delta_r": fraction(corpus.delta_r),
        "delta_r_low": fraction(ends_r[0]),
        "delta_r_high": fraction(ends_r[1]),
    }


def _tail_json(tail: Tail) -> dict[str, JsonValue]:
    """The pages that pull a value; shares and values as fractions."""
    return {
        "over_100_percent": tail.over,
        "worst": fraction(tail.worst),
        "worst_page": tail.worst_page or None,
        "heaviest_share": fraction(tail.share),
        "heaviest_page": tail.heaviest_page or None,
        "without_heaviest": fraction(tail.without),
    }


def _cells(table: ScoreTable, metrics: Sequence[str]) -> Iterator[tuple[PageScores, Cells]]:
    """Each page with its values, found column by column: one by one would take longer."""
    for start in range(0, len(table), _PAGES_AT_ONCE):
        yield from _cells_of(table.take(slice(start, start + _PAGES_AT_ONCE)), metrics)


_PAGES_AT_ONCE = 2_048
"""Of all pages at once, the cells of every metric would take more memory than the scores."""


def _cells_of(table: ScoreTable, metrics: Sequence[str]) -> Iterator[tuple[PageScores, Cells]]:
    columns = {
        name: zip(
            *(column.tolist() for column in METRICS[name].columns(table)),
            page_values(table, name).tolist(),
            strict=True,
        )
        for name in metrics
    }
    for page in table:
        yield page, {name: next(cells) for name, cells in columns.items()}


def _page_json(scores: PageScores, cells: Cells) -> dict[str, JsonValue]:
    edits = edit_counts(scores)
    values: dict[str, JsonValue] = {"page_id": scores.page_id}
    for name, (errors, length, value) in cells.items():
        entry: dict[str, JsonValue] = {
            "errors": number(errors),
            "length": number(length),
            "value": fraction(value),
        }
        values[name] = entry | (_edits(edits[name]) if name in edits else {})
    if scores.flags:
        values["flags"] = list(scores.flags)
    return values


def study_json(
    study: Study,
    *,
    metrics: Sequence[str] = tuple(METRICS),
    all_pages: bool = False,
    facets: Sequence[FacetRow] = (),
) -> str:
    """Everything about a study as valid JSON, as ``study_json_pieces`` gives it."""
    return "".join(study_json_pieces(study, metrics=metrics, all_pages=all_pages, facets=facets))


_PAGES = '\n   "pages": []'
"""Where the pages of a system stand in JSON without them. No text in JSON holds a line feed."""


def study_json_pieces(
    study: Study,
    *,
    metrics: Sequence[str] = tuple(METRICS),
    all_pages: bool = False,
    facets: Sequence[FacetRow] = (),
) -> Iterator[str]:
    """Everything about a study as valid JSON, a page at a time; undefined values are null.

    Page values are of all pages; ``pages`` says whether corpus values are of those that all
    systems have read ("common") or of all that each has read ("all"). ``runs`` is there where a
    system was run several times.

    Args:
        all_pages: give corpus values of all pages of each system, also where these differ.
        facets: corpus values by facet of the pages, to stand beside them.
    """
    narrowed = study if all_pages else study.on_common_pages()
    systems: dict[str, JsonValue] = {}
    for system, corpus in narrowed.corpora.items():
        systems[system] = {
            "n_pages": corpus.n_pages,
            "n_ref_words": corpus.n_ref_words,
            "corpus": corpus_json(corpus, metrics),
            "parts": asdict(corpus.parts) if corpus.parts else None,
            "reliability": _reliability_json(narrowed, system),
            "pages": [],
        }
    content: dict[str, JsonValue] = {
        "signature": study.signature,
        "pages": "all" if narrowed is study else "common",
        "n_pages": len(study.page_ids),
        "n_common_pages": len(study.common_page_ids),
        "systems": systems,
        "unpaired": unpaired_json(study.dataset.unpaired),
        "warnings": warnings_json(study.warnings),
    }
    if spreads := run_spreads(narrowed, metrics):
        content["runs"] = run_spreads_json(spreads)
    if facets:
        content["facets"] = facets_json(facets, metrics)
    before, *after = as_json(content).split(_PAGES, len(systems))
    yield before
    for system, rest in zip(systems, after, strict=True):
        lead = '\n   "pages": [\n    '
        for of_page in _cells(study.scores[system], metrics):
            yield lead + as_json(_page_json(*of_page)).rstrip("\n").replace("\n", "\n    ")
            lead = ",\n    "
        yield f"\n   ]{rest}" if lead.startswith(",") else f"{_PAGES}{rest}"


def facets_json(rows: Iterable[FacetRow], metrics: Sequence[str]) -> list[JsonValue]:
    """Corpus values by facet: a record a facet, value and system."""
    return [
        {
            "facet": row.name,
            "value": row.value,
            "system": row.system,
            "n_pages": row.corpus.n_pages,
            "n_ref_words": row.corpus.n_ref_words,
            "corpus": corpus_json(row.corpus, metrics),
        }
        for row in rows
    ]


def study_csv(study: Study, metrics: Sequence[str] = tuple(METRICS)) -> str:
    """A row per system, page and metric; the signature stands in the last column."""
    return "".join(study_csv_pieces(study, metrics))


def study_csv_pieces(study: Study, metrics: Sequence[str] = tuple(METRICS)) -> Iterator[str]:
    """What ``study_csv`` gives, piece by piece."""
    heading = ("system", "page_id", "metric", "errors", "length", "value", "signature")
    signature = study.signature

    def rows() -> Iterator[Sequence[object]]:
        yield heading
        for system, table in study.scores.items():
            for page, cells in _cells(table, metrics):
                for name, (*counts, value) in cells.items():
                    shown = (*map(number, counts), fraction(value))
                    yield (system, page.page_id, name, *shown, signature)

    return csv_pieces(rows())


def study_parquet(study: Study, metrics: Sequence[str] = tuple(METRICS)) -> bytes:
    """The rows of ``study_csv`` as Parquet; texts stand as they are, undefined is null.

    Half of a character pair, which UTF-8 cannot hold, is written as its escape, ``\\ud800``.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns: dict[str, list[object]] = {
        name: [] for name in ("system", "page_id", "metric", "errors", "length", "value")
    }
    for system, scores in study.scores.items():
        for page, of_page in _cells(scores, metrics):
            for name, cells in of_page.items():
                row = (whole(system), whole(page.page_id), name, *map(fraction, cells))
                for column, value in zip(columns.values(), row, strict=True):
                    column.append(value)
    texts = ("system", "page_id", "metric")
    types = {name: pa.string() if name in texts else pa.float64() for name in columns}
    table = pa.table({name: pa.array(values, types[name]) for name, values in columns.items()})
    signature = pa.array([study.signature] * len(table), pa.string()).dictionary_encode()
    table = table.append_column("signature", signature)
    table = table.replace_schema_metadata({"signature": study.signature})
    out = pa.BufferOutputStream()
    pq.write_table(table, out)
    return bytes(out.getvalue())


def study_table(
    study: Study,
    metrics: Sequence[str] = TABLE_METRICS,
    *,
    worst: int = 10,
    all_pages: bool = False,
    way_out: str = "",
) -> str:
    """A table for a terminal: each system's values, then the pages with the largest ΔWER.

    Args:
        worst: how many of these pages.
        all_pages: each system on all of its pages, not on those that all systems have read.
        way_out: what the caller offers to see the pages that are left out, said where some are.
    """
    said = study.told_pages(all_pages=all_pages)
    narrowed = study if all_pages else study.on_common_pages()
    if said and narrowed is not study and way_out:
        said = f"{said}; {way_out}"
    first = [f"{one}." for one in [*tell_unread(study, plain), said] if one]
    if first:
        first.append("")
    return "\n".join([*first, *_table_lines(narrowed, metrics, worst)]) + "\n"


def _table_lines(study: Study, metrics: Sequence[str], worst: int) -> Iterator[str]:
    labels = [METRICS[name].label for name in metrics]
    rooms = [max(9, len(label) + 2) for label in labels]
    width = max(len("page"), *(len(plain(system)) for system in study.systems), 8)
    for system, corpus in study.corpora.items():
        yield f"{plain(system)}: {corpus.n_pages} pages, {corpus.n_ref_words:,} reference words"
        yield f"  {'':<18}{'%':>8}  {'95 % interval':>17}  {'errors':>9} / {'length':<9}"
        for name, label in zip(metrics, labels, strict=True):
            e = corpus.estimates[name]
            interval = f"{shown_value(name, e.low)} – {shown_value(name, e.high)}"
            counts = f"{number(e.errors) if name != 'nsfd' else round(e.errors, 2)}"
            yield (
                f"  {label:<18}{shown_value(name, e.value):>8}  {interval:>17}  {counts:>9} / "
                f"{number(e.length)!s:<9}"
            )
        for kind in ("macro", "median"):
            of = {name: getattr(corpus.estimates[name], kind) for name in metrics}
            told = (f"{METRICS[name].label} {shown_value(name, one)}" for name, one in of.items())
            yield f"  {_OF_PAGES[kind]}: {', '.join(told)}"
        if said := tell_tail(corpus, metrics[0], plain):
            yield f"  {said}"
        yield ""
    yield from run_spreads_lines(run_spreads(study, metrics))
    for one in tell_turns(study, plain):
        yield one
        yield ""
    yield f"Pages with the largest ΔWER (first {worst})"
    yield (
        "  "
        + f"{'system':<{width}}  {'page':<20}"
        + "".join(f"{label:>{room}}" for label, room in zip(labels, rooms, strict=True))
    )
    for page in _worst(study, worst):
        values = "".join(
            f"{shown_value(name, page_value(page, name)):>{room}}"
            for name, room in zip(metrics, rooms, strict=True)
        )
        yield f"  {plain(page.system):<{width}}  {plain(page.page_id):<20}{values}"
    yield ""
    yield study.signature


_OF_PAGES = {"macro": "mean of pages", "median": "median of pages"}


def _worst(study: Study, n: int) -> list[PageScores]:
    """The pages with the largest ΔWER of all systems, undefined last."""
    of_systems = []
    for system in study.systems:
        table = study.table(system)
        order = np.argsort(-page_values(table, "delta_wer"), kind="stable")[:n]
        of_systems += list(table.take(order))
    return sorted(of_systems, key=lambda page: _rank(page_value(page, "delta_wer")))[:n]


def _rank(value: float) -> tuple[bool, float]:
    """Largest first, undefined last."""
    return math.isnan(value), -value if not math.isnan(value) else 0.0
