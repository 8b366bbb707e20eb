"""Strict and admissible figures side by side, and the conventions of a data set."""

from __future__ import annotations

from htreval_core.metrics.values import page_value
from htreval_core.scoring.conventions import LEAST_PAGES, Conventions
from htreval_core.scoring.study import Study
from htreval_core.settings import orders_toml
from htreval_core.settings.orders import orders_tables
from htreval_core.show.tables.values import JsonValue, aligned, as_json, fraction, plain
from htreval_core.show.telling.counting import shown_value
from htreval_core.show.telling.orders import tell_conventions

_NAMES = ("delta_wer", "delta_wer_admissible")


def orders_text(study: Study, found: Conventions) -> str:
    """What order costs as the reference has it and at least, and who follows which convention."""
    lines = [
        "Order as the reference has it, and in the best order that each page allows (*), in %:",
        "",
    ]
    rows = [["", "ΔWER", "ΔWER*", "pages that gain", "least is proved", "pages"]]
    for system, corpus in study.corpora.items():
        values = [shown_value(name, corpus.estimates[name].value) for name in _NAMES]
        counts = (*_counts(study, system), corpus.n_pages)
        rows.append([plain(system), *values, *(f"{count:,}" for count in counts)])
    lines += aligned(rows)
    lines += ["", "Conventions, of text that is not the body of the pages:", ""]
    told = [f"  {plain(one)}" for one in tell_conventions(found, study.systems)]
    lines += told or [
        f"  None: a kind of region has to be named by the files on {LEAST_PAGES} pages or more."
    ]
    if found.proposed:
        lines += [
            "",
            "Rules that would let this text stand anywhere; nothing is applied unasked:",
            "",
            *(f"  {plain(line)}" for line in orders_toml(found.proposed).splitlines()),
        ]
    return "\n".join(lines) + "\n"


def orders_json(study: Study, found: Conventions) -> str:
    """The same as JSON, with the figures of each page."""
    content: dict[str, JsonValue] = {
        "signature": study.signature,
        "systems": {
            system: {name: fraction(corpus.estimates[name].value) for name in _NAMES}
            for system, corpus in study.corpora.items()
        },
        "conventions": [
            {
                "kind": one.kind,
                "blocks": one.blocks,
                "pages": one.pages,
                "reference": {place.value: n for place, n in one.reference.items()},
                "systems": {
                    system: {place.value: n for place, n in places.items()}
                    for system, places in one.systems.items()
                },
                "elsewhere": dict(one.elsewhere),
                "proposed": one.is_convention,
            }
            for one in found.kinds
        ],
        "rules": orders_tables(found.proposed),
        "pages": [
            {
                "page_id": one.page_id,
                "system": system,
                **{name: fraction(page_value(one, name)) for name in _NAMES},
                "n_ref_words": one.n_ref_words,
                "wer_errors": one.wer.errors,
                "bwer_errors": one.bwer.errors,
                "admissible_errors": one.admissible_errors,
                "admissible_bound": one.admissible_bound,
                "proved": one.admissible_errors == one.admissible_bound,
            }
            for system in study.systems
            for one in study.table(system)
        ],
    }
    return as_json(content)


def _counts(study: Study, system: str) -> tuple[int, int]:
    """Pages with fewer errors in another order, and pages of which the least is proved."""
    table = study.table(system)
    best, bound = (table.counts[f"admissible_{name}"] for name in ("errors", "bound"))
    return int(table.freed.sum()), int((best == bound).sum())
