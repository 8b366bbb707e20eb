"""Somebody who has an export and a vendor's texts gets to the figures without guessing."""

import re
from collections.abc import Mapping

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import settle
from tests.run.test_damage import _image
from tests.sources.test_pairing import PAGE_XML
from tests.tools import until, zipped

pytestmark = pytest.mark.browser

WORDS = {
    f"07110800{n}": f"page {n} of the letters that were sent from the town" for n in range(1, 7)
}
EXPORT = {
    "letters/mets.xml": b"<mets/>",
    "letters/metadata.xml": b"<trpDocMetadata/>",
    **{f"letters/{name}.jpg": b"no image" for name in WORDS},
    **{f"letters/page/{name}.xml": PAGE_XML.format(text).encode() for name, text in WORDS.items()},
}
ODD = {"071108002": "071108002_final", "071108005": "IMG_071108005"}
"""What the vendor calls two of the pages; the last one is missing."""
TEXTS = {
    f"vendor/{ODD.get(name, name)}.txt": text.replace("sent", "lent").encode()
    for name, text in list(WORDS.items())[:-1]
}
MOST_CLICKS = 8


class Hand:
    """Clicks, and counts."""

    def __init__(self, tab: Page) -> None:
        self.tab = tab
        self.clicks = 0

    def click(self, what: Locator) -> None:
        what.click()
        self.clicks += 1
        settle(self.tab)

    def choose(self, place: str, name: str, files: Mapping[str, bytes]) -> None:
        """A file by the dialog of the browser: one click opens it, one more takes the file."""
        field = self.tab.locator(f".st-key-{place}")
        with self.tab.expect_file_chooser() as dialog:
            field.locator("button:visible").first.click(timeout=10_000)
        dialog.value.set_files(
            {"name": name, "mimeType": "application/zip", "buffer": zipped(files)}
        )
        self.clicks += 2
        # A run that begins before the server has said where to send the file would lose it.
        expect(field.get_by_text(name)).to_be_visible()
        settle(self.tab)


@pytest.mark.parametrize("width", [1280, pytest.param(390, marks=pytest.mark.thorough)])
def test_an_export_and_a_vendor_s_texts_are_scored(tab: Page, server: str, width: int) -> None:
    tab.set_viewport_size({"width": width, "height": 800})
    tab.goto(f"{server}/data")
    settle(tab)
    hand = Hand(tab)
    hand.choose("truth_files", "export_job_1.zip", EXPORT)
    expect(tab.get_by_text("Add the output of a system above")).to_be_visible()
    hand.choose("system_1_files", "vendor.zip", TEXTS)
    expect(tab.get_by_label("Name of system 1")).to_have_value("vendor")
    expect(
        tab.get_by_text(
            "3 of 6 pages of the ground truth have an output; 2 suggestions below, 1 page has no "
            "output"
        )
    ).to_be_visible()
    expect(tab.get_by_text("vendor/071108002_final.txt: is this 071108002?")).to_be_visible()
    expect(tab.get_by_text("vendor/IMG_071108005.txt: is this 071108005?")).to_be_visible()
    line = tab.get_by_text("Passed over:")
    expect(line).to_have_count(1)
    # Every image has its page in the truth, though not all pages are paired.
    expect(line).to_have_text("Passed over: mets.xml, metadata.xml")
    hand.click(tab.get_by_role("button", name="Take all suggestions"))
    expect(tab.get_by_text("5 of 6 pages: 3 by their names, 2 by hand")).to_be_visible()
    expect(tab.get_by_text("is this")).to_have_count(0)
    hand.click(tab.get_by_role("button", name="Score these pages"))
    tab.locator("table.systems").wait_for(timeout=60_000)
    settle(tab)
    expect(tab.get_by_test_id("stMain").locator("h1").first).to_contain_text(
        "vendor: 9.1 % word errors"
    )
    assert hand.clicks <= MOST_CLICKS
    assert tab.evaluate("document.documentElement.scrollWidth - window.innerWidth") <= 0


def bring(tab: Page, server: str, truth: Mapping[str, bytes], system: Mapping[str, bytes]) -> Hand:
    tab.goto(f"{server}/data")
    settle(tab)
    hand = Hand(tab)
    hand.choose("truth_files", "truth.zip", truth)
    hand.choose("system_1_files", "vendor.zip", system)
    return hand


IS_ALIKE = """(button) => getComputedStyle(button).color
  === getComputedStyle(button.querySelector("p")).color"""


def test_one_suggestion_is_taken_and_another_file_is_paired_by_hand(tab: Page, server: str) -> None:
    truth = {f"{name}.txt": b"one two" for name in ("071108001", "071108002", "letter")}
    system = {"071108001_final.txt": b"one two", "unlike.txt": b"one to", "other.txt": b"x"}
    hand = bring(tab, server, truth, system)
    expect(tab.get_by_text("No page is paired yet")).to_be_visible()
    button = tab.get_by_role("button", name="Score these pages")
    expect(button).to_be_disabled()
    for scheme in ("light", "dark"):
        tab.emulate_media(color_scheme=scheme)
        # The label has the colour that Streamlit gives to what is disabled, once it is drawn.
        until(lambda: button.evaluate(IS_ALIKE), 5, every=0.1)
    hand.click(tab.get_by_role("button", name="Yes"))
    expect(tab.get_by_text("1 of 3 pages: 1 by hand")).to_be_visible()
    tab.get_by_label("Page of unlike").click()
    tab.get_by_role("option", name="letter").click()
    settle(tab)
    expect(tab.get_by_text("2 of 3 pages: 2 by hand")).to_be_visible()
    hand.click(tab.get_by_role("button", name="Undo 2 pairs made by hand"))
    expect(tab.get_by_text("No page is paired yet")).to_be_visible()


@pytest.mark.thorough
def test_three_pages_of_an_export_with_images_are_paired_by_hand(tab: Page, server: str) -> None:
    # Enough to be read by a job, which draws the table anew while choices are made.
    many = {f"0711080{n}": f"page {n} of the letters" for n in range(10, 60)}
    padding = " word" * 20_000
    image = _image(90).read()
    export: dict[str, bytes] = {}
    for number, (name, text) in enumerate(many.items(), start=1):
        stem = f"letters/page/{number:04}_{name}.xml"
        export[stem] = PAGE_XML.format(text + padding).encode()
        export[f"letters/{number:04}_{name}.jpg"] = image
    first, *others = many
    odd = dict(zip(others[:3], ("front", "back", "cover"), strict=True))
    texts = {
        f"vendor/{odd.get(name, name)}.txt": (text + padding).encode()
        for name, text in many.items()
    }
    texts["vendor/071_108_010.txt"] = texts.pop(f"vendor/{first}.txt")
    hand = bring(tab, server, export, texts)
    expect(tab.get_by_text(f"vendor/071_108_010.txt: is this {first}?")).to_be_visible()
    for number, (page, name) in enumerate(odd.items(), start=1):
        option = tab.get_by_role("option", name=page)
        expect(tab.get_by_label(f"Page of {name}")).to_have_count(1)

        def is_open(name: str = name, option: Locator = option) -> bool:
            # What was read meanwhile draws the page anew, and that closes an open menu.
            if not option.is_visible():
                tab.get_by_label(f"Page of {name}").click()
                tab.wait_for_timeout(300)
            return option.is_visible()

        until(is_open, 20)
        option.click()
        settle(tab)
        expect(tab.get_by_text(f"{number} by hand")).to_be_visible()
        expect(tab.get_by_role("button", name=re.compile("^Undo"))).to_be_visible()
    hand.click(tab.get_by_role("button", name="Take all suggestions"))
    expect(tab.get_by_text("50 pages: 46 by their names, 4 by hand")).to_be_visible()
    expect(tab.get_by_role("button", name="Score these pages")).to_be_enabled()


def test_outputs_without_a_truth_are_compared(tab: Page, server: str) -> None:
    tab.goto(f"{server}/data")
    settle(tab)
    tab.get_by_role("tab", name="All in one").click()
    outputs = {f"{of}/{n}.txt": f"some words of {of}".encode() for of in ("a", "b") for n in "12"}
    hand = Hand(tab)
    hand.choose("upload_files", "outputs.zip", outputs)
    hand.click(tab.get_by_role("button", name="Compare these systems without ground truth"))
    expect(tab.get_by_text("Worth a look, without a reference")).to_be_visible(timeout=20_000)


@pytest.mark.thorough
def test_two_systems_of_one_name_are_told_apart(tab: Page, server: str) -> None:
    hand = bring(tab, server, {"1.txt": b"one"}, {"1.txt": b"one"})
    hand.click(tab.get_by_role("button", name="Score these pages"))
    expect(tab).not_to_have_url(re.compile("/data"))
    hand.click(tab.get_by_role("link", name="Data"))
    expect(tab.get_by_role("button", name="1 file from before")).to_have_count(2)
    hand.click(tab.get_by_role("button", name="another system"))
    hand.choose("system_2_files", "vendor.zip", {"1.txt": b"on"})
    expect(tab.get_by_text("Two systems are called vendor")).to_be_visible()
    tab.get_by_label("Name of system 2").press_sequentially(" 2\n")
    settle(tab)
    expect(tab.get_by_text("1 page, paired by same names")).to_be_visible()


def test_names_are_shown_as_they_are(tab: Page, server: str) -> None:
    nasty = "1 <img src=x onerror=alert(1)> ![i](http://127.0.0.2/i.png) :fire: $x$"
    dialogs: list[str] = []
    tab.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    bring(tab, server, {"1 i.txt": b"one", "2.txt": b"x"}, {f"{nasty}.txt": b"one", "2.txt": b"x"})
    expect(tab.get_by_text("onerror=alert(1)").first).to_be_visible()
    assert tab.locator('[data-testid="stMain"] img[src*="127.0.0.2"]').count() == 0
    assert not dialogs


def test_a_letter_about_what_to_send_back_is_two_clicks_away(tab: Page, server: str) -> None:
    tab.goto(f"{server}/?data=letterbook")
    settle(tab)
    hand = Hand(tab)
    hand.click(tab.get_by_role("button", name="What to send back"))
    expect(tab.get_by_text("8 ticked")).to_be_visible()
    with tab.expect_download() as download:
        hand.click(tab.get_by_role("button", name="Letter (text)"))
    assert hand.clicks == 2
    told = download.value.path().read_text("utf-8")
    assert "to redo 8 of 24 pages" in told
    assert "The marginal note in lines 22–32 is missing" in told
    tab.get_by_role("button", name="Close").click()
    expect(tab).not_to_have_url(re.compile("more="))
    # Without the pages in doubt, and back: one switch, kept in the address.
    tab.goto(f"{server}/?data=letterbook&where=wer+%3E+40")
    settle(tab)
    expect(tab.get_by_role("button", name="24 pages: wer > 40")).to_be_visible()
