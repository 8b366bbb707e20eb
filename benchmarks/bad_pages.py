"""How long the matching of bad pages takes: made pages on which about 60 % of the words are wrong.

    python benchmarks/bad_pages.py

Processor seconds, the least of a few runs: other work on the machine only ever adds to them.
"""

from __future__ import annotations

import time

import generate

from htreval_core.metrics.bag import bag_of_words
from htreval_core.metrics.matching.match import match_words
from htreval_core.metrics.words import WordPair

SIZES = (2_000, 5_000, 10_000)
ERROR = 0.6
RUNS = 3


def seconds(ref: generate.Words, hyp: generate.Words) -> float:
    """Processor time of one matching, the numbers of the words and their distances included."""
    found = []
    for _ in range(RUNS):
        start = time.process_time()
        match_words(WordPair.of(ref, hyp))
        found.append(time.process_time() - start)
    return min(found)


def main() -> None:
    seconds(*generate.made_page(1_000, error=ERROR))  # first calls are not the method's time
    for n_words in SIZES:
        for order in generate.ORDERS:
            ref, hyp = generate.made_page(n_words, order, ERROR)
            wrong = bag_of_words(WordPair.of(ref, hyp)).edit_counts().errors / len(ref)
            took = seconds(ref, hyp)
            print(f"{n_words:6,} words  {order:12} bWER {wrong:4.0%}  {took:7.3f} s", flush=True)


if __name__ == "__main__":
    main()
