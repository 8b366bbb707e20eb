"""The report in a browser: from disk, without a network, in both schemes, and on paper."""

import re
from pathlib import Path

import pytest

import htreval_core as hv
from htreval_core.show.html import report_html
from tests.conftest import SAMPLES

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    data = hv.pair_path(SAMPLES / "letterbook")
    file = tmp_path_factory.mktemp("report") / "report.html"
    file.write_text(report_html(hv.score(data.pages), title=data.name), "utf-8")
    return file


def test_it_opens_offline_without_complaint(browser, report: Path, scheme: str) -> None:
    context = browser.new_context(
        viewport={"width": 1280, "height": 900}, color_scheme=scheme, offline=True
    )
    tab = context.new_page()
    problems: list[str] = []
    tab.on("console", lambda message: problems.append(message.text))
    tab.on("pageerror", lambda error: problems.append(str(error)))
    tab.on("request", lambda request: problems.append(request.url)
           if not request.url.startswith(("file:", "data:")) else None)  # fmt: skip
    tab.goto(report.as_uri())
    background = tab.evaluate("getComputedStyle(document.body).backgroundColor")
    dark = sum(map(int, re.findall(r"\d+", background)[:3])) < 3 * 128
    assert dark == (scheme == "dark")
    assert tab.evaluate("document.documentElement.scrollWidth") <= 1280
    context.close()
    assert not problems, problems


@pytest.mark.thorough
def test_its_tables_fit_a_small_window(browser, report: Path) -> None:
    """Of the results no column is cut: intervals wrap below their values."""
    context = browser.new_context(viewport={"width": 1000, "height": 900}, offline=True)
    tab = context.new_page()
    tab.goto(report.as_uri())
    wide, room = tab.evaluate(
        """() => {
          const box = document.querySelector('table.results').parentElement;
          return [box.scrollWidth, box.clientWidth];
        }"""
    )
    assert wide <= room
    context.close()


@pytest.mark.thorough
def test_it_prints(browser, report: Path) -> None:
    context = browser.new_context(offline=True)
    tab = context.new_page()
    tab.goto(report.as_uri())
    printed = tab.pdf(prefer_css_page_size=True)
    assert printed.startswith(b"%PDF")
    sizes = re.findall(rb"/MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)", printed)
    # A4 in points, to the rounding of the printer.
    assert {(round(float(w) / 5), round(float(h) / 5)) for w, h in sizes} == {(119, 168)}
    tab.emulate_media(media="print", color_scheme="dark")
    assert tab.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    context.close()
