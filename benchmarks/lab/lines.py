"""Lines that change places and lines that are split, as in Vidal et al. 2023, Sec. 6."""

from dataclasses import dataclass
from enum import Enum

import numpy as np

from htreval_core.errors import ConfigError
from htreval_core.model import Line, Transcript

WRAP_AT = 8
"""Words a line where a text comes without lines."""
NEAREST, FARTHEST = 4, 7
"""How many lines those stand apart that change places."""
WITHIN_WORDS = 1 / 5
"""A split falls within a word or between two words with odds 1:4."""


def with_lines(transcript: Transcript, words: int = WRAP_AT) -> Transcript:
    """The transcript without blank lines; a text without line structure is wrapped.

    A text has no line structure where all of it stands on one line.

    Args:
        words: to a line, where the text is wrapped.
    """
    lines = [line for line in transcript.lines if line.text.strip()]
    if len(lines) == 1:
        all_words = lines[0].text.split()
        parts = [all_words[at : at + words] for at in range(0, len(all_words), words)]
        lines = [Line(" ".join(part)) for part in parts]
    return Transcript(tuple(lines), transcript.order_source, transcript.page_size)


@dataclass(frozen=True, slots=True)
class SwapTruth:
    """Which lines changed places.

    Args:
        wanted: pairs that were asked for.
        pairs: line numbers of those that found room, in the order in which they were drawn.
    """

    wanted: int
    pairs: tuple[tuple[int, int], ...]

    @property
    def made(self) -> int:
        """How many faults the page had room for."""
        return len(self.pairs)


def swap_line_pairs(
    transcript: Transcript, pairs: int, rng: np.random.Generator, *, nearest: int = NEAREST,
    farthest: int = FARTHEST,
) -> tuple[Transcript, SwapTruth]:  # fmt: skip
    """Pairs of lines change places; a line that was swapped is not swapped again.

    Their distance is drawn evenly from ``nearest`` to ``farthest`` lines as long as the page has
    room for it, then the pair evenly from those at that distance. A page has fewer swaps than
    asked for where its lines are used up.

    Raises:
        ConfigError: the distances are no range.
    """
    if not 1 <= nearest <= farthest:
        raise ConfigError(f"swaps: distances {nearest} to {farthest}; use 1 or more, upwards")
    order = list(range(len(transcript.lines)))
    free = np.ones(len(order), dtype=bool)
    made: list[tuple[int, int]] = []
    for _ in range(pairs):
        room = {
            distance: np.flatnonzero(free[:-distance] & free[distance:])
            for distance in range(nearest, min(farthest, len(order) - 1) + 1)
        }
        distances = [distance for distance, starts in room.items() if len(starts)]
        if not distances:
            break
        distance = distances[int(rng.integers(len(distances)))]
        first = int(rng.choice(room[distance]))
        second = first + distance
        order[first], order[second] = second, first
        free[[first, second]] = False
        made.append((first, second))
    lines = tuple(Line(transcript.lines[n].text) for n in order)
    return Transcript(lines), SwapTruth(pairs, tuple(made))


class SplitCase(Enum):
    """Where the parts of a split line go; drawn with equal odds."""

    SUFFIX_FIRST = "suffix before prefix"
    SUFFIX_LATE = "suffix after the next line"
    PREFIX_LATE = "prefix after the next line"


@dataclass(frozen=True, slots=True)
class Split:
    """One line that was split.

    Args:
        line: its number.
        prefix: its text up to the cut.
        suffix: the rest of it.
        within_word: the cut fell within a word, which is now two.
        case: where the parts went.
    """

    line: int
    prefix: str
    suffix: str
    within_word: bool
    case: SplitCase


@dataclass(frozen=True, slots=True)
class SplitTruth:
    """Which lines were split: as many as were wanted, or as found room, in the order drawn."""

    wanted: int
    splits: tuple[Split, ...]

    @property
    def made(self) -> int:
        """How many faults the page had room for."""
        return len(self.splits)


def split_lines(
    transcript: Transcript, lines: int, rng: np.random.Generator, *,
    within_words: float = WITHIN_WORDS,
) -> tuple[Transcript, SplitTruth]:  # fmt: skip
    """Lines are cut in two and read in the wrong order.

    A line that was split, and the next line where a part went behind it, are not touched again.
    A page has fewer splits than asked for where no line with room is left.

    Args:
        lines: how many are split.
        within_words: share of the cuts that fall within a word.
    """
    texts = [" ".join(line.text.split()) for line in transcript.lines]
    cuts = {within: [_cuts(text, within=within) for text in texts] for within in (False, True)}
    free = [True] * len(texts)
    output = [[text] for text in texts]
    made: list[Split] = []
    for _ in range(lines):
        within = bool(rng.random() < within_words)
        case = list(SplitCase)[int(rng.integers(3))]
        alone = case is SplitCase.SUFFIX_FIRST
        room = [
            n
            for n, places in enumerate(cuts[within])
            if places and free[n] and (alone or (n + 1 < len(texts) and free[n + 1]))
        ]
        if not room:
            break
        line = room[int(rng.integers(len(room)))]
        cut = cuts[within][line][int(rng.integers(len(cuts[within][line])))]
        prefix, suffix = texts[line][:cut].rstrip(), texts[line][cut:].lstrip()
        free[line] = False
        if alone:
            output[line] = [suffix, prefix]
        else:
            free[line + 1] = False
            first, last = (prefix, suffix) if case is SplitCase.SUFFIX_LATE else (suffix, prefix)
            output[line], output[line + 1] = [first], [texts[line + 1], last]
        made.append(Split(line, prefix, suffix, within, case))
    hypothesis = Transcript(tuple(Line(text) for parts in output for text in parts))
    return hypothesis, SplitTruth(lines, tuple(made))


def _cuts(text: str, *, within: bool) -> list[int]:
    """Places at which a line can be cut: between letters of a word, or between words."""
    if within:
        return [n for n in range(1, len(text)) if text[n] != " " != text[n - 1]]
    return [n for n in range(1, len(text)) if text[n] == " "]
