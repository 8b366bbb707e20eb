"""Pipes are read within the limits, devices never."""

import os
import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from threading import Thread

import pytest

import htreval_core as hv
from htreval_core.errors import ReadError
from htreval_core.settings.mapping import read_mapping
from htreval_core.settings.named import read_named
from tests.tools import Tree, invoke, told, told_json, zipped

pytestmark = pytest.mark.skipif(os.name != "posix", reason="pipes with names are of POSIX")


@pytest.fixture
def pipe(tmp_path: Path) -> Path:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    return path


def feed(path: Path, content: bytes) -> None:
    """Write into a pipe as another process does: it waits until somebody reads."""

    def write() -> None:
        with suppress(BrokenPipeError):  # The reader may have had enough.
            path.write_bytes(content)

    Thread(target=write, daemon=True).start()


@pytest.mark.parametrize("content", [b"", b"x", b"word " * 100_000])
def test_a_pipe_is_read_to_its_end(pipe: Path, content: bytes) -> None:
    feed(pipe, content)
    assert read_named(pipe, 10**6) == content


def test_a_pipe_is_read_no_further_than_it_may(pipe: Path) -> None:
    feed(pipe, b"x" * 1_000_000)
    assert read_named(pipe, 1000) == b"x" * 1001


def test_a_slow_writer_is_waited_for(pipe: Path) -> None:
    code = "import sys, time; f = open(sys.argv[1], 'w'); time.sleep(0.5); f.write('late')"
    with subprocess.Popen([sys.executable, "-c", code, str(pipe)]) as writer:
        assert read_named(pipe, 100) == b"late"
    assert writer.returncode == 0


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/urandom", "/dev/null"])
def test_a_device_is_refused_wherever_a_file_is_named(device: str, tree: Tree) -> None:
    root = tree({"1.ref": "some words", "1.hyp": "some word", "empty/x.txt": ""})
    for arguments in (
        ["score", device], ["pairs", device], ["text", device],
        ["score", "--reference", device, "--system", f"A={root}/1.hyp"],
        ["score", "--reference", f"{root}/1.ref", "--system", f"A={device}"],
        ["score", root, "--facets", device, "--by", "hand"], ["score", root, "--facets", device],
        ["score", root, "--mapping", device], ["compare", root, device],
        ["report", device, "--output", root / "r.html"],
    ):  # fmt: skip
        done = invoke(*arguments)
        assert done.exit_code in (2, 3), arguments
        assert f"{device}: a device, which has no end; give a file or a pipe" in done.stderr
        assert "Traceback" not in done.stderr


def test_what_else_is_no_file_is_refused(tmp_path: Path) -> None:
    # A file far over the limit is refused before it is read.
    huge = tmp_path / "huge.txt"
    with huge.open("wb") as file:
        file.truncate(2**36)
    (tmp_path / "out.txt").write_text("some words")
    done = invoke("score", "--reference", huge, "--system", f"A={tmp_path / 'out.txt'}")
    assert done.exit_code == 3
    assert "the limit file_bytes is" in done.stderr
    # A socket and a folder are refused.
    path = tmp_path / "s"
    with socket.socket(socket.AF_UNIX) as one:
        one.bind(str(path))
        with pytest.raises(ReadError, match="a socket, which has no end"):
            read_named(path, 10)
    with pytest.raises(ReadError, match="a folder; give a file"):
        read_named(tmp_path, 10)


def test_what_comes_from_pipes_is_scored(pipe: Path, tree: Tree) -> None:
    # Sides come from pipes.
    root = tree({"1.txt": "some wrong words"})
    feed(pipe, b"some right words")
    found = told_json("score", "--reference", pipe, "--system", f"A={root}/1.txt")
    assert found["systems"]["A"]["corpus"]["wer"]["errors"] == 1
    # An archive comes from a pipe.
    feed(pipe, zipped({"1.ref": b"some words", "1.hyp": b"some word"}))
    assert told_json("score", pipe)["systems"]["hyp"]["corpus"]["wer"]["errors"] == 1
    # A mapping and facets come from pipes.
    root = tree({"1.ref": "some words", "1.hyp": "tome words", "2.ref": "a", "2.hyp": "a"})
    feed(pipe, b"t\ts\n")
    found = told_json("score", root, "--mapping", pipe)
    assert found["systems"]["hyp"]["corpus"]["wer"]["errors"] == 0
    feed(pipe, b"page,hand\n1,A\n2,B\n")
    assert "hand" in told("score", root, "--facets", pipe, "--by", "hand")


def test_a_pipe_that_will_not_do_says_what_to_give(pipe: Path) -> None:
    # A pipe alone says what to give.
    feed(pipe, b"some words")
    done = invoke("score", pipe)
    assert done.exit_code == 3
    assert "pipe: no transcripts in it; give a folder with references" in done.stderr
    assert "--reference PATH --system NAME=PATH" in done.stderr
    # A pipe that holds too much names the limit.
    feed(pipe, b"word " * 10_000)
    done = invoke("text", pipe, "--limit", "file_bytes=1000")
    assert done.exit_code == 3
    assert "--limit file_bytes=NUMBER" in done.stderr


@pytest.mark.slow
def test_a_shell_s_own_pipes(tree: Tree) -> None:
    root = tree({"1.ref": "some words", "1.hyp": "some word"})
    command = (
        f"{sys.executable} -m htreval_core.cli score --reference <(cat {root}/1.ref) "
        f"--system A=<(cat {root}/1.hyp) --format json"
    )
    done = subprocess.run(
        ["/bin/bash", "-c", command], capture_output=True, text=True, timeout=60, check=True
    )
    assert '"A"' in done.stdout
    command = f"{sys.executable} -m htreval_core.cli text /dev/stdin < {root}/1.ref"
    done = subprocess.run(
        ["/bin/bash", "-c", command], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout == "some words\n"


def test_the_engine_says_the_same_and_the_app_takes_what_lasts(pipe: Path) -> None:
    with pytest.raises(ReadError, match="a device"):
        hv.read_transcript("/dev/zero")
    with pytest.raises(ReadError, match="a device"):
        hv.pair_path("/dev/zero")
    with pytest.raises(ReadError, match="a device"):
        read_mapping(Path("/dev/zero"))
    with pytest.raises(ReadError, match="there is no such file or folder"):
        hv.read_transcript(pipe.with_name("gone"))
    # The app takes what lasts.
    for arguments in (["app", pipe], ["app", "/dev/zero"],
                      ["app", "--reference", pipe, "--system", f"A={pipe}"]):  # fmt: skip
        done = invoke(*arguments)
        assert done.exit_code == 2
        assert "neither a file nor a folder; save what it holds as a file" in done.stderr
