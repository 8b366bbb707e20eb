"""The ``htreval`` command: what it prints where, and what it exits with."""

import csv
import io
import json
import math
import os
import subprocess
import sys
from functools import partial
from itertools import count
from pathlib import Path

import pytest

import htreval_core as hv
from htreval_core.cli import running
from htreval_core.metrics.catalog import PAPER_METRICS
from htreval_core.show.tables import study_json_pieces
from tests.conftest import SAMPLES
from tests.tools import Tree, cases, invoke, told_json

SEITE = str(SAMPLES / "seite0418")
ESCAPE = "\x1b[31m"
HTREVAL = Path(sys.executable).with_name("htreval")
scored = partial(told_json, "score")


@pytest.fixture
def two_pages(tree: Tree) -> Path:
    """WER 3/6, bWER 1/6: one word misread, one word moved."""
    return tree({"1.ref": "aa bb cc", "1.hyp": "aa bb xx", "2.ref": "d e f", "2.hyp": "f d e"})


# --- JSON


def test_json_has_the_documented_shape(two_pages: Path) -> None:
    (two_pages / "3.ref").write_text("alone", encoding="utf-8")
    (two_pages / "4.hyp").write_text("alone", encoding="utf-8")
    content = scored(two_pages)
    assert set(content) == {
        "signature", "pages", "n_pages", "n_common_pages", "systems", "unpaired", "warnings",
    }  # fmt: skip
    assert (content["pages"], content["n_pages"], content["n_common_pages"]) == ("all", 2, 2)
    assert content["signature"] == hv.Settings().signature()
    assert content["unpaired"] == {"reference": ["3"], "hypothesis": {"hyp": ["4"]}}
    assert [warning.partition(":")[0] for warning in content["warnings"]] == ["3.ref", "4.hyp"]
    assert set(content["systems"]) == {"hyp"}
    system = content["systems"]["hyp"]
    assert set(system) == {"n_pages", "n_ref_words", "corpus", "parts", "reliability", "pages"}
    assert (system["n_pages"], system["n_ref_words"]) == (2, 6)
    ends = {f"{name}{end}" for name in ("delta_l", "delta_r") for end in ("", "_low", "_high")}
    assert set(system["reliability"]) == ends

    values = {"errors", "length", "value"}
    edits = {"substitutions", "deletions", "insertions", "hits"}
    assert {*system["corpus"]} == {*PAPER_METRICS}
    for name, figure in system["corpus"].items():
        extra = edits if name in ("wer", "bwer") else set()
        of_pages = {"low", "high", "macro", "median", "binomial", "tail"}
        assert set(figure) == values | of_pages | extra, name
        assert set(figure["tail"]) == {
            "over_100_percent", "worst", "worst_page", "heaviest_share", "heaviest_page",
            "without_heaviest",
        }  # fmt: skip
    assert [page["page_id"] for page in system["pages"]] == ["1", "2"]
    for page in system["pages"]:
        assert {*page} == {"page_id", *PAPER_METRICS}
        for name in PAPER_METRICS:
            assert set(page[name]) == values | (edits if name in ("wer", "bwer") else set()), name


def test_json_holds_the_values(two_pages: Path) -> None:
    system = scored(two_pages)["systems"]["hyp"]
    wer, bwer = system["corpus"]["wer"], system["corpus"]["bwer"]
    assert (wer["errors"], wer["length"], wer["value"]) == (3, 6, 0.5)
    assert (wer["low"], wer["high"]) == (pytest.approx(1 / 3), pytest.approx(2 / 3))
    assert wer["macro"] == pytest.approx(0.5)
    assert isinstance(wer["errors"], int)
    assert (bwer["substitutions"], bwer["hits"], bwer["errors"]) == (1, 5, 1)
    first, second = system["pages"]
    assert first["wer"] == {
        "errors": 1, "length": 3, "value": pytest.approx(1 / 3),
        "substitutions": 1, "deletions": 0, "insertions": 0, "hits": 2,
    }  # fmt: skip
    assert second["delta_wer"] == {"errors": 2, "length": 3, "value": pytest.approx(2 / 3)}
    assert second["nsfd"] == {"errors": 4, "length": 4, "value": 1.0}


def test_undefined_values_are_null(tree: Tree) -> None:
    system = scored(tree({"1.ref": "", "1.hyp": "x y"}))["systems"]["hyp"]
    (page,) = system["pages"]
    for name in ("wer", "cer", "bwer", "hwer", "hcer", "nsfd", "delta_wer"):
        assert page[name]["value"] is None, name
        assert system["corpus"][name]["value"] is None, name
        assert system["corpus"][name]["low"] is system["corpus"][name]["high"] is None, name
    assert page["wer"]["insertions"] == 2
    assert page["line_wer"] == {"errors": None, "length": None, "value": None}
    assert "empty reference" in page["flags"][0]
    assert set(system["reliability"].values()) == {None}


def test_line_values_that_do_not_apply_are_null(tree: Tree) -> None:
    files = {"1.ref": "a\nb", "1.hyp": "a b", "2.ref": "c", "2.hyp": "c"}
    figure = scored(tree(files))["systems"]["hyp"]["corpus"]["line_wer"]
    tail = figure.pop("tail")
    assert tail.pop("over_100_percent") == 0
    assert {*figure.values(), *tail.values()} == {None}


def test_shell_and_python_give_the_same_values() -> None:
    for folder in ("seite0418", "examples"):
        study = hv.score(hv.pair_path(SAMPLES / folder))
        study = study.with_parts(hv.diagnose(study))
        expected = "".join(study_json_pieces(study, metrics=tuple(hv.METRICS)))
        content = scored(SAMPLES / folder, "--metrics", "all")
        assert content == json.loads(expected)
        for system, corpus in study.on_common_pages().corpora.items():
            for name, estimate in corpus.estimates.items():
                shown = content["systems"][system]["corpus"][name]
                for figure in ("errors", "length", "value", "low", "high"):
                    of_python = getattr(estimate, figure)
                    of_shell = math.nan if shown[figure] is None else shown[figure]
                    assert of_shell == pytest.approx(of_python, nan_ok=True), (name, figure)


# --- where pages come from


def test_reference_and_systems_named_one_by_one(tree: Tree) -> None:
    root = tree({"t/1.txt": "aa bb", "x/1.txt": "aa bb", "y=z/1.txt": "aa"})
    systems = scored(
        "--reference", root / "t", "--system", f"X={root / 'x'}", "--system", f"Y={root / 'y=z'}"
    )["systems"]
    assert {name: system["corpus"]["wer"]["errors"] for name, system in systems.items()} == {
        "X": 0,
        "Y": 1,
    }


def test_suffixes_and_encoding(tree: Tree) -> None:
    root = tree(
        {"1.txt": "Stra\xdfe".encode("latin-1"), "1.out.txt": "Stra\xdfe".encode("latin-1")}
    )
    suffixes = ["--reference-suffix", ".txt", "--hypothesis-suffix", ".out.txt"]
    content = scored(root, *suffixes, "--encoding", "latin-1")
    assert content["systems"]["out"]["corpus"]["wer"]["errors"] == 0
    assert content["warnings"] == {}


@pytest.mark.parametrize(("arguments", "signed", "metric", "errors"), cases("signed"))
def test_settings_reach_the_values_and_the_signature(
    tree: Tree, arguments: list[str], signed: str, metric: str, errors: int
) -> None:
    content = scored(tree({"1.ref": "One two, x", "1.hyp": "one two x"}), *arguments)
    assert signed in content["signature"]
    assert content["systems"]["hyp"]["corpus"][metric]["errors"] == errors


# --- other formats


def test_csv_has_a_row_per_page_and_metric(two_pages: Path) -> None:
    result = invoke("score", two_pages, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(result.stdout)))
    assert len(rows) == 2 * len(PAPER_METRICS)
    assert rows[0] == {
        "system": "hyp", "page_id": "1", "metric": "wer", "errors": "1", "length": "3",
        "value": str(1 / 3),
    }  # fmt: skip


def test_csv_has_no_formulas_and_leaves_undefined_cells_empty(tree: Tree) -> None:
    result = invoke("score", tree({"=1+2.ref": "", "=1+2.hyp": "x"}), "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(result.stdout)))
    assert {row["page_id"] for row in rows} == {"'=1+2"}
    assert rows[0]["value"] == ""
    assert "nan" not in result.stdout.lower()


def test_the_table_shows_percent_and_ranks_pages(two_pages: Path) -> None:
    lines = invoke("score", two_pages).stdout.splitlines()
    assert lines[0].startswith("Judging by 2 pages: usable for full-text search, not for")
    at = lines.index("2 pages, 6 words in the reference, in %")
    assert lines[at + 1].split() == [
        "WER", "95", "%", "interval", "misread", "chance", "bWER", "ΔWER", "CER", "NSFD"
    ]  # fmt: skip
    assert lines[at + 2].split()[:7] == ["hyp", "50.00", "33.33", "–", "66.67", "16.67", "33.33"]
    ranked = lines[lines.index("Worst pages by WER, 2 of 2 outputs, in %") + 2 :]
    assert [line.split()[1] for line in ranked[:2]] == ["2", "1"]
    assert lines[-1].startswith("htreval ")
    assert "· as written · γ 1 · " in lines[-1]


def test_a_bundle_is_scored_without_a_diagnosis_and_says_so(
    two_pages: Path, tmp_path: Path
) -> None:
    shown = invoke("score", two_pages, "--output", tmp_path / "x.htreval").stdout
    assert "Have the pages diagnosed" in " ".join(shown.split())
    assert "misread " not in shown


def test_presets_publish_their_own_metrics_and_sets_have_names(two_pages: Path) -> None:
    of_hipe = scored(two_pages, "--preset", "hipe")["systems"]["hyp"]["corpus"]
    assert {*of_hipe} == {*PAPER_METRICS, "wmer", "cmer"}
    every = scored(two_pages, "--metrics", "all")["systems"]["hyp"]["corpus"]
    assert list(every) == list(hv.METRICS)
    table = invoke("score", two_pages, "--metrics", "paper").stdout
    assert "hWER" in table
    assert "cMER" not in table


@pytest.mark.parametrize("kind", ["table", "json", "csv"])
def test_output_goes_to_a_file(two_pages: Path, tmp_path: Path, kind: str) -> None:
    out = tmp_path / "out file"
    to_file = invoke("score", two_pages, "--format", kind, "--output", out)
    assert (to_file.exit_code, to_file.stdout) == (0, "")
    assert out.read_text("utf-8") == invoke("score", two_pages, "--format", kind).stdout


def test_only_the_metrics_asked_for(two_pages: Path) -> None:
    arguments = ["--metrics", "cer, kendall_tau"]
    system = scored(two_pages, *arguments)["systems"]["hyp"]
    assert list(system["corpus"]) == ["cer", "kendall_tau"]
    assert list(system["pages"][0]) == ["page_id", "cer", "kendall_tau"]
    table = invoke("score", two_pages, *arguments).stdout
    assert "CER" in table
    assert "WER  " not in table
    rows = csv.DictReader(
        io.StringIO(invoke("score", two_pages, "--format", "csv", *arguments).stdout)
    )
    assert {row["metric"] for row in rows} == {"cer", "kendall_tau"}


@pytest.mark.slow
def test_two_processes_give_the_same_values() -> None:
    path = SAMPLES / "examples"
    assert scored(path, "--jobs", "2") == scored(path, "--jobs", "1")


# --- exit codes


@pytest.mark.parametrize(("limits", "code"), cases("thresholds"))
def test_a_threshold(two_pages: Path, limits: list[str], code: int) -> None:
    result = invoke(
        "score", two_pages, *(part for limit in limits for part in ("--fail-above", limit))
    )
    assert result.exit_code == code
    assert bool(result.stderr) == (code > 0)
    assert ("2 pages, 6 words" if code < 2 else "write wer=0.6 for 60 %") in result.output


def test_the_message_of_a_threshold(two_pages: Path) -> None:
    assert invoke("score", two_pages, "--fail-above", "wer=0.2").stderr == (
        "Above the threshold: wer of hyp is 0.5 > 0.2\n"
    )


def test_an_undefined_value_does_not_pass_a_threshold(tree: Tree) -> None:
    result = invoke(
        "score", tree({"1.ref": "a\nb", "1.hyp": "a b"}), "--fail-above", "line_wer=0.2"
    )
    assert result.exit_code == 1
    assert "line_wer of hyp is undefined" in result.stderr


@pytest.mark.parametrize("arguments", cases("wrong_score_usage"))
def test_wrong_usage(arguments: str) -> None:
    result = invoke(*arguments.replace("SEITE", str(SEITE)).split(" "))
    assert result.exit_code == 2
    assert "Error: " in result.stderr
    assert "Traceback" not in result.output


def test_bad_data_is_named_with_a_remedy(tree: Tree, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    root = tree({"lonely/1.ref": "a", "latin/1.ref": b"\xe9", "latin/1.hyp": "b", "no.zip": b"PK"})
    for path, says in (
        (empty, "empty: no transcripts in it; give a folder"),
        (root / "nowhere", "nowhere: there is no such file or folder; check the path"),
        (root / "lonely", "use names such as 1.ref and 1.hyp"),
        (root / "latin", "1.ref: not UTF-8 (byte 0xE9 at position 0); save it as UTF-8"),
        (root / "no.zip", "no.zip: no transcripts in it; give a folder"),
    ):
        result = invoke("score", path)
        assert (result.exit_code, result.stdout) == (3, "")
        assert result.stderr.startswith("Error: ")
        assert says in result.stderr
        assert "Traceback" not in result.stderr


def test_warnings_go_to_stderr_while_the_other_pages_are_scored(two_pages: Path) -> None:
    (two_pages / "3.ref").write_text("alone", encoding="utf-8")
    (two_pages / "4.ref").write_bytes(b"\xff\xff")
    (two_pages / "4.hyp").write_text("x", encoding="utf-8")
    result = invoke("score", two_pages, "--format", "json")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["systems"]["hyp"]["n_pages"] == 2
    lines = result.stderr.splitlines()
    assert [line.split(":")[:2] for line in lines] == [["Warning", " 3.ref"], ["Warning", " 4.ref"]]
    told = json.loads(result.stdout)["warnings"]
    assert {name: [one["kind"] for one in of] for name, of in told.items()} == {
        "3.ref": ["reference without output"], "4.ref": ["unreadable"],
    }  # fmt: skip
    for line, one in zip(lines, (told["3.ref"][0], told["4.ref"][0]), strict=True):
        assert line.startswith(f"Warning: {one['told']}")
    assert invoke("score", two_pages, "--strict").exit_code == 3


def test_no_warning_where_all_is_well(two_pages: Path) -> None:
    result = invoke("score", two_pages, "--strict")
    assert (result.exit_code, result.stderr) == (0, "")


# --- the terminal


@pytest.mark.skipif(os.name == "nt", reason="Windows allows no such file names")
def test_names_cannot_drive_the_terminal(tree: Tree) -> None:
    evil = f"{ESCAPE}\r\n\x07\u202e\x9b2J"
    root = tree({f"t/1{evil}.txt": "a b", f"x/1{evil}.txt": "b a", f"t/2{evil}.txt": "c"})
    result = invoke("score", "--reference", root / "t", "--system", f"{evil}={root / 'x'}",
                 "--fail-above", "wer=0")  # fmt: skip
    assert result.exit_code == 1
    for stream in (result.stdout, result.stderr):
        assert "\\x1b[31m" in stream
        assert not {char for char in stream if not char.isprintable()} - {"\n"}
    assert result.stderr.count("\n") == 2  # a warning and a threshold, one line each
    failed = invoke("score", "--reference", root / "t", "--system", f"{evil}={root / 't'}{evil}")
    assert failed.exit_code == 3
    assert not {char for char in failed.stderr if not char.isprintable()} - {"\n"}


@pytest.mark.skipif(sys.platform != "linux", reason="file names are bytes only there")
def test_names_that_are_no_text(tmp_path: Path) -> None:
    for suffix in (b".ref", b".hyp"):
        (tmp_path / os.fsdecode(b"1\xff" + suffix)).write_text("x", encoding="utf-8")
    for kind in ("table", "json", "csv"):
        result = invoke("score", tmp_path, "--format", kind)
        assert result.exit_code == 0
        assert "1\\" in result.stdout
    (page,) = scored(tmp_path)["systems"]["hyp"]["pages"]
    assert page["page_id"] == r"1\udcff"


def test_progress_is_shown_on_stderr_once_it_takes_long(
    two_pages: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = count(step=10)
    monkeypatch.setattr(running.time, "monotonic", lambda: float(next(clock)))
    result = invoke("score", two_pages, "--format", "json")
    assert "2/2 pages" in result.stderr
    assert json.loads(result.stdout)


# --- the real command


def htreval(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [HTREVAL, *arguments], capture_output=True, text=True, encoding="utf-8", check=False
    )


@pytest.mark.slow
def test_the_command_is_installed() -> None:
    told = htreval("--version")
    assert (told.returncode, told.stdout) == (0, f"htreval, version {_version()}\n")
    done = htreval("score", SEITE, "--format", "json", "--fail-above", "wer=0.35")
    assert done.returncode == 1
    assert json.loads(done.stdout) == scored(SEITE)
    assert htreval("score", "--reference", SEITE).returncode == 2
    assert htreval("score", "/nowhere/at/all").returncode == 3


def _version() -> str:
    return hv.Settings().signature().split("|")[0].removeprefix("htreval:")


def test_a_terminal_without_unicode_gets_the_values(two_pages: Path) -> None:
    done = subprocess.run(
        [HTREVAL, "score", two_pages], capture_output=True, check=False,
        env=os.environ | {"LC_ALL": "C", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"},
    )  # fmt: skip
    assert done.returncode == 0
    assert "ΔWER" in done.stdout.decode("utf-8")
    assert done.stderr == b""
