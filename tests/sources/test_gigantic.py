"""Words that nobody wrote: refused in files, and still counted right through the Python API."""

import random
from pathlib import Path

import numpy as np
import pytest
from rapidfuzz.distance import Levenshtein

import htreval_core as hv
from htreval_core.metrics import words as module
from htreval_core.metrics.words import WordPair
from tests.tools import invoke

FLOODS = {
    "a megabyte": "x" * 1_000_000, "zero width": "a" + "\u200b\u200d\u2060" * 300_000,
    "marks": "Z" + "\u0301\u0323" * 400_000, "directions": "\u202e\u2066" * 400_000,
    "just too long": "y" * 5_001,
}  # fmt: skip
XML = (
    '<PcGts xmlns="http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15"><Page '
    'imageWidth="9" imageHeight="9"><TextRegion id="r"><TextLine id="l"><TextEquiv><Unicode>{}'
    "</Unicode></TextEquiv></TextLine></TextRegion></Page></PcGts>"
)


@pytest.mark.parametrize("flood", list(FLOODS))
@pytest.mark.parametrize("kind", ["1.txt", "1.xml", "t.csv", "t.jsonl"])
def test_a_flood_is_refused_in_words_and_the_other_page_is_scored(
    flood: str, kind: str, tmp_path: Path
) -> None:
    text = f"first {FLOODS[flood]} last"
    if kind.startswith("t."):
        place = tmp_path / kind
        rows = [("page", "reference", "one"), ("1", text, "a b"), ("2", "a b", "a b")]
        if kind == "t.csv":
            place.write_text("".join(f"{','.join(row)}\n" for row in rows))
        else:
            place.write_text("".join(
                f'{{"page": "{p}", "reference": "{r}", "one": "{o}"}}\n' for p, r, o in rows[1:]
            ))  # fmt: skip
    else:
        place = tmp_path
        for side, content in (("reference", text), ("one", "a b")):
            (tmp_path / side).mkdir()
            written = XML.format(content) if kind == "1.xml" else content
            (tmp_path / side / kind).write_text(written, "utf-8")
            (tmp_path / side / "2.txt").write_text("a b")
    done = invoke("score", place)
    assert done.exit_code == 0, done.output
    assert "1 page, 2 words in the reference" in done.stdout
    assert "limit word_characters" in done.stderr or "limit line_characters" in done.stderr
    assert "--limit" in done.stderr
    assert len(done.stderr) < 1_000


def test_gigantic_words_have_the_distances_of_all_others(monkeypatch: pytest.MonkeyPatch) -> None:
    letters = "".join(random.Random(3).choices("abcd", k=5_300))
    ref = [letters, "short", "x" * 6_000, letters[:4_000], "abc"]
    hyp = [letters.replace("a", "b", 90), "x" * 5_500, "shirt", letters, "y", letters[40:]]
    pair = WordPair.of(ref, hyp)
    plain = [[Levenshtein.distance(r, h) for h in pair.hyp_types] for r in pair.ref_types]
    assert pair.distances.tolist() == plain
    monkeypatch.setattr(module, "_GIGANTIC", 10**9)
    assert np.array_equal(WordPair.of(ref, hyp).distances, pair.distances)


def test_a_word_of_a_million_characters_that_is_right_is_at_once_right() -> None:
    word = "".join(random.Random(5).choices("abcdefgh", k=1_000_000))
    scores = hv.score_page(f"one {word} two", f"{word} one two").scores
    assert (scores.wer.hits, scores.bwer.errors, scores.matched_words) == (2, 0, 3)
    assert scores.hcer_errors == 0
