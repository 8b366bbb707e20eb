"""What language models do to a page without a word of it, beside misreading: each is named.

Pages are those of the letter-book; every case has the names that are right, and what must be said.
"""

import re
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import htreval_core as hv
from htreval_core.diagnosis import EventKind
from htreval_core.diagnosis import EventKind as K
from htreval_core.diagnosis.text.gaps import _share_runs
from htreval_core.diagnosis.text.spelling import _is_misread
from htreval_core.show.telling.events import tell_event
from tests import written
from tests.conftest import SAMPLES, shared
from tests.diagnosis.test_language_models import ENGLISH, FRENCH
from tests.diagnosis.test_real import study
from tests.sheets import misread
from tests.tools import cases, look_at
from tests.written import Lines, letterbook

_LONG = {
    "Mr.": "Mister", "Mrs.": "Mistress", "Capt.": "Captain", "Dr.": "Doctor", "fol.": "folio",
    "lb.": "pounds", "wch": "which", "wth": "with", "yr": "your", "ye": "the", "&": "and",
    "shd": "should", "agst": "against",
}  # fmt: skip
_SHORT = {long: short for short, long in _LONG.items() if not short.endswith(".")}
_DATES = (
    ("17th September 1787", "1787-09-17"), ("4th of October 1787", "1787-10-04"),
    ("3 March 1788", "1788-03-03"), ("11 Decembris 1788", "1788-12-11"),
)  # fmt: skip
_NOTES = ("(a) The buoy was found in June.", "(b) So the log of the Haven, but not the minutes.")


@cache
def page(name: str) -> Lines:
    return next(lines for page_id, lines in letterbook(str(SAMPLES / "letterbook"))
                if page_id == name)  # fmt: skip


def swapped(lines: Lines, words: dict[str, str]) -> Lines:
    return [" ".join(words.get(word, word) for word in line.split()) for line in lines]


def old(lines: Lines) -> Lines:
    text = re.sub(r"s(?=[a-z])", "ſ", "\n".join(lines))
    return re.sub(r"\bth", "þ", re.sub(r"ll\b", "lle", text)).split("\n")


def divided(lines: Lines, sign: str) -> tuple[Lines, Lines]:
    """Lines of which every second ends in a divided word, and those with it in one piece."""
    one, other = list(lines), list(lines)
    for at in range(0, len(lines) - 1, 2):
        first, *rest = lines[at + 1].split()
        if len(first) < 4 or not first.isalpha():
            continue
        one[at], one[at + 1] = f"{lines[at]} {first[:2]}{sign}", " ".join([first[2:], *rest])
        other[at], other[at + 1] = f"{lines[at]} {first}", " ".join(rest)
    return one, other


def accounts(n: int) -> list[list[str]]:
    return [[f"{7 * k % 19 + 1} {what}", f"{k % 7} s.", f"{5 * k % 11} d."]
            for k, what in enumerate(("coils of hawser", "blocks", "barrels of tar", "boat-hooks",
                                      "kegs of oil", "candles", "fathom of chain", "anchors",
                                      "lanthorns", "buoys")[:n])]  # fmt: skip


def in_pieces(lines: Lines, n: int, times: int, rng: np.random.Generator) -> Lines:
    return [lines[int(at)] for _ in range(times) for at in rng.permutation(n)]


Two = tuple[Lines, Lines]
Make = Callable[[np.random.Generator], Two]


def german(rng: np.random.Generator) -> Two:
    return cases("early").split("\n"), cases("today").split("\n")


def dated(rng: np.random.Generator) -> Two:
    lines = page("LB05")[:16]
    told = [
        f"{line} {_DATES[at // 4][0]}" if at % 4 == 0 else line for at, line in enumerate(lines)
    ]
    iso = [f"{line} {_DATES[at // 4][1]}" if at % 4 == 0 else line for at, line in enumerate(lines)]
    return told, iso


def with_notes(up: int, stop: str = "") -> Two:
    lines = page("LB01")[:16]
    lines = [
        f"{line} ({'ab'[at // 8]}){stop}" if at in (3, 11) else line
        for at, line in enumerate(lines)
    ]
    places = {
        0: [*_NOTES, *lines],
        1: [*lines[:4], _NOTES[0], *lines[4:12], _NOTES[1], *lines[12:]],
    }
    return [*lines, *_NOTES], places[up]


CASES: Sequence[tuple[str, Make, float, set[K], str]] = (
    ("letters modernised", lambda _: (old(page("LB05")), page("LB05")), 0.0, {K.SPELLING}, "ſ→s"),
    ("letters modernised, badly read", lambda _: (old(page("LB02")), page("LB02")), 0.2,
     {K.SPELLING}, "ſ→s"),
    ("one letter modernised", lambda _: (["\n".join(page("LB08")).replace(" v", " u")
     .replace("w", "vv")][0].split("\n"), page("LB08")), 0.1, {K.SPELLING}, "vv→w"),
    ("early German modernised", german, 0.0, {K.SPELLING}, "v"),
    ("abbreviations written out", lambda _: (page("LB02"), swapped(page("LB02"), _LONG)), 0.0,
     {K.ABBREVIATIONS}, "Mr.→Mister"),
    ("abbreviations written out, misread", lambda _: (page("LB05"), swapped(page("LB05"), _LONG)),
     0.1, {K.ABBREVIATIONS}, "Mr.→Mister"),
    ("contractions written out", lambda _: (swapped(page("LB23"), _SHORT), page("LB23")), 0.08,
     {K.ABBREVIATIONS, K.SPELLING}, "wch→which"),
    ("letters and abbreviations", lambda _: (old(swapped(page("LB01"), _SHORT)), page("LB01")), 0.0,
     {K.ABBREVIATIONS, K.SPELLING}, "ſ→s"),
    ("the second half translated", lambda _: (ENGLISH.split("\n"),
     [*ENGLISH.split("\n")[:7], *FRENCH.split("\n")[6:]]), 0.0, {K.TRANSLATED}, "into French"),
    ("the first half translated", lambda _: (ENGLISH.split("\n"),
     [*FRENCH.split("\n")[:8], *ENGLISH.split("\n")[9:]]), 0.05, {K.TRANSLATED}, "into French"),
    ("three lines translated", lambda _: (ENGLISH.split("\n"),
     [*ENGLISH.split("\n")[:4], *FRENCH.split("\n")[3:7], *ENGLISH.split("\n")[7:]]), 0.0,
     {K.TRANSLATED}, "into French"),
    ("dates as ISO has them", dated, 0.0, {K.DATES}, "1787-09-17"),
    ("dates as ISO has them, misread", dated, 0.1, {K.DATES}, "1787-09-17"),
    ("hyphens joined", lambda _: divided(page("LB05"), "-"), 0.08, {K.HYPHENS}, "divided"),
    ("signs of division joined", lambda _: divided(page("LB02"), "¬"), 0.08, {K.HYPHENS},
     "divided"),
    ("joined on the next line", lambda _: (divided(page("LB01"), "⸗")[0], page("LB01")), 0.0,
     {K.HYPHENS}, "divided"),
    ("a table with bars", lambda _: ([" ".join(row) for row in accounts(10)],
     [f"| {' | '.join(row)} |" for row in accounts(10)]), 0.08, {K.MARKUP}, "|"),
    ("a table with bars and a rule, in a page", lambda _: (
        [*page("LB05")[:8], *(" ".join(row) for row in accounts(6)), *page("LB05")[8:]],
        [*page("LB05")[:8], "|" + "|".join(accounts(1)[0]) + "|", "|---|---|---|",
         *("|" + "|".join(row) + "|" for row in accounts(6)[1:]), *page("LB05")[8:]]), 0.0,
     {K.MARKUP}, "|"),
    ("footnotes at the top", lambda _: with_notes(0), 0.0, {K.FOOTNOTE}, "at the top"),
    ("footnotes where their marks are", lambda _: with_notes(1), 0.08, {K.FOOTNOTE},
     "after lines 4 and 12"),
    ("footnotes called before signs", lambda _: with_notes(0, ".;"), 0.0, {K.FOOTNOTE}, "top"),
    ("eight lines in changing order", lambda rng: (page("LB05"),
     [*page("LB05"), *in_pieces(page("LB05"), 8, 15, rng)]), 0.0, {K.LOOP}, "times"),
    ("five lines in changing order instead of the rest", lambda rng: (page("LB02"),
     [*page("LB02")[:5], *in_pieces(page("LB02"), 5, 12, rng)]), 0.1, {K.LOOP}, "times"),
    ("a loop of thirteen lines", lambda _: (page("LB01"), page("LB01")[:13] * 6), 0.2, {K.LOOP},
     "times"),
    ("the first half twice, the second lost", lambda _: (page("LB01")[:16],
     page("LB01")[:8] * 2), 0.0, {K.REPEATED, K.TRUNCATED}, "first half"),
    ("the same of another page, misread", lambda _: (page("LB05"),
     page("LB05")[:10] * 2), 0.08, {K.REPEATED, K.TRUNCATED}, "first half"),
)  # fmt: skip


@pytest.mark.parametrize(("old", "new", "is_misread"), cases("alters"))
def test_letters_are_altered_or_misread(old: str, new: str, is_misread: bool) -> None:
    assert _is_misread((old, new)) == is_misread


@pytest.mark.parametrize(("old", "new"), cases("no_rule"))
def test_what_an_engine_misreads_is_no_rule(old: str, new: str) -> None:
    sides = ("\n".join(f"{line} {one}".strip() for line in page("LB05")) for one in (old, new))
    events = look_at(*sides).diagnosis.events
    assert not {K.MARKUP, K.ABBREVIATIONS}.intersection(event.kind for event in events)


@pytest.mark.parametrize(("reference", "output", "is_same"), cases("same_text"))
def test_text_read_badly_shares_stretches(reference: str, output: str, is_same: bool) -> None:
    assert _share_runs(reference.split(), output.split()) == is_same


@pytest.mark.parametrize("stop", ["", ",", ";:"])
@pytest.mark.parametrize(("left", "n"), [(0, 4), (1, 4), (9, 0)])
def test_abbreviations_are_the_same_ones_before_signs(stop: str, left: int, n: int) -> None:
    words = page("LB05")[0].split()
    sides = [
        " ".join([*words, f"{one}{stop}", *words] * 4 + [*words, "wch,", *words] * left)
        for one in ("wch", "which")
    ]
    events = look_at(*sides).diagnosis.events
    assert sum(one.words for one in events if one.kind is K.ABBREVIATIONS) == n


@pytest.mark.parametrize(("make", "rate", "wanted", "says"), [case[1:] for case in CASES],
                         ids=[case[0] for case in CASES])  # fmt: skip
def test_what_a_model_does_in_silence_is_named(
    make: Make, rate: float, wanted: set[K], says: str
) -> None:
    rng = np.random.default_rng(20261)
    reference, output = make(rng)
    read = [" ".join(misread(line.split(), rate, rng)) for line in output]
    found = look_at("\n".join(reference), "\n".join(read)).diagnosis
    assert {event.kind for event in found.events} <= wanted
    assert wanted & {event.kind for event in found.events}
    assert says in " ".join(map(tell_event, found.events))


K = EventKind
NEW = {
    K.HEAD, K.TALK, K.REFUSAL, K.EMPTY, K.BLANK, K.TRUNCATED, K.TRANSLATED, K.SPELLING, K.LOOP,
    K.OTHER_PAGE, K.PHRASE,
}  # fmt: skip
"""What models alone do."""


def right(seeds: range) -> tuple[int, list[str]]:
    """How many of all kinds of fault were named right, and those that were not."""
    n, wrong = 0, []
    for name, seed, made in written.all_made(str(SAMPLES / "letterbook"), seeds):
        found = written.diagnosed(made)
        assert found.parts.errors == found.wer
        assert all(event.errors >= 0 for event in found.events)
        n += 1
        if not written.is_right(made, found):
            wrong.append(f"{name} {seed}: {[e.kind.value for e in found.events]}")
    return n, wrong


@pytest.mark.thorough
def test_made_faults_are_named_right_whatever_the_seed() -> None:
    n, wrong = right(range(500, 510))
    assert n >= 200
    assert len(wrong) <= 0.05 * n, wrong


def kinds(path: Path) -> set[EventKind]:
    found = hv.diagnose(study(path))
    return {event.kind for of in found.values() for one in of for event in one.events}


@pytest.mark.slow
def test_systems_that_are_no_language_models_do_none_of_it() -> None:
    assert not kinds(SAMPLES / "letterbook") & NEW


@pytest.mark.thorough
@pytest.mark.xdist_group("real")
@pytest.mark.parametrize("name", ["iamdb", "layout/nzz", "layout/hip21", "vlm/bentham"])
def test_nor_does_any_page_of_real_data(name: str) -> None:
    assert not kinds(shared(name)) & NEW
