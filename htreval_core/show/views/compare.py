"""Two systems beside their texts: the forest, each page as a dot, and faults as changes."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from htreval_core import METRICS, Study
from htreval_core.compare import Change, Comparison, EventChange, PageDifference
from htreval_core.compare.model import PRIMARY
from htreval_core.markup import isolated, shorten, visible
from htreval_core.show.palette import EVENT_COLOURS, event_look
from htreval_core.show.pictograms import pictogram_address
from htreval_core.show.telling.counting import counted, p_text
from htreval_core.show.telling.verdicts import changes_headline, comparison_verdict, points
from htreval_core.show.telling.warnings import tell_warnings
from htreval_core.show.views.styles import style_payload

_MOST = 400
"""The most changes that are listed."""
MOST_PAGES = 2000
"""The most pages that are walked through and drawn one by one, those that differ most."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a comparison comes to, as plain text.

    Args:
        head: whether B is better, or not shown to be.
        line: what becomes of the faults of A; empty where nobody looked for them.
        warnings: what to know before any of it is believed.
        explained: what explains the answer.
    """

    head: str
    line: str
    warnings: tuple[str, ...]
    explained: tuple[str, ...]


def answer_of(comparison: Comparison, changes: Sequence[EventChange] | None) -> Answer:
    """The answer to whether B is better than A."""
    a, b = (isolated(shorten(visible(name), 60)) for name in comparison.systems)
    head, *explained = comparison_verdict(comparison, a, b)
    line = "" if changes is None else changes_headline(changes, comparison, a, b)
    return Answer(head, line, tuple(tell_warnings(comparison.warnings)), tuple(explained))


def compare_payload(
    study: Study, comparison: Comparison, changes: Sequence[EventChange], lines: Sequence[str],
    page: str, differences: Sequence[PageDifference], *, looked: bool,
) -> dict[str, Any]:  # fmt: skip
    """Everything that the component draws, as JSON.

    Args:
        lines: what explains the answer; plain text.
        page: the page that is shown below.
        differences: of the WER of each page, the largest first.
        looked: whether faults were looked for.
    """  # fmt: skip
    return {
        "lines": list(lines),
        "pages": f"{counted(comparison.n_pages, 'page')} that both have read",
        "systems": [
            {"shown": _shown(name), **style_payload(study, name)} for name in comparison.systems
        ],
        "forest": _forest(comparison),
        "dots": [
            [one.page_id, _shown(one.page_id), round(100 * one.a, 2), round(100 * one.b, 2)]
            for one in differences[:MOST_PAGES]
            if not math.isnan(one.difference)
        ],
        "changes": [_change(one) for one in changes[:_MOST]],
        "counts": {kind.value: sum(one.change is kind for one in changes) for kind in Change},
        "flips": [[page_id, _shown(page_id)] for page_id in comparison.rank_flips],
        "page": page,
        "looking": "" if looked else "Faults have not been looked for yet: press the button below.",
    }


def _shown(name: str) -> str:
    return shorten(visible(name), 40)


def _forest(comparison: Comparison) -> list[dict[str, Any]]:
    rows = []
    for one in comparison.metrics.values():
        if math.isnan(one.difference):
            continue
        metric = METRICS[one.metric]
        rows.append(
            {
                "label": metric.label,
                "help": f"{metric.plain} {metric.formula}",
                "at": 100 * one.difference,
                "interval": [] if math.isnan(one.low) else [100 * one.low, 100 * one.high],
                "points": points(one.difference),
                "p": p_text(one.p if one.metric == PRIMARY else one.p_holm),
                "alone": p_text(one.p),
                "better": int(bool(one.b_is_better)) if one.significant else None,
                "shown": one.shown,
                "values": f"A {100 * one.a:.2f}, B {100 * one.b:.2f}; pages: B better on "
                f"{one.wins}, equal on {one.ties}, worse on {one.losses}",
            }
        )
    return rows


def _change(one: EventChange) -> dict[str, Any]:
    return {
        "page": one.page_id, "shown": _shown(one.page_id), "kind": one.kind.value,
        "name": one.kind.value[:1].upper() + one.kind.value[1:],
        "icon": pictogram_address(one.kind), "look": EVENT_COLOURS[event_look(one.kind, 0)],
        "change": one.change.value, "words": one.words, "errors": [one.errors_a, one.errors_b],
    }  # fmt: skip
