"""A switch that is put into ``text.py`` alone reaches the shell, the app, addresses and bundles."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.tools import write_tree

pytestmark = pytest.mark.slow

FIELD = '    drop_digits: bool = False\n    """Leave out the digits."""\n'
ROW = '    Switch("drop_digits", "Drop digits", "Leave out the digits within words."),\n'
EFFECT = (
    "    if policy.drop_digits:\n"
    '        text = "".join(sign for sign in text if not sign.isdigit())\n'
)
PROOF = """
import sys
from pathlib import Path
from streamlit.testing.v1 import AppTest
import htreval_core as hv

root, data = map(Path, sys.argv[1:])
assert Path(hv.__file__).is_relative_to(root), hv.__file__
settings = hv.Settings(policy=hv.TextPolicy(drop_digits=True))
assert "drop-digits:yes" in settings.signature()
assert hv.wer("a1 b2", "a b", settings) == 0

# A bundle keeps it.
study = hv.score(hv.pair_path(data), settings)
hv.save_run(study, root / "x.htreval")
assert hv.open_run(root / "x.htreval").settings.policy == settings.policy

# The app offers it, counts by it, and writes it into the address.
app = AppTest.from_file(str(root / "htreval_ui" / "main.py"), default_timeout=60).run()
assert not app.exception, app.exception
(switch,) = [one for one in app.toggle if one.label == "Drop digits"]
assert not switch.value
app = switch.set_value(True).run()
assert not app.exception, app.exception
assert "drop_digits=yes" in app.code[0].value
assert "drop-digits:yes" in app.code[2].value
linked = AppTest.from_file(str(root / "htreval_ui" / "main.py"), default_timeout=60)
linked.query_params["drop_digits"] = "yes"
linked.run()
assert "drop-digits:yes" in linked.code[2].value
"""


def test_it_reaches_everything(tmp_path: Path) -> None:
    ours = ("htreval_core", "htreval_ui", "pages", "sample_data", "app.py", "CITATION.cff")
    for name in ours:
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copyfile
        copy(ROOT / name, tmp_path / name)
    place = tmp_path / "htreval_core" / "text.py"
    text = place.read_text("utf-8")
    for before, more in (
        ("    mapping: tuple[tuple[str, str], ...] = ()\n", FIELD),
        ('    Switch(\n        "mapping"', ROW),
        ("    if policy.ignore_case:\n", EFFECT),
    ):
        assert text.count(before) == 1, before
        text = text.replace(before, more + before)
    place.write_text(text, "utf-8")
    data = write_tree(tmp_path / "data", {"reference/1.txt": "a1 b2 c", "one/1.txt": "a b c"})

    def run(*arguments: object) -> str:
        done = subprocess.run(
            [sys.executable, *map(str, arguments)], capture_output=True, text=True, cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(tmp_path)}, timeout=240,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    run("-c", PROOF, tmp_path, data)
    command = ("-m", "htreval_core.cli", "score")
    assert "Leave out the digits" in run(*command, "--help-all")
    plain, dropped = (
        run(*command, data, "--format", "json", *more) for more in ((), ("--drop-digits",))
    )
    assert "drop-digits:no" in plain
    assert "drop-digits:yes" in dropped
    assert plain.count('"errors": 0') < dropped.count('"errors": 0')
