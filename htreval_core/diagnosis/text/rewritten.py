"""What was written by another rule than the page's: divided words, dates, abbreviations, markup.

A rule is judged by its own occasions: words that are misread besides have no say in it.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

import numpy as np
from rapidfuzz.distance import Levenshtein

from htreval_core.diagnosis.limits import REWRITTEN, SPELLING
from htreval_core.diagnosis.model import EventKind, Respelling, RuleUse
from htreval_core.diagnosis.page.ground import Ground
from htreval_core.diagnosis.text.spelling import PRIVATE, find_spelling
from htreval_core.diagnosis.text.trace import Gap, Trace
from htreval_core.model import IntArray
from htreval_core.text import HYPHENS

_ISO = re.compile(r"(\d{4})-\d\d-(\d\d)")
_MARKUP = re.compile(r"\||\*\*|^#+$|</?[a-z]+\d?/?>")
_VOWELS = frozenset("aeiou")
_STOPS = frozenset(".'’")
_JOINED = re.compile(r"[^\W\d_][/.,;:]+[^\W\d_]")
"""Two words that a sign of punctuation divides."""
_ABBREVIATED = re.compile("[~\u0303-\u0305\u02b0-\u02ff\u1d43-\u1dbf\ua740-\ua759\ua75c-\ua7ff]")
"""Tildes and strokes over letters, letters above the line, and the signs of scribes."""


@dataclass(frozen=True, slots=True)
class _Use:
    """A rule followed once: what stood there, what stands there now, and the rows that it takes."""

    old: str
    new: str
    rows: Sequence[int]


@dataclass(frozen=True, eq=False)
class _Page:
    ground: Ground
    trace: Trace

    @cached_property
    def row_of(self) -> IntArray:
        """The row of each reference word, shape (words,)."""
        return np.flatnonzero(self.trace.ref >= 0)

    def near(self, first: int, last: int, reach: int) -> range:
        """The rows from one to another, and ``reach`` more on either side."""
        return range(max(first - reach, 0), min(last + reach + 1, len(self.trace.ref)))

    def ref(self, row: int) -> str:
        j = int(self.trace.ref[row])
        return self.ground.reference.words[j] if j >= 0 else ""

    def hyp(self, row: int) -> str:
        k = int(self.trace.hyp[row])
        return self.ground.hypothesis.words[k] if k >= 0 else ""

    def joined(self) -> Iterator[_Use | None]:
        """Words divided at the ends of lines that stand there in one piece; None for any other."""
        words = self.ground.reference.words
        for j, word in enumerate(words[:-1]):
            if word[-1] not in HYPHENS or not word[:-1].isalpha() or not words[j + 1][0].isalpha():
                continue
            if self.ground.has_lines and not self.ground.ends_ref_line(j + 1):
                continue
            whole = word[:-1] + words[j + 1]
            first, last = int(self.row_of[j]), int(self.row_of[j + 1])
            row = next(
                (row for row in self.near(first, last, REWRITTEN.BESIDE)
                 if _is_rather(self.hyp(row), whole, (word, words[j + 1]))), None,
            )  # fmt: skip
            if row is None:
                yield None
            else:
                rows = sorted({row, *range(first, last + 1)})
                yield _Use(f"{word} {words[j + 1]}", self.hyp(row), rows)

    def dates(self) -> Iterator[_Use]:
        """Dates in the form of ISO 8601 where the page has day and year otherwise."""
        for row in np.flatnonzero(self.trace.wrong).tolist():
            found = _ISO.search(self.hyp(row)) if "-" in self.hyp(row) else None
            if found is None or self.hyp(row) in self.ground.reference.words:
                continue
            near = self.near(row, row, REWRITTEN.OF_DATE)
            numbers = {at: set(map(int, re.findall(r"\d+", self.ref(at)))) for at in near}
            parts = [[at for at in near if int(part) in numbers[at]] for part in found.groups()]
            if all(parts):
                rows = range(min(parts[0][-1], parts[1][0], row), max(parts[0][-1], row) + 1)
                yield _Use(" ".join(filter(None, map(self.ref, rows))), found[0], rows)

    def markup(self) -> Iterator[_Use | None]:
        """Signs of markup; None for each that the page has itself.

        What reads lines with boxes writes no markup: it takes rules and spots for bars. A row of a
        table has several bars, a line beside a rule has one.
        """
        if any(line.polygon for line in self.ground.hyp_transcript.lines):
            return
        of_line = [line.text.count("|") for line in self.ground.hyp_transcript.lines]
        in_rows = 2 * sum(n > 1 for n in of_line) > sum(map(bool, of_line))
        for row in np.flatnonzero(self.trace.wrong).tolist():
            found = _MARKUP.search(self.hyp(row))
            if found and (in_rows or found[0] != "|"):
                yield _Use("", found[0], (row,))
            if _MARKUP.search(self.ref(row)):
                yield None

    def written_out(self) -> Iterator[_Use | None]:
        """Abbreviations written out; None for each that was left."""
        wrong = np.flatnonzero(self.trace.wrong & (self.trace.ref >= 0) & (self.trace.hyp >= 0))
        pairs = ((self.ref(row), self.hyp(row), row) for row in wrong.tolist())
        uses = [
            _Use(old.rstrip(",;:"), new.rstrip(",;:."), (row,))
            for old, new, row in pairs
            if old[0].lower() == new[0].lower() and _is_long_form(old, new)
        ]
        # A letter or two may be put in by misreading, not the same ones again.
        again = Counter((use.old, use.new) for use in uses)
        uses = [
            use for use in uses
            if again[use.old, use.new] > 1 or _n_letters(use.new) > _n_letters(use.old) + 1
        ]  # fmt: skip
        every = Counter(word.rstrip(",;:") for word in self.ground.reference.words)
        own = Counter(use.old for use in uses)
        yield from uses
        for word, n in own.items():
            yield from [None] * (every[word] - n)


def find_rewritten(ground: Ground, trace: Trace, gaps: Sequence[Gap]) -> list[Gap]:
    """What was written by another rule, each rule by itself."""
    page = _Page(ground, trace)
    found: list[Gap] = []
    translated = (range(*gap.reference) for gap in gaps if gap.kind is EventKind.TRANSLATED)
    taken = np.isin(trace.ref, list(chain.from_iterable(translated)))
    rules: Sequence[tuple[EventKind, int, Callable[[], Iterator[_Use | None]]]] = (
        (EventKind.HYPHENS, REWRITTEN.LEAST, page.joined), (EventKind.DATES, 1, page.dates),
        (EventKind.MARKUP, 2 * REWRITTEN.LEAST, page.markup),
        (EventKind.ABBREVIATIONS, REWRITTEN.LEAST, page.written_out),
    )  # fmt: skip
    for kind, least, occasions in rules:
        every = list(occasions())
        uses = [use for use in every if use is not None]
        if len(uses) >= max(least, REWRITTEN.STRICT * len(every)):
            rows = sorted({row for use in uses for row in use.rows})
            taken[rows] = True
            found.append(_gap(kind, rows, uses, len(every), trace))
    spelling = find_spelling(ground, trace, taken)
    return found if spelling is None else [*found, spelling]


def _gap(
    kind: EventKind, rows: Sequence[int], uses: Sequence[_Use], n_occasions: int, trace: Trace
) -> Gap:
    ref = trace.ref[rows][trace.ref[rows] >= 0]
    place = (int(ref.min()), int(ref.max()) + 1) if len(ref) else (0, 0)
    words = len(rows) if kind is EventKind.MARKUP else len(ref)
    most = Counter((use.old, use.new) for use in uses).most_common()
    detail = Respelling(
        tuple(RuleUse(*pair, n) for pair, n in most[: SPELLING.MOST_TOLD]), len(most), len(uses),
        n_occasions,
    )  # fmt: skip
    errors = int(trace.wrong[rows].sum())
    return Gap(kind, place, (), words, errors, share=words / len(trace.ref), detail=detail)


def _n_letters(word: str) -> int:
    return sum(map(str.isalpha, word))


def _is_rather(word: str, whole: str, pieces: Sequence[str]) -> bool:
    """Whether a word is, misread perhaps, the whole and neither piece of it."""
    off = Levenshtein.distance(word, whole)
    return off * 2 < len(whole) and all(off < Levenshtein.distance(word, one) for one in pieces)


def _is_long_form(short: str, long: str) -> bool:
    """Whether a word is an abbreviation and another one what it stands for.

    An abbreviation has a stop, a sign of its own, or no vowel."""
    core, rest = short.rstrip(",;:)").lower(), iter(long.lower())
    vowels = bool(_VOWELS.intersection(core))
    if core.isascii() and vowels and core[-1:] not in _STOPS:
        return False
    parts = unicodedata.normalize("NFD", core)
    letters = [sign for sign in parts if sign.isascii() and sign.isalpha()]
    if PRIVATE.search(core) or core[-1:] in HYPHENS or not letters or any(map(str.isdigit, core)):
        return False
    stopped = core[-1:] in _STOPS and len(letters) <= REWRITTEN.LONGEST
    bare = core.isascii() and core[-1] != "y" and not vowels and bool(_VOWELS.intersection(long))
    return (
        (bare or stopped or bool(_ABBREVIATED.search(parts)))
        and _n_letters(long) > len(letters) + (not bare)
        and not _JOINED.search(long)
        and all(letter in rest for letter in letters)
    )
