"""Scripts without spaces, and from right to left."""

import random
from pathlib import Path

import pytest

import htreval_core as hv
from htreval_core.diagnosis.diagnose import repair_page
from htreval_core.diagnosis.model import EventKind
from htreval_core.model import Transcript
from htreval_core.show.views.page import page_payload
from htreval_core.text import lacks_spaces, page_words
from tests.tools import invoke, warned, write_tree

CHINESE, OTHER = "一二三四五六七八九十甲乙丙丁戊己", "子丑寅卯辰巳午未申酉戌亥天地玄黄"


def words(text: str, **policy: object) -> list[str]:
    return list(page_words(Transcript.from_text(text), hv.TextPolicy(**policy)).words)


def text(given: str, **policy: object) -> str:
    return page_words(Transcript.from_text(given), hv.TextPolicy(**policy)).text


@pytest.mark.parametrize("of_words", ["whitespace", "unicode", "characters"])
@pytest.mark.parametrize("of_characters", ["codepoint", "grapheme"])
def test_no_space_that_nobody_wrote_is_counted(of_words: str, of_characters: str) -> None:
    policy = hv.TextPolicy(words=of_words, characters=of_characters)
    scores = hv.score_page(CHINESE, OTHER, hv.Settings(policy=policy)).scores
    assert (scores.cer_errors, scores.n_ref_chars, scores.n_hyp_chars) == (16, 16, 16)
    assert scores.hcer_errors == 16


def test_a_word_may_be_a_character() -> None:
    assert words("春 眠\n不覺。", words="characters") == ["春", "眠", "不", "覺", "。"]
    assert words("กำลัง", words="characters") == ["กำ", "ลั", "ง"]
    assert words("e\u0301a", words="characters", form="none") == ["e\u0301", "a"]
    assert words(" \n\u3000", words="characters") == []


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("春 眠\n不覺", "春 眠不覺"), ("ab cd\nef", "ab cd ef"), ("春\nab", "春 ab"),
        ("ab\n\n春", "ab 春"), ("", ""),
    ],
)  # fmt: skip
def test_spaces_are_counted_where_they_stand(given: str, expected: str) -> None:
    assert text(given, words="characters") == expected
    assert text(given, words="unicode") == expected


def test_punctuation_without_a_space_leaves_none() -> None:
    assert text("Haus-Tür, 1/2 – so", words="unicode") == "HausTür 12 so"


def test_graphemes_of_a_page_are_those_of_its_words() -> None:
    policy = hv.TextPolicy(words="characters", characters="grapheme")
    scores = hv.score_page("กำลัง", "กำลง", hv.Settings(policy=policy)).scores
    assert (scores.cer_errors, scores.n_ref_chars, scores.wer.errors) == (1, 3, 1)


def chinese_page() -> tuple[list[str], list[str]]:
    """3,000 characters; in the output every twentieth is misread, and lines 41–70 come first."""
    rng = random.Random(3)
    signs = [chr(0x4E00 + rng.randrange(6000)) for _ in range(1500)]
    lines = ["".join(rng.choices(signs, k=25)) for _ in range(120)]
    read = ["".join(c if rng.random() > 0.05 else rng.choice(signs) for c in one) for one in lines]
    return lines, read[40:70] + read[:40] + read[70:]


@pytest.mark.parametrize("of_words", ["unicode", "characters"])
def test_a_block_of_a_chinese_page_that_moved_is_named(of_words: str) -> None:
    reference, output = ("\n".join(side) for side in chinese_page())
    settings = hv.Settings(policy=hv.TextPolicy(words=of_words))
    study = hv.score([hv.Page.from_text("1", reference, {"A": output})], settings)
    scores = study.scores["A"][0]
    assert scores.n_ref_words == scores.n_ref_chars == 3000
    look = study.look("1", "A")
    (event,) = look.diagnosis.events
    assert event.kind is EventKind.MOVED
    assert (event.reference, event.words) == ((1000, 1750), 750)
    assert len(page_payload(look.page, "matching", look)["cards"]) == 1
    # Put back, it has its misread characters left, and no space came in between.
    mended, _ = repair_page(
        look.page, study.page("1").hypotheses["A"], look.layout, event.groups, settings
    )
    assert mended.scores.cer_errors == mended.scores.wer.errors <= scores.bwer.errors + 40
    assert mended.scores.n_hyp_chars == 3000


@pytest.mark.parametrize(
    ("given", "without"),
    [
        (CHINESE, True), ("これはペンです。", True), ("ภาษาไทย", True), ("ພາສາລາວ", True),
        ("ភាសាខ្មែរ", True), ("မြန်မာ", True), ("한국어 글", False), ("plain", False),
        ("بسم الله", False), ("", False), ("學 而 時習 之 不亦 說 乎", False),
        (f"{CHINESE} {'word ' * 9}", False),
    ],
)  # fmt: skip
def test_scripts_without_spaces_are_known(given: str, without: bool) -> None:
    assert lacks_spaces(given) is without


def test_a_line_that_counts_as_one_word_is_told(tmp_path: Path) -> None:
    root = write_tree(tmp_path / "data", {"1.ref": CHINESE, "1.hyp": OTHER})
    (said,) = warned(hv.pair_path(root))
    assert "a whole line counts as one word" in said
    assert "--words characters" in invoke("score", root).stderr
    for one in ("characters", "unicode"):
        assert "one word" not in invoke("score", root, "--words", one).stderr
    study = hv.score(hv.pair_path(root), hv.Settings(policy=hv.TextPolicy(words="characters")))
    assert study.warnings == ()


def test_vowel_signs_may_be_passed_over() -> None:
    pointed, bare = "كِتَابٌ جَدِيد", "كتاب جديـد"
    assert hv.wer(pointed, bare) == 1
    assert hv.wer(pointed, bare, hv.Settings(policy=hv.TextPolicy(ignore_marks=True))) == 0
    assert "ignore-marks:yes" in hv.TextPolicy(ignore_marks=True).sign()


@pytest.mark.parametrize("text", ["コー\nヒー", "コ・\nヒ", "葛\U000e0100\n城", "か\u3099\nき"])
def test_the_end_of_a_line_is_no_space_next_to_signs_that_have_no_script(text: str) -> None:
    settings = hv.Settings(policy=hv.TextPolicy(words="characters"))
    assert hv.score_page(text, text.replace("\n", ""), settings).scores.cer_errors == 0
