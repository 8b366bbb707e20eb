"""Other names for the running app's address, and pages of other sites, are turned away."""

import http.client
import sys
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest

from tests.browser.conftest import FLAGS, find_chromium, settle
from tests.conftest import ROOT
from tests.tools import served

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("hosts")]
NAMED, REBOUND = "htreval.example.org", "rebound.example"


@pytest.fixture(scope="module")
def named(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """An app that was started with a name for others to reach it by."""
    log = tmp_path_factory.mktemp("named") / "log.txt"
    command = [sys.executable, "-m", "htreval_core.cli"]
    with served(command, log, ROOT, "--host-name", NAMED) as address:
        yield address


_UPGRADE = {
    "Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
}  # fmt: skip


def _ask(
    address: str, path: str, host: str | None, origin: str | None = None, *, method: str = "GET"
) -> tuple[int, str, bytes]:
    """A request as it stands, with the status, the content policy and the body of its answer."""
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=20)
    try:
        connection.putrequest(method, path, skip_host=True)
        sent = {"Host": host and host.replace("PORT", str(urlsplit(address).port))}
        sent |= {"Origin": origin and origin.replace("PORT", str(urlsplit(address).port))}
        sent |= _UPGRADE if path == "/_stcore/stream" else {}
        for name, value in sent.items():
            if value is not None:
                connection.putheader(name, value)
        connection.endheaders()
        answer = connection.getresponse()
        body = b"" if answer.status == 101 else answer.read()
        return answer.status, answer.getheader("content-security-policy", ""), body
    finally:
        connection.close()


PATHS = ("/", "/page", "/_stcore/health", "/_stcore/host-config", "/_stcore/stream")


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    ("host", "origin"),
    [("127.0.0.1:PORT", None), ("localhost:PORT", None), (NAMED, None),
     ("127.0.0.1:PORT", "http://127.0.0.1:PORT"), ("localhost:PORT", "http://localhost:PORT"),
     (NAMED, f"https://{NAMED}"), (f"{NAMED}:8443", f"https://{NAMED}:8443")],
)  # fmt: skip
def test_it_answers_under_its_names(named: str, path: str, host: str, origin: str | None) -> None:
    status, told, _ = _ask(named, path, host, origin)
    assert status == (101 if path == "/_stcore/stream" else 200)
    if status == 200:
        own = host.replace("PORT", str(urlsplit(named).port))
        sources = next(part for part in told.split("; ") if part.startswith("connect-src"))
        assert sources.split() == ["connect-src", "'self'", f"ws://{own}", f"wss://{own}"]


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    ("host", "origin"),
    [(REBOUND, None), (f"{REBOUND}:PORT", f"http://{REBOUND}:PORT"), (f"x.{NAMED}", None),
     (f"localhost.{REBOUND}", None), ("0.0.0.0:PORT", "http://0.0.0.0:PORT"),
     ("127.0.0.1:PORT", "http://127.0.0.1:1"), ("127.0.0.1:PORT", f"http://{REBOUND}"),
     ("127.0.0.1:PORT", "http://localhost:PORT"), ("127.0.0.1:PORT", "null"),
     ("localhost:PORT", "http://localhost"), ("127.0.0.1:PORT", f"https://{NAMED}")],
)  # fmt: skip
def test_it_answers_nobody_else(named: str, path: str, host: str, origin: str | None) -> None:
    status, told, body = _ask(named, path, host, origin)
    assert status == 403
    assert b"<script" not in body
    if path != "/_stcore/stream":
        assert b"docs/security.md" in body
        assert REBOUND not in told


@pytest.mark.parametrize("path", ["/_stcore/metrics", "/_stcore/metrics/", "/_stcore/%6Detrics",
                                  "/_stcore/metrics?families=x"])  # fmt: skip
@pytest.mark.parametrize("method", ["GET", "OPTIONS", "POST"])
def test_what_the_framework_counts_is_closed(named: str, path: str, method: str) -> None:
    status, _, body = _ask(named, path, "127.0.0.1:PORT", method=method)
    assert (status, body) == (404, b"Not found.")


def test_a_name_that_leads_here_shows_a_browser_nothing(named: str, browser) -> None:  # type: ignore[no-untyped-def]
    """Such a name is the app's own site to a browser, which would let its pages read the app."""
    flags = [flag for flag in FLAGS if not flag.startswith("--host-resolver-rules")]
    rules = f"MAP {REBOUND} 127.0.0.1, MAP {NAMED} 127.0.0.1, MAP * ~NOTFOUND , EXCLUDE 127.0.0.1"
    port = urlsplit(named).port
    # Its own browser, as names are resolved for all of its tabs; a process has one Playwright.
    other = browser.browser_type.launch(
        executable_path=find_chromium(), args=[*flags, f"--host-resolver-rules={rules}"]
    )
    try:
        page = other.new_page()
        answer = page.goto(f"http://{REBOUND}:{port}/")
        assert answer is not None
        assert answer.status == 403
        assert "does not answer to this name" in page.inner_text("body")
        page.goto(f"http://{NAMED}:{port}/")
        settle(page)
        page.locator("table.systems").wait_for(timeout=60_000)
    finally:
        other.close()
