"""A sequential trace that a person would draw: as few word edits, and the likest words paired.

The edit distance leaves open which of several cheapest traces is meant, and a solver may pair
unlike words as well as like ones. Stretches without equal words are aligned again, first by word
edits, then by the characters that those edit.
"""

from collections.abc import Sequence
from itertools import accumulate
from typing import cast

import numpy as np
from rapidfuzz.distance import LCSseq, Levenshtein

from htreval_core.metrics.words import WordPair

_CELLS = 4096
"""A larger stretch keeps the trace as it is: there is nothing to read off it anyway."""
_FEW_CELLS = 60
"""Up to here it is quicker to ask for each distance than to read it off the page's table."""

Block = tuple[str, int, int, int, int]
"""Its kind, reference start and end, hypothesis start and end. Kinds are those of the edit
distance ("equal", "replace", "delete", "insert"), and "mixed" for several put together."""
Rows = tuple[list[int], list[int]]


def refined_rows(words: WordPair) -> Rows:
    """A trace of least word edits and, among those, of few character edits.

    Returns:
        Reference positions and hypothesis positions in order, shape (rows,) each, -1 where a word
        has no mate.
    """
    ref_ids, hyp_ids = (side.tolist() for side in words.common)
    rows: Rows = [], []
    for kind, ref_start, ref_end, hyp_start, hyp_end in _merged(_blocks(ref_ids, hyp_ids)):
        ref, hyp = range(ref_start, ref_end), range(hyp_start, hyp_end)
        if kind in ("mixed", "replace"):
            ids = ref_ids[ref_start:ref_end], hyp_ids[hyp_start:hyp_end]
            # Where words have equals among those that replace them, leaving one out and adding
            # another may cost as many word edits and fewer characters.
            if kind == "mixed" or (len(ref) > 1 and not set(ids[0]).isdisjoint(ids[1])):
                _align(rows, words, ref, hyp, *ids)
                continue
        _add(rows, ref, hyp)
    return rows


def rows_as_found(words: WordPair) -> Rows:
    """A trace of least word edits as rapidfuzz finds it; rows as of ``refined_rows``."""
    ref, hyp = words.common
    rows: Rows = [], []
    for _, ref_start, ref_end, hyp_start, hyp_end in _blocks(ref.tolist(), hyp.tolist()):
        _add(rows, range(ref_start, ref_end), range(hyp_start, hyp_end))
    return rows


def sclite_rows(words: WordPair) -> Rows:
    """The trace that sclite takes: of least cost, 3 a word left out or added and 4 a replaced one.

    Replacing two words that follow each other costs more than leaving out one and adding another,
    two words further on, so there may be more errors than the edit distance has. Of equal costs
    the pair counts first, then the word added: traces of one cost differ in their errors.
    """
    ref, hyp = words.common
    n_ref, n_hyp = len(ref), len(hyp)
    alone = 3 * np.arange(n_hyp + 1)
    above = alone
    # One bit a cell: whether the best step there pairs two words, whether it leaves one out.
    pairs = np.zeros((n_ref, n_hyp // 8 + 1), dtype=np.uint8)
    drops = np.zeros_like(pairs)
    for j in range(n_ref):
        paired = above[:-1] + 4 * (hyp != ref[j])
        dropped = above[1:] + 3
        below = np.minimum(paired, dropped)
        # Words added one after another, all at once: their number is in the place.
        row = np.minimum.accumulate(np.append(above[0] + 3, below) - alone) + alone
        added = row[:-1] + 3
        pairs[j, : (n_hyp + 7) // 8] = np.packbits((paired <= dropped) & (paired <= added))
        drops[j, : (n_hyp + 7) // 8] = np.packbits(dropped < added)
        above = row
    found: list[tuple[int, int]] = []
    j, k = n_ref, n_hyp
    while j and k:
        byte, bit = divmod(k - 1, 8)
        if pairs[j - 1, byte] >> (7 - bit) & 1:
            j, k = j - 1, k - 1
            found.append((j, k))
        elif drops[j - 1, byte] >> (7 - bit) & 1:
            j -= 1
            found.append((j, -1))
        else:
            k -= 1
            found.append((-1, k))
    rows: Rows = [], []
    _add(rows, range(j), range(0))
    _add(rows, range(0), range(k))
    for at_ref, at_hyp in reversed(found):
        rows[0].append(at_ref)
        rows[1].append(at_hyp)
    return rows


def _add(rows: Rows, ref: range, hyp: range) -> None:
    """The rows of equal words, of words replaced one by one, or of words on one side only."""
    rows[0].extend(ref or [-1] * len(hyp))
    rows[1].extend(hyp or [-1] * len(ref))


def _blocks(ref: Sequence[int], hyp: Sequence[int]) -> list[Block]:
    return cast(list[Block], Levenshtein.opcodes(ref, hyp).as_list())


def _merged(blocks: list[Block]) -> list[Block]:
    """Unequal blocks that touch, or have one equal word between them, put together."""
    merged: list[Block] = []
    for block in blocks:
        if block[0] == "equal" or not merged:
            merged.append(block)
        elif merged[-1][0] != "equal":
            merged[-1] = _joined(merged[-1], block)
        elif (
            len(merged) > 1
            and merged[-1][2] - merged[-1][1] == 1
            and not (_is_square(merged[-2]) and _is_square(block))
        ):
            merged[-2:] = [_joined(merged[-2], block)]
        else:
            merged.append(block)
    return merged


def _joined(first: Block, last: Block) -> Block:
    return "mixed", first[1], last[2], first[3], last[4]


def _is_square(block: Block) -> bool:
    return block[2] - block[1] == block[4] - block[3]


def _align(
    rows: Rows, words: WordPair, ref: range, hyp: range, ref_ids: list[int], hyp_ids: list[int]
) -> None:
    """Add the cheapest alignment of a stretch, whose equal words have equal ids, by (word edits,
    character edits).
    """
    n_ref, n_hyp = len(ref), len(hyp)
    if n_ref * n_hyp > _CELLS:
        for _, ref_start, ref_end, hyp_start, hyp_end in _blocks(ref_ids, hyp_ids):
            _add(rows, ref[ref_start:ref_end], hyp[hyp_start:hyp_end])
        return
    # Of E edits and H equal pairs, E − |hyp| + H leave a word out and E − |ref| + H add one. With
    # the least E and the greatest H, no cheapest alignment strays further from the diagonal.
    most_equal = LCSseq.similarity(ref_ids, hyp_ids)
    most_dropped = Levenshtein.distance(ref_ids, hyp_ids) - n_hyp + most_equal
    most_added = most_dropped + n_hyp - n_ref
    of_ref = words.ref_words[ref.start : ref.stop]
    of_hyp = words.hyp_words[hyp.start : hyp.stop]
    # One word edit outweighs all characters of the stretch.
    edit = 1 + sum(map(len, of_ref)) + sum(map(len, of_hyp))
    beyond = edit * (n_ref + n_hyp + 1)
    bands = [(max(j - most_dropped, 0), min(j + most_added + 1, n_hyp)) for j in range(n_ref)]
    pair = _pair_costs(words, ref, hyp, edit, bands)
    drop = [edit + len(word) for word in of_ref]
    add = [edit + len(word) for word in of_hyp]
    above = [0, *accumulate(add)]
    best = [above]
    for (start, end), pairs, dropped in zip(bands, pair, drop, strict=True):
        before = above[start]  # the cell above and to the left
        cell = before + dropped
        current = [beyond] * start
        current.append(cell)
        # With as few steps as can be: this is the innermost loop of the trace.
        for over, paired, added in zip(
            above[start + 1 :], pairs[start:end], add[start:], strict=False
        ):
            cell += added
            if over + dropped < cell:
                cell = over + dropped
            if before + paired < cell:
                cell = before + paired
            before = over
            current.append(cell)
        current.append(beyond)
        best.append(current)
        above = current
    of_stretch = _trace_back(best, pair, drop, add)
    rows[0].extend([ref[j] if j >= 0 else -1 for j, _ in of_stretch])
    rows[1].extend([hyp[k] if k >= 0 else -1 for _, k in of_stretch])


def _pair_costs(
    words: WordPair, ref: range, hyp: range, edit: int, bands: Sequence[tuple[int, int]]
) -> list[list[int]]:
    """What pairs of a stretch cost: a list for each reference word, right within its band."""
    start, end = bands[len(bands) // 2]
    if len(bands) * (end - start) > _FEW_CELLS:
        ref_type, hyp_type = words.ref[ref.start : ref.stop], words.hyp[hyp.start : hyp.stop]
        apart = words.distances_between(ref_type, hyp_type)
        return cast(list[list[int]], np.where(apart, apart.astype(np.int64) + edit, 0).tolist())
    of_hyp = words.hyp_words[hyp.start : hyp.stop]
    costs = []
    for word, (start, end) in zip(words.ref_words[ref.start : ref.stop], bands, strict=True):
        near = [0 if other == word else edit + Levenshtein.distance(word, other)
                for other in of_hyp[start:end]]  # fmt: skip
        costs.append([*[edit] * start, *near, *[edit] * (len(of_hyp) - end)])
    return costs


def _trace_back(
    best: list[list[int]], pair: list[list[int]], drop: list[int], add: list[int]
) -> list[tuple[int, int]]:
    """The rows of a stretch by its table of costs, positions within the stretch.

    Args:
        pair: what it costs to pair two words, a list for each reference word.
        drop: what it costs to leave out each reference word.
        add: what it costs to add each hypothesis word.
    """
    found: list[tuple[int, int]] = []
    j, k = len(drop), len(add)
    while j or k:
        if j and k and best[j][k] == best[j - 1][k - 1] + pair[j - 1][k - 1]:
            j, k = j - 1, k - 1
            found.append((j, k))
        elif j and best[j][k] == best[j - 1][k] + drop[j - 1]:
            j -= 1
            found.append((j, -1))
        else:
            k -= 1
            found.append((-1, k))
    return found[::-1]
