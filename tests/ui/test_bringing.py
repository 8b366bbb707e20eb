"""What somebody brings to the Data page, without a browser."""

from __future__ import annotations

from html import unescape

import pytest
from streamlit.testing.v1 import AppTest

import htreval_core as hv
from htreval_core.model import SourceFile
from htreval_core.sources.pairing import ChosenPair
from htreval_core.sources.recognise import GivenSide, pair_given_sides
from htreval_ui import data, scoring
from htreval_ui.bringing import TRUTH, Place, empty_sides, tell_unreadable
from htreval_ui.tables import pairing_frame
from tests.cli.test_app import BAD, OPTION
from tests.tools import Files, open_app, until, zipped

TEXT = b"some words"


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> dict[str, data.Upload]:
    uploads: dict[str, data.Upload] = {}
    monkeypatch.setattr(data, "_uploads", lambda: uploads)
    return uploads


@pytest.mark.parametrize(
    ("names", "called"),
    [
        (["vendor.zip"], "vendor"),
        (["crnn/1.txt", "crnn/2.txt"], "crnn"),
        (["crnn\\1.txt"], "crnn"),
        (["a/1.txt", "b/2.txt"], "System 1"),
        (["1.txt", "2.txt"], "System 1"),
        (["output.v2.csv"], "output"),
        ([".txt"], "System 1"),
        ([], "System 1"),
    ],
)
def test_what_is_brought_is_called_after_its_folder(names: list[str], called: str) -> None:
    assert data.default_name(names, "System 1") == called


def test_sides_pair_by_name_whatever_they_are_packed_in(session: dict[str, data.Upload]) -> None:
    key = data.add_sides(
        [("t.zip", zipped({"t/page/1.xml": b"<PcGts/>", "t/mets.xml": b"<mets/>"}))],
        {"folder": [("out/1.txt", TEXT)], "files": [("1.txt", TEXT), ("2.txt", TEXT)]},
    )
    pairing = session[key].pairing
    assert [page.page_id for page in pairing.pages] == ["1"]
    assert pairing.systems == ("folder", "files")
    assert pairing.unpaired == hv.Unpaired((), {"folder": (), "files": ("2",)})
    assert pairing.passed_over == ("mets.xml",)


def test_a_file_against_a_file_is_one_page(session: dict[str, data.Upload]) -> None:
    key = data.add_sides([("truth.txt", TEXT)], {"A": [("what.txt", TEXT)]})
    assert len(session[key].pairing.pages) == 1


def test_a_table_is_a_side(session: dict[str, data.Upload]) -> None:
    key = data.add_sides([("t.csv", b"page,reference\n1,a b\n")], {"A": [("1.txt", TEXT)]})
    pairing = session[key].pairing
    assert [page.page_id for page in pairing.pages] == ["1"]
    assert pairing.passed_over == ()


def test_pairs_by_hand_take_no_more_room_and_go_with_what_they_amend(
    session: dict[str, data.Upload],
) -> None:
    key = data.add_sides([("1.txt", TEXT), ("2.txt", TEXT)], {"A": [("x.txt", TEXT)]})
    assert data.with_pairs(key, []) == key
    amended = data.with_pairs(key, [ChosenPair("A", "x", "1")])
    assert [page.page_id for page in session[amended].pairing.pages] == ["1"]
    assert session[amended].size == 0
    data.forget_drafts([key])
    assert set(session) == {key, amended}
    assert not set(data.sources()) & {key, amended}
    data.offer(amended)
    data.forget_drafts([])
    assert set(session) == {amended}
    assert amended in data.sources()


def test_every_row_of_the_table_says_what_becomes_of_it(session: dict[str, data.Upload]) -> None:
    key = data.add_sides(
        [(f"{n}.txt", TEXT) for n in range(1, 6)],
        {
            "A": [("1.txt", TEXT), ("2.txt", TEXT), ("x.txt", TEXT), ("y.txt", TEXT)],
            "B": [("1.txt", TEXT), ("3.txt", b"\xff")],
        },
    )
    upload = session[data.with_pairs(key, [ChosenPair("A", "x", "3")])]
    found = upload.read_if_small(hv.ReadPolicy())
    assert found is not None
    frame = pairing_frame(upload.pairing, found.warnings)
    assert list(frame.columns) == ["page", "truth", "A", "B", "state"]
    rows = {(row.page, row.state) for row in frame.itertuples()}
    assert rows == {
        ("4", "no output: not scored"),
        ("5", "no output: not scored"),
        ("y", "no truth: not scored"),
        ("2", "no output of B"),
        ("3", "B cannot be read; A by hand"),
        ("1", "paired"),
    }
    assert frame["state"].iloc[-1] == "paired"


def sides(truth: list[str], system: list[str]) -> tuple[GivenSide, dict[str, GivenSide]]:
    made = [
        GivenSide([SourceFile(name, lambda: TEXT) for name in names]) for names in (truth, system)
    ]
    return made[0], {"vendor": made[1]}


class File:
    """Stands for an upload of the browser."""

    def __init__(self, name: str) -> None:
        self.name = self.file_id = name


def test_a_place_without_a_transcript_is_told(session: dict[str, data.Upload]) -> None:
    pairing = pair_given_sides("x", *sides(["1.txt"], ["1.docx", "2.docx"]))
    places = [
        Place(TRUTH, "", [File("1.txt")]),  # type: ignore[list-item]
        Place("System 1", "vendor", [File("1.docx"), File("2.docx")]),  # type: ignore[list-item]
    ]
    (told,) = empty_sides(pairing, places)
    assert told.startswith("System 1 (vendor) holds no transcript: 2 files, the first 1.docx. Give")


@pytest.mark.parametrize(
    ("n", "says"), [(1, "its one file cannot"), (3, "none of its 3 files can")]
)
def test_a_side_that_cannot_be_read_is_told_in_one_sentence(
    n: int, says: str, session: dict[str, data.Upload]
) -> None:
    names = [f"{number}.txt" for number in range(n)]
    key = data.add_sides(
        [(name, TEXT) for name in names],
        {"bad": [(name, b"\xff") for name in names], "good": [(name, TEXT) for name in names]},
    )
    found = session[key].read_if_small(hv.ReadPolicy())
    assert found is not None
    (told,) = tell_unreadable(session[key].pairing, found.warnings)
    assert told.startswith(f"Nothing of the system bad is read: {says} be read. bad/0.txt: not")


def test_what_is_large_is_not_read_in_the_server(
    session: dict[str, data.Upload], monkeypatch: pytest.MonkeyPatch
) -> None:
    key = data.add_sides([("1.txt", TEXT)], {"A": [("1.txt", TEXT)]})
    monkeypatch.setattr(data, "_SMALL_BYTES", 2 * len(TEXT) - 1)
    assert session[key].read_if_small(hv.ReadPolicy()) is None
    monkeypatch.setattr(data, "_SMALL_BYTES", 2 * len(TEXT))
    assert session[key].read_if_small(hv.ReadPolicy()) is not None


# --- as the user sees it


def put(app: AppTest, place: str, files: Files) -> AppTest:
    """Files in one of the places, as the browser sends them."""
    sent = [
        (name, content.encode() if isinstance(content, str) else content, "text/plain")
        for name, content in files.items()
    ]
    app.file_uploader(key=place).set_value(sent).run()
    assert not app.exception, app.exception
    return app


def shown(app: AppTest) -> list[str]:
    """All that the page says, as a reader sees it."""
    kinds = ("error", "warning", "info", "success", "markdown", "caption")
    return [unescape(one.value) for kind in kinds for one in getattr(app, kind)]


@pytest.mark.slow
def test_a_folder_for_each_side(monkeypatch: pytest.MonkeyPatch) -> None:
    app = put(open_app("data.py"), "truth_folder", {f"gt/{n}.txt": "one two" for n in (1, 2, 3)})
    put(app, "system_1_folder", {"crnn/1.txt": "one to", "crnn/2_final.txt": "one two"})
    assert app.text_input(key="system_1_name").value == "crnn"
    assert "1 page, paired by same names" in shown(app)
    assert "crnn/2_final.txt: is this 2?" in shown(app)
    app.text_input(key="system_1_name").set_value("mine").run()
    assert "mine/2_final.txt: is this 2?" in shown(app)
    next(one for one in app.button if one.label == "Yes").click().run()
    assert "2 pages, paired by same names, 1 by hand" in shown(app)
    rows = app.dataframe[0].value
    assert dict(zip(rows["page"], rows["state"], strict=True)) == {
        "3": "no output: not scored", "2": "mine by hand", "1": "paired",
    }  # fmt: skip
    # Another folder: the name was edited, so it stays.
    put(app, "system_1_folder", {"span/1.txt": "one to"})
    assert app.text_input(key="system_1_name").value == "mine"


@pytest.mark.slow
def test_large_uploads_are_read_beside_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(data, "_SMALL_FILES", 3)
    desk = scoring.Desk()
    monkeypatch.setattr(scoring, "desk", lambda: desk)
    app = put(open_app("data.py"), "truth_files", {f"{n}.txt": "one two" for n in range(4)})
    put(app, "system_1_files", {**{f"{n}.txt": "one two" for n in range(3)}, "3.txt": b"\xff"})
    waiter = app.session_state["waiters"]["reading"]
    until(lambda: waiter.job.is_over)
    assert waiter.job.state == "done", waiter.job.problem
    app.run()
    assert any("3 pages, paired by" in text for text in shown(app))
    assert "System 1 cannot be read: not scored" not in shown(app)
    assert app.dataframe[0].value["state"].iloc[0] == "the output cannot be read: not scored"
    desk.queue.shutdown()


@pytest.mark.slow
@pytest.mark.parametrize("name", list(BAD))
def test_no_message_of_the_data_page_speaks_of_options(name: str) -> None:
    files = BAD[name]
    together = put(open_app("data.py"), "upload_files", {"x.zip": zipped(files)})
    apart = put(open_app("data.py"), "truth_files", files)
    put(apart, "system_1_files", {next(iter(files)): TEXT})
    for app in (together, apart):
        for text in shown(app):
            assert not OPTION.search(text), text
    assert [*together.error, *together.success]


@pytest.mark.slow
def test_two_files_of_one_page_are_named() -> None:
    files = {"reference/1.txt": TEXT, "reference/1.xml": TEXT, "x/1.txt": TEXT}
    app = put(open_app("data.py"), "upload_files", {"x.zip": zipped(files)})
    told = unescape(app.error[0].value)
    assert told.startswith("No page can be scored. 1: 2 files for this page in the reference")
    assert "keep one of them" in told


@pytest.mark.slow
def test_what_nothing_tells_apart_is_sent_to_the_places() -> None:
    app = put(open_app("data.py"), "upload_files", {"x.zip": zipped(BAD["nothing tells"])})
    assert "nothing tells references from system output" in unescape(app.error[0].value)
    assert "Say which are which" in app.info[0].value
