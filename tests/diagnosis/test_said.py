"""Figures and diagnoses of some hundred made pages, and of the samples, change on purpose only."""

import ast
from pathlib import Path

import pytest

import htreval_core.diagnosis.limits as limits
from tests.diagnosis.said import SENTENCES, sections, sentences, stored


@pytest.mark.parametrize("section", sections())
def test_what_is_said_is_what_stands_in_the_file(section: str) -> None:
    """A wanted change is written down by ``python -m tests.diagnosis.said``."""
    wanted = stored()[section]
    for number, line in enumerate(sections()[section]()):
        assert line == wanted[number]
    assert number + 1 == len(wanted)


def test_the_file_has_no_other_part() -> None:
    assert list(stored()) == list(sections())


@pytest.mark.thorough
def test_sentences_are_those_of_the_file() -> None:
    assert sentences() == SENTENCES.read_text("utf-8").splitlines()


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
