"""The table of formats: every row reads its example, pairs by each of its endings, is told of."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import htreval_core as hv
from htreval_core.sources.formats import ENDINGS, FORMATS, Format, tagged_endings
from htreval_core.sources.transcripts import read_kind
from tests.conftest import ROOT, SAMPLES

EXAMPLES = SAMPLES / "formats"
LINES = ("The vestry met upon the Monday", "and chose two wardens.")
READER = '    "shout": lambda _, text, __: Transcript.from_text(text.decode().lower()),\n'
ROW = '\n[shout]\nname = "Shouting"\nendings = [".shout"]\nby_name = true\n'


@pytest.mark.parametrize("row", FORMATS, ids=lambda row: row.kind)
def test_each_reads_its_example(row: Format) -> None:
    kind, transcript = read_kind(EXAMPLES / row.example)
    assert kind == row.kind
    assert tuple(line.text for line in transcript.lines) == LINES


def test_there_is_no_example_without_a_row() -> None:
    assert {file.name for file in EXAMPLES.iterdir()} == {row.example for row in FORMATS}


@pytest.mark.parametrize("ending", tagged_endings())
def test_a_word_before_any_ending_tells_the_side(ending: str, tmp_path: Path) -> None:
    row = next(row for row in FORMATS if ending in row.endings)
    for page in ("1", "2"):
        for side in ("gt", "a"):
            shutil.copy(EXAMPLES / row.example, tmp_path / f"{page}.{side}{ending}")
    data = hv.pair_path(tmp_path)
    assert (data.page_ids, data.systems) == (("1", "2"), ("a",))


@pytest.mark.parametrize("ending", ENDINGS)
def test_folders_pair_by_names_without_any_ending(ending: str, tmp_path: Path) -> None:
    row = next(row for row in FORMATS if ending in row.endings)
    for side, name in (("reference", f"1{ending}"), ("a", "1.txt")):
        (tmp_path / side).mkdir()
        example = row.example if side == "reference" else "page.txt"
        shutil.copy(EXAMPLES / example, tmp_path / side / name)
    study = hv.score(hv.pair_path(tmp_path), hv.Settings(resamples=10))
    assert study.scores["a"][0].wer.errors == 0


def test_documents_name_every_kind_and_its_endings() -> None:
    said = (ROOT / "docs" / "formats.md").read_text("utf-8")
    readme = (ROOT / "README.md").read_text("utf-8")
    for row in FORMATS:
        assert row.name.lower() in said.lower(), row.name
        assert all(f"`{ending}`" in said for ending in row.endings), row.endings
    assert "docs/formats.md" in readme


def test_a_made_up_reader_is_one_row(tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    shutil.copytree(ROOT / "htreval_core", clone / "htreval_core")
    table = clone / "htreval_core" / "sources" / "formats.toml"
    table.write_text(table.read_text("utf-8") + ROW, "utf-8")
    readers = table.with_suffix(".py")
    begin = "_READERS: Mapping[FileKind, Reader] = {\n"
    readers.write_text(readers.read_text("utf-8").replace(begin, begin + READER), "utf-8")
    data = tmp_path / "data"
    data.mkdir()
    (data / "1.gt.txt").write_text("to be or not", "utf-8")
    (data / "1.a.shout").write_text("TO BE OR NOT", "utf-8")
    (data / "1.b.txt").write_text("TO BE OR NOT", "utf-8")
    shown = subprocess.run(
        [sys.executable, "-m", "htreval_core.cli", "score", str(data), "--format", "json"],
        env={**os.environ, "PYTHONPATH": str(clone)}, cwd=clone, capture_output=True, text=True,
        check=True,
    ).stdout  # fmt: skip
    systems = json.loads(shown)["systems"]
    values = {name: one["corpus"]["wer"]["value"] for name, one in systems.items()}
    assert values == {"a": 0.0, "b": 1.0}
