"""The one door through which XML from outside comes in."""

import math
import re
from collections.abc import Sequence
from contextlib import suppress

import numpy as np
import numpy.typing as npt
from lxml import etree

from htreval_core.errors import ReadError
from htreval_core.model import Box, FloatArray, Polygon
from htreval_core.settings import Limits
from htreval_core.sources.readers.bounds import beyond

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_LATIN = re.compile(
    rb"""\s*(<\?xml[^>]{0,80}?)\sencoding\s*=\s*["'](?:iso-8859-1|windows-1252|latin-?1)["']""",
    re.I,
)
_CLEAN = re.compile(r"[0-9]{1,9}(?:[ ,]+[0-9]{1,9})*")
"""Whole numbers that fit into 32 bits, and nothing else: the common case, read at once."""


def parse_xml(
    name: str, content: bytes, limits: Limits | None = None, *, mixed: bool = True
) -> etree._Element:
    """The root element of an XML file from an untrusted source.

    No entity is expanded, no DTD loaded, nothing fetched. A file that uses entities of its own
    is refused rather than read with holes in its text.

    Args:
        mixed: whether elements may hold text beside elements; else white space between them is
            dropped, of which a page of many words has more than of text.

    Raises:
        ReadError: not well-formed, nested too deeply, or with entities.
    """
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, recover=False,
        remove_blank_text=not mixed,
    )  # fmt: skip
    if _LATIN.match(content) and not content.isascii():
        with suppress(UnicodeDecodeError):
            # What is UTF-8 throughout is not in Latin-1 by chance, whatever it says of itself.
            content = _LATIN.sub(rb"\1", content, count=1) if content.decode() else content
    try:
        root = etree.fromstring(content, parser)
    except etree.XMLSyntaxError as error:
        reason = " ".join((error.msg or "empty").split())
        if "xcessive depth" in reason:
            raise _too_deep(name, Limits().nesting) from None
        raise ReadError(f"{name}: not well-formed XML ({reason}); export it again") from None
    except ValueError as error:
        raise ReadError(f"{name}: not readable as XML ({error}); export it again") from None
    # Only a document type can define entities, and hardly a page has one.
    has_dtd = root.getroottree().docinfo.internalDTD is not None
    if has_dtd and next(root.iter(etree.Entity), None) is not None:
        raise ReadError(f"{name}: uses XML entities of its own, which are refused; expand them")
    deepest = (limits or Limits()).nesting
    # The default is the parser's own limit; only a stricter one has to be looked for.
    if deepest < Limits().nesting and _deeper_than(root, deepest):
        raise _too_deep(name, deepest)
    return root


def _deeper_than(root: etree._Element, deepest: int) -> bool:
    depth = 0
    for event, _ in etree.iterwalk(root, events=("start", "end")):
        depth += 1 if event == "start" else -1
        if depth > deepest:
            return True
    return False


def _too_deep(name: str, deepest: int) -> ReadError:
    return ReadError(
        f"{name}: not readable as XML (elements stand in one another more than {deepest} deep, "
        "the limit nesting); export it again"
    )


def polygon(points: str) -> Polygon | None:
    """The corners of an attribute such as "x,y x,y x,y"; None where they make no polygon."""
    if _CLEAN.fullmatch(points):
        return _polygon(np.fromstring(points.replace(",", " "), dtype=np.intc, sep=" "))
    return polygon_of(_NUMBER.findall(points))


def polygon_of(numbers: Sequence[str]) -> Polygon | None:
    """The polygon of x and y in turn; None where they make none."""
    try:
        found = np.array([float(number) for number in numbers])
    except ValueError:
        return None
    return _polygon(found) if np.isfinite(found).all() else None


def _polygon(numbers: FloatArray | npt.NDArray[np.intc]) -> Polygon | None:
    return Polygon(numbers) if len(numbers) >= 6 and len(numbers) % 2 == 0 else None


def boxes_of_words(text: str, boxes: Sequence[Box | None]) -> Polygon | None:
    """The boxes of a line's words; None unless every word of the text has one."""
    known = [box for box in boxes if box is not None]
    if not known or len(known) != len(boxes) or len(known) != len(text.split()):
        return None
    return Polygon.of_boxes(known)


def local_name(element: etree._Element) -> str:
    """The tag without its namespace; empty for comments and processing instructions."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def check_count(
    name: str, content: bytes, root: etree._Element, what: str, limit: str, most: int
) -> None:
    """Refuse more elements of a local name than a limit allows, without an object for each.

    Args:
        limit: "lines" or "words": what the elements are, and the limit of this name.

    Raises:
        ReadError: names the file, how many there are, and the limit.
    """
    # In no encoding does an element take fewer bytes than its name has letters.
    if len(content) // (len(what) + 3) <= most:
        return
    n = int(root.xpath("count(.//*[local-name() = $name])", name=what))
    if n > most:
        raise beyond(name, f"{n:,} {limit}", limit, most, "split it into pages")


def children(element: etree._Element, *names: str) -> list[etree._Element]:
    """The child elements with one of the given local names, in document order."""
    return list(element.iterchildren(*["{*}" + name for name in names]))


def number(element: etree._Element, attribute: str, otherwise: float) -> float:
    """A numeric attribute, or the given value where it is missing or no finite number."""
    try:
        value = float(element.get(attribute, otherwise))
    except ValueError:
        return otherwise
    return otherwise if math.isnan(value) else value


def page_size(page: etree._Element, width: str, height: str) -> tuple[int, int] | None:
    """Width and height from the named attributes, where both are usable."""
    sides = number(page, width, 0.0), number(page, height, 0.0)
    usable = all(math.isfinite(side) and side >= 1 for side in sides)
    return (int(sides[0]), int(sides[1])) if usable else None
