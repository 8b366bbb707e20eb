"""Every number of the diagnosis stands in one file, with its reason."""

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
    rooms = ast.parse(Path(limits.__file__).read_text("utf-8")).body
    bodies = [one.body for one in rooms if isinstance(one, ast.ClassDef)]
    for body in bodies:
        for at, one in enumerate(body):
            if isinstance(one, ast.Assign):
                after = body[at + 1] if at + 1 < len(body) else None
                is_reason = isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant)
                assert is_reason, ast.unparse(one)
    assert sum(isinstance(one, ast.Assign) for body in bodies for one in body) > 100
