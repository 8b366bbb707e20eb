"""A sequential trace that a person would draw: as few word edits, and the likest words paired.

The edit distance leaves open which of several cheapest traces is meant, and a solver may pair
unlike words as well as like ones. Stretches without equal words are aligned again, first by word
edits, then by the characters that those edit.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate
from typing import cast

from rapidfuzz.distance import Levenshtein

from htreval_core.metrics.words import WordPair

_CELLS = 4096
"""A larger stretch keeps the trace as it is: there is nothing to read off it anyway."""
_WORD_EDIT = 1 << 40
"""One word edit outweighs all characters of a page."""

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
    ref, hyp = words.common
    rows: Rows = [], []
    for block in _merged(_blocks(ref.tolist(), hyp.tolist())):
        kind, ref_start, ref_end, hyp_start, hyp_end = block
        of_ref, of_hyp = range(ref_start, ref_end), range(hyp_start, hyp_end)
        if kind == "mixed" or (kind == "replace" and _shares_words(words, of_ref, of_hyp)):
            _align(rows, words, of_ref, of_hyp)
        else:
            _add(rows, of_ref, of_hyp)
    return rows


def rows_as_found(words: WordPair) -> Rows:
    """A trace of least word edits as rapidfuzz finds it; rows as of ``refined_rows``."""
    ref, hyp = words.common
    rows: Rows = [], []
    for _, ref_start, ref_end, hyp_start, hyp_end in _blocks(ref.tolist(), hyp.tolist()):
        _add(rows, range(ref_start, ref_end), range(hyp_start, hyp_end))
    return rows


def _add(rows: Rows, ref: range, hyp: range) -> None:
    """The rows of equal words, of words replaced one by one, or of words on one side only."""
    rows[0].extend(ref or [-1] * len(hyp))
    rows[1].extend(hyp or [-1] * len(ref))


def _shares_words(words: WordPair, ref: range, hyp: range) -> bool:
    """Whether words that were replaced have equals among those that replace them.

    Leaving one out and adding another may cost as many word edits and fewer characters then.
    """
    return len(ref) > 1 and not set(words.ref_words[ref.start : ref.stop]).isdisjoint(
        words.hyp_words[hyp.start : hyp.stop]
    )


def _blocks(ref: list[int], hyp: list[int]) -> list[Block]:
    return cast(list[Block], Levenshtein.opcodes(ref, hyp).as_list())


def _merged(blocks: list[Block]) -> list[Block]:
    """Unequal blocks that touch, or have one equal word between them, put together."""
    merged: list[Block] = []
    for block in blocks:
        if block[0] == "equal" or not merged:
            merged.append(block)
        elif merged[-1][0] != "equal":
            merged[-1] = _joined(merged[-1], block)
        elif len(merged) > 1 and _may_be_paired_otherwise(merged[-2], merged[-1], block):
            merged[-2:] = [_joined(merged[-2], block)]
        else:
            merged.append(block)
    return merged


def _joined(first: Block, last: Block) -> Block:
    return "mixed", first[1], last[2], first[3], last[4]


def _may_be_paired_otherwise(before: Block, equal: Block, after: Block) -> bool:
    """Whether a single equal word stands between stretches one of which is longer on a side."""
    return equal[2] - equal[1] == 1 and not (_is_square(before) and _is_square(after))


def _is_square(block: Block) -> bool:
    return block[2] - block[1] == block[4] - block[3]


def _align(rows: Rows, words: WordPair, ref: range, hyp: range) -> None:
    """Add the cheapest alignment of a stretch by (word edits, character edits)."""
    if len(ref) * len(hyp) > _CELLS:
        ref_ids, hyp_ids = words.common
        of_ref_ids = ref_ids[ref.start : ref.stop].tolist()
        of_hyp_ids = hyp_ids[hyp.start : hyp.stop].tolist()
        for _, ref_start, ref_end, hyp_start, hyp_end in _blocks(of_ref_ids, of_hyp_ids):
            _add(rows, ref[ref_start:ref_end], hyp[hyp_start:hyp_end])
        return
    of_ref = words.ref_words[ref.start : ref.stop]
    of_hyp = words.hyp_words[hyp.start : hyp.stop]
    # Stretches are short: asking for each distance is quicker than looking them up in a table.
    distances = [[Levenshtein.distance(r, h) for h in of_hyp] for r in of_ref]
    drop = [_WORD_EDIT + len(word) for word in of_ref]
    add = [_WORD_EDIT + len(word) for word in of_hyp]
    above = [0, *accumulate(add)]
    best = [above]
    for row, dropped in zip(distances, drop, strict=True):
        before = above[0]  # the cell above and to the left
        cell = before + dropped
        current = [cell]
        for k, distance in enumerate(row):
            # Without calls and lookups: this is the innermost loop of the trace.
            cell += add[k]
            replaced = before + _WORD_EDIT + distance if distance else before
            if replaced < cell:
                cell = replaced
            before = above[k + 1]
            if before + dropped < cell:
                cell = before + dropped
            current.append(cell)
        best.append(current)
        above = current
    of_stretch = list(_trace_back(best, distances, drop, add, ref.start, hyp.start))
    of_stretch.reverse()
    rows[0].extend([j for j, _ in of_stretch])
    rows[1].extend([k for _, k in of_stretch])


def _trace_back(
    best: list[list[int]],
    distances: list[list[int]],
    drop: list[int],
    add: list[int],
    ref_start: int,
    hyp_start: int,
) -> Iterator[tuple[int, int]]:
    j, k = len(drop), len(add)
    while j or k:
        if j and k:
            distance = distances[j - 1][k - 1]
            replace = best[j - 1][k - 1] + (_WORD_EDIT + distance if distance else 0)
            if best[j][k] == replace:
                j, k = j - 1, k - 1
                yield ref_start + j, hyp_start + k
                continue
        if j and best[j][k] == best[j - 1][k] + drop[j - 1]:
            j -= 1
            yield ref_start + j, -1
        else:
            k -= 1
            yield -1, hyp_start + k
