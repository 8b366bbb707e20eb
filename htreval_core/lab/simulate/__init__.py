"""Seeded faults with the truth of what was done: layout failures, character noise, lines.

Every fault takes a generator and returns the hypothesis with a record of what it did, so that a
value can be held against what was really made. Randomness is nested: of two runs with the same
generator the milder one's faults are among the stronger one's.
"""

from htreval_core.lab.simulate.characters import Alphabet, Noise, NoiseTruth, add_noise
from htreval_core.lab.simulate.layout import (
    FAILURES,
    Failure,
    Sheet,
    Truth,
    WordLines,
    as_transcript,
    in_order,
    make_failure,
    make_sheet,
    misread,
)
from htreval_core.lab.simulate.lines import (
    WRAP_AT,
    Split,
    SplitCase,
    SplitTruth,
    SwapTruth,
    split_lines,
    swap_line_pairs,
    with_lines,
)

__all__ = [
    "FAILURES",
    "WRAP_AT",
    "Alphabet",
    "Failure",
    "Noise",
    "NoiseTruth",
    "Sheet",
    "Split",
    "SplitCase",
    "SplitTruth",
    "SwapTruth",
    "Truth",
    "WordLines",
    "add_noise",
    "as_transcript",
    "in_order",
    "make_failure",
    "make_sheet",
    "misread",
    "split_lines",
    "swap_line_pairs",
    "with_lines",
]
