"""How the house is built: no import leads back, and the layers are those that are told."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.house.imports import circle, imports_below
from tests.tools import write_tree

CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"][
    "contracts"
]
SIDES, ENGINE, _, WEB = (contract["layers"] for contract in CONTRACTS)
MOST_AT_THE_TOP = 20


def test_no_import_leads_back_to_where_it_began() -> None:
    imports = imports_below(ROOT, "htreval_core", "htreval_ui")
    assert not (found := circle(imports)), " -> ".join(found)
    # It saw what there is: a stub, a package from the other side, an import put off to a call.
    assert "htreval_core.compare" in imports["htreval_core"]
    assert any("htreval_core" in imports[name] for name in imports if "htreval_ui" in name)
    assert "htreval_core.sources.reading" in imports["htreval_core.cli.data"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("import house.b", "from house.a import x"),
        ("from house import b", "def f():\n    from house.a import x"),
        ("from .b import y", "class C:\n    from . import a"),
        ("from house.b import y", "try:\n    import house.a\nexcept ImportError:\n    pass"),
        ("import house.b", "if TYPE_CHECKING:\n    pass\nelse:\n    import house.a"),
        ("import house.b", "from house import room"),
        ("import house.b", "import house.room as r"),
        ("import house.b", "from house.room import deep"),
    ],
)
def test_a_circle_is_found(one: str, other: str, tmp_path: Path) -> None:
    root = write_tree(tmp_path, {
        "house/__init__.py": "", "house/a.py": one, "house/b.py": other,
        "house/room/__init__.py": "from lazy_loader import attach_stub",
        "house/room/__init__.pyi": "from ..a import x as x", "house/room/deep.py": "import house.a",
    })  # fmt: skip
    found = circle(imports_below(root, "house"))
    assert found[0] == found[-1]
    assert {"house.a", "house.b"} <= set(found)
    imports = imports_below(root, "house")
    assert all(found[at + 1] in imports[name] for at, name in enumerate(found[:-1]))


@pytest.mark.parametrize(
    "other",
    ["if TYPE_CHECKING:\n    from house.a import x", "if typing.TYPE_CHECKING:\n    import house.a",
     "import house", "import elsewhere.house.a", '"""import house.a"""'],
)  # fmt: skip
def test_what_leads_nowhere_is_no_circle(other: str, tmp_path: Path) -> None:
    root = write_tree(tmp_path, {
        "house/__init__.py": "", "house/a.py": "import house.b", "house/b.py": other,
    })  # fmt: skip
    assert circle(imports_below(root, "house")) == []


def test_the_direction_that_is_told_is_the_one_that_is_held() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    section = re.search(r"^## Direction\n(.*?)^## ", text, re.DOTALL | re.MULTILINE)
    assert section
    sides, engine, web = (
        [" ".join(layer.split()) for layer in told.split("->")]
        for told in re.findall(r"`([^`]*->[^`]*)`", section[1])
    )
    assert sides == ["app, pages", *SIDES]
    assert engine == ENGINE
    assert web == WEB


def test_every_room_of_the_engine_stands_in_a_layer_and_is_seen_at_a_glance() -> None:
    rooms = {
        path.stem
        for path in (ROOT / "htreval_core").iterdir()
        if not path.name.startswith("__") and path.suffix in ("", ".py")
    }
    assert rooms == {room for layer in ENGINE for room in layer.split(" | ")}
    # The top of the engine can be seen at a glance.
    entries = [p.name for p in (ROOT / "htreval_core").iterdir() if p.name != "__pycache__"]
    assert len(entries) <= MOST_AT_THE_TOP, sorted(entries)
