"""Numbers of things, values, lines and lists as a person writes them."""

import math
from collections.abc import Sequence

from htreval_core.metrics.catalog import METRICS

MINUS = "\N{MINUS SIGN}"
MOST_RUNS = 3
"""More runs of lines than this are given as a range."""


def counted(n: int, what: str) -> str:
    """A number of things."""
    return f"{n:,} {what}{'' if n == 1 else 's'}"


def listed_in_words(names: Sequence[str], last: str = "and") -> str:
    """Names as a list in a sentence: "a", "a and b", "a, b and c"."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} {last} {names[-1]}"


def lower_first(sentence: str) -> str:
    """A sentence as it goes on after a colon."""
    return f"{sentence[:1].lower()}{sentence[1:]}"


def whole_percent(share: float) -> str:
    """A share in whole percent; 0 and 100 are said of nothing and of all alone.

    >>> whole_percent(0.998), whole_percent(1.0), whole_percent(0.001)
    ('99', '100', '1')
    """
    shown = round(100 * share)
    return str(min(max(shown, 1), 99) if 0 < share < 1 else shown)


def runs_of(numbers: Sequence[int]) -> list[tuple[int, int]]:
    """Rising numbers as runs of neighbours, first and last."""
    runs: list[tuple[int, int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1] = runs[-1][0], number
        else:
            runs.append((number, number))
    return runs


def tell_lines(lines: Sequence[int], *, few: bool = False) -> str:
    """Numbers of lines: "line 3", "lines 2–7 and 9"; empty without any. ``few``: "3 of the …"."""
    if not lines:
        return ""
    if len(lines) == 1:
        return f"line {lines[0]}"
    runs = runs_of(lines)
    if len(runs) > MOST_RUNS:
        span = f"lines {lines[0]}–{lines[-1]}"
        return f"{len(lines)} of the {span}" if few else f"{span} ({len(lines)} of them)"
    return "lines " + listed_in_words([f"{a}–{b}" if b > a else f"{a}" for a, b in runs])


def interval_text(name: str, low: float, high: float, *, signed: bool = False) -> str:
    """The ends of an interval; a dash if it has none."""
    show = signed_value if signed else shown_value
    return "–" if math.isnan(low) else f"{show(name, low)} – {show(name, high)}"


def percent(value: float, digits: int = 1) -> str:
    """A fraction for people: percent, or a dash where it is undefined."""
    return "–" if math.isnan(value) else f"{100 * value:.{digits}f}"


def shown_value(name: str, value: float) -> str:
    """One value as a table shows it: shares and rates in percent, correlations as they are."""
    if METRICS[name].scale == "correlation":
        return "–" if math.isnan(value) else f"{value:.3f}"
    return percent(value, 2)


def signed_value(name: str, value: float) -> str:
    """A difference with its sign; a rounded 0 has none."""
    text = shown_value(name, abs(value))
    if text == "–" or not text.strip("0."):
        return text
    return f"{'+' if value > 0 else MINUS}{text}"


def p_value(value: float) -> str:
    """A p for a table: four digits, a dash where nothing was tested."""
    if math.isnan(value):
        return "–"
    return f"{value:.4f}" if value >= 0.0001 else "<0.0001"


def p_text(p: float) -> str:
    """A p as people write it."""
    if math.isnan(p):
        return "not tested"
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}" if p < 0.1 else f"p = {p:.2f}"
