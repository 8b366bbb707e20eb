"""Words that the output has too many, told from the output alone: loops, doubled lines, talk.

They belong nowhere on the page and would only be matched with what is missing. So they are set
aside before the two sides are aligned, and what WER charges for them is what it charges less then.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

import numpy as np
from rapidfuzz.distance import Levenshtein

from htreval_core.diagnosis.limits import EXTRAS, TRACE
from htreval_core.diagnosis.model import EventKind, Extent, Span, Talking, TalkPlace
from htreval_core.diagnosis.page.ground import Ground
from htreval_core.diagnosis.page.loops import Loop, best_stretch
from htreval_core.diagnosis.page.places import Places
from htreval_core.diagnosis.text.talk import Talk
from htreval_core.diagnosis.text.trace import Gap, Trace, place_of
from htreval_core.metrics.words import WordPair, distance
from htreval_core.model import BoolArray, IntArray


@dataclass(frozen=True, slots=True)
class Extras:
    """What the output has too many.

    Args:
        loops: text that repeats itself over and over.
        talks: what is about the page and not of it.
        doubles: the words of lines that stand there a second time.
    """

    loops: Sequence[Loop] = ()
    talks: Sequence[Talk] = ()
    doubles: Sequence[Span] = ()

    def __bool__(self) -> bool:
        return bool(self.loops or self.talks or self.doubles)

    def spans(self) -> list[Span]:
        """The words too many, without the first copy of a loop."""
        return [
            *(loop.again for loop in self.loops), *(talk.span for talk in self.talks),
            *self.doubles,
        ]  # fmt: skip

    def dropped(self, n_hyp: int) -> BoolArray:
        """Which words of the output they are, and False for no word, shape (words + 1,)."""
        out = np.zeros(n_hyp + 1, dtype=bool)
        for start, end in self.spans():
            out[start:end] = True
        return out


def is_of_page(loop: Loop, places: IntArray, ground: Ground) -> bool:
    """Whether the lines on which the words of a loop stand have most of them, each as often.

    Args:
        places: shape (words,), the reference line on which each stands; -1 where it is on none.
    """
    words = Counter(zip(places[loop.start : loop.end].tolist(),
                        ground.hypothesis.words[loop.start : loop.end], strict=True))  # fmt: skip
    of_page = Counter(zip(ground.reference.line_of, ground.reference.words, strict=True))
    return (words & of_page).total() >= EXTRAS.ON_PAGE * loop.length


def find_doubles(ground: Ground) -> list[Span]:
    """The second copies where every line of the output, or nearly, stands there twice in a row."""
    if not ground.has_hyp_lines or len(ground.hypothesis.words) < EXTRAS.TWICE_AS_LONG * len(
        ground.reference.words
    ):
        return []
    lines = _texts(ground.hypothesis.words, ground.hypothesis.line_of)
    if len(lines) < EXTRAS.LEAST_LINES:
        return []
    ref = [text for _, text in _texts(ground.reference.words, ground.reference.line_of)]
    like = Levenshtein.normalized_similarity
    # Where lines of the page are like the next one, copies are more like each other.
    of_page = float(np.percentile([like(a, b) for a, b in pairwise(ref)] or [0.0], 75))
    least = EXTRAS.SAME_LINE if of_page < EXTRAS.SAME_LINE else (1 + of_page) / 2
    second: list[Span] = []
    was_second = False
    for (_, one), (span, other) in pairwise(lines):
        same = like(one, other) >= least
        was_second = same and not was_second
        if was_second:
            second.append(span)
    if len(second) * 2 < EXTRAS.DOUBLED * len(lines):
        return []
    twins = sum(a == b for a, b in pairwise(ref))
    return [] if twins * 4 > len(ref) else second


def _texts(words: Sequence[str], line_of: Sequence[int]) -> list[tuple[Span, str]]:
    """Each line's words, as a span and as a text."""
    found = []
    for _, numbers in groupby(range(len(words)), line_of.__getitem__):
        of_line = list(numbers)
        span = of_line[0], of_line[-1] + 1
        found.append((span, " ".join(words[slice(*span)])))
    return found


def with_extras(
    gaps: Sequence[Gap], extras: Extras, trace: Trace, ground: Ground, order: Sequence[int],
    places: Places | None = None,
) -> list[Gap]:  # fmt: skip
    """The gaps with what was set aside.

    Args:
        order: the output's words with all displaced text put back.
        places: where they stand on the page, where that is known.
    """
    if not extras:
        return list(gaps)
    # Where nothing was read right, no word has a place to be put back to.
    order = order or range(len(ground.hypothesis.words))
    pair = WordPair.of(ground.reference.words, [ground.hypothesis.words[k] for k in order])
    errors = distance(*pair.common) - int(trace.wrong.sum())
    n_words = sum(end - start for start, end in extras.spans())
    each = min(max(errors / n_words, 0.0), 1.0) if n_words else 0.0
    found = _with_loops(gaps, extras.loops, trace, each, ground, places)
    found += [_of_talk(talk, trace, each, ground) for talk in extras.talks]
    if extras.doubles:
        words = sum(end - start for start, end in extras.doubles)
        whole = 0, len(ground.reference.words)
        doubled = tuple(extras.doubles)
        share = words / len(ground.hypothesis.words)
        found.append(Gap(EventKind.REPEATED, (0, 0), doubled, words, round(each * words), whole,
                         share=share, extent=Extent.EVERY_LINE))  # fmt: skip
    return found


def _of_talk(talk: Talk, trace: Trace, each: float, ground: Ground) -> Gap:
    start, end = talk.span
    after = (trace.hyp >= end) & trace.anchored
    before = (trace.hyp >= 0) & (trace.hyp < start) & trace.anchored
    inside = TalkPlace.AMID if after.any() else TalkPlace.AFTER
    at = inside if before.any() else TalkPlace.BEFORE
    place = place_of(trace, trace.hyp == start - 1, after=True) if start else (0, 0)
    words = end - start
    return Gap(
        EventKind.TALK, place, (talk.span,), words, round(each * words),
        share=words / len(ground.hypothesis.words), detail=Talking(at),
    )  # fmt: skip


def _with_loops(
    gaps: Sequence[Gap], loops: Sequence[Loop], trace: Trace, each: float, ground: Ground,
    places: Places | None,
) -> list[Gap]:  # fmt: skip
    """The gaps with the loops, at ``each`` error a word, and the missing text that they replace."""
    kept = list(gaps)
    for loop in loops:
        words = loop.length - loop.period
        own = round(each * words)
        after = _after_first_copy(trace, loop)
        spans = ((loop.start, loop.end),)
        if loop.is_double:
            source = after[0] - loop.period, after[0]
            spans = (loop.again,)
            kept.append(Gap(EventKind.REPEATED, after, spans, words, own, source))
            continue
        reference, end = after, loop.start + loop.period
        on = set() if places is None else set(places.line[loop.start : loop.end].tolist())
        for gap in sorted(kept, key=lambda gap: gap.reference):
            if gap.kind not in (EventKind.MISSING, EventKind.READ_BADLY, EventKind.REPLACED):
                continue
            start, last = gap.reference
            instead = sum(ground.reference.line_of[j] in on for j in range(start, last))
            of_first = any(loop.start <= a and b <= end for a, b in gap.hypothesis)
            # A word that both sides have by chance may cut what is missing.
            goes_on = start - TRACE.LEAST_RUN <= reference[1] < last
            if (
                of_first
                or 2 * instead > last - start
                or (goes_on and gap.kind is not EventKind.REPLACED)
            ):
                kept.remove(gap)
                whole = reference[1] > reference[0]
                reference, own = (reference[0] if whole else start, last), own + gap.errors
        for gap in list(kept):
            # What the page does not have at all, it does not have the first time either.
            first = all(a >= loop.start - TRACE.LEAST_RUN and b <= end for a, b in gap.hypothesis)
            if first and gap.kind in (EventKind.INVENTED, EventKind.REPEATED):
                kept.remove(gap)
                words, own = words + gap.words, own + gap.errors
        kept.append(Gap(EventKind.LOOP, reference, spans, words, own, copies=loop.copies))
    return kept


def _after_first_copy(trace: Trace, loop: Loop) -> Span:
    """Where in the reference a loop stands: an empty span behind what its first copy reads.

    A single word of the copy may have been matched far away; most of them were not."""
    end = loop.start + loop.period
    own = trace.anchored & (trace.hyp >= loop.start) & (trace.hyp < end)
    if not own.any():
        return place_of(trace, trace.hyp == end - 1, after=True)
    place = int(np.median(trace.ref[own] - trace.hyp[own])) + end
    # A copy may have more words than the page.
    return (min(place, int(trace.ref.max()) + 1),) * 2


def with_sources(gaps: Sequence[Gap], ground: Ground) -> list[Gap]:
    """The gaps, each loop with the text of the reference that it repeats, where known."""
    return [_with_source(gap, ground) if gap.kind is EventKind.LOOP else gap for gap in gaps]


def _with_source(gap: Gap, ground: Ground) -> Gap:
    start, end = gap.hypothesis[0][0], gap.hypothesis[-1][1]
    share = gap.words / len(ground.hypothesis.words)
    words = ground.hypothesis.words[start:end]
    # Each copy was read in its own way: what most of them have is what they have in common.
    common = _common(words, 1, gap.copies)
    ref_words = ground.reference.words
    if len(common & set(_grams(ref_words, 1))) < EXTRAS.NOWHERE * len(common):
        return replace(gap, share=share, foreign=True)
    n = 1 if len(words) < (2 + 1) * gap.copies else 2
    common, ref = _common(words, n, gap.copies), _grams(ref_words, n)
    _, first, last = best_stretch(np.array([one in common for one in ref], dtype=bool))
    if not common or len(common.intersection(ref[first:last])) < EXTRAS.FROM_PAGE * len(common):
        return replace(gap, share=share)
    size = max(round(len(words) / gap.copies) - n + 1, 1)
    if last - first > 2 * size:  # Like lines of the page: that which has most of it.
        held = [len(common.intersection(ref[at : at + size])) for at in range(last - size + 1)]
        at_lines = filter(ground.starts_ref_line, range(first, len(held)))
        first = max((*at_lines, held.index(max(held[first:]), first)), key=held.__getitem__)
        last = first + size
    return replace(gap, share=share, source=(first, last + n - 1))


def _common(words: Sequence[str], n: int, copies: float) -> set[tuple[str, ...]]:
    """The neighbouring words that half of the copies of a loop have."""
    return {gram for gram, often in Counter(_grams(words, n)).items() if 2 * often >= copies}


def _grams(words: Sequence[str], n: int) -> list[tuple[str, ...]]:
    """Every n words in a row."""
    return list(zip(*(words[at:] for at in range(n)), strict=False))
