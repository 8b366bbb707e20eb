"""The lessons: each an idea, two texts, and the question that comes before the answer."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from htreval_core import Line, OrderRules, RegionRule, ScoredPage, Settings, Transcript, score_page
from htreval_core.diagnosis.look import Look
from htreval_core.model import lines_of
from htreval_core.show.telling.counting import listed_in_words, runs_of, tell_lines
from htreval_core.show.telling.events import LinesTold
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
        lines = tuple(
            Line(text, next((name for name, a, b in self.columns if a <= number <= b), None))
            for number, text in enumerate(lines_of(reference), start=1)
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


def columns_told(columns: Sequence[tuple[str, int, int]]) -> LinesTold:
    """Puts numbers of reference lines into words with the column that they stand in.

    Args:
        columns: name, number of the first and of the last line, from 1; all lines stand in one.

    >>> columns_told([("left", 1, 4), ("right", 5, 8)])([2, 3, 4, 5, 6])
    'lines 2–4 of the left and 5–6 of the right'
    """

    def told(lines: Sequence[int]) -> str:
        runs = {
            name: runs_of([line for line in lines if first <= line <= last])
            for name, first, last in columns
        }
        if sum(b - a + 1 for of_column in runs.values() for a, b in of_column) != len(lines):
            return tell_lines(lines)
        parts = [
            f"{a}–{b} of the {name}" if b > a else f"{a} of the {name}"
            for name, of_column in runs.items()
            for a, b in of_column
        ]
        return f"line{'' if len(lines) == 1 else 's'} {listed_in_words(parts)}"

    return told


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
