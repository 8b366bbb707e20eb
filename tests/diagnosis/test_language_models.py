"""What language models do to a page, each told for what it is."""

import re
from dataclasses import replace

import pytest

import htreval_core as hv
from htreval_core.diagnosis import EventKind
from htreval_core.diagnosis.model import OwnPhrase
from htreval_core.diagnosis.page.loops import find_loops
from htreval_core.diagnosis.text.talk import _says, find_talk
from htreval_core.show.telling.events import tell_event
from tests.conftest import SAMPLES
from tests.diagnosis.test_faults import ROWS
from tests.tools import cases, look_at

K = EventKind
OTHER = (
    "la mer était calme quand le vieux pêcheur revint",
    "avec trois poissons et une lettre du notaire",
    "que personne parmi nous ne voulut jamais ouvrir",
    "sans attendre l'avis des femmes du village",
)
TALK = "I'm sorry, but the image provided does not show any text that can be read."
PREFACE = "Here is the transcription of the handwritten page that you asked for:"


def with_rows(*parts: object) -> str:
    """Lines: a number or a range of them stands for rows of the page."""
    lines: list[str] = []
    for part in parts:
        if isinstance(part, range):
            lines += [ROWS[n] for n in part]
        else:
            lines.append(ROWS[part] if isinstance(part, int) else str(part))
    return "\n".join(lines)


ALL = range(12)
MADE = {
    "a word over and over": (with_rows(range(6), "ship " * 40, range(6, 12)), K.LOOP),
    "a phrase over and over": (
        with_rows(range(6), "what ship had sailed " * 12, range(6, 12)), K.LOOP,
    ),
    "a line over and over instead of the rest": (with_rows(range(5), *[4] * 9), K.LOOP),
    "a loop at the end": (with_rows(ALL, "and so on and on " * 8), K.LOOP),
    "a passage skipped": (with_rows(range(4), range(8, 12)), K.MISSING),
    "cut off": (with_rows(range(7)), K.TRUNCATED),
    "all of it in capitals": (with_rows(ALL).upper(), K.SPELLING),
    "the first lines left out": (with_rows(range(3, 12)), K.MISSING),
    "a passage invented": (with_rows(range(6), *OTHER, range(6, 12)), K.INVENTED),
    "a passage invented at the end": (with_rows(ALL, *OTHER), K.INVENTED),
    "a passage translated": (with_rows(range(4), *OTHER, range(8, 12)), K.REPLACED),
    "a passage twice": (with_rows(range(8), range(4, 8), range(8, 12)), K.REPEATED),
    "every line twice": (with_rows(*(n for n in ALL for _ in range(2))), K.REPEATED),
    "text first that belongs last": (with_rows(range(8, 12), range(8)), K.MOVED),
}  # fmt: skip


@pytest.mark.parametrize("what", MADE)
def test_a_fault_of_a_language_model_is_told_for_what_it_is(what: str) -> None:
    output, kind = MADE[what]
    found = look_at(with_rows(ALL), output).diagnosis
    assert [event.kind for event in found.events] == [kind], what
    (event,) = found.events
    # All that is wrong is this fault: its errors are those of the page, but for a word perhaps.
    assert found.wer - 1 <= event.errors <= found.wer


def study(outputs: dict[str, str]) -> dict[str, hv.Diagnosis]:
    """Pages of one system by id; each has rows of its own."""
    pages = [
        hv.Page.from_text(
            page_id, with_rows(ALL) if n == 0 else "\n".join(f"{row} {n}" for row in ROWS),
            {"A": text},
        )
        for n, (page_id, text) in enumerate(outputs.items())
    ]  # fmt: skip
    (found,) = hv.diagnose(hv.score(pages, hv.Settings(resamples=10))).values()
    return {one.page_id: one for one in found}


def test_text_of_another_page_is_named_after_it() -> None:
    pages = [
        hv.Page.from_text("p1", with_rows(ALL), {"A": with_rows(ALL, *OTHER)}),
        hv.Page.from_text("p2", "\n".join((*OTHER, *ROWS[:3])), {"A": "\n".join(OTHER)}),
    ]
    (found,) = hv.diagnose(hv.score(pages, hv.Settings(resamples=10))).values()
    (event,) = found[0].events
    assert event.kind is K.OTHER_PAGE
    assert "p2" in tell_event(event)
    # A page that was delivered for another is named.
    pages = [
        hv.Page.from_text("p1", with_rows(ALL), {"A": ENGLISH}),
        hv.Page.from_text("p2", ENGLISH, {"A": ENGLISH}),
    ]
    (found,) = hv.diagnose(hv.score(pages, hv.Settings(resamples=10))).values()
    (event,) = found[0].events
    assert event.kind is K.OTHER_PAGE
    assert event.errors == found[0].wer
    assert tell_event(event).startswith("The whole page, 76 words, was replaced by text of another")
    assert "p2" in tell_event(event)
    assert found[1].events == ()


@pytest.mark.parametrize("said", [TALK, PREFACE])
def test_a_system_that_speaks_of_itself_is_known_on_a_single_page(said: str) -> None:
    (event,) = study({"p": with_rows(said, ALL)})["p"].events
    assert event.kind is K.TALK
    assert event.words == event.errors == len(said.split())
    assert "before the text" in tell_event(event)


def test_a_loop_stands_within_the_page_though_its_pieces_are_longer() -> None:
    (event,) = look_at("the old house", "the ald house by\n" * 4).diagnosis.events
    assert (event.kind, event.reference) == (K.LOOP, (3, 3))


@pytest.mark.parametrize(("at", "kind"), [(0, K.HEAD), (12, K.HEAD), (6, K.PHRASE)])
def test_what_a_system_writes_on_page_after_page_is_its_own(at: int, kind: EventKind) -> None:
    motto = "Scanned with care by the library of somewhere"
    outputs = {}
    for n in range(4):
        rows = [f"{row} {n + 1}" for row in ROWS]
        outputs[f"p{n}"] = "\n".join([*rows[:at], motto, *rows[at:]])
    found = study({"p": with_rows(ALL)} | outputs)
    told = [event for n in range(4) for event in found[f"p{n}"].events]
    assert {event.kind for event in told} == {kind}
    if kind is K.PHRASE:
        assert {type(getattr(event.facts, "detail", None)) for event in told} == {OwnPhrase}


def test_a_short_running_head_counts_on_and_a_page_has_it_or_not() -> None:
    rows = [[f"{row} {n}" for row in ROWS] for n in range(4)]
    heads = [[f"Kelderwick Papers {40 + n}", *own] for n, own in enumerate(rows)]
    pages = [
        hv.Page.from_text(f"p{n}", "\n".join(rows[n]), {"A": "\n".join(heads[n])}) for n in range(4)
    ]
    (found,) = hv.diagnose(hv.score(pages, hv.Settings(resamples=10))).values()
    assert [(e.kind, e.words, e.errors) for one in found for e in one.events] == [
        (K.HEAD, 3, 3)
    ] * 4
    assert all(one.parts.misread == 3 for one in found)
    there = hv.Page.from_text("q", "\n".join(heads[0]), {"A": "\n".join(heads[0])})
    (found,) = hv.diagnose(hv.score([*pages, there], hv.Settings(resamples=10))).values()
    assert not [event for one in found for event in one.events]


def test_talk_that_is_all_there_is_and_an_apology_that_the_page_has() -> None:
    # A refusal is no layout fault and all that there is to say.
    found = study({"p": TALK})["p"]
    assert found.parts.order == 0
    (event,) = found.events
    assert event.kind is K.REFUSAL
    assert event.errors == found.wer
    assert "I'm sorry" in tell_event(event)
    # An apology that the page itself has is no talk.
    page = f"{TALK}\n{with_rows(ALL)}"
    assert look_at(page, page).diagnosis.events == ()
    misread = page.replace("sorry", "forry").replace("image", "imoge")
    assert look_at(page, misread).diagnosis.events == ()
    # A blank page that is only spoken of is not written on.
    (event,) = look_at("", "The page is blank. There is no legible text.").diagnosis.events
    assert event.kind is K.TALK
    assert "the system comments on it" in tell_event(event)


def test_a_loop_is_told_with_its_source_its_copies_and_its_share() -> None:
    (event,) = look_at(with_rows(ALL), with_rows(range(5), *[4] * 9)).diagnosis.events
    assert "it repeats line 5, 10 times in all" in tell_event(event)
    assert "instead of reading lines 6–12" in tell_event(event)
    assert "65 % of the output" in tell_event(event)
    strange = "lorem ipsum dolor " * 12
    (event,) = look_at(with_rows(ALL), with_rows(ALL, strange)).diagnosis.events
    assert "3 words that the page does not have, 12 times in all" in tell_event(event)
    # Where nothing else was read, it is all that WER charges.
    (event,) = look_at("a b c d e f g h", "zz " * 400).diagnosis.events
    assert (event.kind, event.errors) == (K.LOOP, 400)


def test_an_output_cut_short_says_how_much_is_gone_and_a_last_line_is_only_missing() -> None:
    (event,) = look_at(with_rows(ALL), with_rows(range(7))).diagnosis.events
    assert event.kind is K.TRUNCATED
    assert "from line 8 on is missing, 29 words, 38 % of the page" in tell_event(event)
    (event,) = look_at(with_rows(ALL), with_rows(range(7), "which everybody")).diagnosis.events
    assert "from the middle of line 8 on is missing, 27 words" in tell_event(event)
    (event,) = look_at(with_rows(ALL), with_rows(range(11))).diagnosis.events
    assert event.kind is K.MISSING


def test_text_twice_is_told_by_line_or_as_a_whole() -> None:
    (event,) = look_at(with_rows(ALL), with_rows(*(n for n in ALL for _ in "ab"))).diagnosis.events
    assert tell_event(event).startswith("Every line is there twice")
    (event,) = look_at(with_rows(ALL), with_rows(ALL, ALL)).diagnosis.events
    assert tell_event(event).startswith("The whole text is there twice")


@pytest.mark.parametrize("boxes", [True, False])
def test_a_page_that_stands_there_twice_is_one_fault_however_each_copy_was_read(
    boxes: bool,
) -> None:
    for page in hv.pair_path(SAMPLES / "letterbook").pages[:9]:
        copies = page.reference, page.hypotheses["misreads"]
        lines = [line for copy in copies for line in copy.lines]
        twice = replace(page.reference, lines=tuple(lines))
        output = twice if boxes else hv.Transcript.from_text(twice.text)
        (found,) = hv.diagnose(hv.score([replace(page, hypotheses={"A": output})]))["A"]
        assert [(event.kind, found.parts.order) for event in found.events] == [(K.REPEATED, 0)]


@pytest.mark.parametrize("lines", [True, False])
def test_an_empty_output_and_a_blank_page(lines: bool) -> None:
    text = with_rows(ALL) if lines else with_rows(ALL).replace("\n", " ")
    found = look_at(text, "").diagnosis
    assert [(e.kind, e.words, e.errors) for e in found.events] == [(K.EMPTY, 76, 76)]
    found = look_at("", text).diagnosis
    assert [(e.kind, e.words, e.errors) for e in found.events] == [(K.BLANK, 76, 76)]
    assert look_at("", "").diagnosis.events == ()


def old(text: str) -> str:
    """An older spelling."""
    return re.sub(r"\bw(?=[aeio])", "vv", re.sub(r"s(?=[a-z])", "ſ", text)).replace("th", "þ")


def test_spelling_changed_by_rule_is_told_with_its_rules_and_slips_are_not() -> None:
    found = look_at(old(with_rows(ALL)), with_rows(ALL)).diagnosis
    (event,) = found.events
    assert event.kind is K.SPELLING
    assert event.words == event.errors == 28
    assert (found.wer, found.parts.misread) == (28, 28)
    assert "28 misread words follow 3 rules: ſ→s 14 times; vv→w 9; þ→th 6" in tell_event(event)
    # The same slips without a rule are misread words.
    letters = "abcdefghijklmnop"
    slips = [word[:-1] + letters[n % 16] for n, word in enumerate(with_rows(ALL).split(" "))]
    assert look_at(with_rows(ALL), " ".join(slips)).diagnosis.events == ()


FRENCH: str = cases("french")
ENGLISH: str = cases("english")


def test_a_translation_is_told_from_other_text() -> None:
    found = look_at(ENGLISH, FRENCH).diagnosis
    assert {event.kind for event in found.events} == {K.TRANSLATED}
    assert "into French" in tell_event(found.events[0])
    found = look_at(with_rows(ALL), FRENCH).diagnosis
    assert {event.kind for event in found.events} == {K.REPLACED}


def test_a_page_that_repeats_itself_is_no_loop() -> None:
    # A table that repeats itself is no loop.
    rows = "\n".join(["ditto 4 s. 2 d."] * 12)
    assert look_at(rows, rows).diagnosis.events == ()
    # A page that repeats itself is no loop though it is spelt otherwise.
    litany = "\n".join(["KYRIE ELEISON"] * 40)
    assert find_loops(litany.split(), litany.lower().split()) == []
    accounts = [f"ditto ditto ditto {number}" for number in range(40)]
    misread = " ".join(accounts).replace("ditto", "do").split()
    assert find_loops(" ".join(accounts).split(), misread) == []
    assert find_loops(["one", "two", "three"], litany.split())


@pytest.mark.parametrize(("said", "does"), cases("says"))
def test_a_sentence_does_one_thing(said: str, does: str) -> None:
    found = _says(said)
    assert (found.name if found else "") == does


def test_talk_is_known_in_other_words_than_those_it_was_written_for() -> None:
    page = ENGLISH.split()
    known = [
        said for said in cases("unseen")
        if find_talk(page, said.split(), [0] * len(said.split()))
    ]  # fmt: skip
    assert len(known) >= 16
    assert find_talk(page, ENGLISH.split(), [0] * len(page)) == []
    other = with_rows(ALL).split()
    assert find_talk(page, other, [0] * len(other)) == []
