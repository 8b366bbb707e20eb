"""What clouds, models and Tesseract write, each kind as a file as small as can be."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import tarfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import htreval_core as hv
from htreval_core.model import SourceFile
from tests.tools import Tree, pair_uploads, warned

LINES = "one two\nthree"
_BOX = [0, 0, 4, 0, 4, 1, 0, 1]
_CORNERS = {"vertices": [{"x": 1, "y": 1}, {"x": 9}, {"x": 9, "y": 4}, {"y": 4}]}
_SIGNS = [
    {"symbols": [{"text": word[:-1]}, {"text": word[-1],
                 "property": {"detectedBreak": {"type": after}}}], "boundingBox": _CORNERS}
    for word, after in (("one", "SPACE"), ("two", "LINE_BREAK"), ("three", "EOL_SURE_SPACE"))
]  # fmt: skip


def _anchor(begin: int, end: int) -> dict[str, Any]:
    part = {"startIndex": str(begin), "endIndex": str(end)}
    return {"layout": {"textAnchor": {"textSegments": [part]}, "boundingPoly": _CORNERS}}


_TSV = [
    "level", "page_num", "block_num", "par_num", "line_num", "word_num", "left", "top", "width",
    "height", "conf", "text",
]  # fmt: skip
_ROWS = [["1", "1", *"0000", "0", "0", "9", "9", "-1", ""]] + [
    ["5", "1", "1", "1", line, word, "1", "1", "5", "5", "91.2", text]
    for line, word, text in (("1", "1", "one"), ("1", "2", "two"), ("2", "1", "three"))
]
JSON: dict[str, Any] = {
    "azure 2": {"analyzeResult": {"readResults": [{"page": 1, "unit": "inch", "width": 8.5,
        "height": 11, "lines": [{"text": text, "boundingBox": _BOX, "words": [
            {"text": word, "boundingBox": _BOX} for word in text.split()]}
            for text in LINES.split("\n")]}]}},
    "azure 4": {"pages": [{"pageNumber": 1, "words": [
        {"content": word, "polygon": _BOX, "span": {"offset": at, "length": len(word)}}
        for word, at in (("one", 0), ("two", 4), ("three", 8))], "lines": [
            {"content": text, "polygon": _BOX, "spans": [{"offset": at, "length": len(text)}]}
            for text, at in (("one two", 0), ("three", 8))]}]},
    "textract": {"Blocks": [{"BlockType": "PAGE", "Page": 1}, *(
        {"BlockType": kind, "Id": name, "Text": text, "Geometry": {"Polygon": [
            {"X": 0, "Y": 0}, {"X": 1, "Y": 0}, {"X": 1, "Y": 1}]},
         "Relationships": [{"Type": "CHILD", "Ids": inside}]}
        for kind, name, text, inside in (
            ("LINE", "a", "one two", ["c", "d"]), ("LINE", "b", "three", ["e"]),
            ("WORD", "c", "one", []), ("WORD", "d", "two", []), ("WORD", "e", "three", [])))]},
    "vision": {"responses": [{"fullTextAnnotation": {"pages": [{"width": 9, "height": 9, "blocks": [
        {"paragraphs": [{"words": _SIGNS}]}]}]}}]},
    "vision words": {"textAnnotations": [{"description": LINES}, {"description": "one"}]},
    "document ai": {"text": LINES, "pages": [{"pageNumber": 1, "lines": [_anchor(0, 8),
        _anchor(8, 13)], "tokens": [_anchor(0, 4), _anchor(4, 8), _anchor(8, 13)]}]},
    "shard": {"text": LINES, "pages": [_anchor(0, 13)]},
    "layout parser": {"documentLayout": {"blocks": [{"textBlock": {"text": "one two", "type":
        "heading-1", "blocks": [{"tableBlock": {"bodyRows": [{"cells": [{"blocks": [
            {"textBlock": {"text": "three"}}]}]}]}}]}, "pageSpan": {"pageStart": 1}}]}},
    "iiif": {"type": "AnnotationPage", "items": [{"target": "x#xywh=1,2,3,4", "body": {
        "type": "TextualBody", "value": text}} for text in LINES.split("\n")]},
    "marker": {"block_type": "Document", "children": [{"block_type": "Page", "children": [
        {"block_type": "ListGroup", "html": "<content-ref src='x'></content-ref>", "children": [
            {"block_type": "Text", "html": "<p>one <b>two</b></p>", "bbox": [0, 0, 9, 9]}]},
        {"block_type": "SectionHeader", "html": "<h1>three</h1>", "children": None}]}]},
    "surya": {"a": [{"page": 1, "text_lines": [{"text": text, "bbox": [0, 0, 9, 9]}
                                               for text in LINES.split("\n")]}]},
    "paddle": {"res": {"rec_texts": LINES.split("\n"), "rec_boxes": [[0, 0, 9, 4], [0, 4, 9, 9]]}},
    "mistral blocks": {"pages": [{"index": 0, "markdown": "# one two\n\nthree", "blocks": [
        {"type": "title", "content": "# one two", "top_left_x": 0, "top_left_y": 0,
         "bottom_right_x": 9, "bottom_right_y": 4}]}]},
}  # fmt: skip
KINDS: dict[str, bytes] = {
    **{f"{name}.json": json.dumps(one).encode() for name, one in JSON.items()},
    "cut.json": b'[{"category": "Text", "text": "one two\\n\\nthree"},\n{"category": "Te',
    "words.tsv": "\n".join("\t".join(row) for row in [_TSV, *_ROWS]).encode(),
    "tags.dt": b"<doctag><text><loc_1><loc_1><loc_9><loc_9>one two</text><otsl><loc_1><loc_9>"
    b"<loc_9><loc_20><ecel><fcel>three<nl></otsl><picture><loc_1><loc_1><loc_9><loc_9>ship"
    b"</picture></doctag>",
    "deepseek.md": b"<|ref|>title<|/ref|><|det|>[[1, 1, 9, 9]]<|/det|>\n# one two\n\n"
    b"<|ref|>text<|/ref|><|det|>[[1, 9, 9, 20]]<|/det|>\nthree\n",
    "lines.txt": b"<|ref|>one two<|/ref|><|det|>[[1, 1, 9, 9]]<|/det|>\n"
    b"<|ref|>three<|/ref|><|det|>[[1, 9, 9, 20]]<|/det|>\n",
    "archive.xml": b"<DjVuXML><BODY><OBJECT width='9' height='9'><LINE><WORD coords='1,5,3,1'>one"
    b"</WORD><WORD coords='4,5,6,1'>two</WORD></LINE><LINE><WORD coords='1,9,3,6'>three</WORD>"
    b"</LINE></OBJECT></BODY></DjVuXML>",
    "surface.xml": b'<surface xmlns="http://www.tei-c.org/ns/1.0"><zone><line>one two</line><line>'
    b'three<metamark>^</metamark></line></zone></surface>',
    "fragment.xml": b'<t:div xmlns:t="http://www.tei-c.org/ns/1.0"><t:p>one two<t:lb/>three</t:p>'
    b"</t:div>",
    "both.xml": b"<TEI><sourceDoc><line>one two</line><line>three</line></sourceDoc><text>1"
    b"</text></TEI>",
    "old.xml": b"<TEI.2><text><p>one two<lb/>three</p></text></TEI.2>",
}  # fmt: skip


def read(name: str, content: bytes) -> hv.Transcript:
    return hv.read_transcript(SourceFile(name, lambda: content))


@pytest.mark.parametrize("name", KINDS)
def test_each_kind_is_read_with_its_boxes(name: str) -> None:
    transcript = read(name, KINDS[name])
    assert transcript.text == LINES
    boxed = ("azure", "textract", "vision.", "document ai", "words.tsv", "archive")
    assert all(line.word_boxes is not None for line in transcript.lines) == name.startswith(boxed)
    told = {"cut.json": "ends in the middle", "both.xml": "only the sourceDoc is read"}
    said = warned(transcript)
    assert len(said) == (name in told)
    assert all(told[name] in one for one in said)


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("1.box", b"a 1 2 3 4 0\n", "characters with boxes"),
        ("1.txt", b"a 1 2 3 4 0\nb 1 2 3 4 0\nc 1 2 3 4 0\n", "characters with boxes"),
        ("1.pdf", b"%PDF-1.7", "a PDF; take its text layer with pdftotext"),
        ("1.txt", b"ARROW1\0\0", "an Arrow or Feather table; save it as Parquet"),
        ("1.odt", b"PK\x03\x04", "an OpenDocument text; save it as .docx"),
        ("t.csv", b"a,b\n1,x\n", "a table of pages"),
        ("1.tsv", b"level\tpage_num\tblock_num\n", "a table of Tesseract with other columns"),
        ("1.json", b'[{"category": "Text", "text": "a"}, x]', "not readable as JSON"),
    ],
)
def test_what_is_no_transcript_is_refused_by_what_it_is(
    name: str, content: bytes, told: str
) -> None:
    with pytest.raises(hv.ReadError, match=told):
        read(name, content)


@pytest.mark.parametrize(
    ("inner", "shown"),
    [
        ("{0}Provinces</span>{0}.</span>", "Provinces."),
        ("{0}Provinces</span>{0}.</span> {0}end</span>", "Provinces. end"),
        ("{0}a </span>{0}b</span><br/>{0}c</span><!-- -->{0}d</span>", "a b cd"),
        # A file without any white space between words is divided by its boxes.
        ("{0}a</span>{1}b</span>", "a b"),
    ],
)
def test_a_space_stands_only_where_the_file_has_white_space(inner: str, shown: str) -> None:
    words = [f"<span class='ocrx_word' title='bbox {x} 0 {x + 5} 9'>" for x in (0, 9)]
    text = f"<p class='ocr_line'>{inner.format(*words)}</p>"
    (line,) = read("p.hocr", text.encode()).lines
    assert line.text == shown
    assert line.word_boxes is not None


MANY = json.dumps({"pages": [{"index": n, "markdown": w} for n, w in enumerate("abc")]})
HOCR = "".join(
    f"<div class='ocr_page' title='image \"x_{w}.png\"'><span class='ocr_line'>{w}</span></div>"
    for w in "abc"
)
SINGLE = {f"reference/{n}.txt": w for n, w in enumerate("abc", start=1)}


@pytest.mark.parametrize(
    ("files", "pages"),
    [
        ({**SINGLE, "m/book.json": MANY}, "1 2 3"),
        ({**SINGLE, "m/book.json": MANY, "h/x.hocr": HOCR}, "1 2 3"),
        ({**{f"reference/x_{w}.txt": w for w in "ab"}, "h/book.hocr": HOCR}, "x_a x_b"),
        ({"reference/x.hocr": HOCR, "m/x_1.md": "a", "m/x_3.md": "c"}, "x#1 x#3"),
        ({"reference/A/p1.txt": "a", "reference/B/2.txt": "b", "m/A.json": MANY, "m/B.json": MANY},
         "A/p1 B/2"),
        ({"reference/x.hocr": HOCR, "m/y.json": MANY}, "x#1 x#2 x#3"),
    ],
)  # fmt: skip
def test_pages_within_files_pair(tree: Tree, files: dict[str, str], pages: str) -> None:
    found = hv.pair_path(tree(files))
    assert found.page_ids == tuple(pages.split())
    assert "pages within files by" in found.rule
    for page in found.pages:
        assert {text.text for text in page.hypotheses.values()} == {page.reference.text}


def test_numbers_of_images_are_no_numbers_of_pages(tree: Tree) -> None:
    with pytest.raises(hv.PairingError):
        hv.pair_path(tree({"reference/0003.txt": "a", "reference/0004.txt": "b", "m/x.json": MANY}))


def test_packed_files_are_read_as_what_they_hold(tmp_path: Path) -> None:
    for side, pack in (("reference", gzip.compress), ("x", bz2.compress)):
        (tmp_path / side).mkdir()
        ending = "gz" if side == "reference" else "bz2"
        (tmp_path / side / f"1.txt.{ending}").write_bytes(pack(b"one two"))
    assert hv.pair_path(tmp_path).pages[0].hypotheses["x"].text == "one two"
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as packed:
        packed.add(tmp_path, "pages")
    assert pair_uploads("x", [("pages.tar.gz", out.getvalue())]).page_ids == ("1",)
    (tmp_path / "reference" / "1.txt.gz").write_bytes(gzip.compress(b"0" * 50_000_000))
    with pytest.raises(hv.PairingError, match="archive_ratio"):
        hv.pair_path(tmp_path)


def test_rows_of_other_programs_are_tables(tree: Tree) -> None:
    row = {"id": "digest", "text": "ab", "metadata": {"Source-File": "s3://b/doc.pdf"},
           "attributes": {"pdf_page_numbers": [[0, 1, 1], [1, 2, 2]]}}  # fmt: skip
    table = {"columns": ["page_id", "reference", "x"], "data": [["1", "a", "b"]]}
    files = {"t.json": json.dumps(table), "g/doc_pg1.txt": "a", "rows.jsonl": json.dumps(row)}
    root = tree(files)
    assert hv.pair_path(root / "t.json").pages[0].hypotheses["x"].text == "b"
    found = hv.pair_sources(root / "g", {"olm": root / "rows.jsonl"})
    assert found.pages[0].hypotheses["olm"].text == "a"


_ONE = {"Text": "a" * 99, "BlockType": "LINE", "Id": "a"}
_GROUPS = [{"self_ref": f"#/groups/{n}", "label": "inline",
            "children": [{"$ref": "#/texts/0"}] * 9} for n in range(2_000)]  # fmt: skip


@pytest.mark.timeout(10)
@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("1.json", "[" + "1," * 400_000),
        ("1.json", '[{"category": "Text", "text": "a"}' + "," * 900_000),
        ("1.json", json.dumps({"text": "a " * 200_000, "pages": [{"lines": [_anchor(0, 400_000)]}]
                                                                 * 900})),
        ("1.json", json.dumps({"schema_name": "DoclingDocument", "groups": _GROUPS, "texts": [
            {"self_ref": "#/texts/0", "text": "a " * 99_000}]})),
        ("1.json", json.dumps({"Blocks": [_ONE | {"Relationships": [
            {"Type": "CHILD", "Ids": ["a"] * 200_000}]}]})),
        ("1.dt", "<doctag>" + "<text>" * 150_000),
        ("1.md", "<|ref|>" * 140_000),
        ("1.md", "<|ref|>a<|/ref|><|det|>" * 40_000),
        ("1.md", "[\\" * 300_000),
        ("1.md", "$ 1" * 300_000),
        ("1.hocr", "<html><p class='ocr_line'>" + "<b class='ocrx_word'>a</b>" * 40_000),
        ("1.tsv", "\t".join(_TSV) + "\n" + "\t".join(_ROWS[1]) * 20_000),
        ("1.txt", "a 1 2 3 4" * 100_000),
    ],
)  # fmt: skip
def test_files_made_to_take_long_or_to_grow_do_not(name: str, content: str) -> None:
    with suppress(hv.ReadError):
        assert len(read(name, content.encode()).text) < 3 * len(content)
