"""What became of every reference word in one or more systems, word by word over a corpus.

Every system is matched against the same reference, so its words can be compared one by one
whatever order a system wrote them in. Words that a system added stand for no reference word and
are in none of these counts.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import partial
from operator import itemgetter
from types import MappingProxyType
from typing import TypeAlias

import numpy as np

from htreval_core.diagnosis.look import Look
from htreval_core.diagnosis.model import Diagnosis
from htreval_core.errors import ConfigError, HtrEvalError
from htreval_core.markup import listed
from htreval_core.metrics.kinds import WordKind, word_kinds
from htreval_core.metrics.page import PageReference, ScoredPage
from htreval_core.metrics.spaces import Regrouping
from htreval_core.model import BoolArray, Failure, IntArray, Page
from htreval_core.scoring.score import Progress, over_pages, read_page, sendable
from htreval_core.scoring.stream import DIED, each
from htreval_core.scoring.study import Study
from htreval_core.scoring.workers import Processes, reason
from htreval_core.settings import Settings
from htreval_core.sources.dataset import Dataset, PageItem
from htreval_core.text import PageWords


class Outcome(IntEnum):
    """What became of a reference word in one system."""

    RIGHT = 0
    """Matched with an equal word, wherever the system wrote it."""
    MISREAD = 1
    """Matched with another word."""
    MISSING = 2
    """Matched with nothing."""
    DIVIDED = 3
    """Divided or joined, with every letter right."""


class Agreement(IntEnum):
    """What became of a reference word in two systems."""

    BOTH_RIGHT = 0
    ONLY_A = 1
    """A read it right, B did not."""
    ONLY_B = 2
    BOTH_WRONG = 3


def agreements(wrong_a: BoolArray, wrong_b: BoolArray) -> IntArray:
    """An ``Agreement`` for each word, from whether A and B read it wrong; all of one shape."""
    return wrong_b * int(Agreement.ONLY_A) + wrong_a * int(Agreement.ONLY_B)


@dataclass(frozen=True, slots=True, eq=False)
class PageOutcomes:
    """The reference words of one page in one system.

    Args:
        outcome: shape (|X|,), an ``Outcome`` each.
        read_as: shape (|X|,), the position in the output of the word it was matched with, the first
            of those it is divided into; -1 for none.
        moved: shape (|X|,), right but out of place: WER counts it as wrong.
    """

    outcome: IntArray
    read_as: IntArray
    moved: BoolArray


_OUTCOMES: Mapping[WordKind, Outcome] = MappingProxyType({
    WordKind.CORRECT: Outcome.RIGHT, WordKind.MOVED: Outcome.RIGHT,
    WordKind.SUBSTITUTED: Outcome.MISREAD, WordKind.DELETED: Outcome.MISSING,
    WordKind.DIVIDED: Outcome.DIVIDED,
})  # fmt: skip


def page_outcomes(page: ScoredPage, regroupings: Sequence[Regrouping]) -> PageOutcomes:
    """What became of the reference words of a page, as its matching sees them.

    Args:
        regroupings: of its diagnosis, the words divided or joined.
    """
    kinds, own = word_kinds(page, "matching", regroupings), word_kinds(page, "matching")
    # What is matched with an equal word is right, whatever its letters are part of elsewhere.
    right = np.isin(own.ref, (WordKind.CORRECT, WordKind.MOVED))
    of_ref = np.where(right, own.ref, kinds.ref)
    outcome = np.array([_OUTCOMES[WordKind(kind)] for kind in of_ref.tolist()], dtype=np.int64)
    return PageOutcomes(
        outcome, np.where(right, own.ref_mate, kinds.ref_mate), of_ref == WordKind.MOVED
    )


@dataclass(frozen=True, slots=True)
class WordRead:
    """What one system made of a reference word, with the words around it on its own line.

    Args:
        word: what it was read as, all words it is divided into; None where it is missing, and then
            the rest is empty.
        line: the number of the output's line, from 1; 0 where the word is missing.
        moved: right, but out of place.
    """

    system: str
    outcome: Outcome
    word: str | None
    before: str
    after: str
    line: int
    moved: bool


@dataclass(frozen=True, slots=True)
class Example:
    """A reference word in context.

    Args:
        number: of the word among all words of the ``WordOutcomes``.
        word_index: its position among the reference words of its page.
        line: the number of its line on the page, from 1.
        before: the words before it on its line.
        after: the words after it on its line.
        read_words: what each system read, in their order.
    """

    number: int
    page_id: str
    word_index: int
    line: int
    before: str
    word: str
    after: str
    read_words: tuple[WordRead, ...]


@dataclass(frozen=True, slots=True, eq=False)
class WordOutcomes:
    """Every reference word of the pages that all of some systems have read.

    Words are numbered through all pages; arrays have shape (words,) or (systems, words).

    Args:
        systems: S of them.
        page_ids: the pages, in the order of the study.
        words: the reference words.
        page_of: shape (words,), positions in ``page_ids``.
        word_index: shape (words,), positions among the reference words of the page.
        line_of: shape (words,), positions in the transcript's lines.
        outcome: shape (S, words), an ``Outcome`` each.
        read_as: shape (S, words), positions among the words of the output, -1 for none.
        moved: shape (S, words), right but out of place.
        read_words: per system the words that were read, those of a divided word with spaces between
            them; None where missing.
        dataset: the pages themselves, for their lines.
        settings: those of the study.
    """

    systems: tuple[str, ...]
    page_ids: tuple[str, ...]
    words: tuple[str, ...]
    page_of: IntArray
    word_index: IntArray
    line_of: IntArray
    outcome: IntArray
    read_as: IntArray
    moved: BoolArray
    read_words: tuple[tuple[str | None, ...], ...]
    dataset: Dataset
    settings: Settings
    failures: tuple[Failure, ...] = ()
    """Pages that were scored and could not be followed."""

    def __len__(self) -> int:
        return len(self.words)

    def __repr__(self) -> str:
        systems = listed(self.systems)
        return f"<WordOutcomes of {systems}: {len(self):,} words, {len(self.page_ids):,} pages>"

    def system_at(self, system: str) -> int:
        """The row of a system.

        Raises:
            ConfigError: it is not among the systems.
        """
        if system not in self.systems:
            known = ", ".join(map(repr, self.systems))
            raise ConfigError(f"{system!r}: not among the systems, {known}")
        return self.systems.index(system)

    def wrong(self, system: str) -> BoolArray:
        """Shape (words,): any outcome but right. A word out of place is not wrong."""
        return self.outcome[self.system_at(system)] != Outcome.RIGHT

    def agreement(self, a: str, b: str) -> IntArray:
        """Shape (words,): an ``Agreement`` each."""
        return agreements(self.wrong(a), self.wrong(b))

    def counts(self, a: str, b: str) -> dict[Agreement, int]:
        """How many words both read right, only A, only B, neither."""
        found = np.bincount(self.agreement(a, b), minlength=len(Agreement))
        return {kind: int(found[kind]) for kind in Agreement}

    def examples(self, chosen: Iterable[int]) -> Iterator[Example]:
        """The words with these numbers in context, one by one as they are asked for.

        ``np.flatnonzero`` makes numbers of any condition:
        ``outcomes.examples(np.flatnonzero(outcomes.agreement("A", "B") == Agreement.ONLY_A))``
        """
        page_id, sides = "", ()  # type: str, tuple[PageWords, ...]
        for number in chosen:
            if self.page_ids[self.page_of[number]] != page_id or not sides:
                page_id = self.page_ids[self.page_of[number]]
                page = self.dataset.page(page_id)
                reference = PageReference.of(page_id, page.reference, self.settings)
                outputs = (page.hypotheses[system] for system in self.systems)
                read = (reference.counted(output, self.settings) for output in outputs)
                sides = (reference.words, *read)
            yield self._example(int(number), page_id, sides)

    def _example(self, number: int, page_id: str, sides: Sequence[PageWords]) -> Example:
        reference, *outputs = sides
        index = int(self.word_index[number])
        before, after = _around(reference, index)
        read_words = []
        for at, (system, output) in enumerate(zip(self.systems, outputs, strict=True)):
            k = int(self.read_as[at, number])
            word = self.read_words[at][number]
            left, right = ("", "") if word is None else _around(output, k, word.count(" ") + 1)
            read_words.append(
                WordRead(
                    system, Outcome(int(self.outcome[at, number])), word, left, right,
                    output.line_of[k] + 1 if k >= 0 else 0, bool(self.moved[at, number]),
                )
            )  # fmt: skip
        return Example(
            number, page_id, index, reference.line_of[index] + 1, before, reference.words[index],
            after, tuple(read_words),
        )  # fmt: skip


_CONTEXT = 20
"""Words shown on either side at most: a page without line breaks is a single line."""


def _around(side: PageWords, index: int, n_words: int = 1) -> tuple[str, str]:
    """The words before and after some on their line; an ellipsis where the line is longer."""
    line = side.line_of[index]
    first, last = index, index + n_words - 1
    while first and side.line_of[first - 1] == line and index - first < _CONTEXT:
        first -= 1
    while last + 1 < len(side.words) and side.line_of[last + 1] == line and last - index < _CONTEXT:
        last += 1
    more_before = first and side.line_of[first - 1] == line
    more_after = last + 1 < len(side.words) and side.line_of[last + 1] == line
    before = " ".join(side.words[first:index])
    after = " ".join(side.words[index + n_words : last + 1])
    return ("… " if more_before else "") + before, after + (" …" if more_after else "")


def word_outcomes(
    study: Study, systems: Sequence[str] | None = None, *, workers: Processes | None = None,
    progress: Progress | None = None, diagnoses: Mapping[str, Sequence[Diagnosis]] | None = None,
) -> WordOutcomes:  # fmt: skip
    """What became of every reference word in the given systems.

    Pages are aligned again, which takes a millisecond or two each and system. Which words are
    divided or joined is a matter of their diagnoses: without those it takes several times as long.

    Args:
        systems: one or more; all by default. Pages that one of them has not read are left out.
        workers: where to run; in this process by default.
        progress: told how many pages are done.
        diagnoses: of the pages by system, where they are there.

    Raises:
        ConfigError: no such system, or no page that all the systems have read.
    """
    systems = study.systems if systems is None else tuple(dict.fromkeys(systems))
    unknown = [name for name in systems if name not in study.systems]
    if unknown or not systems:
        raise ConfigError(f"{unknown or 'no system'}: not in the study")
    of_all = frozenset.intersection(*(study.pages_of(name) for name in systems))
    chosen = [page_id for page_id in study.page_ids if page_id in of_all]
    if not chosen:
        raise ConfigError(
            f"no page that {', '.join(map(repr, systems))} have all read: choose other systems"
        )
    work = each(partial(_follow, systems=systems, settings=study.settings))
    told = {
        (one.page_id, system): one for system, found in (diagnoses or {}).items() for one in found
    }
    tasks = ((sendable(study.dataset.item(page_id, bare=diagnoses is not None), workers),
              tuple(told.get((page_id, system)) for system in systems))
             for page_id in chosen)  # fmt: skip
    parts: dict[str, _PagePart] = {}
    failures: list[Failure] = []
    results = over_pages(work, tasks, workers, item=itemgetter(0), lost=lambda _: DIED)
    for done, (page_id, part) in enumerate(zip(chosen, results, strict=True), start=1):
        if isinstance(part, str):
            failures += [Failure(page_id, name, part, scored=True) for name in systems]
        else:
            parts[page_id] = part
        if progress:
            progress(done, len(chosen))
    if not parts:
        raise HtrEvalError(
            "the words of no page could be followed",
            warnings=tuple(failure.warning for failure in failures),
        )
    return replace(_joined(parts, systems, study), failures=tuple(failures))


@dataclass(frozen=True, slots=True, eq=False)
class _PagePart:
    words: tuple[str, ...]
    line_of: tuple[int, ...]
    outcomes: tuple[PageOutcomes, ...]
    read_words: tuple[tuple[str | None, ...], ...]


_Told: TypeAlias = tuple[Diagnosis | None, ...]
"""The diagnoses of a page, where they are there; one for each system."""


def _follow(
    task: tuple[PageItem, _Told], systems: Sequence[str], settings: Settings
) -> _PagePart | str:
    try:
        return _page(read_page(task[0]), task[1], systems, settings)
    except Exception as error:  # whatever it is, the other pages are followed
        return reason(error)


def _page(page: Page, told: _Told, systems: Sequence[str], settings: Settings) -> _PagePart:
    reference = PageReference.of(page.page_id, page.reference, settings)
    outcomes, read_words = [], []
    for system, diagnosis in zip(systems, told, strict=True):
        transcript = page.hypotheses[system]
        scored = reference.score(system, transcript, settings)
        look = Look(scored, page.reference, transcript, settings, diagnosis)
        outcomes.append(page_outcomes(scored, look.regroupings))
        output = scored.hypothesis.words
        read = [output[k] if k >= 0 else None for k in outcomes[-1].read_as.tolist()]
        for one in look.regroupings:
            for j in one.ref:
                read[j] = " ".join(output[k] for k in one.hyp)
        read_words.append(tuple(read))
    words = reference.words
    return _PagePart(words.words, words.line_of, tuple(outcomes), tuple(read_words))


def _joined(found: Mapping[str, _PagePart], systems: tuple[str, ...], study: Study) -> WordOutcomes:
    parts = tuple(found.values())
    lengths = [len(part.words) for part in parts]
    # The same word is one string, however many pages and systems it stands on.
    known: dict[str, str] = {}
    return WordOutcomes(
        systems,
        tuple(found),
        tuple(known.setdefault(word, word) for part in parts for word in part.words),
        np.repeat(np.arange(len(parts)), lengths),
        np.concatenate([np.arange(n) for n in lengths]),
        np.concatenate([np.array(part.line_of, dtype=np.int64) for part in parts]),
        np.hstack([np.stack([one.outcome for one in part.outcomes]) for part in parts]),
        np.hstack([np.stack([one.read_as for one in part.outcomes]) for part in parts]),
        np.hstack([np.stack([one.moved for one in part.outcomes]) for part in parts]),
        tuple(tuple(None if word is None else known.setdefault(word, word)
                    for part in parts for word in part.read_words[at])
              for at in range(len(systems))),
        study.dataset,
        study.settings,
    )  # fmt: skip
