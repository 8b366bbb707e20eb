"""Systems that have read different pages are shown, checked and compared on the common ones."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

import htreval_core as hv
from htreval_core.model import Failure
from htreval_core.show.html import report_html
from htreval_core.show.tables import study_json_pieces, study_table
from htreval_core.show.tables.results import results_latex, results_markdown
from htreval_core.show.telling.pages import tell_pages
from tests.tools import Tree, invoke, told_json

ON_THREE = "On the 3 of 5 pages that all systems have read"


def made() -> hv.Study:
    """A reads pages 0 to 4, of which it fails on 3 and 4; B reads 0 to 2, half wrong."""
    pages = []
    for n in range(5):
        outputs = {"A": "a b c d" if n < 3 else "x x x x"}
        if n < 3:
            outputs["B"] = "a b y y"
        pages.append(hv.Page.from_text(f"p{n}", "a b c d", outputs))
    lone = hv.DataWarning("p3", hv.WarningKind.NO_OUTPUT, ("B",))
    dataset = replace(hv.Dataset.of(pages), warnings=(lone,))
    return hv.score(dataset, hv.Settings(resamples=50))


def test_a_study_is_narrowed_to_the_pages_that_every_system_has_read() -> None:
    study = made()
    common = study.on_common_pages()
    assert study.narrows
    assert study.common_page_ids == common.page_ids == ("p0", "p1", "p2")
    assert [corpus.n_pages for corpus in common.corpora.values()] == [3, 3]
    assert study.corpora["A"].estimates["wer"].value == 8 / 20
    assert common.corpora["A"].estimates["wer"].value == 0
    assert common.corpora["B"] == study.corpora["B"]
    assert (common.settings, common.warnings) == (study.settings, study.warnings)
    # Found once, and nothing is left to narrow.
    assert study.on_common_pages() is common
    assert common.on_common_pages() is common
    assert not common.narrows
    assert tell_pages(study) == ON_THREE
    assert "3 of 5 were read by all" in tell_pages(study, all_pages=True)
    assert tell_pages(common) == ""


def test_parts_and_failures_stay() -> None:
    study = made()
    failure = Failure("p4", "B", "died")
    study = replace(study, failures=(failure,)).with_parts(hv.diagnose(study))
    common = study.on_common_pages()
    assert common.has_parts
    assert common.failures == (failure,)


def test_nothing_is_narrowed_where_that_would_leave_nothing_or_everything() -> None:
    same = [hv.Page.from_text("1", "a", {"A": "a", "B": "b"})]
    apart = [hv.Page.from_text("1", "a", {"A": "a"}), hv.Page.from_text("2", "a", {"B": "b"})]
    alone = [hv.Page.from_text(n, "a", {"A": "a"}) for n in "12"]
    for pages, told in ((same, ""), (alone, ""), (apart, "No page was read by all systems")):
        study = hv.score(pages)
        assert study.on_common_pages() is study
        assert not study.narrows
        assert tell_pages(study).startswith(told) if told else not tell_pages(study)


def test_every_table_shows_the_common_pages_and_says_so() -> None:
    study = made()
    tested = hv.compare_all(study.on_common_pages(), metrics=study.table_metrics)
    for made_by in (results_markdown, results_latex):
        told = made_by(study, tested)
        assert ON_THREE in told
        assert "40.00" not in told
        assert "40.00" in made_by(study, None, all_pages=True)
    table = study_table(study, way_out="ask for more")
    assert table.startswith(f"{ON_THREE}; ask for more.\n")
    assert "\n3 pages, " in table
    assert re.search(r"\n  A +5 +", study_table(study, all_pages=True))
    assert "3 of 5 pages" in study._repr_html_()
    assert f"{ON_THREE}." in re.sub(r"<[^>]*>", " ", report_html(study))
    every = re.sub(r"<[^>]*>", " ", report_html(study, all_pages=True))
    # Which is best is said of these pages all the same.
    assert f"{ON_THREE}, no significant difference between" in every
    assert f"{ON_THREE}." not in every
    assert "Each system is shown on all of its pages" in every


def test_json_is_of_the_values_that_are_shown() -> None:
    study = made()
    content = json.loads("".join(study_json_pieces(study)))
    assert (content["pages"], content["n_pages"], content["n_common_pages"]) == ("common", 5, 3)
    of_a = content["systems"]["A"]
    assert (of_a["n_pages"], of_a["corpus"]["wer"]["errors"], len(of_a["pages"])) == (3, 0, 5)
    every = json.loads("".join(study_json_pieces(study, all_pages=True)))
    assert (every["pages"], every["systems"]["A"]["corpus"]["wer"]["errors"]) == ("all", 8)


@pytest.fixture
def folder(tree: Tree) -> Path:
    files = {f"reference/{n}.txt": "a b c d" for n in range(5)}
    files |= {f"A/{n}.txt": "a b c d" if n < 3 else "x x x x" for n in range(5)}
    return tree(files | {f"B/{n}.txt": "a b y y" for n in range(3)})


def test_the_shell_shows_the_common_pages_unless_all_are_asked_for(folder: Path) -> None:
    shown = invoke("score", folder)
    assert shown.stdout.startswith(
        f"{ON_THREE}; --all-pages scores each system on all of its pages.\n"
    )
    assert re.search(r"\n  A +5 +", invoke("score", folder, "--all-pages").stdout)
    assert told_json("score", folder)["pages"] == "common"
    assert told_json("score", folder, "--all-pages")["pages"] == "all"
    limited = ("score", folder, "--systems", "A,B", "--fail-above", "wer=0.3")
    common = invoke(*limited).stderr
    assert "wer of A" not in common
    assert "wer of B is 0.5 >" in common
    assert "wer of A is 0.4 >" in invoke(*limited, "--all-pages").stderr
    for kind in ("markdown", "latex"):
        assert ON_THREE in invoke("score", folder, "--format", kind).stdout


def test_several_systems_are_ranked_on_the_pages_that_their_values_are_of(tree: Tree) -> None:
    files = {f"reference/{n}.txt": "a b c d" for n in range(5)}
    for system, n in (("A", 5), ("B", 4), ("C", 3)):
        files |= {f"{system}/{k}.txt": "a b c x" for k in range(n)}
    root = tree(files)
    shown = invoke("compare", root).stdout
    assert shown.startswith(ON_THREE)
    assert shown.count(": 3 pages, ") == 3
    assert ": 4 pages, " in invoke("compare", root, "--all-pages").stdout
