"""Two systems on one page: how far they differ, the same from either side."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from scipy.optimize import nnls

from htreval_core.audits.model import Alike, Between
from htreval_core.diagnosis.look import Look
from htreval_core.metrics.page import ScoredPage, score_words
from htreval_core.model import Transcript
from htreval_core.settings import Settings
from htreval_core.text import PageWords

_MOST_SYSTEMS = 10
"""Of more there are too many groups to be tried."""
_FARTHEST = 0.95
"""Beyond that, systems have next to nothing in common."""
_LEAST_SHARED, _OF_OWN, _BY_CHANCE = 0.01, 1 / 4, 0.1
"""The errors in common from which on systems err alike: as a share of all words, of what each of
them has wrong by itself, and of how far they are from the others, which agree by chance, too."""


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
    systems: Sequence[str], distances: Mapping[tuple[str, str], float],
    families: Mapping[str, str] | None = None,
) -> dict[str, float]:  # fmt: skip
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


def find_alike(systems: Sequence[str], distances: Mapping[tuple[str, str], float]) -> list[Alike]:
    """Systems that seem to err alike, so that they should have one voice.

    With D = −ln(1 − d), which adds up where errors are independent, D(A, C) + D(B, E) is the same
    however four systems are paired. What D(A, B) + D(C, E) falls short of the other two sums is
    twice what A and B, or C and E, have wrong in common (Buneman 1971, the four-point condition). A
    group is proposed where that holds for every two of it and every two others; so it takes four
    systems.

    Args:
        distances: between every two, as a share of words.
    """

    def d(a: str, b: str) -> float:
        share = distances.get((a, b), distances.get((b, a), math.nan))
        return -math.log1p(-min(share, _FARTHEST))

    found: list[Alike] = []
    for size in range(2, len(systems) // 2 + 1) if len(systems) <= _MOST_SYSTEMS else ():
        for group in combinations(systems, size):
            others = tuple(one for one in systems if one not in group)
            if 2 * size == len(systems) and systems[0] not in group:
                continue
            shares = [
                (min(d(a, c) + d(b, e), d(a, e) + d(b, c)) - d(a, b) - d(c, e)) / 2
                for a, b in combinations(group, 2)
                for c, e in combinations(others, 2)
            ]
            own = max(d(a, b) for a, b in combinations(group, 2)) / 2
            apart = max(d(a, c) for a in group for c in others)
            shared = min(shares)
            if shared >= max(_LEAST_SHARED, _OF_OWN * own, _BY_CHANCE * apart):
                found.append(Alike(group, others if len(systems) == 2 * size else (), shared))
    return found
