"""What the app says of pages that language models wrote, and of pages that a table knows."""

from pathlib import Path

import pytest
import streamlit as st

import htreval_core as hv
from htreval_core.settings.started import OPEN_VARIABLE
from htreval_core.show.html import report_html
from tests.tools import drawn, open_app, write_tree

pytestmark = pytest.mark.slow

LINES = [f"line {n} has its own words such as w{n}a w{n}b and w{n}c" for n in range(12)]
REFUSAL = "I'm sorry, but I cannot transcribe the text in this image."


@pytest.fixture
def pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "letters"
    true = "\n".join(LINES)
    files = {f"reference/p{n}.txt": true.replace("line", f"row{n}") for n in range(1, 5)}
    files |= {
        f"model/p{n}.md": "# " + true.replace("line", f"row{n}").replace("\n", "\n\n")
        for n in range(1, 4)
    }
    files["model/p4.md"] = REFUSAL
    files["pages.csv"] = "page,hand\np1,A\np2,A\np3,B\np4,B\n"
    write_tree(root, files)
    monkeypatch.setenv(OPEN_VARIABLE, str(root))
    st.cache_resource.clear()
    return root


def test_catastrophic_pages_are_told_and_come_first(pages: Path) -> None:
    told = drawn(open_app(), "overview")
    assert told["catastrophes"] == [["model", "model", "1 catastrophic page: refusal."]]
    assert any("accounts for 100 % of the errors of WER" in line for line in told["notes"])
    ranked = drawn(open_app(rank="catastrophe"), "overview")["strip"]["columns"]
    assert ranked[0]["page"] == "p4"
    assert drawn(open_app("page.py", rank="catastrophe"), "page")["head"]["place"] == 0


def test_markup_may_be_counted(pages: Path) -> None:
    rows = drawn(open_app(markup="6-headings"), "overview")["rows"]
    assert rows[0]["cells"]["wer"] != drawn(open_app(), "overview")["rows"][0]["cells"]["wer"]


def test_pages_are_narrowed_by_a_facet_everywhere(pages: Path) -> None:
    app = open_app(where="hand=A")
    told = drawn(app, "overview")
    assert {column["page"] for column in told["strip"]["columns"]} == {"p1", "p2"}
    assert not told["catastrophes"]
    table = open_app(more="pages", where="hand=B").dataframe[0].value
    assert set(table["page"]) == {"p3", "p4"}
    app = open_app(more="facets")
    by_facet = next(one.value for one in app.dataframe if "hand" in one.value.columns)
    assert by_facet["hand"].tolist() == ["A", "B"]


@pytest.mark.parametrize("where", ["hand=C", "ink=A", "&&=", "hand", "x" * 5000])
def test_an_address_that_fits_no_page_shows_all_of_them(pages: Path, where: str) -> None:
    assert len(drawn(open_app(where=where), "overview")["strip"]["columns"]) == 4


ROWS = [
    {"shelf": f"p{n}", "carefully_checked": "one two three", "a": "one two", "b": "one two three"}
    for n in range(3)
]


def test_a_report_lists_pages_that_a_fault_took_over(pages: Path) -> None:
    study = hv.score(hv.pair_path(pages))
    report = report_html(study)
    assert "<h2>Catastrophic pages</h2>" in report
    assert "1 catastrophic page: refusal." in report
    assert "Catastrophic pages" not in report_html(study.only(pages=["p1", "p2"]))
