"""Seeded faults with the truth of what was done: layout failures, character noise, lines.

Every fault takes a generator and returns the hypothesis with a record of what it did, so that a
value can be held against what was really made. Randomness is nested: of two runs with the same
generator the milder one's faults are among the stronger one's.
"""

from htreval_core.lab.simulate.characters import Alphabet, Noise, NoiseTruth, add_noise
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
    "WRAP_AT",
    "Alphabet",
    "Noise",
    "NoiseTruth",
    "Split",
    "SplitCase",
    "SplitTruth",
    "SwapTruth",
    "add_noise",
    "split_lines",
    "swap_line_pairs",
    "with_lines",
]
