"""The words of a page by number, and words misread."""

import string
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from htreval_core.model import Transcript

_LETTERS = string.ascii_lowercase


@dataclass(frozen=True, slots=True)
class Sheet:
    """A reference page as its words in reading order, and the word numbers of each line."""

    words: tuple[str, ...]
    lines: tuple[tuple[int, ...], ...]
    transcript: Transcript


def make_sheet(transcript: Transcript) -> Sheet:
    """The words of a transcript by line; blank lines are passed over."""
    words: list[str] = []
    lines: list[tuple[int, ...]] = []
    for line in transcript.lines:
        of_line = line.text.split()
        if of_line:
            lines.append(tuple(range(len(words), len(words) + len(of_line))))
            words += of_line
    return Sheet(tuple(words), tuple(lines), transcript)


def misread(words: Sequence[str], rate: float, rng: np.random.Generator) -> list[str]:
    """Words of which about ``rate`` have one to three characters wrong, each its own way."""
    out: list[str] = []
    for word in words:
        if rng.random() >= rate:
            out.append(word)
            continue
        letters = list(word)
        for _ in range(1 + int(rng.integers(0, 3)) if len(word) > 4 else 1):
            at = int(rng.integers(0, len(letters)))
            letter = _LETTERS[int(rng.integers(0, 26))]
            action = rng.integers(0, 4)
            if action == 0 and len(letters) > 1:
                del letters[at]
            elif action == 1:
                letters.insert(at, letter)
            else:
                letters[at] = letter
        out.append("".join(letters))
    return out
