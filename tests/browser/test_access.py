"""Every page can be used by everybody: by keyboard, enlarged, and in every direction."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import score_upload, settle, upload
from tests.tools import zipped

pytestmark = pytest.mark.browser


def test_both_texts_and_the_search_are_reached_by_keyboard(tab: Page, server: str) -> None:
    tab.goto(f"{server}/page?data=seite0418&system=RPN%2BCRNN")
    settle(tab)
    expect(tab.locator(".pane .w").first).to_be_visible()
    reached: list[str] = []
    for _ in range(80):
        tab.keyboard.press("Tab")
        name = tab.evaluate(
            """() => {
              let at = document.activeElement;
              while (at && at.shadowRoot && at.shadowRoot.activeElement) {
                at = at.shadowRoot.activeElement;
              }
              return at.getAttribute('aria-label') || at.innerText || '';
            }"""
        )
        reached.append(name)
        if "Find words, as a regular expression" in reached:
            break
    wanted = ["reference", "output", "Find words, as a regular expression"]
    assert [name for name in reached if name in wanted] == wanted
    assert any("Put right" in name for name in reached)


@pytest.mark.thorough
def test_twice_as_large_the_page_still_fits(tab: Page, server: str) -> None:
    # 200 % zoom of a window of 1280 leaves 640 pixels of the page's own measure.
    tab.set_viewport_size({"width": 640, "height": 450})
    tab.goto(f"{server}/page?data=seite0418&system=RPN%2BCRNN")
    settle(tab)
    expect(tab.locator(".pane .w").first).to_be_attached()
    wider = tab.evaluate(
        "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
    )
    assert wider <= 1


def test_words_of_right_to_left_scripts_stand_right_to_left(tab: Page, server: str) -> None:
    files = {"set/1.ref": "שלום עולם טוב".encode(), "set/1.hyp": "עולם שלום טוב".encode()}
    upload(tab, server, zipped(files), "rtl.zip")
    score_upload(tab)
    tab.get_by_role("link", name="Page", exact=True).click()
    settle(tab)
    words = tab.locator(".pane").first.locator(".w")
    expect(words).to_have_count(3)
    lefts = [words.nth(n).bounding_box()["x"] for n in range(3)]
    assert lefts == sorted(lefts, reverse=True)
    expect(tab).to_have_url(re.compile("/page"))
