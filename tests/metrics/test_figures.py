"""Figures beside the paper's: bounded rates, bags of letters, omission."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import htreval_core as hv
from htreval_core.metrics.catalog import METRICS
from htreval_core.metrics.values import page_value
from tests.conftest import shared

NEW = ("wmer", "cmer", "bcer", "omission", "line_nsfd")


def scores(reference: str, hypothesis: str, **settings: object) -> hv.PageScores:
    return hv.score_page(reference, hypothesis, hv.Settings(**settings)).scores


def counts(name: str, reference: str, hypothesis: str) -> tuple[float, float] | None:
    return METRICS[name].counts(scores(reference, hypothesis))


@pytest.mark.parametrize(
    ("name", "reference", "hypothesis", "expected"),
    [
        # One word of three replaced, one added: 2 wrong of 4 in the alignment.
        ("wmer", "aa bb cc", "aa xx cc dd", (2, 4)),
        ("wmer", "", "aa bb", (2, 2)),
        # Two letters replaced, or one left out and one added: of these rapidfuzz takes the first.
        ("cmer", "abc", "acx", (2, 3)),
        ("cmer", "abc", "abcde", (2, 5)),
        ("cmer", "abc", "", (3, 3)),
        ("cmer", "", "ab", (2, 2)),
        ("bcer", "abc d", "d abc", (0, 5)),
        ("bcer", "aab", "abbb", (2, 3)),
        ("omission", "a b c d e f g", "a f g", (4, 7)),
        ("omission", "a b c d e f g", "a e f g", (0, 7)),
        ("omission", "a b c d e f g", "a x y z w f g", (0, 7)),
        # Moved, not left out.
        ("omission", "a b c d e f g h i j", "e f g h i j a b c d", (0, 10)),
        # Lines 1 2 3 read as 3 1 2: 2 + 1 + 1 of 4.
        ("line_nsfd", "aa ab\nba bb\nca cb", "ca cb\naa ab\nba bb", (4, 4)),
        # A line without a mate adds 1.
        ("line_nsfd", "aa ab\nba bb\nca cb", "aa ab\nca cb", (1, 4)),
        ("line_nsfd", "aaaa bbbb\ncccc dddd", "u v\nw x", (4, 2)),
        ("line_nsfd", "aa ab", "aa\nab", None),
        ("line_nsfd", "aa ab\n\n", "aa\nab", None),
    ],
)
def test_by_hand(
    name: str, reference: str, hypothesis: str, expected: tuple[int, int] | None
) -> None:
    assert counts(name, reference, hypothesis) == expected


def test_bags_of_letters_saturate() -> None:
    """Random letters in place of a long page: nearly all of them are in the bag all the same."""
    rng = random.Random(2)
    true, wrong = ("".join(rng.choices("abcdefgh ", k=5000)) for _ in range(2))
    assert page_value(scores(true, wrong), "bcer") < 0.05
    assert page_value(scores(true, wrong), "cer") > 0.4


words = st.lists(st.sampled_from(["a", "bb", "cab", "dad", "\n"]), max_size=14).map(" ".join)


@given(words, words)
def test_properties(reference: str, hypothesis: str) -> None:
    one = scores(reference, hypothesis)
    values = {name: page_value(one, name) for name in METRICS}
    for name in ("wmer", "cmer"):
        assert 0 <= values[name] <= 1
    assert None not in (one.bcer_errors, one.cer_hits)
    assert one.bcer_errors <= one.cer_errors
    # H + S + D is the reference, H + S + I the output: what is left has to add up.
    kept_or_replaced = one.n_ref_chars + one.n_hyp_chars - (one.cer_hits + one.cer_errors)
    assert one.cer_hits <= kept_or_replaced <= min(one.n_ref_chars, one.n_hyp_chars)
    if one.n_ref_words:
        assert values["wmer"] <= values["wer"] + 1e-12
        assert values["cmer"] <= values["cer"] + 1e-12
        assert 0 <= values["omission"] <= 1
    same = scores(reference, reference)
    assert (same.omitted_words, same.cer_errors) == (0, 0)
    assert same.line_nsfd_errors in (None, 0)


def test_every_figure_goes_where_figures_go() -> None:
    study = hv.score([hv.Page.from_text("1", "a b\nc d", {"x": "a b\nd c"})])
    frame = study.to_frame()
    assert {*NEW} <= {*METRICS} & {*frame.columns} & {*study.corpora["x"].estimates}


# --- published and golden values


@pytest.fixture(scope="module")
def of_iam() -> hv.Study:
    return hv.score(hv.pair_path(shared("iamdb")))


def test_counts_of_iam_are_golden_and_jiwers(of_iam: hv.Study) -> None:
    # Golden values of iam.
    # bCER is that of SpACER's authors; DL and DR are printed by the program of the paper.
    (corpus,) = of_iam.corpora.values()
    bcer = corpus.estimates["bcer"]
    assert (bcer.errors, bcer.length) == (5594, 125669)
    assert f"{corpus.delta_l:.2f} {corpus.delta_r:.2f}" == "43.83 4.65"
    # The trace as found is jiwers.
    found = hv.score(of_iam.dataset, hv.Settings(trace="as-found"))
    (corpus,) = found.corpora.values()
    edits = corpus.wer
    assert (edits.substitutions, edits.deletions, edits.insertions) == (5459, 530, 259)
    (refined,) = of_iam.corpora.values()
    assert refined.wer.errors == edits.errors
    assert found.settings.signature() != of_iam.settings.signature()
    # Hits of characters are jiwers.
    jiwer = pytest.importorskip("jiwer")
    (system,) = of_iam.systems
    for one in list(of_iam.scores[system])[:40]:
        page = of_iam.page(one.page_id)
        sides = [" ".join(s.text.split()) for s in (page.reference, page.hypotheses[system])]
        theirs = jiwer.process_characters(*sides)
        assert one.cer_hits == theirs.hits


def test_four_words_in_a_row_are_left_out_unless_they_stand_elsewhere() -> None:
    words = [f"w{n}" for n in range(16)]

    def left_out(*at: int) -> int | None:
        return scores(" ".join(words), " ".join(words[n] for n in at)).omitted_words

    for lost, expected in (
        ([3, 4, 5], 0), ([3, 4, 5, 6], 4), ([3, 4, 6, 7], 0), ([0, 1, 2, 3, 5, 6, 7, 8, 9], 9)
    ):  # fmt: skip
        assert left_out(*(n for n in range(16) if n not in lost)) == expected, lost
    # All of the first four read last, half of them, and one.
    assert left_out(*range(4, 16), 0, 1, 2, 3) == 0
    assert left_out(*range(4, 16), 0, 1) == 0
    assert left_out(*range(4, 16), 0) == 4
