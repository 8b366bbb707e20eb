"""The regularised matching by one dense assignment, for pages of a few hundred words."""

from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.optimize import linear_sum_assignment

from htreval_core.metrics.matching.savings import Matching, Savings
from htreval_core.metrics.matching.settle import first_of_equals
from htreval_core.metrics.words import WordPair
from htreval_core.model import BoolArray, FloatArray, IntArray

LettersArray: TypeAlias = npt.NDArray[np.signedinteger]
"""Whole numbers of letters, in as few bytes as hold them."""

_EXACT = 2**53
"""Doubles hold every whole number up to here."""
_LONG = 100
"""From how many words on it pays to find pairs that are certain before the others are solved."""
_ROUNDS = 20
"""How often prices are changed, on the shortest page, before the proof by them is given up."""


def weights(savings: Savings) -> tuple[int, int] | None:
    """How much a unit of saving and an equal pair weigh beside Σ d(d−1), or None.

    One composite cost ``S·w_saving + E·w_exact − d(d−1)`` puts saving first, equal pairs second
    and nearness third. None where it would pass what doubles hold exactly.
    """
    words = savings.words
    n_pairs = min(len(words.ref), len(words.hyp))
    w_exact = _most_apart(n_pairs, words.longer) + 1
    w_saving = w_exact * (n_pairs + 1)
    # The solver's prices stay within the largest cost; it adds up three of them at a time.
    fits = 4 * ((savings.largest + 1) * w_saving + w_exact) < _EXACT
    return (w_saving, w_exact) if fits else None


def _most_apart(n_pairs: int, longer: int) -> int:
    """No matching of two texts has a larger Σ d(d−1) than this.

    At most (longer − t) + (n_pairs − t) of its pairs stand t or more apart, since the earlier
    word of each is one of that many first words of its side; that bounds the i-th largest distance.
    """
    # The i-th, from 0: whichever is more of longer − 1 − i, the first where i < longer − n_pairs,
    # and half of n_pairs + longer − 1 − i, rounded down.
    first = min(n_pairs, longer - n_pairs)
    of_first = _products(longer - 1) - _products(longer - 1 - first)
    halved = _of_halves(n_pairs + longer - 1 - first) - _of_halves(longer - 1)
    return of_first + halved


def _products(n: int) -> int:
    """The sum of a(a + 1) for a from 1 to n."""
    return n * (n + 1) * (n + 2) // 3


def _of_halves(n: int) -> int:
    """The sum of a(a + 1) for the halves a of 0 to n, rounded down."""
    return _products(n // 2) + _products((n - 1) // 2)


def solve_dense(savings: Savings, weighed: tuple[int, int] | None = None) -> Matching:
    """The optimal matching under the tie rule, in O(n³) time and O(n²) memory.

    Any partial matching is allowed, so pairs that save nothing cost nothing and a rectangular
    assignment is exact. The caller has made sure that there are ``weights``.

    Args:
        weighed: the ``weights`` of this page, where they are known.
    """
    words = savings.words
    weighed = weighed or weights(savings)
    if weighed is None:
        raise ValueError("the composite cost does not fit into doubles")
    n_ref, n_hyp = len(words.ref), len(words.hyp)
    if not n_ref or not n_hyp:
        empty = np.zeros(0, dtype=np.int64)
        return Matching(empty, empty)

    letters = _letters(words)
    n_pairs, turned = min(n_ref, n_hyp), n_ref > n_hyp
    if n_pairs < _LONG:
        rows, columns, alone = _cheapest(_costs(savings, weighed, letters, None))
    else:
        certain, rest = _certain(savings, letters)
        rows, columns, alone = _cheapest(_costs(savings, weighed, letters, rest))
        rows = np.append(rest[0][rows], certain[0])
        columns = np.append(rest[1][columns], certain[1])
    ref, hyp = (columns, rows) if turned else (rows, columns)
    if turned or n_pairs >= _LONG:
        order = ref.argsort()
        ref, hyp = ref[order], hyp[order]
    matching = Matching(ref, hyp)
    if alone:
        return matching
    pairs, needed = _equally_good(_costs(savings, weighed, letters, None), rows, columns)
    if turned:
        pairs, needed = pairs[::-1], needed[::-1]
    return first_of_equals(matching, pairs, *needed)


def _cheapest(cost: FloatArray) -> tuple[IntArray, IntArray, bool]:
    """A cheapest matching, and whether it is proved that there is no other; costs are overwritten.

    Any partial matching is allowed, so it has no pairs that save nothing."""
    if not len(cost):
        none = np.zeros(0, dtype=np.int64)
        return none, none, True
    rows, columns = linear_sum_assignment(cost)
    own = cost[rows, columns]
    saving = own < 0
    rows, columns, own = rows[saving], columns[saving], own[saving]
    return rows, columns, _nothing_else_as_good(cost, rows, columns, own)


def _certain(
    savings: Savings, letters: LettersArray
) -> tuple[tuple[IntArray, IntArray], tuple[IntArray, IntArray]]:
    """Pairs that every best matching has, and the words that are in none of them, as rows, columns.

    Words that each side has once, and that save more together than the best other mates of both
    could: a matching without that pair gets better by it, whatever it gives up for it. The other
    rows come with those first that have most to save: so the solver changes its mind less often,
    as it takes one row after another."""
    words = savings.words
    in_ref, in_hyp = words.shared
    once_ref = np.bincount(words.ref, minlength=len(words.ref_types)) == 1
    once_hyp = np.bincount(words.hyp, minlength=len(words.hyp_types)) == 1
    once = once_ref[in_ref] & once_hyp[in_hyp]
    in_ref, in_hyp = in_ref[once], in_hyp[once]
    where_ref, where_hyp = np.empty_like(once_ref, np.int64), np.empty_like(once_hyp, np.int64)
    where_ref[words.ref], where_hyp[words.hyp] = (
        np.arange(len(words.ref)), np.arange(len(words.hyp)),
    )  # fmt: skip
    ref, hyp = where_ref[in_ref], where_hyp[in_hyp]

    others = letters.copy()
    others[in_ref, in_hyp] = np.iinfo(letters.dtype).max
    by_ref, by_hyp = others.min(axis=1), others.min(axis=0)

    def saved(letters: LettersArray) -> IntArray:
        return 2 * savings.per_step - savings.per_letter * letters.astype(np.int64)

    own = saved(letters[in_ref, in_hyp]) - savings.per_step * np.abs(ref - hyp)
    most = saved(by_ref[in_ref]).clip(0) + saved(by_hyp[in_hyp]).clip(0)
    sure = own > most
    ref, hyp = ref[sure], hyp[sure]
    rest_ref, rest_hyp = np.ones(len(words.ref), dtype=bool), np.ones(len(words.hyp), dtype=bool)
    rest_ref[ref], rest_hyp[hyp] = False, False
    others_ref, others_hyp = rest_ref.nonzero()[0], rest_hyp.nonzero()[0]
    if len(words.ref) > len(words.hyp):
        return (hyp, ref), (others_hyp[by_hyp[words.hyp[others_hyp]].argsort()], others_ref)
    return (ref, hyp), (others_ref[by_ref[words.ref[others_ref]].argsort()], others_hyp)


def _costs(
    savings: Savings, weighed: tuple[int, int], letters: LettersArray,
    only: tuple[IntArray, IntArray] | None,
) -> FloatArray:  # fmt: skip
    """What all pairs cost, or only those, none above 0, the words of the shorter side as rows."""
    words = savings.words
    w_saving, w_exact = weighed
    n_ref, n_hyp = len(words.ref), len(words.hyp)
    by_type = np.multiply(letters, float(w_saving * savings.per_letter), dtype=np.float64)
    by_type[words.shared] -= w_exact
    # The solver wants the shorter side as rows, in C order, and costs rather than savings.
    if n_ref <= n_hyp:
        row, column = words.ref, words.hyp
        apart = np.arange(1.0 - n_ref, n_hyp)
    else:
        by_type = by_type.T
        row, column = words.hyp, words.ref
        apart = -np.arange(1.0 - n_hyp, n_ref)
    by_place = _by_diagonal(apart, savings.per_step * w_saving, (len(row), len(column)))
    if only is not None:
        row, column = row[only[0]], column[only[1]]
        by_place = by_place[only[0]].take(only[1], 1)
    # One side after the other is many times quicker than both at once.
    cost = by_type.take(column, 1).take(row, 0)
    cost += by_place
    # Three times as quick as ``np.minimum``.
    cost.clip(-np.inf, 0.0, out=cost)
    return cost


def _nothing_else_as_good(
    cost: FloatArray, rows: IntArray, columns: IntArray, own: FloatArray
) -> bool:
    """Whether it is proved that every other matching costs more; nearly every page has that proof.

    Prices prove it that the pairs of the matching meet, that are 0 for words left out and above 0
    for no column, that no pair undercuts, and that all other pairs that save anything cost more
    than. Another matching takes such a pair, or takes fewer of the same pairs and is dearer. Give
    each row that it leaves out a column that is free, which makes it no dearer: then it meets or
    passes the prices of all rows and of some columns, and passes those of one pair. So it costs
    more than the sum of all prices, which is what this matching costs. The prices
    are the greatest of the columns that leave every other pair 1 dearer, found by Bellman and
    Ford's iteration. Other matchings that are dearer by little may keep it from ending: then
    nothing is proved, and nothing said.

    Args:
        cost: what pairs cost, none above 0, whole numbers; overwritten.
        rows: of the pairs of the matching.
        columns: of the same.
        own: what these cost.
    """
    n_rows, n_columns = cost.shape
    by_row, by_column = np.zeros(n_rows), np.zeros(n_columns)
    by_row[rows] = own
    # What is left of a cost when its row has paid, and 1 more. Rows lie in memory as a whole, so
    # that it is quick to look at few of them, and to go through all.
    cost -= (by_row + 1)[:, None]
    cost[rows, columns] = np.inf
    if len(rows) < n_rows:
        left_out = np.ones(n_rows, dtype=bool)
        left_out[rows] = False
        left = cost[left_out]
        left[left == -1] = np.inf
        cost[left_out] = left
    least = cost.min(axis=0)
    if least.min() >= 0:
        return True
    owner = np.full(n_columns, -1)
    owner[columns] = rows
    more_by_row = np.zeros(n_rows)
    for _ in range(_ROUNDS + n_rows // 8):
        lower = (least < by_column).nonzero()[0]
        if not len(lower):
            # Where a word that is left out had to pay, no step after that means anything.
            return len(columns) == n_columns or not by_column[owner < 0].any()
        giving, least = owner[lower], least[lower]
        more_by_row[giving] += by_column[lower] - least
        by_column[lower] = least
        # Their rows give way, and nothing but these can be had for less than before.
        left = cost.take(giving, 0)
        left -= more_by_row[giving, None]
        least = left.min(axis=0)
    return False


def _equally_good(
    cost: FloatArray, rows: IntArray, columns: IntArray
) -> tuple[tuple[IntArray, IntArray], tuple[BoolArray, BoolArray]]:
    """Pairs that other matchings as good may take, and the words that none of these leaves out.

    By prices, none above 0, that no pair undercuts and that the pairs of the matching meet: the
    greatest of the columns, found by Bellman and Ford's iteration. The costs are overwritten."""
    n_rows, n_columns = cost.shape
    by_row, by_column = np.zeros(n_rows), np.zeros(n_columns)
    by_row[rows] = cost[rows, columns]
    owner = np.full(n_columns, -1)
    owner[columns] = rows
    # From here on what is left of a cost when its row has paid. Rows lie in memory as a whole, so
    # that it is quick to change a few of them, and to go through all.
    cost -= by_row[:, None]
    least = cost.min(axis=0)
    while True:
        lower = (least < by_column).nonzero()[0]
        if not len(lower):
            break
        less = by_column[lower] - least[lower]
        by_column[lower] -= less
        # Their rows give way, and nothing but these can be had for less than before.
        giving = owner[lower]
        by_row[giving] += less
        left = cost[giving]
        left -= less[:, None]
        cost[giving] = left
        least = left.min(axis=0)
    flat = (cost == by_column).ravel().nonzero()[0]
    # Several times as quick as asking for rows and columns.
    of_row = flat // n_columns
    of_column = flat - of_row * n_columns
    others = (owner[of_column] != of_row) & (by_row[of_row] + by_column[of_column] < 0)
    return (of_row[others], of_column[others]), (by_row < 0, by_column < 0)


def _letters(words: WordPair) -> LettersArray:
    """By how many letters pairs of word types are dearer than words left out, twice over.

    Negative for words that are alike. Shape (reference types, hypothesis types), in as few bytes
    as hold twice the longest words."""
    distances = words.distances
    dtype: type[np.signedinteger] = np.int16 if distances.dtype == np.uint8 else np.int64
    letters = np.multiply(distances, 2, dtype=dtype)
    letters -= words.ref_lengths.astype(dtype)[:, None]
    letters -= words.hyp_lengths.astype(dtype)
    return letters


def _by_diagonal(apart: FloatArray, per_step: int, shape: tuple[int, int]) -> FloatArray:
    """A view of a matrix that is constant along diagonals: what pairs cost for their places.

    That is the cost of standing apart, less that of leaving two words out. ``apart`` is k − j from
    the lower left to the upper right corner."""
    along = (np.abs(apart) - 2) * per_step + apart * (apart - 1)
    step = along.itemsize
    # What ``sliding_window_view`` makes, which takes longer over it than a short page may.
    return np.ndarray(shape, np.float64, along.data, (shape[0] - 1) * step, (-step, step))
