"""What somebody brings to the Data page, without a browser."""

from collections.abc import Iterator
from html import unescape

import pytest
from streamlit.testing.v1 import AppTest

import htreval_core as hv
from htreval_core.model import SourceFile
from htreval_core.scoring.workers import Processes
from htreval_core.settings.started import OPEN_VARIABLE
from htreval_core.sources.dataset import Unpaired
from htreval_core.sources.pairing import ChosenPair
from htreval_core.sources.recognise import GivenSide, pair_given_sides
from htreval_core.sources.suggest import suggest_pairs
from htreval_ui.studies import data, given, jobs, uploads
from htreval_ui.studies.bringing import TRUTH
from htreval_ui.studies.pairing import (
    Place,
    empty_sides,
    pairing_frame,
    tell_pages,
    tell_unreadable,
)
from tests.cli.test_app import BAD
from tests.sources.test_pairing import PAGE_XML
from tests.tools import Files, Tree, cases, open_app, until, zipped

TEXT = b"some words"


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> dict[str, uploads.Upload]:
    held: dict[str, uploads.Upload] = {}
    monkeypatch.setattr(uploads, "held", lambda: held)
    return held


@pytest.mark.parametrize(("names", "called"), cases("brought"))
def test_what_is_brought_is_called_after_its_folder(names: list[str], called: str) -> None:
    assert uploads.default_name(names, "System 1") == called


def test_sides_are_what_they_are_packed_in(session: dict[str, uploads.Upload]) -> None:
    # Sides pair by name whatever they are packed in.
    key = uploads.add_sides(
        [("t.zip", zipped({"t/page/1.xml": b"<PcGts/>", "t/mets.xml": b"<mets/>"}))],
        {"folder": [("out/1.txt", TEXT)], "files": [("1.txt", TEXT), ("2.txt", TEXT)]},
    )
    pairing = session[key].pairing
    assert [page.page_id for page in pairing.pages] == ["1"]
    assert pairing.systems == ("folder", "files")
    assert pairing.unpaired == Unpaired((), {"folder": (), "files": ("2",)})
    assert pairing.passed_over == ("mets.xml",)
    # A file against a file is one page.
    key = uploads.add_sides([("truth.txt", TEXT)], {"A": [("what.txt", TEXT)]})
    assert len(session[key].pairing.pages) == 1
    # A table is a side.
    key = uploads.add_sides([("t.csv", b"page,reference\n1,a b\n")], {"A": [("1.txt", TEXT)]})
    pairing = session[key].pairing
    assert [page.page_id for page in pairing.pages] == ["1"]
    assert pairing.passed_over == ()


def test_pairs_by_hand_take_no_more_room_and_go_with_what_they_amend(
    session: dict[str, uploads.Upload],
) -> None:
    key = uploads.add_sides([("1.txt", TEXT), ("2.txt", TEXT)], {"A": [("x.txt", TEXT)]})
    assert uploads.with_pairs(key, []) == key
    amended = uploads.with_pairs(key, [ChosenPair("A", "x", "1")])
    assert [page.page_id for page in session[amended].pairing.pages] == ["1"]
    assert session[amended].size == 0
    uploads.forget_drafts([key])
    assert set(session) == {key, amended}
    assert not set(data.sources()) & {key, amended}
    uploads.offer(amended)
    uploads.forget_drafts([])
    assert set(session) == {amended}
    assert amended in data.sources()


def test_every_row_of_the_table_says_what_becomes_of_it(session: dict[str, uploads.Upload]) -> None:
    key = uploads.add_sides(
        [(f"{n}.txt", TEXT) for n in range(1, 6)],
        {
            "A": [("1.txt", TEXT), ("2.txt", TEXT), ("x.txt", TEXT), ("y.txt", TEXT)],
            "B": [("1.txt", TEXT), ("3.txt", b"\xff")],
        },
    )
    upload = session[uploads.with_pairs(key, [ChosenPair("A", "x", "3")])]
    found = upload.read_if_small(hv.ReadPolicy())
    assert found is not None
    frame = pairing_frame(upload.pairing, found.warnings)
    assert list(frame.columns) == ["page", "truth", "A", "B", "state"]
    rows = {(row.page, row.state) for row in frame.itertuples()}
    assert rows == {
        ("4", "no output: not scored"), ("5", "no output: not scored"),
        ("y", "no ground truth: not scored"), ("2", "no output of B"),
        ("3", "B cannot be read; A by hand"), ("1", "paired"),
    }  # fmt: skip
    assert frame["state"].iloc[-1] == "paired"


def sides(truth: list[str], system: list[str]) -> tuple[GivenSide, dict[str, GivenSide]]:
    made = [
        GivenSide([SourceFile(name, lambda: TEXT) for name in names]) for names in (truth, system)
    ]
    return made[0], {"vendor": made[1]}


class File:
    """Stands for an upload of the browser."""

    def __init__(self, name: str, content: bytes = TEXT) -> None:
        self.name = self.file_id = name
        self.content = content

    def getvalue(self) -> bytes:
        return self.content


def test_a_place_without_a_transcript_is_told_and_one_that_waits_for_files_is_not() -> None:
    # A place without a transcript is told.
    pairing = pair_given_sides("x", *sides(["1.txt"], ["1.pdf", "2.pdf"]))
    places = [
        Place(TRUTH, "", [File("1.txt")]),  # type: ignore[list-item]
        Place("System 1", "vendor", [File("1.pdf"), File("2.pdf")]),  # type: ignore[list-item]
    ]
    (told,) = empty_sides(pairing, places)
    assert told.startswith(
        "System 1 (vendor) holds no transcript: 2 .pdf and nothing readable. Give"
    )
    # A place that waits for files is not told to be empty.
    assert empty_sides(pair_given_sides("x", GivenSide([]), {}), [Place(TRUTH)]) == []


@pytest.mark.parametrize(("inside", "says"), cases("inside_archives"))
def test_what_is_inside_an_archive_without_a_transcript_is_told(
    inside: list[str], says: str
) -> None:
    pairing = pair_given_sides("x", GivenSide([]), {})
    packed = File("notranscripts.zip", zipped({f"x/{name}": b"" for name in inside}))
    (told,) = empty_sides(pairing, [Place(TRUTH, "", [packed])])  # type: ignore[list-item]
    assert told.startswith(f"Ground truth holds no transcript: {says}. Give")


LETTERS = [f"{n}.txt" for n in range(1, 7)]
VENDOR = ["1.txt", "2_final.txt", "3.txt", "4.txt", "IMG_5.txt"]


def test_the_missing_page_is_told_before_and_after_suggestions_are_taken() -> None:
    before = pair_given_sides("x", *sides(LETTERS, VENDOR))
    likely = suggest_pairs(before)
    assert tell_pages(before, 3, likely) == (
        "3 of 6 pages of the ground truth have an output; 2 suggestions below, 1 page has no output"
    )
    after = before.with_pairs([one.pair for one in likely])
    assert tell_pages(after, 5) == (
        "5 of 6 pages: 3 by their names, 2 by hand; 1 page has no output"
    )


@pytest.mark.parametrize(("truth", "system", "n_read", "says"), cases("pages_told"))
def test_how_many_pages_have_an_output(
    truth: list[str], system: list[str], n_read: int, says: str
) -> None:
    assert tell_pages(pair_given_sides("x", *sides(truth, system)), n_read) == says


def test_a_system_that_lacks_pages_of_another_is_told() -> None:
    truth, by_system = sides(LETTERS[:3], LETTERS[:3])
    by_system["less"] = sides([], ["2.txt", "third.txt"])[1]["vendor"]
    pairing = pair_given_sides("x", truth, by_system)
    assert tell_pages(pairing, 3) == "3 pages, paired by same names; ‘less’ has 1 of them"
    after = pairing.with_pairs([ChosenPair("less", "third", "3")])
    assert tell_pages(after, 3) == (
        "3 of 3 pages, 5 outputs: 4 by their names, 1 by hand; ‘less’ has 2 of them"
    )


@pytest.mark.parametrize(
    ("n", "says"), [(1, "its one file cannot"), (3, "none of its 3 files can")]
)
def test_a_side_that_cannot_be_read_is_told_in_one_sentence(
    n: int, says: str, session: dict[str, uploads.Upload]
) -> None:
    names = [f"{number}.txt" for number in range(n)]
    key = uploads.add_sides(
        [(name, TEXT) for name in names],
        {"bad": [(name, b"\xff") for name in names], "good": [(name, TEXT) for name in names]},
    )
    found = session[key].read_if_small(hv.ReadPolicy())
    assert found is not None
    (told,) = tell_unreadable(session[key].pairing, found.warnings)
    assert told.startswith(f"Nothing of the system ‘bad’ is read: {says} be read. bad/0.txt: not")


def test_what_comes_anew_is_not_counted_beside_what_it_replaces(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    app = put(open_app("data.py"), "truth_files", {"1.txt": "one two " * 10})
    monkeypatch.setattr(uploads, "SESSION_BYTES", 100)
    put(app, "system_1_files", {"1.txt": "one two"})
    assert not app.error


def test_what_is_large_is_not_read_in_the_server(
    session: dict[str, uploads.Upload], monkeypatch: pytest.MonkeyPatch
) -> None:
    key = uploads.add_sides([("1.txt", TEXT)], {"A": [("1.txt", TEXT)]})
    monkeypatch.setattr(given, "SMALL_BYTES", 2 * len(TEXT) - 1)
    assert session[key].read_if_small(hv.ReadPolicy()) is None
    monkeypatch.setattr(given, "SMALL_BYTES", 2 * len(TEXT))
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
    # A browser that is slower than the next run sends the name before: nobody has edited it.
    app.text_input(key="system_1_name").set_value("System 1").run()
    assert app.text_input(key="system_1_name").value == "crnn"
    said = (
        "1 of 3 pages of the ground truth has an output; 1 suggestion below, 1 page has no output"
    )
    assert said in shown(app)
    assert "crnn/2_final.txt: is this 2?" in shown(app)
    app.text_input(key="system_1_name").set_value("mine").run()
    assert "mine/2_final.txt: is this 2?" in shown(app)
    assert "mine/1.txt" in [*app.dataframe[0].value["mine"]]
    next(one for one in app.button if one.label == "Yes").click().run()
    said = "2 of 3 pages: 1 by their names, 1 by hand; 1 page has no output"
    assert said in shown(app)
    rows = app.dataframe[0].value
    assert dict(zip(rows["page"], rows["state"], strict=True)) == {
        "3": "no output: not scored", "2": "mine by hand", "1": "paired",
    }  # fmt: skip
    # Another folder: the name was edited, so it stays.
    put(app, "system_1_folder", {"span/1.txt": "one to"})
    assert app.text_input(key="system_1_name").value == "mine"


def test_two_systems_are_compared_without_ground_truth() -> None:
    app = open_app("data.py")
    app.button(key="another_system").click().run()
    put(app, "system_1_files", {"1.txt": "one two", "2.txt": "three four"})
    put(app, "system_2_files", {"1.txt": "one too", "2.txt": "three four"})
    for number, name in enumerate(("a", "b"), start=1):
        app.text_input(key=f"system_{number}_name").set_value(name).run()
    assert "Add the ground truth, or compare these systems without one." in shown(app)
    app.button(key="without_truth").click().run()
    assert not app.exception
    assert app.title[0].value == "Worth a look, without a reference"
    # There is no reference to go back to.
    assert not [one for one in app.button if one.key == "with_truth"]


@pytest.fixture
def desk(monkeypatch: pytest.MonkeyPatch) -> Iterator[jobs.Desk]:
    """A desk of its own, at which more than three files are many."""
    desk = jobs.Desk()
    monkeypatch.setattr(given, "SMALL_FILES", 3)
    monkeypatch.setattr(jobs, "desk", lambda: desk)
    monkeypatch.setattr(jobs, "Processes", lambda n, **_: Processes(n))
    yield desk
    desk.queue.shutdown()


def read_aside(app: AppTest) -> str:
    """How the reading beside the server ended."""
    waiter = app.session_state["waiters"]["reading"]
    until(lambda: waiter.job.is_over)
    app.run()
    return str(waiter.job.state)


@pytest.mark.slow
def test_large_uploads_are_read_beside_the_server(desk: jobs.Desk) -> None:
    app = put(open_app("data.py"), "truth_files", {f"{n}.txt": "one two" for n in range(4)})
    put(app, "system_1_files", {**{f"{n}.txt": "one two" for n in range(3)}, "3.txt": b"\xff"})
    assert read_aside(app) == "done"
    assert "4 pages, paired by same names; 1 of them cannot be read" in shown(app)
    assert "System 1 cannot be read: not scored" not in shown(app)
    assert app.dataframe[0].value["state"].iloc[0] == "the output cannot be read: not scored"


@pytest.mark.slow
def test_large_data_that_cannot_be_read_at_all_cannot_be_scored(desk: jobs.Desk) -> None:
    app = put(open_app("data.py"), "truth_files", {f"{n}.txt": TEXT for n in range(3)})
    put(app, "system_1_files", {f"{n}.txt": BINARY for n in range(3)})
    read_aside(app)
    assert "no page could be read" in unescape(app.error[0].value)
    assert not app.success
    assert not score_button(app)


@pytest.mark.slow
def test_what_cannot_be_paired_is_named_and_sent_to_the_places() -> None:
    # Two files of one page are named.
    files = {"reference/1.txt": TEXT, "reference/1.text": TEXT, "x/1.txt": TEXT}
    app = put(open_app("data.py"), "upload_files", {"x.zip": zipped(files)})
    told = unescape(app.error[0].value)
    assert told.startswith("No page can be scored. 1: 2 files or rows for this page in the ref")
    assert "keep one of them" in told
    # What nothing tells apart is sent to the places.
    app = put(open_app("data.py"), "upload_files", {"x.zip": zipped(BAD["nothing tells"])})
    assert "nothing tells references from system output" in unescape(app.error[0].value)
    assert "Say which are which" in app.info[0].value


def score_button(app: AppTest) -> bool:
    """Whether the pages can be scored."""
    return not next(one for one in app.button if one.label == "Score these pages").disabled


def told_attention(app: AppTest) -> list[str]:
    return [one.label for one in app.expander if ":material/warning:" in one.label]


BINARY = b"\x95\x00\x01\xfe"


@pytest.mark.slow
def test_what_cannot_be_read_at_all_cannot_be_scored() -> None:
    app = put(open_app("data.py"), "truth_files", {f"{n}.txt": TEXT for n in range(6)})
    packed = zipped({f"acme/{n}.txt": BINARY for n in range(6)})
    put(app, "system_1_files", {"unreadable.zip": packed})
    assert unescape(app.error[0].value) == (
        "Nothing of the system ‘unreadable’ is read: none of its 6 files can be read. "
        "unreadable/0.txt: not a text file (byte 0x00 at position 1 does not occur in "
        "text); export the page as text, Markdown, PAGE XML, ALTO or hOCR"
    )
    assert len(app.error) == 1
    assert not app.success
    assert not app.warning
    assert not score_button(app)
    assert told_attention(app)
    assert "the rest is scored" not in told_attention(app)[0]
    # One that can be read beside it, and the rest is scored.
    app.button(key="another_system").click().run()
    put(app, "system_2_files", {f"{n}.txt": TEXT for n in range(6)})
    assert len(app.error) == 1
    assert score_button(app)
    assert app.success
    assert "the rest is scored" in told_attention(app)[0]


@pytest.mark.slow
def test_nothing_is_said_to_be_scored_where_nothing_could_be_read() -> None:
    app = put(open_app("data.py"), "upload_files", {"1.ref": BINARY, "1.hyp": TEXT})
    assert not score_button(app)
    assert not app.success
    assert all("the rest is scored" not in told for told in told_attention(app))


@pytest.mark.slow
def test_the_overview_does_not_say_so_either(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(OPEN_VARIABLE, str(tree({"reference/1.txt": TEXT, "x/1.txt": BINARY})))
    app = open_app("overview.py")
    assert "no page could be read" in unescape(app.error[0].value)
    assert told_attention(app)
    assert all("the rest is scored" not in told for told in told_attention(app))


@pytest.mark.slow
def test_no_image_of_the_truth_is_passed_over_before_its_page_is_paired() -> None:
    truth = {
        **{f"e/page/{n}.xml": PAGE_XML.format("one two") for n in (11, 12)},
        **{f"e/{n}.jpg": b"x" for n in (11, 12, 99)},
        "e/Thumbs.db": b"x",
    }
    app = put(open_app("data.py"), "truth_files", {"e.zip": zipped(truth)})
    put(app, "system_1_files", {"11_final.txt": TEXT, "unlike.txt": TEXT})
    assert "Passed over: 1 image without a page, Thumbs.db" in shown(app)


@pytest.mark.slow
def test_what_a_browser_cannot_do_is_not_offered() -> None:
    app = put(open_app("data.py"), "truth_files", {"1.txt": TEXT, "2.txt": TEXT})
    put(app, "system_1_files", {"1.txt": "été".encode("latin-1"), "2.txt": TEXT})
    (told,) = [text for text in shown(app) if "not UTF-8" in text]
    assert told.endswith("save it as UTF-8")
