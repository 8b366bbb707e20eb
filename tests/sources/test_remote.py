"""Files at addresses: the same pages, the same errors in words, whatever serves them."""

import sys
from collections.abc import Iterator
from pathlib import Path

import fsspec
import pytest

import htreval_core as hv
from htreval_core.run.read import open_run
from htreval_core.run.write import score_run
from tests.conftest import SAMPLES
from tests.tools import dataset_of, invoke, made, told_json, warned, zipped

BOOK = SAMPLES / "letterbook"


@pytest.fixture
def memory() -> Iterator[fsspec.AbstractFileSystem]:
    files = fsspec.filesystem("memory")
    yield files
    files.rm("/", recursive=True)


def put(files: fsspec.AbstractFileSystem, folder: Path, place: str) -> None:
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            files.pipe_file(f"{place}/{path.relative_to(folder)}", path.read_bytes())


def test_a_folder_at_an_address_is_that_folder(memory: fsspec.AbstractFileSystem) -> None:
    put(memory, BOOK, "/archive/letterbook")
    there, here = hv.pair_path("memory://archive/letterbook"), hv.pair_path(BOOK)
    assert there.name == here.name
    assert there.rule == here.rule
    assert there.systems == here.systems
    assert there.pages == here.pages
    assert there.unpaired == here.unpaired
    assert list(there.images) == list(here.images)


def test_sides_files_and_archives_lie_anywhere(memory: fsspec.AbstractFileSystem) -> None:
    # Sides may lie apart.
    put(memory, BOOK / "misreads", "/output")
    found = hv.pair_sources(BOOK / "reference", {"misreads": "memory://output"})
    expected = hv.pair_sources(BOOK / "reference", {"misreads": BOOK / "misreads"})
    assert found.pages == expected.pages
    # Single files pair whatever their names.
    memory.pipe_file("/a/x.txt", b"one two")
    memory.pipe_file("/b/y.txt", b"two one")
    (page,) = hv.pair_sources("memory://a/x.txt", {"s": "memory://b/y.txt"}).pages
    assert (page.reference.text, page.hypotheses["s"].text) == ("one two", "two one")
    # An archive at an address is opened.
    memory.pipe_file("/pages.zip", zipped({"1.ref": "to be", "1.hyp": "be to"}))
    (page,) = hv.pair_path("memory://pages.zip").pages
    assert page.reference.text == "to be"


def test_a_run_at_an_address_opens(memory: fsspec.AbstractFileSystem, tmp_path: Path) -> None:
    score_run(dataset_of(made(6)), tmp_path / "x.htreval", hv.Settings(resamples=10))
    put(memory, tmp_path / "x.htreval", "/runs/x.htreval")
    there, here = open_run("memory://runs/x.htreval"), open_run(tmp_path / "x.htreval")
    assert there.corpora == here.corpora
    assert there.dataset.pages[2] == here.dataset.pages[2]


@pytest.mark.parametrize("name", ["letterbook", "seite0418"])
def test_the_shell_takes_addresses(name: str) -> None:
    assert told_json("score", (SAMPLES / name).as_uri()) == told_json("score", SAMPLES / name)


def test_what_cannot_be_had_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    # Nothing there is told.
    result = invoke("score", "memory://nowhere/at-all")
    assert result.exit_code == 3
    assert "memory://nowhere/at-all: there is no such file or folder" in result.stderr
    # An unknown protocol is told.
    with pytest.raises(hv.ReadError, match="foo://x/y: cannot be read from"):
        hv.pair_path("foo://x/y")
    # Without the extra it is told what to install.
    monkeypatch.setitem(sys.modules, "upath", None)
    with pytest.raises(hv.ReadError, match=r"pip install 'htreval\[remote\]'"):
        hv.pair_path("s3://bucket/pages")


def test_a_file_that_cannot_be_fetched_is_listed_and_the_rest_read(
    memory: fsspec.AbstractFileSystem, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(memory, BOOK, "/book")
    fetch = type(memory).cat_file

    def fails(self: fsspec.AbstractFileSystem, path: str, *more: object) -> bytes:
        if path.endswith("misreads/LB02.txt"):
            raise PermissionError("403 Forbidden")
        return fetch(self, path, *more)  # type: ignore[no-any-return]

    monkeypatch.setattr(type(memory), "cat_file", fails)
    found = hv.pair_path("memory://book")
    assert len(found.pages) == 24
    assert any("LB02" in warning and "403 Forbidden" in warning for warning in warned(found))


def test_a_file_that_is_too_large_is_not_fetched(
    memory: fsspec.AbstractFileSystem, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory.pipe_file("/big/1.ref", b"x " * 500)
    memory.pipe_file("/big/1.hyp", b"x")
    memory.pipe_file("/big/2.ref", b"x")
    memory.pipe_file("/big/2.hyp", b"x")
    reading = hv.ReadPolicy(limits=hv.Limits(file_bytes=100))
    found = hv.pair_path("memory://big", reading=reading)
    assert [page.page_id for page in found.pages] == ["2"]
    assert any("1.ref" in w and "file_bytes" in w for w in warned(found))
