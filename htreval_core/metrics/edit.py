"""Sequential edit distance: WER with its trace, line WER, CER."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt
from rapidfuzz.distance import Levenshtein

from htreval_core.metrics.pairs import Paired
from htreval_core.metrics.refine import refined_rows, rows_as_found, sclite_rows
from htreval_core.metrics.words import WordPair
from htreval_core.model import Alignment, EditCounts, IntArray
from htreval_core.settings import Trace

_ROWS = MappingProxyType(
    {"refined": refined_rows, "as-found": rows_as_found, "sclite": sclite_rows}
)


def word_trace(words: WordPair, kind: Trace = "refined") -> Alignment:
    """A sequential alignment of least word edit distance (unit costs), both sides in order.

    The number of errors is unique; which words count as replaced, left out or added is not. Of
    the cheapest traces this is one that edits few characters.

    Args:
        kind: "as-found" for the trace that rapidfuzz finds, which is jiwer's; "sclite" for that of
            sclite, whose costs are its own and whose errors may be more.
    """
    rows = _ROWS[kind](words)
    ref, hyp = (np.array(side, dtype=np.int64) for side in rows)
    return Alignment(ref, hyp, words.ref_words, words.hyp_words)


def trace_characters(words: WordPair, trace: Paired) -> int:
    """Characters that a trace edits, the space beside a word left out or added included.

    An upper bound of the character errors of the page; for a matching, of the reference against
    the hypothesis in the reference's order.
    """
    ref, hyp = trace.pairs
    lost, added = trace.unmatched
    replaced = int(words.distances_of(words.ref[ref], words.hyp[hyp]).sum())
    alone = words.ref_lengths[words.ref[lost]].sum() + words.hyp_lengths[words.hyp[added]].sum()
    return replaced + int(alone) + len(lost) + len(added)


def trace_counts(words: WordPair, trace: Paired) -> EditCounts:
    """Hits, substitutions, deletions and insertions of a trace."""
    ref, hyp = words.common
    in_ref, in_hyp = trace.pairs
    hits = int(np.count_nonzero(ref[in_ref] == hyp[in_hyp]))
    return EditCounts(hits, len(in_ref) - hits, len(ref) - len(in_ref), len(hyp) - len(in_hyp))


def line_errors(
    ref_lines: Sequence[Sequence[str]], hyp_lines: Sequence[Sequence[str]], kind: Trace = "refined"
) -> int | None:
    """Word errors added up line by line; None where the two sides differ in number of lines.

    This is the traditional protocol, in which each line image is recognised by itself.
    """
    if len(ref_lines) != len(hyp_lines):
        return None
    if kind == "sclite":
        lines = [WordPair.of(r, h) for r, h in zip(ref_lines, hyp_lines, strict=True)]
        return sum(trace_counts(line, word_trace(line, kind)).errors for line in lines)
    return sum(Levenshtein.distance(r, h) for r, h in zip(ref_lines, hyp_lines, strict=True))


def omitted_words(words: WordPair, trace: Paired, edits: EditCounts) -> int:
    """Words in long runs that only the reference has.

    A run is four words or more that follow one another on the page and that the trace leaves
    without a mate. It is no omission where half of its words or more stand, unmatched by an
    equal, on the other side: those were moved, or the trace took them for others.

    Args:
        edits: those of the trace.
    """
    if edits.deletions < LEAST_RUN:
        return 0
    lost = _long_runs(trace.unmatched[0])
    if not lost:
        return 0
    ref, hyp = words.common
    in_ref, in_hyp = trace.pairs
    right = ref[in_ref] == hyp[in_hyp]
    return _nowhere_else(ref, lost, _without(hyp, in_hyp[right]))


LEAST_RUN = 4
"""The fewest words in a row without a counterpart that were left out; fewer were misread."""


def _long_runs(alone: IntArray) -> list[slice]:
    """Where so many positions or more, given upward, follow one another."""
    ends = (np.flatnonzero(alone[1:] - alone[:-1] > 1) + 1).tolist()
    return [
        slice(int(alone[start]), int(alone[end - 1]) + 1)
        for start, end in pairwise([0, *ends, len(alone)])
        if end - start >= LEAST_RUN
    ]


def _without(ids: IntArray, places: IntArray) -> IntArray:
    keeps = np.ones(len(ids), dtype=bool)
    keeps[places] = False
    return ids[keeps]


def _nowhere_else(ids: IntArray, runs: Sequence[slice], elsewhere: IntArray) -> int:
    """The words of those runs of which less than half stand elsewhere."""
    if not runs:
        return 0
    left = Counter(elsewhere.tolist())
    found = 0
    for run in runs:
        of_run = ids[run].tolist()
        moved = (Counter(of_run) & left).total()
        found += len(of_run) if 2 * moved < len(of_run) else 0
    return found


def char_counts(
    ref: Sequence[str], hyp: Sequence[str], *, at_most: int | None = None
) -> tuple[int, int]:
    """Character errors (unit costs), and the characters that the alignment keeps.

    The errors are unique; of several alignments with as few the one counts that rapidfuzz finds,
    and jiwer with it.

    Args:
        at_most: an upper bound that the caller knows; it only makes the search faster.
    """
    edits = Levenshtein.editops(ref, hyp, score_hint=at_most)
    return len(edits), sum(block.size for block in edits.as_matching_blocks())


def bag_errors(ref: Sequence[str], hyp: Sequence[str]) -> int:
    """bWER's formula on characters: the more of missing and surplus ones."""
    return max(len(ref), len(hyp)) - _in_common(ref, hyp)


_BINS = 2**16


def _in_common(ref: Sequence[str], hyp: Sequence[str]) -> int:
    """How many characters stand on both sides; by counters only where codes are too large."""
    if isinstance(ref, str) and isinstance(hyp, str):
        codes = _codes(ref), _codes(hyp)
        if ref.isascii() and hyp.isascii():
            n_bins = 128
        else:
            n_bins = max(int(of_side.max(initial=0)) for of_side in codes) + 1
        if n_bins <= _BINS:
            of_ref, of_hyp = (np.bincount(of_side, minlength=n_bins) for of_side in codes)
            return int(np.minimum(of_ref, of_hyp).sum())
    return sum((Counter(ref) & Counter(hyp)).values())


def _codes(text: str) -> npt.NDArray[Any]:
    if text.isascii():
        return np.frombuffer(text.encode(), np.uint8)
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32).astype(np.int64)


def char_errors(ref: Sequence[str], hyp: Sequence[str], *, at_most: int | None = None) -> int:
    """Character edit distance (unit costs).

    Args:
        at_most: an upper bound that the caller knows; it only makes the search faster.
    """
    return int(Levenshtein.distance(ref, hyp, score_hint=at_most))
