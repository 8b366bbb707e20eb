"""What clouds, models and Tesseract write, each kind as a file as small as can be."""

import bz2
import gzip
import io
import json
import tarfile
from contextlib import suppress
from pathlib import Path

import pytest

import htreval_core as hv
from htreval_core.model import SourceFile
from tests.conftest import ROOT
from tests.tools import Tree, cases, pair_uploads, warned

LINES = "one two\nthree"
KINDS = {
    path.name: path.read_bytes()
    for path in sorted((ROOT / "tests" / "fixtures" / "kinds").iterdir())
}


def read(name: str, content: bytes) -> hv.Transcript:
    return hv.read_transcript(SourceFile(name, lambda: content))


@pytest.mark.parametrize("name", KINDS)
def test_each_kind_is_read_with_its_boxes(name: str) -> None:
    transcript = read(name, KINDS[name])
    assert transcript.text == LINES
    boxed = ("azure", "textract", "vision.", "document ai", "words.tsv", "archive")
    assert all(line.word_boxes is not None for line in transcript.lines) == name.startswith(boxed)
    told = {"cut.json": "breaks off before its end", "both.xml": "only the sourceDoc is read",
            "textract part.json": "breaks off before its end"}  # fmt: skip
    said = warned(transcript)
    assert len(said) == (name in told)
    assert all(told[name] in one for one in said)


def test_the_documents_of_surya_are_read_without_a_warning() -> None:
    page = read("p.json", KINDS["surya.json"].replace(b"one two", b"one two three of four"))
    assert (page.text, warned(page)) == (LINES.replace("two", "two three of four"), [])


@pytest.mark.parametrize(("name", "content", "told"), cases("refused_kinds"))
def test_what_is_no_transcript_is_refused_by_what_it_is(name: str, content: str, told: str) -> None:
    with pytest.raises(hv.ReadError, match=told):
        read(name, content.encode("latin-1"))


@pytest.mark.parametrize(("inner", "shown"), cases("white_space"))
def test_a_space_stands_only_where_the_file_has_white_space(inner: str, shown: str) -> None:
    words = [f"<span class='ocrx_word' title='bbox {x} 0 {x + 5} 9'>" for x in (0, 9)]
    (line,) = read("p.hocr", f"<p class='ocr_line'>{inner.format(*words)}</p>".encode()).lines
    assert line.text == shown
    assert line.word_boxes is not None


MANY = json.dumps({"pages": [{"index": n, "markdown": w} for n, w in enumerate("abc")]})
HOCR = "".join(
    f"<div class='ocr_page' title='image \"x_{w}.png\"'><span class='ocr_line'>{w}</span></div>"
    for w in "abc"
)
BOOK = (
    "<TEI><facsimile><surface xml:id='f1'><graphic url='3.jpg'/></surface></facsimile><text><p>"
    "<pb n='1r' facs='2.jpg'/>b<pb facs='#f1'/>c<pb facs='1.jpg'/>a</p></text></TEI>"
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
        ({**SINGLE, "m/book.xml": BOOK}, "1 2 3"),
    ],
)  # fmt: skip
def test_pages_within_files_pair(tree: Tree, files: dict[str, str], pages: str) -> None:
    found = hv.pair_path(tree(files))
    assert found.page_ids == tuple(pages.split())
    assert "pages within files by" in found.rule
    for page in found.pages:
        assert {text.text for text in page.hypotheses.values()} == {page.reference.text}


def test_numbers_of_images_are_no_numbers_of_pages(tree: Tree) -> None:
    for files in (
        {"reference/0003.txt": "a", "reference/0004.txt": "b", "m/x.json": MANY},
        {**SINGLE, "m/x.hocr": HOCR.replace("x_", "img_0")[: -len(HOCR) // 3]},
        {**SINGLE, **{f"n/page_{n:04}.txt": "a" for n in range(4)}},
    ):
        with pytest.raises(hv.PairingError):
            hv.pair_path(tree(files))


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


_SEGMENT = {"startIndex": "0", "endIndex": "400000"}
_ANCHORED = [{"lines": [{"layout": {"textAnchor": {"textSegments": [_SEGMENT]}}}]}]
_ONE = {"Text": "a" * 99, "BlockType": "LINE", "Id": "a"}
_GROUPS = [{"self_ref": f"#/groups/{n}", "label": "inline",
            "children": [{"$ref": "#/texts/0"}] * 9} for n in range(2_000)]  # fmt: skip


@pytest.mark.timeout(10)
@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("1.json", "[" + "1," * 400_000),
        ("1.json", '[{"category": "Text", "text": "a"}' + "," * 900_000),
        ("1.json", json.dumps({"text": "a " * 200_000, "pages": _ANCHORED * 900})),
        ("1.json", json.dumps({"schema_name": "DoclingDocument", "groups": _GROUPS, "texts": [
            {"self_ref": "#/texts/0", "text": "a " * 99_000}]})),
        ("1.json", json.dumps({"Blocks": [_ONE | {"Relationships": [
            {"Type": "CHILD", "Ids": ["a"] * 200_000}]}]})),
        ("1.dt", "<doctag>" + "<text>" * 150_000),
        ("1.md", "<|ref|>" * 140_000),
        ("1.md", "<|ref|>a<|/ref|><|det|>" * 40_000),
        ("1.md", "[\\" * 300_000), ("1.md", "$ 1" * 300_000), ("1.txt", "a 1 2 3 4" * 100_000),
        ("1.json", json.dumps({"text": "ab " * 9**6, **{f"k{n}": "bc de fg" for n in range(999)}})),
        ("1.hocr", "<html><i class=ocr_page><b class=ocr_line>" + "</b>a<i>" * 99 + "x<br>" * 9**5),
        ("1.hocr", "<html><p class='ocr_line'>" + "<b class='ocrx_word'>a</b>" * 40_000),
        ("1.tsv", "{}\n{}".format(*KINDS["words.tsv"].decode().split("\n")[:2]) * 20_000),
    ],
)  # fmt: skip
def test_files_made_to_take_long_or_to_grow_do_not(name: str, content: str) -> None:
    with suppress(hv.ReadError):
        assert len(read(name, content.encode()).text) < 3 * len(content)
