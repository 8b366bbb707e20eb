"""What the app makes of a bundle, seen by a browser: seconds, and bytes over the wire."""

import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.server import memory, served

_BARE = 'import streamlit as st\nst.title("Nothing else")\n'
_PAINT = """
const stands = (root) => root.querySelector("h1")
  || [...root.querySelectorAll("*")].some((one) => one.shadowRoot && stands(one.shadowRoot));
const look = () => requestAnimationFrame(() => {
  if (!document.body || !stands(document)) return look();
  setTimeout(() => (window.firstPaint = performance.now() / 1000));
});
look();
"""
"""Asked in the page: from outside it answers only after what it draws next."""
_IDLE = '[data-testid="stApp"][data-test-script-state="notRunning"]'


@dataclass(frozen=True)
class View:
    """One thing that somebody does."""

    name: str
    seconds: float
    """Until the page no longer computes and shows its result."""
    sent: int
    """Bytes of the session's web socket, toward the browser."""


@dataclass(frozen=True)
class AppFigures:
    views: tuple[View, ...]
    memory: int

    def lines(self) -> Iterator[str]:
        yield "In the app, in a Chromium on the same machine:"
        yield ""
        yield "| | s | sent to the browser |"
        yield "|---|--:|--:|"
        for view in self.views:
            yield f"| {view.name} | {view.seconds:.1f} | {view.sent / 1e3:,.0f} kB |"
        yield ""
        yield f"The server then holds {self.memory / 1e6:,.0f} MB."


def measure_app(bundle: Path) -> AppFigures | None:
    """Walk the app on a bundle; None without a browser to do it with."""
    try:
        from playwright.sync_api import sync_playwright

        from tests.browser.conftest import find_chromium
    except ImportError:
        return None
    with served(str(bundle)) as (address, pid), sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=find_chromium(), args=["--no-sandbox", "--disable-gpu"]
        )
        views = *_bare(browser), *_walk(browser, address)
        browser.close()
        return AppFigures(views, round(2**20 * memory(pid, "VmHWM")))


_VIEWS = (
    ("Overview", ""), ("Errors", "errors"), ("Page, the worst", "page"),
    ("Page, another one", "page?place=5000"), ("Compare", "compare"),
)  # fmt: skip
"""What is opened, each in a session of its own."""
_QUIET = 0.7
"""Seconds without a word from the server after which it has said all."""


def _bare(browser) -> Iterator[View]:  # type: ignore[no-untyped-def]
    """What Streamlit alone needs, with nothing to show."""
    with tempfile.TemporaryDirectory() as place:
        script = Path(place) / "bare.py"
        script.write_text(_BARE, encoding="utf-8")
        with served(script=script) as (address, _):
            yield next(_walk(browser, address, (("A bare Streamlit page", ""),)))


def _walk(browser, address: str, views=_VIEWS) -> Iterator[View]:  # type: ignore[no-untyped-def]
    # The scripts of the app, which any visit to any data loads, are there already.
    context = browser.new_context(viewport={"width": 1280, "height": 900}, bypass_csp=True)
    context.add_init_script(_PAINT)
    for name, path in (("", "?data=examples"), *views):
        page = context.new_page()
        sent, last = [0], [0.0]

        def count(frame, sent=sent, last=last) -> None:  # type: ignore[no-untyped-def]
            sent[0] += len(frame)
            last[0] = time.monotonic()

        page.on("websocket", lambda ws, count=count: ws.on("framereceived", count))
        start = time.monotonic()
        page.goto(f"{address}/{path}")
        page.wait_for_function("window.firstPaint", timeout=120_000)
        first_paint = page.evaluate("window.firstPaint")
        page.wait_for_selector(_IDLE, timeout=300_000)
        while time.monotonic() - last[0] < _QUIET:
            page.wait_for_timeout(100)
            page.wait_for_selector(_IDLE, timeout=300_000)
        if name:
            yield View(f"{name}, first paint", first_paint, 0)
            yield View(f"{name}, in full", max(first_paint, last[0] - start), sent[0])
        page.close()
