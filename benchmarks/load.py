"""Twenty people at once on one server: how long they wait, what they see, what they leave behind.

Every session uploads pages whose words carry its own name, scores them, and then goes from view to
view and from page to page, all at the same time. Meanwhile another one uploads so much that its
scoring waits in the queue. Measured are the seconds from a click until the script behind the page
has run, the memory of the server before, with all of them, and after all have left, and whether
anybody was ever sent a word of somebody else.

Twice: with visitors who speak to the server as browsers do but draw nothing, and with as many
windows of Chromium, which then share the machine with the server. ``--write`` puts the figures
into docs/dev/promises.md.
"""

import argparse
import asyncio
import io
import os
import random
import re
import statistics
import sys
import time
import zipfile
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))
from playwright.async_api import Browser, Page, async_playwright  # noqa: E402

from benchmarks.document import put  # noqa: E402
from benchmarks.server import memory, served  # noqa: E402
from benchmarks.visitor import Visitor  # noqa: E402
from tests.browser.conftest import FLAGS, IDLE, find_chromium  # noqa: E402

VIEWS = {"Page": "page", "Compare": "compare", "Errors": "errors", "Overview": ""}
PAUSE = 8.0
"""Seconds that a person looks at a view, at the mean, before the next move."""
PAGES, HEAVY = 10, 1500
"""Pages of an upload, and of the one that is heavy; 200 words each, read by two systems."""
FIELD = "A zip archive, or files"
"""The label of the field for it."""
LONG, EARLY = 300, 50
"""Moves of one session that stays, and the first and last of them that are compared."""


@dataclass
class Seen:
    """What was measured and noticed by all sessions."""

    moves: list[float] = field(default_factory=list)
    uploads: list[float] = field(default_factory=list)
    strangers: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    checked: int = 0
    heavy: float = float("nan")
    """Seconds from the heavy upload to its figures."""

    def look(self, number: int, text: str) -> None:
        """Whose names a session was shown."""
        names = set(re.findall(r"own(\d\d)x|\bs(\d\d)-\d|\bs(\d\d)\.zip", text))
        found = {part for match in names for part in match if part}
        self.checked += f"{number:02}" in found
        self.strangers += [f"{number:02} saw {other}" for other in found if other != f"{number:02}"]


def archive(number: int, n_pages: int) -> bytes:
    """Pages whose every word carries the number of its session."""
    rng = random.Random(number)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as out:
        for page in range(n_pages):
            words = [f"own{number:02}x{rng.randrange(99)}" for _ in range(200)]
            lines = [" ".join(words[at : at + 10]) for at in range(0, 200, 10)]
            out.writestr(f"reference/s{number:02}-{page}.txt", "\n".join(lines))
            for system in ("system", "other"):
                rng.shuffle(lines)
                out.writestr(f"{system}/s{number:02}-{page}.txt", "\n".join(lines))
    return packed.getvalue()


@dataclass
class Found:
    """What one round found. Memory in megabytes; ``cpu`` in seconds, of the server alone."""

    seen: Seen
    before: float
    most: float
    after: float
    cpu: float


async def settled(tab: Page) -> None:
    """Until the script behind the page has run."""
    await tab.wait_for_timeout(50)
    await tab.wait_for_selector(IDLE, timeout=120_000)


async def pause(rng: random.Random) -> None:
    await asyncio.sleep(rng.uniform(0.5, 1.5) * PAUSE)


async def window(browser: Browser, address: str, number: int, moves: int, seen: Seen) -> None:
    """One session in a window of Chromium, from its upload to its end."""
    rng = random.Random(1000 + number)
    context = await browser.new_context(viewport={"width": 1280, "height": 900})
    try:
        tab = await context.new_page()
        await tab.goto(f"{address}/data")
        await settled(tab)
        start = time.monotonic()
        await tab.get_by_role("tab", name="All in one").click()
        await tab.locator('.st-key-upload_files input[type="file"]').set_input_files(
            {"name": f"s{number:02}.zip", "mimeType": "application/zip",
             "buffer": archive(number, PAGES)}
        )  # fmt: skip
        await tab.get_by_role("button", name="Score these pages").click(timeout=120_000)
        await tab.locator("table.systems").wait_for(timeout=120_000)
        await settled(tab)
        seen.uploads.append(time.monotonic() - start)
        for step in range(moves):
            await pause(rng)
            name = list(VIEWS)[step % len(VIEWS)]
            start = time.monotonic()
            await tab.get_by_role("link", name=name, exact=True).click()
            await tab.wait_for_url(re.compile(r"/\?|/$|/" + name.lower()), timeout=120_000)
            await settled(tab)
            seen.moves.append(time.monotonic() - start)
            seen.look(number, await tab.locator("body").inner_text())
    except Exception as error:
        seen.problems.append(f"session {number}: {type(error).__name__}: {str(error)[:200]}")
    finally:
        await context.close()


async def visitor(address: str, number: int, moves: int, seen: Seen) -> None:
    """One session without a browser, from its upload to its end."""
    rng = random.Random(1000 + number)
    try:
        await pause(rng)
        async with Visitor(address) as guest:
            await guest.move("data")
            start = time.monotonic()
            await guest.upload(FIELD, f"s{number:02}.zip", archive(number, PAGES))
            await guest.press("Score these pages")
            seen.uploads.append(time.monotonic() - start)
            for step in range(moves):
                await pause(rng)
                start = time.monotonic()
                await guest.move(list(VIEWS.values())[step % len(VIEWS)])
                seen.moves.append(time.monotonic() - start)
                seen.look(number, guest.text)
    except Exception as error:
        seen.problems.append(f"session {number}: {type(error).__name__}: {str(error)[:200]}")


async def heavy(address: str, seen: Seen) -> None:
    """One session whose pages are scored in the queue."""
    async with Visitor(address) as guest:
        await guest.move("data")
        start = time.monotonic()
        await guest.upload(FIELD, "s98.zip", archive(98, HEAVY))
        await guest.press("Score these pages")
        while "Cancel" in guest.widgets:
            await asyncio.sleep(1)
            await guest.move("")
        seen.heavy = time.monotonic() - start


@dataclass
class Stayed:
    """One session that stays long: seconds of its moves, and megabytes early and late."""

    moves: list[float]
    early: float
    late: float


async def long_session(address: str, pid: int) -> Stayed:
    """One session that goes from view to view without a pause."""
    moves: list[float] = []
    early = 0.0
    async with Visitor(address) as guest:
        await guest.move("data")
        await guest.upload(FIELD, "s97.zip", archive(97, PAGES))
        await guest.press("Score these pages")
        for step in range(LONG):
            start = time.monotonic()
            await guest.move(list(VIEWS.values())[step % len(VIEWS)])
            moves.append(time.monotonic() - start)
            if step == EARLY:
                early = memory(pid)
        return Stayed(moves, early, memory(pid))


async def with_visitors(address: str, pid: int, sessions: int, moves: int) -> Found:
    # What is loaded with the first visitor is no part of what the others leave behind.
    warm = Seen()
    await visitor(address, 99, 4, warm)
    if warm.problems:
        sys.exit("the first visitor failed:\n" + "\n".join(warm.problems))
    seen = Seen()
    before = memory(pid)
    used = cpu(pid)
    people = [visitor(address, number, moves, seen) for number in range(sessions)]
    most = await watched(asyncio.gather(heavy(address, seen), *people), pid)
    used = cpu(pid) - used
    return Found(seen, before, most, await left_over(pid, before), used)


async def with_windows(address: str, pid: int, sessions: int, moves: int) -> Found:
    seen = Seen()
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)
        await window(browser, address, 99, 4, Seen())
        before = memory(pid)
        used = cpu(pid)
        people = [window(browser, address, number, moves, seen) for number in range(sessions)]
        most = await watched(asyncio.gather(heavy(address, seen), *people), pid)
        used = cpu(pid) - used
        await browser.close()
    return Found(seen, before, most, await left_over(pid, before), used)


async def watched(all_of_them: asyncio.Future[list[None]], pid: int) -> float:
    """The most memory while they are there."""
    most = memory(pid)
    while not all_of_them.done():
        await asyncio.wait([all_of_them], timeout=1)
        most = max(most, memory(pid))
    await all_of_them
    return most


def cpu(pid: int) -> float:
    """Seconds that a process has worked, its workers left out."""
    fields = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def left_over(pid: int, before: float) -> float:
    """The memory once Streamlit has dropped the sessions, which it keeps for two minutes."""
    deadline = time.monotonic() + 200
    while time.monotonic() < deadline and memory(pid) > 1.1 * before:
        await asyncio.sleep(5)
    return memory(pid)


def machine() -> str:
    """Cores and memory of this machine."""
    info = Path("/proc/meminfo").read_text("utf-8")
    gigabytes = int(re.search(r"MemTotal:\s+(\d+)", info)[1]) / 2**20  # type: ignore[index]
    return f"{os.cpu_count()} cores, {gigabytes:.0f} GB of memory, client and server both on it"


def column(found: Found, sessions: int) -> list[tuple[str, str]]:
    seen = found.seen
    if not seen.moves:
        sys.exit("nobody got as far as a move:\n" + "\n".join(seen.problems))
    moves = sorted(seen.moves)
    return [
        ("Sessions at once, each on its own upload", f"{sessions}"),
        ("Page moves", f"{len(moves)}"),
        ("Seconds for a move, median", f"{statistics.median(moves):.2f}"),
        ("Seconds for a move, 95th percentile", f"{moves[int(0.95 * (len(moves) - 1))]:.2f}"),
        (f"Seconds for an upload of {PAGES} pages and its scoring, median",
         f"{statistics.median(seen.uploads):.2f}"),
        (f"Seconds for the upload of {HEAVY:,} pages and its scoring", f"{seen.heavy:.0f}"),
        ("Seconds that the server worked, without its scoring processes", f"{found.cpu:.0f}"),
        ("Views that showed a session's own names", f"{seen.checked}"),
        ("Views that showed somebody else's", f"{len(seen.strangers)}"),
        ("Sessions that failed", f"{len(seen.problems)}"),
        ("Server memory before, after one visitor", f"{found.before:.0f} MB"),
        ("Server memory with all of them, at most", f"{found.most:.0f} MB"),
        ("Server memory after they left", f"{found.after:.0f} MB"),
    ]  # fmt: skip


def report(alone: Found, windows: Found | None, stayed: Stayed, sessions: int, load: float) -> str:
    columns = [column(found, sessions) for found in (alone, windows) if found]
    heads = ["Visitors that draw nothing", "Windows of Chromium"][: len(columns)]
    lines = [
        f"Machine: {machine()}; load average before {load:.1f}. A person looks {PAUSE:.0f} s at "
        f"a view, and one more uploads {HEAVY:,} pages of 200 words by two systems.",
        "",
        "| | " + " | ".join(heads) + " |",
        "|---|" + "---:|" * len(columns),
    ]
    for rows in zip(*columns, strict=True):
        lines.append(f"| {rows[0][0]} | " + " | ".join(value for _, value in rows) + " |")
    first, last = (
        statistics.median(part) for part in (stayed.moves[:EARLY], stayed.moves[-EARLY:])
    )
    lines += [
        "",
        f"On the same server then one session alone makes {LONG} moves without a pause. A move "
        f"takes {first:.2f} s at the median of the first {EARLY} and {last:.2f} s of the last; the "
        f"server holds {stayed.early:.0f} MB after {EARLY} and {stayed.late:.0f} MB at the end.",
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sessions", type=int, default=20)
    parser.add_argument("--moves", type=int, default=8)
    parser.add_argument("--no-windows", action="store_true", help="leave the browsers out")
    parser.add_argument("--write", action="store_true", help="put the figures into the document")
    options = parser.parse_args()
    load = os.getloadavg()[0]
    with served() as (address, pid):
        alone = asyncio.run(with_visitors(address, pid, options.sessions, options.moves))
        stayed = asyncio.run(long_session(address, pid))
    windows = None
    if not options.no_windows:
        with served() as (address, pid):
            windows = asyncio.run(with_windows(address, pid, options.sessions, options.moves))
    told = report(alone, windows, stayed, options.sessions, load)
    print(told)
    for found in filter(None, (alone, windows)):
        print(*found.seen.problems, *found.seen.strangers, sep="\n")
    if options.write:
        put("dev/promises.md", "load", f"\n{told}")


if __name__ == "__main__":
    main()
