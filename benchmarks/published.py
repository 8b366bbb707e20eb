"""Measures whole runs against the program that the authors published, on the same pages.

    python -m benchmarks.published PROGRAM        70, 250 and 500 words, as a table

PROGRAM is a folder with ``EvalE2EHTR.py`` (https://github.com/PRHLT/E2EHTREval) and the ``fastwer``
that it needs, built from https://github.com/PRHLT/fastwer; no package index has it. Both programs
read the same files and find WER, CER, bWER, hWER, hCER and NSFD of every page (``-H -r``). A page
is what a run of many costs beyond a run of few, in processor seconds, so that the start counts for
neither.
"""

import os
import resource
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from benchmarks.generate import ORDERS, as_text, made_page

SCRIPT = "EvalE2EHTR.py"
SIZES = {70: 240, 250: 60, 500: 24}
"""Pages by the words of each."""
_FEW = 4
_ROUNDS = 3


@dataclass(frozen=True, slots=True)
class Against:
    """A page of that many words, in seconds of each program."""

    words: int
    ours: float
    published: float

    @property
    def ratio(self) -> float:
        return self.published / self.ours


def program_at(folder: str | None) -> Path | None:
    """The folder of the published program, where it is there and runs."""
    if not folder or not (Path(folder) / SCRIPT).is_file():
        return None
    found = subprocess.run(
        [sys.executable, "-c", "import fastwer; fastwer.bagOfWords"], cwd=folder, check=False,
        capture_output=True, env=_environment(Path(folder)),
    )  # fmt: skip
    return Path(folder) if found.returncode == 0 else None


def compare_runs(program: Path, words: int) -> Against:
    """Both programs on pages of that many words, in turn."""
    published = [sys.executable, str(program / SCRIPT), "-H", "-r"]
    ours = [sys.executable, "-m", "htreval_core.cli", "score", "--jobs", "1", "--format", "csv"]
    with tempfile.TemporaryDirectory() as place:
        many, few = Path(place) / "many", Path(place) / "few"
        for folder, n_pages in ((many, SIZES[words]), (few, _FEW)):
            folder.mkdir()
            for seed in range(n_pages):
                sides = made_page(words, ORDERS[seed % len(ORDERS)], seed=seed)
                for kind, side in zip(("ref", "hyp"), sides, strict=True):
                    (folder / f"{seed}.{kind}").write_text(as_text(side), encoding="utf-8")
        rounds = [
            [_seconds([*one, str(many)], program) - _seconds([*one, str(few)], program)
             for one in (ours, published)]
            for _ in range(_ROUNDS)
        ]  # fmt: skip
    seconds = [statistics.median(of) / (SIZES[words] - _FEW) for of in zip(*rounds, strict=True)]
    return Against(words, *seconds)


def _environment(program: Path) -> dict[str, str]:
    here = os.environ.get("PYTHONPATH", "")
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, [str(program), here]))}


def _seconds(command: list[str], program: Path) -> float:
    """Processor seconds of a command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, capture_output=True, env=_environment(program))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    there = program_at(sys.argv[1] if len(sys.argv) > 1 else None)
    if there is None:
        raise SystemExit(f"name a folder with {SCRIPT} and the fastwer that it needs")
    for size in SIZES:
        one = compare_runs(there, size)
        print(f"{size:5} words: {1e3 * one.ours:7.2f} ms, published {1e3 * one.published:8.1f} ms, "
              f"{one.ratio:5.1f}x", flush=True)  # fmt: skip
