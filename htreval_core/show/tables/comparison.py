"""Systems side by side: JSON, a table for a terminal, CSV, LaTeX. All carry the signature."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from textwrap import fill

from htreval_core.compare import LEVEL, PRIMARY, Comparison, Pairwise
from htreval_core.metrics.catalog import METRICS
from htreval_core.model import DataWarning
from htreval_core.scoring.study import Study
from htreval_core.show.tables.latex import latex_label, latex_table, latex_text
from htreval_core.show.tables.pairing import warnings_json
from htreval_core.show.tables.summary import signed
from htreval_core.show.tables.values import JsonValue, aligned, as_json, csv_text, fraction, plain
from htreval_core.show.telling.clusters import exchanges, of_pages, tell_neighbours, tell_settling
from htreval_core.show.telling.counting import (
    MINUS,
    counted,
    interval_text,
    p_value,
    shown_value,
    signed_value,
)
from htreval_core.show.telling.verdicts import comparison_verdict, headline

_WIDTH = 100


def comparison_json(comparison: Comparison, *, warnings: Sequence[DataWarning] = ()) -> str:
    """Two systems as JSON: fractions, undefined ones null."""
    content = _pair_json(comparison)
    content["warnings"] = warnings_json([*warnings, *comparison.warnings])
    return as_json(
        {"signature": comparison.signature}
        | content
        | {"seed": comparison.seed, "resamples": comparison.resamples}
    )


def comparisons_json(
    comparisons: Sequence[Comparison], *, warnings: Sequence[DataWarning] = ()
) -> str:
    """Several pairs of systems that are no ranking as JSON, each as in ``pairwise_json``."""
    first = comparisons[0]
    return as_json(
        {
            "signature": first.signature,
            "pairs": [
                _pair_json(one) | {"warnings": warnings_json(one.warnings)} for one in comparisons
            ],
            "warnings": warnings_json(warnings),
            "seed": first.seed,
            "resamples": first.resamples,
        }
    )


def pairwise_json(pairwise: Pairwise, *, warnings: Sequence[DataWarning] = ()) -> str:
    """All pairs of systems as JSON, with the ranking per metric."""
    pairs: list[JsonValue] = []
    for pair, comparison in pairwise.pairs.items():
        content = _pair_json(comparison)
        content["p_pairs"] = {name: fraction(p[pair]) for name, p in pairwise.p_pairs.items()}
        content["warnings"] = warnings_json(comparison.warnings)
        pairs.append(content)
    return as_json(
        {
            "signature": pairwise.signature, "systems": list(pairwise.systems), "pairs": pairs,
            "ranks": {name: dict(ranks) for name, ranks in pairwise.ranks.items()},
            "warnings": warnings_json([*warnings, *pairwise.warnings]), "seed": pairwise.seed,
            "resamples": pairwise.resamples,
        }
    )  # fmt: skip


def _pair_json(comparison: Comparison) -> dict[str, JsonValue]:
    return {
        "systems": list(comparison.systems),
        "n_pages": comparison.n_pages,
        "n_clusters": comparison.n_clusters,
        "neighbours": None if comparison.neighbours is None else asdict(comparison.neighbours),
        "metrics": {
            name: {of: fraction(getattr(one, of)) for of in _FRACTIONS}
            | {of: getattr(one, of) for of in _PAGES}
            for name, one in comparison.metrics.items()
        },
        "rank_flips": list(comparison.rank_flips),
        "unpaired": {
            comparison.systems[0]: list(comparison.only_a),
            comparison.systems[1]: list(comparison.only_b),
        },
    }


_FRACTIONS = ("a", "b", "difference", "low", "high", "p", "p_holm", "smallest")
_PAGES = ("wins", "ties", "losses")


def comparison_csv(comparisons: Sequence[Comparison], pairwise: Pairwise | None = None) -> str:
    """A row per pair of systems and metric, as fractions."""
    head = ("system_a", "system_b", "n_pages", "metric", *_FRACTIONS, "p_pairs", *_PAGES)
    rows: list[Sequence[object]] = [(*head, "resamples", "seed")]
    for comparison in comparisons:
        for name, one in comparison.metrics.items():
            p_pairs = pairwise.p(name, *comparison.systems) if pairwise else math.nan
            values = [*(getattr(one, field) for field in _FRACTIONS), p_pairs]
            counts = (getattr(one, field) for field in _PAGES)
            shown = (*map(fraction, values), *counts, comparison.resamples, comparison.seed)
            rows.append((*comparison.systems, comparison.n_pages, name, *shown))
    return csv_text(rows)


def comparison_table(comparison: Comparison) -> str:
    """Two systems for a terminal: values and differences in percent and points."""
    return signed(_pair_lines(comparison), comparison.signature)


def _pair_lines(comparison: Comparison) -> Iterator[str]:
    a, b = map(plain, comparison.systems)
    pages = of_pages(comparison.n_pages, comparison.n_clusters)
    first = comparison_verdict(comparison, a, b)[:1]
    if first:
        beside = tell_neighbours(comparison), tell_settling(comparison)
        yield fill(" ".join(filter(None, (*first, *beside))), _WIDTH)
    yield f"A = {a}, B = {b}: {pages}, {exchanges(comparison)}"
    rows = [["", "A", "B", "B − A", "95 % interval", "p", "p (Holm)", "B better/=/worse",
             "could show", ""]]  # fmt: skip
    for name, one in comparison.metrics.items():
        better = (
            f"{'B' if one.b_is_better else 'A'} is better{'' if one.shown else ', uncorrected'}"
        )
        rows.append(
            [
                METRICS[name].label, shown_value(name, one.a), shown_value(name, one.b),
                signed_value(name, one.difference),
                interval_text(name, one.low, one.high, signed=True), p_value(one.p),
                p_value(one.p_holm), f"{one.wins}/{one.ties}/{one.losses}",
                shown_value(name, one.smallest), better if one.significant else "",
            ]
        )  # fmt: skip
    yield from aligned(rows)
    yield f"  {_told_p(comparison)}"
    flips = comparison.rank_flips
    if flips:
        named = ", ".join(plain(page_id) for page_id in flips[:20])
        more = ", …" if len(flips) > 20 else ""
        on = counted(len(flips), "page")
        yield f"  WER and bWER prefer different systems on {on}: {named}{more}"


def _told_p(comparison: Comparison) -> str:
    n = len(comparison.metrics)
    alone = "interval and p come from one test"
    return alone if n == 1 else (
        f"{alone}, for each metric alone; p (Holm) is corrected for {n} metrics. p tells which "
        "system is better by WER, p (Holm) by each of the other metrics"
    )  # fmt: skip


def pairwise_table(pairwise: Pairwise, study: Study, *, said: str = "") -> str:
    """All systems for a terminal: values with ranks, then every pair."""
    names = list(pairwise.p_pairs)
    lines = [f"{said}.", ""] if said else []
    # Which is best can only be said of the pages that all have read.
    is_common = study.on_common_pages() is study
    if best := headline(study, pairwise, plain) if PRIMARY in names and is_common else "":
        lines += [fill(best, _WIDTH), ""]
    told = "Values in %, and ranks: 1 + the number of systems that are significantly better after "
    lines.append(fill(f"{told}Holm's correction for all pairs. Below, each pair alone.", _WIDTH))
    rows = [["", *(METRICS[name].label for name in names)]]
    for system in pairwise.systems:
        rows.append([plain(system), *(_ranked(pairwise, study, name, system) for name in names)])
    lines += aligned(rows)
    for comparison in pairwise.pairs.values():
        lines += ["", *_pair_lines(comparison)]
    return signed(lines, pairwise.signature)


def _ranked(pairwise: Pairwise, study: Study, name: str, system: str) -> str:
    value = study.corpora[system].estimates[name].value
    rank = pairwise.ranks[name].get(system)
    return f"{shown_value(name, value)} ({rank or '–'})"


def comparison_latex(comparison: Comparison) -> str:
    """Two systems as a LaTeX table: their values, the difference with its interval, p.

    A value is bold where it is shown to be the better one: of WER by its own p, of other metrics
    by the corrected one.
    """
    names = list(comparison.metrics)
    rows = [["", *map(latex_label, names)]]
    for at, system in enumerate(comparison.systems):
        cells = []
        for name, one in comparison.metrics.items():
            value = shown_value(name, (one.a, one.b)[at])
            better = one.shown and one.b_is_better is bool(at)
            cells.append(rf"\textbf{{{value}}}" if better else value)
        rows.append([latex_text(system), *cells])
    found = comparison.metrics.items()
    rows.append(["difference", *(_math(signed_value(name, one.difference)) for name, one in found)])
    rows.append(
        [
            r"95\,\% interval",
            *(
                f"[{_math(signed_value(name, one.low))}, {_math(signed_value(name, one.high))}]"
                for name, one in found
            ),
        ]
    )
    rows.append(["$p$", *(_math(p_value(one.p)) for _, one in found)])
    rows.append(["$p$ (Holm)", *(_math(p_value(one.p_holm)) for _, one in found)])
    blocks = comparison.neighbours
    over = f" over {blocks.n_blocks} blocks of consecutive pages" if blocks else ""
    note = (
        f"{of_pages(comparison.n_pages, comparison.n_clusters)}; intervals and p from one paired "
        f"permutation test{over}; bold: "
        f"better at {100 * LEVEL:g} %, WER by its own p, other metrics by p after Holm's "
        f"correction for {len(names)} metrics; {exchanges(comparison)}"
    )
    return latex_table(rows, comparison.signature, note)


def _math(text: str) -> str:
    return f"${text.replace(MINUS, '-')}$" if text != "–" else "--"
