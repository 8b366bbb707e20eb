"""Numbers of things, lines and lists as a person writes them."""

from __future__ import annotations

from collections.abc import Sequence

MOST_RUNS = 3
"""More runs of lines than this are given as a range."""


def counted(n: int, what: str) -> str:
    """A number of things."""
    return f"{n:,} {what}{'' if n == 1 else 's'}"


def listed_in_words(names: Sequence[str]) -> str:
    """Names as a list in a sentence: "a", "a and b", "a, b and c"."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"


def runs_of(numbers: Sequence[int]) -> list[tuple[int, int]]:
    """Rising numbers as runs of neighbours, first and last."""
    runs: list[tuple[int, int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1] = runs[-1][0], number
        else:
            runs.append((number, number))
    return runs


def tell_lines(lines: Sequence[int]) -> str:
    """Numbers of lines: "line 3", "lines 2–7 and 9"; empty without any."""
    if not lines:
        return ""
    if len(lines) == 1:
        return f"line {lines[0]}"
    runs = runs_of(lines)
    if len(runs) > MOST_RUNS:
        return f"lines {lines[0]}–{lines[-1]} ({len(lines)} of them)"
    return "lines " + listed_in_words([f"{a}–{b}" if b > a else f"{a}" for a, b in runs])
