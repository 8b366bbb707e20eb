"""Matching of rows that the output reads column by column: tables, registers, contents, verse.

One cell is too short to tell where it stands, and its words stand in other rows, too. What tells
is that cell after cell goes on in the next row.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from htreval_core.diagnosis.limits import CELLS
from htreval_core.diagnosis.page.chunks import Chunk, Pair, clean
from htreval_core.metrics.words import WordPair


def find_cells(words: WordPair, line_of: Sequence[int]) -> list[Chunk]:
    """Chunks along the best way of the output through the rows of the reference.

    From word to word it goes on in the row, to the row below, to the top of a few rows, or anywhere
    else, which costs most.

    Args:
        line_of: shape (reference words,), the row of each.
    """
    ref, hyp = (side.tolist() for side in words.common)
    places: dict[int, list[int]] = defaultdict(list)
    for j, word in enumerate(ref):
        places[word].append(j)
    times, usable, n_pairs = Counter(hyp), set[int](), 0
    for word in sorted(places, key=lambda one: len(places[one])):
        n_pairs += len(places[word]) * times[word]
        if n_pairs > CELLS.MOST_PAIRS:
            break
        usable.add(word)
    nodes = [_Node(0.0, 0, (-1, -1))]
    # By the output's words, the nodes by reference word, and the best of each row.
    in_row: list[dict[int, int]] = []
    below: list[dict[int, int]] = []
    best = 0
    for k, word in enumerate(hyp):
        ends: dict[int, int] = {}
        of_rows: dict[int, int] = {}
        for j in places[word] if word in usable else ():
            row = line_of[j]
            ways = [(nodes[best].worth - CELLS.JUMP * (best > 0), best)]
            for step in range(1, min(CELLS.REACH, k) + 1):
                lost = CELLS.LOST * (step - 1)
                if (one := in_row[k - step].get(j - step)) is not None:
                    ways.append((nodes[one].worth - lost, one))
                for off in (*range(-step, 0), *range(1, CELLS.ROWS)):
                    if (one := below[k - step].get(row + off)) is not None:
                        price = CELLS.ROW if off < 0 else CELLS.TOP
                        ways.append((nodes[one].worth - lost - price, one))
            worth, before = max(ways)
            ends[j] = len(nodes)
            nodes.append(_Node(worth + 1, before, (j, k)))
            if row not in of_rows or nodes[of_rows[row]].worth < worth + 1:
                of_rows[row] = ends[j]
        in_row.append(ends)
        below.append(of_rows)
        best = max([best, *ends.values()], key=lambda one: nodes[one].worth)
    way: list[Pair] = []
    while best:
        way.append(nodes[best].pair)
        best = nodes[best].before
    # Both places rise by one from each pair of a chunk to the next.
    runs = groupby(enumerate(way[::-1]), lambda one: (one[1][0] - one[0], one[1][1] - one[0]))
    chunks = [tuple(pair for _, pair in run) for _, run in runs]
    return clean([Chunk(pairs, float(len(pairs))) for pairs in chunks], 0.0)


class _Node(NamedTuple):
    """A pair of equal words, what the best way to it is worth, and the node before it."""

    worth: float
    before: int
    pair: Pair
