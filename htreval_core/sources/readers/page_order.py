"""PAGE XML with another reading order, byte for byte the same everywhere else."""

import codecs
from collections.abc import Mapping, Sequence
from xml.parsers import expat

from htreval_core.errors import ReadError
from htreval_core.markup import escape
from htreval_core.settings import ReadPolicy
from htreval_core.sources.readers.pagexml import read_pagexml

_BEFORE = frozenset({"AlternativeImage", "Border", "PrintSpace"})
"""What stands before the reading order in a Page."""
_MARKS = ((codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"),
          (b"<\0", "utf-16-le"), (b"\0<", "utf-16-be"), (codecs.BOM_UTF8, "utf-8"))  # fmt: skip


def with_region_order(
    name: str, content: bytes, order: Sequence[str], moved: Sequence[str]
) -> bytes:
    """The file with some of its regions read elsewhere.

    Only members of the ordered group change; where there is no reading order, one is put in.

    Args:
        order: ids of all regions with text, as they are to be read.
        moved: those of them that move.

    Raises:
        ReadError: it is no PAGE XML, or its reading order cannot say this.
    """
    _regions_read(name, content)
    found = _Found(name, content)
    members = [one for one in found.members if one not in moved]
    for at, region in enumerate(order):
        if region not in members:
            members.insert(members.index(order[at - 1]) + 1 if at else 0, region)
    # Regions that no order named, and that come last as before, need none.
    while found.members and members[-1] not in {*found.members, *moved}:
        members.pop()
    text = "".join(
        f'<{found.prefix}RegionRefIndexed index="{n}" regionRef="{escape(one)}"/>'
        for n, one in enumerate(members)
    )
    if found.start < 0:
        p = found.prefix
        group = f'<{p}OrderedGroup id="{found.unused}">{text}</{p}OrderedGroup>'
        text = f"<{p}ReadingOrder>{group}</{p}ReadingOrder>"
        found.start = found.end = found.slot
    made = text.encode(found.codec or "utf-8", "xmlcharrefreplace")
    made = content[: found.start] + made + content[found.end :]
    if _regions_read(name, made) != list(order):
        raise _refused(name, "it says something else")
    return made


def _regions_read(name: str, content: bytes) -> list[str]:
    lines = read_pagexml(name, content, ReadPolicy(outlines=False)).lines
    return list(dict.fromkeys(line.region or "" for line in lines if line.text.strip()))


def _refused(name: str, why: str) -> ReadError:
    return ReadError(f"{name}: its reading order cannot be changed here ({why}); change it by hand")


class _Found:
    """The reading order of a file that was read before, and where in its bytes it stands.

    The inside of its one group is from ``start`` to ``end``. Without a reading order ``start`` is
    -1, and one would begin at ``slot``."""

    def __init__(self, name: str, content: bytes) -> None:
        self.start = self.end = self.slot = -1
        self.prefix, self.members = "", list[str]()
        self.codec = next((codec for mark, codec in _MARKS if content.startswith(mark)), "")
        self._name, self._inside, self._ids = name, list[str](), set[str]()
        self._index, self._is_next = dict[str, float](), False
        self._parser = parser = expat.ParserCreate()
        parser.XmlDeclHandler = self._declared
        parser.StartElementHandler = self._begins
        parser.EndElementHandler = self._ends
        parser.DefaultHandler = lambda _: self._settle()
        try:
            parser.Parse(content, True)
        except (expat.ExpatError, LookupError, ValueError) as error:
            raise _refused(name, str(error)) from None
        if self.slot < 0:
            raise _refused(name, "the page has no regions")
        self.members = sorted(self._index, key=self._index.__getitem__)
        self.unused = "reading_order"
        while self.unused in self._ids:
            self.unused += "_"

    def _declared(self, _version: str, encoding: str | None, _alone: int) -> None:
        self.codec = self.codec or encoding or ""

    def _settle(self) -> None:
        """The first thing behind the tag that begins the group."""
        if self._is_next:
            self.start, self._is_next = self._parser.CurrentByteIndex, False

    def _begins(self, tag: str, attributes: Mapping[str, str]) -> None:
        self._settle()
        name = tag.rpartition(":")[2]
        around = self._inside[-1:]
        self._inside.append(name)
        self._ids.add(attributes.get("id", ""))
        if name == "Page":
            if self.slot >= 0:
                raise _refused(self._name, "there are several pages")
            self.prefix = tag.removesuffix("Page")
        elif around == ["Page"] and name not in {*_BEFORE, "ReadingOrder"} and self.slot < 0:
            self.slot = self._parser.CurrentByteIndex
        elif "ReadingOrder" in self._inside and name != "ReadingOrder":
            if around == ["ReadingOrder"] and name == "OrderedGroup" and self.end < 0:
                self._is_next = "regionRef" not in attributes
            elif name == "RegionRefIndexed" and around == ["OrderedGroup"]:
                index = attributes.get("index", "")
                self._index[attributes.get("regionRef", "")] = float(index or "inf")
            else:
                raise _refused(self._name, "it has groups within groups, or leaves the order open")

    def _ends(self, tag: str) -> None:
        self._inside.pop()
        if self._inside[-1:] == ["ReadingOrder"]:
            self._settle()
            self.end = self._parser.CurrentByteIndex
        elif tag.endswith("ReadingOrder") and self.start < 0:
            raise _refused(self._name, "it is empty, or names a region as a whole")
