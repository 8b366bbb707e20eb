"""Measures this tree against an earlier commit of it, in turn, in one run.

    python -m benchmarks.before COMMIT [--real FOLDER] [--write]

Bad pages (three words in five wrong) are matched, ordinary ones scored whole, long ones diagnosed;
of real pages in a folder all of that. Processor seconds, the least of a few runs: other work on the
machine only ever adds to them. ``--write`` puts the ratios into docs/dev/performance.md.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import htreval_core as hv
from benchmarks import generate
from benchmarks.document import put
from htreval_core.metrics.matching.match import match_words
from htreval_core.metrics.words import WordPair

ROOT = Path(__file__).parent.parent
ERROR = 0.6
ROUNDS = 3
Case = Callable[[], object]


def cases(real: str) -> Iterator[tuple[str, Case]]:
    """What is measured: a name, and what is done."""
    for n_words in (2_000, 5_000, 10_000):
        words = generate.made_page(n_words, "line swaps", ERROR)
        yield (
            f"matching, {n_words:,} words, 60 % wrong",
            lambda w=words: match_words(WordPair.of(*w)),
        )
    for n_words in (70, 250, 500):
        texts = [
            [generate.as_text(side) for side in generate.made_page(n_words, order, seed=seed)]
            for seed, order in enumerate(generate.ORDERS * 5)
        ]
        yield f"whole page, {n_words} words", lambda t=texts: [hv.score_page(*one) for one in t]
    for n_words in (1_500, 3_000, 5_000):
        for order in ("line swaps", "two columns"):
            sides = generate.made_page(n_words, order, 0.3)
            reference, output = (hv.Transcript.from_text(generate.as_text(one)) for one in sides)
            page = hv.score_page(reference, output)
            yield (
                f"diagnosis, {n_words:,} words, {order}",
                lambda p=page, r=reference, o=output: hv.diagnose_page(p, r, o),
            )
    if real:
        pages = list(hv.pair_path(real).pages)
        sides = [(one.reference, side) for one in pages for side in one.hypotheses.values()]
        scored = [hv.score_page(*one) for one in sides]
        yield (
            f"whole pages, {len(sides)} real ones",
            lambda: [hv.score_page(*one) for one in sides],
        )
        yield (
            f"diagnosis, {len(sides)} real pages",
            lambda: [hv.diagnose_page(p, *one) for p, one in zip(scored, sides, strict=True)],
        )


def measure(real: str) -> dict[str, float]:
    """Processor seconds of each case by the tree that this process imports."""
    found = {}
    for name, case in cases(real):
        best = float("inf")
        for _ in range(2):
            start = time.process_time()
            case()
            best = min(best, time.process_time() - start)
        found[name] = best
    return found


def compare(commit: str, real: str) -> dict[str, tuple[float, float]]:
    """Seconds of each case, before and now."""
    with tempfile.TemporaryDirectory() as place:
        old = Path(place) / "old"
        _git("worktree", "add", "--quiet", "--detach", str(old), commit)
        try:
            rounds = [[_ask(tree, real) for tree in (old, ROOT)] for _ in range(ROUNDS)]
        finally:
            _git("worktree", "remove", "--force", str(old))
    return {
        name: (min(before[name] for before, _ in rounds), min(now[name] for _, now in rounds))
        for name in rounds[0][0]
    }


def _git(*arguments: str) -> None:
    subprocess.run(["git", *arguments], cwd=ROOT, check=True)  # noqa: S607


def _ask(tree: Path, real: str) -> dict[str, float]:
    told = subprocess.run(
        [sys.executable, __file__, "--measure", str(tree), "--real", real], check=True,
        capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(tree)},
    ).stdout  # fmt: skip
    found: dict[str, float] = json.loads(told)
    return found


def lines(commit: str, found: dict[str, tuple[float, float]]) -> Iterator[str]:
    yield f"| | at {commit[:9]} | now | ratio |"
    yield "|---|--:|--:|--:|"
    for name, (before, now) in found.items():
        yield f"| {name} | {1e3 * before:,.1f} ms | {1e3 * now:,.1f} ms | {before / now:.2f}× |"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("commit", nargs="?", default="")
    parser.add_argument("--real", default="", help="a folder of pages to measure besides")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--measure", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.measure:
        tree = Path(hv.__file__).parent.parent
        assert tree.samefile(given.measure), f"{tree} is imported, not {given.measure}"
        print(json.dumps(measure(given.real)))
        return
    real = str(Path(given.real).resolve()) if given.real else ""
    written = "\n".join(lines(given.commit, compare(given.commit, real)))
    print(written)
    if given.write:
        put("dev/performance.md", "before", f"\n{written}\n")


if __name__ == "__main__":
    main()
