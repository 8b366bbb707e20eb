"""Every number of the diagnosis stands in one file, with its reason."""

from __future__ import annotations

import ast
from pathlib import Path

import htreval_core.diagnosis.limits as limits

ROOM = Path(limits.__file__).parent
PLAIN = {0.0, 0.5, 1.0, 2.0}
"""What is no threshold: nothing, half, all, twice."""


def test_no_number_stands_outside_the_file_of_limits() -> None:
    bare = [
        f"{path.relative_to(ROOM)}:{node.lineno}: {node.value}"
        for path in ROOM.rglob("*.py")
        if path.name != "limits.py"
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, float)
        if node.value not in PLAIN
    ]
    assert bare == []


def test_each_limit_has_its_reason() -> None:
    body = ast.parse(Path(limits.__file__).read_text("utf-8")).body
    numbers = [place for place, one in enumerate(body) if isinstance(one, ast.Assign)]
    assert len(numbers) > 100
    for place in numbers:
        after = body[place + 1] if place + 1 < len(body) else None
        is_reason = isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant)
        assert is_reason, ast.unparse(body[place])
