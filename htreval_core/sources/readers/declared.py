"""What the readers of PAGE XML and ALTO share: the order that a file declares, and notes."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from lxml import etree

from htreval_core.model import DataWarning, OrderGroup, WarningKind
from htreval_core.sources.readers.xml import local_name

DECLARED = "ReadingOrder"
INCOMPLETE = "ReadingOrder, then document"


class Notes:
    """What a reader had to decide or leave out in one file, summed up by kind."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._found: dict[WarningKind, tuple[list[str], int]] = {}

    def add(self, kind: WarningKind, *detail: str, count: int = 1) -> None:
        """One more of a kind; ``detail`` names what is concerned."""
        named, before = self._found.setdefault(kind, ([], 0))
        named.extend(detail)
        self._found[kind] = (named, before + count)

    def warnings(self) -> tuple[DataWarning, ...]:
        """A warning a kind."""
        return tuple(
            DataWarning(self._file, kind, tuple(named), count)
            for kind, (named, count) in self._found.items()
        )


@dataclass(frozen=True, slots=True)
class Declared:
    """Regions or lines in reading order.

    Args:
        elements: all of them, those that the order leaves out last.
        source: where the order comes from, as ``Transcript.order_source``.
        unlisted: ids of regions with text that it leaves out.
        order: as ``Transcript.order``.
    """

    elements: list[etree._Element]
    source: str = "document"
    unlisted: tuple[str, ...] = ()
    order: OrderGroup | None = None


def read_group(
    group: etree._Element, refs_of: Callable[[etree._Element], Sequence[str]]
) -> OrderGroup:
    """A group of a reading order with its members; those of an unordered one as it lists them.

    Args:
        refs_of: the ids that an element names; of a group what it names comes before its members.
    """
    children = [child for child in group if isinstance(child.tag, str)]
    kind = local_name(group)
    if kind.startswith("OrderedGroup"):
        children.sort(key=_index)
    members: list[str | OrderGroup] = []
    for child in children:
        refs = refs_of(child)
        inside = read_group(child, refs_of)
        if inside.members and refs:
            members.append(OrderGroup(True, (*refs, inside)))
        elif inside.members:
            members.append(inside)
        else:
            members += refs
    return OrderGroup(not kind.startswith("UnorderedGroup"), tuple(members))


def told_order(groups: Sequence[OrderGroup]) -> OrderGroup | None:
    """The groups as one; None where they say no more than one region after another."""
    simple = [_simplified(group) for group in groups if group.members]
    if len(simple) == 1 and isinstance(simple[0], OrderGroup):
        order = simple[0]
    else:
        order = OrderGroup(True, tuple(simple))
    flat = order.ordered and not any(isinstance(one, OrderGroup) for one in order.members)
    return None if flat else order


def _simplified(group: OrderGroup) -> str | OrderGroup:
    members = tuple(
        _simplified(one) if isinstance(one, OrderGroup) else one for one in group.members
    )
    return members[0] if len(members) == 1 else OrderGroup(group.ordered, members)


def _index(member: etree._Element) -> float:
    try:
        index = float(member.get("index", "inf"))
    except ValueError:
        return math.inf
    # Beside "nan" no number has a place.
    return math.inf if math.isnan(index) else index
