"""Where the reference is in doubt: the order in which the systems read its regions."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from htreval_core.diagnosis.limits import DOUBT
from htreval_core.diagnosis.look import Look
from htreval_core.model import FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class TakenOrder:
    """The regions of a page as the systems read them.

    Args:
        order: ids of all regions with text.
        moved: those that stand elsewhere in the reference; none where no region moves as a whole.
    """

    order: tuple[str, ...]
    moved: tuple[str, ...] = ()


def systems_order(looks: Sequence[Look], lines: Collection[int]) -> TakenOrder:
    """The reference with its doubtful regions where the systems read them; the others stay.

    A region moves if its lines are in doubt, not part of them: an order of regions can say no
    more. It goes where it contradicts the systems least, counted in words of the regions that it
    stands before or behind; of equal places to the one nearest to where it stood.

    Args:
        looks: the page under every system that has read it.
        lines: those of the reference in doubt, from 0.
    """
    of_line = [line.region or "" for line in looks[0].reference.lines]
    filled = [at for at, line in enumerate(looks[0].reference.lines) if line.text.strip()]
    declared = list(dict.fromkeys(of_line[at] for at in filled))
    doubted = [at for at in filled if at in set(lines)]
    shares = {
        region: sum(of_line[at] == region for at in doubted)
        / sum(of_line[at] == region for at in filled)
        for region in declared
    }
    moving = [region for region in declared if shares[region] >= DOUBT.WHOLE]
    n_whole = sum(of_line[at] in moving for at in doubted)
    unknown = "" in declared or n_whole < DOUBT.WHOLE * len(doubted)
    if not moving or unknown or len(moving) == len(declared):
        return TakenOrder(tuple(declared))
    number = {region: at for at, region in enumerate(declared)}
    region_of_line = np.array([number.get(region, -1) for region in of_line])
    places = np.array([_places(look, region_of_line, len(declared)) for look in looks])
    words = np.bincount(
        region_of_line[np.array(looks[0].page.reference.line_of, dtype=np.int64)],
        minlength=len(declared),
    )
    order = [number[region] for region in declared if region not in moving]
    for region in moving:
        own = number[region]
        with np.errstate(invalid="ignore"):
            # Of each region that stays: how many systems read it before this one, and after it.
            earlier = (places < places[:, [own]]).sum(axis=0) * words
            later = (places > places[:, [own]]).sum(axis=0) * words
        stood = sum(one < own for one in order)
        costs = [
            (int(later[order[:at]].sum() + earlier[order[at:]].sum()), abs(at - stood), at)
            for at in range(len(order) + 1)
        ]
        order.insert(min(costs)[2], own)
    taken = tuple(declared[one] for one in order)
    return TakenOrder(taken, tuple(moving) if taken != tuple(declared) else ())


def _places(look: Look, region_of_line: IntArray, n: int) -> FloatArray:
    """Where the output has each region: the median of its words, shape (n,), nan for none."""
    ref, hyp = look.layout.pairs
    regions = region_of_line[np.array(look.page.reference.line_of, dtype=np.int64)[ref]]
    own = (hyp[regions == one] for one in range(n))
    return np.array([np.median(at) if len(at) else np.nan for at in own])
