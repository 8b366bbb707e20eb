"""Writes a placed page as PAGE XML, version 2019-07-15."""

from __future__ import annotations

from layout import PlacedLine, PlacedPage, PlacedRegion, Polygon
from lxml import etree

NAMESPACE = "http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15"
SCHEMA_INSTANCE = "http://www.w3.org/2001/XMLSchema-instance"
# A fixed date, so that the same pages always give the same files.
WRITTEN = "2025-01-01T00:00:00"


def page_xml(page: PlacedPage, brief: bool = False) -> bytes:
    """Return the PAGE file of a page.

    `brief` leaves out what can be left out: baselines, the orders written twice, and white space.
    """
    root = etree.Element(tag("PcGts"), nsmap={None: NAMESPACE, "xsi": SCHEMA_INSTANCE})
    root.set(f"{{{SCHEMA_INSTANCE}}}schemaLocation", f"{NAMESPACE} {NAMESPACE}/pagecontent.xsd")
    metadata = etree.SubElement(root, tag("Metadata"))
    for name, value in (
        ("Creator", "htreval sample data"),
        ("Created", WRITTEN),
        ("LastChange", WRITTEN),
        ("Comments", page.source.title),
    ):
        etree.SubElement(metadata, tag(name)).text = value
    body = etree.SubElement(
        root, tag("Page"), imageFilename=f"{page.source.name}.png", imageWidth=str(page.width),
        imageHeight=str(page.height),
    )  # fmt: skip
    order = etree.SubElement(etree.SubElement(body, tag("ReadingOrder")), tag("OrderedGroup"))
    order.set("id", "reading-order")
    ranks = {region.identifier: rank for rank, region in enumerate(page.regions)}
    for identifier, rank in ranks.items():
        etree.SubElement(order, tag("RegionRefIndexed"), index=str(rank), regionRef=identifier)
    for region in page.in_document_order():
        add_region(body, region, ranks[region.identifier])
    if brief:
        shorten(root)
    return etree.tostring(root, xml_declaration=True, encoding="UTF-8", pretty_print=not brief)


def shorten(root: etree._Element) -> None:
    """Take baselines and the second copy of every order off a page."""
    for element in list(root.iter(tag("Baseline"))):
        element.getparent().remove(element)
    for element in root.iter(tag("TextRegion"), tag("TextLine")):
        element.attrib.pop("custom")


def add_region(body: etree._Element, region: PlacedRegion, rank: int) -> None:
    """Append one text region with its lines."""
    element = etree.SubElement(
        body, tag("TextRegion"), id=region.identifier, type=region.kind,
        custom=f"readingOrder {{index:{rank};}}",
    )  # fmt: skip
    etree.SubElement(element, tag("Coords"), points=points(region.polygon()))
    for number, line in enumerate(region.lines):
        add_line(element, line, f"{region.identifier}l{number + 1}", number)


def add_line(region: etree._Element, line: PlacedLine, identifier: str, number: int) -> None:
    """Append one text line with outline, baseline and text."""
    element = etree.SubElement(
        region, tag("TextLine"), id=identifier, custom=f"readingOrder {{index:{number};}}"
    )
    etree.SubElement(element, tag("Coords"), points=points(line.polygon()))
    etree.SubElement(element, tag("Baseline"), points=points(line.baseline()))
    text = etree.SubElement(element, tag("TextEquiv"))
    etree.SubElement(text, tag("Unicode")).text = line.text


def tag(name: str) -> str:
    """Return an element name with its namespace."""
    return f"{{{NAMESPACE}}}{name}"


def points(polygon: Polygon) -> str:
    """Write a polygon as PAGE does: `x,y x,y ...`."""
    return " ".join(f"{x},{y}" for x, y in polygon)
