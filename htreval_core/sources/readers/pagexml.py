"""PAGE XML of any year: lines in reading order, with regions and polygons.

Format: https://github.com/PRImA-Research-Lab/PAGE-XML. Files from 2009 to 2019 and their
namespaces differ little, so elements are matched by local name.
"""

import math
import re
from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

from lxml import etree

from htreval_core.errors import ReadError
from htreval_core.model import BareRegion, Line, OrderGroup, Transcript, WarningKind
from htreval_core.settings import Limits, ReadPolicy
from htreval_core.sources.readers.bounds import check, check_lines
from htreval_core.sources.readers.custom import read_custom
from htreval_core.sources.readers.declared import (
    DECLARED,
    INCOMPLETE,
    Declared,
    Notes,
    read_group,
    told_order,
)
from htreval_core.sources.readers.outlines import Outlines, line_of_words
from htreval_core.sources.readers.xml import (
    check_count,
    children,
    local_name,
    number,
    page_size,
    parse_xml,
    polygon,
)

_SECOND = re.compile(rb"TextEquiv\s[^>]*index=[\"']1[\"']")
_INDEX_IN = re.compile(r"readingOrder\s*\{[^{}]*?index\s*:\s*(\d{1,9})\b")
_INDEX = re.compile(r"(\d{1,9})")
_CELL = re.compile(r"(\d{1,9}) (\d{1,9})")
_STRUCTURE = re.compile(r"structure\s*\{[^{}]*?type\s*:\s*([^;{}]*[^;{}\s])")


def read_pagexml(name: str, content: bytes, policy: ReadPolicy | None = None) -> Transcript:
    """A transcript of a PAGE XML file, from its lines unless the policy names another level.

    Regions follow ``ReadingOrder``; those that it does not list come where their own index stands
    free in it, else after it in document order. Cells of a table are read by row and column.
    Without one they follow their ``custom`` reading order where every one has it.
    Lines of a region follow their ``custom`` reading order where every line has one, else the
    document. Lines that run up the page within a region are pointed out: such a reference makes
    every system look as if it misread the order.

    Raises:
        ReadError: it is no well-formed PAGE XML.
    """
    policy = policy or ReadPolicy()
    root = parse_xml(name, content, policy.limits, mixed=False)
    page = next(root.iter("{*}Page"), None)
    if page is None:
        raise ReadError(f"{name}: XML without a Page element; export it as PAGE XML or ALTO")
    if len(children(root, "Page")) > 1:
        raise ReadError(f"{name}: several Page elements; export each page as a file of its own")
    _check_counts(name, content, page, policy.limits)
    notes = Notes(name)
    in_document = list(_regions(page))
    around_text = _around_text(page, in_document)
    if policy.order == "file":
        declared = _declared_order(page, in_document, around_text, notes)
    else:
        declared = Declared(in_document)
    regions = declared.elements
    found: list[_Line] = []
    ends: list[int] = []
    for region in regions:
        found += _lines(name, region, policy, region in around_text, notes)
        ends.append(len(found))
    bare: tuple[BareRegion, ...] = ()
    if policy.outlines:
        corners = _Corners(page)
        lines = _with_outlines(corners, found)
        bare = tuple(_bare(corners, in_document, around_text))
    else:
        lines = [Line(line.text, line.region, region_kind=line.kind) for line in found]
    for region, first, end in zip(regions, [0, *ends], ends, strict=False):
        if _runs_upward(lines[first:end]):
            notes.add(WarningKind.LINES_UPWARD, _id(region))
    for line in _second_readings(page) if _SECOND.search(content) else ():
        notes.add(WarningKind.SECOND_READING, _id(line))
    size = page_size(page, "imageWidth", "imageHeight")
    image = page.get("imageFilename")
    return Transcript(
        tuple(lines), declared.source, size, image, notes.warnings(), declared.unlisted,
        declared.order, bare=bare,
    )  # fmt: skip


def _check_counts(name: str, content: bytes, page: etree._Element, limits: Limits) -> None:
    """Refuse what would take minutes to walk through, text or no text."""
    check_count(name, content, page, "TextLine", "lines", limits.lines)
    check_count(name, content, page, "Word", "words", limits.words)
    if len(content) // len("<Region/>") > limits.lines:
        regions = int(page.xpath("count(.//*[contains(local-name(), 'Region')])"))
        check(name, regions, "regions", "lines", limits.lines, "split it into pages")


def _is_region(element: etree._Element) -> bool:
    tag = element.tag
    # Transkribus puts the lines of a table into cells, which other tools write as text regions.
    return isinstance(tag, str) and (
        tag.endswith("Region") or (tag.endswith("TableCell") and local_name(element) == "TableCell")
    )


def _regions(parent: etree._Element) -> Iterator[etree._Element]:
    """Every region below an element in document order, nested ones after the one around them."""
    waiting = _inside(parent)[::-1]
    while waiting:
        region = waiting.pop()
        yield region
        waiting += reversed(_inside(region))


def _inside(element: etree._Element) -> list[etree._Element]:
    """The regions in it; cells of a table by row and column, as Transkribus reads them."""
    found = list(filter(_is_region, element))
    cells = list(map(_cell, found)) if element.tag.endswith("TableRegion") else []
    if cells and all(cells):
        order = sorted(range(len(found)), key=lambda at: tuple(map(int, cells[at][0])))
        return [found[at] for at in order]
    return found


def _cell(region: etree._Element) -> list[tuple[str, str]]:
    """Its row and column, of its own or by its role in a table; empty if it names none."""
    role = region.find("{*}Roles/{*}TableCellRole")
    names = ("row", "col") if role is None else ("rowIndex", "columnIndex")
    return _CELL.findall(" ".join((region if role is None else role).get(one, "") for one in names))


def _around_text(
    page: etree._Element, in_document: Sequence[etree._Element]
) -> set[etree._Element]:
    """The regions with a region inside them, at any depth, that has text of its own."""
    found: set[etree._Element] = set()
    for region in in_document:
        around = region.getparent()
        if around is not page and _is_read(region, in_parts=False):
            while around is not None and around is not page and around not in found:
                found.add(around)
                around = around.getparent()
    return found


def _bare(
    corners: "_Corners", in_document: Sequence[etree._Element], around_text: set[etree._Element]
) -> Iterator[BareRegion]:
    """The outermost regions that have an outline and no text."""
    empty: set[etree._Element] = set()
    for region in in_document:
        kind = local_name(region)
        if region in around_text or kind == "SeparatorRegion" or _is_read(region, in_parts=False):
            continue
        outline = polygon(corners.of(region) or "")
        is_inner = region.getparent() in empty
        if outline is not None and not is_inner and max(map(abs, outline.box)) < 1e9:
            yield BareRegion(kind, outline.box)
        if outline is not None or is_inner:
            empty.add(region)


def _declared_order(
    page: etree._Element, in_document: list[etree._Element], around_text: set[etree._Element],
    notes: Notes,
) -> Declared:  # fmt: skip
    """All regions in reading order, where that order comes from, and whom it leaves out."""
    around = {region.getparent() for region in in_document}
    by_id = {region.get("id"): region for region in in_document if region.get("id")}
    listed: list[etree._Element] = []
    placed: set[etree._Element] = set()
    groups: list[OrderGroup] = []
    for order in children(page, "ReadingOrder"):
        # Groups may name a region, too.
        group = read_group(order, lambda one: one.xpath("@regionRef"))
        group = _with_omitted(group, order, page)
        own_places = set(group.regions)
        parts: dict[str, list[str]] = {}
        for ref in group.regions:
            region = by_id.get(ref)
            if region is None:
                notes.add(WarningKind.ORDER_NAMES_NOTHING, ref)
                continue
            waiting = [region]
            while waiting:
                each = waiting.pop()
                # A nested region may have a place of its own in the order, and what is inside
                # it goes along with it.
                if each in placed or (each is not region and each.get("id") in own_places):
                    continue
                placed.add(each)
                listed.append(each)
                if each.get("id"):
                    parts.setdefault(ref, []).append(each.get("id"))
                if each in around:
                    waiting += reversed(_inside(each))
        groups.append(group.expanded(parts))
    rest = [region for region in in_document if region not in placed]
    if not listed:
        told = [one for one in page if one in around or _is_read(one, one in around_text)]
        if (by_index := _by_index(told)) == told:
            return Declared(rest)
        places = {region: place for place, region in enumerate(by_index)}
        rest.sort(key=lambda one: places.get(_outermost(one, page), len(places)))
        return Declared(rest, DECLARED)
    order_of_page = told_order(groups)
    with_text = [region for region in rest if _is_read(region, region in around_text)]
    if with_text:
        left_out = tuple(map(_id, with_text))
        notes.add(WarningKind.ORDER_INCOMPLETE, *left_out, count=len(with_text))
        return Declared(listed + rest, INCOMPLETE, left_out, order_of_page)
    return Declared(listed + rest, DECLARED, (), order_of_page)


def _with_omitted(group: OrderGroup, order: etree._Element, page: etree._Element) -> OrderGroup:
    """The group with regions whose own index is free in it, as Transkribus numbers tables."""
    listed = {one.get("regionRef"): one.get("index") for one in order.iter("{*}RegionRefIndexed")}
    own = {one.get("id"): found[1] for one in filter(_is_region, page)
           if (found := _INDEX_IN.search(one.get("custom", "")))}  # fmt: skip
    taken = set(listed.values())
    if not listed.items() <= own.items() or len(taken) < len(group.regions) or told_order([group]):
        return group
    members = [name for name in own if name in listed or own[name] not in taken]
    return OrderGroup(True, tuple(sorted(members, key=lambda name: int(own[name]))))


def _outermost(region: etree._Element, page: etree._Element) -> etree._Element:
    """The region of the page that it is, or is in."""
    while (around := region.getparent()) is not None and around is not page:
        region = around
    return region


def _by_index(elements: list[etree._Element]) -> list[etree._Element]:
    """By the places that the elements name themselves, where each names another one."""
    matches = [_INDEX_IN.search(one.get("custom", "")) or _INDEX.fullmatch(one.get("index", ""))
               for one in elements]  # fmt: skip
    indices = [int(match.group(1)) for match in matches if match]
    if len(indices) != len(elements) or len(set(indices)) != len(indices):
        return elements
    return [elements[at] for at in sorted(range(len(elements)), key=indices.__getitem__)]


def _id(region: etree._Element) -> str:
    return str(region.get("id", "without an id"))


def _is_read(region: etree._Element, in_parts: bool) -> bool:
    """Whether the region has text that does not only repeat what its parts have."""
    return any(_line_text(line) for line in _text_lines(region)) or (
        bool(_text(region)) and not in_parts
    )


def _text_lines(region: etree._Element) -> list[etree._Element]:
    return children(region, "TextLine")


class _Line(NamedTuple):
    """A line whose outlines are yet to be read."""

    text: str
    region: str | None
    kind: str
    element: etree._Element
    has_words: bool = True


def _lines(
    name: str, region: etree._Element, policy: ReadPolicy, in_parts: bool, notes: Notes
) -> list[_Line]:
    """The lines of a region itself; regions inside it, with text or not, come in their own turn."""
    region_id = region.get("id")
    # Types of a user's own stand in ``custom`` alone: eScriptorium and Transkribus write them so.
    own = _STRUCTURE.search(region.get("custom", ""))
    kind = region.get("type") or (own[1] if own else local_name(region))
    elements = _text_lines(region)
    text = _text(region)
    in_lines = any(_line_text(line) for line in elements)
    if text and not in_parts and (policy.level == "region" or not in_lines):
        if policy.level != "region":
            notes.add(WarningKind.REGION_TEXT, _id(region))
        check_lines(name, text.count("\n"), policy.limits)
        return [_Line(part, region_id, kind, region, False) for part in text.splitlines()]
    if policy.level == "region" and in_lines:
        notes.add(WarningKind.LINE_TEXT, _id(region))
    elements = _by_index(elements)
    by_word = policy.level == "word"
    texts = [_joined_words(one) or _text(one) if by_word else _line_text(one) for one in elements]
    if text and not (in_parts or all(texts)) and len(text.split()) > len(" ".join(texts).split()):
        notes.add(WarningKind.REGION_MORE, _id(region))
    if policy.edition:
        texts = _edited(texts, elements, policy.edition, notes)
    return [_Line(said, region_id, kind, one) for said, one in zip(texts, elements, strict=True)]


def _edited(
    texts: Sequence[str], elements: Sequence[etree._Element], edition: Sequence[str], notes: Notes
) -> list[str]:
    """The texts as the levels of an edition have them. Tags count places in the line's own text."""
    tagged: list[tuple[str, str]] = []
    for said, element in zip(texts, elements, strict=True):
        own, custom = _line_text(element), element.get("custom", "")
        if own.split() == said.split():
            tagged.append((own, custom))
        else:
            tagged.append((said, ""))
            if "offset" in custom:
                notes.add(WarningKind.TAGS_UNPLACED, _id(element))
    return list(read_custom(tagged, edition))


def _with_outlines(corners: "_Corners", found: Sequence[_Line]) -> list[Line]:
    """The lines with their polygons, and with the boxes of their words where every word has one."""
    points: list[str] = []
    places: list[tuple[int, int, int]] = []
    for line in found:
        own = corners.of(line.element)
        first = len(points)
        if own is not None:
            points.append(own)
        after = len(points)
        if line.has_words and line.text:
            points += corners.of_words(line.element, len(line.text.split()))
        places.append((first, after, len(points)))
    outlines = Outlines(points)
    return [
        Line(
            line.text, line.region, outlines.polygon(first) if after > first else None, line.kind,
            outlines.boxes(after, end) if end > after else None,
        )
        for line, (first, after, end) in zip(found, places, strict=True)
    ]  # fmt: skip


class _Corners:
    """Where the outlines of lines and words stand."""

    def __init__(self, page: etree._Element) -> None:
        namespace = etree.QName(page).namespace
        prefix, known = ("p:", {"p": namespace}) if namespace else ("", None)
        self._page = page
        # A page has thousands of words, and an outline may have hundreds of points: this way none
        # of them takes an object in Python.
        self._words, self._n_words, self._parents, self._x, self._y = (
            etree.XPath(path.replace("p:", prefix), namespaces=known, smart_strings=False)
            for path in (
                "p:Word/p:Coords[1]/@points", "count(p:Word)", ".//p:Coords[p:Point]",
                ".//p:Coords/p:Point/@x", ".//p:Coords/p:Point/@y",
            )
        )  # fmt: skip
        self._joined: dict[etree._Element, str] | None = None

    def of(self, element: etree._Element) -> str | None:
        """From a ``points`` attribute or from Point children; None if it has neither."""
        for coords in element.iterchildren("{*}Coords"):
            given: str | None = coords.get("points")
            return self._of_points(coords) if given is None else given
        return None

    def of_words(self, line: etree._Element, n_words: int) -> Sequence[str]:
        """Those of each word; nothing unless every word has some."""
        if self._n_words(line) != n_words:
            return ()
        points: list[str] = self._words(line)
        if len(points) == n_words:
            return points
        found = [self.of(word) for word in line.iterchildren("{*}Word")]
        known = [one for one in found if one is not None]
        return known if len(known) == len(found) == n_words else ()

    def _of_points(self, coords: etree._Element) -> str:
        if self._joined is None:
            self._joined = self._all_points()
        found = self._joined.get(coords)
        if found is not None:
            return found
        points = coords.iterchildren("{*}Point")
        corners = [[_coordinate(one.get(side, "")) for side in "xy"] for one in points]
        return " ".join(map(",".join, corners)) if all(map(all, corners)) else ""

    def _all_points(self) -> dict[etree._Element, str]:
        """The corners of all outlines of the page at once; of none unless all are plain."""
        parents = self._parents(self._page)
        x, y = self._x(self._page), self._y(self._page)
        ends = list(accumulate(map(len, parents)))
        # So every point has both, and nothing but points stands among them.
        are_whole = len(x) == len(y) == ends[-1] if ends else False
        if not (are_whole and all(x) and all(y) and ("".join(x) + "".join(y)).isdecimal()):
            return {}
        corners = list(map(",".join, zip(x, y, strict=True)))
        return {
            parent: " ".join(corners[end - len(parent) : end])
            for parent, end in zip(parents, ends, strict=True)
        }


def _line_text(line: etree._Element) -> str:
    """The text of the line itself, or of its words where the line has none."""
    return _text(line) or _joined_words(line)


def _joined_words(line: etree._Element) -> str:
    """The text of the words, or of their glyphs where a word has none."""
    texts = (
        _text(word) or "".join(_text(glyph) for glyph in word.iterchildren("{*}Glyph"))
        for word in children(line, "Word")
    )
    return line_of_words((text, None) for text in texts if text).text


def _runs_upward(lines: list[Line]) -> bool:
    """Whether a region's lines mostly climb the page, by the middles of their polygons."""
    middles = [line.polygon.middle[1] for line in lines if line.polygon]
    steps = [after - before for before, after in pairwise(middles)]
    return sum(step < 0 for step in steps) > len(steps) / 2 and len(steps) > 1


def _second_readings(page: etree._Element) -> list[etree._Element]:
    """Lines that lack the first reading that others have: OCR4all keeps ground truth in it."""
    found = {
        line: {one.get("index"): "".join(one.itertext()).strip()
               for one in line.iterchildren("{*}TextEquiv")}
        for line in page.iter("{*}TextLine")
    }  # fmt: skip
    is_mixed = any("0" in of for of in found.values())
    return [line for line, of in found.items() if of.get("1") and not of.get("0") and is_mixed]


def _text(element: etree._Element) -> str:
    """The best of several TextEquiv: lowest index, then highest confidence."""
    filled: list[tuple[etree._Element, str]] = []
    for equiv in element.iterchildren("{*}TextEquiv"):
        for plain in equiv.iterchildren("{*}Unicode"):
            text = "".join(plain.itertext()) if len(plain) else plain.text or ""
            if text and not text.isspace():
                filled.append((equiv, text))
            break
    if not filled:
        plain = next(element.iterfind("{*}TextEquiv/{*}PlainText"), None)
        return (plain.text or "") if plain is not None else ""
    if len(filled) < 2:
        return filled[0][1]
    rank = [(number(one, "index", math.inf), -number(one, "conf", 0.0)) for one, _ in filled]
    return filled[rank.index(min(rank))][1]


def _coordinate(given: str) -> str:
    """A number as it stands in a list of corners; empty if it is not a number."""
    try:
        value = float(given)
    except ValueError:
        return ""
    return f"{value:f}" if math.isfinite(value) else ""
