"""How fast the matching and the whole-page scorer are, beside other ways to the same figures.

    python -m benchmarks.bench            all sizes; writes docs/dev/performance.md and .svg
    python -m benchmarks.bench --quick    up to 700 words, only printed

Each figure comes from a process of its own (``measure.py``); all of them from one run. The program
that the authors published is measured where HTREVAL_PUBLISHED names its folder (``published.py``),
the reading of real PAGE and ALTO files where HTREVAL_FILES names one.
"""

import argparse
import json
import math
import os
import platform
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from benchmarks import published, reading
from benchmarks.chart import log_chart, seconds_text
from benchmarks.document import DOCS, put

HERE = Path(__file__).parent
SIZES = (70, 250, 500, 700, 2_000, 5_000, 10_000, 20_000)
QUICK_SIZES = (70, 250, 500, 700)
ORDERS = ("in order", "line swaps", "two columns", "shuffled")
USUAL_ORDER = "line swaps"
MATCHINGS = ("htreval", "plain rectangle", "(|X|+|Y|)² dense", "authors' method")
PAGES = ("htreval page", "authors' page", "jiwer")
PATIENCE = 60.0
"""A rival that is expected to need more seconds than this is not run."""
MEMORY = 6_000.0
"""Nor one that is expected to need more megabytes."""


@dataclass(frozen=True)
class Found:
    """Median seconds and extra memory of one case."""

    seconds: float
    extra_mb: float


Table = dict[tuple[str, int], Found]


def ask(*case: object) -> dict[str, float]:
    """Measure one case in a new process."""
    command = [sys.executable, str(HERE / "measure.py"), *map(str, case)]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    if answer.returncode:
        raise SystemExit(f"{' '.join(map(str, case))} failed:\n{answer.stderr}")
    found: dict[str, float] = json.loads(answer.stdout)
    return found


def ask_time(method: str, n_words: int, order: str = USUAL_ORDER) -> Found:
    answer = ask(method, n_words, order)
    found = Found(answer["seconds"], answer["extra_mb"])
    note = f"{method:18} {n_words:6,} words  {order:12}"
    print(f"{note} {seconds_text(found.seconds):>9} {found.extra_mb:7.0f} MB", flush=True)
    return found


def expected(table: Table, method: str, n_words: int, sizes: Sequence[int]) -> Found:
    """What the next larger size will need, going by the last two; at least quadratic."""
    known = [n for n in sizes if (method, n) in table]
    if len(known) < 2:
        return Found(0.0, 0.0)
    before, last = table[method, known[-2]], table[method, known[-1]]
    steps = math.log(known[-1] / known[-2])
    power = max(2.0, min(3.0, math.log(last.seconds / before.seconds) / steps))
    growth = n_words / known[-1]
    return Found(last.seconds * growth**power, last.extra_mb * growth**2)


def fill(methods: Iterable[str], sizes: Sequence[int]) -> Table:
    """Measure every method at every size that it can bear."""
    table: Table = {}
    for n_words in sizes:
        for method in methods:
            guess = expected(table, method, n_words, sizes)
            ours = method.startswith("htreval")
            if ours or (guess.seconds <= PATIENCE and guess.extra_mb <= MEMORY):
                table[method, n_words] = ask_time(method, n_words)
            else:
                print(f"{method:18} {n_words:6,} words  not run", flush=True)
    return table


def against_published(table: Table) -> list[str]:
    """How many times longer the published program takes, as a table."""
    program = published.program_at(os.environ.get("HTREVAL_PUBLISHED"))
    if program is None:
        print("THE PUBLISHED PROGRAM IS NOT MEASURED: name its folder in HTREVAL_PUBLISHED")
        return ["Not run: it takes the program and the fastwer that it needs."]
    lines = [
        "| words | htreval page | htreval, whole run | published, whole run | page | whole run |",
        "|--:|--:|--:|--:|--:|--:|",
    ]
    for n_words in published.SIZES:
        page = table[PAGES[0], n_words].seconds
        found = published.compare_runs(program, n_words)
        times = map(seconds_text, (page, found.ours, found.published))
        ratios = f"{found.published / page:.1f}× | {found.ratio:.1f}×"
        lines.append(f"| {n_words} | {' | '.join(times)} | {ratios} |")
        print(lines[-1], flush=True)
    return lines


def read_files() -> list[tuple[str, float, float]]:
    """How many times longer files take to be read than to be parsed, by the kind of files."""
    folder = os.environ.get("HTREVAL_FILES")
    if not folder:
        print("THE READING OF REAL FILES IS NOT MEASURED: name a folder in HTREVAL_FILES")
    return [(name, *ratios) for name, _, _, *ratios in reading.measure([folder] if folder else [])]


def cell(table: Table, method: str, n_words: int) -> str:
    found = table.get((method, n_words))
    if found is None:
        return "not run"
    memory = f", {found.extra_mb:,.0f} MB" if found.extra_mb >= 20 else ""
    return seconds_text(found.seconds) + memory


def time_table(table: Table, methods: Sequence[str], sizes: Sequence[int]) -> list[str]:
    """Times with memory, and how many times longer than the first method each one takes."""
    heads = [name.replace("|", "\\|") for name in methods]
    ratios = [f"{head} ÷ {heads[0]}" for head in heads[1:]]
    lines = ["| words | " + " | ".join([*heads, *ratios]) + " |"]
    lines.append("|--:" * (1 + len(heads) + len(ratios)) + "|")
    for n_words in sizes:
        cells = [cell(table, method, n_words) for method in methods]
        own = table[methods[0], n_words].seconds
        for method in methods[1:]:
            found = table.get((method, n_words))
            cells.append(f"{found.seconds / own:.1f}×" if found else "–")
        lines.append(f"| {n_words:,} | " + " | ".join(cells) + " |")
    return lines


def machine() -> str:
    """The processor, its cores, and the versions of what the figures depend on."""
    cpu = platform.processor() or platform.machine()
    with_names = Path("/proc/cpuinfo")
    if with_names.exists():
        names = [line for line in with_names.read_text().splitlines() if "model name" in line]
        cpu = names[0].split(":")[1].strip() if names else cpu
    packages = ", ".join(
        f"{name} {version(name)}" for name in ("numpy", "scipy", "rapidfuzz", "jiwer")
    )
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return f"{cpu}, {os.cpu_count()} cores; {python}, {packages}"


def by_order(sizes: Sequence[int]) -> list[str]:
    """The matching alone under each kind of reading order."""
    lines = ["| words | " + " | ".join(ORDERS) + " |", "|--:" * (1 + len(ORDERS)) + "|"]
    for n_words in sizes:
        times = [seconds_text(ask_time("htreval", n_words, order).seconds) for order in ORDERS]
        lines.append(f"| {n_words:,} | " + " | ".join(times) + " |")
    return lines


def throughput() -> list[str]:
    """Pages per second over a dataset."""
    lines = ["| processes | seconds | pages/s |", "|--:|--:|--:|"]
    for n_processes in (1, 2):
        answer = ask("dataset", n_processes, USUAL_ORDER)
        rate = answer["pages_per_second"]
        print(f"dataset, {n_processes} processes: {rate:.0f} pages/s", flush=True)
        lines.append(f"| {n_processes} | {answer['seconds']:.1f} | {rate:.0f} |")
    return lines


def report(quick: bool) -> tuple[dict[str, str], str]:
    """The figures of the document by their marks, and the chart."""
    start = time.perf_counter()
    sizes = QUICK_SIZES if quick else SIZES
    table = fill(MATCHINGS, sizes)
    table |= fill(PAGES, sizes)
    orders = by_order(sizes[1:2] if quick else (250, 2_000, 10_000))
    five_words = None if quick else ask_time("five words", 5_000)
    pages = [] if quick else throughput()
    published_lines = against_published(table)
    files = read_files()
    lines = {
        method: [(n, table[method, n].seconds) for n in sizes if (method, n) in table]
        for method in MATCHINGS
    }
    times = {
        "machine": f"{machine()}; {(time.perf_counter() - start) / 60:.0f} minutes",
        "matching": "\n".join(time_table(table, MATCHINGS, sizes)),
        "by order": "\n".join(orders),
        "five words": seconds_text(five_words.seconds) if five_words else "not run",
        "whole page": "\n".join(time_table(table, PAGES, sizes)),
        "published": "\n".join(published_lines),
        "reading": "\n".join(["| files | whole | to be scored |", "|---|--:|--:|",
                              *(f"| {name} | {a:.2f}× | {b:.2f}× |" for name, a, b in files)]),
        "dataset": "\n".join(pages) or "Not run.",
    }  # fmt: skip
    return times, log_chart("Matching one page: time against words", lines, sizes)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("--quick", action="store_true", help="small sizes only, nothing written")
    quick: bool = parser.parse_args().quick
    found, chart = report(quick)
    for mark, figures in found.items():
        print(f"\n{mark}\n\n{figures}")
        if not quick:
            put("dev/performance.md", mark, f"\n{figures}\n")
    if not quick:
        (DOCS / "dev" / "performance.svg").write_text(chart, encoding="utf-8")


if __name__ == "__main__":
    main()
