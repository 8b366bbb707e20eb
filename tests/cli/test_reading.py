"""What the shell says about reading: pairs, text, the ladder, signatures, limits."""

from pathlib import Path

import pytest

from tests.tools import Tree, invoke, told_json, write_tree

PAGE_XML = (
    "<PcGts><Page><TextRegion id='r1'><TextLine><Word><TextEquiv><Unicode>stale</Unicode>"
    "</TextEquiv></Word><TextEquiv><Unicode>Grüße</Unicode></TextEquiv></TextLine></TextRegion>"
    "<TextRegion id='r2'><TextEquiv><Unicode>no lines</Unicode></TextEquiv></TextRegion>"
    "</Page></PcGts>"
)


# --- pairs


def test_pairs_are_shown_with_their_rule_and_what_is_left_over(tree: Tree) -> None:
    root = tree({"1.ref": "a", "1.hyp": "b", "2.ref": "c", "3.hyp": "d"})
    result = invoke("pairs", root)
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "1 page by names that end in .ref and .hyp", "  1: 1.ref  1.hyp", "  without output: 2",
        "  without reference, hyp: 3",
    ]  # fmt: skip
    assert [line.split(":")[1] for line in result.stderr.splitlines()] == [" 2.ref", " 3.hyp"]
    content = told_json("pairs", root)
    assert content["pages"] == [
        {"page_id": "1", "reference": "1.ref", "hypotheses": {"hyp": "1.hyp"}}
    ]
    assert content["unpaired"] == {"reference": ["2"], "hypothesis": {"hyp": ["3"]}}


def test_pairs_of_named_sides_and_of_a_table(tree: Tree) -> None:
    root = tree({"gt/0001_a.txt": "a", "x/a.txt": "b", "t.csv": "id,ref,s\n001,a,b\n"})
    content = told_json("pairs", "--reference", root / "gt", "--system", f"X={root / 'x'}")
    assert content["systems"] == ["X"]
    assert "(0001_…)" in content["rule"]
    (page,) = told_json("pairs", root / "t.csv")["pages"]
    assert page["page_id"] == "001"


def test_pairs_reads_no_texts(tree: Tree) -> None:
    assert invoke("pairs", tree({"1.ref": b"\xff", "1.hyp": b"\xff"})).exit_code == 0


# --- text


def test_text_as_the_scorer_sees_it(tree: Tree) -> None:
    root = tree({"p.xml": PAGE_XML, "q.txt": "one\ntwo"})
    result = invoke("text", root / "p.xml", root / "q.txt")
    assert (result.exit_code, result.stdout) == (0, "Grüße\nno lines\none\ntwo\n")
    assert result.stderr.startswith("Warning: p.xml: the text of 1 region is read from the region")


def test_text_of_another_level(tree: Tree) -> None:
    path = tree({"p.xml": PAGE_XML}) / "p.xml"
    assert invoke("text", path, "--level", "word").stdout == "stale\nno lines\n"


def test_text_of_what_cannot_be_read(tree: Tree) -> None:
    empty_archive = b"PK\x05\x06" + b"\0" * 18
    root = tree({"p.xml": "<PcGts>", "q.txt": "one", "r.txt": b"\xfc", "s.zip": empty_archive})
    result = invoke("text", root / "p.xml", root / "q.txt", root / "r.txt", root / "s.zip", root)
    assert (result.exit_code, result.stdout) == (3, "one\n")
    assert result.stderr.count("Error: ") == 4
    assert "an archive of 0 files" in result.stderr
    assert invoke("text", root / "r.txt", "--encoding", "latin-1").stdout == "ü\n"


# --- limits


@pytest.mark.parametrize("command", ["score", "text"])
def test_a_limit_is_named_and_can_be_raised(tree: Tree, command: str) -> None:
    root = tree({"1.ref": "a" * 6000, "1.hyp": "a"})
    path = root if command == "score" else root / "1.ref"
    refused = invoke(command, path)
    assert refused.exit_code == 3
    assert "1.ref: line 1: a word of 6,000 characters, the limit word_char" in refused.stderr
    assert "(--limit word_characters=NUMBER)" in refused.stderr
    assert invoke(command, path, "--limit", "word_characters=6000").exit_code == 0


@pytest.mark.parametrize("limit", ["words", "words=", "words=-1", "words=x", "speed=1", "words=0"])
def test_an_unknown_limit(tree: Tree, limit: str) -> None:
    result = invoke("score", tree({"1.ref": "a", "1.hyp": "a"}), "--limit", limit)
    assert result.exit_code == 2
    assert "Traceback" not in result.output


# --- thresholds


@pytest.mark.parametrize("metric", ["bow_recall", "kendall_tau"])
def test_no_threshold_above_which_all_is_well(tree: Tree, metric: str) -> None:
    result = invoke("score", tree({"1.ref": "a", "1.hyp": "a"}), "--fail-above", f"{metric}=0.5")
    assert result.exit_code == 2
    assert f"a higher {metric} is better" in " ".join(result.stderr.split())


def test_one_threshold_a_metric(tree: Tree) -> None:
    root = tree({"1.ref": "a", "1.hyp": "a"})
    result = invoke("score", root, "--fail-above", "wer=0.5", "--fail-above", "wer=0.1")
    assert result.exit_code == 2
    assert "wer has a limit already" in result.stderr


# --- the ladder and signatures

TWO_SYSTEMS = {
    "reference/1.txt": "Der Tag, Die Nacht a b c d",
    "caseless/1.txt": "der tag die nacht a b c d",
    "wrong/1.txt": "Der Tag, Die Nacht a b x y",
}


def test_the_ladder_marks_where_two_systems_change_places(tree: Tree) -> None:
    root = tree(TWO_SYSTEMS)
    lines = invoke("ladder", root, "--metrics", "wer").stdout.splitlines()
    assert lines[0] == "WER, %"
    assert lines[1].split() == ["caseless", "wrong"]
    assert lines[2].split() == ["as", "set", "50.00", "25.00"]
    # ſ and s are told apart before capitals are, or ignored case would do both.
    assert lines[3].split()[-2:] == ["50.00", "25.00"]
    assert lines[4].split()[-5:] == ["12.50", "25.00", "caseless", "passes", "wrong"]
    content = told_json("ladder", root, "--metrics", "wer,bow_recall")
    assert content["crossings"] == [
        {"rung": 2, "metric": metric, "better": "caseless", "worse": "wrong"}
        for metric in ("wer", "bow_recall")
    ]
    assert "ignore-case:yes" in content["rungs"][2]["signature"]


def test_a_mapping_is_a_rung_of_its_own(tree: Tree) -> None:
    root = tree({"1.ref": "at\ue000", "1.hyp": "atque", "m.map": "U+E000\tque\n"})
    content = told_json("ladder", root, "--mapping", root / "m.map", "--metrics", "wer")
    assert content["rungs"][-2]["label"] == "private-use characters mapped"
    assert [rung["systems"]["hyp"]["wer"]["errors"] for rung in content["rungs"][-3:]] == [1, 0, 0]


def test_two_sides_cannot_end_alike(tmp_path: Path) -> None:
    tree = write_tree(tmp_path, {"1.xml": "a", "2.xml": "b"})
    suffixes = ("--reference-suffix", ".xml", "--hypothesis-suffix", ".xml")
    done = invoke("score", tree, *suffixes)
    assert done.exit_code == 3
    assert "cannot both end in .xml" in done.stderr
