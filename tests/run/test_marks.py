"""Marks: written, read and merged without loss, whoever wrote them and in whatever order."""

import json
import random
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from htreval_core.errors import ReadError, WriteError
from htreval_core.model import WarningKind
from htreval_core.run.mark_files import (
    MOST_BYTES,
    append_marks,
    as_annotation,
    file_name,
    read_folder,
    read_marks,
    tags_of,
)
from htreval_core.run.marks import Mark, Target, merge_marks, remarks_on, said_of, standing
from htreval_core.show.telling.warnings import tell_warning
from tests.hostile import NAMES

SHORT = [name for name in NAMES.values() if len(name) <= 60]
TEXT = st.text(max_size=30) | st.sampled_from(sorted(SHORT))
TARGETS = st.builds(
    Target, TEXT, st.sampled_from(["line", "word", "fault"]), st.sampled_from(["ref", "hyp"]),
    st.integers(0, 5), st.integers(5, 9), TEXT, TEXT,
) | st.builds(Target, TEXT)  # fmt: skip
TIMES = st.integers(0, 59).map(lambda second: f"2026-05-01T10:00:{second:02}.000000Z")
MARKS = st.builds(
    Mark, st.sampled_from(["urn:uuid:1", "urn:uuid:2", "urn:uuid:3"]), TARGETS, TEXT,
    st.just("2026-05-01T09:00:00.000000Z"), TIMES, st.lists(TEXT, max_size=3).map(tuple), TEXT,
)  # fmt: skip


@given(st.lists(MARKS, max_size=12), st.randoms())
def test_every_text_comes_back_and_the_order_of_files_changes_nothing(
    marks: list[Mark], chance: random.Random
) -> None:
    lines = [as_annotation(one).encode("ascii") + b"\n" for one in marks]
    read, warnings = read_marks("a.jsonl", b"".join(lines))
    assert read == marks
    assert not warnings
    shuffled = lines * 2
    chance.shuffle(shuffled)
    again, _ = read_marks("b.jsonl", b"".join(shuffled))
    assert merge_marks(again) == merge_marks(marks) == merge_marks([*merge_marks(again), *marks])


def test_fifty_marks_by_two_people_merge_without_loss(tmp_path: Path) -> None:
    here, there = tmp_path / "here.marks", tmp_path / "there.marks"
    for number in range(50):
        person, folder = (("Anna", here), ("Béla", there))[number % 2]
        target = Target(f"p{number % 7}", "word", "ref", number, number + 1, "word")
        before, _ = read_folder(folder)
        append_marks(folder, said_of(before, target, person, ["send back"], f"remark {number}"))
    assert sorted(path.name for path in (*here.iterdir(), *there.iterdir())) == [
        "Anna.jsonl", "Béla.jsonl",
    ]  # fmt: skip
    (there / "Béla.jsonl").rename(here / "Béla.jsonl")
    marks = standing(read_folder(here)[0])
    assert sorted(one.remark for one in marks) == sorted(f"remark {n}" for n in range(50))
    assert {one.person for one in marks} == {"Anna", "Béla"}
    on_fault = said_of([], Target("p0", "fault", "ref", 1, 2, "loop", "A"), "Carl", ["odd"], "")
    tags = tags_of([*marks, *on_fault])
    assert [tags("p0", "A"), tags("p0", "B"), tags("p9", "A")] == [
        {"send back", "odd"}, {"send back"}, set(),
    ]  # fmt: skip
    assert remarks_on([*marks, *on_fault], "odd", "A") == {"p0": [""]}
    assert remarks_on(on_fault, "odd", "B") == {}
    assert len(remarks_on(marks, "send back", "B")["p0"]) == 8


def test_a_mark_is_an_annotation_as_the_standard_has_it() -> None:
    target = Target("a/b ü", "word", "hyp", 3, 4, "ſie", "tesseract")
    (mark,) = said_of([], target, "Anna", ["send back", "faded"], "see folio 2")
    told = json.loads(as_annotation(mark))
    assert told["@context"] == "http://www.w3.org/ns/anno.jsonld"
    assert told["type"] == "Annotation"
    assert told["id"].startswith("urn:uuid:")
    assert told["target"]["source"] == "urn:htreval:page:a%2Fb%20%C3%BC"
    assert [one["purpose"] for one in told["body"]] == ["tagging", "tagging", "commenting"]
    assert told["target"]["selector"][1] == {"type": "TextQuoteSelector", "exact": "ſie"}


def test_what_other_tools_write_is_read(tmp_path: Path) -> None:
    told = {
        "id": "http://example.org/1", "type": "Annotation", "creator": "Carl",
        "created": "2026-05-01T10:00:00+02:00", "body": "a remark", "target": "urn:htreval:page:p1",
    }  # fmt: skip
    (mark,), _ = read_marks("x", json.dumps(told).encode())
    assert mark == Mark(
        "http://example.org/1", Target("p1"), "Carl", *["2026-05-01T08:00:00.000000Z"] * 2, (),
        "a remark",
    )  # fmt: skip


def test_what_is_said_again_replaces_what_was_said_and_can_be_withdrawn() -> None:
    target = Target("p1")
    first = said_of([], target, "Anna", ["looked at"], "")
    assert said_of(first, target, "Anna", ["looked at"], "") == []
    assert said_of(first, target, "Béla", [], "") == []
    second = said_of(first, target, "Anna", ["looked at", "send back"], "")
    assert [one.tags for one in standing([*second, *first])] == [("looked at", "send back")]
    gone = said_of([*first, *second], target, "Anna", [], "")
    assert standing([*gone, *first, *second]) == []
    # A clock that was ahead does not keep what is said later from counting.
    ahead = Mark(first[0].mark_id, target, "Anna", first[0].created, "2199-01-01T00:00:00.000000Z",
                 ("send back",))  # fmt: skip
    gone = said_of([*first, ahead], target, "Anna", [], "")
    assert standing([*gone, *first, ahead]) == []
    # Said on two machines at once, both are kept until the person says something else.
    elsewhere = said_of([], target, "Anna", [], "on the train")
    assert len(standing([*first, *elsewhere])) == 2
    settled = said_of([*first, *elsewhere], target, "Anna", ["looked at"], "both")
    assert [one.remark for one in standing([*first, *elsewhere, *settled])] == ["both"]


def test_a_damaged_line_is_told_and_stays(tmp_path: Path) -> None:
    (mark,) = said_of([], Target("p1"), "Anna", ["looked at"], "")
    folder = tmp_path / "x.marks"
    folder.mkdir()
    foreign = b'{"id":"a","target":"urn:other","created":"2026-05-01"}'
    early, late = (
        as_annotation(replace(mark, modified=time)).encode()
        for time in ("0001-01-01T00:00:00+09:00", "9999-12-31")
    )
    broken = [b'{"id": 1', b"[]", b"\xff", foreign, b"[" * 30_000, b"x" * 50_000, early, late]
    (folder / "Anna.jsonl").write_bytes(b"\n".join(broken))
    append_marks(folder, [mark])
    content = (folder / "Anna.jsonl").read_bytes()
    assert content == b"\n".join([*broken, as_annotation(mark).encode() + b"\n"])
    found, warnings = read_folder(folder)
    assert found == [mark]
    assert [(one.kind, one.detail[0]) for one in warnings] == [
        (WarningKind.MARK_UNREADABLE, str(n)) for n in range(1, 9)
    ]
    assert tell_warning(warnings[0]) == (
        "Anna.jsonl: line 1 cannot be read as a mark (not JSON); it stays in the file: "
        "correct it or remove it"
    )
    with pytest.raises(ReadError, match="larger than"):
        read_marks("x", b" " * (MOST_BYTES + 1))


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES.keys())
def test_no_name_leads_out_of_the_folder(name: str, tmp_path: Path) -> None:
    assert Path(file_name(name)).name == file_name(name)
    append_marks(tmp_path / "x.marks", said_of([], Target(name), name[:60], ["looked at"], name))
    (mark,), _ = read_folder(tmp_path / "x.marks")
    assert (mark.person, mark.target.page_id) == (name[:60], name)
    assert [path.name for path in tmp_path.iterdir()] == ["x.marks"]


def test_no_link_leads_out_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "x.marks").mkdir()
    (tmp_path / "victim").write_text("")
    (tmp_path / "x.marks" / "Anna.jsonl").symlink_to(tmp_path / "victim")
    with pytest.raises(WriteError, match=r"Anna.jsonl: cannot be written"):
        append_marks(tmp_path / "x.marks", said_of([], Target("p"), "Anna", ["x"], ""))
    assert (tmp_path / "victim").read_text() == ""
