"""Sequential edit distance: WER with its trace, line WER, CER."""

from collections.abc import Sequence
from types import MappingProxyType

import numpy as np
from rapidfuzz.distance import Levenshtein

from htreval_core.metrics.order import Paired
from htreval_core.metrics.refine import refined_rows, rows_as_found, sclite_rows
from htreval_core.metrics.words import WordPair
from htreval_core.model import Alignment, EditCounts
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


def char_counts(
    ref: Sequence[str], hyp: Sequence[str], *, at_most: int | None = None
) -> tuple[int, int]:
    """Character errors (unit costs), and the characters that the alignment keeps.

    The errors are unique; of several alignments with as few the one counts that rapidfuzz finds,
    and jiwer with it.
    """
    edits = Levenshtein.editops(ref, hyp, score_hint=at_most)
    return len(edits), sum(block.size for block in edits.as_matching_blocks())


def char_errors(ref: Sequence[str], hyp: Sequence[str], *, at_most: int | None = None) -> int:
    """Character edit distance (unit costs)."""
    return int(Levenshtein.distance(ref, hyp, score_hint=at_most))
