"""Measures one case in a process of its own and prints what it found as JSON.

    python -m benchmarks.measure MATCHING WORDS ORDER

``bench.py`` calls this for every figure, so that no case sees another's memory.
"""

import json
import resource
import statistics
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import cast

import htreval_core as hv
from benchmarks import generate, rivals
from htreval_core.metrics.matching.match import match_words
from htreval_core.metrics.words import WordPair
from htreval_core.scoring.workers import Processes

Case = Callable[[], object]

DATASET_PAGES, DATASET_WORDS = 2_000, 250


def _status(field: str) -> float | None:
    """A figure of /proc/self/status in megabytes, where there is such a file."""
    with suppress(OSError):
        for line in Path("/proc/self/status").read_text().splitlines():
            if line.startswith(field + ":"):
                return int(line.split()[1]) / 1024
    return None


def peak_mb() -> float:
    """The most memory that this process has held so far."""
    peak = _status("VmHWM")
    if peak is not None:
        return peak
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 2**20


def _forget_peak() -> float:
    """Let the peak start anew where the system can, and return the memory held now."""
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")
    return _status("VmRSS") or peak_mb()


def matching(words: tuple[list[str], list[str]], method: str) -> Case:
    ref, hyp = words
    if method == "htreval":
        return lambda: match_words(WordPair.of(ref, hyp))
    return lambda: rivals.MATCHINGS[method](ref, hyp)


def whole_page(words: tuple[list[str], list[str]], method: str) -> Case:
    reference, hypothesis = map(generate.as_text, words)
    functions: dict[str, Callable[[str, str], object]] = {
        "htreval page": hv.score_page,
        "authors' page": rivals.authors_page,
        "jiwer": rivals.jiwer_wer_and_cer,
    }
    return lambda: functions[method](reference, hypothesis)


def case_of(method: str, n_words: int, order: generate.Order) -> Case:
    """What is to be timed."""
    if method == "five words":
        return matching(generate.five_word_page(n_words), "htreval")
    words = generate.made_page(n_words, order)
    if method in ("htreval page", "authors' page", "jiwer"):
        return whole_page(words, method)
    return matching(words, method)


def measure(method: str, n_words: int, order: generate.Order) -> dict[str, float]:
    """Median seconds, and the most memory that was held beyond what the page itself needs.

    Processor seconds: all methods run in one thread, and other work on the machine counts less.
    """
    case_of(method, 30, order)()  # imports and first calls are not the method's time
    case = case_of(method, n_words, order)
    before = _forget_peak()
    seconds: list[float] = []
    while len(seconds) < 25 and (sum(seconds) < 1.0 or (len(seconds) < 3 and sum(seconds) < 12)):
        start = time.process_time()
        case()
        seconds.append(time.process_time() - start)
    return {
        "seconds": statistics.median(seconds),
        "runs": len(seconds),
        "extra_mb": max(0.0, peak_mb() - before),
    }


def dataset(n_processes: int) -> dict[str, float]:
    """Pages scored per second, all metrics, the start of the processes included."""
    pages = []
    for seed in range(DATASET_PAGES):
        order = generate.ORDERS[seed % len(generate.ORDERS)]
        words = generate.made_page(DATASET_WORDS, order, seed=seed)
        reference, hypothesis = map(generate.as_text, words)
        pages.append(hv.Page.from_text(f"page-{seed:04}", reference, {"system": hypothesis}))
    hv.score(pages[:5])
    start = time.perf_counter()
    if n_processes == 1:
        hv.score(pages)
    else:
        with Processes(n_processes) as workers:
            hv.score(pages, workers=workers)
    seconds = time.perf_counter() - start
    return {"seconds": seconds, "pages_per_second": len(pages) / seconds}


if __name__ == "__main__":
    name, size, page_order = sys.argv[1:]
    if name == "dataset":
        found = dataset(int(size))
    else:
        found = measure(name, int(size), cast(generate.Order, page_order))
    print(json.dumps(found))
