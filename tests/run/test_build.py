"""What other code has left is found again: a version string is no proof of what counted."""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

import htreval_core as hv
from htreval_core.run.read import open_run
from htreval_core.run.write import score_run
from htreval_core.settings import version
from tests.conftest import ROOT, SAMPLES
from tests.tools import manifest_of, resign

SETTINGS = hv.Settings(resamples=20)
DATA = SAMPLES / "seite0418"


def clone(folder: Path) -> Path:
    """The engine, each page with five errors more for hWER."""
    shutil.copytree(ROOT / "htreval_core", folder / "htreval_core")
    page = folder / "htreval_core" / "metrics" / "page.py"
    code = page.read_text("utf-8")
    right = '"hwer_errors": words.longer'
    assert code.count(right) == 1
    page.write_text(code.replace(right, '"hwer_errors": 5 + words.longer'), "utf-8")
    return folder


def in_clone(folder: Path, *command: str) -> str:
    run = subprocess.run(
        [sys.executable, *command], env={**os.environ, "PYTHONPATH": str(folder)}, cwd=folder,
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return run.stdout + run.stderr


def test_the_build_is_found_in_milliseconds_and_tells_one_byte(tmp_path: Path) -> None:
    # Of this process alone: what else the machine does is no matter of it.
    begin = time.process_time()
    first = version.build.__wrapped__()
    assert time.process_time() - begin < 0.5
    assert first == version.build()
    assert len(first) == 16
    code = "from htreval_core.settings.version import build; print(build())"
    for change in ("", "\n"):
        folder = tmp_path / f"clone{len(change)}"
        shutil.copytree(ROOT / "htreval_core", folder / "htreval_core")
        with (folder / "htreval_core" / "text.py").open("a", encoding="utf-8") as file:
            file.write(change)
        assert (in_clone(folder, "-c", code).strip() == first) == (change == "")


@pytest.mark.slow
def test_what_a_patched_clone_left_is_scored_and_diagnosed_again(tmp_path: Path) -> None:
    bundle = tmp_path / "run.htreval"
    in_clone(
        clone(tmp_path / "clone"), "-m", "htreval_core.cli", "score", str(DATA), "--output",
        str(bundle),
    )  # fmt: skip
    right = hv.score(hv.pair_path(DATA))
    wrong = open_run(bundle)
    for system in right.systems:
        theirs, ours = wrong.scores[system][0], right.scores[system][0]
        assert theirs.hwer_errors == ours.hwer_errors + 5
    assert wrong.signature == right.signature
    kinds = [one.kind for one in wrong.warnings]
    assert kinds.count(hv.WarningKind.OTHER_BUILD) == 1
    again = score_run(hv.pair_path(DATA), bundle, hv.Settings())
    for system in right.systems:
        assert list(again.scores[system]) == list(right.scores[system])
    kinds = [one.kind for one in again.warnings]
    assert kinds.count(hv.WarningKind.SCORED_AGAIN) == 1
    assert hv.WarningKind.OTHER_BUILD not in kinds
    assert hv.WarningKind.SCORED_AGAIN not in [one.kind for one in open_run(bundle).warnings]


def test_a_saved_study_keeps_the_build_that_found_its_values(tmp_path: Path) -> None:
    score_run(hv.pair_path(DATA), tmp_path / "a.htreval", SETTINGS)
    manifest = manifest_of(tmp_path / "a.htreval")
    manifest["made_with"]["build"] = "f" * 16
    resign(tmp_path / "a.htreval", manifest)
    hv.save_run(open_run(tmp_path / "a.htreval"), tmp_path / "b.htreval")
    assert manifest_of(tmp_path / "b.htreval")["made_with"]["build"] == "f" * 16
