"""Character noise at a given rate, as in Vidal et al. 2023, Sec. 6.

At word level white space stays untouched, so words only change, or vanish where all their
characters go. At line level white space is inserted and deleted too, which breaks and joins
words. Characters that come in are drawn as often as they occur in the data.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from htreval_core.errors import ConfigError
from htreval_core.model import FloatArray, IntArray, Line, Transcript

_SPACE = ord(" ")
_Codes = npt.NDArray[np.uint32]


@dataclass(frozen=True, slots=True, eq=False)
class Alphabet:
    """The characters of some texts and how often each occurs, white space apart.

    Args:
        codes: shape (n,), code points in order.
        counts: shape (n,), how often each occurs.
        n_words: words that white space delimits.
        n_spaces: white space between the words of a line.
    """

    codes: IntArray
    counts: IntArray
    n_words: int
    n_spaces: int

    @classmethod
    def of(cls, transcripts: Iterable[Transcript]) -> Alphabet:
        """The alphabet of the given texts.

        Raises:
            ConfigError: they hold fewer than two different characters, so none can be misread.
        """
        found: Counter[str] = Counter()
        n_words = n_spaces = 0
        for transcript in transcripts:
            for line in transcript.lines:
                words = line.text.split()
                n_words += len(words)
                n_spaces += max(len(words) - 1, 0)
                for word in words:
                    found.update(word)
        if len(found) < 2:
            raise ConfigError("character noise needs a text with at least two characters")
        letters = sorted(found)
        return cls(
            np.array([ord(letter) for letter in letters], dtype=np.int64),
            np.array([found[letter] for letter in letters], dtype=np.int64), n_words, n_spaces,
        )  # fmt: skip

    @property
    def mean_word_length(self) -> float:
        """Characters a word."""
        return float(self.counts.sum()) / self.n_words

    @property
    def share_of_spaces(self) -> float:
        """White space among all characters of the lines."""
        return self.n_spaces / (self.n_spaces + float(self.counts.sum()))

    def draw(self, at: FloatArray) -> IntArray:
        """The characters at the given places of the distribution, each from 0 to below 1."""
        ends = np.cumsum(self.counts)
        return self.codes[np.searchsorted(ends, at * ends[-1], side="right")]

    def draw_other(self, at: FloatArray, than: IntArray) -> IntArray:
        """The same from the distribution without the one character that stands there already."""
        ends = np.cumsum(self.counts)
        found = np.minimum(np.searchsorted(self.codes, than), len(self.codes) - 1)
        weight = np.where(self.codes[found] == than, self.counts[found], 0)
        place = at * (ends[-1] - weight)
        place += np.where(place >= ends[found] - self.counts[found], weight, 0)
        return self.codes[np.searchsorted(ends, place, side="right")]


@dataclass(frozen=True, slots=True)
class NoiseTruth:
    """What was done to the characters of a page.

    Args:
        characters: what the rate relates to.
        substitutions, insertions, deletions: of characters other than white space.
        spaces_added: words that were broken.
        spaces_removed: places where two words became one.
    """

    characters: int
    substitutions: int
    insertions: int
    deletions: int
    spaces_added: int
    spaces_removed: int

    @property
    def edits(self) -> int:
        """All of it."""
        words = self.substitutions + self.insertions + self.deletions
        return words + self.spaces_added + self.spaces_removed


def add_noise(
    transcript: Transcript, rate: float, white_space: float, alphabet: Alphabet,
    rng: np.random.Generator,
) -> tuple[Transcript, NoiseTruth]:  # fmt: skip
    """The page with some of its characters misread, its lines kept.

    A third each are replaced, come in and go.

    Every character is edited by itself with the same probability, so the rate is met in
    expectation and not on every page; it cannot be met where it asks for more white space than
    there are places for. With generators in the same state, a higher rate edits the same
    characters in the same way and some more.

    Args:
        rate: expected edits per character, tCER as a fraction. Characters are those of words,
            and where white space is edited the single spaces between them too.
        white_space: share of the edits that insert white space within a word or delete the white
            space between two, by equal halves; 0 is the paper's word level.
    """
    codes, line_of = _codes([" ".join(line.text.split()) for line in transcript.lines])
    space = codes == _SPACE
    word = ~space
    # A space beside a space, or at the end of a line, would break no word.
    inside = word & np.roll(word, 1) & (line_of == np.roll(line_of, 1))
    inside[:1] = False
    n_letters, n_spaces, n_inside = int(word.sum()), int(space.sum()), int(inside.sum())
    n_chars = n_letters + n_spaces if white_space else n_letters
    white = rate * white_space * n_chars
    removed = white / 2 if n_spaces else 0.0
    edits = rate * n_chars - white

    hit, kind, which, side, at_space = rng.random((5, len(codes)))
    hit_word = word & (hit < edits / max(n_letters, 1))
    replaced = hit_word & (kind < 1 / 3)
    lost = hit_word & (kind >= 1 - 1 / 3) & ~replaced
    added = hit_word & ~replaced & ~lost
    joined = space & (at_space < removed / max(n_spaces, 1))
    broken = inside & (at_space < (white - removed) / max(n_inside, 1))

    # What stands in the place of each character: a space, one before it, itself, one after it.
    before, after = added & (side < 0.5), added & (side >= 0.5)
    written = np.empty((len(codes), 4), dtype=np.uint32)
    written[:, 0] = _SPACE
    written[:, 1] = written[:, 3] = alphabet.draw(which)
    written[:, 2] = np.where(
        replaced, alphabet.draw_other(which, codes.astype(np.int64)), codes
    ).astype(np.uint32)
    there = np.stack([broken, before, ~(lost | joined), after], axis=1)
    lengths = np.bincount(line_of, there.sum(axis=1), minlength=len(transcript.lines))
    texts = _texts(written[there], lengths.astype(np.int64))
    truth = NoiseTruth(
        n_chars, *(int(mask.sum()) for mask in (replaced, added, lost, broken, joined))
    )
    return Transcript(tuple(map(Line, texts))), truth


def _codes(texts: list[str]) -> tuple[_Codes, IntArray]:
    """The code points of all lines in a row, and the line of each."""
    data = "".join(texts).encode("utf-32-le", "surrogatepass")
    lengths = np.fromiter(map(len, texts), np.int64, len(texts))
    return np.frombuffer(data, dtype="<u4"), np.repeat(np.arange(len(texts)), lengths)


def _texts(codes: _Codes, lengths: IntArray) -> list[str]:
    """The lines that code points in a row make, given how long each is."""
    text = codes.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")
    ends = np.cumsum(lengths).tolist()
    return [text[start:end] for start, end in zip([0, *ends], ends, strict=False)]
