"""Text that the output repeats over and over, as language models do; found on the output alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from htreval_core.diagnosis.limits import LOOPS
from htreval_core.diagnosis.page.chains import likeness
from htreval_core.model import BoolArray


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
    loops: list[Loop] = []
    waiting = [(0, len(hyp_words))]
    in_ref, in_hyp = Counter(ref_words), Counter(hyp_words)
    while waiting:
        start, end = waiting.pop()
        if not _is_repetitive(in_ref, Counter(hyp_words[start:end])):
            continue
        found = _strongest(hyp_words[start:end])
        if found is None:
            continue
        loop = Loop(start + found.start, start + found.end, found.period)
        again = Counter(hyp_words[loop.start + loop.period : loop.end])
        if _is_text(again) and _is_repetitive(in_ref, in_hyp, again):
            loops.append(loop)
        waiting += [(start, loop.start), (loop.end, end)]
    of_page = _strongest(ref_words) if loops else None
    return sorted(
        (loop for loop in loops if not _is_alike(of_page, loop)), key=lambda loop: loop.start
    )


def _is_repetitive(
    in_ref: Counter[str], in_hyp: Counter[str], of: Counter[str] | None = None
) -> bool:
    """Whether words stand in the output far more often than in the reference.

    Args:
        of: look at these alone, and ask whether it holds for many of them.
    """
    too_many = {word: n - in_ref[word] for word, n in in_hyp.items() if n - in_ref[word] > 1}
    if of is None:
        return sum(too_many.values()) >= max(LOOPS.LEAST_WORDS, LOOPS.LEAST_SHARE * in_hyp.total())
    held = sum(min(n, too_many.get(word, 0)) for word, n in of.items())
    # Words that were misread each in its own way are in neither.
    known = sum(n for word, n in of.items() if n > 1 or word in in_ref)
    return held >= max(0.5 * known, LOOPS.LEAST_WORDS / 2)


def _is_alike(in_ref: Loop | None, loop: Loop) -> bool:
    """Whether the page itself repeats a text as long as often, though it may be spelt otherwise."""
    if in_ref is None:
        return False
    shorter, longer = sorted((in_ref.period, loop.period))
    is_multiple = longer % shorter == 0
    return is_multiple and in_ref.end - in_ref.start >= LOOPS.OF_PAGE * (loop.end - loop.start)


def _is_text(words: Counter[str]) -> bool:
    """Whether most of it are words: a row of dashes or dots is the noise of a picture or a rule."""
    with_letters = sum(n for word, n in words.items() if any(sign.isalnum() for sign in word))
    return with_letters > 0.5 * words.total()


def _strongest(words: Sequence[str]) -> Loop | None:
    """The loop that most words speak for."""
    numbers: dict[str, int] = {}
    ids = np.array([numbers.setdefault(word, len(numbers)) for word in words], dtype=np.int64)
    best: tuple[float, int] | None = None
    for period in range(1, min(LOOPS.LONGEST_PERIOD, len(ids) // LOOPS.LEAST_COPIES) + 1):
        same = ids[period:] == ids[:-period]
        # No stretch says more than all its equal words do, nor anything if they are too few for it.
        n_same = int(np.count_nonzero(same))
        if n_same < LOOPS.LEAST_SAME * _least(period) or (
            best and n_same < LOOPS.STRONGER * best[0]
        ):
            continue
        score, start, end = _best_stretch(same)
        # A loop repeats itself at every multiple of its period, too.
        if end - start >= _least(period) and (best is None or score > LOOPS.STRONGER * best[0]):
            best = score, period
    if best is None:
        return None
    period = best[1]
    alike = likeness(words[period:], words[:-period]) > 0
    _, start, end = _best_stretch(alike)
    if end - start < _least(period) or alike[start:end].mean() < LOOPS.LEAST_ALIKE:
        return None
    return Loop(start, end + period, period)


def loosest_loop(words: Sequence[str]) -> Loop | None:
    """The loop of a text of which hardly two copies are equal, but all are alike."""
    best: tuple[float, Loop] | None = None
    for period in range(1, min(LOOPS.LONGEST_LOOSE, len(words) // LOOPS.LEAST_COPIES) + 1):
        alike = likeness(words[period:], words[:-period]) > 0
        score, start, end = _best_stretch(alike)
        if end - start >= _least(period) and (best is None or score > LOOPS.STRONGER * best[0]):
            best = score, Loop(start, end + period, period)
    return best[1] if best is not None and _is_text(Counter(words)) else None


def _least(period: int) -> int:
    return max((LOOPS.LEAST_COPIES - 1) * period, LOOPS.LEAST_WORDS)


def _best_stretch(same: BoolArray) -> tuple[float, int, int]:
    """The stretch whose words say most: score, start and end."""
    sums = np.concatenate([[0.0], np.cumsum(np.where(same, 1.0, LOOPS.UNLIKE))])
    lowest = np.minimum.accumulate(sums)
    end = int((sums - lowest).argmax())
    start = int(sums[: end + 1].argmin())
    return float(sums[end] - sums[start]), start, end
