"""Where words are lost: rates by length, frequency, kind of word and place on the page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
import regex

from htreval_core.metrics.catalog import rate
from htreval_core.metrics.columns import Names
from htreval_core.model import BoolArray, FloatArray, IntArray
from htreval_core.scoring.clusters import Clusters
from htreval_core.scoring.resampling import by_cluster, drawn_sums, interval
from htreval_core.words.outcomes import WordOutcomes

Numbered = tuple[tuple[str, ...], IntArray]
"""Names of buckets, and for every word the number of its bucket, -1 for none."""


@dataclass(frozen=True, slots=True)
class Rate:
    """The share of words that are misread or missing, with its 95 % interval.

    Args:
        wrong: words misread or missing.
        value: wrong / words as a fraction.
        low: lower end of the interval of a bootstrap over pages; nan for a single page.
        high: upper end of it.
    """

    wrong: int
    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class BucketRow:
    """The words of one bucket.

    Args:
        dimension: what the words are sorted by, a key of ``DIMENSIONS``.
        bucket: the name of the bucket.
        words: reference words in it.
        pages: pages on which there are any.
        rates: of each system.
    """

    dimension: str
    bucket: str
    words: int
    pages: int
    rates: Mapping[str, Rate]


def _steps(values: IntArray, names_from: Mapping[str, int]) -> Numbered:
    """Buckets that begin at given values, in rising order."""
    starts = np.array(list(names_from.values()))
    return tuple(names_from), np.searchsorted(starts, values, side="right") - 1


def _yes_no(words: Sequence[str], pattern: str, yes: str, no: str) -> Numbered:
    """Whether a word matches; each different word is looked at once."""
    matches = regex.compile(pattern).search
    found = {word: 0 if matches(word) else 1 for word in set(words)}
    return (yes, no), np.array([found[word] for word in words], dtype=np.int64)


def _length(outcomes: WordOutcomes) -> Numbered:
    lengths = np.array([len(word) for word in outcomes.words], dtype=np.int64)
    return _steps(
        lengths,
        {
            "1 character": 1,
            "2–3 characters": 2,
            "4–6 characters": 4,
            "7–9 characters": 7,
            "10 characters or more": 10,
        },
    )


def _frequency(outcomes: WordOutcomes) -> Numbered:
    times = Counter(outcomes.words)
    return _steps(
        np.array([times[word] for word in outcomes.words], dtype=np.int64),
        {"once": 1, "2–5 times": 2, "6–20 times": 6, "21–100 times": 21, "over 100 times": 101},
    )


def _capitalised(outcomes: WordOutcomes) -> Numbered:
    # Quotation marks and brackets may stand before the first letter.
    return _yes_no(outcomes.words, r"^[^\p{L}\p{N}]*[\p{Lu}\p{Lt}]", "capitalised", "other words")


def _digits(outcomes: WordOutcomes) -> Numbered:
    return _yes_no(outcomes.words, r"\p{Nd}", "with digits", "other words")


def _hyphenated(outcomes: WordOutcomes) -> Numbered:
    # Within a word or at its end, where a line divides it; a sign alone is a dash.
    hyphen = r"[^\W_][\u002D\u00AD\u00AC\u2010\u2011\u2E17]"
    return _yes_no(outcomes.words, hyphen, "hyphenated", "other words")


def _place_in_line(outcomes: WordOutcomes) -> Numbered:
    same = (outcomes.page_of[1:] == outcomes.page_of[:-1]) & (
        outcomes.line_of[1:] == outcomes.line_of[:-1]
    )
    first, last = np.append(True, ~same), np.append(~same, True)
    if not len(outcomes):
        first = last = np.empty(0, dtype=bool)
    place = np.select([first & last, first, last], [3, 0, 2], 1)
    # A page in a single line says nothing about its lines.
    begun = np.bincount(outcomes.page_of, weights=first, minlength=len(outcomes.page_ids))
    place[begun[outcomes.page_of] < 2] = -1
    return ("first of its line", "within its line", "last of its line", "alone on its line"), place


def _region_kind(outcomes: WordOutcomes) -> Numbered:
    names: dict[str, int] = {}
    numbers = np.full(len(outcomes), -1, dtype=np.int64)
    if outcomes.settings.policy.words == "space":
        # Words of that policy run across lines, and are not told on which they stand.
        return (), numbers
    ids, pages = outcomes.page_ids, outcomes.dataset
    for number, (page, line) in enumerate(
        zip(outcomes.page_of.tolist(), outcomes.line_of.tolist(), strict=True)
    ):
        kind = pages.page(ids[page]).reference.lines[line].region_kind
        if kind:
            numbers[number] = names.setdefault(kind, len(names))
    return tuple(names), numbers


def _page_third(outcomes: WordOutcomes) -> Numbered:
    """Thirds of the reference's words, in reading order."""
    lengths = np.bincount(outcomes.page_of, minlength=len(outcomes.page_ids))
    third = 3 * outcomes.word_index // np.maximum(lengths[outcomes.page_of], 1)
    return ("first third of the page", "second third", "last third"), third


DIMENSIONS: Mapping[str, Callable[[WordOutcomes], Numbered]] = MappingProxyType(
    {
        "word length": _length,
        "frequency in the reference": _frequency,
        "capital": _capitalised,
        "digits": _digits,
        "hyphen": _hyphenated,
        "place in the line": _place_in_line,
        "region": _region_kind,
        "place on the page": _page_third,
    }
)
"""What words can be sorted by. Lengths are in code points; frequencies are those of the pages at
hand; regions are as the file names them, words outside any are left out; thirds are of the words
in reading order."""


def bucket_of(outcomes: WordOutcomes, dimension: str) -> Numbered:
    """Names of the buckets of a dimension, and each word's number among them, -1 for none.

    For the examples of a bucket: ``np.flatnonzero(numbers == names.index(bucket))``.

    Raises:
        KeyError: no such dimension.
    """
    return DIMENSIONS[dimension](outcomes)


def score_buckets(
    outcomes: WordOutcomes,
    dimensions: Sequence[str] = tuple(DIMENSIONS),
    *,
    resamples: int | None = None,
    seed: int | None = None,
    clusters: Clusters | None = None,
) -> tuple[BucketRow, ...]:
    """Rates of every bucket that has words, per system, with intervals over pages.

    A word is wrong where it is misread or missing; right words out of place are right.

    Args:
        resamples: of the bootstrap; those of the settings by default.
        seed: that of the settings by default.
        clusters: what the pages belong to: intervals then draw these (``Study.clusters``).

    Raises:
        KeyError: no such dimension.
    """
    belongs = clusters.of(outcomes.page_ids) if clusters else None
    resamples = outcomes.settings.resamples if resamples is None else resamples
    seed = outcomes.settings.seed if seed is None else seed
    rows: list[BucketRow] = []
    for dimension in dimensions:
        names, numbers = bucket_of(outcomes, dimension)
        if names:
            rows += _rows(outcomes, dimension, names, numbers, belongs, resamples, seed)
    return tuple(rows)


def _rows(
    outcomes: WordOutcomes,
    dimension: str,
    names: tuple[str, ...],
    numbers: IntArray,
    clusters: Names | None,
    resamples: int,
    seed: int,
) -> list[BucketRow]:
    every = np.ones(len(outcomes), dtype=bool)
    masks = [every, *(outcomes.wrong(system) for system in outcomes.systems)]
    # Shape (1 + systems, pages, buckets): all words, then the wrong ones of each system.
    tables = [_per_page(outcomes, names, numbers, mask) for mask in masks]
    drawn_from = by_cluster(np.hstack(tables), clusters)
    sums = drawn_sums(drawn_from, resamples=resamples, seed=seed)
    width, n_drawn = len(names), len(drawn_from)
    few = n_drawn < 2
    found = []
    for at, name in enumerate(names):
        n_words = int(tables[0][:, at].sum())
        if not n_words:
            continue
        drawn_words = sums[:, at]
        # A resample without a word of the bucket has no rate there.
        known = drawn_words > 0
        drawn = [
            sums[known, width * row + at] / drawn_words[known] for row in range(1, len(tables))
        ]
        rates = {}
        for system, table, values in zip(outcomes.systems, tables[1:], drawn, strict=True):
            wrong = int(table[:, at].sum())
            low, high = (np.nan, np.nan) if few else interval(values, n_drawn)
            rates[system] = Rate(wrong, rate(wrong, n_words), low, high)
        on_pages = int((tables[0][:, at] > 0).sum())
        found.append(BucketRow(dimension, name, n_words, on_pages, rates))
    return found


def _per_page(
    outcomes: WordOutcomes, names: tuple[str, ...], numbers: IntArray, mask: BoolArray
) -> FloatArray:
    """Words counted by page and bucket, shape (pages, buckets)."""
    counted = mask & (numbers >= 0)
    cells = outcomes.page_of[counted] * len(names) + numbers[counted]
    shape = (len(outcomes.page_ids), len(names))
    return np.bincount(cells, minlength=shape[0] * shape[1]).reshape(shape).astype(np.float64)
