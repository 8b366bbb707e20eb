"""Two systems side by side: what changes from A to B, in all and page by page."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from htreval_core.compare import Comparison, PageDifference, PairedDifference, favours_b


@dataclass(frozen=True, slots=True)
class ForestRow:
    """The difference of one metric, B − A, as the comparison has it.

    Args:
        interval: 95 % of the difference, as fractions; None where a single page allows none.
        better: 0 where the test says that A is better, 1 where B is; None where it may be chance.
    """

    paired: PairedDifference
    interval: tuple[float, float] | None
    better: int | None


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
    """A row a metric, in the order of the comparison."""
    found = comparison.metrics.values()
    ends = [abs(end) for one in found for end in (one.difference, one.low, one.high)]
    return Forest(
        comparison.systems,
        tuple(
            ForestRow(
                one,
                None if math.isnan(one.low) else (one.low, one.high),
                int(bool(one.b_is_better)) if one.significant else None,
            )
            for one in found
        ),
        max([_LEAST_REACH, *(end for end in ends if not math.isnan(end))]),
    )


@dataclass(frozen=True, slots=True)
class Versus:
    """Pages with one metric under both systems, by which system it favours.

    Args:
        ringed: pages of either kind on which WER and bWER disagree about which is better.
    """

    a_better: tuple[PageDifference, ...]
    b_better: tuple[PageDifference, ...]
    equal: tuple[PageDifference, ...]
    ringed: tuple[PageDifference, ...]


def picture_versus(pages: Sequence[PageDifference], metric: str, flips: Collection[str]) -> Versus:
    """The pages whose metric is defined under both systems.

    Args:
        flips: ids of the pages on which WER and bWER disagree.
    """
    known = [page for page in pages if not math.isnan(page.difference)]
    a_better, b_better, equal = (
        tuple(page for page in known if favours_b(metric, page.difference) is favoured)
        for favoured in (False, True, None)
    )
    flipped = set(flips)
    ringed = tuple(page for page in known if page.page_id in flipped)
    return Versus(a_better, b_better, equal, ringed)
