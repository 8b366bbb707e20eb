"""Rows of published data sets: which columns are taken, how that is told and changed."""

import io
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import htreval_core as hv
from htreval_core.show.telling.warnings import tell_warnings
from htreval_core.sources.columns import Columns, find_columns
from htreval_core.sources.recognise import find_pairs
from tests.conftest import shared
from tests.tools import cases, invoke, pair_uploads, told, told_json, warned

RECORDS = [
    {"file_name": "a.png", "predicted_text": "ein Wort", "gold_text": "ein Wort",
     "main_language": "German", "document_type": "print"},
    {"file_name": "b.png", "predicted_text": "zwei Wrote", "gold_text": "zwei Worte",
     "main_language": "German", "document_type": "print"},
]  # fmt: skip


def put(path: Path, content: object) -> Path:
    text = content if isinstance(content, str) else json.dumps(content)
    path.write_text(text, encoding="utf-8")
    return path


def texts(data: hv.Dataset) -> dict[str, dict[str, str]]:
    return {
        page.page_id: {"": page.reference.text}
        | {system: of.text for system, of in page.hypotheses.items()}
        for page in data.pages
    }


def test_a_list_of_records_is_a_table_and_one_of_blocks_is_none(tmp_path: Path) -> None:
    data = hv.pair_path(put(tmp_path / "outputs.json", RECORDS))
    assert data.systems == ("predicted_text",)
    assert texts(data)["b.png"] == {"": "zwei Worte", "predicted_text": "zwei Wrote"}
    assert not data.warnings
    # A list of blocks is no table.
    blocks = [{"bbox": [0, 0, 9, 9], "category": "Text", "text": "ein Wort"}]
    for side in ("gt", "a"):
        (tmp_path / side).mkdir()
    put(tmp_path / "gt" / "1.txt", "ein Wort")
    with pytest.raises(hv.PairingError):
        hv.pair_path(put(tmp_path / "blocks.json", blocks))


def test_a_column_a_model_where_inference_info_names_it(tmp_path: Path) -> None:
    info = json.dumps([
        {"column_name": "olm", "model_id": "allenai/olmOCR-2-7B"},
        {"column_name": "markdown", "model_name": "dots.ocr"},
        {"column_name": "nowhere", "model_id": "x"},
    ])  # fmt: skip
    picture = pa.array(
        [{"bytes": b"\x89PNG" * 10, "path": "1.png"}, {"bytes": b"", "path": "2.png"}]
    )
    table = pa.table({
        "image": picture, "document_id": ["1", "2"], "text": ["one", "two"],
        "olm": ["one", "tow"], "markdown": ["# one", "two"], "pages": [1, 2],
        "inference_info": [info, info],
    })  # fmt: skip
    out = io.BytesIO()
    pq.write_table(table, out)
    (tmp_path / "rows.parquet").write_bytes(out.getvalue())
    data = hv.pair_path(tmp_path / "rows.parquet")
    assert data.systems == ("allenai/olmOCR-2-7B", "dots.ocr")
    assert texts(data)["2"] == {"": "two", "allenai/olmOCR-2-7B": "tow", "dots.ocr": "two"}
    said = told("pairs", tmp_path / "rows.parquet")
    assert "page ids from document_id, references from text" in said
    assert "dots.ocr from markdown" in said


def test_columns_are_found_by_their_names(tmp_path: Path) -> None:
    # Outputs by a word in their names.
    row = {"file_name": "1", "cleaned_transcription": "a b", "ocr_model_a": "a", "year": 1900,
           "b_markdown": "b", "licence": "CC0"}  # fmt: skip
    data = hv.pair_path(put(tmp_path / "t.jsonl", json.dumps(row)))
    assert data.systems == ("ocr_model_a", "b_markdown")
    named = hv.pair_path(tmp_path / "t.jsonl", columns=Columns(page_id="licence"))
    assert named.systems == ("ocr_model_a", "b_markdown")
    assert named.page_ids == ("CC0",)
    # Rows without page ids are numbered and that is told.
    data = hv.pair_path(put(tmp_path / "t.csv", "name,ref,x_text\nn,a,b\nn,c,d\n"))
    assert list(texts(data)) == ["1", "2"]
    assert "its rows are numbered" in warned(data)[0]
    assert "--id-column" in invoke("pairs", tmp_path / "t.csv").stderr
    # Rows of two tables do not pair by their position.
    gt = put(tmp_path / "gt.csv", "title,reference\nn,a\n")
    with pytest.raises(hv.ReadError, match=r"gt\.csv: no column of page ids among title, r"):
        hv.pair_sources(gt, {"A": gt})
    # Names decide whatever their case.
    found = find_columns("t", ["File_Name", "Gold_Text", "x"], [])
    assert (found.page_id, found.reference, found.outputs) == (
        "File_Name", "Gold_Text", {"x": "x"},
    )  # fmt: skip
    # Damaged inference info is passed over.
    for info in ("{", "[1]", '"x"', "[" * 100_000, "{}"):
        row = {"file_name": "1", "text": "a", "ocr": "b", "inference_info": info}
        assert find_pairs(put(tmp_path / "t.jsonl", json.dumps(row))).systems == ("ocr",)


@pytest.mark.parametrize(("rows", "problem"), cases("tables_by_system"))
def test_a_row_for_each_page_and_system(tmp_path: Path, rows: str, problem: str) -> None:
    path = put(tmp_path / "long.csv", rows)
    if problem not in {"", "-"}:
        with pytest.raises(hv.HtrEvalError, match=problem):
            hv.pair_path(path)
        return
    found = texts(hv.pair_path(path))
    # A row for each page: what is called system is the output of one.
    if problem == "-":
        assert found["1"] == {"": "one two", "system": "one too"}
    else:
        expected = {"": "one two", "A": "one too", "B": "two"}
        assert found == {"1": expected, "2": {"": "x", "B": "x"}}


@pytest.mark.parametrize(("rows", "expected"), cases("named_columns"))
def test_what_names_systems_and_what_is_an_output(
    tmp_path: Path, rows: str, expected: dict[str, str]
) -> None:
    assert texts(hv.pair_path(put(tmp_path / "t.csv", rows)))["1"] == expected


@pytest.mark.parametrize(
    ("header", "says"),
    [
        ("id,text,text_corrected", "references are read from text_corrected, though text might"),
        ("id,gold,ocr,summary", "columns with text are not read (summary), as neither their"),
        ("id,gold,ocr,title", ""),
    ],
)
def test_a_column_that_might_be_meant_is_named(tmp_path: Path, header: str, says: str) -> None:
    cells = ["a bird in the hand", "a bird in the band", "two of them"][: header.count(",")]
    data = hv.pair_path(put(tmp_path / "t.csv", f"{header}\n1,{','.join(cells)}\n"))
    assert [says in told for told in tell_warnings(data.warnings)] == [True] * bool(says)


def test_of_two_columns_of_a_side_the_one_that_is_not_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "gt").mkdir()
    put(tmp_path / "gt" / "1.txt", "a b")
    table = put(tmp_path / "t.csv", "id,prediction,post_corrected\n1,a c,a b\n")
    told = tell_warnings(hv.pair_sources(tmp_path / "gt", {"A": table}).warnings)
    assert "from prediction, though post_corrected might be meant" in told[0]


def test_columns_are_named(tmp_path: Path) -> None:
    rows = [{"meta": {"name": f"p{n}", "deep": {"er": "x"}}, "good": "a b", "one": "a", "two": "b"}
            for n in range(2)]  # fmt: skip
    path = put(tmp_path / "t.jsonl", "\n".join(map(json.dumps, rows)))
    named = ("--id-column", "meta.name", "--reference-column", "good", "--text-column", "M=two")
    found = told_json("pairs", path, *named, "--format", "json")
    assert found["systems"] == ["M"]
    assert [page["page_id"] for page in found["pages"]] == ["p0", "p1"]
    assert "M from two" in found["rule"]
    data = hv.pair_path(path, columns=Columns("meta.name", "good", {"M": "two"}))
    assert texts(data)["p1"] == {"": "a b", "M": "b"}
    wrong = invoke("pairs", path, "--id-column", "meta.nam")
    assert wrong.exit_code == 3
    assert "no column 'meta.nam' among meta.name, meta.deep.er, good, one, two" in wrong.stderr
    # A column of one side.
    gt = put(tmp_path / "gt.csv", "id,reference\n1,a b\n")
    out = put(tmp_path / "out.csv", "id,first,second\n1,a b,a c\n")
    sides = ("--reference", gt, "--system", f"S={out}")
    for column, text in (("first", "a b"), ("second", "a c")):
        pairing = told_json("pairs", *sides, "--text-column", f"S={column}", "--format", "json")
        assert f"texts from {column}" in pairing["rule"], text


# --- HIPE


def record(page: str, truth: str, before: str, after: str | None) -> dict[str, Any]:
    return {
        "document_metadata": {"document_id": page, "date": "n/a"},
        "ground_truth": {"transcription_unit": truth, "num_chars": len(truth)},
        "ocr_hypothesis": {"transcription_unit": before},
        "ocr_postcorrection_output": {"transcription_unit": after},
    }


def lines(path: Path, *records: Mapping[str, Any]) -> Path:
    return put(path, "\n".join(map(json.dumps, records)))


def test_records_of_hipe(tmp_path: Path) -> None:
    """By hand: "the caſt" of 8; "the cast" read as "the ca!t" loses s: 1 of 8 after it is a space
    ("the ca t"), 1 replaced. Nothing written: 3 of 3."""
    gt = lines(
        tmp_path / "gt.jsonl",
        record("1", "The CAST.", "tha ca;t", "None"),
        record("2", "œf", "xyz", "None"),
    )
    run = lines(
        tmp_path / "run.jsonl", record("1", "", "x", "the ca!t"), record("2", "", "x", None)
    )
    sides = ("--reference", gt, "--system", f"mine={run}")
    found = told_json("score", *sides, "--preset", "hipe", "--format", "json")["systems"]
    assert list(found) == ["mine", "input"]
    mine, before = found["mine"]["corpus"], found["input"]["corpus"]
    assert (mine["cmer"]["errors"], mine["cmer"]["length"]) == (1 + 3, 8 + 3)
    assert mine["cmer"]["macro"] == pytest.approx((1 / 8 + 1) / 2)
    assert before["cmer"]["value"] == pytest.approx((2 + 3) / (8 + 3))


def test_a_file_of_hipe_alone(tmp_path: Path) -> None:
    path = lines(tmp_path / "run.jsonl", record("1", "a b", "a c", "a b"))
    assert hv.pair_path(path).systems == ("input", "output")
    path = lines(tmp_path / "test.jsonl", record("1", "a b", "a c", "None"))
    assert hv.pair_path(path).systems == ("input",)


PUBLISHED = cases("published")
"""cMER micro, cMER macro and wMER macro of the English runs, as HIPE prints them."""


@pytest.mark.thorough
def test_published_figures_of_hipe() -> None:
    folder = shared("vlm/hipe")
    reference = next(folder.glob("*test_en.jsonl"))
    given: list[object] = ["--reference", reference]
    for name in PUBLISHED:
        team, _, run = name.partition(" ")
        (path,) = folder.glob(f"{team}_*run{run}.jsonl")
        given += ["--system", f"{name}={path}"]
    found = told_json("score", *given, "--preset", "hipe", "--format", "json")["systems"]
    for name, published in PUBLISHED.items():
        corpus = found[name]["corpus"]
        ours = (
            corpus["cmer"]["value"], corpus["cmer"]["macro"], corpus["wmer"]["macro"],
        )  # fmt: skip
        assert tuple(round(one, 4) for one in ours) == tuple(published), name


def test_a_table_of_thousands_of_columns_is_refused_before_they_are_systems() -> None:
    head = ",".join(["page_id", "reference", *(f"c{n}" for n in range(201))])
    rows = ",".join(["1", "one", *["one"] * 201])
    table = ("t.csv", f"{head}\n{rows}\n".encode())
    with pytest.raises(hv.ReadError, match=r"^t\.csv: 201 columns .* more than 200 systems"):
        pair_uploads("t", [table])


def test_rows_of_one_id_are_told_in_a_line() -> None:
    table = ("t.csv", b"page_id,reference,A\n" + b"1,one,one\n" * 5000)
    with pytest.raises(hv.PairingError) as caught:
        pair_uploads("t", [table])
    told = "\n".join([str(caught.value), *tell_warnings(caught.value.warnings)])
    assert "5,000 files or rows for this page" in told
    assert len(told) < 1000


def test_half_of_a_surrogate_pair_is_called_so() -> None:
    rows = b'{"page_id": "1", "reference": "a \\ud800 b", "A": "a b"}'
    with pytest.raises(hv.PairingError, match="half of a surrogate pair at position 2"):
        pair_uploads("t", [("t.jsonl", rows)])
