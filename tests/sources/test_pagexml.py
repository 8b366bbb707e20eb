"""The traps of PAGE XML: reading order, levels of text, versions, and hostile files."""

import json
import re
from contextlib import suppress
from pathlib import Path

import pytest

import htreval_core as hv
from htreval_core.model import BareRegion, OrderGroup
from htreval_core.sources.readers.pagexml import read_pagexml
from tests.conftest import SHARED, shared
from tests.tools import cases, warned

NAMESPACE = "http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15"


def page(body: str, attributes: str = "", *, namespace: str = NAMESPACE, prolog: str = "") -> bytes:
    return f'{prolog}<PcGts xmlns="{namespace}"><Page {attributes}>{body}</Page></PcGts>'.encode()


def line(text: str, custom: str = "") -> str:
    return f'<TextLine custom="{custom}">{equiv(text)}</TextLine>'


def equiv(text: str, attributes: str = "") -> str:
    return f"<TextEquiv {attributes}><Unicode>{text}</Unicode></TextEquiv>"


def region(name: str, inner: str | None = None, attributes: str = "") -> str:
    """A region that holds one line with the region's name, unless told otherwise."""
    inner = line(name) if inner is None else inner
    return f'<TextRegion id="{name}" {attributes}>{inner}</TextRegion>'


def order(*members: tuple[str, int | str]) -> str:
    refs = "".join(f'<RegionRefIndexed index="{i}" regionRef="{name}"/>' for name, i in members)
    return f'<ReadingOrder><OrderedGroup id="g">{refs}</OrderedGroup></ReadingOrder>'


def read(body: str, attributes: str = "") -> hv.Transcript:
    return read_pagexml("p.xml", page(body, attributes))


def words(transcript: hv.Transcript) -> str:
    return " ".join(transcript.text.split())


ABC = region("a") + region("b") + region("c")


# --- the order of regions


ORDERED = "ReadingOrder"
LEFT_OUT = "p.xml: the reading order omits 2 regions or lines (a, b), which"
INDEX = 'custom="readingOrder {index:%d;}"'
NUMBERED = "".join(region(name, None, INDEX % at) for at, name in enumerate("abc"))
EMPTY_AND_IMAGE = region("empty", "") + '<ImageRegion id="i"/>'


@pytest.mark.parametrize(
    ("body", "shown", "source", "says"),
    [
        # By index and not by place in the file; as numbers and not as strings; no number is last.
        (order(("b", 20), ("a", 7), ("c", 0)) + ABC, "c a b", ORDERED, ""),
        (order(("a", 10), ("b", 9), ("c", 100)) + ABC, "b a c", ORDERED, ""),
        (order(("a", "x"), ("b", 1), ("c", 0)) + ABC, "c b a", ORDERED, ""),
        (order(("a", "nan"), ("b", 1), ("c", 0)) + ABC, "c b a", ORDERED, ""),
        (ABC, "a b c", "document", ""),
        ("<ReadingOrder/>" + ABC, "a b c", "document", ""),
        (order() + ABC, "a b c", "document", ""),
        (order(("c", 0)) + ABC, "c a b", "ReadingOrder, then document", LEFT_OUT),
        # What it omits stands at its own index where the order has left that one free.
        ("<!-- a --><?a b?>" + order(("a", 0), ("c", 2)) + NUMBERED, "a b c", ORDERED, ""),
        (order(("a", 1), ("c", 2)) + NUMBERED, "a c b", "ReadingOrder, then document", "(b)"),
        (order(("a", 0), ("c", 2)) + NUMBERED + region("d", None, INDEX % 0), "a b c d",
         "ReadingOrder, then document", "(d)"),
        # A region without text that the order leaves out is no matter.
        (order(("c", 0)) + EMPTY_AND_IMAGE + region("c"), "c", ORDERED, ""),
        (order(("gone", 0), ("b", 1), ("a", 2), ("b", 3), ("c", 4)) + ABC, "b a c", ORDERED,
         "names parts that the file does not have (gone)"),
    ],
)  # fmt: skip
def test_the_order_of_regions(body: str, shown: str, source: str, says: str) -> None:
    transcript = read(body)
    assert (words(transcript), transcript.order_source) == (shown, source)
    assert len(warned(transcript)) == bool(says)
    assert all(says in warning for warning in warned(transcript))


def test_groups_nest_and_a_flat_order_has_none() -> None:
    groups = """<ReadingOrder><OrderedGroup id="g">
        <UnorderedGroupIndexed id="u" index="5"><RegionRef regionRef="d"/><RegionRef regionRef="c"/>
        </UnorderedGroupIndexed>
        <!-- a comment -->
        <OrderedGroupIndexed id="o" index="1"><RegionRefIndexed index="3" regionRef="a"/>
          <OrderedGroupIndexed id="p" index="2"><RegionRefIndexed index="0" regionRef="b"/>
          </OrderedGroupIndexed>
        </OrderedGroupIndexed></OrderedGroup></ReadingOrder>"""
    found = read(groups + ABC + region("d"))
    assert words(found) == "b a d c"
    assert found.order == OrderGroup(
        True, (OrderGroup(True, ("b", "a")), OrderGroup(False, ("d", "c")))
    )
    # A flat order has no groups.
    assert read(order(("b", 0), ("a", 1)) + ABC).order is None
    assert read(ABC).order is None
    # What is inside a region goes with it in its group.
    groups = """<ReadingOrder><UnorderedGroup id="g"><RegionRef regionRef="b"/>
        <RegionRef regionRef="gone"/><RegionRef regionRef="a"/></UnorderedGroup></ReadingOrder>"""
    found = read(groups + region("a", line("a") + region("in")) + region("b"))
    assert words(found) == "b a in"
    assert found.order == OrderGroup(False, ("b", OrderGroup(True, ("a", "in"))))
    # A group that stands for a region with parts.
    group = """<ReadingOrder><OrderedGroup id="g"><RegionRefIndexed index="1" regionRef="b"/>
        <OrderedGroupIndexed index="0" regionRef="a"><RegionRefIndexed index="1" regionRef="x"/>
        <RegionRefIndexed index="0" regionRef="y"/></OrderedGroupIndexed></OrderedGroup>
        </ReadingOrder>"""
    transcript = read(group + region("a", region("x") + region("y")) + region("b"))
    assert words(transcript) == "y x b"


def test_a_region_inside_a_region() -> None:
    # A region inside a region follows it.
    outer = region("a", line("a") + region("in"))
    assert words(read(outer + region("b"))) == "a in b"
    assert words(read(order(("b", 0), ("a", 1)) + outer + region("b"))) == "b a in"
    # A region inside a region may have a place of its own.
    body = region("a", line("a") + region("in")) + region("b")
    assert words(read(order(("a", 0), ("b", 1), ("in", 2)) + body)) == "a b in"
    assert words(read(order(("in", 0), ("a", 1), ("b", 2)) + body)) == "in a b"
    # What is inside a region with a place of its own goes with it.
    body = region("a", line("a") + region("in", line("in") + region("deep"))) + region("b")
    assert words(read(order(("a", 0), ("b", 1), ("in", 2)) + body)) == "a b in deep"
    assert words(read(order(("in", 0), ("a", 1), ("b", 2)) + body)) == "in deep a b"


def test_tables_are_read_cell_by_cell() -> None:
    cells = '<TableRegion id="t">' + region("c1") + region("c2") + "</TableRegion>"
    assert words(read(region("a") + cells)) == "a c1 c2"
    assert words(read(order(("t", 0), ("a", 1)) + region("a") + cells)) == "c1 c2 a"
    # Cells as transkribus writes them.
    for places, shown in (((0, 1, 9, 10), "c0 c1 c2 c3"), ((10, 9, 1, 0), "c3 c2 c1 c0")):
        cells = "".join(
            f'<TableCell id="c{at}" row="{place}" col="{9 - at}">{line(f"c{at}")}</TableCell>'
            for at, place in enumerate(places)
        )
        transcript = read(order(("t", 0)) + f'<TableRegion id="t">{cells}</TableRegion>')
        assert words(transcript) == shown
        assert " ".join(str(part.region) for part in transcript.lines) == shown
        role = r'<TextRegion \1><Roles><TableCellRole rowIndex="\2" columnIndex="\3"/></Roles>'
        others = re.sub(r'<TableCell (.+?) row="(.+?)" col="(.+?)">', role, cells)
        others = others.replace("TableCell>", "TextRegion>")
        assert words(read(f"<TableRegion>{others}</TableRegion>")) == shown
    assert words(read(f"<TableRegion>{cells.replace('col', 'c')}</TableRegion>")) == "c0 c1 c2 c3"


@pytest.mark.parametrize("kind", ["GraphicRegion", "AdvertRegion", "CustomRegion", "NoiseRegion"])
def test_text_in_other_kinds_of_region(kind: str) -> None:
    assert words(read(f'<{kind} id="x">{region("a")}</{kind}>')) == "a"


# --- the order of lines


def test_lines_follow_their_own_order_where_all_have_one() -> None:
    lines = [line(str(i), f"readingOrder {{index:{i};}} structure {{type:x;}}") for i in (10, 2, 1)]
    assert words(read(region("a", "".join(lines)))) == "1 2 10"


def test_lines_follow_their_numbers_where_all_have_one() -> None:
    """PAGE 2019-07-15 has them; what a program wrote into ``custom`` goes before them."""
    numbered = [line(str(i)).replace(">", f' index="{i}">', 1) for i in (10, 2, 1)]
    assert words(read(region("a", "".join(numbered)))) == "1 2 10"
    assert words(read(region("a", "".join([*numbered, line("x")])))) == "10 2 1 x"


@pytest.mark.parametrize(
    "customs",
    [
        *(("readingOrder {index:1;}", f"readingOrder {{index:{n};}}") for n in ("1", "9" * 5000)),
        ("readingOrder {index:1;}", ""), ("structure {index:1;}", "structure {index:0;}"),
    ],
)  # fmt: skip
def test_lines_follow_the_document_where_one_has_no_place(customs: tuple[str, str]) -> None:
    lines = [line(text, custom) for text, custom in zip(("x", "y"), customs, strict=True)]
    assert words(read(region("a", "".join(lines)))) == "x y"


# --- levels of text


def test_the_line_counts_before_words_and_its_region() -> None:
    # The line counts and not its words.
    stale = f"<TextLine><Word>{equiv('stale')}</Word>{equiv('right')}</TextLine>"
    assert words(read(region("a", stale + equiv("stale region")))) == "right"
    # Words count where the line has no text.
    two = f"<Word>{equiv('two')}</Word><Word>{equiv('words')}</Word><Word/>"
    for empty in ("", equiv(""), equiv("  "), "<TextEquiv/>"):
        assert words(read(region("a", f"<TextLine>{two}{empty}</TextLine>"))) == "two words"
    # Glyphs count where the word has no text.
    signs = "".join(f"<Glyph>{equiv(sign)}</Glyph>" for sign in "two")
    glyphs = f"<Word>{signs}</Word><Word>{signs}{equiv('words')}</Word>"
    assert words(read(region("a", f"<TextLine>{glyphs}</TextLine>"))) == "two words"
    # Text of a region whose parts have none.
    assert words(read(region("a", region("x", "") + equiv("text")))) == "text"
    # Text that the lines lack is not lost in silence.
    partly = read(region("a", line("one") + "<TextLine/>" + equiv("one\ntwo")))
    assert "the text of 1 region has words that the lines lack (a)" in warned(partly)[0]
    # Text of a region that repeats its parts is read once.
    transcript = read(region("a", region("x") + region("y") + equiv("x\ny")))
    assert words(transcript) == "x y"
    assert not transcript.warnings
    # A region that repeats its parts need not stand in the order.
    body = region("a", region("x") + region("y") + equiv("x\ny"))
    transcript = read(order(("y", 0), ("x", 1)) + body)
    assert words(transcript) == "y x"
    assert transcript.order_source == "ReadingOrder"
    assert not transcript.warnings
    # An empty line stays a line.
    # Line WER compares lines by their place.
    transcript = read(region("a", line("x") + "<TextLine/>" + line("y")))
    assert [part.text for part in transcript.lines] == ["x", "", "y"]
    # A page without text is an empty page.
    assert read("").lines == ()
    assert words(read(region("a", "<TextLine/>"))) == ""
    # Characters that xml writes in its own way.
    assert words(read(region("a", line("a&amp;b &lt;x&gt; &#x1F4DC; <![CDATA[1<2]]>")))) == (
        "a&b <x> 📜 1<2"
    )


@pytest.mark.parametrize("lines", ["", "<TextLine/>", "<TextLine/>" + line(" ")])
def test_text_that_only_the_region_has(lines: str) -> None:
    transcript = read(region("a", lines + equiv("first line\nsecond")) + region("b"))
    assert [part.text for part in transcript.lines] == ["first line", "second", "b"]
    assert (
        "p.xml: the text of 1 region is read from the region, as its lines have none (a)"
        in warned(transcript)[0]
    )


def test_of_several_texts_the_lowest_index_counts_then_the_highest_confidence() -> None:
    several = equiv("z", 'index="2"') + equiv("right", 'index="1"') + equiv("w", 'conf="0.99"')
    assert words(read(region("a", f"<TextLine>{several}</TextLine>"))) == "right"
    several = equiv("w", 'conf="0.2"') + equiv("right", 'conf="0.9"') + equiv("v", 'conf="?"')
    assert words(read(region("a", f"<TextLine>{several}</TextLine>"))) == "right"
    empty_first = equiv("", 'index="0"') + equiv("right", 'index="1"')
    assert words(read(region("a", f"<TextLine>{empty_first}</TextLine>"))) == "right"


# --- what else is kept


def test_kinds_outlines_size_and_image_are_kept() -> None:
    coords = '<Coords points="1,2 3,4 5,6.5"/>'
    body = region("a", f"<TextLine>{coords}{equiv('x')}</TextLine>", 'type="marginalia"')
    transcript = read(body, 'imageFilename="p.jpg" imageWidth="100" imageHeight="200"')
    (part,) = transcript.lines
    assert (part.region, part.region_kind) == ("a", "marginalia")
    assert part.polygon == hv.Polygon(((1, 2), (3, 4), (5, 6.5)))
    assert (transcript.image, transcript.page_size) == ("p.jpg", (100, 200))


@pytest.mark.parametrize(
    "coords",
    ["", "<Coords/>", '<Coords points=""/>', '<Coords points="1,2 3"/>', '<Coords points="x y z"/>',
     '<Coords><Point x="1"/><Point x="2" y="z"/><Point/></Coords>',
     f'<Coords points="{"9" * 400},2 3,4 5,6"/>'],
)  # fmt: skip
def test_coordinates_that_make_no_polygon(coords: str) -> None:
    (part,) = read(region("a", f"<TextLine>{coords}{equiv('x')}</TextLine>")).lines
    assert part.polygon is None
    assert part.text == "x"


@pytest.mark.parametrize("size", [("x", 1), ("nan", 1), ("1e999", 5), ("0", 5), None])
def test_invalid_sizes(size: tuple[str, int] | None) -> None:
    attributes = 'imageWidth="{}" imageHeight="{}"'.format(*size) if size else ""
    assert read(ABC, attributes).page_size is None


def test_regions_without_text_are_kept_by_their_kind_and_box() -> None:
    coords = '<Coords points="{0},{0} 90,{0} 90,90"/>'.format
    cell = f'<TableCell id="c">{coords(9)}</TableCell>'
    body = (
        f'<TableRegion id="t">{coords(5)}{cell}</TableRegion><ImageRegion id="i"/>'
        f'<SeparatorRegion id="s">{coords(6)}</SeparatorRegion>{region("e", coords(7))}'
        f'<TableRegion id="u">{coords(8)}{region("in", coords(1) + line("x"))}</TableRegion>{ABC}'
        f'<TableRegion id="v">{region("w", coords(4))}</TableRegion>'
    )
    expected = (
        BareRegion("TableRegion", (5, 5, 90, 90)), BareRegion("TextRegion", (7, 7, 90, 90)),
        BareRegion("TextRegion", (4, 4, 90, 90)),
    )  # fmt: skip
    assert read(body).bare == expected
    assert read_pagexml("p.xml", page(body), hv.ReadPolicy(outlines=False)).bare == ()


def test_a_region_s_own_type_is_read_from_custom() -> None:
    for attributes, kind in {
        'custom="readingOrder {index:0;} structure {type:MarginTextZone;}"': "MarginTextZone",
        'type="header" custom="structure {type:MarginTextZone;}"': "header",
        'custom="structure {}"': "TextRegion",
    }.items():
        transcript = read(region("r", line("x"), attributes))
        assert [one.region_kind for one in transcript.lines] == [kind]


# --- versions


@pytest.mark.parametrize("namespace", cases("namespaces"))
def test_every_version_is_read(namespace: str) -> None:
    content = page(order(("b", 0), ("a", 1)) + region("a") + region("b"), namespace=namespace)
    assert words(read_pagexml("p.xml", content)) == "b a"


def test_prefixed_names() -> None:
    content = page(order(("b", 0), ("a", 1)) + region("a") + region("b")).decode()
    for tag in ("PcGts", "Page", "TextRegion", "TextLine", "TextEquiv", "Unicode", "ReadingOrder",
                "OrderedGroup", "RegionRefIndexed"):  # fmt: skip
        for start in ("<", "</"):
            for end in (" ", ">"):
                content = content.replace(f"{start}{tag}{end}", f"{start}pc:{tag}{end}")
    content = content.replace("xmlns=", "xmlns:pc=")
    assert "<pc:Unicode>" in content
    assert words(read_pagexml("p.xml", content.encode())) == "b a"


@pytest.mark.parametrize("name", ["p.xml", "p.txt", "p.ref", "p.gt.xml"])
def test_page_xml_is_known_by_its_content(tmp_path: Path, name: str) -> None:
    for prolog, encoding in (
        ("", "utf-8"),
        ("<?xml version='1.0'?>\n<!-- made by hand -->\n", "utf-8"),
        ("<?xml version='1.0' encoding='UTF-8'?>", "utf-8-sig"),
        ("<?xml version='1.0' encoding='UTF-16'?>", "utf-16"),
        ("<?xml version='1.0' encoding='ISO-8859-1'?>", "latin-1"),
    ):
        content = page(region("a", line("Grüße")), prolog=prolog).decode()
        (tmp_path / name).write_bytes(content.encode(encoding))
        assert words(hv.read_transcript(tmp_path / name)) == "Grüße"


# --- hostile and broken files

LAUGHS = (
    '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">'
    + "".join(f'<!ENTITY b{i} "&b{i - 1 if i else ""};&b{i - 1 if i else ""};">' for i in range(30))
    + "]>"
)
FETCH = '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/hostname">]>'


@pytest.mark.parametrize(
    ("prolog", "text"),
    [('<!DOCTYPE x [<!ENTITY e "hidden">]>', "a &e; b"), (FETCH, "&e;"), (LAUGHS, "&b29;")],
)
def test_entities_are_refused_and_not_cut_out(prolog: str, text: str) -> None:
    with pytest.raises(hv.ReadError, match=r"^p\.xml: .*entit"):
        read_pagexml("p.xml", page(region("a", line(text)), prolog=prolog))


def test_what_is_lawful_is_read_and_another_kind_of_xml_refused() -> None:
    # A document type without entities is nothing bad.
    content = page(ABC, prolog='<!DOCTYPE PcGts SYSTEM "http://localhost:9/none.dtd">')
    assert words(read_pagexml("p.xml", content)) == "a b c"
    # Deep but lawful nesting is read.
    depth = 60
    nested = "".join(f'<TextRegion id="r{i}">' for i in range(depth))
    assert words(read(nested + line("x") + "</TextRegion>" * depth)) == "x"
    # Xml of another kind.
    with pytest.raises(hv.ReadError, match=r"p\.xml: XML without a Page element; export it as"):
        read_pagexml("p.xml", b"<mets/>")
    with pytest.raises(hv.ReadError, match=r"p\.xml: several Page elements"):
        read_pagexml("p.xml", b"<PcGts><Page/><Page/></PcGts>")


_NOT_WELL_FORMED = [
    b"", b"no xml at all", b"<PcGts><Page>", b"<oops", b"<!DOCTYPE " + b"[] " * 60, page(ABC)[:-5],
    page(ABC).replace(b">a<", b">\x00<"), page(ABC).replace(b">a<", b">\xff<"),
    page(ABC).replace(b">a<", b">&#xD800;<"), page("<a>" * 10_000 + "</a>" * 10_000),
    page(region("a", line("&undeclared;"))), page(ABC) + page(ABC),
    page(ABC, prolog="<?xml version='1.0' encoding='klingon'?>"),
]  # fmt: skip


@pytest.mark.parametrize("content", _NOT_WELL_FORMED)
def test_what_is_not_well_formed_is_refused_by_name(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "p.xml").write_bytes(content)
    with pytest.raises(hv.ReadError, match=r"^p\.xml: not (well-formed|readable as) XML.*\)"):
        hv.read_transcript(tmp_path / "p.xml")


@pytest.mark.timeout(10)
@pytest.mark.parametrize(
    "content",
    [
        b"<!DOCTYPE " + b"[] " * 60, b"<!DOCTYPE " + b"[" * 60_000, b"<?xml" + b" ?" * 30_000,
        b"<!--" + b" -" * 30_000, b" " * 60_000 + b"<", b"<" * 60_000,
    ],
    ids=range(6),
)  # fmt: skip
def test_finding_out_what_a_file_is_takes_no_time(content: bytes, tmp_path: Path) -> None:
    """A pattern that goes back over what it has matched would still be at it tomorrow."""
    (tmp_path / "p.txt").write_bytes(content)
    found: list[str] | None = None
    with suppress(hv.ReadError):
        found = hv.read_transcript(tmp_path / "p.txt").text.split()
    assert found in (None, content.decode().split())


@pytest.mark.timeout(10)
def test_many_regions_with_places_of_their_own_take_no_time() -> None:
    """Looking through the whole order for each of them would take a minute."""
    names = [f"r{number}" for number in range(10_000)]
    parts = "".join(f'<TextRegion id="{name}"/>' for name in names)
    refs = order(("outer", 0), *((name, number) for number, name in enumerate(names, start=1)))
    transcript = read(refs + f'<TableRegion id="outer">{parts}</TableRegion>')
    assert transcript.order_source == "ReadingOrder"


@pytest.mark.timeout(30)
@pytest.mark.parametrize(
    "body",
    [
        '<TextRegion id="r">' * 200 + "<TextLine/>" * 90_000 + "</TextRegion>" * 200,
        order(*((f"r{n}", -n) for n in range(200)))
        + "".join(f'<TextRegion id="r{n}">' for n in range(200))
        + "<TextRegion/>" * 30_000
        + "</TextRegion>" * 200,
        order(*(("r", n) for n in range(30_000)))
        + f'<TextRegion id="r">{"<TextRegion/>" * 30_000}</TextRegion>',
        region("a", line("x", "readingOrder {" * 80_000)),
    ],
    ids=["lines far down", "places far down", "one place named often", "custom"],
)
def test_a_file_made_to_be_slow_is_not(body: str) -> None:
    """Walking through the parts of every region, or going back in a pattern, takes minutes."""
    assert words(read(body)) in ("", "x")


# --- real files

FORMATS = SHARED / "formats"
REAL = ["page-and-alto/page/PH 1858-1.xml"]
if FORMATS.exists():
    REAL = sorted(json.loads((FORMATS / "expected.json").read_text("utf-8")))


@pytest.mark.parametrize("name", REAL)
def test_real_files_hold_the_words_that_an_independent_reader_found(name: str) -> None:
    root = shared("formats")
    expected = json.loads((root / "expected.json").read_text("utf-8"))[name]
    transcript = hv.read_transcript(root / name)
    found = transcript.text.split()
    assert len(found) == expected["words"]
    assert sum(bool(part.text.strip()) for part in transcript.lines) == expected["lines_with_text"]
    assert " ".join(found[:5]) == expected["first_words"]
    # That reader puts tables last that the order omits.
    is_last = not any((part.region or "").startswith("TableCell") for part in transcript.lines)
    assert not is_last or " ".join(found[-5:]) == expected["last_words"]
    if "alto" in Path(name).parent.name:
        assert all(part.polygon for part in transcript.lines)


@pytest.mark.parametrize("name", ["1870_244_0431", "1914_178_0448", "1914_180_0471"])
def test_the_same_page_with_other_regions_reads_the_same(name: str) -> None:
    root = shared("formats")
    flat = hv.read_transcript(root / "reichsanzeiger-flat" / f"{name}.xml")
    tables = hv.read_transcript(root / "reichsanzeiger-tables" / f"{name}.xml")
    assert flat.text.split() == tables.text.split()
    assert hv.score_page(flat, tables).scores.bwer.errors == 0
