"""Marks by keys, kept beside the data; and a doubtful reference taken in the systems' order."""

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from htreval_core.run.mark_files import read_folder
from htreval_core.run.marks import standing
from htreval_core.sources.readers.pagexml import read_pagexml
from tests.browser.conftest import settle
from tests.conftest import ROOT, SAMPLES
from tests.tools import served, write_tree

pytestmark = pytest.mark.browser
COLUMN = ["the first line of the page here", "second of the lines that follow",
          "third comes after the second", "a fourth one says yet more",
          "fifth and nearly the last of all", "sixth ends what was written"]  # fmt: skip


def _page_xml(order: str) -> str:
    regions = "".join(
        f'<TextRegion id="r{n}"><Coords points="0,{n}00 900,{n}00 900,{n}90 0,{n}90"/>'
        f'<TextLine id="l{n}"><Coords points="0,{n}00 900,{n}00 900,{n}90 0,{n}90"/>'
        f"<TextEquiv><Unicode>{text}</Unicode></TextEquiv></TextLine></TextRegion>"
        for n, text in enumerate(COLUMN, start=1)
    )
    refs = "".join(
        f'<RegionRefIndexed index="{n}" regionRef="r{one}"/>' for n, one in enumerate(order)
    )
    return (
        '<PcGts xmlns="http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15">'
        '<Page imageFilename="1.jpg" imageWidth="900" imageHeight="900"><ReadingOrder>'
        f'<OrderedGroup id="g">{refs}</OrderedGroup></ReadingOrder>{regions}</Page></PcGts>'
    )


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("marks")
    shutil.copytree(SAMPLES / "letterbook", folder / "book")
    # The second region stands nowhere in the order.
    write_tree(folder / "doubted", {"reference/1.xml": _page_xml("13456"),
                                    "a/1.txt": "\n".join(COLUMN)})  # fmt: skip
    return folder


@pytest.fixture(scope="module")
def local(place: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    log = tmp_path_factory.mktemp("local") / "log.txt"
    paths = [str(place / "book"), str(place / "doubted")]
    with served([sys.executable, "-m", "htreval_core.cli"], log, ROOT, *paths) as address:
        yield address


@pytest.fixture
def own(browser, local: str) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    context.add_init_script(path=Path(__file__).with_name("listen.js"))
    problems: list[str] = []
    tab = context.new_page()
    tab.on("pageerror", lambda error: problems.append(str(error)))
    yield tab
    context.close()
    assert not problems, problems


@pytest.mark.thorough
def test_marks_by_keys_outlast_the_page(own: Page, local: str, place: Path) -> None:
    address = f"{local}/page?data=path-1&page=LB08&system=reads-across"
    own.goto(address)
    settle(own)
    strip = own.locator(".marks")
    expect(strip).to_contain_text("24 of 24 not looked at")
    own.keyboard.press("l")
    expect(strip).to_contain_text("23 of 24 not looked at")
    own.locator(".pane.ref .w").nth(2).click()
    # No key waits for the page to be drawn again.
    own.keyboard.press("w")
    own.keyboard.press("Shift+B")
    own.keyboard.press("t")
    own.get_by_label("Remark").fill("a blot <b>")
    own.keyboard.press("Enter")
    expect(strip.locator(".mark-list button")).to_have_count(3)
    expect(strip.locator(".mark-list")).to_contain_text("reference wrong: a blot <b>")
    expect(own.locator(".pane.ref .noted")).to_have_count(2)
    own.keyboard.press("Escape")
    own.locator(".card .show").first.click()
    expect(own.locator(".mark-on")).to_contain_text("fault 1")
    own.locator(".mark-on").select_option(label="fault 1")
    own.get_by_role("button", name="send back", exact=True).click()
    expect(strip.locator(".mark-list")).to_contain_text("double page mixed")
    expect(strip.locator(".mark-list")).to_contain_text("line 2: From Capt. Jno. Saul")
    own.keyboard.press("u")
    expect(own).not_to_have_url(address)
    own.goto(address)
    settle(own)
    expect(strip).to_contain_text("23 of 24 not looked at")
    expect(strip.locator(".mark-list button")).to_have_count(4)
    found, _ = read_folder(place / "book.marks")
    assert sorted(tag for one in standing(found) for tag in one.tags) == [
        "looked at", "reference wrong", "send back", "send back",
    ]  # fmt: skip
    own.goto(f"{local}/?data=path-1&more=marks")
    settle(own)
    with own.expect_download() as waiting:
        own.locator(".st-key-take_htreval-corrections").get_by_role("button", name="CSV").click()
    assert "a blot <b>" in Path(waiting.value.path()).read_text("utf-8")


def test_the_systems_order_is_saved_beside_no_original(own: Page, local: str, place: Path) -> None:
    own.goto(f"{local}/page?data=path-2")
    settle(own)
    with own.expect_download() as waiting:
        own.get_by_role("button", name="Take the systems’ order").click()
    assert waiting.value.suggested_filename == "1.corrected.xml"
    made = Path(waiting.value.path()).read_bytes()
    assert [line.text for line in read_pagexml("1.xml", made).lines] == COLUMN
    assert made.decode() == _page_xml("123456")
    assert (place / "doubted/reference/1.xml").read_text() == _page_xml("13456")
