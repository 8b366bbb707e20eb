"""How systems and the parts of WER look, as the components of the browser want it."""

from typing import Any

import numpy as np

from htreval_core import Study
from htreval_core.metrics.columns import ScoreTable
from htreval_core.metrics.kinds import WordKind
from htreval_core.model import IntArray, PageScores
from htreval_core.show.palette import KIND_COLOURS, KIND_NAMES, PARTS, SystemStyle, system_style

_EDITS = {
    "substitutions": WordKind.SUBSTITUTED, "deletions": WordKind.DELETED,
    "insertions": WordKind.INSERTED,
}  # fmt: skip
_LESS = ("left_out", "added")
_OTHERS = ("spaces", "order", "coincidence", "doubt")


def style_of(study: Study, system: str) -> SystemStyle:
    """The colour and the mark of a system, by its place in the data."""
    return system_style(study.systems.index(system))


def style_payload(study: Study, system: str) -> dict[str, str]:
    """The same for the browser."""
    style = style_of(study, system)
    return {"colour": style.colour, "symbol": style.symbol}


def parts_payload(*, diagnosed: bool = True) -> list[dict[str, str]]:
    """Name, colour and hatching of what WER is made of: bWER by its edits, and the rest.

    Args:
        diagnosed: whether the rest is told apart; all of it counts as one where it is not.
    """
    edits = [
        {"name": KIND_NAMES[kind], "colour": KIND_COLOURS[kind], "pattern": ""}
        for kind in _EDITS.values()
    ]
    rest = [PARTS[name] for name in (_OTHERS if diagnosed else ("delta",))]
    return edits + [
        {"name": style.name, "colour": style.colour, "pattern": style.pattern} for style in rest
    ]


def part_counts(table: ScoreTable) -> IntArray:
    """The errors of WER on each page by part, shape (parts, pages); their sum is WER's.

    Of a page that was not diagnosed all of ΔWER counts as order.
    """
    counts = table.counts
    unknown = counts["order_errors"] < 0
    found = {name: np.maximum(counts[f"{name}_errors"], 0) for name in (*_OTHERS, *_LESS)}
    edits = [
        np.where(unknown, counts["bwer_deletions"], found["left_out"]),
        np.where(unknown, counts["bwer_insertions"], found["added"]),
    ]
    misread = table.errors("bwer") - found["spaces"] - sum(edits)
    found["order"] = np.where(unknown, table.errors("wer") - table.errors("bwer"), found["order"])
    parts: IntArray = np.stack([misread, *edits, *(found[name] for name in _OTHERS)])
    return parts


def shown_counts(study: Study, table: ScoreTable) -> IntArray:
    """The same as ``parts_payload`` names them, for a study that was diagnosed or not."""
    parts = part_counts(table)
    edits = list(range(len(_EDITS)))
    at_order = len(_EDITS) + _OTHERS.index("order")
    return parts if study.has_parts else parts[[*edits, at_order]]


def page_parts(scores: PageScores) -> list[int]:
    """The same of one page."""
    found: Any = part_counts(ScoreTable.of([scores]))[:, 0].tolist()
    return list(found)
