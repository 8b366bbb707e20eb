"""The presets against the programs that they repeat, or against what is recorded of those."""

import logging
import random
import sys
import unicodedata
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

import jiwer
import pytest
import regex

import htreval_core as hv
from htreval_core.metrics.catalog import PAPER_METRICS, exported_metrics
from htreval_core.metrics.words import WordPair, distance
from htreval_core.model import EditCounts
from tests.conftest import shared
from tests.hostile import NAMES
from tests.tools import cases

Sides = list[tuple[str, str]]

SIGNS = (
    "abcdeABCDE'’-–—⸗=.,;:!? \u00a0\u2009\u3000\t\x0b\x0c\x1c\x1d\x1e\x1f\x85\u2028\u200b\u200d"
    "\u00adéäſßﬁﬀĳæ\u0301\u0308\u0364אב\u05d9׳״ابตาน漢字カな한\ue000\uf50e\ueba7\uf4f912,3٫½²∑☞🇩🇪👩\U0001f469"
)


def hostile_texts(seed: int, more: str = "", n: int = 400) -> Sides:
    """Pairs of short texts, most of them alike, of signs that programs see differently."""
    rng = random.Random(seed)
    sides = []
    for _ in range(n):
        text = [rng.choice(SIGNS + more) for _ in range(rng.randrange(1, 40))]
        other = [
            sign
            for one in text
            for sign in (
                [one] if rng.random() < 0.8 else rng.choices(SIGNS + more, k=rng.randrange(3))
            )
        ]
        sides.append(("".join(["w", *text]), "".join(other)))
    return sides


def texts_of_models() -> Sides:
    """Pages of handwriting as three language models wrote them down, each against the next."""
    folder = shared("vlm/bentham")
    sides = [
        sorted(path.read_text("utf-8") for path in (folder / name).glob("*.txt"))
        for name in ("gemini", "mistral", "openai")
    ]
    return [pair for one, other in pairwise([*sides, sides[0]]) for pair in zip(one, other)]  # noqa: B905


def pages_of_iam() -> Sides:
    return [
        (path.read_text("utf-8"), path.with_suffix(".hyp").read_text("utf-8"))
        for path in sorted(shared("iamdb").glob("*.ref"))
    ]


# --- jiwer


def agree_with_jiwer(sides: Sides) -> None:
    settings = hv.PRESETS["jiwer"].settings
    for reference, hypothesis in sides:
        if not reference.strip():
            continue  # jiwer refuses it
        ours = hv.score_page(reference, hypothesis, settings).scores
        words = jiwer.process_words(reference, hypothesis)
        signs = jiwer.process_characters(reference, hypothesis)
        told = (reference, hypothesis)
        assert ours.n_ref_words == len(words.references[0]), told
        assert ours.wer == EditCounts(
            words.hits, words.substitutions, words.deletions, words.insertions
        ), told
        assert ours.n_ref_chars == signs.hits + signs.substitutions + signs.deletions, told
        assert ours.cer_errors == signs.substitutions + signs.deletions + signs.insertions, told


WRAPPED = [
    ("a\rb c", "a b c"), ("a\r\nb c", "a\nb c"), ("a \x1cb", "a b"), ("a\x1f\x1eb", "a b"),
    ("one two\nthree four", "one two three\nfour"),
    ("Köln,  den 5.\n\nMai\n", "Koln, den 5 .\nMai"), ("\ta\u00a0b c ", "a b  c"),
    ("e\u0301 é", "é e\u0301"), ("Word", "word"),
]  # fmt: skip


def test_jiwer_over_ends_of_lines() -> None:
    agree_with_jiwer(WRAPPED)
    # What the preset is for: the default does not count so.
    plain = hv.score_page(*WRAPPED[4]).scores
    assert (plain.wer.errors, plain.n_ref_words) == (0, 4)


def test_jiwer_on_hostile_texts() -> None:
    agree_with_jiwer(hostile_texts(1, "\r\n  "))
    names = [name for name in NAMES.values() if "\ud800" not in name]
    agree_with_jiwer([(f"x {name} y", f"x {name[::-1]}") for name in names])


def test_jiwer_on_iam() -> None:
    sides = pages_of_iam()
    assert len(sides) == 336
    agree_with_jiwer(sides)


def test_a_page_counts_no_character_of_hcer_against_itself() -> None:
    settings = hv.PRESETS["jiwer"].settings
    text = "a  b\n\nc d"
    assert hv.score_page(text, text, settings).scores.hcer_errors == 0


# --- dinglehopper


@pytest.fixture
def dinglehopper(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """The program, without the packages that only its command and its logging need.

    These are the platform that it is part of, and a guess at encodings."""
    for name, holds in (("ocrd_utils", {"getLogger": logging.getLogger}), ("chardet", {})):
        instead = ModuleType(name)
        instead.__dict__.update(holds)
        monkeypatch.setitem(sys.modules, name, instead)
    program = pytest.importorskip("dinglehopper", reason="`make setup` installs it")
    yield program
    for name in [name for name in sys.modules if name.partition(".")[0] == "dinglehopper"]:
        monkeypatch.delitem(sys.modules, name)


def their_text(program: Any, text: str, folder: Path) -> Any:
    """A text as the program reads it from a file."""
    file = folder / "text.txt"
    file.write_bytes(text.encode("utf-8"))
    return program.ocr_files.plain_extract(str(file), encoding="utf-8")


def agree_with_dinglehopper(program: Any, sides: Sides, folder: Path) -> int:
    """How many of these the program can read at all, having checked that it counts the same."""
    settings = hv.PRESETS["dinglehopper"].settings
    compared = 0
    for pair in sides:
        try:
            reference, hypothesis = (their_text(program, side, folder) for side in pair)
        except ValueError:
            continue  # its own replacements left a text that it refuses
        compared += 1
        ours = hv.score_page(*pair, settings).scores
        rate, n_words = program.word_error_rate_n(reference, hypothesis)
        assert ours.n_ref_words == n_words, pair
        if n_words:
            assert ours.wer.errors == round(rate * n_words), pair
        rate, n_signs = program.character_error_rate_n(reference, hypothesis)
        assert ours.n_ref_chars == n_signs, pair
        if n_signs:
            assert ours.cer_errors == round(rate * n_signs), pair
    return compared


@pytest.mark.parametrize(("reference", "hypothesis"), cases("own_dinglehopper"))
def test_dinglehopper_on_its_own_cases(
    dinglehopper: ModuleType, tmp_path: Path, reference: str, hypothesis: str
) -> None:
    assert agree_with_dinglehopper(dinglehopper, [(reference, hypothesis)], tmp_path) == 1


def test_punctuation_counts_for_characters_alone() -> None:
    scores = hv.score_page(
        "Hello, world.", "Hello world", hv.PRESETS["dinglehopper"].settings
    ).scores
    assert (scores.wer.errors, scores.cer_errors, scores.n_ref_chars) == (0, 2, 13)
    assert scores.hcer_errors == 2


@pytest.mark.thorough
def test_dinglehopper_on_hostile_texts(dinglehopper: ModuleType, tmp_path: Path) -> None:
    # Its library does not look past a mark or an invisible sign on punctuation within a word; ours
    # does not join a word to an emoji.
    unclear = regex.compile(r"\p{P}[\p{M}\p{Cf}]|\u200d\p{Extended_Pictographic}")
    sides = [
        pair
        for pair in hostile_texts(2, "\n\n\r  ", n=800)
        if not any(unclear.search(unicodedata.normalize("NFC", side)) for side in pair)
    ]
    assert agree_with_dinglehopper(dinglehopper, sides, tmp_path) > 200


@pytest.mark.thorough
def test_dinglehopper_on_iam_and_texts_of_models(dinglehopper: ModuleType, tmp_path: Path) -> None:
    for sides in (pages_of_iam()[::4], texts_of_models()):
        assert agree_with_dinglehopper(dinglehopper, sides, tmp_path) == len(sides)


# --- sclite


def sclite_counts(ref: list[str], hyp: list[str]) -> EditCounts:
    """The table of sclite's documentation, cell by cell: 0, 4, 3, 3, and which step it prefers."""
    cells = {(0, 0): (0, EditCounts())}
    for j in range(len(ref) + 1):
        for k in range(len(hyp) + 1):
            steps = []
            if j and k:
                cost, counts = cells[j - 1, k - 1]
                same = ref[j - 1] == hyp[k - 1]
                step = EditCounts(hits=1) if same else EditCounts(substitutions=1)
                steps.append((cost + (0 if same else 4), counts + step))
            if k:
                cost, counts = cells[j, k - 1]
                steps.append((cost + 3, counts + EditCounts(insertions=1)))
            if j:
                cost, counts = cells[j - 1, k]
                steps.append((cost + 3, counts + EditCounts(deletions=1)))
            if steps:
                cells[j, k] = min(steps, key=lambda step: step[0])  # the first of equals
    return cells[len(ref), len(hyp)][1]


def test_sclite_may_count_more_errors_than_the_edit_distance() -> None:
    settings = hv.PRESETS["sclite"].settings
    reference, hypothesis = "u v w A B", "A B x y z"
    page = hv.score_page(reference, hypothesis, settings)
    assert page.scores.wer == EditCounts(hits=2, deletions=3, insertions=3)
    assert hv.wer(reference, hypothesis, settings) == 6 / 5
    # Line by line as well, and no order is said to have cost what only the costs did.
    assert page.scores.line_wer_errors == 6
    assert hv.score_page(reference, hypothesis).scores.wer.errors == 5


@pytest.mark.parametrize("letters", ["abcd", "abcdefghijklm"])
def test_sclite_counts_as_its_documentation_says(letters: str) -> None:
    rng = random.Random(letters)
    settings = hv.PRESETS["sclite"].settings
    more = 0
    for _ in range(150):
        ref, hyp = (rng.choices(letters, k=rng.randrange(20)) for _ in range(2))
        scores = hv.score_page(" ".join(ref), " ".join(hyp).upper(), settings).scores
        assert scores.wer == sclite_counts(ref, hyp), (ref, hyp)
        assert scores.bwer.errors <= scores.wer.errors
        more += scores.wer.errors > distance(*WordPair.of(ref, hyp).common)
    assert more


def test_what_order_costs_is_no_more_under_sclite() -> None:
    """Its surplus over the edit distance is no fault of order."""
    words = [f"w{n}" for n in range(60)]
    moved = [*words[:10], *words[40:], *words[10:40]]
    pages = [hv.Page.from_text("p", " ".join(words), {"s": " ".join(moved)})]
    saved = {}
    for name in ("default", "sclite"):
        look = hv.score(pages, hv.PRESETS[name].settings).look("p", "s")
        saved[name] = look.diagnosis.parts.order
        assert look.diagnosis.parts.errors == look.page.scores.wer.errors
    assert saved["sclite"] == saved["default"]


# --- the authors' program


def test_to_the_authors_program_a_byte_order_mark_is_text(tmp_path: Path) -> None:
    for name, text in (("p.ref", "\ufeffa b"), ("p.hyp", "a b")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    for preset, wrong in (("default", 0), ("authors", 1)):
        settings = hv.PRESETS[preset].settings
        study = hv.score(hv.pair_path(tmp_path, reading=settings.reading), settings)
        assert study.look("p", study.systems[0]).page.scores.wer.errors == wrong


def test_files_hold_what_a_preset_publishes() -> None:
    usual = exported_metrics(hv.PRESETS["default"].settings)
    assert set(exported_metrics(hv.PRESETS["hipe"].settings)) - set(usual) == {"wmer", "cmer"}
    assert exported_metrics(hv.Settings(gamma=2)) == usual
    assert set(usual) == {*PAPER_METRICS}


def test_no_preset_normalises_what_its_program_leaves() -> None:
    decomposed = unicodedata.normalize("NFD", "é")
    for name in ("jiwer", "hipe", "sclite"):
        scores = hv.score_page("é", decomposed, hv.PRESETS[name].settings).scores
        assert scores.wer.errors == 1, name
