"""ALTO XML of any version: lines in reading order, with blocks and polygons.

Format: https://www.loc.gov/standards/alto/. Versions 1 (CCS) to 4 and their namespaces differ
little, so elements are matched by local name.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from operator import add

import numpy as np
from lxml import etree

from htreval_core.errors import ReadError
from htreval_core.model import BareRegion, Line, OrderGroup, Polygon, Transcript, WarningKind
from htreval_core.settings import ReadPolicy
from htreval_core.sources.readers.declared import (
    DECLARED,
    INCOMPLETE,
    Declared,
    Notes,
    read_group,
    told_order,
)
from htreval_core.sources.readers.xml import (
    check_count,
    children,
    local_name,
    number,
    page_size,
    parse_xml,
    polygon,
)
from htreval_core.text import space_between

_SIDES = ("HPOS", "VPOS", "WIDTH", "HEIGHT")
_MISSING = ("",) * 4
_BLOCKS = ("TextBlock", "ComposedBlock")


def read_alto(name: str, content: bytes, policy: ReadPolicy | None = None) -> Transcript:
    """A transcript of the lines of an ALTO file.

    Blocks and lines follow ``ReadingOrder`` (version 4) where there is one; what it does not
    list comes after, in document order.

    Raises:
        ReadError: it is no well-formed ALTO.
    """
    policy = policy or ReadPolicy()
    root = parse_xml(name, content, policy.limits, mixed=False)
    pages = list(root.iter("{*}Page"))
    if not pages:
        raise ReadError(f"{name}: ALTO without a Page element; export the page again")
    check_count(name, content, root, "TextLine", "lines", policy.limits.lines)
    notes = Notes(name)
    # How ALTO 4 names the type of a block.
    tags = (tag for of in children(root, "Tags") for tag in of if tag.get("LABEL"))
    kinds = {tag.get("ID", ""): tag.get("LABEL", "") for tag in tags}
    elements = [
        line for page in pages
        for part in (sorted(page, key=_by_margin) if policy.order == "file" else [page])
        for line in _text_lines(part)
    ]  # fmt: skip
    declared = Declared(elements)
    if policy.order == "file":
        declared = _declared_order(root, elements, notes)
    lines = tuple(_line(element, kinds, policy.outlines) for element in declared.elements)
    if len(pages) > 1:
        places = {page: place for place, page in enumerate(pages)}
        above = (next(one.iterancestors("{*}Page")) for one in declared.elements)
        lines = tuple(
            replace(line, page=places[page]) for line, page in zip(lines, above, strict=True)
        )
    size = page_size(pages[0], "WIDTH", "HEIGHT")
    images = (element.text.strip() for element in root.iter("{*}fileName") if element.text)
    return Transcript(
        lines, declared.source, size, next(images, None), notes.warnings(), declared.unlisted,
        declared.order, tuple(page.get("PHYSICAL_IMG_NR", "") for page in pages),
        tuple(_bare(pages[0])) if policy.outlines and len(pages) == 1 else (),
    )  # fmt: skip


def _bare(page: etree._Element) -> Iterator[BareRegion]:
    """The outermost blocks and pictures that have an outline and no text."""
    empty: set[etree._Element] = set()
    for block in page.iter("{*}TextBlock", "{*}ComposedBlock", "{*}Illustration"):
        if any(string.get("CONTENT", "").strip() for string in block.iter("{*}String")):
            continue
        outline = _polygon(block)
        is_inner = block.getparent() in empty
        if outline is not None and not is_inner and max(map(abs, outline.box)) < 1e9:
            yield BareRegion(local_name(block), outline.box)
        if outline is not None or is_inner:
            empty.add(block)


_MARGINS = ("TopMargin", "LeftMargin", "PrintSpace", "RightMargin", "BottomMargin")


def _by_margin(part: etree._Element) -> int:
    """Where a part of a page is read; the schema has all margins first."""
    name = local_name(part)
    return _MARGINS.index(name) if name in _MARGINS else len(_MARGINS) // 2


def _text_lines(element: etree._Element) -> Iterator[etree._Element]:
    return element.iter("{*}TextLine")


def _declared_order(root: etree._Element, lines: list[etree._Element], notes: Notes) -> Declared:
    """Lines in reading order, where it comes from, and the blocks that it leaves out."""
    refs = etree.XPath("self::*[local-name() = 'ElementRef']/@REF")
    groups = [
        read_group(order, lambda one: " ".join(refs(one)).split())
        for order in root.iter("{*}ReadingOrder")
    ]
    groups = groups or [OrderGroup(True, tuple(_chained(root)))]
    if not any(group.regions for group in groups):
        return Declared(lines)
    by_id = {element.get("ID"): element for element in root.xpath("//*[@ID]")}
    wanted = set(lines)
    listed: list[etree._Element] = []
    parts: dict[str, Sequence[str]] = {}
    # A block may be named again and again; it is looked through once.
    for ref in dict.fromkeys(ref for group in groups for ref in group.regions):
        element = by_id.get(ref)
        if element is None:
            notes.add(WarningKind.ORDER_NAMES_NOTHING, ref)
            continue
        own = [line for line in _text_lines(element) if line in wanted]
        wanted.difference_update(own)
        listed += own
        blocks = (_block(line) for line in own)
        parts[ref] = list(dict.fromkeys(one.get("ID", "") for one in blocks if one is not None))
    rest = [line for line in lines if line in wanted]
    if not listed:
        return Declared(lines)
    order = told_order([group.expanded(parts) for group in groups])
    if rest:
        notes.add(WarningKind.ORDER_INCOMPLETE, count=len(rest))
        blocks = (_block(line) for line in rest)
        left_out = dict.fromkeys(block.get("ID", "") for block in blocks if block is not None)
        return Declared(listed + rest, INCOMPLETE, tuple(left_out), order)
    return Declared(listed, DECLARED, (), order)


def _chained(root: etree._Element) -> Iterator[str]:
    """Blocks as ``IDNEXT`` has them follow each other; none where no block has it."""
    blocks = root.iter("{*}TextBlock", "{*}Illustration", "{*}GraphicalElement")
    after = {block.get("ID", ""): block.get("IDNEXT", "") for block in blocks}
    later = set(after.values())
    for at in [one for one in after if one not in later] if later != {""} else ():
        while at in after:
            yield at
            at = after.pop(at)


def _block(line: etree._Element) -> etree._Element | None:
    block = line.getparent()
    while block is not None and local_name(block) not in _BLOCKS:
        block = block.getparent()
    return block


def _line(element: etree._Element, kinds: dict[str, str], outlines: bool) -> Line:
    block = _block(element)
    region = None if block is None else block.get("ID")
    refs = [] if block is None else (block.get("TAGREFS") or "").split()
    kind = next((kinds[ref] for ref in refs if ref in kinds), None)
    text, words = _strings(element, outlines)
    return Line(text, region, _polygon(element) if outlines else None, kind, words)


def _strings(line: etree._Element, outlines: bool) -> tuple[str, Polygon | None]:
    """The text of a line, and the boxes of its words where every word has one.

    Strings are joined by spaces, in a line with SP only where one stands or their boxes stand
    apart; a HYP belongs to the word before it. ``SUBS_CONTENT`` repeats the whole word of a
    hyphenated one, which does not stand there."""
    pieces: list[str] = []
    sides: list[str] = []
    has_spaces = line.find("{*}SP") is not None
    for child in line.iterchildren("{*}String", "{*}HYP"):
        get = child.get
        if child.tag.endswith("String"):
            content = get("CONTENT", "")
            if pieces:
                # Only there it costs time to look whether a space is written at all.
                is_spaced = content[:1] < "\u0e00" or not pieces[-1]
                before = child.getprevious()
                is_glued = has_spaces and local_name(before) == "String" and _touch(before, child)
                space = " " if is_spaced else space_between(pieces[-1], content)
                pieces.append("" if is_glued else space)
            pieces.append(content)
            if outlines:
                sides += map(get, _SIDES, _MISSING)
        elif pieces and not pieces[-1].endswith(hyphen := get("CONTENT", "-")):
            pieces.append(hyphen)
    text = "".join(pieces)
    return text, _boxes(sides) if sides and len(sides) == 4 * len(text.split()) else None


_APART = 0.15
"""The distance of two words in heights: a narrow space is a quarter of one, a thin one a sixth."""


def _touch(before: etree._Element, after: etree._Element) -> bool:
    """Whether nothing stands between two strings, or nobody knows."""
    (x, w, h), (other, wide, high) = (
        [number(one, side, math.nan) for side in ("HPOS", "WIDTH", "HEIGHT")]
        for one in (before, after)
    )
    return not max(other - x - w, x - other - wide) > _APART * max(h, high)


def _boxes(sides: Sequence[str]) -> Polygon | None:
    """Boxes from x, y, width and height in turn; None unless each is one."""
    if _are_whole(sides):
        left, top, width, height = (list(map(int, sides[side::4])) for side in range(4))
        if not min(*width, *height):
            return None
        whole = [0] * len(sides)
        whole[::4], whole[1::4] = left, top
        whole[2::4], whole[3::4] = map(add, left, width), map(add, top, height)
        return Polygon.of_whole(whole)
    try:
        numbers = np.array(list(map(float, sides))).reshape(-1, 4)
    except ValueError:
        return None
    if not np.isfinite(numbers).all() or numbers[:, 2:].min() <= 0:
        return None
    numbers[:, 2:] += numbers[:, :2]
    return Polygon(numbers)


def _are_whole(sides: Sequence[str]) -> bool:
    """Whether all are whole numbers of a size that a page may have."""
    return "".join(sides).isdecimal() and 0 < min(map(len, sides)) <= max(map(len, sides)) < 10


def _polygon(line: etree._Element) -> Polygon | None:
    """The line's own shape, else its box."""
    for shape in children(line, "Shape"):
        for element in children(shape, "Polygon"):
            points = polygon(element.get("POINTS", ""))
            if points:
                return points
    given = [line.get(side, "") for side in _SIDES]
    if _are_whole(given):
        left, top, width, height = map(int, given)
        right, foot = left + width, top + height
        whole = (left, top, right, top, right, foot, left, foot)
        return Polygon.of_whole(whole) if width and height else None
    x, y, w, h = (number(line, side, -1.0) for side in _SIDES)
    usable = min(w, h) > 0 and all(map(math.isfinite, (x, y, w, h)))
    return Polygon.from_box(x, y, x + w, y + h) if usable else None
