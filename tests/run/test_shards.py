"""Shards: the same bytes as one process, and which shards do not go together."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from htreval_core.run import blocks, manifest
from tests.conftest import ROOT
from tests.run.test_bundle import same_bytes
from tests.tools import FILES, folder_of, invoke, made, scoring_command, wait_for_blocks


def shard(data: Path, number: int, of: int, path: Path, *more: str) -> Path:
    done = invoke("score", data, "--shard", f"{number}/{of}", "--output", path, *more)
    assert done.exit_code == 0, done.stderr
    return path


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Nine pages in five blocks; one has an output that cannot be read, one has none left."""
    monkeypatch.setattr(blocks, "_BLOCK_PAGES", 2)
    folder = folder_of(tmp_path / "data", made(9))
    (folder / "A" / "p0002.txt").write_bytes(b"\xff")
    (folder / "reference" / "p0006.txt").write_bytes(b"\xff")
    (folder / "A" / "p0008.txt").unlink()
    return folder


def test_merged_shards_are_the_run_of_one_process(data: Path, tmp_path: Path) -> None:
    for one, of in ((data, 3), (ROOT / "sample_data" / "letterbook", 2), (data, 7)):
        whole, merged = tmp_path / "whole.htreval", tmp_path / "merged.htreval"
        assert invoke("score", one, "--output", whole, "--overwrite").exit_code == 0
        parts = [shard(one, n, of, tmp_path / f"{of}-{n}.htreval") for n in range(of, 0, -1)]
        shard(one, 2, of, parts[0].with_name(f"{of}-2.htreval"))
        done = invoke("merge", *parts, "--output", merged, "--overwrite")
        assert done.exit_code == 0, done.stderr
        assert all(same_bytes(whole, merged))
        assert sorted(path.name for path in merged.iterdir()) == sorted(FILES)


def test_shards_that_make_no_whole_are_refused(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two, three = (shard(data, n, 3, tmp_path / f"{n}.htreval") for n in (1, 2, 3))
    copy = shutil.copytree(three, tmp_path / "copy.htreval")
    begun = shutil.copytree(three, tmp_path / "begun.htreval")
    (begun / "manifest.json").unlink()
    damaged = shutil.copytree(three, tmp_path / "damaged.htreval")
    block = next(damaged.glob("work/*.counts"))
    block.write_bytes(block.read_bytes()[::-1])
    whole = tmp_path / "whole.htreval"
    invoke("score", data, "--output", whole)
    setting = shard(data, 3, 3, tmp_path / "setting.htreval", "--ignore-case")
    limit = shard(data, 3, 3, tmp_path / "limit.htreval", "--limit", "word_characters=99")
    four = shard(data, 3, 4, tmp_path / "four.htreval")
    with monkeypatch.context() as patched:
        patched.setattr(manifest, "build", lambda: "another")
        build = shard(data, 3, 3, tmp_path / "build.htreval")
    (data / "B" / "p0000.txt").write_text("one more")
    other = shard(data, 3, 3, tmp_path / "other.htreval")
    for shards, told in (
        ([one, three], "of 3 shards these are missing: 2"),
        ([one, two, three, copy], "copy.htreval: is shard 3/3, as is"),
        ([one, two, begun], "begun.htreval: there is no manifest.json; the run has not ended"),
        ([one, two, damaged], "damaged.htreval: work/.* was changed or damaged"),
        ([one, two, whole], "whole.htreval: a whole run"),
        ([one, two, setting], "setting.htreval: of another run .*: ignore-case was yes, is no"),
        ([one, two, limit], "limit.htreval: of another run .*: settings differ"),
        ([one, two, four], "four.htreval: of another run .*: the number of shards was 4, is 3"),
        ([one, two, build], "build.htreval: of another run .*: build was another, is"),
        ([one, two, other], "other.htreval: of another run .*: the files of the data have other"),
        ([tmp_path / "no.htreval"], "no.htreval: there is no manifest.json"),
    ):
        done = invoke("merge", *shards, "--output", tmp_path / "merged.htreval")
        assert done.exit_code == 3, told
        assert re.search(told, done.stderr), done.stderr
        assert not (tmp_path / "merged.htreval").exists()
    for wrong, told in (
        (("score", data, "--shard", "1/3", "--output", two), "it was shard 2/3, is shard 1/3"),
        (("score", data, "--shard", "1/3", "--output", whole), "it was whole, is shard 1/3"),
        (("score", data, "--shard", "0/3", "--output", one), "counted from 1/3"),
        (("score", data, "--shard", "3", "--output", one), "NUMBER/OF"),
        (("score", data, "--shard", "1/3"), "go with --output"),
        (("score", data, "--shard", "1/3", "-o", one, "--strict"), "shows nothing"),
        (("score", one), "only shard 1/3 of a run"),
        (("merge", one, two, three, "--overwrite", "--output", one), "is one of the shards"),
    ):
        done = invoke(*wrong)
        assert done.exit_code in (2, 3), told
        assert told in done.stderr, done.stderr


@pytest.mark.thorough
@pytest.mark.skipif(os.name != "posix", reason="kills processes")
def test_eight_shards_of_which_two_are_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(blocks, "_BLOCK_PAGES", 16)
    data = folder_of(tmp_path / "data", made(800))
    whole, merged = tmp_path / "whole.htreval", tmp_path / "merged.htreval"
    assert invoke("score", data, "--output", whole, "--jobs", 1).exit_code == 0
    parts = [tmp_path / f"part{number}.htreval" for number in range(8, 0, -1)]
    for number, path in zip(range(8, 0, -1), parts, strict=True):
        if number % 4 == 0:
            command = scoring_command(data, path, "--shard", f"{number}/8")
            hold = os.environ | {"HOLD": str(number + 16)}
            process = subprocess.Popen(command, stderr=subprocess.DEVNULL, env=hold)
            wait_for_blocks(path, 2, process)
            process.kill()
            process.wait()
            assert invoke("merge", path, "--output", merged).exit_code == 3
        shard(data, number, 8, path, "--jobs", "1")
    assert invoke("merge", *parts, "--output", merged).exit_code == 0
    assert all(same_bytes(whole, merged))


PARALLEL = """#!/bin/sh
command=; while [ "$1" != ::: ]; do command="$command $1"; shift; done; shift
for each; do sh -c "$(echo "$command" | sed "s/{}/$each/g")" || exit 1; done
"""


@pytest.mark.thorough
@pytest.mark.skipif(os.name != "posix", reason="runs shell scripts")
def test_the_recipes_for_shards_run(tmp_path: Path) -> None:
    """Each as its scheduler would run it, but in processes one after another."""
    text = (ROOT / "docs" / "cluster.md").read_text("utf-8")
    array = re.search(r"^#SBATCH --array=1-(\d+)\n(htreval .*)$", text, re.MULTILINE)
    parallel = re.search(r"^ {4}(parallel .*)$", text, re.MULTILINE)
    merge = re.search(r"^ {4}(htreval merge .*)$", text, re.MULTILINE)
    assert array and parallel and merge  # noqa: PT018
    # As many as it takes to see that the parts make a whole.
    task = array[2].replace(f"/{array[1]} ", "/3 ")
    slurm = f"for SLURM_ARRAY_TASK_ID in 1 2 3; do {task}; done"
    for name, content in (
        ("htreval", f'#!/bin/sh\nexec "{sys.executable}" -m htreval_core.cli "$@"\n'),
        ("parallel", PARALLEL),
    ):
        (tmp_path / name).write_text(content)
        (tmp_path / name).chmod(0o755)
    folder_of(tmp_path / "DATA", made(30))
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    whole = "htreval score DATA --output one.htreval"
    for recipe in (slurm, parallel[1]):
        script = f"set -e\nrm -rf *.htreval\n{whole}\n{recipe}\n{merge[1]}"
        subprocess.run(
            ["/bin/sh", "-c", script], cwd=tmp_path, check=True, capture_output=True,
            env=os.environ | {"PATH": path, "PYTHONPATH": str(ROOT)},
        )  # fmt: skip
        assert all(same_bytes(tmp_path / "one.htreval", tmp_path / "whole.htreval"))
