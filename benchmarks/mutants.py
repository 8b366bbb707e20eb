"""Small faults in the metrics and their sums, and which of them change no value."""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
ENGINE = ROOT / "htreval_core"


def rooms() -> dict[str, list[Path]]:
    """The modules that are changed, by what they are for."""
    metrics = sorted((ENGINE / "metrics").glob("*.py"))
    sums = (ENGINE / "scoring" / f"{name}.py" for name in ("pool", "reliability", "resampling"))
    return {
        "metrics and sums": [*metrics, *sums],
        "matching": sorted((ENGINE / "metrics" / "matching").glob("*.py")),
        "orders": sorted((ENGINE / "metrics" / "orders").glob("*.py")),
        "words": sorted((ENGINE / "words").glob("*.py")),
        "diagnosis": sorted((ENGINE / "diagnosis").rglob("*.py")),
    }


def modules() -> list[Path]:
    """All modules that are changed."""
    return [path for paths in rooms().values() for path in paths]


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
    (
        "refine",
        r"^_WORD_EDIT.* # (1 -> 2|40 -> 39|40 -> 41)$",
        "no value: still more than the characters of any page",
    ),
    ("refine", r"strict=True.* # True -> False$", "no value: both are of one length"),
    (
        "refine",
        r"^if block.* # block\[4\] == .plain. and .* or ",
        "no value: there the trace is the only one of so few word edits",
    ),
    (
        "refine",
        r"^return block\[1\] - block\[0\] > 1 and .* # (1 -> 0$|.* \+ |.* >= 1$|.* > 1 or )",
        "no value: looks at more stretches, which have one trace of so few word edits alone",
    ),
    ("pricing", r"^_AT_ONCE = |^_TABLE_CELLS = ", "no value: how much is in memory at a time"),
    (
        "pricing",
        r"^if int.*_AT_ONCE: # .* >= _AT_ONCE",
        "no value: at the bound itself either will do",
    ),
    (
        "pricing",
        r"^rows = max\(1, .* # (1 -> 2|.* // .* -> .* \* .*)$",
        "no value: how many at a time",
    ),
    (
        "pricing",
        r"^(fixed|a|b) = .* # (4 -> 5|.* / 2 -> .* \* 2|fixed - least_ref -> .*"
        r"|2 \* terms.equal -> .*|.* \+ at_least)$",
        "no value: a looser bound, exact weights are compared behind it",
    ),
    (
        "pricing",
        r"^(a|b) = .* # 2 -> 1$",
        "no value: a looser bound, exact weights are compared behind it",
    ),
    (
        "pricing",
        r"^a \+= .* # 1e-06 -> 1.000001$",
        "no value: a looser bound, exact weights are compared behind it",
    ),
    (
        "pricing",
        r"^enough = .* # least_ref.* -> .* - ",
        "no value: a looser bound, exact weights are compared behind it",
    ),
    (
        "pricing",
        r"^return \(offers.room - least.* # .* -> .*(\+|\*)",
        "no value: looks further than it need",
    ),
    (
        "edges",
        r"^_SWEEP = |# _SWEEP \* counts.sum\(\)( > len\(more\))? -> ",
        "no value: which of two ways to look the same up",
    ),
    (
        "edges",
        r"^(lift|most) = .* # (0 -> -1|1 -> 2)$",
        "no value: every full matching costs as much more",
    ),
    (
        "pricing",
        r"^possible = .* -> .* - at_least$",
        "no value: a looser bound, exact gains are compared behind it",
    ),
    (
        "pricing",
        r"^fixed = .* # 2 -> 3$",
        "no value: a looser bound, exact weights are compared behind it",
    ),
    ("pricing", r"^self._twin = np.full.* # 1 -> 2$", "no value: any number that no type has"),
    (
        "page",
        r"words.shared\[0\].* # (0 -> 1|0 -> -1)$",
        "no value: both sides have as many shared types",
    ),
    (
        "certificate",
        r"^_PAIRS_AT_ONCE = |^rows = max\(1, .* # 1 -> 2$",
        "no value: how many at a time",
    ),
    (
        "ties",
        r"^spare_(ref|hyp) = 2 .* # (2 -> 3|2 \* .* - .* -> .* \+ .*)$",
        "no value: looks further than it need",
    ),
    ("ties", r"^return np.where\(spare.* # 1 -> 2$", "no value: looks further than it need"),
    (
        "ties",
        r"^reach = 1 .* # (.* / 2 -> .* \* 2|1 -> 2|2 -> 1)$",
        "no value: looks further than it need",
    ),
    ("words", r"^longest = .* # 0 -> (1|-1)$", "no value: as few bytes hold it"),
    (
        "match",
        r"savings.of\(np.array.* # 0 -> -1$",
        "no value: of one pair the first is the last",
    ),
    (
        "savings",
        r"^letters = int\(words.ref_lengths.max.* # 0 -> (1|-1)$",
        "no value: counts only where a side has no words, and so no pair",
    ),
    ("resampling", r"^_CELLS_AT_ONCE = ", "no value: how many at a time"),
    ("order", r"^_AT_ONCE = ", "no value: which of two ways to count the same"),
    ("edges", r"^for step in range.* # 1 -> 2$", "no value: a round to spare"),
    ("edges", r"strict=True.* # True -> False$", "no value: three of each"),
    ("edges", r"^is_new = .* # 1 -> 2$", "no value: any number that no pair has"),
    (
        "edges",
        r"^buyers = buyers.* # 0 -> -1$",
        "no value: offers that stand already are made again",
    ),
    ("start", r"^_CELLS = |^rows = max", "no value: how many at a time"),
    (
        "start",
        r"^_ALL_PAIRS = .* # 16 -> 17$",
        "no value: 17 pairs have one word on a side, next to all",
    ),
    (
        "start",
        r"^return np.zeros.* # .* -> return None$",
        "no value: nothing is chosen of nothing",
    ),
    ("order", r"np.triu\(.* # 1 -> 0$", "no value: no position is larger than itself"),
    ("resampling", r"^cells = np.empty.* # 2 -> 3$", "no value: a third table that nobody reads"),
    (
        "ties",
        r"^more = 1 .* # 1 -> 2$",
        "no value: a bonus of any size will do that is large enough",
    ),
    ("order", r"^if \(in_order.* # .* -> .* >= ", "no value: positions are distinct"),
    ("edit", r"^_BINS = |^if n_bins <= _BINS", "no value: which of two ways to count the same"),
    ("words", r"_GIGANTIC|TABLE_LIMIT", "no value: which of two ways to measure the same"),
    ("resampling", r"^exact = .* # 63 -> ", "no value: so many flips are never all of them"),
    ("refine", r"^edit = 1 \+ .* # 1 -> ", "no value: still outweighs all that can be saved"),
    ("refine", r"^most_added = ", "no value: looks further than it need"),
    ("sparse", r"^if len\(edges\) < known", "no value: rounds before the exact one"),
    ("dense", r"^most = saved|_ROUNDS", "no value: fewer pairs are certain beforehand"),
    ("start", r"^dtype: .*signedinteger", "no value: either type holds it"),
    (
        "search",
        r"^_[A-Z_]+(, _[A-Z_]+)* = |^width = |^spent = |^self.dtype = |^most = |^cost = |tries",
        "no value here: how far the search looks; its bound tells what it has not looked at",
    ),
)
"""Survivors that change no value: module, a regular expression, and why.

The expression is looked for in ``line of the module # was -> became``.
"""


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change: the module, the line and what became of it.

    Args:
        scope: first and last line of the function that it stands in, None outside of functions.
        number: the changed node, counted as ``ast.walk`` counts.
        variant: which of the node's changes it is.
    """

    module: str
    line: int
    before: str
    after: str
    scope: tuple[int, int] | None
    number: int
    variant: int

    @property
    def path(self) -> Path:
        """Where the module stands."""
        return ENGINE / f"{self.module}.py"


def mutants_of(path: Path) -> Iterator[Mutant]:
    """All mutants of a module, in the order of its text."""
    tree = ast.parse(path.read_text("utf-8"))
    skipped, scopes = _not_run(tree), _scopes(tree)
    for number, node in enumerate(ast.walk(tree)):
        if number in skipped or not isinstance(node, _CHANGEABLE):
            continue
        for variant in range(2):
            changed = _change(copy.deepcopy(node), variant)
            if changed is not None:
                scope = scopes.get(id(node))
                yield Mutant(_name(path), node.lineno, *changed, scope, number, variant)


def _name(path: Path) -> str:
    return path.relative_to(ENGINE).with_suffix("").as_posix()


def source_of(mutant: Mutant) -> str:
    """The changed module."""
    tree = ast.parse(mutant.path.read_text("utf-8"))
    _change(list(ast.walk(tree))[mutant.number], mutant.variant)
    return ast.unparse(ast.fix_missing_locations(tree))


def explained(mutant: Mutant) -> str:
    """Why a survivor changes no value; empty where nobody has said."""
    line = mutant.path.read_text("utf-8").splitlines()[mutant.line - 1]
    told = f"{line.strip()} # {mutant.before} -> {mutant.after}"
    for module, pattern, why in EXPLAINED:
        if module == mutant.path.stem and re.search(pattern, told):
            return why
    return ""


def _scopes(tree: ast.Module) -> dict[int, tuple[int, int]]:
    """The lines of the outermost function around each node in the body of one."""
    scopes: dict[int, tuple[int, int]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and id(node) not in scopes:
            first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
            for statement in node.body:
                for inner in ast.walk(statement):
                    scopes.setdefault(id(inner), (first, node.end_lineno or first))
    return scopes


def _not_run(tree: ast.Module) -> set[int]:
    """Numbers of the nodes that no value can depend on: annotations, messages, documentation."""
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
    elif isinstance(node, ast.Return) and not isinstance(node.value, ast.Constant | None):
        node.value = ast.Constant(None)
    else:
        return None
    return before, ast.unparse(node)
