"""Hostile addresses in a browser: nothing runs, nothing is fetched, and the page can be used."""

from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from htreval_ui.web.state import PAGES
from tests.browser.conftest import settle
from tests.ui.test_addresses import KEYS, VALUES

pytestmark = pytest.mark.browser

VIEWS = ["", *(path for _, _, path in PAGES[1:])]


def _is_usable(tab: Page) -> None:
    """No traceback, a heading, a way on, and no message that fills the window."""
    settle(tab)
    main = tab.get_by_test_id("stMain")
    expect(main.locator("h1").first).to_be_visible()
    expect(tab.get_by_test_id("stException")).to_have_count(0)
    assert tab.evaluate("document.documentElement.scrollWidth - window.innerWidth") <= 1
    assert main.locator("img[src*='127.0.0.2'], iframe").count() == 0
    tallest = tab.evaluate(
        """() => Math.max(0, ...[...document.querySelectorAll('[data-testid="stAlert"], h1')]
            .map((one) => one.getBoundingClientRect().height))"""
    )
    assert tallest < 300


@pytest.mark.parametrize("view", VIEWS)
def test_every_view_stands_a_hostile_address(tab: Page, server: str, view: str) -> None:
    ran: list[str] = []
    tab.on("dialog", lambda dialog: (ran.append(dialog.message), dialog.dismiss()))
    every = "&".join(f"{key}={quote(VALUES['marks'])}" for key in KEYS if key != "data")
    tab.goto(f"{server}/{view}?data=seite0418&{every}&unknown={quote(VALUES['script'])}")
    _is_usable(tab)
    assert not ran


@pytest.mark.thorough
@pytest.mark.parametrize("value", ["controls", "digits"])
def test_endless_values_fill_no_window(tab: Page, server: str, value: str) -> None:
    text = quote(VALUES[value][:6_000])
    for key in ("page", "word", "gamma", "system"):
        tab.goto(f"{server}/page?data=seite0418&{key}={text}")
        _is_usable(tab)


def test_an_address_of_no_data_says_so_and_leads_on(tab: Page, server: str) -> None:
    tab.goto(f"{server}/page?data={quote(VALUES['script'])}")
    settle(tab)
    expect(tab.get_by_text("not open here")).to_be_visible()
    tab.get_by_role("link", name="Choose or bring data").click()
    expect(tab.get_by_role("heading", name="What do you have?")).to_be_visible()


def test_half_an_escape_and_a_key_twice(tab: Page, server: str) -> None:
    tab.goto(f"{server}/page?data=letterbook&page=%ff%fe&system=a&system=b&=x&%00=1&word=%E0%A4%A")
    _is_usable(tab)
