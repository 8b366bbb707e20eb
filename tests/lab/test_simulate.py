"""Made faults: what was done is what is said, and as much as was asked for."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import htreval_core as hv
from htreval_core.lab.simulate import (
    WRAP_AT,
    Alphabet,
    Noise,
    SplitCase,
    add_noise,
    split_lines,
    swap_line_pairs,
    with_lines,
)
from tests.conftest import SAMPLES


@pytest.fixture(scope="module")
def references() -> list[hv.Transcript]:
    return [with_lines(page.reference) for page in hv.pair_path(SAMPLES / "letterbook").pages]


@pytest.fixture(scope="module")
def alphabet(references: list[hv.Transcript]) -> Alphabet:
    return Alphabet.of(references)


def rng(*seed: int) -> np.random.Generator:
    return np.random.default_rng(seed)


def words(transcript: hv.Transcript) -> list[str]:
    return transcript.text.split()


NOISES = {
    "word level": Noise(0.13),
    "line level": Noise(0.13, white_space=0.17),
    "much white space": Noise(0.1, white_space=0.6),
    "substitutions alone": Noise(0.195, insertions=0, deletions=0),
    "mostly insertions": Noise(0.05, substitutions=1, insertions=7, deletions=2),
}


@pytest.mark.parametrize("name", NOISES)
def test_noise_is_met_in_expectation(
    name: str, references: list[hv.Transcript], alphabet: Alphabet
) -> None:
    noise = NOISES[name]
    truths = [
        add_noise(page, noise, alphabet, rng(repeat, number))[1]
        for repeat in range(8)
        for number, page in enumerate(references)
    ]
    n = sum(truth.characters for truth in truths)
    edits = sum(truth.edits for truth in truths)
    # Each character is a draw of its own: four standard errors.
    assert edits / n == pytest.approx(noise.rate, abs=4 * (noise.rate / n) ** 0.5)
    white = sum(truth.spaces_added + truth.spaces_removed for truth in truths)
    assert white / edits == pytest.approx(noise.white_space, abs=4 * (0.25 / edits) ** 0.5)
    weights = (noise.substitutions, noise.insertions, noise.deletions)
    found = [sum(getattr(truth, kind) for truth in truths) for kind in KINDS]
    for weight, count in zip(weights, found, strict=True):
        share = weight / sum(weights)
        assert count / sum(found) == pytest.approx(share, abs=4 * (0.25 / edits) ** 0.5)


KINDS = ("substitutions", "insertions", "deletions")


def test_each_kind_of_noise_does_what_it_says(
    references: list[hv.Transcript], alphabet: Alphabet
) -> None:
    for number, page in enumerate(references):
        # At the level of words white space is untouched.
        hypothesis, truth = add_noise(page, Noise(0.3, deletions=0), alphabet, rng(number))
        assert truth.spaces_added == truth.spaces_removed == 0
        for before, after in zip(page.lines, hypothesis.lines, strict=True):
            assert len(after.text.split()) == len(before.text.split())
        # A character is replaced by another one, never by itself.
        noise = Noise(0.2, insertions=0, deletions=0)
        hypothesis, truth = add_noise(page, noise, alphabet, rng(number))
        differ = sum(a != b for a, b in zip(page.text, hypothesis.text, strict=True))
        assert differ == truth.substitutions
        # White space that comes and goes changes the number of words.
        noise = Noise(0.1, deletions=0, white_space=0.5)
        hypothesis, truth = add_noise(page, noise, alphabet, rng(number))
        gained = truth.spaces_added - truth.spaces_removed
        assert len(words(hypothesis)) - len(words(page)) == gained
        assert truth.spaces_added
        assert truth.spaces_removed


def test_new_characters_are_those_of_the_data_as_often_as_they_occur() -> None:
    alphabet = Alphabet.of([hv.Transcript.from_text("aaaaaa bbb c")])
    assert alphabet.mean_word_length == 10 / 3
    assert alphabet.share_of_spaces == 2 / 12
    grid = (np.arange(1000) + 0.5) / 1000
    drawn = Counter(map(chr, alphabet.draw(grid).tolist()))
    assert drawn == {"a": 600, "b": 300, "c": 100}
    others = Counter(map(chr, alphabet.draw_other(grid, np.full(1000, ord("b"))).tolist()))
    assert set(others) == {"a", "c"}
    assert others["a"] / others["c"] == pytest.approx(6, rel=0.02)
    foreign = Counter(map(chr, alphabet.draw_other(grid, np.full(1000, ord("z"))).tolist()))
    assert foreign == drawn


@given(
    st.lists(st.text(max_size=12), max_size=5).filter(
        lambda lines: len(set("".join("".join(lines).split()))) > 1
    ),
    st.floats(0, 1),
    st.floats(0, 0.9),
    st.integers(0, 99),
)
@settings(deadline=None)
def test_noise_stands_any_text(lines: list[str], rate: float, white: float, seed: int) -> None:
    page = hv.Transcript(tuple(map(hv.Line, lines)))
    alphabet = Alphabet.of([page])
    hypothesis, truth = add_noise(page, Noise(rate, white_space=white), alphabet, rng(seed))
    assert len(hypothesis.lines) == len(page.lines)
    assert set("".join(words(hypothesis))) <= set("".join(words(page)))
    if not truth.edits:
        assert [line.text.split() for line in hypothesis.lines] == [
            line.text.split() for line in page.lines
        ]


def test_more_noise_is_the_same_noise_and_some_more(
    references: list[hv.Transcript], alphabet: Alphabet
) -> None:
    counts = []
    for rate in (0.05, 0.1, 0.2):
        noise = Noise(rate, insertions=0, deletions=0)
        text = add_noise(references[0], noise, alphabet, rng(3))[0].text
        counts.append({n for n, (a, b) in enumerate(zip(references[0].text, text, strict=True))
                       if a != b})  # fmt: skip
    assert counts[0] < counts[1] < counts[2]


@pytest.mark.parametrize(
    "wrong",
    [
        {"rate": 1.2},
        {"rate": float("nan")},
        {"rate": 0.1, "substitutions": -1},
        {"rate": 0.1, "substitutions": 0, "insertions": 0, "deletions": 0},
        {"rate": 0.1, "white_space": 1.0},
    ],
)
def test_noise_that_makes_no_sense_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(hv.ConfigError, match="noise"):
        Noise(**wrong)
    with pytest.raises(hv.ConfigError, match="two characters"):
        Alphabet.of([hv.Transcript.from_text("aa a")])


def test_text_without_lines_is_wrapped_and_blank_lines_go() -> None:
    text = " ".join(f"w{n}" for n in range(2 * WRAP_AT + 3))
    wrapped = with_lines(hv.Transcript.from_text(text))
    assert [len(line.text.split()) for line in wrapped.lines] == [WRAP_AT, WRAP_AT, 3]
    assert words(wrapped) == text.split()
    assert with_lines(hv.Transcript.from_text("a b\n\n c d\n")).text == "a b\n c d"
    assert with_lines(hv.Transcript(())).lines == ()


def test_swapped_lines_change_places_once_at_the_distances_given(
    references: list[hv.Transcript],
) -> None:
    for number, page in enumerate(references):
        hypothesis, truth = swap_line_pairs(page, 6, rng(number))
        assert truth.made == truth.wanted == 6
        touched = [line for pair in truth.pairs for line in pair]
        assert len(set(touched)) == len(touched)
        expected = [line.text for line in page.lines]
        for first, second in truth.pairs:
            assert 4 <= second - first <= 7
            expected[first], expected[second] = expected[second], expected[first]
        assert [line.text for line in hypothesis.lines] == expected


def test_distances_of_swaps_are_drawn_evenly(references: list[hv.Transcript]) -> None:
    distances = Counter(
        second - first
        for seed in range(400)
        for first, second in swap_line_pairs(references[seed % 24], 1, rng(seed))[1].pairs
    )
    assert set(distances) == {4, 5, 6, 7}
    # Four standard errors of a binomial count.
    assert all(abs(count - 100) < 4 * (400 * 0.25 * 0.75) ** 0.5 for count in distances.values())


def test_fewer_swaps_where_there_is_no_room_and_more_are_the_same_and_some_more(
    references: list[hv.Transcript],
) -> None:
    # Fewer swaps where there is no room.
    short = hv.Transcript.from_text("a\nb\nc\nd\ne")
    hypothesis, truth = swap_line_pairs(short, 3, rng(0))
    assert truth.wanted == 3
    assert truth.pairs == ((0, 4),)
    assert hypothesis.text == "e\nb\nc\nd\na"
    assert swap_line_pairs(hv.Transcript(()), 3, rng(0))[1].made == 0
    with pytest.raises(hv.ConfigError, match="distances"):
        swap_line_pairs(short, 1, rng(0), nearest=3, farthest=2)
    # More swaps are the same swaps and some more.
    few = swap_line_pairs(references[0], 2, rng(5))[1].pairs
    assert swap_line_pairs(references[0], 5, rng(5))[1].pairs[:2] == few


def test_split_lines_stand_as_their_record_says(references: list[hv.Transcript]) -> None:
    cases: Counter[SplitCase] = Counter()
    for number, page in enumerate(references):
        hypothesis, truth = split_lines(page, 4, rng(number))
        texts = [line.text for line in hypothesis.lines]
        assert truth.made == 4
        assert len(texts) == len(page.lines) + 4
        assert len(words(hypothesis)) - len(words(page)) == sum(
            split.within_word for split in truth.splits
        )
        for split in truth.splits:
            cases[split.case] += 1
            line, following = page.lines[split.line].text, None
            if split.case is not SplitCase.SUFFIX_FIRST:
                following = page.lines[split.line + 1].text
            joint = "" if split.within_word else " "
            assert split.prefix + joint + split.suffix == line
            orders = {
                SplitCase.SUFFIX_FIRST: [split.suffix, split.prefix],
                SplitCase.SUFFIX_LATE: [split.prefix, following, split.suffix],
                SplitCase.PREFIX_LATE: [split.suffix, following, split.prefix],
            }
            expected = orders[split.case]
            assert any(texts[at : at + len(expected)] == expected for at in range(len(texts))), (
                split
            )
    assert set(cases) == set(SplitCase)


def test_splits_fall_within_words_with_odds_of_one_to_four(references: list[hv.Transcript]) -> None:
    splits = [
        split
        for seed in range(20)
        for number, page in enumerate(references)
        for split in split_lines(page, 2, rng(seed, number))[1].splits
    ]
    within = sum(split.within_word for split in splits)
    assert within / len(splits) == pytest.approx(0.2, abs=4 * (0.16 / len(splits)) ** 0.5)


def test_splits_stop_where_there_is_no_room() -> None:
    assert split_lines(hv.Transcript.from_text("a"), 3, rng(0))[1].made == 0
    alone = hv.Transcript.from_text("ab cd ef")
    made = [split_lines(alone, 1, rng(seed))[1] for seed in range(30)]
    assert {split.case for truth in made for split in truth.splits} == {SplitCase.SUFFIX_FIRST}
    assert any(not truth.made for truth in made)
