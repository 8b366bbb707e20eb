"""Sequential edit distance: WER with its trace, line WER, CER."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from rapidfuzz.distance import Levenshtein

from htreval_core.metrics.refine import refined_rows
from htreval_core.metrics.words import WordPair
from htreval_core.model import Alignment, EditCounts


def word_trace(words: WordPair) -> Alignment:
    """A sequential alignment of least word edit distance (unit costs), both sides in order.

    The number of errors is unique; which words count as replaced, left out or added is not. Of
    the cheapest traces this is one that edits few characters.
    """
    rows = np.array(refined_rows(words), dtype=np.int64).reshape(-1, 2)
    return Alignment(rows[:, 0], rows[:, 1], words.ref_words, words.hyp_words)


def trace_characters(words: WordPair, trace: Alignment) -> int:
    """Characters that a trace edits, the space beside a word left out or added included.

    An upper bound of the character errors of the page.
    """
    ref, hyp = trace.pairs
    lost, added = trace.unmatched
    replaced = int(words.distances_of(words.ref[ref], words.hyp[hyp]).sum())
    alone = words.ref_lengths[words.ref[lost]].sum() + words.hyp_lengths[words.hyp[added]].sum()
    return replaced + int(alone) + len(lost) + len(added)


def trace_counts(words: WordPair, trace: Alignment) -> EditCounts:
    """Hits, substitutions, deletions and insertions of a trace."""
    ref, hyp = words.common
    in_ref, in_hyp = trace.pairs
    hits = int((ref[in_ref] == hyp[in_hyp]).sum())
    return EditCounts(hits, len(in_ref) - hits, len(ref) - len(in_ref), len(hyp) - len(in_hyp))


def line_errors(
    ref_lines: Sequence[Sequence[str]], hyp_lines: Sequence[Sequence[str]]
) -> int | None:
    """Word errors added up line by line; None where the two sides differ in number of lines.

    This is the traditional protocol, in which each line image is recognised by itself.
    """
    if len(ref_lines) != len(hyp_lines):
        return None
    return sum(Levenshtein.distance(r, h) for r, h in zip(ref_lines, hyp_lines, strict=True))


def char_errors(ref: Sequence[str], hyp: Sequence[str], *, at_most: int | None = None) -> int:
    """Character edit distance (unit costs).

    Args:
        at_most: an upper bound that the caller knows; it only makes the search faster.
    """
    return int(Levenshtein.distance(ref, hyp, score_hint=at_most))
