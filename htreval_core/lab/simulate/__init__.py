"""Seeded faults with the truth of what was done: layout failures, character noise, lines.

Every fault takes a generator and returns the hypothesis with a record of what it did, so that a
value can be held against what was really made. Randomness is nested: of two runs with the same
generator the milder one's faults are among the stronger one's.
"""

from htreval_core.lab.simulate.characters import Alphabet as Alphabet
from htreval_core.lab.simulate.characters import Noise as Noise
from htreval_core.lab.simulate.characters import NoiseTruth as NoiseTruth
from htreval_core.lab.simulate.characters import add_noise as add_noise
from htreval_core.lab.simulate.lines import WRAP_AT as WRAP_AT
from htreval_core.lab.simulate.lines import Split as Split
from htreval_core.lab.simulate.lines import SplitCase as SplitCase
from htreval_core.lab.simulate.lines import SplitTruth as SplitTruth
from htreval_core.lab.simulate.lines import SwapTruth as SwapTruth
from htreval_core.lab.simulate.lines import split_lines as split_lines
from htreval_core.lab.simulate.lines import swap_line_pairs as swap_line_pairs
from htreval_core.lab.simulate.lines import with_lines as with_lines
