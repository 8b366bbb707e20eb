"""An evaluation as JSON, CSV or a text table. Every export carries the signature."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from htreval_core.diagnosis import CensusRow, Diagnosis, Event
from htreval_core.ladder import Rung, rank_flips
from htreval_core.metrics.catalog import METRICS
from htreval_core.metrics.pool import Corpus, page_value
from htreval_core.model import EditCounts, PageScores, Transcript, Unpaired
from htreval_core.pairing import Pairing
from htreval_core.score import Evaluation, edit_counts
from htreval_core.settings import Settings

JsonValue = dict[str, "JsonValue"] | list["JsonValue"] | str | int | float | None

TABLE_METRICS = ("wer", "bwer", "delta_wer", "nsfd", "cer", "hwer", "hcer")
"""The metrics of the paper's results table, which the text table shows unless told otherwise."""


def number(value: float) -> int | float | None:
    """A JSON number: whole where it is whole, None where it is undefined."""
    if math.isnan(value) or math.isinf(value):
        return None
    return int(value) if float(value).is_integer() else float(value)


def fraction(value: float) -> float | None:
    """A JSON fraction; None where it is undefined."""
    return None if math.isnan(value) or math.isinf(value) else float(value)


def _edits(counts: EditCounts) -> dict[str, JsonValue]:
    return {
        "substitutions": counts.substitutions,
        "deletions": counts.deletions,
        "insertions": counts.insertions,
        "hits": counts.hits,
    }


def corpus_json(corpus: Corpus, metrics: Iterable[str]) -> dict[str, JsonValue]:
    """The corpus figures of one system by metric."""
    edits = edit_counts(corpus)
    figures: dict[str, JsonValue] = {}
    for name in metrics:
        estimate = corpus.estimates[name]
        figure: dict[str, JsonValue] = {
            "errors": number(estimate.errors),
            "length": number(estimate.length),
            "value": fraction(estimate.value),
            "low": fraction(estimate.low),
            "high": fraction(estimate.high),
            "macro": fraction(estimate.macro),
            "binomial": fraction(estimate.binomial),
        }
        figures[name] = figure | (_edits(edits[name]) if name in edits else {})
    return figures


def page_json(scores: PageScores, metrics: Iterable[str]) -> dict[str, JsonValue]:
    """The figures of one page and system by metric."""
    edits = edit_counts(scores)
    figures: dict[str, JsonValue] = {"page_id": scores.page_id}
    for name in metrics:
        errors, length = METRICS[name].counts(scores) or (math.nan, math.nan)
        figure: dict[str, JsonValue] = {
            "errors": number(errors),
            "length": number(length),
            "value": fraction(page_value(scores, name)),
        }
        figures[name] = figure | (_edits(edits[name]) if name in edits else {})
    if scores.flags:
        figures["flags"] = list(scores.flags)
    return figures


def evaluation_json(
    evaluation: Evaluation,
    *,
    unpaired: Unpaired,
    warnings: Sequence[str],
    metrics: Sequence[str] = tuple(METRICS),
) -> str:
    """Everything about an evaluation as valid JSON; undefined values are null."""
    systems: dict[str, JsonValue] = {}
    for system, corpus in evaluation.corpora.items():
        systems[system] = {
            "n_pages": corpus.n_pages,
            "n_ref_words": corpus.n_ref_words,
            "corpus": corpus_json(corpus, metrics),
            "reliability": {
                "delta_l": fraction(corpus.delta_l),
                "delta_r": fraction(corpus.delta_r),
            },
            "pages": [page_json(scores, metrics) for scores in evaluation.scores[system]],
        }
    content: dict[str, JsonValue] = {
        "signature": evaluation.signature,
        "systems": systems,
        "unpaired": unpaired_json(unpaired),
        "warnings": list(warnings),
    }
    return _json(content)


def _json(content: JsonValue) -> str:
    return json.dumps(content, ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def evaluation_csv(evaluation: Evaluation, metrics: Sequence[str] = tuple(METRICS)) -> str:
    """A row per system, page and metric; the signature stands in the last column."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["system", "page_id", "metric", "errors", "length", "value", "signature"])
    for system, scores in evaluation.scores.items():
        for page in scores:
            for name in metrics:
                counts = METRICS[name].counts(page) or (math.nan, math.nan)
                figures = [*map(number, counts), fraction(page_value(page, name))]
                cells = ["" if figure is None else figure for figure in figures]
                writer.writerow(
                    [cell(system), cell(page.page_id), name, *cells, evaluation.signature]
                )
    return out.getvalue()


def cell(text: str) -> str:
    """Text for a spreadsheet: what would run as a formula is marked as text by an apostrophe."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text


def percent(value: float, digits: int = 1) -> str:
    """A fraction for people: percent, or a dash where it is undefined."""
    return "–" if math.isnan(value) else f"{100 * value:.{digits}f}"


def _figure(name: str, value: float) -> str:
    """One value as a table shows it: shares and rates in percent, correlations as they are."""
    if METRICS[name].scale == "correlation":
        return "–" if math.isnan(value) else f"{value:.3f}"
    return percent(value, 2)


def evaluation_table(
    evaluation: Evaluation, metrics: Sequence[str] = TABLE_METRICS, *, worst: int = 10
) -> str:
    """A table for a terminal: each system's figures, then the pages with the largest ΔWER."""
    return "\n".join(_table_lines(evaluation, metrics, worst)) + "\n"


def _table_lines(evaluation: Evaluation, metrics: Sequence[str], worst: int) -> Iterator[str]:
    labels = [METRICS[name].label for name in metrics]
    width = max(len("page"), *(len(plain(system)) for system in evaluation.systems), 8)
    for system, corpus in evaluation.corpora.items():
        yield f"{plain(system)}: {corpus.n_pages} pages, {corpus.n_ref_words:,} reference words"
        yield f"  {'':<18}{'%':>8}  {'95 % interval':>17}  {'errors':>9} / {'length':<9}"
        for name, label in zip(metrics, labels, strict=True):
            e = corpus.estimates[name]
            interval = f"{_figure(name, e.low)} – {_figure(name, e.high)}"
            counts = f"{number(e.errors) if name != 'nsfd' else round(e.errors, 2)}"
            yield (
                f"  {label:<18}{_figure(name, e.value):>8}  {interval:>17}  {counts:>9} / "
                f"{number(e.length)!s:<9}"
            )
        yield ""
    yield f"Pages with the largest ΔWER (first {worst})"
    yield "  " + f"{'system':<{width}}  {'page':<20}" + "".join(f"{label:>9}" for label in labels)
    scores = [score for of_system in evaluation.scores.values() for score in of_system]
    for page in sorted(scores, key=lambda page: _rank(page_value(page, "delta_wer")))[:worst]:
        values = "".join(f"{_figure(name, page_value(page, name)):>9}" for name in metrics)
        yield f"  {plain(page.system):<{width}}  {plain(page.page_id):<20}{values}"
    yield ""
    yield evaluation.signature


def _rank(value: float) -> tuple[bool, float]:
    """Largest first, undefined last."""
    return math.isnan(value), -value if not math.isnan(value) else 0.0


def plain(text: str) -> str:
    """Text for a terminal: control characters, which could drive it, become visible."""
    return "".join(char if char.isprintable() else f"\\x{ord(char):02x}" for char in text)


def pairing_json(pairing: Pairing) -> str:
    """Which files would be paired, as JSON."""
    content: dict[str, JsonValue] = {
        "rule": pairing.rule,
        "systems": list(pairing.systems),
        "pages": [
            {
                "page_id": page.page_id,
                "reference": page.reference.name,
                "hypotheses": {name: file.name for name, file in page.hypotheses.items()},
            }
            for page in pairing.pages
        ],
        "unpaired": unpaired_json(pairing.unpaired),
        "warnings": list(pairing.warnings),
    }
    return _json(content)


def pairing_table(pairing: Pairing) -> str:
    """Which files would be paired, a line a page."""
    lines = [f"{len(pairing.pages)} pages by {plain(pairing.rule)}"]
    for page in pairing.pages:
        files = [page.reference.name, *(file.name for file in page.hypotheses.values())]
        lines.append(f"  {plain(page.page_id)}: " + "  ".join(map(plain, files)))
    for page_id in pairing.unpaired.reference:
        lines.append(f"  without output: {plain(page_id)}")
    for system, page_ids in pairing.unpaired.hypothesis.items():
        lines += [f"  without reference, {plain(system)}: {plain(page)}" for page in page_ids]
    return "\n".join(lines) + "\n"


def unpaired_json(unpaired: Unpaired) -> JsonValue:
    """Pages without a counterpart, by side."""
    return {
        "reference": list(unpaired.reference),
        "hypothesis": {name: list(pages) for name, pages in unpaired.hypothesis.items()},
    }


def transcripts_json(found: Iterable[tuple[str, str, Transcript]]) -> str:
    """Transcripts as (file, kind, transcript), as the scorer sees them."""
    content: list[JsonValue] = [
        {
            "file": file,
            "kind": kind,
            "order_source": transcript.order_source,
            "lines": [{"text": line.text, "region": line.region} for line in transcript.lines],
            "warnings": list(transcript.warnings),
        }
        for file, kind, transcript in found
    ]
    return _json(content)


def ladder_json(rungs: Sequence[Rung], metrics: Sequence[str], settings: Settings) -> str:
    """The scores on every rung of the ladder, and where systems change places."""
    content: dict[str, JsonValue] = {
        "signature": settings.signature(),
        "rungs": [
            {
                "label": rung.label,
                "signature": replace(settings, policy=rung.policy).signature(),
                "systems": {
                    system: corpus_json(corpus, metrics) for system, corpus in rung.corpora.items()
                },
            }
            for rung in rungs
        ],
        "rank_flips": [
            {"rung": flip.rung, "metric": name, "better": flip.now_better, "worse": flip.now_worse}
            for name in metrics
            for flip in rank_flips(rungs, name)
        ],
    }
    return _json(content)


def ladder_table(rungs: Sequence[Rung], metrics: Sequence[str]) -> str:
    """The scores on every rung of the ladder, in percent."""
    systems = list(rungs[0].corpora)
    lines: list[str] = []
    for name in metrics:
        lines.append(f"{METRICS[name].label}, %")
        lines.append(
            "  " + f"{'':<34}" + "".join(f"{plain(system)[:14]:>16}" for system in systems)
        )
        flips = rank_flips(rungs, name)
        for number, rung in enumerate(rungs):
            values = "".join(
                f"{_figure(name, rung.corpora[system].estimates[name].value):>16}"
                for system in systems
            )
            passed = [
                f"{plain(flip.now_better)} passes {plain(flip.now_worse)}"
                for flip in flips
                if flip.rung == number
            ]
            lines.append(f"  {rung.label:<34}{values}" + ("   " + ", ".join(passed)).rstrip())
        lines.append("")
    return "\n".join(lines)


def diagnosis_json(
    signature: str, diagnoses: Iterable[Diagnosis], census: Iterable[CensusRow]
) -> str:
    """Diagnoses as JSON; word positions count from 0, ends exclusive, all figures in words."""
    content: dict[str, JsonValue] = {
        "signature": signature,
        "pages": [
            {
                "page_id": page.page_id,
                "system": page.system,
                "n_ref_words": page.n_ref_words,
                "wer": page.wer,
                "bwer": page.bwer,
                "delta_wer": page.delta_wer,
                "explained": page.explained,
                "scattered": page.scattered,
                "events": [_event_json(event) for event in page.events],
            }
            for page in diagnoses
        ],
        "census": [
            {
                "kind": row.kind.value,
                "system": row.system,
                "events": row.events,
                "pages": row.pages,
                "words": row.words,
                "wer": fraction(row.wer),
                "wer_without": fraction(row.wer_without),
            }
            for row in census
        ],
    }
    return _json(content)


def _event_json(event: Event) -> JsonValue:
    return {
        "kind": event.kind.value,
        "words": event.words,
        "order_words": event.order_words,
        "reference": list(event.reference),
        "hypothesis": [list(span) for span in event.hypothesis],
        "reference_lines": list(event.reference_lines),
        "hypothesis_lines": list(event.hypothesis_lines),
        "sure": event.sure,
        "sentence": event.sentence,
    }


def diagnosis_text(
    signature: str, diagnoses: Iterable[Diagnosis], census: Iterable[CensusRow]
) -> str:
    """Diagnoses in sentences, pages with most words lost to order first, then the census."""
    lines: list[str] = []
    for page in sorted(diagnoses, key=lambda page: -page.delta_wer):
        lines.append(
            f"{plain(page.page_id)}, {plain(page.system)}: {page.wer} of {page.n_ref_words} words "
            f"wrong = {page.bwer} misread + {page.explained} by the events below + "
            f"{page.scattered} scattered"
        )
        lines += [f"  {event.sentence}" for event in page.events]
    lines += ["", "What each kind costs"]
    lines += [
        f"  {plain(row.system):<16} {row.kind.value:<26} {row.words:>6} words, {row.pages} pages; "
        f"without it WER {percent(row.wer)} -> {percent(row.wer_without)} %"
        for row in census
    ]
    return "\n".join([*lines, "", signature]) + "\n"
