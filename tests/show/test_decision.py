"""What a study says to whoever decides: true of its values, and no more than they allow."""

import re
from dataclasses import replace

import numpy as np
import pytest

import htreval_core as hv
from htreval_core.model import Parts
from htreval_core.show.html import report_html
from htreval_core.show.telling import decision
from htreval_core.show.telling.decision import decide
from htreval_core.show.telling.verdicts import verdict
from htreval_core.sources.dataset import Unpaired
from tests.conftest import SAMPLES
from tests.tools import cases

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


@pytest.mark.parametrize(("wrong", "backwards", "usable"), cases("usable"))
def test_what_it_is_usable_for_follows_from_characters_and_words(
    wrong: float, backwards: bool, usable: str
) -> None:
    study = of_pages(20, wrong, backwards=backwards)
    made = decided(study)
    # Where other pages may lead to another answer, it is told as that of these pages.
    told = made.usable.replace("Judging by 20 pages: u", "U")
    assert told == usable
    assert (told == made.usable) == made.certainty.startswith(
        "The answer should hold for similar pages"
    )
    corpus = study.corpora["A"]
    found, cer = (100 * corpus.estimates[name].value for name in ("bow_recall", "cer"))
    assert made.because.startswith(f"The output contains {found:.1f} of every 100")
    assert f"{cer:.1f} errors per 100 characters" in made.because


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
    assert order.startswith(
        "Start with the reading order: with all text in the right order, WER would fall from 100.0 "
    )
    assert 0 < float(re.findall(r" to ([\d.]+) %", order)[0]) < 10
    assert "the costliest fault is “" in order
    assert decided(of_pages(12, 0.4)).to_do.startswith("Start with the recognition")
    assert decided(of_pages(12, 0.0)).to_do == "There is nothing to fix on the pages judged"
    text = "\n".join(" ".join(WORDS[k : k + 6]) for k in range(0, 60, 6))
    half = hv.score(
        [hv.Page.from_text(str(n), text, {"A": text[: len(text) // 2]}) for n in range(9)]
    )
    found = hv.diagnose(half)
    made = decide(half.with_parts(found), hv.take_census(found))
    assert made
    assert made.to_do.startswith("Start with the missing text, 9 passages on 9 pages: ")
    chance = hv.score([hv.Page.from_text("p", "a b c d e f g", {"A": "b a c d e g f"})])
    chance = chance.with_parts(hv.diagnose(chance))
    assert "57.1 of the 57.1 points of WER are chance" in decided(chance).to_do
    assert ": most errors are chance (words missing" in verdict(chance.corpora["A"])
    unknown = decide(half)
    assert unknown
    assert unknown.to_do == "Have the pages diagnosed: 100 % of the word errors are words left out"


def test_text_left_out_is_named_where_it_comes_second() -> None:
    """The system of the letter-book that misreads more than it skips, and skips the margins."""
    study = hv.score(hv.pair_path(SAMPLES / "letterbook"))
    found = hv.diagnose(study)
    census = hv.take_census(found)
    made = decide(study.with_parts(found), census)
    assert made
    (missing,) = (row for row in census if row.kind is hv.EventKind.MISSING)
    assert made.system == missing.system
    assert made.to_do.startswith("Start with the recognition")
    told = f"{missing.notes} marginal notes and {missing.pieces - missing.notes} other passage"
    points = 100 * missing.errors / study.corpora[made.system].n_ref_words
    assert f"{told} on {missing.pages} pages: {points:.1f} of the" in made.to_do


def test_how_sure_it_is_follows_from_the_intervals() -> None:
    assert "first impression: 3 pages are too few" in decided(of_pages(3, 0.3)).certainty
    assert "1 page is too few" in decided(of_pages(1, 0.3)).certainty
    sure = decided(of_pages(40, 0.3)).certainty
    assert sure.startswith("The answer should hold for similar pages")
    near = of_pages(12, 0.2)
    estimate = near.corpora["A"].estimates["bow_recall"]
    assert estimate.low < 0.8 < estimate.high
    unsure = decided(near).certainty
    assert unsure.startswith("Not certain")
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
    assert decide(hv.score([*easy, hv.Page.from_text("x", "aa", {"B": "aa"})])) is None


# --- a reference that may itself be out of order


def in_doubt(n_pages: int, doubted: int, wrong: float = 0.1) -> hv.Study:
    """Pages of which the first ones have a reference that may be out of order."""
    good, turned = of_pages(n_pages, wrong), of_pages(n_pages, wrong, backwards=True)
    ids = {str(n) for n in range(doubted)}
    pages = [
        (turned if one.page_id in ids else good).page(one.page_id) for one in good.dataset.pages
    ]
    study = hv.score(pages, hv.Settings(resamples=200))
    parts = {}
    for one in study.scores["A"]:
        delta = one.wer.errors - one.bwer.errors
        kind = "doubt" if one.page_id in ids else "coincidence"
        parts[one.page_id] = Parts(misread=one.bwer.errors, **{kind: delta})
    return replace(study, scores={"A": study.scores["A"].with_parts(parts)})


def test_a_system_is_not_blamed_for_a_reference_that_is_in_doubt() -> None:
    study = in_doubt(12, 1)
    values = {}
    for name, some in {"all": study, "sure": study.only(pages=study.page_ids[1:])}.items():
        estimates = some.corpora["A"].estimates
        values[name] = [f"{100 * estimates[one].value:.1f}" for one in ("bow_recall", "cer")]
    assert float(values["all"][1]) > 5 > float(values["sure"][1])
    made = decide(study)
    assert made
    assert "sable for reading and for full-text search" in made.usable
    words, errors = values["sure"]
    assert made.because.startswith(
        f"Without the 1 page whose reference is in doubt, the output contains {words} of every 100"
    )
    assert f"There are {errors} errors per 100 characters" in made.because
    words, errors = values["all"]
    cer = study.corpora["A"].estimates["cer"]
    assert made.because.endswith(
        f". With it, there are {words} words and {errors} errors (95 % interval "
        f"{100 * cer.low:.1f}–{100 * cer.high:.1f})"
    )
    assert "over 11 pages" in made.certainty
    two = decide(in_doubt(12, 2))
    assert two
    assert two.because.startswith("Without the 2 pages whose reference is in doubt")
    assert ". With them, there are " in two.because


def test_what_to_do_does_not_call_an_order_fine_that_is_in_doubt() -> None:
    made = decide(in_doubt(12, 1, wrong=0.4))
    assert made
    assert "reading order costs almost nothing except on the page in doubt" in made.to_do
    assert re.search(
        r"; have the reference of the page in doubt checked, [\d.]+ of the [\d.]+ points of WER$",
        made.to_do,
    )
    several = decide(in_doubt(12, 2, wrong=0.5))
    assert several
    assert "almost nothing except on the 2 pages in doubt" in several.to_do
    assert "the references of the pages in doubt checked" in several.to_do


def test_where_every_reference_is_in_doubt_nothing_is_certain() -> None:
    made = decide(in_doubt(9, 9))
    assert made
    assert made.because.startswith("The output contains")
    assert made.certainty == (
        "That is not certain: the reference of each of the 9 pages is in doubt, and the errors may "
        "be the references’ own"
    )
    assert made.usable.startswith("Judging by 9 pages: usable for")


def test_a_verdict_calls_the_order_fine_apart_from_pages_in_doubt() -> None:
    said = verdict(in_doubt(12, 1, wrong=0.4).corpora["A"])
    points = re.search(r"^([\d.]+) of [\d.]+ points come from the order of 1 page whose", said)
    assert points
    assert f" + {points[1]} reference in doubt)" in said
    # Here the part alone is 12.67 and is rounded down, so that all add up.
    made = decide(study := in_doubt(5, 1, wrong=0.35))
    assert made
    told = re.findall(
        r"([\d.]+) of (?:the )?47.3 points", f"{made.to_do} {verdict(study.corpora['A'])}"
    )
    assert told == ["12.6", "12.6"]
    assert "12.6 reference in doubt" in verdict(study.corpora["A"])
    assert said.endswith(
        ": nearly all other errors are words misread; the reading order is fine except on the "
        "page in doubt."
    )
    assert "except on the 2 pages in doubt." in verdict(in_doubt(12, 2, wrong=0.4).corpora["A"])
    sure = verdict(of_pages(12, 0.4).corpora["A"])
    assert sure.endswith(": nearly all errors are words misread; the reading order is fine.")


def test_an_interval_that_spans_limits_is_told_of_few_pages_too() -> None:
    """Five pages, of which one is far worse: other pages may be readable or not even mended."""
    good, bad = of_pages(5, 0.05), of_pages(5, 0.9)
    pages = [(bad if n == 4 else good).page(str(n)) for n in range(5)]
    study = hv.score(pages, hv.Settings(resamples=500))
    cer = study.corpora["A"].estimates["cer"]
    assert cer.low < 0.02 < 0.1 < cer.high
    made = decide(study)
    assert made
    assert made.usable.startswith("Judging by 5 pages: usable for ")
    assert made.certainty.startswith(
        "That is a first impression: 5 pages are too few to say much about the rest, which may "
        "fall on either side of the limits of 2 errors for quoting, 5 errors for reading"
    )
    assert f"{100 * cer.low:.1f}–{100 * cer.high:.1f} errors" in made.certainty


# --- pages without output


def test_pages_without_output_are_told() -> None:
    study = of_pages(5, 0.1)
    assert decided(study).missing == ""
    lacking = replace(study, dataset=replace(study.dataset, unpaired=Unpaired(("x",))))
    made = decided(lacking)
    assert made.missing == "1 of 6 pages has no output and could not be judged"
    assert f"{made.missing}. " in report_html(lacking)


def test_pages_that_only_others_have_read_are_told() -> None:
    pages = [
        hv.Page.from_text(str(n), "aa bb cc", {"A": "aa bb cc"} | ({"B": "aa x y"} if n else {}))
        for n in range(9)
    ]
    pages += [hv.Page.from_text(f"b{n}", "aa bb cc", {"B": "aa x y"}) for n in range(2)]
    made = decide(hv.score(pages), show=lambda name: f"<{name}>")
    assert made
    assert made.missing == (
        "3 of 11 pages are not judged here: 2 have no output from <A>, 1 none from another system"
    )
    content = report_html(hv.score(pages))
    assert "3 of 11 pages are not judged here: 2 have no output from A" in content
