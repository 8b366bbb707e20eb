"""The wheel: what is installed from it works with no checkout in sight."""

import os
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import urllib.request
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.tools import served

pytestmark = [pytest.mark.thorough, pytest.mark.xdist_group("wheel")]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
NEEDED = {
    "htreval_core/py.typed", "htreval_core/show/html/report.css",
    "htreval_ui/_bundle/app.py",
    "htreval_ui/_bundle/CITATION.cff", "htreval_ui/_bundle/pages/overview.py",
    "htreval_ui/_bundle/.streamlit/config.toml",
    "htreval_ui/_bundle/sample_data/letterbook/reference/LB01.xml",
    "htreval_ui/_bundle/sample_data/letterbook/pages.csv",
    "htreval_ui/_bundle/sample_data/models/writes-markdown/LB01.md",
    "htreval_ui/_bundle/sample_data/models/writes-layout-json/LB01.json",
    "htreval_ui/assets/app.css", "htreval_core/show/views/assets/learn/lessons.toml",
    "htreval_core/show/site/assets/site.js",
}  # fmt: skip


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("wheel")
    # The backend itself: no network, no second environment.
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(out)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (built,) = out.glob("*.whl")
    return built


def test_the_source_archive_makes_the_same_wheel(wheel: Path, tmp_path: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "-d", str(tmp_path)]
    subprocess.run([*build, "-t", "sdist"], cwd=ROOT, check=True, capture_output=True)
    (archive,) = tmp_path.glob("*.tar.gz")
    shutil.unpack_archive(archive, tmp_path / "source", filter="data")
    (source,) = (tmp_path / "source").iterdir()
    subprocess.run([*build, "-t", "wheel"], cwd=source, check=True, capture_output=True)
    names = [set(zipfile.ZipFile(one).namelist()) for one in (wheel, next(tmp_path.glob("*.whl")))]
    assert names[0] == names[1]


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bin folder of an empty environment that has the wheel, and ours for the rest.

    What is needed besides is borrowed by a .pth file, in which the editable checkout has no part:
    editable installations work by .pth files of their own, which are not read from there."""
    root = tmp_path_factory.mktemp("venv")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", root], check=True)
    bin_ = root / ("Scripts" if os.name == "nt" else "bin")
    paths = {"base": str(root), "platbase": str(root)}
    site = Path(sysconfig.get_path("purelib", "venv", paths))
    subprocess.run(
        [sys.executable, "-m", "pip", "--python", str(bin_ / "python"), "install", "--quiet",
         "--no-deps", "--no-index", "--disable-pip-version-check", str(wheel)],
        check=True,
    )  # fmt: skip
    (site / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n", "utf-8")
    return bin_


def run(installed: Path, cwd: Path, *arguments: str) -> str:
    environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "VIRTUAL_ENV")}
    done = subprocess.run(
        [str(installed / arguments[0]), *arguments[1:]], cwd=cwd, env=environment,
        capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_it_holds_all_that_is_needed_and_no_more(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    assert names >= NEEDED
    tops = {name.split("/")[0] for name in names}
    assert tops == {"htreval_core", "htreval_ui", f"htreval-{PROJECT['version']}.dist-info"}
    assert not [name for name in names if "__pycache__" in name]


def test_the_command_works_without_a_checkout(wheel: Path, installed: Path, tmp_path: Path) -> None:
    where = "import htreval_core, htreval_ui; print(htreval_core.__file__, htreval_ui.__file__)"
    assert str(ROOT) not in run(installed, tmp_path, "python", "-c", where)
    version = run(installed, tmp_path, "htreval", "--version")
    assert PROJECT["version"] in version
    assert run(installed, tmp_path, "python", "-m", "htreval_core", "--version") == version
    with zipfile.ZipFile(wheel) as archive:
        inside = "htreval_ui/_bundle/sample_data/letterbook/"
        archive.extractall(tmp_path, [n for n in archive.namelist() if n.startswith(inside)])
    data = tmp_path / inside
    table = run(installed, tmp_path, "htreval", "score", str(data), "--format", "csv")
    assert len(table.splitlines()) > 24
    run(installed, tmp_path, "htreval", "report", str(data), "-o", "report.html")
    assert (tmp_path / "report.html").read_text("utf-8").startswith("<!DOCTYPE html>")


@pytest.fixture
def app(installed: Path, tmp_path: Path) -> Iterator[str]:
    with served([str(installed / "htreval")], tmp_path / "log.txt", tmp_path) as address:
        yield address


def test_the_app_starts_from_the_wheel(app: str) -> None:
    with urllib.request.urlopen(app, timeout=10) as answer:
        assert answer.status == 200
        assert b"<html" in answer.read()
