"""Editions and other XML: TEI in its levels, Transkribus' tags, ABBYY, HistoricalDocument, DOCX."""

import io
import re
import sys
import zipfile
from collections.abc import Callable

import pytest

import htreval_core as hv
from htreval_core.model import SourceFile
from htreval_core.settings import ReadPolicy
from htreval_core.sources.readers.custom import read_custom
from htreval_core.sources.transcripts import read_kind
from tests.tools import cases, warned

TEI, HISTORICAL, ABBYY, PAGE = cases("editions").values()


def read(name: str, text: str | bytes, *edition: str) -> hv.Transcript:
    content = text if isinstance(text, bytes) else text.encode()
    return hv.read_transcript(SourceFile(name, lambda: content), ReadPolicy(edition=edition))


@pytest.mark.parametrize(("levels", "first", "second"), cases("levels"))
def test_an_edition_is_read_at_the_levels_that_are_chosen(
    levels: tuple[str, ...], first: str, second: str
) -> None:
    transcript = read("p.xml", TEI, *levels)
    assert [line.text for line in transcript.lines] == [
        "12", "The Letter", first, second, "N.B.", "a b",
    ]  # fmt: skip


def test_an_edition_keeps_kinds_zones_and_its_image_and_may_have_several_pages() -> None:
    # Kinds zones and the image of an edition are kept.
    transcript = read("p.tei", TEI)
    kinds = [line.region_kind for line in transcript.lines]
    assert kinds == ["page-number", "heading", None, None, "marginalia", "table"]
    outline = transcript.lines[2].polygon
    assert outline
    assert outline.box == (10, 20, 500, 60)
    assert (transcript.image, transcript.page_size) == ("p1.jpg", (1000, 2000))
    # An edition of several pages says so.
    several = TEI.replace("<lb facs", '<pb n="2"/><lb facs')
    assert "holds 2 pages" in warned(read("p.xml", several))[0]
    # Deep nesting is read without recursion.
    deep = "<TEI><text><body>" + "<div>" * 200 + "text" + "</div>" * 200 + "</body></text></TEI>"
    assert read("p.xml", deep).text == "text"


def test_documents_of_other_kinds_of_xml() -> None:
    # A historical document is read without what is no text.
    transcript = read("p.xml", HISTORICAL)
    assert transcript.text.split("\n") == [
        "7", "Of Laws", "one three four", "five six", "note", "a b", "next",
    ]  # fmt: skip
    kinds = [line.region_kind for line in transcript.lines]
    assert kinds == [
        "page-number", "heading", None, None, "marginalia", "table", "catch-word",
    ]  # fmt: skip
    assert "one two three" in read("p.xml", HISTORICAL, "deleted").text
    # Abbyy lines have their words boxes.
    transcript = read("p.xml", ABBYY)
    assert transcript.text == "Hi x\none cell"
    line = transcript.lines[0]
    assert line.word_boxes is not None
    assert line.word_boxes.points.tolist() == [[1, 1], [9, 20], [13, 1], [15, 20]]
    assert (transcript.lines[1].region_kind, transcript.page_size) == ("table", (100, 200))
    # Tags of transkribus are read when asked for.
    assert read("p.xml", PAGE).text == "He wd not some dgo."
    assert read("p.xml", PAGE, "expanded").text == "He would not some dgo."
    assert read("p.xml", PAGE, "normalised", "expanded").text == "He would not some dog."
    assert read("p.xml", PAGE, "sure").text == "He wd not  dgo."
    longer = "abbrev {offset:0; length:8; expansion:b;} abbrev {offset:4; length:2; expansion:no;}"
    assert list(read_custom([("abcdefgh", longer)], ("expanded",))) == ["b"]
    same = ("abbrev {offset:0; length:2; expansion:x;}", "unclear {offset:0; length:2;}")
    for tags in (same, same[::-1]):
        assert list(read_custom([("ab c", " ".join(tags))], ("expanded", "sure"))) == [" c"]
    # Places are counted in units of UTF-16, and a tag over two lines is read once.
    halves = [
        ("𝔄 dem Gene-", "abbrev {offset:7; length:5; expansion:General; continued:true;}"),
        ("ral N.", "abbrev {offset:0; length:3; expansion:General; continued:true;}"),
    ]
    assert list(read_custom(halves, ("expanded",))) == ["𝔄 dem General", " N."]


@pytest.mark.parametrize("of", cases("letters"))
def test_no_letter_is_lost_or_read_twice(of: str) -> None:
    name, content, level, lines = cases("letters")[of]
    word, _, edition = level.partition(" ")
    policy = ReadPolicy(level=word or "line", edition=tuple(edition.split()))
    transcript = hv.read_transcript(SourceFile(name, content.encode), policy)
    assert "|".join(line.text for line in transcript.lines) == lines
    assert any("tags of some lines" in one for one in warned(transcript)) == ("other" in of)


@pytest.mark.parametrize("custom", cases("damaged_tags"))
def test_damaged_tags_leave_the_line_as_it_is_or_sound(custom: str) -> None:
    damaged = PAGE.replace(PAGE.split('custom="')[1].split('"')[0], custom)
    text = read("p.xml", damaged, "expanded", "normalised", "sure").text
    assert text.startswith("He ")
    assert text.endswith(" not some dgo.")


def document(fill: Callable[..., None]) -> bytes:
    from docx import Document

    made = Document()
    fill(made)
    out = io.BytesIO()
    made.save(out)
    return out.getvalue()


def test_a_document_is_read_paragraph_by_paragraph(monkeypatch: pytest.MonkeyPatch) -> None:
    def fill(made: object) -> None:
        made.add_heading("Of Laws", 1)  # type: ignore[attr-defined]
        made.add_paragraph("one two\nthree\tfour")  # type: ignore[attr-defined]
        made.add_paragraph("")  # type: ignore[attr-defined]
        table = made.add_table(1, 2)  # type: ignore[attr-defined]
        table.cell(0, 0).text, table.cell(0, 1).text = "a", "b"

    content = document(fill)
    # The library looks up each paragraph's style anew, which takes a millisecond.
    monkeypatch.setitem(sys.modules, "docx", None)
    kind, transcript = read_kind(SourceFile("p.docx", lambda: content))
    assert kind == "docx"
    assert transcript.text == "Of Laws\none two\nthree\tfour\na b"
    assert [line.region_kind for line in transcript.lines] == ["heading", None, None, "table"]


@pytest.mark.parametrize(("rest", "expected"), cases("documents"))
def test_what_a_document_shows(rest: str, expected: list[str]) -> None:
    from docx.oxml import parse_xml

    def fill(made: object) -> None:
        table = made.add_table(2, 2)  # type: ignore[attr-defined]
        table.cell(0, 0).merge(table.cell(1, 0)).text = "tall"
        table.cell(0, 1).text, table.cell(1, 1).text = "1", "2"
        place = r'<w:pPr><w:numPr><w:ilvl w:val="\2"/><w:numId w:val="\1"/></w:numPr></w:pPr>'
        body = re.sub(r"l\((\d+) (\d)\)", rf"<w:p>{place}r(x)</w:p>", rest)
        body = re.sub(r"r\((.*?)\)", r"<w:r><w:t>\1</w:t></w:r>", body)
        w = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
        for one in parse_xml(f"<w:body {w}>{body}</w:body>"):
            made.element.body.insert(-1, one)  # type: ignore[attr-defined]
        lists = parse_xml(f"<w:numbering {w}>{cases('word_lists')}</w:numbering>")
        made.part.numbering_part.element.extend(lists)  # type: ignore[attr-defined]

    assert read("p.docx", document(fill)).text.split("\n") == ["tall 1", "2", *expected]


def test_notes_of_a_document_come_last_in_the_order_of_their_signs() -> None:
    w = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        signs = '<w:footnoteReference w:id="2"/><w:endnoteReference w:id="1"/>'
        run = f'<w:r><w:t>above</w:t>{signs}<w:footnoteReference w:id="1"/></w:r>'
        text = f"<w:document {w}><w:body><w:p>{run}</w:p></w:body></w:document>"
        archive.writestr("word/document2.xml", text)
        for kind in ("endnotes", "footnotes"):
            note = '<w:b w:id="{0}"><w:p><w:r><w:t>{1} {0}</w:t></w:r></w:p></w:b>'
            notes = "".join(note.format(n, kind) for n in (1, 2, 3))
            archive.writestr(f"word/{kind}.xml", f"<w:a {w}>{notes}</w:a>")
    lines = read("p.docx", out.getvalue()).lines
    assert [line.text for line in lines] == ["above", "footnotes 2", "footnotes 1", "endnotes 1"]
    assert [line.region_kind for line in lines] == [None, "footnote", "footnote", "footnote"]


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"plain text", b"PK" * 5000])
def test_a_damaged_document_is_refused_by_name(content: bytes) -> None:
    with pytest.raises(hv.ReadError, match=r"^p\.docx: "):
        read("p.docx", content)


def test_a_document_that_unpacks_to_too_much_is_refused() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", b"<w>" + b" " * 50_000_000 + b"</w>")
    with pytest.raises(hv.ReadError, match="file_bytes"):
        read("p.docx", out.getvalue())


@pytest.mark.parametrize("text", [TEI, HISTORICAL, ABBYY])
def test_entities_and_damage_are_refused_by_name(text: str) -> None:
    body = text.split("?>")[-1]
    for damaged in (body[: len(body) // 2], f'<!DOCTYPE x [<!ENTITY a "b">]>{body}'.replace(
        "</", "&a;</", 1
    )):  # fmt: skip
        with pytest.raises(hv.ReadError, match=r"^p\.xml: "):
            read("p.xml", damaged)


@pytest.mark.parametrize("text", ["<TEI/>", "<HistoricalDocument/>", '<document xmlns="x"/>'])
def test_a_file_without_text_says_what_is_missing(text: str) -> None:
    with pytest.raises(hv.ReadError, match=r"^p\.xml: .*without|^p\.xml: .*HistoricalDocument"):
        read("p.xml", text)


@pytest.mark.parametrize(("body", "shown"), cases("readings"))
def test_one_reading_of_several_and_words_in_one_piece(body: str, shown: str) -> None:
    text = f'<TEI xmlns="http://www.tei-c.org/ns/1.0"><text><body><p>{body}</p></body></text></TEI>'
    assert read("p.xml", text).text == shown
