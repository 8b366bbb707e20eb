"""What a terminal shows of a study: the answer, a row for each system, the worst pages."""

from collections.abc import Iterable, Iterator, Sequence
from textwrap import fill

import numpy as np

from htreval_core.metrics.catalog import METRICS, TABLE_METRICS
from htreval_core.metrics.values import page_value, page_values
from htreval_core.model import PageScores
from htreval_core.scoring.found import Diagnoses
from htreval_core.scoring.pool import Corpus
from htreval_core.scoring.study import Study
from htreval_core.settings import short_signature
from htreval_core.show.tables.values import aligned, plain
from htreval_core.show.telling.clusters import tell_clusters
from htreval_core.show.telling.counting import counted, interval_text, shown_value
from htreval_core.show.telling.decision import answer
from htreval_core.show.telling.pages import tell_pages
from htreval_core.show.telling.verdicts import TERMS, parts_of, rounded_parts, tell_tail
from htreval_core.show.telling.warnings import tell_unread

_WIDTH = 100


def study_table(
    study: Study, metrics: Sequence[str] | None = None, *, diagnoses: Diagnoses | None = None,
    worst: int = 10, all_pages: bool = False, way_out: str = "",
) -> str:  # fmt: skip
    """A study for a terminal: the answer first, the short signature last.

    Args:
        metrics: the columns; by default the usual ones, and WER with its parts.
        diagnoses: of all pages, where they are known.
        worst: how many of the pages with the highest WER are listed.
        all_pages: each system on all of its pages, not on those that all systems have read.
        way_out: what the caller offers to see the pages that are left out, said where some are.
    """
    lines = [*summary_lines(study, metrics, diagnoses, all_pages=all_pages, way_out=way_out)]
    shown = study if all_pages else study.on_common_pages()
    pages = _worst(shown, worst)
    total = sum(len(shown.table(system)) for system in shown.systems)
    lines.append(f"Worst pages by WER, {len(pages)} of {counted(total, 'output')}, in %")
    lines += _pages(pages, metrics)
    return signed(lines, study.signature)


def summary_lines(
    study: Study, metrics: Sequence[str] | None = None, diagnoses: Diagnoses | None = None, *,
    all_pages: bool = False, way_out: str = "",
) -> Iterator[str]:  # fmt: skip
    """The answer, and a row for each system; arguments as for ``study_table``."""
    said = tell_pages(study, all_pages=all_pages)
    shown = study if all_pages else study.on_common_pages()
    if said and shown is not study and way_out:
        said = f"{said}; {way_out}"
    warned = [f"{one}." for one in (*tell_unread(study, plain), said) if one]
    for paragraph in (*warned, *answer(study, diagnoses, plain, all_pages=all_pages)):
        for number, line in enumerate(paragraph.split("\n")):
            indent = "  " if number else ""
            yield fill(
                line, _WIDTH, break_long_words=False, break_on_hyphens=False,
                initial_indent=indent, subsequent_indent=indent,
            )  # fmt: skip
        yield ""
    yield from _systems(shown, metrics)
    yield ""
    yield from _notes(shown, metrics or TABLE_METRICS)


def _systems(study: Study, metrics: Sequence[str] | None) -> Iterator[str]:
    """The table with one row per system."""
    corpora = study.corpora
    sizes = {(corpus.n_pages, corpus.n_ref_words) for corpus in corpora.values()}
    alike = len(sizes) == 1
    if alike:
        ((n_pages, n_words),) = sizes
        yield f"{counted(n_pages, 'page')}, {counted(n_words, 'word')} in the reference, in %"
    first = (metrics or TABLE_METRICS)[0]
    parts = [] if metrics else _parts([*corpora.values()])
    head, *others = _heads(metrics, parts)
    rows = [["", *([] if alike else ["pages", "words"]), head, "95 % interval", *others]]
    for system, corpus in corpora.items():
        values = {name: one.value for name, one in corpus.estimates.items()}
        cells = _cells(corpus, values, metrics, parts)
        one = corpus.estimates[first]
        interval = interval_text(first, one.low, one.high)
        size = [] if alike else [f"{corpus.n_pages:,}", f"{corpus.n_ref_words:,}"]
        rows.append([plain(system), *size, cells[0], interval, *cells[1:]])
    yield from aligned(rows, 1)
    if said := tell_clusters(study):
        yield said
    if parts:
        yield ""
        terms = ". ".join(f"{name}: {TERMS[name]}" for name in parts)
        whole = f"WER is the sum of {', '.join(parts)}. " if len(parts) > 1 else ""
        yield fill(f"Terms. {whole}{terms}.", _WIDTH)


def _pages(pages: Sequence[PageScores], metrics: Sequence[str] | None) -> Iterator[str]:
    parts = [] if metrics else _parts(pages)
    rows = [["", "page", *_heads(metrics, parts)]]
    for page in pages:
        values = {name: page_value(page, name) for name in metrics or TABLE_METRICS}
        rows.append(
            [plain(page.system), plain(page.page_id), *_cells(page, values, metrics, parts)]
        )
    return aligned(rows, 2)


def _parts(rows: Sequence[Corpus | PageScores]) -> list[str]:
    """The parts of WER that are not 0 in every row; none where a row lacks them."""
    found = [parts_of(row.parts) for row in rows if row.parts is not None]
    if len(found) < len(rows):
        return []
    return [name for name in TERMS if any(one[name] for one in found)]


def _heads(metrics: Sequence[str] | None, parts: Sequence[str]) -> list[str]:
    first, *others = (METRICS[name].label for name in metrics or TABLE_METRICS)
    return [first, *parts, *others]


def _cells(
    row: Corpus | PageScores, values: dict[str, float], metrics: Sequence[str] | None,
    parts: Sequence[str],
) -> list[str]:  # fmt: skip
    """The values of a row, the parts of WER behind WER."""
    first, *others = (shown_value(name, values[name]) for name in metrics or TABLE_METRICS)
    if not parts or row.parts is None:
        return [first, *others]
    counts = parts_of(row.parts)
    rounded = rounded_parts([*counts.values()], row.n_ref_words, 2)
    shown = dict(zip(counts, rounded, strict=True))
    return [first, *(shown[name] for name in parts), *others]


def _notes(study: Study, metrics: Sequence[str]) -> Iterator[str]:
    """What averages hide: means and medians of pages, single pages that pull them."""
    first = metrics[0]
    for system, corpus in study.corpora.items():
        if corpus.n_pages > 1:
            one = corpus.estimates[first]
            yield fill(
                f"{plain(system)}, {METRICS[first].label} of pages: mean "
                f"{shown_value(first, one.macro)}, median {shown_value(first, one.median)}. "
                f"{tell_tail(corpus, first, plain)}".rstrip(), _WIDTH, break_on_hyphens=False,
                break_long_words=False,
            )  # fmt: skip
    if any(corpus.n_pages > 1 for corpus in study.corpora.values()):
        yield ""


def _worst(study: Study, n: int) -> list[PageScores]:
    """The pages with the highest WER of all systems, undefined last."""
    found: list[PageScores] = []
    for system in study.systems:
        table = study.table(system)
        order = np.argsort(-page_values(table, "wer"), kind="stable")[:n]
        found += list(table.take(order))
    values = np.array([page_value(page, "wer") for page in found])
    return [found[at] for at in np.argsort(-values, kind="stable")[:n]]


def signed(lines: Iterable[str], signature: str) -> str:
    """Lines for a terminal, and below them how the values were made, in short."""
    short = f"{short_signature(signature)} (the JSON has the whole signature)"
    return "\n".join([*lines, "", plain(short)]) + "\n"
