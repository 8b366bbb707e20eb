"""Tables of pages and of decoded lines: what survives, and what is refused with its line."""

import io
import json
from collections.abc import Mapping
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import htreval_core as hv
from htreval_core.model import SourceFile, WarningKind
from htreval_core.sources.readers.table import is_decoded, read_decoded, read_rows
from htreval_core.sources.recognise import pair_files
from tests.tools import cases, pair_uploads, told, warned

ROWS = [
    {"page_id": "001", "reference": "NA", "crnn": "null", "span": "nan"},
    {"page_id": "1", "reference": "Grüße, „Welt“", "crnn": "a\nb", "span": ""},
    {"page_id": "1e5", "reference": "=1+2; x", "crnn": 'say "so"', "span": " 007 "},
    {"page_id": "TRUE", "reference": "<PcGts><Page/></PcGts>", "crnn": "<alto/>", "span": "<html>"},
]


def separated(rows: list[dict[str, str]], delimiter: str, line_end: str = "\n") -> bytes:
    lines = [list(rows[0]), *(list(row.values()) for row in rows)]
    quoted = (delimiter.join('"' + c.replace('"', '""') + '"' for c in line) for line in lines)
    return (line_end.join(quoted) + line_end).encode()


def parquet(columns: Mapping[str, object]) -> bytes:
    out = io.BytesIO()
    pq.write_table(pa.table(dict(columns)), out)
    return out.getvalue()


def source(name: str, content: bytes | str) -> SourceFile:
    as_bytes = content.encode() if isinstance(content, str) else content
    return SourceFile(name, lambda: as_bytes)


WAYS = {
    "t.csv": separated(ROWS, ","), "semicolon.csv": separated(ROWS, ";"),
    "t.tsv": separated(ROWS, "\t"), "crlf.csv": separated(ROWS, ",", "\r\n"),
    "bom.csv": b"\xef\xbb\xbf" + separated(ROWS, ","),
    "t.jsonl": "\n".join(json.dumps(row) for row in ROWS).encode(),
    "t.ndjson": "\n\n".join(json.dumps(row, ensure_ascii=False) for row in ROWS).encode(),
    "t.parquet": parquet({name: [row[name] for row in ROWS] for name in ROWS[0]}),
    "groups.parquet": parquet(
        {name: pa.array([row[name] for row in ROWS]).dictionary_encode() for name in ROWS[0]}
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", WAYS)
def test_every_cell_is_text_as_it_stands(tmp_path: Path, name: str) -> None:
    """No 001 becomes 1, no NA becomes nothing, and no cell is taken for a file of XML."""
    (tmp_path / name).write_bytes(WAYS[name])
    dataset = hv.pair_path(tmp_path / name)
    assert dataset.systems == ("crnn", "span")
    assert {page.page_id for page in dataset.pages} == {row["page_id"] for row in ROWS}
    by_id = {page.page_id: page for page in dataset.pages}
    for row in ROWS:
        page = by_id[row["page_id"]]
        assert page.reference.text == row["reference"]
        assert {name: of.text for name, of in page.hypotheses.items()} == {
            "crnn": row["crnn"], "span": row["span"],
        }  # fmt: skip
    assert dataset.rule.startswith("rows of the table, column reference against")


def test_cells_that_are_long_empty_or_twice(tmp_path: Path) -> None:
    # A cell may hold a whole page.
    text = "word " * 60_000
    header, rows = read_rows(source("t.csv", separated([{"id": "1", "ref": text, "x": text}], ",")))
    assert header == ["id", "ref", "x"]
    assert rows[0]["x"] == text
    quoted = b'id, "ref", x\n1, "a, b", "c"\n'
    assert read_rows(source("t.csv", quoted))[1] == [{"id": "1", "ref": "a, b", "x": "c"}]
    # An empty cell is an empty page and a missing one is no page.
    rows = ['{"page": 7, "gt": "a", "x": ""}', '{"page": "8", "gt": "b"}']
    (tmp_path / "t.jsonl").write_text("\n".join(rows), encoding="utf-8")
    dataset = hv.pair_path(tmp_path / "t.jsonl")
    assert [(page.page_id, page.hypotheses["x"].text) for page in dataset.pages] == [("7", "")]
    assert dataset.unpaired.reference == ("8",)
    # A page in two rows is not scored.
    (tmp_path / "t.csv").write_text("id,ref,x\n1,a,b\n1,c,d\n2,e,f\n", encoding="utf-8")
    dataset = hv.pair_path(tmp_path / "t.csv")
    assert [page.page_id for page in dataset.pages] == ["2"]
    assert any("1: 2 files or rows for this page" in warning for warning in warned(dataset))
    # A table of systems needs a reference.
    (tmp_path / "t.csv").write_text("id,a,b\n1,x,y\n", encoding="utf-8")
    with pytest.raises(hv.PairingError, match=r"t\.csv: a table needs a column called reference"):
        hv.pair_path(tmp_path / "t.csv")


@pytest.mark.parametrize(
    ("name", "content", "complaint"),
    [
        *cases("refused_tables"),
        ("t.csv", "id,ref,x\n1,a,\xe9\n".encode("latin-1"), r"t\.csv: not UTF-8 \(byte 0xE9"),
        ("t.jsonl", '{"id": ' + "9" * 5000 + "}", r"t\.jsonl: line 1 is not JSON \(Exceeds"),
        ("t.jsonl", '{"id": ' + "[" * 100_000, r"t\.jsonl: line 1 is not JSON"),
        ("t.parquet", b"PAR1", r"t\.parquet: not readable as Parquet"),
        ("t.parquet", WAYS["t.parquet"][:-9], r"t\.parquet: not readable as Parquet"),
    ],
)
def test_a_file_that_is_not_a_table_is_refused_with_its_line(
    name: str, content: str | bytes, complaint: str
) -> None:
    with pytest.raises((hv.ReadError, hv.PairingError), match=complaint):
        pair_files("x", [source(name, content)])


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("t.csv", ",id,ref,x,\n0,1,a b,a c,\n"),
        ("t.jsonl", '{"": 0, "id": "1", "ref": ["a", "b"], "x": ["a", "c"]}'),
        ("t.parquet", parquet({"": [7], "id": ["1"], "ref": [["a", "b"]], "x": ["a c"]})),
    ],
)
def test_row_numbers_are_no_system_and_lists_are_lines(name: str, content: str | bytes) -> None:
    dataset = pair_uploads("x", [(name, content.encode() if isinstance(content, str) else content)])
    (page,) = hv.score(dataset).scores["x"]
    assert (dataset.systems, page.wer.errors, page.n_ref_words) == (("x",), 1, 2)


def test_a_parquet_that_unpacks_to_more_than_memory_holds() -> None:
    """A value that all rows share is stored once."""
    same = pa.DictionaryArray.from_arrays(pa.array([0] * 20_000), pa.array(["x" * 10_000]))
    content = parquet({"id": [str(n) for n in range(20_000)], "ref": same, "s": same})
    assert len(content) < 1_000_000
    with pytest.raises(hv.ReadError, match=r"t\.parquet: over 10,000,000 char.* limit file_bytes"):
        read_rows(source("t.parquet", content), limits=hv.Limits(file_bytes=10**7))
    limits = hv.Limits(archive_members=9)
    with pytest.raises(hv.ReadError, match=r"20,000 rows, the limit archive_members is 9"):
        read_rows(source("t.parquet", content), limits=limits)


# --- as one side


def test_tables_as_sides_against_each_other_and_against_folders(tmp_path: Path) -> None:
    (tmp_path / "gt.csv").write_text("id,text\n1,a b\n2,c\n", encoding="utf-8")
    (tmp_path / "one.tsv").write_text("id\thyp\tconf\n1\ta x\t0.5\n2\tc\t1\n", encoding="utf-8")
    (tmp_path / "two").mkdir()
    for page in "12":
        (tmp_path / "two" / f"{page}.txt").write_text("a b", encoding="utf-8")
    dataset = hv.pair_sources(
        tmp_path / "gt.csv", {"one": tmp_path / "one.tsv", "two": tmp_path / "two"}
    )
    found = {
        page.page_id: [page.reference.text, *(of.text for of in page.hypotheses.values())]
        for page in dataset.pages
    }
    assert found == {"1": ["a b", "a x", "a b"], "2": ["c", "c", "a b"]}
    assert not dataset.warnings


def test_a_side_with_several_columns_has_to_name_its_text(tmp_path: Path) -> None:
    (tmp_path / "gt.csv").write_text("id,reference\n1,a\n", encoding="utf-8")
    (tmp_path / "x.csv").write_text("id,first,second\n1,a,b\n", encoding="utf-8")
    with pytest.raises(hv.ReadError, match=r"x\.csv: which of the columns first, second is the"):
        hv.pair_sources(tmp_path / "gt.csv", {"x": tmp_path / "x.csv"})


# --- decoded lines

DECODED = "p1-l10 c\np1-l2 b <space> b\np2-l1 ſ o\np1-l1 a\n"


def test_decoded_lines_group_into_pages_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    (tmp_path / "gt.txt").write_text(DECODED, encoding="utf-8")
    (tmp_path / "out.txt").write_text(
        DECODED.replace("l1 a", "l1 x").replace("\n", "\r\n"), "utf-8"
    )
    dataset = hv.pair_sources(tmp_path / "gt.txt", {"x": tmp_path / "out.txt"})
    found = [(page.reference.text, page.hypotheses["x"].text) for page in dataset.pages]
    assert found == [("a\nb b\nc", "x\nb b\nc"), ("ſo", "ſo")]


def test_the_pattern_is_the_users(tmp_path: Path) -> None:
    (tmp_path / "gt.txt").write_text("a1b a <space> b\na1c c <space> d\n", encoding="utf-8")
    pattern = r"(?P<page>a\d)(?P<line>\w)"
    dataset = hv.pair_sources(
        tmp_path / "gt.txt", {"x": tmp_path / "gt.txt"}, reading=hv.ReadPolicy(line_pattern=pattern)
    )
    assert [(page.page_id, page.reference.text) for page in dataset.pages] == [("a1", "a b\nc d")]
    with pytest.raises(hv.ReadError, match=r"gt\.txt: line 1: the id 'a1b' does not fit the pat"):
        hv.pair_sources(tmp_path / "gt.txt", {"x": tmp_path / "gt.txt"})


def words_of(tmp_path: Path, text: str, **reading: str) -> list[list[str]]:
    """The words of each line of the one page of a file, which is scored against itself."""
    (tmp_path / "gt.txt").write_text(text, encoding="utf-8")
    dataset = hv.pair_sources(
        tmp_path / "gt.txt", {"x": tmp_path / "gt.txt"}, reading=hv.ReadPolicy(**reading)
    )
    return [[line.text for line in page.reference.lines] for page in dataset.pages]


@pytest.mark.parametrize("text", ["A.1 x y z\n", "我 在 家 里\n你 在 家 里\n", "I a b\nc d e\n"])
def test_single_signs_with_spaces_between_them_are_text(tmp_path: Path, text: str) -> None:
    assert words_of(tmp_path, text) == [text.splitlines()]


def test_decoding_is_known_by_its_blank_or_by_a_pattern_and_told(tmp_path: Path) -> None:
    assert words_of(tmp_path, "A.1 x <space> y\nA.2 z z z\n") == [["x y", "zzz"]]
    pattern = r"(?P<page>.+)\.(?P<line>\d+)"
    assert words_of(tmp_path, "A.1 x y z\n", line_pattern=pattern) == [["xyz"]]
    # That decoding was taken is told.
    for name in ("gt.txt", "out.txt"):
        (tmp_path / name).write_text(DECODED, encoding="utf-8")
    dataset = hv.pair_sources(tmp_path / "gt.txt", {"x": tmp_path / "out.txt"})
    files = [one.file for one in dataset.warnings if one.kind == WarningKind.DECODED]
    assert files == ["gt.txt", "out.txt"]


@pytest.mark.parametrize(
    ("pattern", "complaint"),
    [("(", "is not a regular expression"), (r"(?P<page>.+)", r"needs groups \(\?P<page>…\) and")],
)
def test_invalid_patterns(pattern: str, complaint: str) -> None:
    with pytest.raises(hv.ReadError, match=complaint):
        read_decoded("d.txt", DECODED, pattern)


@pytest.mark.parametrize(
    ("text", "decoded"),
    [
        (DECODED, True), (DECODED.replace("\n", " \r\n"), True), ("p1-l2 b <space> b\n", True),
        ("p1-l1 a <space> c\np1-l2 \n", True), ("p1-l1 a <space> c\np1-l2 d e <unk>", True),
        ("p1-l1 a <space> c\np1-l2\np1-l3 x\np1-l4\n", True), ("", False), ("word\n", False),
        ("p1-l1 a <space> c\nthe plain text of a page\n", False),
        ("p1-l1 a b c\np1-l2 \n", False), ("the plain text of a page\n", False),
    ],
)  # fmt: skip
def test_what_looks_decoded(text: str, decoded: bool) -> None:
    assert is_decoded(text) is decoded
    if text and "plain text" not in text:
        assert is_decoded(text, has_ids=True)


def test_a_line_on_which_nothing_was_read_is_a_line(tmp_path: Path) -> None:
    whole = "p1-1 D e r <space> T a g\np1-2 a\np1-3 x\n"
    for name, text in (("gt.txt", whole), ("out.txt", whole.replace("p1-2 a", "p1-2"))):
        (tmp_path / name).write_text(text, encoding="utf-8")
    study = hv.score(hv.pair_sources(tmp_path / "gt.txt", {"x": tmp_path / "out.txt"}))
    wer = study.look("p1", "x").page.scores.wer
    assert (wer.errors, wer.n_ref) == (1, 4)
    assert told("text", tmp_path / "out.txt") == "Der Tag\n\nx\n"
