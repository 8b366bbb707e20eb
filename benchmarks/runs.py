"""Whether comparing systems by runs and pages together keeps its promise.

python -m benchmarks.runs --write

Pages are drawn from the population "half" of ``comparison.py``, real counts whose true difference
is known. To these, each run adds errors as a whole and errors page by page, both normal.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from benchmarks.comparison import populations
from benchmarks.document import marked, put
from htreval_core.compare import LEVEL
from htreval_core.compare.by_runs import RunCounts, RunsDifference, difference_by_runs
from htreval_core.model import FloatArray
from htreval_core.scoring.resampling import tails

RUNS = ((2, 2), (3, 3), (5, 5), (3, 1))
PAGES = (30, 100, 300)


@dataclass(frozen=True)
class Spread:
    """How runs scatter: as a whole, in standard errors from pages, and on single pages, in standard
    deviations of the pages' differences."""

    label: str
    whole: float
    on_pages: float


SPREADS = (
    Spread("small, 0.3", 0.3, 0.3),
    Spread("equal, 1", 1.0, 0.3),
    Spread("large, 3", 3.0, 0.3),
    Spread("on pages alone", 0.0, 1.0),
)


@dataclass(frozen=True)
class Population:
    """Errors of A and B and lengths of many pages, shape (pages,) each."""

    errors: tuple[FloatArray, FloatArray]
    lengths: FloatArray

    @property
    def difference(self) -> float:
        return float((self.errors[1] - self.errors[0]).sum() / self.lengths.sum())

    @property
    def deviation(self) -> float:
        """How far a page's errors per word of an average page lie from the true difference."""
        apart = self.errors[1] - self.errors[0] - self.difference * self.lengths
        return float(apart.std() / self.lengths.mean())

    def draw(
        self, n: int, runs: tuple[int, int], spread: Spread, rng: np.random.Generator, swap: bool
    ) -> tuple[RunCounts, RunCounts]:
        """Runs of A and B on n pages; with ``swap`` pages are handed to A and B at random."""
        at = rng.integers(0, len(self.lengths), n)
        both = np.array([errors[at] for errors in self.errors])
        if swap:
            both = np.where(rng.random(n) < 0.5, both, both[::-1])
        lengths = self.lengths[at]
        sides = []
        for errors, k in zip(both, runs, strict=True):
            whole = rng.normal(0, spread.whole * self.deviation / math.sqrt(n), (k, 1))
            single = rng.normal(0, spread.on_pages * self.deviation, (k, n))
            drawn = errors + lengths * (whole + single)
            of_runs = np.tile(lengths, (k, 1))
            sides.append(RunCounts(drawn.sum(axis=1) / lengths.sum(), drawn, of_runs))
        return sides[0], sides[1]


def pigeonhole(
    a: RunCounts, b: RunCounts, times: FloatArray, fewer: int, rng: np.random.Generator
) -> FloatArray:
    """Differences on pages and runs drawn with replacement, each by itself (Owen 2007).

    Args:
        times: shape (resamples, pages), how often each page is drawn.
        fewer: draw so many runs less than there are; one less makes up for the few there are (Rao
            and Wu 1988).
    """
    means = []
    for one in (a, b):
        values = (times @ one.errors.T) / (times @ one.lengths.T)
        k = values.shape[1]
        if k > 1:
            drawn = rng.multinomial(k - fewer, np.full(k, 1 / k), size=len(times))
            values = values * drawn / (k - fewer)
        means.append(values.sum(axis=1))
    return means[1] - means[0]


def simulate(
    population: Population, n: int, runs: tuple[int, int], spread: Spread, times: int, draws: int
) -> tuple[FloatArray, FloatArray]:
    """Shares of samples whose interval holds the true difference, and mean widths.

    Of: the interval of ``compare_runs``, the pigeonhole bootstrap with one run less and expanded
    percentiles, the same as it stands with plain percentiles.
    """
    rng = np.random.default_rng([71, n, *runs, round(10 * spread.whole)])
    drawn = rng.multinomial(n, np.full(n, 1 / n), size=draws).astype(np.float64)
    held, width = np.zeros(3), np.zeros(3)
    for _ in range(times):
        a, b = population.draw(n, runs, spread, rng, swap=False)
        found = difference_by_runs("wer", a, b)
        rescaled, plain = (pigeonhole(a, b, drawn, fewer, rng) for fewer in (1, 0))
        ends = np.array(
            [
                (found.low, found.high),
                np.quantile(rescaled, tails(n)),
                np.quantile(plain, (0.025, 0.975)),
            ]
        )
        held += (ends[:, 0] <= population.difference) & (population.difference <= ends[:, 1])
        width += ends[:, 1] - ends[:, 0]
    return held / times, width / times


def false_alarms(
    population: Population, n: int, runs: tuple[int, int], spread: Spread, times: int
) -> tuple[float, float]:
    """How often p < 5 % where nothing differs: of all runs, and of one run each by pages alone."""
    rng = np.random.default_rng([72, n, *runs, round(10 * spread.whole)])
    alarms = np.zeros(2)
    for _ in range(times):
        a, b = population.draw(n, runs, spread, rng, swap=True)
        firsts = (RunCounts(o.values[:1], o.errors[:1], o.lengths[:1]) for o in (a, b))
        found: list[RunsDifference] = [
            difference_by_runs("wer", a, b),
            difference_by_runs("wer", *firsts),
        ]
        alarms += [one.p < LEVEL for one in found]
    return float(alarms[0] / times), float(alarms[1] / times)


def report(times: int, draws: int) -> Iterator[str]:
    """The lines of the document between its marks."""
    origin, pairs = populations()
    sides = np.array([[(a.wer.errors, b.wer.errors, a.n_ref_words)] for a, b in pairs["half"]])
    of_a, of_b, lengths = sides[:, 0, :].T.astype(np.float64)
    population = Population((of_a, of_b), lengths)
    half = 1.96 * (0.95 * 0.05 / times) ** 0.5
    seen = f"{100 * (0.95 - half):.1f}–{100 * (0.95 + half):.1f}"
    yield f"WER of pages made from {origin}, of the population *half*;"
    yield f"{times} samples a cell, so that a true 95 % is seen as {seen}, nineteen times in"
    yield "twenty. The columns say how far runs scatter: as a whole, their standard deviation in"
    yield "standard errors of the difference from pages; *on pages alone*, every run differs on"
    yield "every page as much as the systems do, and not as a whole. In the other columns it"
    yield "differs on a page by 0.3 of that. All of it is normally distributed."
    yield ""
    yield "**Coverage** of the 95 % interval (goal 93–97); in brackets that of the pigeonhole"
    yield f"bootstrap, {draws} draws, with one run less and expanded percentiles, then as it is:"
    yield ""
    yield "| runs of A and B | pages | " + " | ".join(one.label for one in SPREADS) + " |"
    yield "|---|--:|" + "--:|" * len(SPREADS)
    several: list[tuple[Spread, int, FloatArray, FloatArray]] = []
    for runs in RUNS:
        for n in PAGES:
            cells = []
            for spread in SPREADS:
                held, width = simulate(population, n, runs, spread, times, draws)
                cells.append(
                    f"{marked(held[0], 93, 97)} ({100 * held[1]:.1f}, {100 * held[2]:.1f})"
                )
                if min(runs) > 1:
                    several.append((spread, runs[0], held, width))
            yield f"| {runs[0]} and {runs[1]} | {n} | " + " | ".join(cells) + " |"
    yield ""
    for at, label in enumerate(("`compare_runs`", "one run less, expanded", "as it is")):
        found = [100 * held[at] for *_, held, _ in several]
        missed = sum(not 93 <= round(one, 1) <= 97 for one in found)
        verdict = f"missed by {missed} of {len(found)}" if missed else f"met by all {len(found)}"
        spread = f"{min(found):.1f}–{max(found):.1f}"
        yield f"- {label}: {spread} where both have several runs, {verdict}."
    alone = [width[1] / width[0] for spread, _, _, width in several if not spread.whole]
    large = {k: [w[0] / w[2] for s, k_, _, w in several if s.whole > 1 and k_ == k] for k in (2, 5)}
    yield "- Where runs differ on pages alone, the bootstrap with one run less is"
    yield f"  {min(alone):.2f}–{max(alone):.2f} times as wide as the interval here."
    yield "- Where runs scatter widely as a whole, the interval of 2 runs is"
    yield f"  {np.mean(large[2]):.1f} times as wide as the bootstrap as it is, that of 5 runs"
    yield f"  {np.mean(large[5]):.1f} times."
    yield ""
    yield "**False alarms** at 5 % of 100 pages (goal 3.5–6.5), pages handed to A and B at random;"
    yield "in brackets those of one run of each, compared by pages alone:"
    yield ""
    yield "| runs of A and B | " + " | ".join(one.label for one in SPREADS) + " |"
    yield "|---|" + "--:|" * len(SPREADS)
    for runs in RUNS:
        cells = []
        for spread in SPREADS:
            together, first = false_alarms(population, 100, runs, spread, times)
            cells.append(f"{marked(together, 3.5, 6.5)} ({100 * first:.1f})")
        yield f"| {runs[0]} and {runs[1]} | " + " | ".join(cells) + " |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("--samples", type=int, default=2000)
    parser.add_argument("--draws", type=int, default=999)
    parser.add_argument("--write", action="store_true", help="put the report into the docs")
    arguments = parser.parse_args()
    lines = []
    for line in report(arguments.samples, arguments.draws):
        print(line, flush=True)
        lines.append(line)
    if arguments.write:
        put("dev/statistics-measured.md", "runs", "\n" + "\n".join(lines) + "\n\n")


if __name__ == "__main__":
    main()
