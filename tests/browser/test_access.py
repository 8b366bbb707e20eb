"""Every page can be used by everybody: axe finds nothing, everything is reached by keyboard."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.conftest import score_upload, settle, upload
from tests.tools import zipped

pytestmark = pytest.mark.browser

VIEWS = [
    "?data=letterbook",
    "?data=letterbook&more=pages",
    "page?data=letterbook&system=reads-across",
    "page?data=seite0418&event=1&view=trace",
    "compare?data=letterbook",
    "errors?data=letterbook&both=yes",
    "compare?data=letterbook&part=systems",
    "errors?data=letterbook",
    "?data=letterbook&more=audit&page=LB13",
    "?data=letterbook&panel=overview",
    "learn?data=letterbook&lesson=try-swaps",
    "learn?lesson=matching",
    "data",
]
# Streamlit gives its upload area a role and a name at once, which no setting of ours changes.
NOT_OURS = {"presentation-role-conflict"}


@pytest.mark.parametrize("view", VIEWS)
def test_axe_finds_nothing_light_or_dark(tab: Page, server: str, view: str) -> None:
    tab.goto(f"{server}/{view}")
    settle(tab)
    if view == "learn?lesson=matching":
        tab.get_by_role("button", name="Just show me").click()
        settle(tab)
    for scheme in ("light", "dark"):
        tab.emulate_media(color_scheme=scheme)
        told = at_rest(tab, violations)
        assert not told, (scheme, told)


def at_rest(tab: Page, look: Callable[[Page], list[str]]) -> list[str]:
    """What is seen while no run begins: what one is about to replace is faded until it is."""
    while True:
        settle(tab)
        tab.wait_for_function(
            "() => document.getAnimations().every(one => one.playState !== 'running')"
        )
        runs = tab.evaluate("window.runs")
        seen = look(tab)
        if runs == tab.evaluate("window.runs"):
            return seen


def violations(tab: Page) -> list[str]:
    """What axe has to say, in short."""
    found = Axe().run(tab).response["violations"]
    return [
        f"{one['id']}: {one['nodes'][0]['html'][:200]}"
        for one in found
        if one["id"] not in NOT_OURS
    ]


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
    files = {
        "set/1.ref": "שלום עולם טוב".encode(),
        "set/1.hyp": "עולם שלום טוב".encode(),
    }
    upload(tab, server, zipped(files), "rtl.zip")
    score_upload(tab)
    tab.get_by_role("link", name="Page", exact=True).click()
    settle(tab)
    words = tab.locator(".pane").first.locator(".w")
    expect(words).to_have_count(3)
    lefts = [words.nth(n).bounding_box()["x"] for n in range(3)]
    assert lefts == sorted(lefts, reverse=True)
    expect(tab).to_have_url(re.compile("/page"))
