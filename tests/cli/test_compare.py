"""``htreval compare``: its formats, its systems, its messages."""

import csv
import io
import json
import re
from functools import partial
from pathlib import Path

import pytest

import htreval_core as hv
from htreval_core.show.tables import comparison_latex, comparison_table, pairwise_table
from htreval_core.show.tables.results import results_latex
from tests.conftest import SAMPLES
from tests.tools import Tree, cases, invoke, told_json, write_tree

BOOK = SAMPLES / "letterbook"
KEYS = {"a", "b", "difference", "low", "high", "p", "p_holm", "wins", "ties", "losses"}
run = partial(invoke, "compare")
run_json = partial(told_json, "compare")


@pytest.fixture(scope="module")
def book() -> hv.Study:
    return hv.score(hv.pair_path(BOOK).pages)


def test_json_has_the_documented_shape_and_the_figures_of_the_library(book: hv.Study) -> None:
    content = run_json(BOOK, "--systems", "misreads,skips-margins", "--seed", "3")
    assert {"signature", "systems", "n_pages", "metrics", "rank_flips"} <= set(content)
    assert content["systems"] == ["misreads", "skips-margins"]
    assert content["signature"] == hv.Settings(seed=3).signature()
    assert content["n_pages"] == 24
    assert (content["seed"], content["resamples"]) == (3, 10_000)
    assert content["unpaired"] == {"misreads": [], "skips-margins": []}
    expected = hv.compare_systems(book, "misreads", "skips-margins", seed=3)
    assert list(content["metrics"]) == list(hv.COMPARED)
    for name, one in content["metrics"].items():
        assert set(one) >= KEYS
        for key in KEYS:
            assert one[key] == getattr(expected.metrics[name], key), (name, key)
    assert content["rank_flips"] == list(expected.rank_flips)


def test_undefined_values_are_null_and_warnings_on_stderr_too() -> None:
    result = run(SAMPLES / "seite0418", "--format", "json")
    content = json.loads(result.stdout)
    assert content["systems"] == ["RPN+CRNN", "SPAN"]
    assert content["metrics"]["bwer"]["difference"] == 0
    assert content["metrics"]["delta_wer"]["a"] == pytest.approx(7 / 70)
    assert content["metrics"]["delta_wer"]["b"] == pytest.approx(1 / 70)
    assert content["metrics"]["wer"]["low"] is None
    (warning,) = content["warnings"]["RPN+CRNN and SPAN"]
    assert (warning["kind"], warning["count"]) == ("few pages", 1)
    assert warning["told"] in result.stderr


def test_without_systems_all_pairs_are_compared_and_ranked(book: hv.Study) -> None:
    content = run_json(BOOK)
    every = hv.compare_all(book)
    assert content["systems"] == list(book.systems)
    assert [tuple(pair["systems"]) for pair in content["pairs"]] == list(every.pairs)
    assert content["ranks"] == every.ranks
    for pair in content["pairs"]:
        for name in hv.COMPARED:
            assert pair["p_pairs"][name] == every.p(name, *pair["systems"])
    table = run(BOOK).stdout
    assert table == pairwise_table(every, book)
    assert all(system in table for system in book.systems)


def test_the_table_names_the_better_system_only_where_the_test_does(book: hv.Study) -> None:
    found = hv.compare_systems(book, "misreads", "reads-across")
    lines = comparison_table(found).splitlines()
    for name, one in found.metrics.items():
        (line,) = (text for text in lines if text.startswith(f"  {hv.METRICS[name].label}  "))
        assert ("is better" in line) == one.significant, name
        if one.significant:
            assert ("B is better" in line) == one.b_is_better
    assert f"on {len(found.rank_flips)} pages" in "\n".join(lines)


def test_csv_has_a_row_per_pair_and_metric(book: hv.Study) -> None:
    rows = list(csv.DictReader(io.StringIO(run(BOOK, "--format", "csv").stdout)))
    assert len(rows) == 3 * len(hv.COMPARED)
    every = hv.compare_all(book)
    for row in rows:
        one = every.pairs[row["system_a"], row["system_b"]].metrics[row["metric"]]
        assert float(row["difference"]) == one.difference
        assert float(row["p_pairs"]) == every.p(row["metric"], row["system_a"], row["system_b"])
    (one,) = csv.DictReader(
        io.StringIO(run(SAMPLES / "seite0418", "--metrics", "wer", "--format", "csv").stdout)
    )
    assert (one["low"], one["p_pairs"]) == ("", "")


def test_latex_marks_the_best_only_where_the_test_does(book: hv.Study) -> None:
    found = hv.compare_systems(book, "misreads", "reads-across")
    bold = re.findall(r"\\textbf\{(.*?)\}", comparison_latex(found))
    better = [one.b if one.b_is_better else one.a for one in found.metrics.values() if one.shown]
    assert sorted(bold) == sorted(f"{100 * value:.2f}" for value in better)
    every = hv.compare_all(book)
    best = [name for name in hv.COMPARED if every.best(name)]
    assert len(re.findall(r"\\textbf", results_latex(book, every, hv.COMPARED))) == len(best)
    # Two systems share the best CER, so neither is marked.
    assert every.best("cer") is None
    assert every.best("bwer") == "reads-across"


def test_pages_of_one_system_only_are_named(tmp_path: Path) -> None:
    root = write_tree(tmp_path, {
        f"{side}/{n}.txt": "one two three"
        for side in ("reference", "A", "B") for n in range(9) if (side, n) != ("B", 4)
    })  # fmt: skip
    content = run_json(root, "--systems", "A,B")
    assert content["unpaired"] == {"A": ["4"], "B": []}
    assert content["n_pages"] == 8
    (warning,) = content["warnings"]["A and B"]
    assert (warning["kind"], warning["detail"]) == ("read by one", ["A", "B", "4"])


def test_what_is_best_is_said_of_common_pages_alone(tmp_path: Path) -> None:
    root = write_tree(tmp_path, {
        f"{side}/{n}.txt": "one two three" if side < "b" or n < 3 else "one"
        for side in ("a", "b", "c", "reference") for n in range(9) if (side, n) < ("c", 3)
    } | {f"reference/{n}.txt": "one two three" for n in range(9)})  # fmt: skip
    assert "All systems ma" in run(root).stdout
    said = run(root, "--all-pages", "--metrics", "wer").stdout
    assert "All systems ma" not in said
    latex = run(root, "--all-pages", "--metrics", "wer", "--format", "latex").stdout
    assert re.search(r"b & 9 & 44\.44", latex)


@pytest.mark.parametrize(("arguments", "code", "says"), cases("wrong_usage"))
def test_wrong_usage_is_told(arguments: list[str], code: int, says: str) -> None:
    result = run(BOOK, *arguments)
    assert result.exit_code == code
    assert says in result.stderr


def test_output_goes_to_a_file(tmp_path: Path) -> None:
    file = tmp_path / "table.tex"
    result = run(BOOK, "--format", "latex", "--output", file, "--resamples", "100")
    assert result.exit_code == 0
    assert result.stdout == ""
    assert r"\begin{tabular}" in file.read_text("utf-8")


@pytest.mark.parametrize(
    "named", [["--systems", "A,A"], ["--systems", "A", "--systems", "A"], ["A", "A"]]
)
def test_a_system_is_not_compared_with_itself(named: list[str], tree: Tree) -> None:
    root = tree({"reference/1.txt": "a b", "A/1.txt": "a b", "B/1.txt": "a c"})
    path, names = ([root], named) if named[0] == "--systems" else ([root, *named], [])
    done = invoke("compare", *path, *names)
    assert done.exit_code == 2
    assert "A is named twice; name two different systems" in done.stderr


def test_names_without_a_comma_are_told_apart_from_a_path(tree: Tree) -> None:
    root = tree({"reference/1.txt": "a b", "A/1.txt": "a b", "B/1.txt": "a c"})
    done = invoke("compare", root, "--systems", "A", "B")
    assert done.exit_code == 2
    assert "B: there is no such path; to compare two systems" in done.stderr
    assert "--systems A,B" in done.stderr
