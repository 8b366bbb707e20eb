"""Attacks that need no browser: addresses, uploads, hostile words on every page."""

import csv
import gc
import re
from pathlib import Path

import pytest

import htreval_core as hv
from htreval_core.markup import visible
from htreval_core.show.views.page import page_payload
from htreval_core.show.views.threeway import threeway_payload
from htreval_ui import html
from htreval_ui.studies import data, uploads
from tests.conftest import ROOT
from tests.hostile import HOSTILE
from tests.tools import SCRIPTS, cases, has_heading, open_app, write_tree

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def hostile_table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data set whose words, page ids and system names are all hostile."""
    path = tmp_path_factory.mktemp("hostile") / "set.csv"
    words = list(HOSTILE.values())
    pages = [
        hv.Page.from_text(name[:200], " ".join(words), {
            HOSTILE["handler"]: " ".join(reversed(words)), HOSTILE["style"]: " ".join(words[2:]),
        })
        for name in words
    ]  # fmt: skip
    with path.open("w", newline="", encoding="utf-8") as out:
        writer = csv.writer(out)
        writer.writerow(["page", "reference", HOSTILE["handler"], HOSTILE["style"]])
        for page in pages:
            outputs = [side.text for side in page.hypotheses.values()]
            writer.writerow([page.page_id, page.reference.text, *outputs])
    return path


@pytest.mark.parametrize("page", SCRIPTS)
def test_hostile_words_names_and_ids_reach_no_interpreter(
    page: str, hostile_table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No element of any page carries a hostile string as Markdown or HTML."""
    monkeypatch.setenv("HTREVAL_OPEN", str(hostile_table))
    app = open_app(page, data="path-1")
    assert has_heading(app)
    told = [
        *(one.value for kind in ("markdown", "caption", "title", "header", "error", "warning",
                                 "info", "success") for one in getattr(app, kind)),
        *(one.proto.body for one in app.get("html")),
        *(one.label for kind in ("button", "metric", "selectbox") for one in getattr(app, kind)),
    ]  # fmt: skip
    assert told
    for text in map(str, told):
        for name in ("script", "handler", "picture", "link", "frame", "ansi", "right to left"):
            assert HOSTILE[name] not in text, (name, text[:300])
        assert "<style>*" not in text


@pytest.mark.parametrize("page", ["overview.py", "page.py", "learn.py"])
@pytest.mark.parametrize(
    "key",
    ["../../etc/passwd", "/etc/passwd", "path-0", "path-2", "path-999", "path--1", "path-1/..",
     "upload-0000000000000000", "file:///etc/passwd", "letterbook/../..", "\x00", "<script>"],
)  # fmt: skip
def test_an_address_reaches_no_other_data(
    page: str, key: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write_tree(
        tmp_path / "open", {"reference/1.txt": "known words", "one/1.txt": "known words"}
    )
    monkeypatch.setenv("HTREVAL_OPEN", str(folder))
    opened: list[Path] = []
    find_pairs = data.find_pairs
    monkeypatch.setattr(
        data, "find_pairs", lambda path, **more: (opened.append(path), find_pairs(path, **more))[1]
    )
    open_app(page, data=key, page="../../secret", system="../..")
    allowed = [tmp_path / "open", *(ROOT / "sample_data" / name for name in data.SAMPLES)]
    assert all(path in allowed for path in opened), opened


@pytest.fixture
def limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "SESSION_BYTES", 100)
    monkeypatch.setattr(uploads, "SERVER_BYTES", 150)
    monkeypatch.setattr(uploads, "held", dict)
    uploads.ledger.clear()


def _upload(size: int) -> list[tuple[str, bytes]]:
    return [("1.ref", b"x" * (size - 1)), ("1.hyp", b"x")]


def test_a_session_uploads_no_more_than_it_may(
    limits: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    session: dict[str, uploads.Upload] = {}
    monkeypatch.setattr(uploads, "held", lambda: session)
    uploads.add_upload(_upload(60))
    with pytest.raises(hv.ReadError, match="this session has uploaded 60 bytes"):
        uploads.add_upload(_upload(50))
    uploads.add_upload(_upload(40))
    assert len(session) == 2
    # The same files once more take no more room.
    uploads.add_upload(_upload(40))


def test_what_a_session_held_is_given_back_when_it_ends(
    limits: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    sessions: list[dict[str, uploads.Upload]] = [{}, {}]
    monkeypatch.setattr(uploads, "held", lambda: sessions[0])
    uploads.add_upload(_upload(90))
    monkeypatch.setattr(uploads, "held", lambda: sessions[1])
    with pytest.raises(hv.ReadError, match="all who use this server have uploaded 90 bytes"):
        uploads.add_upload(_upload(70))
    sessions[0].clear()
    gc.collect()
    assert uploads.ledger().total == 0
    uploads.add_upload(_upload(70))
    assert uploads.ledger().total == 70


@pytest.mark.parametrize("name", list(HOSTILE))
def test_every_escape_leaves_nothing_to_interpret(name: str) -> None:
    text = HOSTILE[name]
    assert not re.search(r"[<>\"']", html.escape(text))
    for markdown in (html.label(text), html.name(text).strip("\u2068\u2069")):
        assert all(char.isalnum() or char == " " for char in re.sub(r"&#\d+;", "", markdown))
    assert len(html.name(text)) < 1_000
    assert "<" not in html.plotly(text)
    assert "%{" not in html.plotly(text)
    for shown in (html.escape(text), html.label(text), html.name(text), html.plotly(text)):
        # Around a name stand the two signs that keep its direction to itself, in it none.
        inside = shown.removeprefix("\u2068").removesuffix("\u2069")
        assert not re.search(r"[\x00-\x09\x0b-\x1f\u200b-\u200f\u202a-\u202e\u2066-\u2069]", inside)


def test_ordinary_names_stay_and_endless_ones_are_cut() -> None:
    assert html.label("Page 12 äöü") == "Page 12 äöü"
    assert len(html.plotly("x" * 1000)) == 78


@pytest.mark.parametrize("name", ["right to left", "ansi", "no width"])
def test_words_of_the_linked_views_turn_and_hide_nothing(name: str) -> None:
    page = hv.Page.from_text("p", f"a {HOSTILE[name]} b", {"\u202ex": "a b"})
    look = hv.score([page]).look("p", "\u202ex")
    style = {"colour": "#000", "symbol": "circle"}
    for payload in (
        page_payload(look.page, "matching", look),
        threeway_payload(look, look, [style, style], ["p"], 400),
    ):
        assert not re.search(r"[\x00-\x1f\u200b-\u200f\u202a-\u202e\u2066-\u2069]", str(payload))
        assert "‹U+" in str(payload)


@pytest.mark.parametrize(("text", "shown"), cases("spellings"))
def test_what_belongs_to_a_spelling_is_kept_and_the_rest_is_shown(text: str, shown: str) -> None:
    assert visible(text) == shown
