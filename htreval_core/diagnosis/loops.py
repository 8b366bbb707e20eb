"""Text that the output repeats over and over, as language models do; found on the output alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from htreval_core.model import IntArray

_LONGEST_PERIOD = 400
_LEAST_COPIES = 3
_LEAST_WORDS = 8
_NOISE = 0.08
"""Words of a loop that may differ from the copy before."""


@dataclass(frozen=True, slots=True)
class Loop:
    """A stretch of output that repeats itself.

    Args:
        start: its first word, that of the first copy.
        end: the word after the last.
        period: words of a copy.
    """

    start: int
    end: int
    period: int

    @property
    def copies(self) -> float:
        """How often the text stands there."""
        return (self.end - self.start) / self.period


def find_loops(ref_words: Sequence[str], hyp_words: Sequence[str]) -> list[Loop]:
    """Loops of the output that the reference does not have, in their order."""
    numbers: dict[str, int] = {}
    hyp = np.array([numbers.setdefault(word, len(numbers)) for word in hyp_words], dtype=np.int64)
    ref = np.array([numbers.setdefault(word, len(numbers)) for word in ref_words], dtype=np.int64)
    loops: list[Loop] = []
    start = 0
    while True:
        found = _longest(hyp, start)
        if found is None:
            return loops
        if not _in_reference(ref, hyp, found):
            loops.append(found)
        start = found.end


def _longest(words: IntArray, start: int) -> Loop | None:
    """The first loop from a place on, by the period that covers most."""
    rest = words[start:]
    best: Loop | None = None
    for period in range(1, min(_LONGEST_PERIOD, len(rest) // _LEAST_COPIES) + 1):
        same = rest[period:] == rest[:-period]
        least = max((_LEAST_COPIES - 1) * period, _LEAST_WORDS)
        if int(same.sum()) < least:
            continue
        for first, end in _mostly_true(same):
            if end - first >= least:
                loop = Loop(start + first, start + end + period, period)
                if best is None or loop.end - loop.start > 1.05 * (best.end - best.start):
                    best = loop
                break
    return best


def _mostly_true(same: np.ndarray) -> list[tuple[int, int]]:
    """Stretches of true values with few false ones among them, the longest first."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], same, [False]])))
    runs = list(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True))
    joined: list[list[int]] = []
    for first, end in runs:
        if joined and first - joined[-1][1] <= max(1, int(_NOISE * (end - joined[-1][0]))):
            joined[-1][1] = end
        else:
            joined.append([first, end])
    return sorted(((a, b) for a, b in joined), key=lambda run: run[0] - run[1])


def _in_reference(ref: IntArray, hyp: IntArray, loop: Loop) -> bool:
    """Whether the reference has most of the repeated words as often as the output has them."""
    again = Counter(hyp[loop.start + loop.period : loop.end].tolist())
    in_ref, in_hyp = Counter(ref.tolist()), Counter(hyp.tolist())
    too_many = sum(min(n, max(in_hyp[word] - in_ref[word], 0)) for word, n in again.items())
    return too_many < 0.5 * again.total()
