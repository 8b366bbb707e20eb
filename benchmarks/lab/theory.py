"""What a fault is expected to cost a page, before any noise (Vidal et al. 2023, Sec. 6)."""

from benchmarks.lab.lines import FARTHEST, NEAREST, WITHIN_WORDS


def nsfd_of_swaps(
    swaps: float, n_lines: int, nearest: int = NEAREST, farthest: int = FARTHEST
) -> float:
    """S·(R′ + R)/⌊M²/2⌋ of a page of M lines: both lines of a pair move (R′ + R)/2 on average."""
    return swaps * (nearest + farthest) / max(n_lines * n_lines // 2, 1)


def nsfd_of_splits(splits: float, n_words: int, n_lines: int) -> float:
    """S·(8L² + 2L)/9/⌊N²/2⌋ of a page of N words in M lines of L = N/M words.

    With p words before the cut and q after it the three cases move words by 2pq, 2qL and
    2p(q + L) places; with the cut anywhere between two words alike, the mean is (8L² + 2L)/9.
    This is about (8/9)·S/⌊M²/2⌋.
    """
    length = n_words / max(n_lines, 1)
    moved = (8 * length * length + 2 * length) / 9
    return splits * moved / max(n_words * n_words // 2, 1)


def bwer_errors_of_splits(splits: float) -> float:
    """A cut within a word makes one word missing and two too many: 2 errors of bWER.

    With odds of 1:4 that is 2·S/5 on a page; the paper counts 2·S/4.
    """
    return 2 * splits * WITHIN_WORDS
