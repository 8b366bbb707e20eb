"""Take the screenshots that the documentation shows: ``make screenshots``."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

import htreval_core as hv
from htreval_core.show.html import report_html
from tests.browser.conftest import IDLE, find_chromium

ROOT = Path(__file__).parent.parent
IMAGES = ROOT / "docs" / "images"
SHOTS = {
    "overview.png": ("", "light", 800),
    "page.png": ("page?data=berlin&page=plague-advice&system=tesseract-auto", "light", 800),
    "compare.png": (
        "compare?data=berlin&page=plague-advice&system=tesseract-default-model&other=tesseract-auto",
        "light",
        1000,
    ),
    "page-dark.png": ("page?data=letterbook&system=reads-across&page=LB02", "dark", 800),
}


def main() -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    app = subprocess.Popen(
        [sys.executable, "-m", "htreval_core.cli", "app", "--no-browser", "--port", str(port)]
    )
    try:
        _wait(f"{address}/_stcore/health")
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=find_chromium(), args=["--no-sandbox", "--disable-gpu"]
            )
            for name, (path, scheme, height) in SHOTS.items():
                context = browser.new_context(
                    viewport={"width": 1280, "height": height}, color_scheme=scheme
                )
                tab = context.new_page()
                tab.goto(f"{address}/{path}")
                tab.wait_for_selector(IDLE, timeout=30_000)
                # What is still being drawn is a grey box.
                tab.wait_for_selector('[data-testid="stSkeleton"]', state="detached")
                tab.wait_for_timeout(1500)
                tab.screenshot(path=IMAGES / name)
                context.close()
            _take_report(browser)
            browser.close()
    finally:
        app.terminate()
        app.wait()


def _take_report(browser: Browser) -> None:
    """The report of the letter-book."""
    data = hv.pair_path(ROOT / "sample_data" / "letterbook")
    content = report_html(hv.score(data), title=data.name)
    tab = browser.new_page(viewport={"width": 1280, "height": 900})
    tab.set_content(content)
    tab.screenshot(path=IMAGES / "report.png")
    tab.close()


def _wait(url: str) -> None:
    for _ in range(150):
        try:
            with urllib.request.urlopen(url, timeout=2):  # noqa: S310
                return
        except OSError:
            time.sleep(0.2)
    raise SystemExit("the app did not start")


if __name__ == "__main__":
    main()
