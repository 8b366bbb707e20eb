"""Text that repeats itself exactly, as the output of language models in a loop does.

Found on the output alone, so it needs no reference. An exact periodic run counts where a unit
stands six times or more, the last time perhaps in part
(https://github.com/Embassy-of-the-Free-Mind/sourcelibrary-v2/pull/4882).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from htreval_core.model import IntArray
from htreval_core.text import PageWords, TextPolicy, characters

LEAST_REPEATS = 6
_LEAST_CHARACTERS = 40
"""Shorter runs occur in honest text: ditto six times in a column."""
_LONGEST_UNIT = 1000
"""Words, or characters within a word, of the longest unit that is looked for."""

Run: TypeAlias = tuple[int, int, int]
"""Start, end and period."""
Stretch: TypeAlias = tuple[int, int]
"""Start and end."""


def periodic_runs(items: Sequence[int] | str, least: int = LEAST_REPEATS) -> list[Run]:
    """Every longest stretch in which each item equals the one a period before.

    Args:
        items: shape (n,).
        least: how many periods long a stretch is at least; 2 or more.

    Returns:
        Stretches of at least ``least`` periods, each with its shortest period. Periods of over
        1,000 items are not looked for.
    """
    n = len(items)
    runs: list[Run] = []
    owner: dict[int, int] = {}
    for period in range(1, min(_LONGEST_UNIT, n // least) + 1):
        # Over a run of that length items equal those a period later at (least − 1)·period places
        # in a row: one of them is a multiple of that.
        for at in range(0, n - period, (least - 1) * period):
            if items[at] != items[at + period] or _is_known(runs, owner, at, period):
                continue
            start, end = at, at + 1
            while start and items[start - 1] == items[start - 1 + period]:
                start -= 1
            while end + period < n and items[end] == items[end + period]:
                end += 1
            end += period
            if end - start >= least * period:
                owner.update(dict.fromkeys(range(start, end), len(runs)))
                runs.append((start, end, period))
    return runs


def _is_known(runs: Sequence[Run], owner: dict[int, int], at: int, period: int) -> bool:
    """Whether two items a period apart stand in one run whose period divides this one."""
    number = owner.get(at)
    if number is None or owner.get(at + period) != number:
        return False
    return period % runs[number][2] == 0


def looped_characters(
    side: PageWords, ids: IntArray, policy: TextPolicy, *, most_common: int, longest: int
) -> int:
    """Characters of a text that stand in exact repetitions, spaces between its words included.

    Repetitions of words, and within a word of its characters. Runs of under 40 characters do not
    count, nor do rules and rows of dots: most signs of a unit have to be letters.

    Args:
        ids: the words of the text as numbers, equal for equal words.
        most_common: how often the most frequent word stands in the text.
        longest: characters of its longest word.
    """
    if most_common < LEAST_REPEATS and longest < _LEAST_CHARACTERS:
        return 0
    words = side.words
    stretches: list[Stretch] = []
    if most_common >= LEAST_REPEATS:
        stretches = list(_stretches(words, ids.tolist()))
    found = sum(len(characters(side.joined(range(*stretch)), policy)) for stretch in stretches)
    if longest >= _LEAST_CHARACTERS:
        inside = {at for stretch in stretches for at in range(*stretch)}
        for at, word in enumerate(words):
            if len(word) >= _LEAST_CHARACTERS and at not in inside:
                clusters = characters(word, policy)
                numbers = {cluster: number for number, cluster in enumerate(clusters)}
                of_word = _stretches(clusters, [numbers[cluster] for cluster in clusters])
                found += sum(end - start for start, end in of_word)
    return found


def _stretches(items: Sequence[str], ids: Sequence[int]) -> Iterator[Stretch]:
    """The union of all runs of text, as stretches that do not touch one another."""
    reach = -1, -1
    for start, end, period in sorted(periodic_runs(ids)):
        if not _is_text("".join(items[start : start + period])):
            continue
        if sum(map(len, items[start:end])) < _LEAST_CHARACTERS:
            continue
        if start <= reach[1]:
            reach = reach[0], max(reach[1], end)
            continue
        if reach[0] >= 0:
            yield reach
        reach = start, end
    if reach[0] >= 0:
        yield reach


def _is_text(unit: str) -> bool:
    return 2 * sum(map(str.isalpha, unit)) > len(unit)
