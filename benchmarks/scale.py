"""Runs of many pages: how fast, in how much memory, how large on disk, and what the app makes of
a million rows.

    python -m benchmarks.scale --write              puts the figures into docs/dev/performance.md
    python -m benchmarks.scale --sizes 1000 10000   smaller

Made pages of 120 words (``generate.py``) in a folder ``reference`` beside a folder ``made``, scored
by ``htreval score … --output NAME.htreval`` as anybody would. Memory is the parent's peak resident
size as Linux tells it.
"""

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from itertools import islice
from pathlib import Path
from threading import Thread

import numpy as np

import htreval_core as hv
from benchmarks.document import put
from benchmarks.generate import ORDERS, as_text, made_page
from benchmarks.scale_app import AppFigures, measure_app
from benchmarks.server import memory
from htreval_core.sources.dataset import StoredPages
from htreval_core.sources.reading import read_pairing
from htreval_core.sources.recognise import find_pairs

ROOT = Path(__file__).parent.parent
WORDS = 120
COMMAND = [sys.executable, "-m", "htreval_core.cli"]
_DISTINCT = 5000


@dataclass(frozen=True)
class Run:
    """One scoring."""

    pages: int
    how: str
    seconds: float
    first_sign: float
    """Seconds to the first line that tells of the pages."""
    scoring: float
    """Pages a second as its own progress line told at the end."""
    memory: int
    counts: int
    texts: int

    @property
    def speed(self) -> float:
        return self.pages / self.seconds


def make_folder(folder: Path, n: int) -> Path:
    """Pages 0 to n − 1; those that are there already stay."""
    for number in range(n):
        part = f"{number // 1000:03d}"
        files = [folder / side / part / f"{number:06d}.txt" for side in ("reference", "made")]
        if files[1].exists():
            continue
        for file, words in zip(files, made_page(WORDS, ORDERS[number % 3], seed=number),
                               strict=True):  # fmt: skip
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(as_text(words) + "\n", encoding="utf-8")
    return folder


def peak(pid: int) -> int:
    """The peak resident size of a process so far, in bytes."""
    return round(2**20 * memory(pid, "VmHWM"))


def run(folder: Path, n: int, bundle: Path, how: str, *options: str) -> Run:
    """Score a folder of n pages once; what was measured stays beside the bundle."""
    kept = bundle.with_suffix(".json")
    if kept.exists():
        return Run(**json.loads(kept.read_text("utf-8")))
    if bundle.exists():
        shutil.rmtree(bundle)
    command = [*COMMAND, "score", str(folder), "--output", str(bundle), *options]
    start = time.monotonic()
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, cwd=ROOT
    )
    lines: list[tuple[float, str]] = []

    def listen() -> None:
        for line in process.stderr:
            lines.append((time.monotonic() - start, line))

    listener = Thread(target=listen)
    listener.start()
    memory = 0
    while process.poll() is None:
        memory = max(memory, peak(process.pid))
        time.sleep(0.02)
    seconds = time.monotonic() - start
    listener.join()
    told = "".join(line for _, line in lines)
    assert process.returncode == 0, told
    first = next(at for at, line in lines if f"/{n} pages" in line)
    speed = float(re.findall(r"(\d+) pages/s", told)[-1])
    sizes = [(bundle / name).stat().st_size for name in ("pages.parquet", "texts.parquet")]
    measured = Run(n, how, seconds, first, speed, memory, *sizes)
    kept.write_text(json.dumps(asdict(measured)), encoding="utf-8")
    return measured


class Repeated(StoredPages):
    """The first pages of a study again and again under new names.

    Args:
        n: how many pages to make of them.
        outputs: by the name of each system here that of the system there.
    """

    def __init__(self, study: hv.Study, n: int, outputs: Mapping[str, str], distinct: int) -> None:
        self.page_ids = [f"page-{number:07d}" for number in range(n)]
        self._outputs = outputs
        self._pages = list(islice(study.dataset.pages, distinct))

    def page_at(self, place: int) -> hv.Page:
        page = self._pages[place % len(self._pages)]
        outputs = {here: page.hypotheses[there] for here, there in self._outputs.items()}
        return hv.Page(self.page_ids[place], page.reference, outputs)


def make_million(path: Path, source: Path, n_pages: int) -> Path:
    """A bundle of two systems whose pages repeat those of another bundle under new names."""
    made = hv.open_run(source)
    pages = Repeated(made, n_pages, {"alpha": "made", "beta": "made"}, _DISTINCT)
    table = made.scores["made"][:_DISTINCT]
    names = np.array(pages.page_ids, dtype=object)
    numbers = np.arange(n_pages)
    scores = {
        system: replace(table.take(rows % len(table)), system=system, page_ids=names)
        for system, rows in (("alpha", numbers), ("beta", 7 * numbers + 3))
    }
    dataset = hv.Dataset("million", pages, tuple(scores))
    return hv.save_run(hv.Study(dataset, made.settings, scores), path)


def where_time_goes(folder: Path, n: int, bundle: Path) -> Iterator[str]:
    """Seconds of the parts of a run in one process, each measured alone."""
    clock = [time.monotonic()]

    def lap() -> float:
        clock.append(time.monotonic())
        return clock[-1] - clock[-2]

    pairing = find_pairs(folder)
    parts = {"listing and pairing files": lap()}
    dataset = read_pairing(pairing)
    parts["reading and digesting files"] = lap()
    study = hv.score(dataset)
    parts["scoring"] = lap()
    hv.save_run(study, bundle)
    parts["digests of texts, and writing"] = lap()
    total = sum(parts.values())
    yield f"Where the time goes, {n:,} pages in one process:"
    yield ""
    yield "| part | share | a page |"
    yield "|---|--:|--:|"
    for name, seconds in parts.items():
        yield f"| {name} | {100 * seconds / total:.0f} % | {1e6 * seconds / n:.0f} µs |"
    yield ""


def report(
    runs: list[Run], growth: list[Run], opened: tuple[int, float, int] | None,
    app: AppFigures | None, million_size: int,
) -> Iterator[str]:  # fmt: skip
    yield f"One command, made pages of {WORDS} words, one system. Pages/s is over the whole"
    yield "command, from the listing of files to the finished bundle; in brackets while scoring."
    yield ""
    yield f"| {runs[0].pages:,} pages with | s | pages/s | first sign after |"
    yield "|---|--:|--:|--:|"
    for one in runs:
        yield (
            f"| {one.how} | {one.seconds:.1f} | {one.speed:.0f} ({one.scoring:.0f}) | "
            f"{one.first_sign:.2f} s |"
        )
    yield ""
    yield f"Growth, with {growth[0].how}:"
    yield ""
    yield "| pages | s | pages/s | parent's memory | counts | texts |"
    yield "|--:|--:|--:|--:|--:|--:|"
    for one in growth:
        yield (
            f"| {one.pages:,} | {one.seconds:.1f} | {one.speed:.0f} | {one.memory / 1e6:.0f} MB | "
            f"{one.counts / 1e6:.1f} MB | {one.texts / 1e6:.1f} MB |"
        )
    yield ""
    if opened:
        rows, seconds, memory = opened
        yield f"A bundle of {rows:,} rows opens in {seconds:.1f} s, in a process of"
        yield f"{memory / 1e6:.0f} MB; its counts take {million_size / 1e6:.0f} MB on disk."
        yield ""
    if app:
        yield from app.lines()
        yield ""
    yield from plan(growth)


def plan(growth: list[Run]) -> Iterator[str]:
    """Past one machine, on paper."""
    most, fewer = growth[-1], growth[-2]
    cores = 2
    pages, extra = most.pages - fewer.pages, most.seconds - fewer.seconds
    core_seconds = cores * extra / pages
    per_million = 1e6 * core_seconds / 3600
    texts, counts = most.texts / most.pages, most.counts / most.pages
    memory = (most.memory - fewer.memory) / pages
    hundred = 1e8
    yield "### Past one machine, on paper"
    yield ""
    yield f"From the step between {fewer.pages:,} and {most.pages:,} pages, if all stays in"
    yield "proportion; nothing of this was run."
    yield ""
    yield "| | a million pages | 100 million pages |"
    yield "|---|--:|--:|"
    yield f"| core-hours | {per_million:.2f} | {100 * per_million:.0f} |"
    yield f"| hours on 64 cores | {per_million / 64:.3f} | {100 * per_million / 64:.1f} |"
    yield f"| counts on disk | {counts / 1e3:.2f} GB | {counts * 100 / 1e3:.0f} GB |"
    yield f"| texts on disk | {texts / 1e3:.1f} GB | {texts * 100 / 1e3:.0f} GB |"
    yield (
        f"| parent's memory | {(most.memory + memory * (1e6 - most.pages)) / 1e9:.1f} GB | "
        f"{(most.memory + memory * (hundred - most.pages)) / 1e9:.0f} GB |"
    )
    yield ""
    yield "Money is core-hours times what an hour of a core costs you."


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--sizes", nargs="+", type=int, default=(1_000, 10_000, 100_000))
    parser.add_argument("--rows", type=int, default=1_000_000, help="Of the bundle in the app")
    parser.add_argument(
        "--work",
        type=Path,
        help="Where all is made and kept: what was measured there already is not measured again",
    )
    parser.add_argument("--write", action="store_true", help="put the report into the docs")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        lines = list(measure(arguments.work or Path(temporary), arguments.sizes, arguments.rows))
    print("\n".join(lines))
    if arguments.write:
        put("dev/performance.md", "scale", "\n" + "\n".join(lines) + "\n")


def measure(work: Path, sizes: list[int], rows: int) -> Iterator[str]:
    folders = {n: make_folder(work / f"pages-{n}", n) for n in sizes}
    middle = sizes[len(sizes) // 2]

    def fresh(name: str) -> Path:
        return work / f"{name}.htreval"

    runs = [
        run(folders[middle], middle, fresh("one"), "1 process", "--jobs", "1"),
        run(folders[middle], middle, fresh("two"), "2 processes", "--jobs", "2"),
    ]
    growth = [run(folders[n], n, fresh(f"grown-{n}"), "2 processes", "--jobs", "2") for n in sizes]
    opened, app, size = None, None, 0
    if rows:
        bundle = work / "million.htreval"
        if not (bundle / "manifest.json").exists():
            make_million(bundle, work / f"grown-{middle}.htreval", rows // 2)
        size = (bundle / "pages.parquet").stat().st_size
        opened = _opened(bundle, rows)
        app = measure_app(bundle)
    yield from report(runs, growth, opened, app, size)
    yield ""
    shutil.rmtree(work / "parts.htreval", ignore_errors=True)
    yield from where_time_goes(folders[sizes[0]], sizes[0], fresh("parts"))


def _opened(bundle: Path, rows: int) -> tuple[int, float, int]:
    """Seconds to open a bundle and the memory of the process that did."""
    code = (
        "import sys, time; from htreval_core import open_run; t = time.monotonic(); "
        "run = open_run(sys.argv[1]); print(time.monotonic() - t); "
        "print(open('/proc/self/status').read())"
    )
    told = subprocess.run(
        [sys.executable, "-c", code, str(bundle)], check=True, capture_output=True, text=True
    ).stdout
    found = re.search(r"VmHWM:\s+(\d+) kB", told)
    return rows, float(told.split("\n", 1)[0]), 1024 * int(found[1]) if found else 0


if __name__ == "__main__":
    main()
