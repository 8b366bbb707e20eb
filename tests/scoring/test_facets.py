"""Values by what is known of pages besides their text."""

import json
import unicodedata
from pathlib import Path

import pytest

import htreval_core as hv
from htreval_core.scoring.facets import (
    UNKNOWN,
    find_clusters,
    narrow_pairing,
    narrow_study,
    read_facets,
    score_facets,
)
from htreval_core.show.telling.warnings import tell_warnings
from htreval_core.sources.reading import read_pairing
from htreval_core.sources.recognise import find_pairs
from tests.tools import cases, folder_of, invoke

PAGES = [
    hv.Page.from_text(f"p{n}", "one two three four", {"a": "one two three four", "b": text})
    for n, text in enumerate(["one two", "one two three", "x y z", "one two three four"])
]
TABLE = "file_name,hand,year,note\np0.jpg,A,1650,u\np1.jpg,A,1700,v\np2.jpg,B,1750,w\n"


@pytest.fixture(scope="module")
def study() -> hv.Study:
    return hv.score(hv.Dataset.of(PAGES))


def test_pages_are_joined_by_their_ids_and_split_by_value(study: hv.Study) -> None:
    facets = read_facets("pages.csv", TABLE.encode(), study.page_ids)
    assert facets.names == ("hand", "year", "note")
    assert facets.values("hand", study) == ("A", "B", UNKNOWN)
    rows = {(row.value, row.system): row.corpus for row in score_facets(study, facets, ["hand"])}
    # b leaves out two words of p0 and one of p1, and misreads all of p2.
    errors = {key: corpus.estimates["wer"].errors for key, corpus in rows.items()}
    assert errors == {
        ("A", "a"): 0, ("A", "b"): 3, ("B", "a"): 0, ("B", "b"): 4,
        (UNKNOWN, "a"): 0, (UNKNOWN, "b"): 0,
    }  # fmt: skip
    whole = study.corpora["b"].estimates["wer"].errors
    assert sum(one for (_, system), one in errors.items() if system == "b") == whole


def test_a_study_and_its_files_are_narrowed_alike(study: hv.Study, tmp_path: Path) -> None:
    facets = read_facets("pages.csv", TABLE.encode(), study.page_ids)
    narrowed = narrow_study(study, facets, {"hand": ["A"]})
    assert narrowed.page_ids == ("p0", "p1")
    pairing = find_pairs(folder_of(tmp_path / "data", PAGES))
    left = narrow_pairing(pairing, facets, {"hand": ["A"]})
    assert hv.score(read_pairing(left)).scores == narrowed.scores
    with pytest.raises(hv.ConfigError, match=r"no page has hand=C; hand is A, B"):
        narrow_study(study, facets, {"hand": ["C"]})
    with pytest.raises(hv.ConfigError, match="'ink' is not a facet of these pages; there are hand"):
        narrow_study(study, facets, {"ink": ["C"]})


def test_rows_of_pages_under_systems_narrow_each_system_by_itself(study: hv.Study) -> None:
    table = "page,system,prompt,hand\np0,a,short,X\np0,b,long,X\np1,a,short,Y\np1,b,short,Y\n"
    table += "p2,a,short,Y\n"
    facets = read_facets("x.csv", table.encode(), study.page_ids)
    short = narrow_study(study, facets, {"prompt": ["short"]})
    assert {name: list(table.page_ids) for name, table in short.scores.items()} == {
        "a": ["p0", "p1", "p2"], "b": ["p1"],
    }  # fmt: skip
    # What b was told is not known of p2, whose hand is.
    assert [facets.value(name, "p2", "b") for name in ("prompt", "hand")] == [UNKNOWN, "Y"]
    alone = read_facets("x.csv", b"page,system,ink\np0,a,red\np1,a,blue\n", study.page_ids)
    assert alone.values("ink", study) == ("blue", "red", UNKNOWN)
    assert alone.value("ink", "p0", "b") == UNKNOWN
    with pytest.raises(hv.ConfigError, match="there are: hand"):
        find_clusters("prompt", study.page_ids, facets)


def test_columns_that_tell_pages_apart_are_no_facets() -> None:
    ids = [f"p{n}" for n in range(60)]
    rows = "".join(f"p{n},{1600 + n},title {n},{n % 3}\n" for n in range(60))
    facets = read_facets("x.csv", f"page,year,title,hand\n{rows}".encode(), ids)
    assert facets.names == ("hand",)


@pytest.mark.parametrize(("given", "page"), cases("named_pages"))
def test_rows_name_pages_with_or_without_folders_and_endings(given: str, page: str) -> None:
    table = f"page,hand\n{given},A\nonly,B\n".encode()
    facets = read_facets("x.csv", table, ["vol1/p1", "vol2/p1", "vol2/p2", "only"])
    found = [one for one, values in facets.of_page.items() if values == {"hand": "A"}]
    assert found == page.split()


def test_rows_without_a_page_are_told_where_pages_have_no_row() -> None:
    ids = [unicodedata.normalize("NFD", page) for page in ("Müller", "001", "002")]
    facets = read_facets("x.csv", "page,hand\nMüller,X\n1,X\n2,Y\n".encode(), ids)
    assert facets.of_page == {ids[0]: {"hand": "X"}}
    (told,) = tell_warnings(facets.warnings)
    assert "name no page of these data (1, 2), and 2 pages are in no row" in told
    assert not read_facets("x.csv", b"page,hand\n001,X\n7,Y\n", ids[1:2]).warnings


def test_file_names_tell_pages_before_numbers_do() -> None:
    # Scans 5 to 7, whose printed numbers begin two later.
    table = "".join(f"{n + 2},{n}.jpg,{'A' if n < 7 else 'B'}\n" for n in range(1, 12))
    facets = read_facets("x.csv", f"page,filename,hand\n{table}".encode(), ["5", "6", "7"])
    assert [facets.of_page[page]["hand"] for page in ("5", "6", "7")] == ["A", "A", "B"]


UNUSABLE = [*((row.encode(), why) for row, why in cases("no_facets")), (b"\xff\xfe\xff", "x.csv: ")]


@pytest.mark.parametrize(("content", "says"), UNUSABLE)
def test_a_table_that_says_nothing_of_the_pages_is_refused(content: bytes, says: str) -> None:
    with pytest.raises(hv.ReadError, match=says):
        read_facets("x.csv", content, ["p0", "p1"])


def test_the_shell_joins_a_table_beside_the_pages(tmp_path: Path) -> None:
    for page in PAGES:
        for side, text in (("reference", page.reference), *page.hypotheses.items()):
            (tmp_path / side).mkdir(exist_ok=True)
            (tmp_path / side / f"{page.page_id}.txt").write_text(text.text)
    (tmp_path / "pages.csv").write_text(TABLE)
    assert "By hand, in %" in invoke("score", str(tmp_path), "--by", "hand").stdout
    made = json.loads(invoke("score", str(tmp_path), "--by", "hand", "--format", "json").stdout)
    assert {(row["facet"], row["value"]) for row in made["facets"]} == {
        ("hand", "A"), ("hand", "B"), ("hand", UNKNOWN),
    }  # fmt: skip
    narrowed = json.loads(
        invoke("score", str(tmp_path), "--where", "hand=B", "--format", "json").stdout
    )
    assert narrowed["n_pages"] == 1
    (tmp_path / "pages.csv").write_bytes(TABLE.replace("B", "Bär").encode("latin-1"))
    assert "Bär" in invoke("score", tmp_path, "--by", "hand", "--encoding", "latin-1").stdout
    (tmp_path / "pages.csv").write_text(TABLE)
    refused = invoke("score", str(tmp_path), "--where", "hand=C")
    assert refused.exit_code != 0
    assert "no page has hand=C" in refused.stderr
