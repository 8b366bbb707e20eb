"""The one door through which XML from outside comes in."""

from __future__ import annotations

import math

from lxml import etree

from htreval_core.errors import ReadError


def parse_xml(name: str, content: bytes) -> etree._Element:
    """The root element of an XML file from an untrusted source.

    No entity is expanded, no DTD loaded, nothing fetched. A file that uses entities of its own
    is refused rather than read with holes in its text.

    Raises:
        ReadError: not well-formed, nested too deeply, or with entities.
    """
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, recover=False
    )
    try:
        root = etree.fromstring(content, parser)
    except etree.XMLSyntaxError as error:
        reason = " ".join(error.msg.split())
        raise ReadError(f"{name}: not well-formed XML ({reason}); export it again") from None
    except ValueError as error:
        raise ReadError(f"{name}: no XML that can be read ({error}); export it again") from None
    if next(root.iter(etree.Entity), None) is not None:
        raise ReadError(f"{name}: uses XML entities of its own, which are refused; expand them")
    return root


def local_name(element: etree._Element) -> str:
    """The tag without its namespace; empty for comments and processing instructions."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def children(element: etree._Element, *names: str) -> list[etree._Element]:
    """The child elements with one of the given local names, in document order."""
    return [child for child in element if local_name(child) in names]


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
