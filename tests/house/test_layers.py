"""How the house is built: no import leads back, and the layers are those that are told."""

import re
import tomllib
from graphlib import TopologicalSorter

from grimp import build_graph

from tests.conftest import ROOT

CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"][
    "contracts"
]
SIDES, ENGINE, _, WEB = (contract["layers"] for contract in CONTRACTS)
MOST_AT_THE_TOP = 20


def test_no_import_leads_back_to_where_it_began() -> None:
    graph = build_graph("htreval_core", "htreval_ui", exclude_type_checking_imports=True)
    imports = {one: graph.find_modules_directly_imported_by(one) for one in graph.modules}
    # A package whose names a stub lists (``lazy_loader``) imports what the stub names.
    for stub in (ROOT / "htreval_core").rglob("*.pyi"):
        package = ".".join(stub.parent.relative_to(ROOT).parts)
        named = re.findall(r"^from \.([\w.]+) import", stub.read_text("utf-8"), re.MULTILINE)
        imports[package] |= {f"{package}.{name}" for name in named} & set(imports)
    TopologicalSorter(imports).prepare()
    # It saw what there is: a stub, a package from the other side, an import put off to a call.
    assert "htreval_core.compare" in imports["htreval_core"]
    assert any("htreval_core" in imports[name] for name in imports if "htreval_ui" in name)
    assert "htreval_core.sources.reading" in imports["htreval_core.cli.data"]


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


def test_views_do_not_know_who_hosts_them() -> None:
    """Not in their Python, not in their scripts, and no colour by a host's name for it."""
    views = ROOT / "htreval_core" / "show" / "views"
    files = [one for one in views.rglob("*") if one.suffix in (".py", ".js", ".css", ".toml")]
    assert len(files) > 40
    for file in files:
        assert not re.search("streamlit|--st-|setTriggerValue", file.read_text("utf-8")), file
