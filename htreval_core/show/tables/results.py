"""The paper's results table for a document, as Markdown or LaTeX, with a row for each system."""

import math
from collections.abc import Sequence

from htreval_core.compare import Pairwise
from htreval_core.metrics.catalog import METRICS, TABLE_METRICS
from htreval_core.scoring.study import Study
from htreval_core.show.tables.latex import latex_label, latex_table, latex_text
from htreval_core.show.tables.values import plain
from htreval_core.show.telling.clusters import drawn_by, exchanges, tell_tests
from htreval_core.show.telling.counting import shown_value
from htreval_core.show.telling.pages import tell_pages
from htreval_core.show.telling.verdicts import every_other, tell_tail


def results_markdown(
    study: Study, pairwise: Pairwise | None = None, metrics: Sequence[str] = TABLE_METRICS, *,
    all_pages: bool = False, said: str = "",
) -> str:  # fmt: skip
    """Every system with its values; bold where the paired tests call it better than all others.

    Args:
        pairwise: of the same systems, metrics and pages; without it nothing is marked.
        all_pages: each system on all of its pages, not on those that all systems have read.
        said: which pages the values are of, where the study is narrowed already.
    """
    said, study = said or tell_pages(study, all_pages=all_pages), _narrowed(study, all_pages)
    labels = ["system", "pages", "words", *(METRICS[name].label for name in metrics)]
    rows = [labels, ["---", *["---:"] * (len(labels) - 1)]]
    for system, corpus in study.corpora.items():
        row = [_markdown(system), f"{corpus.n_pages}", f"{corpus.n_ref_words}"]
        for name in metrics:
            value, interval = _cell(study, system, name)
            shown = f"**{value}**" if _is_best(pairwise, name, system) else value
            row.append(f"{shown} {interval}".rstrip())
        rows.append(row)
    note = f"{_note(study, pairwise)}." + (f" {said}." if said else "")
    note += "".join(f"\n\n{one}" for one in _of_pages(study, metrics))
    return _lines(rows, note, study.signature)


def _of_pages(study: Study, metrics: Sequence[str]) -> list[str]:
    """What averages over words hide, in a line for each system: mean, median, tail of pages."""
    lines = []
    for system, corpus in study.corpora.items():
        told = (
            f"{METRICS[name].label} {shown_value(name, corpus.estimates[name].macro)} and "
            f"{shown_value(name, corpus.estimates[name].median)}"
            for name in metrics
        )
        tail = tell_tail(corpus, metrics[0], _markdown)
        line = f"{_markdown(system)}, mean and median of pages: {', '.join(told)}."
        lines.append(f"{line} {tail}".rstrip())
    return lines


def markdown_table(rows: Sequence[Sequence[str]], signature: str = "") -> str:
    """Rows of plain text as a table, the first the head; nothing in them is markup."""
    head, *body = [[_markdown(cell) for cell in row] for row in rows]
    return _lines([head, ["---"] * len(head), *body], "", signature)


def _lines(rows: Sequence[Sequence[str]], note: str, signature: str) -> str:
    table = [f"| {' | '.join(row)} |" for row in rows]
    signed = f"`{plain(signature)}`" if signature else ""
    return "\n\n".join(part for part in ("\n".join(table), note, signed) if part) + "\n"


def results_latex(
    study: Study, pairwise: Pairwise | None = None, metrics: Sequence[str] = TABLE_METRICS, *,
    all_pages: bool = False, said: str = "",
) -> str:  # fmt: skip
    """The same for LaTeX with booktabs; the signature is a comment above the table."""
    said, study = said or tell_pages(study, all_pages=all_pages), _narrowed(study, all_pages)
    rows = [["", "pages", *map(latex_label, metrics)]]
    for system, corpus in study.corpora.items():
        row = [latex_text(system), f"{corpus.n_pages}"]
        for name in metrics:
            value, interval = (part.replace("–", "--") for part in _cell(study, system, name))
            shown = rf"\textbf{{{value}}}" if _is_best(pairwise, name, system) else value
            row.append(f"{shown} {interval}".rstrip())
        rows.append(row)
    note = _note(study, pairwise) + (f"; {said}" if said else "")
    return latex_table(rows, study.signature, note)


def _narrowed(study: Study, all_pages: bool) -> Study:
    return study if all_pages else study.on_common_pages()


def _cell(study: Study, system: str, name: str) -> tuple[str, str]:
    estimate = study.corpora[system].estimates[name]
    value = shown_value(name, estimate.value)
    if math.isnan(estimate.low):
        return value, ""
    return value, f"[{shown_value(name, estimate.low)}, {shown_value(name, estimate.high)}]"


def _is_best(pairwise: Pairwise | None, name: str, system: str) -> bool:
    return pairwise is not None and name in pairwise.p_pairs and pairwise.best(name) == system


def _note(study: Study, pairwise: Pairwise | None) -> str:
    note = f"in %, micro-averaged; in brackets 95 % intervals over {drawn_by(study)}"
    if pairwise is None:
        return note
    return (
        f"{note}; bold: better than {every_other(len(pairwise.systems))} by "
        f"{tell_tests(pairwise)}; {exchanges(pairwise)}"
    )


def _markdown(text: str) -> str:
    """Text from outside for a cell: nothing but letters, digits and spaces stays bare."""
    return "".join(
        char if char.isalnum() or char in " .,()" else f"&#{ord(char)};" for char in plain(text)
    )
