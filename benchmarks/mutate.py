"""Do the tests notice a wrong figure or diagnosis? mutmut puts in one small fault after another.

    python -m benchmarks.mutate --write       all rooms; the outcome goes into docs/dev/testing.md

Of each room a seeded sample of mutmut's faults is tried, with the quick tests that call the
function they stand in. It takes ``pip install mutmut``, whose settings are in pyproject.toml; what
it makes stands in the folder ``mutants``.
"""

import argparse
import json
import random
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from benchmarks.document import put

ROOT = Path(__file__).parent.parent
ROOMS = {
    "metrics and sums": r"metrics\.\w+\.x|scoring\.",
    "matching": r"metrics\.matching\.",
    "orders": r"metrics\.orders\.",
    "words": r"words\.",
    "diagnosis": r"diagnosis\.",
}
"""How the names of their faults begin after that of the engine."""
_NOT_NOTICED = (0, 33)
"""What mutmut keeps for a fault that all tests pass with, and for one that no test calls."""
Codes = Mapping[str, int | None]


def _mutmut(*arguments: str) -> str:
    command = [sys.executable, "-m", "mutmut", *arguments]
    return subprocess.run(command, cwd=ROOT, check=False, stdout=subprocess.PIPE, text=True).stdout


def exit_codes() -> Codes:
    """What mutmut has kept, by the name of the fault."""
    files = (ROOT / "mutants").rglob("*.py.meta")
    kept = [json.loads(file.read_text("utf-8"))["exit_code_by_key"] for file in files]
    return {name: code for one in kept for name, code in one.items()}


def row(room: str, n_all: int, codes: Codes) -> str:
    """A row of the table: all faults that there are, those tried, and those noticed."""
    noticed = sum(code not in _NOT_NOTICED for code in codes.values())
    share = 100 * noticed / max(len(codes), 1)
    return f"| {room} | {n_all:,} | {len(codes)} | {noticed} | {share:.1f} % |"


def report(n: int, seed: int, processes: int) -> Iterator[str]:
    """The outcome as Markdown."""
    # Asked for a fault that there is not, mutmut makes all of them and times the tests.
    _mutmut("run", "none")
    names = sorted(exit_codes())
    every = {
        room: [name for name in names if re.match(rf"htreval_core\.(?:{start})", name)]
        for room, start in ROOMS.items()
    }
    rng = random.Random(seed)
    tried = {room: rng.sample(all_of, min(n, len(all_of))) for room, all_of in every.items()}
    sample = [name for of_room in tried.values() for name in of_room]
    _mutmut("run", "--max-children", str(processes), *sample)
    found = exit_codes()
    if any(found[name] is None for name in sample):
        sys.exit("mutmut has stopped early: the tests fail without any fault; try `mutmut run`")
    codes = {room: {name: found[name] for name in of_room} for room, of_room in tried.items()}
    codes["all"] = {name: found[name] for name in sample}
    yield f"\nSamples drawn with seed {seed}.\n"
    yield "| Room | Mutants | Tried | Noticed | Share |\n|---|---:|---:|---:|---:|"
    for room, of_room in codes.items():
        yield row(room, len(every.get(room, names)), of_room)
    print("\n".join(name for name in sample if found[name] in _NOT_NOTICED))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--sample", type=int, default=50, help="faults of each room")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument(
        "--write", action="store_true", help="put the outcome into docs/dev/testing.md"
    )
    given = parser.parse_args()
    told = "\n".join(report(given.sample, given.seed, given.processes)) + "\n"
    print(told)
    if given.write:
        put("dev/testing.md", "mutants", told)


if __name__ == "__main__":
    main()
