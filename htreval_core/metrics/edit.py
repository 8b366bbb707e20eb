"""Sequential edit distance: WER with its trace, line WER, CER."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from rapidfuzz.distance import Levenshtein

from htreval_core.metrics.words import WordPair
from htreval_core.model import Alignment, EditCounts


def word_trace(words: WordPair) -> Alignment:
    """A sequential alignment of least word edit distance (unit costs), both sides in order.

    The number of errors is unique; which words count as replaced, left out or added is not.
    """
    ref, hyp = words.common
    ref_index: list[int] = []
    hyp_index: list[int] = []
    for block in Levenshtein.opcodes(ref.tolist(), hyp.tolist()):
        in_ref = range(block.src_start, block.src_end)
        in_hyp = range(block.dest_start, block.dest_end)
        ref_index += in_ref if block.tag != "insert" else [-1] * len(in_hyp)
        hyp_index += in_hyp if block.tag != "delete" else [-1] * len(in_ref)
    return Alignment(
        np.array(ref_index, dtype=np.int64),
        np.array(hyp_index, dtype=np.int64),
        words.ref_words,
        words.hyp_words,
    )


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
