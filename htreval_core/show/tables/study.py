"""A study as JSON, CSV and Parquet."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import TypeAlias

from htreval_core.markup import whole
from htreval_core.metrics.catalog import METRICS, exported_metrics
from htreval_core.metrics.columns import ScoreTable
from htreval_core.metrics.values import page_values
from htreval_core.model import EditCounts, PageScores
from htreval_core.scoring.facets import FacetRow
from htreval_core.scoring.pool import Corpus, Tail, edit_counts
from htreval_core.scoring.reliability import reliability_intervals
from htreval_core.scoring.study import Study
from htreval_core.show.pictures.page import parts_json
from htreval_core.show.tables.pairing import unpaired_json, warnings_json
from htreval_core.show.tables.values import JsonValue, as_json, csv_pieces, fields, fraction, number

Cells: TypeAlias = dict[str, tuple[int | float | None, ...]]
"""Errors, length and value of a page by metric; None where a metric does not apply."""


def _edits(counts: EditCounts) -> dict[str, JsonValue]:
    return {**fields(counts, "substitutions deletions insertions hits")}


_OF_PAGES = ("value", "low", "high", "macro", "median", "binomial")


def corpus_json(corpus: Corpus, metrics: Iterable[str]) -> dict[str, JsonValue]:
    """The corpus values of one system by metric."""
    edits = edit_counts(corpus)
    values: dict[str, JsonValue] = {}
    for name in metrics:
        estimate = corpus.estimates[name]
        entry: dict[str, JsonValue] = {
            "errors": number(estimate.errors), "length": number(estimate.length),
            **{name: fraction(getattr(estimate, name)) for name in _OF_PAGES},
            "tail": _tail_json(estimate.tail),
        }  # fmt: skip
        values[name] = entry | (_edits(edits[name]) if name in edits else {})
    return values


def _reliability_json(study: Study, system: str) -> dict[str, JsonValue]:
    """ΔL and ΔR with their 95 % intervals, in percent."""
    corpus, settings = study.corpora[system], study.settings
    ends_l, ends_r = reliability_intervals(
        study.table(system), resamples=settings.resamples, seed=settings.seed
    )
    found = {"delta_l": (corpus.delta_l, *ends_l), "delta_r": (corpus.delta_r, *ends_r)}
    return {
        f"{name}{end}": fraction(value)
        for name, values in found.items()
        for end, value in zip(("", "_low", "_high"), values, strict=True)
    }


def _tail_json(tail: Tail) -> dict[str, JsonValue]:
    """The pages that pull a value; shares and values as fractions."""
    return {
        "over_100_percent": tail.over, "worst": fraction(tail.worst),
        "worst_page": tail.worst_page or None, "heaviest_share": fraction(tail.share),
        "heaviest_page": tail.heaviest_page or None, "without_heaviest": fraction(tail.without),
    }  # fmt: skip


_PAGES_AT_ONCE = 2_048
"""Of all pages at once, the cells of every metric would take more memory than the scores."""


def _parts_of(table: ScoreTable) -> Iterator[ScoreTable]:
    """The table, a number of pages at a time."""
    for start in range(0, len(table), _PAGES_AT_ONCE):
        yield table.take(slice(start, start + _PAGES_AT_ONCE))


def _columns(
    table: ScoreTable, metrics: Sequence[str]
) -> dict[str, list[list[int | float | None]]]:
    """Errors, lengths and values of all pages by metric, as JSON and CSV write them."""
    return {
        name: [
            *([number(one) for one in column.tolist()] for column in METRICS[name].columns(table)),
            [fraction(one) for one in page_values(table, name).tolist()],
        ]
        for name in metrics
    }


def _cells(table: ScoreTable, metrics: Sequence[str]) -> Iterator[tuple[PageScores, Cells]]:
    """Each page with its values, found column by column: one by one would take longer."""
    for part in _parts_of(table):
        columns = {name: zip(*of, strict=True) for name, of in _columns(part, metrics).items()}
        for page in part:
            yield page, {name: next(cells) for name, cells in columns.items()}


def _page_json(scores: PageScores, cells: Cells) -> dict[str, JsonValue]:
    edits = edit_counts(scores)
    values: dict[str, JsonValue] = {"page_id": scores.page_id}
    for name, (errors, length, value) in cells.items():
        entry: dict[str, JsonValue] = {"errors": errors, "length": length, "value": value}
        values[name] = entry | (_edits(edits[name]) if name in edits else {})
    if scores.flags:
        values["flags"] = list(scores.flags)
    return values


_PAGES = '\n   "pages": []'
"""Where the pages of a system stand in JSON without them. No text in JSON holds a line feed."""


def study_json_pieces(
    study: Study, *, metrics: Sequence[str] | None = None, all_pages: bool = False,
    facets: Sequence[FacetRow] = (),
) -> Iterator[str]:  # fmt: skip
    """Everything about a study as valid JSON, a page at a time; undefined values are null.

    Page values are of all pages; ``pages`` says whether corpus values are of those that all
    systems have read ("common") or of all that each has read ("all").

    Args:
        metrics: those of the paper, and what a preset publishes, by default.
        all_pages: give corpus values of all pages of each system, also where these differ.
        facets: corpus values by facet of the pages, to stand beside them.
    """
    metrics = metrics or exported_metrics(study.settings)
    narrowed = study if all_pages else study.on_common_pages()
    systems: dict[str, JsonValue] = {}
    for system, corpus in narrowed.corpora.items():
        systems[system] = {
            **fields(corpus, "n_pages n_ref_words"), "corpus": corpus_json(corpus, metrics),
            "parts": {**parts_json(corpus.parts)} if corpus.parts else None,
            "reliability": _reliability_json(narrowed, system), "pages": [],
        }  # fmt: skip
    content: dict[str, JsonValue] = {
        "signature": study.signature, "pages": "all" if narrowed is study else "common",
        "n_pages": len(study.page_ids), "n_common_pages": len(study.common_page_ids),
        "systems": systems, "unpaired": unpaired_json(study.dataset.unpaired),
        "warnings": warnings_json(study.warnings),
    }  # fmt: skip
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
            "facet": row.name, **fields(row, "value system"),
            **fields(row.corpus, "n_pages n_ref_words"),
            "corpus": corpus_json(row.corpus, metrics),
        }
        for row in rows
    ]  # fmt: skip


def study_csv(study: Study, metrics: Sequence[str] | None = None) -> str:
    """A row per system, page and metric."""
    return "".join(study_csv_pieces(study, metrics))


def study_csv_pieces(study: Study, metrics: Sequence[str] | None = None) -> Iterator[str]:
    """What ``study_csv`` gives, piece by piece."""
    chosen = metrics or exported_metrics(study.settings)

    return csv_pieces(chain([_HEADS], _rows(study, chosen)))


_Row: TypeAlias = tuple[str, str, str, int | float | None, int | float | None, int | float | None]
_HEADS = ("system", "page_id", "metric", "errors", "length", "value")


def _rows(study: Study, metrics: Sequence[str]) -> Iterator[_Row]:
    for system, table in study.scores.items():
        for part in _parts_of(table):
            columns = _columns(part, metrics)
            for place, page_id in enumerate(part.page_ids.tolist()):
                for name, (errors, lengths, values) in columns.items():
                    yield system, page_id, name, errors[place], lengths[place], values[place]


def study_parquet(study: Study, metrics: Sequence[str] | None = None) -> bytes:
    """The rows of ``study_csv`` as Parquet, the signature in the metadata of its schema.

    Texts stand as they are, undefined is null.
    Half of a character pair, which UTF-8 cannot hold, is written as its escape, ``\\ud800``.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns: dict[str, list[object]] = {name: [] for name in _HEADS}
    for system, page_id, *cells in _rows(study, metrics or exported_metrics(study.settings)):
        row = (whole(system), whole(page_id), *cells)
        for column, value in zip(columns.values(), row, strict=True):
            column.append(value)
    texts = ("system", "page_id", "metric")
    types = {name: pa.string() if name in texts else pa.float64() for name in columns}
    table = pa.table({name: pa.array(values, types[name]) for name, values in columns.items()})
    table = table.replace_schema_metadata({"signature": study.signature})
    out = pa.BufferOutputStream()
    pq.write_table(table, out)
    return bytes(out.getvalue())
