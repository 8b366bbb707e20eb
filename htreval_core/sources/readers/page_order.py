"""PAGE XML with another reading order, byte for byte the same everywhere else."""

from __future__ import annotations

import codecs
from collections.abc import Sequence
from xml.parsers import expat

from lxml import etree

from htreval_core.errors import ReadError
from htreval_core.settings import ReadPolicy
from htreval_core.sources.readers.pagexml import read_pagexml
from htreval_core.sources.readers.xml import children, local_name, parse_xml

_BEFORE = frozenset({"AlternativeImage", "Border", "PrintSpace"})
"""What stands before the reading order in a Page."""


def with_region_order(
    name: str, content: bytes, order: Sequence[str], moved: Sequence[str]
) -> bytes:
    """The file with some of its regions read elsewhere.

    Groups stay as they are. A region that moves goes beside its new neighbour, into the smallest
    group that holds both neighbours.

    Args:
        order: ids of all regions with text, as they are to be read.
        moved: those of them that move.

    Raises:
        ReadError: it is no PAGE XML, or its reading order cannot say this.
    """
    root = parse_xml(name, content)
    page = next(root.iter("{*}Page"), None)
    if page is None or any(True for _ in children(page, "ReadingOrder")[1:]):
        raise _refused(name, "it has no Page, or several reading orders")
    place = _Place(name, content)
    tree = _Tree(name, page, place.start < 0)
    before = [one for one in _regions_read(name, content) if one not in moved]
    for at, region in enumerate(order):
        if region in moved:
            tree.put(region, order[:at], [one for one in order[at + 1 :] if one not in moved],
                     before)  # fmt: skip
        elif place.start < 0:
            tree.listed(region, before)
    text = etree.tostring(tree.order, encoding="unicode", with_tail=False)
    if place.start >= 0:
        # The tags around it stay, and with them the name spaces that lxml writes a second time.
        text = text[text.index(">") + 1 : text.rindex("</")]
    else:
        inner = text[text.index(">") + 1 : text.rindex("</")]
        text = f"<{place.prefix}ReadingOrder>{inner}</{place.prefix}ReadingOrder>"
    start, end = (place.start, place.end) if place.start >= 0 else (place.slot, place.slot)
    made = content[:start] + text.encode(place.codec, "xmlcharrefreplace") + content[end:]
    if _regions_read(name, made) != list(order):
        raise _refused(name, "its groups do not allow it")
    return made


def _regions_read(name: str, content: bytes) -> list[str]:
    lines = read_pagexml(name, content, ReadPolicy(outlines=False)).lines
    return list(dict.fromkeys(line.region or "" for line in lines if line.text.strip()))


def _refused(name: str, why: str) -> ReadError:
    return ReadError(f"{name}: its reading order cannot be changed here ({why}); change it by hand")


class _Tree:
    """The reading order as elements."""

    def __init__(self, name: str, page: etree._Element, is_new: bool) -> None:
        self._name = name
        self._space = etree.QName(page).namespace
        if is_new:
            self.order = etree.SubElement(page, self._tag("ReadingOrder"))
            etree.SubElement(self.order, self._tag("OrderedGroup"), id=_unused(page))
        else:
            (self.order,) = children(page, "ReadingOrder")
        groups = [one for one in self.order if local_name(one).endswith("Group")]
        if len(groups) != 1:
            raise _refused(name, "it needs one group around all others")
        (self._top,) = groups

    def _tag(self, name: str) -> str:
        return f"{{{self._space}}}{name}" if self._space else name

    def _refs(self, region: str) -> list[etree._Element]:
        return [one for one in self.order.iter("{*}*") if one.get("regionRef") == region]

    def listed(self, region: str, before: Sequence[str]) -> etree._Element:
        """The member that names a region; put where it is read so far, if there is none."""
        found = self._refs(region)
        if found:
            return found[0]
        at = before.index(region)
        last = self.listed(before[at - 1], before) if at else None
        group = self._top if last is None else last.getparent()
        return self._insert(group, region, last)

    def put(
        self, region: str, earlier: Sequence[str], later: Sequence[str], before: Sequence[str]
    ) -> None:
        """Name a region between two others and nowhere else."""
        for one in self._refs(region):
            if not local_name(one).startswith("RegionRef"):
                raise _refused(self._name, "a whole group would have to move")
            group = one.getparent()
            group.remove(one)
            while group is not self._top and not any(True for _ in group.iterchildren("{*}*")):
                group, empty = group.getparent(), group
                group.remove(empty)
        if not earlier:
            self._insert(self._top, region, None)
            return
        last = self.listed(earlier[-1], before)
        around = list(last.iterancestors())
        if later:
            after = set(self.listed(later[0], before).iterancestors())
            group = next(one for one in around if one in after)
        else:
            group = self._top
        self._insert(group, region, last if last.getparent() is group
                     else around[around.index(group) - 1])  # fmt: skip

    def _insert(
        self, group: etree._Element, region: str, after: etree._Element | None
    ) -> etree._Element:
        """A member for a region in a group, behind another one or first of all."""
        is_ordered = local_name(group).startswith("OrderedGroup")
        if not is_ordered:
            raise _refused(self._name, "a group without order leaves it open")
        members = [one for one in group.iterchildren("{*}*") if "index" in one.attrib]
        members.sort(key=_index)
        first = _index(members[0]) if members else 0
        made = etree.Element(self._tag("RegionRefIndexed"), index="0", regionRef=region)
        if after is None:
            place = group.index(members[0]) if members else len(group)
            made.tail = group.text if members else None
        else:
            place, made.tail = group.index(after) + 1, after.tail
        group.insert(place, made)
        members.insert(0 if after is None else members.index(after) + 1, made)
        for number, one in enumerate(members, start=first):
            one.set("index", str(number))
        return made


def _index(member: etree._Element) -> int:
    try:
        return int(member.get("index"))
    except ValueError:
        return 0


def _unused(page: etree._Element) -> str:
    """An id that nothing on the page has."""
    known = set(page.xpath(".//@id"))
    made = "reading_order"
    while made in known:
        made += "_"
    return made


class _Place:
    """Where in the bytes of a file the inside of its reading order stands.

    ``start`` is -1 where there is none; then ``slot`` is where it would begin.
    """

    def __init__(self, name: str, content: bytes) -> None:
        self.start = self.end = self.slot = -1
        self.prefix = ""
        self.codec = _codec(content)
        self._inside: list[str] = []
        self._is_next = self._is_past = False
        self._parser = parser = expat.ParserCreate()
        parser.XmlDeclHandler = self._declared
        parser.StartElementHandler = self._begins
        parser.EndElementHandler = self._ends
        parser.DefaultHandler = lambda _: self._settle()
        try:
            parser.Parse(content, True)
        except (expat.ExpatError, LookupError, ValueError) as error:
            raise _refused(name, str(error)) from None
        if self.start < 0 and self.slot < 0:
            raise _refused(name, "the page has no regions")

    def _declared(self, _version: str, encoding: str | None, _alone: int) -> None:
        self.codec = self.codec or encoding or ""

    def _settle(self) -> None:
        """The first thing behind the tag that begins the reading order."""
        if self._is_next:
            self.start, self._is_next = self._parser.CurrentByteIndex, False

    def _begins(self, tag: str, _attributes: object) -> None:
        self._settle()
        name = tag.rpartition(":")[2]
        around = self._inside[-1] if self._inside else ""
        self._inside.append(name)
        if name == "Page":
            self.prefix = tag.removesuffix("Page")
        elif around == "Page" and not self._is_past:
            if name == "ReadingOrder":
                self._is_next = True
            elif name not in _BEFORE and self.slot < 0:
                self.slot = self._parser.CurrentByteIndex

    def _ends(self, tag: str) -> None:
        name = self._inside.pop()
        if name == "ReadingOrder" and not self._is_past and self.end < 0:
            self._settle()
            self.end = self._parser.CurrentByteIndex
        elif name == "Page":
            self._is_past = True


def _codec(content: bytes) -> str:
    """What the first bytes say of the encoding; empty where the declaration has to."""
    for marks, codec in (
        ((codecs.BOM_UTF16_LE, b"<\0"), "utf-16-le"),
        ((codecs.BOM_UTF16_BE, b"\0<"), "utf-16-be"),
        ((codecs.BOM_UTF8,), "utf-8"),
    ):
        if content.startswith(marks):
            return codec
    return ""
