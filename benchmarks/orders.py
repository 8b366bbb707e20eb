"""What the least over admissible orders costs beside scoring a page, and how often it is proved.

Pages are made: common words are common, blocks are of any length, a fifth of them float or all may
come in any order. Each is read in an order that the page allows, and in one that it does not.
"""

import random
import time
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from htreval_core.metrics.orders.search import best_order
from htreval_core.metrics.orders.tree import Block, Group, OrderTree
from htreval_core.metrics.page import score_words
from htreval_core.settings import Settings
from htreval_core.text import page_words

_SETTINGS = Settings()
_SIZES = ((1000, 12), (1000, 60), (3000, 60))
_SEEDS = 8


def main() -> None:
    head = ("words", "blocks", "free", "misread", "read", "ms", "x scoring", "slowest ms", "proved")
    print("".join(f"{one:>12}" for one in head))
    for n_words, n_blocks in _SIZES:
        for free in ("floats", "all"):
            for rate in (0.1, 0.3, 0.6):
                for is_allowed in (True, False):
                    _row(n_words, n_blocks, free, rate, is_allowed)


def _row(n_words: int, n_blocks: int, free: str, rate: float, is_allowed: bool) -> None:
    searched, scored, proved = [], [], 0
    for seed in range(_SEEDS):
        tree, ref, hyp = _page(random.Random(seed), n_words, n_blocks, free, rate, is_allowed)
        sides = [page_words(" ".join(side), _SETTINGS.policy) for side in (ref, hyp)]
        start = time.perf_counter()
        page = score_words("p", "A", sides[0], sides[1], _SETTINGS)
        middle = time.perf_counter()
        ids = {word: number for number, word in enumerate(dict.fromkeys([*ref, *hyp]))}
        numbers = [np.array([ids[word] for word in side]) for side in (ref, hyp)]
        found = best_order(
            tree, numbers[0], numbers[1], strict=page.scores.wer.errors, bag=page.scores.bwer.errors
        )
        searched.append(time.perf_counter() - middle)
        scored.append(middle - start)
        proved += found.is_proved
    cells = (
        f"{n_words:,}", n_blocks, free, f"{rate:.0%}", "allowed" if is_allowed else "not allowed",
        f"{1000 * float(np.median(searched)):.0f}", f"{sum(searched) / sum(scored):.1f}",
        f"{1000 * max(searched):.0f}", f"{proved}/{_SEEDS}",
    )  # fmt: skip
    print("".join(f"{one!s:>12}" for one in cells), flush=True)


def _page(
    rng: random.Random, n_words: int, n_blocks: int, free: str, rate: float, is_allowed: bool
) -> tuple[OrderTree, Sequence[str], Sequence[str]]:
    ref = [f"w{int(rng.paretovariate(0.9)) % 3000}" for _ in range(n_words)]
    cuts = [0, *sorted(rng.sample(range(1, n_words), n_blocks - 1)), n_words]
    spans = [range(a, b) for a, b in pairwise(cuts)]
    order = list(range(n_blocks))
    if free == "all":
        root = Group(False, tuple(order))
    else:
        floats = sorted(rng.sample(order, n_blocks // 5))
        root = Group(True, tuple(one for one in order if one not in floats), tuple(floats))
    if (not is_allowed and free == "floats") or free == "all":
        rng.shuffle(order)
    else:
        order = [one for one in order if one not in root.floats]
        for one in root.floats:
            order.insert(rng.randint(0, len(order)), one)
    hyp: list[str] = []
    for word in (ref[at] for block in order for at in spans[block]):
        chance = rng.random()
        if chance < 0.8 * rate:
            hyp.append(f"x{rng.randrange(5000)}" if rng.random() < 0.9 else rng.choice(ref))
        elif chance < 0.9 * rate:
            hyp += [word, rng.choice(ref)]
        elif chance >= rate:
            hyp.append(word)
    if free == "all" and not is_allowed:
        # Two blocks are read into each other, which no order of whole blocks can be.
        half = len(hyp) // 2
        hyp = [one for pair in zip(hyp[:half], hyp[half:], strict=False) for one in pair]
    return OrderTree(tuple(Block(None, None, span) for span in spans), root), ref, hyp


if __name__ == "__main__":
    main()
