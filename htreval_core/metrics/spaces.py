"""Words that are divided or joined and have every letter right: ``an nounced`` for ``announced``.

A regrouping m:n replaces m ≥ 1 consecutive words of the reference by n ≥ 1 consecutive words of
the output, m + n ≥ 3, with equal letters once the spaces are gone, and no shorter regrouping is
inside it. Which ones are meant is a matter of the cheapest alignment: edits of words cost 1,
regroupings nothing; of equal costs the one with the fewest regroupings counts, and of those the
one whose regroupings stand nearest the beginning. With the two sides exchanged it is the same, but
where two regroupings exclude each other and stand equally near.
"""

from bisect import bisect, bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

import numpy as np

from htreval_core.model import EditCounts, IntArray

MOST_WORDS = 8
"""Words of a regrouping on either side: no word of a text is divided into more."""
_CUT = 2 * MOST_WORDS
"""Where this many words in a row are read alike, no alignment of what stands before has
a say in what comes after: a page is looked at between such runs."""
_NEAREST = 32
"""So many places of the same two words are tried on either side of where a word stands: only
loops have more within a stretch."""

Span: TypeAlias = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Regrouping:
    """Words of the reference and words of the output that differ in spaces alone.

    Args:
        ref: positions of reference words, one after the other.
        hyp: positions of output words, in the order of the reference.
    """

    ref: tuple[int, ...]
    hyp: tuple[int, ...]


def find_regroupings(ref: Sequence[str], hyp: Sequence[str]) -> list[Regrouping]:
    """The regroupings of the cheapest alignment, in order.

    Args:
        ref: shape (|X|,), the words of the reference.
        hyp: shape (|Y|,), the words of the output, displaced text put back in its place.
    """
    if ref == hyp:
        return []
    found = []
    for (j, j_end), (k, k_end) in _stretches(ref, hyp):
        arcs = _arcs(ref[j:j_end], hyp[k:k_end])
        if arcs:
            chosen = _cheapest(ref[j:j_end], hyp[k:k_end], arcs)
            found += [
                Regrouping(tuple(range(j + a, j + b)), tuple(range(k + c, k + d)))
                for (a, b), (c, d) in chosen
            ]
    return found


def put_right(
    ref: Sequence[str], hyp: Sequence[str], regroupings: Sequence[Regrouping]
) -> tuple[EditCounts, list[Regrouping]]:
    """bWER's edits with divided and joined words put right, and the regroupings that lower them.

    A regrouping counts only where bWER has fewer errors without it. It is the same whether the
    words of the reference or those of the output are put in place of the other's: bWER has as many
    errors as without either.
    """
    left_ref, left_hyp = Counter(ref), Counter(hyp)
    edits, taken = _bag(left_ref, left_hyp), []
    for one in regroupings:
        mine, others = [ref[j] for j in one.ref], [hyp[k] for k in one.hyp]
        left_ref.subtract(mine)
        left_hyp.subtract(others)
        without = _bag(left_ref, left_hyp)
        if without.errors < edits.errors:
            edits = without
            taken.append(one)
        else:
            left_ref.update(mine)
            left_hyp.update(others)
    return edits, taken


def _bag(ref: Counter[str], hyp: Counter[str]) -> EditCounts:
    hits = sum((ref & hyp).values())
    missing, surplus = ref.total() - hits, hyp.total() - hits
    both = min(missing, surplus)
    return EditCounts(hits, both, missing - both, surplus - both)


def _stretches(ref: Sequence[str], hyp: Sequence[str]) -> Iterator[tuple[Span, Span]]:
    """What stands between long runs of equal words; each takes the half of the runs beside it."""
    from rapidfuzz.distance import Levenshtein

    j = k = 0
    for op in Levenshtein.opcodes(ref, hyp):
        if op.tag == "equal" and op.src_end - op.src_start >= _CUT:
            yield (j, op.src_start + MOST_WORDS), (k, op.dest_start + MOST_WORDS)
            j, k = op.src_end - MOST_WORDS, op.dest_end - MOST_WORDS
    yield (j, len(ref)), (k, len(hyp))


def _arcs(ref: Sequence[str], hyp: Sequence[str]) -> list[tuple[Span, Span]]:
    """All regroupings that could be, by their ends."""
    divided = _from_prefixes(ref, hyp)
    joined = ((in_ref, in_hyp) for in_hyp, in_ref in _from_prefixes(hyp, ref))
    return sorted([*divided, *joined], key=lambda arc: (arc[0][1], arc[1][1], arc))


def _from_prefixes(longer: Sequence[str], shorter: Sequence[str]) -> Iterator[tuple[Span, Span]]:
    """The regroupings whose first word in ``shorter`` is the beginning of that in ``longer``."""
    begins: dict[str, list[int]] = defaultdict(list)
    for at, (word, after) in enumerate(pairwise(shorter)):
        begins[word + after[0]].append(at)
    places: dict[str, list[int]] = defaultdict(list)
    for first, word in enumerate(longer):
        places[word].append(first)
    words = sorted(places)
    for begin, all_at in begins.items():
        place = bisect_left(words, begin)
        while place < len(words) and words[place].startswith(begin):
            for first in places[words[place]]:
                near = max(bisect(all_at, first * len(shorter) // len(longer)) - _NEAREST, 0)
                for at in all_at[near : near + 2 * _NEAREST]:
                    ends = _regrouped(longer, shorter, first, at)
                    if ends is not None:
                        yield (first, ends[0]), (at, ends[1])
            place += 1


def _regrouped(one: Sequence[str], other: Sequence[str], i: int, j: int) -> Span | None:
    """Where both sides first end a word together, their letters equal from i and j on.

    The first word of ``one`` is the longer."""
    last_one, last_other = (
        min(first + MOST_WORDS, len(of)) for first, of in ((i, one), (j, other))
    )
    ahead, i, j, is_one = one[i][len(other[j]) :], i + 1, j + 1, True
    """The letters that one side has more so far, and whether it is ``one``."""
    while ahead:
        if (j == last_other) if is_one else (i == last_one):
            return None
        word = other[j] if is_one else one[i]
        i, j = (i, j + 1) if is_one else (i + 1, j)
        if ahead.startswith(word):
            ahead = ahead[len(word) :]
        elif word.startswith(ahead):
            ahead, is_one = word[len(ahead) :], not is_one
        else:
            return None
    return i, j


def _cheapest(
    ref: Sequence[str], hyp: Sequence[str], arcs: Sequence[tuple[Span, Span]]
) -> list[tuple[Span, Span]]:
    """The regroupings on the cheapest way through the table of edits; arcs rise by their end."""
    from rapidfuzz.distance import Levenshtein

    # One number holds edits, regroupings and the sum of their places, in this order of weight.
    most, n_words = min(len(arcs), len(ref), len(hyp)), len(ref) + len(hyp)
    group = most * n_words + 1
    edit = most * (group + n_words) + 1
    number = {word: place for place, word in enumerate({*ref, *hyp})}
    in_ref, in_hyp = (np.array([number[word] for word in of]) for of in (ref, hyp))
    starts = {arc[0][0] for arc in arcs}
    rows: dict[int, IntArray] = {}
    costs: list[int] = []
    """By arc, the least cost of a way that ends with it."""
    # Every cell holds its cost less an edit for each word of either side so far.
    cost = np.zeros(len(hyp) + 1, dtype=np.int64)
    saved = np.array([edit, 2 * edit])
    for row in range(len(ref) + 1):
        if row:
            through = cost[:-1] - saved[(in_hyp == in_ref[row - 1]).view(np.int8)]
            np.minimum(cost[1:], through, out=cost[1:])
            while len(costs) < len(arcs) and arcs[len(costs)][0][1] == row:
                (a, _), (c, d) = arcs[len(costs)]
                costs.append(int(rows[a][c]) + (a + c) * edit + group + a + c)
                cost[d] = min(int(cost[d]), costs[-1] - (row + d) * edit)
            np.minimum.accumulate(cost, out=cost)
        if row in starts:
            rows[row] = cost.copy()
    chosen: list[tuple[Span, Span]] = []
    i, j, left = len(ref), len(hyp), int(cost[-1]) + n_words * edit
    for ((a, b), (c, d)), spent in zip(reversed(arcs), reversed(costs), strict=True):
        edits, other = divmod(left - spent, edit)
        if not left % edit or other or edits < 0 or b > i or d > j:
            continue
        if Levenshtein.distance(ref[b:i], hyp[d:j], score_cutoff=edits) == edits:
            chosen.append(((a, b), (c, d)))
            i, j, left = a, c, spent - group - a - c
    return chosen[::-1]
