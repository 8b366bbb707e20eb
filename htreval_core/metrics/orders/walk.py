"""Which block of a page may be read next, and which may stand elsewhere."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from htreval_core.metrics.orders.tree import Group


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
