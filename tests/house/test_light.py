"""The engine without the web app: installed with ``requirements-light.txt`` alone."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.conftest import ROOT

HEAVY = {"streamlit", "plotly", "pandas", "pyarrow"}
DATA = str(ROOT / "sample_data" / "letterbook")
# A meta path finder in front of all others is what a missing library looks like.
WITHOUT = f"""
import sys
class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {HEAVY!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Refuse())
"""


def bare(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", WITHOUT + code, *arguments], capture_output=True, text=True, cwd=ROOT
    )


def test_the_light_way_installs_all_but_the_web_app() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    lines = (ROOT / "requirements-light.txt").read_text("utf-8").splitlines()
    light = {line for line in lines if not line.startswith("#")}
    left = {one for one in project["dependencies"] if one not in light}
    assert light < set(project["dependencies"])
    assert {one.partition(">")[0] for one in left} == HEAVY


@pytest.mark.thorough
def test_what_needs_no_more_runs(tmp_path: Path) -> None:
    kinds = [["score", "--format", kind] for kind in ("table", "json", "csv", "latex")]
    commands = [
        *kinds, ["diagnose"], ["compare", "--systems", "misreads,reads-across"], ["audit"],
        ["report", "-o", str(tmp_path / "r.html")],
        ["site", "--images", "0", "--pages", "worst:2", "-o", str(tmp_path / "site")],
    ]  # fmt: skip
    done = bare(
        "from htreval_core.cli import main\n"
        f"for name, *rest in {commands!r}:\n"
        f"    print(name, main([name, {DATA!r}, *rest], standalone_mode=False))"
    )
    assert done.returncode == 0, done.stderr
    assert len(list(tmp_path.iterdir())) == 2


def test_python_needs_no_more_to_score_and_diagnose() -> None:
    done = bare(
        "import htreval_core as hv\n"
        f"study = hv.score(hv.pair_path({DATA!r}))\n"
        "hv.diagnose(study); hv.compare_all(study)\n"
        "assert study.look('LB01', 'misreads')._repr_html_().startswith('<iframe')\n"
        f"assert not {HEAVY!r} & {{one.partition('.')[0] for one in sys.modules}}"
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("command", "told"),
    [("app", "the web app needs Streamlit"), (f"score {DATA} -o {{}}/b.htreval", "need PyArrow"),
     (f"score {DATA} --format parquet -o {{}}/b.parquet", "need PyArrow")],
)  # fmt: skip
def test_what_needs_more_says_what(command: str, told: str, tmp_path: Path) -> None:
    code = "from htreval_core.cli import main; main()"
    done = bare(code, *command.format(tmp_path).split())
    assert done.returncode == 2
    assert told in done.stderr
    assert "is not installed; install it" in done.stderr
    assert "Traceback" not in done.stderr
