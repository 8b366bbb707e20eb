"""The Overview's first screen: the table as a chart, every page, the census.

Counts and sentences go in; sorting by another value, opening a page and narrowing to a kind
of fault come back.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from htreval_core import METRICS, EventKind, Study
from htreval_core.compare import Pairwise
from htreval_core.diagnosis import CatastropheRow, CensusRow, Diagnosis
from htreval_core.markup import isolated, shorten, visible
from htreval_core.metrics.columns import MUCH_DOUBT
from htreval_core.metrics.values import page_values
from htreval_core.model import WarningKind
from htreval_core.scoring.filters import LONGEST
from htreval_core.scoring.pool import Corpus
from htreval_core.show.palette import EVENT_COLOURS, event_look
from htreval_core.show.pictograms import pictogram_address
from htreval_core.show.pictures.corpus import picture_systems
from htreval_core.show.tables.results import results_latex, results_markdown
from htreval_core.show.telling.clusters import tell_alike, tell_clusters, tell_few
from htreval_core.show.telling.counting import counted, lower_first, percent
from htreval_core.show.telling.decision import best_system, uses
from htreval_core.show.telling.pages import tell_pages
from htreval_core.show.telling.texts import tell_admissible_corpus, tell_as_written
from htreval_core.show.telling.verdicts import (
    headline,
    rounded_parts,
    tell_catastrophes,
    tell_cause,
    tell_tail,
)
from htreval_core.show.telling.warnings import tell_unread, tell_warnings
from htreval_core.show.views.head import RANKS, ranking
from htreval_core.show.views.names import short_names
from htreval_core.show.views.styles import parts_payload, shown_counts, style_payload

_COLUMNS = 400
"""The most columns of the strip: of more pages several share one."""
_CENSUS = 12
DOUBT_OUT = "not in doubt"
"""The condition that leaves out pages whose reference is in doubt."""
_TESTED = ("wer", "bwer", "delta_wer", "cer", "nsfd")
_FREE = (*_TESTED, "delta_wer_admissible")
"""What the table shows; the last only where a page has fewer errors in another order it allows."""


def told_of(
    whole: Study, study: Study, pairwise: Pairwise | None, census: Sequence[CensusRow],
    catastrophes: Sequence[CatastropheRow] = (),
    as_written: Mapping[str, float] = MappingProxyType({}),
) -> dict[str, Any]:  # fmt: skip
    """The answer as plain text: who is best, why it is not better, what it can be used for.

    Args:
        whole: with every page of every system.
        study: of the pages that are shown.
        catastrophes: the pages of each system that a fault took over.
        as_written: WER of each system where nothing is done to the texts, if that is known.
    """
    of = tell_pages(whole, all_pages=study is whole)
    pages = of or counted(len(study.page_ids), "page")
    missing = len(whole.dataset.unpaired.reference)
    if missing:
        pages += f", {missing:,} more without output"
    best = best_system(study)
    of_best = f"{_shown(best)}: " if len(study.systems) > 1 else ""
    causes = {
        system: tell_cause(corpus, [row for row in census if row.system == system])
        for system, corpus in study.corpora.items()
    }
    others = [
        f"{_shown(system)}: {lower_first(said)}"
        for system, said in causes.items()
        if system != best
    ]
    words = counted(study.n_ref_words, "word")
    picked = (one for one in whole.warnings if others and one.kind is WarningKind.BY_RESULT)
    policy, shown = study.settings.policy, {_shown(one): v for one, v in as_written.items()}
    return {
        "warnings": [*tell_unread(whole, _shown), *tell_warnings(picked)],
        "best": best,
        "head": headline(study, pairwise, _shown) or _tell_single(study, best),
        "cause": f"{of_best}{lower_first(causes[best])}" if of_best else causes[best],
        "uses": [[one.name, one.state, one.short, one.told] for one in uses(study)],
        "policy": tell_as_written(policy, shown),
        "notes": [
            *filter(None, [tell_clusters(study) or tell_alike(pairwise), tell_few(study)]),
            *_tails(study), *(others if len(study.systems) <= _TOLD else ()), *_conventions(study),
        ],
        "of": of,
        "pages": f"{pages} · {words} · {_unit(study)}",
        "catastrophes": [
            [row.system, _shown(row.system), tell_catastrophes(row)]
            for row in catastrophes
            if row.pages
        ],
    }  # fmt: skip


def _tell_single(study: Study, system: str) -> str:
    """The value of the only system, or of the first where none can be called the best."""
    estimate = study.corpora[system].estimates["wer"]
    low, high = percent(estimate.low), percent(estimate.high)
    interval = "" if math.isnan(estimate.low) or low == high else f" ({low}–{high})"
    return f"{_shown(system)}: {percent(estimate.value)} % word errors{interval}."


def first_payload(study: Study) -> dict[str, Any]:
    """The same of the pages that are scored so far, before anything is shown by a test."""
    said = {
        **dict.fromkeys(("best", "of", "cause", "policy"), ""),
        **{key: [] for key in ("warnings", "uses")},
        "head": f"So far: {counted(study.dataset.n_pages, 'page')}",
        "notes": [
            "These pages are drawn at random. The others may change the figures.",
            *(
                f"{_shown(system)}: none of its pages has been scored yet."
                for system in study.dataset.systems
                if system not in study.corpora
            ),
        ],
        "pages": f"{counted(study.n_ref_words, 'word')} · {_unit(study)}",
        "looking": "Layout faults are looked for once all pages are scored.",
    }
    first = max(study.corpora, key=lambda name: study.corpora[name].estimates["delta_wer"].errors)
    return overview_payload(study, said, None, {}, (), chosen=first, rank="delta_wer")


def _unit(study: Study) -> str:
    told = any(not math.isnan(one.estimates["wer"].low) for one in study.corpora.values())
    return f"% of reference words{', 95 % intervals' if told else ''}"


def _conventions(study: Study) -> list[str]:
    """What of each system's ΔWER other orders spare that the pages allow."""
    several = len(study.systems) > 1
    told = ((system, tell_admissible_corpus(of)) for system, of in study.corpora.items())
    return [f"{_shown(system)}: {said}" if several else said for system, said in told if said]


_TOLD = 4
"""The most systems whose causes are told in words; of more the bars tell."""
_TAILS = 3
"""The most sentences on single pages that pull a corpus value."""


def _tails(study: Study) -> list[str]:
    """Pages that make or hide a value by themselves, lest one looped page be the verdict."""
    tails = [
        f"{_shown(system)}: {told}"
        for system, corpus in study.corpora.items()
        if (told := tell_tail(corpus, show=_shown))
    ]
    return tails[:_TAILS]


def _shown(name: str) -> str:
    """A name inside a sentence, which it must not turn where it runs from right to left."""
    return isolated(shorten(visible(name), 60))


def overview_payload(
    study: Study, said: Mapping[str, Any], pairwise: Pairwise | None,
    faults: Mapping[str, Sequence[Diagnosis]], census: Sequence[CensusRow], *, chosen: str,
    rank: str, where: str = "", catastrophes: Sequence[CatastropheRow] = (),
    miniature: Callable[[str], str | None] = lambda _: None, as_table: bool = False,
) -> dict[str, Any]:  # fmt: skip
    """Everything that the component draws, as JSON.

    Args:
        study: of the pages that are shown.
        said: the answer as ``told_of`` gives it.
        faults: the diagnoses of every page; may be empty.
        chosen: the system by which pages are ranked.
        where: the expression to which pages are narrowed; empty for all of them.
        catastrophes: the pages of each system that a fault took over.
        miniature: the image of a page as small as a stamp.
        as_table: whether the table of all pages is open below.
    """
    taken_over = [page for row in catastrophes if row.system == chosen for page in row.pages]
    columns, of_column = _columns(study, chosen, rank, taken_over)
    tables = (study.table(system) for system in study.systems)
    n_doubt = len({page for table in tables for page in table.page_ids[table.doubted]})
    return {
        "looking": "" if faults else "Faults have not been looked for yet: press the button below.",
        "catastrophes": [],
        **said,
        "parts": parts_payload(diagnosed=study.has_parts),
        "labels": {name: [METRICS[name].label, METRICS[name].plain] for name in _shown_by(study)},
        "rows": _rows(study, pairwise, faults),
        "strip": {
            "columns": columns,
            "values": {system: _heights(study, system, of_column) for system in study.systems},
            "rank": rank, "ranks": [list(pair) for pair in RANKS.items()], "chosen": chosen,
            "asTable": as_table, "doubted": MUCH_DOUBT if study.has_parts else 0,
        },
        "census": _census(study, census, faults, where, miniature),
        "where": where,
        "doubt": [n_doubt, DOUBT_OUT in where] if n_doubt or DOUBT_OUT in where else None,
        "take": {
            "tex": results_latex(study, pairwise, all_pages=True, said=said["of"]),
            "md": results_markdown(study, pairwise, all_pages=True, said=said["of"]),
            "name": "htreval-systems",
        },
    }  # fmt: skip


def _shown_by(study: Study) -> Sequence[str]:
    return _FREE if study.is_free else _TESTED


def _rows(
    study: Study, pairwise: Pairwise | None, faults: Mapping[str, Sequence[Diagnosis]]
) -> list[dict[str, Any]]:
    bars = {bar.system: bar for bar in picture_systems(study.corpora)}
    rows = []
    for system, corpus in study.corpora.items():
        errors = shown_counts(study, study.table(system)).sum(axis=1).tolist()
        shares = [one / max(corpus.n_ref_words, 1) for one in errors]
        rows.append(
            {
                "name": system, "shown": shorten(visible(system), 40),
                **style_payload(study, system), "parts": shares,
                "told": _told(errors, corpus.n_ref_words, diagnosed=study.has_parts),
                "end": 0.0 if math.isnan(bars[system].end) else bars[system].end,
                "interval": list(bars[system].interval or ()), "pages": f"{corpus.n_pages:,}",
                "cells": {name: _cell(corpus, pairwise, system, name) for name in _shown_by(study)},
                "moved": _moved(faults.get(system)),
            }
        )  # fmt: skip
    return rows


def _told(errors: Sequence[int], n_words: int, *, diagnosed: bool) -> str:
    """The parts of WER that there are, as they add up."""
    parts = parts_payload(diagnosed=diagnosed)
    shown = zip(rounded_parts(errors, n_words), parts, errors, strict=True)
    return " + ".join(f"{share} {part['name']}" for share, part, n in shown if n)


def _cell(corpus: Corpus, pairwise: Pairwise | None, system: str, name: str) -> dict[str, Any]:
    estimate = corpus.estimates[name]
    known = not math.isnan(estimate.low)
    interval = f"{percent(estimate.low)}–{percent(estimate.high)}" if known else ""
    best = pairwise is not None and name in pairwise.p_pairs and pairwise.best(name) == system
    return {"value": percent(estimate.value), "interval": interval, "best": best}


def _moved(diagnoses: Sequence[Diagnosis] | None) -> str:
    """Words read elsewhere than they stand, through no fault of the reference."""
    if diagnoses is None:
        return "–"
    events = (event for one in diagnoses for event in one.events)
    moved = (one for one in events if one.of_order and one.kind is not EventKind.REFERENCE)
    return f"{sum(event.words for event in moved):,}"


def _columns(
    study: Study, chosen: str, rank: str, taken_over: Sequence[str]
) -> tuple[list[dict[str, Any]], list[list[str]]]:
    """The columns of the strip, the worst page first, and the pages of each."""
    order = ranking(study, chosen, rank, taken_over)
    others = set(study.page_ids) - set(order)
    order += [page_id for page_id in study.page_ids if page_id in others]
    width = -(-len(order) // _COLUMNS)
    of_column = [order[start : start + width] for start in range(0, len(order), width)]
    short = short_names([pages[0] for pages in of_column])
    return [
        {
            "page": pages[0], "shown": shorten(visible(pages[0]), 60), "short": name,
            "more": len(pages) - 1,
        }
        for pages, name in zip(of_column, short, strict=True)
    ], of_column  # fmt: skip


def stretch(
    study: Study, chosen: str, rank: str, taken_over: Sequence[str], ends: tuple[str, str]
) -> str:
    """The filter that keeps the pages between two columns of the strip, and no others.

    Only where their names are too long for a filter, it keeps pages as bad as theirs, too.
    """
    of_column = _columns(study, chosen, rank, taken_over)[1]
    at = [number for number, pages in enumerate(of_column) if pages[0] in ends]
    wanted = [page for pages in of_column[at[0] : at[-1] + 1] for page in pages] if at else []
    named = " or ".join(f'page = "{page}"' for page in wanted)
    if rank not in METRICS:
        return named
    table = study.table(chosen)
    values = 100 * page_values(table, rank)
    of_wanted = values[np.isin(table.page_ids, wanted)]
    if not len(of_wanted) or np.isnan(of_wanted).any():
        return named
    low, high = math.floor(10 * of_wanted.min()) / 10, math.ceil(10 * of_wanted.max()) / 10
    kept = table.page_ids[(values >= low) & (values <= high)]
    of = f'"{chosen}".{rank}'
    is_exact = set(kept) == set(wanted)
    return f"{of} >= {low:g} and {of} <= {high:g}" if is_exact or len(named) > LONGEST else named


def _heights(study: Study, system: str, of_column: Sequence[Sequence[str]]) -> list[Any]:
    """The parts of WER of each column as fractions; null if the system lacks its pages."""
    table = study.table(system)
    parts = shown_counts(study, table)
    row_of = {page: row for row, page in enumerate(table.page_ids)}
    found: list[Any] = []
    for pages in of_column:
        rows = [row_of[page] for page in pages if page in row_of]
        n_words = int(table.counts["n_ref_words"][rows].sum())
        shares = parts[:, rows].sum(axis=1) / n_words if n_words else None
        found.append(None if shares is None else [round(float(share), 4) for share in shares])
    return found


def kind_term(kind: str) -> str:
    """The condition that a page has a fault of a kind."""
    return f"kind = {kind}"


def _census(
    study: Study, census: Sequence[CensusRow], faults: Mapping[str, Sequence[Diagnosis]],
    where: str, miniature: Callable[[str], str | None],
) -> list[dict[str, Any]]:  # fmt: skip
    """A row for each kind of fault, the costliest first, with what it costs each system."""
    of_kind: dict[EventKind, list[CensusRow]] = {}
    for row in census:
        of_kind.setdefault(row.kind, []).append(row)
    return [
        _census_row(study, kind, rows, faults, where, miniature)
        for kind, rows in list(of_kind.items())[:_CENSUS]
    ]


def _census_row(
    study: Study, kind: EventKind, rows: Sequence[CensusRow],
    faults: Mapping[str, Sequence[Diagnosis]], where: str,
    miniature: Callable[[str], str | None],
) -> dict[str, Any]:  # fmt: skip
    costliest = max(rows, key=lambda row: row.errors)
    found = faults[costliest.system]
    costs = [sum(event.errors for event in one.events if event.kind is kind) for one in found]
    worst = found[costs.index(max(costs))].page_id
    return {
        "kind": kind.value,
        "name": kind.value[:1].upper() + kind.value[1:],
        "icon": pictogram_address(kind),
        "systems": [
            {
                "shown": shorten(visible(row.system), 40),
                **style_payload(study, row.system),
                "points": 100 * (row.wer - row.wer_without) if row.wer == row.wer else 0.0,
                "told": f"{counted(row.pages, 'page')}, {counted(row.words, 'word')}, "
                f"{counted(row.errors, 'error')}",
            }
            for row in rows
        ],
        "look": EVENT_COLOURS[event_look(kind, 0)],
        "worst": [worst, costliest.system],
        "image": miniature(worst),
        "chosen": kind_term(kind.value) in where,
    }
