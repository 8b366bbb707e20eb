"""What language models do to a page, each told for what it is."""

from __future__ import annotations

import pytest

import htreval_core as hv
from htreval_core.diagnosis import EventKind
from tests.diagnosis.test_failures import ROWS
from tests.tools import look_at

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
    "cut off": (with_rows(range(7)), K.MISSING),
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
    assert "p2" in event.sentence


@pytest.mark.parametrize("said", [TALK, PREFACE])
def test_a_system_that_speaks_of_itself_is_known_on_a_single_page(said: str) -> None:
    (event,) = study({"p": with_rows(said, ALL)})["p"].events
    assert event.kind is K.PHRASE


def test_what_a_system_writes_on_page_after_page_is_its_own_phrase() -> None:
    motto = "Scanned with care by the library of somewhere"
    outputs = {f"p{n}": "\n".join([motto, *(f"{row} {n}" for row in ROWS)]) for n in range(4)}
    found = study({"p": with_rows(ALL)} | outputs)
    assert {e.kind for n in range(4) for e in found[f"p{n}"].events} == {K.PHRASE}


def test_a_refusal_is_no_layout_failure() -> None:
    found = study({"p": TALK})["p"]
    assert found.parts.order == 0
    assert found.events


def test_a_table_that_repeats_itself_is_no_loop() -> None:
    rows = "\n".join(["ditto 4 s. 2 d."] * 12)
    assert look_at(rows, rows).diagnosis.events == ()
