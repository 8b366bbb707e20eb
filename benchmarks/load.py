"""Twenty people at once on one server: how long they wait, what they see, what they leave behind.

Every session is a browser context of its own. It uploads pages whose words carry its own name,
scores them, and then goes from view to view and from page to page, all at the same time. Measured
are the seconds from a click until the script behind the page has run, the memory of the server
before, with all of them, and after all have left, and whether anybody ever saw a word of somebody
else. ``--write`` puts the figures into docs/security.md.
"""

from __future__ import annotations

import argparse
import asyncio
import io
import os
import random
import re
import socket
import statistics
import subprocess
import sys
import time
import urllib.request
import zipfile
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))
from playwright.async_api import Browser, Page, async_playwright  # noqa: E402

from tests.browser.conftest import _FLAGS, IDLE, _chromium  # noqa: E402

DOCUMENT = ROOT / "docs" / "security.md"
BEGIN, END = "<!-- load: begin -->", "<!-- load: end -->"
VIEWS = ("Pages", "Page", "Errors", "Overview")
PAUSE = 8.0
"""Seconds that a person looks at a view, at the mean, before the next move."""


@dataclass
class Seen:
    """What was measured and noticed by all sessions."""

    moves: list[float] = field(default_factory=list)
    uploads: list[float] = field(default_factory=list)
    strangers: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    checked: int = 0


def archive(number: int, n_pages: int) -> bytes:
    """Pages whose every word carries the number of its session."""
    rng = random.Random(number)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as out:
        for page in range(n_pages):
            words = [f"own{number:02}x{rng.randrange(99)}" for _ in range(200)]
            lines = [" ".join(words[at : at + 10]) for at in range(0, 200, 10)]
            out.writestr(f"reference/s{number:02}-{page}.txt", "\n".join(lines))
            rng.shuffle(lines)
            out.writestr(f"system/s{number:02}-{page}.txt", "\n".join(lines))
    return packed.getvalue()


async def settled(tab: Page) -> None:
    """Until the script behind the page has run."""
    await tab.wait_for_timeout(50)
    await tab.wait_for_selector(IDLE, timeout=120_000)


async def person(browser: Browser, address: str, number: int, moves: int, seen: Seen) -> None:
    """One session from its upload to its end."""
    rng = random.Random(1000 + number)
    context = await browser.new_context(viewport={"width": 1280, "height": 900})
    try:
        tab = await context.new_page()
        await tab.goto(f"{address}/data")
        await settled(tab)
        start = time.monotonic()
        await tab.locator('[data-testid="stMain"] input[type="file"]').nth(1).set_input_files(
            {"name": f"s{number:02}.zip", "mimeType": "application/zip",
             "buffer": archive(number, 4)}
        )  # fmt: skip
        await tab.get_by_role("button", name="Score these pages").click(timeout=120_000)
        await tab.get_by_text("How good is it").wait_for(timeout=120_000)
        await settled(tab)
        seen.uploads.append(time.monotonic() - start)
        for step in range(moves):
            await asyncio.sleep(rng.uniform(0.5, 1.5) * PAUSE)
            view = VIEWS[step % len(VIEWS)]
            start = time.monotonic()
            await tab.get_by_role("link", name=view, exact=True).click()
            await tab.wait_for_url(re.compile(r"/\?|/$|/" + view.lower()), timeout=120_000)
            await settled(tab)
            seen.moves.append(time.monotonic() - start)
            text = await tab.locator("body").inner_text()
            names = set(re.findall(r"own(\d\d)x|\bs(\d\d)-\d|\bs(\d\d)\.zip", text))
            found = {part for match in names for part in match if part}
            seen.checked += bool(found)
            seen.strangers += [f"{number:02} saw {other}" for other in found
                               if other != f"{number:02}"]  # fmt: skip
    except Exception as error:
        seen.problems.append(f"session {number}: {type(error).__name__}: {str(error)[:200]}")
    finally:
        await context.close()


def memory(pid: int) -> float:
    """Resident megabytes of a process."""
    text = Path(f"/proc/{pid}/status").read_text("utf-8")
    return int(re.search(r"VmRSS:\s+(\d+)", text)[1]) / 1024  # type: ignore[index]


async def measure(address: str, pid: int, sessions: int, moves: int) -> dict[str, object]:
    seen = Seen()
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=_chromium(), args=_FLAGS)
        # What is loaded with the first visitor is no part of what the others leave behind.
        await person(browser, address, 99, 4, Seen())
        await asyncio.sleep(5)
        before = memory(pid)
        people = [person(browser, address, n, moves, seen) for n in range(sessions)]
        all_of_them = asyncio.gather(*people)
        most = before
        while not all_of_them.done():
            await asyncio.wait([all_of_them], timeout=1)
            most = max(most, memory(pid))
        await browser.close()
    after = await left_over(pid, before)
    return {"seen": seen, "before": before, "most": most, "after": after}


async def left_over(pid: int, before: float) -> float:
    """The memory once Streamlit has dropped the sessions, which it keeps for two minutes."""
    deadline = time.monotonic() + 150
    while time.monotonic() < deadline and memory(pid) > 1.2 * before:
        await asyncio.sleep(5)
    return memory(pid)


def machine() -> str:
    """Cores and memory of this machine."""
    info = Path("/proc/meminfo").read_text("utf-8")
    gigabytes = int(re.search(r"MemTotal:\s+(\d+)", info)[1]) / 2**20  # type: ignore[index]
    return f"{os.cpu_count()} cores, {gigabytes:.0f} GB of memory, browser and server both on it"


def report(found: dict[str, object], sessions: int) -> str:
    seen = found["seen"]
    assert isinstance(seen, Seen)
    moves = sorted(seen.moves)
    rows = [
        ("Sessions at once, each on its own upload", f"{sessions}"),
        ("Page moves", f"{len(moves)}"),
        ("Seconds for a move, median", f"{statistics.median(moves):.2f}"),
        ("Seconds for a move, 95th percentile", f"{moves[int(0.95 * (len(moves) - 1))]:.2f}"),
        ("Seconds for an upload and its scoring, median",
         f"{statistics.median(seen.uploads):.2f}"),
        ("Views that showed a session's own names", f"{seen.checked}"),
        ("Views that showed somebody else's", f"{len(seen.strangers)}"),
        ("Sessions that failed", f"{len(seen.problems)}"),
        ("Server memory before, after one visitor", f"{found['before']:.0f} MB"),
        ("Server memory with all of them, at most", f"{found['most']:.0f} MB"),
        ("Server memory after they left", f"{found['after']:.0f} MB"),
    ]  # fmt: skip
    load = os.getloadavg()[1]
    lines = [f"Machine: {machine()}; it had other work, too (load average {load:.1f} over five "
             f"minutes). A person looks {PAUSE:.0f} s at a view.",
             "", "| | |", "|---|---:|"]  # fmt: skip
    return "\n".join([*lines, *(f"| {name} | {value} |" for name, value in rows)]) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sessions", type=int, default=20)
    parser.add_argument("--moves", type=int, default=8)
    parser.add_argument("--write", action="store_true", help="put the figures into the document")
    options = parser.parse_args()
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "htreval_core.cli", "app", "--no-browser", "--port", str(port)]
    server = subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        address = f"http://127.0.0.1:{port}"
        for _ in range(200):
            try:
                urllib.request.urlopen(f"{address}/_stcore/health", timeout=2)  # noqa: S310
                break
            except OSError:
                time.sleep(0.3)
        found = asyncio.run(measure(address, server.pid, options.sessions, options.moves))
    finally:
        server.terminate()
        server.wait(20)
    told = report(found, options.sessions)
    seen = found["seen"]
    assert isinstance(seen, Seen)
    print(told, *seen.problems, *seen.strangers, sep="\n")
    if options.write:
        text = DOCUMENT.read_text("utf-8")
        head, rest = text.split(BEGIN)
        DOCUMENT.write_text(f"{head}{BEGIN}\n{told}{END}{rest.split(END)[1]}", "utf-8")


if __name__ == "__main__":
    main()
