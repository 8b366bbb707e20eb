"""Values in sentences: what they count, and that nothing is told twice."""

import re
from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import htreval_core as hv
from htreval_core.compare import compare_systems
from htreval_core.diagnosis import ORDER_FREE, Confidence
from htreval_core.diagnosis.model import Elsewhere, Passage, Place, Together
from htreval_core.model import Failure
from htreval_core.scoring.send_back import pages_to_send_back
from htreval_core.show.html import report_html
from htreval_core.show.tables.results import results_latex, results_markdown
from htreval_core.show.telling.events import tell_event
from htreval_core.show.telling.verdicts import (
    besides,
    comparison_verdict,
    headline,
    page_verdict,
    points,
    rounded_parts,
    verdict,
)
from htreval_core.show.telling.warnings import tell_unread, tell_warning, tell_warnings
from htreval_core.sources.dataset import Unpaired
from tests.conftest import SAMPLES
from tests.tools import Tree, invoke, look_at

LINES = [f"{a} {b} {c}" for a, b, c in zip("abcdefghij", "klmnopqrst", "uvwxyzABCD", strict=True)]
REFERENCE = "\n".join(LINES)


def told(hypothesis: str, reference: str = REFERENCE) -> tuple[str, str]:
    """The verdict of a page, and what is told besides its events."""
    look = look_at(reference, hypothesis)
    return page_verdict(look.page.scores, look.diagnosis.parts), besides(look.diagnosis)


def test_what_was_left_out_is_not_called_misread() -> None:
    said, left = told("\n".join(LINES[:5]))
    assert "WER is 50.0 % (0.0 misread + 50.0 left out + 0.0 out of order)" in said
    assert "nearly all errors are words left out; the reading order is fine" in said
    # The missing lines are an event; nothing more is wrong.
    assert left == ""


def test_text_left_out_and_text_added_elsewhere_are_not_chance() -> None:
    study = hv.score(hv.pair_path(SAMPLES / "models")).only(["writes-layout-json"], ["LB20"])
    look = study.look("LB20", "writes-layout-json")
    assert besides(look.diagnosis) == ""
    assert look.diagnosis.events[0].reference_lines == (*range(11, 17),)
    (sent,) = pages_to_send_back(study, *study.systems, {study.systems[0]: [look.diagnosis]})
    assert sent.misread == 0


def test_misread_and_left_out_are_named_where_both_count() -> None:
    said, left = told("\n".join(["? ? ?", *LINES[1:7]]))
    assert "(10.0 misread + 30.0 left out + 0.0 out of order)" in said
    assert "misread or left out" in said
    assert left == "3 errors for words misread, left out or added"


def test_chance_is_not_told_to_be_out_of_order() -> None:
    """WER counts a word split here and one left out there twice, and no word has moved."""
    said, left = told("to gether b c d e f", "together b c d e f g")
    assert "0.0 out of order" in said
    assert "14.3 chance" in said
    assert "1 error by chance: words missing" in left


def test_without_a_diagnosis_order_is_not_claimed() -> None:
    page = hv.score_page("a b c d", "c d a b")
    assert "100.0 ΔWER" in page_verdict(page.scores)
    assert "may be reading order" in page_verdict(page.scores)


def test_a_comparison_begins_with_all_words_and_claims_nothing_that_is_chance() -> None:
    pages = [
        hv.Page.from_text(
            f"{n}", "a b c d", {"A": "a b c x", "B": "a b c x" if n % 2 else "a b y d"}
        )
        for n in range(12)
    ]
    study = hv.score(pages, hv.Settings(resamples=100))
    assert comparison_verdict(compare_systems(study, "A", "B"), "A", "B")[0].startswith(
        "Both make the same number of word errors, 25.0 %"
    )
    worse = [hv.Page.from_text("last", "a b c d", {"A": "a b c d", "B": "a b c"}), *pages]
    compared = compare_systems(hv.score(worse, hv.Settings(resamples=100)), "A", "B")
    assert comparison_verdict(compared, "A", "B")[0].startswith(
        "No significant difference between B and A in word errors: 25.0 against 23.1 %"
    )
    assert verdict(study.corpora["A"]).startswith("WER is 25.0 %")


def test_differences_have_a_true_sign() -> None:
    assert (points(-0.066), points(0.05)) == ("\N{MINUS SIGN}6.6", "+5.0")


def test_every_kind_of_warning_and_of_failure_has_its_sentence() -> None:
    for kind in hv.WarningKind:
        one = hv.DataWarning("p1", kind, ("first", "second"), 2)
        for told in (tell_warning(one), *tell_warnings([replace(one, file=f"p{n}")
                                                         for n in range(9)])):  # fmt: skip
            assert not re.search(r"[{}]", told), told
            assert told
    for kind in hv.EventKind:
        for place in (Place((1,)), Place((1, 2)), Place((1,), 1, 3, 9), Place((), 2, 3)):
            alone = Passage(place) if kind in ORDER_FREE else Elsewhere(place)
            for facts in (alone, Together(4)):
                event = hv.Event(
                    kind, 3, 3, (0, 3), ((3, 6),), place.lines, (2,), Confidence.SURE, facts
                )
                told = tell_event(event)
                assert re.fullmatch(r"[A-Z4][^{}]+\.", told), told


# --- parts add up as they are shown


@given(st.lists(st.integers(0, 5000), min_size=1, max_size=7), st.integers(1, 9000))
@example([1, 1, 1], 300)
@example([0, 5, 0], 10_000)
@example([416, 1158, 46], 10_000)
def test_rounded_parts_add_up_to_their_rounded_sum(counts: list[int], n_words: int) -> None:
    for digits in (0, 1, 2):
        shown = rounded_parts(counts, n_words, digits)
        total = float(f"{100 * sum(counts) / n_words:.{digits}f}")
        assert sum(map(float, shown)) == pytest.approx(total, abs=1e-6)
        for count, part in zip(counts, shown, strict=True):
            assert abs(float(part) - 100 * count / n_words) < 10**-digits + 1e-6
            assert count or not float(part)
    shares = [count / n_words for count in counts]
    assert sum(map(float, rounded_parts(shares, 1))) == pytest.approx(
        float(f"{100 * sum(shares):.1f}"), abs=1e-6
    )


def test_parts_of_nothing_are_dashes() -> None:
    assert rounded_parts([1, 2], 0) == ["–", "–"]


@given(st.lists(st.tuples(*[st.lists(st.sampled_from("abcdefgh"), max_size=12)] * 2), min_size=1,
                max_size=4))  # fmt: skip
def test_the_parts_of_a_verdict_add_up_as_they_are_read(
    texts: list[tuple[list[str], list[str]]],
) -> None:
    pages = [hv.Page.from_text(str(n), " ".join(ref), {"A": " ".join(out)})
             for n, (ref, out) in enumerate(texts)]  # fmt: skip
    study = hv.score(pages, hv.Settings(resamples=2))
    for of in (study, study.with_parts(hv.diagnose(study))):
        said = verdict(of.corpora["A"])
        found = re.search(r"WER is ([\d.]+) % \((.*?)\):", said)
        if found:
            parts = re.findall(r"[\d.]+", found[2])
            assert sum(map(float, parts)) == pytest.approx(float(found[1]), abs=1e-6), said


# --- the question itself


def of_systems(n_pages: int = 12, **wrong: int) -> hv.Study:
    """Pages of ten words; every system misreads so many of them on each page."""
    words = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"]
    sides = {name: " ".join(words[: 10 - k] + ["?"] * k) for name, k in wrong.items()}
    pages = [hv.Page.from_text(f"{n}", " ".join(words), sides) for n in range(n_pages)]
    return hv.score(pages, hv.Settings(resamples=20))


def told_of(study: hv.Study) -> str:
    return headline(study, hv.compare_all(study), lambda name: f"<{name}>")


def test_the_headline_says_who_is_better_and_whether_that_is_shown() -> None:
    assert told_of(of_systems(A=3, B=1)) == (
        "<B> is better than <A>: 10.0 and 30.0 % word errors (p < 0.001)."
    )
    assert told_of(of_systems(4, A=3, B=1)) == (
        "No significant difference between <B> and <A>: 10.0 and 30.0 % word errors (p = 0.12)."
    )
    assert told_of(of_systems(A=1, B=1)) == (
        "<B> and <A> make the same number of word errors, 10.0 %."
    )
    assert told_of(of_systems(A=3, B=1, C=2)) == (
        "<B> is best: 10.0 % word errors, significantly fewer than every other system "
        "(Holm-corrected p ≤ 0.001)."
    )
    assert told_of(of_systems(A=3, B=1, C=1)) == "<B> and <C> make equally few word errors, 10.0 %."
    assert told_of(of_systems(4, A=3, B=1, C=2)) == (
        "<B> makes the fewest word errors, 10.0 %, but is not significantly better than any "
        "other system."
    )
    assert headline(of_systems(A=1), None, str) == ""


def test_the_headline_is_of_the_pages_that_all_have_read() -> None:
    study = of_systems(A=3, B=1)
    lone = hv.Page.from_text("lone", "a", {"B": "x"})
    study = hv.score([*study.dataset.pages, lone])
    assert headline(study, hv.compare_all(study), str).startswith(
        "On the 12 of 13 pages that all systems have read, B is better"
    )
    apart = hv.score([lone, hv.Page.from_text("1", "a", {"A": "a"})])
    assert headline(apart, None, str).startswith("No page was read by all systems")


@pytest.mark.parametrize("names", ["AB", "ABC"])
def test_of_two_systems_there_is_but_one_other(names: str) -> None:
    study = of_systems(**dict(zip(names, (3, 1, 2), strict=False)))
    every = hv.compare_all(study, metrics=study.table_metrics)
    texts = [results_markdown(study, every), results_latex(study, every), report_html(study)]
    for text in texts:
        assert ("the other system" in text) == (names == "AB")
        assert ("every other system" in text) == (names == "ABC")


def test_a_comparison_says_which_p_is_which() -> None:
    told = comparison_verdict(compare_systems(of_systems(6, A=3, B=1), "A", "B"), "A", "B")
    assert told[0].startswith("B is better than A: 10.0 against 30.0 % word errors")
    assert told[0].endswith("p = 0.031).")
    # Six metrics were asked, of which two are all alike: 2/64 is corrected for all six.
    assert (
        "B may make fewer errors of recognition (bWER) than A, but this is only a hint" in told[1]
    )
    assert "p = 0.031, corrected p = 0.19" in told[1]
    assert "use the uncorrected p" in told[-1]
    assert "corrected for the 6 metrics" in told[-1]


# --- what was left out


def test_a_system_that_drops_notes_is_told_so() -> None:
    """Pages of a block and a marginal note, of which the second is never read."""
    block = "\n".join(LINES)
    note = [hv.Line("one note in the", "n", region_kind="marginalia"),
            hv.Line("margin of this page", "n", region_kind="marginalia")]  # fmt: skip
    pages = []
    for n in range(3):
        text = hv.Transcript.from_text(block)
        whole = replace(text, lines=(*text.lines, *note))
        output = hv.Transcript.from_text(block.replace("a k u", "a k ?") if n else block)
        pages.append(hv.Page(f"{n}", whole, {"A": output}))
    study = hv.score(pages)
    found = hv.diagnose(study)
    said = verdict(study.with_parts(found).corpora["A"], hv.take_census(found))
    assert said.endswith("most errors come from missing text: 3 marginal notes on 3 pages.")
    assert "reading order is fine" not in said
    # Without a diagnosis nobody knows of notes.
    assert "notes" not in verdict(study.corpora["A"])


def test_text_left_out_is_named_beside_other_causes() -> None:
    reference = "\n".join(LINES)
    wrong = "\n".join([*("? ? ?" for _ in LINES[:5]), *LINES[5:8]])
    study = hv.score([hv.Page.from_text("1", reference, {"A": wrong})])
    census = [row for row in hv.take_census(hv.diagnose(study)) if row.kind is hv.EventKind.MISSING]
    said = verdict(study.corpora["A"], census)
    assert ("are missing text: 1 passage on 1 page" in said) == bool(census)


# --- systems and files that need a word first


def test_a_system_that_cannot_be_read_is_named_first(tree: Tree) -> None:
    files = {f"reference/{n}.txt": "a b c" for n in range(3)}
    files |= {f"A/{n}.txt": "a b x" for n in range(3)}
    root = tree(files | {f"B/{n}.xml": '<?xml version="1.0"?><TETML/>' for n in range(3)})
    said = (
        "1 of 2 systems is shown: none of the 3 files of B can be read (XML that starts with TETML)"
    )
    done = invoke("score", root)
    assert done.stdout.startswith(f"{said}.\n")
    assert done.stderr.startswith(f"Warning: {said}\n")
    assert said in report_html(hv.score(hv.pair_path(root)))
    kept = invoke("score", root, "--output", root / "run.htreval")
    assert f"Warning: {said}\n" in kept.stderr


def test_systems_without_values_are_told_with_their_reason() -> None:
    study = of_systems(3, A=1)
    dataset = replace(
        study.dataset, systems=("A", "B", "C", "D"), unpaired=Unpaired((), {"C": ("x", "y")})
    )
    failed = tuple(Failure(f"{n}", "B", "too long; split it") for n in range(3))
    told = tell_unread(replace(study, dataset=dataset, failures=failed), str.lower)
    assert told == [
        "1 of 4 systems is shown: none of the 3 pages of b could be scored (too long)",
        "None of the 2 files of c has a reference of the same name",
        "There is no output of d for these pages",
    ]
    assert tell_unread(study) == []


def test_systems_that_make_equally_many_errors_are_not_ranked() -> None:
    texts = {"A": "one two x", "B": "one x three", "C": "x two three"}
    pages = [hv.Page.from_text(f"p{n}", "one two three", texts) for n in range(3)]
    study = hv.score(hv.Dataset.of(pages))
    told = headline(study, hv.compare_all(study), str)
    assert told == "All systems make the same number of word errors, 33.3 %."
    pages = [hv.Page.from_text(f"p{n}", "one two three", texts | {"C": "x y"}) for n in range(3)]
    study = hv.score(hv.Dataset.of(pages))
    told = headline(study, hv.compare_all(study), str)
    assert told == "A and B make equally few word errors, 33.3 %."
