"""From pages to a corpus: averages and intervals, by hand on pages small enough for that."""

import math
import warnings
from collections.abc import Iterator
from dataclasses import fields, replace
from fractions import Fraction
from pathlib import Path
from statistics import NormalDist

import numpy as np
import pandas as pd
import pytest

import htreval_core as hv
from htreval_core.metrics.columns import ScoreTable
from htreval_core.metrics.values import count_tables, page_value
from htreval_core.model import EditCounts
from htreval_core.scoring.pool import Corpus, binomial_half_width, pool_pages
from htreval_core.scoring.reliability import reliability, reliability_intervals
from htreval_core.scoring.resampling import cluster_intervals, tails
from htreval_core.scoring.workers import Processes
from tests.tools import digest

# Of page 1 one word of four is wrong, of page 2 both of two.
TWO = [
    hv.Page.from_text("1", "aa bb cc dd", {"crnn": "aa bb cc xx"}),
    hv.Page.from_text("2", "ee ff", {"crnn": "yy zz"}),
]


def corpus_of(*texts: tuple[str, str], **settings: object) -> Corpus:
    pages = [hv.Page.from_text(str(n), ref, {"s": hyp}) for n, (ref, hyp) in enumerate(texts)]
    return hv.score(pages, hv.Settings(**settings)).corpora["s"]


def many_pages(n_pages: int = 40) -> list[hv.Page]:
    """Pages with errors of every kind, some words out of order; two systems, one with gaps."""
    rng = np.random.default_rng(7)
    vocabulary = np.array([f"w{number}" for number in range(30)])
    pages = []
    for number in range(n_pages):
        words = rng.choice(vocabulary, size=rng.integers(5, 25)).tolist()
        good = [word if rng.random() > 0.1 else word + "x" for word in words]
        cut = int(rng.integers(0, len(words)))
        hypotheses = {"good": " ".join(good), "moved": " ".join(words[cut:] + words[:cut])}
        if number % 7 == 3:
            del hypotheses["moved"]
        pages.append(hv.Page.from_text(f"p{number}", " ".join(words), hypotheses))
    return pages


# --- averages


def test_averages_and_line_errors_by_hand() -> None:
    # The corpus value is errors over words and not a mean of rates.
    estimate = hv.score(TWO).corpora["crnn"].estimates["wer"]
    assert (estimate.errors, estimate.length) == (3, 6)
    assert estimate.value == 3 / 6
    assert estimate.macro == (1 / 4 + 2 / 2) / 2
    # Recall by hand.
    # Three of four words are found.
    estimates = corpus_of(("aa bb cc dd", "aa bb cc xx yy")).estimates
    assert estimates["bow_recall"].value == pytest.approx(3 / 4)
    # Line errors have a corpus value only where every page has the same lines.
    same, other = ("aa bb\ncc", "aa\nbb cc"), ("aa bb\ncc", "aa bb cc")
    both = corpus_of(same, same).estimates["line_wer"]
    assert (both.errors, both.length, both.value) == (4, 6, 4 / 6)
    mixed = corpus_of(same, other).estimates["line_wer"]
    assert all(math.isnan(figure) for figure in (mixed.value, mixed.low, mixed.high, mixed.macro))


def test_counts_of_pages_add_up_to_those_of_the_corpus() -> None:
    study = hv.score(many_pages())
    assert study.systems == ("good", "moved")
    for system, corpus in study.corpora.items():
        pages = study.scores[system]
        assert corpus.n_pages == len(pages)
        assert corpus.n_ref_words == sum(page.n_ref_words for page in pages)
        for field in fields(EditCounts):
            assert getattr(corpus.wer, field.name) == sum(getattr(p.wer, field.name) for p in pages)
        assert corpus.wer.errors == corpus.estimates["wer"].errors
        assert corpus.bwer.errors == corpus.estimates["bwer"].errors
        delta = corpus.estimates["wer"].errors - corpus.estimates["bwer"].errors
        assert corpus.estimates["delta_wer"].errors == delta
        assert corpus.estimates["cer"].length == sum(page.n_ref_chars for page in pages)
    assert study.corpora["moved"].estimates["delta_wer"].errors > 0


def test_nsfd_of_pages_is_weighted_by_their_words_and_a_page_of_one_counts_one() -> None:
    # 'a b c' reversed: 4/4 on three words. 'aa bb' in order: 0/2 on two words.
    estimate = corpus_of(("a b c", "c b a"), ("aa bb", "aa bb")).estimates["nsfd"]
    assert (estimate.errors, estimate.length) == (3, 5)
    assert estimate.value == 3 / 5
    assert estimate.macro == 1 / 2
    # Nsfd of a page of one word counts as one word.
    # A lone word without a mate is 2 out of 1; beside a page of two words in order, 2 of 3.
    estimate = corpus_of(("abcdef", "z"), ("a b", "a b")).estimates["nsfd"]
    assert (estimate.errors, estimate.length) == (2, 3)


def test_insertions_on_an_empty_reference_count_in_the_average_only() -> None:
    corpus = corpus_of(("", "x y"), ("aa bb cc dd", "aa bb cc dd"))
    for name in ("wer", "bwer", "hwer", "beta_wer"):
        assert (corpus.estimates[name].errors, corpus.estimates[name].length) == (2, 4), name
        assert corpus.estimates[name].value == 2 / 4
        assert corpus.estimates[name].macro == 0
    assert corpus.estimates["nsfd"].value == 0


def test_pages_on_which_only_one_side_has_words_are_named() -> None:
    texts = {"1": ("", "x", "y"), "2": ("a", "", "a"), "3": ("", "", "z"), "4": ("", "", "")}
    pages = [hv.Page.from_text(n, ref, {"s": s, "t": t}) for n, (ref, s, t) in texts.items()]
    told = [(one.file, one.kind.value, *one.detail) for one in hv.score(pages).warnings]
    assert told == [("2", "output without text", "s"), ("1", "reference without text"),
                    ("3", "reference without text")]  # fmt: skip


def test_rates_without_a_reference_word_are_undefined_and_without_any_zero() -> None:
    # Rates without a reference word are undefined the difference of two as well.
    (scores,) = hv.score([hv.Page.from_text("1", "", {"s": "x y"})]).scores["s"]
    corpus = pool_pages([scores])
    for name in ("wer", "bwer", "delta_wer", "cer", "hwer", "hcer", "nsfd", "beta_wer"):
        assert math.isnan(page_value(scores, name)), name
        assert math.isnan(corpus.estimates[name].value), name
    # One page of output without a reference is enough to leave rates undefined.
    estimates = corpus_of(("", "x"), ("", "")).estimates
    assert math.isnan(estimates["wer"].value)
    assert math.isnan(estimates["delta_wer"].value)
    # Two empty pages are without fault.
    (scores,) = hv.score([hv.Page.from_text("1", "", {"s": " \n"})]).scores["s"]
    assert not scores.flags
    for name in ("wer", "bwer", "delta_wer", "cer", "hwer", "hcer", "nsfd", "line_wer"):
        assert page_value(scores, name) == 0, name


# --- intervals


def test_intervals_by_hand() -> None:
    # Intervals come from resampling pages.
    # Of two pages there are four samples: both the first, both the second, one of each twice.
    estimate = hv.score(TWO).corpora["crnn"].estimates["wer"]
    assert (estimate.low, estimate.high) == (1 / 4, 1)
    # A single page has no interval.
    estimate = corpus_of(("aa bb", "aa xx")).estimates["wer"]
    assert estimate.value == 1 / 2
    assert math.isnan(estimate.low)
    assert math.isnan(estimate.high)
    # The binomial interval is that of independent words.
    estimate = hv.score(TWO).corpora["crnn"].estimates["wer"]
    assert estimate.binomial == pytest.approx(1.96 * math.sqrt(0.5 * 0.5 / 6))
    assert binomial_half_width(1.5, 10) == 0
    assert math.isnan(binomial_half_width(0.0, 0))
    # Resamples of empty references alone do not undo the interval.
    # Of two pages one resample in four holds the page without a reference twice.
    estimate = corpus_of(("a b c d", "a b c x"), ("", "y")).estimates["wer"]
    assert estimate.value == 2 / 4
    # Both pages: 2/4, the first one twice: 2/8, the second one twice: nothing to count.
    assert (estimate.low, estimate.high) == (1 / 4, 2 / 4)
    # An interval that no resample defines is undefined.
    estimate = corpus_of(("", "x"), ("", "y")).estimates["wer"]
    assert math.isnan(estimate.low)
    assert math.isnan(estimate.high)


@pytest.mark.parametrize("n_wrong", [1, 2])
def test_intervals_are_those_of_95_percent(n_wrong: int) -> None:
    """Of samples of three pages 1/27 = 3.7 % hold one page three times: more than 2.5 %."""
    pages = [("aa", "xx")] * n_wrong + [("aa", "aa")] * (3 - n_wrong)
    estimate = corpus_of(*pages).estimates["wer"]
    assert (estimate.low, estimate.high) == (0, 1)


def test_intervals_hold_the_value_and_repeat_with_the_seed() -> None:
    pages = many_pages()
    once = hv.score(pages).corpora["good"].estimates
    again = hv.score(pages).corpora["good"].estimates
    other = hv.score(pages, hv.Settings(seed=1)).corpora["good"].estimates
    for name in ("wer", "bwer", "cer", "hwer"):
        assert once[name].low < once[name].value < once[name].high
        assert (once[name].low, once[name].high) == (again[name].low, again[name].high)
        assert (once[name].low, once[name].high) != (other[name].low, other[name].high)
        assert once[name].value == other[name].value


def test_more_resamples_than_fit_into_memory_at_once_are_the_same_samples(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    scores = hv.score(many_pages()).scores["good"]
    whole = pool_pages(scores, resamples=500)
    monkeypatch.setattr("htreval_core.scoring.resampling._CELLS_AT_ONCE", 1000)
    assert pool_pages(scores, resamples=500).estimates["wer"] == whole.estimates["wer"]


@pytest.mark.parametrize(("n_pages", "student"), [(2, 12.7062), (5, 2.77645), (20, 2.09302)])
def test_intervals_of_few_pages_are_widened_by_students_distribution(
    n_pages: int, student: float
) -> None:
    """Φ(−√(n/(n − 1))·t), t from the printed table for n − 1 degrees of freedom."""
    low, high = tails(n_pages)
    expected = NormalDist().cdf(-math.sqrt(n_pages / (n_pages - 1)) * student)
    assert low == pytest.approx(expected, rel=1e-3, abs=1e-12)
    assert high == 1 - low


def test_no_warning_escapes_where_values_are_undefined() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        corpus_of(("", "x"), ("", ""), ("aa", "bb"), ("aa\nbb", "aa"))
        assert math.isnan(pool_pages([]).delta_l)


def test_sums_change_on_purpose_only() -> None:
    """Every estimate, interval and tail of some corpora; with clusters, too."""
    found = []
    for n in (1, 2, 9, 40):
        odd = {"blank": ("", "x y y"), "looped": ("a b", "a b a b a")}
        more = [hv.Page.from_text(name, ref, {"good": hyp}) for name, (ref, hyp) in odd.items()]
        study = hv.score([*more, *many_pages(n)], hv.Settings(resamples=60))
        for system, corpus in study.corpora.items():
            table = study.scores[system]
            reliable = reliability_intervals(table, resamples=60)
            clusters = np.array([f"c{at // 3}" for at in range(len(table))], dtype=object)
            ends = np.array(cluster_intervals(*count_tables(table), clusters)).tolist()
            found.append((corpus.estimates, corpus.delta_l, corpus.delta_r, reliable, ends))
    assert digest(repr(found)) == "47d90a444e"


# --- how far bWER can be relied upon


def test_reliability_by_hand_and_where_there_is_none() -> None:
    # Two pages of 4 and 2 words, 1 and 2 of them misread: bWER 50 %, 3 words a page.
    page_1 = (4 + 4) / (2 * 5) * (1 / 4) * 4  # five different words on both sides together
    repetition = (page_1 + ((2 + 2) / (2 * 4) * (2 / 2) * 2)) / 6
    trusted = math.exp((45.5037 - 50) / 3.77441)
    corpus = hv.score(TWO).corpora["crnn"]
    assert corpus.delta_l == pytest.approx(100 * (trusted - 3) / (trusted + 3))
    assert corpus.delta_r == pytest.approx(100 * (0.264942 - repetition) / (0.264942 + repetition))
    # Reliability without words is undefined and without errors is full.
    assert all(map(math.isnan, reliability([])))
    delta_l, delta_r = reliability(
        hv.score([hv.Page.from_text("1", "aa", {"s": "aa"})]).scores["s"]
    )
    assert delta_l == pytest.approx(100, abs=0.01)
    assert delta_r == 100
    # A page of one word counts: one of two kinds, misread.
    _, delta_r = reliability(hv.score([hv.Page.from_text("1", "aa", {"s": "bb"})]).scores["s"])
    assert delta_r == pytest.approx(100 * (0.264942 - 0.5) / (0.264942 + 0.5))
    # Reliability of a single page has no interval.
    table = hv.score([hv.Page.from_text("1", "aa bb", {"s": "aa"})]).scores["s"]
    assert all(math.isnan(end) for ends in reliability_intervals(table) for end in ends)
    assert all(math.isnan(end) for ends in reliability_intervals([]) for end in ends)
    # Two pages of one book are drawn as one, so they have none either.
    table = hv.score(TWO).scores["crnn"]
    assert not any(math.isnan(end) for ends in reliability_intervals(table) for end in ends)
    together = replace(ScoreTable.of(table), clusters=np.array(["a", "a"], dtype=object))
    assert all(math.isnan(end) for ends in reliability_intervals(together) for end in ends)


def test_reliability_has_intervals_from_pages(iamdb: Path) -> None:
    """That of ΔR is close to a normal one; that of ΔL leans, as the exponential under it does."""
    settings = hv.PRESETS["authors"].settings
    with pytest.raises(hv.ConfigError, match="read otherwise than the settings have it"):
        hv.score(hv.pair_path(iamdb), settings)
    study = hv.score(hv.pair_path(iamdb, reading=settings.reading), settings)
    assert hv.score(study.dataset).settings.reading == settings.reading
    (table,) = study.scores.values()
    found = reliability(table)
    assert tuple(round(one, 2) for one in found) == (43.83, 4.65)
    ends = reliability_intervals(table)
    assert np.round(ends, 2).tolist() == [[25.75, 58.06], [2.37, 6.84]]  # as docs/metrics.md says
    for value, (low, high) in zip(found, ends, strict=True):
        assert low < value < high
    counts = table.counts
    words, errors = counts["n_ref_words"], table.errors("bwer")
    each = (words + counts["n_hyp_words"]) / (2 * counts["n_word_types"]) * errors
    share = each.sum() / words.sum()
    scatter = np.sqrt(((each - share * words) ** 2).sum()) / words.sum()
    slope = 200 * 0.264942 / (0.264942 + share) ** 2
    assert (ends[1][1] - ends[1][0]) / 2 == pytest.approx(1.96 * slope * scatter, rel=0.05)
    assert reliability_intervals(table) == ends


# --- a study


@pytest.fixture(scope="module")
def processes() -> Iterator[Processes]:
    with Processes(2) as pool:
        yield pool


@pytest.mark.slow
def test_values_do_not_depend_on_the_number_of_processes(processes: Processes) -> None:
    pages = many_pages()
    alone, shared = hv.score(pages), hv.score(pages, workers=processes)
    assert shared.scores == alone.scores
    assert shared.systems == alone.systems
    pd.testing.assert_frame_equal(shared.to_frame(), alone.to_frame())
    for system in alone.systems:
        assert repr(shared.corpora[system]) == repr(alone.corpora[system])


def test_values_do_not_depend_on_the_order_of_pages() -> None:
    pages = many_pages()
    forward, backward = hv.score(pages).corpora, hv.score(pages[::-1]).corpora
    for system, corpus in forward.items():
        for name, estimate in corpus.estimates.items():
            other = backward[system].estimates[name]
            counts = [estimate.errors, estimate.length, estimate.value, estimate.macro]
            others = [other.errors, other.length, other.value, other.macro]
            assert others == pytest.approx(counts, nan_ok=True), name


def test_pages_are_told_refused_twice_and_looked_at_again() -> None:
    # Progress is told of every page.
    told: list[tuple[int, int]] = []
    hv.score(TWO, progress=lambda done, total: told.append((done, total)))
    assert told == [(1, 2), (2, 2)]
    # Two pages of one name are refused.
    with pytest.raises(hv.ConfigError, match="'1' occurs twice"):
        hv.score([TWO[0], TWO[0]])
    # A page can be looked at again.
    study = hv.score(many_pages())
    assert study.look("p5", "moved").page.scores in study.scores["moved"]
    with pytest.raises(KeyError):
        study.look("p3", "moved")
    with pytest.raises(KeyError):
        study.look("nowhere", "moved")


def test_the_table_has_a_row_per_system_and_page() -> None:
    frame = hv.score([*TWO, hv.Page.from_text("001", "", {"crnn": "x", "NA": ""})]).to_frame()
    assert frame.shape[0] == 4
    assert frame["page_id"].tolist() == ["1", "2", "001", "001"]
    assert frame["system"].tolist() == ["crnn", "crnn", "crnn", "NA"]
    first = frame.iloc[0]
    assert (first["n_ref_words"], first["n_hyp_words"], first["n_ref_chars"]) == (4, 4, 11)
    assert (first["wer"], first["wer_errors"], first["wer_length"]) == (0.25, 1, 4)
    assert (first["wer_hits"], first["wer_substitutions"]) == (3, 1)
    assert np.isnan(frame["wer"].iloc[2])
    for name in hv.METRICS:
        assert pd.api.types.is_float_dtype(frame[name]), name
        for kind in ("errors", "length"):
            assert pd.api.types.is_numeric_dtype(frame[f"{name}_{kind}"]), name
    for counted in ("n_ref_words", "wer_errors", "bwer_insertions", "nsfd_errors"):
        assert pd.api.types.is_integer_dtype(frame[counted]), counted


def test_an_empty_evaluation_has_a_table_with_all_columns() -> None:
    empty = hv.score([])
    assert empty.systems == ()
    assert empty.to_frame().columns.tolist() == hv.score(TWO).to_frame().columns.tolist()


@pytest.mark.parametrize(
    ("name", "value"),
    [*(("gamma", value) for value in (-1, "much", "1e999999999", "1e-999999999", math.inf,
                                      math.nan)),
     ("solver", "best"), ("resamples", 0), ("seed", -1)],
)  # fmt: skip
def test_impossible_settings_are_refused_by_name(name: str, value: object) -> None:
    with pytest.raises(hv.ConfigError, match=name):
        hv.Settings(**{name: value})


def test_one_gamma_has_one_signature() -> None:
    assert hv.Settings(gamma="1.0").signature() == hv.Settings().signature()
    assert hv.Settings(gamma=0.1 + 0.2).signature() == hv.Settings(gamma="0.3").signature()
    assert hv.Settings(gamma=1 / 3).signature() == hv.Settings(gamma="1/3").signature()
    for gamma, written in ((1e-4, "0.0001"), ("0.1", "0.1"), (Fraction(1, 3), "1/3")):
        assert f"|gamma:{written}|" in hv.Settings(gamma=gamma).signature()


# --- pages without words, systems without pages


@pytest.mark.parametrize(
    "pages",
    [["bc", "abc"], ["ac", "bc", "abc"], ["c", "b", "bc", "a", "abc"], ["ab", "bc"], ["abc", "c"]],
)
def test_systems_keep_their_order_where_the_first_page_lacks_one(pages: list[str]) -> None:
    made = [
        hv.Page.from_text(str(number), "x", dict.fromkeys(systems, "x"))
        for number, systems in enumerate(pages)
    ]
    study = hv.score(made)
    assert study.systems == ("a", "b", "c")
    assert list(study.corpora) == ["a", "b", "c"]
