"""Matching of rows that the output reads column by column: tables, registers, contents, verse.

One cell is too short to tell where it stands, and its words stand in other rows, too. What tells
is that cell after cell goes on in the next row.
"""

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from htreval_core.diagnosis.limits import CELLS
from htreval_core.diagnosis.page.chunks import Chunk, Pair, clean
from htreval_core.metrics.words import WordPair


def find_cells(words: WordPair, line_of: Sequence[int]) -> list[Chunk]:
    """Chunks along the best way of the output through the rows of the reference.

    From word to word it goes on in the row, to the row below, or anywhere else, which costs most.

    Args:
        line_of: shape (reference words,), the row of each.
    """
    ref, hyp = (side.tolist() for side in words.common)
    places: dict[int, list[int]] = defaultdict(list)
    for j, word in enumerate(ref):
        places[word].append(j)
    nodes: list[_Node] = []
    # By the output's words, the nodes by reference word, and the best of each row.
    in_row: list[dict[int, int]] = []
    below: list[dict[int, int]] = []
    best = -1
    for k, word in enumerate(hyp):
        ends: dict[int, int] = {}
        of_rows: dict[int, int] = {}
        found = places.get(word, ())
        for j in found if len(found) <= CELLS.MOST_PLACES else ():
            row = line_of[j]
            ways = [(0.0, -1)] if best < 0 else [(nodes[best].worth - CELLS.JUMP, best)]
            for step in range(1, min(CELLS.REACH, k) + 1):
                lost = CELLS.LOST * (step - 1)
                if (one := in_row[k - step].get(j - step)) is not None:
                    ways.append((nodes[one].worth - lost, one))
                for up in range(1, step + 1):
                    if (one := below[k - step].get(row - up)) is not None:
                        ways.append((nodes[one].worth - lost - CELLS.ROW, one))
            worth, before = max(ways)
            ends[j] = len(nodes)
            nodes.append(_Node(worth + 1, before, (j, k)))
            if row not in of_rows or nodes[of_rows[row]].worth < worth + 1:
                of_rows[row] = ends[j]
        in_row.append(ends)
        below.append(of_rows)
        best = max([*ends.values(), *([best] if best >= 0 else [])], default=-1,
                   key=lambda one: nodes[one].worth)  # fmt: skip
    way: list[Pair] = []
    while best >= 0:
        way.append(nodes[best].pair)
        best = nodes[best].before
    return clean(_in_chunks(way[::-1]), 0.0)


class _Node(NamedTuple):
    """A pair of equal words, what the best way to it is worth, and the node before it."""

    worth: float
    before: int
    pair: Pair


def _in_chunks(way: Sequence[Pair]) -> list[Chunk]:
    """Pairs in chunks of neighbours on both sides."""
    runs: list[list[Pair]] = []
    for j, k in way:
        if runs and (j - 1, k - 1) == runs[-1][-1]:
            runs[-1].append((j, k))
        else:
            runs.append([(j, k)])
    return [Chunk(tuple(run), float(len(run))) for run in runs]
