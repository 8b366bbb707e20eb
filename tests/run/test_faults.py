"""Files that vanish, folders that may not be written, full disks, signals: each ends in words."""

import multiprocessing
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor
from dataclasses import replace
from pathlib import Path

import pytest

import htreval_core as hv
from htreval_core.cli import running
from htreval_core.model import Line, SourceFile, Transcript
from htreval_core.run import blocks
from htreval_core.run.read import open_run
from htreval_core.run.write import score_run
from htreval_core.scoring.workers import Processes
from htreval_core.sources.readers.files import files_at, files_from_uploads
from htreval_core.sources.reading import Reading, read_pairing
from htreval_core.sources.recognise import find_pairs, pair_files
from tests.conftest import ROOT
from tests.tools import (
    Deadly,
    Lazily,
    dataset_of,
    folder_of,
    invoke,
    made,
    until,
    warned,
    write_tree,
)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.name != "posix", reason="signals, permissions and limits"),
]


def _two_pages(folder: Path) -> Path:
    return write_tree(folder, {
        f"{side}/{name}.txt": f"some words of page {name}"
        for name in ("1", "2") for side in ("reference", "one")
    })  # fmt: skip


@pytest.mark.parametrize("content", [None, b"\xff\xfe\x00broken\xd8"], ids=["gone", "broken"])
def test_a_file_that_changes_after_pairing_is_listed_and_the_rest_is_read(
    content: bytes | None, tmp_path: Path
) -> None:
    pairing = pair_files("x", files_at(_two_pages(tmp_path)))
    file = tmp_path / "one" / "1.txt"
    if content is None:
        file.unlink()
    else:
        file.write_bytes(content)
    found = read_pairing(pairing)
    assert [page.page_id for page in found.pages] == ["2"]
    assert any("one/1.txt" in warning for warning in warned(found))


def test_an_upload_does_not_change_under_its_reader() -> None:
    content = bytearray(b"one two")
    files = files_from_uploads([("1.ref", bytes(content)), ("1.hyp", b"one")])
    pairing = pair_files("x", files)
    content[:] = b"changed"
    assert read_pairing(pairing).pages[0].reference.text == "one two"


def _htreval(*arguments: object, before: str = "") -> subprocess.CompletedProcess[str]:
    code = f"import sys\n{before}\nfrom htreval_core.cli import main\nmain(sys.argv[1:])"
    return subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)], capture_output=True, text=True,
        timeout=120,
    )  # fmt: skip


def test_a_folder_that_may_not_be_written_is_named(tmp_path: Path) -> None:
    folder = _two_pages(tmp_path / "data")
    locked = tmp_path / "locked"
    locked.mkdir()
    locked.chmod(0o500)
    # Whoever may write anywhere is held back by a file in the way instead.
    place = locked if os.geteuid() else folder / "one" / "1.txt"
    done = _htreval("score", folder, "--output", place / "x.htreval")
    assert done.returncode != 0
    assert "Traceback" not in done.stderr
    assert str(place) in done.stderr


FULL = (
    "import resource, signal\nsignal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
    "resource.setrlimit(resource.RLIMIT_FSIZE, (9_000, 9_000))"
)
"""No file may grow: a write fails as it does on a full disk, with an OSError."""


@pytest.mark.thorough
def test_a_full_disk_ends_in_words_and_the_run_goes_on_later(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "data", made(60, words=60))
    bundle = tmp_path / "x.htreval"
    done = _htreval("score", folder, "--output", bundle, before=FULL)
    assert done.returncode != 0
    assert "Traceback" not in done.stderr, done.stderr[-2000:]
    assert "File too large" in done.stderr
    assert not (bundle / "manifest.json").exists()
    again = _htreval("score", folder, "--output", bundle)
    assert again.returncode == 0, again.stderr
    assert len(open_run(bundle).dataset.pages) == 60


def test_a_clock_that_jumps_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = made(6)
    before = hv.score(pages, hv.Settings(resamples=20))
    hours = iter([1e9, 0.0, -5.0, 2e9] * 10_000)
    monkeypatch.setattr(time, "time", lambda: next(hours))
    assert hv.score(pages, hv.Settings(resamples=20)).scores == before.scores


def test_no_duration_is_taken_by_a_clock_that_can_be_set() -> None:
    settable = re.compile(
        r"\btime\.time\b|time_ns\(\)|datetime\.(now|utcnow)|import time\b.*\btime\b"
    )
    for folder in ("htreval_core", "htreval_ui", "pages"):
        for file in (ROOT / folder).rglob("*.py"):
            # A mark says when it was made; that is no duration.
            if file.name != "marks.py":
                assert not settable.search(file.read_text("utf-8")), file


@pytest.mark.parametrize("moves", [[0.0], [5.0, 5.0, 1e9], [1e9, 1e9, 1e9]])
def test_progress_stands_a_clock_that_stops_or_leaps(
    moves: list[float], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    times = iter([*moves, *[moves[-1]] * 100])
    monkeypatch.setattr(time, "monotonic", lambda: next(times))
    line = running.ProgressLine(after=0)
    for done in range(4):
        line(done, 3)
    assert not re.search(r"-\d|nan|inf ", capsys.readouterr().err)


# --- files that change while a run is on its way


def test_files_that_vanish_or_change_during_a_run_cost_their_own_pages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(blocks, "_BLOCK_PAGES", 4)
    folder = folder_of(tmp_path / "data", made(12))
    found = Reading(pair_files("x", files_at(folder)), paths=[folder])

    def meddle(done: int, _total: int) -> None:
        if done == 4:
            (folder / "A" / "p0009.txt").unlink()
            (folder / "reference" / "p0010.txt").write_bytes(b"\xff\x00")
            (folder / "B" / "p0011.txt").write_text("other words than before")

    run = score_run(found, tmp_path / "x.htreval", hv.Settings(), progress=meddle)
    assert [page.page_id for page in run.dataset.pages] == [
        f"p{n:04d}" for n in range(12) if n != 10
    ]
    assert list(run.dataset.pages[9].hypotheses) == ["B"]
    # What was read is what was scored and kept.
    assert run.dataset.pages[10].hypotheses["B"].text == "other words than before"
    again = hv.score(run.dataset.pages, run.settings)
    assert list(again.scores["B"]) == list(run.scores["B"])
    told = " ".join(warned(run))
    assert "A/p0009.txt: cannot be opened" in told
    assert "reference/p0010.txt" in told


def test_a_table_that_vanishes_after_it_was_read_stops_no_run(tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    table.write_text("page,reference,A\n1,a b,a c\n2,a,a\n")
    found = Reading(find_pairs(table), paths=[table])
    table.unlink()
    assert score_run(found, tmp_path / "x.htreval", hv.Settings()).dataset.n_pages == 2


def test_a_folder_that_vanishes_during_a_run_keeps_what_was_scored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(blocks, "_BLOCK_PAGES", 4)
    folder = folder_of(tmp_path / "data", made(12))
    found = Reading(pair_files("x", files_at(folder)))

    def meddle(done: int, _total: int) -> None:
        if done == 6:
            folder.rename(tmp_path / "gone")

    run = score_run(found, tmp_path / "x.htreval", hv.Settings(), progress=meddle)
    assert 6 <= run.dataset.n_pages < 12
    assert len(open_run(tmp_path / "x.htreval").dataset.pages) == run.dataset.n_pages
    assert sum("cannot be opened" in warning for warning in warned(run)) >= 3


def test_an_error_of_the_source_itself_leaves_a_run_that_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(blocks, "_BLOCK_PAGES", 4)
    pages = made(12)

    def failing() -> Iterator[hv.Page]:
        yield from pages[:9]
        raise OSError("the share went away")

    with pytest.raises(OSError, match="share went away"):
        score_run(Lazily(failing()), tmp_path / "x.htreval", hv.Settings())
    score_run(dataset_of(pages), tmp_path / "x.htreval", hv.Settings())
    assert len(open_run(tmp_path / "x.htreval").dataset.pages) == 12


def test_a_file_that_may_not_be_read_is_named(tmp_path: Path) -> None:
    def locked() -> bytes:
        raise PermissionError(13, "Permission denied")

    files = [*files_at(_two_pages(tmp_path)), SourceFile("one/3.txt", locked),
             SourceFile("reference/3.txt", lambda: b"a b")]  # fmt: skip
    found = read_pairing(pair_files("x", files))
    assert [page.page_id for page in found.pages] == ["1", "2"]
    assert any("one/3.txt: cannot be opened (Permission denied)" in w for w in warned(found))


# --- places that may not be written


@pytest.mark.parametrize(
    "command",
    [["score", "--format", "csv", "--output"], ["score", "--format", "parquet", "--output"],
     ["score", "--output"],
     ["compare", "--output"], ["align", "--output"], ["report", "-o"]],
    ids=" ".join,
)  # fmt: skip
def test_a_place_that_cannot_be_written_is_named(command: list[str], tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "data", made(3))
    # A file stands where the folder should: that holds back even whoever may write anywhere.
    place = tmp_path / "data" / "A" / "p0000.txt" / "out"
    name, *more = command
    done = invoke(name, folder, *more, place)
    assert done.exit_code in (2, 3), done.output
    assert str(place) in done.output
    assert not isinstance(done.exception, OSError)


def test_a_full_disk_is_told_for_files_and_for_stdout(tmp_path: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("no such device here")
    folder = folder_of(tmp_path / "data", made(3))
    to_file = _htreval("score", folder, "--format", "csv", "--output", "/dev/full")
    with open("/dev/full", "wb") as out:
        to_stdout = subprocess.run(
            [sys.executable, "-m", "htreval_core.cli", "score", str(folder)], stdout=out,
            stderr=subprocess.PIPE, text=True, timeout=120,
        )  # fmt: skip
    for done in (to_file, to_stdout):
        assert done.returncode != 0
        assert "No space left" in done.stderr
        assert "Traceback" not in done.stderr


# --- processes that die


def _with_deadly(n: int) -> list[hv.Page]:
    pages = made(n)
    pages[n // 2] = replace(pages[n // 2], reference=Transcript((Line(Deadly("x y")),)))
    return pages


@pytest.mark.thorough
def test_a_process_that_dies_costs_its_page_alone() -> None:
    with Processes(2) as pool:
        study = hv.score(_with_deadly(20), workers=pool)
    assert [(one.page_id, one.system) for one in study.failures] == [("p0010", "A"), ("p0010", "B")]
    assert all("died" in one.reason for one in study.failures)
    assert len(study.scores["A"]) == 19
    deadly = replace(hv.score(made(4)), dataset=dataset_of(_with_deadly(4)))
    with Processes(2) as pool:
        found = hv.diagnose(deadly, workers=pool)
    assert [one.page_id for one in found.failures] == ["p0002", "p0002"]
    assert len(found["A"]) == len(found["B"]) == 3
    # This process goes on.
    assert len(hv.score(made(3)).scores["A"]) == 3


def _killer_of_a_child() -> threading.Thread:
    """Kills the first process that is started from now on."""
    before = set(multiprocessing.active_children())
    found: list[multiprocessing.process.BaseProcess] = []

    def kill() -> None:
        until(lambda: bool(found.extend({*multiprocessing.active_children()} - before) or found))
        os.kill(found[0].pid or 0, signal.SIGKILL)

    return threading.Thread(target=kill)


@pytest.mark.thorough
def test_a_worker_that_is_killed_changes_nothing() -> None:
    killer = _killer_of_a_child()
    with Processes(2) as pool:
        killer.start()
        found = hv.score(made(4000), hv.Settings(resamples=1), workers=pool)
    killer.join()
    assert found.scores == hv.score(made(4000), hv.Settings(resamples=1)).scores


def test_a_pool_that_breaks_while_it_starts_a_worker_counts_as_dead(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def closed(*_: object) -> None:
        raise OSError("handle is closed")

    with Processes(1) as pool:
        assert pool.submit(os.getpid).result()
        monkeypatch.setattr(pool._pool, "submit", closed)
        with pytest.raises(OSError, match="handle is closed"):
            pool.submit(os.getpid)
        os.kill(pool._context.started[0].pid or 0, signal.SIGKILL)
        until(pool._has_lost_one)
        with pytest.raises(BrokenExecutor) as told:
            pool.submit(os.getpid)
        assert pool.is_death(told.value)


def test_work_cancelled_around_the_end_of_its_workers_breaks_no_thread(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    broken: list[object] = []
    monkeypatch.setattr(threading, "excepthook", broken.append)
    with Processes(2) as pool:
        pool.submit(os.getpid).result()
        sent = [pool.submit(time.sleep, 30) for _ in range(12)]
        pool.cancel(sent[-3:])
        pool.stop()
        pool.cancel(sent)
        with pytest.raises(BrokenExecutor):
            sent[-4].result(20)
    assert sent[-1].cancelled()
    assert not broken
