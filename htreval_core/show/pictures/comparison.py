"""Two systems side by side: what changes from A to B, and whether to believe it."""

import math
from dataclasses import dataclass

from htreval_core.compare import Comparison, PairedDifference


@dataclass(frozen=True, slots=True)
class ForestRow:
    """The difference of one metric, B − A, as the comparison has it.

    Args:
        interval: 95 % of the difference, as fractions; None where so few pages allow none.
        better: 0 where the test, asked of this metric alone, says that A is better, 1 where B is;
            None where it may be chance, and the interval then holds 0.
        shown: whether that counts as shown: WER by its own p, other metrics by the corrected one.
    """

    paired: PairedDifference
    interval: tuple[float, float] | None
    better: int | None
    shown: bool


@dataclass(frozen=True, slots=True)
class Forest:
    """The differences of all metrics, on one scale with 0 in its middle.

    Args:
        reach: how far it has to go on either side, a fraction.
    """

    systems: tuple[str, str]
    rows: tuple[ForestRow, ...]
    reach: float


_LEAST_REACH = 0.005
"""Half a point: what is smaller looks as small as it is."""


def picture_differences(comparison: Comparison) -> Forest:
    """A row for each metric, in the order of the comparison."""
    found = comparison.metrics.values()
    ends = [abs(end) for one in found for end in (one.difference, one.low, one.high)]
    return Forest(
        comparison.systems,
        tuple(
            ForestRow(
                one, None if math.isnan(one.low) else (one.low, one.high),
                int(bool(one.b_is_better)) if one.significant else None, one.shown,
            )
            for one in found
        ),
        max([_LEAST_REACH, *(end for end in ends if not math.isnan(end))]),
    )  # fmt: skip
