"""Runs of one system: found by name, their spread, and comparisons over runs and pages."""

from __future__ import annotations

import math
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

import htreval_core as hv
from htreval_core.compare import compare_all_runs, runs_named
from htreval_core.compare.by_runs import RunCounts, difference_by_runs
from htreval_core.show.telling.runs import tell_runs, tell_runs_difference, tell_single
from tests.conftest import shared
from tests.tools import invoke, told, told_json, write_tree

TEXT = "one two three four five six seven eight nine ten"
WRONG = {"A#1": (1, 0, 2, 1), "A#2": (3, 0, 2, 2), "B_run1": (5, 1, 4, 4), "B_run2": (4, 2, 4, 5)}
"""How many of the ten words of each of four pages each run misreads."""


def misread(n: int) -> str:
    return " ".join(["xxx"] * n + TEXT.split()[n:])


def made(**wrong: tuple[int, ...]) -> hv.Study:
    n_pages = len(next(iter(wrong.values())))
    return hv.score(
        [
            hv.Page.from_text(
                f"{n}", TEXT, {system: misread(of[n]) for system, of in wrong.items()}
            )
            for n in range(n_pages)
        ]
    )


@pytest.fixture(scope="module")
def study() -> hv.Study:
    return made(**WRONG)


# --- names


def test_runs_share_a_name_and_stand_in_the_order_of_their_numbers() -> None:
    for names in (
        ("A#1", "A#2"), ("A_run1", "A_run2"), ("A-repeat1", "A-repeat2"), ("A run 1", "A run 2"),
        ("A.Run-01", "A.Run-02"), ("A_repeat_1", "A#2"),
    ):  # fmt: skip
        assert hv.runs_of(reversed(names)) == {"A": names}
    assert hv.runs_of(["A#10", "B", "A#9", "A#1"]) == {"A": ("A#1", "A#9", "A#10")}
    for names in (
        ("gpt-4", "gpt-5"), ("A1", "A2"), ("rerun1", "rerun2"), ("#1", "#2"), ("_run1", "_run2"),
        ("A_run1", "B_run1"), ("A_run1", "A_runs"), ("A_run1", "A_run2", "A"),
    ):  # fmt: skip
        assert hv.runs_of(names) == {}, names


def test_a_name_stands_for_a_system_its_runs_or_its_only_run() -> None:
    systems = ["A#1", "A#2", "B_run1", "C"]
    assert runs_named("A", systems) == ("A#1", "A#2")
    assert runs_named("A#2", systems) == ("A#2",)
    assert runs_named("B", systems) == ("B_run1",)
    assert runs_named("C", systems) == ("C",)
    with pytest.raises(hv.ConfigError, match="'D'"):
        runs_named("D", systems)


# --- the spread of one system


def test_spread_by_hand(study: hv.Study) -> None:
    """Runs of A misread 4 and 7 of 40 words; page 1 is read alike by both, as page 2 is."""
    runs = hv.run_spreads(study)["A"]
    one = runs.metrics["wer"]
    assert runs.systems == ("A#1", "A#2")
    assert one.values == (0.1, 0.175)
    assert one.mean == pytest.approx(0.1375)
    assert one.deviation == pytest.approx(0.075 / math.sqrt(2))
    assert one.same == 0.5
    assert (one.page, one.page_values) == ("0", (0.1, 0.3))
    assert one.low < one.mean < one.high


def test_interval_from_pages_is_that_of_a_system_where_runs_agree() -> None:
    wrong = tuple(range(10))
    one = hv.run_spreads(made(**{"A#1": wrong, "A#2": wrong}))["A"].metrics["wer"]
    alone = made(A=wrong).corpora["A"].estimates["wer"]
    assert (one.deviation, one.same, one.page) == (0, 1, "")
    # Both resample pages, from different draws.
    assert one.low == pytest.approx(alone.low, abs=0.02)
    assert one.high == pytest.approx(alone.high, abs=0.02)


def test_pages_that_some_runs_have_not_read_or_have_no_value_for() -> None:
    # Runs are taken on the pages that all have read.
    pages = [
        hv.Page.from_text("1", TEXT, {"A#1": misread(1), "A#2": misread(2)}),
        hv.Page.from_text("2", TEXT, {"A#1": misread(9)}),
    ]
    runs = hv.run_spreads(hv.score(pages))["A"]
    assert runs.page_ids == ("1",)
    assert runs.metrics["wer"].values == (0.1, 0.2)
    assert math.isnan(runs.metrics["wer"].low)
    apart = [hv.Page.from_text(n, TEXT, {f"A#{n}": TEXT}) for n in "12"]
    assert hv.run_spreads(hv.score(apart)) == {}
    # A page with a value in one run only differs.
    # Line WER applies where both sides have as many lines.
    pages = [
        hv.Page.from_text(n, "aa bb\ncc", {"A#1": "aa bb\ncc", "A#2": second})
        for n, second in (("1", "aa bb cc"), ("2", "aa bb\ncc"))
    ]
    one = hv.run_spreads(hv.score(pages), ["line_wer"])["A"].metrics["line_wer"]
    assert (one.same, one.page) == (0.5, "")
    assert math.isnan(one.mean)
    assert math.isnan(one.low)
    # Pages that a run lacks are counted.
    pages = [
        hv.Page.from_text("1", TEXT, {"A#1": TEXT, "A#2": TEXT, "B": TEXT}),
        hv.Page.from_text("2", TEXT, {"A#1": TEXT, "B": TEXT}),
    ]
    found = hv.compare_runs(hv.score(pages), "A", "B")
    assert (found.page_ids, found.n_left_out) == (("1",), 1)
    assert math.isnan(found.metrics["wer"].p)


# --- two systems


def test_difference_by_hand(study: hv.Study) -> None:
    """All pages have ten words, so values are means and the variance has a closed form."""
    one = hv.compare_runs(study, "A", "B", metrics=["wer"]).metrics["wer"]
    a, b = (np.array([WRONG[s] for s in runs]) / 10 for runs in (("A#1", "A#2"),
                                                                 ("B_run1", "B_run2")))  # fmt: skip
    assert one.difference == pytest.approx(b.mean() - a.mean())
    of_pages = b.mean(axis=0) - a.mean(axis=0)
    from_pages = of_pages.var(ddof=1) / 4
    parts = [(from_pages, 3)]
    for of in (a, b):
        left = of - of.mean(axis=0) - of.mean(axis=1, keepdims=True) + of.mean()
        single = (left**2).sum() / 3 / 4 / 2
        parts.append((max(of.mean(axis=1).var(ddof=1) / 2 - single, 0), 1))
    assert one.from_pages == pytest.approx(math.sqrt(from_pages))
    assert one.from_runs == pytest.approx([math.sqrt(part) for part, _ in parts[1:]])
    assert parts[1][0] > 0
    error = math.sqrt(sum(part for part, _ in parts))
    freedom = error**4 / sum(part**2 / n for part, n in parts)
    assert one.error == pytest.approx(error)
    assert one.freedom == pytest.approx(freedom)
    reach = stats.t.ppf(0.975, freedom) * error
    assert (one.low, one.high) == pytest.approx((one.difference - reach, one.difference + reach))
    assert one.p == pytest.approx(2 * stats.t.sf(one.difference / error, freedom))


def test_interval_leaves_out_0_where_p_is_below_5_percent() -> None:
    rng = np.random.default_rng(1)
    verdicts = set()
    for _ in range(200):
        wrong = rng.binomial(10, 0.3, (3, 12)) + rng.integers(0, 3, (3, 1))
        other = rng.binomial(10, 0.4, (2, 12)) + rng.integers(0, 2, (2, 1))
        one = difference_by_runs("wer", counts(wrong), counts(other))
        assert (one.p < 0.05) == (one.low > 0 or one.high < 0)
        verdicts.add(one.significant)
    assert verdicts == {True, False}


def counts(errors: np.ndarray, words: int = 10) -> RunCounts:
    errors = np.asarray(errors, dtype=np.float64)
    lengths = np.full(errors.shape, float(words))
    return RunCounts(errors.sum(axis=1) / lengths.sum(axis=1), errors, lengths)


def test_swapping_systems_turns_the_difference_round_and_order_moves_nothing(
    study: hv.Study,
) -> None:
    one = hv.compare_runs(study, "A", "B").metrics
    other = hv.compare_runs(study, "B", "A").metrics
    for name, found in one.items():
        back = other[name]
        assert back.difference == pytest.approx(-found.difference)
        assert back.from_runs == found.from_runs[::-1]
        if not math.isnan(found.low):
            assert (back.low, back.high) == pytest.approx((-found.high, -found.low))
            assert back.p == pytest.approx(found.p)
    # Order of pages moves no value.
    turned = hv.score([*reversed(study.dataset.pages)])
    assert hv.compare_runs(turned, "A", "B").metrics == hv.compare_runs(study, "A", "B").metrics
    assert hv.run_spreads(turned)["A"].metrics == hv.run_spreads(study)["A"].metrics


def test_what_runs_add_to_the_scatter_of_pages() -> None:
    # What runs do on single pages counts once.
    # Runs that differ page by page, not as a whole, add nothing to the scatter of the pages.
    rng = np.random.default_rng(3)
    base = rng.integers(0, 8, 40)
    runs = base + np.array([[1, 0] * 20, [0, 1] * 20])
    one = difference_by_runs("wer", counts(runs), counts(rng.integers(0, 8, (1, 40))))
    assert one.from_runs[0] == 0
    assert one.error == one.from_pages
    assert one.freedom == pytest.approx(39)
    # Runs that differ as a whole widen the interval.
    base = np.arange(40) % 5
    reach = []
    for shift in (0, 1, 2):
        found = difference_by_runs("wer", counts([base, base + shift]), counts(base[None] % 3))
        reach.append(found.high - found.low)
    assert all(wider > 2 * narrow for narrow, wider in pairwise(reach))


def test_nothing_that_scatters_is_no_test_and_a_single_run_is_named() -> None:
    same = made(**{"A#1": (1, 1), "A#2": (1, 1), "B": (1, 1), "C": (2, 2)})
    equal = hv.compare_runs(same, "A", "B").metrics["wer"]
    assert (equal.difference, equal.p) == (0, 1)
    assert not equal.significant
    shifted = hv.compare_runs(same, "A", "C").metrics["wer"]
    assert shifted.difference == pytest.approx(0.1)
    assert math.isnan(shifted.p)
    assert math.isnan(shifted.low)
    # A single run adds nothing and is named.
    found = hv.compare_runs(made(**{"A#1": (1, 2, 3), "A#2": (2, 2, 4), "B": (4, 4, 6)}), "A", "B")
    assert found.single == ("B",)
    assert found.metrics["wer"].from_runs[0] > 0
    assert math.isnan(found.metrics["wer"].from_runs[1])
    assert "Only one run of B:" in tell_single(found)


def test_what_cannot_be_compared(study: hv.Study) -> None:
    with pytest.raises(hv.ConfigError, match="both have the run 'A#1'"):
        hv.compare_runs(study, "A", "A#1")
    with pytest.raises(hv.ConfigError, match="metrics"):
        hv.compare_runs(study, "A", "B", metrics=["wrong"])
    apart = hv.score(
        [
            hv.Page.from_text("1", TEXT, {"A#1": TEXT, "A#2": TEXT}),
            hv.Page.from_text("2", TEXT, {"B": TEXT}),
        ]
    )
    with pytest.raises(hv.ConfigError, match="single page in common"):
        hv.compare_runs(apart, "A", "B")
    assert compare_all_runs(apart) == ()


def test_every_two_systems_of_which_one_has_runs() -> None:
    study = made(**{"A#1": (1, 2), "C": (2, 2), "A#2": (2, 1), "D": (0, 3)})
    found = [one.systems for one in compare_all_runs(study)]
    assert found == [("A", "C"), ("A", "D")]
    assert compare_all_runs(study.only(["C", "D"])) == ()


def test_false_alarms_are_five_percent_where_single_runs_have_many() -> None:
    """The mean over three runs against three, which differ as a whole as much as pages do."""
    rng = np.random.default_rng(5)
    alarms = np.zeros(2)
    for _ in range(600):
        pages = rng.normal(40, 8, 50)
        sides = [
            pages + rng.normal(0, 1, (3, 1)) + rng.normal(0, 7, 50) + rng.normal(0, 2, (3, 50))
            for _ in "AB"
        ]
        together = difference_by_runs("wer", *(counts(side, 100) for side in sides))
        firsts = difference_by_runs("wer", *(counts(side[:1], 100) for side in sides))
        alarms += together.significant, firsts.significant
    assert 0.03 <= alarms[0] / 600 <= 0.075
    assert alarms[1] / 600 > 0.1


# --- sentences


def test_sentences(study: hv.Study) -> None:
    runs = hv.run_spreads(study)["A"]
    assert tell_runs(runs, "wer", lambda name: f"<{name}>").startswith(
        "<A>: WER 13.8 % over 2 runs (10.0 to 17.5); runs differ by 5.3 points, pages by ±"
    )
    assert tell_runs(runs).endswith(
        "50 % of pages have one value in all runs; 0 differs most (10.0 to 30.0)."
    )
    said = tell_runs_difference(hv.compare_runs(study, "A", "B"))
    assert "WER of B is +22.5 points against A (" in said
    assert said.endswith("over 2 runs of A and 2 of B on 4 pages.")
    agree = hv.run_spreads(made(**{"A#1": (1, 2), "A#2": (1, 2)}))["A"]
    assert "the same on every page in all 2 runs" in tell_runs(agree)


def test_a_sentence_says_who_is_better() -> None:
    few, many = (0, 1, 0, 1, 0, 1, 0, 1), (5, 4, 5, 6, 5, 4, 5, 6)
    study = made(**{"A#1": few, "A#2": few[::-1], "B": many, "C": few[::-1]})
    assert tell_runs_difference(hv.compare_runs(study, "A", "B")).startswith("A is better: ")
    assert tell_runs_difference(hv.compare_runs(study, "B", "A")).startswith("A is better: ")
    said = tell_runs_difference(hv.compare_runs(study, "A", "C"))
    assert said.startswith("No difference is shown: WER of C is 0.0 points against A")


# --- the command line


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    files = {f"reference/{n}.txt": TEXT for n in range(4)}
    for system, of in WRONG.items():
        files |= {f"{system.replace('#', '_run')}/{n}.txt": misread(k) for n, k in enumerate(of)}
    return write_tree(tmp_path / "data", files)


def test_score_has_the_runs(folder: Path, study: hv.Study) -> None:
    found = told_json("score", folder)["runs"]
    one = hv.run_spreads(study)["A"].metrics["wer"]
    assert set(found) == {"A", "B"}
    assert found["A"]["systems"] == ["A_run1", "A_run2"]
    wer = found["A"]["metrics"]["wer"]
    assert wer["values"] == {"A_run1": 0.1, "A_run2": 0.175}
    assert (wer["mean"], wer["deviation"]) == (one.mean, one.deviation)
    assert (wer["lowest"], wer["highest"]) == (0.1, 0.175)
    assert (wer["low"], wer["high"]) == (one.low, one.high)
    assert (wer["pages_same"], wer["page"], wer["page_highest"]) == (0.5, "0", 0.3)
    table = told("score", folder)
    assert "A: 2 runs on 4 pages" in table
    assert "10.00 – 17.50" in table
    markdown = told("score", folder, "--format", "markdown")
    assert "- A: WER 13.8 % over 2 runs" in markdown


def test_without_runs_nothing_is_said_of_them(tmp_path: Path) -> None:
    files = {f"{side}/1.txt": TEXT for side in ("reference", "A-1", "A-2")}
    folder = write_tree(tmp_path / "data", files)
    assert "runs" not in told_json("score", folder)
    assert "by_runs" not in told_json("compare", folder)
    assert "runs" not in told("score", folder)


def test_compare_takes_names_of_runs(folder: Path, study: hv.Study) -> None:
    found = told_json("compare", folder, "A", "B")
    assert found["systems"] == ["A", "B"]
    assert found["runs"] == {"A": ["A_run1", "A_run2"], "B": ["B_run1", "B_run2"]}
    assert (found["n_pages"], found["n_left_out"], found["single_runs"]) == (4, 0, [])
    expected = hv.compare_runs(study, "A", "B")
    for name, one in found["metrics"].items():
        for key in ("a", "b", "difference", "low", "p", "p_holm", "error", "from_pages"):
            value = getattr(expected.metrics[name], key)
            assert one[key] == (None if math.isnan(value) else pytest.approx(value)), (name, key)
    assert told_json("compare", folder, "--systems", "A,B") == found
    table = told("compare", folder, "A", "B")
    assert "A = A, 2 runs; B = B, 2 runs: 4 pages" in table
    assert "Fewer than 8 pages" in table


def test_compare_says_where_there_is_one_run(folder: Path) -> None:
    assert "Only one run of B_run1:" in told("compare", folder, "A", "B_run1")
    pair = told_json("compare", folder, "A_run1", "B_run1")
    assert (pair["systems"], pair["resamples"]) == (["A_run1", "B_run1"], 10_000)


def test_compare_of_all_adds_the_systems_over_their_runs(folder: Path) -> None:
    found = told_json("compare", folder)
    assert len(found["pairs"]) == 6
    (one,) = found["by_runs"]
    assert one == {k: v for k, v in told_json("compare", folder, "A", "B").items() if k in one}
    table = told("compare", folder)
    assert table.index("A = B_run1, B = B_run2") < table.index("Systems over all of their runs")


def test_fail_if_worse_over_runs(folder: Path) -> None:
    for n in range(4, 12):
        files = {f"reference/{n}.txt": TEXT}
        files |= {f"{s.replace('#', '_run')}/{n}.txt": misread(of[n % 4])
                  for s, of in WRONG.items()}  # fmt: skip
        write_tree(folder, files)
    assert invoke("compare", folder, "B", "A", "--fail-if-worse", "bwer").exit_code == 0
    worse = invoke("compare", folder, "A", "B_run1", "--fail-if-worse", "bwer")
    assert worse.exit_code == 1
    assert "against A " in worse.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("A", "B", "C"), "two systems, or two paths"),
        (("A", "B", "--systems", "A,B"), "not by both"),
        (("A", "B", "--format", "csv"), "--format table or json"),
        (("A", "D"), "--systems D: not among"),
        (("A", "A_run1"), "both have the run"),
    ],
)
def test_what_compare_does_not_take(folder: Path, arguments: tuple[str, ...], said: str) -> None:
    result = invoke("compare", folder, *arguments)
    assert result.exit_code
    assert said in result.stderr


def test_a_name_of_runs_picks_all_of_them(folder: Path) -> None:
    assert set(told_json("score", folder, "--systems", "A")["systems"]) == {"A_run1", "A_run2"}


# --- real runs


def test_runs_of_hipe_are_not_shown_to_be_better_than_another_team() -> None:
    """The best of three runs is shown to be better than the other's only one; all three are not."""
    folder = shared("vlm/hipe")
    given: list[object] = ["--reference", next(folder.glob("*test_en.jsonl"))]
    for team, numbers in (("blocr", (1,)), ("bnf-mistral", (1, 2, 3))):
        for run in numbers:
            (path,) = folder.glob(f"{team}_*run{run}.jsonl")
            given += ["--system", f"{team}_run{run}={path}"]
    given += ["--preset", "hipe", "--metrics", "wer"]
    best = told_json("compare", *given, "--systems", "blocr_run1,bnf-mistral_run1")
    together = told_json("compare", *given, "--systems", "blocr,bnf-mistral")
    assert best["metrics"]["wer"]["p"] < 0.05
    assert together["metrics"]["wer"]["p"] > 0.2
    assert together["single_runs"] == ["blocr"]
