"""The orders that a page allows, as a tree over the blocks of its reference."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from htreval_core.errors import ConfigError
from htreval_core.model import Line, OrderGroup, Transcript
from htreval_core.settings.orders import Either, OrderRules


@dataclass(frozen=True, slots=True)
class Block:
    """Text of the reference that is read as a whole: the lines of a region in a row.

    Args:
        name: the id of the region; None for lines that stand in none.
        kind: what the file calls it.
        words: positions of its words in the reference.
    """

    name: str | None
    kind: str | None
    words: range


@dataclass(frozen=True, slots=True)
class Group:
    """Blocks, and groups of them, that are read one after the other.

    Args:
        ordered: whether in this order; else in any.
        members: numbers of blocks, and groups.
        floats: numbers of blocks that may come between any two blocks in here, at any depth, and
            before and after them all.
    """

    ordered: bool
    members: tuple[int | Group, ...]
    floats: tuple[int, ...] = ()

    @property
    def own(self) -> Iterator[int]:
        """The blocks in it at any depth, those that float after the others of their group."""
        for one in self.members:
            if isinstance(one, Group):
                yield from one.own
            else:
                yield one
        yield from self.floats

    @property
    def is_free(self) -> bool:
        """Whether its blocks may come in more than one order."""
        inner = any(isinstance(one, Group) and one.is_free for one in self.members)
        n_parts = len(self.members) + len(self.floats)
        return inner or (n_parts > 1 and (bool(self.floats) or not self.ordered))


@dataclass(frozen=True, slots=True)
class OrderTree:
    """The blocks of a page in the order of its reference, and in which orders they may come."""

    blocks: tuple[Block, ...]
    root: Group

    @classmethod
    def strict(cls, n_words: int) -> OrderTree:
        """Of a page that allows no order but its own."""
        return cls((Block(None, None, range(n_words)),), Group(True, (0,)))

    @property
    def is_free(self) -> bool:
        """Whether the page allows another order than that of its reference."""
        return self.root.is_free

    def words_in(self, order: Iterable[int]) -> list[int]:
        """The words of the reference with its blocks in an order."""
        return [word for block in order for word in self.blocks[block].words]


def order_tree(
    reference: Transcript, line_of: Sequence[int], rules: OrderRules, page_id: str = ""
) -> OrderTree:
    """What the file's own reading order and the rules allow for a page.

    Args:
        line_of: shape (n,), the line of each word of the reference, upward.

    Raises:
        ConfigError: a rule for this page names regions that it does not have, or parts regions
            that do not stand side by side.
    """
    lines = reference.lines
    blocks = _blocks(lines, line_of)
    of_page = rules.of_page(page_id)
    either_of = (region for either in of_page.either for one in either for region in one)
    _check_names(page_id, lines, (*of_page.floats, *of_page.left_out, *either_of))
    places: dict[str | None, list[int]] = {}
    for number, block in enumerate(blocks):
        places.setdefault(block.name, []).append(number)
    root = _declared(reference.order, places, len(blocks))
    floats = {
        number
        for number, block in enumerate(blocks)
        if rules.floats.fits(block.name, block.kind) or block.name in of_page.floats
    }
    root = _floating(root, floats)
    for either in of_page.either:
        root = _parted(page_id, root, either, places, floats)
    return OrderTree(blocks, root)


def _blocks(lines: Sequence[Line], line_of: Sequence[int]) -> tuple[Block, ...]:
    found: list[Block] = []
    start = 0
    regions = [(line.region, line.region_kind) for line in lines]
    for (name, kind), words in groupby(line_of, key=regions.__getitem__):
        end = start + len(list(words))
        found.append(Block(name, kind, range(start, end)))
        start = end
    return tuple(found)


def _declared(order: OrderGroup | None, places: dict[str | None, list[int]], n: int) -> Group:
    """The groups of the file; blocks that they do not name come after them, in order."""
    flat = Group(True, tuple(range(n)))
    if order is None:
        return flat
    left = dict(places)
    group = _numbered(order, left)
    rest = sorted(number for numbers in left.values() for number in numbers)
    # Of an ordered group the others are members as well, so that text which floats may pass them.
    own = group.members if group.ordered else (group,)
    root = Group(True, (*own, *rest)) if rest else group
    # A transcript made by a program may have groups that its lines do not follow.
    return root if list(root.own) == list(range(n)) else flat


def _numbered(order: OrderGroup, left: dict[str | None, list[int]]) -> Group:
    members: list[int | Group] = []
    for one in order.members:
        if isinstance(one, OrderGroup):
            group = _numbered(one, left)
            if group.members:
                members.append(group)
        else:
            numbers = left.pop(one, [])
            members += numbers[:1] if len(numbers) < 2 else [Group(True, tuple(numbers))]
    return Group(order.ordered, tuple(members))


def _floating(group: Group, floats: Collection[int]) -> Group:
    """The same with some blocks floating in the group that holds them."""
    members: list[int | Group] = []
    free = list(group.floats)
    for one in group.members:
        if isinstance(one, Group):
            inner = _floating(one, floats)
            if inner.members:
                members.append(inner)
            else:
                # Nothing is left that they could stand between.
                free += inner.floats
        elif one in floats:
            free.append(one)
        else:
            members.append(one)
    return Group(group.ordered, tuple(members), tuple(sorted(free)))


def _parted(
    page_id: str, group: Group, either: Either, places: dict[str | None, list[int]],
    floats: Collection[int],
) -> Group:  # fmt: skip
    """The same with the alternatives in a group of their own, of which any may come first."""
    wanted = [
        {number for name in one for number in places.get(name, ()) if number not in floats}
        for one in either
    ]
    wanted = [one for one in wanted if one]
    if len(wanted) < 2:
        return group
    every = set().union(*wanted)
    for at, one in enumerate(group.members):
        if isinstance(one, Group) and every <= set(one.own):
            inner = _parted(page_id, one, either, places, floats)
            return replace(group, members=(*group.members[:at], inner, *group.members[at + 1 :]))
    of_member = [set(one.own) if isinstance(one, Group) else {one} for one in group.members]
    found = [[n for n, own in enumerate(of_member) if own & one] for one in wanted]
    whole = all(
        set().union(*(of_member[n] for n in numbers)) <= one | set(floats)
        and numbers == list(range(numbers[0], numbers[-1] + 1))
        for numbers, one in zip(found, wanted, strict=True)
    )
    touched = sorted(n for numbers in found for n in numbers)
    first, last = touched[0], touched[-1]
    if not whole or touched != list(range(first, last + 1)):
        told = " or ".join(" ".join(one) for one in either)
        raise ConfigError(
            f"rules of reading order: page {page_id}: {told}: these do not stand side by "
            "side in the reference; name the regions between them too, in the list of the one that "
            "they go along with"
        )
    if not group.ordered and len(touched) == len(found):
        return group
    alternatives = tuple(
        group.members[numbers[0]]
        if len(numbers) == 1
        else Group(group.ordered, group.members[numbers[0] : numbers[-1] + 1])
        for numbers in sorted(found)
    )
    if len(touched) == len(group.members) and not group.floats:
        return Group(False, alternatives)
    parted = Group(False, alternatives)
    return replace(group, members=(*group.members[:first], parted, *group.members[last + 1 :]))


def _check_names(page_id: str, lines: Sequence[Line], names: Iterable[str]) -> None:
    known = {line.region for line in lines}
    for name in names:
        if name not in known:
            raise ConfigError(
                f"rules of reading order: page {page_id} has no region {name}; it has "
                f"{', '.join(sorted(one for one in known if one))[:200] or 'none with an id'}"
            )
