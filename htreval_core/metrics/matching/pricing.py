"""Which of all pairs of words outweigh their prices, found without looking at all pairs.

The saving of a pair is that of its two word types less a fixed amount per position between
them. So pairs of types are compared first, at the least price of each type; then each word with
each type that is left, where the best partner on either side is known from one running minimum;
and only where that one outweighs its price are words compared with words.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from htreval_core.metrics.matching.certificate import Prices, Terms
from htreval_core.metrics.matching.ragged import portions, ragged
from htreval_core.metrics.matching.savings import Savings
from htreval_core.model import IntArray

Pairs: TypeAlias = tuple[IntArray, IntArray, IntArray]
"""Reference positions, hypothesis positions and weights of pairs, shape (n,) each."""

Positions: TypeAlias = tuple[IntArray, IntArray]
_AT_ONCE = 2_000_000
"""Pairs in memory at a time."""
_TABLE_CELLS = 2**18
"""Cells of the distance table compared at a time: few enough to stay in the cache."""


class WordsByType:
    """The words of one side, sorted by type and then by position."""

    def __init__(self, type_of: IntArray, n_types: int) -> None:
        self.size = len(type_of)
        self.order = np.argsort(type_of, kind="stable")
        self.type = type_of[self.order]
        self.count = np.bincount(type_of, minlength=n_types)
        self.start = np.concatenate([[0], np.cumsum(self.count)]).astype(np.int64)
        self._key = self.type * self.size + self.order

    def place(self, word_type: IntArray, position: IntArray) -> IntArray:
        """Where in ``order`` the first word of this type at or after this position stands."""
        position = np.clip(position, 0, self.size)
        return np.searchsorted(self._key, word_type * self.size + position)

    def words(self, types: IntArray) -> tuple[IntArray, IntArray]:
        """All words of the given types: index into ``types``, and position."""
        row, place = ragged(self.count[types])
        return row, self.order[self.start[types[row]] + place]

    def least(self, values: IntArray) -> IntArray:
        """The least of the words' values for each type."""
        return np.minimum.reduceat(values[self.order], self.start[:-1])


class NearestOffer:
    """For any position and word type, the word of that type with the least price plus way."""

    def __init__(self, words: WordsByType, prices: IntArray, per_step: int) -> None:
        self._words = words
        price, position = prices[words.order], words.order
        self._before = _last_minimum(price - per_step * position, words.type)
        after = _last_minimum((price + per_step * position)[::-1], -words.type[::-1])
        self._after = len(after) - 1 - after[::-1]

    def find(self, word_type: IntArray, position: IntArray) -> tuple[IntArray, IntArray]:
        """The best word before and the best at or after each position, -1 for none."""
        words = self._words
        place = words.place(word_type, position)
        has_before = place > words.start[word_type]
        has_after = place < words.start[word_type + 1]
        before = words.order[self._before[place - 1]]
        after = words.order[self._after[np.minimum(place, words.size - 1)]]
        return np.where(has_before, before, -1), np.where(has_after, after, -1)


def _last_minimum(values: IntArray, group: IntArray) -> IntArray:
    """For each place, where the least value of its group up to there stands.

    Groups are runs of equal numbers, in rising order."""
    _, rank = np.unique(values, return_inverse=True)
    least = np.minimum.accumulate(rank - len(values) * group)  # each group lies below the last
    found = np.zeros(len(values), dtype=np.int64)
    new = np.flatnonzero(least[1:] < least[:-1]) + 1
    found[new] = new
    return np.maximum.accumulate(found)


@dataclass(frozen=True, slots=True, eq=False)
class Offers:
    """Reference words, each with a hypothesis word type that may outweigh its price.

    Args:
        ref: reference positions.
        hyp_type: hypothesis word types.
        weight: doubled weight of such a pair at the same position.
        room: what of it the reference word's price leaves for the hypothesis word and the way.
        before: the best hypothesis word of the type before the position, -1 for none.
        after: the best at or after it.
    """

    ref: IntArray
    hyp_type: IntArray
    weight: IntArray
    room: IntArray
    before: IntArray
    after: IntArray

    def __getitem__(self, index: slice | np.ndarray) -> Offers:
        return Offers(*(getattr(self, name)[index] for name in Offers.__slots__))

    @staticmethod
    def joined(parts: list[Offers]) -> Offers:
        return Offers(
            *(
                np.concatenate([_NONE, *(getattr(part, name) for part in parts)])
                for name in Offers.__slots__
            )
        )


_NONE = np.zeros(0, dtype=np.int64)


class Pricing:
    """Compares all pairs of a page with prices, for the first level of the objective."""

    def __init__(self, savings: Savings, terms: Terms) -> None:
        words = savings.words
        self._savings = savings
        self._terms = terms
        self.ref = WordsByType(words.ref, len(words.ref_types))
        self.hyp = WordsByType(words.hyp, len(words.hyp_types))
        self.per_step = 2 * terms.saving * savings.per_step
        self._twin = np.full(len(words.ref_types), -1, dtype=np.int64)
        self._twin[words.shared[0]] = words.shared[1]

    def outweighing(self, prices: Prices, at_least: int = 1) -> Pairs:
        """Pairs that weigh more than their prices; empty if and only if no pair does.

        All of them for a word and a type where these are few, else only the best of each.

        Args:
            at_least: by how much they outweigh them, doubled; negative for pairs that nearly do.
        """
        return self.chosen(self.offers(prices, at_least), prices, at_least)

    def chosen(self, offers: Offers, prices: Prices, at_least: int = 1) -> Pairs:
        """``outweighing``, among offers that were made for no more than ``at_least``."""
        offers = offers[self._gains(offers, prices) >= at_least]
        start, stop = self._window(offers, self._reach(offers, prices))
        if int((stop - start).sum()) > _AT_ONCE:
            ref = np.concatenate([offers.ref, offers.ref])
            hyp = np.concatenate([offers.before, offers.after])
            weight, room = np.tile(offers.weight, 2), np.tile(offers.room, 2)
        else:
            row, place = ragged(stop - start)
            ref, hyp = offers.ref[row], self.hyp.order[start[row] + place]
            weight, room = offers.weight[row], offers.room[row]
        way = self.per_step * np.abs(ref - hyp)
        found = (hyp >= 0) & (room >= prices.hyp[hyp] + way + at_least)
        return ref[found], hyp[found], (weight[found] - way[found]) // 2

    def offers(self, prices: Prices, at_least: int) -> Offers:
        """The words and types where some pair outweighs its prices by at least this much."""
        least = self.hyp.least(prices.hyp)
        nearest = NearestOffer(self.hyp, prices.hyp, self.per_step)
        ref_type, hyp_type, weight = self._type_pairs(prices, at_least)
        found = []
        for part in portions(self.ref.count[ref_type], _AT_ONCE):
            row, ref = self.ref.words(ref_type[part])
            other, weighs = hyp_type[part][row], weight[part][row]
            room = weighs - prices.ref[ref]
            possible = room >= least[other] + at_least
            ref, other = ref[possible], other[possible]
            weighs, room = weighs[possible], room[possible]
            before, after = nearest.find(other, ref)
            made = Offers(ref, other, weighs, room, before, after)
            found.append(made[self._gains(made, prices) >= at_least])
        return Offers.joined(found)

    def _gains(self, offers: Offers, prices: Prices) -> IntArray:
        """By how much the best pair of each offer outweighs its prices."""
        before, after = (
            self._gain(offers.ref, hyp, offers.room, prices)
            for hyp in (offers.before, offers.after)
        )
        return np.maximum(before, after)

    def _gain(self, ref: IntArray, hyp: IntArray, room: IntArray, prices: Prices) -> IntArray:
        gain = room - prices.hyp[hyp] - self.per_step * np.abs(ref - hyp)
        return np.where(hyp >= 0, gain, np.iinfo(np.int64).min)

    def _type_pairs(self, prices: Prices, at_least: int) -> Pairs:
        """The pairs of word types that weigh enough at their least prices, with that weight."""
        savings, terms = self._savings, self._terms
        words = savings.words
        least_ref, least_hyp = self.ref.least(prices.ref), self.hyp.least(prices.hyp)
        # In letters: lev ≤ a + b is necessary for 2·weight ≥ price + price + at_least.
        letter = 4.0 * terms.saving * savings.per_letter
        fixed = 2 * terms.saving * 4 * savings.gamma.numerator + 2 * terms.equal - at_least
        a = words.ref_lengths / 2 + (fixed - least_ref) / letter
        b = words.hyp_lengths / 2 - least_hyp / letter
        a += (np.abs(a) + np.abs(b).max()) * 1e-6  # never too few for being rounded
        a32, b32 = a.astype(np.float32), b.astype(np.float32)

        rows = max(1, _TABLE_CELLS // len(b))
        ref_type, hyp_type = [], []
        for start in range(0, len(a), rows):
            table = words.distances_from(np.arange(start, min(start + rows, len(a))))
            near = table <= a32[start : start + rows, None] + b32
            # Much quicker flat than by rows and columns.
            in_block, types = np.divmod(np.flatnonzero(near), len(b))
            ref_type.append(in_block + start)
            hyp_type.append(types)
        pairs = np.concatenate(ref_type), np.concatenate(hyp_type)
        weight = 2 * terms.saving * savings.of_types(*pairs)
        weight += 2 * terms.equal * (self._twin[pairs[0]] == pairs[1])
        enough = weight >= least_ref[pairs[0]] + least_hyp[pairs[1]] + at_least
        return pairs[0][enough], pairs[1][enough], weight[enough]

    def tight(self, offers: Offers, prices: Prices, reach: IntArray) -> Iterator[Positions]:
        """The pairs of these offers that meet their prices exactly, a bounded number at a time.

        Args:
            reach: how many positions apart the words of each offer may be at most.
        """
        reach = np.minimum(reach, self._reach(offers, prices))
        start, stop = self._window(offers, reach)
        for part in portions(stop - start, _AT_ONCE):
            row, place = ragged((stop - start)[part])
            ref, hyp = offers.ref[part][row], self.hyp.order[start[part][row] + place]
            way = self.per_step * np.abs(ref - hyp)
            meets = offers.room[part][row] == prices.hyp[hyp] + way
            yield ref[meets], hyp[meets]

    def _reach(self, offers: Offers, prices: Prices) -> IntArray:
        """How many positions apart a pair of an offer can be at most."""
        if not self.per_step:
            return np.full(len(offers.ref), self.ref.size + self.hyp.size)
        least = self.hyp.least(prices.hyp)
        return (offers.room - least[offers.hyp_type]) // self.per_step

    def _window(self, offers: Offers, reach: IntArray) -> tuple[IntArray, IntArray]:
        """The run of words in ``hyp.order`` within reach of each offer."""
        start = self.hyp.place(offers.hyp_type, offers.ref - reach)
        stop = self.hyp.place(offers.hyp_type, offers.ref + reach + 1)
        return start, np.maximum(start, stop)
