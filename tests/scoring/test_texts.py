"""Texts that other processes read, and scorings that go on where one was broken off."""

from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import pytest

import htreval_core as hv
from htreval_core.model import SourceFile
from htreval_core.scoring.score import Gathered, score_stream
from htreval_core.scoring.stream import DIED
from htreval_core.scoring.texts import read_texts
from htreval_core.scoring.workers import Processes
from htreval_core.sources.reading import Reading, unreadable_sides
from htreval_core.sources.recognise import find_pairs, pair_files
from tests.tools import Deadly, Threads, folder_of, made, warned, write_tree

SETTINGS = hv.Settings(resamples=20)


def a_folder(path: Path, n: int = 40) -> Path:
    folder = folder_of(path, made(n))
    (folder / "A" / "p0003.txt").write_bytes(b"\xff\x00")
    (folder / "reference" / "p0005.txt").write_bytes(b"\xff\x00")
    return folder


@pytest.mark.parametrize(
    "workers", [Threads, pytest.param(Processes, marks=pytest.mark.slow)], ids=["threads", "own"]
)
def test_texts_do_not_depend_on_who_reads_them(
    workers: type[Threads] | type[Processes], tmp_path: Path
) -> None:
    folder = a_folder(tmp_path / "data")
    alone = Reading(find_pairs(folder)).read()
    done: list[tuple[int, int]] = []
    with workers(2) as pool:
        found = read_texts(
            Reading(find_pairs(folder)), pool, progress=lambda *told: done.append(told)
        )
    assert tuple(found.pages) == alone.pages
    assert replace(found, pages=alone.pages) == alone
    assert done[-1] == (120, 120)
    assert [number for number, _ in done] == list(range(3, 121, 3))


@pytest.mark.slow
def test_a_file_that_kills_its_process_costs_its_own_page() -> None:
    files = [SourceFile(f"{n}.{end}", lambda: b"a b") for n in range(5) for end in ("ref", "hyp")]
    reading = Reading(pair_files("x", files))
    pages = list(reading.pairing.pages)
    pages[2] = replace(pages[2], page_id=Deadly("2"))
    reading = replace(reading, pairing=replace(reading.pairing, pages=tuple(pages)))
    with Processes(1) as workers:
        found = read_texts(reading, workers)
    assert [page.page_id for page in found.pages] == ["0", "1", "3", "4"]
    assert [told for told in warned(found) if DIED in told] == [
        f"2.ref: {DIED}", f"2.hyp: {DIED}",
    ]  # fmt: skip


def test_files_that_change_behind_a_study_are_not_taken_for_what_was_scored(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "data", made(3))
    study = hv.score(Reading(find_pairs(folder)), SETTINGS)
    (folder / "A" / "p0001.txt").write_text("other words")
    with pytest.raises(hv.ReadError, match=r"A/p0001\.txt: has changed since"):
        study.page("p0001")
    assert {one.page_id for one in hv.diagnose(study).failures} == {"p0001"}
    assert study.page("p0002").hypotheses["A"].text


@pytest.mark.slow
def test_files_are_scored_where_they_are_read(tmp_path: Path) -> None:
    reading = Reading(find_pairs(a_folder(tmp_path / "data")))
    expected = hv.score(reading.read(), SETTINGS)

    for there in (None, Processes(2)):
        with there or nullcontext() as workers:
            study = hv.score(reading, SETTINGS, workers=workers)
        assert dict(study.scores) == dict(expected.scores)
        assert study.warnings == expected.warnings
        assert study.dataset.sources == expected.dataset.sources
        assert tuple(study.dataset.pages) == expected.dataset.pages


def test_sides_of_which_nothing_can_be_read(tmp_path: Path) -> None:
    # Nothing that can be read is an error.
    folder = write_tree(tmp_path, {"reference/1.txt": b"\xff", "A/1.txt": "a"})
    with pytest.raises(hv.PairingError, match="no page could be read"):
        read_texts(Reading(find_pairs(folder)))
    # Sides of which nothing can be read.
    folder = folder_of(tmp_path / "data", made(3))
    for n in range(3):
        (folder / "A" / f"p000{n}.txt").write_bytes(b"\xff")
    (folder / "B" / "p0001.txt").write_bytes(b"\xff")
    found = Reading(find_pairs(folder))
    told = unreadable_sides(found.pairing, found.read().warnings)
    assert {side: warning.file for side, warning in told.items()} == {"A": "A/p0000.txt"}


@pytest.mark.parametrize("n", [0, 1, 5, 6])
def test_a_scoring_goes_on_with_the_pages_that_are_left(n: int) -> None:
    pages = made(6)
    gathered = Gathered()
    for result in score_stream(pages[:n], SETTINGS):
        gathered.add(result)
    done: list[int] = []
    study = hv.score(pages, SETTINGS, gathered=gathered, progress=lambda now, _: done.append(now))
    assert done == list(range(n + 1, 7))
    expected = hv.score(pages, SETTINGS)
    assert dict(study.scores) == dict(expected.scores)
    assert study.systems == expected.systems
