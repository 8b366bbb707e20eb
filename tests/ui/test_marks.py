"""Marks in the app: who writes them, where, and what comes back."""

from html import unescape
from pathlib import Path

import pytest

from htreval_core.run.mark_files import read_folder
from htreval_core.run.marks import standing
from htreval_core.settings.started import HOST_NAMES_VARIABLE, OPEN_VARIABLE
from htreval_ui.studies import marks
from tests.tools import drawn, folder_of, made, open_app

OPS = [
    [1, "p0000", "A", ["page"], ["looked at"], [], None],
    [2, "p0000", "A", ["word", "ref", 2], ["reference wrong"], [], "a blot"],
    [3, "p0001", "A", ["fault", 99], ["send back"], [], None],
    [4, "nowhere", "A", ["page"], ["send back"], [], None],
]


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = folder_of(tmp_path / "mine", made(3))
    monkeypatch.setenv(OPEN_VARIABLE, str(folder))
    return folder


def mark(**more: str) -> tuple[object, dict[str, object]]:
    """The Page view after the browser has told it of marks."""
    app = open_app("page.py", data="path-1", page="p0000", system="A", rank="name", **more)
    app.session_state["page_view"] = {"kept": OPS}
    app.run()
    app.run()  # told again, nothing is said twice
    assert not app.exception
    return app, drawn(app, "page")["marks"]


def test_marks_stand_beside_the_data_and_are_told_once(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(marks, "is_local", lambda: True)
    _, told = mark()
    found, warnings = read_folder(data.with_name("mine.marks"))
    assert len(found) == len(standing(found)) == 2
    assert not warnings
    assert told["left"] == 2
    assert [(one["on"], one["tags"], one["mine"]) for one in told["marks"]] == [
        (["page"], ["looked at"], True), (["word", "ref", 2], ["reference wrong"], True),
    ]  # fmt: skip
    overview = open_app(data="path-1", more="marks")
    assert "2 of 3 pages not looked at, reference wrong 1" in [
        unescape(one.value) for one in overview.caption
    ]
    assert overview.dataframe[1].value["remark"].tolist() == ["a blot"]
    overview = open_app(data="path-1", where='mark = "reference wrong"')
    assert len(drawn(overview, "overview")["strip"]["columns"]) == 1


def test_a_server_for_others_writes_nothing(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(HOST_NAMES_VARIABLE, "htreval.example.org")
    _, told = mark()
    assert [path.name for path in data.parent.iterdir()] == ["mine"]
    assert len(told["marks"]) == 2
    assert "end with the session" in told["kept"]


def test_where_the_disk_says_no_the_session_keeps_them(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(marks, "is_local", lambda: True)
    data.with_name("mine.marks").write_text("in the way")
    app, told = mark()
    assert len(told["marks"]) == 2
    assert told["kept"]
    assert "cannot be written" in app.session_state["marks_not_written"]
