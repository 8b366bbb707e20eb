"""English that a native reader does not notice: turns that no document or message may have."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.tools import cases

_THING = (
    "row|bar|dot|line|column|sentence|mark|page|file|case|suite|stroke|word|folder|bundle|pair|"
    "panel|entry|number|value|list|thread|module|script|command|room"
)
_EACH = "page|system|switch|value|bucket|line|word|kind|metric|file|limit|side|fault|row|view"
TURNS = {
    name: turn.replace("@THING", _THING).replace("@EACH", _EACH)
    for name, turn in cases("turns").items()
}
_SAMPLES = "sample_data/models/"
_STORY = re.compile(r'(?:reference|hypothesis) = """.*?"""', re.DOTALL)


def turns_in(text: str) -> list[str]:
    """The names of the turns in a text, whose lines may break anywhere."""
    flat = re.sub(r"\s+(?:// )?", " ", re.sub(r"\\\n", "", text))
    return [name for name, turn in TURNS.items() if re.search(turn, flat)]


def strings(code: str) -> Iterator[str]:
    """The texts of a module that a person may meet, with those of f-strings in one piece."""
    tree = ast.parse(code)
    docs = {id(one.value) for one in ast.walk(tree) if isinstance(one, ast.Expr)}
    for one in ast.walk(tree):
        if isinstance(one, ast.JoinedStr):
            docs |= {id(part) for part in one.values}
            yield "".join(
                str(part.value) if isinstance(part, ast.Constant) else "X" for part in one.values
            )
    for one in ast.walk(tree):
        if isinstance(one, ast.Constant) and isinstance(one.value, str) and id(one) not in docs:
            yield one.value


def documents() -> list[Path]:
    """All Markdown of the project but the pages of the samples."""
    folders = ("docs", "sample_data")
    found = [
        *ROOT.glob("*.md"),
        *(path for name in folders for path in (ROOT / name).rglob("*.md")),
    ]
    return [path for path in found if _SAMPLES not in path.relative_to(ROOT).as_posix()
            and "formats" not in path.parts]  # fmt: skip


def sources() -> list[Path]:
    found = [ROOT / "app.py", *(ROOT / "pages").glob("*.py")]
    for room in ("htreval_core", "htreval_ui"):
        found += [
            path for ending in ("py", "js", "toml") for path in (ROOT / room).rglob(f"*.{ending}")
        ]
    return found


@pytest.mark.parametrize("path", documents(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_documents_have_none_of_them(path: Path) -> None:
    text = path.read_text("utf-8")
    if path.name == "CHANGELOG.md":
        text = text.partition("### Earlier changes")[0]
    assert turns_in(text) == []


def test_messages_have_none_of_them() -> None:
    found = []
    for path in sources():
        text = path.read_text("utf-8")
        texts = strings(text) if path.suffix == ".py" else [_STORY.sub("", text)]
        found += [(path.name, turn, one[:80]) for one in texts for turn in turns_in(one)]
    assert found == []


@pytest.mark.parametrize(("text", "turn"), cases("noticed_turns"))
def test_a_turn_is_noticed(text: str, turn: str) -> None:
    assert turns_in(text) == [turn]
    assert turns_in("Systems are told apart, and a row holds a system.") == []
    assert [turns_in(one) for one in strings(f"x = f'''{text} {{y}}'''")] == [[turn]]
