"""What the app hands out of data whose every name and word is hostile."""

import csv
import io
import json
import re
from pathlib import Path
from zipfile import ZipFile

import pytest
from lxml.etree import fromstring as parse_xml
from playwright.sync_api import Download, Page, expect

from tests.browser.conftest import score_upload, settle, upload
from tests.hostile import HOSTILE, NAMES

pytestmark = pytest.mark.browser

_KEPT = {name: text[:300] for name, text in NAMES.items() if name != "half a character"}
_BY_ONE = "read by one"


def _table() -> bytes:
    words = [word for text in HOSTILE.values() for word in text[:300].split()]
    systems = {_KEPT["formula"]: words[::-1], _KEPT["handler"]: words[3:], "page": words}

    def read(words: list[str]) -> str:
        return " ".join([*(word for word in words if word[0] not in "=+"), "@x"])

    rows = [
        {"page_id": name, "reference": " ".join(words)}
        | {system: read(of) for system, of in systems.items()}
        for name in _KEPT.values()
    ]
    rows.append({"page_id": _BY_ONE, "reference": "a b", "page": "a c"})
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


@pytest.fixture
def opened(tab: Page, server: str) -> Page:
    """The app on the hostile data, listening for anything that runs."""
    tab.on("dialog", lambda dialog: pytest.fail(f"a script ran: {dialog.message}"))
    upload(tab, server, _table(), "<b>=1+1.jsonl")
    score_upload(tab)
    return tab


def _download(tab: Page, button: str, at: int = 0) -> Download:
    wanted = tab.get_by_role("button", name=button).nth(at)
    with tab.expect_download() as waiting:
        wanted.click()
    return waiting.value


def _check_csv(file: Download, name: str) -> list[list[str]]:
    assert file.suggested_filename == name
    text = Path(file.path()).read_bytes().decode("utf-8")
    rows = list(csv.reader(io.StringIO(text, newline="")))
    assert {len(row) for row in rows} == {len(rows[0])}
    for cell in (cell for row in rows for cell in row):
        assert not re.match(r"[=+@\t\r\n]|-(?![\d.])", cell), cell
    return rows


def test_the_report_runs_nothing_fetches_nothing_and_shows_text_as_it_is(
    opened: Page, browser, tmp_path: Path
) -> None:
    file = _download(opened, "Report")
    assert file.suggested_filename == "report.html"
    path = tmp_path / "report.html"
    file.save_as(path)
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    tab = context.new_page()
    problems: list[str] = []
    tab.on("dialog", lambda dialog: (problems.append(dialog.message), dialog.dismiss()))
    tab.on("console", lambda message: problems.append(message.text))
    tab.on("pageerror", lambda error: problems.append(str(error)))
    tab.on("request", lambda request: problems.append(request.url)
           if not request.url.startswith(("file:", "data:")) else None)  # fmt: skip
    tab.goto(path.as_uri())
    for name in ("script", "handler", "picture", "link", "latex", "formula", "xml"):
        expect(tab.get_by_text(_KEPT[name]).first).to_be_attached()
    expect(tab.locator("img, iframe, object, embed, form, base")).to_have_count(0)
    expect(tab.locator("script, a")).to_have_count(0)
    expect(tab.get_by_text(_BY_ONE).first).to_be_attached()
    assert tab.evaluate("document.documentElement.scrollWidth") <= 1280
    # A style in a text hides nothing.
    expect(tab.locator("main")).to_be_visible()
    context.close()
    assert not problems, problems


def test_tables_are_taken_away_without_formulas(opened: Page) -> None:
    for name in ("pages", "errors"):
        if name == "pages":
            opened.get_by_role("button", name="as a table").click()
        else:
            opened.get_by_role("link", name="Errors", exact=True).click()
            words = opened.get_by_role("button", name="Words", exact=True)
            words.click()
            # The table of the tab before would be gone before its file is written.
            expect(words).to_have_attribute("aria-pressed", "true")
            expect(opened.locator(".st-key-take_htreval-confusions")).to_have_count(0)
        settle(opened)
        rows = _check_csv(_download(opened, "CSV"), f"htreval-{name}.csv")
        assert len(rows) > 2
        if name == "errors":
            assert "'" + HOSTILE["formula"] in {row[0] for row in rows}
            continue
        ids = {row[rows[0].index("page")] for row in rows[1:]}
        assert {text.removeprefix("'") for text in ids} == {
            text.removeprefix("'") for text in (*_KEPT.values(), _BY_ONE)
        }
        # What Streamlit would export itself has no such mark.
        opened.get_by_test_id("stDataFrame").first.hover()
        expect(opened.get_by_role("button", name="Search").first).to_be_visible()
        expect(opened.get_by_role("button", name="Download as CSV")).to_have_count(0)
        assert opened.evaluate("document.documentElement.scrollWidth - window.innerWidth") <= 1


@pytest.mark.thorough
def test_pictures_and_tables_are_one_click_each(tab: Page, server: str, tmp_path: Path) -> None:
    def saved(button: str, at: int = 0) -> bytes:
        return Path(_download(tab, button, at).path()).read_bytes()

    # A chart of Plotly's, and the chart of systems, drawn by us: both stand alone.
    for place, at, words in (
        ("page?data=letterbook&system=reads-across&page=LB01", -1, ["word of the output"]),
        ("?data=letterbook", 0, ["reads-across", "34.2 %"]),
    ):
        tab.goto(f"{server}/{place}")
        settle(tab)
        if place.startswith("page"):
            expect(tab.locator(".js-plotly-plot .main-svg").first).to_be_attached()
        root = parse_xml(saved("SVG", at))
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        text = " ".join(root.itertext())
        assert all(word in text for word in words), text
        assert not [one for one in root.iter() if one.tag.endswith(("script", "foreignObject"))]
        assert saved("PNG", at).startswith(b"\x89PNG")
    # Where no clipboard is to be had the text is saved.
    tab.evaluate("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    assert b"\\toprule" in saved("LaTeX")
    assert saved("Markdown").startswith(b"| system |")
    tab.locator(".st-key-strip_share button").first.click()
    assert b"reads-across" in saved("Table of all pages")
    with ZipFile(io.BytesIO(saved("These views as a site"))) as site:
        assert {"site/index.html", "site/site.js", "site/data/site.js"} <= set(site.namelist())
    expect(tab.get_by_text('<iframe src="site/index.html?')).to_be_visible()


def test_ribbons_and_orders_of_a_page_are_taken_away(tab: Page, server: str) -> None:
    tab.goto(f"{server}/page?data=letterbook&system=reads-across&page=LB01")
    settle(tab)
    assert len(parse_xml(Path(_download(tab, "Ribbons SVG").path()).read_bytes())) > 10
    orders = Path(_download(tab, "Image SVG").path()).read_bytes()
    assert b"data:image/jpeg" in orders
    assert parse_xml(orders).get("viewBox")
    rows = Path(_download(tab, "CSV").path()).read_text("utf-8").splitlines()
    assert rows[0].startswith("system,page_id,view,number,reference,hypothesis")
    assert "reads-across,LB01,matching,0,1,1,0,0,1,1,right" in rows
