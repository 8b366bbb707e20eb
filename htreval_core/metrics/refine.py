"""A sequential trace that a person would draw: as few word edits, and the likest words paired.

The edit distance leaves open which of several cheapest traces is meant, and a solver may pair
unlike words as well as like ones. Stretches without equal words are aligned again, first by word
edits, then by the characters that those edit.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate, chain

from rapidfuzz.distance import Levenshtein

from htreval_core.metrics.words import WordPair

_CELLS = 4096
"""A larger stretch keeps the trace as it is: there is nothing to read off it anyway."""
_WORD_EDIT = 1 << 40
"""One word edit outweighs all characters of a page."""

Block = tuple[int, int, int, int, str]
"""Reference start and end, hypothesis start and end, and its kind: "equal" words, "plain" for one
edit of the edit distance as it stands, "mixed" for several put together."""
Row = tuple[int, int]


def refined_rows(words: WordPair) -> list[Row]:
    """A trace of least word edits and, among those, of few character edits.

    Returns:
        (reference position, hypothesis position) in order, -1 where a word has no mate.
    """
    rows: list[Row] = []
    ref, hyp = words.common
    for block in _merged(_blocks(ref.tolist(), hyp.tolist())):
        if block[4] == "mixed" or (block[4] == "plain" and _shares_words(words, block)):
            rows += _align(words, range(*block[:2]), range(*block[2:4]))
        else:
            rows += _rows_of(block)
    return rows


def rows_as_found(words: WordPair) -> list[Row]:
    """A trace of least word edits as rapidfuzz finds it; rows as of ``refined_rows``."""
    ref, hyp = words.common
    return list(chain.from_iterable(map(_rows_of, _blocks(ref.tolist(), hyp.tolist()))))


def _shares_words(words: WordPair, block: Block) -> bool:
    """Whether words that were replaced have equals among those that replace them.

    Leaving one out and adding another may cost as many word edits and fewer characters then.
    """
    return block[1] - block[0] > 1 and not set(words.ref_words[block[0] : block[1]]).isdisjoint(
        words.hyp_words[block[2] : block[3]]
    )


def _blocks(ref: list[int], hyp: list[int]) -> Iterator[Block]:
    for block in Levenshtein.opcodes(ref, hyp):
        kind = "equal" if block.tag == "equal" else "plain"
        yield block.src_start, block.src_end, block.dest_start, block.dest_end, kind


def _rows_of(block: Block) -> Iterator[Row]:
    """The rows of equal words, of words replaced one by one, or of words on one side only."""
    ref, hyp = range(*block[:2]), range(*block[2:4])
    if _is_square(block):
        return zip(ref, hyp, strict=True)
    return ((j, -1) for j in ref) if ref else ((-1, k) for k in hyp)


def _merged(blocks: Iterator[Block]) -> list[Block]:
    """Unequal blocks that touch, or have one equal word between them, put together."""
    merged: list[Block] = []
    for block in blocks:
        if block[4] == "equal" or not merged:
            merged.append(block)
        elif merged[-1][4] != "equal":
            merged[-1] = _joined(merged[-1], block)
        elif len(merged) > 1 and _may_be_paired_otherwise(merged[-2], merged[-1], block):
            merged[-2:] = [_joined(merged[-2], block)]
        else:
            merged.append(block)
    return merged


def _joined(first: Block, last: Block) -> Block:
    return first[0], last[1], first[2], last[3], "mixed"


def _may_be_paired_otherwise(before: Block, equal: Block, after: Block) -> bool:
    """Whether a single equal word stands between stretches one of which is longer on a side."""
    return equal[1] - equal[0] == 1 and not (_is_square(before) and _is_square(after))


def _is_square(block: Block) -> bool:
    return block[1] - block[0] == block[3] - block[2]


def _align(words: WordPair, ref: range, hyp: range) -> Iterator[Row]:
    """The cheapest alignment of a stretch by (word edits, character edits)."""
    if len(ref) * len(hyp) > _CELLS:
        ref_ids, hyp_ids = words.common
        as_found = _blocks(
            ref_ids[ref.start : ref.stop].tolist(), hyp_ids[hyp.start : hyp.stop].tolist()
        )
        for j, k in chain.from_iterable(map(_rows_of, as_found)):
            yield (j + ref.start if j >= 0 else j), (k + hyp.start if k >= 0 else k)
        return
    of_ref = words.ref_words[ref.start : ref.stop]
    of_hyp = words.hyp_words[hyp.start : hyp.stop]
    # Stretches are short: asking for each distance is quicker than looking them up in a table.
    distances = [[Levenshtein.distance(r, h) for h in of_hyp] for r in of_ref]
    drop = [_WORD_EDIT + len(word) for word in of_ref]
    add = [_WORD_EDIT + len(word) for word in of_hyp]
    best = [[0, *accumulate(add)]]
    for j, row in enumerate(distances):
        above = best[j]
        current = [above[0] + drop[j]]
        for k, distance in enumerate(row):
            replace = above[k] + (_WORD_EDIT + distance if distance else 0)
            current.append(min(replace, above[k + 1] + drop[j], current[k] + add[k]))
        best.append(current)
    yield from reversed(list(_trace_back(best, distances, drop, add, ref.start, hyp.start)))


def _trace_back(
    best: list[list[int]],
    distances: list[list[int]],
    drop: list[int],
    add: list[int],
    ref_start: int,
    hyp_start: int,
) -> Iterator[Row]:
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
