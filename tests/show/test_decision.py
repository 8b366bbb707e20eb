"""What a study says to whoever decides: true of its values, and no more than they allow."""

from __future__ import annotations

import re

import numpy as np
import pytest

import htreval_core as hv
from htreval_core.show import decision
from htreval_core.show.decision import decide
from tests.conftest import SAMPLES

WORDS = [f"{a}{b}{c}" for a in "bcdfglmn" for b in "aeiou" for c in "klrst"]


def of_pages(n_pages: int, wrong: float, *, backwards: bool = False, seed: int = 1) -> hv.Study:
    """Pages of 60 words in lines of six; this share of them has one letter misread."""
    rng = np.random.default_rng(seed)
    pages = []
    for n in range(n_pages):
        words = rng.choice(WORDS, 60, replace=False).tolist()
        read = [w[:-1] + "x" if rng.random() < wrong else w for w in words]
        lines = [" ".join(read[k : k + 6]) for k in range(0, 60, 6)]
        text = "\n".join(" ".join(words[k : k + 6]) for k in range(0, 60, 6))
        output = "\n".join(lines[5:] + lines[:5] if backwards else lines)
        pages.append(hv.Page.from_text(f"{n}", text, {"A": output}))
    study = hv.score(pages, hv.Settings(resamples=200))
    return study.with_parts(hv.diagnose(study))


def decided(study: hv.Study) -> decision.Decision:
    made = decide(study, hv.take_census(hv.diagnose(study)))
    assert made
    return made


@pytest.mark.parametrize(
    ("wrong", "backwards", "usable"),
    [
        (0.0, False, "Usable for reading and for full-text search"),
        (0.12, False, "Usable for reading and for full-text search; check what is quoted"),
        (0.3, False, "Usable for correcting by hand, not for reading as it is"),
        (0.0, True, "Usable for full-text search, not for reading"),
        (0.9, False, "Usable neither for reading nor for full-text search"),
    ],
)
def test_what_it_is_usable_for_follows_from_characters_and_words(
    wrong: float, backwards: bool, usable: str
) -> None:
    study = of_pages(20, wrong, backwards=backwards)
    made = decided(study)
    assert made.usable == usable
    corpus = study.corpora["A"]
    found, cer = (100 * corpus.estimates[name].value for name in ("bow_recall", "cer"))
    assert made.because.startswith(f"{found:.1f} of 100 words")
    assert f"{cer:.1f} errors for every 100 characters" in made.because


def test_limits_are_in_order_and_hold_for_the_values_as_they_are_shown() -> None:
    assert decision.QUOTE < decision.READ < decision.CORRECT
    answers = [decision._usable(cer, 95.0) for cer in (2.0, 2.1, 5.0, 5.1, 10.0, 10.1)]
    assert answers == [
        "Usable for reading and for full-text search",
        *["Usable for reading and for full-text search; check what is quoted"] * 2,
        *["Usable for full-text search and correcting by hand, not for reading as it is"] * 2,
        "Usable for full-text search, not for reading",
    ]
    assert decision._usable(4.0, 79.9) == "Usable for reading, not for full-text search"
    assert decision._in_100(0.0504) == 5.0


def test_what_to_do_first_is_what_costs_most() -> None:
    order = decided(of_pages(12, 0.05, backwards=True)).to_do
    assert order.startswith("Begin with the reading order: with all text in its place WER would be")
    still, now = map(float, re.findall(r"([\d.]+) %", order)[:2])
    assert still < now
    assert "what costs most is “" in order
    assert decided(of_pages(12, 0.4)).to_do.startswith("Begin with the recognition")
    assert decided(of_pages(12, 0.0)).to_do == "There is nothing to mend"
    text = "\n".join(" ".join(WORDS[k : k + 6]) for k in range(0, 60, 6))
    half = hv.score(
        [hv.Page.from_text(str(n), text, {"A": text[: len(text) // 2]}) for n in range(9)]
    )
    found = hv.diagnose(half)
    made = decide(half.with_parts(found), hv.take_census(found))
    assert made
    assert made.to_do.startswith("Begin with the text that is left out: 9 passages on 9 pages cost")
    unknown = decide(half)
    assert unknown
    assert "reading order costs next to nothing" in unknown.to_do


def test_text_left_out_is_named_where_it_comes_second() -> None:
    """The system of the letter-book that misreads more than it skips, and skips the margins."""
    study = hv.score(hv.pair_path(SAMPLES / "letterbook"))
    found = hv.diagnose(study)
    census = hv.take_census(found)
    made = decide(study.with_parts(found), census)
    assert made
    (missing,) = (row for row in census if row.kind is hv.EventKind.MISSING)
    assert made.system == missing.system
    assert made.to_do.startswith("Begin with the recognition")
    told = f"{missing.notes} marginal notes and {missing.pieces - missing.notes} other passage"
    points = 100 * missing.errors / study.corpora[made.system].n_ref_words
    assert f"{told} on {missing.pages} pages: {points:.1f} of the" in made.to_do


def test_how_sure_it_is_follows_from_the_intervals() -> None:
    assert "first impression: 3 pages say little" in decided(of_pages(3, 0.3)).certainty
    assert "1 page says little" in decided(of_pages(1, 0.3)).certainty
    sure = decided(of_pages(40, 0.3)).certainty
    assert sure.startswith("Other pages of the kind lead to the same answer")
    near = of_pages(12, 0.2)
    estimate = near.corpora["A"].estimates["bow_recall"]
    assert estimate.low < 0.8 < estimate.high
    unsure = decided(near).certainty
    assert unsure.startswith("That is not certain")
    assert "80 words" in unsure


def test_of_several_systems_it_is_about_the_one_with_fewest_word_errors() -> None:
    outputs = {"A": "aa bb xx dd", "B": "aa bb cc dd"}
    study = hv.score([hv.Page.from_text(str(n), "aa bb cc dd", outputs) for n in range(9)])
    made = decide(study, show=lambda name: f"<{name}>")
    assert made
    assert made.system == "<B>"
    assert decide(hv.score([hv.Page.from_text("1", "", {"A": "x"})])) is None


def test_the_best_is_found_on_the_pages_that_all_have_read() -> None:
    """A is worse on the common page, and right on one that B has not read."""
    common = hv.Page.from_text("1", "aa bb cc dd", {"A": "aa bb xx dd", "B": "aa bb cc dd"})
    easy = [hv.Page.from_text(f"{n}", "aa bb", {"A": "aa bb"}) for n in range(2, 9)]
    made = decide(hv.score([common, *easy]))
    assert made
    assert made.system == "B"
    apart = [*easy, hv.Page.from_text("x", "aa", {"B": "aa"})]
    assert decide(hv.score(apart)) is None
