"""The lessons: each an idea, two texts, and the question that comes before the answer."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from htreval_core import (
    Line,
    OrderRules,
    RegionRule,
    ScoredPage,
    Settings,
    Transcript,
    score_page,
)
from htreval_core.diagnosis.look import Look
from htreval_core.model import lines_of
from htreval_ui import places


@dataclass(frozen=True, slots=True)
class Question:
    """To be answered before the numbers are shown.

    Args:
        answer: the right option's place, worked out from the scored texts.
        why: what to understand, once it is revealed.
        gamma: the γ that it asks about.
    """

    prompt: str
    options: tuple[str, ...]
    answer: Callable[[ScoredPage], int]
    why: str
    gamma: str = "1"


@dataclass(frozen=True, slots=True)
class Lesson:
    """One idea.

    Args:
        name: as in its link.
        title: as in the strip of lessons.
        heading: the idea as a question.
        told: what the picture shows, in plain words.
        pictures: which pictures, by name.
        gamma: whether γ is to be played with.
    """

    name: str
    title: str
    heading: str
    told: str
    reference: str
    hypothesis: str
    pictures: tuple[str, ...]
    question: Question
    gamma: bool = False
    systems: tuple[tuple[str, str], ...] = ()
    """Outputs of the same reference to choose from: name and text."""
    given: tuple[tuple[int, int], ...] = ()
    """An alignment made by hand, positions from 1, 0 for none."""
    columns: tuple[tuple[str, int, int], ...] = ()
    """The columns of the reference: name, number of the first and of the last line, from 1."""
    floats: tuple[str, ...] = ()
    """Columns of the reference that may as well stand elsewhere."""

    def score(self, reference: str, output: str, gamma: str = "1") -> ScoredPage:
        """A page from the two texts, with what of the reference may stand elsewhere."""
        regions = [
            name
            for number, _ in enumerate(lines_of(reference), start=1)
            for name in [next((c for c, a, b in self.columns if a <= number <= b), None)]
        ]
        lines = tuple(
            Line(text, region) for text, region in zip(lines_of(reference), regions, strict=True)
        )
        orders = OrderRules(floats=RegionRule(names=self.floats))
        settings = Settings(gamma=gamma, orders=orders)
        return score_page(Transcript(lines), output, settings)


def lessons() -> tuple[Lesson, ...]:
    """All lessons in their order, as ``lessons.toml`` has them."""
    told = tomllib.loads((places.ASSETS / "lessons.toml").read_text("utf-8"))
    return tuple(_lesson(**one) for one in told["lesson"])


def _lesson(
    question: dict[str, Any], systems: Mapping[str, str] | None = None, **told: Any
) -> Lesson:
    for side in ("reference", "hypothesis"):
        if f"{side}_file" in told:
            told[side] = _sample(told.pop(f"{side}_file"))
    for name in ("pictures", "given", "columns", "floats"):
        told[name] = tuple(
            tuple(one) if isinstance(one, list) else one for one in told.get(name, ())
        )
    answer = question.pop("answer")
    return Lesson(
        **told,
        question=Question(
            answer=_ANSWERS[answer] if answer in _ANSWERS else lambda _page: int(answer),
            options=tuple(question.pop("options")),
            **question,
        ),
        systems=tuple((name, _sample(file)) for name, file in (systems or {}).items()),
    )


def _sample(file: str) -> str:
    return (places.root() / "sample_data" / file).read_text("utf-8").strip()


def look_at(page: ScoredPage) -> Look:
    """A lesson's page looked at closely; it has no regions and no outlines."""
    reference, output = (
        Transcript(tuple(Line(" ".join(line)) for line in side.by_line()))
        for side in (page.reference, page.hypothesis)
    )
    return Look(page, reference, output, Settings())


_LINES = re.compile(r"[Ll]ines? (\d+(?:–\d+)?(?:, \d+(?:–\d+)?)*(?: and \d+(?:–\d+)?)?)")


def name_columns(sentence: str, columns: Sequence[tuple[str, int, int]]) -> str:
    """The sentence of an event with the column behind every line of the reference that it names.

    Args:
        sentence: as the diagnosis tells it, with lines as "line 3", "lines 2–7", "lines 1–2 and 5".
        columns: name, number of the first and of the last line, from 1; all lines stand in one.

    >>> name_columns("Lines 2–7 and line 9 moved", [("left", 1, 4), ("right", 5, 8)])
    'Lines 2–4 of the left and 5–7 of the right and line 9 moved'
    """

    def named(found: re.Match[str]) -> str:
        told = []
        for run in re.split(r", | and ", found[1]):
            first, _, last = run.partition("–")
            start, end = int(first), int(last or first)
            parts = [(name, max(start, a), min(end, b)) for name, a, b in columns
                     if a <= end and start <= b]  # fmt: skip
            if sum(b - a + 1 for _, a, b in parts) != end - start + 1:
                return found[0]
            told += [f"{a}–{b} of the {name}" if b > a else f"{a} of the {name}"
                     for name, a, b in parts]  # fmt: skip
        word = found[0].partition(" ")[0]
        return f"{word} {told[0]}" if len(told) == 1 else (
            f"{word} {', '.join(told[:-1])} and {told[-1]}"
        )  # fmt: skip

    return _LINES.sub(named, sentence) if columns else sentence


def _mended(page: ScoredPage) -> int:
    """Whether order is all of ΔWER, some of it, or nothing."""
    diagnosis = look_at(page).diagnosis
    if not diagnosis.parts.order:
        return 2
    return int(diagnosis.parts.order < diagnosis.delta_wer)


def _of_three(errors: int, length: int) -> int:
    """None, less than half, half or more."""
    if not errors:
        return 0
    return 1 if 2 * errors < length else 2


def _nearer(page: ScoredPage) -> int:
    """Whether the matching of a page at a large γ is nearer to the bag or to the trace."""
    scores = page.scores
    to_bag = abs(scores.hwer_errors - scores.bwer.errors)
    return int(abs(scores.hwer_errors - scores.wer.errors) < to_bag)


_ANSWERS: Mapping[str, Callable[[ScoredPage], int]] = {
    "wer": lambda page: _of_three(page.scores.wer.errors, page.scores.n_ref_words),
    "errors": lambda page: (3, 5, 7).index(page.scores.wer.errors),
    "missed": lambda page: min(page.scores.bwer.errors, 2),
    "bag": lambda page: (0, 3, 6).index(page.scores.bwer.errors),
    "nearer": _nearer,
    "mended": _mended,
    "admissible": lambda page: _of_three(
        (page.scores.admissible_errors or 0) - page.scores.bwer.errors,
        page.scores.wer.errors - page.scores.bwer.errors,
    ),
}
"""The place of the right option, by the name that the file of the lessons has for it."""
