"""Do the tests notice when the metrics are wrong? One small fault after another is put in.

Every mutant is one change of one expression in ``htreval_core/metrics``: a comparison, an
arithmetic or boolean operator, a whole number by one, a truth value, ``min`` for ``max``, a
returned value. A seeded sample of them is tried. Each runs in a child process of one that has the
libraries loaded already; the changed module is compiled in its memory, so no file is touched.
``--write`` puts the outcome into docs/testing.md.
"""

from __future__ import annotations

import argparse
import ast
import copy
import os
import re
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.machinery import SourceFileLoader
from pathlib import Path
from random import Random

ROOT = Path(__file__).parent.parent
METRICS = ROOT / "htreval_core" / "metrics"
DOCUMENT = ROOT / "docs" / "testing.md"
BEGIN, END = "<!-- mutants: begin -->", "<!-- mutants: end -->"
TESTS = (
    "test_golden.py", "test_corpus.py", "test_columns.py", "test_matching.py", "test_fuzz.py",
    "test_properties.py", "test_refine.py",
)  # fmt: skip
SLOW = "not number_of_processes and not cut_down and not of_every_sort and not page_of_800"
"""Tests that are passed over: processes of their own would run the unchanged module."""
SECONDS = 150
"""A mutant that takes longer hangs, and a hang is noticed. All tests take a fifth of it."""

SWAPPED: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult, ast.Mod: ast.Mult, ast.Pow: ast.Mult, ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd, ast.And: ast.Or, ast.Or: ast.And,
}  # fmt: skip
SWAPPED_NAMES = {"min": "max", "max": "min", "minimum": "maximum", "maximum": "minimum",
                 "any": "all", "all": "any"}  # fmt: skip

_CHANGEABLE = (
    ast.Constant, ast.Compare, ast.BinOp, ast.AugAssign, ast.BoolOp, ast.UnaryOp, ast.Name,
    ast.Attribute, ast.Return,
)  # fmt: skip

EXPLAINED: tuple[tuple[str, str, str], ...] = (
    ("order", r"in_order\[1:\] > in_order", "no figure: positions are distinct"),
    ("ragged", r"reached", "no figure: only how much is looked at together"),
)
"""Survivors that change no figure: module, a regular expression of the line, and why."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change: the module, the line and what became of it."""

    module: str
    line: int
    before: str
    after: str
    number: int
    variant: int


def mutants_of(path: Path) -> Iterator[Mutant]:
    """All mutants of a module, in the order of its text."""
    tree = ast.parse(path.read_text("utf-8"))
    skipped = _not_run(tree)
    for number, node in enumerate(ast.walk(tree)):
        if number in skipped or not isinstance(node, _CHANGEABLE):
            continue
        for variant in range(2):
            changed = _change(copy.deepcopy(node), variant)
            if changed is not None:
                yield Mutant(path.stem, getattr(node, "lineno", 1), *changed, number, variant)


def source_of(mutant: Mutant) -> str:
    """The changed module."""
    tree = ast.parse((METRICS / f"{mutant.module}.py").read_text("utf-8"))
    _change(list(ast.walk(tree))[mutant.number], mutant.variant)
    return ast.unparse(ast.fix_missing_locations(tree))


def _not_run(tree: ast.Module) -> set[int]:
    """Numbers of the nodes that no figure can depend on: annotations, messages, documentation."""
    dead: set[int] = set()
    for node in ast.walk(tree):
        parts: list[ast.AST | None] = []
        if isinstance(node, ast.arg | ast.AnnAssign):
            parts.append(node.annotation)
        if isinstance(node, ast.FunctionDef):
            parts += [node.returns, *node.decorator_list]
        if isinstance(node, ast.ClassDef):
            parts += node.decorator_list
        if isinstance(node, ast.Raise):
            parts.append(node)
        for part in parts:
            dead |= {id(inner) for inner in ast.walk(part)} if part is not None else set()
    return {number for number, node in enumerate(ast.walk(tree)) if id(node) in dead}


def _change(node: ast.AST, variant: int) -> tuple[str, str] | None:
    """Change the node in place; what it was and is. None where there is no such variant."""
    before = ast.unparse(node)
    if isinstance(node, ast.Constant) and type(node.value) is int:
        node.value += 1 - 2 * variant
        return before, ast.unparse(node)
    if variant:
        return None
    if isinstance(node, ast.Constant) and isinstance(node.value, bool):
        node.value = not node.value
    elif isinstance(node, ast.Constant) and isinstance(node.value, float):
        node.value += 1
    elif isinstance(node, ast.Compare) and type(node.ops[0]) in SWAPPED:
        node.ops[0] = SWAPPED[type(node.ops[0])]()  # type: ignore[assignment]
    elif isinstance(node, ast.BinOp | ast.AugAssign | ast.BoolOp) and type(node.op) in SWAPPED:
        node.op = SWAPPED[type(node.op)]()  # type: ignore[assignment]
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        node.op = ast.UAdd()
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        node.operand = ast.UnaryOp(ast.Not(), node.operand)
    elif isinstance(node, ast.Name) and node.id in SWAPPED_NAMES:
        node.id = SWAPPED_NAMES[node.id]
    elif isinstance(node, ast.Attribute) and node.attr in SWAPPED_NAMES:
        node.attr = SWAPPED_NAMES[node.attr]
    elif isinstance(node, ast.Return) and node.value is not None:
        node.value = ast.Constant(None)
    else:
        return None
    return before, ast.unparse(node)


def survives(mutant: Mutant | None) -> bool:
    """Whether all tests pass, in a child process that sees the changed module."""
    child = os.fork()
    if not child:
        os._exit(_run_tests(mutant))
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status) == 0
        time.sleep(0.05)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return False


def _run_tests(mutant: Mutant | None) -> int:
    os.setsid()
    with open(os.devnull, "w") as nowhere:
        os.dup2(nowhere.fileno(), 1)
        os.dup2(nowhere.fileno(), 2)
    if mutant is not None:
        place = str(METRICS / f"{mutant.module}.py")
        source = source_of(mutant)
        as_it_is = SourceFileLoader.get_code

        def get_code(self: SourceFileLoader, name: str) -> object:
            if self.path == place:
                return compile(source, place, "exec")
            return as_it_is(self, name)

        SourceFileLoader.get_code = get_code  # type: ignore[method-assign,assignment]
    import pytest

    paths = [str(ROOT / "tests" / name) for name in TESTS]
    return int(pytest.main(["-x", "-q", "-p", "no:cacheprovider", "-k", SLOW, *paths]))


def load_libraries() -> None:
    """What every child needs and no mutant touches."""
    import scipy.optimize
    import scipy.special
    import scipy.stats  # noqa: F401

    sys.dont_write_bytecode = True
    os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = "/tmp/htreval-mutants"  # noqa: S108


def explained(mutant: Mutant) -> str:
    """Why a survivor changes no figure; empty where nobody has said."""
    text = (METRICS / f"{mutant.module}.py").read_text("utf-8").splitlines()[mutant.line - 1]
    for module, pattern, why in EXPLAINED:
        if module == mutant.module and re.search(pattern, text):
            return why
    return ""


def report(tried: list[tuple[Mutant, bool]], n_all: int, seed: int) -> str:
    """The outcome as Markdown."""
    left = [mutant for mutant, alive in tried if alive]
    without_effect = [mutant for mutant in left if explained(mutant)]
    n, killed = len(tried), len(tried) - len(left)
    counted = n - len(without_effect)
    of_module = Counter(mutant.module for mutant, _ in tried)
    alive_in = Counter(mutant.module for mutant in left)
    rows = [f"| {name} | {total} | {total - alive_in[name]} |"
            for name, total in sorted(of_module.items())]  # fmt: skip
    out = [
        f"A sample of {n} of {n_all:,} mutants (seed {seed}): **{killed} killed, "
        f"{100 * killed / n:.1f} %**. Of the {len(left)} that survived, {len(without_effect)} "
        f"change no figure; without those it is {100 * killed / counted:.1f} %.",
        "", "| Module | Mutants | Killed |", "|---|---:|---:|", *rows,
        "", "What survived:", "", "| Place | Was | Became | Why |", "|---|---|---|---|",
    ]  # fmt: skip
    for m in left:
        was, became = (t.replace("|", "\\|").replace("\n", " ")[:70] for t in (m.before, m.after))
        why = explained(m) or "not yet explained"
        out.append(f"| {m.module}.py | `{was}` | `{became}` | {why} |")
    return "\n".join(out) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sample", type=int, default=120)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--module", help="mutants of this module alone")
    parser.add_argument("--write", action="store_true", help="put the outcome into docs/testing.md")
    options = parser.parse_args()
    os.chdir(ROOT)
    sys.path.insert(0, str(ROOT))
    load_libraries()
    paths = sorted(METRICS.glob(f"{options.module or '*'}.py"))
    all_of_them = [mutant for path in paths for mutant in mutants_of(path)]
    sample = Random(options.seed).sample(all_of_them, min(options.sample, len(all_of_them)))
    if not survives(None):
        sys.exit("the tests fail without any mutant")
    tried: list[tuple[Mutant, bool]] = []
    with ThreadPoolExecutor(options.processes) as threads:
        for mutant, alive in zip(sample, threads.map(survives, sample), strict=True):
            tried.append((mutant, alive))
            if alive:
                print(f"{len(tried):4} survived {mutant.module}.py:{mutant.line}: "
                      f"{mutant.before} -> {mutant.after}", flush=True)  # fmt: skip
    told = report(tried, len(all_of_them), options.seed)
    print(told)
    if options.write:
        text = DOCUMENT.read_text("utf-8")
        head, rest = text.split(BEGIN)
        DOCUMENT.write_text(f"{head}{BEGIN}\n{told}{END}{rest.split(END)[1]}", "utf-8")


if __name__ == "__main__":
    main()
