"""What the app makes of a bundle, seen by a browser: seconds, and bytes over the wire."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
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
    except ImportError:
        return None
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = subprocess.Popen(
        [sys.executable, "-m", "htreval_core.cli", "app", str(bundle), "--no-browser",
         "--port", str(port)],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        address = f"http://127.0.0.1:{port}"
        _wait_for(f"{address}/_stcore/health")
        with sync_playwright() as playwright:
            names = ("chromium", "chromium-browser", "google-chrome")
            path = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
            browser = playwright.chromium.launch(
                executable_path=path, args=["--no-sandbox", "--disable-gpu"]
            )
            views = tuple(_walk(browser, address))
            browser.close()
        status = Path(f"/proc/{server.pid}/status").read_text()
        memory = next(line for line in status.split("\n") if line.startswith("VmHWM"))
        return AppFigures(views, 1024 * int(memory.split()[1]))
    finally:
        server.terminate()
        server.wait()


def _wait_for(address: str) -> None:
    deadline = time.monotonic() + 60
    while True:
        try:
            with urllib.request.urlopen(address, timeout=2):  # noqa: S310
                return
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.1)


def _walk(browser, address: str) -> Iterator[View]:  # type: ignore[no-untyped-def]
    sent, last = [0], [0.0]

    def listen(page) -> None:  # type: ignore[no-untyped-def]
        page.on("websocket", lambda ws: ws.on("framereceived", count))

    def count(frame) -> None:  # type: ignore[no-untyped-def]
        sent[0] += len(frame)
        last[0] = time.monotonic()

    def done(page, name: str, start: float) -> View:  # type: ignore[no-untyped-def]
        # The server has shown all when it has sent the last of it.
        seen = View(name, last[0] - start, sent[0])
        sent[0] = 0
        return seen

    def first(page, path: str, heading: str) -> float:  # type: ignore[no-untyped-def]
        start = time.monotonic()
        page.goto(f"{address}/{path}")
        page.get_by_role("heading", name=heading).wait_for(timeout=120_000)
        page.wait_for_selector(_IDLE, timeout=120_000)
        return start

    page = browser.new_page()
    listen(page)
    # Loads the app itself, as any visit to any data does, on the smallest sample.
    first(page, "?data=examples", "How good is it")
    sent[0] = 0
    page.close()
    page = browser.new_page()
    listen(page)
    start = time.monotonic()
    page.goto(f"{address}/pages")
    page.get_by_role("heading", name="Which page first").wait_for(timeout=120_000)
    first_paint = time.monotonic() - start
    page.wait_for_selector(_IDLE, timeout=120_000)
    yield View("Pages, first paint of the first visit", first_paint, 0)
    yield done(page, "Pages, the first visit in full", start)
    steps = (
        ("Pages, sort by CER", lambda: _choose(page, "Sort by", "CER")),
        ("Pages, smallest first", lambda: page.get_by_text("smallest first").click()),
        ("Pages, search by name", lambda: _type(page, "Page name contains", "0123")),
        ("Pages, filter by words", lambda: _type(page, "Words at least", "120")),
        ("Pages, the second part", lambda: _type(page, "Part of", "2")),
    )
    for name, step in steps:
        start = time.monotonic()
        step()
        page.wait_for_timeout(1500)
        page.wait_for_selector(_IDLE, timeout=120_000)
        page.wait_for_timeout(500)
        yield done(page, name, start)
    for path in ("", "compare", "page"):
        page = browser.new_page()
        listen(page)
        name = path.capitalize() or "Overview"
        start = time.monotonic()
        page.goto(f"{address}/{path}")
        page.locator("h1").first.wait_for(timeout=120_000)
        yield View(f"{name}, first paint", time.monotonic() - start, 0)
        page.wait_for_selector(_IDLE, timeout=300_000)
        yield done(page, f"{name}, the first visit in full", start)
        page.close()


def _choose(page, label: str, option: str) -> None:  # type: ignore[no-untyped-def]
    page.get_by_label(label).first.click()
    page.get_by_role("option", name=option, exact=True).click()


def _type(page, label: str, text: str) -> None:  # type: ignore[no-untyped-def]
    box = page.get_by_label(label).first
    box.fill(text)
    box.press("Enter")
