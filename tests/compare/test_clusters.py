"""Intervals and tests over clusters of pages, and pages that nobody has put into any."""

import json
import math
import random
import re
from collections.abc import Mapping
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest
import statsmodels.api as sm
from arch.bootstrap import IIDBootstrap
from scipy.stats import t as student
from statsmodels.stats.multitest import multipletests

import htreval_core as hv
from htreval_core.compare import compare_all
from htreval_core.compare.paired import detectable, holm
from htreval_core.compare.systems import FEWEST_PAGES, blocks_of, neighbour_test
from htreval_core.metrics.catalog import METRICS
from htreval_core.scoring.clusters import clusters_by_id, suggest_clusters
from htreval_core.scoring.facets import find_clusters, read_facets
from htreval_core.scoring.resampling import by_cluster, drawn_sums
from htreval_core.scoring.study import Study
from htreval_core.settings import short_signature
from htreval_core.show.tables.results import results_latex, results_markdown
from htreval_core.show.telling.clusters import (
    tell_clusters,
    tell_few,
    tell_neighbours,
    tell_settling,
)
from htreval_core.show.telling.pages import tell_methods
from htreval_core.show.telling.verdicts import comparison_verdict
from tests.tools import cases, invoke, made, write_tree

BY_ID = r"(.*)_\d+"
SETTINGS = hv.Settings(resamples=200)


def _rate(errors: int, n_words: int = 50) -> tuple[str, str]:
    words = [f"w{n}" for n in range(n_words)]
    return " ".join(words), " ".join("x" + w if at < errors else w for at, w in enumerate(words))


def _study(errors: Mapping[str, tuple[int, int]], copies: int = 1) -> Study:
    """Pages by id with the errors of A and B on them, each perhaps several times."""
    pages = []
    for page_id, (of_a, of_b) in errors.items():
        for copy in range(copies):
            reference, a = _rate(of_a)
            outputs = {"A": a, "B": _rate(of_b)[1]}
            pages.append(hv.Page.from_text(f"{page_id}{copy or ''}", reference, outputs))
    return hv.score(pages, SETTINGS)


def _books(n_books: int, seed: int = 0, spread: float = 4) -> dict[str, tuple[int, int]]:
    """Pages whose systems differ book by book."""
    random_ = random.Random(seed)
    errors = {}
    for book in range(n_books):
        of_book = random_.gauss(0, spread)
        for page in range(random_.randint(2, 6)):
            a = min(max(round(random_.gauss(14, 2)), 0), 50)
            b = min(max(round(a + of_book + random_.gauss(0, 1)), 0), 50)
            errors[f"book{book:02}_{page}"] = (a, b)
    return errors


def _clustered(study: Study) -> Study:
    return study.in_clusters(clusters_by_id(BY_ID, study.page_ids))


def test_pages_that_are_clusters_of_their_own_are_tested_as_pages() -> None:
    study = _study(_books(4))
    alone = study.in_clusters(clusters_by_id("(.*)", study.page_ids))
    one, other = (hv.compare_systems(of, "A", "B").metrics["wer"] for of in (study, alone))
    assert (one.p, one.low, one.high) == (other.p, other.low, other.high)
    assert other.smallest == one.smallest


def test_copies_of_a_page_in_one_cluster_tell_nothing_new() -> None:
    errors = {f"b{n}_1": (10 + n, 9 + 2 * (n % 3)) for n in range(9)}
    once, often = _study(errors), _study(errors, copies=4)
    compared = [hv.compare_systems(_clustered(of), "A", "B").metrics["wer"] for of in (once, often)]
    for name in ("p", "low", "high", "smallest"):
        assert getattr(compared[0], name) == pytest.approx(getattr(compared[1], name))
    of_one = [_clustered(of).corpus("A").estimates["wer"] for of in (once, often)]
    assert (of_one[0].low, of_one[0].high) == pytest.approx((of_one[1].low, of_one[1].high))
    fooled = often.corpus("A").estimates["wer"]
    assert fooled.high - fooled.low < 0.7 * (of_one[1].high - of_one[1].low)


def test_few_clusters_are_enumerated() -> None:
    study = _clustered(_study(_books(7, seed=3)))
    found = hv.compare_systems(study, "A", "B").metrics["wer"]
    a, b = (study.table(system).errors("wer").astype(float)[:, None] for system in "AB")
    clusters = study.table("A").clusters
    difference = (by_cluster(b, clusters) - by_cluster(a, clusters))[:, 0]
    sums = [abs(sum(sign * d for sign, d in zip(signs, difference, strict=True)))
            for signs in product((1, -1), repeat=7)]  # fmt: skip
    assert found.p == sum(one >= abs(difference.sum()) - 1e-9 for one in sums) / 2**7


def test_the_interval_of_a_system_is_a_jackknife_of_clusters() -> None:
    study = _clustered(_study(_books(15, seed=5)))
    table = study.table("A")
    errors, words = (
        by_cluster(column.astype(float)[:, None], table.clusters)[:, 0]
        for column in (table.errors("wer"), table.counts["n_ref_words"])
    )
    value = errors.sum() / words.sum()
    without = np.array(
        [(errors.sum() - e) / (words.sum() - n) for e, n in zip(errors, words, strict=True)]
    )
    error = np.sqrt(14 / 15 * ((without - value) ** 2).sum())
    reach = student.ppf(0.975, words.sum() ** 2 / (words**2).sum() - 1) * error
    root, reach = value ** (1 / 3), reach / 3 / value ** (2 / 3)
    one = study.corpus("A").estimates["wer"]
    assert (one.low, one.high) == pytest.approx(((root - reach) ** 3, (root + reach) ** 3))
    assert study.corpus("A").n_clusters == study.corpus("A").n_drawn == 15
    # No word is added, so what lacks of the share of words found is WER; and no share is negative.
    share = study.corpus("A").estimates["bow_recall"]
    assert (share.low, share.high) == pytest.approx((1 - one.high, 1 - one.low))
    few = _clustered(_study({"a_0": (1, 1), "b_0": (45, 1)})).corpus("A").estimates
    assert few["wer"].high > 1
    assert few["bow_recall"].low == 0
    # statsmodels' sandwich for clusters is the same to first order, without leaving any out.
    rates = table.errors("wer") / table.counts["n_ref_words"]
    fit = sm.WLS(rates, np.ones(len(rates)), weights=table.counts["n_ref_words"]).fit(
        cov_type="cluster", cov_kwds={"groups": np.unique(table.clusters.astype(str),
                                                          return_inverse=True)[1]}
    )  # fmt: skip
    assert fit.params[0] == pytest.approx(value)
    assert error == pytest.approx(fit.bse[0], rel=0.12)


def test_clusters_are_drawn_as_arch_draws_rows() -> None:
    table = _clustered(_study(_books(30, seed=8))).table("A")
    columns = np.stack([table.errors("wer"), table.counts["n_ref_words"]], axis=1).astype(float)
    rows = by_cluster(columns, table.clusters)
    sums = drawn_sums(rows, resamples=4000, seed=1)
    drawn = IIDBootstrap(rows, seed=2).apply(lambda of: of.sum(axis=0), 4000)
    ours, theirs = (of[:, 0] / of[:, 1] for of in (sums, drawn))
    for share in (0.025, 0.5, 0.975):
        assert np.quantile(ours, share) == pytest.approx(np.quantile(theirs, share), rel=0.02)


def test_holm_is_that_of_statsmodels() -> None:
    p = [0.011, 0.2, 0.03, 0.03, 0.004]
    assert holm(p) == pytest.approx(multipletests(p, method="holm")[1].tolist())


def test_metrics_of_every_scale_have_an_interval_around_their_value() -> None:
    for name, one in _clustered(_study(_books(8, seed=2))).corpus("B").estimates.items():
        if not np.isnan(one.low):
            assert one.low <= one.value <= one.high, (name, METRICS[name].scale)


def test_neighbours_that_are_alike_are_noticed_and_the_careful_test_counts() -> None:
    study = _study(_books(12, seed=4))
    found = hv.compare_systems(study, "A", "B")
    near = found.neighbours
    assert near is not None
    assert near.correlation > 0.2
    assert found.metrics["wer"].p >= near.p_pages
    assert near.effective < 0.8 * found.n_pages
    told = tell_neighbours(found)
    assert f"{near.n_blocks} blocks" in told
    assert f"{near.effective:.0f} independent" in told
    # Whoever says what pages belong to is asked nothing.
    assert hv.compare_systems(_clustered(study), "A", "B").neighbours is None
    # In another order of ids there are no neighbours.
    ids = list(_books(12, seed=4).items())
    random.Random(1).shuffle(ids)
    mixed = _study({f"p{n:03}": errors for n, (_, errors) in enumerate(ids)})
    assert hv.compare_systems(mixed, "A", "B").neighbours is None


def test_independent_pages_are_seldom_called_alike() -> None:
    rng = np.random.default_rng(1)
    false = sum(neighbour_test(rng.exponential(size=100), seed=n)[1] < 0.05 for n in range(300))
    assert false <= 0.08 * 300
    assert neighbour_test(np.zeros(50), seed=0) == (0.0, 1.0)


@pytest.mark.parametrize("n_pages", [FEWEST_PAGES, 33, 100, 1000])
def test_blocks_are_of_about_equal_length_and_not_few(n_pages: int) -> None:
    block = blocks_of(n_pages)
    sizes = np.bincount(block)
    assert len(block) == n_pages
    assert len(sizes) >= 8
    assert sizes.max() - sizes.min() <= 1
    assert (np.diff(block) >= 0).all()


def test_what_would_settle_it() -> None:
    found = hv.compare_systems(_clustered(_study(_books(12, seed=4))), "A", "B")
    one = found.metrics["wer"]
    assert not one.significant
    more = int(re.search(r"(\d+) more clusters", tell_settling(found))[1])  # type: ignore[index]
    error = one.smallest / detectable(12)
    assert math.sqrt(12 / (12 + more)) * error * detectable(12 + more) <= abs(one.difference)
    assert math.sqrt(12 / (11 + more)) * error * detectable(11 + more) > abs(one.difference)
    tiny = replace(one, difference=one.difference / 1000)
    assert "cannot be settled" in tell_settling(replace(found, metrics={"wer": tiny}))
    assert tell_settling(replace(found, metrics={"wer": replace(one, p=0.001)})) == ""


def test_with_few_clusters_the_table_says_so() -> None:
    study = _clustered(_study({f"b{n}_{p}": (10, 8) for n in range(3) for p in range(4)}))
    assert "rough" in tell_clusters(study)
    found = hv.compare_systems(study, "A", "B")
    assert "few clusters" in {one.kind.value for one in found.warnings}
    assert "12 pages of 3 clusters allow no interval" in " ".join(
        comparison_verdict(found, "A", "B")
    )
    every = compare_all(study)
    captions = [results_latex(study, every), results_markdown(study, every), tell_methods(study)]
    assert [one.count("clusters of pages") for one in captions] == [3, 3, 1]
    assert short_signature(study.signature) in captions[2]


def test_ids_suggest_clusters() -> None:
    books = [f"b{book}_{page}" for book in range(3) for page in range(4)]
    pattern = suggest_clusters(books)
    assert pattern is not None
    assert len(set(clusters_by_id(pattern, books).of_page.values())) == 3
    assert suggest_clusters([f"{one.replace('_', '/')}" for one in books]) == "(.*)/[^/]*"
    assert suggest_clusters([f"page_{n:03}" for n in range(9)]) is None


@pytest.mark.parametrize(("pattern", "why"), cases("idle_patterns"))
def test_patterns_that_tell_nothing_are_refused(pattern: str, why: str) -> None:
    pages = ["b1_1", "b2_1", "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb!"]
    with pytest.raises(hv.ConfigError, match=why):
        clusters_by_id(pattern, pages)


def test_the_shell_takes_a_facet_or_a_pattern(tmp_path: Path) -> None:
    files = {}
    for page_id, (a, b) in _books(9, seed=6).items():
        files[f"reference/{page_id}.txt"], files[f"A/{page_id}.txt"] = _rate(a)
        files[f"B/{page_id}.txt"] = _rate(b)[1]
    root = write_tree(tmp_path, files)
    names = sorted(name.split("/")[1][:-4] for name in files if name.startswith("A/"))
    rows = "".join(f"{name},{name.split('_')[0]}\n" for name in names)
    (root / "pages.csv").write_text(f"page,volume\n{rows}")
    by_id = invoke("compare", str(root), "--cluster", BY_ID)
    by_facet = invoke("compare", str(root), "--cluster", "volume")
    assert by_id.exit_code == by_facet.exit_code == 0, by_id.output
    assert by_id.stdout == by_facet.stdout
    assert "of 9 clusters" in by_id.stdout
    told = invoke("compare", str(root), "--cluster", "volume", "--format", "json")
    signature = json.loads(told.stdout)["signature"]
    assert "|clusters:" in signature
    scored = invoke("score", str(root), "--cluster", "volume")
    assert "Intervals and tests are over 9 clusters of pages (volume)." in scored.stdout
    # Many volumes are no facet to narrow pages by, and clusters all the same.
    many = {f"v{n}_{p}": "x" for n in range(50) for p in range(2)}
    table = "page,volume\n" + "".join(f"{page},{page.split('_')[0]}\n" for page in many)
    facets = read_facets("pages.csv", table.encode(), many)
    assert facets.names == ()
    assert len(set(find_clusters("volume", list(many), facets).of_page.values())) == 50
    wrong = invoke("score", str(root), "--cluster", "hand")
    assert wrong.exit_code != 0
    assert "volume" in wrong.stderr


@pytest.mark.parametrize(("n", "told"), [(0, ""), (1, "1 page with"), (5, "59 %"), (29, "")])
def test_few_pages_say_what_they_may_lack(n: int, told: str) -> None:
    said = tell_few(hv.score(made(n), hv.Settings(resamples=20)))
    assert (told in said) if told else not said
