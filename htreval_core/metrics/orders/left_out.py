"""What of a page counts: regions that are left out of both sides, and partial references."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise

import numpy as np
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist
from scipy.optimize import linear_sum_assignment

from htreval_core.metrics.matching.match import match_words
from htreval_core.metrics.orders.rows import best_stretches
from htreval_core.metrics.orders.tree import order_tree
from htreval_core.metrics.words import WordPair, distance
from htreval_core.model import BoolArray, FloatArray, IntArray, Transcript
from htreval_core.settings import Settings
from htreval_core.settings.orders import RegionRule
from htreval_core.text import PageWords, page_words

_ALIKE = 0.5
"""Words are the same text misread if at most this share of the longer one has to be edited."""
_READ = 0.5
"""The share of its words from which on the output has a text."""
_WHOLE = 0.9
"""The likeness from which on nothing of a line is looked for besides."""
_AMONG = 2
"""Words between two of a text that is left out, for each that it has there, and one more."""
_PLACE = 0.001
"""What a whole page between two lines takes off their likeness, and half of what a label does."""
_ENDS = 20
"""Misread words at either end of a block that are looked for."""
_TAKEN = -1
"""No number of a word."""


def written_words(
    side: Transcript, settings: Settings, page_id: str, reference: Transcript | None = None,
    without: Collection[int] = (),
) -> PageWords:  # fmt: skip
    """The words of a side; no divided word goes on in text that floats or is left out.

    Args:
        reference: that of an output, whose lines such text is known by too.
        without: lines that are passed over, by number.
    """
    joins = settings.policy.join_hyphens
    apart = _apart(side, settings, page_id, reference) if joins else None
    return page_words(side, settings.policy, apart, without)


def _apart(
    side: Transcript, settings: Settings, page_id: str, reference: Transcript | None
) -> dict[int, tuple[str, ...]]:
    """Lines that float or are left out, and what of the reference or of the side they belong to."""
    rules, of_page = settings.orders, settings.orders.of_page(page_id)
    if reference:
        theirs = _apart(reference, settings, page_id, None)
        numbers = _of_kind(side, rules.left_out) | _of_kind(side, rules.floats)
        mates = {k: theirs[j] for k, j in _mates(reference, theirs, side, numbers).items()}
    else:
        numbers = _left_out(side, settings, page_id) | _named(side, rules.floats, of_page.floats)
        mates = {}
    names = ((number, side.lines[number].region) for number in numbers)
    kinds = {k: ("own", name or side.lines[k].region_kind or "") for k, name in names}
    return {**kinds, **{k: ("reference", *mate) for k, mate in mates.items()}}


def _mates(
    reference: Transcript, lines: Collection[int], output: Transcript, own: Collection[int]
) -> dict[int, int]:
    """Lines of the output that read as one of these lines of the reference, which is given.

    A line reads as the one that it is most like, as long as no other line is more so. Of several
    it is one of these if the output says so, else one that counts, and the one that stands where
    it does."""
    texts, read = ([line.text.strip() for line in side.lines] for side in (reference, output))
    wanted = [texts[number] for number in lines if texts[number]]
    if not wanted or not read:
        return {}
    like = partial(cdist, scorer=Levenshtein.normalized_similarity, score_cutoff=1 - _ALIKE)
    near = np.flatnonzero(like(wanted, read).any(axis=0))
    found = like(texts, [read[k] for k in near.tolist()])
    apart = np.arange(len(texts))[:, None] / len(texts) - near / len(read)
    other = np.isin(np.arange(len(texts)), [*lines])[:, None] != np.isin(near, [*own])
    costs = _PLACE * (np.abs(apart) + 2 * other) - found
    pairs = zip(*linear_sum_assignment(costs), strict=True)
    most = found.max(axis=0)
    return {int(near[k]): int(j) for j, k in pairs if j in lines and found[j, k] == most[k]}


def counted_reference(
    reference: Transcript, words: PageWords, settings: Settings, page_id: str
) -> PageWords:
    """The words of the reference without the regions that are left out."""
    if not settings.orders.leaves_out:
        return words
    dropped = _left_out(reference, settings, page_id)
    return _without_lines(words, dropped, reference, settings, page_id)


def counted_output(
    reference: Transcript, ref: PageWords, output: Transcript, words: PageWords, settings: Settings,
    page_id: str,
) -> PageWords:  # fmt: skip
    """The words of the output without what is left out of the reference.

    Regions of a kind that is left out go, as the output itself has them. So does what reads as text
    that is left out: lines that are like one of its lines, or words that the matching, at the γ of
    the settings, pairs with like words of it, and as many or twice as many between two of them as
    it has there. Of these ways the one that leaves fewest errors is taken, or none if none leaves
    fewer.

    Of a page whose reference is partial every block keeps the stretch of the output that fits it
    best, word by word; what no block keeps goes.
    """
    dropped = _left_out(reference, settings, page_id)
    own = _of_kind(output, settings.orders.left_out)
    rest = _without_lines(words, own, output, settings, page_id, reference)
    counted = _without_lines(ref, dropped, reference, settings, page_id)
    if dropped:
        mates = _mates(reference, dropped, output, own)
        like = Levenshtein.normalized_similarity
        whole = {
            k: j for k, j in mates.items()
            if like(reference.lines[j].text, output.lines[k].text) >= _WHOLE
        }  # fmt: skip
        left = dropped - set(whole.values())
        # A line that is half like one of them may go on in text that counts.
        ways: list[PageWords] = []
        for found in (own | mates.keys(), own | whole.keys()):
            if not ways or len(whole) < len(mates):
                by_line = _without_lines(words, found, output, settings, page_id, reference)
                ways += [by_line, *_unmatched(ref, words, by_line, left, found, settings)]
        ways.insert(1, rest)
        rest = min(ways, key=lambda way: distance(*WordPair.of(counted.words, way.words).common))
    if settings.orders.partial:
        rest = _fitting(reference, counted, rest, settings, page_id)
    return rest


def _left_out(reference: Transcript, settings: Settings, page_id: str) -> frozenset[int]:
    rules = settings.orders
    return _named(reference, rules.left_out, rules.of_page(page_id).left_out)


def _named(side: Transcript, rule: RegionRule, names: Collection[str] = ()) -> frozenset[int]:
    return frozenset(
        number
        for number, line in enumerate(side.lines)
        if line.region in names or rule.fits(line.region, line.region_kind)
    )


def _of_kind(output: Transcript, rule: RegionRule) -> frozenset[int]:
    """Lines of an output, whose names are its own."""
    return _named(output, replace(rule, names=()))


def _without_lines(
    words: PageWords, lines: Collection[int], side: Transcript, settings: Settings, page_id: str,
    reference: Transcript | None = None,
) -> PageWords:  # fmt: skip
    if words.before is None or not lines:
        return words.only([k for k, line in enumerate(words.line_of) if line not in lines])
    # Signs on these lines, which CER reads, belong to no word.
    return written_words(side, settings, page_id, reference, lines)


def _unmatched(
    ref: PageWords, hyp: PageWords, rest: PageWords, lines: Collection[int], own: Collection[int],
    settings: Settings,
) -> Iterator[PageWords]:  # fmt: skip
    """The rest of the output without what pairs with text that is left out, in either of two ways.

    The matching of the whole page tells words apart that both texts have, if these stand where they
    should; that of the counted text alone, if they do not."""
    out = np.array([line in lines for line in ref.line_of], dtype=bool)
    if not out.any():
        return
    counted = [word for word, is_out in zip(ref.words, out, strict=True) if not is_out]
    of_rest = [k for k, line in enumerate(hyp.line_of) if line not in own]
    for pairs in (_like(ref.words, hyp.words, settings), _counted_first(ref, hyp, out, settings)):
        gone = _gone(hyp, counted, out, *pairs)
        mates = dict(zip(*(places.tolist() for places in reversed(pairs)), strict=True))
        # What stands among it and belongs to nothing else goes along.
        for before, after in pairwise(sorted(mates)):
            room = _AMONG * max(mates[after] - mates[before], 1)
            if gone[before] and gone[before] == gone[after] and after - before - 1 <= room:
                gone[before:after] = gone[before]
        yield rest.only([k for k, place in enumerate(of_rest) if not gone[place]])


def _counted_first(
    ref: PageWords, hyp: PageWords, out: BoolArray, settings: Settings
) -> tuple[IntArray, IntArray]:
    """The places of like words, those that count first and the others among what is left over."""
    free = np.arange(len(hyp.words))
    found = []
    for places in (np.flatnonzero(~out), np.flatnonzero(out)):
        words = [ref.words[j] for j in places.tolist()]
        in_ref, in_hyp = _like(words, [hyp.words[k] for k in free.tolist()], settings)
        found.append((places[in_ref], free[in_hyp]))
        free = np.delete(free, in_hyp)
    return np.concatenate([one for one, _ in found]), np.concatenate([two for _, two in found])


def _gone(
    hyp: PageWords, counted: Sequence[str], out: BoolArray, in_ref: IntArray, in_hyp: IntArray
) -> IntArray:
    """The number of the text left out with which a word is paired, where that is read; else 0."""
    gone = np.zeros(len(hyp.words), dtype=np.int64)
    times, read = Counter(counted), Counter(hyp.words)
    found = (times & read).total()
    for stretch in np.split(np.arange(len(out)), np.flatnonzero(np.diff(out)) + 1):
        if not out[stretch[0]]:
            continue
        mates = in_hyp[np.isin(in_ref, stretch)].tolist()
        # What the output does not have shares words with what counts.
        lost = found - (times & (read - Counter(hyp.words[k] for k in mates))).total()
        if len(mates) >= _READ * len(stretch) and lost < _READ * len(mates):
            gone[mates] = stretch[0] + 1
    return gone


def _like(ref: Sequence[str], hyp: Sequence[str], settings: Settings) -> tuple[IntArray, IntArray]:
    """The places of the words that the matching pairs with a like word."""
    pair = WordPair.of(ref, hyp)
    matching = match_words(pair, settings.gamma)
    like = _likeness(pair, matching.ref_index, matching.hyp_index) >= 0
    return matching.ref_index[like], matching.hyp_index[like]


def _likeness(pair: WordPair, in_ref: IntArray, in_hyp: IntArray) -> FloatArray:
    """How much less of each word is edited than of one that is not the same text, shape (n,)."""
    of_ref, of_hyp = pair.ref[in_ref], pair.hyp[in_hyp]
    longer = np.maximum(pair.ref_lengths[of_ref], pair.hyp_lengths[of_hyp])
    return np.asarray(_ALIKE - pair.distances_of(of_ref, of_hyp) / np.maximum(longer, 1))


def _fitting(
    reference: Transcript, ref: PageWords, hyp: PageWords, settings: Settings, page_id: str
) -> PageWords:
    pair = WordPair.of(ref.words, hyp.words)
    ids, hyp_ids = pair.common
    blocks = order_tree(reference, ref.line_of, settings.orders, page_id).blocks
    places = [block.words for block in blocks]
    keep = np.zeros(len(hyp.words), dtype=bool)
    ends: dict[int, int] = {}
    # A long block has one place, and a short one takes none of its words.
    for number in sorted(range(len(places)), key=lambda one: (-len(places[one]), one)):
        near = next((ends[one] for one in range(number - 1, -1, -1) if one in ends), 0)
        free = np.where(keep, _TAKEN, hyp_ids)
        words = ids[places[number].start : places[number].stop]
        text = " ".join(ref.words[j] for j in places[number])
        ways = [
            _with_misread_ends(text, words, hyp.words, free, *stretch)
            for stretch in best_stretches(words, free, near)
        ]
        stretch = min(ways, key=lambda way: way[0], default=(0.0, None))[1]
        stretch = stretch or _misread_stretch(pair, places[number], free, near)
        if stretch is not None:
            keep[slice(*stretch)] = True
            ends[number] = stretch[1]
    return hyp.only(np.flatnonzero(keep).tolist())


def _with_misread_ends(
    text: str, words: IntArray, hyp: Sequence[str], free: IntArray, start: int, end: int
) -> tuple[float, tuple[int, int]]:
    """The stretch with the words around it that are a block's own, misread, and how unlike it is.

    It has no more word errors than before. Text that is no part of the block costs half of its
    letters: so much of any text is found in another.
    """
    ids = words.tolist()

    def unlike(first: int, last: int) -> float:
        read = " ".join(hyp[first:last])
        return Levenshtein.distance(text, read) + _ALIKE * len(read)

    least = Levenshtein.distance(ids, free[start:end].tolist())
    best = unlike(start, end), (start, end)
    for step in (-1, 1):
        first, last = best[1]
        for _ in range(min(least, _ENDS)):
            first, last = (first - 1, last) if step < 0 else (first, last + 1)
            if first < 0 or last > len(free) or _TAKEN in (free[first], free[last - 1]):
                break
            if Levenshtein.distance(ids, free[first:last].tolist()) <= least:
                best = min(best, (unlike(first, last), (first, last)))
    return best


def _misread_stretch(
    pair: WordPair, words: range, free: IntArray, near: int
) -> tuple[int, int] | None:
    """The words that are most like those of a block of which none was read right, if any are."""
    n = len(free) - len(words) + 1
    if n <= 0:
        return None
    alike = np.zeros(n)
    for at, word in enumerate(words):
        places = np.arange(at, at + n)
        like = _likeness(pair, np.full(n, word), places)
        alike += np.where(free[places] == _TAKEN, -np.inf, like)
    best = np.flatnonzero(alike == alike.max())
    start = int(best[np.abs(best - near).argmin()])
    return (start, start + len(words)) if alike[start] >= 0 else None
