"""Text that the output repeats over and over, as language models do, told from like lines."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import eq

import numpy as np
from rapidfuzz.distance import LCSseq

from htreval_core.diagnosis.limits import LOOPS
from htreval_core.diagnosis.model import Span
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
        return self.length / self.period

    @property
    def length(self) -> int:
        """Words of all copies."""
        return self.end - self.start

    @property
    def again(self) -> Span:
        """The words of all copies but the first."""
        return self.start + self.period, self.end

    @property
    def is_double(self) -> bool:
        """Whether the text stands there a second time and no more."""
        return 2 * self.length < (2 + LOOPS.LEAST_COPIES) * self.period


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
        of_ref = Counter(pairwise(ref_words))
        pieces = _in_pieces(hyp_words[start:end], of_ref)
        if pieces and (found is None or pieces.length > LOOPS.STRONGER * found.length):
            found = pieces
        if found is None:
            continue
        loop = Loop(start + found.start, start + found.end, found.period)
        if found is not pieces and found.period <= LOOPS.LONGEST_LOOSE:
            enough = {word for word, n in in_ref.items() if n >= in_hyp[word]}
            loop = _without_page(loop, enough, of_ref, hyp_words)
        again = Counter(hyp_words[loop.start + loop.period : loop.end])
        is_sure = _is_sure(hyp_words[loop.start : loop.end], loop.period)
        is_sure = is_sure and not _are_like_lines(hyp_words[loop.start : loop.end], loop, in_ref)
        if is_sure and _is_text(again) and _is_repetitive(in_ref, in_hyp, again):
            loops.append(loop)
        waiting += [(start, loop.start), (loop.end, end)]
    of_page = [_strongest(ref_words), _in_pieces(ref_words, Counter())] if loops else []
    return sorted(
        (loop for loop in loops if not any(_is_alike(one, loop) for one in of_page)),
        key=lambda loop: loop.start,
    )


def _without_page(
    loop: Loop, enough: Collection[str], of_ref: Collection[tuple[str, str]], words: Sequence[str]
) -> Loop:
    """Without like lines of the page at its ends: each has words that the page has as often."""
    start, end, period = loop.start, loop.end, loop.period

    def own(places: range, other: int) -> list[int]:
        return [
            k for k in places
            if words[k] in enough and likeness([words[k]], [words[k + other]])[0] <= 0
            and not {*pairwise(words[max(k - 1, 0) : k + 2])}.isdisjoint(of_ref)
        ]  # fmt: skip

    # Names of two lines may be like each other, those of three hardly.
    most = LOOPS.LEAST_COPIES * period
    while found := own(range(start, min(start + most, end - period)), period):
        start = found[-1] + 1
    while found := own(range(max(end - most, start + period), end), -period):
        end = found[0]
    part = (end - start) % period if (start, end) != (loop.start, loop.end) else 0
    return Loop(start, end - part, period)


def _are_like_lines(words: Sequence[str], loop: Loop, in_ref: Counter[str]) -> bool:
    """Whether copies differ in a place of their own, as entries do of which the page has others."""
    n = len(words) // max(loop.period, 1)
    if not loop.period or n < LOOPS.LEAST_COPIES:
        return False
    same = np.array(list(map(eq, words[loop.period :], words)), dtype=bool)
    shares = same[: (n - 1) * loop.period].reshape(n - 1, loop.period).mean(axis=0)
    usual = [word for word, share in zip(words, shares, strict=False) if share >= LOOPS.FORMULA]
    of_page = sum(in_ref[word] >= LOOPS.LEAST_COPIES for word in usual)
    return 2 * of_page > len(usual) and bool(shares.min() <= LOOPS.SLOT)


def find_double(ref_words: Sequence[str], hyp_words: Sequence[str]) -> list[Loop]:
    """The stretch that stands twice in a row instead of other text of the page, as two copies.

    If the output has the rest of the page, too, both sides can be aligned with the copy in it.
    """
    of_page = Counter(ref_words)
    twice = (n - of_page[word] for word, n in Counter(hyp_words).items() if 0 < of_page[word] < n)
    if 2 * sum(twice) < LOOPS.LEAST_DOUBLE:
        return []
    in_ref, pairs = Counter(pairwise(ref_words)), list(pairwise(hyp_words))
    often = Counter(pairs)
    last: dict[tuple[str, str], int] = {}
    back = np.zeros(len(pairs), dtype=np.int64)
    for at, pair in enumerate(pairs):
        if often[pair] > in_ref[pair]:
            back[at] = at - last.get(pair, at)
        last[pair] = at
    known = back[back > 0]
    if len(known) < LOOPS.LEAST_DOUBLE:
        return []
    # Words left out or put in by the way shift the copy a little.
    period = int(np.median(known))
    _, start, end = best_stretch(abs(back - period) <= LOOPS.SHIFT * period)
    double = Loop(start - period, end + 1, period)
    copy = double.length - period
    lost = len(hyp_words) - copy < LOOPS.OTHERS * len(ref_words)
    is_long = period >= LOOPS.LEAST_DOUBLE and copy >= LOOPS.OF_PAGE * period
    return [double] if lost and is_long and double.is_double and start >= period else []


def find_copy(
    ref_words: Sequence[str], hyp_words: Sequence[str], line_of: Sequence[int]
) -> list[Loop]:
    """The whole text where it stands there twice, each copy read in its own way.

    Between the copies a line ends, where the output has any.
    """
    n, half = len(hyp_words), len(hyp_words) // 2
    if not LOOPS.TWICE[0] * len(ref_words) <= n <= LOOPS.TWICE[1] * len(ref_words):
        return []
    ends = [k for k in range(1, n) if line_of[k] != line_of[k - 1]] or range(1, n)
    near = [k for k in ends if abs(k - half) <= max(LOOPS.SHIFT * n, 1)]
    if not near or n < 2 * LOOPS.LEAST_DOUBLE or _as_copies(ref_words, len(ref_words) // 2):
        return []
    first = max(near, key=lambda at: LCSseq.similarity(hyp_words[:at], hyp_words[at:]))
    is_page = LCSseq.similarity(ref_words, hyp_words[:first]) >= LOOPS.SAME_COPY * len(ref_words)
    return [Loop(0, n, first)] if is_page and _as_copies(hyp_words, first) else []


def _as_copies(words: Sequence[str], first: int) -> bool:
    same = LCSseq.similarity(words[:first], words[first:])
    return same >= LOOPS.SAME_COPY * max(first, len(words) - first)


def _is_repetitive(
    in_ref: Counter[str], in_hyp: Counter[str], of: Counter[str] | None = None
) -> bool:
    """Whether words stand there far more often than in the reference, or many ``of`` these do."""
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
    return is_multiple and in_ref.length >= LOOPS.OF_PAGE * loop.length


def _is_text(words: Counter[str]) -> bool:
    """Whether most of it are words: a row of dashes or dots is the noise of a picture or a rule."""
    with_letters = sum(n for word, n in words.items() if any(sign.isalnum() for sign in word))
    return with_letters > 0.5 * words.total()


def _is_sure(words: Sequence[str], period: int) -> bool:
    """Whether these are words, or single signs repeated one by one: there are few to choose from.

    Spaced letters and, where every sign is a word, any text have the same signs again and again."""
    if 2 * sum(len(word) == 1 for word in words) <= len(words):
        return True
    same = sum(map(eq, words[period:], words))
    return same >= LOOPS.LEAST_SIGNS * (len(words) - period)


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
        score, start, end = best_stretch(same)
        # A loop repeats itself at every multiple of its period, too.
        if end - start >= _least(period) and (best is None or score > LOOPS.STRONGER * best[0]):
            best = score, period
    if best is None:
        return None
    period = best[1]
    alike = likeness(words[period:], words[:-period]) > 0
    _, start, end = best_stretch(alike)
    if end - start < _least(period) or alike[start:end].mean() < LOOPS.LEAST_ALIKE:
        return None
    # Like lines before it are no copies.
    same = ids[period:] == ids[:-period]
    usual = LOOPS.AS_USUAL * same[start:end].mean()
    while end - start >= _least(period) + period and same[start : start + period].mean() < usual:
        start += period
    return Loop(start, end + period, period)


def _in_pieces(words: Sequence[str], of_ref: Counter[tuple[str, str]]) -> Loop | None:
    """The stretch whose neighbouring words are neighbours more often than in the reference."""
    pairs = list(pairwise(words))
    often = Counter(pairs) - of_ref
    again = np.array([often[pair] >= LOOPS.LEAST_COPIES for pair in pairs], dtype=bool)
    said = best_stretch(again)
    start, end = said[1:]
    # Text between two loops is no part of either.
    for at in range(start, end):
        if not again[at : at + LOOPS.LONGEST_HOLE].any() and at + LOOPS.LONGEST_HOLE <= end:
            end = at
            break
    if end - start < LOOPS.LEAST_WORDS:
        return None
    # Where two pieces meet they seldom meet again, and what was misread is not there at all.
    copies = float(np.percentile([often[pair] for pair in pairs[start:end]], 75))
    return Loop(start, end + 1, round((end + 1 - start) / copies)) if copies else None


def loosest_loop(ref_words: Sequence[str], words: Sequence[str]) -> Loop | None:
    """The loop of a text of which hardly two copies are equal, but all are alike.

    In a loop some copies of a word have been read alike, in a list of like words none.
    """
    often = Counter(words)
    if sum(n for n in often.values() if n > 1) < LOOPS.LEAST_EQUAL * len(words):
        return None
    other = np.array([often[word] == 1 and any(map(str.isdigit, word)) for word in words])
    best: tuple[float, Loop] | None = None
    for period in range(1, min(LOOPS.LONGEST_LOOSE, len(words) // LOOPS.LEAST_COPIES) + 1):
        alike = (likeness(words[period:], words[:-period]) > 0) & ~other[period:]
        score, start, end = best_stretch(alike)
        if end - start >= _least(period) and (best is None or score > LOOPS.STRONGER * best[0]):
            best = score, Loop(start, end + period, period)
    if best is None or not _is_text(often) or not _is_sure(words, best[1].period):
        return None
    loop = best[1]
    is_list = _are_like_lines(words[loop.start : loop.end], loop, Counter(ref_words))
    return None if is_list else loop


def _least(period: int) -> int:
    return max((LOOPS.LEAST_COPIES - 1) * period, LOOPS.LEAST_WORDS)


def best_stretch(same: BoolArray) -> tuple[float, int, int]:
    """The stretch whose words say most: score, start and end."""
    sums = np.concatenate([[0.0], np.cumsum(np.where(same, 1.0, LOOPS.UNLIKE))])
    lowest = np.minimum.accumulate(sums)
    end = int((sums - lowest).argmax())
    start = int(sums[: end + 1].argmin())
    return float(sums[end] - sums[start]), start, end
