"""Other ways to the same figures, written plainly, to measure against.

None of this is tuned in either direction. Where the published program calls a C++ edit distance
for each pair of words, ``rapidfuzz`` is called here, which is at least as fast.
"""

from collections import Counter
from collections.abc import Callable, Sequence

import jiwer
import numpy as np
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist
from scipy.optimize import linear_sum_assignment

Words = Sequence[str]
Pairs = tuple[np.ndarray, np.ndarray]


def authors_matching(ref: Words, hyp: Words, gamma: float = 1.0) -> Pairs:
    """The matching as the paper's program finds it (https://github.com/PRHLT/E2EHTREval).

    Both texts are padded with dummies to the same length, then get as many dummies again; the
    costs of all four quarters are listed element by element, as the program lists them; one
    dense assignment of twice the longer text squared.
    """
    n_ref, n_hyp = len(ref), len(hyp)
    longer = max(n_ref, n_hyp)
    padded_ref: list[str | None] = [*ref, *[None] * (longer - n_ref)]
    padded_hyp: list[str | None] = [*hyp, *[None] * (longer - n_hyp)]

    def alone(word: str | None) -> float:
        return 0.0 if word is None else len(word) / 2 + gamma / longer

    def together(i: int, x: str | None, j: int, y: str | None) -> float:
        if x is None or y is None:
            return alone(x) + alone(y)
        return Levenshtein.distance(x, y) + abs(i - j) / longer * gamma

    pairs = [
        together(i, x, j, y) for i, x in enumerate(padded_ref) for j, y in enumerate(padded_hyp)
    ]
    left_ref = [alone(x) for x in padded_ref for _ in padded_hyp]
    left_hyp = [alone(y) for _ in padded_ref for y in padded_hyp]
    quarters = [np.array(costs).reshape(longer, longer) for costs in (pairs, left_ref, left_hyp)]
    nothing = np.zeros((longer, longer))
    cost = np.block([[quarters[0], quarters[1]], [quarters[2], nothing]])
    rows, columns = linear_sum_assignment(cost)
    real = (rows < n_ref) & (columns < n_hyp)
    return rows[real], columns[real]


def _pair_costs(ref: Words, hyp: Words, gamma: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Costs of all pairs and of leaving each word out, by array operations."""
    longer = max(len(ref), len(hyp))
    ref_types, ref_ids = np.unique(ref, return_inverse=True)
    hyp_types, hyp_ids = np.unique(hyp, return_inverse=True)
    letters = cdist(ref_types.tolist(), hyp_types.tolist(), scorer=Levenshtein.distance)
    apart = np.abs(np.arange(len(ref))[:, None] - np.arange(len(hyp)))
    pairs = letters[ref_ids[:, None], hyp_ids].astype(float) + apart * (gamma / longer)
    alone_ref = np.array([len(word) for word in ref]) / 2 + gamma / longer
    alone_hyp = np.array([len(word) for word in hyp]) / 2 + gamma / longer
    return pairs, alone_ref, alone_hyp


def full_dummies(ref: Words, hyp: Words, gamma: float = 1.0) -> Pairs:
    """One dense assignment of (|X|+|Y|)², a dummy for every word, costs by array operations."""
    n_ref, n_hyp = len(ref), len(hyp)
    pairs, alone_ref, alone_hyp = _pair_costs(ref, hyp, gamma)
    cost = np.zeros((n_ref + n_hyp, n_ref + n_hyp))
    cost[:n_ref, :n_hyp] = pairs
    cost[:n_ref, n_hyp:] = alone_ref[:, None]
    cost[n_ref:, :n_hyp] = alone_hyp
    rows, columns = linear_sum_assignment(cost)
    real = (rows < n_ref) & (columns < n_hyp)
    return rows[real], columns[real]


def plain_rectangle(ref: Words, hyp: Words, gamma: float = 1.0) -> Pairs:
    """One dense assignment of |X|×|Y|: what a pair costs beyond leaving both words out."""
    cost, alone_ref, alone_hyp = _pair_costs(ref, hyp, gamma)
    cost -= alone_ref[:, None]
    cost -= alone_hyp
    np.minimum(cost, 0, out=cost)
    rows, columns = linear_sum_assignment(cost)
    useful = cost[rows, columns] < 0
    return rows[useful], columns[useful]


def jiwer_wer_and_cer(reference: str, hypothesis: str) -> tuple[float, float]:
    """Only the two sequential rates, by the library most people use for them."""
    # It splits words at spaces only: a line feed would glue two words together.
    reference, hypothesis = " ".join(reference.split()), " ".join(hypothesis.split())
    return jiwer.wer(reference, hypothesis), jiwer.cer(reference, hypothesis)


def authors_page(reference: str, hypothesis: str) -> dict[str, float]:
    """All figures of a page with the authors' matching: WER, CER, bWER, hWER, hCER, NSFD."""
    ref, hyp = reference.split(), hypothesis.split()
    longer = max(len(ref), len(hyp))
    missing, extra = Counter(ref) - Counter(hyp), Counter(hyp) - Counter(ref)
    rows, columns = authors_matching(ref, hyp)
    equal = sum(ref[i] == hyp[j] for i, j in zip(rows.tolist(), columns.tolist(), strict=True))
    matched = set(columns.tolist())
    in_order = [hyp[j] for j in columns.tolist()]
    in_order += [word for j, word in enumerate(hyp) if j not in matched]
    ranks = np.argsort(np.argsort(columns)).tolist()
    moved = sum(abs(place - rank) for place, rank in enumerate(ranks))
    alone = len(ref) + len(hyp) - 2 * len(rows)
    wer, cer = jiwer_wer_and_cer(reference, hypothesis)
    return {
        "wer": wer,
        "cer": cer,
        "bwer": max(missing.total(), extra.total()) / len(ref),
        "hwer": (longer - equal) / len(ref),
        "hcer": jiwer.cer(" ".join(ref), " ".join(in_order)),
        "nsfd": (moved + alone) / max(longer * longer // 2, 1),
    }


MATCHINGS: dict[str, Callable[[Words, Words], Pairs]] = {
    "authors' method": authors_matching,
    "(|X|+|Y|)² dense": full_dummies,
    "plain rectangle": plain_rectangle,
}
