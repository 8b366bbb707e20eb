"""Addresses that somebody wrote to do harm: every key, hostile, endless and of the wrong kind."""

from __future__ import annotations

from dataclasses import fields
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from htreval_ui.state import Selection
from tests.browser.conftest import settle
from tests.hostile import HOSTILE

pytestmark = pytest.mark.browser

VALUES = {
    "script": HOSTILE["script"],
    "handler": HOSTILE["handler"] + HOSTILE["picture"] + HOSTILE["emoji"],
    "controls": "\x00" + HOSTILE["ansi"] + HOSTILE["right to left"],
    "long": "x" * 6_000,
    "digits": "9" * 5_000,
    "number": "-1",
    "fraction": "1e999999999",
    "parts": "ref:" + "9" * 5_000 + "+0+-1+ref:99999999999999999999",
    "other digits": "ref:٣+²+٣",
    "path": "../../../etc/passwd",
    "nothing": "",
}
VIEWS = ["", "pages", "page", "compare", "errors", "text", "laboratory", "learn", "data"]


def _is_usable(tab: Page) -> None:
    """No traceback, a heading, a way on, and nothing wider than the window."""
    settle(tab)
    main = tab.get_by_test_id("stMain")
    expect(tab.get_by_test_id("stException")).to_have_count(0)
    expect(main.locator("h1").or_(tab.get_by_text("Choose or bring data")).first).to_be_visible()
    assert tab.evaluate("document.documentElement.scrollWidth - window.innerWidth") <= 1
    assert main.locator("img[src*='127.0.0.2'], iframe").count() == 0
    tall = tab.evaluate("""() => Math.max(0, ...[...document.querySelectorAll(
        '[data-testid="stAlert"], h1')].map((one) => one.getBoundingClientRect().height))""")
    assert tall < 450


@pytest.mark.parametrize("value", list(VALUES))
def test_every_key_of_an_address_may_hold_anything(tab: Page, server: str, value: str) -> None:
    """All keys but the data at once on the page that reads most of them, then each by itself."""
    ran: list[str] = []
    tab.on("dialog", lambda dialog: (ran.append(dialog.message), dialog.dismiss()))
    text = quote(VALUES[value])
    keys = [one.name for one in fields(Selection)]
    every = "&".join(f"{key}={text}" for key in keys if key != "data" and len(text) < 500)
    tab.goto(f"{server}/page?data=letterbook&{every}")
    _is_usable(tab)
    expect(tab.get_by_test_id("stMain").locator("h1").first).to_contain_text("LB")
    for key in keys:
        tab.goto(f"{server}/page?{key}={text}")
        _is_usable(tab)
    assert not ran


@pytest.mark.parametrize("view", VIEWS)
def test_every_view_stands_what_an_address_holds(tab: Page, server: str, view: str) -> None:
    keys = [one.name for one in fields(Selection) if one.name != "data"]
    for value in ("handler", "parts", "number"):
        every = "&".join(f"{key}={quote(VALUES[value])[:300]}" for key in keys)
        tab.goto(f"{server}/{view}?data=seite0418&{every}&unknown={quote(VALUES['script'])}")
        _is_usable(tab)


def test_an_address_of_no_data_says_so_and_leads_on(tab: Page, server: str) -> None:
    tab.goto(f"{server}/page?data={quote(HOSTILE['script'])}")
    settle(tab)
    expect(tab.get_by_text("not open here")).to_be_visible()
    tab.get_by_role("link", name="Choose or bring data").click()
    expect(tab.get_by_role("heading", name="What do you have?")).to_be_visible()


def test_half_an_escape_and_a_key_twice(tab: Page, server: str) -> None:
    tab.goto(f"{server}/page?data=letterbook&page=%ff%fe&page=%E0%A4%A&system=a&system=b&=x&%00=1")
    _is_usable(tab)
