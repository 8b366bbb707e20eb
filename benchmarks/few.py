"""How often one system's interval covers the truth of few pages: ``python -m benchmarks.few``.

Populations of a million made pages: word errors that vary from page to page, and the same with one
page in ten ruined (60 to 100 % of its words wrong). Each line is of 1,000 samples.
"""

import numpy as np

from htreval_core.metrics.catalog import METRICS
from htreval_core.model import FloatArray
from htreval_core.scoring.resampling import bootstrap_intervals

PAGES = (5, 8, 10, 15, 20, 30, 60)
SAMPLES, POPULATION, RARE = 1000, 1_000_000, 0.1


def draw(rng: np.random.Generator, n: int, *, ruined: bool) -> tuple[FloatArray, FloatArray]:
    """Errors and words of n pages."""
    words = rng.lognormal(5.5, 0.4, n).round()
    rate = rng.beta(8, 72, n)
    if ruined:
        rate = np.where(rng.random(n) < RARE, rng.uniform(0.6, 1, n), rate)
    return rng.binomial(words.astype(int), rate).astype(float), words


def coverage(rng: np.random.Generator, n: int, truth: float, *, ruined: bool) -> float:
    """In percent."""
    hits = 0
    for sample in range(SAMPLES):
        sides = [np.repeat(one[:, None], len(METRICS), 1) for one in draw(rng, n, ruined=ruined)]
        low, high = bootstrap_intervals(*sides, resamples=600, seed=sample)
        hits += bool(low[0] <= truth <= high[0])
    return 100 * hits / SAMPLES


def main() -> None:
    rng = np.random.default_rng(0)
    truths = {}
    for ruined in (False, True):
        errors, words = draw(rng, POPULATION, ruined=ruined)
        truths[ruined] = errors.sum() / words.sum()
    print(
        "| pages | alike | one in ten ruined | samples without a ruined page |\n|--:|--:|--:|--:|"
    )
    for n in PAGES:
        alike, uneven = (coverage(rng, n, truths[one], ruined=one) for one in (False, True))
        print(f"| {n} | {alike:.1f} | {uneven:.1f} | {100 * (1 - RARE) ** n:.0f} % |")


if __name__ == "__main__":
    main()
