"""Attacks on the running app: its headers, its addresses, and uploads beside somebody at work."""

import http.client
import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from htreval_ui.web.security import headers
from tests.browser.conftest import score_upload, settle, upload
from tests.hostile import HOSTILE
from tests.tools import zipped

pytestmark = pytest.mark.browser


def _get(server: str, path: str) -> tuple[int, dict[str, str], bytes]:
    """A plain request whose path is sent as it is: a browser would tidy it."""
    connection = http.client.HTTPConnection(urlsplit(server).netloc, timeout=20)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        headers = {name.lower(): value for name, value in answer.getheaders()}
        return answer.status, headers, answer.read()
    finally:
        connection.close()


@pytest.mark.parametrize("path", ["/", "/page", "/static/js", "/_stcore/health", "/nowhere/at/all"])
def test_every_answer_carries_the_headers(server: str, path: str) -> None:
    if path == "/static/js":
        found = re.search(rb'src="\.?(/static/js/[^"]+\.js)"', _get(server, "/")[2])
        assert found
        path = found[1].decode()
    _, answered, _ = _get(server, path)
    for name, value in headers(urlsplit(server).netloc):
        assert answered[name.decode()] == value.decode(), path


@pytest.mark.parametrize(
    "path",
    ["/../../../../etc/passwd", "/static/../../../../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd",
     "/static/%2e%2e%2f%2e%2e%2f%2e%2e%2fetc/passwd", "/app/static/../app.py", "//etc/passwd",
     "/media/../../app.py", "/component/../../etc/passwd"],
)  # fmt: skip
def test_no_path_leads_to_a_file(server: str, path: str) -> None:
    _, _, body = _get(server, path)
    assert b"root:" not in body
    assert b"SecurityHeaders" not in body


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("files", "told"),
    [
        ({"reference/1.txt": b"0" * 60_000_000, "a/1.txt": b"x"}, "limit"),
        ({"../../1.ref": b"x", "1.hyp": b"x"}, "a path outside its archive"),
        ({"reference/1.xml": b"<a>" * 3_000_000, "a/1.txt": b"x"}, "limit"),
    ],
    ids=["bomb", "climbs out", "huge XML"],
)
def test_a_refused_upload_leaves_others_at_work(
    tab: Page, browser, server: str, files: dict[str, bytes], told: str
) -> None:
    other = browser.new_page()
    other.goto(f"{server}/page?data=seite0418&system=RPN%2BCRNN")
    settle(other)
    upload(tab, server, zipped(files))
    other.get_by_role("button", name="Put right", exact=True).click()
    expect(other.locator(".sum")).to_contain_text("0.0 out of order")
    expect(tab.get_by_test_id("stMain").get_by_test_id("stAlert").first).to_contain_text(
        told, timeout=30_000
    )
    other.close()


def test_an_upload_is_not_open_to_another_session(tab: Page, browser, server: str) -> None:
    upload(
        tab, server, zipped({"1.ref": b"private words of one", "1.hyp": b"private words of won"})
    )
    tab.get_by_role("button", name="Score these pages").click()
    expect(tab).to_have_url(re.compile(r"/\?.*data=upload-"))
    other = browser.new_page()
    other.goto(tab.url)
    settle(other)
    expect(other.get_by_text("not open here")).to_be_visible()
    expect(other.get_by_text("private")).to_have_count(0)
    other.close()


def test_hostile_words_take_over_no_page(tab: Page, server: str) -> None:
    """Nothing runs, nothing is fetched (the tab itself listens for that), nothing overflows."""
    words = " ".join(HOSTILE.values())
    upload(tab, server, zipped({
        "reference/<b>1.txt": words.encode(),
        "a<i>/<b>1.txt": " ".join(reversed(words.split())).encode(),
        "reference/2.txt": b"plain words here", "a<i>/2.txt": b"here plain words",
    }))  # fmt: skip
    ran: list[str] = []
    tab.on("dialog", lambda dialog: (ran.append(dialog.message), dialog.dismiss()))
    score_upload(tab)
    for link in ("Page", "Compare", "Errors", "Learn", "Data", "Overview"):
        tab.get_by_role("link", name=link, exact=True).click()
        settle(tab)
        expect(tab.get_by_test_id("stMain").locator("h1").first).to_be_visible()
        wide = tab.evaluate("document.documentElement.scrollWidth - window.innerWidth")
        assert wide <= 1, link
        assert tab.locator("[data-testid=stMain] :is(iframe, img[src*='127.0.0.2'])").count() == 0
        if link == "Page":
            expect(tab.get_by_text("<script>alert(1)</script>").first).to_be_visible()
    assert not ran
