"""The lines of the reference with most errors, in every system."""

import heapq
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from htreval_core.errors import ConfigError
from htreval_core.metrics.kinds import WordKind, word_kinds
from htreval_core.metrics.page import PageReference, ScoredPage
from htreval_core.model import IntArray, Page
from htreval_core.scoring.score import read_page
from htreval_core.scoring.study import Study
from htreval_core.settings import Settings

MOST_LINES = 200
"""The lines that are given where nobody says how many: more than a person reads."""


@dataclass(frozen=True, slots=True)
class LineRead:
    """What one system made of a line.

    Args:
        errors: its words misread or left out, and words added there.
        text: the words that the system wrote for it, wherever they stand, in the output's order.
    """

    system: str
    errors: int
    text: str


@dataclass(frozen=True, slots=True)
class WorstLine:
    """A line of the reference.

    Args:
        line: its number on the page, from 1.
        word_index: the position of its first word among the reference words of the page.
        text: its words as they are compared.
        reads: of each system that has read the page.
    """

    page_id: str
    line: int
    word_index: int
    text: str
    reads: tuple[LineRead, ...]

    @property
    def errors(self) -> int:
        """Of all systems together."""
        return sum(one.errors for one in self.reads)


def worst_lines(
    study: Study, systems: Sequence[str] | None = None, *, at_most: int = MOST_LINES
) -> list[WorstLine]:
    """The lines with most errors of some systems together, the worst first.

    An error is a word misread or left out as WER's alignment has it, or a word added, which is
    charged to the line of the word before it. A word that stands elsewhere is not an error here.
    Lines without an error are not given, nor are those of pages that can no longer be read.

    Args:
        systems: whose errors count; all by default.
        at_most: the most lines.

    Raises:
        ConfigError: there is no such system.
    """
    systems = study.systems if systems is None else tuple(dict.fromkeys(systems))
    unknown = [name for name in systems if name not in study.systems]
    if unknown:
        raise ConfigError(f"{unknown}: not in the study, which has {', '.join(study.systems)}")
    read_by = {system: study.pages_of(system) for system in systems}
    chosen = [one for one in study.page_ids if any(one in of for of in read_by.values())]
    found: list[WorstLine] = []
    for page_id in chosen:
        # Whatever is wrong with a page, the lines of the others are found.
        with suppress(Exception):
            page = read_page(study.dataset.item(page_id, bare=True))
            lines = [one for one in _lines(page, systems, study.settings) if one.errors]
            found = heapq.nlargest(at_most, (*found, *lines), key=lambda one: one.errors)
    return found


def _lines(page: Page, systems: Sequence[str], settings: Settings) -> Iterator[WorstLine]:
    reference = PageReference.of(page.page_id, page.reference, settings)
    words = reference.words
    line_of = np.array(words.line_of, dtype=np.int64)
    if not len(line_of):
        return
    scored = {
        system: reference.score(system, page.hypotheses[system], settings)
        for system in systems
        if system in page.hypotheses
    }
    charged = {system: _charged(of_system, line_of) for system, of_system in scored.items()}
    for line in dict.fromkeys(words.line_of):
        of_line = np.flatnonzero(line_of == line).tolist()
        reads = []
        for system, (errors, of_hyp) in charged.items():
            output = scored[system].hypothesis.joined(np.flatnonzero(of_hyp == line).tolist())
            reads.append(LineRead(system, int(errors[line]), output))
        yield WorstLine(page.page_id, line + 1, of_line[0], words.joined(of_line), tuple(reads))


def _charged(page: ScoredPage, line_of: IntArray) -> tuple[IntArray, IntArray]:
    """The errors of each line, by the line of each reference word, and that of each output word."""
    kinds = word_kinds(page, "trace")
    # Of each row of the trace the last reference word so far; at the top of the page the first.
    last = np.maximum(np.maximum.accumulate(page.trace.ref_index), 0)
    of_hyp = page.trace.hyp_index >= 0
    charged = np.empty(len(kinds.hyp), dtype=np.int64)
    charged[page.trace.hyp_index[of_hyp]] = line_of[last[of_hyp]]
    mated = kinds.hyp_mate >= 0
    charged[mated] = line_of[kinds.hyp_mate[mated]]
    wrong = np.isin(kinds.ref, (WordKind.SUBSTITUTED, WordKind.DELETED))
    of_errors = np.concatenate([line_of[wrong], charged[kinds.hyp == WordKind.INSERTED]])
    return np.bincount(of_errors, minlength=int(line_of.max()) + 1), charged
