"""Do the tests notice a wrong figure or diagnosis? One small fault after another is put in.

Every mutant is one change of one expression in the metrics, the matching, the search for orders,
what became of words, the diagnosis, or how a corpus is summed up: a comparison, an arithmetic or
boolean operator, a whole number by one, a truth value, ``min`` for ``max``, a returned value. Of
each of these rooms a seeded sample is tried. Each mutant runs in a child process of one that has
the libraries loaded already; the changed module is compiled in its memory, so no file is touched.

All tests run once without any mutant, and what each calls is noted. A mutant has to do only with
the tests that call the function that it stands in; those that found many of its module come
first, then the quick ones. ``--write`` puts the outcome into docs/dev/testing.md.
"""

from __future__ import annotations

import argparse
import os
import pickle
import signal
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from importlib import import_module
from importlib.machinery import SourceFileLoader
from random import Random
from types import FrameType

from benchmarks.mutants import ROOT, Mutant, explained, modules, mutants_of, rooms, source_of

DOCUMENT = ROOT / "docs" / "dev" / "testing.md"
BEGIN, END = "<!-- mutants: begin -->", "<!-- mutants: end -->"
TESTS = (
    "metrics", "diagnosis", "words", "text", "scoring", "compare", "audit", "lab/test_teach.py",
    "house/test_public.py", "show/test_notebook.py", "show/test_exports.py",
)  # fmt: skip
SLOW = "not number_of_processes and not cut_down and not of_every_sort"
"""Tests that are passed over: processes of their own would run the unchanged module."""
SECONDS_A_TEST = 60
"""A test that takes longer hangs, and a hang is noticed. None takes a twentieth of it."""
SECONDS = 1200
"""All tests of one mutant, where not even the clock of a test is heard."""

Calls = frozenset[tuple[str, int]]
"""Modules and first lines of the functions that were called."""


@dataclass
class Recorder:
    """Notes what each test calls and how long it takes (a plugin of pytest)."""

    calls: dict[str, Calls] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)

    def pytest_runtest_protocol(self, item: object) -> None:
        self._called: set[tuple[str, int]] = set()
        self._start = time.perf_counter()
        places = frozenset(map(str, modules()))

        def note(frame: FrameType, event: str, _: object) -> None:
            if event == "call" and frame.f_code.co_filename in places:
                self._called.add((frame.f_code.co_filename, frame.f_code.co_firstlineno))

        sys.setprofile(note)

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        sys.setprofile(None)
        self.calls[nodeid] = frozenset(self._called)
        self.seconds[nodeid] = time.perf_counter() - self._start


@dataclass
class Chosen:
    """Runs the given tests in the given order, and says which one failed (a plugin of pytest)."""

    tests: list[str]
    pipe: int

    def pytest_collection_modifyitems(self, items: list) -> None:  # type: ignore[type-arg]
        rank = {test: number for number, test in enumerate(self.tests)}
        items[:] = sorted(
            (item for item in items if item.nodeid in rank), key=lambda item: rank[item.nodeid]
        )

    def pytest_runtest_logreport(self, report: object) -> None:
        if report.failed:  # type: ignore[attr-defined]
            os.write(self.pipe, report.nodeid.encode())  # type: ignore[attr-defined]


class Trial:
    """Tries mutants, with what is known of the tests."""

    def __init__(self, files: Sequence[str]) -> None:
        self.recorder = _recorded(files)
        self._found: dict[str, Counter[str]] = defaultdict(Counter)

    def tests_of(self, mutant: Mutant) -> list[str]:
        """The tests that can notice it, the likeliest and the quickest first."""
        place = str(mutant.path)
        first, last = mutant.scope or (0, sys.maxsize)
        concerned = [
            test
            for test, calls in self.recorder.calls.items()
            if any(module == place and first <= line <= last for module, line in calls)
        ]
        found = self._found[mutant.module]
        seconds = self.recorder.seconds
        return sorted(concerned, key=lambda test: (-found[test], seconds[test]))

    def survives(self, mutant: Mutant) -> bool:
        """Whether all tests pass, in a child process that sees the changed module."""
        tests = self.tests_of(mutant)
        if not tests:
            return True
        ours, theirs = os.pipe()
        child = os.fork()
        if not child:
            os._exit(_run_tests(mutant, Chosen(tests, theirs)))
        os.close(theirs)
        code = _wait(child)
        told = os.read(ours, 1000).decode()
        os.close(ours)
        if told:
            self._found[mutant.module][told] += 1
        return code == 0


def _wait(child: int) -> int:
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.02)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return -1


def _recorded(files: Sequence[str]) -> Recorder:
    """All tests once, without any mutant."""
    ours, theirs = os.pipe()
    child = os.fork()
    if not child:
        os.close(ours)
        recorder = Recorder()
        code = _pytest([str(ROOT / "tests" / name) for name in files], recorder)
        with os.fdopen(theirs, "wb") as pipe:
            pickle.dump((code, recorder.calls, recorder.seconds), pipe)
        os._exit(0)
    os.close(theirs)
    with os.fdopen(ours, "rb") as pipe:
        code, calls, seconds = pickle.load(pipe)  # noqa: S301
    os.waitpid(child, 0)
    if code:
        sys.exit("the tests fail without any mutant")
    return Recorder(calls, seconds)


def _run_tests(mutant: Mutant, chosen: Chosen) -> int:
    os.setsid()
    place, source = str(mutant.path), source_of(mutant)
    as_it_is = SourceFileLoader.get_code

    def get_code(self: SourceFileLoader, name: str) -> object:
        return compile(source, place, "exec") if self.path == place else as_it_is(self, name)

    SourceFileLoader.get_code = get_code  # type: ignore[method-assign,assignment]
    files = dict.fromkeys(test.partition("::")[0] for test in chosen.tests)
    return _pytest([str(ROOT / name) for name in files], chosen)


def _pytest(paths: list[str], plugin: object) -> int:
    with open(os.devnull, "w") as nowhere:
        os.dup2(nowhere.fileno(), 1)
        os.dup2(nowhere.fileno(), 2)
    _do_not_shrink()
    import pytest

    clock = f"timeout={SECONDS_A_TEST}"
    options = ["-x", "-q", "--tb=no", "-p", "no:cacheprovider", "-o", clock, "-k", SLOW,
               "-m", "not slow and not browser",
               "--hypothesis-profile=brief"]  # fmt: skip
    return int(pytest.main([*options, *paths], plugins=[plugin]))


def _do_not_shrink() -> None:
    """A counterexample is enough: nobody reads it, so hypothesis need not make it small."""
    from hypothesis import Phase, settings

    phases = (Phase.explicit, Phase.generate)
    settings.register_profile("brief", deadline=None, phases=phases, database=None)


def load_libraries() -> None:
    """What every child needs and no mutant touches."""
    for name in ("hypothesis", "jiwer", "pytest", "scipy.optimize", "scipy.special", "scipy.stats",
                 "scipy.sparse.csgraph", "rapidfuzz.process"):  # fmt: skip
        import_module(name)
    sys.dont_write_bytecode = True
    os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = "/tmp/htreval-mutants"  # noqa: S108


@dataclass(frozen=True)
class Outcome:
    """What came of the mutants of one room that were tried."""

    room: str
    n_all: int
    tried: list[tuple[Mutant, bool]]

    @property
    def left(self) -> list[Mutant]:
        """Those that no test noticed."""
        return [mutant for mutant, alive in self.tried if alive]

    @property
    def row(self) -> str:
        """Its row of the table."""
        n, left = len(self.tried), len(self.left)
        known = sum(bool(explained(mutant)) for mutant in self.left)
        return (
            f"| {self.room} | {self.n_all:,} | {n} | {n - left} | {100 * (n - left) / n:.1f} % "
            f"| {100 * (n - left) / max(n - known, 1):.1f} % |"
        )


def report(outcomes: Sequence[Outcome], seed: int) -> str:
    """The outcome as Markdown."""
    tried = [one for outcome in outcomes for one in outcome.tried]
    whole = Outcome("all", sum(outcome.n_all for outcome in outcomes), tried)
    out = [
        f"Samples drawn with seed {seed}.", "",
        "| Room | Mutants | Tried | Noticed | Raw | Without those that change nothing |",
        "|---|---:|---:|---:|---:|---:|", *(outcome.row for outcome in (*outcomes, whole)),
        "", "What survived:", "", "| Place | Was | Became | Why |", "|---|---|---|---|",
    ]  # fmt: skip
    for m in whole.left:
        was, became = (t.replace("|", "\\|").replace("\n", " ")[:70] for t in (m.before, m.after))
        why = explained(m) or "not yet explained"
        out.append(f"| {m.module}.py | `{was}` | `{became}` | {why} |")
    return "\n".join(out) + "\n"


def tried(
    trial: Trial, sample: Sequence[Mutant], processes: int, deadline: float
) -> Iterator[tuple[Mutant, bool]]:
    """Each mutant and whether it survived; the rest is left untried once time is up."""
    with ThreadPoolExecutor(processes) as threads:
        outcomes = threads.map(trial.survives, sample)
        for number, (mutant, alive) in enumerate(zip(sample, outcomes, strict=True), 1):
            if alive:
                print(f"{number:4} survived {mutant.module}.py:{mutant.line}: "
                      f"{mutant.before} -> {mutant.after}"
                      f"{'  (explained)' if explained(mutant) else ''}", flush=True)  # fmt: skip
            yield mutant, alive
            if time.monotonic() > deadline:
                threads.shutdown(cancel_futures=True)
                return


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sample", type=int, default=100, help="mutants of each room")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--room", choices=rooms(), help="mutants of this room alone")
    parser.add_argument("--module", help="mutants of this module alone")
    parser.add_argument("--minutes", type=float, default=60, help="of a room; then the next")
    parser.add_argument("--tests", nargs="+", default=TESTS, help="what these notice alone")
    parser.add_argument(
        "--write", action="store_true", help="put the outcome into docs/dev/testing.md"
    )
    options = parser.parse_args()
    os.chdir(ROOT)
    sys.path.insert(0, str(ROOT))
    load_libraries()
    start = time.monotonic()
    trial = Trial(options.tests)
    print(f"{len(trial.recorder.calls)} tests, {time.monotonic() - start:.0f} s", flush=True)
    outcomes = []
    for room, paths in rooms().items():
        if options.room not in (None, room):
            continue
        chosen = [path for path in paths if options.module in (None, path.stem)]
        every = [mutant for path in chosen for mutant in mutants_of(path)]
        sample = Random(options.seed).sample(every, min(options.sample, len(every)))
        if sample:
            deadline = time.monotonic() + 60 * options.minutes
            done = list(tried(trial, sample, options.processes, deadline))
            outcomes.append(Outcome(room, len(every), done))
            print(outcomes[-1].row, flush=True)
    told = report(outcomes, options.seed)
    print(f"{told}\n{time.monotonic() - start:.0f} s")
    if options.write:
        text = DOCUMENT.read_text("utf-8")
        head, rest = text.split(BEGIN)
        DOCUMENT.write_text(f"{head}{BEGIN}\n{told}{END}{rest.split(END)[1]}", "utf-8")


if __name__ == "__main__":
    main()
