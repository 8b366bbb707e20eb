"""Two systems on one page: how far they differ, the same from either side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import nnls

from htreval_core.audits.model import Between
from htreval_core.diagnosis.look import Look
from htreval_core.metrics.page import ScoredPage, score_words
from htreval_core.model import Transcript
from htreval_core.settings import Settings
from htreval_core.text import PageWords


@dataclass(frozen=True)
class Read:
    """What a system made of a page."""

    system: str
    transcript: Transcript
    words: PageWords


@dataclass(frozen=True)
class Pair:
    """Two readings of a page, aligned with each other.

    Args:
        there: A's words against B's; ``matching`` pairs them.
    """

    a: Read
    b: Read
    there: ScoredPage
    between: Between


def compare(a: Read, b: Read, settings: Settings) -> Pair:
    """Two readings aligned, and what differs."""
    there = score_words("", b.system, a.words, b.words, settings)
    scores, order = there.scores, 0
    if scores.wer.errors > scores.bwer.errors:
        back = score_words("", a.system, b.words, a.words, settings)
        order = _order(there, a, b, settings) + _order(back, b, a, settings)
    n_words = len(a.words.words), len(b.words.words)
    between = Between((a.system, b.system), n_words, scores.wer.errors, scores.bwer.errors, order)
    return Pair(a, b, there, between)


def _order(page: ScoredPage, a: Read, b: Read, settings: Settings) -> int:
    parts = Look(page, a.transcript, b.transcript, settings).diagnosis.parts
    # Neither side is the reference, so none can be in doubt.
    return parts.order + parts.doubt


def stand_apart(
    systems: Sequence[str],
    distances: Mapping[tuple[str, str], float],
    families: Mapping[str, str] | None = None,
) -> dict[str, float]:
    """How far each system stands apart from the others.

    If readers err independently, what differs between two is about what the one got wrong and what
    the other got wrong: d(A, B) ≈ x(A) + x(B). The x ≥ 0 are found by least squares over all pairs
    of different families; for three systems x(A) = (d(A, B) + d(A, C) − d(B, C))/2 where that is
    not negative. Of two families each system gets half of what lies between it and the other one,
    on average. Where all err alike all stand too near to each other: it is no error rate.
    """
    of_family = families or {}

    def voice(system: str) -> str:
        return of_family.get(system, f"\0{system}")

    known = [
        (a, b, value)
        for (a, b), value in distances.items()
        if value == value and voice(a) != voice(b)
    ]
    apart = dict.fromkeys(systems, float("nan"))
    if not known:
        return apart
    read = [system for system in systems if any(system in (a, b) for a, b, _ in known)]
    if len({voice(system) for system in read}) == 2:
        for system in read:
            own = [value for a, b, value in known if system in (a, b)]
            apart[system] = sum(own) / len(own) / 2
        return apart
    rows = np.zeros((len(known), len(read)))
    for row, (a, b, _) in enumerate(known):
        rows[row, [read.index(a), read.index(b)]] = 1
    found = nnls(rows, np.array([value for _, _, value in known]))[0].tolist()
    return apart | dict(zip(read, found, strict=True))
