"""What a command writes is whole or as it was before, and how it ends where that fails."""

import errno
import io
import os
import subprocess
import sys
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from htreval_core.cli import group
from htreval_core.cli.group import save
from tests.tools import Tree, cases, invoke, told

pytestmark = pytest.mark.skipif(os.name != "posix", reason="modes, pipes and devices are of POSIX")
COMMAND = f"{sys.executable} -m htreval_core.cli"


@pytest.fixture
def pages(tree: Tree) -> Path:
    return tree({"1.ref": "some words", "1.hyp": "some word"})


class _Full(io.BytesIO):
    """A file on a disk that takes three bytes more."""

    def writelines(self, content: Any) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.fixture
def full(monkeypatch: pytest.MonkeyPatch) -> None:
    """Opening for writing empties a file, as it does on a disk; writing then fails."""

    def opened(path: Any, mode: str) -> Any:
        with open(path, mode) as file:
            file.write(b"abc")
        return _Full()

    monkeypatch.setattr(group, "open", opened, raising=False)


@pytest.mark.parametrize("named", ["1.ref", "1.hyp"])
@pytest.mark.parametrize("command", ["score", "diagnose", "report", "align"])
def test_no_result_is_written_over_what_it_is_made_from(
    command: str, named: str, pages: Path
) -> None:
    before = {path.name: path.read_bytes() for path in pages.iterdir()}
    (pages.parent / "link").symlink_to(pages / named)
    sides = ["--reference", pages / "1.ref", "--system", f"A={pages / '1.hyp'}"]
    for data in ([pages], sides):
        for output in (pages / named, pages.parent / "link"):
            done = invoke(command, *data, "--output", output)
            assert done.exit_code == 3
            assert "this command reads it" in done.stderr
    assert {path.name: path.read_bytes() for path in pages.iterdir()} == before
    # What is no page may be written again.
    for _ in range(2):
        told("score", pages, "--output", pages / "scores.json")


OUTPUTS = {
    "score": ["score", "{0}", "--output"],
    "parquet": ["score", "{0}", "--format", "parquet", "--output"],
    "pairs": ["pairs", "{0}", "--output"], "text": ["text", "{0}/1.ref", "--output"],
    "report": ["report", "{0}", "--output"], "align": ["align", "{0}", "--output"],
    "ladder": ["ladder", "{0}", "--output"], "diagnose": ["diagnose", "{0}", "--output"],
}  # fmt: skip


@pytest.mark.usefixtures("full")
@pytest.mark.parametrize("name", list(OUTPUTS))
def test_a_full_disk_costs_no_file_of_before(name: str, pages: Path, tmp_path: Path) -> None:
    place = tmp_path / "yesterday"
    place.write_bytes(b"kept")
    done = invoke(*(part.format(pages) for part in OUTPUTS[name]), place)
    assert done.exit_code == 3
    assert f"{place}: cannot be written (No space left on device); make room" in done.stderr
    assert place.read_bytes() == b"kept"
    assert [path.name for path in tmp_path.iterdir() if ".part" in path.name] == []


def test_a_file_keeps_its_mode_and_a_link_stays_one(tmp_path: Path) -> None:
    place, link = tmp_path / "kept", tmp_path / "link"
    place.write_bytes(b"old and longer")
    place.chmod(0o640)
    link.symlink_to(place)
    save(link, [b"ne", b"w"])
    assert link.is_symlink()
    assert (place.read_bytes(), place.stat().st_mode & 0o777) == (b"new", 0o640)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["kept", "link"]


def test_a_new_file_may_be_read_as_any_other(tmp_path: Path) -> None:
    save(tmp_path / "a", [])
    (tmp_path / "b").write_bytes(b"")
    assert (tmp_path / "a").stat().st_mode == (tmp_path / "b").stat().st_mode


def test_a_file_that_cannot_be_replaced_is_written_as_it_stands(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """One that is mounted by itself, as containers do it."""

    def busy(*_: object) -> None:
        raise OSError(errno.EBUSY, os.strerror(errno.EBUSY))

    monkeypatch.setattr(os, "replace", busy)
    place = tmp_path / "mounted"
    place.write_bytes(b"old")
    save(place, [b"ne", b"w"])
    assert [path.name for path in tmp_path.iterdir()] == ["mounted"]
    assert place.read_bytes() == b"new"


def test_a_pipe_takes_what_is_written(pages: Path, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    found: list[bytes] = []
    reader = Thread(target=lambda: found.append(pipe.read_bytes()), daemon=True)
    reader.start()
    invoke("text", pages / "1.ref", "--output", pipe)
    reader.join(30)
    assert found == [b"some words\n"]
    assert pipe.is_fifo()


def _shell(line: str) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        ["/bin/bash", "-c", f"set -o pipefail; {line}"],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert "Traceback" not in done.stderr, done.stderr
    assert "Exception ignored" not in done.stderr, done.stderr
    return done


@pytest.mark.slow
@pytest.mark.parametrize(("line", "code", "says"), cases("exits"))
def test_it_ends_in_words_and_with_the_code_that_says_why(
    line: str, code: int, says: str, pages: Path
) -> None:
    done = _shell(f"{COMMAND} {line.format(pages)}")
    assert done.returncode == code, done.stderr
    assert says in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("line", ["text {0}/long.ref", "score --help", "--help",
                                  "text {0}/long.ref --output /dev/stdout"])  # fmt: skip
def test_a_reader_that_has_gone_is_no_failed_threshold(line: str, pages: Path) -> None:
    (pages / "long.ref").write_text("many words\n" * 20_000, "utf-8")
    # Whoever reads has gone before anything is written.
    done = _shell(f"({COMMAND} {line.format(pages)}; echo $? >&2) | true")
    assert done.stderr.split()[-1] == "141"


@pytest.mark.slow
def test_stdout_by_its_name_goes_where_stdout_goes(pages: Path, tmp_path: Path) -> None:
    """A file that the shell has open is written to, not replaced: others write into it too."""
    line = f"{COMMAND} text {pages}/1.ref --output /dev/stdout"
    assert _shell(line).stdout == "some words\n"
    place = tmp_path / "both"
    for into in (">", ">>"):
        place.unlink(missing_ok=True)
        _shell(f"(echo before; {line}; echo after) {into} {place}")
        assert place.read_text("utf-8") == "before\nsome words\nafter\n"
    assert told("text", pages / "1.ref") == "some words\n"
