"""How each value comes about, step by step, for short texts: grid, bag, matching, renumbering.

Everything is read off the alignments that the values themselves are read off, so no step can
say something else than the result.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias

import numpy as np
from rapidfuzz.distance import Levenshtein

from htreval_core.errors import ConfigError
from htreval_core.metrics.order import footrule
from htreval_core.model import Alignment, EditCounts, IntArray
from htreval_core.settings import exact_gamma

Op: TypeAlias = Literal["hit", "substitution", "deletion", "insertion"]
MOST_CELLS = 100_000
"""The largest grid that is worked out; nobody reads more off it."""


@dataclass(frozen=True, slots=True)
class GridStep:
    """One step of a trace through the grid.

    Args:
        row: of the cell that it leads to: how many reference words are behind it.
        column: how many hypothesis words are.
        op: what the step does.
        errors: the word errors up to there, the number in the cell.
    """

    row: int
    column: int
    op: Op
    errors: int


@dataclass(frozen=True, slots=True, eq=False)
class EditGrid:
    """The word edit distance worked out cell by cell.

    Args:
        distances: shape (n + 1, m + 1); cell (i, j) is the word edit distance of the first i
            reference words to the first j hypothesis words.
        path: the steps of the trace after cell (0, 0), up to the last cell.
        ref_words: shape (n,).
        hyp_words: shape (m,).
    """

    distances: IntArray
    path: tuple[GridStep, ...]
    ref_words: tuple[str, ...]
    hyp_words: tuple[str, ...]

    @property
    def counts(self) -> EditCounts:
        """The steps counted: those of WER."""
        ops = Counter(step.op for step in self.path)
        return EditCounts(ops["hit"], ops["substitution"], ops["deletion"], ops["insertion"])


def edit_grid(trace: Alignment) -> EditGrid:
    """The grid behind a sequential trace, such as ``ScoredPage.trace``, and the trace in it.

    Raises:
        ConfigError: the texts are too long for a grid, or the alignment is not a sequential one
            of least errors.
    """
    ref, hyp = trace.ref_words, trace.hyp_words
    if (len(ref) + 1) * (len(hyp) + 1) > MOST_CELLS:
        raise ConfigError(f"a grid of {len(ref)} by {len(hyp)} words is too large to be shown")
    distances = np.empty((len(ref) + 1, len(hyp) + 1), dtype=np.int64)
    columns = np.arange(len(hyp) + 1)
    distances[0] = columns
    numbers = {word: number for number, word in enumerate(dict.fromkeys((*ref, *hyp)))}
    hyp_numbers = np.array([numbers[word] for word in hyp], dtype=np.int64)
    for row, word in enumerate(ref, start=1):
        above = distances[row - 1]
        best = above + 1
        np.minimum(best[1:], above[:-1] + (hyp_numbers != numbers[word]), out=best[1:])
        # A run of insertions adds 1 a step: the least of all starts, less what was added so far.
        distances[row] = np.minimum.accumulate(best - columns) + columns
    return EditGrid(distances, tuple(_steps(trace, distances)), ref, hyp)


def _steps(trace: Alignment, distances: IntArray) -> list[GridStep]:
    steps: list[GridStep] = []
    row = column = errors = 0
    for ref_word, hyp_word in trace.rows:
        row += ref_word is not None
        column += hyp_word is not None
        op: Op = (
            "insertion"
            if ref_word is None
            else "deletion"
            if hyp_word is None
            else "hit"
            if ref_word == hyp_word
            else "substitution"
        )
        errors += op != "hit"
        steps.append(GridStep(row, column, op, errors))
        if errors != distances[row, column]:
            raise ConfigError("only a sequential alignment of least errors has a path in the grid")
    return steps


@dataclass(frozen=True, slots=True)
class BagRow:
    """How often one word stands in either text."""

    word: str
    reference: int
    hypothesis: int

    @property
    def both(self) -> int:
        """The lesser of the two: words read right, wherever they stand."""
        return min(self.reference, self.hypothesis)

    @property
    def missing(self) -> int:
        """How many the hypothesis lacks."""
        return self.reference - self.both

    @property
    def extra(self) -> int:
        """How many it has too many."""
        return self.hypothesis - self.both


def bag_rows(ref_words: Sequence[str], hyp_words: Sequence[str]) -> tuple[BagRow, ...]:
    """The bags of words behind bWER: a row per word, as they appear in reference and hypothesis.

    bWER's errors are the larger of all missing and all extra words.

    >>> [(row.word, row.missing, row.extra) for row in bag_rows(["a", "b", "a"], ["a", "c"])]
    [('a', 1, 0), ('b', 1, 0), ('c', 0, 1)]
    """
    ref, hyp = Counter(ref_words), Counter(hyp_words)
    return tuple(
        BagRow(word, ref[word], hyp[word]) for word in dict.fromkeys((*ref_words, *hyp_words))
    )


@dataclass(frozen=True, slots=True)
class MatchedWord:
    """A pair of the matching, or a word that was left out: one matched with a dummy.

    Args:
        ref_position, hyp_position: from 1; None where a dummy stands.
        ref_word, hyp_word: None where a dummy stands.
        characters: the character edit distance; half the word's length against a dummy.
        distance: γ·|j − k|/M; γ/M against a dummy.
    """

    ref_position: int | None
    hyp_position: int | None
    ref_word: str | None
    hyp_word: str | None
    characters: Fraction
    distance: Fraction

    @property
    def cost(self) -> Fraction:
        """What the pair adds to the cost of the matching."""
        return self.characters + self.distance


def matched_words(
    matching: Alignment, gamma: float | str | Fraction = 1
) -> tuple[MatchedWord, ...]:
    """The pairs behind hWER with what each costs; together they cost d_h.

    Reference words come in order, then the hypothesis words that were left out.
    """
    weight = exact_gamma(gamma) / max(len(matching.ref_words), len(matching.hyp_words), 1)
    rows = []
    for j, k in zip(matching.ref_index.tolist(), matching.hyp_index.tolist(), strict=True):
        ref = matching.ref_words[j] if j >= 0 else None
        hyp = matching.hyp_words[k] if k >= 0 else None
        if ref is not None and hyp is not None:
            characters, apart = Fraction(Levenshtein.distance(ref, hyp)), abs(j - k)
        else:
            characters, apart = Fraction(len(ref or hyp or ""), 2), 1
        rows.append(
            MatchedWord(
                j + 1 if j >= 0 else None,
                k + 1 if k >= 0 else None,
                ref,
                hyp,
                characters,
                weight * apart,
            )
        )
    return tuple(rows)


@dataclass(frozen=True, slots=True)
class RenumberedPair:
    """A pair of an alignment, its words' positions before and after renumbering, from 1."""

    ref_word: str
    hyp_word: str
    ref_position: int
    hyp_position: int
    ref_number: int
    hyp_number: int

    @property
    def apart(self) -> int:
        """|j − k| after renumbering."""
        return abs(self.ref_number - self.hyp_number)


@dataclass(frozen=True, slots=True)
class Renumbering:
    """NSFD step by step.

    Args:
        pairs: in the order of the reference.
        ref_unmatched, hyp_unmatched: positions, from 1, of words without a mate; each adds 1.
        total: the sum of |j − k| and of the unmatched words.
        denominator: ⌊M²/2⌋.
    """

    pairs: tuple[RenumberedPair, ...]
    ref_unmatched: tuple[int, ...]
    hyp_unmatched: tuple[int, ...]
    total: int
    denominator: int


def renumber(alignment: Alignment) -> Renumbering:
    """How any alignment's NSFD comes about (Vidal et al. 2023, Sec. 5)."""
    ref, hyp = alignment.pairs
    order = np.argsort(ref, kind="stable")
    ref, hyp = ref[order], hyp[order]
    hyp_numbers = np.searchsorted(np.sort(hyp), hyp)
    pairs = tuple(
        RenumberedPair(
            alignment.ref_words[j], alignment.hyp_words[k], j + 1, k + 1, number, hyp_number + 1
        )
        for number, (j, k, hyp_number) in enumerate(
            zip(ref.tolist(), hyp.tolist(), hyp_numbers.tolist(), strict=True), start=1
        )
    )
    lost, added = (
        tuple(position + 1 for position in sorted(side.tolist())) for side in alignment.unmatched
    )
    total, denominator = footrule(alignment)
    return Renumbering(pairs, lost, added, total, denominator)


def read_across(text: str) -> str:
    """Lines of the first half run on into those of the second: two columns read across."""
    lines = text.splitlines()
    left = (len(lines) + 1) // 2
    right = [*lines[left:], ""]
    return "\n".join(f"{a} {b}".strip() for a, b in zip(lines[:left], right, strict=False))
