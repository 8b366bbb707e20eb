"""What ``htreval app`` is started with reaches the server, and nothing else does."""

import json
import os
import re
from collections.abc import Mapping
from html import unescape
from pathlib import Path

import pytest

from htreval_core.cli.app import sides_told
from htreval_core.settings.started import OPEN_VARIABLE, SIDES_VARIABLE, paths_read
from htreval_ui.studies import data
from tests.sources.test_pairing import PAGE_XML
from tests.tools import Files, Tree, drawn, invoke, open_app, zipped


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The environment that the server gets; it is not started."""
    seen: dict[str, str] = {}

    def instead(_program: str, _arguments: list[str], environment: Mapping[str, str]) -> None:
        seen.update(environment)

    monkeypatch.setattr(os, "execve", instead)
    monkeypatch.setattr(os, "chdir", lambda _: None)
    monkeypatch.setattr("subprocess.call", lambda *_, **__: 0)
    return seen


def test_sides_reach_the_server(tree: Tree, started: dict[str, str]) -> None:
    root = tree({"truth: v1/1.txt": "a b", "out=1/1.txt": "a c", "two/1.txt": "a d"})
    invoke("app", root, "--reference", root / "truth: v1", "--system", f"A={root / 'out=1'}",
           "--system", f"B {os.pathsep} \"={root / 'two'}")  # fmt: skip
    assert started[OPEN_VARIABLE] == str(root)
    assert json.loads(started[SIDES_VARIABLE]) == {
        "reference": str(root / "truth: v1"),
        "systems": {"A": str(root / "out=1"), f'B {os.pathsep} "': str(root / "two")},
    }


def test_paths_alone_are_no_sides(tree: Tree, started: dict[str, str]) -> None:
    root = tree({"1.ref": "a", "1.hyp": "b"})
    invoke("app", root)
    assert (started[OPEN_VARIABLE], started[SIDES_VARIABLE]) == (str(root), "")


def test_a_path_with_the_sign_between_paths_stays_one(
    tree: Tree, started: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tree({f"a{os.pathsep}b/1.ref": "a", f"a{os.pathsep}b/1.hyp": "b", "c/1.ref": "a"})
    paths = [root / f"a{os.pathsep}b", root / "c"]
    invoke("app", *paths)
    monkeypatch.setenv(OPEN_VARIABLE, started[OPEN_VARIABLE])
    assert [*data.sources().values()][:2] == [f"a{os.pathsep}b", "c"]
    assert paths_read(os.pathsep.join(["/x", "/y"])) == [Path("/x"), Path("/y")]


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (("--reference", "{0}"), "give --reference with one or more --system"),
        (("--system", "A={0}"), "give --reference as well, or another --system"),
    ],
)
def test_one_side_alone_is_refused(
    tree: Tree, started: dict[str, str], given: tuple[str, str], told: str
) -> None:
    done = invoke("app", given[0], given[1].format(tree({"1.txt": "a"})))
    assert done.exit_code == 2
    assert told in done.stderr
    assert not started


def test_a_side_that_is_not_there_is_refused(tree: Tree, started: dict[str, str]) -> None:
    root = tree({"1.txt": "a"})
    done = invoke("app", "--reference", root, "--system", f"A={root}/gone")
    assert done.exit_code == 2
    assert "gone: there is no such file or folder; check the path" in done.stderr
    assert not started


@pytest.mark.slow
def test_the_app_opens_on_the_sides(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tree({"truth/1.txt": "a b", "x/1.txt": "a c", "y/1.txt": "a b"})
    sides = {
        "reference": str(root / "truth"),
        "systems": {"X": str(root / "x"), "Y": str(root / "y")},
    }
    monkeypatch.setenv(SIDES_VARIABLE, json.dumps(sides))
    app = open_app()
    assert app.selectbox(key="edit_data").value == "sides"
    assert next(iter(data.sources().values())) == "truth: X, Y"
    assert drawn(app, "overview")["rows"]


@pytest.mark.slow
@pytest.mark.parametrize("way", ["sides", "folder"])
def test_systems_without_a_truth_are_compared_with_each_other(
    way: str, tree: Tree, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "the same words stand on this page of the book"
    root = tree({f"{of}/{n}.txt": f"{text} {of}" for of in ("old", "new", "other") for n in "123"})
    if way == "sides":
        told = sides_told(None, {name: root / name for name in ("new", "old", "other")})
        monkeypatch.setenv(SIDES_VARIABLE, told)
        app = open_app()
    else:
        monkeypatch.setenv(OPEN_VARIABLE, str(root))
        app = open_app()
        assert "nothing tells references from system output" in app.error[0].value
        app.button(key="without_truth").click().run()
    assert not app.exception
    said = unescape(" ".join(one.value for one in (*app.title, *app.markdown, *app.info)))
    assert "Worth a look, without a reference" in said
    assert "3 systems" in said
    assert set(app.dataframe[0].value.iloc[:, 0]) == {"new", "old", "other"}
    assert not [one for one in app.button if one.key == "with_truth"]
    if way == "sides":
        assert "This view needs true references" in open_app("errors.py").info[0].value


OPTION = re.compile(r"(?<![\w<-])--[a-z]")
LATIN, TEXT = "été".encode("latin-1"), b"some words"
BAD: dict[str, Files] = {
    "a word too long": {"reference/1.txt": b"y" * 6_000, "one/1.txt": TEXT},
    "one of many too long": {
        "reference/1.txt": b"y" * 6_000, "x/1.txt": TEXT, "reference/2.txt": TEXT, "x/2.txt": TEXT,
    },
    "not UTF-8": {"reference/1.txt": LATIN, "one/1.txt": TEXT},
    "one of many not UTF-8": {
        "reference/1.txt": LATIN, "one/1.txt": TEXT, "reference/2.txt": TEXT, "one/2.txt": TEXT,
    },
    "nothing tells": {"1.txt": TEXT, "2.txt": TEXT},
    "two that may be it": {"gt-1/1.txt": TEXT, "gt-2/1.txt": TEXT, "x/1.txt": TEXT},
    "no names in common": {"reference/1.txt": TEXT, "x/2.txt": TEXT},
    "nothing in it": {"photo.jpg": TEXT},
    "METS alone": {"mets.xml": b"<mets/>", "metadata.xml": b"<x/>"},
    "an entity": {
        "reference/1.xml": b'<!DOCTYPE x [<!ENTITY e "y">]><PcGts>&e;</PcGts>', "x/1.txt": TEXT,
    },
    "other XML": {"reference/1.xml": b'<?xml version="1.0"?><TEI/>', "x/1.txt": TEXT},
    "not whole": {"reference/1.xml": PAGE_XML.encode()[:80], "x/1.txt": TEXT},
    "a table without references": {"t.csv": b"page,one,two\n1,a,b\n"},
    "decoded lines of another pattern": {"reference/t.txt": b"l1 a b <space> c", "x/1.txt": TEXT},
    "deep": {"reference/1.xml": b"<PcGts>" * 400, "x/1.txt": TEXT},
    "two files of a page": {"reference/1.txt": TEXT, "reference/1.text": TEXT, "x/1.txt": TEXT},
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", list(BAD))
@pytest.mark.parametrize("way", ["path", "zip", "sides"])
def test_no_message_of_the_browser_speaks_of_options(
    name: str, way: str, tree: Tree, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tree(BAD[name])
    if name.startswith("a table"):
        root = root / "t.csv"
    elif way == "zip":
        (packed := root.parent / "x.zip").write_bytes(zipped(BAD[name]))
        root = packed
    if way == "sides":
        inside = root.iterdir() if root.is_dir() else ()
        folders = sorted(path for path in inside if path.is_dir()) or [root]
        sides = {"reference": str(folders[0]), "systems": {"A": str(folders[-1])}}
        monkeypatch.setenv(SIDES_VARIABLE, json.dumps(sides))
    else:
        monkeypatch.setenv(OPEN_VARIABLE, str(root))
    for page in ("overview.py", "page.py") if way == "path" else ("overview.py",):
        app = open_app(page)
        kinds = ("error", "warning", "info", "markdown", "caption", "title")
        shown = [unescape(one.value) for kind in kinds for one in getattr(app, kind)]
        assert shown
        for text in shown:
            assert not OPTION.search(text), text
    assert Path(root).exists()
