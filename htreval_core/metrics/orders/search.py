"""The order of a page's blocks, of all that it allows, in which WER counts the fewest errors.

Let X_b be the words of block b. In any order, an alignment of the reference with the output parts
the output into stretches, one a block, so that d = Σ_b d(X_b, Y_b). The search goes over the sets
of blocks that may have been read first; of each it keeps, for every j, the least errors of these
blocks, in any admissible order, against the first j words of the output. Adding a block to a set is
as many rows of the edit distance as the block has words.

What a set is bound to cost is known before: the rest of the output against the rest of the
reference costs at least what bWER counts for them, and at least what each block costs on the
stretch of the rest that fits it best. What cannot beat the best order found so far is dropped
without loss. Of what is dropped for want of time the least bound is kept: if it is not below the
errors found, these are proved to be the fewest.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from rapidfuzz.distance import Levenshtein

from htreval_core.metrics.orders.rows import Row, Rows
from htreval_core.metrics.orders.tree import Group, OrderTree
from htreval_core.metrics.words import as_text, distance
from htreval_core.model import IntArray

_NARROW = 1
_WIDE = 512
"""Sets of blocks that are followed up at once, at first and at most."""
_WAYS = 2
"""Times as many blocks are added to them to find the next."""
_PASSES = 2
_LEAST_CELLS = 3_000_000
"""Cells of edit distances that are worked out: times those of the page, and no fewer than these.
With it ΔWER* of a long page takes about a seventh of the time of scoring it."""
_MOST_KEPT = 60_000_000
"""Cells that are held."""
_TRIES = 20_000_000
_LEAST_TRIES, _MOST_TRIES = 5, 1000
"""Cells of edit distances that trying other places may cost, of which 64 are worked out at once,
and bounds of how many are tried."""
_LOOK = 4
"""Cells that looking at a block costs, for each place in the output."""
_FAR = 2**29


@dataclass(frozen=True, slots=True)
class Admissible:
    """The admissible order with the fewest word errors that was found.

    Args:
        order: numbers of the tree's blocks.
        errors: those of WER against the reference in this order.
        bound: no admissible order has fewer errors than this.
        strict: those against the reference as it stands.
    """

    order: tuple[int, ...]
    errors: int
    bound: int
    strict: int

    @property
    def spared(self) -> int:
        """How many errors fewer than in the order of the reference."""
        return self.strict - self.errors

    def or_better(self, order: tuple[int, ...], errors: int) -> "Admissible":
        """The same, or another order where that has fewer errors."""
        if errors >= self.errors:
            return self
        return replace(self, order=order, errors=errors, bound=min(self.bound, errors))

    @property
    def is_proved(self) -> bool:
        """Whether no admissible order has fewer errors."""
        return self.bound == self.errors

    @property
    def is_strict(self) -> bool:
        """Whether it is the order of the reference."""
        return self.order == tuple(range(len(self.order)))


def best_order(
    tree: OrderTree, ref: IntArray, hyp: IntArray, *, strict: int, bag: int, prove: bool = True
) -> Admissible:
    """The order of the blocks, of those that the tree allows, with the fewest word errors.

    Args:
        ref: shape (|X|,), the words of the reference as numbers.
        hyp: shape (|Y|,), those of the output; equal numbers for equal words.
        strict: their edit distance, with the reference as it stands.
        bag: the errors of bWER, fewer than which no order has.
        prove: whether to look on until none better can be there, as far as that is affordable.
    """
    best = Admissible(tuple(range(len(tree.blocks))), strict, strict, strict)
    if not tree.is_free or strict == bag or not len(hyp):
        return best
    search = _Search(tree, ref, hyp)
    best = replace(best, bound=min(max(bag, search.bound), strict))
    order = search.as_read()
    as_read = replace(best, order=order, errors=distance(ref[tree.words_in(order)], hyp))
    best = best.or_better(order, as_read.errors)
    if best.is_proved:
        return best
    cells = search.cells_left
    best = search.improved(best, _NARROW)
    if best.is_proved:
        return best
    # Free blocks as the output has them are often a better start than their order in the file.
    for start in {best.order: best, order: as_read}.values():
        polished = search.polished(start)
        best = best.or_better(polished.order, polished.errors)
    spent = max(cells - search.cells_left, 1)
    # As wide as what is left of the work allows, going by what the narrow search took.
    width = min(_NARROW * search.cells_left // spent, _WIDE)
    for wider in (width, _WIDE) if prove and width > _NARROW else ():
        if not best.is_proved and search.cells_left > 0:
            best = search.improved(best, wider)
    return best


@dataclass(slots=True)
class _State:
    """A set of blocks that may have been read first.

    Args:
        errors: shape (|Y| + 1,), the least errors against the first words of the output.
        fit: shape (|Y| + 1,), what the other blocks cost at least, each on what fits it best.
        left: shape (words,), how often each word is in the other blocks.
        before: the sets that it was made from, each with the block that was added.
        choice: shape (|Y| + 1,), which of these has the least errors.
        bag: shape (|Y| + 1,), what bWER counts for the rest of both sides.
        least: fewer errors than this no order that begins so has.
    """

    errors: Row
    fit: Row
    left: Row
    before: list[tuple[int, int]]
    choice: Row | None
    bag: Row
    least: int


@dataclass(slots=True)
class _Found:
    """What a search came to.

    Args:
        order: one with fewer errors than were known; None where none was found.
        dropped: the least bound of what was not followed up.
    """

    order: tuple[int, ...] | None = None
    errors: int = _FAR
    dropped: int = _FAR


@dataclass
class _Search:
    """One page with what is needed to extend any set of its blocks."""

    tree: OrderTree
    ref: Row
    hyp: Row
    words: list[Row] = field(init=False)
    """For each block."""
    starts: list[Row] = field(init=False)
    """For each block, shape (|Y| + 1,): its errors on the best stretch that begins there."""
    fits: list[Row] = field(init=False)
    """The same of the best stretch that begins there or later."""

    def __post_init__(self) -> None:
        self.words = [self.ref[one.words.start : one.words.stop] for one in self.tree.blocks]
        n = len(self.hyp) + 1
        self.ramp = np.arange(n, dtype=np.int32)
        backward = self.hyp[::-1].copy()
        self.forward, self.backward = Rows(self.hyp), Rows(backward)
        nothing = np.zeros(n, dtype=np.int32)
        self.starts = [
            self.backward.through(nothing, words[::-1])[::-1].copy() for words in self.words
        ]
        self.fits = [np.minimum.accumulate(one[::-1])[::-1].copy() for one in self.starts]
        self.beyond = np.array(self.starts) - np.array(self.fits)
        # Where the output seems to have each block.
        self.places = [int(one.argmin()) for one in self.starts]
        self.nodes = Node.of(self.tree.root)
        self.full = (1 << len(self.words)) - 1
        self.n_types = int(max(self.ref.max(initial=0), self.hyp.max(initial=0))) + 1
        # Which one of its kind a word of the output is, counted from the end.
        order = np.argsort(backward, kind="stable")
        firsts = np.r_[True, backward[order][1:] != backward[order][:-1]].nonzero()[0]
        rank = np.empty(len(order), dtype=np.int32)
        within = np.arange(len(order)) - np.repeat(firsts, np.diff(np.r_[firsts, len(order)]))
        rank[order] = within + 1
        self.rank = rank[::-1].copy()
        self.cells_left = max(_PASSES * len(self.ref) * n, _LEAST_CELLS)

    @property
    def bound(self) -> int:
        """What all blocks cost at least, each on what fits it best."""
        return sum(int(one[0]) for one in self.fits)

    def as_read(self) -> tuple[int, ...]:
        """The admissible order in which the output seems to have the blocks.

        Each is looked for where it fits best. What may stand anywhere is put where it comes after
        as many words as may be that stand before it in the output, and before the others.
        """
        place, size = self.places, [len(words) for words in self.words]

        def middle(blocks: Sequence[int]) -> int:
            """Where half of their words stand before, half after."""
            ranked = sorted(blocks, key=place.__getitem__)
            sums = np.cumsum([size[one] for one in ranked])
            return place[ranked[int(np.searchsorted(sums, sums[-1] / 2))]]

        def read(group: Group) -> list[int]:
            parts = [read(one) if isinstance(one, Group) else [one] for one in group.members]
            if not group.ordered:
                parts.sort(key=middle)
            order = [one for part in parts for one in part]
            for block in sorted(group.floats, key=place.__getitem__):
                order.insert(self._slot(block, order), block)
            return order

        return tuple(read(self.tree.root))

    def improved(self, best: Admissible, width: int) -> Admissible:
        """A better order, or that none can be much better, by a search of some width."""
        found = self.run(width, best.errors)
        if found.order is not None:
            best = best.or_better(found.order, found.errors)
        return replace(best, bound=max(best.bound, min(best.errors, found.dropped)))

    def polished(self, best: Admissible) -> Admissible:
        """The order with single blocks and groups moved elsewhere, as long as that helps.

        Each to where the output seems to have it, then to neighbouring places, then farther away.
        """
        texts, output = list(map(as_text, self.words)), as_text(self.hyp)
        tries = _TRIES // (len(self.ref) * len(self.hyp) + 1)
        tries = max(_LEAST_TRIES, min(tries, _MOST_TRIES))
        units = list(movable(self.tree.root))
        order, errors = best.order, best.errors
        reach = 0
        while reach <= len(order) and tries > 0:
            before = errors
            for unit, group in units:
                moved = [one for one in order if one in unit]
                rest = [one for one in order if one not in unit]
                at = next(n for n, one in enumerate(order) if one in unit)
                among = [n for n, one in enumerate(rest) if one in group]
                if not among:
                    continue
                near = range(max(at - reach, among[0]), min(at + reach, among[-1] + 1) + 1)
                for slot in near if reach else [self._slot(moved[0], rest)]:
                    other = (*rest[:slot], *moved, *rest[slot:])
                    if tries <= 0 or slot == at or not self.nodes.allows(other):
                        continue
                    text = "".join([texts[one] for one in other])
                    found = int(Levenshtein.distance(text, output, score_cutoff=errors - 1))
                    tries -= 1
                    if found < errors:
                        order, errors = other, found
            if errors == before:
                reach = 2 * reach or 1
        return best.or_better(order, errors)

    def _slot(self, block: int, order: Sequence[int]) -> int:
        """Where a block stands after as many words as may be that the output has before it."""
        place = self.places[block]
        steps = [len(self.words[one]) * (1 if self.places[one] < place else -1) for one in order]
        return int(np.cumsum([0, *steps]).argmax())

    def run(self, width: int, known: int) -> _Found:
        """Follow up the ``width`` most promising sets of each size, for fewer errors than known."""
        n = len(self.ramp)
        width = max(2, min(width, _MOST_KEPT // (n * len(self.words))))
        found = _Found()
        fit = np.array(self.fits).sum(axis=0, dtype=np.int32)
        left = np.bincount(self.ref, minlength=self.n_types)
        first = self._state([(self.ramp, (-1, -1))], fit, left)
        layers: list[dict[int, _State]] = [{0: first}]
        for _ in self.words:
            layer = self._extended(layers[-1], width, known, found)
            if len(layer) > width:
                ranked = sorted(layer, key=lambda mask: layer[mask].least)
                for mask in ranked[width:]:
                    found.dropped = min(found.dropped, layer.pop(mask).least)
            layers.append(layer)
            if not layer:
                return found
        found.order, found.errors = self._order(layers), int(layers[-1][self.full].errors[-1])
        return found

    def _extended(
        self, layer: dict[int, _State], width: int, known: int, found: _Found
    ) -> dict[int, _State]:
        """The sets with a block more, but for those that cannot undercut what is known."""
        ways: list[tuple[int, int, int]] = []
        for mask, state in layer.items():
            if self.cells_left < 0:
                found.dropped = min(found.dropped, state.least)
                continue
            blocks = list(self.nodes.next_of(mask))
            self.cells_left -= _LOOK * len(self.ramp) * len(blocks)
            rest = self.beyond[blocks] + state.fit
            np.maximum(rest, state.bag, out=rest)
            rest += state.errors
            leasts = zip(rest.min(axis=1).tolist(), blocks, strict=True)
            ways += [(least, mask, block) for least, block in leasts if least < known]
        ways.sort()
        if len(ways) > _WAYS * width:
            found.dropped = min(found.dropped, ways[_WAYS * width][0])
        by_block: dict[int, list[int]] = {}
        for _, mask, block in ways[: _WAYS * width]:
            by_block.setdefault(block, []).append(mask)
        rows: dict[int, list[tuple[Row, tuple[int, int]]]] = {}
        for block, masks in by_block.items():
            cost = len(masks) * len(self.words[block]) * len(self.ramp)
            if cost > self.cells_left:
                least = min(layer[mask].least for mask in masks)
                found.dropped = min(found.dropped, least)
                continue
            self.cells_left -= cost
            for mask in masks:
                row = self.forward.through(layer[mask].errors, self.words[block])
                rows.setdefault(mask | 1 << block, []).append((row, (mask, block)))
        extended: dict[int, _State] = {}
        for mask, of_mask in rows.items():
            before, block = of_mask[0][1]
            state = layer[before]
            left = state.left - np.bincount(self.words[block], minlength=self.n_types)
            new = self._state(of_mask, state.fit - self.fits[block], left)
            if new.least < known:
                extended[mask] = new
        return extended

    def _state(self, rows: Sequence[tuple[Row, tuple[int, int]]], fit: Row, left: Row) -> _State:
        errors, choice = rows[0][0], None
        if len(rows) > 1:
            stacked = np.array([row for row, _ in rows])
            choice = stacked.argmin(axis=0).astype(np.int16)
            errors = stacked.min(axis=0)
        # How many words of the output from j on have an equal among the blocks to come.
        equal = np.zeros_like(self.ramp)
        equal[:-1] = (self.rank <= left[self.hyp])[::-1].cumsum()[::-1]
        bag = np.maximum(int(left.sum()), self.ramp[::-1]) - equal
        least = int((errors + np.maximum(fit, bag)).min())
        return _State(errors, fit, left, [way for _, way in rows], choice, bag, least)

    def _order(self, layers: Sequence[dict[int, _State]]) -> tuple[int, ...]:
        """The blocks in the order that leads to the fewest errors."""
        order: list[int] = []
        mask, end = self.full, len(self.hyp)
        for layer, below in zip(reversed(layers), reversed(layers[:-1]), strict=False):
            state = layer[mask]
            at = 0 if state.choice is None else int(state.choice[end])
            mask, block = state.before[at]
            order.append(block)
            if mask:
                end = self._start(below[mask].errors[: end + 1], block, end)
        return tuple(reversed(order))

    def _start(self, before: Row, block: int, end: int) -> int:
        """Where the stretch of a block that ends somewhere begins, after the errors before it."""
        nothing, skip = self.ramp[: end + 1], len(self.hyp) - end
        row = self.backward.through(nothing, self.words[block][::-1], skip)
        return int((before + row[::-1]).argmin())


@dataclass(frozen=True)
class Node:
    """A group of the tree with its blocks as bits.

    Args:
        own: all blocks in it, those that float in it too.
        members: each with its blocks; a block alone has no node.
        floats: the blocks that float in it.
    """

    own: int
    ordered: bool
    members: "tuple[tuple[int, Node | None], ...]"
    floats: tuple[int, ...]

    @classmethod
    def of(cls, group: Group) -> "Node":
        members: list[tuple[int, Node | None]] = []
        own = sum(1 << one for one in group.floats)
        for one in group.members:
            if isinstance(one, Group):
                node = cls.of(one)
                members.append((node.own, node))
            else:
                members.append((1 << one, None))
            own |= members[-1][0]
        return cls(own, group.ordered, tuple(members), group.floats)

    @cached_property
    def member_of(self) -> "Mapping[int, tuple[frozenset[int], Node | None]]":
        """The blocks of the member that a block is in, and its node."""
        owns = ((frozenset(_blocks(bits)), node) for bits, node in self.members)
        return {one: (own, node) for own, node in owns for one in own}

    def allows(self, order: Sequence[int]) -> bool:
        """Whether all blocks may come in this order."""
        rest = [one for one in order if one not in self.floats] if self.floats else order
        at = 0
        for member in self.members:
            # A group that was begun is read to its end.
            first = member[0].bit_length() - 1 if self.ordered else rest[at]
            own, node = self.member_of[first]
            part = rest[at : at + len(own)]
            if not own.issuperset(part) or not (node is None or node.allows(part)):
                return False
            at += len(own)
        return True

    def next_of(self, read: int) -> Iterator[int]:
        """The blocks that may come next where some have been read."""
        yield from (one for one in self.floats if not read >> one & 1)
        left = [(bits, node) for bits, node in self.members if bits & ~read]
        if not self.ordered:
            # A group that was begun is read to its end.
            left = [one for one in left if one[0] & read][:1] or left
        for bits, node in left[:1] if self.ordered else left:
            if node is None:
                yield bits.bit_length() - 1
            else:
                yield from node.next_of(read)


def _blocks(bits: int) -> Iterator[int]:
    while bits:
        yield (bits & -bits).bit_length() - 1
        bits &= bits - 1


def movable(group: Group) -> Iterator[tuple[frozenset[int], frozenset[int]]]:
    """What may stand elsewhere by itself, floating blocks and members of unordered groups.

    Each with all blocks of its group, among which it stays.
    """
    own = frozenset(group.own)
    yield from ((frozenset([one]), own) for one in group.floats)
    for one in group.members:
        if not group.ordered:
            yield frozenset(one.own if isinstance(one, Group) else [one]), own
        if isinstance(one, Group):
            yield from movable(one)
