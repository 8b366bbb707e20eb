"""hOCR as Tesseract and OCRopus write it, and what an HTML file may get wrong."""

from pathlib import Path

import pytest

import htreval_core as hv
from htreval_core.sources.readers.hocr import read_hocr
from tests.conftest import ROOT

TESSERACT = (ROOT / "tests" / "fixtures" / "tesseract.hocr").read_text("utf-8")
OCROPUS = """<html><head><title>x</title></head><body>
<div class='ocr_page' title='file a.png'>
<span class='ocr_line' title='bbox 1 2 30 40'>one <i>two</i></span><br/>
<span class='ocr_line' title='bbox 1 50 30 80'>three   four
five</span>
</div></body></html>"""


def read(content: str, encoding: str = "utf-8") -> hv.Transcript:
    return read_hocr("p.hocr", content.encode(encoding))


def texts(transcript: hv.Transcript) -> list[str]:
    return [part.text for part in transcript.lines]


def body(inner: str) -> str:
    return f"<html><body>{inner}</body></html>"


@pytest.mark.parametrize("name", ["p.hocr", "p.html", "p.xml", "p.txt"])
def test_what_tesseract_writes(tmp_path: Path, name: str) -> None:
    """Lines of every class, words with white space and markup in them, entities."""
    (tmp_path / name).write_text(TESSERACT, encoding="utf-8")
    transcript = hv.read_transcript(tmp_path / name)
    assert texts(transcript) == ["Köln, den 5.", "Grüße & 📜ß", "Abb. 1", "rechts"]
    assert [part.region for part in transcript.lines] == ["par_1_1"] * 3 + ["par_1_2"]
    assert [part.region_kind for part in transcript.lines] == [
        "header", None, "caption", "textfloat",
    ]  # fmt: skip
    assert transcript.lines[0].polygon == hv.Polygon.from_box(10, 10, 900, 60)
    assert (transcript.image, transcript.page_size) == ("in/Brief 1.png", (1000, 1500))
    assert transcript.order_source == "document"
    assert not transcript.warnings


def test_what_ocropus_writes() -> None:
    transcript = read(OCROPUS)
    assert texts(transcript) == ["one two", "three four five"]
    assert transcript.lines[0].polygon == hv.Polygon.from_box(1, 2, 30, 40)
    assert (transcript.image, transcript.page_size) == (None, None)


def test_what_the_words_stand_in() -> None:
    # A caption that is a block of lines is read once.
    inner = "<span class='ocr_line'>one</span><span class='ocr_line'>two</span>"
    assert texts(read(body(f"<div class='ocr_caption'>{inner}</div>"))) == ["one", "two"]
    word = "<span class='ocrx_word'>own</span>"
    mixed = read(body(f"<div class='ocr_caption'>{word}{inner}</div>"))
    assert texts(mixed) == ["own", "one", "two"]
    # Words in no line are not lost.
    words = "".join(f"<span class='ocrx_word'>{word}</span> " for word in ("one", "two"))
    transcript = read(body(f"<div class='ocr_page'><p class='ocr_par' id='p1'>{words}</p></div>"))
    assert texts(transcript) == ["one two"]
    assert transcript.lines[0].region == "p1"
    # A word in a word is read once.
    word = "<span class='ocrx_word'>to<span class='ocrx_word'>day</span></span>"
    assert texts(read(body(f"<span class='ocr_line'>{word}</span>"))) == ["today"]
    # Several pages are read as one and flagged.
    page = "<div class='ocr_page'><span class='ocr_line'>{}</span></div>"
    transcript = read(body(page.format("a") + page.format("b")))
    assert texts(transcript) == ["a", "b"]
    assert transcript.pages == ("", "")
    # A page without lines is an empty page.
    assert read(body("<div class='ocr_page'></div>")).lines == ()


@pytest.mark.parametrize("content", ["", body("<p>text</p>"), "<html>", "<html><body class='x'>"])
def test_html_without_hocr_is_refused(content: str) -> None:
    with pytest.raises(hv.ReadError, match=r"^p\.hocr: .*; export it (again|as hOCR)"):
        read(content)


# --- encodings


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_encodings_that_need_no_declaration(encoding: str) -> None:
    assert texts(read(body("<p class='ocr_line'>Grüße<br>€"), encoding)) == ["Grüße €"]


@pytest.mark.parametrize(
    "declaration", ["<meta charset='iso-8859-15'>",
     '<meta http-equiv="Content-Type" content="text/html; charset=ISO-8859-15"/>'],
)  # fmt: skip
def test_a_declared_encoding(declaration: str) -> None:
    content = f"<html><head>{declaration}</head><body><p class='ocr_line'>Grüße €</body></html>"
    assert texts(read(content, "iso-8859-15")) == ["Grüße €"]


def test_what_is_said_of_the_encoding() -> None:
    # Xhtml declares its encoding in the first line.
    content = "<?xml version='1.0' encoding='windows-1252'?>" + body("<p class='ocr_line'>Grüße €")
    assert texts(read(content, "windows-1252")) == ["Grüße €"]
    # An encoding that the user names.
    for declared in ("", "<meta charset='klingon'>", "<meta charset='koi8-r'>"):
        content = f"<html>{declared}<p class='ocr_line'>Grüße".encode("latin-1")
        transcript = read_hocr("p.hocr", content, hv.ReadPolicy(encoding="latin-1"))
        assert texts(transcript) == ["Grüße"]
    # Utf8 that declares something else is utf8.
    content = "<html><meta charset='latin-1'><p class='ocr_line'>Grüße</html>"
    assert texts(read(content)) == ["Grüße"]


@pytest.mark.parametrize(
    "content",
    [
        body("<p class='ocr_line'>Grüße").encode("latin-1"),
        b"<html><meta charset='klingon'><p class='ocr_line'>\xfc",
        b"<html><meta charset='undefined'><p class='ocr_line'>\xfc",
        b"<html><p class='ocr_line'>a\x00b",
        b"<html><div class='ocr_page'><p class='ocr_par'>a text in no line",
    ],
)
def test_bytes_that_are_no_text(content: bytes) -> None:
    with pytest.raises(hv.ReadError, match=r"^p\.hocr: "):
        read_hocr("p.hocr", content)


# --- hostile files


@pytest.mark.parametrize(
    "title",
    ["", "bbox", "bbox 1 2 3", "bbox 5 5 1 1", "bbox 1 2 1 9", f"bbox 0 0 {'9' * 400} 9"],
)  # fmt: skip
def test_invalid_boxes(title: str) -> None:
    content = body(
        f"<div class='ocr_page' title='{title}'><p class='ocr_line' title='{title}'>x</p></div>"
    )
    transcript = read(content)
    assert transcript.lines[0].polygon is None
    assert transcript.page_size is None
    assert texts(transcript) == ["x"]


@pytest.mark.timeout(10)
def test_a_tag_with_a_million_attributes_takes_no_time() -> None:
    """The parser compares each with all the others."""
    attributes = " ".join(f"a{number}" for number in range(300_000))
    with pytest.raises(hv.ReadError, match=r"p\.hocr: over 200,000 characters without a tag"):
        read(body(f"<p {attributes}>"))


@pytest.mark.parametrize("nested", ["<div>" * 300, "<span class='ocr_line'>" * 300])
def test_a_page_that_the_parser_gives_up_on_is_not_cut_short(nested: str) -> None:
    first = "<p class='ocr_line'>first</p>"
    with pytest.raises(hv.ReadError, match=r"p\.hocr: not readable as HTML to its end \(.*depth"):
        read(body(first + nested + "<p class='ocr_line'>x"))
