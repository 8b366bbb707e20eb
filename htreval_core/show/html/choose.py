"""Which pages a report shows in full."""

from __future__ import annotations

import math
from collections.abc import Sequence

from htreval_core.errors import ConfigError
from htreval_core.metrics.values import page_value
from htreval_core.model import PageScores, PageUnder
from htreval_core.scoring.study import Study


def rank_pages(study: Study) -> list[PageScores]:
    """Every page under every system: largest ΔWER first, then largest WER."""
    scores = [one for of_system in study.scores.values() for one in of_system]
    return sorted(scores, key=_badness)


def _badness(page: PageScores) -> tuple[float, float]:
    """What has no rate at all, for want of a reference, comes last."""
    values = page_value(page, "delta_wer"), page_value(page, "wer")
    delta, wer = (math.inf if math.isnan(value) else -value for value in values)
    return delta, wer


def choose_pages(
    study: Study, wanted: str, ranked: Sequence[PageScores] | None = None
) -> list[PageUnder]:
    """The pages that a report shows in full, the worst first.

    Args:
        wanted: "worst:N", the N worst of all pages and systems; "all"; or ids of pages with
            commas between, each under every system that read it, in the order given.
        ranked: as ``rank_pages`` gives them, where they are at hand.

    Raises:
        ConfigError: no such page, or N is no number.
    """
    ranked = rank_pages(study) if ranked is None else ranked
    if wanted == "all":
        return [(one.page_id, one.system) for one in ranked]
    kind, colon, number = wanted.partition(":")
    if kind == "worst" and colon:
        if not (number.isascii() and number.isdecimal()):
            raise ConfigError(f"{wanted!r}: write it as worst:N, such as worst:20")
        return [(one.page_id, one.system) for one in ranked[: int(number[:9])]]
    # An id may hold a comma itself.
    ids = [wanted] if wanted in study.dataset else [one.strip() for one in wanted.split(",")]
    unknown = [page_id for page_id in ids if page_id not in study.dataset]
    if unknown:
        raise ConfigError(
            f"page {unknown[0]!r} is not in the data; name pages, or write worst:20 or all"
        )
    read_by = {system: study.pages_of(system) for system in study.systems}
    return [
        (page_id, system)
        for page_id in dict.fromkeys(ids)
        for system in study.systems
        if page_id in read_by[system]
    ]
