"""What an archive costs: a large set of PAGE files, from their bytes to a bundle and the app.

    python -m benchmarks.archive SOURCE --write     puts the figures into docs/dev/performance.md

SOURCE is a folder of large real PAGE files, of which ``corpus.py`` makes the set. It is scored by
one process and by two, killed half-way and gone on with, diagnosed twice, and opened in the app
with its pages repeated to ten thousand. Memory is the peak resident size as Linux tells it.
"""

import argparse
import filecmp
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
from rapidfuzz.distance import Levenshtein

import htreval_core as hv
from benchmarks.corpus import make_corpus
from benchmarks.document import put
from benchmarks.scale_app import measure_app
from benchmarks.server import memory
from htreval_core.sources.dataset import StoredPages
from htreval_core.sources.reading import Reading
from htreval_core.sources.recognise import find_pairs

COMMAND = [sys.executable, "-m", "htreval_core.cli"]
_FILES = ("manifest.json", "pages.parquet", "texts.parquet")
_OPENED = 10_000
_DISTINCT = 500


@dataclass(frozen=True, slots=True)
class Run:
    """One command: seconds on the clock and of processors, and the largest resident sizes."""

    seconds: float
    processor: float
    parent: int
    worker: int


def run(*arguments: str, kill_at: Path | None = None) -> Run:
    """Run a command of htreval.

    Args:
        kill_at: kill it as soon as this is there.
    """
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    process = subprocess.Popen(
        [*COMMAND, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    parent, workers = 0, 0
    while process.poll() is None:
        parent = max(parent, _peak(process.pid))
        workers = max(workers, *map(_peak, _children(process.pid)), 0)
        if kill_at is not None and kill_at.exists():
            process.send_signal(signal.SIGKILL)
        time.sleep(0.05)
    seconds = time.monotonic() - start
    assert process.returncode == (0 if kill_at is None else -signal.SIGKILL), arguments
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Run(seconds, spent, parent, workers)


def _children(pid: int) -> list[int]:
    try:
        return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def _peak(pid: int) -> int:
    """The peak resident size of a process so far, in bytes."""
    return round(2**20 * memory(pid, "VmHWM"))


def _n_blocks(bundle: Path) -> int:
    return int(pq.ParquetFile(bundle / "texts.parquet").metadata.num_row_groups)


def floor(folder: Path) -> float:
    """Processor seconds of what nobody can do without: each byte read once, and one alignment."""
    sides = [
        (page.reference.text.split(), page.hypotheses["made"].text.split())
        for page in Reading(find_pairs(folder)).read().pages
    ]
    files = sorted(folder.rglob("*.xml"))
    start = time.process_time()
    for file in files:
        file.read_bytes()
    for sequences in sides:
        number: dict[str, int] = {}
        ids = [[number.setdefault(word, len(number)) for word in side] for side in sequences]
        Levenshtein.opcodes(*ids)
    return time.process_time() - start


class Repeated(StoredPages):
    """The first pages of a study again and again under new names."""

    def __init__(self, study: hv.Study, n: int) -> None:
        self.page_ids = [f"page-{number:07d}" for number in range(n)]
        self._pages = list(islice(study.dataset.pages, _DISTINCT))

    def page_at(self, place: int) -> hv.Page:
        page = self._pages[place % len(self._pages)]
        return hv.Page(self.page_ids[place], page.reference, page.hypotheses)


def repeat(bundle: Path, n: int, path: Path) -> Path:
    """A bundle of n pages that repeat those of another one."""
    study = hv.open_run(bundle)
    pages = Repeated(study, n)
    rows = np.arange(n) % min(_DISTINCT, len(study.page_ids))
    names = np.array(pages.page_ids, dtype=object)
    scores = {
        system: replace(study.table(system).take(rows), page_ids=names) for system in study.systems
    }
    dataset = replace(study.dataset, pages=pages)
    return hv.save_run(hv.Study(dataset, study.settings, scores), path)


def _quickest(*arguments: str) -> float:
    """Seconds on the clock of a command, the least of five: others use the machine, too."""
    return min(run(*arguments).seconds for _ in range(5))


def measure(source: Path, work: Path, n_pages: int, size: int, small: Path | None) -> Iterator[str]:
    folder = work / "pages"
    about = make_corpus(source, folder, n_pages, size)
    one, two, stopped = (work / f"{name}.htreval" for name in ("one", "two", "stopped"))
    alone = run("score", str(folder), "--output", str(one), "--jobs", "1")
    both = run("score", str(folder), "--output", str(two), "--jobs", "2")
    half = f"{_n_blocks(one) // 2:08d}.counts"
    command = ("score", str(folder), "--output", str(stopped), "--jobs", "2")
    killed = run(*command, kill_at=stopped / "work" / half)
    resumed = run(*command)
    same = all(filecmp.cmp(two / name, stopped / name, shallow=False) for name in _FILES)
    least = floor(folder)
    diagnosed = run("diagnose", str(two), "--output", str(work / "first.txt"), "--jobs", "2")
    again = run("diagnose", str(two), "--output", str(work / "second.txt"), "--jobs", "2")
    yield f"{about}, one system. One command, from the listing of files to the finished bundle:"
    yield ""
    yield "| | s | processor s | parent | largest worker |"
    yield "|---|--:|--:|--:|--:|"
    rows = {
        "1 process": alone, "2 processes": both, "2 processes, killed": killed,
        "the same command again": resumed, "its diagnosis, 2 processes": diagnosed,
        "its diagnosis again, kept in the bundle": again,
    }  # fmt: skip
    for name, one_run in rows.items():
        worker = f"{one_run.worker / 1e6:.0f} MB" if one_run.worker else "–"
        yield (
            f"| {name} | {one_run.seconds:.1f} | {one_run.processor:.1f} | "
            f"{one_run.parent / 1e6:.0f} MB | {worker} |"
        )
    yield ""
    yield f"- The run that was killed and gone on with has {'the same' if same else 'OTHER'} bytes."
    yield (
        f"- The floor, each byte read once and one alignment of words a page, is {least:.1f} "
        f"processor seconds; the run takes {alone.processor / least:.0f} times that."
    )
    yield ""
    large = repeat(two, _OPENED, work / "large.htreval")
    app = measure_app(large)
    if small:
        seconds = _quickest("score", str(small), "--jobs", "1")
        yield f"- `htreval score` on 336 pages of IAM takes {seconds:.1f} s."
    yield f"- `htreval --help` takes {_quickest('--help'):.2f} s."
    yield ""
    if app:
        yield f"A bundle of {_OPENED:,} such pages."
        yield from app.lines()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("source", type=Path)
    parser.add_argument("--pages", type=int, default=2000)
    parser.add_argument("--size", type=int, default=300_000, help="bytes of a reference")
    parser.add_argument("--work", type=Path, help="where all is made, and the pages are kept")
    parser.add_argument("--small", type=Path, help="the 336 pages of IAM, to time a short run")
    parser.add_argument("--write", action="store_true", help="put the figures into the docs")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        work = given.work or Path(temporary)
        work.mkdir(exist_ok=True)
        for bundle in work.glob("*.htreval"):
            shutil.rmtree(bundle)
        lines = list(measure(given.source, work, given.pages, given.size, given.small))
    print("\n".join(lines))
    if given.write:
        put("dev/performance.md", "archive", "\n" + "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
