"""Made-up pages that behave like real ones: frequent and rare words, misread and out of order.

Word frequencies follow Zipf's law, frequent words are short, misread words are off by a letter or
two, and the reading order is right, wrong by lines, read across two columns, or lost.
"""

from functools import cache
from typing import Literal, TypeAlias, get_args

import numpy as np

Order: TypeAlias = Literal["in order", "line swaps", "two columns", "shuffled"]
ORDERS: tuple[Order, ...] = get_args(Order)
Words: TypeAlias = list[str]

WORDS_PER_LINE = 9
_LETTERS = "etaoinshrdlcumwfgypbvkjxqz"
_VOCABULARY = 30_000


@cache
def vocabulary() -> tuple[Words, np.ndarray]:
    """The words of a language from frequent to rare, and how likely each is."""
    rng = np.random.default_rng(1)
    rank = np.arange(_VOCABULARY)
    lengths = np.maximum(1, rng.poisson(1 + 0.75 * np.log(rank + 2)))
    odds = 1 / np.arange(3, 3 + len(_LETTERS))
    drawn = rng.choice(list(_LETTERS), size=int(lengths.sum()) * 2, p=odds / odds.sum())
    text = "".join(drawn)
    words: dict[str, None] = {}
    start = 0
    for length in lengths.tolist():
        word = text[start : start + length]
        start += length
        while word in words:
            word += text[start]
            start += 1
        words[word] = None
    frequency = 1 / (rank + 2.7) ** 1.15  # Zipf's law as Mandelbrot wrote it
    return list(words), frequency / frequency.sum()


def _misread(rng: np.random.Generator, word: str) -> str:
    """A word with one or two letters replaced, left out or added."""
    for _ in range(1 + (rng.random() < 0.4)):
        place = int(rng.integers(len(word)))
        letter = _LETTERS[int(rng.integers(len(_LETTERS)))]
        kind = rng.random()
        if kind < 0.6:
            word = word[:place] + letter + word[place + 1 :]
        elif kind < 0.8 and len(word) > 1:
            word = word[:place] + word[place + 1 :]
        else:
            word = word[:place] + letter + word[place:]
    return word


def _recognised(rng: np.random.Generator, ref: Words, error: float) -> Words:
    """The words as a system with this rate of word errors may read them, in the right order."""
    hyp: Words = []
    wrong = rng.random(len(ref)) < error
    for word, is_wrong in zip(ref, wrong.tolist(), strict=True):
        kind = rng.random() if is_wrong else 1.0
        if not is_wrong:
            hyp.append(word)
        elif kind < 0.84:
            hyp.append(_misread(rng, word))
        elif kind < 0.90 and len(word) > 3:  # a space too many
            hyp += [word[: len(word) // 2], word[len(word) // 2 :]]
        elif kind < 0.96 and hyp:  # a space too few
            hyp[-1] += word
        # else the word is missed
    return hyp


def _reordered(rng: np.random.Generator, words: Words, order: Order) -> Words:
    if order == "shuffled":
        return [words[i] for i in rng.permutation(len(words)).tolist()]
    lines = [words[i : i + WORDS_PER_LINE] for i in range(0, len(words), WORDS_PER_LINE)]
    if order == "line swaps":
        for i in range(0, len(lines) - 6, 12):
            j = i + int(rng.integers(2, 7))
            lines[i], lines[j] = lines[j], lines[i]
    elif order == "two columns":
        half = (len(lines) + 1) // 2
        left, right = lines[:half], [*lines[half:], []]
        lines = [line for pair in zip(left, right, strict=False) for line in pair]
    return [word for line in lines for word in line]


def made_page(
    n_words: int, order: Order = "line swaps", error: float = 0.2, seed: int = 0
) -> tuple[Words, Words]:
    """The words of a reference and of a hypothesis for it."""
    rng = np.random.default_rng((seed, n_words, ORDERS.index(order)))
    words, frequency = vocabulary()
    ref = [words[i] for i in rng.choice(len(words), size=n_words, p=frequency).tolist()]
    return ref, _reordered(rng, _recognised(rng, ref, error), order)


def five_word_page(n_words: int, seed: int = 0) -> tuple[Words, Words]:
    """A hard page: five different words only, so that nearly every matching has equals."""
    rng = np.random.default_rng((seed, n_words))
    words = ["the", "of", "and", "a", "word"]
    ref = [words[i] for i in rng.integers(5, size=n_words).tolist()]
    hyp: Words = []
    for word, luck in zip(ref, rng.random(n_words).tolist(), strict=True):
        other = words[int(rng.integers(5))]
        if luck < 0.1:
            hyp.append(other)
        elif luck < 0.15:
            hyp += [word, other]
        elif luck < 0.95:
            hyp.append(word)
    return ref, hyp


def as_text(words: Words) -> str:
    """The words as a page of lines."""
    lines = [words[i : i + WORDS_PER_LINE] for i in range(0, len(words), WORDS_PER_LINE)]
    return "\n".join(" ".join(line) for line in lines)
