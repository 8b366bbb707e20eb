"""The head of the Page view: which page, under which system, and what its errors come from."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from htreval_core import METRICS, PageScores, Study
from htreval_core.diagnosis.look import Look
from htreval_core.markup import shorten, visible
from htreval_core.metrics.columns import ScoreTable
from htreval_core.metrics.values import page_value, page_values
from htreval_core.model import Parts
from htreval_core.show.telling.counting import percent
from htreval_core.show.telling.texts import tell_admissible
from htreval_core.show.telling.verdicts import bag_parts, delta_parts, page_verdict, rounded_parts
from htreval_core.show.views.names import short_names
from htreval_core.show.views.opened import Opened
from htreval_core.show.views.styles import page_parts, parts_payload, style_payload

RANKS = {
    name: METRICS[name].label
    for name in ("delta_wer", "wer", "bwer", "cer", "delta_wer_admissible", "order_cost", "nsfd")
} | {"catastrophe": "catastrophe", "name": "name"}
"""By what pages can be ranked, what is wanted most often first."""
_NEAR = 2000
"""Of very many pages the browser gets those that stand near in the ranking."""
_FIGURES = ("nsfd", "hwer", "hcer", "cer", "kendall_tau")


def first_system(study: Study) -> str:
    """The system whose ΔWER has most errors: there is most to see."""

    def lost(system: str) -> int:
        edits = study.table(system)
        return edits.edit_sums("wer").errors - edits.edit_sums("bwer").errors

    return max(study.systems, key=lost)


def ranking(study: Study, system: str, by: str, taken_over: Sequence[str] = ()) -> list[str]:
    """The pages of a system, the worst first; by name, as they stand in the data.

    Args:
        taken_over: pages that a fault took over; by catastrophe they come first, as they stand
            here, and the others by WER.
    """
    table = study.table(system)
    if by == "name":
        return list(table.page_ids)
    if by == "catastrophe":
        first = [page for page in taken_over if page in study.pages_of(system)]
        others = set(table.page_ids) - set(first)
        return first + [page for page in ranking(study, system, "wer") if page in others]
    keys = [-np.nan_to_num(page_values(table, name), nan=-1.0) for name in ("wer", "delta_wer", by)]
    # The last key is the first that counts; equal pages stay in the order of the data.
    return list(table.page_ids[np.lexsort(keys)])


def page_head(
    opened: Opened, order: Sequence[str], place: int, system: str, rank: str, told: Look | None,
    shown: Look,
) -> dict[str, Any]:  # fmt: skip
    """What stands above a page and below it.

    Args:
        order: the pages as they are ranked, of which this is the one at ``place``.
        told: the page as it was read, once it is diagnosed.
        shown: the page as it is shown, with or without a repair.
    """  # fmt: skip
    study = opened.study
    page_id = order[place]
    scores = shown.page.scores
    near = order if len(order) <= _NEAR else order[max(place - 100, 0) : place + 101]
    parts = shown.diagnosis.parts if told else None
    is_repaired = told is not None and shown is not told
    repaired = None
    if is_repaired and parts:
        repaired = ScoreTable.of([scores]).with_parts({page_id: parts})[0]
    return {
        "pages": list(map(list, zip(near, short_names(near), strict=True))),
        "place": place,
        "total": len(order),
        "rank": rank,
        "ranks": [list(pair) for pair in RANKS.items()],
        "parts": parts_payload(),
        "systems": [_system(study, page_id, name, system, repaired) for name in study.systems],
        "wer": _percent(scores, "wer"),
        "sum": _sum(scores, parts),
        "verdict": visible(page_verdict(scores, parts)),
        "repair": _offer(told, scores) if told else None,
        "repaired": is_repaired,
        "notes": [visible(said) for said in (*scores.flags, tell_admissible(scores)) if said],
        "figures": [
            [METRICS[name].label, _percent(scores, name),
             f"{METRICS[name].plain} {METRICS[name].formula}"]
            for name in _FIGURES
        ],
    }  # fmt: skip


def _system(
    study: Study, page_id: str, name: str, chosen: str, repaired: PageScores | None
) -> dict[str, Any]:
    has = page_id in study.pages_of(name)
    scores = study.scores_of(page_id, name) if has else None
    if repaired and name == chosen:
        scores = repaired
    return {
        "name": name, "shown": shorten(visible(name), 40), "has": has, "chosen": name == chosen,
        "parts": page_parts(scores) if scores else [],
        "wer": _percent(scores, "wer") if scores else "no output",
        "says": visible(page_verdict(scores)) if scores else "This system has not read the page.",
        **style_payload(study, name),
    }  # fmt: skip


def _percent(scores: PageScores, name: str) -> str:
    value = page_value(scores, name)
    if math.isnan(value):
        return "–"
    return f"{value:.3f}" if METRICS[name].scale == "correlation" else percent(value)


def _offer(told: Look, shown: PageScores) -> str | None:
    """What putting all text back would make of WER; None where nothing can be put back."""
    scores, order = told.page.scores, told.diagnosis.parts.order
    before = _percent(scores, "wer")
    if shown is not scores:
        return f"Undo: {_percent(shown, 'wer')} → {before}"
    if not order or not any(event.groups for event in told.diagnosis.events):
        return None
    return f"Put right: {before} → {percent((scores.wer.errors - order) / scores.n_ref_words)}"


def _sum(scores: PageScores, parts: Parts | None) -> str:
    """The parts of WER that are worth a word."""
    if not scores.n_ref_words or not scores.wer.errors:
        return "" if scores.wer.errors else "every word is right and in its place"
    first, *others = bag_parts(scores.bwer, parts).items()
    named = dict([first, *((name, n) for name, n in others if n)])
    named |= delta_parts(parts) if parts else {"ΔWER": scores.wer.errors - scores.bwer.errors}
    shown = rounded_parts(list(named.values()), scores.n_ref_words)
    told = (f"{share} {name}" for share, name in zip(shown, named, strict=True))
    return " = " + " + ".join(told)
