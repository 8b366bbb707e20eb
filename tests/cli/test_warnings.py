"""However much is to be said of the data, a person reads a few lines and a program all of it."""

import json
import re
from html import unescape
from pathlib import Path

import pytest

import htreval_core as hv
from htreval_core.settings.started import OPEN_VARIABLE
from tests.tools import ROOT, invoke, open_app, write_tree

PAGE = (
    '<PcGts xmlns="http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15"><Page '
    'imageWidth="900" imageHeight="900"><ReadingOrder><OrderedGroup id="o"><RegionRefIndexed '
    'index="0" regionRef="gone{n}"/></OrderedGroup></ReadingOrder>{regions}</Page></PcGts>'
)
REGION = (
    '<TextRegion id="r{n}"><TextLine id="l{n}"/><TextEquiv><Unicode>some words</Unicode>'
    "</TextEquiv></TextRegion>"
)
REGIONS = 40
FILES = 300
PAIRED = FILES - 5


@pytest.fixture(scope="module")
def flood(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files of which each has much to be said: regions without lines, an order of nothing."""
    regions = "".join(REGION.format(n=n) for n in range(REGIONS))
    tree = {f"reference/{n}.xml": PAGE.format(n=n, regions=regions) for n in range(FILES)}
    tree |= {f"one/{n}.txt": "some words " * REGIONS for n in range(PAIRED)}
    tree |= {f"one/lone-{n}.txt": "some words" for n in range(30)}
    tree["two/0.txt"] = "some words"
    tree["one/broken.txt"] = b"\xff\xfe\x00\xd8"
    return write_tree(tmp_path_factory.mktemp("flood"), tree)


def test_a_flood_is_a_few_lines_and_whole_in_the_json(flood: Path) -> None:
    done = invoke("score", flood, "--format", "json")
    assert done.exit_code == 0, done.output
    warnings = [line for line in done.stderr.splitlines() if line.startswith("Warning")]
    assert 3 <= len(warnings) <= 20
    assert f"the same holds for {PAIRED - 1:,} more, " in done.stderr
    told = json.loads(done.stdout)["warnings"]
    for n in range(PAIRED):
        (regions,) = [one for one in told[f"reference/{n}.xml"] if one["count"] == REGIONS]
        assert len(regions["detail"]) == REGIONS
        assert any(f"gone{n}" in one["detail"] for one in told[f"reference/{n}.xml"])
    assert sum(one["count"] for of in told.values() for one in of) > PAIRED * (REGIONS + 1)


def test_few_are_told_one_by_one(tmp_path: Path) -> None:
    tree = write_tree(tmp_path, {
        f"{side}/1.{end}": text for side, end, text in (
            ("reference", "xml", PAGE.format(n=1, regions=REGION.format(n=7))),
            ("one", "txt", "some words"),
        )
    })  # fmt: skip
    (tmp_path / "r.toml").write_text('[pages."7"]\nfloat = ["r7"]\n')
    done = invoke("score", tree, "--order-rules", tmp_path / "r.toml")
    told = [line for line in done.stderr.splitlines() if "Warning" in line]
    assert any("for 1 page that is not in the data have no effect (7)" in line for line in told)
    assert any("reference/1.xml" in line and "gone1" in line for line in told)
    assert any("reference/1.xml" in line and "r7" in line for line in told)


OPTION = re.compile(r"(?<![\w<-])--[a-z]")


def test_only_the_shell_speaks_of_options(tmp_path: Path) -> None:
    long = write_tree(tmp_path / "data", {"reference/1.txt": "y" * 6_000, "one/1.txt": "a"})
    with pytest.raises(hv.HtrEvalError) as caught:
        hv.score(hv.pair_path(long))
    assert not OPTION.search(str(caught.value))
    assert "limit" in str(caught.value) or caught.value.warnings
    done = invoke("score", long)
    assert done.exit_code == 3
    assert "--limit word_characters=" in done.stderr
    # Nor does any other message of the engine or the app.
    for folder in ("htreval_core", "htreval_ui", "pages"):
        for path in (ROOT / folder).rglob("*.py"):
            if "cli" in path.parts:
                continue
            for text in re.findall(r'f?"((?:[^"\\\n]|\\.)*)"', path.read_text("utf-8")):
                assert not OPTION.search(text.replace("var(--", "")) or "{--own" in text, (
                    path, text,
                )  # fmt: skip


@pytest.mark.slow
def test_the_app_tells_a_flood_in_few_words(flood: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(OPEN_VARIABLE, str(flood))
    shown = [unescape(one.value) for one in open_app("overview.py").markdown]
    assert sum(f"the text of {REGIONS} regions" in text for text in shown) == 1
    assert sum(f"the same holds for {PAIRED - 1} more, " in text for text in shown) >= 1
    assert 3 <= sum(text.startswith("- ") and ".xml" in text for text in shown) <= 20


def test_signs_of_a_font_that_no_output_has_are_told_until_they_are_read_as_letters(
    tmp_path: Path,
) -> None:
    tree = {"reference/1.txt": "Unterfu\uf502ungen", "a/1.txt": "Unterfuchungen"}
    told = invoke("score", write_tree(tmp_path, tree)).stderr
    assert "has 1 private-use character" in told
    assert "--equivalents" in told
    assert not invoke("score", tmp_path, "--equivalents").stderr
    write_tree(tmp_path, {"b/1.txt": "Unterfu\uf502ungen"})
    assert not invoke("score", tmp_path).stderr
