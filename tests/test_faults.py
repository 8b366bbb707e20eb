"""Files that vanish, folders that may not be written, full disks, signals: each ends in words."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import htreval_core as hv
from htreval_core.pairing import pair_files, read_pairing
from htreval_core.readers import files_from_uploads
from htreval_core.readers.files import files_at
from htreval_core.run import open_run
from tests.test_run import _command, _folder, _wait_for_blocks, made

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals, permissions and limits")


def _two_pages(folder: Path) -> Path:
    for name in ("1", "2"):
        for side in ("reference", "one"):
            (folder / side).mkdir(parents=True, exist_ok=True)
            (folder / side / f"{name}.txt").write_text(f"some words of page {name}")
    return folder


def test_a_file_that_vanishes_after_pairing_is_listed_and_the_rest_is_read(tmp_path: Path) -> None:
    pairing = pair_files("x", files_at(_two_pages(tmp_path)))
    (tmp_path / "one" / "1.txt").unlink()
    found = read_pairing(pairing)
    assert [page.page_id for page in found.pages] == ["2"]
    assert any("one/1.txt" in warning for warning in found.warnings)


def test_a_file_that_turns_into_something_else_after_pairing_is_listed(tmp_path: Path) -> None:
    pairing = pair_files("x", files_at(_two_pages(tmp_path)))
    (tmp_path / "one" / "1.txt").write_bytes(b"\xff\xfe\x00broken\xd8")
    found = read_pairing(pairing)
    assert [page.page_id for page in found.pages] == ["2"]
    assert found.warnings


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


def test_a_full_disk_ends_in_words_and_the_run_goes_on_later(tmp_path: Path) -> None:
    folder = _folder(tmp_path / "data", made(60, words=60))
    bundle = tmp_path / "x.htreval"
    done = _htreval("score", folder, "--output", bundle, before=FULL)
    assert done.returncode != 0
    assert "Traceback" not in done.stderr, done.stderr[-2000:]
    assert "File too large" in done.stderr
    assert not (bundle / "manifest.json").exists()
    again = _htreval("score", folder, "--output", bundle)
    assert again.returncode == 0, again.stderr
    assert len(open_run(bundle).dataset.pages) == 60


def test_sigterm_leaves_a_bundle_that_goes_on(tmp_path: Path) -> None:
    folder = _folder(tmp_path / "data", made(480, words=60))
    bundle = tmp_path / "x.htreval"
    process = subprocess.Popen(
        _command(folder, bundle), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    _wait_for_blocks(bundle, 3, process)
    process.send_signal(signal.SIGTERM)
    _, told = process.communicate(timeout=60)
    assert process.returncode == 128 + signal.SIGTERM
    assert b"goes on where this run has stopped" in told
    assert b"Traceback" not in told
    assert not (bundle / "lock").exists()
    subprocess.run(_command(folder, bundle), check=True, capture_output=True)
    assert len(open_run(bundle).dataset.pages) == 480


def test_a_clock_that_jumps_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = made(6)
    before = hv.score(pages, hv.Settings(resamples=20))
    hours = iter([1e9, 0.0, -5.0, 2e9] * 10_000)
    monkeypatch.setattr(time, "time", lambda: next(hours))
    after = hv.score(pages, hv.Settings(resamples=20))
    assert after.scores == before.scores
