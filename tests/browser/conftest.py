"""A running app and a browser for it."""

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import Error, expect, sync_playwright

from tests.conftest import ROOT
from tests.tools import served

# A busy machine is no failure: a state that never comes is.
expect.set_options(timeout=30_000)

# The first draws without a window and takes a tenth less of the processor.
_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    # One process for all tabs: it compiles the scripts of the app once.
    "--process-per-site",
    # Whatever a page may ask for, nothing leaves this machine.
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
]
IDLE = '[data-testid="stApp"][data-test-script-state="notRunning"]'
_SETTLED = """idle => new Promise(done => {
    let before = null, same = 0;
    const look = () => {
        // Tables and fields whose scripts are still on their way stand there as bars, and views as
        // nothing at all; the frame of the app draws nothing.
        const isOwed = window.runIsOwed || window.fileIsOwed || !document.querySelector(idle)
            || document.querySelector('[data-testid="stSkeleton"]')
            || [...document.querySelectorAll('[data-testid="stBidiComponentIsolated"]')].some(
                view => !view.closest(".st-key-frame") && !view.shadowRoot?.querySelector(".root"));
        // Measuring every box takes long, and delays what is still to come.
        const boxes = isOwed ? null : [...document.querySelectorAll("body *")].map(one => {
            const { left, top, width, height } = one.getBoundingClientRect();
            return [left, top, width, height].map(Math.round).join();
        }).join(";");
        same = !isOwed && boxes === before ? same + 1 : 0;
        before = boxes;
        if (same >= 2) done(true); else requestAnimationFrame(look);
    };
    // What was clicked is worked off first.
    setTimeout(look);
})"""


def find_chromium() -> str | None:
    given = os.environ.get("CHROMIUM")
    return given or next(filter(None, map(shutil.which, _NAMES)), None)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of an app that runs on the sample data; a traceback in its log is a failure."""
    log = tmp_path_factory.mktemp("server") / "log.txt"
    with served([sys.executable, "-m", "htreval_core.cli"], log, ROOT) as address:
        yield address


@pytest.fixture(scope="session")
def browser() -> Iterator[object]:
    """A headless Chromium, or a skip where none could be had."""
    with sync_playwright() as playwright:
        try:
            launched = playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)
        except Error as error:
            pytest.skip(f"NO BROWSER TESTS: no Chromium could be started ({error.message[:200]})")
        yield launched
        launched.close()


@pytest.fixture(params=["light", "dark"])
def scheme(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="session")
def context(browser, server: str) -> Iterator[object]:
    """One place for all tabs: what they load of the app they load once."""
    opened = browser.new_context(viewport={"width": 1280, "height": 900})
    opened.add_init_script(path=Path(__file__).with_name("listen.js"))
    # It stays, so that the process that draws the app does, with all that it has compiled.
    opened.new_page().goto(f"{server}/_stcore/health")
    yield opened
    opened.close()


@pytest.fixture
def tab(context, server: str) -> Iterator[object]:
    """A fresh tab that may talk to this machine only and must not log errors.

    It has nothing from the tab before but the files of the app: no cookie, nothing stored, and a
    session of its own. Requests are listened to, not routed, for what is routed is never cached."""
    problems: list[str] = []

    def check(request) -> None:
        if not request.url.startswith((server, "data:", "blob:")):
            problems.append(f"left the machine: {request.url}")

    def listen(message) -> None:
        # On a deep link Streamlit probes for its base path; the browser logs each 404.
        if message.type == "error" and "404" not in message.text:
            problems.append(message.text)

    page = context.new_page()
    visit = page.goto

    def goto(url: str, **more: object) -> object:
        # The walks are on the letter-book unless they name other data, or open the app as it is.
        bare = url.removesuffix("#as-it-is")
        if url.startswith(server) and "data=" not in url and bare == url:
            bare += ("&" if "?" in url else "?") + "data=letterbook"
        return visit(bare, **more)

    page.goto = goto
    context.on("request", check)
    page.on("console", listen)
    page.on("pageerror", lambda error: problems.append(str(error)))
    yield page
    with suppress(Error):
        page.evaluate("localStorage.clear(); sessionStorage.clear()")
    for one in context.pages[1:]:
        one.close()
    context.remove_listener("request", check)
    context.clear_cookies()
    assert not problems, problems


def settle(page) -> None:
    """Wait until the script has run, whatever was clicked, and nothing moves over two frames."""
    page.wait_for_function(_SETTLED, arg=IDLE, timeout=120_000)


def upload(page, server: str, content: bytes, name: str = "mine.zip") -> None:
    """Put a file into the field for archives and files on the Data page."""
    page.goto(f"{server}/data")
    settle(page)
    page.get_by_role("tab", name="All in one").click()
    page.locator('.st-key-upload_files input[type="file"]').set_input_files(
        {"name": name, "mimeType": "application/octet-stream", "buffer": content}
    )


def score_upload(page) -> None:
    """Score what was put there, and wait for the overview of it."""
    page.get_by_role("button", name="Score these pages").click()
    page.locator("table.systems").wait_for(timeout=60_000)
    settle(page)
