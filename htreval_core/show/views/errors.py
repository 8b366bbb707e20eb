"""The Errors view as one component: a filter, what is read as what, and the ink of each word.

Python sends what is in sight; what is filtered, sorted or opened comes back.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from htreval_core import Study
from htreval_core.markup import shorten, visible
from htreval_core.model import BoolArray
from htreval_core.show.views.names import short_names
from htreval_core.show.views.opened import Opened, Systems
from htreval_core.show.views.styles import style_payload
from htreval_core.words.confusions import confusion_matrix, find_errors, letter_rows, spelled
from htreval_core.words.lines import WorstLine
from htreval_core.words.outcomes import Agreement, Outcome, WordOutcomes

TITLE = "What does it misread?"
AT_ONCE = 60
"""Tiles that are sent at first, and with each "More"."""
_MOST_WORDS = 300
TABS = ("", "words", "lines")
_KINDS = {"misread": Outcome.MISREAD, "left-out": Outcome.MISSING, "divided": Outcome.DIVIDED}
_OF_TWO = {"a": Agreement.ONLY_A, "b": Agreement.ONLY_B, "both": Agreement.BOTH_WRONG}


class Asked(Protocol):
    """Which errors are asked for."""

    @property
    def tab(self) -> str:
        """ "words" or "lines"; empty for characters."""

    @property
    def find(self) -> str:
        """ "rn→m", or a part of a word; empty for all."""

    @property
    def which(self) -> str:
        """Of what kind, or which of two systems reads them right; empty for all."""

    @property
    def sort(self) -> str:
        """ "often": the commonest first; empty for the first pages first."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """The errors that are asked for.

    Args:
        numbers: of their words, in the order in which they are shown.
        every: how many there are of each kind, before any is asked for by what it is read as.
        of_kind: numbers of all words of the kind that is asked for.
    """

    numbers: list[int]
    every: dict[str, int]
    of_kind: list[int]


def choose(outcomes: WordOutcomes, asked: Asked) -> Chosen:
    """The words that were read wrong as somebody asks for them."""
    of_two = len(outcomes.systems) == 2
    found = outcomes.agreement(*outcomes.systems) if of_two else outcomes.outcome[0]
    kinds = {name: found == kind for name, kind in (_OF_TWO if of_two else _KINDS).items()}
    wrong: BoolArray = np.any(list(kinds.values()), axis=0)
    own = kinds.get(asked.which, wrong)
    found = np.zeros(len(outcomes), dtype=bool)
    for system in outcomes.systems:
        found[find_errors(outcomes, system, asked.find)] = True
    numbers = np.flatnonzero(found & own).tolist()
    if asked.sort == "often":
        times = Counter(_readings(outcomes, one) for one in numbers)
        numbers.sort(key=lambda one: (-times[_readings(outcomes, one)], _readings(outcomes, one)))
    every = {name: int(mask.sum()) for name, mask in kinds.items()}
    return Chosen(numbers, every, np.flatnonzero(own).tolist())


def _readings(outcomes: WordOutcomes, number: int) -> tuple[str, ...]:
    """A word and what each system read."""
    return outcomes.words[number], *(read[number] or "" for read in outcomes.read_words)


def word_rows(
    outcomes: WordOutcomes, numbers: Sequence[int]
) -> list[tuple[tuple[str, ...], int, int]]:
    """Every different error, the commonest first.

    Returns:
        the word and what each system read, how often, and on how many pages.
    """
    times: Counter[tuple[str, ...]] = Counter()
    pages: dict[tuple[str, ...], set[int]] = {}
    for one in numbers:
        told = _readings(outcomes, one)
        times[told] += 1
        pages.setdefault(told, set()).add(int(outcomes.page_of[one]))
    ranked = sorted(times, key=lambda told: (-times[told], told))
    return [(told, times[told], len(pages[told])) for told in ranked]


def errors_payload(
    opened: Opened, outcomes: WordOutcomes, chosen: Chosen, asked: Asked, shown: int
) -> dict[str, Any]:
    """The filter, what stands on its left, and the tiles."""
    systems = outcomes.systems
    first = chosen.numbers[:shown]
    return {
        "tab": asked.tab if asked.tab in TABS else "", "find": asked.find, "which": asked.which,
        "sort": asked.sort, "systems": [_system(opened.study, one) for one in systems],
        "kinds": list(map(list, chosen.every.items())), "total": len(chosen.numbers),
        "pages": len(set(outcomes.page_of[chosen.numbers].tolist())),
        "tiles": tile_payloads(outcomes, first, opened.word_crops(outcomes, first)),
        "matrix": _matrix(opened, outcomes) if not asked.tab else None,
        "words": _words(outcomes, chosen) if asked.tab == "words" else None, "lines": None,
    }  # fmt: skip


def tile_payloads(
    outcomes: WordOutcomes, numbers: Sequence[int], crops: Mapping[int, str]
) -> list[dict[str, Any]]:
    """Words with what was read; where there is no ink of a word, with those beside it."""
    names = dict(zip(outcomes.page_ids, short_names(outcomes.page_ids), strict=True))
    bare = [one for one in numbers if one not in crops]
    around = {one.number: (one.before, one.after) for one in outcomes.examples(bare)}
    policy = outcomes.settings.policy

    def tile(number: int) -> dict[str, Any]:
        word, *reads = _readings(outcomes, number)
        page_id = outcomes.page_ids[outcomes.page_of[number]]
        told = [spelled(word, read, policy) for read in reads]
        before, after = around.get(number, ("", ""))
        # One system's errors are marked in the reference, too; of two each has its own.
        marked = told[0][0] if len(told) == 1 and reads[0] else [(word, False)]
        return {
            "number": number, "crop": crops.get(number),
            "around": [visible(before), visible(after)], "word": _shown(marked),
            "reads": [_shown(one) for _, one in told], "page": names[page_id],
        }  # fmt: skip

    return list(map(tile, numbers))


def lines_payload(
    opened: Opened, systems: Systems, lines: Sequence[WorstLine] | None, shown: int
) -> dict[str, Any]:
    """The lines with most errors, each with its strip of the image; None of them: not yet found."""
    first = (lines or ())[:shown]
    crops = opened.line_crops([(one.page_id, one.line) for one in first])
    names = short_names([one.page_id for one in first])
    return {
        "tab": "lines",
        "systems": [_system(opened.study, one) for one in systems],
        "total": len(lines or ()),
        "lines": None if lines is None else [
            {
                "crop": crops.get((one.page_id, one.line)),
                "page": name,
                "line": one.line,
                "errors": one.errors,
                "word": visible(one.text),
                "reads": [
                    next((visible(read.text) for read in one.reads if read.system == system), "")
                    for system in systems
                ],
            }
            for one, name in zip(first, names, strict=True)
        ],
    }  # fmt: skip


def _shown(pieces: Sequence[tuple[str, bool]]) -> list[list[Any]]:
    return [[visible(text), differs] for text, differs in pieces]


def _system(study: Study, name: str) -> dict[str, str]:
    return {"name": shorten(visible(name), 40), **style_payload(study, name)}


def _matrix(opened: Opened, outcomes: WordOutcomes) -> dict[str, Any]:
    """Characters by what they were read as, and how often each is read right, in percent."""
    systems = outcomes.systems
    rows, columns, counts = opened.once(
        ("matrix", systems), "",
        lambda: confusion_matrix(one for system in systems
                                 for one in opened.confusions(systems, system)),
    )  # fmt: skip
    right = opened.once(("letters", systems), "", lambda: _read_right(outcomes))
    return {
        "rows": [[text, visible(text), right.get(text)] for text in rows],
        "columns": [[text, visible(text)] for text in columns], "counts": counts.tolist(),
    }  # fmt: skip


def _read_right(outcomes: WordOutcomes) -> dict[str, float]:
    """How often each character is read right, in percent."""
    every, right = Counter[str](), Counter[str]()
    for system in outcomes.systems:
        for row in letter_rows(outcomes, system):
            every[row.letter] += row.total
            right[row.letter] += row.right
    return {letter: round(100 * right[letter] / n, 1) for letter, n in every.items()}


def _words(outcomes: WordOutcomes, chosen: Chosen) -> list[list[Any]]:
    """The commonest errors: what finds them, the word, what each system read, how often."""
    found: list[list[Any]] = []
    for (word, *reads), times, pages in word_rows(outcomes, chosen.of_kind)[:_MOST_WORDS]:
        wrong = next((read for read in reads if read != word), "")
        found.append([f"{word}→{wrong}", visible(word), list(map(visible, reads)), times, pages])
    return found
