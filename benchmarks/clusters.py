"""How often intervals and tests are right where pages come in books.

``python -m benchmarks.clusters`` prints the tables of docs/dev/statistics-measured.md:
made pages whose error rates are skewed and alike within a book (intra-class correlation), books of
5 to 40 pages. Intervals and tests over pages stand beside those over books.
"""

import argparse
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from htreval_core.compare.paired import PairedTests
from htreval_core.compare.systems import neighbour_test
from htreval_core.metrics.catalog import METRICS
from htreval_core.metrics.columns import COUNTS, Names, ScoreTable
from htreval_core.model import FloatArray, IntArray
from htreval_core.scoring.resampling import bootstrap_intervals, cluster_intervals

RATE, SPREAD = 0.15, 0.7
"""The error rate of all pages there could be, and the deviation of its logarithm over pages."""
EFFECT = 0.08
"""By how much of its errors the better system is better, where power is measured."""
BOOKS, ALIKE = (6, 12, 25, 50), (0.0, 0.1, 0.3, 0.5)
_WER = list(METRICS).index("wer")


def made(
    rng: np.random.Generator, n_books: int, alike: float, effect: float = 0.0
) -> tuple[IntArray, IntArray, list[FloatArray]]:
    """Book and words of each page, and the errors of two systems on it, equal but for the effect.

    What both have in common is alike within a book, and so is what they differ by.
    """
    book = np.repeat(np.arange(n_books), rng.integers(5, 41, n_books))
    words = rng.gamma(6, 40, len(book)).round().astype(np.int64) + 5

    def scatter() -> FloatArray:
        of_books, of_pages = rng.normal(size=n_books)[book], rng.normal(size=len(book))
        found: FloatArray = np.sqrt(alike) * of_books + np.sqrt(1 - alike) * of_pages
        return found

    common = RATE * np.exp(SPREAD * scatter() - SPREAD**2 / 2)
    own = 0.25 * scatter()
    rates = [common * np.exp(own), common * np.exp(-own) * (1 - effect)]
    return book, words, [rate * words for rate in rates]


def truth(rng: np.random.Generator) -> float:
    """The error rate of the first system over all pages there could be."""
    n = rng.normal(size=(2, 2_000_000))
    rates = RATE * np.exp(SPREAD * n[0] - SPREAD**2 / 2 + 0.25 * n[1])
    return float(rates.mean())


def _table(system: str, words: IntArray, errors: FloatArray) -> ScoreTable:
    n = len(words)
    counts = {name: np.zeros(n, dtype=np.int64) for name in COUNTS}
    wrong = np.minimum(errors.round().astype(np.int64), words)
    counts |= {"n_ref_words": words, "n_hyp_words": words,
               "wer_substitutions": wrong, "wer_hits": words - wrong}  # fmt: skip
    names = np.array([f"p{place:06}" for place in range(n)], dtype=object)
    return ScoreTable(system, names, counts)


def _ends(errors: FloatArray, words: IntArray, books: Names | None) -> tuple[float, float]:
    every = np.zeros((len(words), len(METRICS)))
    lengths = np.ones_like(every)
    every[:, _WER], lengths[:, _WER] = errors, words
    if books is None:
        low, high = bootstrap_intervals(every, lengths, resamples=400, seed=0)
    else:
        low, high = cluster_intervals(every, lengths, books)
    return float(low[_WER]), float(high[_WER])


def _shown(tables: list[ScoreTable], books: Names | None) -> bool:
    of_books = [replace(one, clusters=books) for one in tables]
    tests = PairedTests(of_books, ("wer",), resamples=999, seed=0)
    return tests.differences(0, 1)["wer"].significant


def measure(repeats: int) -> Iterator[str]:
    """The rows of the tables."""
    rng = np.random.default_rng(1)
    true = truth(rng)
    yield ("| books | alike | coverage, pages | coverage, books | false alarms, pages | false "
           "alarms, books | power, pages | power, books |")  # fmt: skip
    yield "|--:|--:|--:|--:|--:|--:|--:|--:|"
    for n_books in BOOKS:
        for alike in ALIKE:
            counts = np.zeros(6)
            for _ in range(repeats):
                book, words, errors = made(rng, n_books, alike)
                books: Names = book.astype(str).astype(object)
                for at, by in enumerate((None, books)):
                    low, high = _ends(errors[0], words, by)
                    counts[at] += low <= true <= high
                    tables = [
                        _table(name, words, of) for name, of in zip("AB", errors, strict=True)
                    ]
                    counts[2 + at] += _shown(tables, by)
                book, words, errors = made(rng, n_books, alike, EFFECT)
                books = book.astype(str).astype(object)
                tables = [_table(name, words, of) for name, of in zip("AB", errors, strict=True)]
                counts[4] += _shown(tables, None)
                counts[5] += _shown(tables, books)
            shares = " | ".join(f"{100 * one:.1f}" for one in counts / repeats)
            yield f"| {n_books} | {alike:g} | {shares} |"
    yield ""
    yield "| pages | alike | neighbours found alike |"
    yield "|--:|--:|--:|"
    for alike in ALIKE:
        found = 0
        for _ in range(repeats):
            _, words, errors = made(rng, 25, alike)
            difference = (errors[1] - errors[0])[:100] / words[:100]
            found += neighbour_test(difference, seed=0)[1] < 0.05
        yield f"| 100 | {alike:g} | {100 * found / repeats:.1f} |"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=500)
    for line in measure(parser.parse_args().repeats):
        print(line, flush=True)
