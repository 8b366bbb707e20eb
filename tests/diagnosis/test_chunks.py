"""Chunks by the words alone: whatever the order, none is joined over another, none is chance."""

from itertools import pairwise
from string import ascii_lowercase
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import htreval_core as hv
from htreval_core.diagnosis import EventKind
from htreval_core.diagnosis.limits import REPAIR
from htreval_core.diagnosis.order.doubt import _seams
from htreval_core.diagnosis.order.repair import find_repairs
from htreval_core.diagnosis.page.chains import find_chunks
from htreval_core.diagnosis.page.evidence import Evidence
from htreval_core.diagnosis.page.shapes import LineShapes
from htreval_core.model import Line, Polygon, Transcript
from tests.conftest import SAMPLES
from tests.made import letterbook
from tests.sheets import misread
from tests.tools import look_at

WORDS = ["".join(word) for word in np.random.default_rng(0).choice(list(ascii_lowercase), (56, 7))]
"""Words that are not alike: alike ones may be taken for each other, misread where they stand."""


@st.composite
def interleaved(draw: st.DrawFn) -> tuple[list[int], list[int]]:
    """Lengths of blocks, and an order in which pieces of them are read."""
    lengths = draw(st.lists(st.integers(3, 9), min_size=2, max_size=6))
    return lengths, list(draw(st.permutations(range(len(lengths)))))


@given(interleaved())
def test_no_chunk_is_joined_over_a_foreign_one(made: tuple[list[int], list[int]]) -> None:
    lengths, order = made
    starts = np.concatenate([[0], np.cumsum(lengths)])
    words = WORDS[: int(starts[-1])]
    read = [words[j] for n in order for j in range(starts[n], starts[n + 1])]
    page = hv.score_page(" ".join(words), " ".join(read))
    chunks = find_chunks(page.matching, frozenset(), frozenset())
    owner = {k: number for number, chunk in enumerate(chunks) for _, k in chunk.pairs}
    assert len(owner) == sum(len(chunk.pairs) for chunk in chunks)
    for chunk in chunks:
        for side in (0, 1):
            inside = {pair[side] for pair in chunk.pairs}
            gap = set(range(min(inside), max(inside) + 1)) - inside
            others = {pair[side] for other in chunks if other is not chunk for pair in other.pairs}
            assert not gap & others
        assert all(a[0] < b[0] and a[1] < b[1] for a, b in pairwise(chunk.pairs))


@given(interleaved())
def test_blocks_in_any_order_cost_nothing_but_order(made: tuple[list[int], list[int]]) -> None:
    lengths, order = made
    starts = np.concatenate([[0], np.cumsum(lengths)])
    words = WORDS[: int(starts[-1])]
    read = "\n".join(" ".join(words[starts[n] : starts[n + 1]]) for n in order)
    lines = "\n".join(" ".join(words[a:b]) for a, b in pairwise(starts))
    found = look_at(lines, read).diagnosis
    assert found.parts.misread == found.parts.doubt == 0
    assert found.parts.order >= 0.8 * found.wer


@pytest.mark.parametrize("seed", range(30))
def test_the_words_of_other_text_are_no_evidence(seed: int) -> None:
    """A page that ends in text of another: equal words lost and added, and nothing moved."""
    rng = np.random.default_rng(seed)
    words = letterbook()
    at, other = rng.integers(0, len(words) - 300, 2)
    if abs(at - other) < 300:
        other = (at + 600) % (len(words) - 300)
    reference = " ".join(words[at : at + 250])
    kept = misread(words[at : at + 180], 0.5, rng)
    found = look_at(reference, " ".join([*kept, *words[other : other + 70]])).diagnosis
    assert found.parts.order <= 0.02 * found.n_ref_words
    assert found.parts.order <= 0.3 * found.delta_wer


def test_a_rare_word_says_more_than_a_common_one_and_a_misread_one_less() -> None:
    words = ["the"] * 40 + WORDS + ["harbour"]
    evidence = Evidence(words, ["the", "harbour", "harbuor"])
    last = len(words) - 1
    the, rare, wrong = evidence.of_pairs([(0, 0), (last, 1), (last, 2)])
    assert rare > the > 0
    assert rare > wrong > 0
    assert evidence.of_pairs([(last, 0)]) == 0
    assert evidence.needed(100) > evidence.needed(3)


def test_a_page_of_other_text_is_not_told_to_be_out_of_order() -> None:
    pages = hv.pair_path(SAMPLES / "letterbook").pages
    order = words = 0
    for n, page in enumerate(pages):
        found = look_at(page.reference, pages[(n + 5) % len(pages)].reference).diagnosis
        order += found.parts.order
        words += found.n_ref_words
    assert order <= 0.01 * words


@pytest.mark.thorough
@pytest.mark.parametrize(("words", "rate"), [(30, 0.2), (300, 0.0)])
def test_the_halves_of_a_register_that_changed_places_are_order(words: int, rate: float) -> None:
    """Every word stands nearby as well, so a matching of single words sees nothing out of place."""
    rng = np.random.default_rng(words)
    text = [f"{word}{'abcdefghij'[word % 10]}" for word in rng.integers(100, 100 + words, 3000)]
    lines = [" ".join(text[at : at + 8]) for at in range(0, len(text), 8)]
    half = len(lines) // 2
    read = "\n".join([*lines[half:], *lines[:half]]).split("\n")
    read = [" ".join(misread(line.split(), rate, rng)) for line in read]
    found = look_at("\n".join(lines), "\n".join(read)).diagnosis
    assert found.events[0].kind is EventKind.MOVED
    assert found.parts.order >= 0.9 * (found.parts.order + found.parts.coincidence)


def test_more_groups_than_are_tried_one_by_one_are_put_back_together() -> None:
    blocks = [" ".join(f"{at}w{n}" for n in range(6)) for at in range(4 * REPAIR.SINGLY + 24)]
    look = look_at("\n".join(blocks), "\n".join(blocks[at ^ 1] for at in range(len(blocks))))
    errors, sets = look.page.scores.wer.errors, [(at,) for at in range(len(look.layout.groups))]
    found = find_repairs(look.ground.words, look.layout, sets, errors)
    assert len(sets) > len(found) > REPAIR.SINGLY
    assert [one.several for one in found].count(True) == 1
    assert sum(one.saved for one in found) == errors


def test_the_slope_of_a_line_and_where_displaced_lines_begin_and_end() -> None:
    x, thick = np.array([0, 200, 400, 400, 200, 0]), np.array([0, 0, 0, 30, 30, 30])
    lines = (Line("", polygon=Polygon(np.c_[x, 5000 + x * by + thick])) for by in (0.1, 1))
    assert LineShapes.of(Transcript(tuple(lines))).slope.tolist() == pytest.approx([0.1, 0])
    ground = SimpleNamespace(n_words=np.array([3, 0, 2, 2, 1]))
    assert _seams(ground, {2, 3}) == [(0, 2), (3, 4)]
