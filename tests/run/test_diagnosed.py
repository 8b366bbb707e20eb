"""Diagnoses that a bundle keeps: found once, the same as before, and trusted for nothing."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import htreval_core as hv
from htreval_core.run import diagnosed
from htreval_core.run.disk import sha256_of
from htreval_core.run.names import DIAGNOSES
from htreval_core.run.write import score_run
from htreval_core.scoring import diagnoses as scoring
from htreval_core.scoring.found import Diagnoses, KeptDiagnoses
from htreval_core.show.telling.warnings import tell_warning
from htreval_core.show.views.opened import Opened
from tests.conftest import ROOT
from tests.tools import invoke, manifest_of, write_manifest

SETTINGS = hv.Settings(resamples=20)
SAMPLE = ROOT / "sample_data" / "letterbook"


@pytest.fixture(scope="module")
def scored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("bundle") / "x.htreval"
    score_run(hv.pair_path(SAMPLE), path, SETTINGS)
    return path


def kept(study: hv.Study) -> KeptDiagnoses:
    assert study.diagnosed is not None
    return study.diagnosed


def copied(scored: Path, folder: Path) -> Path:
    return Path(shutil.copytree(scored, folder / "x.htreval"))


@pytest.fixture(scope="module")
def expected(scored: Path) -> Diagnoses:
    """What is found in the bundle."""
    return hv.diagnose(hv.open_run(scored))


@pytest.fixture
def bundle(scored: Path, expected: Diagnoses, tmp_path: Path) -> Path:
    """A bundle that keeps its diagnoses."""
    path = copied(scored, tmp_path)
    kept(hv.open_run(path)).keep(expected)
    return path


def test_the_shell_keeps_what_it_finds(scored: Path, tmp_path: Path) -> None:
    path = copied(scored, tmp_path)
    first = invoke("diagnose", str(path))
    assert (path / DIAGNOSES).is_file()
    again = invoke("diagnose", str(path))
    assert (first.exit_code, again.exit_code) == (0, 0)
    assert first.stdout == again.stdout
    # Other settings are another study.
    (path / DIAGNOSES).unlink()
    assert invoke("diagnose", str(path), "--gamma", "2").exit_code == 0
    assert invoke("diagnose", str(path), "--page", "LB01").exit_code == 0
    assert not (path / DIAGNOSES).exists()


@pytest.fixture
def no_diagnosis(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object, **__: object) -> None:
        raise AssertionError("a page was diagnosed again")

    monkeypatch.setattr(scoring, "_diagnose_page", fails)


def test_what_is_kept_is_what_was_found(bundle: Path, scored: Path) -> None:
    expected = hv.diagnose(hv.open_run(scored))
    found = hv.diagnose(hv.open_run(bundle))
    assert dict(found) == dict(expected)
    assert (found.failures, found.upward) == (expected.failures, expected.upward)


def test_nothing_is_found_twice(bundle: Path, no_diagnosis: None) -> None:
    study = hv.open_run(bundle)
    assert study.with_parts(hv.diagnose(study)).has_parts
    with pytest.raises(AssertionError):
        # Of some pages or systems something else may be true: they have less to be compared with.
        hv.diagnose(study.only(pages=study.page_ids[:3]))
    with pytest.raises(AssertionError):
        hv.diagnose(study.only(study.systems[:1]))


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_bundle_that_cannot_be_written_into_is_read(scored: Path) -> None:
    scored.chmod(0o500)
    try:
        assert invoke("diagnose", str(scored)).exit_code == 0
    finally:
        scored.chmod(0o700)


def test_those_of_other_counts_or_another_build_are_found_again(
    bundle: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = hv.open_run(bundle)
    assert isinstance(kept(study).read(), Diagnoses)
    monkeypatch.setattr(diagnosed, "build", lambda: "0" * 16)
    assert kept(study).read() is None
    monkeypatch.undo()
    before, found = (bundle / DIAGNOSES).read_bytes(), hv.diagnose(study)
    data = hv.pair_path(SAMPLE)
    score_run(replace(data, pages=data.pages[:-1]), bundle, SETTINGS)
    assert not (bundle / DIAGNOSES).exists()
    assert kept(hv.open_run(bundle)).read() is None
    # Whoever opened the bundle before has diagnoses of what is no longer there.
    assert kept(study).read() is None
    with pytest.raises(hv.ConfigError, match="scored again"):
        kept(study).keep(found)
    # Somebody puts the old ones back, and makes the manifest vouch for them.
    (bundle / DIAGNOSES).write_bytes(before)
    _vouch(bundle)
    assert kept(hv.open_run(bundle)).read() is None


def test_those_that_were_cut_off_or_changed_are_found_again(bundle: Path) -> None:
    content = (bundle / DIAGNOSES).read_bytes()
    middle = len(content) // 2
    changed = content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]
    for damaged in (changed, content + b"more"):
        (bundle / DIAGNOSES).write_bytes(damaged)
        study = hv.open_run(bundle)
        opened = Opened(study)
        opened.take_kept()
        (told,) = opened.diagnoses().warnings
        assert tell_warning(told).startswith(f"x.htreval/{DIAGNOSES}: is damaged")
    # The shell says so, once: then the bundle keeps good ones.
    first, again = invoke("diagnose", str(bundle)), invoke("diagnose", str(bundle))
    assert f"x.htreval/{DIAGNOSES}: is damaged or incomplete" in first.stderr
    assert not again.stderr
    assert first.stdout == again.stdout
    assert isinstance(kept(study).read(), Diagnoses)


def test_a_text_that_all_rows_share_does_not_fill_memory(bundle: Path) -> None:
    path = bundle / DIAGNOSES
    table = pq.read_table(path)
    at = table.column_names.index("found")
    shared = pa.DictionaryArray.from_arrays(
        pa.array([0] * len(table), pa.int32()), pa.array([" " * 30_000_000])
    )
    pq.write_table(
        table.set_column(at, "found", shared), path,
        use_dictionary=True, dictionary_pagesize_limit=2**30, store_schema=False,
    )  # fmt: skip
    assert path.stat().st_size < 2_000_000
    _vouch(bundle)
    code = (
        "import sys, pyarrow as pa, htreval_core as hv; s = hv.open_run(sys.argv[1]); "
        "s.diagnosed.read(); print(pa.default_memory_pool().max_memory())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(bundle)], capture_output=True, text=True, check=True
    )
    # All 72 rows at once would take two gigabytes.
    assert int(done.stdout) < 300_000_000


def _vouch(bundle: Path) -> None:
    path = bundle / DIAGNOSES
    manifest = manifest_of(bundle)
    manifest["files"][DIAGNOSES] = {"size": path.stat().st_size, "sha256": sha256_of(path)}
    write_manifest(bundle, manifest)


def _put(bundle: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Change the diagnosis with the most events, and make the manifest vouch for it."""
    path = bundle / DIAGNOSES
    table = pq.read_table(path)
    rows = table.to_pylist()
    told = {n: json.loads(row["found"]) for n, row in enumerate(rows) if row["system"]}
    most = max(told, key=lambda n: len(told[n]["events"]))
    replaced = change(told[most])
    rows[most]["found"] = json.dumps(told[most] if replaced is None else replaced)
    pq.write_table(type(table).from_pylist(rows, table.schema), path)
    _vouch(bundle)


def _event(at: int, value: object) -> Callable[[dict[str, Any]], None]:
    def change(told: dict[str, Any]) -> None:
        told["events"][0][at] = value

    return change


@pytest.mark.thorough
@pytest.mark.parametrize(
    "change",
    [
        *(_event(at, value) for at, value in (
            (0, "no such kind"), (1, -1), (1, 10**6), (3, [0, 0]), (1, 1.5), (1, True), (2, 10**30),
            (3, [0, 10**6]), (3, [5, 2]), (4, [[0, 10**6]]), (5, [0]), (7, "certain"), (8, None),
            (8, ["a"]), (9, "abc"),
        )),
        lambda told: told["parts"].__setitem__(0, told["parts"][0] + 1),
        lambda told: told.update(events={}),
        lambda told: [1, 2],
        lambda told: 5,
    ],
)  # fmt: skip
def test_what_no_page_can_have_is_found_again(
    bundle: Path, expected: Diagnoses, change: Callable[[dict[str, Any]], object]
) -> None:
    _put(bundle, change)
    study = hv.open_run(bundle)
    assert isinstance(kept(study).read(), hv.DataWarning)
    assert dict(hv.diagnose(study)) == dict(expected)


@pytest.mark.parametrize("change", [_event(5, [10**6]), _event(6, [10**6]), _event(9, [10**6])])
def test_lines_and_groups_that_the_page_does_not_have_are_found_again(
    bundle: Path, expected: Diagnoses, change: Callable[[dict[str, Any]], None]
) -> None:
    _put(bundle, change)
    study = hv.open_run(bundle)
    found = hv.diagnose(study)
    ((system, page_id, at),) = (
        (system, one.page_id, at)
        for system in study.systems
        for at, one in enumerate(found[system])
        if one != expected[system][at]
    )
    look = replace(study.look(page_id, system), told=found[system][at])
    assert look.diagnosis.events[0].kind
    assert look.diagnosis != found[system][at]
    assert look.bands
