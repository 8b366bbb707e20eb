"""What other programs read: tables, aligned words."""

import csv
import io
import json
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq
import pytest

import htreval_core as hv
from htreval_core.compare import join_studies
from htreval_core.show.tables.aligned import aligned_words
from htreval_core.show.tables.results import results_latex, results_markdown
from tests.conftest import SAMPLES
from tests.tools import invoke

LETTERBOOK = str(SAMPLES / "letterbook")
SEITE = str(SAMPLES / "seite0418")


@pytest.fixture(scope="module")
def letterbook() -> hv.Study:
    return hv.score(hv.pair_path(LETTERBOOK).pages)


# --- tidy tables


def test_parquet_has_the_rows_of_the_csv(tmp_path: Path) -> None:
    done = invoke("score", SEITE, "--format", "csv", "--output", tmp_path / "a.csv")
    assert done.exit_code == 0, done.stderr
    done = invoke("score", SEITE, "--format", "parquet", "--output", tmp_path / "a.parquet")
    assert done.exit_code == 0, done.stderr
    table = pd.read_csv(tmp_path / "a.csv")
    stored = pd.read_parquet(tmp_path / "a.parquet")
    pd.testing.assert_frame_equal(stored, table, check_dtype=False)
    signature = hv.Settings().signature()
    assert pq.read_schema(tmp_path / "a.parquet").metadata[b"signature"].decode() == signature
    assert (tmp_path / "a.csv.signature.txt").read_text("utf-8") == f"{signature}\n"
    assert invoke("score", SEITE, "--format", "csv").stderr == f"Signature: {signature}\n"
    assert invoke("score", SEITE, "--format", "parquet").exit_code == 2


# --- results tables


def test_only_what_the_test_believes_is_bold(letterbook: hv.Study) -> None:
    pairwise = hv.compare_all(letterbook)
    metrics = tuple(pairwise.p_pairs)
    markdown = results_markdown(letterbook, pairwise, metrics)
    latex = results_latex(letterbook, pairwise, metrics)
    best = [pairwise.best(name) for name in metrics]
    assert any(best)
    assert not all(best)
    assert markdown.count("**") == 2 * sum(one is not None for one in best)
    assert latex.count(r"\textbf{") == sum(one is not None for one in best)
    for text in (markdown, latex):
        assert letterbook.signature in text
        assert "10,000 resamples with seed 0" in text
        assert "significan" in text or "better than every other" in text
    assert "**" not in results_markdown(letterbook, None, metrics)
    few = letterbook.only(pages=letterbook.page_ids[:13])
    assert "all exchanges" in results_markdown(few, hv.compare_all(few), metrics)


# --- aligned words


@pytest.mark.parametrize("view", ["trace", "matching"])
def test_aligned_words_are_the_alignment(letterbook: hv.Study, view: str) -> None:
    look = letterbook.look("LB10", "reads-across")
    page = look.page
    shown = page.trace if view == "trace" else page.matching
    rows = list(aligned_words(look, [view]))
    assert not look.regroupings
    assert [(row.reference, row.hypothesis) for row in rows] == shown.rows
    for row in rows:
        if row.reference_index is not None:
            assert page.reference.words[row.reference_index] == row.reference
            assert page.reference.line_of[row.reference_index] + 1 == row.reference_line
    kinds = [row.kind for row in rows]
    counts = shown.counts()
    assert kinds.count("misread") == counts.substitutions
    assert kinds.count("left out") == counts.deletions
    assert kinds.count("added") == counts.insertions
    right = kinds.count("right") + kinds.count("right word, wrong place")
    assert right == counts.hits
    assert ("right word, wrong place" in kinds) == (view == "matching")


def test_align_writes_csv_and_json(letterbook: hv.Study) -> None:
    one = ("align", LETTERBOOK, "--page", "LB10", "--systems", "misreads")
    done = invoke(*one, "--format", "json")
    assert done.exit_code == 0, done.stderr
    content = json.loads(done.stdout)
    assert content["signature"] == letterbook.signature
    (page,) = content["pages"]
    assert (page["page_id"], page["system"]) == ("LB10", "misreads")
    aligned = invoke(*one)
    rows = list(csv.DictReader(io.StringIO(aligned.stdout)))
    traced = [row["reference"] for row in rows if row["view"] == "trace"]
    assert traced == [r["reference"] or "" for r in page["trace"]]
    assert aligned.stderr == f"Signature: {letterbook.signature}\n"
    assert len(page["matching"]) == len(letterbook.look("LB10", "misreads").page.matching)
    assert invoke("align", LETTERBOOK, "--page", "none").exit_code == 2


# --- two paths


@pytest.fixture
def two_runs(tmp_path: Path, letterbook: hv.Study) -> tuple[Path, Path]:
    """The same references read by one system, before and after its layout step broke."""
    for name, source in (("old", "misreads"), ("new", "reads-across")):
        for page in letterbook.dataset.pages:
            page_id = page.page_id
            for side, transcript in (("ref", page.reference), ("hyp", page.hypotheses[source])):
                file = tmp_path / name / f"{page_id}.{side}"
                file.parent.mkdir(exist_ok=True)
                file.write_text(transcript.text, "utf-8")
    return tmp_path / "old", tmp_path / "new"


def test_worse_by_the_paired_test_fails(two_runs: tuple[Path, Path]) -> None:
    old, new = two_runs
    done = invoke("compare", old, new, "--fail-if-worse", "delta_wer")
    assert done.exit_code == 1, done.stderr
    assert "delta_wer of hyp [new]" in done.stderr
    assert invoke("compare", new, old, "--fail-if-worse", "delta_wer").exit_code == 0
    assert invoke("compare", old, old, "--fail-if-worse", "wer,bwer,delta_wer").exit_code == 0
    assert invoke("compare", old, new).exit_code == 0


def test_two_paths_give_the_figures_of_one(
    two_runs: tuple[Path, Path], letterbook: hv.Study
) -> None:
    done = invoke("compare", *two_runs, "--format", "json")
    assert done.exit_code == 0, done.stderr
    content = json.loads(done.stdout)
    expected = hv.compare_systems(letterbook, "misreads", "reads-across").metrics
    for name, one in expected.items():
        assert content["metrics"][name]["difference"] == pytest.approx(one.difference)
        assert content["metrics"][name]["p_holm"] == pytest.approx(one.p_holm)


def test_bundles_are_compared_as_folders_are(two_runs: tuple[Path, Path], tmp_path: Path) -> None:
    bundles = []
    for folder in two_runs:
        bundle = tmp_path / f"{folder.name}.htreval"
        assert invoke("score", folder, "--output", bundle).exit_code == 0
        bundles.append(bundle)
    done = invoke("compare", *bundles, "--fail-if-worse", "delta_wer", "--format", "json")
    assert done.exit_code == 1, done.stderr
    from_folders = invoke("compare", *two_runs, "--metrics", "delta_wer", "--format", "json")
    got, expected = json.loads(done.stdout), json.loads(from_folders.stdout)
    assert got["metrics"] == expected["metrics"]


def test_systems_pair_by_name_or_as_told(letterbook: hv.Study) -> None:
    done = invoke("compare", LETTERBOOK, LETTERBOOK, "--format", "json", "--metrics", "wer")
    assert done.exit_code == 0, done.stderr
    pairs = json.loads(done.stdout)["pairs"]
    names = [[name.partition(" [")[0] for name in pair["systems"]] for pair in pairs]
    assert names == [[system, system] for system in letterbook.systems]
    assert all(pair["metrics"]["wer"]["difference"] == 0 for pair in pairs)
    told = invoke("compare", LETTERBOOK, LETTERBOOK, "--systems", "misreads,skips-margins")
    assert told.exit_code == 0, told.stderr
    other = invoke("compare", LETTERBOOK, SEITE)
    assert other.exit_code == 2
    assert "--systems" in other.stderr


def test_joining_leaves_out_what_does_not_compare() -> None:
    def of(*pages: tuple[str, str]) -> hv.Study:
        return hv.score([hv.Page.from_text(name, text, {"A": "x"}) for name, text in pages])

    joined = join_studies(
        of(("1", "a"), ("2", "b"), ("3", "c"), ("4", "d e")),
        of(("1", "a"), ("2", "z"), ("4", "d\ne")), [("A", "A")], ("old", "new"),
    )  # fmt: skip
    assert set(joined.page_ids) == {"1"}
    assert joined.systems == ("A [old]", "A [new]")
    assert joined.look("1", "A [new]").page.scores.wer.errors == 1
    assert len(joined.warnings) == 2
    with pytest.raises(hv.ConfigError, match="same reference"):
        join_studies(of(("1", "a")), of(("1", "b")), [("A", "A")], ("old", "new"))
    folded = hv.score(of(("1", "a")).dataset, hv.Settings(policy=hv.TextPolicy(ignore_case=True)))
    with pytest.raises(hv.ConfigError, match="different settings"):
        join_studies(of(("1", "a")), folded, [("A", "A")], ("old", "new"))


def test_one_path_asks_for_two_systems() -> None:
    assert invoke("compare", LETTERBOOK, "--fail-if-worse", "wer").exit_code == 2
    worse = invoke(
        "compare", LETTERBOOK, "--systems", "misreads,reads-across", "--fail-if-worse",
        "delta_wer",
    )  # fmt: skip
    assert worse.exit_code == 1
    better = invoke(
        "compare", LETTERBOOK, "--systems", "misreads,reads-across", "--fail-if-worse", "bwer"
    )
    assert better.exit_code == 0
