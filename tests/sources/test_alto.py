"""The traps of ALTO: versions, hyphens, strings that are lines, reading order, shapes."""

from dataclasses import replace
from pathlib import Path

import pytest

import htreval_core as hv
from htreval_core.sources.readers.alto import read_alto
from tests.conftest import shared
from tests.tools import cases, warned

V4 = "http://www.loc.gov/standards/alto/ns-v4#"


def alto(body: str, *, before: str = "", page: str = "", namespace: str = V4) -> bytes:
    """An ALTO file; ``before`` stands beside the layout, ``page`` is the page's attributes."""
    return (
        f'<alto xmlns="{namespace}">{before}<Layout><Page {page}><PrintSpace>{body}'
        "</PrintSpace></Page></Layout></alto>"
    ).encode()


def line(*words: str, attributes: str = "", inner: str = "") -> str:
    strings = "<SP/>".join(f'<String CONTENT="{word}"/>' for word in words)
    return f"<TextLine {attributes}>{inner}{strings}</TextLine>"


def block(name: str, inner: str | None = None, attributes: str = "") -> str:
    """A block that holds one line with the block's name, unless told otherwise."""
    inner = line(name) if inner is None else inner
    return f'<TextBlock ID="{name}" {attributes}>{inner}</TextBlock>'


def read(body: str, **parts: str) -> hv.Transcript:
    return read_alto("p.xml", alto(body, **parts))


def words(transcript: hv.Transcript) -> str:
    return " ".join(transcript.text.split())


ABC = block("a") + block("b") + block("c")


@pytest.mark.parametrize(
    "namespace",
    [
        "http://schema.ccs-gmbh.com/ALTO", "http://www.loc.gov/standards/alto/ns-v2#",
        "http://www.loc.gov/standards/alto/ns-v3#", V4, "",
    ],
)  # fmt: skip
@pytest.mark.parametrize("name", ["p.xml", "p.txt", "p.alto.xml"])
def test_every_version_is_known_by_its_content(tmp_path: Path, namespace: str, name: str) -> None:
    content = alto(block("a", line("one", "two") + line("three")), namespace=namespace)
    (tmp_path / name).write_bytes(content)
    transcript = hv.read_transcript(tmp_path / name)
    assert [part.text for part in transcript.lines] == ["one two", "three"]
    bare = read_alto("p.xml", content, hv.ReadPolicy(outlines=False))
    assert bare.lines == tuple(
        replace(one, polygon=None, word_boxes=None) for one in transcript.lines
    )
    assert transcript.order_source == "document"
    assert not transcript.warnings


def test_prefixed_names() -> None:
    content = alto(block("a", line("one", "two"))).decode().replace("xmlns=", "xmlns:x=")
    for tag in ("alto", "Layout", "Page", "PrintSpace", "TextBlock", "TextLine", "String", "SP"):
        for start in ("<", "</"):
            for end in (" ", ">", "/"):
                content = content.replace(f"{start}{tag}{end}", f"{start}x:{tag}{end}")
    assert "<x:String " in content
    assert words(read_alto("p.xml", content.encode())) == "one two"


# --- words


def test_words_in_pieces_and_blocks_in_blocks() -> None:
    # A hyphen belongs to the word before it.
    hyphenated = (
        '<TextLine><String CONTENT="ein"/><SP/><String CONTENT="Wort" SUBS_TYPE="HypPart1" '
        'SUBS_CONTENT="Wortteil"/><HYP CONTENT="¬"/></TextLine>'
        '<TextLine><String CONTENT="teil" SUBS_TYPE="HypPart2" SUBS_CONTENT="Wortteil"/></TextLine>'
    )
    assert [part.text for part in read(block("a", hyphenated)).lines] == ["ein Wort¬", "teil"]
    # Composed blocks nest.
    inner = f'<ComposedBlock ID="in">{block("a")}{block("b")}</ComposedBlock>'
    transcript = read(f'<ComposedBlock ID="out">{inner}{block("c")}</ComposedBlock>' + block("d"))
    assert words(transcript) == "a b c d"
    assert [part.region for part in transcript.lines] == ["a", "b", "c", "d"]


@pytest.mark.parametrize(("inner", "text"), cases("strings"))
def test_strings_and_hyphens(inner: str, text: str) -> None:
    (part,) = read(block("a", f"<TextLine>{inner}</TextLine>")).lines
    assert part.text == text


@pytest.mark.parametrize("strings", [("a whole line of text",), ("a whole", "line of text")])
def test_a_string_may_hold_spaces_or_a_whole_line(strings: tuple[str, ...]) -> None:
    transcript = read(block("a", line(*strings)))
    assert transcript.text == "a whole line of text"
    page = hv.score_page("a whole line of text", transcript)
    assert (page.scores.n_hyp_words, page.scores.wer.errors) == (5, 0)


# --- blocks and order


def ordered(inner: str) -> str:
    return f"<ReadingOrder>{inner}</ReadingOrder>"


def refs(*names: str) -> str:
    return "".join(f'<ElementRef ID="ref-{name}" REF="{name}"/>' for name in names)


@pytest.mark.parametrize(
    ("order", "text"),
    [
        (f"<OrderedGroup>{refs('c', 'a', 'b')}</OrderedGroup>", "c a b"),
        (
            f"<OrderedGroup>{refs('c')}<UnorderedGroup>{refs('b')}<OrderedGroup>{refs('a')}"
            "</OrderedGroup></UnorderedGroup></OrderedGroup>",
            "c b a",
        ),
        (f"<OrderedGroup>{refs('c', 'c', 'a', 'b', 'c')}</OrderedGroup>", "c a b"),
        ('<OrderedGroup><ElementRef REF="b a"/><ElementRef REF="c"/></OrderedGroup>', "b a c"),
    ],
)
def test_the_declared_order_decides(order: str, text: str) -> None:
    transcript = read(ABC, before=ordered(order))
    assert words(transcript) == text
    assert transcript.order_source == "ReadingOrder"
    if transcript.order is not None:
        assert " ".join(transcript.order.regions) == text
    assert (transcript.order is not None) is ("Unordered" in order)
    assert not transcript.warnings
    policy = hv.ReadPolicy(order="document")
    plain = read_alto("p.xml", alto(ABC, before=ordered(order)), policy)
    assert (words(plain), plain.order_source) == ("a b c", "document")


def test_an_order_that_is_not_of_all_the_blocks() -> None:
    # The order may name lines and outer blocks.
    body = f'<ComposedBlock ID="out">{block("a")}{block("b")}</ComposedBlock>' + block(
        "c", line("c1", attributes='ID="l1"') + line("c2", attributes='ID="l2"')
    )
    order = ordered(f"<OrderedGroup>{refs('l2', 'out', 'l1')}</OrderedGroup>")
    assert words(read(body, before=order)) == "c2 a b c1"
    # A reference to nothing is named and passed over.
    transcript = read(ABC, before=ordered(f"<OrderedGroup>{refs('gone', 'c', 'b', 'a')}"
                                          "</OrderedGroup>"))  # fmt: skip
    assert words(transcript) == "c b a"
    (warning,) = warned(transcript)
    assert warning == "p.xml: the reading order names parts that the file does not have (gone)"
    # Lines that the order leaves out come after.
    transcript = read(ABC, before=ordered(f"<OrderedGroup>{refs('c')}</OrderedGroup>"))
    assert words(transcript) == "c a b"
    assert transcript.order_source == "ReadingOrder, then document"
    assert warned(transcript)[0].startswith(
        "p.xml: the reading order omits 2 regions or lines, which"
    )


@pytest.mark.parametrize("order", ["", "<OrderedGroup/>", refs("x")])
def test_an_empty_order_is_ignored(order: str) -> None:
    transcript = read(ABC, before=ordered(order))
    assert (words(transcript), transcript.order_source) == ("a b c", "document")


@pytest.mark.timeout(10)
def test_an_order_that_names_one_block_again_and_again_takes_no_time() -> None:
    """Looking through the block each time would take minutes."""
    transcript = read(block("p", line("x") * 20_000), before=ordered(refs("p") * 20_000))
    assert len(transcript.lines) == 20_000


# --- what else is kept


def test_the_shape_of_a_line_else_its_box() -> None:
    box = 'HPOS="1" VPOS="2" WIDTH="10" HEIGHT="5"'
    shape = '<Shape><Polygon POINTS="{}"/></Shape>'
    corners = ((1, 2), (11, 2), (11, 7), (1, 7))
    for inner, expected in (
        ("", corners), (shape.format("1,2 3,4 5,6.5"), ((1, 2), (3, 4), (5, 6.5))),
        (shape.format("1 2 3 4 5 6"), ((1, 2), (3, 4), (5, 6))),
        (shape.format("1,2 3,4"), corners), (shape.format(f"{'9' * 400},2 3,4 5,6"), corners),
        (shape.format(""), corners),
    ):  # fmt: skip
        (part,) = read(block("a", line("x", attributes=box, inner=inner))).lines
        assert part.polygon == hv.Polygon(expected)


@pytest.mark.parametrize(
    "box",
    ["", 'HPOS="1" VPOS="2"', 'HPOS="1" VPOS="2" WIDTH="0" HEIGHT="5"',
     'HPOS="nan" VPOS="2" WIDTH="1e999" HEIGHT="5"', 'HPOS="x" VPOS="y" WIDTH="z" HEIGHT="w"'],
)  # fmt: skip
def test_invalid_boxes(box: str) -> None:
    (part,) = read(block("a", line("x", attributes=box))).lines
    assert part.polygon is None
    assert part.text == "x"


def test_tags_size_and_image() -> None:
    before = (
        "<Description><MeasurementUnit>pixel</MeasurementUnit><sourceImageInformation><fileName>"
        " p.jpg </fileName></sourceImageInformation></Description><Tags><OtherTag ID='t1' "
        "LABEL='marginalia'/><LayoutTag ID='t2'/></Tags>"
    )
    body = block("a", attributes='TAGREFS="none t2 t1"') + block("b")
    transcript = read(body, before=before, page='WIDTH="100" HEIGHT="200"')
    assert [part.region_kind for part in transcript.lines] == ["marginalia", None]
    assert (transcript.image, transcript.page_size) == ("p.jpg", (100, 200))


@pytest.mark.parametrize("unit", ["mm10", "inch1200"])
def test_coordinates_keep_the_unit_of_the_file(unit: str) -> None:
    before = f"<Description><MeasurementUnit>{unit}</MeasurementUnit></Description>"
    body = block("a", line("x", attributes='HPOS="1" VPOS="2" WIDTH="10" HEIGHT="5"'))
    transcript = read(body, before=before, page='WIDTH="100" HEIGHT="200"')
    # Whoever draws them over an image takes the share of the page's size, in the same unit.
    assert transcript.page_size == (100, 200)
    assert transcript.lines[0].polygon == hv.Polygon.from_box(1, 2, 11, 7)


def test_alto_with_several_pages_with_none_and_without_text() -> None:
    # Several pages are read as one and flagged.
    pages = "".join(f"<Page>{block(name)}</Page>" for name in "ab")
    transcript = read_alto("p.xml", f"<alto><Layout>{pages}</Layout></alto>".encode())
    assert words(transcript) == "a b"
    assert transcript.pages == ("", "")
    # An alto without a page.
    with pytest.raises(hv.ReadError, match=r"p\.xml: ALTO without a Page element; export"):
        read_alto("p.xml", b"<alto><Layout/></alto>")
    # A page without text is an empty page.
    assert read("").lines == ()


# --- real files


@pytest.mark.parametrize("name", ["1", "2 d", "39", "527", "547"])
def test_page_and_alto_of_one_page_are_the_same_text(name: str) -> None:
    root = shared("formats") / "page-and-alto"
    page, alto = (
        hv.read_transcript(root / kind / f"PH 1858-{name}.xml") for kind in ("page", "alto")
    )
    assert [part.text for part in page.lines] == [part.text for part in alto.lines]


def test_blocks_without_text_are_kept_by_their_kind_and_box() -> None:
    at = 'HPOS="1" VPOS="2" WIDTH="30" HEIGHT="40"'
    inner = block("in", "", at)
    body = (
        f"<ComposedBlock {at}>{inner}</ComposedBlock><Illustration {at}/><Illustration/>"
        + block("a")
    )
    kinds = [(one.kind, one.box) for one in read(body).bare]
    assert kinds == [("ComposedBlock", (1, 2, 31, 42)), ("Illustration", (1, 2, 31, 42))]
    assert read(block("b", line("b"), at)).bare == ()
